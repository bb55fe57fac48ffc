// A grid of cells on a canvas that can be zoomed and panned: the colors of all cells are one bitmap, drawn scaled, and only the
// lines and labels that can be seen are drawn one by one, so that 10^5 cells move at the speed of the screen.

import { useEffect, useRef, useState } from "preact/hooks";
import type { RGB } from "./color";
import { css, inkOn } from "./color";
import type { Glow } from "./model";
import { useSize } from "./use";

/** What a grid shows. Cells are squares at (row, column); a cell may be empty. */
export interface Grid {
  id: string; // changes when anything else does
  rows: number;
  cols: number;
  rowName?: string;
  colName?: string;
  rowLabel?: (r: number) => string;
  colLabel?: (c: number) => string;
  aspect?: number; // width of a cell over its height, 1 if absent
  /** The element in a cell, -1 for none. */
  at: (r: number, c: number) => number;
  /** The cell of an element. */
  place: (i: number) => [number, number];
  color: (i: number) => RGB;
  /** The lines of text in the cell of an element, the most important first. */
  label: (i: number) => string[];
  /** Borders before these rows and columns, with their widths in pixels. */
  rowRules?: { at: number; width: number }[];
  colRules?: { at: number; width: number }[];
  /** A mark on an element: a dot in its corner. */
  marked?: (i: number) => boolean;
  /** What a screen reader says of an element. */
  say: (i: number) => string;
  size: number; // the number of elements
}

interface Props {
  grid: Grid;
  name: string;
  glow: (i: number) => Glow;
  glowing: boolean; // whether glow is not 0 everywhere
  selected: number; // an element, or -1
  onHover: (i: number) => void; // -1: none
  onSelect: (i: number) => void;
  maxHeight?: number; // in CSS pixels, 420 if absent
}

interface Camera {
  scale: number; // the height of a cell in CSS pixels
  x: number; // the left edge of column 0
  y: number;
}

const axisLeft = 44;
const axisTop = 26;
const labelFont = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

