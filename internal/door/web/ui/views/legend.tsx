// The legend of the fills of a view: the meaning of hue and lightness.

import type { Palette, RGB } from "../color";
import { css } from "../color";
import type { ColorBy } from "../grids";
import { meaning } from "../grids";
import type { Operand } from "../model";
import { partsOf, threadName, warpOf } from "../model";

export interface Fill {
  colors: RGB[];
  words: string;
  title?: (k: number) => string;
}

/** The fills of offsets: eight steps. */
export function offsets(palette: Palette): Fill {
  return { colors: Array.from({ length: 8 }, (_, k) => palette.offset(k)), words: "offset mod 8", title: (k) => `offset ${k}` };
}

/** The fills of the 32 banks. */
export function banks(palette: Palette): Fill {
  return { colors: Array.from({ length: 32 }, (_, k) => palette.bank(k)), words: "bank 0 to 31, a hue for each 4", title: (k) => `bank ${k}` };
}

/** The fills of the groups of 4 banks. */
export function bankGroups(palette: Palette): Fill {
  return { colors: Array.from({ length: 8 }, (_, k) => palette.group(k)), words: "group 0 to 7 of 4 banks, 16 bytes", title: (k) => `banks ${4 * k} to ${4 * k + 3}` };
}

/** The default fills of an operand. */
export function usual(o: Operand | null | undefined, palette: Palette): Fill {
  return o?.fill === "group" ? bankGroups(palette) : o?.fill === "bank" ? banks(palette) : offsets(palette);
}

/** A hue for each of n things; there are eight hues. */
export function hued(palette: Palette, what: string, count: number, of = ""): Fill {
  const n = Math.min(count, 8);
  return { colors: Array.from({ length: n }, (_, k) => palette.shade(k, 0, 1)), words: `${what} 0${n > 1 ? ` to ${n - 1}` : ""}${of}${count > n ? ", then again" : ""}`, title: (k) => `${what} ${k}${of}` };
}

/** Numbers as runs: T0 to 3, T16 to 19. */
function runs(list: number[]): string {
  const out: string[] = [];
  for (let i = 0; i < list.length; ) {
    let j = i;
    while (list[j + 1] === list[j] + 1) j++;
    out.push(`T${list[i]}${j > i ? ` to ${list[j]}` : ""}`);
    i = j + 1;
  }
  return out.join(", ");
}

/** A legend of fills. */
export function Fills(p: { fills: Fill[] }) {
  return (
    <p class="legend small" data-testid="legend">
      {p.fills.map((f) => <span class={f.colors.length > 8 ? "many" : ""}>{f.colors.map((c, k) => <i style={{ background: css(c) }} title={f.title?.(k)} />)} {f.words}</span>)}
    </p>
  );
}

export function Legend(p: { operand: Operand; by: ColorBy; palette: Palette }) {
  const m = meaning(p.operand, p.by);
  if (!m) return null;
  const { palette } = p;
  const atoms = p.operand.value_atom !== undefined;
  const swatch = (color: readonly [number, number, number], title: string) => <i style={{ background: css(color) }} title={title} />;
  const count = Math.min(m.steps, 8);
  const short = { thread: "T", warp: "warp ", value: "V" };
  const of = (hue: "thread" | "warp" | "value"): Fill => ({
    colors: Array.from({ length: count }, (_, k) => palette.shade(k, 0, 1)), title: (k) => `${hue} ${k}`,
    words: `${hue} ${short[hue].trim()}0 to ${count - 1}${m.steps > 8 ? ", then again" : ""}`.replace("warp warp", "warp "),
  });
  // If some numbers belong to other threads, the hues are those of the participating threads.
  const list = p.operand.thread ? partsOf(p.operand).list.map((t) => threadName(p.operand, t)) : [];
  const named = m.hue === "thread" && list.length <= 8 && list.some((t, k) => t !== k) ? `thread ${runs(list)}` : null;
  const fill = m.hue === "bank" ? banks(palette) : m.hue === "group" ? bankGroups(palette) : m.hue === "offset" ? offsets(palette) : { ...of(m.hue), ...(named ? { words: named, title: (k: number) => `thread ${list[k]}` } : {}) };
  return (
    <p class="legend small" data-testid="legend">
      <span class={fill.colors.length > 8 ? "many" : ""}>{fill.colors.map((c, k) => swatch(c, fill.title!(k)))} {fill.words}</span>
      {m.lightness && <span>{[0, 1, 2, 3, 4].map((k) => swatch(palette.shade(0, k, 5), ""))} {m.lightness}</span>}
      {p.operand.thread && (p.operand.threads ?? 1) > 1 && <span class="edge"><b /> another thread {(p.operand.threads ?? 1) > warpOf(p.operand) && <><b class="thick" /> another warp</>}{atoms && <><b class="of-atom" /> another atom</>}</span>}
    </p>
  );
}
