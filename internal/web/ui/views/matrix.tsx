// The matrix over F2: a column for each bit of the input, a row for each bit of the output. The bits of what is pointed at light
// their columns, and the rows in which they sum to one.

import type { BitMatrix } from "../model";

export function Matrix(p: { matrix: BitMatrix; input: number | null }) {
  const m = p.matrix;
  const on = m.ins.map((_, j) => p.input !== null && (Math.floor(p.input / 2 ** j) & 1) === 1);
  const out = m.outs.map((_, r) => (m.rows[r].reduce((s, x, j) => s ^ (x & (on[j] ? 1 : 0)), m.origin?.[r] ?? 0)));
  return (
    <div class="matrix-box">
      <table class="matrix">
        <caption>
          {m.outs.length} × {m.ins.length} over F2, rank {m.rank}
          ; the index in binary <code>{p.input !== null ? bin(p.input, m.ins.length) : "-".repeat(m.ins.length)}</code>
        </caption>
        <thead>
          <tr>
            <th />
            {m.ins.map((name, j) => <th scope="col" class={on[j] ? "lit" : ""}><span>{name}</span></th>)}
            {m.origin && <th scope="col"><span>at 0</span></th>}
          </tr>
        </thead>
        <tbody>
          {m.rows.map((row, r) => (
            <tr>
              <th scope="row" class={p.input !== null && out[r] ? "lit" : ""}>{m.outs[r]}</th>
              {row.map((x, j) => <td class={(x ? "one" : "") + (on[j] ? " lit" : "")}>{x}</td>)}
              {m.origin && <td class={m.origin[r] ? "one" : ""}>{m.origin[r]}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function bin(x: number, bits: number): string {
  if (x < 0) return "-" + bin(-x, bits);
  return x.toString(2).padStart(bits, "0");
}
