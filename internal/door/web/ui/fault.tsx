// An error of the service: the sentence with its numbers, the witness, the hint; and the notes of a value.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Fault as FaultData } from "./engine";

// The pause in typing, in milliseconds, after which an error is shown; an unfinished text is not an error.
const rest = 600;

/**
 * Whether the user has stopped typing. A value that changed while the focus is in an expression counts as unchanged until the user
 * pauses, presses Enter or leaves the field, unless names are offered.
 */
export function useCalm(value: string): boolean {
  const [settled, settle] = useState(() => (typing() ? null : value));
  useEffect(() => {
    if (settled === value) return;
    const now = () => settle(value);
    if (!typing()) return now();
    const key = (e: KeyboardEvent) => {
      if (e.key === "Enter") now();
    };
    const timer = setInterval(() => completing() || now(), rest);
    addEventListener("focusout", now);
    addEventListener("keydown", key);
    return () => {
      clearInterval(timer);
      removeEventListener("focusout", now);
      removeEventListener("keydown", key);
    };
  }, [value, settled]);
  return settled === value;
}

/** Whether the focus is in a field whose text may be unfinished. */
function typing(): boolean {
  return document.activeElement?.matches(".expr textarea, .ask input:not([type])") ?? false;
}

/** Whether names are offered: choosing one will finish the text. */
function completing(): boolean {
  return document.activeElement?.getAttribute("aria-expanded") === "true";
}

interface Props {
  fault: FaultData;
  fixed?: string | null; // the expression with the hint applied
  onTry?: (expr: string) => void;
  now?: boolean; // the caller knows that nobody is typing
  more?: ComponentChildren; // what follows from it
}

/** Shows an error after a pause; while the user types, the last error stays. */
export function Fault(p: Props) {
  const key = JSON.stringify(p.fault);
  const calm = useCalm(key) || p.now;
  const [last, say] = useState<string | null>(null);
  if (calm && last !== key) say(key);
  const said = calm ? key : last;
  if (said === null) return null;
  const fault = JSON.parse(said) as FaultData;
  const w = fault.witness;
  const more = p.more && <> {p.more}</>; // ends the last line, without a line of its own
  return (
    <div class={"fault" + (said === key ? "" : " stale")} role="alert" data-testid="fault">
      <p><b>{fault.code}</b> {fault.message}{!w && !fault.hint && more}</p>
      {w && <p>witness: at index {w.index}{w.coord !== String(w.index) && <>, coordinate {w.coord}</>}{w.other && <> and at {w.other}</>} the value is <b>{w.value}</b>{w.want !== "()" && <>, a layout would give <b>{w.want}</b></>}{!fault.hint && more}</p>}
      {fault.hint && <p>hint: {fault.hint} {p.fixed && p.onTry && <span class="repair">try <button type="button" class="link" onClick={() => p.onTry!(p.fixed!)}><code>{p.fixed}</code></button></span>}{more}</p>}
    </div>
  );
}

/**
 * The place of a value with its exports, or of the error in its stead. Over: the error is above an earlier picture, which does not
 * move. The place keeps its height, and content that does not fit covers what is below.
 */
export function Outcome(p: { over: boolean; slim?: boolean; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const high = useRef(0);
  useLayoutEffect(() => {
    if (!p.over) high.current = box.current!.getBoundingClientRect().height;
  });
  return <div ref={box} class={"outcome" + (p.slim ? " slim" : "") + (p.over ? " over" : "")} style={p.over && high.current > 0 ? { height: high.current + "px" } : undefined}>{p.children}</div>;
}

export function Notes(p: { notes?: string[] }) {
  if (!p.notes?.length) return null;
  return <ul class="notes">{p.notes.map((n) => <li>{n}</li>)}</ul>;
}
