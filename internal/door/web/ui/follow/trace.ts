// Where an element comes from and where it goes: the accesses of a run, followed backwards and forwards from a cell.
//
// A cell holds one value after another. Each write begins a value, except that an MMA adds to the accumulator that is
// there: its products belong to the value to which they are added. Writes at one time are one value made of several. A
// read sees the value of the last write before it.

import type { Access, Run } from "./model";
import { accessOf, byElement, instructionOf, isProduct, laneOf, multiplies } from "./model";

/** For each cell of a place, the accesses to it in order of time, with their items: entries start[cell] to start[cell+1]. */
interface Uses {
  start: Int32Array;
  access: Int32Array;
  item: Int32Array;
}

/** A cell of a place. */
export interface Spot {
  place: number;
  cell: number;
}

/** A move of an element: an access, and its item; the item of a product is that of the accumulator. */
export interface Move {
  access: number;
  item: number;
}

export interface Trace {
  lit: (Uint8Array | undefined)[]; // by place: 3 the cell itself, 2 what it comes from and goes to, 1 what its thread moves with it
  moves: Move[]; // in order of time
  cut: boolean; // there are more
}

// The values of one trace. A value in all rows and columns of a large product has more elements than a screen.
const mostValues = 1 << 18;

/** The accesses of a run by cell. */
export class Paths {
  private readonly writes: (Uses | undefined)[] = [];
  private readonly reads: (Uses | undefined)[] = [];
  private readonly ofHop: number[][]; // the accesses of each hop
  private readonly product: boolean[]; // of each hop: it adds products

  constructor(readonly run: Run) {
    this.ofHop = run.hops.map(() => []);
    this.product = run.hops.map(isProduct);
    for (let a = 0; a < run.count; a++) this.ofHop[run.accesses[6 * a]].push(a);
  }

  /** The accesses that write the cells of a place. */
  writers(place: number): Uses {
    return (this.writes[place] ??= this.uses(place, false));
  }

  /** The accesses that read the cells of a place, except the products of an MMA. */
  readers(place: number): Uses {
    return (this.reads[place] ??= this.uses(place, true));
  }

  private uses(place: number, reading: boolean): Uses {
    const { run } = this;
    const list: number[] = [];
    for (const h of run.hops) if (reading ? h.from.length === 1 && h.from[0] === place : h.to === place) list.push(...this.ofHop[h.id]);
    list.sort((a, b) => a - b);
    const cells = run.places[place].cells;
    const start = new Int32Array(cells + 1);
    const each = (f: (cell: number, access: number, item: number) => void) => {
      for (const a of list) {
        const x = accessOf(run, a);
        const at = reading ? x.shape.from : x.shape.to;
        const first = reading ? x.from0 : x.to0;
        for (let i = 0; at && i < at.length; i++) if (first + at[i] >= 0 && first + at[i] < cells) f(first + at[i], a, i);
      }
    };
    each((cell) => start[cell + 1]++);
    for (let c = 0; c < cells; c++) start[c + 1] += start[c];
    const next = start.slice();
    const access = new Int32Array(start[cells]);
    const item = new Int32Array(start[cells]);
    each((cell, a, i) => {
      access[next[cell]] = a;
      item[next[cell]++] = i;
    });
    return { start, access, item };
  }

  /** Whether a write that is not the first goes on with the value of the write before it. */
  private goesOn(w: Uses, k: number): boolean {
    const x = this.run.accesses;
    return this.product[x[6 * w.access[k]]] || x[6 * w.access[k] + 1] === x[6 * w.access[k - 1] + 1];
  }

  /** The entry of the value that a cell holds before an access, in the list of writers: its first write; -1 for the value of the beginning. */
  private valueBefore(place: number, cell: number, time: number): number {
    const w = this.writers(place);
    let k = w.start[cell] - 1;
    while (k + 1 < w.start[cell + 1] && this.precedes(w.access[k + 1], time)) k++;
    return this.beginning(w, cell, k);
  }

  /** Whether a read at a time sees a write: one before it, or arithmetic, which has the time of the move that reads its result. */
  private precedes(write: number, time: number): boolean {
    const t = this.run.accesses[6 * write + 1];
    return t < time || (t === time && this.run.hops[this.run.accesses[6 * write]].kind === "compute");
  }

  private beginning(w: Uses, cell: number, k: number): number {
    if (k < w.start[cell]) return -1;
    while (k > w.start[cell] && this.goesOn(w, k)) k--;
    return k;
  }

  /** The entry after the last write of a value. */
  private end(w: Uses, cell: number, k: number): number {
    let e = k < 0 ? w.start[cell] : k + 1;
    if (k >= 0) while (e < w.start[cell + 1] && this.goesOn(w, e)) e++;
    return e;
  }

