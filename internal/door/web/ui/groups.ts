// The elements that belong to a mode of the shape or to a bit of the matrix; they are lit while it is under the
// pointer.

import type { BitMatrix, Glow } from "./model";

export interface Group {
  id: string; // equal for equal groups
  has: (index: number) => boolean;
}

/**
 * The elements that differ from an element in only one leaf of the shape. The leaf has an extent; worth is the growth of the index
 * per step.
 */
export function alongLeaf(element: number, worth: number, extent: number): Group {
  const rest = (i: number) => i - (Math.floor(i / worth) % extent) * worth;
  const at = rest(element);
  return { id: `leaf ${worth} ${extent} ${at}`, has: (i) => rest(i) === at };
}

/** The elements whose index has a bit set. */
export function withInput(bit: number): Group {
  return { id: "in " + bit, has: (i) => Math.floor(i / 2 ** bit) % 2 === 1 };
}

/** The elements whose result has a bit set: a row of the matrix. */
export function withOutput(m: BitMatrix, row: number): Group {
  return { id: "out " + row, has: (i) => bitOf(m, row, i) === 1 };
}

/** A bit of the result for an index. */
export function bitOf(m: BitMatrix, row: number, index: number): number {
  return m.rows[row].reduce((sum, x, j) => sum ^ (x & Math.floor(index / 2 ** j) % 2), m.origin?.[row] ?? 0);
}

/** How a group lights elements: its members, and the element under the pointer. */
export function groupGlow(g: Group, element: number): (i: number) => Glow {
  return (i) => (i === element ? 3 : g.has(i) ? 2 : 0);
}
