// The grids of an operand: the same elements placed by coordinate, by thread and value, by offset, and by bank.

import type { Border, Grid } from "./grid";
import type { Palette, RGB } from "./color";
import type { Operand } from "./model";
import { bankOf, colOf, rowOf, totalCols } from "./model";

/** An operand with one of its grids. */
export interface Built {
  operand: Operand;
  grid: Grid;
}

/** What the fill of a cell means. */
export type ColorBy = "auto" | "offset" | "thread" | "warp" | "value" | "bank";

export function colorOf(o: Operand, by: ColorBy, pal: Palette, bits: number): (i: number) => RGB {
  const { thread, value, offset } = o;
  const values = o.values ?? 1;
  if (by === "auto") by = thread ? ((o.threads ?? 1) > 32 ? "warp" : "thread") : "offset";
  if (by === "thread" && thread) return (i) => pal.shade(thread[i], value![i], values);
  if (by === "warp" && thread) return (i) => pal.shade(thread[i] >> 5, thread[i] & 31, 32);
  if (by === "value" && value) return (i) => pal.shade(value[i], 0, 1);
  if (by === "bank" && offset) return (i) => pal.bank(bankOf(offset[i], bits, 32).bank, 32);
  if (offset) return (i) => pal.offset(offset[i]);
  return (i) => pal.offset(rowOf(o, i) + colOf(o, i));
}

/** What a person says of an element: its coordinate, index, offset, thread and value. */
export function say(o: Operand, i: number): string {
  const name = (o.name ? o.name + " " : "") + `(${rowOf(o, i)},${o.col ? o.col[i] : Math.floor(i / o.rows)})`;
  const parts = [name];
  if (!o.thread) parts.push("index " + i);
  if (o.offset) parts.push((o.thread ? "tile index " : "offset ") + o.offset[i]);
  if (o.coord) parts.push("value " + o.coord[i]);
  if (o.thread) parts.push(`thread ${o.thread[i]}, value ${o.value![i]}`);
  return parts.join(", ");
}

/** The lines in a cell. */
function text(o: Operand, i: number): string[] {
  if (o.thread) return ["T" + o.thread[i], "V" + o.value![i]];
  if (o.coord) return [o.coord[i]];
  if (o.offset) return [String(o.offset[i])];
  return [String(i)];
}

/** The fill in words: what the hue is, what the lightness is. Null where the fill has no meaning of its own. */
export function meaning(o: Operand, by: ColorBy): { hue: "offset" | "thread" | "warp" | "value" | "bank"; steps: number; lightness?: string } | null {
  if (by === "auto") by = o.thread ? ((o.threads ?? 1) > 32 ? "warp" : "thread") : "offset";
  if (by === "thread" && o.thread) return { hue: "thread", steps: o.threads ?? 1, lightness: (o.values ?? 1) > 1 ? `value 0 to ${(o.values ?? 1) - 1}` : undefined };
  if (by === "warp" && o.thread) return { hue: "warp", steps: Math.ceil((o.threads ?? 1) / 32), lightness: "lane 0 to 31" };
  if (by === "value" && o.value) return { hue: "value", steps: o.values ?? 1 };
  if (by === "bank" && o.offset) return { hue: "bank", steps: 32 };
  return o.offset ? { hue: "offset", steps: 8 } : null;
}

/** Puts elements in cells; several in one cell show the first. */
function placed(o: Operand, rows: number, cols: number, place: (i: number) => [number, number]): { cells: Int32Array; crowded: Set<number> } {
  const cells = new Int32Array(rows * cols).fill(-1);
  const crowded = new Set<number>();
  for (let i = 0; i < o.size; i++) {
    const [r, c] = place(i);
    const at = r * cols + c;
    if (cells[at] < 0) cells[at] = i;
    else crowded.add(cells[at]).add(i);
  }
  return { cells, crowded };
}

/** Elements that share their offset with another one. */
export function aliases(o: Operand): Set<number> {
  const first = new Map<number, number>();
  const out = new Set<number>();
  o.offset?.forEach((x, i) => {
    const j = first.get(x);
    if (j === undefined) first.set(x, i);
    else out.add(i).add(j);
  });
  return out;
}

