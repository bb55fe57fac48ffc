// The grids of an operand: its elements placed by coordinate, by thread and value, by offset, and by bank.

import type { Band, Border, Fluid, Grid, Rule } from "./grid";
import type { Fold } from "./fold";
import { aspect, fold, rowWidth } from "./fold";
import type { Palette, RGB } from "./color";
import type { Operand, Stretch } from "./model";
import { bankAt, colOf, coordOf, lies, offsetOf, partsOf, rowOf, takesPart, threadName, totalCols, warpOf } from "./model";

/** An operand with one of its grids. */
export interface Built {
  operand: Operand;
  grid: Grid;
}

/** The meaning of a cell's fill. */
export type ColorBy = "auto" | Hue;

type Hue = "offset" | "thread" | "warp" | "value" | "bank" | "group";

/**
 * The default meaning of fills: the holder of an element; the part of the offset that a swizzle changes, as the engine says; or the
 * offset.
 */
function hueOf(o: Operand, by: ColorBy): Hue {
  if (by !== "auto") return by;
  if (o.thread) return (o.threads ?? 1) > warpOf(o) ? "warp" : "thread";
  return o.fill ?? "offset";
}

export function colorOf(o: Operand, by: ColorBy, pal: Palette, shared: Stretch | undefined): (i: number) => RGB {
  const { thread, value } = o;
  const offset = o.offset ?? o.exact;
  if (o.space) return () => pal.plain();
  const values = o.values ?? 1;
  const warp = warpOf(o);
  by = hueOf(o, by);
  if (by === "thread" && thread) {
    const { rank } = partsOf(o);
    return (i) => pal.shade(rank.get(thread[i]) ?? 0, value![i], values);
  }
  if (by === "warp" && thread) return (i) => pal.shade(Math.floor(thread[i] / warp), thread[i] % warp, warp);
  if (by === "value" && value) return (i) => pal.shade(value[i], 0, 1);
  if (by === "bank" && offset && shared) return (i) => pal.bank(bankAt(shared, offset[i]));
  if (by === "group" && offset && shared) return (i) => pal.group(Math.floor(bankAt(shared, offset[i]) / 4));
  if (o.offset) return (i) => pal.offset(o.offset![i]);
  if (o.exact) return (i) => pal.offset(Number(BigInt(o.exact![i]) & 7n));
  return (i) => pal.offset(rowOf(o, i) + colOf(o, i));
}

/** The description of an element in words: its coordinate, index, offset, thread and value. */
export function say(o: Operand, i: number): string {
  const name = (o.name ? o.name + " " : "") + coordOf(o, i);
  const parts = [name];
  if (!o.thread) parts.push("index " + i);
  const offset = offsetOf(o, i);
  if (offset !== undefined) parts.push((o.thread ? "tile index " : "offset ") + offset);
  if (o.coord) parts.push("value " + o.coord[i]);
  if (o.space) parts.push("in " + o.space);
  if (o.thread) parts.push(`thread ${threadName(o, o.thread[i])}, value ${o.value![i]}`);
  return parts.join(", ");
}

/** The lines in a cell. */
function text(o: Operand, i: number): string[] {
  if (o.space) return [];
  if (o.thread) return ["T" + threadName(o, o.thread[i]), "V" + o.value![i]];
  if (o.coord) return [o.coord[i]];
  return [offsetOf(o, i) ?? String(i)];
}

/** The fill in words: the meaning of the hue and of the lightness. Null if the fill has no meaning. */
export function meaning(o: Operand, by: ColorBy): { hue: Hue; steps: number; lightness?: string } | null {
  const warp = warpOf(o);
  by = hueOf(o, by);
  if (by === "thread" && o.thread) return { hue: "thread", steps: partsOf(o).list.length, lightness: (o.values ?? 1) > 1 ? `value 0 to ${(o.values ?? 1) - 1}` : undefined };
  if (by === "warp" && o.thread) return { hue: "warp", steps: Math.ceil((o.threads ?? 1) / warp), lightness: `lane 0 to ${warp - 1}` };
  if (by === "value" && o.value) return { hue: "value", steps: o.values ?? 1 };
  if (by === "bank" && (o.offset || o.exact)) return { hue: "bank", steps: 32 };
  if (by === "group" && (o.offset || o.exact)) return { hue: "group", steps: 8 };
  return o.offset || o.exact ? { hue: "offset", steps: 8 } : null;
}