export function GridCanvas(p: Props) {
  const [box, width] = useSize<HTMLDivElement>();
  const height = naturalHeight(p.grid, width, p.maxHeight ?? 420);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [camera, move] = useState<Camera | null>(null);
  const [focus, setFocus] = useState(-1);
  const bitmap = useRef<{ id: string; image: HTMLCanvasElement } | null>(null);
  const drag = useRef<{ x: number; y: number; camera: Camera; moved: boolean; pointers: Map<number, [number, number]> } | null>(null);
  const g = p.grid;
  const aspect = g.aspect ?? 1;
  const fitted = fit(g, width, height);
  const view = camera ?? fitted;
  const shapeKey = `${g.rows}x${g.cols}`;

  // Another shape is another picture: it begins fitted.
  useEffect(() => move(null), [shapeKey]);

  useEffect(() => {
    const c = canvas.current;
    if (!c || width === 0 || height === 0) return;
    const frame = requestAnimationFrame(() => paint(c));
    return () => cancelAnimationFrame(frame);
  });

  function paint(c: HTMLCanvasElement): void {
    const ratio = devicePixelRatio || 1;
    if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) {
      c.width = Math.round(width * ratio);
      c.height = Math.round(height * ratio);
    }
    const x = c.getContext("2d")!;
    x.setTransform(ratio, 0, 0, ratio, 0, 0);
    x.clearRect(0, 0, width, height);
    if (bitmap.current?.id !== g.id) bitmap.current = { id: g.id, image: colors(g) };
    drawGrid(x, g, bitmap.current.image, view, width, height, p, focus, getComputedStyle(c));
  }

  function hit(e: { clientX: number; clientY: number }): number {
    const r = canvas.current!.getBoundingClientRect();
    const row = Math.floor((e.clientY - r.top - view.y) / view.scale);
    const col = Math.floor((e.clientX - r.left - view.x) / (view.scale * aspect));
    if (row < 0 || col < 0 || row >= g.rows || col >= g.cols) return -1;
    return g.at(row, col);
  }

  function zoom(factor: number, at?: { x: number; y: number }): void {
    const cx = at?.x ?? width / 2;
    const cy = at?.y ?? height / 2;
    const scale = Math.min(Math.max(view.scale * factor, Math.min(fitted.scale / 2, 1)), 200);
    const f = scale / view.scale;
    move({ scale, x: cx - (cx - view.x) * f, y: cy - (cy - view.y) * f });
  }

  useEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const wheel = (e: WheelEvent) => {
      // A wheel scrolls the page unless a key says that the grid is meant, or the grid has the focus.
      if (!e.ctrlKey && !e.metaKey && document.activeElement !== c) return;
      e.preventDefault();
      const r = c.getBoundingClientRect();
      zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), { x: e.clientX - r.left, y: e.clientY - r.top });
    };
    c.addEventListener("wheel", wheel, { passive: false });
    return () => c.removeEventListener("wheel", wheel);
  });

  function key(e: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (steps[e.key]) {
      e.preventDefault();
      const from = focus >= 0 && focus < g.size ? focus : p.selected;
      if (from < 0) return go(g.at(0, 0));
      let [r, c] = g.place(from);
      const [dr, dc] = steps[e.key];
      for (let n = 0; n < g.rows + g.cols; n++) {
        r += dr;
        c += dc;
        if (r < 0 || c < 0 || r >= g.rows || c >= g.cols) return;
        if (g.at(r, c) >= 0) return go(g.at(r, c));
      }
    } else if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      if (focus >= 0) p.onSelect(focus === p.selected ? -1 : focus);
    } else if (e.key === "Escape") {
      setFocus(-1);
      p.onSelect(-1);
      p.onHover(-1);
    } else if (e.key === "+" || e.key === "=") zoom(1.3);
    else if (e.key === "-") zoom(1 / 1.3);
    else if (e.key === "0") move(null);
  }

  function go(i: number): void {
    if (i < 0) return;
    setFocus(i);
    p.onHover(i);
    const [r, c] = g.place(i);
    const left = view.x + c * view.scale * aspect;
    const top = view.y + r * view.scale;
    if (left < axisLeft || top < axisTop || left + view.scale * aspect > width || top + view.scale > height) {
      move({ ...view, x: view.x + width / 2 - left, y: view.y + height / 2 - top });
    }
  }

  function down(e: PointerEvent): void {
    canvas.current!.setPointerCapture(e.pointerId);
    const pointers = drag.current?.pointers ?? new Map<number, [number, number]>();
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    drag.current = { x: e.clientX, y: e.clientY, camera: view, moved: pointers.size > 1, pointers };
  }

  function moving(e: PointerEvent): void {
    const d = drag.current;
    if (!d) return p.onHover(hit(e));
    const before = spread(d.pointers);
    d.pointers.set(e.pointerId, [e.clientX, e.clientY]);
    if (d.pointers.size === 2) {
      const after = spread(d.pointers);
      const r = canvas.current!.getBoundingClientRect();
      if (before.distance > 0) zoom(after.distance / before.distance, { x: after.x - r.left, y: after.y - r.top });
      return;
    }
    if (Math.hypot(e.clientX - d.x, e.clientY - d.y) > 4) d.moved = true;
    if (d.moved) move({ ...d.camera, x: d.camera.x + e.clientX - d.x, y: d.camera.y + e.clientY - d.y });
  }

  function up(e: PointerEvent): void {
    const d = drag.current;
    d?.pointers.delete(e.pointerId);
    if (d && d.pointers.size > 0) return;
    drag.current = null;
    if (d && !d.moved) {
      const i = hit(e);
      canvas.current!.focus();
      setFocus(i);
      p.onSelect(i === p.selected ? -1 : i);
    }
  }

  return (
    <div class="grid-box" ref={box} style={{ height: height + "px" }}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={`${p.name}: ${g.rows} rows, ${g.cols} columns. Arrow keys move, Enter selects, plus and minus zoom, 0 fits.`}
        style={{ width: "100%", height: "100%" }}
        onKeyDown={key}
        onPointerDown={down}
        onPointerMove={moving}
        onPointerUp={up}
        onPointerCancel={up}
        onPointerLeave={() => !drag.current && p.onHover(-1)}
        onDblClick={() => move(null)}
      />
      <div class="grid-tools">
        <button type="button" title="Zoom in (+)" aria-label="zoom in" onClick={() => zoom(1.4)}>+</button>
        <button type="button" title="Zoom out (-)" aria-label="zoom out" onClick={() => zoom(1 / 1.4)}>−</button>
        <button type="button" title="Fit (0)" aria-label="fit" onClick={() => move(null)}>⤢</button>
      </div>
      <div class="visually-hidden" aria-live="polite">{focus >= 0 && focus < g.size ? g.say(focus) : ""}</div>
    </div>
  );
}

function spread(m: Map<number, [number, number]>): { x: number; y: number; distance: number } {
  const [a, b] = [...m.values()];
  if (!b) return { x: a?.[0] ?? 0, y: a?.[1] ?? 0, distance: 0 };
  return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, distance: Math.hypot(a[0] - b[0], a[1] - b[1]) };
}

