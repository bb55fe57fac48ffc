// How the elements of the operands and the result of an operation of the algebra belong together, and their colors.

import type { Palette, RGB } from "./color";
import { colorOf } from "./grids";
import type { Glow, Inspection, Operand } from "./model";

/** A, B and the result. */
export type Side = "a" | "b" | "r";

export interface Table extends Record<Side, Operand | null> {
  tiles?: number[] | null; // see tilesOf
}

/** Whether a second operand of a kind cuts mode by mode: a tuple of extents does, but blocked and raked products take it as a layout. */
export function cuts(op: string, kind: string | undefined): boolean {
  return kind === "tuple" && op !== "blocked_product" && op !== "raked_product";
}

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
  if (op.endsWith("_product")) {
    if (!a || !r || !b) return out;
    const at = copies(op, a, b, r);
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
 * For each element of a product of two layouts, the element of A and the element of B of whose copy it is. A logical product has A as
 * its first mode and the copies as its second one; a blocked product has in each mode A inside of B, a raked one B inside of A.
 */
export function copies(op: string, a: Operand, b: Operand, r: Operand): { inner: number[]; outer: number[] } {
  const inner = new Array<number>(r.size).fill(-1);
  const outer = new Array<number>(r.size).fill(-1);
  const [ma, mb, mr] = [a.modes ?? [], b.modes ?? [], r.modes ?? []];
  if (op !== "blocked_product" && op !== "raked_product") {
    if (r.size !== a.size * b.size) return { inner, outer };
    for (let i = 0; i < r.size; i++) {
      inner[i] = i % a.size;
      outer[i] = Math.floor(i / a.size);
    }
    return { inner, outer };
  }
  if (mr.some((n, k) => n !== (ma[k] ?? 1) * (mb[k] ?? 1))) return { inner, outer };
  for (let i = 0; i < r.size; i++) {
    let [rest, x, y, stepA, stepB] = [i, 0, 0, 1, 1];
    mr.forEach((n, k) => {
      const [at, na, nb] = [rest % n, ma[k] ?? 1, mb[k] ?? 1];
      rest = Math.floor(rest / n);
      const [p, q] = op === "blocked_product" ? [at % na, Math.floor(at / na)] : [Math.floor(at / nb), at % nb];
      x += p * stepA;
      y += q * stepB;
      stepA *= na;
      stepB *= nb;
    });
    inner[i] = x;
    outer[i] = y;
  }
  return { inner, outer };
}

/**
 * The extent of the tile in each mode of a logical_divide mode by mode, where mode k is (tile, rest); 1 in a mode that the tiler does
 * not reach. null where a mode is left alone, or divided mode by mode itself.
 */
export function tilesOf(tiler: Inspection | null, r: Inspection | null): number[] | null {
  const modes = r?.ok ? r.tree?.modes : undefined;
  if (!tiler?.ok || !tiler.value || !modes || !(tiler.kind === "tile" || tiler.kind === "tuple")) return null;
  const by = parts(tiler.value);
  if (by.length > modes.length || by.some((x) => x === "_" || x.startsWith("<"))) return null;
  const tiles = modes.map((m, k) => (k < by.length ? Number(m.modes?.[0]?.extent ?? 0) : 1));
  return tiles.every((n) => n > 0) ? tiles : null;
}

/** What stands between the outermost brackets, at the commas. */
function parts(text: string): string[] {
  const out = [""];
  let depth = 0;
  for (const c of text.slice(1, -1)) {
    if ("<([{".includes(c)) depth++;
    if (">)]}".includes(c)) depth--;
    if (c === "," && depth === 0) out.push("");
    else out[out.length - 1] += c;
  }
  return out;
}

/** In which tile an element of the result of a divide is, by number; null where that cannot be told. */
export function tileOf(op: string, t: Table): ((i: number) => number) | null {
  const { a, b, r, tiles } = t;
  if (!a || !r) return null;
  const modes = r.modes ?? [];
  if (op === "logical_divide" && !b) {
    if (!tiles || tiles.some((n, k) => modes[k] % n !== 0)) return null;
    return (i) => {
      let [rest, tile, step] = [i, 0, 1];
      modes.forEach((n, k) => {
        tile += Math.floor((rest % n) / tiles[k]) * step;
        step *= n / tiles[k];
        rest = Math.floor(rest / n);
      });
      return tile;
    };
  }
  let size = r.rows;
  if (b) size = b.size; // a layout
  else if (op === "flat_divide") {
    // The modes of the tile come first, one for each of the tiler.
    const tile = modes.slice(0, modes.length - (a.modes ?? []).length);
    if (tile.length === 0) return null;
    size = tile.reduce((n, m) => n * m, 1);
  }
  return (i) => Math.floor(i / size);
}

/** The operand whose usual fill is that of all sides, as they are compared: one that is swizzled, if there is any. */
export function leading(t: Table): Operand | null {
  return [t.r, t.a, t.b].find((o) => o?.fill) ?? t.r;
}

/** The fill of a side: what belongs together has one color. */
export function tint(op: string, side: Side, t: Table, pal: Palette, bits: number): (i: number) => RGB {
  const o = t[side]!;
  const { a, b, r } = t;
  const byOffset = colorOf(o, leading(t)?.fill ?? "offset", pal, bits);
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
    const tile = tileOf(op, t);
    if (tile === null) return byOffset;
    const number = new Map<number, number>();
    r.offset!.forEach((x, i) => number.set(x, tile(i)));
    return (i) => pal.shade(number.get(o.offset![i]) ?? 0, 0, 1);
  }
  if (op.endsWith("_product") && a && b && r) {
    const at = copies(op, a, b, r);
    if (side === "r") return (i) => pal.shade(at.outer[i], at.inner[i], a.size);
    if (side === "a") return (i) => pal.shade(0, i, a.size);
    return (i) => pal.shade(i, 0, 1);
  }
  return byOffset;
}

/** What the fill of the result says: how many things have a hue each, what they are, and whether B has them; null for offsets. */
export function hues(op: string, t: Table): { what: string; count: number; ofB?: boolean } | null {
  const { a, b, r } = t;
  if (!a || !r) return null;
  if (op === "composition" && b) return { what: "row", count: b.rows, ofB: true };
  const tile = op.endsWith("_divide") ? tileOf(op, t) : null;
  if (tile) return { what: "tile", count: tile(r.size - 1) + 1 };
  if (op.endsWith("_product") && b) return { what: "copy", count: b.size };
  return null;
}
