// The view of an expression without a value: the explanation of the refused operation, alternatives that one click
// selects, and the pictures of its operands with the witness.

import { useMemo, useState } from "preact/hooks";
import { cut, splice } from "../bytes";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import type { Fault } from "../engine";
import * as grids from "../grids";
import { link, source } from "../links";
import type { Linked, Side } from "../links";
import type { Inspection, Operand, Stretch } from "../model";
import { filled } from "../model";
import { useCall } from "../use";
import type { ExplainAnswer } from "./steps";
import { Steps } from "./steps";

interface Props {
  expr: string;
  fault: Fault;
  answer: ExplainAnswer; // an answer with an explanation
  type: string; // of the elements
  palette: Palette;
  onTry: (expr: string) => void;
}

/** Whether an answer has the steps of a refused operation. */
export function explains(answer: ExplainAnswer | null): boolean {
  return Boolean(answer?.failed && answer.explanations?.length);
}

export function Failure(p: Props) {
  const failed = p.answer.failed!;
  return (
    <div class="failure" data-testid="failure">
      <Operands expr={p.expr} texts={failed.operands} type={p.type} witness={p.fault.witness?.index} palette={p.palette} />
      <section class="card steps-card" aria-label="why it fails"><Steps answer={p.answer} onTry={(x) => p.onTry(splice(p.expr, failed.pos, failed.end, x))} /></section>
    </div>
  );
}

/** The expression after applying the hint of an error; null if the hint gives none. */
export function repaired(expr: string, fault: Fault, place?: { pos: number; end: number }): string | null {
  const hint = fault.hint ?? "";
  const meant = /^did you mean (.+)\?(?: That is .*)?$/.exec(hint)?.[1] ?? /for a run-time integer write (\S+)$/.exec(hint)?.[1];
  if (!meant || !place) return null;
  if (fault.code === "syntax") return meant; // all of it
  // A name at its place, or the quoted name of an atom somewhere in the place.
  const name = meant.split(" or ")[0];
  if (/^[A-Za-z_]\w*$/.test(cut(expr, place.pos, place.end))) return splice(expr, place.pos, place.end, name);
  const quoted = /called ("[^"]+")/.exec(fault.message)?.[1];
  return quoted && expr.includes(quoted) ? expr.replace(quoted, () => `"${name}"`) : null;
}

/** The pictures of the first two operands, linked like those of the operation. */
function Operands(p: { expr: string; texts: string[]; type: string; witness?: number; palette: Palette }) {
  const [a, shared] = useOperand(p.texts[0], p.type);
  const [second] = useOperand(p.texts[1], p.type);
  const { data: links, busy } = useCall<Linked>("link", { expr: p.expr });
  const b = busy || links?.cuts ? null : second;
  const [pointed, setHover] = useState<{ side: Side; element: number } | null>(null);
  const table: Record<Side, Operand | null> = { a, b, r: null };
  const sides = (["a", "b"] as const).filter((s) => table[s] !== null);
  const made = useMemo(
    () => sides.map((s) => {
      const o = table[s]!;
      return grids.logical(o, grids.colorOf(o, "auto", p.palette, shared));
    }),
    [a, b, p.palette],
  );
  // The witness is an index of the result, and therefore of B in a composition.
  const at = p.witness ?? -1;
  const inA = b && at >= 0 && at < b.size ? source(links, "b", at, "a") : -1;
  const chosen: Record<"a" | "b", number> = { a: a && inA < a.size ? inA : -1, b: inA >= 0 ? at : -1 };
  const hover = pointed && pointed.element < (table[pointed.side]?.size ?? 0) ? pointed : null;
  if (sides.length === 0) return null;
  return (
    <div class="failed-operands">
      {sides.map((s, k) => (
        <figure class="card" key={s} data-testid={"failed-" + s}>
          <figcaption><b>{s.toUpperCase()}</b> <code>{table[s]!.text}</code>{chosen[s] >= 0 && <span>the witness is framed: {s === "b" ? `B(${at}) = ${b!.offset![at]}` : `A(${chosen.a}) = ${a!.offset![chosen.a]}`}</span>}</figcaption>
          <GridCanvas
            id={"f" + s} grid={made[k]} name={s.toUpperCase()} maxHeight={300} selected={chosen[s]} glowing={hover !== null}
            glow={hover ? link(links, hover.side, hover.element, s) : () => 0}
            onHover={(i) => setHover(i < 0 ? null : { side: s, element: i })} onSelect={() => {}}
          />
        </figure>
      ))}
    </div>
  );
}

/** An operand with its offsets, or null if it has none, and the places of its elements in shared memory. */
function useOperand(text: string | undefined, type: string): [Operand | null, Stretch | undefined] {
  const wanted = text !== undefined && !/^-?\d+$/.test(text) && text.length < 2000;
  const { data, busy } = useCall<Inspection>("inspect", wanted ? { expr: text, type } : null);
  const o = wanted && !busy && data?.ok ? data.operands?.[0] : undefined;
  return [o && filled(o) && o.offset && !o.thread ? o : null, data?.ok ? data.shared : undefined];
}
