// The lessons as data. Their texts contain claims in double braces, expressions with their values; a Go test checks
// all of them.

import bits from "./11-bits.json";
import atoms from "./08-atoms.json";
import coalesce from "./02-coalesce.json";
import composition from "./03-composition.json";
import copy from "./10-copy.json";
import divide from "./04-divide.json";
import inverse from "./06-inverse.json";
import layout from "./01-layout.json";
import product from "./05-product.json";
import swizzle from "./07-swizzle.json";
import tiled from "./09-tiled.json";
import fixed from "./12-static.json";
import padding from "./13-padding.json";
import undo from "./14-undo.json";
import f2 from "./15-f2.json";
import tensor from "./16-tensor.json";
import gemm from "./17-gemm.json";

export interface Lesson {
  id: string; // in the URL
  title: string;
  about: string;
  steps: Step[];
}

export interface Step {
  title: string;
  text: string[]; // paragraphs: `code`, *term*, {{expr => value}} shows the value, {{expr ==> value}} the equation
  let: [string, string][]; // names and expressions, which the reader may edit
  show?: string; // the expression that the views show; the last name if absent
  op?: { name: string; a: string; b?: string }; // instead: an operation with its operands and steps
  type?: string;
  tile?: string;
  by?: string;
  views?: string[];
  bank?: { access: string; threads?: string; solve?: boolean };
  run?: { mma: string; a: string; b: string; wrong?: boolean }; // a gemm that the reader executes; wrong if C comes out wrong
  refused?: boolean; // there is no value, and the error is the subject
  ask?: { say: string; expr: string; hint?: string };
  goal?: { say: string; expr: string; solve: [string, string][] }; // reached when the expression is true
  go?: { page: string; say: string; params: Record<string, string> };
}

export const lessons = [layout, coalesce, composition, divide, product, inverse, swizzle, atoms, tiled, copy, bits, fixed, padding, undo, f2, tensor, gemm] as unknown as Lesson[];

/** The names of a step with their texts after the reader's edits. */
export type Bindings = readonly (readonly [string, string])[];

/** A program: the names, and then an expression. */
export function program(b: Bindings, expr: string): string {
  return b.map(([name, e]) => `let ${name} = ${e}; `).join("") + expr;
}

/** The expression that a step shows. */
export function shown(s: Step): string {
  if (s.show) return s.show;
  if (s.op) return s.op.b ? `${s.op.name}(${s.op.a}, ${s.op.b})` : `${s.op.name}(${s.op.a})`;
  return s.let[s.let.length - 1][0];
}

/** A piece of a text. */
export type Piece = { kind: "text" | "code" | "term"; text: string } | { kind: "claim"; expr: string; value: string; equation: boolean };

/** Splits a paragraph into pieces. A closing brace after the first two belongs to the value, which may be a list. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  for (const m of text.matchAll(/\{\{(.+?) (==?>) (.+?)\}\}(?!\})|`([^`]+)`|\*([^*]+)\*|[^{`*]+|[{`*]/g)) {
    if (m[1] !== undefined) out.push({ kind: "claim", expr: m[1], value: m[3], equation: m[2] === "==>" });
    else if (m[4] !== undefined) out.push({ kind: "code", text: m[4] });
    else if (m[5] !== undefined) out.push({ kind: "term", text: m[5] });
    else out.push({ kind: "text", text: m[0] });
  }
  return out;
}
