// A drawer with the derivation of what is selected: the rule, the steps with their numbers, and what was checked.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useCall } from "../use";
import type { ExplainAnswer } from "./steps";
import { Steps } from "./steps";

/** The drawer; children say what is selected, above its derivation. An empty expression has none. */
export function Drawer(p: { title: string; expr: string; close: string; onClose: () => void; children?: ComponentChildren }) {
  const { data } = useCall<ExplainAnswer>("explain", p.expr ? { expr: p.expr } : null);
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key === "Escape") p.onClose();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return (
    <aside class="drawer card" aria-label={p.title} data-testid="drawer">
      <figcaption><b>{p.title}</b> <button type="button" class="link" onClick={p.onClose}>{p.close}</button></figcaption>
      {p.children}
      {p.expr && <Steps answer={data} />}
    </aside>
  );
}
