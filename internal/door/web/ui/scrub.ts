// Numbers in a text that change while they are dragged to the left or right, or by the arrow keys with Alt. With Shift a
// step doubles or halves the number. A click on a number sets the cursor.

import { useEffect, useState } from "preact/hooks";

/** A whole number in a text. */
export interface NumberAt {
  from: number;
  to: number;
}

/** The number that a place of a text is in, or at the end of. */
export function numberAt(text: string, at: number): NumberAt | null {
  for (const m of text.matchAll(/(?<![A-Za-z0-9.]|[A-Za-z0-9]_+)\d+(?![\w.])/g)) {
    const found = { from: m.index, to: m.index + m[0].length };
    if (found.from <= at && at <= found.to && found.to - found.from <= 15) return found;
  }
  return null;
}

/** The number of a text after some steps. It does not become negative, because its sign is not part of it. */
export function stepped(text: string, n: NumberAt, steps: number, twice: boolean): string {
  const start = Number(text.slice(n.from, n.to));
  const next = twice ? Math.floor(start * 2 ** steps) : start + steps;
  return String(Math.min(Math.max(next, twice ? Math.min(start, 1) : 0), Number.MAX_SAFE_INTEGER));
}

// The distances of a step, in pixels, and the distance from which a press is a drag.
const [step, doubling, slack] = [7, 28, 4];

/**
 * Drags the number under the pointer, if the event's target is the part of a text that shows one (class number-at, with the
 * place of its first character). The field with the text is field; change gets each new text.
 */
export function scrub(e: PointerEvent, field: HTMLTextAreaElement, change: (text: string) => void): void {
  const mark = e.target as HTMLElement;
  const text = field.value;
  const n = mark.dataset.at === undefined ? null : numberAt(text, Number(mark.dataset.at));
  if (!n || e.button !== 0) return;
  e.preventDefault(); // no selection
  const box = mark.getBoundingClientRect();
  let [dragged, shown, last] = [false, text, e.clientX];
  const show = (x: number, twice: boolean) => {
    const steps = Math.trunc((x - e.clientX) / (twice ? doubling : step));
    const next = text.slice(0, n.from) + stepped(text, n, steps, twice) + text.slice(n.to);
    if (next !== shown) change((shown = next));
  };
  const move = (m: PointerEvent) => {
    if (m.pointerId !== e.pointerId) return;
    last = m.clientX;
    if (!dragged && Math.abs(last - e.clientX) >= slack) drag((dragged = true));
    if (dragged) show(last, m.shiftKey);
  };
  const key = (k: KeyboardEvent) => {
    if (k.key === "Shift" && dragged) show(last, k.type === "keydown");
    if (k.key !== "Escape") return;
    k.preventDefault();
    if (shown !== text) change((shown = text));
    end();
  };
  const up = (m: PointerEvent) => {
    if (m.pointerId !== e.pointerId) return;
    end();
    if (!dragged) {
      field.focus();
      const at = n.from + Math.round(((e.clientX - box.left) / box.width) * (n.to - n.from));
      field.setSelectionRange(at, at);
    } else if (m.type === "pointercancel") {
      if (shown !== text) change(text);
    } else if (shown !== text && m.pointerType === "mouse") {
      write(field, text, n, shown.slice(n.from, shown.length - (text.length - n.to)), change);
    }
  };
  const events: [string, (e: never) => void][] = [["pointermove", move], ["pointerup", up], ["pointercancel", up], ["keydown", key], ["keyup", key]];
  const end = () => {
    events.forEach(([name, f]) => removeEventListener(name, f as EventListener));
    drag(false);
  };
  events.forEach(([name, f]) => addEventListener(name, f as EventListener));
}

/** Puts a number into the field as if typed, so that the browser can undo it. */
function write(field: HTMLTextAreaElement, text: string, n: NumberAt, number: string, change: (text: string) => void): void {
  field.value = text;
  field.focus({ preventScroll: true });
  field.setSelectionRange(n.from, n.to);
  if (!document.execCommand("insertText", false, number)) change(text.slice(0, n.from) + number + text.slice(n.to));
}

/** Whether a key changes the number at the cursor, which it then does. */
export function nudged(e: KeyboardEvent, change: (text: string) => void): boolean {
  const up = { ArrowUp: 1, ArrowDown: -1 }[e.key];
  const field = e.currentTarget as HTMLTextAreaElement;
  if (!up || !e.altKey || e.ctrlKey || e.metaKey) return false;
  e.preventDefault();
  const text = field.value;
  const n = numberAt(text, field.selectionStart);
  if (!n) return true;
  const next = stepped(text, n, up, e.shiftKey);
  write(field, text, n, next, change);
  field.setSelectionRange(n.from + next.length, n.from + next.length);
  return true;
}

let dragging = false;
const watchers = new Set<() => void>();

function drag(now: boolean): void {
  dragging = now;
  document.documentElement.toggleAttribute("data-dragging", now);
  watchers.forEach((f) => f());
}

/** Whether a number is being dragged. */
export function useDragging(): boolean {
  const [now, update] = useState(dragging);
  useEffect(() => {
    const f = () => update(dragging);
    watchers.add(f);
    return () => void watchers.delete(f);
  }, []);
  return now;
}
