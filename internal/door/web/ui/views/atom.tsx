// An instruction from the tables: its PTX or ISA text, registers, the layouts of its operands, and the source.

import type { Fault } from "../engine";

export interface AtomAnswer {
  ok: boolean;
  name?: string;
  arch?: string;
  shape?: string;
  types?: string;
  threads?: number;
  thr_id?: string;
  text?: string;
  source?: string;
  operands?: { name: string; rows: string; columns: string; from: string; major?: string; registers: string; tv: string; coverage: string }[];
  notes?: string[];
  error?: Fault;
}

export function AtomFacts(p: { atom: AtomAnswer }) {
  const a = p.atom;
  return (
    <div class="atom">
      <p>{a.arch}, {a.shape}, <code>{a.types}</code>, {a.threads} {a.threads === 1 ? "thread" : "threads"}, ThrID <code>{a.thr_id}</code></p>
      {a.text && <pre tabIndex={0}>{a.text}</pre>}
      <div class="scroll">
        <table>
          <thead><tr><th /><th>tile</th><th>registers</th><th>(thread, value) → index</th><th>coverage</th></tr></thead>
          <tbody>
            {a.operands?.map((o) => <tr><th scope="row">{o.name}</th><td>{o.rows} × {o.columns}</td><td>{o.registers}{o.from !== "registers" && ` (${o.from})`}</td><td>{o.tv}</td><td>{o.coverage}</td></tr>)}
          </tbody>
        </table>
      </div>
      {a.source && <p class="quiet small">{a.source}</p>}
    </div>
  );
}
