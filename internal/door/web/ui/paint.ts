// Paints a grid. The colors of all cells are one bitmap, drawn scaled; rules, borders and labels are drawn for the
// visible part.

import { inkOn } from "./color";
import type { Axes, Camera, Grid } from "./grid";
import { axisChar, captionLine, colLabel, rowLabel } from "./grid";
import type { Glow } from "./model";

const labelFont = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/** The colors of a grid, one pixel for each cell, and the inks of its labels. */
export interface Picture {
  of: Grid;
  image: HTMLCanvasElement;
  fill: Uint32Array; // of each element
  labels: (string[] | undefined)[]; // of each element that has been visible
}

/** What is lit: the level of each element, and the elements that are lit. */
export interface Lights {
  glow: Uint8Array;
  list: number[];
  over: Map<number, number>; // for a cell, the element shown instead of its first one
}

interface Scene {
  grid: Grid;
  picture: Picture;
  camera: Camera;
  axes: Axes;
  width: number;
  height: number;
  lit: Lights | null;
  selected: number;
  focus: number;
  style: CSSStyleDeclaration;
}

export function picture(g: Grid): Picture {
  const c = document.createElement("canvas");
  c.width = Math.max(g.cols, 1);
  c.height = Math.max(g.rows, 1);
  const x = c.getContext("2d")!;
  const image = x.createImageData(c.width, c.height);
  const data = image.data;
  const fill = new Uint32Array(g.size);
  for (let i = 0; i < g.size; i++) {
    const color = g.color(i);
    const red = Math.round(color[0]);
    const green = Math.round(color[1]);
    const blue = Math.round(color[2]);
    fill[i] = (red << 16) | (green << 8) | blue;
    const [r, k] = g.place(i);
    if (g.at(r, k) !== i) continue; // a cell shows the first of its elements
    const at = 4 * (r * c.width + k);
    data[at] = red;
    data[at + 1] = green;
    data[at + 2] = blue;
    data[at + 3] = 255;
  }
  x.putImageData(image, 0, 0);
  return { of: g, image: c, fill, labels: [] };
}

// The smallest size of a label that is drawn, and the width of its characters relative to its size.
const leastLabel = 5.8;
const charWidth = 0.602;

/** The height of a cell from which its label has a readable size. */
export function legible(g: Grid, aspect: number): number {
  const longest = Math.max(1, ...[0, g.size >> 1, g.size - 1].map((i) => (i >= 0 && i < g.size ? (g.label(i)[0] ?? "").length : 0)));
  const size = 9;
  return Math.max(12, 12 / aspect, size / 0.74, (longest * charWidth * size + 4) / aspect);
}

export function lights(g: Grid, glow: (i: number) => Glow): Lights {
  const out: Lights = { glow: new Uint8Array(g.size), list: [], over: new Map() };
  for (let i = 0; i < g.size; i++) {
    const level = glow(i);
    if (level === 0) continue;
    const [r, c] = g.place(i);
    const now = shownAt(g, out, r, c);
    if (now < 0) continue; // no thread holds it
    out.glow[i] = level;
    out.list.push(i);
    // A cell with several elements shows the one with the highest level; its label and color belong to the same
    // element.
    if (now !== i && out.glow[now] < level) out.over.set(r * g.cols + c, i);
  }
  return out;
}

/** The element that a cell shows: the first of several, or the one with the highest level; -1 for none. */
export function shownAt(g: Grid, lit: Lights | null, r: number, c: number): number {
  return lit?.over.get(r * g.cols + c) ?? g.at(r, c);
}

/** The visible cells: rows [r0, r1), columns [c0, c1). */
interface Sight {
  r0: number;
  r1: number;
  c0: number;
  c1: number;
  cw: number;
  ch: number;
}

