// The colors of the canvas, which are those of the pictures of package draw: a hue for a thread or a warp, its lightness for a
// register; offsets in eight steps so that neighbours differ.

export type RGB = readonly [number, number, number];

const hues: { light: string[]; dark: string[] } = {
  light: ["#769cef", "#eeb257", "#96f4f7", "#e5e987", "#bd91a9", "#ccb7f8", "#e38260", "#84d4ad"],
  dark: ["#007cb1", "#054e4a", "#81753a", "#542a78", "#aa4a7b", "#771f08", "#4454aa", "#804e08"],
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
    const [pale, deep] = this.dark ? [0.45, 0] : [0.42, 0.28];
    const at = (pale + deep) * (j / (n - 1)) - pale;
    return at < 0 ? mix(c, this.paper, -at) : mix(c, this.ink, at);
  }

  /** The fill of what stands out from nothing. */
  plain(): RGB {
    return this.dark ? [34, 39, 47] : [238, 240, 243];
  }

  /** The fill of what is wrong. */
  wrong(): RGB {
    return this.dark ? [214, 92, 84] : [240, 138, 128];
  }

  offset(x: number): RGB {
    return this.off[((x % 8) + 8) % 8];
  }

  /** The color of bank i of n: once around the hues, so that neighbours differ a little and far ones much. */
  bank(i: number, n: number): RGB {
    const h = (i / n) * 2 * Math.PI;
    const l = this.dark ? 0.52 : 0.82;
    const c = this.dark ? 0.1 : 0.09;
    return oklab(l, c * Math.cos(h), c * Math.sin(h));
  }
}

function oklab(l: number, a: number, b: number): RGB {
  const cube = (x: number) => x * x * x;
  const p = cube(l + 0.3963377774 * a + 0.2158037573 * b);
  const q = cube(l - 0.1055613458 * a - 0.0638541728 * b);
  const r = cube(l - 0.0894841775 * a - 1.291485548 * b);
  const out = (v: number) => 255 * Math.min(Math.max(v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055, 0), 1);
  return [
    out(4.0767416621 * p - 3.3077115913 * q + 0.2309699292 * r),
    out(-1.2684380046 * p + 2.6097574011 * q - 0.3413193965 * r),
    out(-0.0041960863 * p - 0.7034186147 * q + 1.707614701 * r),
  ];
}

/** Black or white, whichever reads better on a color. */
export function inkOn(c: RGB): string {
  return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 140 ? "#11141a" : "#ffffff";
}

export function css(c: RGB): string {
  return `rgb(${Math.round(c[0])},${Math.round(c[1])},${Math.round(c[2])})`;
}
