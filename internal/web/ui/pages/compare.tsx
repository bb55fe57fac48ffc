// Two layouts side by side: whether they are one function, where they differ first, and how often.

import { useMemo, useState } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import { ExprBar } from "../exprbar";
import { Fault } from "../fault";
import * as grids from "../grids";
import type { Inspection, Operand } from "../model";
import { filled } from "../model";
import { useParam } from "../state";
import { useCall } from "../use";

export function Compare(p: { palette: Palette }) {
  const [a, setA] = useParam("a", "Sw<3,3,3> o 0 o (8,64):(64,1)");
  const [b, setB] = useParam("b", "Sw<2,3,3> o 0 o (8,64):(64,1)");
  const [order, setOrder] = useParam("order", "index");
  const left = useCall<Inspection>("inspect", { expr: a });
  const right = useCall<Inspection>("inspect", { expr: b });
  const [pointed, setHover] = useState(-1);
  const [picked, pick] = useParam("s"); // an element of A
  const pinned = /^\d+$/.test(picked) ? Number(picked) : -1;
  const hover = pointed >= 0 ? pointed : pinned;
  const pair = useMemo(() => compare(one(left.data), one(right.data), order === "transpose"), [left.data, right.data, order]);
  return (
    <div class="page">
      <section class="ask bench">
        <div class="operands">
          <div class="field"><label for="cmpA">A</label><ExprBar id="cmpA" label="A" value={a} onChange={setA} place={bad(left.data)} /></div>
          <div class="field"><label for="cmpB">B</label><ExprBar id="cmpB" label="B" value={b} onChange={setB} place={bad(right.data)} /></div>
        </div>
        <div class="ask-row">
          <label>compare <select value={order} onChange={(e) => setOrder(e.currentTarget.value)}>
            <option value="index">A(i) with B(i)</option><option value="transpose">A(m,n) with B(n,m)</option>
          </select></label>
        </div>
        {left.data && !left.data.ok && left.data.error && <Fault fault={left.data.error} />}
        {right.data && !right.data.ok && right.data.error && <Fault fault={right.data.error} />}
        {pair && <p class={"count " + (pair.same ? "free" : "bad")} data-testid="verdict" aria-live="polite"><b>{pair.same ? "one function" : "different"}</b> {pair.words}</p>}
      </section>
      <div class="pair">
        {[left.data, right.data].map((v, k) => {
          const o = one(v);
          if (!o) return null;
          return <Half key={k} name={k === 0 ? "A" : "B"} operand={o} differ={pair ? (k === 0 ? pair.differA : pair.differB) : null} palette={p.palette}
            lit={hover < 0 || !pair ? -1 : k === 0 ? hover : pair.toB(hover)} onHover={(i) => setHover(i < 0 || !pair ? -1 : k === 0 ? i : pair.toA(i))}
            selected={pinned < 0 || !pair ? -1 : k === 0 ? pinned : pair.toB(pinned)} onSelect={(i) => pick(i < 0 || !pair ? "" : String(k === 0 ? i : pair.toA(i)))} />;
        })}
      </div>
    </div>
  );
}

function bad(v: Inspection | null) {
  return v && !v.ok ? v.place : undefined;
}

function one(v: Inspection | null): Operand | null {
  const o = v?.ok ? v.operands?.[0] : undefined;
  return o && filled(o) ? o : null;
}

interface Pair {
  same: boolean;
  words: string;
  differA: Set<number>;
  differB: Set<number>;
  toB: (i: number) => number;
  toA: (i: number) => number;
}

/** Compares the values index by index, or at exchanged coordinates. */
function compare(a: Operand | null, b: Operand | null, transpose: boolean): Pair | null {
  if (!a || !b) return null;
  const value = (o: Operand, i: number): string | number | undefined => o.offset?.[i] ?? o.coord?.[i];
  const toB = (i: number) => (transpose ? Math.floor(i / a.rows) + b.rows * (i % a.rows) : i);
  const toA = (i: number) => (transpose ? Math.floor(i / b.rows) + a.rows * (i % b.rows) : i);
  const differA = new Set<number>();
  const differB = new Set<number>();
  let first = -1;
  const n = Math.min(a.size, b.size);
  if (transpose && (a.rows !== b.size / b.rows || b.rows !== a.size / a.rows)) {
    return { same: false, words: `the shapes are not each other's transpose: ${a.rows} × ${a.size / a.rows} and ${b.rows} × ${b.size / b.rows}`, differA, differB, toA, toB };
  }
  for (let i = 0; i < n; i++) {
    const j = toB(i);
    if (value(a, i) === value(b, j)) continue;
    if (first < 0) first = i;
    differA.add(i);
    differB.add(j);
  }
  if (a.size !== b.size) {
    const words = `A has ${a.size} elements, B has ${b.size}` + (first < 0 ? "; up to there they agree" : `; they differ first at index ${first}: ${value(a, first)} and ${value(b, toB(first))}`);
    return { same: false, words, differA, differB, toA, toB };
  }
  if (first < 0) return { same: true, words: `on all ${n} coordinates`, differA, differB, toA, toB };
  const at = `(${first % a.rows},${Math.floor(first / a.rows)})`;
  return { same: false, words: `at ${differA.size} of ${n}; first at ${at}, index ${first}: A gives ${value(a, first)}, B gives ${value(b, toB(first))}`, differA, differB, toA, toB };
}

function Half(p: { name: string; operand: Operand; differ: Set<number> | null; palette: Palette; lit: number; onHover: (i: number) => void; selected: number; onSelect: (i: number) => void }) {
  const o = p.operand;
  const grid = useMemo(() => {
    const g = grids.logical(o, `${p.name}/${o.text}/${p.differ?.size}/${p.palette.dark}`, (i) => (p.differ?.has(i) ? p.palette.wrong() : o.offset ? p.palette.offset(o.offset[i]) : p.palette.plain()));
    return { ...g, marked: undefined };
  }, [o, p.differ, p.palette]);
  return (
    <figure class="card" data-testid={"half-" + p.name}>
      <figcaption><b>{p.name}</b> <code>{o.text}</code></figcaption>
      <GridCanvas grid={grid} name={p.name} selected={p.selected} glowing={p.lit >= 0} glow={(i) => (i === p.lit ? 3 : 0)} onHover={p.onHover} onSelect={p.onSelect} />
    </figure>
  );
}
