// How numbers are said.

/** A number with its noun: 1 line, 2,048 lines. */
export function plural(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
