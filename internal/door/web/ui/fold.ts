// How the threads of a thread-value grid are folded. Blocks of threads are side by side, each with its values, so
// that the picture uses the available width. A block is a warp if that is readable.

import { cell } from "./grid";

/** The width of a cell relative to its height, and the largest height of the picture in CSS pixels. */
export const aspect = 1.9;
export const highest = 820;

/** Blocks of the given number of threads, side by side. */
export interface Fold {
  threads: number; // of a block: the rows
  blocks: number;
}

// The size of a label, as in paint.ts: the width of a character relative to its size, and the smallest readable size.
const charWidth = 0.602;
const readable = 5.8;

/**
 * The fold of threads times values for a width: with the largest labels, and among these a picture that fills the width and is not
 * high. chars is the length of a label.
 */
export function fold(threads: number, values: number, warp: number, chars: number, width: number): Fold {
  let best: Fold = { threads, blocks: 1 };
  let most = -Infinity;
  for (const rows of heights(threads, warp)) {
    const blocks = Math.ceil(threads / rows);
    const cols = blocks * values;
    const { w, h } = cell({ rows, cols, aspect }, width, highest, { left: 48, top: 47 });
    const label = h >= 12 && w >= 12 ? Math.min(h * 0.74, (w - 4) / (chars * charWidth), 10) : 0;
    const read = label >= readable ? 100 + label : Math.min(w / 1.5, h, 9);
    const score = read + (3 * w * cols) / width - (h * rows) / 300 + (rows === warp ? 1 : 0);
    if (score <= most) continue;
    most = score;
    best = { threads: rows, blocks };
  }
  return best;
}

/** The possible heights of blocks: whole warps, or parts of one. */
function heights(threads: number, warp: number): number[] {
  const out = [threads];
  for (let n = warp; n < threads; n *= 2) out.push(n);
  for (let n = Math.min(warp, threads) / 2; n >= 4 && Number.isInteger(n); n /= 2) out.push(n);
  return out;
}

/** The width of a row of memory for a span of offsets: a power of two times least, such that the picture fits a box. */
export function rowWidth(span: number, least: number, width: number, height: number): number {
  let n = least;
  // Rows more than twice as long as the grid is high would make a strip.
  while (span / n > 40 && (span / n) * width > 2 * n * height) n *= 2;
  return n;
}
