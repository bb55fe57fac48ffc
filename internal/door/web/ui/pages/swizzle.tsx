// The swizzle workbench: a tile in shared memory, the accesses to it, sliders for B, M and S with live conflict
// counts, the tile before and after by bank, and the solver.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import type { Fault as FaultData } from "../engine";
import { answered, call } from "../engine";
import type { Drawing } from "../export";
import { Export } from "../export";
import { ExprBar } from "../exprbar";
import { Fault, Notes, Outcome, useCalm } from "../fault";
import * as grids from "../grids";
import { useLabels } from "../lang";
import type { Inspection, Operand, Stretch } from "../model";
import { bankAt, coordOf, embedded, filled, lies } from "../model";
import { set, useParam, whole } from "../state";
import { useCall, useCalls, useSlow } from "../use";
import { plural } from "../words";
import { Fills, banks } from "../views/legend";
import { banksIn } from "../views/inspector";
import { Phases } from "../views/phases";
import type { BankAnswer } from "../views/phases";
import { BitDiagram } from "../views/bits";

const accesses = ["ld", "ld.v2", "ld.v4", "st", "st.v4", "ld.128", "st.128", "ldmatrix.x4", "ldmatrix.x4.trans", "stmatrix.x4", "cp.async.16"];
const types = ["f16", "f32", "bf16", "s8", "e4m3", "tf32", "f64", "e2m1"];

interface Choice {
  swizzle: string;
  in_bytes?: string;
  formula: string;
  composed?: string;
}

export interface Solution {
  ok: boolean;
  kind?: string;
  swizzles?: Choice[];
  map?: { formula: string; cost: number; composed?: string };
  paddings?: { layout: string; bytes: number }[];
  proof?: { text: string };
  best?: { swizzle?: Choice; padding?: { layout: string }; extra: number; least: number };
  tried: number;
  notes?: string[];
  error?: FaultData;
}

