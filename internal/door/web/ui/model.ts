// The value of an expression with all its elements, from operation inspect, and how elements of its operands
// correspond.

import type { Fault } from "./engine";

export interface ShapeTree {
  extent: number | bigint; // bigint beyond 2^53
  stride?: string; // of a leaf
  modes?: ShapeTree[];
}

/** The modes of a node; () has none. Undefined for a leaf. */
export function modesOf(t: ShapeTree): ShapeTree[] | undefined {
  return t.stride === undefined ? (t.modes ?? []) : undefined;
}

export interface Operand {
  name?: string;
  text: string;
  size: number;
  modes: number[];
  rows: number;
  cols: number;
  panels: number;
  fill?: "bank" | "group"; // the default fill; the offset if absent
  row_name?: string;
  col_name?: string;
  row_labels?: string[];
  col_labels?: string[];
  panel_coords?: string[]; // in the modes after the first two
  panel_labels?: string[]; // with the nesting of the modes
  row_leaves?: number[];
  col_leaves?: number[];
  threads?: number;
  values?: number;
  warp?: number;
  thr_id?: number[]; // the lanes of the threads of an atom, if they differ from its numbers
  space?: string; // its memory, if no thread holds it
  thread_atom?: number[]; // -1 for a thread that does not take part
  value_atom?: number[]; // if there are several atoms
  row?: number[];
  col?: number[];
  offset?: number[];
  exact?: string[]; // the offsets as text, if a number would lose digits
  coord?: string[];
  thread?: number[];
  value?: number[];
}

/**
 * The places of the first elements in shared memory with 32 banks of 4 bytes. The pattern repeats every bytes bytes, where elements
 * begin at the first bank again.
 */
export interface Stretch {
  bytes: number;
  byte: number[];
  bit?: number[]; // absent if 0
  bank: number[];
  last?: number[]; // absent if it is the first bank
}

export interface BitMatrix {
  ins: string[];
  outs: string[];
  rows: number[][];
  origin?: number[];
  rank: number;
}

export interface Inspection {
  ok: boolean;
  kind?: string;
  value?: string;
  notes?: string[];
  static?: string;
  type?: string;
  bits?: number;
  shared?: Stretch;
  tree?: ShapeTree;
  operands?: Operand[];
  matrix?: BitMatrix;
  no_matrix?: string;
  swizzle?: { b: number; m: number; s: number };
  outline?: boolean;
  in_bytes?: string; // the equivalent expression if its swizzle is meant for bytes
  symbols?: string[]; // the run-time integers of the program
  trials?: number[]; // a value for each that satisfies its facts
  extents?: string[]; // the modes of the shape, for a layout whose elements are known only at run time
  facts?: { name: string; value: string }[];
  error?: Fault;
  place?: { pos: number; end: number };
}

/**
 * A text as part of an expression: the text itself, or its value if only the complete text has one, as for a C++ type or a program.
 */
