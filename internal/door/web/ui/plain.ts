// The values of plain layouts, such as (4,8):(8,1) and Sw<3,3,3> o 0 o (8,64):(64,1), which the page shows before its
// engine is ready. The engine's answer has the same operands and more facts, so the picture does not change.

import type { Inspection, Operand, ShapeTree, Stretch } from "./model";
import { bitsOf } from "./words";

type Tuple = number | Tuple[];

interface Swizzle {
  b: number;
  m: number;
  s: number;
}

const most = 1 << 17; // the same limit of elements as in the engine
const bound = 2 ** 31; // of strides and offsets

const swizzled = /^ *Sw<(\d\d?),(\d\d?),(-?\d\d?)> +o +(?:(\d{1,9}) +o +)?/;

/** The value of a text that is a layout of integers, with or without a swizzle; null for any other text. */
export function plain(text: string, type: string): Inspection | null {
  const bits = bitsOf[type];
  const outer = swizzled.exec(text);
  const layout = text.slice(outer?.[0].length ?? 0).replace(/ *([(),:]) */g, "$1").trim();
  if (!bits || text.length > 300 || !/^[-(),:\d]+$/.test(layout)) return null;
  const [shape, stride, more] = layout.split(":").map(tuple);
  if (shape === undefined || stride === undefined || more !== undefined || !congruent(shape, stride)) return null;
  const [extents, strides] = [flat(shape), flat(stride)];
  const reach = extents.reduce((sum, n, k) => sum + (n - 1) * Math.abs(strides[k]), 0);
  if (extents.some((n) => n < 1) || size(shape) > most || reach >= bound || strides.some((d) => Math.abs(d) >= bound)) return null;

  const value = spelled(shape) + ":" + spelled(stride);
  const tree = treeOf(shape, stride);
  const common = { ok: true, type, bits, shared: stretch(bits), tree };
  if (!outer) return { ...common, kind: "layout", value, operands: [operand(value, shape, offsets(extents, strides, 0))] };
  const [b, m, s, offset] = outer.slice(1).map((x) => Number(x ?? 0));
  if (Math.abs(s) < b || b + m + Math.abs(s) > 30 || offset + reach >= bound) return null;
  const all = `Sw<${b},${m},${s}> o ${offset} o ${value}`;
  const swizzle = { b, m, s };
  const one = operand(all, shape, offsets(extents, strides, offset).map((x) => swap(swizzle, x)));
  return { ...common, kind: "composed_layout", value: all, swizzle, operands: [{ ...one, fill: fill(swizzle, bits) }] };
}

/** An integer, or a tuple; undefined for any other text. */
function tuple(text: string): Tuple | undefined {
  const several = (t: Tuple): boolean => typeof t === "number" || (t.length > 0 && t.every(several));
  try {
    const t = JSON.parse(text.replaceAll("(", "[").replaceAll(")", "]")) as Tuple;
    return several(t) ? t : undefined;
  } catch {
    return undefined;
  }
}

function congruent(a: Tuple, b: Tuple): boolean {
  if (typeof a === "number" || typeof b === "number") return typeof a === typeof b;
  return a.length === b.length && a.every((x, k) => congruent(x, b[k]));
}

function flat(t: Tuple): number[] {
  return typeof t === "number" ? [t] : t.flatMap(flat);
}

function size(t: Tuple): number {
  return flat(t).reduce((a, b) => a * b, 1);
}

function spelled(t: Tuple): string {
  return typeof t === "number" ? String(t) : `(${t.map(spelled).join(",")})`;
}

function treeOf(shape: Tuple, stride: Tuple): ShapeTree {
  if (typeof shape === "number") return { extent: shape, stride: String(stride) };
  return { extent: size(shape), modes: shape.map((x, k) => treeOf(x, (stride as Tuple[])[k])) };
}

/** The offsets of all elements; the first mode varies fastest. */
function offsets(extents: number[], strides: number[], first: number): number[] {
  return extents.reduce((all, n, k) => Array.from({ length: n }, (_, i) => all.map((x) => x + i * strides[k])).flat(), [first]);
}

/** The offset after a swizzle. */
function swap({ b, m, s }: Swizzle, x: number): number {
  const bits = x & (((1 << b) - 1) << (m + Math.max(s, 0)));
  return x ^ (s < 0 ? bits << -s : bits >> s);
}

/** The default fill: what the bits that the swizzle changes select. */
function fill({ b, m, s }: Swizzle, bits: number): Operand["fill"] {
  const changed = ((1 << b) - 1) << (m + Math.max(-s, 0));
  const log = (n: number) => 31 - Math.clz32(Math.max(n / bits, 1));
  const [bank, group] = [log(32), log(128)];
  if (changed === 0 || (changed >> group) & 7) return changed ? "group" : undefined;
  if ((changed & ((1 << group) - 1)) >> bank) return "bank";
  return changed & 7 ? undefined : "group";
}

/** The places of elements in shared memory. */
function stretch(bits: number): Stretch {
  const at = Array.from({ length: 1024 / bits }, (_, k) => k * bits);
  const of = (bit: number) => bit >> 5;
  return {
    bytes: 128, byte: at.map((x) => x >> 3), bit: bits < 8 ? at.map((x) => x & 7) : undefined,
    bank: at.map(of), last: bits > 32 ? at.map((x) => of(x + bits - 1)) : undefined,
  };
}

function operand(text: string, shape: Tuple, offset: number[]): Operand {
  const modes = typeof shape === "number" ? [shape] : shape;
  const more = modes.slice(2);
  const [rows, cols, ...panels] = modes.map(size);
  return {
    text, size: offset.length, modes: modes.map(size), rows, cols: cols ?? 1, panels: size(panels), offset,
    row_labels: labels(modes[0]), row_leaves: leaves(modes[0]), col_labels: labels(modes[1]), col_leaves: leaves(modes[1]),
    panel_coords: more.length ? within(labels(more.map(size))) : undefined, panel_labels: more.some(Array.isArray) ? within(labels(more)) : undefined,
  };
}

/** The extents of the leaves of a mode with several leaves. */
function leaves(mode: Tuple | undefined): number[] | undefined {
  return Array.isArray(mode) ? flat(mode) : undefined;
}

/** The coordinates of a mode with several leaves. */
function labels(mode: Tuple | undefined): string[] | undefined {
  return Array.isArray(mode) ? Array.from({ length: size(mode) }, (_, i) => coordinate(mode, i)) : undefined;
}

/** The text between the brackets. */
function within(labels: string[] | undefined): string[] | undefined {
  return labels?.map((x) => x.slice(1, -1));
}

function coordinate(shape: Tuple, i: number): string {
  if (typeof shape === "number") return String(i);
  let rest = i;
  return "(" + shape.map((x) => {
    const here = coordinate(x, rest % size(x));
    rest = Math.floor(rest / size(x));
    return here;
  }).join(",") + ")";
}