  /**
   * Follows the value of a cell: the one that it holds after the access "until", or its first one if until is negative or nothing
   * was written by then.
   */
  follow(s: Spot, until = -1): Trace {
    const t = new Walk(this.run);
    const roots = this.roots(s, until);
    this.spread(roots, t, (v) => this.sources(v, t));
    t.seen = [];
    this.spread(roots, t, (v) => this.destinations(v, t));
    this.together(t, s);
    t.light(s.place, s.cell, 3);
    t.moves.sort((a, b) => a.access - b.access || a.item - b.item);
    return { lit: t.lit, moves: t.moves, cut: t.cut };
  }

  /** The values that a cell holds: one, but all that pass through the cell of an operand. */
  private roots(s: Spot, until: number): Value[] {
    const w = this.writers(s.place);
    const [from, to] = [w.start[s.cell], w.start[s.cell + 1]];
    let k = from - 1;
    while (k + 1 < to && w.access[k + 1] <= until) k++;
    if (k < from && from < to) k = from;
    if (this.run.places[s.place].kind !== "operand") return [{ ...s, first: this.beginning(w, s.cell, k) }];
    return Array.from({ length: to - from }, (_, n) => ({ ...s, first: from + n })).filter((v) => until < 0 || w.access[v.first] === w.access[k]);
  }

  private spread(roots: Value[], t: Walk, next: (v: Value) => Value[]): void {
    const open = roots.filter((v) => t.see(v));
    for (let v = open.pop(); v; v = open.pop()) {
      t.light(v.place, v.cell, 2);
      for (const n of next(v)) if (t.see(n)) open.push(n);
    }
  }

  /** The values that a value is made of. */
  private sources(v: Value, t: Walk): Value[] {
    const w = this.writers(v.place);
    if (v.first < 0) return [];
    const out: Value[] = [];
    const end = this.run.places[v.place].kind === "operand" ? v.first + 1 : this.end(w, v.cell, v.first);
    for (let k = v.first; k < end; k++) {
      const a = accessOf(this.run, w.access[k]);
      if (a.hop.from.length === 0) continue;
      t.moves.push({ access: w.access[k], item: w.item[k] });
      if (multiplies(a)) out.push(...this.factors(w.access[k], a, v, w.item[k]));
      else if (a.shape.from) out.push(this.value(a.hop.from[0], a.from0 + a.shape.from[w.item[k]], a.time));
    }
    return out;
  }

  private value(place: number, cell: number, before: number): Value {
    return { place, cell, first: this.valueBefore(place, cell, before) };
  }

  /** The elements of A and B that an instruction multiplies for an element of C: row m of A, row n of B; or those with its number. */
  private factors(access: number, a: Access, c: Spot, item: number): Value[] {
    const [m, n] = [this.run.places[c.place].row[c.cell], this.run.places[c.place].col[c.cell]];
    const out: Value[] = [];
    const [first, last] = instructionOf(this.run, access);
    for (let b = first; b < last; b++) {
      const x = accessOf(this.run, b);
      const side = a.hop.from.indexOf(x.hop.to);
      if (side < 0 || multiplies(x)) continue;
      const rows = this.run.places[x.hop.to].row;
      for (let i = 0; i < x.shape.to.length; i++) {
        const cell = x.to0 + x.shape.to[i];
        if (byElement(a.hop) ? i === item : rows[cell] === (side === 0 ? m : n)) out.push({ place: x.hop.to, cell, first: this.writeOf(x.hop.to, cell, b, i) });
      }
    }
    return out;
  }

  /** The entry of an access in the list of writers of a cell. */
  private writeOf(place: number, cell: number, access: number, item: number): number {
    const w = this.writers(place);
    for (let k = w.start[cell]; k < w.start[cell + 1]; k++) if (w.access[k] === access && w.item[k] === item) return k;
    return -1;
  }

  /** The values that a value becomes, or that it is multiplied into. */
  private destinations(v: Value, t: Walk): Value[] {
    const out: Value[] = [];
    if (this.run.places[v.place].kind === "operand") {
      if (v.first < 0) return out;
      const from = this.writers(v.place).access[v.first];
      const [first, last] = instructionOf(this.run, from);
      const item = this.writers(v.place).item[v.first];
      for (let access = first; access < last; access++) this.products(access, v, item, out, t);
      return out;
    }
    const w = this.writers(v.place);
    const end = this.end(w, v.cell, v.first);
    const r = this.readers(v.place);
    for (let k = r.start[v.cell]; k < r.start[v.cell + 1]; k++) {
      const a = accessOf(this.run, r.access[k]);
      if (v.first >= 0 && !this.precedes(w.access[v.first], a.time)) continue;
      if (end < w.start[v.cell + 1] && this.precedes(w.access[end], a.time)) continue;
      t.moves.push({ access: r.access[k], item: r.item[k] });
      this.arrives(out, a, r.access[k], r.item[k]);
    }
    return out;
  }

