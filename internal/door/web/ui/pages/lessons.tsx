// Guided lessons: a text in short steps, expressions to edit, the views of their value, and a question or a goal. The
// lesson, the step and the edits are in the URL.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Palette } from "../color";
import { Early } from "../early";
import { call } from "../engine";
import { ExprBar } from "../exprbar";
import { Fault, Notes, Outcome, useCalm } from "../fault";
import type { ColorBy } from "../grids";
import { Ask, Goal } from "../lessons/check";
import type { Bindings, Lesson, Step } from "../lessons/model";
import { lessons as english, program, shown } from "../lessons/model";
import { Run } from "../lessons/run";
import { Text } from "../lessons/text";
import { translate } from "../lessons/translate";
import { put, useSwitch, useTexts } from "../lang";
import type { Inspection } from "../model";
import { ownFault } from "../model";
import { typing } from "../help";
import { go, set, useParam, useParams } from "../state";
import { useCalls, useSlow } from "../use";
import { Phases } from "../views/phases";
import type { BankAnswer } from "../views/phases";
import { Steps } from "../views/steps";
import type { ExplainAnswer } from "../views/steps";
import type { Linked } from "../links";
import { Pictures } from "./algebra";
import { Views } from "./explore";
import { Answer } from "./swizzle";
import type { Solution } from "./swizzle";

export function Lessons(p: { palette: Palette }) {
  const { texts } = useTexts();
  const { words } = texts;
  const lessons = useMemo(() => english.map((x, i) => translate(x, texts.lessons?.[i])), [texts]);
  const [id] = useParam("l", english[0].id);
  const [at] = useParam("k", "1");
  const found = lessons.findIndex((x) => x.id === id);
  const n = Math.max(found, 0);
  const lesson = lessons[n];
  const k = Math.min(Math.max(Math.trunc(Number(at)) || 1, 1), lesson.steps.length) - 1;
  const [done, mark] = useState(finished);
  const turn = (l: number, s: number) => {
    const to = lessons[l];
    set({ ...clean(lesson.steps[k]), l: l === 0 ? "" : to.id, k: s === 0 ? "" : String(s + 1) });
    scrollTo({ top: 0 });
  };
  // The new step gets the focus, so that it is read, except when coming from another page.
  const here = `${lesson.id}.${k}`;
  const was = useRef(here);
  useEffect(() => {
    if (was.current !== here) document.getElementById("step")?.focus({ preventScroll: true });
    was.current = here;
  }, [here]);
  const next: [number, number] | null = k + 1 < lesson.steps.length ? [n, k + 1] : n + 1 < lessons.length ? [n + 1, 0] : null;
  const back: [number, number] | null = k > 0 ? [n, k - 1] : n > 0 ? [n - 1, lessons[n - 1].steps.length - 1] : null;
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
      const to = e.key === "n" ? next : e.key === "b" ? back : null;
      if (to) turn(...to);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const achieve = () => mark((old) => finish(old, `${lesson.id}.${k}`));
  return (
    <div class="page lesson-page">
      <Contents lessons={lessons} lesson={n} done={done} onTurn={turn} />
      <OneStep
        key={`${lesson.id}.${k}`} lesson={lesson} number={n} k={k} palette={p.palette} onDone={achieve}
        footer={
          <nav class="turn" aria-label="steps">
            <button type="button" disabled={!back} title={back ? lessons[back[0]].steps[back[1]].title : undefined} onClick={() => back && turn(...back)}>{words.back}</button>
            <ol class="dots">
              {lesson.steps.map((s, i) => (
                <li key={i}><button type="button" class={done.has(`${lesson.id}.${i}`) ? "done" : ""} aria-current={i === k ? "step" : undefined} title={s.title} aria-label={put(words.step, i + 1, s.title)} onClick={() => turn(n, i)} /></li>
              ))}
            </ol>
            <button type="button" class="primary" disabled={!next} title={next ? lessons[next[0]].steps[next[1]].title : undefined} onClick={() => next && turn(...next)}>{next && next[0] !== n ? words["next lesson"] : words.next}</button>
          </nav>
        }
      />
    </div>
  );
}

