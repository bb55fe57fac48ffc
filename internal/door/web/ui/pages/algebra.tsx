// The algebra workbench: an operation, its operands and its result side by side and linked, with the steps of the
// explanation. Everything updates while the user types.

import { useMemo, useState } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette, RGB } from "../color";
import { answered } from "../engine";
import { Export } from "../export";
import { ExprBar } from "../exprbar";
import { Fault, Notes, Outcome, useCalm } from "../fault";
import * as grids from "../grids";
import { useLabels } from "../lang";
import type { Glow, Inspection, Operand } from "../model";
import { embedded, filled, ownFault, placeOf } from "../model";
import { useParam, set } from "../state";
import { types } from "../words";
import { arrows, useCalls, useSlow } from "../use";
import { Fills, hued, usual } from "../views/legend";
import { Steps } from "../views/steps";
import type { ExplainAnswer } from "../views/steps";
import type { Linked, Side } from "../links";
import { hues, leading, link, tint } from "../links";

interface Op {
  name: string;
  b?: string; // the name of the second operand
  a0: string; // the initial operands
  b0?: string;
  says: string;
}

export const ops: Op[] = [
  { name: "composition", b: "B", a0: "(6,2):(8,2)", b0: "(4,3):(3,1)", says: "R(c) = A(B(c)): B picks, A says where" },
  { name: "complement", b: "M", a0: "(2,2):(1,6)", b0: "24", says: "what fills the gaps of A up to M" },
  { name: "logical_divide", b: "tiler", a0: "(9,(4,8)):(59,(13,1))", b0: "<3:3,(2,4):(1,8)>", says: "the tile, and the layout of the tiles, in each mode" },
  { name: "zipped_divide", b: "tiler", a0: "(9,(4,8)):(59,(13,1))", b0: "<3:3,(2,4):(1,8)>", says: "mode 0 is a tile, mode 1 counts the tiles" },
  { name: "tiled_divide", b: "tiler", a0: "(8,16):(16,1)", b0: "<4,8>", says: "mode 0 is a tile, the others count the tiles" },
  { name: "flat_divide", b: "tiler", a0: "(8,16):(16,1)", b0: "<4,8>", says: "the modes of a tile, then those that count the tiles" },
  { name: "logical_product", b: "B", a0: "(2,2):(4,1)", b0: "6:1", says: "A, repeated as B says" },
  { name: "blocked_product", b: "B", a0: "(2,5):(5,1)", b0: "(3,4):(1,3)", says: "blocks of A, laid out as B" },
  { name: "raked_product", b: "B", a0: "(2,5):(5,1)", b0: "(3,4):(1,3)", says: "copies of A, interleaved as B says" },
  { name: "zipped_product", b: "B", a0: "(2,2):(4,1)", b0: "6:1", says: "logical_product with the modes zipped" },
  { name: "right_inverse", a0: "(2,4,6):(4,1,8)", says: "A(R(i)) = i" },
  { name: "left_inverse", a0: "(4,8):(10,1)", says: "R(A(i)) = i" },
  { name: "coalesce", a0: "(2,(1,6)):(1,(6,2))", says: "the same function with the fewest modes" },
];

export function Algebra(p: { palette: Palette }) {
  const t = useLabels();
  const [name] = useParam("op", ops[0].name);
  const op = ops.find((x) => x.name === name) ?? ops[0];
  const [a, setA] = useParam("a", op.a0);
  const [b, setB] = useParam("b", op.b0 ?? "");
  const [type, setType] = useParam("t", "f32");
  const known = (text: string) => embedded(text, answered<Inspection>("inspect", { expr: text, type }));
  const expr = op.b ? `${op.name}(${known(a)}, ${known(b)})` : `${op.name}(${known(a)})`;
  const { data, busy } = useCalls<[Inspection, Inspection, Inspection, Linked, ExplainAnswer]>(
    ["inspect", { expr, type }], ["inspect", { expr: a, type }], ["inspect", op.b ? { expr: b, type } : null], ["link", { expr }], ["explain", { expr, top: true }],
  );
  const slow = useSlow(busy);
  const [whole, left, right, linked, why] = data ?? [null, null, null, null, null];
  const own = whole && !whole.ok ? ownFault(["A", left], [op.b ?? "", right]) : undefined;
  // While the text being typed has no value, the last value stays visible, paler.
  const [last, keep] = useState<{ of: Op; value: Inspection } | null>(null);
  if (whole?.ok && whole !== last?.value) keep({ of: op, value: whole });
  const shown = whole?.ok ? whole : last?.of === op ? last.value : null;
  const calm = useCalm(expr);
  const said = calm && !busy && whole && !whole.ok ? (own ?? whole.error) : undefined;
  return (
    <div class="page">
      <section class="ask bench">
        <div class="chips" role="radiogroup" aria-label={t("operation")} onKeyDown={arrows}>
          {ops.map((x) => (
            <button type="button" role="radio" aria-checked={x === op} tabIndex={x === op ? 0 : -1} key={x.name} onClick={() => set({ op: x.name === ops[0].name ? "" : x.name, a: "", b: "", s: "" })}>{x.name}</button>
          ))}
        </div>
        <p class="says">{op.says}</p>
        <div class="operands">
          <div class="field"><label for="opA">A</label><ExprBar id="opA" label="A" value={a} onChange={setA} place={placeOf(left)} /></div>
          {op.b && <div class="field"><label for="opB">{op.b}</label><ExprBar id="opB" label={op.b} value={b} onChange={setB} place={placeOf(right)} /></div>}
        </div>
        <div class="ask-row">
          <label title="Of what is in memory: says which elements are in one bank, where a swizzle is filled by that">{t("element")} <select value={type} onChange={(e) => setType(e.currentTarget.value)}>{types.map((t) => <option>{t}</option>)}</select></label>
        </div>
        <Outcome over={Boolean(said && shown)}>
          {said && <Fault fault={said} now />}
          {!said && shown && <p class={"answer" + (slow || !whole?.ok ? " stale" : "")}><span class="quiet">=</span> <output data-testid="value" aria-live="polite">{shown.value}</output></p>}
          {!said && whole?.ok && <Notes notes={[left, right].flatMap((v) => v?.notes?.filter((n) => n.startsWith("read as ")) ?? []).concat(whole.notes ?? [])} />}
          {!said && shown && <Export key={expr} expr={expr} dark={p.palette.dark} draw={{ type }} idle={!whole?.ok} />}
        </Outcome>
      </section>
      <div class="bench-body">
        <Pictures key={op.name} op={op.name} a={left} b={right} r={whole} links={linked} stale={slow} palette={p.palette} names={["A", op.b ?? ""]} />
        <section class="card steps-card" aria-label="steps">{own ? <p class="quiet">nothing to explain yet</p> : <Steps answer={why} />}</section>
      </div>
    </div>
  );
}