/** The height at which a grid fills its width with cells of a good size, within limits. */
function naturalHeight(g: Grid, width: number, most: number): number {
  const aspect = g.aspect ?? 1;
  const cell = Math.min(Math.max(width - axisLeft - 8, 10) / (g.cols * aspect), 40);
  const rows = Math.min(Math.max(cell * g.rows, Math.min(g.rows * 13, 240)), most);
  return Math.max(rows + axisTop + 8, 90);
}

/** The camera that shows all of a grid. */
function fit(g: Grid, width: number, height: number): Camera {
  const aspect = g.aspect ?? 1;
  const w = Math.max(width - axisLeft - 8, 10);
  const h = Math.max(height - axisTop - 8, 10);
  const scale = Math.max(Math.min(w / (g.cols * aspect), h / g.rows, 40), 0.05);
  return { scale, x: axisLeft + Math.max((w - g.cols * aspect * scale) / 2, 0), y: axisTop };
}

/** One pixel for each cell. */
function colors(g: Grid): HTMLCanvasElement {
  const c = document.createElement("canvas");
  c.width = Math.max(g.cols, 1);
  c.height = Math.max(g.rows, 1);
  const x = c.getContext("2d")!;
  const image = x.createImageData(c.width, c.height);
  for (let i = 0; i < g.size; i++) {
    const [r, k] = g.place(i);
    const color = g.color(i);
    const at = 4 * (r * c.width + k);
    image.data[at] = color[0];
    image.data[at + 1] = color[1];
    image.data[at + 2] = color[2];
    image.data[at + 3] = 255;
  }
  x.putImageData(image, 0, 0);
  return c;
}

function drawGrid(
  x: CanvasRenderingContext2D, g: Grid, image: HTMLCanvasElement, v: Camera, width: number, height: number, p: Props,
  focus: number, style: CSSStyleDeclaration,
): void {
  const ch = v.scale;
  const cw = v.scale * (g.aspect ?? 1);
  const ink = style.getPropertyValue("--ink");
  const soft = style.getPropertyValue("--soft");
  const rule = style.getPropertyValue("--rule");
  const accent = style.getPropertyValue("--accent");
  const bad = style.getPropertyValue("--bad");
  x.save();
  x.beginPath();
  x.rect(axisLeft, axisTop, width - axisLeft, height - axisTop);
  x.clip();
  x.imageSmoothingEnabled = ch < 1;
  x.globalAlpha = p.glowing ? 0.38 : 1;
  x.drawImage(image, v.x, v.y, g.cols * cw, g.rows * ch);
  x.globalAlpha = 1;
  const r0 = Math.max(Math.floor((axisTop - v.y) / ch), 0);
  const r1 = Math.min(Math.ceil((height - v.y) / ch), g.rows);
  const c0 = Math.max(Math.floor((axisLeft - v.x) / cw), 0);
  const c1 = Math.min(Math.ceil((width - v.x) / cw), g.cols);
  const few = (r1 - r0) * (c1 - c0) <= 40000;

  // What is lit, in full color.
  if (p.glowing) {
    for (let i = 0; i < g.size; i++) {
      const lit = p.glow(i);
      if (lit === 0) continue;
      const [r, c] = g.place(i);
      if (r < r0 || r >= r1 || c < c0 || c >= c1) continue;
      x.fillStyle = css(g.color(i));
      x.fillRect(v.x + c * cw, v.y + r * ch, cw, ch);
    }
  }
  if (ch >= 7 && few) {
    x.strokeStyle = rule;
    x.lineWidth = 1;
    x.beginPath();
    for (let r = r0; r < r1; r++) {
      for (let c = c0; c < c1; c++) {
        if (g.at(r, c) >= 0) x.rect(Math.round(v.x + c * cw) + 0.5, Math.round(v.y + r * ch) + 0.5, Math.round(cw), Math.round(ch));
      }
    }
    x.stroke();
  }
  if (ch >= 3) {
    x.fillStyle = ink;
    for (const b of g.rowRules ?? []) {
      if (b.at > r0 && b.at < r1 + 1) x.fillRect(Math.max(v.x, axisLeft), v.y + b.at * ch - b.width / 2, g.cols * cw, b.width);
    }
    for (const b of g.colRules ?? []) {
      if (b.at > c0 && b.at < c1 + 1) x.fillRect(v.x + b.at * cw - b.width / 2, Math.max(v.y, axisTop), b.width, g.rows * ch);
    }
  }
  if (ch >= 13 && cw >= 16 && few) drawLabels(x, g, v, cw, ch, [r0, r1, c0, c1], p);

  // The frames of what is lit, selected and focused lie on top.
  const frame = (i: number, color: string, line: number) => {
    const [r, c] = g.place(i);
    x.strokeStyle = color;
    x.lineWidth = line;
    x.strokeRect(v.x + c * cw, v.y + r * ch, cw, ch);
  };
  if (p.glowing) {
    for (let i = 0; i < g.size; i++) {
      const lit = p.glow(i);
      if (lit >= 2 && (ch >= 3 || lit === 3)) frame(i, lit === 3 ? accent : ink, lit === 3 ? 3 : 1.5);
    }
  }
  if (g.marked && ch >= 5 && few) {
    x.fillStyle = bad;
    for (let r = r0; r < r1; r++) {
      for (let c = c0; c < c1; c++) {
        const i = g.at(r, c);
        if (i >= 0 && g.marked(i)) {
          x.beginPath();
          x.arc(v.x + (c + 1) * cw - ch * 0.14, v.y + r * ch + ch * 0.14, Math.max(ch * 0.07, 1.5), 0, 7);
          x.fill();
        }
      }
    }
  }
  if (p.selected >= 0 && p.selected < g.size) frame(p.selected, accent, 3);
  if (focus >= 0 && focus < g.size) {
    x.setLineDash([4, 3]);
    frame(focus, ink, 1.5);
    x.setLineDash([]);
  }
  x.restore();
  drawAxes(x, g, v, cw, ch, width, height, soft);
}

