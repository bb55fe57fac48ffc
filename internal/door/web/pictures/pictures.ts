// What the page draws, as numbers: reads lines of JSON, each a question with answers of operation inspect as text, and writes for each
// a line with what the grids, the inspector and the other views say of elements. TestPictures compares it with the truth.

import readline from "node:readline";
import type { Verdict } from "../ui/compare";
import { pairOf } from "../ui/compare";
import type { RGB } from "../ui/color";
import { css, Palette } from "../ui/color";
import type { Fluid, Grid } from "../ui/grid";
import { colLabel, rowLabel } from "../ui/grid";
import * as grids from "../ui/grids";
import { bitOf } from "../ui/groups";
import { parseExact } from "../ui/json";
import { laidOut } from "../ui/laid";
import { link, tint } from "../ui/links";
import type { Linked, Side, Sides } from "../ui/links";
import type { Glow, Inspection, Operand } from "../ui/model";
import { filled, lighting } from "../ui/model";
import { lights, shownAt } from "../ui/paint";
import { plain } from "../ui/plain";
import { Inspector } from "../ui/views/inspector";
import { digits } from "../ui/views/tree";
import { followed } from "./follow";

interface Question {
  ask: "views" | "compare" | "link" | "exact" | "plain" | "colors" | "laid" | "follow";
  answers: string[];
  sample?: number[]; // elements of each operand
  op?: string;
}

const pal = new Palette(false);

/** What a grid says of an element. */
function probe(g: Grid, i: number) {
  const [r, c] = g.place(i);
  const band = g.bands?.find((b) => c >= b.from && c < b.to);
  return [r, c, g.at(r, c), g.label(i).join("|"), rowLabel(g, r), colLabel(g, c), g.marked?.(i) ? 1 : 0, band?.label[0] ?? "", g.say(i)];
}

function cells(g: Grid) {
  let n = 0;
  for (let r = 0; r < g.rows; r++) for (let c = 0; c < g.cols; c++) if (g.at(r, c) >= 0) n++;
  return n;
}

function asked(g: Grid | Fluid | null | undefined, sample: number[]) {
  const forms = !g ? [] : typeof g === "function" ? [...new Set([300, 640, 1300].map((w) => g(w)))] : [g];
  return forms.map((f) => ({ rows: f.rows, cols: f.cols, cells: cells(f), elements: sample.map((i) => probe(f, i)) }));
}

/** The rows of the inspector, out of what it would draw. */
function inspector(v: Inspection, operand: number, element: number): Record<string, string> {
  const out: Record<string, string> = {};
  const words = (x: unknown): string => (Array.isArray(x) ? x.map(words).join("") : x && typeof x === "object" ? words((x as { props: { children: unknown } }).props.children) : x === null || x === undefined || x === false ? "" : String(x));
  let name = "";
  const walk = (x: unknown): void => {
    if (Array.isArray(x)) return x.forEach(walk);
    if (!x || typeof x !== "object") return;
    const node = x as { type: unknown; props: { children: unknown } };
    if (node.type === "dt") name = words(node);
    else if (node.type === "dd") out[out[name] === undefined ? name : name + " again"] = words(node);
    else walk(node.props?.children);
  };
  walk(Inspector({ value: v, spot: { operand, element }, pinned: null }));
  delete out[""];
  return out;
}

/** Of each element which one its cell of the logical grid shows while elements are lit. */
function shown(o: Operand, glow: (i: number) => Glow): number[] {
  const g = grids.logical(o, () => [0, 0, 0]);
  const lit = lights(g, glow);
  return Array.from({ length: o.size }, (_, i) => shownAt(g, lit, ...g.place(i)));
}