export function Swizzle(p: { palette: Palette }) {
  const t = useLabels();
  const [tile, setTile] = useParam("tile", "(8,64):(64,1)");
  const [type, setType] = useParam("t", "f16");
  const [access, setAccess] = useParam("access", "ldmatrix.x4");
  const [threads, setThreads] = useParam("threads");
  const [target, setTarget] = useParam("m", "sm90");
  const [bT, setB] = useParam("B", "3");
  const [mT, setM] = useParam("M", "3");
  const [sT, setS] = useParam("S", "3");
  const [B, M, S] = [whole(bT, 0, 6, 3), whole(mT, 0, 10, 3), whole(sT, -8, 8, 3)];
  const after = `Sw<${B},${M},${S}> o 0 o ${embedded(tile, answered<Inspection>("inspect", { expr: tile, type }))}`;
  const common = { type, accesses: access.includes("@") ? [access] : access.split(/[\s,+]+/).filter(Boolean), threads: threads ? [threads] : [], target };
  // All for one tile and one access, so that a cost is never shown next to the picture of another tile.
  const { data, busy } = useCalls<[Inspection, Inspection, BankAnswer, BankAnswer]>(
    ["inspect", { expr: tile, type }], ["inspect", { expr: after, type }], ["bank", { expr: tile, ...common }], ["bank", { expr: after, ...common }],
  );
  const slow = useSlow(busy);
  const [plain, swizzled, costBefore, costAfter] = data ?? [null, null, null, null];
  const fault = plain && !plain.ok ? plain.error : costBefore && !costBefore.ok ? costBefore.error : swizzled && !swizzled.ok ? swizzled.error : undefined;
  const calm = useCalm(JSON.stringify([after, common]));
  const said = calm && !busy ? fault : undefined;
  // While the text being typed has no answer, the last tiles and their counts stay visible, paler.
  const [last, keep] = useState<typeof data>(null);
  if (data && !fault && data !== last) keep(data);
  const shown = fault ? (last ?? data) : data;
  const targets = useCall<{ name: string; title: string }[]>("targets", {});
  // A solution belongs to its request; another tile, type, access or machine has none yet.
  const request = { layout: tile, ...common };
  const asked = JSON.stringify(request);
  const now = useRef(asked);
  now.current = asked;
  useEffect(() => () => void (now.current = ""), []); // an answer that arrives after the page was left changes nothing
  const [found, solved] = useState<{ of: string; solution: Solution | "busy" } | null>(null);
  const solution = found?.of === asked ? found.solution : null;
  const solve = () => {
    solved({ of: asked, solution: "busy" });
    void call<Solution>("swizzle", request).then((r) => {
      if (now.current !== asked) return;
      solved({ of: asked, solution: r });
      const m = /^Sw<(\d+),(\d+),(-?\d+)>$/.exec(r.swizzles?.[0]?.swizzle ?? "");
      if (m) set({ B: m[1], M: m[2], S: m[3] });
    });
  };
  const slider = (name: string, value: number, from: number, to: number, change: (v: string) => void, what: string) => (
    <label class="slider" title={what}>
      <span><b>{name}</b> {value}</span>
      <input type="range" min={from} max={to} value={value} aria-label={`${name}: ${what}`} onInput={(e) => change(e.currentTarget.value)} />
    </label>
  );
  return (
    <div class="page">
      <section class="ask bench">
        <div class="field"><label for="tile">tile</label><ExprBar id="tile" label="tile in shared memory" value={tile} onChange={setTile} place={plain && !plain.ok ? plain.place : undefined} /></div>
        <div class="ask-row">
          <label>{t("element")} <select value={type} onChange={(e) => setType(e.currentTarget.value)}>{types.map((t) => <option>{t}</option>)}</select></label>
          <label title="one or more, such as ldmatrix.x4, cp.async.16: the tile is looked at for all of them">{t("accesses")} <input list="accesses" size={24} value={access} onInput={(e) => setAccess(e.currentTarget.value)} /></label>
          <datalist id="accesses">{accesses.map((a) => <option value={a} />)}</datalist>
          <label title="rows, cols, a thread-value layout, or thr T val V; empty for the usual">{t("threads")} <input size={26} value={threads} placeholder="as the instruction takes them" onInput={(e) => setThreads(e.currentTarget.value)} /></label>
          <label>{t("machine")} <select value={target} onChange={(e) => setTarget(e.currentTarget.value)}>
            {(Array.isArray(targets.data) ? targets.data : [{ name: "sm90", title: "" }]).map((t) => <option value={t.name}>{t.name} {t.title}</option>)}
          </select></label>
        </div>
        <div class="swizzle-row">
          {slider("B", B, 0, 6, setB, t("how many bits are changed"))}
          {slider("M", M, 0, 10, setM, t("how many lowest bits stay as they are"))}
          {slider("S", S, -8, 8, setS, t("how far the bits that change them lie above"))}
          <code class="sw-name" data-testid="swizzle">{`Sw<${B},${M},${S}>`}</code>
          <button type="button" class="primary" onClick={solve} disabled={solution === "busy"}>{solution === "busy" ? "solving …" : t("solve")}</button>
        </div>
        <Outcome slim over={Boolean(said && last)}>
          {said && <Fault fault={said} now />}
          {!said && shown && <Export key={after + type} expr={after} dark={p.palette.dark} draw={{ as: "bank_tile", ...common }} note="the swizzled tile" idle={!swizzled?.ok || !costAfter?.ok} />}
        </Outcome>
      </section>
      <div class={"pair" + (slow || fault ? " stale" : "")}>
        <Side title="before" value={shown?.[0] ?? null} cost={shown?.[2] ?? null} palette={p.palette} type={type} common={common} />
        <Side title="after" value={shown?.[1] ?? null} cost={shown?.[3] ?? null} palette={p.palette} type={type} common={common} against={shown?.[2]} />
      </div>
      <div class="pair">
        <figure class="card"><figcaption><b>{t("which bits")}</b> <span>{t("of the offset, in elements")}</span></figcaption><BitDiagram b={B} m={M} s={S} bits={type} /></figure>
        <section class="card solution" aria-live="polite" data-testid="solution">
          {solution === null && <p class="quiet"><b>solve</b> finds the smallest swizzle, map of bits or padding that frees the access of conflicts, or proves that there is none.</p>}
          {solution !== null && solution !== "busy" && <Answer s={solution} onPad={(l) => setTile(l)} />}
        </section>
      </div>
    </div>
  );
}

