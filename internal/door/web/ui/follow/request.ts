// The request of the kernel page, which is in the URL.

import type { Params } from "../state";

/** A request of operation follow. */
export interface Request {
  kernel?: string;
  tile?: number[];
  type?: string;
  sum?: string;
  div?: number;
  stages?: number;
  set?: string[];
  block?: string;
  program?: string;
  call?: string; // of a program that launches no kernel
  json?: string;
  ptx?: string;
  run?: string;
  at?: string; // an element; with only, the answer is what it is computed of
  only?: boolean;
}

/** The kernel of a page without a state. */
export const firstKernel = "sgemm_sm80";

/** The kinds of texts, by the field of the request that holds them. */
const kinds = ["program", "json", "ptx"] as const;
export type TextKind = (typeof kinds)[number];

/** The kind of a pasted text. */
export function kindOf(text: string): TextKind {
  if (/^\s*\{/.test(text)) return "json";
  return /^\s*\.(version|target|visible)\b/m.test(text) ? "ptx" : "program";
}

function integers(text: string): number[] {
  return text.split(/[^0-9]+/).filter(Boolean).map(Number);
}

/** The request of a state; null if its text is gone. */
export function requestOf(p: Params): Request | null {
  const out: Request = {};
  const kind = kinds.find((k) => k === p.as);
  if (kind) {
    const text = p.own;
    if (!text) return null;
    out[kind] = text;
    if (kind === "ptx" && p.run) out.run = p.run;
    if (kind === "program" && p.run) out.call = p.run;
  } else out.kernel = p.k || firstKernel;
  if (p.tile && integers(p.tile).length > 0) out.tile = integers(p.tile);
  if (p.type) out.type = p.type;
  if (p.sum) out.sum = p.sum;
  if (p.div && Number(p.div) > 0) out.div = Math.floor(Number(p.div));
  if (p.stages && Number(p.stages) > 0) out.stages = Math.floor(Number(p.stages));
  if (p.set) out.set = p.set.split(/[\s,;]+/).filter(Boolean);
  if (p.block) out.block = p.block;
  return out;
}

const none = { k: "", as: "", own: "", run: "", tile: "", type: "", sum: "", div: "", stages: "", set: "", block: "", s: "", m: "", h: "", line: "", was: "", z: "", v: "", wide: "", tracks: "" };

/** The state of a request, without what belongs to another one: the selection, the moment, the views. */
export function stateOf(q: Request): Record<string, string> {
  const kind = kinds.find((k) => q[k] !== undefined);
  return {
    ...none, as: kind ?? "", own: (kind && q[kind]) ?? "", run: q.run ?? q.call ?? "",
    k: q.kernel && q.kernel !== firstKernel ? q.kernel : "", tile: q.tile?.join(",") ?? "", type: q.type ?? "", sum: q.sum ?? "",
    div: q.div ? String(q.div) : "", stages: q.stages ? String(q.stages) : "", set: q.set?.join(",") ?? "", block: q.block ?? "",
  };
}

/** A repair's request as a request of this page, with only the fields that it has. */
export function repaired(q: Record<string, unknown>): Request {
  const out: Record<string, unknown> = {};
  for (const [k, v] of Object.entries(q)) if (v !== null && v !== "" && v !== 0 && !(Array.isArray(v) && v.length === 0)) out[k] = v;
  return out as Request;
}

/** The fields that differ between two requests; texts are compared by their lines. */
export function differences(a: Request, b: Request): [name: string, was: string, is: string][] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Request)[];
  const text = (x: Request[keyof Request]) => (x === undefined ? "" : String(x));
  return names.filter((k) => text(a[k]) !== text(b[k])).map((k) => {
    const [was, is] = [text(a[k]), text(b[k])];
    if (was.length + is.length < 80) return [k, was, is];
    const [x, y] = [was.split("\n"), is.split("\n")];
    const at = x.findIndex((line, i) => line !== y[i]);
    return [k, (x[at] ?? "").trim(), (y[at] ?? "").trim()];
  });
}