/** The steps of a lesson with a question or goal, as the keys under which they are stored when finished. */
function tasks(l: Lesson): string[] {
  return l.steps.flatMap((s, k) => (s.ask || s.goal ? [`${l.id}.${k}`] : []));
}

const all = english.flatMap(tasks);

/** The list of lessons with a sentence for each, and the number of answered questions. It is folded if there is little room. */
function Contents(p: { lessons: Lesson[]; lesson: number; done: Set<string>; onTurn: (l: number, s: number) => void }) {
  const { texts: { words } } = useTexts();
  const [unfolded, unfold] = useState(false);
  const answered = all.filter((t) => p.done.has(t)).length;
  // The list may be higher than the screen; the current lesson is scrolled into view.
  const here = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const [b, box] = [here.current, here.current?.closest<HTMLElement>(".contents")];
    if (!b || !box || box.scrollHeight <= box.clientHeight) return;
    const [r, s] = [b.getBoundingClientRect(), box.getBoundingClientRect()];
    if (r.top < s.top || r.bottom > s.bottom) box.scrollTop += r.top - s.top - (s.height - r.height) / 2; // the page itself does not scroll
  }, [p.lesson]);
  return (
    <aside class={"contents" + (unfolded ? " unfolded" : "")} aria-label="lessons">
      <button type="button" class="fold" aria-expanded={unfolded} onClick={() => unfold(!unfolded)}>{put(words["all lessons"], p.lessons.length)}</button>
      <p class="progress quiet small" data-testid="progress"><i><b style={{ width: `${(100 * answered) / all.length}%` }} /></i> {put(words.answered, answered, all.length)}</p>
      <ol>
        {p.lessons.map((l, i) => {
          const asked = tasks(l);
          const got = asked.filter((t) => p.done.has(t)).length;
          return (
            <li key={l.id}>
              <button type="button" ref={i === p.lesson ? here : undefined} aria-current={i === p.lesson ? "true" : undefined} onClick={() => { unfold(false); p.onTurn(i, 0); }}>
                <span>{l.title}<em>{l.about}</em></span>
                <small class={got === asked.length ? "good" : ""} aria-label={put(words["answered here"], got, asked.length)}>{got === asked.length ? "✓" : `${got}/${asked.length}`}</small>
              </button>
            </li>
          );
        })}
      </ol>
    </aside>
  );
}

interface StepProps {
  lesson: Lesson;
  number: number;
  k: number;
  palette: Palette;
  onDone: () => void;
  footer: preact.ComponentChildren;
}

// The value of a text of blanks.
const empty: Inspection = { ok: true, kind: "none" };

