// Reads the answers of the engine. Its integers have 64 bits; JSON.parse would lose digits beyond 53 bits.

// A string, which may contain digits, or a number with fraction and exponent, which may also have many digits.
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const integer = /^-?\d{16,}$/;
const long = /\d{16}/;
const mark = "\u0001integer ";

/** A JSON text as a value. Integers beyond 2^53 become bigint: they are shown exactly, and accidental arithmetic with them fails. */
export function parseExact(text: string): unknown {
  if (!long.test(text)) return JSON.parse(text);
  const marked = text.replace(tokens, (t) => (integer.test(t) && !Number.isSafeInteger(Number(t)) ? JSON.stringify(mark + t) : t));
  return JSON.parse(marked, (_, v: unknown) => (typeof v === "string" && v.startsWith(mark) ? BigInt(v.slice(mark.length)) : v));
}
