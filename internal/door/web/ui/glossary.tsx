// The glossary: terms with their meaning, their spelling in C++, in the CuTe DSL and in papers, an example and related
// terms. It is a file of its own, loaded when the glossary is opened.

import { useEffect, useState } from "preact/hooks";
import { languages, put, useTexts } from "./lang";
import type { Language } from "./lang";
import { go } from "./state";

interface Term {
  name: string;
  also: string[];
  cpp: string; // "" if it has no name there
  dsl: string;
  papers: string;
  example: string; // an expression, or a command that begins with "girih "
  value: string;
  see: string[];
}

/** The terms, and their meanings by name in each language. */
interface File {
  terms: Term[];
  meanings: Record<string, string>[];
}

/** Reads the file, a list of columns: package glossary describes it. Headings, whose names begin with @, are skipped. */
function decode([names, also, cpp, dsl, papers, examples, values, see, ...texts]: string[][]): File {
  const list = (x: string) => (x ? x.split(";") : []);
  const terms = names.map((name, k) => ({
    name, also: list(also[k]), cpp: cpp[k], dsl: dsl[k], papers: papers[k], example: examples[k], value: values[k], see: list(see[k]),
  }));
  return { terms: terms.filter((t) => !t.name.startsWith("@")), meanings: texts.map((x) => Object.fromEntries(names.map((name, k) => [name, x[k]]))) };
}

let loaded: Promise<File | null> | undefined;

/** Loads the glossary once; null if that fails, and then it is tried again. */
function load(): Promise<File | null> {
  loaded ??= fetch("glossary.json")
    .then((r) => (r.ok ? r.json().then((c) => decode(c as string[][])) : null))
    .catch(() => null)
    .then((f) => {
      if (!f) loaded = undefined;
      return f;
    });
  return loaded;
}

/** A name without capitals, blanks, hyphens and underscores, as girih help compares names. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[ _-]/g, "");
}

/** Every spelling of a term. */
function spellings(t: Term): string[] {
  return [t.name, ...t.also, t.cpp, t.dsl, t.papers].filter(Boolean).map(plain);
}

/** How alike two names are, from 0 to 1: the share of their pairs of letters that both have. */
function alike(a: string, b: string): number {
  const pairs = (s: string) => Array.from({ length: Math.max(s.length - 1, 0) }, (_, k) => s.slice(k, k + 2));
  const [p, q] = [pairs(a), pairs(b)];
  return p.length + q.length ? (2 * p.filter((x) => q.includes(x)).length) / (p.length + q.length) : 0;
}

/** The terms that a text may mean, best first: by the beginning of a name, by any spelling, by the meaning. */
function matches(terms: Term[], meaning: (t: Term) => string, find: string): { list: Term[]; near: boolean } {
  const want = plain(find.trim());
  if (!want) return { list: terms, near: false };
  const rank = (t: Term) => {
    const all = spellings(t);
    if (all.includes(want)) return 0;
    if (all.some((x) => x.startsWith(want))) return 1;
    if (all.some((x) => x.includes(want))) return 2;
    return plain(meaning(t)).includes(want) ? 3 : 4;
  };
  const found = terms.map((t) => [rank(t), t] as const).filter(([r]) => r < 4);
  if (found.length) return { list: found.sort((a, b) => a[0] - b[0]).map(([, t]) => t), near: false };
  const near = terms.map((t) => [Math.max(...spellings(t).map((x) => alike(x, want))), t] as const).filter(([x]) => x > 0.35);
  return { list: near.sort((a, b) => b[0] - a[0]).slice(0, 8).map(([, t]) => t), near: true };
}

// The event with which any part of the page asks for a term.
const asked = "girih-term";

/** Opens the glossary with a term. */
export function explain(term: string): void {
  dispatchEvent(new CustomEvent(asked, { detail: term }));
}

/** Whether the glossary explains a word: it has that spelling or, for a Chinese word, a meaning names it. */
export function useKnown(): (word: string) => boolean {
  const [file, come] = useState<File | null>(null);
  useEffect(() => void load().then(come), []);
  return (word) => {
    if (!file) return false;
    const said = /\p{Script=Han}/u.test(word) && file.meanings.some((m) => Object.values(m).some((x) => x.includes(word)));
    return said || file.terms.some((t) => spellings(t).includes(plain(word)));
  };
}

/** Calls f with each term that is asked for. */
export function useExplain(f: (term: string) => void): void {
  useEffect(() => {
    const hear = (e: Event) => f((e as CustomEvent<string>).detail);
    addEventListener(asked, hear);
    return () => removeEventListener(asked, hear);
  }, []);
}

export function Glossary(p: { term: string; onClose: () => void }) {
  const { language, texts: { words } } = useTexts();
  const [file, come] = useState<File | null | undefined>();
  const [find, seek] = useState(p.term);
  const [chosen, choose] = useState("");
  useEffect(() => void load().then(come), []);
  if (!file) return <p class="quiet">{file === null ? words["no terms"] : words["loading terms"]}</p>;
  const { terms } = file;
  const meanings = file.meanings[(Object.keys(languages) as Language[]).indexOf(language)] ?? file.meanings[0];
  const { list, near } = matches(terms, (t) => meanings[t.name], find);
  const term = terms.find((t) => t.name === chosen) ?? list[0];
  const show = (name: string) => {
    seek("");
    choose(name);
  };
  const count = near ? put(words[list.length ? "no term" : "nothing near"], find.trim()) : find.trim() ? put(words["terms found"], list.length, terms.length) : put(words.terms, terms.length);
  return (
    <div class="glossary">
      <div>
        <input type="search" value={find} placeholder={words["find term"]} aria-label={words["find term"]} autocomplete="off" spellcheck={false} onInput={(e) => { seek(e.currentTarget.value); choose(""); }} />
        <p class="quiet small" role="status" data-testid="terms">{count}</p>
        <ul>{list.map((t) => <li key={t.name}><button type="button" aria-current={t === term ? "true" : undefined} onClick={() => choose(t.name)}>{t.name}</button></li>)}</ul>
      </div>
      {term && <Entry term={term} meaning={meanings[term.name]} onShow={show} onClose={p.onClose} />}
    </div>
  );
}

function Entry(p: { term: Term; meaning: string; onShow: (name: string) => void; onClose: () => void }) {
  const { texts: { words } } = useTexts();
  const t = p.term;
  const rows = [["C++", t.cpp], ["CuTe DSL", t.dsl], [words.papers, t.papers]].filter(([, x]) => x);
  return (
    <article data-testid="term">
      <h3>{t.name}</h3>
      <p>{p.meaning}</p>
      {rows.length > 0 && <dl>{rows.map(([k, x]) => <><dt>{k}</dt><dd>{x}</dd></>)}</dl>}
      <h4>{words.example}</h4>
      <pre tabIndex={0}>{t.example}{"\n"}<output>{t.value}</output></pre>
      {!t.example.startsWith("girih ") && <button type="button" class="link" onClick={() => { go("", { e: t.example }); p.onClose(); }}>{words.explore}</button>}
      {t.also.length > 0 && <p class="small"><span class="quiet">{words.also}</span> {t.also.join(", ")}</p>}
      <p class="small see"><span class="quiet">{words.related}</span> {t.see.map((x) => <button type="button" class="link" onClick={() => p.onShow(x)}>{x}</button>)}</p>
    </article>
  );
}
