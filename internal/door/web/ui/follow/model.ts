// The answer of operation follow: where the data of a kernel are and what moves them, and its lists of integers
// written out.

import type { Fault } from "../engine";

/** A list of integers, written out or as a rule: a layout of digits, or a map of bits. */
type Series =
  | number[]
  | { n: number; first: number; shape: number[]; stride: number[] }
  | { n: number; first: number; bits: number[] }
  | { n: number; parts: Series[] }; // one after another

type Kind = "global" | "shared" | "registers" | "operand" | "tensor";

interface RawPlace {
  id: number;
  kind: Kind;
  name: string;
  cute?: string; // the name of CuTe's tensor that partitions it
  operand?: string; // A, B or C of an MMA
  type: string;
  bits: number;
  layout?: string;
  words?: string;
  cells: number;
  base?: number; // the byte address of cell 0 in shared memory
  rows: number;
  cols: number;
  panels?: number;
  rowName?: string;
  colName?: string;
  row?: Series; // absent if the elements are computed: the cells of an operand are in order then, those of registers have no coordinates
  col?: Series;
  panel?: Series;
  modes?: number[]; // of shared memory: the sizes of the layout's modes
  index?: Series; // by cell: the number of its coordinate in the layout; -1 for a gap
  threads?: number;
  values?: number;
}

/** Where data are: a buffer, a tile in shared memory, the registers of all threads, an operand of an MMA. */
export interface Place extends Omit<RawPlace, "row" | "col" | "panel" | "index"> {
  panels: number;
  row: Int32Array; // of the element that a cell holds first; -1 if it never held one
  col: Int32Array;
  panel: Int32Array | null;
  index: Int32Array | null;
  firstRow: Int32Array; // of each panel: its least row and column, where its picture begins
  firstCol: Int32Array;
}

export interface Verdict {
  what: string;
  got: number;
  fewest: number;
  ok: boolean;
  text: string;
}

export interface Repair {
  text: string;
  request?: Record<string, unknown>;
  before?: number;
  after?: number;
  unit?: string;
}

/** What one instruction of the source does to one pair of places. The answer leaves out counters that are 0. */
export interface Hop {
  id: number;
  from: number[]; // none for constants, two for the products of an MMA
  to: number;
  kind: "load" | "store" | "copy" | "move" | "operand" | "mma" | "compute";
  instruction: string;
  atom?: string;
  words?: string;
  lines?: number[];
  source?: string;
  bytes: number;
  accesses: number;
  sectors: number;
  fewestSectors: number;
  wavefronts: number;
  fewestWavefronts: number;
  verdicts?: Verdict[];
  repairs?: Repair[];
}

type Counter = "from" | "bytes" | "accesses" | "sectors" | "fewestSectors" | "wavefronts" | "fewestWavefronts";
const zero = { from: [], bytes: 0, accesses: 0, sectors: 0, fewestSectors: 0, wavefronts: 0, fewestWavefronts: 0 };

interface RawShape {
  lanes?: number[];
  per: number;
  from?: Series;
  to: Series;
  phases?: number;
  phase?: number[];
  phaseOf?: string;
  sectors?: number;
}

/** The pattern of an access: its lanes, and for each of its elements the cells relative to the access. */
export interface Shape {
  lanes: number[] | null; // null: all of the warp, in order
  per: number; // elements of a lane
  from: Int32Array | null; // null: no source, or the products of an MMA
  to: Int32Array;
  phases: number;
  phase: number[] | null; // of each lane that takes part, or of each element of a lane
  byElement: boolean;
  sectors: number;
}

interface Span {
  from: number;
  to: number;
  kind: string;
  stage?: number;
  text?: string;
  tip?: string;
}

export interface Track {
  group: string;
  name: string;
  spans?: Span[];
  marks?: { at: number; stage?: number; tip?: string }[];
}

export interface Timeline {
  unit: string;
  begin: number;
  end: number;
  tracks: Track[];
  legend?: { kind: string; text: string }[];
}

export interface Finding {
  kind: string;
  line?: number;
  grade?: string;
  op?: string;
  text?: string;
  source?: string;
  message: string;
  time?: number;
  thread?: number;
}

export interface SourceLine {
  line: number;
  text: string;
  hops?: number[];
  count?: number;
  sectors?: number;
  wavefronts?: number;
  excess?: number; // sectors and wavefronts beyond the fewest
  hot?: number;
}

export interface Source {
  lang: string;
  name: string;
  lines: SourceLine[];
}

export interface FollowAnswer {
  ok: boolean;
  launch?: string; // with an error: a launch that the program lacks
  name?: string;
  title?: string;
  block?: number[];
  grid?: number[];
  threads?: number;
  values?: Record<string, number>;
  notes?: string[];
  instructions?: number;
  places?: RawPlace[];
  hops?: (Omit<Hop, Counter> & Partial<Pick<Hop, Counter>>)[];
  shapes?: RawShape[];
  accesses?: number[];
  of?: { place: number; boxes: [firstRow: number, lastRow: number, firstCol: number, lastCol: number][] }[]; // what the element of a request is computed of
  ofText?: string[];
  timeline?: Timeline;
  findings?: Finding[];
  sources?: Source[];
  error?: Fault;
}

/** A run of a kernel: the answer with its lists written out. */
export interface Run {
  answer: FollowAnswer;
  places: Place[];
  hops: Hop[];
  shapes: Shape[];
  count: number; // of the accesses
  accesses: Int32Array; // six integers each: hop, time, warp, shape, and what is added to the cells of the source and destination
}

