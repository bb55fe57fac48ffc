// Two layouts side by side: whether they are the same function, where they first differ, and how often.

import { useMemo, useState } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import { Export } from "../export";
import { ExprBar } from "../exprbar";
import { Fault, Outcome, useCalm } from "../fault";
import * as grids from "../grids";
import type { Verdict } from "../compare";
import { one, pairOf } from "../compare";
import { useLabels } from "../lang";
import type { Inspection, Operand, Stretch } from "../model";
import { useParam } from "../state";
import { useCalls, useSlow } from "../use";
import { types } from "../words";
import { Fills, usual } from "../views/legend";

export function Compare(p: { palette: Palette }) {
  const t = useLabels();
  const [a, setA] = useParam("a", "Sw<3,3,3> o 0 o (8,64):(64,1)");
  const [b, setB] = useParam("b", "Sw<2,3,3> o 0 o (8,64):(64,1)");
  const [order, setOrder] = useParam("order", "index");
  const [type, setType] = useParam("t", "f16");
  const asked = { a, b, ...(order === "transpose" ? { transpose: true } : {}) };
  const { data, busy } = useCalls<[Inspection, Inspection, Verdict]>(["inspect", { expr: a, type }], ["inspect", { expr: b, type }], ["compare", asked]);
  const slow = useSlow(busy);
  const [nowA, nowB] = data ?? [null, null];
  // While the text being typed has no value, the last two values stay visible, paler.
  const faults = [nowA, nowB].flatMap((v) => (v && !v.ok && v.error ? [v.error] : []));
  const [last, keep] = useState<typeof data>(null);
  if (data && faults.length === 0 && data !== last) keep(data);
  const [left, right, said] = (faults.length > 0 && last) || data || [null, null, null];
  const calm = useCalm(JSON.stringify([a, b]));
  const told = calm && !busy ? faults : [];
  const [pointed, setHover] = useState(-1);
  const [picked, pick] = useParam("s"); // an element of A
  // There is nothing to say about an empty text.
  const verdict = said?.ok && left?.kind !== "none" && right?.kind !== "none" ? said : null;
  const pair = useMemo(() => (verdict ? pairOf(verdict, left, right) : null), [verdict, left, right]);
  // After an edit the element may not exist any more, on either side.
  const size = Math.max(one(left)?.size ?? 0, one(right)?.size ?? 0);
  const pinned = /^\d+$/.test(picked) && Number(picked) < size ? Number(picked) : -1;
  const hover = pointed >= 0 && pointed < size ? pointed : pinned;
  // Both sides have the fill of the swizzled side, because they are compared.
  const filling = one(left)?.fill ? one(left) : one(right)?.fill ? one(right) : null;
  // The picture of the comparison is for layouts, index by index.
  const layouts = [left, right].every((v) => v?.ok && (v.kind === "layout" || v.kind === "composed_layout"));
  const drawn = layouts && order === "index" && verdict && verdict.verdict !== "not compared" ? `(${left!.value}) == (${right!.value})` : "";
  return (
    <div class="page">
      <section class="ask bench">
        <div class="operands">
          <div class="field"><label for="cmpA">A</label><ExprBar id="cmpA" label="A" value={a} onChange={setA} place={bad(nowA)} /></div>
          <div class="field"><label for="cmpB">B</label><ExprBar id="cmpB" label="B" value={b} onChange={setB} place={bad(nowB)} /></div>
        </div>
        <div class="ask-row">
          <label>{t("compare")} <select value={order} onChange={(e) => setOrder(e.currentTarget.value)}>
            <option value="index">{t("A(i) with B(i)")}</option><option value="transpose">{t("A(m,n) with B(n,m)")}</option>
          </select></label>
          <label>{t("element")} <select value={type} onChange={(e) => setType(e.currentTarget.value)}>{types.map((t) => <option>{t}</option>)}</select></label>
        </div>
        <Outcome slim over={told.length > 0 && last !== null}>
          {told.map((f) => <Fault fault={f} now />)}
          {told.length === 0 && verdict && <p class={"count " + (verdict.verdict === "one function" ? "free" : "bad") + (slow || faults.length > 0 ? " stale" : "")} data-testid="verdict" aria-live="polite"><b>{verdict.verdict}</b> {verdict.words}{verdict.relation && <span class="relation" data-testid="relation">{verdict.relation}</span>}</p>}
          {told.length === 0 && drawn && <Export key={drawn} expr={drawn} dark={p.palette.dark} draw={{ as: "compare" }} pictures idle={faults.length > 0} />}
        </Outcome>
      </section>
      <div class={"pair" + (slow || (faults.length > 0 && last) ? " stale" : "")}>
        {[left, right].map((v, k) => {
          const o = one(v);
          if (!o) return null;
          return <Half key={k} name={k === 0 ? "A" : "B"} operand={o} fill={filling} shared={v?.shared} differ={pair ? (k === 0 ? pair.differA : pair.differB) : null} palette={p.palette}
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

function Half(p: { name: string; operand: Operand; fill: Operand | null; shared: Stretch | undefined; differ: Set<number> | null; palette: Palette; lit: number; onHover: (i: number) => void; selected: number; onSelect: (i: number) => void }) {
  const o = p.operand;
  const grid = useMemo(() => {
    const fill = o.offset || o.exact ? grids.colorOf(o, p.fill?.fill ?? "offset", p.palette, p.shared) : () => p.palette.plain();
    // Differences stand out: if there are any, the rest is paler.
    const differ = p.differ?.size ? p.differ : null;
    const g = grids.logical(o, (i) => (differ && !differ.has(i) ? p.palette.paler(fill(i)) : fill(i)));
    return { ...g, marked: differ ? (i: number) => differ.has(i) : undefined };
  }, [o, p.fill, p.shared, p.differ, p.palette]);
  return (
    <figure class="card" data-testid={"half-" + p.name}>
      <figcaption><b>{p.name}</b> <code>{o.text}</code></figcaption>
      <GridCanvas id={p.name.toLowerCase()} grid={grid} name={p.name} selected={p.selected} glowing={p.lit >= 0} glow={(i) => (i === p.lit ? 3 : 0)} onHover={p.onHover} onSelect={p.onSelect}>
        <Fills fills={o.offset || o.exact ? [usual(p.fill, p.palette)] : []} />
        {(p.differ?.size ?? 0) > 0 && <p class="legend small"><span>a red dot: different; fainter: the same</span></p>}
      </GridCanvas>
    </figure>
  );
}
