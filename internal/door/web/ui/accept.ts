// The text after accepting an offered name; none of the surrounding text is lost.

import type { Candidate } from "./complete";

/** Whether a candidate is only the common prefix of several names. */
export function begins(c: Candidate): boolean {
  return c.class === "instruction" && /[_<:]$/.test(c.name);
}

/** If a place is inside quotes, the quotation mark that starts the string; otherwise the empty string. */
export function quoteAt(text: string, cursor: number): string {
  let quote = "";
  for (let i = 0; i < cursor; i++) {
    const c = text[i];
    if (quote) quote = c === quote || c === "\n" ? "" : quote;
    else if (c === '"') quote = c;
    else if (c === "#") {
      const end = text.indexOf("\n", i);
      if (end < 0 || end >= cursor) return ""; // inside a comment
      i = end;
    }
  }
  return quote;
}

/**
 * The text to insert for a candidate in place of [start, end), and the end of the replaced part: letters after it that the candidate
 * also has are replaced too. A function gets the bracket that its arguments need, and a quoted text its closing mark, unless they
 * are already there.
 */
export function accepted(text: string, start: number, end: number, c: Candidate): { text: string; end: number } {
  let name = c.name;
  const tail = text.slice(end);
  const word = /^\w*/.exec(tail)![0];
  const used = text.slice(start, end);
  if (word && name.startsWith(used) && name.slice(used.length).startsWith(word)) end += word.length;
  const rest = text.slice(end);
  const quote = quoteAt(text, start);
  if (quote && !begins(c) && !rest.split("\n")[0].includes(quote)) name += quote;
  if (!quote && c.class === "function" && !/^(<[^<>()]*>|\[[^\][()]*\])?\(/.test(rest)) name += "(";
  return { text: name, end };
}
