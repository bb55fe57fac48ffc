// The grids of a place: its tile, its threads and values, its banks. An element of a grid is a cell of the place.

import type { Palette, RGB } from "../color";
import type { Band, Fluid, Grid, Rule } from "../grid";
import * as grids from "../grids";
import type { Operand, Stretch } from "../model";
import type { Place, Run } from "./model";
import { accessOf, laneOf } from "./model";

/** The ways to draw a place. */
export type View = "tile" | "threads" | "banks" | "lanes";

/** The ways to draw a place; the first is the usual one. */
export function viewsOf(p: Place): View[] {
  if (p.kind === "registers" || p.kind === "tensor") {
    const own: View = p.kind === "tensor" ? "lanes" : "threads";
    return p.rows * p.cols > 0 && p.row.some((r) => r >= 0) ? [own, "tile"] : [own];
  }
  return p.kind === "shared" && p.base !== undefined ? ["tile", "banks"] : ["tile"];
}

export const warp = 32;
const allBanks = 128; // bytes

/** The byte of a cell in its memory. */
export function byteOf(p: Place, cell: number): number {
  return (p.base ?? 0) + Math.floor((cell * p.bits) / 8);
}

export function bankOf(p: Place, cell: number): number {
  return Math.floor(byteOf(p, cell) / 4) % 32;
}

/** The thread that holds a cell of registers. */
export function threadOf(p: Place, cell: number): number {
  return Math.floor(cell / Math.max(p.values ?? 1, 1));
}

/**
 * The thread that first writes each cell of a place, or first reads it if nobody writes it; -1 for none. A copy by the engine is
 * -2 less its number.
 */
function movers(r: Run, p: Place): Int32Array {
  const out = new Int32Array(p.cells).fill(-1);
  const written = r.hops.some((h) => h.to === p.id);
  let copies = 0;
  for (let a = 0; a < r.count; a++) {
    const x = accessOf(r, a);
    const at = written ? (x.hop.to === p.id ? x.shape.to : null) : x.hop.from.length === 1 && x.hop.from[0] === p.id ? x.shape.from : null;
    if (!at) continue;
    const first = written ? x.to0 : x.from0;
    const engine = laneOf(x.shape, 0) < 0 || x.warp < 0 || (x.shape.lanes?.length === 1 && at.length > 64);
    if (engine) copies++;
    for (let i = 0; i < at.length; i++) {
      if (out[first + at[i]] === -1) out[first + at[i]] = engine ? -1 - copies : x.warp * warp + laneOf(x.shape, i);
    }
  }
  return out;
}

/**
 * The color of each cell: the bank or group of 4 banks in shared memory, the lane for an operand of an MMA, otherwise the thread that
 * holds or moves the cell.
 */
export function fillOf(r: Run, p: Place, pal: Palette, view: View): (cell: number) => RGB {
  if (p.kind === "shared" && p.base !== undefined) return view === "banks" ? (i) => pal.bank(bankOf(p, i)) : (i) => pal.group(Math.floor(bankOf(p, i) / 4));
  if (p.kind === "tensor") {
    const columns = Math.max(p.values ?? 1, 1);
    return (i) => pal.shade(Math.floor(i / columns / warp), i % columns, columns);
  }
  const threads = r.answer.threads ?? 1;
  const own = p.kind === "registers" ? null : movers(r, p);
  const plain = pal.plain();
  return (i) => {
    const t = own ? own[i] : threadOf(p, i);
    if (t < -1) return pal.shade(-2 - t, 0, 1);
    if (t < 0) return plain;
    if (p.kind === "operand") return pal.shade((t % warp) >> 2, t % 4, 4);
    return threads > warp ? pal.shade(Math.floor(t / warp), t % warp, warp) : pal.shade(t, 0, 1);
  };
}

/** What the grids say of a cell: the labels in it, and the text for a screen reader. */
export interface Says {
  label: (cell: number) => string[];
  say: (cell: number) => string;
}

/** The place of a cell in the tile; -1 if it never held an element. Panels are side by side with an empty column between them. */
export function inTile(p: Place, cell: number): [row: number, col: number] {
  const k = p.panel ? p.panel[cell] : 0;
  if (p.row[cell] < 0 || k < 0) return [-1, -1];
  const [r, c] = [p.row[cell] - p.firstRow[k], p.col[cell] - p.firstCol[k]];
  return r < p.rows && c < p.cols ? [r, c + k * (p.cols + 1)] : [-1, -1];
}