function OneStep(p: StepProps) {
  const { texts: { words } } = useTexts();
  const other = useSwitch();
  const s = p.lesson.steps[p.k];
  const params = useParams();
  const bindings: Bindings = useMemo(() => s.let.map(([name, e]) => [name, params["e." + name] ?? e] as const), [s, params]);
  const edited = bindings.some(([, e], i) => e !== s.let[i][1]);
  const expr = program(bindings, shown(s));
  const bank = s.bank ? { expr, type: s.type ?? "f32", accesses: [s.bank.access], threads: s.bank.threads ? [s.bank.threads] : [] } : null;
  const { data: both, busy } = useCalls<[Inspection, BankAnswer]>(["inspect", { expr, type: s.type ?? "f32", tile: s.tile ?? "" }], ["bank", bank]);
  const [data, cost] = both ?? [null, null];
  // An error in one of the texts is reported at that text, not for the program made of all texts.
  const failed = data !== null && !data.ok;
  const { data: own } = useCalls<Inspection[]>(...(failed ? bindings.map(([, e], i) => ["inspect", e.trim() ? { expr: program(bindings.slice(0, i), e) } : null] as const) : []));
  const fault = failed ? (ownFault(...bindings.map(([name, e], i) => [name, e.trim() ? own?.[i] : empty] as const)) ?? data.error) : undefined;
  const slow = useSlow(busy);
  const [last, keep] = useState<Inspection | null>(null);
  if (data?.ok && data !== last) keep(data);
  const v = data?.ok ? data : last;
  const [lastCost, keepCost] = useState<BankAnswer | null>(null);
  if (cost?.ok && cost !== lastCost) keepCost(cost);
  const calm = useCalm(expr);
  const said = calm && !busy ? fault : undefined;
  const [picked, pick] = useParam("s");
  const counts: Record<string, string> = {};
  const a = cost?.ok ? cost.accesses?.[0] : undefined;
  if (a) Object.assign(counts, { "@degree": String(cost!.degree), "@wavefronts": String(a.wavefronts), "@ideal": String(a.ideal) });
  const edit = (name: string, value: string) => {
    const was = s.let.find((x) => x[0] === name)![1];
    set({ ["e." + name]: value === was ? "" : value === "" ? " " : value });
  };
  return (
    <>
      <article class="lesson" id="step" tabIndex={-1} aria-label={s.title}>
        <p class="eyebrow">{p.number + 1} {p.lesson.title} <span>{put(words["step of"], p.k + 1, p.lesson.steps.length)}</span><button type="button" class="link language" lang={other.language} onClick={other.next}>{other.name}</button></p>
        <h1>{s.title}</h1>
        <Text step={s} bindings={bindings} edited={edited} counts={counts} />
        <div class="lets">
          {bindings.map(([name, e], i) => (
            <div class="field" key={name}><label for={"let" + name}>{name}</label><ExprBar id={"let" + name} label={name} value={e} onChange={(x) => edit(name, x)} place={data && !data.ok ? placeIn(bindings, i, data.place) : undefined} /></div>
          ))}
          {edited && <p class="quiet small edited" data-testid="edited">{words.edited} <button type="button" class="link" onClick={() => set(clean(s))}>{words.reset}</button></p>}
        </div>
        {p.footer}
        {s.goal && <Goal goal={s.goal} bindings={bindings} onReached={p.onDone} onSolve={() => set(Object.fromEntries(s.goal!.solve.map(([name, e]) => ["e." + name, e])))} />}
        {s.ask && <Ask ask={s.ask} bindings={bindings} onRight={p.onDone} />}
        {s.go && <p class="onward"><button type="button" class="link" onClick={() => go(s.go!.page, s.go!.params)}>{s.go.say} →</button></p>}
      </article>
      <section class="lesson-views" aria-label="pictures">
        {!v && <Early />}
        <Outcome slim over={Boolean(said && v)}>
          {said && <Fault fault={said} now />}
          {!said && v && <p class={"answer" + (slow || failed ? " stale" : "")}><span class="quiet">{shown(s)} =</span> <output data-testid="value">{v.value}</output></p>}
          {!said && data?.ok && <Notes notes={data.notes} />}
        </Outcome>
        {s.bank && <Count cost={failed ? lastCost : cost} stale={failed} />}
        {s.run && <Run run={s.run} bindings={bindings} type={s.type ?? "f32"} />}
        {s.bank?.solve && <Solver layout={expr} type={s.type ?? "f32"} access={s.bank.access} />}
        {s.op ? <Operation s={s} bindings={bindings} expr={expr} palette={p.palette} stale={slow} /> : v && (v.operands || v.matrix) && (
          <Views value={v} palette={p.palette} by={(s.by ?? "auto") as ColorBy} stale={slow || (data !== null && !data.ok)} picked={picked} onPick={pick} only={s.views} />
        )}
      </section>
    </>
  );
}

