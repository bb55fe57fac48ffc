// The shape tree: the modes of a layout with their extents and strides, nested as the shape is.

import type { ShapeTree } from "../model";

export function Tree(p: { tree: ShapeTree; digits?: number[] }) {
  // Digits are those of the coordinate that is pointed at, leaf by leaf.
  let next = 0;
  const node = (t: ShapeTree, name: string) => {
    if (!t.modes) {
      const digit = p.digits?.[next++];
      return (
        <div class="leaf">
          <span class="extent">{t.extent}</span>
          <span class="stride">:{t.stride}</span>
          <span class="digit">{digit ?? "\u00a0"}</span>
        </div>
      );
    }
    return (
      <div class="node" aria-label={name}>
        <span class="product">{t.extent}</span>
        <div class="modes">{t.modes.map((m, k) => node(m, `${name}, mode ${k}`))}</div>
      </div>
    );
  };
  return <div class="tree" role="img" aria-label="shape tree: extent and stride of each mode">{node(p.tree, "layout")}</div>;
}

/** The digits of a colexicographic index in the leaves of a shape. */
export function digits(t: ShapeTree, index: number): number[] {
  const out: number[] = [];
  const walk = (u: ShapeTree) => {
    if (u.modes) return u.modes.forEach(walk);
    out.push(index % u.extent);
    index = Math.floor(index / u.extent);
  };
  walk(t);
  return out;
}