/** The elements of a place in rows and columns. */
export function tile(p: Place, color: (cell: number) => RGB, says: Says): Grid {
  const cols = p.cols * p.panels + p.panels - 1;
  const cells = new Int32Array(p.rows * cols).fill(-1);
  for (let i = 0; i < p.cells; i++) {
    const [r, c] = inTile(p, i);
    if (r >= 0 && cells[r * cols + c] < 0) cells[r * cols + c] = i;
  }
  const period = p.cols + 1;
  const bands: Band[] = Array.from({ length: p.panels }, (_, k) => ({ from: k * period, to: k * period + p.cols, label: [`stage ${k}`, String(k)] }));
  return {
    rows: p.rows, cols, size: p.cells, color, ...says,
    bands: p.panels > 1 ? bands : undefined, colPeriod: p.panels > 1 ? period : undefined,
    gaps: p.panels > 1 ? (c) => c % period === p.cols : undefined,
    at: (r, c) => cells[r * cols + c] ?? -1,
    place: (i) => inTile(p, i),
    rowName: p.rowName, colName: p.colName,
    rowLabel: (r) => String(r + p.firstRow[0]),
    colLabel: (c) => (c % period < p.cols ? String((c % period) + (p.panels > 1 ? 0 : p.firstCol[0])) : ""),
    aspect: Math.min(Math.max(p.rows / (cols * (p.kind === "shared" ? 1.1 : 0.8)), 0.5), 1.6),
  };
}

/** A place as an operand, for the grids that the other pages use. */
function operandOf(p: Place): Operand {
  const list = (x: Int32Array) => x as unknown as number[]; // read only
  return { name: p.name, text: "", size: p.cells, modes: [p.rows, p.cols], rows: p.rows, cols: p.cols, panels: 1, row: list(p.row), col: list(p.col) };
}

/** Registers: threads down, values across. Threads with few values are folded, a warp beside another. */
export function threads(p: Place, color: (cell: number) => RGB, says: Says): Fluid | Grid {
  const values = Math.max(p.values ?? 1, 1);
  if (values > 16) return { ...lanes(p, color, says), rowName: "thread", colName: "value", rowLabel: (r) => "T" + r, colLabel: (c) => "V" + c };
  const o = { ...operandOf(p), threads: p.threads, values, thread: Array.from({ length: p.cells }, (_, i) => Math.floor(i / values)), value: Array.from({ length: p.cells }, (_, i) => i % values) };
  const fluid = grids.hardware(o, color);
  const made = new Map<Grid, Grid>(); // a grid that stays the same is not painted again
  return (width) => {
    const g = fluid(width);
    if (!made.has(g)) made.set(g, { ...g, ...says });
    return made.get(g)!;
  };
}

/** Tensor memory: lanes down, columns across. */
export function lanes(p: Place, color: (cell: number) => RGB, says: Says): Grid {
  const cols = Math.max(p.values ?? 1, 1);
  const rows = Math.ceil(p.cells / cols);
  const rules: Rule[] = [];
  for (let at = warp; at < rows; at += warp) rules.push({ at, width: 2 });
  return {
    rows, cols, size: p.cells, color, ...says, rowRules: rules, rowName: "lane", colName: "column",
    at: (r, c) => (r * cols + c < p.cells ? r * cols + c : -1), place: (i) => [Math.floor(i / cols), i % cols], aspect: Math.min(Math.max(rows / cols, 0.6), 1.6),
  };
}

/** The banks of one panel of shared memory: its bytes in rows of all banks. */
export function banks(p: Place, panel: number, pal: Palette, color: (cell: number) => RGB, says: Says): Grid | null {
  const shared = stretch(p);
  const each = Math.floor(p.cells / p.panels);
  const of = p.panel ? Array.from({ length: p.cells }, (_, i) => i).filter((i) => p.panel![i] === panel) : Array.from({ length: p.cells }, (_, i) => i);
  const list = of.length > 0 ? of : Array.from({ length: each }, (_, i) => panel * each + i);
  const first = Math.floor(((p.base ?? 0) * 8) / p.bits);
  const g = shared && grids.banks({ ...operandOf(p), size: list.length, row: undefined, col: undefined, offset: list.map((i) => first + i) }, pal, shared);
  if (!g) return null;
  const at = new Map(list.map((cell, k) => [cell, k]));
  return {
    ...g, ...says, size: p.cells, color,
    at: (r, c) => {
      const k = g.at(r, c);
      return k < 0 ? -1 : list[k];
    },
    place: (i) => (at.has(i) ? g.place(at.get(i)!) : [-1, -1]),
  };
}

/** The places of the first elements of all banks; null if elements cross the borders of words. */
function stretch(p: Place): Stretch | null {
  const n = (allBanks * 8) / p.bits;
  if (!Number.isInteger(n)) return null;
  const byte = Array.from({ length: n }, (_, k) => Math.floor((k * p.bits) / 8));
  const bank = byte.map((b) => Math.floor(b / 4));
  return p.bits > 32 ? { bytes: allBanks, byte, bank, last: byte.map((b) => Math.floor((b + p.bits / 8 - 1) / 4)) } : { bytes: allBanks, byte, bank };
}
