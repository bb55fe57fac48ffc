// The expression bar: a text with colored tokens, completion with inline help, history, and an underlined error.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { accepted, begins, quoteAt } from "./accept";
import { bytesOf, unitsOf } from "./bytes";
import type { Candidate } from "./complete";
import { Complete } from "./complete";
import type { Fault as FaultData } from "./engine";
import { call } from "./engine";
import { Fault } from "./fault";
import { History, past, remember } from "./history";
import { tooLong } from "./limits";
import { Pasted, foreign, isProgram, readable } from "./paste";
import { nudged, numberAt, scrub } from "./scrub";
import type { Call } from "./signature";
import { callsAt } from "./signature";
import { useCall, useSize } from "./use";

interface Token {
  class: string;
  pos: number;
  end: number;
}

interface Props {
  value: string;
  onChange: (v: string) => void;
  place?: { pos: number; end: number }; // of an error, in bytes
  label: string;
  placeholder?: string;
  id?: string;
  history?: boolean;
  fault?: FaultData; // shown below the bar
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// From this number of characters, the text has no colors, and replacing that much is done by the page, not by the
// browser.
const long = 4096;
const mostSelected = 1000;

// The request for all names.
const everything = { expr: "", cursor: 0 };

export function ExprBar(p: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [open, setOpen] = useState<{ start: number; end: number; list: Candidate[]; more: number; at: number } | null>(null);
  const [back, setBack] = useState(-1); // the position in the history
  const draft = useRef("");
  const [refused, refuse] = useState(""); // why a text was not accepted
  const { data: tokens } = useCall<Token[]>("tokens", p.value.length < long ? { expr: p.value } : null);
  const wanted = useRef(0);
  const [box, width] = useSize<HTMLDivElement>();
  const [tall, setTall] = useState(false);
  const shade = useRef<HTMLPreElement>(null);
  const [pasted, read] = useState<string | null>(null); // a text that is not an expression

  // The call around the cursor, while the cursor is in the text and the user has not dismissed the help.
  const [cursor, setCursor] = useState(-1);
  const [hushed, hush] = useState(""); // the call whose help was dismissed
  const { data: known } = useCall<{ candidates?: Candidate[] }>("complete", cursor < 0 ? null : everything);
  const inside = useMemo(() => {
    if (cursor < 0 || !known || p.value.length >= long) return null;
    for (const c of callsAt(p.value, cursor)) {
      const candidate = known.candidates?.find((x) => x.name === c.name && x.signature);
      if (candidate) return idOf(c) === hushed ? null : { candidate, ...c };
    }
    return null;
  }, [p.value, cursor, known, hushed]);
  useEffect(() => {
    if (hushed && !callsAt(p.value, cursor).some((c) => idOf(c) === hushed)) hush("");
  }, [p.value, cursor, hushed]);

  useEffect(() => {
    const moved = () => {
      const a = area.current;
      if (a && document.activeElement === a) setCursor(a.selectionStart);
    };
    document.addEventListener("selectionchange", moved);
    return () => document.removeEventListener("selectionchange", moved);
  }, []);

  // As high as its text, which also depends on the width.
  useEffect(() => {
    const a = area.current;
    if (!a) return;
    a.style.height = "auto";
    a.style.height = a.scrollHeight + "px"; // limited by its style; beyond that it scrolls
    setTall(a.scrollHeight > a.clientHeight + 1);
  }, [p.value, width]);

  function complete(text: string, cursor: number, all: boolean): void {
    const mine = ++wanted.current;
    const word = /[A-Za-z_][A-Za-z_0-9]*$/.exec(text.slice(0, cursor))?.[0] ?? "";
    const quoted = quoteAt(text, cursor);
    if (!all && word.length < 2 && !quoted) return setOpen(null);
    const bytes = bytesOf(text.slice(0, cursor));
    void call<{ start: number; end?: number; candidates?: Candidate[]; more?: number }>("complete", { expr: text, cursor: bytes }).then((r) => {
      if (mine !== wanted.current) return;
      // Strings in quotes contain no functions and variables.
      const list = (r.candidates ?? []).filter((c) => !quoted || (c.class !== "function" && c.class !== "variable"));
      const start = unitsOf(text, r.start);
      const end = r.end === undefined ? cursor : unitsOf(text, r.end);
      if (list.length === 0 || (list.length === 1 && list[0].name === text.slice(start, end))) return setOpen(null);
      setOpen({ start, end, list, more: r.more ?? 0, at: -1 });
    });
  }

  function choose(c: Candidate): void {
    const a = area.current!;
    const { text, end } = accepted(p.value, open!.start, open!.end, c);
    const head = p.value.slice(0, open!.start) + text;
    a.focus();
    a.setSelectionRange(open!.start, end);
    // Insert as if typed, so that the browser can undo it.
    if (!document.execCommand("insertText", false, text)) {
      const tail = p.value.slice(end);
      a.value = head + tail;
      a.setSelectionRange(head.length, head.length);
      p.onChange(head + tail);
    }
    wanted.current++; // text inserted this way requests no names
    setOpen(null);
    setCursor(head.length);
    if (begins(c)) complete(head + p.value.slice(end), head.length, true);
  }

  function names(): void {
    const a = area.current!;
    if (document.activeElement !== a) a.focus();
    if (open) setOpen(null);
    else complete(p.value, a.selectionStart, true);
  }

  function recall(step: number): void {
    const list = past();
    const next = Math.min(Math.max(back + step, -1), list.length - 1);
    if (next === back) return;
    if (back === -1) draft.current = p.value;
    setBack(next);
    p.onChange(next === -1 ? draft.current : list[next]);
  }

  function key(e: KeyboardEvent): void {
    if (e.isComposing || nudged(e, p.onChange)) return;
    if (open) {
      const n = open.list.length;
      if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        return setOpen({ ...open, at: e.key === "ArrowDown" ? (open.at + 1) % n : (Math.max(open.at, 0) + n - 1) % n });
      }
      // Enter accepts a name chosen with the arrow keys; otherwise it ends the line.
      if ((e.key === "Tab" && !e.shiftKey) || (e.key === "Enter" && !e.shiftKey && open.at >= 0)) {
        e.preventDefault();
        return choose(open.list[Math.max(open.at, 0)]);
      }
      if (e.key === "Enter") setOpen(null);
      if (e.key === "Escape") {
        e.preventDefault();
        return setOpen(null);
      }
    }
    if (e.key === "Escape" && inside) {
      e.preventDefault();
      hush(idOf(inside));
    } else if (e.key === " " && e.ctrlKey) {
      e.preventDefault();
      complete(p.value, area.current!.selectionStart, true);
    } else if (e.key === "Enter" && !e.shiftKey) {
      e.preventDefault();
      if (p.history) remember(p.value);
    } else if (p.history && !p.value.includes("\n") && (e.key === "ArrowUp" || e.key === "ArrowDown")) {
      e.preventDefault();
      recall(e.key === "ArrowUp" ? 1 : -1);
    }
  }

