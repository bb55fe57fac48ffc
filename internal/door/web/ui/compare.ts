// Compares two values element by element: whether they are one function, where they differ first, and how often.

import type { Inspection, Operand } from "./model";
import { coordOf, filled, offsetOf } from "./model";

/** What is said of two values; what differs is marked in their grids. */
export interface Verdict {
  kind: "same" | "different" | "none"; // none: they cannot be compared
  words: string;
  differA: Set<number>;
  differB: Set<number>;
  toA: (i: number) => number; // the element of A that belongs to one of B
  toB: (i: number) => number;
}

/** The one operand of a value, with its elements. */
export function one(v: Inspection | null): Operand | null {
  const o = v?.ok && v.operands?.length === 1 ? v.operands[0] : undefined;
  return o && filled(o) ? o : null;
}

/** Compares two values index by index, or at exchanged coordinates; null while there is none. */
export function compare(a: Inspection | null, b: Inspection | null, transpose: boolean): Verdict | null {
  if (!a?.ok || !b?.ok || a.kind === "none" || b.kind === "none") return null;
  const why = refused("A", a) ?? refused("B", b) ?? apart(a, b);
  const [x, y] = [one(a), one(b)];
  if (why || !x || !y) return verdict("none", why ?? "");
  return transpose ? transposed(a, x, b, y) : straight(a, x, b, y);
}

function verdict(kind: Verdict["kind"], words: string, more: Partial<Verdict> = {}): Verdict {
  return { kind, words, differA: new Set(), differB: new Set(), toA: (i) => i, toB: (i) => i, ...more };
}

/** Why a value is not compared. */
function refused(name: string, v: Inspection): string | undefined {
  const n = v.operands?.length ?? 0;
  if (n > 1) return `${name} has the operands ${v.operands!.map((o) => o.name).join(", ")}: compare their layouts one by one`;
  if (n === 0) return `${name} is of kind ${v.kind}, which has no elements`;
  return one(v) ? undefined : `${name} has more than 131,072 elements or places: it is not compared element by element`;
}

/** Why two values have nothing in common that could be equal. */
function apart(a: Inspection, b: Inspection): string | undefined {
  const what = (v: Inspection) => {
    const o = one(v)!;
    return o.offset || o.exact ? "offsets" : o.coord ? "coordinates" : "places";
  };
  if (what(a) !== what(b)) return `A gives ${what(a)}, B gives ${what(b)}`;
  if (what(a) !== "places") return undefined;
  const outs = (v: Inspection) => v.matrix?.outs.join(", ") ?? "";
  return outs(a) === outs(b) ? undefined : `the outputs are not the same: A has ${outs(a)}; B has ${outs(b)}`;
}

/** The value at an index. A swizzle has one at every number: beyond its table the higher bits stay. */
function valueAt(v: Inspection, o: Operand, i: number): string {
  if (v.kind === "swizzle" && o.offset) {
    const low = i % o.size;
    return String(o.offset[low] + (i - low));
  }
  return offsetOf(o, i) ?? o.coord?.[i] ?? `(${o.row![i]},${o.col![i]})`;
}

function straight(a: Inspection, x: Operand, b: Inspection, y: Operand): Verdict {
  const [all, any] = [a.kind === "swizzle", b.kind === "swizzle"]; // these have no last index
  const n = all && any ? Math.max(x.size, y.size) : all ? y.size : any ? x.size : Math.min(x.size, y.size);
  const differA = new Set<number>();
  const differB = new Set<number>();
  let first = -1;
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (valueAt(a, x, i) === valueAt(b, y, i)) continue;
    if (first < 0) first = i;
    count++;
    if (i < x.size) differA.add(i);
    if (i < y.size) differB.add(i);
  }
  const differ = { differA, differB };
  if (!all && !any && x.size !== y.size) {
    const from = first < 0 ? "; up to there they agree" : `; they differ first at index ${first}: ${valueAt(a, x, first)} and ${valueAt(b, y, first)}`;
    return verdict("different", `A has ${x.size} elements, B has ${y.size}${from}`, differ);
  }
  if (first < 0) {
    if (all && any) return verdict("same", "on all numbers");
    const [p, q] = [x.modes ?? [], y.modes ?? []].map((m) => m.join(","));
    const shapes = p === q || all || any ? "" : `, index by index: the shapes are (${p}) and (${q})`;
    return verdict("same", `on all ${n} ${shapes ? "indices" : "coordinates"}${shapes}`);
  }
  const of = all && any ? "" : `at ${count} of ${n}; `;
  const at = first < x.size && !all ? `${coordOf(x, first)}, index ${first}` : `index ${first}`;
  return verdict("different", `${of}first at ${at}: A gives ${valueAt(a, x, first)}, B gives ${valueAt(b, y, first)}`, differ);
}

/** A(m,n) with B(n,m). */
function transposed(a: Inspection, x: Operand, b: Inspection, y: Operand): Verdict {
  const [p, q] = [x.modes ?? [], y.modes ?? []];
  if (p.length !== 2 || q.length !== 2) return verdict("none", `A(m,n) with B(n,m) is of values with two modes: A has ${p.length}, B has ${q.length}`);
  if (p[0] !== q[1] || p[1] !== q[0]) return verdict("different", `the shapes are not each other's transpose: ${p[0]} × ${p[1]} and ${q[0]} × ${q[1]}`);
  const toB = (i: number) => Math.floor(i / p[0]) + q[0] * (i % p[0]);
  const toA = (i: number) => Math.floor(i / q[0]) + p[0] * (i % q[0]);
  const differA = new Set<number>();
  const differB = new Set<number>();
  let first = -1;
  for (let i = 0; i < x.size; i++) {
    if (valueAt(a, x, i) === valueAt(b, y, toB(i))) continue;
    if (first < 0) first = i;
    differA.add(i);
    differB.add(toB(i));
  }
  const more = { differA, differB, toA, toB };
  if (first < 0) return verdict("same", `on all ${x.size} coordinates`, more);
  return verdict("different", `at ${differA.size} of ${x.size}; first at ${coordOf(x, first)}, index ${first}: A gives ${valueAt(a, x, first)}, B gives ${valueAt(b, y, toB(first))}`, more);
}
