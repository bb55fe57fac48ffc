// The content of a grid of cells, and the room that it needs.

import type { RGB } from "./color";

/**
 * The content of a grid. Cells are squares at (row, column); a cell may be empty. A grid never changes, so painted results are
 * cached with it.
 */
export interface Grid {
  rows: number;
  cols: number;
  rowName?: string;
  colName?: string;
  rowLabel?: (r: number) => string;
  colLabel?: (c: number) => string;
  aspect?: number; // the preferred width of a cell relative to its height; 1 if absent
  /** The element in a cell; -1 for none. */
  at: (r: number, c: number) => number;
  /** The cell of an element. */
  place: (i: number) => [number, number];
  color: (i: number) => RGB;
  /** The lines of text in the cell of an element, the most important first. */
  label: (i: number) => string[];
  /** Borders before these rows and columns, with their widths in pixels. */
  rowRules?: Rule[];
  colRules?: Rule[];
  /** Borders between neighbours that belong to different threads or warps. */
  borders?: Border[];
  /** Headers over runs of columns, such as warps that are side by side. */
  bands?: Band[];
  /** The column labels repeat after this number of columns. */
  colPeriod?: number;
  /** Columns that separate panels: they have no cells. */
  gaps?: (c: number) => boolean;
  /** A mark on an element: a dot in its corner. */
  marked?: (i: number) => boolean;
  /** The text of an element for a screen reader. */
  say: (i: number) => string;
  size: number; // the number of elements
}

/** A border before a row or a column, with its width in pixels. */
export interface Rule {
  at: number;
  width: number;
}

/** A header over the columns from "from" to "to": the longest of its texts that fits. */
export interface Band {
  from: number;
  to: number;
  label: string[]; // longest first
}

/** A grid whose layout depends on the available width, in CSS pixels. */
export type Fluid = (width: number) => Grid;

/** A border along cells: below the row "at" from column "from" to "to", or right of the column "at" from row "from" to "to". */
export interface Border {
  down: boolean; // vertical, to the left of a column
  at: number; // the border is before this row or column
  from: number;
  to: number;
  level: 1 | 2 | 3; // the border of a thread, a warp, an atom
}

/** The place of a grid on its canvas, in CSS pixels. */
export interface Camera {
  scale: number; // the height of a cell
  aspect: number; // the width of a cell over its height
  x: number; // the left edge of column 0
  y: number;
}

/** The room for the axes; the longest label decides the room at the left. */
export interface Axes {
  left: number;
  top: number;
}

/** The size of the cells of a grid that is aligned with others, and the room to its left, in CSS pixels. */
export interface Frame {
  w: number;
  h: number;
  left: number;
}

const maxCell = 40;
/** The width of a character of an axis label. */
export const axisChar = 6.35;

// The caption, the headers and the column labels have one line each.
export const captionLine = 14;
const bandLine = 15;

/** The room for the axes of a grid. */
export function axesOf(g: Grid, width: number): Axes {
  let longest = 1;
  const step = Math.max(Math.floor(g.rows / 256), 1);
  for (let r = 0; r < g.rows; r += step) longest = Math.max(longest, rowLabel(g, r).length);
  longest = Math.max(longest, rowLabel(g, g.rows - 1).length);
  const left = Math.min(Math.max(longest * axisChar + 12, 26), Math.max(width * 0.34, 40));
  return { left, top: 18 + (g.rowName || g.colName ? captionLine : 2) + (g.bands ? bandLine : 0) };
}

export function rowLabel(g: Grid, r: number): string {
  return g.rowLabel?.(r) ?? String(r);
}

export function colLabel(g: Grid, c: number): string {
  return g.colLabel?.(c) ?? String(c);
}

/** The size of a cell: as wide as the width allows. If a grid has few rows, cells are taller than wide. */
export function cell(g: Pick<Grid, "rows" | "cols" | "aspect">, width: number, most: number, a: Axes): { w: number; h: number } {
  const like = g.aspect ?? 1;
  const w = Math.min(Math.max(width - a.left - 8, 10) / Math.max(g.cols, 1), maxCell * like);
  const room = Math.max(most - a.top - 8, 10) / Math.max(g.rows, 1);
  const tall = Math.min(w * 3, 20, (width * 0.5) / Math.max(g.rows, 1));
  const h = Math.min(Math.max(w / like, tall), room, maxCell);
  // If the height is the limit, cells are no wider than preferred, or slightly wider if they are tiny.
  return { w: Math.min(w, Math.max(h, 4) * like), h };
}

/** The height at which a grid fills its width with cells of a good size, within limits; for an aligned grid, the height of its cells. */
export function naturalHeight(g: Grid, width: number, most: number, frame?: Frame): number {
  const a = axesOf(g, width);
  const h = frame ? frame.h : cell(g, width, most, a).h;
  return Math.max(h * g.rows + a.top + 8, frame ? 0 : 84);
}

/** The camera that shows a whole grid. */
export function fit(g: Grid, width: number, height: number, a: Axes, frame?: Frame): Camera {
  if (frame) return { scale: frame.h, aspect: frame.w / frame.h, x: frame.left, y: a.top };
  const { w, h } = cell(g, width, Math.max(height, 40), a);
  const scale = Math.max(h, 0.05);
  const free = width - a.left - 8 - g.cols * w;
  return { scale, aspect: Math.max(w, 0.05) / scale, x: a.left + Math.max(free / 2, 0), y: a.top };
}
