// Hooks that pages share.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { answered, call } from "./engine";

/**
 * The answer of an operation to a request that changes while the user types. While a new answer is pending, the last one stays, with
 * busy set, so that nothing flickers; of several pending answers only the latest counts. A null request has no answer.
 */
export function useCall<R>(op: string, request: object | null): { data: R | null; busy: boolean } {
  const [state, update] = useState<{ data: R | null; busy: boolean }>(() => {
    const data = request && answered<R>(op, request);
    return { data: data ?? null, busy: request !== null && !data };
  });
  const latest = useRef(0);
  const key = useMemo(() => (request === null ? "" : JSON.stringify(request)), [request]); // the caller stores long requests
  // A layout effect, because other effects wait until the next frame is on the screen, which would delay the request.
  useLayoutEffect(() => {
    const mine = ++latest.current;
    if (key === "") return update({ data: null, busy: false });
    const q = JSON.parse(key) as object;
    const there = answered<R>(op, q);
    if (there !== undefined) return update((s) => (s.data === there && !s.busy ? s : { data: there, busy: false }));
    update((s) => ({ ...s, busy: true }));
    void call<R>(op, q).then((data) => {
      if (mine === latest.current) update({ data, busy: false });
    });
  }, [op, key]);
  return state;
}

/** A request: the operation and its arguments; null for none. */
type Request = readonly [op: string, request: object | null];

/**
 * The answers of several operations that belong together. They change together, so that answers for different texts are never shown
 * at the same time.
 */
export function useCalls<R extends readonly unknown[]>(...requests: { [K in keyof R]: Request }): { data: { [K in keyof R]: R[K] | null } | null; busy: boolean } {
  type Data = { [K in keyof R]: R[K] | null };
  const there = (list: readonly Request[]) => {
    const all = list.map(([op, request]) => (request === null ? null : answered(op, request)));
    return all.includes(undefined) ? null : (all as Data);
  };
  const [state, update] = useState<{ data: Data | null; busy: boolean }>(() => {
    const data = there(requests);
    return { data, busy: data === null };
  });
  const latest = useRef(0);
  const key = JSON.stringify(requests);
  useLayoutEffect(() => {
    const mine = ++latest.current;
    const list = JSON.parse(key) as Request[];
    const data = there(list);
    if (data) return update((s) => (!s.busy && s.data?.every((x, k) => x === data[k]) ? s : { data, busy: false }));
    update((s) => ({ ...s, busy: true }));
    void Promise.all(list.map(([op, request]) => (request === null ? null : call(op, request)))).then((data) => {
      if (mine === latest.current) update({ data: data as Data, busy: false });
    });
  }, [key]);
  return state;
}

/** Whether something takes noticeably long: true some time after it began. */
export function useSlow(busy: boolean): boolean {
  const [slow, update] = useState(false);
  useEffect(() => {
    if (!busy) return update(false);
    const timer = setTimeout(() => update(true), 150);
    return () => clearTimeout(timer);
  }, [busy]);
  return slow;
}

/** Whether the window is as a media query says. */
export function useMedia(media: string): boolean {
  const query = useMemo(() => matchMedia(media), [media]);
  const [matches, update] = useState(query.matches);
  useEffect(() => {
    const f = () => update(query.matches);
    query.addEventListener("change", f);
    return () => query.removeEventListener("change", f);
  }, [query]);
  return matches;
}

/** The size of an element in CSS pixels. */
export function useSize<E extends Element>(): [(e: E | null) => void, number, number] {
  const [size, update] = useState<[number, number]>([0, 0]);
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useRef((e: E | null) => {
    observer.current?.disconnect();
    if (!e) return;
    const become = (width: number, height: number) => update((s) => (s[0] === width && s[1] === height ? s : [width, height]));
    observer.current = new ResizeObserver(([x]) => become(x.contentRect.width, x.contentRect.height));
    observer.current.observe(e);
    // An observer reports when the page is laid out; reading the size here is a frame earlier.
    const all = e.getBoundingClientRect();
    const s = getComputedStyle(e);
    const less = (a: string, b: string, c: string, d: string) => [a, b, c, d].reduce((sum, x) => sum + (parseFloat(x) || 0), 0);
    become(
      all.width - less(s.paddingLeft, s.paddingRight, s.borderLeftWidth, s.borderRightWidth),
      all.height - less(s.paddingTop, s.paddingBottom, s.borderTopWidth, s.borderBottomWidth),
    );
  });
  return [ref.current, size[0], size[1]];
}

/**
 * Moves the focus among the buttons of a group with the arrow keys. The group is radio buttons and tabs, which are pressed when they
 * get the focus, and buttons with data-arrows.
 */
export function arrows(e: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (!step) return;
  const all = [...e.currentTarget.querySelectorAll<HTMLButtonElement>("[role=radio], [role=tab], [data-arrows]")];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (at < 0) return;
  e.preventDefault();
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  if (next.role) next.click();
}
