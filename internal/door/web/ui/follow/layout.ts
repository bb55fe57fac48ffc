// The columns of the page: the places in the order in which data reach them.

import type { Place, Run } from "./model";
import { isProduct } from "./model";

export interface Column {
  places: Place[];
  mma: boolean; // operands and accumulators
  title: "global" | "shared" | "registers" | "mma" | "tensor";
}

/** The places in columns: a place is after the places from which data first reach it, and results are last. */
export function columnsOf(r: Run): Column[] {
  const level = new Map<number, number>();
  const written = new Set(r.hops.map((h) => h.to));
  const read = new Set(r.hops.flatMap((h) => h.from));
  for (const p of r.places) if (!written.has(p.id)) level.set(p.id, 0);
  const first = new Map<number, number>(); // the first access of each hop
  for (let a = r.count - 1; a >= 0; a--) first.set(r.accesses[6 * a], a);
  const order = [...r.hops].sort((a, b) => (first.get(a.id) ?? Infinity) - (first.get(b.id) ?? Infinity));
  // In rounds, because the accesses of one instruction are in any order: a hop waits for the level of its sources. What is computed
  // from many values is after everything that was written before.
  for (let open = order.filter((h) => !level.has(h.to)); open.length > 0; open = open.filter((h) => !level.has(h.to))) {
    const ready = open.filter((h) => h.from.length > 0 && h.from.every((f) => level.has(f)));
    for (const h of ready) if (!level.has(h.to)) level.set(h.to, Math.max(...h.from.map((f) => level.get(f)!)) + (isProduct(h) ? 0 : 1)); // products are beside their operands
    if (ready.length > 0) continue;
    const before = order.slice(0, order.indexOf(open[0])).map((h) => level.get(h.to) ?? 0);
    level.set(open[0].to, Math.max(0, ...before) + 1);
  }
  const last = Math.max(0, ...level.values()) + 1;
  for (const p of r.places) {
    if (p.kind === "global" && written.has(p.id) && !read.has(p.id)) level.set(p.id, last);
    else if (!level.has(p.id)) level.set(p.id, Math.min(1, last));
  }
  const levels = [...new Set(level.values())].sort((a, b) => a - b);
  return levels.map((l) => {
    const places = r.places.filter((p) => level.get(p.id) === l).sort((a, b) => Number(b.kind === "operand") - Number(a.kind === "operand"));
    const mma = places.some((p) => p.kind === "operand");
    const kinds = places.map((p) => p.kind);
    return { places, mma, title: mma ? "mma" : kinds.includes("shared") ? "shared" : kinds.includes("tensor") ? "tensor" : kinds.includes("registers") ? "registers" : "global" };
  });
}

// The narrowest columns, in pixels, with the gap after them.
const narrowest = { other: 182, mma: 265 };

/** The numbers of the columns in lines that fit a width, each with about as many columns. */
export function linesOf(columns: Column[], width: number): number[][] {
  const numbers = columns.map((_, k) => k);
  const room = (list: number[]) => list.reduce((sum, k) => sum + (columns[k].mma ? narrowest.mma : narrowest.other), -10);
  for (let n = 1; n < columns.length; n++) {
    const each = Math.ceil(columns.length / n);
    const lines = Array.from({ length: n }, (_, k) => numbers.slice(k * each, (k + 1) * each)).filter((x) => x.length > 0);
    if (lines.every((x) => room(x) <= width)) return lines;
  }
  return numbers.map((k) => [k]);
}

/** The hops that the player plays if one is chosen: the hop, and those of the same instructions. */
export function hopsPlayed(r: Run, hop: number): ReadonlySet<number> {
  const h = r.hops.find((x) => x.id === hop);
  return new Set(h ? [hop] : r.hops.map((x) => x.id));
}
