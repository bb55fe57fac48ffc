// The zoom and position of a grid. They are in the URL unless the whole grid is shown, and do not depend on the width
// of the screen.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Camera } from "./grid";
import { get, set, useParam } from "./state";

/** The zoom relative to the whole grid, and the column and row in the middle. */
export interface Look {
  zoom: number;
  col: number;
  row: number;
}

/** A canvas with its width and height, the part that the axes use at the left and top, and the extent of its grid. */
interface Room {
  left: number;
  top: number;
  width: number;
  height: number;
  rows: number;
  cols: number;
}

/** The camera, moved back so that some of the grid is visible. */
function within(c: Camera, r: Room): Camera {
  const x = Math.min(Math.max(c.x, r.left + 24 - r.cols * c.scale * c.aspect), r.width - 24);
  const y = Math.min(Math.max(c.y, r.top + 12 - r.rows * c.scale), r.height - 12);
  return x === c.x && y === c.y ? c : { ...c, x, y };
}

/** The largest height of a cell, in CSS pixels. */
const nearest = 200;

/**
 * The size of cells at a zoom relative to the size at which the whole grid is visible. Cells that are taller there than preferred,
 * as in a grid of a few long rows, first only become wider until they have the preferred ratio; liked is width over height.
 */
export function sizeAt(zoom: number, fitted: Camera, liked: number): { scale: number; aspect: number } {
  const times = Math.max(zoom, Math.min(0.5, 1 / fitted.scale));
  const widest = Math.max(liked, fitted.aspect);
  const width = Math.min(fitted.scale * fitted.aspect * times, nearest * widest);
  const scale = Math.min(times < 1 ? fitted.scale * times : Math.max(fitted.scale, width / widest), nearest);
  return { scale, aspect: width / scale };
}

/** The zoom of a camera: the width of its cells relative to the width at which the whole grid is visible. */
export function zoomOf(c: Camera, fitted: Camera): number {
  return (c.scale * c.aspect) / (fitted.scale * fitted.aspect);
}

export function cameraOf(l: Look, fitted: Camera, r: Room, liked: number): Camera {
  const { scale, aspect } = sizeAt(l.zoom, fitted, liked);
  return within({ scale, aspect, x: (r.left + r.width) / 2 - l.col * scale * aspect, y: (r.top + r.height) / 2 - l.row * scale }, r);
}

export function lookOf(camera: Camera, fitted: Camera, r: Room): Look {
  const c = within(camera, r);
  return { zoom: zoomOf(c, fitted), col: ((r.left + r.width) / 2 - c.x) / (c.scale * c.aspect), row: ((r.top + r.height) / 2 - c.y) / c.scale };
}

// In the URL: z=ID,ZOOM,COL,ROW~ID,... with numbers of two decimals. A URL may contain anything.
const entry = /^([a-z0-9]{1,6}),(\d{1,5}(?:\.\d{1,4})?),(-?\d{1,7}(?:\.\d{1,2})?),(-?\d{1,7}(?:\.\d{1,2})?)$/;

function parse(text: string, id: string): Look | null {
  for (const part of text.split("~")) {
    const m = entry.exec(part);
    if (m && m[1] === id && Number(m[2]) > 0) return { zoom: Number(m[2]), col: Number(m[3]), row: Number(m[4]) };
  }
  return null;
}

function short(x: number, decimals: number): string {
  return String(Number(x.toFixed(decimals)));
}

function write(id: string, l: Look | null): string {
  if (!l) return "";
  return [id, short(l.zoom, l.zoom < 10 ? 3 : 1), short(l.col, 2), short(l.row, 2)].join(",");
}

/** Puts the look of a grid in the URL, or removes it; the looks of other grids do not change. */
function save(id: string, l: Look | null): void {
  const others = get("z").split("~").filter((x) => x && !x.startsWith(id + ","));
  set({ z: [...others, write(id, l)].filter(Boolean).sort().join("~") });
}

// Browsers limit the rate of URL changes, so the URL changes when the movement has ended.
const rest = 250;

/** The look at a grid, null for the whole grid, with its setter. */
export function useLook(id: string): [Look | null, (l: Look | null) => void] {
  const [text] = useParam("z");
  const mine = text.split("~").find((x) => x.startsWith(id + ",")) ?? "";
  const [look, update] = useState<Look | null>(() => parse(mine, id));
  const written = useRef(mine); // the URL's value for this grid, as last known here
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const page = useRef(get("p"));
  // Another URL, for example after going back, is another view.
  useEffect(() => {
    if (mine === written.current) return;
    written.current = mine;
    clearTimeout(timer.current);
    update(parse(mine, id));
  }, [mine]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      // A grid that is gone leaves nothing in the URL; a page that is left keeps its own URL.
      if (get("p") === page.current) save(id, null);
    },
    [],
  );
  const change = (l: Look | null) => {
    update(l);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (get("p") !== page.current) return;
      written.current = write(id, l);
      save(id, l);
    }, rest);
  };
  return [look, change];
}
