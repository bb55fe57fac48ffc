// The inspector: all that is known of the element that is pointed at or selected.

import type { Inspection, Spot } from "../model";
import { bankOf, colOf, rowOf } from "../model";
import { digits } from "./tree";
import { bin } from "./matrix";

export function Inspector(p: { value: Inspection; spot: Spot | null; pinned: boolean }) {
  const o = p.spot && p.value.operands?.[p.spot.operand];
  if (!p.spot || !o) return <p class="inspector quiet">Point at an element, or select one: it lights up in all views.</p>;
  const i = p.spot.element;
  const rows: [string, string][] = [];
  const add = (k: string, v: string | number | undefined) => v !== undefined && rows.push([k, String(v)]);
  if (o.name) add("operand", o.name);
  add("coordinate", `(${rowOf(o, i)},${o.row ? colOf(o, i) : Math.floor(i / o.rows)})`);
  // A flat coordinate needs not be said twice.
  if (p.value.tree?.modes?.some((m) => m.modes) && !o.thread) add("nested", nested(p.value.tree, i));
  if (o.thread) {
    add("thread", `${o.thread[i]}  = warp ${o.thread[i] >> 5}, lane ${o.thread[i] & 31}`);
    add("value", o.value![i]);
  }
  add("index", i);
  if (o.offset) {
    const x = o.offset[i];
    add(o.thread ? "tile index" : "offset", x);
    add("in binary", bin(x, Math.max(Math.ceil(Math.log2(Math.max(...[x + 1, 2]))), 4)));
    if (!o.thread && p.value.bits) {
      const b = bankOf(x, p.value.bits, 32);
      add("byte", b.byte);
      add("bank", `${b.bank} of 32`);
    }
    const same: number[] = [];
    for (let k = 0; k < o.offset.length && same.length < 5; k++) if (k !== i && o.offset[k] === x) same.push(k);
    if (same.length > 0) add(o.thread ? "held also by" : "same offset as", same.map((k) => (o.thread ? `T${o.thread[k]} V${o.value![k]}` : `(${rowOf(o, k)},${Math.floor(k / o.rows)})`)).join(" "));
  }
  if (o.coord) add("value", o.coord[i]);
  return (
    <dl class="inspector">
      {rows.map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}
      <dt /><dd class="quiet">{p.pinned ? "selected; Escape or a second click lets go" : "click to keep it"}</dd>
    </dl>
  );
}

function nested(t: Inspection["tree"], index: number): string | undefined {
  if (!t?.modes) return undefined;
  const ds = digits(t, index);
  let at = 0;
  const walk = (u: NonNullable<Inspection["tree"]>): string => (u.modes ? "(" + u.modes.map(walk).join(",") + ")" : String(ds[at++]));
  return walk(t);
}
