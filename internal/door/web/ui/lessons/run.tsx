// A gemm that the reader executes, event by event: the matrices, what the current thread reads and holds, and at the end
// whether C is what three loops compute.

import { useMemo, useState } from "preact/hooks";
import { put, useTexts } from "../lang";
import type { Inspection } from "../model";
import { bankAt } from "../model";
import { useCalls } from "../use";
import { build, elementA, elementB, eventOf, events, reference, result, run } from "./machine";
import type { Gemm, State } from "./machine";
import type { Bindings, Step } from "./model";
import { program } from "./model";

// The columns of A and B that are shown at a time.
const shownColumns = 16;

export function Run(p: { run: NonNullable<Step["run"]>; bindings: Bindings; type: string }) {
  const { texts: { words } } = useTexts();
  const ask = (expr: string) => ["inspect", { expr: program(p.bindings, expr), type: p.type }] as const;
  const { data } = useCalls<[Inspection, Inspection, Inspection]>(ask(p.run.mma), ask(p.run.a), ask(p.run.b));
  const gemm = useMemo(() => (data?.every((x) => x?.ok) ? build(...(data as [Inspection, Inspection, Inspection])) : null), [data]);
  const [at, go] = useState(1); // the first thread has read
  if (!data || !gemm) return null;
  if ("refused" in gemm) return <p class="card run failed" data-testid="run">{put(words[`run ${gemm.refused}`], ...gemm.values)}</p>;
  const all = events(gemm);
  const count = Math.min(at, all);
  const state = run(gemm, count);
  const last = eventOf(gemm, Math.max(count - 1, 0));
  const block = (Math.floor(Math.max(count - 1, 0) / (gemm.threads + 1)) + 1) * (gemm.threads + 1);
  return (
    <section class="card run" data-testid="run" aria-label={words.run}>
      <div class="run-bar">
        <button type="button" onClick={() => go(0)} disabled={count === 0} title={words["run first"]} aria-label={words["run first"]}>|←</button>
        <button type="button" onClick={() => go(count - 1)} disabled={count === 0} title={words["run back"]} aria-label={words["run back"]}>←</button>
        <input type="range" min={0} max={all} value={count} aria-label={words["run at"]} onInput={(e) => go(Number(e.currentTarget.value))} />
        <button type="button" onClick={() => go(count + 1)} disabled={count === all} title={words["run next"]} aria-label={words["run next"]}>→</button>
        <button type="button" onClick={() => go(count === block ? Math.min(block + gemm.threads + 1, all) : block)} disabled={count === all}>{words["run block"]}</button>
        <button type="button" class="primary" onClick={() => go(all)} disabled={count === all}>{words["run all"]}</button>
      </div>
      <p class="run-says" data-testid="run-says" aria-live="polite">{count === 0 ? put(words["run nothing"], all) : says(gemm, state, last, words, data as Inspection[])}</p>
      <div class="scroll run-grids"><Grids gemm={gemm} state={state} block={last.block} thread={count > 0 ? last.thread : undefined} /></div>
      {count === all && <Verdict gemm={gemm} state={state} />}
    </section>
  );
}

/** What the last event did. */
function says(g: Gemm, s: State, e: { block: number; thread?: number }, words: Record<string, string>, [, a, b]: Inspection[]): string {
  const first = e.block * g.depth;
  const where = g.blocks === 1 ? "" : put(words["run k"], g.depth === 1 ? first : `${first}-${first + g.depth - 1}`);
  if (e.thread === undefined) return put(words["run multiplies"], where, g.a.rows, g.b.rows, g.depth, g.a.rows * g.b.rows * g.depth);
  const reads = (name: string, part: Gemm["a"], held: number[], v: Inspection) =>
    part.slots[e.thread!].map((x, k) => {
      const place = part.offsets[x.row + part.rows * (x.col + first)];
      const bank = v.shared ? put(words["run bank"], bankAt(v.shared, place)) : "";
      return `${name}(${x.row},${x.col + first}) = ${held[k]}${put(words["run from"], place)}${bank}`;
    });
  const list = [...reads("A", g.a, s.a[e.thread], a), ...reads("B", g.b, s.b[e.thread], b)];
  return put(words["run reads"], where, e.thread, list.slice(0, 4).join("; ") + (list.length > 4 ? " …" : ""));
}

/** B above C, and A to its left, as in a product of matrices. */
function Grids(p: { gemm: Gemm; state: State; block: number; thread?: number }) {
  const g = p.gemm;
  const from = Math.floor((p.block * g.depth) / shownColumns) * shownColumns;
  const columns = Array.from({ length: Math.min(shownColumns, g.a.cols - from) }, (_, k) => from + k);
  const lit = (part: Gemm["a"], row: number, col: number) => {
    const own = (t: number | undefined) => t !== undefined && part.slots[t].some((x) => x.row === row && x.col + p.block * g.depth === col);
    if (own(p.thread)) return "own";
    return Math.floor(col / g.depth) !== p.block ? "" : p.thread === undefined || p.state.a.some((_, t) => own(t)) ? "held" : "now";
  };
  const c = result(g, p.state);
  const own = p.thread === undefined ? [] : g.c.slots[p.thread];
  return (
    <table class="run-grid">
      <tbody>
        {columns.map((k, i) => (
          <tr key={"b" + k}>
            {i === 0 && <td class="run-name" colSpan={columns.length} rowSpan={columns.length}>A <small>({g.a.rows},{g.a.cols})</small> B <small>({g.b.rows},{g.b.cols})</small><br /><small>k = {columns[0]} … {columns[columns.length - 1]}</small></td>}
            {c[0].map((_, n) => <td class={lit(g.b, n, k)}>{elementB(n, k)}</td>)}
          </tr>
        ))}
        {c.map((row, m) => (
          <tr key={"c" + m}>
            {columns.map((k) => <td class={lit(g.a, m, k)}>{elementA(m, k)}</td>)}
            {row.map((x, n) => <td class={"c" + (own.some((s) => s.row === m && s.col === n) ? " own" : "")}>{x}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether C is right, or where it is not. */
function Verdict(p: { gemm: Gemm; state: State }) {
  const { texts: { words } } = useTexts();
  const [got, want] = [result(p.gemm, p.state), reference(p.gemm)];
  const bad = want.flatMap((row, m) => row.flatMap((x, n) => (x === got[m][n] ? [] : [{ m, n, x, y: got[m][n] }])));
  const size = p.gemm.c.rows * p.gemm.c.cols;
  if (bad.length === 0) return <p class="verdict good" data-testid="run-verdict">✓ {put(words["run right"], size)}</p>;
  const { m, n, x, y } = bad[0];
  return <p class="verdict failed" data-testid="run-verdict">{put(words["run wrong"], bad.length, size, `C(${m},${n})`, y, x)}</p>;
}