/** Puts elements in cells; a cell with several elements shows the first. */
function placed(o: Operand, rows: number, cols: number, place: (i: number) => [number, number]): { cells: Int32Array; crowded: Set<number> } {
  const cells = new Int32Array(rows * cols).fill(-1);
  const crowded = new Set<number>();
  for (let i = 0; i < o.size; i++) {
    if (!takesPart(o, i)) continue;
    const [r, c] = place(i);
    const at = r * cols + c;
    if (cells[at] < 0) cells[at] = i;
    else crowded.add(cells[at]).add(i);
  }
  return { cells, crowded };
}

/** The elements that share their offset with another element. */
export function aliases(o: Operand): Set<number> {
  const first = new Map<number | string, number>();
  const out = new Set<number>();
  (o.offset ?? o.exact ?? []).forEach((x, i) => {
    const j = first.get(x);
    if (j === undefined) first.set(x, i);
    else out.add(i).add(j);
  });
  return out;
}

function rules(leaves: number[] | undefined, extent: number): Rule[] {
  const out: Rule[] = [];
  if (!leaves) return out;
  const big = leaves.filter((n) => n > 1);
  let block = 1;
  for (let k = 0; k + 1 < big.length; k++) {
    block *= big[k];
    const next = block * big[k + 1];
    for (let at = block; at < extent; at += block) if (at % next !== 0) out.push({ at, width: 1.5 + k });
  }
  return out;
}

/** The number of elements in each cell of the logical grid if it is the same everywhere; otherwise 0. */
export function owners(o: Operand): number {
  if (!o.row) return 1;
  const count = new Int32Array(o.rows * o.cols);
  for (let i = 0; i < o.size; i++) if (takesPart(o, i)) count[o.row[i] * o.cols + o.col![i]]++;
  return count.every((n) => n === count[0]) ? count[0] : 0;
}

/**
 * The borders between neighbours with different threads, thicker if the warps differ, and between atoms. If no two neighbours have
 * the same thread, only borders of warps and atoms are drawn, because borders around every cell would say nothing.
 */
function ownership(o: Operand, rows: number, cols: number, cells: Int32Array): Border[] {
  if (!o.thread) return [];
  const warp = warpOf(o);
  const thread = (i: number) => (i < 0 ? -1 : o.thread![i]);
  let together = false;
  const kind = (i: number, j: number): 0 | 1 | 2 => {
    const [a, b] = [thread(i), thread(j)];
    if (a === b) together ||= a >= 0;
    return a === b ? 0 : a < 0 || b < 0 || Math.floor(a / warp) !== Math.floor(b / warp) ? 2 : 1;
  };
  const out = edges(rows, cols, cells, kind).filter((b) => b.level === 2 || together);
  if (o.value_atom) {
    const same = (at: number[], of: number[] | undefined, i: number, j: number) => (i < 0 || j < 0 ? i === j : of![at[i]] === of![at[j]]);
    const atoms = edges(rows, cols, cells, (i, j) => (same(o.thread!, o.thread_atom, i, j) && same(o.value!, o.value_atom, i, j) ? 0 : 3));
    out.push(...atoms);
  }
  // Atoms are drawn first and the borders of warps last, over them.
  return out.sort((a, b) => (a.level === 3 ? 0 : a.level) - (b.level === 3 ? 0 : b.level));
}

/** The lines between neighbours whose elements differ, as runs of one kind. */
function edges(rows: number, cols: number, cells: Int32Array, kind: (i: number, j: number) => Border["level"] | 0): Border[] {
  const out: Border[] = [];
  const walk = (down: boolean, lines: number, along: number) => {
    for (let k = 1; k < lines; k++) {
      let run: Border | null = null;
      for (let i = 0; i < along; i++) {
        const here = down ? i * cols + k : k * cols + i;
        const level = kind(cells[down ? here - 1 : here - cols], cells[here]);
        if (run && run.level === level) run.to = i + 1;
        else if (level === 0) run = null;
        else out.push((run = { down, at: k, from: i, to: i + 1, level }));
      }
    }
  };
  walk(true, cols, rows);
  walk(false, rows, cols);
  return out;
}

