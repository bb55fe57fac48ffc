// The prose of a document: plain text, or the part of Markdown that prose needs. Nothing of it is HTML.

import type { ComponentChildren } from "preact";
import type { Slip } from "./model";

/** Prose, with its slips marked if it has their text once, word by word. */
export function Prose(p: { text: string; markdown?: boolean; slips: Slip[] }) {
  if (p.text.trim() === "") return null;
  const marks = p.slips.map((s) => s.stated).filter((m) => p.text.split(m).length === 2);
  return <div class="prose">{p.markdown ? blocks(p.text, marks) : plain(p.text, marks)}</div>;
}

/** Paragraphs, with their line breaks. */
function plain(text: string, marks: string[]): ComponentChildren {
  return text.split(/\n\s*\n/).filter((x) => x.trim()).map((x) => <p class="as-is">{marked(x.replace(/^\n+|\s+$/g, ""), marks)}</p>);
}

function marked(text: string, marks: string[]): ComponentChildren {
  const first = marks.filter((m) => m && text.includes(m)).sort((a, b) => text.indexOf(a) - text.indexOf(b))[0];
  if (!first) return text;
  const at = text.indexOf(first);
  return [text.slice(0, at), <mark class="stated">{first}</mark>, marked(text.slice(at + first.length), marks.filter((m) => m !== first))];
}

/** The blocks of Markdown: headings, lists, quotes, fences and paragraphs. */
function blocks(text: string, marks: string[]): ComponentChildren[] {
  const inline = (part: string) => words(part, marks);
  const out: ComponentChildren[] = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; ) {
    const at = i;
    const take = (is: RegExp) => {
      while (i < lines.length && is.test(lines[i])) i++;
      return lines.slice(at, i);
    };
    const fence = /^\s*(```+|~~~+)/.exec(lines[i])?.[1];
    const heading = /^(#{1,6})\s+(.*?)#*$/.exec(lines[i]);
    if (i === 0 && lines[0] === "---" && lines.indexOf("---", 1) > 0) { // the head of a page
      i = lines.indexOf("---", 1) + 1;
      out.push(<pre class="quiet" tabIndex={0}>{lines.slice(1, i - 1).join("\n")}</pre>);
    } else if (lines[i].trim() === "") i++;
    else if (fence) {
      for (i++; i < lines.length && !lines[i].trim().startsWith(fence); ) i++;
      out.push(<pre tabIndex={0}>{lines.slice(at + 1, i++).join("\n")}</pre>);
    } else if (heading) {
      i++;
      out.push(heading[1].length === 1 ? <h2>{inline(heading[2])}</h2> : <h3>{inline(heading[2])}</h3>);
    } else if (item.test(lines[i])) {
      const list = take(/^\s*([-*+•]|\d+[.)])\s+|^\s+\S/).reduce<string[]>((all, l) => {
        if (item.test(l)) all.push(l.replace(item, ""));
        else all[all.length - 1] += " " + l.trim();
        return all;
      }, []);
      out.push(/^\s*\d/.test(lines[at]) ? <ol>{list.map((x) => <li>{inline(x)}</li>)}</ol> : <ul>{list.map((x) => <li>{inline(x)}</li>)}</ul>);
    } else if (/^\s*>/.test(lines[i])) out.push(<blockquote>{inline(take(/^\s*>/).map((l) => l.replace(/^\s*>\s?/, "")).join(" "))}</blockquote>);
    else if (/^\s*\|/.test(lines[i])) out.push(<pre tabIndex={0}>{take(/^\s*\|/).join("\n")}</pre>);
    else {
      i++;
      while (i < lines.length && lines[i].trim() && !/^\s*(```|~~~|#{1,6}\s|>|\|)/.test(lines[i]) && !item.test(lines[i])) i++;
      out.push(<p>{inline(lines.slice(at, i).join("\n"))}</p>);
    }
  }
  return out;
}

const item = /^\s*([-*+•]|\d+[.)])\s+/;

/** Code, strong and emphasized words, and links to the web. */
function words(text: string, marks: string[]): ComponentChildren[] {
  return text.split(/(\$\$.+?\$\$|`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\s][^*\n]*\*|!?\[[^\]\n]*\]\([^)\s]+\))/).map((x) => {
    const link = /^(!?)\[([^\]]*)\]\(([^)]+)\)$/.exec(x);
    if (link) return !link[1] && /^https?:\/\//.test(link[3]) ? <a href={link[3]} rel="noopener noreferrer" target="_blank">{link[2]}</a> : link[2];
    if (/^\$\$.+\$\$$/s.test(x)) return <code class="formula">{marked(x.slice(2, -2), marks)}</code>;
    if (/^`.+`$/.test(x)) return <code>{x.slice(1, -1)}</code>;
    if (/^\*\*.+\*\*$/s.test(x)) return <strong>{x.slice(2, -2)}</strong>;
    return /^\*.+\*$/.test(x) ? <em>{x.slice(1, -1)}</em> : marked(x, marks);
  });
}