function views(q: Question) {
  const v = parseExact(q.answers[0]) as Inspection;
  return {
    operands: (v.operands ?? []).map((o, k) => {
      if (!filled(o)) return { name: o.name, outline: true };
      const sample = (q.sample ?? []).filter((i) => i < o.size);
      const color = grids.colorOf(o, "auto", pal, v.shared);
      const flat = grids.logical(o, color);
      const few = sample.slice(0, 40);
      return {
        name: o.name ?? "", size: o.size,
        logical: asked(o.name === "B" ? grids.transposed(flat) : flat, sample),
        borders: (flat.borders ?? []).map((b) => [b.down ? 1 : 0, b.at, b.from, b.to, b.level]),
        hardware: asked(o.thread ? grids.hardware(o, color) : null, sample),
        memory: asked(o.thread ? null : grids.memory(o, color, v.shared), sample),
        banks: asked(o.thread ? null : grids.banks(o, pal, v.shared), sample),
        digits: v.tree ? sample.map((i) => digits(v.tree!, i)) : [],
        inspector: sample.map((i) => inspector(v, k, i)),
        out: v.matrix && v.operands!.length === 1 ? sample.map((i) => v.matrix!.outs.map((_, r) => bitOf(v.matrix!, r, i)).join("")) : [],
        // Of each of a few elements, which elements of all operands are lit.
        lit: o.size > 600 ? [] : few.map((i) => v.operands!.map((other, m) => (other.size > 600 ? [] : Array.from({ length: other.size }, (_, j) => lighting(v, { operand: k, element: i }, m)(j))))),
        // And which element stands in the cell of each: of several in one cell the page shows one.
        shown: o.size > 600 ? [] : few.map((i) => v.operands!.map((other, m) => (other.size > 600 || !filled(other) ? [] : shown(other, lighting(v, { operand: k, element: i }, m))))),
      };
    }),
    outs: v.matrix?.outs ?? [],
  };
}

function compared(q: Question) {
  const [a, b] = q.answers.map((x) => parseExact(x) as Inspection);
  const c = parseExact(q.answers[2]) as Verdict;
  const p = pairOf(c, a, b);
  return { kind: c.verdict, words: c.words, a: [...p.differA], b: [...p.differB], to: [...p.differA].map(p.toB), back: [...p.differB].map(p.toA) };
}

function linked(q: Question) {
  const links = parseExact(q.answers[3]) as Linked;
  const [a, b, r] = q.answers.slice(0, 3).map((x, k): Operand | null => {
    const o = x ? (parseExact(x) as Inspection).operands?.[0] : undefined;
    return o && filled(o) && o.offset && !(k === 1 && links.cuts) ? o : null;
  });
  const table: Sides = { a, b, r };
  const sides: Side[] = ["a", "b", "r"];
  const lit = (from: Side, to: Side) => {
    const [x, y] = [table[from], table[to]];
    if (!x || !y) return [];
    return Array.from({ length: x.size }, (_, e) => {
      const f = link(links, from, e, to);
      return Array.from({ length: y.size }, (_, i) => i).filter((i) => f(i) > 0);
    });
  };
  return {
    lit: Object.fromEntries(sides.flatMap((x) => sides.filter((y) => y !== x).map((y) => [x + y, lit(x, y)]))),
    colors: Object.fromEntries(sides.map((x) => [x, table[x] ? Array.from({ length: table[x].size }, (_, i) => tint(links, x, table, pal, undefined)(i).join()) : []])),
    tables: links.tables ?? {},
  };
}

/** The colors of a theme: shades of each hue in eight steps, offsets around 0, banks, groups, and what is plain. */
function colors(q: Question) {
  const p = new Palette(q.op === "dark");
  const several = (n: number, f: (i: number) => RGB) => Array.from({ length: n }, (_, i) => css(f(i)));
  return {
    shades: several(128, (i) => p.shade(Math.floor(i / 8), i % 8, 8)), hues: several(16, (i) => p.shade(i, 0, 1)),
    offsets: several(20, (i) => p.offset(i - 10)), banks: several(32, (i) => p.bank(i)), groups: several(8, (i) => p.group(i)), plain: [css(p.plain())],
  };
}

/** The sector, the bank and the color of each element of an operand whose tile is laid out. */
function laid(q: Question) {
  const [v, data] = q.answers.map((x) => parseExact(x) as Inspection);
  const l = laidOut(v, q.sample![0], data, q.op as "global" | "shared");
  if (!("place" in l)) return { refused: l.code };
  const color = l.color(pal);
  return { elements: v.operands![q.sample![0]].offset!.map((_, i) => [l.sector(i), l.place(i).bank, color(i).join()]) };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const q = JSON.parse(line) as Question;
  const answers = { views, compare: compared, link: linked, colors: () => colors(q), exact: () => parseExact(q.answers[0]), plain: () => plain(q.answers[0], q.answers[1]), laid: () => laid(q), follow: () => followed(q.answers[0], q.sample!) };
  console.log(JSON.stringify(answers[q.ask](q), (_, x: unknown) => (typeof x === "bigint" ? String(x) : x)));
}
