// Names of exported files: what they show, in characters that every file system supports.

const longest = 80;

/** The name of a file that shows an expression: Sw-3-3-3-o-0-o-8x64-64-1 for Sw<3,3,3> o 0 o (8,64):(64,1). */
export function filename(expr: string): string {
  const words = extents(expr.replace(/#.*$/gm, "")).replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return words.length <= longest ? words || "girih" : words.slice(0, longest).replace(/-[^-]*$/, "");
}

/** The text with an x between the extents of a shape, which is before a colon. */
function extents(text: string): string {
  const out = [...text];
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") open.push(i);
    if (text[i] !== ")") continue;
    const from = open.pop();
    if (from === undefined || text[i + 1] !== ":") continue;
    for (let k = from; k < i; k++) if (text[k] === ",") out[k] = "x";
    for (let k = from; k <= i; k++) if ("() ".includes(text[k])) out[k] = k === from || k === i ? " " : "";
  }
  return out.join("");
}