/** The operands and the result of an operation, and its steps. */
function Operation(p: { s: Step; bindings: Bindings; expr: string; palette: Palette; stale: boolean }) {
  const { texts: { words } } = useTexts();
  const op = p.s.op!;
  // The explanation uses the expressions, not the names.
  const plain = (x: string) => p.bindings.find(([name]) => name === x)?.[1] ?? x;
  const direct = op.b ? `${op.name}(${plain(op.a)}, ${plain(op.b)})` : `${op.name}(${plain(op.a)})`;
  const name = (x: string, otherwise: string) => (p.bindings.some(([n]) => n === x) ? x : otherwise);
  const type = p.s.type ?? "f32";
  const { data } = useCalls<[Inspection, Inspection, Inspection, Linked, ExplainAnswer]>(
    ["inspect", { expr: program(p.bindings, op.a), type }], ["inspect", op.b ? { expr: program(p.bindings, op.b), type } : null],
    ["inspect", { expr: p.expr, type, tile: p.s.tile ?? "" }], ["link", { expr: direct }], ["explain", { expr: direct, top: true }],
  );
  const [a, b, r, links, why] = data ?? [null, null, null, null, null];
  return (
    <>
      <Pictures op={op.name} a={a} b={b} r={r} links={links} stale={p.stale} palette={p.palette} names={[name(op.a, "A"), name(op.b ?? "", op.b ? "B" : "")]} />
      <details class="card steps-card lesson-steps" open={p.s.refused}>
        <summary>{words.steps}</summary>
        <Steps answer={why} />
      </details>
    </>
  );
}

/** The cost of the access. */
function Count(p: { cost: BankAnswer | null; stale: boolean }) {
  const { texts: { words } } = useTexts();
  const c = p.cost;
  const a = c?.ok ? c.accesses?.[0] : undefined;
  if (!c || !a) return c?.error ? <Fault fault={c.error} /> : null;
  return (
    <div class={"card lesson-count" + (p.stale ? " stale" : "")}>
      <p class={"count " + (c.degree === 1 ? "free" : "bad")} data-testid="degree">
        <b>{c.degree === 1 ? words.free : put(words.way, c.degree!)}</b> {put(words.wavefronts, a.wavefronts, a.warps * a.instructions, a.name, a.ideal)}
      </p>
      {a && <Phases of={a} />}
    </div>
  );
}

function Solver(p: { layout: string; type: string; access: string }) {
  const { texts: { words } } = useTexts();
  const [solution, solved] = useState<Solution | "busy" | null>(null);
  const now = useRef(p.layout); // another layout has no answer yet
  useEffect(() => {
    now.current = p.layout;
    solved(null);
  }, [p.layout]);
  const solve = () => {
    solved("busy");
    const of = (now.current = p.layout);
    void call<Solution>("swizzle", { layout: p.layout, type: p.type, accesses: [p.access] }).then((r) => now.current === of && solved(r));
  };
  return (
    <section class="card solution" aria-live="polite">
      <button type="button" class="primary" onClick={solve} disabled={solution === "busy"}>{solution === "busy" ? words.solving : words.solve}</button>
      {solution !== null && solution !== "busy" && <Answer s={solution} />}
    </section>
  );
}

/** The texts of the state that belong to a step, removed. */
function clean(s: Step): Record<string, string> {
  return { s: "", ...Object.fromEntries(s.let.map(([name]) => ["e." + name, ""])) };
}

/** The place of an error in the whole program, if it is in binding i. */
function placeIn(b: Bindings, i: number, place?: { pos: number; end: number }): { pos: number; end: number } | undefined {
  if (!place) return undefined;
  const bytes = (s: string) => new TextEncoder().encode(s).length;
  const start = bytes(program(b.slice(0, i), `let ${b[i][0]} = `));
  const end = start + bytes(b[i][1]);
  if (place.pos < start || place.pos > end) return undefined;
  return { pos: place.pos - start, end: Math.min(place.end, end) - start };
}

const doneKey = "girih.lessons";

/** The steps whose question was answered or whose goal was reached in this browser. */
function finished(): Set<string> {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(doneKey) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((x): x is string => typeof x === "string") : []);
  } catch {
    return new Set();
  }
}

function finish(old: Set<string>, step: string): Set<string> {
  if (old.has(step)) return old;
  const next = new Set(old).add(step);
  try {
    localStorage.setItem(doneKey, JSON.stringify([...next]));
  } catch {
    // A browser without storage forgets.
  }
  return next;
}
