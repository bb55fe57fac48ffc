// What a reader may open at a line: the picture of its value, its derivation, and what each thread reads in it.

import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import type { Palette } from "../color";
import { Fault } from "../fault";
import { put, WordsOf } from "../lang";
import type { Inspection } from "../model";
import { Views } from "../pages/explore";
import { go } from "../state";
import { useCall } from "../use";
import { Steps } from "../views/steps";
import type { Document, Edits, Operands, Page, Use, Value } from "./model";
import { request } from "./model";

/** The picture of a value. */
export function Picture(p: { value: Value; palette: Palette }) {
  const words = useContext(WordsOf);
  const [picked, pick] = useState("");
  const { data } = useCall<Inspection>("inspect", useMemo(() => ({ expr: p.value.text, type: "f32", tile: "" }), [p.value.text]));
  if (!data) return null;
  if (!data.ok && data.error) return <Fault now fault={data.error} />;
  const drawn = Boolean(data.operands || data.matrix);
  return (
    <div class="page-picture" data-testid="page-picture">
      {drawn ? <Views value={data} palette={p.palette} by="auto" picked={picked} onPick={pick} only={["grid"]} /> : <p class="quiet small">{words["open undrawn"]}</p>}
      <p class="small"><button type="button" class="link" onClick={() => go("", { e: p.value.text })}>{words.explore} →</button></p>
    </div>
  );
}

interface Place {
  cell: number;
  line: number;
}

/** The document and its edits, for what is opened at a line: a cell is not drawn again because another one is edited. */
export const Opened = createContext<{ doc: Document; edits: Edits }>({ doc: { name: "" }, edits: {} });

/** What a line has, asked for when it is opened, and again after an edit. */
function useSight(p: Place) {
  const { doc, edits } = useContext(Opened);
  const asked = useMemo(() => ({ ...request(doc, edits), cell: p.cell, line: p.line }), [doc, edits, p.cell, p.line]);
  const { data } = useCall<Page>("page", asked);
  return data;
}

/** The derivation of a value: the operation that was applied last, and those of its operands. */
export function Derivation(p: Place) {
  const words = useContext(WordsOf);
  const data = useSight(p);
  if (!data) return null;
  if (data.error) return <Fault now fault={data.error} />;
  const all = data.look?.explanations ?? [];
  if (all.length === 0) return <p class="quiet small" data-testid="derivation">{words["open underived"]}</p>;
  const before = all.slice(0, -1);
  return (
    <div class="derivation" data-testid="derivation">
      <Steps answer={{ ok: true, explanations: all.slice(-1) }} />
      {before.length > 0 && <details><summary class="quiet small">{put(words["open before"], before.length)}</summary><Steps answer={{ ok: true, explanations: before }} /></details>}
    </div>
  );
}

/** The calls of copy and gemm in a line, thread by thread. */
export function Threads(p: Place) {
  const words = useContext(WordsOf);
  const data = useSight(p);
  const [wanted, turn] = useState(0);
  if (!data) return null;
  if (data.error) return <Fault now fault={data.error} />;
  const uses = data.look?.uses ?? [];
  if (uses.length === 0) return <p class="quiet small">{words["open unused"]}</p>;
  const at = Math.min(wanted, uses.length - 1);
  const use = uses[at];
  const end = uses.length - 1;
  return (
    <div class="threads" data-testid="stepper">
      <div class="run-bar">
        <button type="button" onClick={() => turn(0)} disabled={at === 0} aria-label={words["open first"]} title={words["open first"]}>|←</button>
        <button type="button" onClick={() => turn(at - 1)} disabled={at === 0} aria-label={words["open back"]} title={words["open back"]}>←</button>
        <input type="range" min={0} max={end} value={at} disabled={end === 0} aria-label={words["open thread at"]} onInput={(e) => turn(Number(e.currentTarget.value))} />
        <button type="button" onClick={() => turn(at + 1)} disabled={at === end} aria-label={words["open next"]} title={words["open next"]}>→</button>
        <span class="quiet small">{put(words["open step"], at + 1, uses.length)}</span>
      </div>
      <p class="says" aria-live="polite" data-testid="stepper-says">{says(use, words)}</p>
      <div class="used">{use.operands.map((o, k) => <Operand key={k} operand={o}><Whole uses={uses} at={at} index={k} /></Operand>)}</div>
      {(data.look?.left ?? 0) > 0 && <p class="quiet small">{put(words["open left"], data.look!.left!)}</p>}
    </div>
  );
}