interface PicturesProps {
  op: string;
  a: Inspection | null;
  b: Inspection | null;
  r: Inspection | null;
  links: Linked | null;
  stale: boolean;
  palette: Palette;
  names: [string, string]; // of the operands
}

/** A, B and the result as grids. An element under the pointer lights the elements in the other grids that it comes from. */
export function Pictures(p: PicturesProps) {
  const [hover, setSpot] = useState<{ side: Side; element: number } | null>(null);
  const [picked, pick] = useParam("s");
  // Without a result, the last result stays visible, paler, with its fills; nothing is linked to it.
  const now = useMemo(() => ({ a: operand(p.a), b: p.links?.cuts ? null : operand(p.b), r: operand(p.r), links: p.links }), [p.a, p.b, p.r, p.links]);
  const [last, keep] = useState(now);
  if (now.r && now !== last) keep(now);
  const old = now.r ? null : last.r;
  const shared = p.r?.shared ?? p.a?.shared;
  const sides = useMemo(() => {
    const table = now;
    const out: Partial<Record<Side, grids.Built>> = {};
    for (const side of ["a", "b", "r"] as Side[]) {
      const from = side === "r" && old ? last : table;
      const o = from[side];
      if (!o) continue;
      const color: (i: number) => RGB = tint(from.links, side, from, p.palette, shared);
      out[side] = { operand: o, grid: grids.logical(o, color) };
    }
    return { table, out };
  }, [now, old, p.palette, shared]);
  const said = hues((old ? last : now).links);
  const pinned = /^([abr])\.(\d+)$/.exec(picked);
  const chosen = pinned ? { side: pinned[1] as Side, element: Number(pinned[2]) } : null;
  const there = (x: typeof hover) => (x && x.element < (sides.out[x.side]?.operand.size ?? 0) ? x : null);
  const spot = there(hover) ?? there(chosen);
  const names: Record<Side, string> = { a: p.names[0], b: p.names[1], r: p.op };
  return (
    <div class="trio">
      {(["b", "a", "r"] as Side[]).map((side) => {
        const built = sides.out[side];
        if (!built) return null;
        const linked = spot && (spot.side === side || !old || (side !== "r" && spot.side !== "r"));
        const lit: (i: number) => Glow = linked ? link(sides.table.links, spot.side, spot.element, side) : () => 0;
        return (
          <figure class={"card side-" + side + (p.stale || (old && side === "r") ? " stale" : "")} key={side} data-testid={"side-" + side}>
            <figcaption><b>{names[side]}</b> <code>{built.operand.text}</code></figcaption>
            <GridCanvas id={side} grid={built.grid} name={names[side]} glow={lit} glowing={Boolean(linked)} selected={there(chosen)?.side === side ? chosen!.element : -1}
              onHover={(i) => setSpot(i < 0 ? null : { side, element: i })} onSelect={(i) => pick(i < 0 ? "" : `${side}.${i}`)} maxHeight={side === "r" ? 420 : 260}>
              {side === "r" && <Fills fills={[said ? hued(p.palette, said.what, said.count, said.ofB ? ` of ${names.b}` : "") : usual(leading(old ? last : now), p.palette)]} />}
            </GridCanvas>
          </figure>
        );
      })}
    </div>
  );
}

function operand(v: Inspection | null): Operand | null {
  const o = v?.ok ? v.operands?.[0] : undefined;
  return o && filled(o) && o.offset ? o : null;
}
