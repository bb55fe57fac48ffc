// The pages of the explorer, in the order of their tabs. A page is a component that gets the palette; its state is in
// the URL.

import type { ComponentType } from "preact";
import type { Palette } from "../color";
import type { Ask } from "../engine";
import type { Label } from "../lang";
import { lessons } from "../lessons/model";
import type { Params } from "../state";
import { Algebra } from "./algebra";
import { Compare } from "./compare";
import { Copy } from "./copy";
import { Explore, exploreAsks, firstExpr } from "./explore";
import { Kernel, kernelAsks, kernelSubject } from "./kernel";
import { Lessons } from "./lessons";
import { MMA } from "./mma";
import { Open, openAsks, titleOf } from "./open";
import { Operations } from "./operations";
import { Swizzle } from "./swizzle";

export interface Page {
  id: string; // in the URL; empty for the first
  title: Label;
  hint: string;
  view: ComponentType<{ palette: Palette }>;
  /** The subject of a state, for the title of the window. */
  subject?: (p: Params) => string;
  /** The first request for a state. */
  asks?: (p: Params) => Ask[];
}

export const pages: Page[] = [
  { id: "", title: "Explore", hint: "one value, all views", view: Explore, subject: (p) => p.e ?? firstExpr, asks: exploreAsks },
  { id: "algebra", title: "Algebra", hint: "composition, complement, divide, product, inverse: live, with the steps", view: Algebra, subject: (p) => `${p.op ?? "composition"}${p.a || p.b ? ` of ${[p.a, p.b].filter(Boolean).join(" and ")}` : ""}` },
  { id: "swizzle", title: "Swizzle", hint: "B, M and S with the bank conflicts counted live, and the solver", view: Swizzle, subject: (p) => p.tile ?? "" },
  { id: "mma", title: "MMA", hint: "instructions, TiledMMA, who holds what, permutations", view: MMA, subject: (p) => p.atom ?? "" },
  { id: "copy", title: "Copy", hint: "TiledCopy, and which instructions fit", view: Copy },
  { id: "kernel", title: "Kernel", hint: "the data of a kernel from global memory to the tensor cores, who moves them, and what each hop costs", view: Kernel, subject: kernelSubject, asks: kernelAsks },
  { id: "operations", title: "Operations", hint: "every operation as a form: banks, sectors, descriptors, tensor maps, conversions, gemms, PTX", view: Operations, subject: (p) => [p.op, p.expr ?? p.tile].filter(Boolean).join(" ") },
  { id: "compare", title: "Compare", hint: "two layouts and their first difference", view: Compare },
  { id: "lessons", title: "Lessons", hint: "from shape and stride to TiledMMA, in live steps", view: Lessons, subject: (p) => (lessons.find((x) => x.id === p.l) ?? lessons[0]).title },
  { id: "open", title: "Open", hint: "a notebook, a blog or a source file, with the value of each line beside it", view: Open, subject: titleOf, asks: openAsks },
];

// Names that links to pages may have, too.
const names: Record<string, string> = { memory: "operations" };

/** The page of a state, if it is the name of one. */
export function pageNamed(id: string): Page | undefined {
  return pages.find((x) => x.id === (names[id] ?? id));
}

/** The page of a state. */
export function pageOf(p: Params): Page {
  return pageNamed(p.p ?? "") ?? pages[0];
}
