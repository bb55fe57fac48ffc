// The inspector: everything known about the element under the pointer or the selected one. If one is selected and
// another is under the pointer, it shows both side by side and their differences.

import type { Laid } from "../laid";
import type { Inspection, Place, Spot } from "../model";
import { coordOf, filled, lies, modesOf, nestedOf, offsetOf, threadName, warpOf } from "../model";
import { bin } from "./matrix";

interface Props {
  value: Inspection;
  spot: Spot | null;
  pinned: Spot | null;
  laid?: Laid; // where elements are in a memory
  onLetGo?: () => void; // of the selection
  fingers?: boolean; // there is no pointer except fingers
}

export function Inspector(p: Props) {
  // Before anything is pointed at, the first element shows what there is to know about one.
  const first = p.value.operands?.findIndex(filled) ?? -1;
  const spot = p.spot ?? (p.fingers || first < 0 ? null : { operand: first, element: 0 });
  const rows = spot && about(p.value, spot, p.laid);
  if (!spot || !rows) return <p class="inspector quiet">Touch an element: it lights up in all views.</p>;
  if (!p.spot) {
    return (
      <dl class="inspector">
        {rows.map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}
        <dt /><dd class="quiet note">the first element; point at another, or select one: it lights up in all views</dd>
      </dl>
    );
  }
  const same = p.pinned?.operand === p.spot.operand && p.pinned.element === p.spot.element;
  const kept = p.pinned && !same ? about(p.value, p.pinned, p.laid) : null;
  if (kept) return <Both kept={kept} pointed={rows} onLetGo={p.onLetGo} fingers={p.fingers} />;
  return (
    <dl class={"inspector" + (same ? " kept" : "")}>
      {rows.map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}
      <dt /><dd class="quiet note">{same ? <>selected: {p.fingers ? "tap another to compare" : "point at another, or go there with the arrow keys, to compare; Escape lets go"} <LetGo onLetGo={p.onLetGo} /></> : p.fingers ? "tap selects it" : "click or Enter selects it"}</dd>
    </dl>
  );
}

function LetGo(p: { onLetGo?: () => void }) {
  return <button type="button" class="link" onClick={p.onLetGo}>let go</button>;
}

type Row = [name: string, text: string];

/** Everything known about an element; null if it does not exist. */
function about(value: Inspection, spot: Spot, laid?: Laid): Row[] | null {
  const o = value.operands?.[spot.operand];
  if (!o) return null;
  const i = spot.element;
  const rows: Row[] = [];
  const add = (k: string, v: string | number | undefined) => v !== undefined && rows.push([k, String(v)]);
  if (o.name) add("operand", o.name);
  add("coordinate", coordOf(o, i));
  // A flat coordinate is not repeated.
  if (value.tree?.modes?.some((m) => modesOf(m)) && !o.thread) add("nested", nestedOf(o, i));
  if (o.thread) {
    const warp = warpOf(o);
    const t = o.thread[i];
    // The threads of an instruction may be any lanes of a warp.
    add("thread", o.thr_id ? `${threadName(o, t)}, number ${t} of the instruction` : `${t}  = warp ${Math.floor(t / warp)}, lane ${t % warp}`);
    add("value", o.value![i]);
  }
  add("lies in", o.space);
  if (laid?.operand === spot.operand) {
    const at = laid.place(i);
    add("byte", String(at.byte));
    add(laid.space === "global" ? "sector" : "bank", laid.space === "global" ? laid.sector(i) : `${banksIn(at)} of 32`);
  }
  add("index", i);
  const offset = offsetOf(o, i);
  if (offset !== undefined) {
    add(o.thread ? "tile index" : "offset", offset);
    add("in binary", bin(offset, 4));
    if (!o.thread && value.shared) {
      const at = lies(value.shared, o.offset ? o.offset[i] : offset);
      add("byte", at.bit === undefined ? String(at.byte) : `${at.byte}, bit ${at.bit}`);
      add("bank", `${banksIn(at)} of 32`);
    }
    const all: readonly (number | string)[] = o.offset ?? o.exact!;
    const same: number[] = [];
    for (let k = 0; k < o.size && same.length <= named; k++) if (k !== i && all[k] === all[i]) same.push(k);
    const names = same.slice(0, named).map((k) => (o.thread ? `T${threadName(o, o.thread[k])} V${o.value![k]}` : coordOf(o, k)));
    if (same.length > 0) add(o.thread ? "held also by" : "same offset as", names.join(" ") + (same.length > named ? " …" : ""));
  }
  if (o.coord) add("value", o.coord[i]);
  return rows;
}

/** Two elements side by side: the facts about each, and the differences of their numbers. */
function Both(p: { kept: Row[]; pointed: Row[]; onLetGo?: () => void; fingers?: boolean }) {
  const names = [...p.kept, ...p.pointed].map(([k]) => k).filter((k, i, all) => all.indexOf(k) === i && k !== "same offset as" && k !== "held also by");
  const of = (rows: Row[], k: string) => rows.find(([name]) => name === k)?.[1] ?? "";
  return (
    <>
      <table class="inspector both" data-testid="both">
        <thead><tr><td /><th scope="col">selected</th><th scope="col">{p.fingers ? "touched" : "pointed at"}</th><td /></tr></thead>
        <tbody>
          {names.map((k) => {
            const [a, b] = [of(p.kept, k), of(p.pointed, k)];
            return <tr class={a === b ? "" : "differs"} key={k}><th scope="row">{k}</th><td>{a}</td><td>{b}</td><td class="delta">{difference(k, a, b)}</td></tr>;
          })}
        </tbody>
      </table>
      <p class="quiet small">{p.fingers ? "A second tap selects the other one." : "A click or Enter selects the other one; Escape lets both go."} <LetGo onLetGo={p.onLetGo} /></p>
    </>
  );
}

/** The difference between numbers, or between coordinates mode by mode: +8, (0,+1); for binary numbers, the bits that differ. */
function difference(name: string, a: string, b: string): string {
  if (a === b) return "=";
  if (name === "in binary") return "";
  const pattern = /-?\d+/g;
  const [x, y] = [a.match(pattern) ?? [], b.match(pattern) ?? []];
  if (x.length !== y.length || x.length === 0 || a.replace(pattern, "#") !== b.replace(pattern, "#")) return "≠";
  const by = x.map((n, k) => {
    const d = BigInt(y[k]) - BigInt(n);
    return d > 0n ? "+" + d : String(d).replace("-", "−");
  });
  if (name === "bank" || name === "thread") return by[0]; // the rest follows from it, or is a count
  let k = 0;
  return /^[(\d]/.test(b) ? b.replace(pattern, () => by[k++]) : "≠";
}

// The number of elements at the same place that are named.
const named = 5;

/** The banks of an element. */
export function banksIn(at: Place): string {
  return at.bank === at.last ? String(at.bank) : `${at.bank}-${at.last}`;
}
