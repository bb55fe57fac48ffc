// Two values side by side, compared by operation compare: which cells are marked, and which elements correspond.

import type { Fault } from "./engine";
import type { Inspection, Operand } from "./model";
import { filled } from "./model";

/** The answer of operation compare. */
export interface Verdict {
  ok: boolean;
  verdict?: "one function" | "different" | "not compared";
  words?: string;
  relation?: string; // what B is to A, such as B = Sw<3,3,3> o A
  differ?: [from: number, to: number][]; // elements of A, as runs
  partner?: number[]; // for each element of A the corresponding element of B; the same index if absent
  error?: Fault;
}

/** The differences in the grids of A and B, and which elements correspond. */
export interface Pair {
  differA: Set<number>;
  differB: Set<number>;
  toA: (i: number) => number; // the element of A that corresponds to an element of B
  toB: (i: number) => number;
}

/** The single operand of a value, with its elements. */
export function one(v: Inspection | null): Operand | null {
  const o = v?.ok && v.operands?.length === 1 ? v.operands[0] : undefined;
  return o && filled(o) ? o : null;
}

export function pairOf(c: Verdict, a: Inspection | null, b: Inspection | null): Pair {
  const back = new Map(c.partner?.map((j, i) => [j, i]));
  const toB = (i: number) => c.partner?.[i] ?? i;
  const marked = (v: Inspection | null, to: (i: number) => number) => {
    const size = one(v)?.size ?? 0; // a swizzle has elements beyond its table, which are not in its grid
    const out = new Set<number>();
    for (const [from, end] of c.differ ?? []) for (let i = from; i < end; i++) if (to(i) < size) out.add(to(i));
    return out;
  };
  return { differA: marked(a, (i) => i), differB: marked(b, toB), toA: (i) => back.get(i) ?? i, toB };
}
