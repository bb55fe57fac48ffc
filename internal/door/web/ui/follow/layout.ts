// The columns of the page: the places in the order in which data reach them.

import type { Place, Run } from "./model";

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
  // In rounds, because the accesses of one instruction are in any order: a hop waits for the level of its sources.
  for (let more = true; more; ) {
    more = false;
    for (const h of order) {
      if (h.from.length === 0 || level.has(h.to) || h.from.some((f) => !level.has(f))) continue;
      // Products are beside their operands.
      level.set(h.to, Math.max(...h.from.map((f) => level.get(f)!)) + (h.kind === "mma" && h.from.length === 2 ? 0 : 1));
      more = true;
    }
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

/** The hops that the player plays if one is chosen: the hop, and those of the same instructions. */
export function hopsPlayed(r: Run, hop: number): ReadonlySet<number> {
  const h = r.hops.find((x) => x.id === hop);
  return new Set(h ? [hop] : r.hops.map((x) => x.id));
}
