// The colors of the canvas, which are those of the pictures of package draw: a hue for a thread or a warp, its lightness for a
// register; for a group of banks, its lightness for a bank; offsets in eight steps so that neighbours differ.

export type RGB = readonly [number, number, number];

const hues: { light: string[]; dark: string[] } = {
  light: ["#769cef", "#eeb257", "#96f4f7", "#e5e987", "#bd91a9", "#ccb7f8", "#e38260", "#84d4ad"],
  dark: ["#4e9bfc", "#ffa800", "#b8f0f6", "#f77053", "#c9b7ff", "#58e69a", "#b591af", "#eeee39"],
};

const offsets: { light: string[]; dark: string[] } = {
  light: ["#f3f7fc", "#90b2da", "#c1d4ec", "#5f8fc8", "#dae6f4", "#78a1d1", "#a8c3e3", "#467ebe"],
  dark: ["#19222d", "#2e5077", "#243951", "#38699f", "#1e2d3f", "#335c8b", "#294464", "#3d75b4"],
};

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
  private readonly hue: RGB[];
  private readonly off: RGB[];
  private readonly paper: RGB;
  private readonly ink: RGB;

  constructor(dark: boolean) {
    this.dark = dark;
    this.hue = (dark ? hues.dark : hues.light).map(parse);
    this.off = (dark ? offsets.dark : offsets.light).map(parse);
    this.paper = parse(dark ? "#14171c" : "#ffffff");
    this.ink = parse(dark ? "#e6e9ee" : "#1c2026");
  }

  /** The color of category i, a thread or a warp, at step j of n. */
  shade(i: number, j: number, n: number): RGB {
    const c = this.hue[((i % this.hue.length) + this.hue.length) % this.hue.length];
    if (n <= 1) return c;
    const [pale, deep] = this.dark ? [0.25, 0] : [0.42, 0.28];
    const at = (pale + deep) * (j / (n - 1)) - pale;
    return at < 0 ? mix(c, this.paper, -at) : mix(c, this.ink, at);
  }

  /** The fill of what stands out from nothing. */
  plain(): RGB {
    return this.dark ? [34, 39, 47] : [238, 240, 243];
  }

  /** A fill that steps back behind others. */
  paler(c: RGB): RGB {
    return mix(c, this.paper, 0.72);
  }

  offset(x: number): RGB {
    return this.off[((x % 8) + 8) % 8];
  }

  /** The color of a group of 4 banks, which is 16 bytes wide. */
  group(i: number): RGB {
    return this.shade(i, 0, 1);
  }

  /** The color of a bank: the hue is that of its group, the lightness tells the 4 of them apart. */
  bank(i: number): RGB {
    return this.shade(Math.floor(i / 4), i % 4, 4);
  }
}

/** Black or white, whichever has more contrast against a color, as WCAG counts: at least 4.58. */
export function inkOn(c: RGB): string {
  const [r, g, b] = c.map((x) => (x <= 10.3 ? x / 3294.6 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.1791 ? "#000000" : "#ffffff";
}

export function css(c: RGB): string {
  return `rgb(${Math.round(c[0])},${Math.round(c[1])},${Math.round(c[2])})`;
}
