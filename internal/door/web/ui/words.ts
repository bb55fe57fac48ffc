// Words that pages share: formatted numbers, the names of types, and texts with values in them.

/** A number with its noun: 1 line, 2,048 lines. */
export function plural(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

/** The bits of an element, by type. */
export const bitsOf: Record<string, number> = { f32: 32, f16: 16, bf16: 16, f64: 64, s8: 8, e4m3: 8, e2m1: 4, tf32: 32, s32: 32, b1: 1 };

/** The types of elements that the page offers. */
export const types = Object.keys(bitsOf);

/** A text with its values in the places {0}, {1}, ... */
export function put(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, k: string) => String(values[Number(k)] ?? whole));
}
