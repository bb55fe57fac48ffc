// The task of a step: a question whose answer the engine evaluates, or a goal to reach by editing.

import { useEffect, useState } from "preact/hooks";
import type { Bindings, Step } from "./model";
import { program } from "./model";
import { put, useTexts } from "../lang";
import { call } from "../engine";
import { useCall } from "../use";

interface Evaluated {
  ok: boolean;
  value?: string;
  error?: { message: string };
}

/** A question. The answer is evaluated with the current expressions, so it changes with them. */
export function Ask(p: { ask: NonNullable<Step["ask"]>; bindings: Bindings; onRight: () => void }) {
  const { texts: { words } } = useTexts();
  const [answer, setAnswer] = useState("");
  const [verdict, judge] = useState<{ right: boolean; text: string } | null>(null);
  const [wrong, count] = useState(0);
  const source = program(p.bindings, p.ask.expr);
  useEffect(() => judge(null), [source]);
  const check = async () => {
    if (!answer.trim()) return;
    if (bare(answer) === bare(p.ask.expr)) return judge({ right: false, text: words.question });
    // The answer may be arithmetic, but must not use the names of the step, which would repeat the question.
    const [want, got] = await Promise.all([call<Evaluated>("eval", { expr: source }), call<Evaluated>("eval", { expr: answer })]);
    if (!want.ok) return judge({ right: false, text: put(words["no answer"], want.error?.message ?? "") });
    const typed = got.ok ? got.value : answer;
    if (bare(typed ?? "") === bare(want.value ?? "")) {
      judge({ right: true, text: `${p.ask.expr} = ${want.value}` });
      p.onRight();
      return;
    }
    count(wrong + 1);
    judge({ right: false, text: put(words.not, answer.trim()) + (p.ask.hint ? " " + p.ask.hint : "") });
  };
  const reveal = async () => {
    const want = await call<Evaluated>("eval", { expr: source });
    judge({ right: false, text: want.ok ? `${p.ask.expr} = ${want.value}` : (want.error?.message ?? "") });
  };
  return (
    <form class="ask-box" data-testid="ask" onSubmit={(e) => { e.preventDefault(); void check(); }}>
      <label for="answer">{p.ask.say}</label>
      <div class="ask-line">
        <input id="answer" value={answer} autocomplete="off" spellcheck={false} onInput={(e) => { setAnswer(e.currentTarget.value); judge(null); }} />
        <button type="submit" class="primary">{words.check}</button>
        {wrong >= 2 && !verdict?.right && <button type="button" class="link" onClick={() => void reveal()}>{words.show}</button>}
      </div>
      <p class={"verdict " + (verdict?.right ? "good" : "")} aria-live="polite" data-testid="verdict">{verdict && <>{verdict.right ? "✓ " : ""}{verdict.text}</>}</p>
    </form>
  );
}

function bare(s: string): string {
  return s.replace(/\s+/g, "");
}

/** A goal, checked while the user edits. */
export function Goal(p: { goal: NonNullable<Step["goal"]>; bindings: Bindings; onReached: () => void; onSolve: () => void }) {
  const { texts: { words } } = useTexts();
  const { data } = useCall<Evaluated>("eval", { expr: program(p.bindings, p.goal.expr) });
  const reached = data?.ok === true && data.value === "true";
  useEffect(() => {
    if (reached) p.onReached();
  }, [reached]);
  return (
    <div class={"goal" + (reached ? " reached" : "")} data-testid="goal">
      <p aria-live="polite"><span aria-hidden="true">{reached ? "✓" : "○"}</span> <b>{reached ? words.reached : words.make}</b> {p.goal.say}</p>
      {!reached && <button type="button" class="link" onClick={p.onSolve}>{words["one way"]}</button>}
    </div>
  );
}