  /** Replaces the selection by a text, unless the result would be too long. */
  function insert(text: string): void {
    const a = area.current!;
    const head = a.value.slice(0, a.selectionStart) + text;
    const all = head + a.value.slice(a.selectionEnd);
    const why = tooLong(all);
    refuse(why);
    if (why) return;
    a.value = all;
    a.setSelectionRange(head.length, head.length);
    setBack(-1);
    p.onChange(all);
  }

  /** Replaces a long selection at once; a browser would do it line by line. */
  function replace(e: InputEvent): void {
    const a = area.current!;
    if (a.selectionEnd - a.selectionStart < mostSelected || !e.cancelable) return;
    const text = e.inputType.startsWith("delete") ? "" : e.inputType === "insertLineBreak" ? "\n" : (e.data ?? e.dataTransfer?.getData("text/plain"));
    if (text === null || text === undefined) return;
    e.preventDefault();
    insert(text);
  }

  function paste(e: ClipboardEvent): void {
    const text = e.clipboardData?.getData("text/plain") ?? "";
    const byReader = p.history === true && foreign(text); // a text for the reader never gets into the field
    const a = area.current!;
    const why = tooLong(text, byReader);
    refuse(why);
    if (why) {
      e.preventDefault(); // before it is in the field or sent
      return read(null);
    }
    if (!byReader) {
      // A text that replaces everything and is not an expression may still contain values.
      const all = a.selectionEnd - a.selectionStart === a.value.length;
      if (all) read(null);
      if (all && p.history && text.length < long) void readable(text).then((yes) => { if (yes && area.current?.value === text) read(text); });
      if (text.length + a.selectionEnd - a.selectionStart < mostSelected) return;
      e.preventDefault();
      return insert(text);
    }
    e.preventDefault();
    if (tooLong(text)) return read(text); // too long for the line
    void isProgram(text).then((yes) => {
      if (yes) insert(text);
      read(yes ? null : text);
    });
  }

  function take(expr: string): void {
    p.onChange(expr);
    remember(expr);
    area.current?.focus();
  }

