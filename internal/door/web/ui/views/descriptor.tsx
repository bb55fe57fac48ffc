// An operand that an instruction reads from shared memory: its layout there, and the matrix descriptor of that layout.

import type { Fault as FaultData } from "../engine";
import { ExprBar } from "../exprbar";
import { Fault, Notes } from "../fault";
import type { Operand } from "../model";
import { go, set, textOf, useParams } from "../state";
import { useCall } from "../use";

interface Described {
  ok: boolean;
  verdict?: string;
  atom?: string;
  fields?: { name: string; bits: string; encoded: number; means: string }[];
  notes?: string[];
  error?: FaultData;
}

// The tile that a layout is proposed for has as many instructions along K.
const steps = 4;

/** The descriptor of an operand of an instruction, whose elements have a type. */
export function Descriptor(p: { instr: string; operand: Operand; type: string; major: string }) {
  const { operand: o } = p;
  const field = "m" + o.name!.toLowerCase();
  const own = textOf(useParams(), field);
  const k = o.cols * steps;
  const { data: chosen } = useCall<Described>("descriptor", own.trim() || !p.type ? null : { select: `${o.rows},${k}`, type: p.type, major: p.major, instr: p.instr });
  const space = p.instr.startsWith("SM90") ? "GMMA" : "UMMA";
  const expr = own.trim() || (chosen?.ok && chosen.atom ? `tile_to_shape(${space}::${chosen.atom}{}, (${o.rows},${k}))` : "");
  const { data } = useCall<Described>("descriptor", expr ? { expr, instr: p.instr, operand: o.name } : null);
  const legal = data?.verdict?.startsWith("legal");
  return (
    <div class="descriptor" data-testid={"descriptor-" + o.name}>
      <p class="quiet small">No thread holds it: the instruction reads it from {o.space} through a descriptor.</p>
      <ExprBar id={field} label={`layout of ${o.name} in shared memory`} value={own.trim() ? own : expr} onChange={(x) => set({ [field]: x })} placeholder="a layout with offsets in elements" />
      {data?.verdict && <p class={legal ? "good" : "failed"} role="status">{data.verdict}</p>}
      {data && !data.ok && data.error && <Fault fault={data.error} />}
      {data?.ok && data.fields && (
        <div class="scroll"><table><tbody>
          {data.fields.map((f) => <tr key={f.name}><th scope="row">{f.name}</th><td>{f.encoded}</td><td>{f.means}</td></tr>)}
        </tbody></table></div>
      )}
      {data?.ok && <Notes notes={data.notes} />}
      {expr && <p class="small"><button type="button" class="link" onClick={() => go("operations", { op: "descriptor", expr, instr: p.instr, operand: o.name! })}>picture, code and all steps in Operations</button></p>}
    </div>
  );
}
