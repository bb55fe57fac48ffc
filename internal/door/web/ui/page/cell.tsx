// A cell of a document: its lines, each of which can be edited, and beside each line what comes out of it.

import { useContext, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Palette } from "../color";
import { Fault } from "../fault";
import { put, WordsOf } from "../lang";
import { nudged, scrub } from "../scrub";
import { Code } from "./code";
import type { Cell, Line, Slip, Value } from "./model";
import { linesOf, matched } from "./model";
import { Cells, Derivation, Picture, Threads } from "./sight";

export interface CellProps {
  notebook: boolean; // lines are counted from 1 in each cell
  drawn?: boolean; // the pictures of its values are shown at first
  number: number;
  cell: Cell;
  source: string; // as the reader has edited it
  palette: Palette;
  onEdit: (cell: number, source: string) => void;
}

// The most lines of a cell that are drawn.
const mostLines = 2000;

/** Where the cursor goes after an edit that changes the number of lines. */
interface Cursor {
  line: number;
  column: number;
}

export function CellView(p: CellProps) {
  const words = useContext(WordsOf);
  const lines = useMemo(() => linesOf(p.source), [p.source]);
  const shown = useMemo(() => matched(lines, linesOf(p.cell.source), p.cell.lines ?? []), [lines, p.cell]);
  const box = useRef<HTMLElement>(null);
  const cursor = useRef<Cursor | null>(null);
  const focus = (c: Cursor) => {
    const area = box.current?.querySelectorAll<HTMLTextAreaElement>(".line textarea")[c.line];
    if (!area) return false;
    area.focus();
    area.setSelectionRange(c.column, c.column);
    return true;
  };
  useLayoutEffect(() => {
    if (cursor.current) focus(cursor.current);
    cursor.current = null;
  }, [p.source]);
  const edit = (i: number, text: string, at: number) => {
    const head = text.slice(0, at).split("\n");
    if (text.includes("\n")) cursor.current = { line: i + head.length - 1, column: head[head.length - 1].length };
    p.onEdit(p.number, [...lines.slice(0, i), text, ...lines.slice(i + 1)].join("\n") + "\n");
  };
  const join = (i: number) => {
    cursor.current = { line: i - 1, column: lines[i - 1].length };
    p.onEdit(p.number, [...lines.slice(0, i - 1), lines[i - 1] + lines[i], ...lines.slice(i + 1)].join("\n") + "\n");
  };
  const move = (i: number, step: number, column: number): boolean => focus({ line: i + step, column }) || beyond(box.current!, step);
  const acts = useRef({ edit, join, move });
  acts.current = { edit, join, move };
  return (
    <section class="cell" ref={box} aria-label={put(words["open cell"], p.number + 1, p.cell.lang)} data-testid={"cell-" + p.number}>
      {lines.slice(0, mostLines).map((text, i) => (
        <KeptRow key={i} notebook={p.notebook} drawn={p.drawn} number={p.number} begin={p.cell.at} lang={p.cell.lang} palette={p.palette} at={i} text={text} line={shown[i].line} stale={shown[i].stale} acts={acts} />
      ))}
      {lines.length > mostLines && <p class="small quiet">{put(words["open hidden"], lines.length - mostLines)}</p>}
      {p.cell.slip && <Difference slip={p.cell.slip} what={words["open output"]} />}
      {p.cell.agrees && p.cell.stated && <p class="agrees small"><span aria-hidden="true">✓</span> {words["open prints"]}</p>}
    </section>
  );
}

/** Goes to the cell after or before. */
function beyond(from: HTMLElement, step: number): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(".document .cell")];
  const areas = all[all.indexOf(from) + step]?.querySelectorAll<HTMLTextAreaElement>(".line textarea");
  areas?.[step > 0 ? 0 : areas.length - 1]?.focus();
  return Boolean(areas?.length);
}

interface RowProps {
  notebook: boolean;
  drawn?: boolean;
  number: number; // of the cell
  begin: number; // the line of the document with the first line of the cell
  lang: string;
  palette: Palette;
  at: number; // the line of the cell, from 0
  text: string;
  line?: Line;
  stale: boolean;
  acts: { current: { edit: (at: number, text: string, cursor: number) => void; join: (at: number) => void; move: (at: number, step: number, column: number) => boolean } };
}

/** A line that is drawn again only if it has changed. */
function KeptRow(p: RowProps) {
  const key = useMemo(() => JSON.stringify(p.line), [p.line]);
  return useMemo(() => <Row {...p} />, [key, p.text, p.stale, p.begin, p.lang, p.palette, p.notebook]);
}

type Open = "picture" | "why" | "threads" | null;

