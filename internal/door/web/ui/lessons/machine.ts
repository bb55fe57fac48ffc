// A gemm of one thread block, executed thread by thread: A and B are in shared memory, each thread reads its values
// into registers, and the threads multiply what they hold together. All layouts come from the engine; here they are
// tables of numbers.
//
// An execution is a list of events. For each block of K, every thread reads once, in order, and then all multiply: with
// 32 threads and 4 blocks of K there are 4*(32+1) events.

import type { Inspection, Operand } from "../model";

/** One value in a register of a thread: the element that it belongs to. */
interface Slot {
  row: number;
  col: number;
}

/** An operand: its slots by thread, and for A and B the offset of each element in shared memory. */
interface Part {
  slots: Slot[][];
  rows: number;
  cols: number; // of the whole operand
  offsets: number[]; // by row + rows*col; none for C
}

export interface Gemm {
  threads: number;
  blocks: number; // of K
  depth: number; // of a block
  a: Part;
  b: Part;
  c: Part;
}

/** The extents of a layout with two modes, or undefined. */
function extents(o: Operand | undefined): [number, number] | undefined {
  return o?.offset && o.modes.length === 2 ? [o.modes[0], o.modes[1]] : undefined;
}

function slots(o: Operand, threads: number): Slot[][] {
  const out: Slot[][] = Array.from({ length: threads }, () => []);
  o.thread?.forEach((t, i) => (out[t][o.value![i]] = { row: o.row![i], col: o.col![i] }));
  return out;
}

/** Why a gemm cannot be executed: what was expected and found. */
export interface Refusal {
  refused: "layout" | "rows" | "depth";
  values: (string | number)[];
}

/** Builds the gemm of a TiledMMA with the layouts of A (M,K) and B (N,K) in shared memory. */
export function build(mma: Inspection, a: Inspection, b: Inspection): Gemm | Refusal {
  const [A, B, C] = mma.operands ?? [];
  const sizes = [extents(a.operands?.[0]), extents(b.operands?.[0])];
  const missing = sizes.indexOf(undefined);
  if (!C?.thread || missing >= 0) return { refused: "layout", values: ["AB"[Math.max(missing, 0)]] };
  const [[m, ka], [n, kb]] = sizes as [number, number][];
  if (m !== C.rows || n !== C.cols) return { refused: "rows", values: [C.rows, C.cols, m, n] };
  if (ka !== kb || ka % A.cols) return { refused: "depth", values: [A.cols, ka, kb] };
  const threads = Number(C.threads);
  return {
    threads, blocks: ka / A.cols, depth: A.cols,
    a: { slots: slots(A, threads), rows: m, cols: ka, offsets: a.operands![0].offset! },
    b: { slots: slots(B, threads), rows: n, cols: kb, offsets: b.operands![0].offset! },
    c: { slots: slots(C, threads), rows: m, cols: n, offsets: [] },
  };
}

/** The numbers of A and B: small integers, whose sums are exact. */
export const elementA = (m: number, k: number) => ((3 * m + 5 * k) % 7) - 3;
export const elementB = (n: number, k: number) => ((2 * n + 3 * k) % 5) - 2;

/** The number of events of a whole execution. */
export function events(g: Gemm): number {
  return g.blocks * (g.threads + 1);
}

/** What an event is: a read of one thread in a block of K, or the product of the block. */
export function eventOf(g: Gemm, at: number): { block: number; thread?: number } {
  const [block, t] = [Math.floor(at / (g.threads + 1)), at % (g.threads + 1)];
  return t === g.threads ? { block } : { block, thread: t };
}

/** Shared memory after all elements were written in the order of the index: a later element replaces an earlier one. */
function fill(p: Part, element: (row: number, col: number) => number): Map<number, number> {
  return new Map(p.offsets.map((at, i) => [at, element(i % p.rows, Math.floor(i / p.rows))]));
}

export interface State {
  a: number[][]; // registers by thread; empty before the thread has read
  b: number[][];
  c: number[][];
}

/** The registers after the first events. */
export function run(g: Gemm, count: number): State {
  const [A, B] = [fill(g.a, elementA), fill(g.b, elementB)];
  const read = (p: Part, memory: Map<number, number>, t: number, block: number) =>
    p.slots[t].map((s) => memory.get(p.offsets[s.row + p.rows * (s.col + block * g.depth)])!);
  const s: State = { a: [], b: [], c: g.c.slots.map((x) => x.map(() => 0)) };
  for (let at = 0; at < count; at++) {
    const { block, thread } = eventOf(g, at);
    if (thread === 0) [s.a, s.b] = [[], []];
    if (thread === undefined) multiply(g, s);
    else [s.a[thread], s.b[thread]] = [read(g.a, A, thread, block), read(g.b, B, thread, block)];
  }
  return s;
}

/** Adds the products of one block: each thread's values of C need rows of A and of B that other threads may hold. */
function multiply(g: Gemm, s: State): void {
  const gather = (p: Part, held: number[][]) => {
    const rows: number[][] = Array.from({ length: p.rows }, () => []);
    held.forEach((values, t) => values.forEach((x, v) => (rows[p.slots[t][v].row][p.slots[t][v].col] = x)));
    return rows;
  };
  const [A, B] = [gather(g.a, s.a), gather(g.b, s.b)];
  g.c.slots.forEach((own, t) => own.forEach((c, v) => A[c.row].forEach((x, k) => (s.c[t][v] += x * B[c.col][k]))));
}

/** C as three loops compute it from the numbers themselves. */
export function reference(g: Gemm): number[][] {
  const row = (m: number) => Array.from({ length: g.b.rows }, (_, n) => {
    let sum = 0;
    for (let k = 0; k < g.a.cols; k++) sum += elementA(m, k) * elementB(n, k);
    return sum;
  });
  return Array.from({ length: g.a.rows }, (_, m) => row(m));
}

/** C as the threads hold it. */
export function result(g: Gemm, s: State): number[][] {
  const out: number[][] = Array.from({ length: g.c.rows }, () => []);
  g.c.slots.forEach((own, t) => own.forEach((c, v) => (out[c.row][c.col] = s.c[t][v])));
  return out;
}
