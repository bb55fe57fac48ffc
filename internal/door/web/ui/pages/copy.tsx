// The TiledCopy workbench: an instruction distributed over threads and values, with source and destination side by
// side; and the instructions that fit a TiledMMA and a layout in shared memory, with the reason why the others do
// not.

import { useState } from "preact/hooks";
import type { Palette } from "../color";
import type { Fault as FaultData } from "../engine";
import { Export, fillOf } from "../export";
import { ExprBar } from "../exprbar";
import { Fault, Notes, Outcome, useCalm } from "../fault";
import type { ColorBy } from "../grids";
import { useLabels } from "../lang";
import type { Inspection } from "../model";
import { ownFault, placeOf } from "../model";
import { go, useParam } from "../state";
import { useCall, useCalls, useSlow } from "../use";
import { Why } from "../views/drawer";
import { useLaid } from "../views/laid";
import { Partition } from "../views/partition";
import { Views } from "./explore";

interface Fit {
  name: string;
  arch: string;
  fits: boolean;
  reason: string;
  hint?: string;
  first?: Place;
  second?: Place;
}

interface Place {
  thread: number;
  value: number;
  coord: string;
  offset: number;
}

interface CopiesAnswer {
  ok: boolean;
  copies?: Fit[];
  notes?: string[];
  error?: FaultData;
}

