// What a reader may open at a line: the picture of its value, its derivation, and what each thread reads in it.

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
      <div class="used">{use.operands.map((o, k) => <Operand key={k} operand={o} all={uses.map((u) => u.operands[k]).filter((x) => x?.name === o.name && x.shape === o.shape)} />)}</div>
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
function Operand(p: { operand: Operands; all: Operands[] }) {
  const words = useContext(WordsOf);
  const o = p.operand;
  return (
    <figure class="card">
      <figcaption><b>{o.role}</b> <code>{o.name}</code> <span>{o.shape} {o.type}{o.space !== "generic" && `, ${o.space}`}</span></figcaption>
      <Whole operand={o} all={p.all} />
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

/** The whole tensor if threads divide it, otherwise its memory: the elements of the thread are lit. */
function Whole(p: { operand: Operands; all: Operands[] }) {
  const o = p.operand;
  const seen = useMemo(() => {
    const values = new Map<number, string>();
    for (const x of p.all) x.places?.forEach((at, i) => values.set(at, values.get(at) || (x.after ?? x.before!)[i]));
    return values;
  }, [p.all.length, p.all[0]]);
  const shape = extents(o.shape);
  const divided = p.all.some((x) => x.places!.length !== o.places!.length || x.places!.some((at, i) => at !== o.places![i]));
  if (!divided || p.all.length < 2) return null;
  const coords = new Map<string, number>();
  if (shape) for (const x of p.all) x.coords!.forEach((c, i) => coords.set(c, x.places![i]));
  if (shape && coords.size === shape[0] * shape[1] && coords.size <= mostCells) {
    const lit = new Set(o.coords);
    return (
      <div class="scroll">
        <table class="run-grid"><tbody>
          {Array.from({ length: shape[0] }, (_, m) => (
            <tr key={m}>{Array.from({ length: shape[1] }, (_, n) => <td class={lit.has(`(${m},${n})`) ? "own" : ""}>{seen.get(coords.get(`(${m},${n})`)!)}</td>)}</tr>
          ))}
        </tbody></table>
      </div>
    );
  }
  const list = [...seen.keys()].sort((a, b) => a - b);
  if (list.length > mostCells || list.length <= o.places!.length) return null;
  const lit = new Set(o.places);
  const wide = Math.min(32, list.length);
  return (
    <div class="scroll">
      <table class="run-grid"><tbody>
        {Array.from({ length: Math.ceil(list.length / wide) }, (_, r) => (
          <tr key={r}>{list.slice(r * wide, (r + 1) * wide).map((at) => <td class={lit.has(at) ? "own" : ""} title={String(at)}>{seen.get(at)}</td>)}</tr>
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
