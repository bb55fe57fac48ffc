// Earlier expressions, stored in this browser: the newest first, without repetitions.

import { useEffect, useRef, useState } from "preact/hooks";
import { keep as store, kept } from "./kept";

const key = "girih.history";

export function past(): string[] {
  try {
    const list: unknown = JSON.parse(kept(key) || "[]");
    return Array.isArray(list) ? list.filter((x): x is string => typeof x === "string") : [];
  } catch {
    return [];
  }
}

/** Adds an expression to the history. */
export function remember(expr: string): void {
  if (!expr.trim()) return;
  keep([expr, ...past().filter((x) => x !== expr)].slice(0, 100));
}

function keep(list: string[]): void {
  store(key, JSON.stringify(list));
}

/** A button with the list of earlier expressions. */
export function History(p: { onChoose: (expr: string) => void }) {
  const [list, show] = useState<string[] | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!list) return;
    const away = (e: Event) => {
      if (!box.current?.contains(e.target as Node)) show(null);
    };
    addEventListener("pointerdown", away);
    box.current?.querySelector<HTMLButtonElement>("li button")?.focus();
    return () => removeEventListener("pointerdown", away);
  }, [list !== null]);
  const move = (e: KeyboardEvent) => {
    if (e.key === "Escape") {
      show(null);
      box.current?.querySelector("button")?.focus();
    }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    e.preventDefault();
    const all = [...box.current!.querySelectorAll<HTMLButtonElement>("li button")];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[Math.min(Math.max(at + (e.key === "ArrowDown" ? 1 : -1), 0), all.length - 1)]?.focus();
  };
  const leave = (e: FocusEvent) => {
    if (e.relatedTarget && !box.current?.contains(e.relatedTarget as Node)) show(null);
  };
  return (
    <div class="history" ref={box} onKeyDown={move} onFocusOut={leave}>
      <button type="button" title="what was asked before (↑ in the empty line)" aria-haspopup="menu" aria-expanded={list !== null} onClick={() => show(list ? null : past())}>history</button>
      {list && (
        <div class="menu">
          {list.length === 0 && <p class="quiet small">Nothing yet: Enter keeps an expression.</p>}
          <ul role="menu">
            {list.slice(0, 40).map((x) => <li key={x} role="none"><button type="button" role="menuitem" onClick={() => { show(null); p.onChoose(x); }}><code>{x}</code></button></li>)}
          </ul>
          {list.length > 0 && <button type="button" class="link small" onClick={() => { keep([]); show([]); }}>forget all</button>}
        </div>
      )}
    </div>
  );
}
