// The value of an expression with all its elements, as operation inspect gives it, and how elements of its operands are linked.

import type { Fault } from "./engine";

export interface ShapeTree {
  extent: number;
  stride?: string;
  modes?: ShapeTree[];
}

export interface Operand {
  name?: string;
  text: string;
  size: number;
  modes: number[];
  rows: number;
  cols: number;
  panels: number;
  row_name?: string;
  col_name?: string;
  row_labels?: string[];
  col_labels?: string[];
  row_leaves?: number[];
  col_leaves?: number[];
  threads?: number;
  values?: number;
  row?: number[];
  col?: number[];
  offset?: number[];
  coord?: string[];
  thread?: number[];
  value?: number[];
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
  tree?: ShapeTree;
  operands?: Operand[];
  matrix?: BitMatrix;
  no_matrix?: string;
  swizzle?: { b: number; m: number; s: number };
  outline?: boolean;
  facts?: { name: string; value: string }[];
  error?: Fault;
  place?: { pos: number; end: number };
}

/** Whether the operand has its elements: an outline has none. */
export function filled(o: Operand): boolean {
  return Boolean(o.offset || o.coord || o.row);
}

/** The row of an element in the logical grid. */
export function rowOf(o: Operand, i: number): number {
  return o.row ? o.row[i] : i % o.rows;
}

/** The column of an element in the logical grid; panels follow each other with an empty column between them. */
export function colOf(o: Operand, i: number): number {
  if (o.col) return o.col[i];
  const x = Math.floor(i / o.rows);
  return (x % o.cols) + Math.floor(x / o.cols) * (o.cols + 1);
}

export function totalCols(o: Operand): number {
  return o.row ? o.cols : o.cols * o.panels + (o.panels - 1);
}

/** What is pointed at or selected: an element of an operand. */
export interface Spot {
  operand: number;
  element: number;
}

/** How an element is lit: 0 not, 1 related, 2 one of the same place or thread, 3 the element itself. */
export type Glow = 0 | 1 | 2 | 3;

/**
 * Returns how the elements of an operand are lit by a spot. In its own operand: the element, those at the same offset, and those
 * of the same thread. In the other operands of an MMA: the elements that it is multiplied with, which share M, N or K, and
 * those of the same thread. In a copy: the same element of the tile, and the same thread.
 */
export function lighting(v: Inspection, spot: Spot | null, operand: number): (i: number) => Glow {
  const from = spot && v.operands?.[spot.operand];
  const o = v.operands?.[operand];
  if (!spot || !from || !o || !filled(o)) return () => 0;
  const e = spot.element;
  const thread = from.thread?.[e];
  const sameThread = (i: number) => thread !== undefined && o.thread?.[i] === thread;
  if (spot.operand === operand) {
    const at = from.offset?.[e];
    return (i) => (i === e ? 3 : at !== undefined && o.offset![i] === at ? 2 : sameThread(i) ? 1 : 0);
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

/** The byte of an element in shared memory, and its bank of 4 bytes. */
export function bankOf(offset: number, bits: number, banks: number): { byte: number; bank: number; word: number } {
  const byte = Math.floor((offset * bits) / 8);
  const word = Math.floor(byte / 4);
  return { byte, word, bank: ((word % banks) + banks) % banks };
}
