// A tuple of integers. It may be a shape, a stride, a coordinate or a tile, and is drawn only when the user chooses
// one.

import type { Inspection, ShapeTree } from "../model";
import { modesOf } from "../model";

export function TupleCard(p: { value: Inspection; stale: boolean; onDraw: (expr: string) => void }) {
  const v = p.value;
  const facts = new Map(v.facts?.map((f) => [f.name, f.value]));
  const shape = v.operands !== undefined && v.value !== undefined; // all integers are positive
  return (
    <section class={"card tuple" + (p.stale ? " stale" : "")} data-testid="tuple">
      <p><b>a tuple</b> is a shape, a stride, a coordinate or a tile, as the place says where it stands; alone it has no elements.</p>
      {v.tree && modesOf(v.tree) && <div class="tree"><Node tree={v.tree} /></div>}
      {shape && <p class="small quiet">rank {facts.get("rank")}, depth {facts.get("depth")}, product {facts.get("size")}</p>}
      {shape && <p><button type="button" class="primary" onClick={() => p.onDraw(`make_layout(${v.value})`)}>draw as shape {v.value!.length > 60 ? "" : v.value}</button> <span class="quiet small">the compact layout of that shape, the first mode fastest</span></p>}
    </section>
  );
}

function Node(p: { tree: ShapeTree }) {
  const modes = modesOf(p.tree);
  if (!modes) return <span class="leaf"><span class="extent">{String(p.tree.extent)}</span></span>;
  return <span class="node"><span class="modes">{modes.map((m) => <Node tree={m} />)}</span></span>;
}
