// The cost of an access, phase by phase: the lanes that shared memory serves together, and their conflicts.

import type { Fault } from "../engine";

export interface BankAnswer {
  ok: boolean;
  degree?: number;
  accesses?: Access[];
  notes?: string[];
  error?: Fault;
}

export interface Access {
    name: string;
    warps: number;
    instructions: number;
    wavefronts: number;
    ideal: number;
    degree: number;
    how: string;
    source: string;
    groups: {
      count: number;
      phases: { lanes: number[]; wavefronts: number }[];
      conflicts?: { phase: number; bank: number; banks: number; degree: number; hits: { address: number; lanes: number[] }[] }[];
    }[];
}

/** The phases of one access. */
export function Phases(p: { of: Access }) {
  const a = p.of;
  const g = a.groups[0];
  if (!g) return null;
  const most = Math.max(...g.phases.map((f) => f.wavefronts), 1);
  return (
    <details class="phases">
      <summary>{g.phases.length} {g.phases.length === 1 ? "phase" : "phases"} of {g.count === 1 ? "the instruction" : `each of ${g.count} instructions`}: {a.how}</summary>
      <table>
        <thead><tr><th>phase</th><th>lanes</th><th>wavefronts</th><th>collisions</th></tr></thead>
        <tbody>
          {g.phases.map((f, k) => (
            <tr>
              <td>{k}</td>
              <td>{runs(f.lanes)}</td>
              <td><span class={"bar" + (f.wavefronts > 1 ? " bad" : "")} style={{ width: `${(f.wavefronts / most) * 4}rem` }} /> {f.wavefronts}</td>
              <td>{g.conflicts?.filter((c) => c.phase === k).slice(0, 4).map((c) => (
                <div>bank{c.banks > 1 ? `s ${c.bank}-${c.bank + c.banks - 1}` : ` ${c.bank}`}: {c.hits.map((h) => `lane ${runs(h.lanes)} at ${h.address}`).slice(0, 4).join(", ")}{c.hits.length > 4 && ", …"}</div>
              ))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet small">{a.source}</p>
    </details>
  );
}

/** Numbers as runs: 0-7, 12. */
export function runs(xs: number[]): string {
  const out: string[] = [];
  for (let i = 0; i < xs.length; ) {
    let j = i;
    while (j + 1 < xs.length && xs[j + 1] === xs[j] + 1) j++;
    out.push(i === j ? String(xs[i]) : `${xs[i]}-${xs[j]}`);
    i = j + 1;
  }
  return out.join(", ");
}
