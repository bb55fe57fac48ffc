// The text after accepting an offered name; none of the surrounding text is lost.

import type { Candidate } from "./complete";

/** Whether a candidate is only what several names begin with. */
export function begins(c: Candidate): boolean {
  return c.class === "instruction" && /[_<:]$/.test(c.name);
}

/** Whether a place is in a text in quotes: the quotation mark that began it, or nothing. */
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
 * What to write in the place of [start, end) of a text for a candidate, and where that ends: beyond it are letters that the candidate
 * has too, which are used up. A function gets the bracket that its arguments need, a text in quotes the mark that ends it, if they are
 * not there.
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
