// Finds the function call around the cursor, and the argument at the cursor.

export interface Call {
  name: string;
  argument: number; // from 0
  start: number; // the start of the name
}

/** The calls around a place of a text, the innermost first. Brackets without a name before them are tuples and tilers. */
export function callsAt(text: string, cursor: number): Call[] {
  const open: { bracket: string; name: string; start: number; commas: number }[] = [];
  for (let i = 0; i < cursor; i++) {
    const c = text[i];
    if (c === "#") {
      const end = text.indexOf("\n", i);
      if (end < 0 || end >= cursor) return []; // inside a comment
      i = end;
    } else if (c === '"') {
      const end = text.indexOf('"', i + 1);
      i = end < 0 || end >= cursor ? cursor : end;
    } else if ("([{<".includes(c)) {
      const name = c === "(" ? /([A-Za-z_]\w*)(<[^<>()]*>)?$/.exec(text.slice(Math.max(0, i - 80), i)) : null;
      open.push({ bracket: c, name: name?.[1] ?? "", start: i - (name?.[0].length ?? 0), commas: 0 });
    } else if (")]}>".includes(c)) {
      const bracket = "([{<"[")]}>".indexOf(c)];
      const at = open.findLastIndex((x) => x.bracket === bracket);
      if (at >= 0) open.length = at;
    } else if (c === "," && open.length > 0) {
      open[open.length - 1].commas++;
    }
  }
  return open.filter((x) => x.name).map((x) => ({ name: x.name, argument: x.commas, start: x.start })).reverse();
}

/** A signature in pieces, with an argument marked: argument k of "f(A, B)", or the last one before "...". */
export function parameters(signature: string, argument: number): { text: string; on: boolean }[] {
  const at = signature.indexOf("(");
  const params = signature.slice(at + 1, -1).split(", ");
  const rest = params.at(-1) === "...";
  const on = rest && argument >= params.length - 1 ? params.length - 1 : argument;
  const out = [{ text: signature.slice(0, at + 1), on: false }];
  params.forEach((x, i) => out.push({ text: i === 0 ? "" : ", ", on: false }, { text: x, on: i === on }));
  return [...out, { text: ")", on: false }];
}
