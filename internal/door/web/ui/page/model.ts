// A document with the values of its lines, from operation page, and the edits of the reader.

import type { Fault } from "../engine";
import type { Explanation } from "../views/steps";

export interface Operands {
  role?: string;
  name?: string;
  shape: string;
  space: string;
  type: string;
  coords?: string[];
  places?: number[];
  before?: string[]; // empty for an element without a value
  after?: string[]; // absent if nothing changes
  left?: number;
  memory?: number; // operands with the same number share a memory
}

export interface Value {
  name?: string; // "return" for the result of a function
  text: string;
  kind?: string; // absent if girih has no such value
  memory?: Operands;
}

export interface Slip {
  line: number;
  name?: string;
  stated: string;
  computed: string;
  words: string;
}

export interface Line {
  line: number; // of the cell, from 1
  values?: Value[];
  times?: number;
  output?: string;
  cut?: boolean;
  notes?: string[];
  error?: Fault;
  column?: number;
  slips?: Slip[];
  agrees?: number;
  derived?: boolean;
  uses?: number;
}

export interface Cell {
  prose?: string;
  at: number;
  lang: string;
  source: string;
  lines?: Line[];
  stated?: string;
  agrees?: boolean;
  slip?: Slip;
}

export interface Page {
  ok: boolean;
  markdown?: boolean;
  cells?: Cell[];
  rest?: string;
  prose?: Slip[]; // of the prose, by lines of the document
  checked?: number;
  slips?: number;
  look?: Sight;
  error?: Fault;
}

/** The derivation of a line, and what threads do in it. */
export interface Sight {
  explanations?: Explanation[];
  uses?: Use[];
  left?: number;
}

export interface Use {
  op: string;
  call: number; // threads that share a call do it at the same time
  thread: number;
  block?: number[];
  operands: Operands[];
}

/** The code of edited cells, by their numbers. */
export type Edits = Readonly<Record<number, string>>;

/** A document as the request names it. */
export interface Document {
  name: string; // of a file, or "seed 000"
  text?: string; // absent for a document in girih
}

/** The name of a document of named values, one in each cell. */
export const rowsName = "values.girih";

/** The request for a document with edits. */
export function request(d: Document, edits: Edits): object {
  const cells = Object.keys(edits).map(Number);
  return { name: d.name, ...(d.text !== undefined && { text: d.text }), ...(cells.length > 0 && { edited: cells, sources: cells.map((k) => edits[k]) }) };
}

/** The lines of a source; the break after the last line does not begin another one. */
export function linesOf(source: string): string[] {
  return source.replace(/\n$/, "").split("\n");
}

/**
 * For each line of an edited source, the line of the answer that shows it, and whether the answer may be another one now: the lines
 * from the first difference on are matched from the end.
 */
export function matched(now: string[], then: string[], lines: Line[]): { line?: Line; stale: boolean }[] {
  const by = new Map(lines.map((x) => [x.line, x]));
  let first = 0;
  while (first < now.length && first < then.length && now[first] === then[first]) first++;
  const same = now.length === then.length && first === now.length;
  return now.map((text, i) => {
    const k = i < first || same ? i : i + then.length - now.length;
    return k >= 0 && then[k] === text ? { line: by.get(k + 1), stale: i >= first } : { stale: true };
  });
}

/** The slips of the prose before a cell; behind the last one, those of the rest. In a notebook, lines are cells. */
export function slipsBefore(p: Page, cell: number): Slip[] {
  const cells = p.cells ?? [];
  const from = cell > 0 ? cells[cell - 1].at : 0;
  return (p.prose ?? []).filter((s) => s.line >= from && (cell === cells.length || s.line < cells[cell].at));
}

/** The places of the slips and errors of a document: cell and line, or line 0 for the prose before the cell. */
export function faults(p: Page): { cell: number; line: number }[] {
  return [...(p.cells ?? []), undefined].flatMap((c, cell) => [
    ...(slipsBefore(p, cell).length > 0 ? [{ cell, line: 0 }] : []),
    ...(!c ? [] : faultsOf(c, cell)),
  ]);
}

function faultsOf(c: Cell, cell: number): { cell: number; line: number }[] {
  return [
    ...(c.lines ?? []).filter((l) => l.slips || l.error).map((l) => ({ cell, line: l.line })),
    ...(c.slip ? [{ cell, line: linesOf(c.source).length }] : []),
  ];
}