function Row(p: RowProps) {
  const words = useContext(WordsOf);
  const [open, turn] = useState<Open>(p.drawn ? "picture" : null);
  const field = useRef<HTMLTextAreaElement>(null);
  const l = p.line;
  const wrong = Boolean(l?.slips || l?.error);
  const drawn = l?.values?.filter((v) => v.kind && pictured.has(v.kind)) ?? [];
  const key = (e: KeyboardEvent) => {
    const a = e.currentTarget as HTMLTextAreaElement;
    if (nudged(e, (text) => p.acts.current.edit(p.at, text, a.selectionStart))) return;
    if (e.isComposing || e.shiftKey || e.ctrlKey || e.altKey || e.metaKey || a.selectionStart !== a.selectionEnd) return;
    const at = a.selectionStart;
    const step = e.key === "ArrowUp" ? -1 : e.key === "ArrowDown" ? 1 : 0;
    if (step && p.acts.current.move(p.at, step, at)) e.preventDefault();
    else if (e.key === "Enter") {
      e.preventDefault();
      const head = p.text.slice(0, at);
      const indent = /^\s*/.exec(head)![0] + (/:\s*$/.test(head) && p.lang === "Python" ? "    " : "");
      p.acts.current.edit(p.at, head + "\n" + indent + p.text.slice(at), at + 1 + indent.length);
    }
    else if (e.key === "Backspace" && at === 0 && p.at > 0) {
      e.preventDefault();
      p.acts.current.join(p.at);
    }
  };
  const tool = (what: Exclude<Open, null>, is: boolean, text: string) => is && (
    <button type="button" class="tool" aria-expanded={open === what} onClick={() => turn(open === what ? null : what)} data-testid={what}>{text}</button>
  );
  const place = { cell: p.number, line: l?.line ?? 0 };
  return (
    <div class={"line" + (wrong ? " wrong-line" : "") + (p.stale ? " stale" : "")} id={`l${p.number}.${p.at + 1}`}>
      <span class="at" aria-hidden="true">{(p.notebook ? 1 : p.begin) + p.at}</span>
      <div class="text">
        <pre aria-hidden="true" onPointerDown={(e) => scrub(e, field.current!, (text) => p.acts.current.edit(p.at, text, 0))}><Code text={p.text} lang={p.lang} />{"\n"}</pre>
        <textarea
          ref={field} rows={1} spellcheck={false} autocomplete="off" autocapitalize="off" value={p.text} tabIndex={p.at === 0 ? 0 : -1}
          aria-label={put(words["open line"], p.at + 1)} aria-invalid={wrong} onKeyDown={key}
          onInput={(e) => p.acts.current.edit(p.at, e.currentTarget.value, e.currentTarget.selectionStart)}
        />
      </div>
      <div class="beside">
        {l && <Values line={l} />}
        {l && (drawn.length > 0 || l.derived || l.uses) && (
          <span class="tools">
            {tool("picture", drawn.length > 0, words["open picture"])}
            {tool("why", Boolean(l.derived), words["open why"])}
            {tool("threads", Boolean(l.uses), words["open threads"])}
          </span>
        )}
      </div>
      {l && <Below line={l} />}
      {l && open === "picture" && <div class="sight">{drawn.map((v) => <Picture value={v} palette={p.palette} key={v.name} />)}</div>}
      {l && open === "why" && <div class="sight"><Derivation {...place} /></div>}
      {l && open === "threads" && <div class="sight"><Threads {...place} /></div>}
    </div>
  );
}

// The kinds of values that have pictures.
const pictured = new Set(["layout", "composed_layout", "swizzle", "linear_layout", "tensor", "mma", "tiled_mma", "copy_atom", "tiled_copy", "thr_mma", "thr_copy"]);

/** The values of a line, in a few words each. */
function Values(p: { line: Line }) {
  const words = useContext(WordsOf);
  const { values = [], times = 0, agrees } = p.line;
  return (
    <>
      {values.map((v) => <One key={v.name} value={v} named={values.length > 1} />)}
      {values.length > 0 && times > 1 && <span class="quiet small">{put(words["open times"], times)}</span>}
      {agrees ? <span class="agrees small" title={words["open agrees"]}><span aria-hidden="true">✓</span><span class="visually-hidden">{words["open agrees"]}</span></span> : null}
    </>
  );
}

function One(p: { value: Value; named: boolean }) {
  const words = useContext(WordsOf);
  const v = p.value;
  const name = v.name === "return" ? words["open returns"] + " " : p.named && v.name ? v.name + " = " : "= ";
  return <output class="value"><span class="quiet">{name}</span>{v.text}{v.memory?.before && v.memory.before.length <= 64 && v.memory.before.some((x) => x) && <Cells of={v.memory} />}</output>;
}

/** What needs the whole width: output, notes, slips and the error. */
function Below(p: { line: Line }) {
  const words = useContext(WordsOf);
  const l = p.line;
  const repeated = l.values?.some((v) => l.output === v.text + "\n");
  return (
    <>
      {l.output && !repeated && <pre class="printed" tabIndex={0} aria-label={words["open printed"]}>{l.output.replace(/\n$/, "")}{l.cut && "\n…"}</pre>}
      {l.notes?.map((n) => <p class="note small quiet">{n}</p>)}
      {l.slips?.map((s) => <Difference slip={s} what={words["open text"]} />)}
      {l.error && <Fault now fault={l.error} />}
    </>
  );
}

/** A slip: what the document states, what is computed, and where they differ first. */
export function Difference(p: { slip: Slip; what: string }) {
  const words = useContext(WordsOf);
  return (
    <div class="slip" role="note" data-testid="slip">
      <p><b>{p.what}</b> <del>{p.slip.stated}</del> <span class="quiet">{words["open computed"]}</span> <ins>{p.slip.computed || words["open nothing"]}</ins></p>
      <p class="small quiet">{p.slip.words}</p>
    </div>
  );
}
