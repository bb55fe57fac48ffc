// The explanation of an operation: the rule, the steps with their numbers, what failed and where, and alternatives.

import type { Fault } from "../engine";

export interface Explanation {
  op: string;
  expr: string;
  rule: string;
  source?: string;
  steps?: { say: string; lines?: string[] }[];
  result?: string;
  check?: string;
  failure?: { code: string; condition: string; pair?: string; index: number; coord?: string; message: string };
  instead?: { say: string; expr?: string; result?: string }[];
  notes?: string[];
}

export interface ExplainAnswer {
  ok: boolean;
  explanations?: Explanation[];
  failed?: { pos: number; end: number; operands: string[] };
  error?: Fault;
}

export function Steps(p: { answer: ExplainAnswer | null; onTry?: (expr: string) => void }) {
  if (!p.answer) return null;
  const list = p.answer.explanations ?? [];
  if (list.length === 0) return <p class="quiet">{p.answer.error?.message ?? "nothing to explain"}</p>;
  return <>{list.map((e) => <One key={e.expr} e={e} onTry={p.onTry} />)}</>;
}

function One({ e, onTry }: { e: Explanation; onTry?: (expr: string) => void }) {
  return (
    <article class="explanation">
      <h2><code>{e.expr}</code></h2>
      <p class="rule">{e.rule}</p>
      <ol>
        {e.steps?.map((s) => (
          <li>
            <p>{s.say}</p>
            {s.lines && s.lines.length > 0 && <Table lines={s.lines} />}
          </li>
        ))}
      </ol>
      {e.result && <p class="result">= <code>{e.result}</code></p>}
      {e.check && <p class="check">✓ {e.check}</p>}
      {e.failure && <p class="failed">✗ {e.failure.condition}{e.failure.coord && e.failure.index >= 0 && <>, at {e.failure.coord} (index {e.failure.index})</>}</p>}
      {e.instead && e.instead.length > 0 && (
        <>
          <h3>what works instead</h3>
          <ul>{e.instead.map((x) => <li>{x.say} {x.expr && (onTry ? <button type="button" class="link" onClick={() => onTry(x.expr!)}><code>{x.expr}</code></button> : <code>{x.expr}</code>)}{x.result && <> = <code>{x.result}</code></>}</li>)}</ul>
        </>
      )}
      {e.notes?.map((n) => <p class="quiet small">{n}</p>)}
      {e.source && <p class="quiet small">{e.source}</p>}
    </article>
  );
}

/** Lines in columns, with letters as large as the width allows down to a readable size; wider lines scroll. */
function Table(p: { lines: string[] }) {
  const chars = p.lines.reduce((n, x) => Math.max(n, x.length), 1);
  return <div class="lines" style={{ "--chars": chars }}><pre tabIndex={0}>{p.lines.join("\n")}</pre></div>;
}
