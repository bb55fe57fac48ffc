// The MMA workbench: a list of the instructions, the TiledMMA built from one, its three operands with their holders,
// the permutation that makes a thread's values contiguous, and the copies that fit.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Palette } from "../color";
import type { Fault as FaultData } from "../engine";
import { Export, fillOf } from "../export";
import { ExprBar } from "../exprbar";
import { Fault, Notes, Outcome, useCalm } from "../fault";
import type { ColorBy } from "../grids";
import { useLabels } from "../lang";
import type { Inspection, Operand } from "../model";
import { colOf, ownFault, partsOf, placeOf, rowOf } from "../model";
import { go, set, useParam } from "../state";
import { useCall, useCalls, useSlow } from "../use";
import { AtomFacts } from "../views/atom";
import type { AtomAnswer } from "../views/atom";
import { Descriptor } from "../views/descriptor";
import { Why } from "../views/drawer";
import { useLaid } from "../views/laid";
import { Partition } from "../views/partition";
import { Views, parseSpot } from "./explore";

interface Row {
  name: string;
  kind: string;
  arch: string;
  shape?: string;
  types?: string;
  threads: number;
}

interface Permuted {
  ok: boolean;
  permutation?: string;
  before?: string[];
  after?: string[];
  notes?: string[];
  error?: FaultData;
}

const first = "SM80_16x8x16_F32F16F16F32_TN";
const shown = 250;

export function MMA(p: { palette: Palette }) {
  const label = useLabels();
  const [name] = useParam("atom", first);
  const [atoms, setAtoms] = useParam("atoms", "(2,2,1)");
  const [perm, setPerm] = useParam("perm");
  const [thread] = useParam("thread");
  const [picked] = useParam("s");
  const [by, setBy] = useParam("by", "auto");
  const expr = `tiled_mma("${name}", ${atoms.trim() || "(1,1,1)"}${perm.trim() ? ", " + perm : ""})`;
  const answers = useCalls<[Inspection, AtomAnswer, Inspection, Inspection]>(
    ["inspect", { expr }], ["atom", { name }], ["inspect", atoms.trim() ? { expr: atoms } : null], ["inspect", perm.trim() ? { expr: perm } : null],
  );
  const slow = useSlow(answers.busy);
  const [data, atom, ofAtoms, ofPerm] = answers.data ?? [null, null, null, null];
  const [last, keep] = useState<Inspection | null>(null);
  if (data?.ok && data !== last) keep(data);
  const v = data?.ok ? data : last;
  const { laid, line } = useLaid(v);
  const types = atom?.ok ? /= (\S+) \* (\S+)/.exec(atom.types ?? "") : null;
  const box = (o: Operand) => <Descriptor instr={name} operand={o} type={types?.[o.name === "B" ? 2 : 1] ?? ""} major={atom?.operands?.find((x) => x.name === o.name)?.major ?? "K"} />;
  const fill = v?.ok ? fillOf(by, v) : {};
  const calm = useCalm(expr);
  const said = calm && !answers.busy && data && !data.ok && atom?.ok ? (ownFault(["AtomLayoutMNK", ofAtoms], ["PermutationMNK", ofPerm]) ?? data.error) : undefined;
  // The operand in which a thread is selected: C, unless no thread holds it.
  const held = [2, 0, 1].find((k) => v?.operands?.[k]?.thread) ?? 2;
  const t = Number(thread);
  const threads = Math.max(...(v?.operands ?? []).map((o) => Number(o.threads ?? 0)), 0);
  const there = (text: string) => /^\d{1,9}$/.test(text) && Number(text) < threads;
  const valid = there(thread);
  // The thread and the selected element are one choice: they always agree.
  const threadOf = (s: string) => {
    const at = v && parseSpot(s, v);
    return at ? v.operands?.[at.operand].thread?.[at.element] : undefined;
  };
  const lit = thread === "" ? picked : !valid ? "" : threadOf(picked) === t ? picked : `${held}.${t}`;
  return (
    <div class="page mma-page">
      <Browser chosen={name} onChoose={(n) => set({ atom: n === first ? "" : n, perm: "", s: "", thread: "" })} />
      <div class="mma-body">
        <section class="ask bench">
          <h1><code>{name}</code></h1>
          {atom?.ok && <AtomFacts atom={atom} />}
          {atom && !atom.ok && atom.error && <Fault fault={atom.error} />}
          <div class="operands three">
            <div class="field"><label for="atoms">AtomLayoutMNK</label><ExprBar id="atoms" label="AtomLayoutMNK" value={atoms} onChange={setAtoms} place={placeOf(ofAtoms)} /></div>
            <div class="field"><label for="perm">PermutationMNK</label><ExprBar id="perm" label="PermutationMNK" value={perm} onChange={setPerm} place={placeOf(ofPerm)} placeholder="none, or <32,32,16>" /></div>
          </div>
          <div class="ask-row">
            <label>{label("thread")} <input type="number" min={0} max={Math.max(threads - 1, 0)} size={5} value={thread} placeholder="all" aria-invalid={thread !== "" && !valid && data?.ok === true}
              onInput={(e) => set({ thread: e.currentTarget.value, s: there(e.currentTarget.value) ? `${held}.${Number(e.currentTarget.value)}` : "" })} /></label>
            {thread !== "" && !valid && data?.ok && <span class="failed small" role="status" data-testid="no-thread">{threads > 0 ? `the threads are 0 to ${threads - 1}` : "no thread is shown of this many elements"}</span>}
            <label>{label("color by")} <select value={by} onChange={(e) => setBy(e.currentTarget.value)}>{["auto", "thread", "warp", "value"].map((x) => <option>{x}</option>)}</select></label>
            <button type="button" class="link" onClick={() => go("", { e: expr })}>{label("open in Explore")}</button>
            <Why name={valid ? `why thread ${t} holds these` : "why"} title={valid ? `thread ${t} of ${name}` : name} exprs={[name, expr]}>{valid && v && data?.ok && <Holdings value={v} thread={t} />}</Why>
          </div>
          {valid && v && data?.ok && <Holdings value={v} thread={t} />}
          {line}
          <Outcome over={Boolean(said && v)}>
            {said && <Fault fault={said} now />}
            {!said && v && <p class={"answer" + (slow || !data?.ok ? " stale" : "")}><output data-testid="value">{v.value}</output></p>}
            {!said && v && <Export key={expr} expr={expr} dark={p.palette.dark} draw={fill.draw} note={fill.note} idle={!data?.ok} />}
            {!said && data?.ok && <Notes notes={data.notes} />}
          </Outcome>
        </section>
        {v && <Views value={v} palette={p.palette} by={by as ColorBy} laid={laid} threadsFolded box={box} stale={slow || !data?.ok} picked={lit} onPick={(s) => set({ s, thread: String(threadOf(s) ?? "") })} />}
        {data?.ok && <Partition folded tiled={expr} operands={partitioned(data)} example={tensorOf(data, partitioned(data)[0])} palette={p.palette} />}
        <Permute atom={name} atoms={atoms} perm={perm} onTake={setPerm} />
      </div>
    </div>
  );
}

