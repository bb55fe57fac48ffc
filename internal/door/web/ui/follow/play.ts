// The player: the steps of a run, and what each cell holds after one.

import type { Run } from "./model";
import { accessOf, instructionOf, multiplies } from "./model";

/** How far a step goes. */
export const strides = ["phase", "access", "stage", "block"] as const;
export type Stride = (typeof strides)[number];

/** A moment of a run: an access, and one of its phases. */
export interface Moment {
  access: number;
  phase: number;
}

/** The moments at which steps of a stride begin, in order; only accesses of some hops count if they are given. */
export function moments(r: Run, stride: Stride, hops?: ReadonlySet<number>): Moment[] {
  const out: Moment[] = [];
  // Warps are in different blocks and stages at one time, so a step begins with the first access to one.
  const seen = new Set<string>();
  const begins = (what: string, access: number) => {
    if (!seen.has(what)) out.push({ access, phase: -1 });
    seen.add(what);
  };
  for (let a = 0; a < r.count; ) {
    const [from, to] = instructionOf(r, a);
    const at = accessOf(r, from);
    a = to;
    if (hops && !range(from, to).some((k) => hops.has(accessOf(r, k).hop.id))) continue;
    if (stride === "phase") for (let phase = 0; phase < at.shape.phases; phase++) out.push({ access: from, phase });
    if (stride === "access") out.push({ access: from, phase: -1 });
    if (stride === "stage") {
      const p = r.places[at.hop.to];
      if (p.kind !== "shared" && p.kind !== "tensor") continue;
      begins(`${p.id} ${p.panel?.[at.to0 + at.shape.to[0]] ?? 0} ${originOf(r, from)}`, from);
    }
    if (stride === "block") {
      const block = blockOf(r, from, to);
      if (block !== null) begins(block, from);
    }
  }
  return out;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, k) => from + k);
}

/** The tile of the source that an access reads: the column of its first element, in tiles of the destination. */
function originOf(r: Run, a: number): string {
  const x = accessOf(r, a);
  const [to, from] = [r.places[x.hop.to], x.shape.from && r.places[x.hop.from[0]]];
  if (!from || !to.cols) return "";
  const cell = x.from0 + x.shape.from![0];
  return `${Math.floor(from.row[cell] / Math.max(to.rows, 1))} ${Math.floor(from.col[cell] / Math.max(to.cols, 1))}`;
}

/** The block of k that an MMA instruction multiplies; null for other accesses. */
function blockOf(r: Run, from: number, to: number): string | null {
  if (!range(from, to).some((k) => multiplies(accessOf(r, k)))) return null;
  const a = range(from, to).map((k) => accessOf(r, k)).find((x) => r.places[x.hop.to].kind === "operand");
  if (!a) return null;
  const k = r.places[a.hop.to].col[a.to0 + a.shape.to[0]];
  return String(Math.floor(k / Math.max(r.places[a.hop.from[0]]?.cols ?? 1, 1))); // where the operand comes from holds a block
}

/** The last of the moments that is not after another; -1 if all are. */
export function momentAt(list: Moment[], m: Moment): number {
  let lo = 0;
  let hi = list.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    const x = list[mid];
    if (x.access < m.access || (x.access === m.access && x.phase <= m.phase)) lo = mid + 1;
    else hi = mid;
  }
  return lo - 1;
}

// What a cell holds if it is not the element of another place.
const nothing = -1;
const computed = -2;

/** What the cells hold after a number of accesses: the cell of a global tensor or accumulator that the value comes from. */
export class Contents {
  readonly from: Int32Array[]; // by place and cell: the place of the origin, nothing or computed
  readonly cell: Int32Array[]; // and its cell
  readonly version: number[]; // by place: how often it was written
  private readonly given: boolean[]; // by place: whether it holds its elements from the beginning
  private done = 0;

  constructor(private readonly run: Run) {
    this.given = run.places.map((p) => p.kind === "global" && !run.hops.some((h) => h.to === p.id));
    this.from = run.places.map((p) => new Int32Array(p.cells).fill(nothing));
    this.cell = run.places.map((p) => new Int32Array(p.cells));
    this.version = run.places.map(() => 0);
  }

  /** Goes to the state after the first n accesses. */
  seek(n: number): this {
    if (n < this.done) {
      this.from.forEach((x) => x.fill(nothing));
      this.version.fill(0);
      this.done = 0;
    }
    for (; this.done < Math.min(n, this.run.count); this.done++) this.apply(this.done);
    return this;
  }

  private apply(k: number): void {
    const a = accessOf(this.run, k);
    const to = a.hop.to;
    this.version[to]++;
    const source = multiplies(a) || !a.shape.from ? -1 : a.hop.from[0];
    for (let i = 0; i < a.shape.to.length; i++) {
      const cell = a.to0 + a.shape.to[i];
      if (source < 0) {
        this.from[to][cell] = computed;
        continue;
      }
      const at = a.from0 + a.shape.from![i];
      const known = this.from[source][at];
      this.from[to][cell] = known >= 0 ? known : source;
      this.cell[to][cell] = known >= 0 ? this.cell[source][at] : at;
    }
  }

  /** The row and column of the element that a cell holds; null if it holds none yet. */
  held(place: number, cell: number): [row: number, col: number] | null {
    const p = this.run.places[place];
    const from = this.from[place][cell];
    if (from >= 0) return [this.run.places[from].row[this.cell[place][cell]], this.run.places[from].col[this.cell[place][cell]]];
    if (from === computed || this.given[place]) return [p.row[cell], p.col[cell]];
    return null;
  }
}