export function paint(x: CanvasRenderingContext2D, s: Scene): void {
  const { grid: g, camera: v, axes } = s;
  const ch = v.scale;
  const cw = v.scale * v.aspect;
  const sight: Sight = {
    r0: Math.max(Math.floor((axes.top - v.y) / ch), 0), r1: Math.min(Math.ceil((s.height - v.y) / ch), g.rows),
    c0: Math.max(Math.floor((axes.left - v.x) / cw), 0), c1: Math.min(Math.ceil((s.width - v.x) / cw), g.cols), cw, ch,
  };
  const few = (sight.r1 - sight.r0) * (sight.c1 - sight.c0) <= 40000;
  x.save();
  x.beginPath();
  x.rect(axes.left, axes.top, s.width - axes.left, s.height - axes.top);
  x.clip();
  x.imageSmoothingEnabled = ch < 1 || cw < 1;
  x.globalAlpha = s.lit ? 0.38 : 1;
  x.drawImage(s.picture.image, v.x, v.y, g.cols * cw, g.rows * ch);
  x.globalAlpha = 1;
  if (s.lit) fillLit(x, s, sight);
  if (ch >= 7 && cw >= 5) drawLines(x, s, sight);
  drawBorders(x, s, sight);
  if (ch >= 12 && cw >= 12 && few) drawLabels(x, s, sight);
  drawFrames(x, s, sight, few);
  x.restore();
  drawAxes(x, s, sight);
}

/** Full color for lit cells; runs of one color in a row are one rectangle. */
function fillLit(x: CanvasRenderingContext2D, s: Scene, t: Sight): void {
  const { grid: g, camera: v, picture } = s;
  for (const i of s.lit!.list) {
    const [r, c] = g.place(i);
    if (r < t.r0 || r >= t.r1 || c < t.c0 || c >= t.c1 || shownAt(g, s.lit, r, c) !== i) continue;
    x.fillStyle = "#" + picture.fill[i].toString(16).padStart(6, "0");
    x.fillRect(v.x + c * t.cw, v.y + r * t.ch, t.cw, t.ch);
  }
}

/** The lines between cells: through the whole grid, including empty cells, except between panels. */
function drawLines(x: CanvasRenderingContext2D, s: Scene, t: Sight): void {
  const { grid: g, camera: v } = s;
  const top = v.y + t.r0 * t.ch;
  const bottom = v.y + t.r1 * t.ch;
  x.strokeStyle = s.style.getPropertyValue("--rule");
  x.lineWidth = 1;
  x.beginPath();
  for (let c = t.c0; c < t.c1; ) {
    if (g.gaps?.(c)) {
      c++;
      continue;
    }
    let end = c;
    while (end < t.c1 && !g.gaps?.(end)) end++;
    for (let r = t.r0; r <= t.r1; r++) {
      const y = Math.round(v.y + r * t.ch) + 0.5;
      x.moveTo(v.x + c * t.cw, y);
      x.lineTo(v.x + end * t.cw, y);
    }
    for (let k = c; k <= end; k++) {
      const at = Math.round(v.x + k * t.cw) + 0.5;
      x.moveTo(at, top);
      x.lineTo(at, bottom);
    }
    c = end;
  }
  x.stroke();
}

/** Mode boundaries by thickness, and the borders of threads and warps. */
function drawBorders(x: CanvasRenderingContext2D, s: Scene, t: Sight): void {
  const { grid: g, camera: v, axes } = s;
  x.fillStyle = s.style.getPropertyValue("--ink");
  if (t.ch >= 3) {
    for (const b of g.rowRules ?? []) {
      if (b.at > t.r0 && b.at < t.r1 + 1) x.fillRect(Math.max(v.x, axes.left), v.y + b.at * t.ch - b.width / 2, g.cols * t.cw, b.width);
    }
    for (const b of g.colRules ?? []) {
      if (b.at > t.c0 && b.at < t.c1 + 1) x.fillRect(v.x + b.at * t.cw - b.width / 2, Math.max(v.y, axes.top), b.width, g.rows * t.ch);
    }
  }
  const small = Math.min(t.cw, t.ch);
  const ink = s.style.getPropertyValue("--ink");
  const atom = s.style.getPropertyValue("--atom");
  for (const b of g.borders ?? []) {
    if (small < (b.level === 1 ? 5 : 3)) continue;
    // A warp may end where an atom ends; its line is drawn over the wider line of the atom.
    const w = b.level === 3 ? (small < 8 ? 2.5 : 4.5) : b.level === 2 ? (small < 8 ? 1.2 : 1.8) : 1;
    x.fillStyle = b.level === 3 ? atom : ink;
    x.globalAlpha = b.level === 1 ? 0.6 : 1;
    if (b.down) {
      if (b.at < t.c0 || b.at > t.c1 || b.to < t.r0 || b.from > t.r1) continue;
      x.fillRect(v.x + b.at * t.cw - w / 2 + 0.5, v.y + b.from * t.ch, w, (b.to - b.from) * t.ch);
    } else {
      if (b.at < t.r0 || b.at > t.r1 || b.to < t.c0 || b.from > t.c1) continue;
      x.fillRect(v.x + b.from * t.cw, v.y + b.at * t.ch - w / 2 + 0.5, (b.to - b.from) * t.cw, w);
    }
  }
  x.globalAlpha = 1;
}