function rules(leaves: number[] | undefined, extent: number): { at: number; width: number }[] {
  const out: { at: number; width: number }[] = [];
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

/** How many elements are in each cell of the logical grid, where that is the same number everywhere; 0 where it differs. */
export function owners(o: Operand): number {
  if (!o.row) return 1;
  const count = new Int32Array(o.rows * o.cols);
  for (let i = 0; i < o.size; i++) count[o.row[i] * o.cols + o.col![i]]++;
  return count.every((n) => n === count[0]) ? count[0] : 0;
}

/**
 * The borders where the thread of neighbours differs, thicker where the warp does. Where no two neighbours have one thread, only
 * those of warps: borders around every cell say nothing.
 */
function ownership(o: Operand, rows: number, cols: number, cells: Int32Array): Border[] {
  if (!o.thread) return [];
  const owner = (at: number) => (cells[at] < 0 ? -1 : o.thread![cells[at]]);
  const out: Border[] = [];
  let together = false;
  const level = (a: number, b: number): 0 | 1 | 2 => (a === b ? 0 : a < 0 || b < 0 || a >> 5 !== b >> 5 ? 2 : 1);
  const walk = (down: boolean, lines: number, along: number) => {
    for (let k = 1; k < lines; k++) {
      let run: Border | null = null;
      for (let i = 0; i < along; i++) {
        const here = down ? i * cols + k : k * cols + i;
        const a = owner(down ? here - 1 : here - cols);
        const kind = level(a, owner(here));
        if (kind === 0 && a >= 0) together = true;
        if (run && run.level === kind) run.to = i + 1;
        else if (kind === 0) run = null;
        else out.push((run = { down, at: k, from: i, to: i + 1, level: kind }));
      }
    }
  };
  walk(true, cols, rows);
  walk(false, rows, cols);
  // The borders of warps are drawn last.
  return out.filter((b) => b.level === 2 || together).sort((a, b) => a.level - b.level);
}

/** The logical grid with rows and columns exchanged: B of an MMA as it stands above C. */
export function transposed(g: Grid): Grid {
  return {
    ...g, id: g.id + "/t", rows: g.cols, cols: g.rows, rowName: g.colName, colName: g.rowName,
    rowLabel: g.colLabel, colLabel: g.rowLabel, rowRules: g.colRules, colRules: g.rowRules,
    borders: g.borders?.map((b) => ({ ...b, down: !b.down })), gaps: undefined,
    at: (r, c) => g.at(c, r),
    place: (i) => {
      const [r, c] = g.place(i);
      return [c, r];
    },
  };
}

/** The logical grid: mode 0 down, mode 1 across. */
export function logical(o: Operand, id: string, color: (i: number) => RGB): Grid {
  const cols = totalCols(o);
  const place = (i: number): [number, number] => [rowOf(o, i), colOf(o, i)];
  const { cells, crowded } = placed(o, o.rows, cols, place);
  // Where every element has the same number of holders that is said in words; marks are for exceptions.
  const shared = !o.thread ? aliases(o) : owners(o) > 0 ? new Set<number>() : crowded;
  const period = o.cols + 1;
  const colRules = rules(o.col_leaves, o.cols);
  if (!o.row) for (let k = 1; k < o.panels; k++) colRules.push({ at: k * period - 1, width: 0 });
  return {
    id: id + "/logical", rows: o.rows, cols, size: o.size, color, place,
    at: (r, c) => cells[r * cols + c],
    label: (i) => text(o, i),
    say: (i) => say(o, i),
    rowName: o.row_name, colName: o.col_name,
    rowLabel: (r) => o.row_labels?.[r] ?? String(r),
    colLabel: (c) => (o.row ? String(c) : (o.col_labels?.[c % period] ?? (c % period < o.cols ? String(c % period) : ""))),
    rowRules: rules(o.row_leaves, o.rows), colRules,
    borders: ownership(o, o.rows, cols, cells),
    gaps: !o.row && o.panels > 1 ? (c) => c % period === o.cols : undefined,
    marked: shared.size > 0 ? (i) => shared.has(i) : undefined,
    aspect: o.coord ? 1.8 : 1.25,
  };
}

/** The hardware grid: threads down, values across. */
export function hardware(o: Operand, id: string, color: (i: number) => RGB): Grid {
  const threads = o.threads ?? 1;
  const values = o.values ?? 1;
  const place = (i: number): [number, number] => [o.thread![i], o.value![i]];
  const { cells } = placed(o, threads, values, place);
  const rowRules: { at: number; width: number }[] = [];
  for (let w = 32; w < threads; w += 32) rowRules.push({ at: w, width: 2.5 });
  return {
    id: id + "/hardware", rows: threads, cols: values, size: o.size, color, place, rowRules,
    at: (r, c) => cells[r * values + c],
    label: (i) => [`${o.row_name ?? ""}${rowOf(o, i)},${o.col_name ?? ""}${colOf(o, i)}`],
    say: (i) => say(o, i),
    rowName: "thread", colName: "value",
    rowLabel: (r) => "T" + r, colLabel: (c) => "V" + c,
    aspect: 1.9,
  };
}

/** Memory: offsets in rows of a width, from the lowest to the highest. */
export function memory(o: Operand, id: string, color: (i: number) => RGB, width: number): Grid | null {
  if (!o.offset || o.size === 0) return null;
  let lo = Infinity;
  let hi = -Infinity;
  for (const x of o.offset) {
    lo = Math.min(lo, x);
    hi = Math.max(hi, x);
  }
  const base = Math.floor(lo / width) * width;
  const rows = Math.floor((hi - base) / width) + 1;
  if (rows * width > 1 << 22) return null;
  const place = (i: number): [number, number] => [Math.floor((o.offset![i] - base) / width), (o.offset![i] - base) % width];
  const { cells, crowded } = placed(o, rows, width, place);
  return {
    id: id + "/memory" + width, rows, cols: width, size: o.size, color, place,
    at: (r, c) => cells[r * width + c],
    label: (i) => [`${rowOf(o, i)},${o.col ? o.col[i] : Math.floor(i / o.rows)}`],
    say: (i) => say(o, i),
    rowName: "offset", colName: "+",
    rowLabel: (r) => String(base + r * width),
    marked: crowded.size > 0 ? (i) => crowded.has(i) : undefined,
    aspect: 1.25,
  };
}

/** Banks: the words of shared memory in rows of all banks; narrow elements lie side by side in their bank. */
export function banks(o: Operand, id: string, pal: Palette, bits: number): Grid | null {
  if (!o.offset || o.size === 0 || bits > 128) return null;
  const per = bits < 32 ? Math.max(Math.floor(32 / bits), 1) : 1;
  const words = Math.max(bits / 32, 1);
  const grid = memory(o, id + "/banks", (i) => pal.bank(bankOf(o.offset![i], bits, 32).bank, 32), (32 * per) / words);
  if (!grid) return null;
  return {
    ...grid,
    rowName: "byte", colName: "bank",
    rowLabel: (r) => String((Number(grid.rowLabel!(r)) * bits) / 8),
    colLabel: (c) => String(Math.floor((c * words) / per)),
    colRules: per > 1 ? Array.from({ length: 31 }, (_, k) => ({ at: (k + 1) * per, width: 1 })) : undefined,
  };
}