function drawLabels(
  x: CanvasRenderingContext2D, g: Grid, v: Camera, cw: number, ch: number, [r0, r1, c0, c1]: [number, number, number, number], p: Props,
): void {
  x.textAlign = "center";
  x.textBaseline = "middle";
  const dim = getInk();
  // All labels have one size, that of the longest in sight, with all lines if they fit.
  let longest = 1;
  let lines = 1;
  for (let r = r0; r < r1; r++) {
    for (let c = c0; c < c1; c++) {
      const i = g.at(r, c);
      if (i < 0) continue;
      const text = g.label(i);
      lines = Math.max(lines, text.length);
      for (const t of text) longest = Math.max(longest, t.length);
    }
  }
  const room = ch >= 11 * lines + 3 ? lines : 1;
  const size = Math.min((ch * 0.72) / room, (cw - 3) / (longest * 0.602), 14);
  if (size < 6.5) return;
  x.font = `${size.toFixed(1)}px ${labelFont}`;
  for (let r = r0; r < r1; r++) {
    for (let c = c0; c < c1; c++) {
      const i = g.at(r, c);
      if (i < 0) continue;
      const text = g.label(i);
      const off = p.glowing && p.glow(i) === 0;
      x.globalAlpha = off ? 0.45 : 1;
      x.fillStyle = off ? dim : inkOn(g.color(i));
      const n = Math.min(room, text.length);
      for (let k = 0; k < n; k++) {
        x.fillText(text[k], v.x + (c + 0.5) * cw, v.y + (r + 0.5) * ch + (k - (n - 1) / 2) * size * 1.12);
      }
    }
  }
  x.globalAlpha = 1;
}

function getInk(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--ink");
}

function drawAxes(
  x: CanvasRenderingContext2D, g: Grid, v: Camera, cw: number, ch: number, width: number, height: number, soft: string,
): void {
  x.fillStyle = soft;
  x.textBaseline = "middle";
  x.textAlign = "right";
  x.font = `10.5px ${labelFont}`;
  const step = (unit: number, room: number) => {
    let k = 1;
    while (k * unit < room) k *= 2;
    return k;
  };
  const rs = step(ch, 13);
  for (let r = Math.max(Math.ceil((axisTop - v.y) / ch / rs) * rs, 0); r < g.rows; r += rs) {
    const y = v.y + (r + 0.5) * ch;
    if (y > height) break;
    if (y >= axisTop) x.fillText(g.rowLabel?.(r) ?? String(r), Math.min(v.x, width) - 6 < axisLeft - 6 ? axisLeft - 6 : v.x - 6, y);
  }
  x.textAlign = "center";
  const widest = Math.max(...[0, g.cols - 1].map((c) => (g.colLabel?.(c) ?? String(c)).length)) * 6.6 + 6;
  const cs = step(cw, widest);
  for (let c = Math.max(Math.ceil((axisLeft - v.x) / cw / cs) * cs, 0); c < g.cols; c += cs) {
    const cx = v.x + (c + 0.5) * cw;
    if (cx > width) break;
    if (cx >= axisLeft) x.fillText(g.colLabel?.(c) ?? String(c), cx, Math.max(v.y, axisTop) - 8);
  }
  x.font = `bold 11px ${labelFont}`;
  x.textAlign = "left";
  const names = [g.rowName && "↓ " + g.rowName, g.colName && "→ " + g.colName].filter(Boolean);
  names.forEach((n, k) => x.fillText(n as string, 3, 8 + 11 * k));
}
