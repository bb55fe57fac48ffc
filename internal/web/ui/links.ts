// How the elements of the operands and the result of an operation of the algebra belong together, and their colors.

import type { Palette, RGB } from "./color";
import type { Glow, Operand } from "./model";

/** A, B and the result. */
export type Side = "a" | "b" | "r";

export type Table = Record<Side, Operand | null>;

/** Which elements of one side belong to an element of another. */
export function link(op: string, from: Side, element: number, to: Side, t: Table): (i: number) => Glow {
  if (from === to) return (i) => (i === element ? 3 : 0);
  const wanted = related(op, from, element, to, t);
  return (i) => (wanted.has(i) ? 2 : 0);
}

function related(op: string, from: Side, e: number, to: Side, t: Table): Set<number> {
  const out = new Set<number>();
  const a = t.a;
  const b = t.b;
  const r = t.r;
  const all = (o: Operand | null, f: (i: number) => boolean) => {
    for (let i = 0; o && i < o.size; i++) if (f(i)) out.add(i);
  };
  if (op === "composition" && b) {
    // Index i of B and of the result are one; its offset in B is the index in A.
    const index = from === "a" ? e : b.offset![e];
    if (to === "a") out.add(index);
    else all(to === "b" ? b : r, (i) => i < b.size && b.offset![i] === index && (from === "a" || i === e));
    return out;
  }
  if (op === "equivalent" && b) return out.add(e); // index by index
  if (op.endsWith("_inverse") && a && r) {
    // Where one has the offset, the other has the index.
    if (from === "a") all(r, (i) => i === a.offset![e] || r.offset![i] === e);
    else all(a, (i) => i === r.offset![e] || a.offset![i] === e);
    return out;
  }
  if (op.endsWith("_product") && a && r && b) {
    const at = copies(a, r);
    if (from === "r" && to === "a") out.add(at.inner[e]);
    else if (from === "r" && to === "b") out.add(at.outer[e]);
    else if (to === "r") all(r, (i) => (from === "a" ? at.inner[i] : at.outer[i]) === e);
    return out;
  }
  if (op === "complement") return out;
  // Divides and coalesce keep the offsets.
  const source = from === "a" ? a : from === "r" ? r : null;
  const target = to === "a" ? a : to === "r" ? r : null;
  if (source && target) all(target, (i) => target.offset![i] === source.offset![e]);
  return out;
}

/**
 * For each element of a product, the element of A and the copy that it is. The offsets of A are what a copy has relative to its
 * first element; copies begin where A's offsets do not reach.
 */
function copies(a: Operand, r: Operand): { inner: number[]; outer: number[] } {
  const index = new Map<number, number>();
  a.offset!.forEach((x, i) => {
    if (!index.has(x)) index.set(x, i);
  });
  const order = [...r.offset!.keys()].sort((i, j) => r.offset![i] - r.offset![j]);
  const inner = new Array<number>(r.size).fill(-1);
  const outer = new Array<number>(r.size).fill(-1);
  const byOffset = new Map(r.offset!.map((x, i) => [x, i]));
  let n = 0;
  for (const i of order) {
    if (inner[i] >= 0) continue;
    for (const [x, k] of index) {
      const j = byOffset.get(r.offset![i] + x);
      if (j !== undefined && inner[j] < 0) {
        inner[j] = k;
        outer[j] = n;
      }
    }
    n++;
  }
  return { inner, outer };
}

/** The fill of a side: what belongs together has one color. */
export function tint(op: string, side: Side, t: Table, pal: Palette): (i: number) => RGB {
  const o = t[side]!;
  const byOffset = (i: number) => pal.offset(o.offset![i]);
  const { a, b, r } = t;
  if (op === "composition" && a && b && r) {
    // The elements of B have their hues; in A those are colored that B picks.
    const hue = new Map<number, number>();
    b.offset!.forEach((x, i) => hue.set(x, i));
    if (side !== "a") return (i) => pal.shade(i % b.rows, Math.floor(i / b.rows), b.size / b.rows);
    const plain = pal.plain();
    return (i) => {
      const k = hue.get(i);
      return k === undefined ? plain : pal.shade(k % b.rows, Math.floor(k / b.rows), b.size / b.rows);
    };
  }
  if (op.endsWith("_divide") && a && r) {
    const tile = op === "logical_divide" ? null : r.rows;
    if (tile === null) return byOffset;
    const number = new Map<number, number>();
    r.offset!.forEach((x, i) => number.set(x, Math.floor(i / tile)));
    return (i) => pal.shade(number.get(o.offset![i]) ?? 0, 0, 1);
  }
  if (op.endsWith("_product") && a && r) {
    const at = copies(a, r);
    if (side === "r") return (i) => pal.shade(at.outer[i], at.inner[i], a.size);
    if (side === "a") return (i) => pal.shade(0, i, a.size);
    return (i) => pal.shade(i, 0, 1);
  }
  return byOffset;
}
