// Hooks that pages share.

import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./engine";

/**
 * The answer of an operation to a request that changes while one types. While a new answer is under way the last one stays,
 * with busy set, so that nothing flickers; of several answers under way only the latest counts. A null request has no answer.
 */
export function useCall<R>(op: string, request: object | null): { data: R | null; busy: boolean } {
  const [state, update] = useState<{ data: R | null; busy: boolean }>({ data: null, busy: request !== null });
  const latest = useRef(0);
  const key = request === null ? "" : JSON.stringify(request);
  useEffect(() => {
    const mine = ++latest.current;
    if (key === "") return update({ data: null, busy: false });
    update((s) => ({ ...s, busy: true }));
    void call<R>(op, JSON.parse(key) as object).then((data) => {
      if (mine === latest.current) update({ data, busy: false });
    });
  }, [op, key]);
  return state;
}

/** Whether something takes longer than one notices: true a while after it began. */
export function useSlow(busy: boolean): boolean {
  const [slow, update] = useState(false);
  useEffect(() => {
    if (!busy) return update(false);
    const timer = setTimeout(() => update(true), 150);
    return () => clearTimeout(timer);
  }, [busy]);
  return slow;
}

/** The size of an element in CSS pixels. */
export function useSize<E extends Element>(): [(e: E | null) => void, number, number] {
  const [size, update] = useState<[number, number]>([0, 0]);
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useRef((e: E | null) => {
    observer.current?.disconnect();
    if (!e) return;
    observer.current = new ResizeObserver(([x]) => update([x.contentRect.width, x.contentRect.height]));
    observer.current.observe(e);
  });
  return [ref.current, size[0], size[1]];
}

/** Moves the focus among the buttons of a group with the arrow keys, and presses the one it comes to: for radios and tabs. */
export function arrows(e: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (!step) return;
  const all = [...e.currentTarget.querySelectorAll<HTMLButtonElement>("[role=radio], [role=tab]")];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (at < 0) return;
  e.preventDefault();
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  next.click();
}
