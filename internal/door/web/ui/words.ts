// Words that pages share: how numbers are said, the names of types.

/** A number with its noun: 1 line, 2,048 lines. */
export function plural(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

/** The types of elements that are offered. */
export const types = ["f32", "f16", "bf16", "f64", "s8", "e4m3", "e2m1", "tf32", "s32", "b1"];
