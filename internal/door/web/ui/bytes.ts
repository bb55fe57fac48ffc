// The service counts bytes of UTF-8, browsers count units of UTF-16.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The number of bytes of a text. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** The number of UTF-16 units in the first bytes of a text. */
export function unitsOf(text: string, bytes: number): number {
  return decoder.decode(encoder.encode(text).subarray(0, bytes)).length;
}

/** A text with its bytes from pos to end replaced. */
export function splice(text: string, pos: number, end: number, by: string): string {
  return text.slice(0, unitsOf(text, pos)) + by + text.slice(unitsOf(text, end));
}

/** The bytes of a text from pos to end. */
export function cut(text: string, pos: number, end: number): string {
  return text.slice(unitsOf(text, pos), unitsOf(text, end));
}