const pictures = [["bank_tile", "lanes"], ["bank", "phase by phase"]] as const;

/** The pictures of the accesses: the lanes of the worst phase of each in the tile, or the banks of each phase of all. */
function Lanes(p: { expr: string; common: { accesses: string[] }; dark: boolean; name: string }) {
  const [as, choose] = useParam("show", "bank_tile");
  const t = useLabels();
  const each = as === "bank_tile" ? p.common.accesses.map((a) => ({ ...p.common, accesses: [a] })) : [p.common];
  return (
    <div class="lanes" data-testid={"lanes-" + p.name}>
      <div class="chips small-chips" role="group" aria-label={"picture of the accesses " + p.name}>
        {pictures.map(([kind, words]) => <button type="button" aria-pressed={kind === as} onClick={() => choose(kind)}>{t(words)}</button>)}
      </div>
      <div class="drawing">{each.map((q, k) => <Drawn key={as + k} ask={{ expr: p.expr, as, theme: p.dark ? "dark" : "light", format: "svg", ...q }} what={`${q.accesses.join(", ")} in the tile ${p.name}, by lane and bank`} />)}</div>
    </div>
  );
}

/** A picture of operation draw. Until the next one is there, the last one stays, paler. */
function Drawn(p: { ask: object; what: string }) {
  const { data } = useCall<Drawing>("draw", p.ask);
  const [last, keep] = useState<Drawing | null>(null);
  if (data?.ok && data !== last) keep(data);
  const drawn = data?.ok ? data : last;
  return drawn?.text ? <img class={data?.ok ? "" : "stale"} src={"data:image/svg+xml," + encodeURIComponent(drawn.text)} alt={p.what} /> : null;
}

