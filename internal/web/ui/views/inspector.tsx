// The inspector: all that is known of the element that is pointed at or selected.

import type { Inspection, Place, Spot } from "../model";
import { bankOf, coordOf, modesOf, offsetOf, warpOf } from "../model";
import { digits } from "./tree";
import { bin } from "./matrix";

export function Inspector(p: { value: Inspection; spot: Spot | null; pinned: boolean }) {
  const o = p.spot && p.value.operands?.[p.spot.operand];
  if (!p.spot || !o) return <p class="inspector quiet">Point at an element, or select one: it lights up in all views.</p>;
  const i = p.spot.element;
  const rows: [string, string][] = [];
  const add = (k: string, v: string | number | undefined) => v !== undefined && rows.push([k, String(v)]);
  if (o.name) add("operand", o.name);
  add("coordinate", coordOf(o, i));
  // A flat coordinate needs not be said twice.
  if (p.value.tree?.modes?.some((m) => modesOf(m)) && !o.thread) add("nested", nested(p.value.tree, i));
  if (o.thread) {
    const warp = warpOf(o);
    const t = o.thread[i];
    // The threads of an instruction may be any lanes of a warp.
    add("thread", o.thr_id ? `${t}  = lane ${o.thr_id[t]}` : `${t}  = warp ${Math.floor(t / warp)}, lane ${t % warp}`);
    add("value", o.value![i]);
  }
  add("lies in", o.space);
  add("index", i);
  const offset = offsetOf(o, i);
  if (offset !== undefined) {
    add(o.thread ? "tile index" : "offset", offset);
    add("in binary", bin(offset, 4));
    if (!o.thread && p.value.bits) {
      const at = bankOf(o.offset ? o.offset[i] : offset, p.value.bits, 32);
      add("byte", p.value.bits % 8 === 0 ? String(at.byte) : `${at.byte}, bit ${at.bit}`);
      add("bank", `${banksIn(at)} of 32`);
    }
    const all: readonly (number | string)[] = o.offset ?? o.exact!;
    const same: number[] = [];
    for (let k = 0; k < o.size && same.length <= named; k++) if (k !== i && all[k] === all[i]) same.push(k);
    const names = same.slice(0, named).map((k) => (o.thread ? `T${o.thread[k]} V${o.value![k]}` : coordOf(o, k)));
    if (same.length > 0) add(o.thread ? "held also by" : "same offset as", names.join(" ") + (same.length > named ? " …" : ""));
  }
  if (o.coord) add("value", o.coord[i]);
  return (
    <dl class="inspector">
      {rows.map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}
      <dt /><dd class="quiet">{p.pinned ? "selected; Escape or a second click lets go" : "click to keep it"}</dd>
    </dl>
  );
}

// How many elements at the same place are named.
const named = 5;

/** The banks of an element. */
export function banksIn(at: Place): string {
  return at.bank === at.last ? String(at.bank) : `${at.bank}-${at.last}`;
}

function nested(t: Inspection["tree"], index: number): string | undefined {
  if (!t || !modesOf(t)) return undefined;
  const ds = digits(t, index);
  let at = 0;
  const walk = (u: NonNullable<Inspection["tree"]>): string => (modesOf(u) ? "(" + modesOf(u)!.map(walk).join(",") + ")" : String(ds[at++]));
  return walk(t);
}