/** What the thread does, in a sentence. */
function says(u: Use, words: Record<string, string>): string {
  const who = put(words["open thread"], u.thread) + (u.block ? put(words["open block"], `(${u.block.join(",")})`) : "");
  const name = (o: Operands) => o.name || o.role || "";
  const reads = u.operands.filter((o) => o.role !== "dst" && o.role !== "D").map((o) => put(words["open of"], (o.coords?.length ?? 0) + (o.left ?? 0), name(o)));
  const writes = u.operands.filter((o) => o.role === "dst" || o.role === "D" || o.role === "C").map((o) => put(words["open of"], (o.coords?.length ?? 0) + (o.left ?? 0), name(o)));
  return `${u.op}: ${put(words["open reads"], who, reads.join(", "), writes.join(", "))}`;
}

/** The elements of an operand: those of the thread, and where they are in the tensor or in its memory. */
function Operand(p: { operand: Operands; children: ComponentChildren }) {
  const words = useContext(WordsOf);
  const o = p.operand;
  return (
    <figure class="card">
      <figcaption><b>{o.role}</b> <code>{o.name}</code> <span>{o.shape} {o.type}{o.space !== "generic" && `, ${o.space}`}</span></figcaption>
      {p.children}
      <ul class="elements">
        {o.coords?.slice(0, 64).map((c, i) => (
          <li key={i} title={put(words["open place"], o.places![i])}>
            <span class="quiet">{c}</span> <b>{o.before![i] || "·"}</b>{o.after && o.after[i] !== o.before![i] && <> → <b class="new">{o.after[i] || "·"}</b></>}
          </li>
        ))}
      </ul>
      {(o.coords!.length > 64 || o.left) && <p class="quiet small">{put(words["open more"], o.coords!.length - Math.min(64, o.coords!.length) + (o.left ?? 0))}</p>}
    </figure>
  );
}

// The largest picture of a tensor or of a memory, in elements.
const mostCells = 1024;

/**
 * The whole tensor if threads divide it, otherwise the memory of the operand, as far as the calls so far have used it: the elements of
 * the thread are lit.
 */
function Whole(p: { uses: Use[]; at: number; index: number }) {
  const o = p.uses[p.at].operands[p.index];
  const same = useMemo(() => p.uses.map((u) => u.operands[p.index]).map((x) => (x?.memory === o.memory ? x : undefined)), [p.uses, p.index, o.memory]);
  const places = useMemo(() => [...new Set(same.flatMap((x) => x?.places ?? []))].sort((a, b) => a - b), [same]);
  if (places.length > mostCells || places.length <= o.places!.length) return null; // nobody else uses it
  const values = new Map<number, string>();
  same.forEach((x, k) => {
    const now = k > p.at && p.uses[k].call === p.uses[p.at].call; // what it finds is there now
    if (k <= p.at || now) x?.places!.forEach((at, i) => values.set(at, (now ? x.before : (x.after ?? x.before))![i]));
  });
  const shape = extents(o.shape);
  const coords = new Map<string, number>();
  const divided = shape !== undefined && same.every((x) => !x || (x.shape === o.shape && x.coords!.every((c, i) => (coords.get(c) ?? x.places![i]) === (coords.set(c, x.places![i]), x.places![i])))) && coords.size === shape[0] * shape[1];
  const wide = divided ? shape[1] : Math.min(32, places.length);
  const rows = divided ? shape[0] : Math.ceil(places.length / wide);
  const place = (m: number, n: number) => (divided ? coords.get(`(${m},${n})`) : places[m * wide + n]);
  const lit = new Set(o.places);
  return (
    <div class="scroll">
      <table class="run-grid"><tbody>
        {Array.from({ length: rows }, (_, m) => (
          <tr key={m}>{Array.from({ length: wide }, (_, n) => {
            const at = place(m, n);
            return at !== undefined && <td class={lit.has(at) ? "own" : ""} title={String(at)}>{values.get(at) || "·"}</td>;
          })}</tr>
        ))}
      </tbody></table>
    </div>
  );
}

/** The extents of a shape with two modes that are integers. */
function extents(shape: string): [number, number] | undefined {
  const m = /^\((\d+),(\d+)\)$/.exec(shape);
  return m ? [Number(m[1]), Number(m[2])] : undefined;
}

/** The elements of a small tensor, mode 0 down. */
export function Cells(p: { of: Operands }) {
  const [rows, cols] = extents(p.of.shape) ?? [1, p.of.before!.length];
  if (cols > 16) return null;
  return (
    <table class="run-grid held-now"><tbody>
      {Array.from({ length: rows }, (_, m) => <tr key={m}>{Array.from({ length: cols }, (_, n) => <td>{p.of.before![m + rows * n] || "·"}</td>)}</tr>)}
    </tbody></table>
  );
}
