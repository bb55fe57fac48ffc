// A small picture of an example of the first page, a pixel a cell: thumbs.json is generated from the examples.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Palette, RGB } from "../color";
import thumbs from "../thumbs.json";

interface Cells {
  rows: number;
  cells: string[]; // by column
}

const all = thumbs as Record<string, Cells>;

/** Whether there is a picture of an example. */
export function hasThumb(name: string): boolean {
  return name in all;
}

/** The color of a cell: a digit is a step of offsets, a letter a shade of a hue. */
function colorOf(pal: Palette, c: string): RGB {
  const code = c.charCodeAt(0) - 64;
  return code < 0 ? pal.offset(Number(c)) : pal.shade(code >> 2, code & 3, 4);
}

export function Thumb(p: { name: string; palette: Palette }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const { rows, cells } = all[p.name];
  useLayoutEffect(() => {
    const pen = ref.current!.getContext("2d")!;
    const image = pen.createImageData(cells.length, rows);
    cells.forEach((column, x) => [...column].forEach((c, y) => {
      if (c !== " ") image.data.set([...colorOf(p.palette, c).map(Math.round), 255], 4 * (y * cells.length + x));
    }));
    pen.putImageData(image, 0, 0);
  }, [p.name, p.palette]);
  return <canvas class="thumb" ref={ref} width={cells.length} height={rows} aria-hidden="true" />;
}
