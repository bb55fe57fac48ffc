// The three operands of an MMA arranged as in CUTLASS's print_latex: A to the left of C and B above it, with cells of
// one size, so that rows of A continue in C and columns of B are above the columns of C.

import type { Frame, Grid } from "./grid";
import { axesOf } from "./grid";

/** The frames of A, B and C, and the width of the column of A; 0 if they are below each other. */
export interface Alignment {
  frames: Frame[];
  column: number;
}

// In CSS pixels: the padding of a card and the gap between cards. The corner above A shows the element.
const padding = 20;
const gap = 12;
const corner = 250;
const edge = 8;

/** Aligns the grids of A, B (as drawn above C) and C in a width. */
export function aligned([a, b, c]: Grid[], width: number): Alignment {
  const across = Math.max(axesOf(b, width).left, axesOf(c, width).left);
  const down = axesOf(a, width).left;
  const beside = width >= 560;
  let w: number;
  let column = 0;
  if (beside) {
    w = (width - gap - 2 * (padding + edge) - down - across) / (a.cols + c.cols);
    if (a.cols * w + down + edge + padding < corner) w = (width - gap - corner - padding - edge - across) / c.cols;
    w = Math.min(w, 44);
    column = Math.max(a.cols * w + down + edge + padding, corner);
  } else {
    w = (width - padding - edge - Math.max(across, down)) / Math.max(a.cols, b.cols, c.cols);
  }
  const h = height(w, a.rows + b.rows);
  w = Math.max(Math.min(w, h * 2.2), 0.5);
  const frame = (left: number): Frame => ({ w, h, left });
  return { frames: beside ? [frame(down), frame(across), frame(across)] : [a, b, c].map(() => frame(Math.max(across, down))), column: Math.round(column) };
}

/** The height of cells of a width: large enough to read their labels if the width allows, otherwise small enough to show everything. */
function height(w: number, rows: number): number {
  const like = Math.min(w / 1.25, Math.max(1150 / rows, 15));
  return Math.max(w >= 16 ? Math.max(like, 14) : Math.max(like, Math.min(w * 2, 12, 700 / rows)), 0.5);
}