function drawLabels(x: CanvasRenderingContext2D, s: Scene, t: Sight): void {
  const { grid: g, camera: v, picture } = s;
  const lines = (i: number) => (picture.labels[i] ??= g.label(i));
  x.textAlign = "center";
  x.textBaseline = "middle";
  // All labels have one size, which fits the longest visible label, with all its lines if possible.
  let longest = 1;
  let most = 1;
  for (let r = t.r0; r < t.r1; r++) {
    for (let c = t.c0; c < t.c1; c++) {
      const i = shownAt(g, s.lit, r, c);
      if (i < 0) continue;
      const text = lines(i);
      most = Math.max(most, text.length);
      for (const line of text) longest = Math.max(longest, line.length);
    }
  }
  const room = t.ch >= 10.5 * most + 2 ? most : 1;
  const size = Math.min((t.ch * 0.74) / room, (t.cw - 4) / (longest * charWidth), 14);
  if (size < leastLabel) return;
  x.font = `${size.toFixed(1)}px ${labelFont}`;
  const ink = s.style.getPropertyValue("--ink");
  const inks = new Map<number, string>();
  for (let r = t.r0; r < t.r1; r++) {
    for (let c = t.c0; c < t.c1; c++) {
      const i = shownAt(g, s.lit, r, c);
      if (i < 0) continue;
      const text = lines(i);
      const off = s.lit !== null && s.lit.glow[i] === 0;
      const fill = picture.fill[i];
      let color = off ? ink : inks.get(fill);
      if (color === undefined) inks.set(fill, (color = inkOn([fill >> 16, (fill >> 8) & 255, fill & 255])));
      x.globalAlpha = off ? 0.45 : 1;
      x.fillStyle = color;
      const n = Math.min(room, text.length);
      for (let k = 0; k < n; k++) x.fillText(text[k], v.x + (c + 0.5) * t.cw, v.y + (r + 0.5) * t.ch + (k - (n - 1) / 2) * size * 1.12);
    }
  }
  x.globalAlpha = 1;
}

/** The frames of lit, selected and focused cells, and the marks, on top of everything. */
function drawFrames(x: CanvasRenderingContext2D, s: Scene, t: Sight, few: boolean): void {
  const { grid: g, camera: v } = s;
  const ink = s.style.getPropertyValue("--ink");
  const accent = s.style.getPropertyValue("--accent");
  const frame = (i: number, color: string, line: number) => {
    const [r, c] = g.place(i);
    if (r < t.r0 || r >= t.r1 || c < t.c0 || c >= t.c1) return;
    x.strokeStyle = color;
    x.lineWidth = line;
    x.strokeRect(v.x + c * t.cw, v.y + r * t.ch, t.cw, t.ch);
  };
  if (s.lit) {
    for (const i of s.lit.list) {
      const level = s.lit.glow[i];
      if (level === 3 || (level === 2 && t.ch >= 3)) frame(i, level === 3 ? accent : ink, level === 3 ? 3 : 1.5);
    }
  }
  if (g.marked && t.ch >= 5 && few) {
    x.fillStyle = s.style.getPropertyValue("--bad");
    for (let r = t.r0; r < t.r1; r++) {
      for (let c = t.c0; c < t.c1; c++) {
        const i = g.at(r, c);
        if (i < 0 || !g.marked(i)) continue;
        x.beginPath();
        x.arc(v.x + (c + 1) * t.cw - t.ch * 0.14, v.y + r * t.ch + t.ch * 0.14, Math.max(Math.min(t.ch, t.cw) * 0.07, 1.5), 0, 7);
        x.fill();
      }
    }
  }
  if (s.selected >= 0 && s.selected < g.size) frame(s.selected, accent, 3);
  if (s.focus >= 0 && s.focus < g.size) {
    x.setLineDash([4, 3]);
    frame(s.focus, ink, 1.5);
    x.setLineDash([]);
  }
}