/** The operands, C first, because threads hold it in all but the newest instructions. */
function partitioned(v: Inspection): string[] {
  return ["C", "A", "B"].filter((x) => v.operands?.some((o) => o.name === x));
}

/** A tensor of rows for an operand, of twice the tile in each mode. */
function tensorOf(v: Inspection, name: string): string {
  const o = v.operands?.find((x) => x.name === name);
  return o ? `(${2 * o.rows},${2 * o.cols}):(${2 * o.cols},1)` : "";
}

/** The instructions whose name, architecture, shape or types contain all words. */
function Browser(p: { chosen: string; onChoose: (name: string) => void }) {
  const [words, setWords] = useParam("q", /^(sm|gfx)\d+/i.exec(p.chosen)?.[0].toLowerCase() ?? "sm80");
  const { data } = useCall<{ ok: boolean; atoms?: Row[]; error?: FaultData }>("atoms", { filter: [...words.split(/\s+/).filter(Boolean), "mma"].slice(0, 12) });
  const rows = (data?.atoms ?? []).filter((r) => r.kind === "mma");
  // Another list begins at the chosen instruction, or at the top.
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const [ul, current] = [list.current!, list.current!.querySelector("[aria-current]")];
    ul.scrollTop = current ? current.getBoundingClientRect().top - ul.getBoundingClientRect().top + ul.scrollTop - 60 : 0;
  }, [data]);
  const at = rows.findIndex((r) => r.name === p.chosen.replace(/<(K|MN),(K|MN)>$/, ""));
  const listed = at >= shown ? [rows[at], ...rows.slice(0, shown - 1)] : rows.slice(0, shown);
  return (
    <aside class="card browser" aria-label="MMA instructions">
      <label class="visually-hidden" for="filter">filter</label>
      <input id="filter" type="search" value={words} placeholder="sm90 f16 64x128" onInput={(e) => setWords(e.currentTarget.value)} />
      <div class="chips small-chips">
        {["sm70", "sm75", "sm80", "sm89", "sm90", "sm100", "sm120", "gfx942", "gfx950", "gfx1100"].map((a) => (
          <button type="button" aria-pressed={words.split(/\s+/).includes(a)} key={a} onClick={() => setWords(a)}>{a}</button>
        ))}
      </div>
      {data && !data.ok && <p class="quiet small">{data.error?.message}</p>}
      <p class="quiet small">{rows.length > shown ? `the first ${shown} of ${rows.length}: more words make fewer` : `${rows.length} instructions`}</p>
      <ul ref={list}>
        {listed.map((r) => (
          <li key={r.name}>
            <button type="button" aria-current={r === rows[at] ? "true" : undefined} title={r.name} onClick={() => p.onChoose(r.name)}>
              <span>{r.shape}</span> <span class="quiet">{r.types}</span><small>{r.name}</small>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** What one thread holds of each operand, in the order of its values. */
function Holdings(p: { value: Inspection; thread: number }) {
  return (
    <section class="card" data-testid="holdings">
      <figcaption><b>thread {p.thread} holds</b></figcaption>
      <div class="holdings">
        {(p.value.operands ?? []).map((o) => (
          <div><b>{o.name}</b> <span class="quiet">({o.row_name},{o.col_name})</span>
            <p><code>{list(o, p.thread)}</code></p>
          </div>
        ))}
      </div>
    </section>
  );
}

function list(o: Operand, thread: number): string {
  if (o.space) return "none: it lies in " + o.space;
  if (!o.thread) return "too many elements to list";
  if (!partsOf(o).rank.has(thread) && thread < o.threads!) return "none: it takes no part";
  if (thread >= o.threads!) return `none: it is held by ${o.threads} threads`;
  const out: string[] = [];
  for (let v = 0; v < (o.values ?? 0) && v < 128; v++) {
    const i = thread + v * o.threads!;
    out.push(`V${v}\u00a0(${rowOf(o, i)},${colOf(o, i)})`);
  }
  return out.join("  ") + ((o.values ?? 0) > 128 ? " …" : "");
}

/** Finds the PermutationMNK that makes values of a thread contiguous. */
function Permute(p: { atom: string; atoms: string; perm: string; onTake: (tile: string) => void }) {
  const t = useLabels();
  const [operand, setOperand] = useParam("po", "C");
  const [along, setAlong] = useParam("pa", "M");
  const [run, setRun] = useParam("pr", "");
  const request = run === "" ? null : { atom: p.atom, atoms: p.atoms, permutation: p.perm, operand, along, run: Number(run) || 0 };
  const { data, busy } = useCall<Permuted>("permute", request);
  return (
    <section class="card">
      <figcaption><b>{t("make a thread's values contiguous")}</b> <span>{t("finds PermutationMNK")}</span></figcaption>
      <div class="ask-row">
        <label>{t("values of")} <select value={operand} onChange={(e) => setOperand(e.currentTarget.value)}>{["A", "B", "C"].map((x) => <option>{x}</option>)}</select></label>
        <label>{t("along")} <select value={along} onChange={(e) => setAlong(e.currentTarget.value)}>{["M", "N", "K"].map((x) => <option>{x}</option>)}</select></label>
        <label>{t("how many")} <input type="number" min={2} size={4} value={run} placeholder="8" onInput={(e) => setRun(e.currentTarget.value)} /></label>
      </div>
      {data?.ok && (
        <>
          <p><code>{data.permutation}</code> <button type="button" class="link" disabled={busy} onClick={() => p.onTake(data.permutation ?? "")}>{t("take it")}</button></p>
          <p class="quiet small">thread 0 before: <code>{data.before?.slice(0, 16).join(" ")}</code><br />after: <code>{data.after?.slice(0, 16).join(" ")}</code></p>
          <Notes notes={data.notes} />
        </>
      )}
      {data && !data.ok && data.error && <Fault fault={data.error} />}
    </section>
  );
}
