// The state of the page: named texts, all in the URL, so that a link shows what its sender saw.

import { useEffect, useState } from "preact/hooks";
import { holdsInTab, isLong, isName, named, pack, shortened, store, unpack } from "./long";

export type Params = Readonly<Record<string, string>>;

const listeners = new Set<() => void>();
let params: Params = parse(location.hash);

// What is wrong with the link, in a sentence: it has a compressed text that does not unpack.
let broken = "";

function parse(hash: string): Params {
  const out: Record<string, string> = {};
  for (const [k, v] of new URLSearchParams(hash.replace(/^#/, ""))) {
    const text = isName(v) ? named(v) : v;
    if (text !== undefined) out[k] = text;
  }
  if (out.embed === "") out.embed = "1"; // #embed is short for embed=1
  if (out.page && !out.p) out.p = "open"; // #page=000 is short for #p=open&page=000
  return out;
}

/** Finds the texts that the address has compressed, and whether all of them are whole. */
export async function readLong(): Promise<void> {
  const hash = location.hash;
  const open = [...new URLSearchParams(hash.slice(1))].filter(([, v]) => v.startsWith("~z") && isName(v) && named(v) === undefined);
  const found = await Promise.all(open.map(([, v]) => unpack(v)));
  if (location.hash !== hash) return; // another address came
  const cut = open.filter((_, i) => found[i] === undefined).map(([k]) => k);
  broken = cut.length > 0 ? `expected a compressed text in ${cut.join(", ")} of the link, found one that does not unpack: the link is cut or changed` : "";
  if (open.length > 0) params = parse(hash);
}

/** The URL fragment of a state, as readable as possible. */
export function fragment(p: Params): string {
  const names = Object.keys(p).filter((k) => p[k] !== "").sort();
  const own = shortened(names.map((k) => p[k]));
  return "#" + names.map((k, i) => k + "=" + encodeURIComponent(own[i]).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%20/g, "+")).join("&");
}

// How long texts stay as they are, in milliseconds, before the address gets them.
const typed = 300;
let packing = 0;

/** Compresses the long texts of the state, and writes them into the address. */
function packSoon(): void {
  clearTimeout(packing);
  packing = 0;
  if (!Object.values(params).some(isLong)) return;
  packing = setTimeout(() => {
    const all = Object.values(params);
    void pack(all).then((came) => {
      store(all);
      packing = 0;
      if (came) write();
      listeners.forEach((f) => f());
    });
  }, typed);
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
const aside = ["s", "thread", "theme", "lang", "embed", "by", "text", "mem", "hot"];
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
  broken = "";
  packSoon();
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
  void readLong().then(() => listeners.forEach((f) => f()));
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

/** What a reader of the link should know: what is wrong with it, and whether it only names a text that this tab has. */
export function useLink(): { broken: string; onlyHere: boolean } {
  const here = () => packing === 0 && holdsInTab(location.hash);
  const link = () => ({ broken, onlyHere: here() });
  const [now, update] = useState(link);
  useEffect(() => {
    const f = () => update((old) => (old.broken === broken && old.onlyHere === here() ? old : link()));
    listeners.add(f);
    f();
    return () => void listeners.delete(f);
  }, []);
  return now;
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
