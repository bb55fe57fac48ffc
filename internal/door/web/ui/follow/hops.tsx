// The verdict at each hop, and the repairs, which change the request.

import { useContext } from "preact/hooks";
import { put, WordsOf } from "../lang";
import { set, useParam } from "../state";
import type { Hop, Repair, Run } from "./model";
import { pathOf } from "./say";

/** The verdict of a hop in short. */
export function verdictOf(h: Hop): { ok: boolean; short: string } {
  const bad = h.verdicts?.find((v) => !v.ok);
  const v = bad ?? h.verdicts?.find((x) => x.fewest > 0);
  return { ok: !bad, short: v && (v.got > 0 || v.fewest > 0) ? `${v.what} ${v.got.toLocaleString("en")}/${v.fewest.toLocaleString("en")}` : "" };
}

export function Hops(p: { run: Run; onTake: (r: Repair) => void; onWhy: (h: Hop) => void; onLine: (line: number) => void }) {
  const words = useContext(WordsOf);
  const [chosen] = useParam("h");
  const bad = p.run.hops.filter((h) => !verdictOf(h).ok).length;
  const isBad = (h: Hop) => !verdictOf(h).ok;
  const first = chosen === "" ? (p.run.hops.find((h) => h.repairs?.some((r) => r.request)) ?? p.run.hops.find(isBad)) : undefined; // shown unless another is chosen: one that a click repairs
  return (
    <section class="card hops" data-testid="hops">
      <figcaption><b>{words["kernel hops"]}</b> <span>{bad > 0 ? put(words["kernel hops bad"], bad, p.run.hops.length) : words["kernel hops good"]}</span></figcaption>
      <ol>
        {p.run.hops.map((h) => {
          const v = verdictOf(h);
          const open = chosen === String(h.id) || h === first;
          return (
            <li key={h.id} class={chosen === String(h.id) ? "chosen" : ""} data-testid={"hop-" + h.id}>
              <button type="button" class="hop" aria-expanded={open} onClick={() => set({ h: chosen === String(h.id) ? "" : String(h.id) })}>
                <span class={v.ok ? "good" : "failed"}>{v.ok ? "✓" : "✗"}</span> <b>{pathOf(p.run, h.id)}</b> <code>{h.instruction}</code> <span class="quiet">{v.short}</span>
              </button>
              {open && <Detail hop={h} onTake={p.onTake} onWhy={p.onWhy} onLine={p.onLine} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Detail(p: { hop: Hop; onTake: (r: Repair) => void; onWhy: (h: Hop) => void; onLine: (line: number) => void }) {
  const words = useContext(WordsOf);
  const h = p.hop;
  return (
    <div class="hop-detail">
      {h.words && <p>{h.words}</p>}
      <p class="quiet small">
        {put(words["kernel accesses of"], h.accesses.toLocaleString("en"), h.bytes)}
        {h.atom && <> <code>{h.atom}</code> <button type="button" class="link" onClick={() => p.onWhy(h)}>{words["kernel why"]}</button></>}
        {h.source && <> <span>{h.source}</span></>}
        {h.lines?.length ? <> <button type="button" class="link" onClick={() => p.onLine(h.lines![0])}>{put(words["kernel ptx line"], h.lines.slice(0, 4).join(", ") + (h.lines.length > 4 ? " …" : ""))}</button></> : null}
      </p>
      {h.verdicts && h.verdicts.length > 0 && <ul class="verdicts">{h.verdicts.map((v) => <li><span class={v.ok ? "good" : "failed"}>{v.ok ? "✓" : "✗"}</span> <b>{v.what}</b> {v.text}</li>)}</ul>}
      {h.repairs?.map((r) => (
        <p class="repair-line" key={r.text}>
          {r.request ? <button type="button" class="primary" onClick={() => p.onTake(r)}>{r.text}</button> : <span>{r.text}</span>}
          {r.before !== undefined && r.after !== undefined && (r.before > 0 || r.after > 0) && <span class="quiet"> {r.before.toLocaleString("en")} → {r.after.toLocaleString("en")} {r.unit}</span>}
        </p>
      ))}
    </div>
  );
}

/** What a repair changed: the request, and the counters of the hops, before and after. */
export function Difference(p: { before: Run; after: Run; changed: [name: string, was: string, is: string][]; onUndo: () => void; onKeep: () => void }) {
  const words = useContext(WordsOf);
  const rows = changes(p.before, p.after);
  return (
    <section class="card difference" data-testid="difference">
      <figcaption><b>{words["kernel changed"]}</b> <span>{p.changed.map(([name, was, is]) => `${name} ${was || "·"} → ${is || "·"}`).join("; ")}</span>
        <button type="button" class="link" onClick={p.onUndo}>{words["kernel undo"]}</button> <button type="button" class="link" onClick={p.onKeep}>{words["kernel keep"]}</button></figcaption>
      <div class="scroll"><table>
        <thead><tr><th>{words["kernel hop"]}</th><th /><th>{words["kernel before"]}</th><th>{words["kernel after"]}</th></tr></thead>
        <tbody>{rows.map((r) => <tr><td>{r.path}</td><td>{r.what}</td><td>{r.before.toLocaleString("en")}</td><td class={r.after < r.before ? "good" : r.after > r.before ? "failed" : ""}>{r.after.toLocaleString("en")}</td></tr>)}</tbody>
      </table></div>
      {rows.length === 0 && <p class="quiet small">{words["kernel no change"]}</p>}
    </section>
  );
}

interface Change {
  path: string;
  what: string;
  before: number;
  after: number;
}

/** The counters that differ, of the hops by their path; those of one path are added up. */
export function changes(before: Run, after: Run): Change[] {
  const out: Change[] = [];
  const sum = (r: Run, path: string, what: "sectors" | "wavefronts" | "accesses") => r.hops.filter((h) => pathOf(r, h.id) === path).reduce((n, h) => n + h[what], 0);
  const paths = [...new Set([...before.hops.map((h) => pathOf(before, h.id)), ...after.hops.map((h) => pathOf(after, h.id))])];
  for (const path of paths) {
    for (const what of ["accesses", "sectors", "wavefronts"] as const) {
      const [x, y] = [sum(before, path, what), sum(after, path, what)];
      if (x !== y) out.push({ path, what, before: x, after: y });
    }
  }
  const [x, y] = [before.answer.instructions ?? 0, after.answer.instructions ?? 0];
  if (x !== y) out.push({ path: "", what: "instructions", before: x, after: y });
  return out;
}
