// What the page says of a cell and of a move, in the words of the page's language.

import type { Words } from "../lang";
import { put } from "../words";
import { bankOf, byteOf, threadOf, warp } from "./grids";
import type { Place, Run } from "./model";
import { accessOf, instructionOf, laneOf, multiplies, phaseOf } from "./model";
import type { Contents } from "./play";
import type { Move, Trace } from "./trace";

/** The row and column of the element in a cell: at a moment of the run if there are contents, otherwise the first. */
export function heldIn(p: Place, cell: number, at: Contents | null): [row: number, col: number] | null {
  if (at && p.kind !== "operand") return at.held(p.id, cell);
  return p.row[cell] >= 0 ? [p.row[cell], p.col[cell]] : null;
}

export function coordinate(at: [row: number, col: number] | null): string {
  return at ? `(${at[0]},${at[1]})` : "";
}

/** The coordinate of a cell of shared memory in the layout of its tensor; null elsewhere, and for a gap. */
export function ownOf(p: Place, cell: number): number[] | null {
  let rest = p.index ? p.index[cell] : -1;
  if (rest < 0 || !p.modes) return null;
  return p.modes.map((n) => {
    const at = rest % n;
    rest = Math.floor(rest / n);
    return at;
  });
}

/** The name of a cell: a tensor and its coordinate, and for shared memory the stage, which the third mode counts. */
function nameOf(p: Place, cell: number, held: [row: number, col: number] | null, w: Words): string {
  const own = ownOf(p, cell);
  if (!own) return `${p.name}${held ? coordinate(held) : " " + w["kernel empty"]}`;
  const staged = own.length === 3;
  const name = `${p.name}(${(staged ? own.slice(0, 2) : own).join(",")})`;
  const parts = staged && p.modes![2] > 1 ? [name, put(w["kernel stage at"], own[2])] : [name];
  const same = held && held[0] === own[0] && held[1] === own[1];
  return [...parts, ...(same ? [] : [held ? put(w["kernel holds"], coordinate(held)) : w["kernel empty"]])].join(", ");
}

/** Where a cell is: the offset in a tensor, the bank of shared memory, the thread and value of a register. */
export function where(p: Place, cell: number, w: Words): string {
  const panel = !p.index && p.panel && p.panel[cell] >= 0 ? " " + put(w["kernel stage at"], p.panel[cell]) : "";
  if (p.kind === "global") return put(w["kernel at global"], cell, byteOf(p, cell), Math.floor(byteOf(p, cell) / 32));
  if (p.kind === "shared") return put(w["kernel at shared"], byteOf(p, cell), bankOf(p, cell)) + panel;
  if (p.kind === "registers") {
    const t = threadOf(p, cell);
    return put(w["kernel at registers"], t, Math.floor(t / warp), t % warp, cell % Math.max(p.values ?? 1, 1));
  }
  if (p.kind === "tensor") return put(w["kernel at tensor"], threadOf(p, cell), cell % Math.max(p.values ?? 1, 1)) + panel;
  return "";
}

/** A cell for a screen reader, and for the text of a selection. */
export function cellText(p: Place, cell: number, at: Contents | null, w: Words): string {
  const held = heldIn(p, cell, at);
  return [nameOf(p, cell, held, w), where(p, cell, w)].filter(Boolean).join(", ");
}

/** The name of the path of a hop: A → sA. */
export function pathOf(r: Run, hop: number): string {
  const h = r.hops[hop];
  const from = h.from.map((f) => r.places[f].name).join(" · ");
  return `${from || "·"} → ${r.places[h.to].name}`;
}

/** Who makes a move, and when. */
export function mover(r: Run, m: Move, w: Words): string {
  const a = accessOf(r, m.access);
  const lane = m.item < 0 || multiplies(a) ? -1 : laneOf(a.shape, m.item);
  const who = a.warp < 0 ? w["kernel engine"] : lane < 0 ? put(w["kernel by warp"], a.warp) : put(w["kernel by thread"], a.warp * warp + lane, a.warp, lane);
  const phase = a.shape.phases > 1 && lane >= 0 ? ", " + put(w["kernel in phase"], phaseOf(a.shape, m.item), a.shape.phases) : "";
  return `${who}${phase}`;
}

/** Numbers as runs: 0-7, 12. At most six runs. */
function runsOf(list: Set<number>): string {
  const xs = [...list].sort((a, b) => a - b);
  const out: string[] = [];
  for (let i = 0; i < xs.length; ) {
    let j = i;
    while (j + 1 < xs.length && xs[j + 1] === xs[j] + 1) j++;
    out.push(i === j ? String(xs[i]) : `${xs[i]}-${xs[j]}`);
    i = j + 1;
  }
  return out.length > 6 ? out.slice(0, 6).join(" ") + " …" : out.join(" ");
}

/** The lines that a column says of its lit cells: what they are, and what brought them. */
export function story(r: Run, p: Place, lit: Uint8Array | undefined, t: Trace | null, at: Contents | null, w: Words): string[] {
  const cells: number[] = [];
  for (let i = 0; lit && i < lit.length; i++) if (lit[i] >= 2) cells.push(i);
  if (cells.length === 0) return [];
  const lines = [cells.length === 1 ? cellText(p, cells[0], at, w) : many(p, cells, at, w)];
  if (!t) return lines;
  const moves = t.moves.filter((m) => accessOf(r, m.access).hop.to === p.id);
  if (moves.length === 0) return lines;
  const more = new Set(moves.map((m) => m.access)).size - 1;
  lines.push(`${mover(r, moves[0], w)}${more > 0 ? ", " + put(w["kernel and accesses"], more) : ""}`);
  return lines;
}

function many(p: Place, cells: number[], at: Contents | null, w: Words): string {
  const [rows, cols, others, stages] = [new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>()];
  for (const c of cells) {
    const held = heldIn(p, c, at);
    if (held) rows.add(held[0]), cols.add(held[1]);
    if (p.kind === "registers") others.add(threadOf(p, c));
    if (p.kind === "shared") others.add(bankOf(p, c));
    if (p.panel) stages.add(p.panel[c]);
  }
  const stage = stages.size > 0 ? `, ${put(w["kernel stage at"], runsOf(stages))}` : "";
  const text = `${put(w["kernel elements"], cells.length.toLocaleString("en"), p.name)}${stage}: ${p.rowName || "row"} ${runsOf(rows)}, ${p.colName || "col"} ${runsOf(cols)}`;
  return others.size > 0 ? `${text}; ${put(w[p.kind === "shared" ? "kernel banks" : "kernel threads"], runsOf(others))}` : text;
}

/** The cells that an access touches: 3 in the phase, 1 in others of the access. */
export function litAt(r: Run, access: number, phase: number): (Uint8Array | undefined)[] {
  const lit: (Uint8Array | undefined)[] = [];
  const light = (place: number, cell: number, level: number) => {
    const l = (lit[place] ??= new Uint8Array(r.places[place].cells));
    if (cell >= 0 && cell < l.length && l[cell] < level) l[cell] = level;
  };
  const [from, to] = instructionOf(r, access);
  for (let k = from; k < to; k++) {
    const a = accessOf(r, k);
    for (let i = 0; i < a.shape.to.length; i++) {
      const level = phase < 0 || a.shape.phases === 1 || phaseOf(a.shape, i) === phase ? 2 : 1;
      light(a.hop.to, a.to0 + a.shape.to[i], level);
      if (a.shape.from && a.hop.from.length === 1) light(a.hop.from[0], a.from0 + a.shape.from[i], level);
    }
  }
  return lit;
}
