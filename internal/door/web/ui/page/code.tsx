// A line of code in colors. The text is Python, C++ or girih's notation, and may be unfinished.

import { numberAt } from "../scrub";

const words = "auto|using|template|typename|struct|int|float|double|bool|void|const|constexpr|static_assert|for|while|if|else|return|def|class|import|from|as|in|lambda|assert|and|or|not|let|True|False|None|true|false|__global__|__device__|__shared__";
const pattern = new RegExp(`(#.*|//.*)|("(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*')|\\b(${words})\\b|\\b(\\d[\\w.]*)|(_\\d+\\b)|([A-Za-z_]\\w*)(?=\\s*[(<])`, "g");

/** A line, painted. In C++ # begins no comment, and in Python // is an operator. */
export function Code(p: { text: string; lang: string }) {
  const out = [];
  let at = 0;
  for (const m of p.text.matchAll(pattern)) {
    const foreign = m[1] && m[1][0] === (p.lang === "C++" ? "#" : p.lang === "Python" ? "/" : "");
    const kind = m[1] ? "comment" : m[2] ? "instruction" : m[3] ? "keyword" : m[4] || m[5] ? "number" : "function";
    const number = kind === "number" ? numberAt(p.text, m.index + m[0].length) : null;
    out.push(p.text.slice(at, m.index), foreign ? m[0] : <span class={"t-" + kind + (number ? " number-at" : "")} data-at={number?.from}>{m[0]}</span>);
    at = m.index + m[0].length;
  }
  out.push(p.text.slice(at));
  return <>{out}</>;
}