/** The logical grid with rows and columns exchanged: B of an MMA above C. */
export function transposed(g: Grid): Grid {
  return {
    ...g, rows: g.cols, cols: g.rows, rowName: g.colName, colName: g.rowName,
    rowLabel: g.colLabel, colLabel: g.rowLabel, rowRules: g.colRules, colRules: g.rowRules,
    borders: g.borders?.map((b) => ({ ...b, down: !b.down })), gaps: undefined, bands: undefined, colPeriod: undefined,
    at: (r, c) => g.at(c, r),
    place: (i) => {
      const [r, c] = g.place(i);
      return [c, r];
    },
  };
}

/** The logical grid: mode 0 down, mode 1 across. */
export function logical(o: Operand, color: (i: number) => RGB): Grid {
  const cols = totalCols(o);
  const place = (i: number): [number, number] => [rowOf(o, i), colOf(o, i)];
  const { cells, crowded } = placed(o, o.rows, cols, place);
  // If every element has the same number of holders, the text says so; marks are for exceptions.
  const shared = o.offset && !o.thread ? aliases(o) : o.exact ? aliases(o) : owners(o) > 0 ? new Set<number>() : crowded;
  const period = o.cols + 1;
  const colRules: Rule[] = [];
  for (let k = 0; k < o.panels; k++) colRules.push(...rules(o.col_leaves, o.cols).map((r) => ({ ...r, at: r.at + k * period })));
  const apart = !o.row && o.panels > 1;
  // The panel: the coordinates in the modes after the first two.
  const bands: Band[] = Array.from({ length: apart ? o.panels : 0 }, (_, k) => {
    const here = "_,_," + o.panel_coords![k];
    return { from: k * period, to: k * period + o.cols, label: [`(${here})`, here] };
  });
  return {
    rows: o.rows, cols, size: o.size, color, place,
    bands: apart ? bands : undefined, colPeriod: apart ? period : undefined,
    at: (r, c) => cells[r * cols + c],
    label: (i) => text(o, i),
    say: (i) => say(o, i),
    rowName: o.row_name, colName: o.col_name,
    rowLabel: (r) => o.row_labels?.[r] ?? String(r),
    colLabel: (c) => (o.row ? String(c) : (o.col_labels?.[c % period] ?? (c % period < o.cols ? String(c % period) : ""))),
    rowRules: rules(o.row_leaves, o.rows), colRules,
    borders: ownership(o, o.rows, cols, cells),
    gaps: apart ? (c) => c % period === o.cols : undefined,
    marked: shared.size > 0 ? (i) => shared.has(i) : undefined,
    aspect: o.coord ? 1.8 : 1.25,
  };
}

/** The hardware grid: threads down, values across; blocks of threads are side by side if that uses the width better. */
export function hardware(o: Operand, color: (i: number) => RGB): Fluid {
  const made = new Map<number, Grid>();
  const chars = label(o, o.size - 1)[0].length;
  return (width) => {
    const f = fold(o.threads ?? 1, o.values ?? 1, warpOf(o), chars, width);
    if (!made.has(f.threads)) made.set(f.threads, folded(o, color, f));
    return made.get(f.threads)!;
  };
}

function label(o: Operand, i: number): string[] {
  return [`${rowOf(o, i)},${colOf(o, i)}`];
}

function folded(o: Operand, color: (i: number) => RGB, f: Fold): Grid {
  const values = o.values ?? 1;
  const warp = warpOf(o);
  const rows = f.threads;
  const cols = f.blocks * values;
  const place = (i: number): [number, number] => {
    const t = o.thread![i];
    return [t % rows, Math.floor(t / rows) * values + o.value![i]];
  };
  const { cells } = placed(o, rows, cols, place);
  const rowRules: Rule[] = [];
  for (let w = warp; w < rows; w += warp) rowRules.push({ at: w, width: 2.5 });
  const colRules: Rule[] = [];
  const bands: Band[] = [];
  for (let k = 0; k < f.blocks && f.blocks > 1; k++) {
    const first = k * rows;
    const last = Math.min(first + rows, o.threads!) - 1;
    if (k > 0) colRules.push({ at: k * values, width: first % warp === 0 ? 2.5 : 1.5 });
    const names = Array.from({ length: last - first + 1 }, (_, k) => threadName(o, first + k));
    const [t0, t1] = [names[0], names[names.length - 1]];
    const range = t1 - t0 === last - first ? `T${t0}-${t1}` : names.map((t) => `T${t}`).join(" ");
    const [w0, w1] = [Math.floor(t0 / warp), Math.floor(t1 / warp)];
    const name = w0 === w1 ? `warp ${w0}` : `warps ${w0}-${w1}`;
    const short = rows === warp ? [name, `w${w0}`] : [range, `T${t0}`];
    bands.push({ from: k * values, to: (k + 1) * values, label: o.threads! > warp ? [`${name}  ${range}`, ...short] : short.slice(-2) });
  }
  return {
    rows, cols, size: o.size, color, place, rowRules, colRules,
    bands: bands.length > 0 ? bands : undefined, colPeriod: values,
    at: (r, c) => cells[r * cols + c],
    label: (i) => label(o, i),
    say: (i) => say(o, i),
    rowName: bands.length === 0 ? "thread" : rows === warp ? "lane" : "thread +", colName: "value",
    rowLabel: (r) => (bands.length === 0 ? "T" + threadName(o, r) : rows === warp ? String(r) : "+" + r), colLabel: (c) => "V" + (c % values),
    aspect,
  };
}

