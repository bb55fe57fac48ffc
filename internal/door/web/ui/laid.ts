// Where the elements of a thread-value picture are in a memory: a data layout gives each element of the tile an offset.

import type { Palette, RGB } from "./color";
import type { Fault } from "./engine";
import { colorOf } from "./grids";
import type { Inspection, Place } from "./model";
import { filled, lies } from "./model";
import type { Fill } from "./views/legend";
import { banks, hued } from "./views/legend";

export type Space = "global" | "shared";

/** The places of the elements of one operand. */
export interface Laid {
  operand: number;
  space: Space;
  place: (i: number) => Place;
  sector: (i: number) => number;
  color: (palette: Palette) => (i: number) => RGB;
  fill: (palette: Palette) => Fill;
}

// A sector of global memory, in bytes.
const sectorBytes = 32;

/** The places of the elements of an operand, whose tile is laid out as a value: the offset of the element that has the index. */
export function laidOut(v: Inspection, operand: number, data: Inspection, space: Space): Laid | Fault {
  const o = v.operands![operand];
  const d = data.operands?.[0];
  const wanted = `${o.rows} × ${o.cols}`;
  if (!d || !filled(d) || !d.offset || d.thread || !data.shared) return { code: "layout", message: `expected a layout of ${wanted} elements, found ${data.value ?? "none"}` };
  const found = d.modes.join(" × ");
  if (found !== wanted) return { code: "size", message: `expected a layout of the ${wanted} elements of ${o.name ?? "the tile"}, found ${found}` };
  const shared = data.shared;
  const at = (i: number) => o.offset![i]; // the index of the element in the tile
  const place = (i: number) => lies(shared, d.offset![at(i)]);
  const sector = (i: number) => Math.floor(Number(place(i).byte) / sectorBytes);
  return {
    operand, space, place, sector,
    color: (palette) => {
      if (space === "global") return (i) => palette.shade(sector(i), 0, 1);
      const color = colorOf(d, "bank", palette, shared);
      return (i) => color(at(i));
    },
    fill: (palette) => (space === "shared" ? banks(palette) : hued(palette, "sector", o.offset!.reduce((most, _, i) => Math.max(most, sector(i)), 0) + 1)),
  };
}

