// The elements of a thread-value picture in a memory: a data layout gives each element of the tile an offset, and the
// cells show the sectors of global memory or the banks of shared memory. What an instruction costs is the answer of
// operation global or bank.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Fault as FaultData } from "../engine";
import { ExprBar } from "../exprbar";
import { Fault } from "../fault";
import type { Laid, Space } from "../laid";
import { laidOut } from "../laid";
import { useLabels } from "../lang";
import type { Inspection, Operand } from "../model";
import { placeOf } from "../model";
import { set, textOf, useParams } from "../state";
import { useCall } from "../use";
import { plural, types } from "../words";

interface Cost {
  ok: boolean;
  accesses?: { instructions: number; warps: number; requests: number; sectors: number; fewest: number; efficiency: number; widest: number; wavefronts: number; ideal: number; degree: number }[];
  notes?: string[];
  error?: FaultData;
}

/** The operands that threads hold, by number. */
function held(v: Inspection | null): number[] {
  return (v?.operands ?? []).flatMap((o, k) => (o.thread && o.offset ? [k] : []));
}

/** The places of the elements of the value, if the state names a data layout, with the line that asks for it. */
export function useLaid(v: Inspection | null, type?: string): { laid?: Laid; line: ComponentChildren } {
  const t = useLabels();
  const params = useParams();
  const text = textOf(params, "d");
  const all = held(v);
  const operand = all.find((k) => v!.operands![k].name === params.do) ?? all[0];
  const o: Operand | undefined = v?.operands?.[operand];
  const space: Space = params.din === "shared" ? "shared" : "global";
  const access = textOf(params, "dx", "ld");
  const element = type ?? params.dt ?? "f16";
  const asked = text.trim() !== "" && o !== undefined;
  const { data } = useCall<Inspection>("inspect", asked ? { expr: text, type: element, tile: "" } : null);
  const laid = useMemo(() => (asked && data?.ok ? laidOut(v!, operand, data, space) : undefined), [v, operand, data, space, asked]);
  const good = laid && "place" in laid ? laid : undefined;
  // Only threads 0, 1, 2, ... that are lanes 0, 1, 2, ... make the instructions that the operations count.
  const other = o?.thr_id !== undefined || o?.thread_atom?.includes(-1);
  const asking = good && access.trim() && !other ? { expr: text, type: element, accesses: [access.trim()], threads: [o!.text] } : null;
  const ofGlobals = useCall<Cost>("global", space === "global" ? asking : null).data;
  const ofBanks = useCall<Cost>("bank", space === "shared" ? asking : null).data;
  const cost = asking && (space === "shared" ? ofBanks : ofGlobals);
  const a = cost?.ok ? cost.accesses?.[0] : undefined;
  const fault = data && !data.ok ? data.error : laid && !("place" in laid) ? laid : cost && !cost.ok ? cost.error : undefined;
  const line = o && (
    <details class="laid" open={asked || undefined} data-testid="laid">
      <summary>{t("coalescing and banks")}</summary>
      <div class="ask-row">
        {all.length > 1 && v!.operands!.some((x) => x.name !== o.name) && <label>{t("of")} <select value={o.name} onChange={(e) => set({ do: e.currentTarget.value })}>{all.map((k) => <option>{v!.operands![k].name}</option>)}</select></label>}
        {type === undefined && <label>{t("element")} <select value={element} onChange={(e) => set({ dt: e.currentTarget.value })}>{types.map((t) => <option>{t}</option>)}</select></label>}
        <label>{t("memory")} <select value={space} onChange={(e) => set({ din: e.currentTarget.value === "shared" ? "shared" : "" })}><option value="global">{t("global: sectors")}</option><option value="shared">{t("shared: banks")}</option></select></label>
        <label>{t("access")} <input size={8} list="laid-access" value={access} onInput={(e) => set({ dx: e.currentTarget.value })} /></label>
        <datalist id="laid-access">{["ld", "ld.v2", "ld.v4", "ld.64", "ld.128", "st", "st.v2", "st.128"].map((x) => <option value={x} />)}</datalist>
      </div>
      <div class="field"><label for="laid">layout of the {o.rows} × {o.cols} elements</label><ExprBar id="laid" label="data layout" value={text} onChange={(d) => set({ d })} place={placeOf(data)} placeholder={`(${o.rows},${o.cols}):(${o.cols},1)`} /></div>
      {asked && fault && <Fault fault={fault} now />}
      {good && other && <p class="small" role="status">The threads of this instruction are not lanes 0, 1, 2, ... of a warp: its accesses are not counted.</p>}
      {a && <p class="small" role="status" data-testid="laid-cost">{space === "shared" ? ofShared(a, access) : ofGlobal(a, access)}</p>}
    </details>
  );
  return { laid: good, line };
}

type Access = NonNullable<Cost["accesses"]>[number];

function ofGlobal(a: Access, access: string) {
  const good = a.sectors === a.fewest;
  return <><b class={good ? "good" : "failed"}>{good ? "coalesced" : `${plural(a.sectors, "sector")} instead of ${a.fewest}`}</b>: {plural(a.requests, "request")} of {access} {a.requests === 1 ? "moves" : "move"} {plural(a.sectors, "sector")} of 32 bytes, and {Math.round(a.efficiency * 100)} % of the bytes are used. The widest access of a lane has {a.widest} bits.</>;
}

function ofShared(a: Access, access: string) {
  const good = a.wavefronts === a.ideal;
  return <><b class={good ? "good" : "failed"}>{good ? "free of conflicts" : `${a.degree}-way conflicts`}</b>: {plural(a.instructions * a.warps, "instruction")} of {access} {a.instructions * a.warps === 1 ? "takes" : "take"} {plural(a.wavefronts, "wavefront")}{good ? "." : `; without conflicts ${a.ideal}.`}</>;
}