  private arrives(out: Value[], a: Access, access: number, item: number): void {
    const cell = a.to0 + a.shape.to[item];
    const k = this.writeOf(a.hop.to, cell, access, item);
    if (k < 0) return;
    const exact = this.run.places[a.hop.to].kind === "operand";
    out.push({ place: a.hop.to, cell, first: exact ? k : this.beginning(this.writers(a.hop.to), cell, k) });
  }

  /** The elements of C to which an instruction adds products of an element of A or B. */
  private products(access: number, v: Value, item: number, out: Value[], t: Walk): void {
    const a = accessOf(this.run, access);
    if (!multiplies(a)) return;
    const side = a.hop.from.indexOf(v.place);
    if (side < 0) return;
    const at = this.run.places[v.place].row[v.cell];
    const c = this.run.places[a.hop.to];
    const of = side === 0 ? c.row : c.col;
    for (let i = 0; i < a.shape.to.length; i++) {
      if (byElement(a.hop) ? i !== item : of[a.to0 + a.shape.to[i]] !== at) continue;
      t.moves.push({ access, item: i });
      this.arrives(out, a, access, i);
    }
  }

  /** Lights what the thread of the first moves from and to the cell moves with it. */
  private together(t: Walk, s: Spot): void {
    for (const m of t.moves) {
      const a = accessOf(this.run, m.access);
      if (multiplies(a) || !a.shape.from) continue;
      const here = (a.hop.to === s.place && a.to0 + a.shape.to[m.item] === s.cell) || (a.hop.from[0] === s.place && a.from0 + a.shape.from[m.item] === s.cell);
      if (!here) continue;
      const first = m.item - (m.item % a.shape.per);
      for (let i = first; i < first + a.shape.per && laneOf(a.shape, i) >= 0 && i < a.shape.to.length; i++) {
        t.light(a.hop.to, a.to0 + a.shape.to[i], 1);
        t.light(a.hop.from[0], a.from0 + a.shape.from[i], 1);
      }
    }
  }
}

/**
 * The element whose sources only the engine lists: the name and the coordinate of an output in global memory that comes from many
 * values; "" for others.
 */
export function elementOfMany(paths: Paths, s: Spot | null): string {
  const p = s && paths.run.places[s.place];
  if (!p || p.kind !== "global" || p.row[s.cell] < 0) return "";
  const computed = new Set(paths.run.hops.filter((h) => h.from.length === 0).map((h) => h.to));
  const many = computed.size > 0 && paths.follow(s).lit.some((l, place) => l !== undefined && computed.has(place));
  return many ? `${p.name}(${p.row[s.cell]},${p.col[s.cell]})` : "";
}

/** The cells of a trace, and what the engine lists as the sources of its element. */
export function withSources(run: Run, lit: (Uint8Array | undefined)[], of: NonNullable<Run["answer"]["of"]>): (Uint8Array | undefined)[] {
  const out = lit.map((l) => l?.slice());
  for (const x of of) {
    const p = run.places[x.place];
    const l = (out[x.place] ??= new Uint8Array(p.cells));
    for (let i = 0; i < p.cells; i++) {
      if (l[i] < 2 && x.boxes.some((b) => b[0] <= p.row[i] && p.row[i] <= b[1] && b[2] <= p.col[i] && p.col[i] <= b[3])) l[i] = 2;
    }
  }
  return out;
}

/** A value: a cell, and the entry of its first write in the list of the cell's writers; -1 for what was there at the beginning. */
interface Value extends Spot {
  first: number;
}

/** What a trace has found so far. */
class Walk {
  readonly lit: (Uint8Array | undefined)[] = [];
  readonly moves: Move[] = [];
  seen: Set<number>[] = []; // by place: values by their first write, or by their cell if nothing wrote them
  cut = false;
  private count = 0;

  constructor(private readonly run: Run) {}

  see(v: Value): boolean {
    if (this.count >= mostValues) this.cut = true;
    const seen = (this.seen[v.place] ??= new Set());
    const key = v.first >= 0 ? v.first : -1 - v.cell;
    if (this.cut || seen.has(key)) return false;
    seen.add(key);
    this.count++;
    return true;
  }

  light(place: number, cell: number, level: number): void {
    const l = (this.lit[place] ??= new Uint8Array(this.run.places[place].cells));
    if (cell >= 0 && cell < l.length && l[cell] < level) l[cell] = level;
  }
}