/** The tile by bank, with the conflicting lanes of a phase marked. */
function Side(p: { title: "before" | "after"; value: Inspection | null; cost: BankAnswer | null; palette: Palette; type: string; common: { accesses: string[] }; against?: BankAnswer | null }) {
  const t = useLabels();
  const v = p.value;
  const o = v?.operands?.[0];
  const [pointed, setHover] = useState(-1);
  const [picked, pick] = useParam("s"); // an element, of both sides
  const pinned = /^\d+$/.test(picked) && o && Number(picked) < o.size ? Number(picked) : -1;
  const hover = pointed >= 0 && o && pointed < o.size ? pointed : pinned;
  const shared = v?.shared;
  const grid = useMemo(() => {
    if (!o || !filled(o) || !o.offset || !shared) return null;
    const g = grids.logical(o, (i) => p.palette.bank(bankAt(shared, o.offset![i])));
    return { ...g, label: (i: number) => [banksIn(lies(shared, o.offset![i]))] };
  }, [v, p.palette]);
  const list = (p.cost?.ok && p.cost.accesses) || [];
  const was = p.against?.ok ? p.against.degree : undefined;
  // Errors of the tile itself come first. If only the swizzle makes the access impossible, its side says so.
  const fault = p.against?.ok && p.value?.ok && p.cost && !p.cost.ok ? p.cost.error : undefined;
  return (
    <figure class="card" data-testid={p.title}>
      <figcaption><b>{t(p.title)}</b> <span>{t("the bank of each element")}</span> <code>{v?.value}</code></figcaption>
      {list.map((a, k) => (
        <p key={k} class={"count " + (a.degree === 1 ? "free" : "bad")} data-testid={"degree-" + p.title + (k || "")}>
          {list.length > 1 && <code>{a.name} </code>}<b>{a.degree === 1 ? "conflict-free" : `${a.degree}-way`}</b> {plural(a.wavefronts, "wavefront")} in {plural(a.warps * a.instructions, "instruction")}{a.ideal !== a.wavefronts && `, at best ${a.ideal}`}
          {list.length === 1 && was !== undefined && was !== a.degree && <span class="quiet"> (was {was}-way)</span>}
        </p>
      ))}
      {fault && <p class="count bad" data-testid={"degree-" + p.title}><b>not possible</b> <span class="quiet">(was {was}-way)</span></p>}
      {grid && o && (
        <GridCanvas id={p.title} grid={grid} name={p.title} selected={pinned} glowing={hover >= 0} maxHeight={360}
          glow={(i) => (hover < 0 ? 0 : i === hover ? 3 : bankAt(shared!, o.offset![i]) === bankAt(shared!, o.offset![hover]) ? 1 : 0)}
          onHover={setHover} onSelect={(i) => pick(i < 0 ? "" : String(i))}>
          <Fills fills={[banks(p.palette)]} />
        </GridCanvas>
      )}
      {grid && o && <p class="small readout" data-testid={"at-" + p.title}>{hover >= 0 ? readout(o, shared!, hover) : <span class="quiet">{t("point at an element: its bank lights up")}</span>}</p>}
      {fault && <Fault fault={fault} />}
      {p.cost?.ok && v?.ok && v.value && <Lanes expr={v.value} common={p.common} dark={p.palette.dark} name={p.title} />}
      {list.map((a, k) => <Phases key={k} of={a} />)}
      {p.cost?.ok && <Notes notes={p.cost.notes} />}
    </figure>
  );
}

/** Where an element is. */
function readout(o: Operand, shared: Stretch, i: number) {
  const at = lies(shared, o.offset![i]);
  return <>{coordOf(o, i)}: offset {o.offset![i]}, byte {String(at.byte)}, <b>bank {banksIn(at)}</b></>;
}

export function Answer(p: { s: Solution; onPad?: (layout: string) => void }) {
  const s = p.s;
  if (!s.ok) return s.error ? <Fault fault={s.error} /> : null;
  const words: Record<string, string> = {
    free: "The tile is free of conflicts as it is.", swizzle: "The smallest swizzle without conflicts:", map: "No swizzle does it; a map of bits does:",
    padding: "No map of bits does it; a padding does:", impossible: "Nothing frees it.", unknown: "The search ended without an answer.",
  };
  return (
    <>
      <p><b>{words[s.kind ?? ""] ?? s.kind}</b></p>
      {s.swizzles?.map((c) => <p><code>{c.swizzle}</code> <span class="quiet">in elements{c.in_bytes && <>; <code>{c.in_bytes}</code> in bytes</>}</span><br /><code>{c.formula}</code></p>)}
      {s.map && <p><code>{s.map.formula}</code> <span class="quiet">{s.map.cost} exclusive ors of bits</span></p>}
      {s.paddings && s.paddings.length > 0 && <p>Paddings: {s.paddings.slice(0, 4).map((x) => <><button type="button" class="link" onClick={() => p.onPad?.(x.layout)}><code>{x.layout}</code></button> <span class="quiet">+{x.bytes} bytes</span> </>)}</p>}
      {s.proof && <p class="proof">{s.proof.text}</p>}
      {s.best && <p>Best with conflicts: <code>{s.best.swizzle?.swizzle ?? s.best.padding?.layout}</code>, {s.best.extra} extra wavefronts (at least {s.best.least} in any arrangement).</p>}
      <p class="quiet small">{s.tried} swizzles tried.</p>
      <Notes notes={s.notes} />
    </>
  );
}
