// The shape tree: the modes of a layout with their extents and strides, nested as the shape is. A leaf under the
// pointer lights the elements along it.

import { arrows } from "../use";
import type { ShapeTree } from "../model";
import { modesOf } from "../model";

interface Props {
  tree: ShapeTree;
  digits?: number[]; // of the coordinate under the pointer, leaf by leaf
  onLeaf?: (worth: number, extent: number) => void; // worth is the growth of the index per step; 0: no leaf is under the pointer
}

export function Tree(p: Props) {
  let next = 0;
  let worth = 1;
  const leaf = (t: ShapeTree, name: string) => {
    const k = next++;
    const mine = worth;
    worth *= Number(t.extent);
    const light = () => p.onLeaf?.(mine, Number(t.extent));
    return (
      <button
        type="button" class="leaf" data-arrows tabIndex={k === 0 ? 0 : -1} aria-label={`${name}: extent ${t.extent}, stride ${t.stride}`}
        title="Lights the elements along this mode" onPointerEnter={light} onPointerLeave={() => p.onLeaf?.(0, 0)} onFocus={light} onBlur={() => p.onLeaf?.(0, 0)}
      >
        <span class="extent">{String(t.extent)}</span>
        <span class="stride">:{t.stride}</span>
        <span class="digit">{p.digits?.[k] ?? "\u00a0"}</span>
      </button>
    );
  };
  const node = (t: ShapeTree, name: string) =>
    !modesOf(t) ? leaf(t, name) : (
      <div class="node">
        <span class="product">{String(t.extent)}</span>
        <div class="modes">{modesOf(t)!.map((m, k) => node(m, `${name} ${k}`))}</div>
      </div>
    );
  return <div class="tree" role="group" aria-label="shape tree: extent and stride of each mode" onKeyDown={arrows}>{node(p.tree, "mode")}</div>;
}

/** The digits of a colexicographic index in the leaves of a shape. */
export function digits(t: ShapeTree, index: number): number[] {
  const out: number[] = [];
  const walk = (u: ShapeTree) => {
    if (modesOf(u)) return modesOf(u)!.forEach(walk);
    const n = Number(u.extent);
    out.push(index % n);
    index = Math.floor(index / n);
  };
  walk(t);
  return out;
}
