// The source of the kernel with the counters of each line. Only the lines in sight are elements.

import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { put, WordsOf } from "../lang";
import { set, useParam, whole } from "../state";
import { arrows } from "../use";
import type { Finding, Run, Source, SourceLine } from "./model";
import { pathOf } from "./say";

const high = 20; // CSS pixels a line
const shown = 22; // lines in sight

// What lines can be ordered by: a column, or sectors and wavefronts together.
const columns = ["count", "sectors", "wavefronts", "excess"] as const;
type By = (typeof columns)[number] | "hot";

/** The line that the page begins with, or the next hotter one: lines in the order of their heat. */
export function hottest(s: Source, after: number, by: By = "hot"): number {
  const order = s.lines.map((l, k) => ({ k, hot: l[by] ?? 0 })).filter((x) => x.hot > 0).sort((a, b) => b.hot - a.hot || a.k - b.k);
  if (order.length === 0) return -1;
  const at = order.findIndex((x) => x.k === after);
  return order[(at + 1) % order.length].k;
}

/** The findings of a line. */
function findingsAt(all: Finding[], s: Source, l: SourceLine): Finding[] {
  return all.filter((f) => (s.lang === "ptx" ? f.line === l.line : f.source?.endsWith(`${s.name}:${l.line}`)));
}

export function Sources(p: { run: Run; lit: ReadonlySet<number> }) {
  const words = useContext(WordsOf);
  const all = p.run.answer.sources ?? [];
  const [chosen, choose] = useParam("src", "0");
  const k = whole(chosen, 0, Math.max(all.length - 1, 0), 0);
  const source = all[k];
  const [lineText] = useParam("line");
  const at = source ? source.lines.findIndex((l) => String(l.line) === lineText) : -1;
  const [top, scrolled] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const [byText, order] = useParam("hot");
  const by: By = columns.find((x) => x === byText) ?? "hot";
  const most = useMemo(() => Math.max(0, ...(source?.lines.map((l) => l[by] ?? 0) ?? [])), [source, by]);
  const begin = useMemo(() => Math.max(source?.lines.findIndex((l) => l.count) ?? 0, 0), [source]); // the first line that ran
  useEffect(() => {
    const b = box.current;
    if (!b) return;
    if (at < 0) {
      b.scrollTop = Math.max(begin - 3, 0) * high;
      return;
    }
    const y = at * high;
    if (y < b.scrollTop || y + high > b.scrollTop + b.clientHeight) b.scrollTop = Math.max(y - b.clientHeight / 2, 0);
  }, [at, source]);
  if (!source) return null;
  const findings = p.run.answer.findings ?? [];
  const go = (line: number) => line >= 0 && line < source.lines.length && set({ line: String(source.lines[line].line) });
  const key = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: shown, PageUp: -shown }[e.key];
    if (step) go(at < 0 ? begin : Math.min(Math.max(at + step, 0), source.lines.length - 1));
    else if (e.key === "Enter" && at >= 0 && source.lines[at].hops?.length) set({ h: String(source.lines[at].hops![0]) });
    else return;
    e.preventDefault();
  };
  const first = Math.max(Math.floor(top / high) - 4, 0);
  const visible = source.lines.slice(first, first + shown + 8);
  return (
    <section class="card sources" data-testid="sources">
      <figcaption><b>{words["kernel source"]}</b>
        <span class="tabs" role="tablist" aria-label={words["kernel source"]} onKeyDown={arrows}>
          {all.map((s, i) => <button type="button" role="tab" key={i} aria-selected={i === k} tabIndex={i === k ? 0 : -1} onClick={() => { set({ src: i === 0 ? "" : String(i), line: "" }); choose(String(i)); }}>{s.lang === "ptx" ? "PTX" : s.name}</button>)}
        </span>
        <button type="button" class="link" disabled={most === 0} onClick={() => go(hottest(source, at, by))}>{words["kernel hottest"]}</button>
      </figcaption>
      <div class="source-head small quiet"><span />
        {columns.map((x) => <button type="button" key={x} class="link" aria-pressed={x === by} title={words["kernel order"]} onClick={() => order(x === by ? "" : x)}>{words[`kernel ${x}`]}</button>)}<span />
      </div>
      <div class="source-frame">
      <div class="source-box" ref={box} tabIndex={0} role="listbox" aria-label={source.name} aria-activedescendant={at >= 0 ? "line-" + source.lines[at].line : undefined} style={{ height: Math.min(source.lines.length, shown) * high + 2 + "px" }} onKeyDown={key} onScroll={(e) => scrolled(e.currentTarget.scrollTop)}>
        <div style={{ height: source.lines.length * high + "px" }}>
          <div style={{ transform: `translateY(${first * high}px)` }}>
            {visible.map((l, n) => {
              const bad = findingsAt(findings, source, l);
              const on = l.hops?.some((h) => p.lit.has(h));
              return (
                <div key={l.line} id={"line-" + l.line} role="option" aria-selected={first + n === at} class={"source-line" + (first + n === at ? " at" : "") + (on ? " lit" : "") + (bad.length > 0 ? " wrong-line" : "")} onClick={() => set({ line: String(l.line), ...(l.hops?.length ? { h: String(l.hops[0]) } : {}) })} title={[...(l.hops ?? []).map((h) => pathOf(p.run, h)), ...bad.map((f) => f.message)].join("\n") || undefined}>
                  <span class="number">{l.line}</span>
                  {columns.map((x) => <span key={x} class={x === "excess" ? "failed" : ""}>{count(l[x])}</span>)}
                  <span class="heat"><i style={{ width: `${most > 0 ? Math.round(((l[by] ?? 0) / most) * 100) : 0}%` }} /></span>
                  <code>{l.text || <span class="quiet">{l.hops?.map((h) => pathOf(p.run, h)).join(", ")}</span>}{bad.map((f) => <b class="failed"> ← {f.kind}</b>)}</code>
                </div>
              );
            })}
          </div>
        </div>
      </div>
        <Strip source={source} by={by} most={most} at={at} onGo={go} />
      </div>
      <p class="quiet small">{put(words["kernel source says"], source.lines.length)}</p>
    </section>
  );
}

/** All lines of the source as a strip, with a mark where a line is hot; a click goes to the hot line that is nearest. The keyboard has the button. */
function Strip(p: { source: Source; by: By; most: number; at: number; onGo: (line: number) => void }) {
  const n = p.source.lines.length;
  const hot = p.source.lines.map((l, k) => ({ k, share: p.most > 0 ? (l[p.by] ?? 0) / p.most : 0 })).filter((x) => x.share > 0);
  const go = (e: MouseEvent & { currentTarget: HTMLElement }) => {
    const box = e.currentTarget.getBoundingClientRect();
    const line = ((e.clientY - box.top) / box.height) * n;
    const near = [...hot].sort((a, b) => Math.abs(a.k - line) - Math.abs(b.k - line))[0];
    if (near) p.onGo(near.k);
  };
  return (
    <div class="source-strip" aria-hidden="true" onClick={go}>
      {hot.map((x) => <i key={x.k} class={x.k === p.at ? "at" : ""} style={{ top: `${(x.k / n) * 100}%`, width: `${20 + 80 * x.share}%`, opacity: 0.35 + 0.65 * x.share }} />)}
    </div>
  );
}

function count(n: number | undefined): string {
  return n ? n.toLocaleString("en") : "";
}
