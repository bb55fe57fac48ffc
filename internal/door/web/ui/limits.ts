// The longest text of an expression bar. All of it is in the URL and is redrawn at each keystroke, and browsers edit
// many lines slowly: Chromium needs 16 s to replace 20,000 lines of a field.

/** The longest paste that the reader accepts, in characters. */
export const mostRead = 1 << 20;

const most = 1 << 16; // characters
const mostLines = 1000;

/** The reason why a text is too long for a bar, or for the reader if the reader gets it; empty if it is not too long. */
export function tooLong(text: string, byReader = false): string {
  const n = text.length;
  if (byReader) return n > mostRead ? `the text has ${count(n)} characters, the page reads ${count(mostRead)} at a time` : "";
  if (n > most) return `the text has ${count(n)} characters, the line takes ${count(most)}`;
  const lines = linesOf(text);
  return lines > mostLines ? `the text has ${count(lines)} lines, an expression may have ${count(mostLines)}` : "";
}

export function linesOf(text: string): number {
  let n = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) n++;
  return n;
}

function count(n: number): string {
  return n.toLocaleString("en");
}
