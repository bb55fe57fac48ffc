// A tensor divided among the threads of a TiledCopy or a TiledMMA: the part of one thread, as CuTe's partition_S, partition_A
// and the others give it, what its modes count, and where it is in the tensor. The answer is operation partition's.

import { useMemo } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import type { Fault as FaultData } from "../engine";
import { ExprBar } from "../exprbar";
import { Fault, Notes } from "../fault";
import * as grids from "../grids";
import { useLabels } from "../lang";
import type { Inspection } from "../model";
import { filled, placeOf } from "../model";
import { set, textOf, useParams, whole } from "../state";
import { useCall } from "../use";
import { Folded } from "./folded";
import { plural } from "../words";

interface Part {
  ok: boolean;
  operand?: string;
  layout?: string;
  offset?: string;
  notes?: string[];
  error?: FaultData;
}

/** The names of the modes of an operand's tensor. */
const modes: Record<string, [string, string]> = { A: ["M", "K"], B: ["N", "K"], C: ["M", "N"], S: ["mode 0", "mode 1"], D: ["mode 0", "mode 1"] };

/** A tensor of the operands, chosen by the reader; an example is the tensor before that. */
export function Partition(p: { tiled: string; operands: string[]; example: string; folded?: boolean; palette: Palette }) {
  const t = useLabels();
  const params = useParams();
  const operand = p.operands.find((x) => x === params.pt) ?? p.operands[0];
  const tensor = textOf(params, "tn", p.example);
  const thread = whole(params.th ?? params.thread ?? "", 0, 1 << 20, 0);
  const { data } = useCall<Part>("partition", tensor.trim() ? { tiled: p.tiled, operand, layout: tensor, thread } : null);
  const { data: of } = useCall<Inspection>("inspect", tensor.trim() ? { expr: tensor, type: "f32", tile: "" } : null);
  const { data: part } = useCall<Inspection>("inspect", data?.ok && data.layout ? { expr: data.layout, type: "f32", tile: "" } : null);
  const fault = of && !of.ok ? of.error : data && !data.ok ? data.error : undefined;
  const o = of?.ok ? of.operands?.[0] : undefined;
  const drawn = o && filled(o) && o.offset && !o.thread ? o : undefined;
  const grid = useMemo(() => drawn && grids.logical(drawn, grids.colorOf(drawn, "offset", p.palette, of!.shared)), [drawn, p.palette]);
  const ofPart = part?.ok ? part.operands?.[0].offset : undefined;
  const own = useMemo(() => new Set(data?.ok && ofPart ? ofPart.map((x) => x + Number(data.offset ?? 0)) : []), [data, ofPart]);
  const counts = part?.ok ? part.operands?.[0]?.modes : undefined;
  const [down, across] = modes[operand];
  const said = counts && counts.length >= 2 && [
    `${plural(counts[0], "value")} of one instruction`,
    ...counts.slice(1).map((n, k) => `${plural(n, "instruction")} along ${[down, across][k] ?? `mode ${k}`}`),
  ].join(", ");
  return (
    <section class="card partition" data-testid="partition"><Folded folded={p.folded && !(params.tn ?? params.pt ?? params.th)} title={<><b>{t("a tensor divided among the threads")}</b> <span>partition_{operand}</span></>}>
      <div class="ask-row">
        <label>{t("part of")} <select value={operand} onChange={(e) => set({ pt: e.currentTarget.value })}>{p.operands.map((x) => <option>{x}</option>)}</select></label>
        <label>{t("thread")} <input type="number" min={0} size={5} value={thread} onInput={(e) => set({ th: e.currentTarget.value })} /></label>
      </div>
      <div class="field"><label for="tensor">tensor ({down}, {across})</label><ExprBar id="tensor" label="tensor" value={tensor} onChange={(x) => set({ tn: x || " " })} place={placeOf(of)} placeholder={p.example} /></div>
      {fault && <Fault fault={fault} now />}
      {data?.ok && (
        <>
          <p role="status" data-testid="part"><output>{data.layout}</output>{data.offset && <> <span class="quiet">at offset {data.offset}</span></>}</p>
          {said && <p class="small">thread {thread}: {said}</p>}
          <Notes notes={data.notes} />
          {grid && drawn && <GridCanvas id="pt" name="tensor" grid={grid} glow={(i) => (own.has(drawn.offset![i]) ? 2 : 0)} glowing={own.size > 0} selected={-1} onHover={() => {}} onSelect={() => {}} maxHeight={460} />}
        </>
      )}
    </Folded></section>
  );
}