  const id = p.id ?? "expr";
  const listId = id + "-list";
  const bar = (
    <div class={"expr" + (p.history ? " with-history" : "") + (tall ? " tall" : "") + (p.value.length < long ? "" : " plain")} ref={box}>
      {p.value.length < long && <pre class="expr-shade" aria-hidden="true" ref={shade} onPointerDown={(e) => scrub(e, area.current!, p.onChange)}>{paint(p.value, tokens, p.place)}{"\n"}</pre>}
      <textarea
        ref={area} id={p.id} rows={1} spellcheck={false} autocomplete="off" autocapitalize="off"
        aria-label={p.label} aria-invalid={p.place !== undefined} placeholder={p.placeholder}
        role={"combobox" as "textbox"} aria-autocomplete="list" aria-haspopup="listbox" aria-expanded={open !== null} aria-controls={open ? listId : undefined}
        aria-activedescendant={open && open.at >= 0 ? `${listId}-${open.at}` : undefined} aria-describedby={open?.list[Math.max(open.at, 0)].signature ? listId + "-help" : undefined}
        value={p.value}
        onInput={(e) => {
          const a = e.currentTarget;
          const why = a.value.length > p.value.length ? tooLong(a.value) : "";
          refuse(why);
          if (why) {
            a.value = p.value;
            return;
          }
          setBack(-1);
          p.onChange(a.value);
          setCursor(a.selectionStart);
          complete(a.value, a.selectionStart, false);
        }}
        onKeyDown={key}
        onPaste={paste}
        onBeforeInput={replace}
        onScroll={(e) => { if (shade.current) shade.current.scrollTop = e.currentTarget.scrollTop; }}
        onFocus={(e) => setCursor(e.currentTarget.selectionStart)}
        onBlur={() => setTimeout(() => {
          if (document.activeElement === area.current) return;
          setOpen(null);
          setCursor(-1);
        }, 150)}
        onChange={() => p.history && remember(p.value)}
      />
      {refused && <Fault now fault={{ code: "limit", message: refused + ": nothing was changed or sent", hint: "paste the part that matters, or give the file to girih read" }} />}
      {(open || inside) && <Complete id={listId} list={open?.list ?? []} more={open?.more ?? 0} at={open?.at ?? -1} fault={open && p.place && p.fault && elsewhere(p.value, p.place, open) ? `${p.fault.code}: ${p.fault.message}` : undefined} inside={inside} onChoose={choose} />}
      {p.history && (
        <div class="bar-tools">
          <button type="button" title="all names that may stand here (Ctrl and the space bar)" aria-label="all names" onMouseDown={(e) => e.preventDefault()} onClick={names}>ƒ</button>
          <History onChoose={take} />
        </div>
      )}
    </div>
  );
  return (
    <>
      {bar}
      {pasted !== null && <Pasted text={pasted} onChoose={take} onInsert={tooLong(pasted) || pasted === p.value ? undefined : () => { insert(pasted); read(null); }} onClose={() => read(null)} />}
    </>
  );
}

/** Whether a place, in bytes, is outside of the part for which names are offered. */
function elsewhere(text: string, place: { pos: number; end: number }, open: { start: number; end: number }): boolean {
  const [from, to] = [bytesOf(text.slice(0, open.start)), bytesOf(text.slice(0, open.end))];
  return place.end < from || place.pos > to;
}

function idOf(c: Call): string {
  return c.name + " " + c.start;
}

/** The text in pieces of one class each; the place of an error is marked. */
function paint(text: string, tokens: Token[] | null, place?: { pos: number; end: number }) {
  if (!Array.isArray(tokens)) return text;
  const bytes = encoder.encode(text);
  const out = [];
  let at = 0;
  const piece = (from: number, to: number, cls: string) => {
    if (to <= from) return;
    const bad = place && from < Math.max(place.end, place.pos + 1) && to > place.pos;
    const at = cls === "number" ? numberAt(text, decoder.decode(bytes.subarray(0, to)).length) : null;
    out.push(<span class={(cls ? "t-" + cls : "") + (bad ? " wrong" : "") + (at ? " number-at" : "")} data-at={at?.from}>{decoder.decode(bytes.subarray(from, to))}</span>);
  };
  for (const t of tokens) {
    if (t.end > bytes.length) break; // the tokens belong to an older text
    piece(at, t.pos, "");
    piece(t.pos, t.end, t.class);
    at = t.end;
  }
  piece(at, bytes.length, "");
  if (place && place.pos >= bytes.length) out.push(<span class="wrong"> </span>);
  return out;
}
