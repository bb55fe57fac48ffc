// The journey of the selected element: each move with its instruction, thread, phase and time; and the findings.

import { useContext } from "preact/hooks";
import { put, WordsOf } from "../lang";
import { set } from "../state";
import type { Run } from "./model";
import { accessOf, multiplies } from "./model";
import type { Contents, Moment } from "./play";
import { cellText, mover, pathOf } from "./say";
import type { Spot, Trace } from "./trace";

// The moves that are listed, of a selected element and of the one under the pointer.
const listed = 60;
const glimpsed = 12;

export function Journey(p: { run: Run; spot: Spot | null; pointed: boolean; trace: Trace | null; contents: Contents | null; onMoment: (m: Moment) => void; onLetGo: () => void }) {
  const words = useContext(WordsOf);
  const { run, spot, trace } = p;
  const most = p.pointed ? glimpsed : listed;
  // The products of one instruction are one line, for whatever element of C.
  const seen = new Set<number>();
  const moves = (trace?.moves ?? []).filter((m) => !seen.has(m.access) && seen.add(m.access));
  return (
    <section class="card journey" data-testid="journey">
      <figcaption><b>{words["kernel journey"]}</b> {spot && <span>{cellText(run.places[spot.place], spot.cell, p.contents, words)}</span>} {spot && <button type="button" class="link" onClick={p.onLetGo}>{words["kernel let go"]}</button>}</figcaption>
      {!spot && <p class="quiet">{words["kernel point"]}</p>}
      {spot && moves.length === 0 && <p class="quiet">{words["kernel unmoved"]}</p>}
      {moves.length > 0 && (
        <ol>
          {moves.slice(0, most).map((m, k) => {
            const a = accessOf(run, m.access);
            return (
              <li key={k}>
                <button type="button" onClick={() => p.onMoment({ access: m.access, phase: -1 })}>
                  <span class="number">{a.time.toLocaleString("en")}</span> <b>{pathOf(run, a.hop.id)}</b> <code>{a.hop.instruction}</code> <span class="quiet">{mover(run, multiplies(a) ? { ...m, item: -1 } : m, words)}</span>
                </button>
              </li>
            );
          })}
        </ol>
      )}
      {moves.length > most && <p class="quiet small">{put(words["kernel more moves"], moves.length - most)}</p>}
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
