// The journey of the selected element: each move with its instruction, thread, phase and time; and the findings.

import { useContext } from "preact/hooks";
import { put, WordsOf } from "../lang";
import { set } from "../state";
import type { Run } from "./model";
import { accessOf, multiplies } from "./model";
import type { Contents, Moment } from "./play";
import { cellText, mover, pathOf } from "./say";
import type { Spot, Trace } from "./trace";

export function Journey(p: { run: Run; spot: Spot | null; trace: Trace | null; of?: string[]; contents: Contents | null; onMoment: (m: Moment) => void; onLetGo: () => void }) {
  const words = useContext(WordsOf);
  const { run, spot, trace } = p;
  // A line for each hop: its first move, and how many accesses more there are.
  const hops = new Map<number, Set<number>>();
  for (const m of trace?.moves ?? []) {
    const hop = run.accesses[6 * m.access];
    if (!hops.has(hop)) hops.set(hop, new Set());
    hops.get(hop)!.add(m.access);
  }
  return (
    <section class="card journey" data-testid="journey">
      <figcaption><b>{words["kernel journey"]}</b> {spot && <span>{cellText(run.places[spot.place], spot.cell, p.contents, words)}</span>} {spot && <button type="button" class="link" onClick={p.onLetGo}>{words["kernel let go"]}</button>}</figcaption>
      {!spot && <p class="quiet">{words["kernel point"]}</p>}
      {p.of && p.of.length > 0 && <p class="computed-of" data-testid="computed-of">{words["kernel computed of"]} {p.of.join("; ")}</p>}
      {spot && hops.size === 0 && <p class="quiet">{words["kernel unmoved"]}</p>}
      {hops.size > 0 && (
        <ol>
          {[...hops].map(([hop, accesses], k) => {
            const m = trace!.moves.find((x) => run.accesses[6 * x.access] === hop)!;
            const a = accessOf(run, m.access);
            return (
              <li key={k}>
                <button type="button" onClick={() => p.onMoment({ access: m.access, phase: -1 })}>
                  <span class="number">{a.time.toLocaleString("en")}</span> <b>{pathOf(run, hop)}</b> <code>{a.hop.instruction}</code>{" "}
                  <span class="quiet">{mover(run, multiplies(a) ? { ...m, item: -1 } : m, words)}{accesses.size > 1 && ", " + put(words["kernel and accesses"], accesses.size - 1)}</span>
                </button>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

/** The findings of the checker, with their places in source, PTX and time. */
export function Findings(p: { run: Run; onMoment: (time: number) => void }) {
  const words = useContext(WordsOf);
  const all = p.run.answer.findings ?? [];
  if (all.length === 0) return null;
  const ptx = (p.run.answer.sources ?? []).findIndex((s) => s.lang === "ptx");
  return (
    <section class="card" data-testid="findings">
      <figcaption><b>{words["kernel findings"]}</b></figcaption>
      {all.map((f) => (
        <div class="finding" key={f.message}>
          <p><b class="failed">{f.kind}</b> {f.message}</p>
          <p class="small quiet">{f.op && <code>{f.op}</code>} {f.source}
            {f.line !== undefined && ptx >= 0 && <> <button type="button" class="link" onClick={() => set({ src: String(ptx), line: String(f.line) })}>{put(words["kernel ptx line"], f.line)}</button></>}
            {f.time !== undefined && <> <button type="button" class="link" onClick={() => p.onMoment(f.time!)}>{put(words["kernel instruction"], f.time.toLocaleString("en"))}</button></>}
          </p>
        </div>
      ))}
    </section>
  );
}