/** Whether a hardware grid needs the full width, because it has many elements. */
export function wide(o: Operand): boolean {
  return (o.threads ?? 1) * (o.values ?? 1) > 700;
}

// The heights that memory may take, in CSS pixels.
const memoryHeight = 400;

/** Memory: offsets in rows, from the lowest to the highest. A row is as long as all banks are wide, or a multiple of that. */
export function memory(o: Operand, color: (i: number) => RGB, shared: Stretch | undefined): Fluid | null {
  const span = spanOf(o);
  if (!span || !shared) return null;
  // Memory with few offsets has rows of 32, whatever the element size is.
  const row = Math.max(Math.floor((shared.bank.length * allBanks) / shared.bytes), 32);
  const made = new Map<number, Grid>();
  return (width) => {
    const n = span <= 1024 ? 32 : rowWidth(span, row, width, memoryHeight);
    if (!made.has(n)) made.set(n, lines(o, color, n));
    return made.get(n)!;
  };
}

/** The number of offsets from the lowest to the highest; 0 if there are none or too many. */
function spanOf(o: Operand): number {
  if (!o.offset || o.size === 0) return 0;
  const [lo, hi] = ends(o);
  return hi - lo < 1 << 22 ? hi - lo + 1 : 0;
}

function ends(o: Operand): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  for (const x of o.offset!) {
    lo = Math.min(lo, x);
    hi = Math.max(hi, x);
  }
  return [lo, hi];
}

/** Offsets in rows of a width. */
function lines(o: Operand, color: (i: number) => RGB, width: number): Grid {
  const [lo, hi] = ends(o);
  const base = Math.floor(lo / width) * width;
  const rows = Math.floor((hi - base) / width) + 1;
  const place = (i: number): [number, number] => [Math.floor((o.offset![i] - base) / width), (o.offset![i] - base) % width];
  const { cells, crowded } = placed(o, rows, width, place);
  return {
    rows, cols: width, size: o.size, color, place,
    at: (r, c) => cells[r * width + c],
    label: (i) => [coordOf(o, i).replace(/[()]/g, "")],
    say: (i) => say(o, i),
    rowName: "offset", colName: `+0 to +${width - 1}`,
    rowLabel: (r) => String(base + r * width),
    marked: crowded.size > 0 ? (i) => crowded.has(i) : undefined,
    aspect: 1.25,
  };
}

/** The bytes of all banks side by side. */
const allBanks = 128;

/**
 * Banks: the words of shared memory in rows of all banks. Narrow elements are side by side in their bank. Elements of 6 bits cross
 * the borders of words, so rows do not end at an element.
 */
export function banks(o: Operand, pal: Palette, shared: Stretch | undefined): Grid | null {
  if (!spanOf(o) || shared?.bytes !== allBanks) return null;
  const { bank } = shared;
  const narrow = bank[1] === bank[0];
  const grid = lines(o, (i) => pal.bank(bankAt(shared, o.offset![i])), bank.length);
  return {
    ...grid,
    rowName: "byte", colName: "bank",
    rowLabel: (r) => String(lies(shared, Number(grid.rowLabel!(r))).byte),
    colLabel: (c) => String(bank[c]),
    colRules: narrow ? bank.flatMap((b, at) => (at > 0 && b !== bank[at - 1] ? [{ at, width: 1 }] : [])) : undefined,
  };
}