/** The integers of a series. */
export function integers(s: Series): Int32Array {
  if (Array.isArray(s)) return Int32Array.from(s);
  const out = new Int32Array(s.n);
  if ("parts" in s) {
    let at = 0;
    for (const x of s.parts.map(integers)) {
      out.set(x.subarray(0, s.n - at), at);
      at += x.length;
    }
    return out;
  }
  out[0] = s.first;
  let done = 1;
  if ("bits" in s) {
    for (const b of s.bits) {
      for (let i = 0; i < done && done + i < s.n; i++) out[done + i] = out[i] ^ b;
      done *= 2;
    }
    return out;
  }
  for (let m = 0; m < s.shape.length; m++) {
    for (let x = 1; x < s.shape[m]; x++) for (let i = 0; i < done && x * done + i < s.n; i++) out[x * done + i] = out[i] + x * s.stride[m];
    done *= s.shape[m];
  }
  return out;
}

function placeOf(p: RawPlace): Place {
  const panels = p.panels ?? 1;
  const numbered = p.kind === "operand" && p.rows > 0;
  const of = (s: Series | undefined, f: (i: number) => number) => (s ? integers(s) : Int32Array.from({ length: p.cells }, (_, i) => (numbered ? f(i) : -1)));
  const [row, col, panel] = [of(p.row, (i) => i % p.rows), of(p.col, (i) => Math.floor(i / p.rows)), p.panel && panels > 1 ? integers(p.panel) : null];
  const [firstRow, firstCol] = [least(p, row, row, panel, panels), least(p, row, col, panel, panels)];
  return { ...p, panels, row, col, panel, index: p.index ? integers(p.index) : null, firstRow, firstCol };
}

/** The least row or column of each panel; tensors and operands begin at 0. */
function least(p: RawPlace, row: Int32Array, of: Int32Array, panel: Int32Array | null, panels: number): Int32Array {
  const out = new Int32Array(panels);
  if (p.kind === "global" || p.kind === "operand") return out;
  out.fill(0x7fffffff);
  for (let i = 0; i < p.cells; i++) {
    const k = panel ? panel[i] : 0;
    if (row[i] >= 0 && k >= 0 && k < panels) out[k] = Math.min(out[k], of[i]);
  }
  return out.map((x) => (x === 0x7fffffff ? 0 : x));
}

function shapeOf(s: RawShape): Shape {
  return { lanes: s.lanes ?? null, per: s.per, from: s.from ? integers(s.from) : null, to: integers(s.to), phases: s.phases ?? 1, phase: s.phase ?? null, byElement: s.phaseOf === "item", sectors: s.sectors ?? 0 };
}

const runs = new WeakMap<FollowAnswer, Run>();

/** The run of an answer; null if the answer is an error. */
export function runOf(a: FollowAnswer | null): Run | null {
  if (!a?.ok || !a.places) return null;
  let r = runs.get(a);
  if (!r) {
    const accesses = Int32Array.from(a.accesses ?? []);
    r = { answer: a, places: a.places.map(placeOf), hops: (a.hops ?? []).map((h) => ({ ...zero, ...h })), shapes: (a.shapes ?? []).map(shapeOf), count: accesses.length / 6, accesses };
    runs.set(a, r);
  }
  return r;
}

/** An access, read out of the list. */
export interface Access {
  hop: Hop;
  time: number;
  warp: number;
  shape: Shape;
  from0: number;
  to0: number;
}

export function accessOf(r: Run, a: number): Access {
  const at = 6 * a;
  const x = r.accesses;
  return { hop: r.hops[x[at]], time: x[at + 1], warp: x[at + 2], shape: r.shapes[x[at + 3]], from0: x[at + 4], to0: x[at + 5] };
}

/** The lane of the item of a shape; -1 if the engine copies, for no thread. */
export function laneOf(s: Shape, item: number): number {
  const k = Math.floor(item / s.per);
  return s.lanes ? (s.lanes[k] ?? -1) : k;
}

/** The phase in which shared memory serves the item of a shape. */
export function phaseOf(s: Shape, item: number): number {
  return s.phase?.[s.byElement ? item % s.per : Math.floor(item / s.per)] ?? 0;
}

/** Whether the destination comes from the operands that an MMA multiplies. */
export function multiplies(a: Access): boolean {
  return isProduct(a.hop);
}

export function isProduct(h: Hop): boolean {
  return h.kind === "mma" && h.from.length === 2;
}

/** Whether products are of elements with the same number, as those of fma, instead of rows and columns. */
export function byElement(h: Hop): boolean {
  return !h.instruction.includes("mma");
}

/** The accesses of the instruction that an access belongs to, first and after the last: the operands and products of an MMA, of all warps of a group. */
export function instructionOf(r: Run, a: number): [from: number, to: number] {
  const x = r.accesses;
  const multiplies = (b: number) => {
    const h = r.hops[x[6 * b]];
    return isProduct(h) || r.places[h.to].kind === "operand";
  };
  const group = (b: number) => x[6 * b + 2] >> 2;
  const same = (b: number) => b >= 0 && b < r.count && multiplies(b) && x[6 * b + 1] === x[6 * a + 1] && group(b) === group(a);
  let [from, to] = [a, a + 1];
  if (!multiplies(a)) return [from, to];
  while (same(from - 1)) from--;
  while (same(to)) to++;
  return [from, to];
}
