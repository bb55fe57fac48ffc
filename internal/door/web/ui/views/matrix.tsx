// The matrix over F2: a column for each bit of the input, a row for each bit of the output. The element under the
// pointer lights the columns of its bits, and the rows in which they sum to one. A column or row under the pointer
// lights the elements that have its bit.

import type { Group } from "../groups";
import { bitOf, withInput, withOutput } from "../groups";
import type { BitMatrix } from "../model";
import { arrows } from "../use";

export function Matrix(p: { matrix: BitMatrix; input: number | null; onGroup?: (g: Group | null) => void }) {
  const m = p.matrix;
  const points = (g: Group) => ({
    onPointerEnter: () => p.onGroup?.(g), onPointerLeave: () => p.onGroup?.(null), onFocus: () => p.onGroup?.(g), onBlur: () => p.onGroup?.(null),
  });
  const bit = (x: boolean | number) => (p.input === null ? "·" : x ? 1 : 0);
  const on = m.ins.map((_, j) => p.input !== null && (Math.floor(p.input / 2 ** j) & 1) === 1);
  const out = m.outs.map((_, r) => p.input !== null && bitOf(m, r, p.input));
  return (
    <div class="matrix-box">
      <table class="matrix" onKeyDown={arrows}>
        <caption>
          {m.outs.length} × {m.ins.length} over F2, rank {m.rank}; the bits of an element are above its columns and beside its rows
        </caption>
        <thead>
          <tr>
            <th />
            {m.ins.map((name, j) => <th scope="col" class={on[j] ? "lit" : ""}><button type="button" data-arrows tabIndex={j === 0 ? 0 : -1} title="Lights the elements whose input has this bit" {...points(withInput(j))}>{short(name)}</button></th>)}
            {m.origin && <th scope="col"><span>at 0</span></th>}
            <td class="of-element" />
          </tr>
          <tr class="of-element" data-testid="element-bits">
            <td />
            {on.map((x) => <td>{bit(x)}</td>)}
            {m.origin && <td />}
            <td />
          </tr>
        </thead>
        <tbody>
          {m.rows.map((row, r) => (
            <tr>
              <th scope="row" class={out[r] ? "lit" : ""}><button type="button" data-arrows tabIndex={-1} title="Lights the elements whose result has this bit" {...points(withOutput(m, r))}>{short(m.outs[r])}</button></th>
              {row.map((x, j) => <td class={(x ? "one" : "") + (on[j] ? " lit" : "")}>{x}</td>)}
              {m.origin && <td class={m.origin[r] ? "one" : ""}>{m.origin[r]}</td>}
              <td class="of-element">{bit(out[r])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name of a bit, with a long power of two as one. */
function short(name: string): string {
  return name.replace(/\d{5,}$/, (n) => (Number.isInteger(Math.log2(Number(n))) ? `2^${Math.log2(Number(n))}` : n));
}

/** A number in binary, with at least the given number of digits. */
export function bin(x: number | string, digits: number): string {
  const n = BigInt(x);
  return (n < 0n ? "-" : "") + (n < 0n ? -n : n).toString(2).padStart(digits, "0");
}