const types = ["f16", "f32", "bf16", "s8", "e4m3", "f64", "e2m1"];
const operations = ["UniversalCopy<uint32_t>", "UniversalCopy<uint64_t>", "UniversalCopy<uint128_t>", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T", "SM90_U32x4_STSM_N", "AutoVectorizingCopy"];

export function Copy(p: { palette: Palette }) {
  const t = useLabels();
  const [operation, setOperation] = useParam("op", "UniversalCopy<uint128_t>");
  const [type, setType] = useParam("t", "f16");
  const [thr, setThr] = useParam("thr", "(16,8):(8,1)");
  const [val, setVal] = useParam("val", "(1,8)");
  const [picked, setPicked] = useParam("s");
  const [by, setBy] = useParam("by", "auto");
  const expr = `tiled_copy(copy_atom("${operation}","${type}"), ${thr}${val.trim() ? ", " + val : ""})`;
  const { data: all, busy } = useCalls<[Inspection, Inspection, Inspection]>(["inspect", { expr }], ["inspect", { expr: thr }], ["inspect", val.trim() ? { expr: val } : null]);
  const [data, ofThr, ofVal] = all ?? [null, null, null];
  const slow = useSlow(busy);
  const [last, keep] = useState<Inspection | null>(null);
  if (data?.ok && data !== last) keep(data);
  const v = data?.ok ? data : last;
  const { laid, line } = useLaid(v, type);
  const fill = v?.ok ? fillOf(by, v) : {};
  const calm = useCalm(expr);
  const said = calm && !busy && data && !data.ok ? (ownFault(["thr_layout", ofThr], ["val_layout", ofVal]) ?? data.error) : undefined;
  return (
    <div class="page">
      <section class="ask bench">
        <div class="ask-row">
          <label>{t("instruction")} <input list="copies" size={34} value={operation} onInput={(e) => setOperation(e.currentTarget.value)} /></label>
          <datalist id="copies">{operations.map((o) => <option value={o} />)}</datalist>
          <label>{t("element")} <select value={type} onChange={(e) => setType(e.currentTarget.value)}>{types.map((t) => <option>{t}</option>)}</select></label>
          <label>{t("color by")} <select value={by} onChange={(e) => setBy(e.currentTarget.value)}>{["auto", "thread", "warp", "value"].map((x) => <option>{x}</option>)}</select></label>
          <button type="button" class="link" onClick={() => go("", { e: expr })}>{t("open in Explore")}</button>
          <Why title={operation} exprs={[expr]} />
        </div>
        <div class="operands">
          <div class="field"><label for="thr">thr_layout</label><ExprBar id="thr" label="thr_layout" value={thr} onChange={setThr} place={placeOf(ofThr)} /></div>
          <div class="field"><label for="val">val_layout</label><ExprBar id="val" label="val_layout" value={val} onChange={setVal} place={placeOf(ofVal)} /></div>
        </div>
        {line}
        <Outcome over={Boolean(said && v)}>
          {said && <Fault fault={said} now />}
          {!said && v && <p class={"answer" + (slow || !data?.ok ? " stale" : "")}><output data-testid="value">{v.value}</output></p>}
          {!said && v && <Export key={expr} expr={expr} dark={p.palette.dark} draw={fill.draw} note={fill.note} idle={!data?.ok} />}
          {!said && data?.ok && <Notes notes={data.notes} />}
        </Outcome>
      </section>
      {v && <Views value={v} palette={p.palette} by={by as ColorBy} laid={laid} threadsFolded stale={slow || !data?.ok} picked={picked} onPick={setPicked} />}
      {data?.ok && <Partition tiled={expr} operands={["S", "D"]} example={twice(v)} palette={p.palette} />}
      <Legal />
    </div>
  );
}

/** A tensor of rows, of twice the tile in each mode. */
function twice(v: Inspection | null): string {
  const o = v?.operands?.[0];
  return o ? `(${2 * o.rows},${2 * o.cols}):(${2 * o.cols},1)` : "";
}

/** Which copy instructions fit. */
function Legal() {
  const t = useLabels();
  const [atom, setAtom] = useParam("mma", "SM80_16x8x16_F32F16F16F32_TN");
  const [operand, setOperand] = useParam("o", "A");
  const [memory, setMemory] = useParam("smem", "Sw<3,3,3> o 0 o (64,64):(64,1)");
  const [arch, setArch] = useParam("arch", "sm80");
  const [all, setAll] = useParam("all"); // 1: also instructions that do not fit
  const { data } = useCall<CopiesAnswer>("copies", { atom, operand, memory, arch });
  const list = data?.copies ?? [];
  const fits = list.filter((c) => c.fits);
  return (
    <section class="card legal" data-testid="legal">
      <figcaption><b>{t("which instructions copy an operand")}</b> <span>{t("from or to shared memory")}</span></figcaption>
      <div class="ask-row">
        <label>MMA <input size={34} value={atom} onInput={(e) => setAtom(e.currentTarget.value)} /></label>
        <label>{t("operand")} <select value={operand} onChange={(e) => setOperand(e.currentTarget.value)}>{["A", "B", "C"].map((x) => <option>{x}</option>)}</select></label>
        <label>{t("machine")} <input size={7} value={arch} onInput={(e) => setArch(e.currentTarget.value)} /></label>
      </div>
      <div class="field"><label for="smem">memory</label><ExprBar id="smem" label="layout in shared memory" value={memory} onChange={setMemory} /></div>
      {data && !data.ok && data.error && <Fault fault={data.error} />}
      {data?.ok && (
        <>
          <p><b class={fits.length > 0 ? "good" : "failed"}>{fits.length} fit</b> <label class="quiet"><input type="checkbox" checked={all === "1"} onChange={(e) => setAll(e.currentTarget.checked ? "1" : "")} /> show why {list.length - fits.length} do not</label></p>
          <div class="scroll"><table>
            <tbody>
              {(all === "1" ? list : fits).map((c) => <tr><td class={c.fits ? "good" : "failed"}>{c.fits ? "✓" : "✗"}</td><td><code>{c.name}</code></td><td class="quiet">{c.arch}</td><td>{c.reason}{!c.fits && c.first && c.second && <span class="quiet"> T{c.first.thread} V{c.first.value} {c.first.coord} at {c.first.offset}, T{c.second.thread} V{c.second.value} {c.second.coord} at {c.second.offset}</span>}{c.hint && <span class="quiet"> {c.hint}</span>}</td></tr>)}
            </tbody>
          </table></div>
          <Notes notes={data.notes} />
        </>
      )}
    </section>
  );
}