function drawAxes(x: CanvasRenderingContext2D, s: Scene, t: Sight): void {
  const { grid: g, camera: v, axes } = s;
  x.fillStyle = s.style.getPropertyValue("--soft");
  x.textBaseline = "middle";
  x.textAlign = "right";
  x.font = `10.5px ${labelFont}`;
  const step = (unit: number, room: number) => {
    let k = 1;
    while (k * unit < room) k *= 2;
    return k;
  };
  const fits = Math.max(Math.floor((axes.left - 8) / axisChar), 1);
  const rs = step(t.ch, 13);
  for (let r = Math.max(Math.ceil((axes.top - v.y) / t.ch / rs) * rs, 0); r < g.rows; r += rs) {
    const y = v.y + (r + 0.5) * t.ch;
    if (y > s.height) break;
    if (y < axes.top) continue;
    const label = rowLabel(g, r);
    x.fillText(label.length > fits ? "…" + label.slice(label.length - fits + 1) : label, Math.max(v.x, axes.left) - 6, y);
  }
  x.textAlign = "center";
  const widest = Math.max(...[0, g.cols >> 1, g.cols - 1].map((c) => colLabel(g, c).length)) * axisChar + 7;
  // Labels restart in each period, and the last label of a period keeps a distance from the next period; some labels
  // of short periods are omitted.
  const period = Math.max(g.colPeriod ?? g.cols, 1);
  const cs = step(t.cw, widest);
  const every = Math.ceil(cs / period);
  const above = Math.max(v.y, axes.top) - 8;
  const labelled = (c: number) => {
    const k = c % period;
    return k % cs === 0 && (k === 0 || period >= g.cols || k + cs <= period) && Math.floor(c / period) % every === 0;
  };
  for (let c = t.c0; c < t.c1; c++) {
    if (!labelled(c)) continue;
    const cx = v.x + (c + 0.5) * t.cw;
    if (cx > s.width) break;
    if (cx >= axes.left) x.fillText(colLabel(g, c), cx, above);
  }
  if (g.bands) drawBands(x, s, t, above - 14);
  if (!g.rowName && !g.colName) return;
  // The caption has its own line above all labels.
  x.font = `bold 10.5px ${labelFont}`;
  x.textAlign = "left";
  x.fillText([g.rowName && "↓ " + g.rowName, g.colName && "→ " + g.colName].filter(Boolean).join("  "), 3, captionLine / 2 + 1, s.width - 6);
}

/** The headers over runs of columns, each with a line as wide as its columns. A header without enough room is omitted. */
function drawBands(x: CanvasRenderingContext2D, s: Scene, t: Sight, y: number): void {
  const { grid: g, camera: v, axes } = s;
  x.font = `10.5px ${labelFont}`;
  x.textAlign = "center";
  for (const b of g.bands ?? []) {
    const left = Math.max(v.x + b.from * t.cw, axes.left);
    const right = Math.min(v.x + b.to * t.cw, s.width);
    const label = b.label.find((text) => text.length * axisChar <= right - left - 4);
    if (label === undefined) continue;
    x.fillText(label, (left + right) / 2, y - 1);
    x.fillRect(left + 2, y + 7, right - left - 4, 1);
  }
}
