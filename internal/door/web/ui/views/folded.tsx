// A figure that may be folded at first. What is in it is made when it is opened.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** A caption and the figure below it. */
export function Folded(p: { folded?: boolean; title: ComponentChildren; children: ComponentChildren }) {
  const [open, turn] = useState(false);
  if (!p.folded) return <><figcaption>{p.title}</figcaption>{p.children}</>;
  return <details onToggle={(e) => turn(e.currentTarget.open)}><summary><figcaption>{p.title}</figcaption></summary>{open && p.children}</details>;
}
