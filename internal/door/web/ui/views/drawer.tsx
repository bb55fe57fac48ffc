// A drawer with the derivation of what is selected: the rule, the steps with their numbers, and what was checked.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useCall } from "../use";
import type { ExplainAnswer } from "./steps";
import { Steps } from "./steps";

/** The drawer; children say what is selected, above the derivations of expressions. */
export function Drawer(p: { title: string; exprs: string[]; close?: string; onClose: () => void; children?: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  // The drawer has the focus when it opens; afterwards the focus is where it was.
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => (before as HTMLElement | null)?.focus?.();
  }, []);
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key === "Escape") p.onClose();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return (
    <aside ref={box} tabIndex={-1} class="drawer card" aria-label={p.title} data-testid="drawer">
      <figcaption><b>{p.title}</b> <button type="button" class="link" onClick={p.onClose}>{p.close ?? "close"}</button></figcaption>
      {p.children}
      {p.exprs.map((expr) => <Derivation key={expr} expr={expr} />)}
    </aside>
  );
}

function Derivation(p: { expr: string }) {
  const { data } = useCall<ExplainAnswer>("explain", { expr: p.expr });
  return <Steps answer={data} />;
}

/** A button that opens the drawer. */
export function Why(p: { title: string; exprs: string[]; name?: string; children?: ComponentChildren }) {
  const [open, show] = useState(false);
  return (
    <>
      <button type="button" class="link" aria-expanded={open} onClick={() => show(!open)}>{p.name ?? "why"}</button>
      {open && <Drawer title={p.title} exprs={p.exprs} onClose={() => show(false)}>{p.children}</Drawer>}
    </>
  );
}
