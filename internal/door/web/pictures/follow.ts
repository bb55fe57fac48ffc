// What the kernel page shows of a run, as numbers: the lit cells, what cells hold, and where they are in each grid.

import { Palette } from "../ui/color";
import type { Fluid, Grid } from "../ui/grid";
import { parseExact } from "../ui/json";
import en from "../ui/lang/en.json";
import * as grids from "../ui/follow/grids";
import { columnsOf } from "../ui/follow/layout";
import type { FollowAnswer, Place, Run } from "../ui/follow/model";
import { runOf } from "../ui/follow/model";
import type { Stride } from "../ui/follow/play";
import { Contents, moments, strides } from "../ui/follow/play";
import { cellText } from "../ui/follow/say";
import { Paths } from "../ui/follow/trace";

const says = { label: (i: number) => [String(i)], say: String };

/** Where each sampled cell is in each view of its place, and which cell is there: row, column, cell. */
function inGrids(p: Place, cell: number): Record<string, number[]> {
  const color = () => [0, 0, 0] as const;
  const of: Record<grids.View, () => Grid | Fluid | null> = {
    tile: () => grids.tile(p, color, says), threads: () => grids.threads(p, color, says), lanes: () => grids.lanes(p, color, says),
    banks: () => grids.banks(p, p.panel ? Math.max(p.panel[cell], 0) : 0, new Palette(false), color, says),
  };
  const out: Record<string, number[]> = {};
  for (const v of grids.viewsOf(p)) {
    const made = of[v]();
    const g = typeof made === "function" ? made(600) : made;
    if (!g) continue;
    const [r, c] = g.place(cell);
    out[v] = [r, c, g.at(r, c), Number(g.label(cell)[0])];
  }
  return out;
}

/** The cells that are lit, by place. */
function litBy(r: Run, paths: Paths, place: number, cell: number, until: number): number[][] {
  const t = paths.follow({ place, cell }, until);
  return r.places.map((p) => Array.from({ length: p.cells }, (_, i) => i).filter((i) => (t.lit[p.id]?.[i] ?? 0) >= 2));
}

/** Answers a question: the sample has a place, a cell and an access for each spot; -1 is the whole run. */
export function followed(answer: string, sample: number[]) {
  const r = runOf(parseExact(answer) as FollowAnswer)!;
  const paths = new Paths(r);
  const contents = new Contents(r);
  const spots = [];
  for (let k = 0; k < sample.length; k += 3) {
    const [place, cell, until] = sample.slice(k, k + 3);
    contents.seek(until + 1);
    spots.push({
      lit: litBy(r, paths, place, cell, until), held: contents.held(place, cell), grids: inGrids(r.places[place], cell),
      text: cellText(r.places[place], cell, null, en),
    });
  }
  return {
    spots, columns: columnsOf(r).map((c) => c.places.map((p) => p.id)),
    steps: Object.fromEntries(strides.map((s: Stride) => [s, moments(r, s).map((m) => [m.access, m.phase])])),
  };
}
