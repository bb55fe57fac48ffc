// The expression bar: a text with colored tokens, completion with inline help, history, and the place of an error underlined.

import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./engine";
import { Fault } from "./fault";
import { History, past, remember } from "./history";
import { Pasted, foreign, isProgram } from "./paste";
import { useCall, useSize } from "./use";

interface Token {
  class: string;
  pos: number;
  end: number;
}

interface Candidate {
  name: string;
  class: string;
  signature?: string;
  summary?: string;
}

interface Props {
  value: string;
  onChange: (v: string) => void;
  place?: { pos: number; end: number }; // of an error, in bytes
  label: string;
  placeholder?: string;
  id?: string;
  history?: boolean;
}

// The service counts bytes of UTF-8, the browser units of UTF-16.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function unitsOf(text: string, bytes: number): number {
  return decoder.decode(encoder.encode(text).subarray(0, bytes)).length;
}

// What a bar takes, in characters: all of it is in the URL, and drawn at each keystroke.
const most = 1 << 16;

// What the reader takes of a paste, in characters.
const mostRead = 1 << 20;

export function ExprBar(p: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [open, setOpen] = useState<{ start: number; list: Candidate[]; at: number } | null>(null);
  const [back, setBack] = useState(-1); // how far back in the history one is
  const draft = useRef("");
  const [refused, refuse] = useState(0); // the length of a text that was not taken
  const { data: tokens } = useCall<Token[]>("tokens", p.value.length < 4096 ? { expr: p.value } : null);
  const wanted = useRef(0);
  const [box, width] = useSize<HTMLDivElement>();
  const [pasted, read] = useState<string | null>(null); // a text that is not an expression

  // As high as its text, which also depends on the width.
  useEffect(() => {
    const a = area.current;
    if (!a) return;
    a.style.height = "auto";
    a.style.height = a.scrollHeight + "px";
  }, [p.value, width]);

  function complete(text: string, cursor: number, all: boolean): void {
    const mine = ++wanted.current;
    const word = /[A-Za-z_][A-Za-z_0-9]*$/.exec(text.slice(0, cursor))?.[0] ?? "";
    if (!all && word.length < 2) return setOpen(null);
    const bytes = encoder.encode(text.slice(0, cursor)).length;
    void call<{ start: number; candidates?: Candidate[] }>("complete", { expr: text, cursor: bytes }).then((r) => {
      if (mine !== wanted.current) return;
      const list = (r.candidates ?? []).slice(0, 60);
      if (list.length === 0 || (list.length === 1 && list[0].name === word)) return setOpen(null);
      setOpen({ start: unitsOf(text, r.start), list, at: 0 });
    });
  }

  function choose(c: Candidate): void {
    const a = area.current!;
    const tail = p.value.slice(a.selectionStart);
    const call = c.class === "function" && !tail.startsWith("(");
    const head = p.value.slice(0, open!.start) + c.name + (call ? "(" : "");
    p.onChange(head + tail);
    setOpen(null);
    requestAnimationFrame(() => {
      a.focus();
      a.setSelectionRange(head.length, head.length);
    });
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
    if (open) {
      const n = open.list.length;
      if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        return setOpen({ ...open, at: (open.at + (e.key === "ArrowDown" ? 1 : n - 1)) % n });
      }
      if (e.key === "Tab" || (e.key === "Enter" && !e.shiftKey)) {
        e.preventDefault();
        return choose(open.list[open.at]);
      }
      if (e.key === "Escape") {
        e.preventDefault();
        return setOpen(null);
      }
    }
    if (e.key === " " && e.ctrlKey) {
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

  function insert(text: string): void {
    const a = area.current!;
    const head = p.value.slice(0, a.selectionStart) + text;
    p.onChange(head + p.value.slice(a.selectionEnd));
    requestAnimationFrame(() => a.setSelectionRange(head.length, head.length));
  }

  function paste(e: ClipboardEvent): void {
    const text = e.clipboardData?.getData("text/plain") ?? "";
    const byReader = p.history === true && foreign(text); // what the reader looks at never comes into the field
    if (text.length > (byReader ? mostRead : most)) {
      // Refused before it is in the field: the browser takes long to lay such a text out.
      e.preventDefault();
      return refuse(text.length);
    }
    refuse(0);
    if (!byReader) return;
    e.preventDefault();
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

  const chosen = open?.list[open.at];
  const bar = (
    <div class={"expr" + (p.history ? " with-history" : "")} ref={box}>
      <pre class="expr-shade" aria-hidden="true">{paint(p.value, tokens, p.place)}{"\n"}</pre>
      <textarea
        ref={area} id={p.id} rows={1} spellcheck={false} autocomplete="off" autocapitalize="off"
        aria-label={p.label} aria-invalid={p.place !== undefined} placeholder={p.placeholder}
        aria-autocomplete="list" aria-expanded={open !== null} aria-controls={open ? (p.id ?? "expr") + "-list" : undefined}
        value={p.value}
        onInput={(e) => {
          const a = e.currentTarget;
          if (a.value.length > most && a.value.length > p.value.length) {
            refuse(a.value.length);
            a.value = p.value;
            return;
          }
          refuse(0);
          setBack(-1);
          p.onChange(a.value);
          complete(a.value, a.selectionStart, false);
        }}
        onKeyDown={key}
        onPaste={paste}
        onBlur={() => setTimeout(() => setOpen(null), 150)}
        onChange={() => p.history && remember(p.value)}
      />
      {refused > 0 && <Fault fault={{ code: "limit", message: `the text has ${refused.toLocaleString("en")} characters, the page takes ${most.toLocaleString("en")}`, hint: "girih read takes it from a file" }} />}
      {open && (
        <div class="complete" id={(p.id ?? "expr") + "-list"} role="listbox">
          <ul>
            {open.list.map((c, i) => (
              <li
                key={c.name} role="option" aria-selected={i === open.at} class={i === open.at ? "on" : ""}
                ref={(e) => { if (e && i === open.at) e.scrollIntoView({ block: "nearest" }); }}
                onMouseDown={(e) => { e.preventDefault(); choose(c); }}
              >
                {c.name}
              </li>
            ))}
          </ul>
          {chosen?.signature && <div class="complete-help"><code>{chosen.signature}</code><p>{chosen.summary}</p></div>}
        </div>
      )}
      {p.history && <History onChoose={take} />}
    </div>
  );
  return (
    <>
      {bar}
      {pasted !== null && <Pasted text={pasted} onChoose={take} onInsert={() => { insert(pasted); read(null); }} onClose={() => read(null)} />}
    </>
  );
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
    out.push(<span class={(cls ? "t-" + cls : "") + (bad ? " wrong" : "")}>{decoder.decode(bytes.subarray(from, to))}</span>);
  };
  for (const t of tokens) {
    if (t.end > bytes.length) break; // the tokens are of an older text
    piece(at, t.pos, "");
    piece(t.pos, t.end, t.class);
    at = t.end;
  }
  piece(at, bytes.length, "");
  if (place && place.pos >= bytes.length) out.push(<span class="wrong"> </span>);
  return out;
}
