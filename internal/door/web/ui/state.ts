// The state of the page: named texts, all in the URL, so that a link shows what its sender saw.

import { useEffect, useState } from "preact/hooks";

export type Params = Readonly<Record<string, string>>;

const listeners = new Set<() => void>();
let params: Params = parse(location.hash);

function parse(hash: string): Params {
  const out: Record<string, string> = {};
  for (const [k, v] of new URLSearchParams(hash.replace(/^#/, ""))) out[k] = v;
  if (out.embed === "") out.embed = "1"; // #embed is short for embed=1
  if (out.page && !out.p) out.p = "open"; // #page=000 is short for #p=open&page=000
  return out;
}

/** The URL fragment of a state, as readable as possible. */
export function fragment(p: Params): string {
  const parts: string[] = [];
  for (const k of Object.keys(p).sort()) {
    if (p[k] !== "") {
      parts.push(k + "=" + encodeURIComponent(p[k]).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%20/g, "+"));
    }
  }
  return "#" + parts.join("&");
}

/** The whole state. */
export function now(): Params {
  return params;
}

export function get(name: string, otherwise = ""): string {
  return params[name] ?? otherwise;
}

// The location: a change of these makes an entry in the browser's history.
const place = (p: Params) => [p.p, ...(p.p === "lessons" ? [p.l, p.k] : p.p === "open" ? [p.page, p.name] : [])].map((x) => x ?? "").join(" ");

// A state that stayed this long, in milliseconds, was looked at: a change of what is shown then makes an entry in the browser's history.
const settled = 1500;
let changed = performance.now();

// What is not the subject of a page: a selection, or how it looks.
const aside = ["s", "thread", "theme", "lang", "embed", "by", "text", "mem"];
const subject = (p: Params) => Object.keys(p).sort().filter((k) => !aside.includes(k)).map((k) => k + "=" + p[k]).join("&");

// Browsers refuse more than about 20 changes of the address a second. A number that is dragged changes faster.
const between = 100;
let [written, writing] = [-between, 0];

/** Replaces the address by that of the state. */
function write(): void {
  forget();
  written = performance.now();
  history.replaceState(null, "", fragment(params));
}

function writeSoon(): void {
  if (writing) return;
  if (performance.now() - written >= between) write();
  else writing = setTimeout(write, between);
}

function forget(): void {
  clearTimeout(writing);
  writing = 0;
}

/**
 * Changes the state. A change of the page, of a lesson's step or of the document makes an entry in the browser's history, and so does the first change of
 * a state that was looked at; other changes replace the last entry.
 */
export function set(patch: Record<string, string>): void {
  const next: Record<string, string> = { ...params, ...patch };
  for (const k of Object.keys(next)) if (next[k] === "") delete next[k];
  if (fragment(next) === fragment(params)) return;
  const push = place(next) !== place(params) || (subject(next) !== subject(params) && performance.now() - changed > settled);
  changed = performance.now();
  if (push) {
    if (writing) write();
    history.pushState(null, "", fragment(next));
  }
  params = next;
  if (!push) writeSoon();
  listeners.forEach((f) => f());
}

// The state in which each page was left, restored when the user returns.
const left = new Map<string, Params>();

/**
 * Goes to a page, in the state in which it was left or with these texts. Each page has its own names in the state; only the theme and
 * the language are shared.
 */
export function go(page: string, texts?: Record<string, string>): void {
  const { p = "", theme = "", lang = "", embed = "", ...own } = params;
  if (p === page && !texts) return;
  left.set(p, own);
  const next: Record<string, string> = { ...(texts ?? left.get(page) ?? {}), p: page, theme, lang, embed };
  for (const k of Object.keys(params)) next[k] ??= "";
  set(next);
}

addEventListener("popstate", reread);
addEventListener("hashchange", reread);
function reread(): void {
  forget();
  params = parse(location.hash);
  listeners.forEach((f) => f());
}

/** The whole state, for components that show it; they are redrawn when it changes. */
export function useParams(): Params {
  const [p, update] = useState(params);
  useEffect(() => {
    const f = () => update(params);
    listeners.add(f);
    f();
    return () => void listeners.delete(f);
  }, []);
  return p;
}

/** A text of the state as an integer within bounds, or a default if it is not one. A URL may contain anything. */
export function whole(text: string, from: number, to: number, otherwise: number): number {
  return /^-?\d{1,9}$/.test(text) ? Math.min(Math.max(Number(text), from), to) : otherwise;
}

// Represents an empty text for a parameter with a default text; an absent name means the default.
const emptied = " ";

/** A text of a state, or a default if it has none with this name. */
export function textOf(p: Params, name: string, otherwise = ""): string {
  const v = p[name] ?? otherwise;
  return v === emptied ? "" : v;
}

/** One text of the state with its setter. */
export function useParam(name: string, otherwise = ""): [string, (v: string) => void] {
  return [textOf(useParams(), name, otherwise), (v) => set({ [name]: v === otherwise ? "" : v || emptied })];
}
