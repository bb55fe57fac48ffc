// The colors of the canvas, which are the colors of package draw (palette.json is generated from them): a hue for a
// thread or a warp and its lightness for a register; a hue for a group of banks and its lightness for a bank; eight
// steps for offsets, so that neighbours differ.

import palettes from "./palette.json";

export type RGB = readonly [number, number, number];

function parse(hex: string): RGB {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

function mix(a: RGB, b: RGB, t: number): RGB {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** The palette of a theme. */
export class Palette {
  readonly dark: boolean;
  private readonly hues: RGB[];
  private readonly shades: RGB[][]; // of each hue, from the palest to the deepest
  private readonly off: RGB[];
  private readonly paper: RGB;
  private readonly grey: RGB;

  constructor(dark: boolean) {
    const p = dark ? palettes.dark : palettes.light;
    this.dark = dark;
    this.hues = p.hues.map(parse);
    this.shades = p.shades.map((list) => list.map(parse));
    this.off = p.offsets.map(parse);
    this.paper = parse(p.paper);
    this.grey = parse(p.plain);
  }

  /** The color of category i, a thread or a warp, at step j of n. */
  shade(i: number, j: number, n: number): RGB {
    const k = ((i % this.hues.length) + this.hues.length) % this.hues.length;
    if (n <= 1) return this.hues[k];
    const list = this.shades[k];
    const at = (j / (n - 1)) * (list.length - 1);
    const low = Math.min(Math.floor(at), list.length - 2);
    return mix(list[low], list[low + 1], at - low);
  }

  /** The fill of what is highlighted. */
  plain(): RGB {
    return this.grey;
  }

  /** A fill that recedes behind others. */
  paler(c: RGB): RGB {
    return mix(c, this.paper, 0.72);
  }

  offset(x: number): RGB {
    return this.off[((x % 8) + 8) % 8];
  }

  /** The color of a group of 4 banks, 16 bytes. */
  group(i: number): RGB {
    return this.shade(i, 0, 1);
  }

  /** The color of a bank: the hue is that of its group, and the lightness distinguishes its 4 banks. */
  bank(i: number): RGB {
    return this.shade(Math.floor(i / 4), i % 4, 4);
  }
}

/** Black or white, whichever has more contrast with a color by WCAG: at least 4.58. */
export function inkOn(c: RGB): string {
  const [r, g, b] = c.map((x) => (x <= 10.3 ? x / 3294.6 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.1791 ? "#000000" : "#ffffff";
}

export function css(c: RGB): string {
  return `rgb(${Math.round(c[0])},${Math.round(c[1])},${Math.round(c[2])})`;
}