export function embedded(text: string, v: Inspection | undefined): string {
  const alone = v?.ok && v.value && (v.notes?.some((n) => n.startsWith("read as ")) || /[;#\n]/.test(text));
  return alone ? v.value! : text;
}

/**
 * If an expression made of the texts of several fields has no value because of one field, the reason in words about that text, with
 * the name of the field. Columns are omitted, because the place is marked in the text.
 */
export function ownFault(...fields: (readonly [name: string, v: Inspection | null | undefined])[]): Fault | undefined {
  for (const [name, v] of fields) {
    if (v && !v.ok && v.error) return { ...v.error, message: `${name}: ${v.error.message.replace(/^col \d+: | opened at column \d+/g, "")}` };
    if (v?.ok && v.kind === "none") return { code: "syntax", message: `${name} is empty` };
  }
  return undefined;
}

/** The place of an error in a text, to be marked. */
export function placeOf(v: Inspection | null | undefined): { pos: number; end: number } | undefined {
  return v && !v.ok ? v.place : undefined;
}

/** Whether the operand has its elements; an outline has none. */
export function filled(o: Operand): boolean {
  return Boolean(o.offset || o.exact || o.coord || o.row);
}

/** The row of an element in the logical grid. */
export function rowOf(o: Operand, i: number): number {
  return o.row ? o.row[i] : i % o.rows;
}

/** The column of an element in the logical grid. Panels are side by side with an empty column between them. */
export function colOf(o: Operand, i: number): number {
  if (o.col) return o.col[i];
  const x = Math.floor(i / o.rows);
  return (x % o.cols) + Math.floor(x / o.cols) * (o.cols + 1);
}

export function totalCols(o: Operand): number {
  return o.row ? o.cols : o.cols * o.panels + (o.panels - 1);
}

/** The coordinate of an element: in the tile if threads hold it, otherwise in the domain, mode by mode. */
export function coordOf(o: Operand, i: number): string {
  if (o.row && (o.thread || !o.offset)) return `(${o.row[i]},${o.col![i]})`;
  const rank = o.modes?.length ?? 0;
  if (rank === 1) return String(i);
  return rank === 0 ? "()" : coordinate(o, i, {}, o.panel_coords);
}

/** The coordinate of an element with the nesting of the shape. */
export function nestedOf(o: Operand, i: number): string {
  return o.modes.length === 1 ? `(${o.row_labels?.[i] ?? i})` : coordinate(o, i, o, o.panel_labels ?? o.panel_coords);
}

function coordinate(o: Operand, i: number, names: Pick<Operand, "row_labels" | "col_labels">, panels?: string[]): string {
  const [r, x] = [i % o.rows, Math.floor(i / o.rows)];
  const c = x % o.cols;
  const all = [names.row_labels?.[r] ?? r, names.col_labels?.[c] ?? c, panels?.[Math.floor(x / o.cols)]];
  return `(${all.filter((at) => at !== undefined)})`;
}

/** The offset of an element as a decimal number. */
export function offsetOf(o: Operand, i: number): string | undefined {
  return o.offset ? String(o.offset[i]) : o.exact?.[i];
}

/** The common property of two elements at one place: the offset, or a coordinate as value. */
function keyOf(o: Operand, i: number): number | string | undefined {
  return o.offset ? o.offset[i] : (o.exact ?? o.coord)?.[i];
}

/** The element of an operand that is under the pointer or selected. */
export interface Spot {
  operand: number;
  element: number;
}

/** How an element is lit: 0 not, 1 related, 2 with the same place or thread, 3 the element itself. */
export type Glow = 0 | 1 | 2 | 3;

/**
 * Returns how a spot lights the elements of an operand. In its own operand: the element, the elements at the same offset, and those
 * of the same thread. In the other operands of an MMA: the elements that it is multiplied with, which share M, N or K, and those of
 * the same thread. In a copy: the same element of the tile, and the same thread.
 */
export function lighting(v: Inspection, spot: Spot | null, operand: number): (i: number) => Glow {
  const from = spot && v.operands?.[spot.operand];
  const o = v.operands?.[operand];
  if (!spot || !from || !o || !filled(o)) return () => 0;
  const e = spot.element;
  const thread = from.thread?.[e];
  const sameThread = (i: number) => thread !== undefined && o.thread?.[i] === thread;
  if (spot.operand === operand) {
    const at = keyOf(from, e);
    return (i) => (i === e ? 3 : at !== undefined && keyOf(o, i) === at ? 2 : sameThread(i) ? 1 : 0);
  }
  const r = rowOf(from, e);
  const c = colOf(from, e);
  if (!from.row_name) {
    return (i) => (rowOf(o, i) === r && colOf(o, i) === c ? 2 : sameThread(i) ? 1 : 0);
  }
  const at: Record<string, number> = { [from.row_name]: r, [from.col_name!]: c };
  const wantRow = at[o.row_name!];
  const wantCol = at[o.col_name!];
  return (i) =>
    (wantRow !== undefined && rowOf(o, i) === wantRow) || (wantCol !== undefined && colOf(o, i) === wantCol)
      ? 2
      : sameThread(i)
        ? 1
        : 0;
}

/** The threads of a warp or wavefront. */
export function warpOf(o: Operand): number {
  return o.warp || 32;
}

const parts = new WeakMap<Operand, { list: number[]; rank: Map<number, number> }>();

/**
 * The threads that take part, and the rank of each among them. In a TiledMMA of Volta with few atoms, the numbers between those of a
 * quad-pair are other threads, which hold nothing although the layout has rows for them.
 */
export function partsOf(o: Operand): { list: number[]; rank: Map<number, number> } {
  let p = parts.get(o);
  if (!p) {
    const list = Array.from({ length: o.threads ?? 0 }, (_, t) => t).filter((t) => !o.thread_atom || o.thread_atom[t] >= 0);
    parts.set(o, (p = { list, rank: new Map(list.map((t, k) => [t, k])) }));
  }
  return p;
}

/** The name of a thread: its lane, if the threads of an atom are not lanes 0, 1, 2, ..., as on Volta. */
export function threadName(o: Operand, t: number): number {
  return o.thr_id?.[t] ?? t;
}

/** Whether the thread of an element takes part, and therefore holds it. */
export function takesPart(o: Operand, i: number): boolean {
  return !o.thread_atom || !o.thread || o.thread_atom[o.thread[i]] >= 0;
}

/** The place of an element in shared memory. */
export interface Place {
  byte: number | bigint;
  bit?: number; // its first bit in that byte, if elements may begin within a byte
  bank: number; // the first
  last: number; // the last bank that it overlaps
}

/** The place of an element at an offset: a whole number of stretches after one of the first. */
export function lies(s: Stretch, offset: number | string): Place {
  const n = s.bank.length;
  const k = restOf(s, offset);
  const near = typeof offset === "number" ? ((offset - k) / n) * s.bytes + s.byte[k] : NaN;
  // Floating point would lose digits.
  const byte = Number.isSafeInteger(near) ? near : ((BigInt(offset) - BigInt(k)) / BigInt(n)) * BigInt(s.bytes) + BigInt(s.byte[k]);
  return { byte, bit: s.bit?.[k], bank: s.bank[k], last: (s.last ?? s.bank)[k] };
}

/** The bank of an element at an offset. */
export function bankAt(s: Stretch, offset: number | string): number {
  return s.bank[restOf(s, offset)];
}

function restOf(s: Stretch, offset: number | string): number {
  const n = s.bank.length;
  const rest = typeof offset === "number" ? offset % n : Number(BigInt(offset) % BigInt(n));
  return rest < 0 ? rest + n : rest;
}
