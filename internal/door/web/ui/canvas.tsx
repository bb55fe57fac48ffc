// A grid of cells on a canvas that can be zoomed and panned. The colors of all cells are one bitmap, drawn scaled.
// Only the visible lines and labels are drawn one by one, so that 10^5 cells move at the speed of the screen.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Camera, Fluid, Frame, Grid } from "./grid";
import { axesOf, fit, naturalHeight } from "./grid";
import type { Glow } from "./model";
import { legible, lights, paint, picture } from "./paint";
import { useSize } from "./use";
import { cameraOf, lookOf, sizeAt, useLook, zoomOf } from "./look";

interface Props {
  grid: Grid | Fluid;
  id: string; // of the grid on its page: the URL stores its zoom and position under this name
  name: string;
  glow: (i: number) => Glow;
  glowing: boolean; // whether glow is not 0 everywhere
  selected: number; // an element, or -1
  held?: boolean; // an element is selected, here or in another grid, and the element under the pointer is compared with it
  onHover: (i: number) => void; // -1: none
  onSelect: (i: number) => void;
  maxHeight?: number; // in CSS pixels, 420 if absent
  frame?: Frame; // the size of cells, if given, so that grids are aligned
  children?: ComponentChildren; // below the grid: its legend
}

export function GridCanvas(p: Props) {
  const [box, width] = useSize<HTMLDivElement>();
  const g = useMemo(() => (typeof p.grid === "function" ? p.grid(width || 600) : p.grid), [p.grid, width]);
  // On a small screen, leave room to see and touch the content around a picture.
  const most = Math.min(p.maxHeight ?? 420, width < 500 ? Math.max(innerHeight * 0.62, 280) : Infinity);
  const height = naturalHeight(g, width, most, p.frame);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [look, setLook] = useLook(p.id);
  const [focus, setFocus] = useState(-1);
  const bitmap = useRef<ReturnType<typeof picture> | null>(null);
  const drag = useRef<{ x: number; y: number; camera: Camera; moved: boolean; pointers: Map<number, [number, number]>; still: boolean } | null>(null);
  const own = useMemo(() => axesOf(g, width), [g, width]);
  const axes = p.frame ? { ...own, left: p.frame.left } : own;
  const fitted = fit(g, width, height, axes, p.frame);
  const room = { left: axes.left, top: axes.top, width, height, rows: g.rows, cols: g.cols };
  const liked = g.aspect ?? 1;
  const view = look ? cameraOf(look, fitted, room, liked) : fitted;
  const aspect = view.aspect;
  const hides = g.size > 0 && !numbered(fitted);
  const move = (c: Camera | null) => setLook(c && lookOf(c, fitted, room));
  // The lit elements depend on the pointer, not on the position of the grid.
  const lit = useMemo(() => (p.glowing ? lights(g, p.glow) : null), [g, p.glow, p.glowing]);
  const shapeKey = `${g.rows}x${g.cols}`;

  // Another shape is another picture: it starts fitted, without focus.
  const lastShape = useRef("");
  useLayoutEffect(() => {
    if (width === 0) return; // a grid takes its layout from the width
    if (lastShape.current !== "") {
      setLook(null);
      setFocus(-1);
    }
    lastShape.current = shapeKey;
  }, [shapeKey, width > 0]);

  // A layout effect draws in the next frame; other effects run after it.
  useLayoutEffect(() => {
    const c = canvas.current;
    if (!c || width === 0 || height === 0) return;
    const frame = requestAnimationFrame(() => draw(c));
    return () => cancelAnimationFrame(frame);
    // A grid in another theme is another grid.
  }, [g, view.scale, view.aspect, view.x, view.y, lit, p.selected, focus, width, height]);

  function draw(c: HTMLCanvasElement): void {
    const ratio = devicePixelRatio || 1;
    if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) {
      c.width = Math.round(width * ratio);
      c.height = Math.round(height * ratio);
    }
    const x = c.getContext("2d")!;
    x.setTransform(ratio, 0, 0, ratio, 0, 0);
    x.clearRect(0, 0, width, height);
    if (bitmap.current?.of !== g) bitmap.current = picture(g);
    // The places of the cells, for browser tests.
    c.dataset.cells = [view.x, view.y, view.scale * view.aspect, view.scale].join(" ");
    paint(x, { grid: g, picture: bitmap.current, camera: view, axes, width, height, lit, selected: p.selected, focus, style: getComputedStyle(c) });
  }

  /** Zooms in until the numbers in the cells fit. */
  function near(): void {
    const i = focus >= 0 ? focus : Math.max(p.selected, 0);
    const [r, c] = g.place(Math.min(i, g.size - 1));
    // Widen in small steps until cells fit their numbers.
    let zoom = 1;
    while (zoom < 4096 && !numbered({ ...fitted, ...sizeAt(zoom, fitted, liked) })) zoom *= 1.05;
    const { scale, aspect } = sizeAt(zoom, fitted, liked);
    // The first element is shown with the corner of the grid; any other element is centered.
    if (i === 0) move({ scale, aspect, x: axes.left, y: axes.top });
    else move({ scale, aspect, x: width / 2 - (c + 0.5) * scale * aspect, y: height / 2 - (r + 0.5) * scale });
  }

  function numbered(v: Camera): boolean {
    return v.scale >= legible(g, v.aspect) - 0.01;
  }

  function hit(e: { clientX: number; clientY: number }): number {
    const r = canvas.current!.getBoundingClientRect();
    const row = Math.floor((e.clientY - r.top - view.y) / view.scale);
    const col = Math.floor((e.clientX - r.left - view.x) / (view.scale * aspect));
    if (row < 0 || col < 0 || row >= g.rows || col >= g.cols) return -1;
    return g.at(row, col);
  }

  function zoom(factor: number, at?: { x: number; y: number }): void {
    // By key or button: zoom around the focused or selected cell, if it is visible.
    const mark = at ? null : centre(focus >= 0 ? focus : p.selected);
    const cx = at?.x ?? mark?.x ?? width / 2;
    const cy = at?.y ?? mark?.y ?? height / 2;
    const next = sizeAt(zoomOf(view, fitted) * factor, fitted, liked);
    const [fx, fy] = [(next.scale * next.aspect) / (view.scale * view.aspect), next.scale / view.scale];
    move({ ...next, x: cx - (cx - view.x) * fx, y: cy - (cy - view.y) * fy });
  }

  /** The middle of an element on the canvas; null if there is none or it is not visible. */
  function centre(i: number): { x: number; y: number } | null {
    if (i < 0 || i >= g.size) return null;
    const [r, c] = g.place(i);
    const [x, y] = [view.x + (c + 0.5) * view.scale * aspect, view.y + (r + 0.5) * view.scale];
    return x >= axes.left && x <= width && y >= axes.top && y <= height ? { x, y } : null;
  }

  useEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const wheel = (e: WheelEvent) => {
      // A wheel scrolls the page, unless a modifier key is pressed or the grid has the focus.
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
    if (left < axes.left || top < axes.top || left + view.scale * aspect > width || top + view.scale > height) {
      move({ ...view, x: view.x + width / 2 - left, y: view.y + height / 2 - top });
    }
  }

  function down(e: PointerEvent): void {
    canvas.current!.setPointerCapture(e.pointerId);
    const pointers = drag.current?.pointers ?? new Map<number, [number, number]>();
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    drag.current = { x: e.clientX, y: e.clientY, camera: view, moved: pointers.size > 1, pointers, still: e.pointerType === "touch" && !look };
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
    // A finger on a picture that fits scrolls the page, not the picture.
    if (d.moved && !d.still) move({ ...d.camera, x: d.camera.x + e.clientX - d.x, y: d.camera.y + e.clientY - d.y });
  }

  /** The browser uses the finger to scroll the page. */
  function cancel(e: PointerEvent): void {
    drag.current?.pointers.delete(e.pointerId);
    if (drag.current?.pointers.size === 0) drag.current = null;
    leave(e);
  }

  /** A mouse does not point any more; the element that a finger touched stays. */
  function leave(e: PointerEvent): void {
    if (!drag.current && e.pointerType !== "touch") p.onHover(-1);
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
      // A finger cannot hover. While an element is selected, the touched element is compared with it, and a second
      // touch selects it.
      const touch = e.pointerType === "touch";
      if (touch && p.held && i >= 0 && i !== p.selected && i !== focus) return p.onHover(i);
      if (touch) p.onHover(-1);
      p.onSelect(i === p.selected ? -1 : i);
    }
  }

  return (
    <div class="grid-box" ref={box}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={`${p.name}: ${g.rows} rows, ${g.cols} columns. Arrow keys move, Enter selects, plus and minus zoom, 0 fits.`}
        class={look ? "near" : ""}
        style={{ width: "100%", height: height + "px" }}
        onKeyDown={key}
        onPointerDown={down}
        onPointerMove={moving}
        onPointerUp={up}
        onPointerCancel={cancel}
        onPointerLeave={leave}
        onDblClick={() => move(null)}
      />
      <div class="grid-foot">
      <div class="grid-legend">{p.children}</div>
      <div class="grid-tools">
        <button type="button" title="Zoom in (+)" aria-label="zoom in" onClick={() => zoom(1.4)}>+</button>
        <button type="button" title="Zoom out (-)" aria-label="zoom out" onClick={() => zoom(1 / 1.4)}>−</button>
        {hides && <button type="button" class="numbers" title="The numbers in the cells, as near as they are read" aria-pressed={look !== null && numbered(view)} onClick={() => (look && numbered(view) ? move(null) : near())}>123</button>}
        <button type="button" title="Fit (0)" aria-label="fit" onClick={() => move(null)}>⤢</button>
      </div>
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
