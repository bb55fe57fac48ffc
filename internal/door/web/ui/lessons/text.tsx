// The text of a step. Its numbers are values of expressions, so they change when the reader edits the expressions.

import type { Bindings, Step } from "./model";
import { pieces, program } from "./model";
import { explain, useKnown } from "../glossary";
import { useCall } from "../use";

interface Props {
  step: Step;
  bindings: Bindings;
  edited: boolean;
  counts: Record<string, string>; // of the access: @degree and the others
}

export function Text(p: Props) {
  const known = useKnown();
  return (
    <div class="lesson-text">
      {p.step.text.map((paragraph, k) => (
        <p key={k}>
          {pieces(paragraph).map((x) => {
            if (x.kind === "claim") return <Claim expr={x.expr} value={x.value} equation={x.equation} bindings={p.bindings} edited={p.edited} counts={p.counts} />;
            if (x.kind === "code") return <code>{x.text}</code>;
            if (x.kind === "text") return x.text;
            return known(x.text) ? <button type="button" class="term" onClick={() => explain(x.text)}>{x.text}</button> : <em>{x.text}</em>;
          })}
        </p>
      ))}
    </div>
  );
}

interface ClaimProps {
  expr: string;
  value: string;
  equation: boolean;
  bindings: Bindings;
  edited: boolean;
  counts: Record<string, string>;
}

/** A value in the text. It is evaluated again after an edit, and is highlighted if it has changed. */
function Claim(p: ClaimProps) {
  const counted = p.expr.startsWith("@");
  const { data } = useCall<{ ok: boolean; value?: string }>("eval", p.edited && !counted ? { expr: program(p.bindings, p.expr) } : null);
  let now = p.value;
  if (p.edited && counted) now = p.counts[p.expr] ?? p.value;
  else if (p.edited && data) now = data.ok ? (data.value ?? p.value) : "none";
  const changed = now !== p.value;
  const title = counted ? undefined : p.expr + (changed ? `, was ${p.value}` : "");
  return (
    <code class={"claim" + (changed ? " changed" : "")} title={title}>
      {p.equation && <>{p.expr}<span class="eq"> = </span></>}
      {now}
    </code>
  );
}
