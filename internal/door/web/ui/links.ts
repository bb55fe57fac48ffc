// How the elements of the operands and the result of an operation correspond, from operation link: which are lit
// together, and the colors that distinguish them.

import type { Palette, RGB } from "./color";
import type { Fault } from "./engine";
import { colorOf } from "./grids";
import type { Glow, Operand, Stretch } from "./model";

/** A, B and the result. */
export type Side = "a" | "b" | "r";

export type Sides = Record<Side, Operand | null>;

/** The answer of operation link. */
export interface Linked {
  ok: boolean;
  op?: string;
  cuts?: boolean; // the second operand has no elements
  links?: Link[];
  fill?: Fill;
  tables?: Record<string, number[]>; // a number for each element of a side; -1 for none
  error?: Fault;
}

/** Maps the elements of the sides from to the elements of the side to: by the table by, or to the same index. */
interface Link {
  from: string;
  to: Side;
  by?: string;
}

/** How the elements of a side are distinguished: by tables, or by the rows and columns of the side. */
interface Fill {
  side: Side;
  what: string;
  count: number;
  hue?: string;
  shade?: string;
  steps?: number;
}

/** The elements of one side that correspond to an element of another. */
export function link(l: Linked | null, from: Side, element: number, to: Side): (i: number) => Glow {
  if (from === to) return (i) => (i === element ? 3 : 0);
  const there = links(l, from, to).map((at) => at(element));
  const back = links(l, to, from);
  return (i) => (there.includes(i) || back.some((at) => at(i) === element) ? 2 : 0);
}

/** The element of one side from which an element of another comes; -1 if there is none. */
export function source(l: Linked | null, from: Side, element: number, to: Side): number {
  return links(l, from, to)[0]?.(element) ?? -1;
}

/** How elements of one side lead to elements of another. */
function links(l: Linked | null, from: Side, to: Side): ((i: number) => number)[] {
  return (l?.links ?? []).filter((x) => x.to === to && x.from.includes(from)).map((x) => {
    const table = x.by ? l!.tables![x.by] : undefined;
    return table ? (i) => table[i] : (i) => i;
  });
}

/** The operand whose default fill all sides use, because they are compared: a swizzled operand, if there is one. */
export function leading(s: Sides): Operand | null {
  return [s.r, s.a, s.b].find((o) => o?.fill) ?? s.r;
}

/** The fill of a side: corresponding elements have one color. */
export function tint(l: Linked | null, side: Side, s: Sides, pal: Palette, shared: Stretch | undefined): (i: number) => RGB {
  const f = l?.fill;
  const main = f && s[f.side];
  if (!f || !main) return colorOf(s[side]!, leading(s)?.fill ?? "offset", pal, shared);
  const [hue, shade, steps] = [f.hue ? l.tables![f.hue] : undefined, f.shade ? l.tables![f.shade] : undefined, f.steps ?? 1];
  const own = (i: number): RGB => (hue ? pal.shade(hue[i], shade?.[i] ?? 0, steps) : pal.shade(i % main.rows, Math.floor(i / main.rows), main.size / main.rows));
  if (side === f.side) return own;
  // Elements have the color of the first element that they correspond to; elements that define a hue or a lightness
  // have only that.
  const to = (l.links ?? []).find((x) => x.to === side && x.from.includes(f.side));
  if (to?.by && to.by === f.hue) return (i) => pal.shade(i, 0, 1);
  if (to?.by && to.by === f.shade) return (i) => pal.shade(0, i, steps);
  const first = new Map<number, number>();
  for (const at of links(l, f.side, side)) for (let i = 0; i < main.size; i++) if (!first.has(at(i))) first.set(at(i), i);
  const [ahead] = links(l, side, f.side);
  const plain = pal.plain();
  return (i) => {
    const k = first.get(i) ?? ahead?.(i);
    return k === undefined ? plain : own(k);
  };
}

/** The meaning of the result's fill: how many things have a hue each, what they are, and whether they belong to B; null for offsets. */
export function hues(l: Linked | null): { what: string; count: number; ofB: boolean } | null {
  return l?.fill ? { what: l.fill.what, count: l.fill.count, ofB: l.fill.side === "b" } : null;
}
