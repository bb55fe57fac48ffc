// The prose of a document: plain text, or the part of Markdown that prose needs. Nothing of it is HTML.

import type { ComponentChildren } from "preact";

export function Prose(p: { text: string; markdown?: boolean }) {
  if (p.text.trim() === "") return null;
  return <div class="prose">{p.markdown ? blocks(p.text) : plain(p.text)}</div>;
}

/** Paragraphs, with their line breaks. */
function plain(text: string): ComponentChildren {
  return text.split(/\n\s*\n/).filter((x) => x.trim()).map((x) => <p class="as-is">{x.replace(/^\n+|\s+$/g, "")}</p>);
}

/** The blocks of Markdown: headings, lists, quotes, fences and paragraphs. */
function blocks(text: string): ComponentChildren[] {
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
function inline(text: string): ComponentChildren[] {
  return text.split(/(\$\$.+?\$\$|`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\s][^*\n]*\*|!?\[[^\]\n]*\]\([^)\s]+\))/).map((x) => {
    const link = /^(!?)\[([^\]]*)\]\(([^)]+)\)$/.exec(x);
    if (link) return !link[1] && /^https?:\/\//.test(link[3]) ? <a href={link[3]} rel="noopener noreferrer" target="_blank">{link[2]}</a> : link[2];
    if (/^\$\$.+\$\$$/s.test(x)) return <code class="formula">{x.slice(2, -2)}</code>;
    if (/^`.+`$/.test(x)) return <code>{x.slice(1, -1)}</code>;
    if (/^\*\*.+\*\*$/s.test(x)) return <strong>{x.slice(2, -2)}</strong>;
    return /^\*.+\*$/.test(x) ? <em>{x.slice(1, -1)}</em> : x;
  });
}
