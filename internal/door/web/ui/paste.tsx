// Pasted text: the values that the reader finds in it, each one click away, and the cause if it is an error.

import { useMemo } from "preact/hooks";
import type { Fault as FaultData } from "./engine";
import { call } from "./engine";
import { Fault } from "./fault";
import { linesOf } from "./limits";
import { useCall } from "./use";
import { plural } from "./words";
import type { Explanation } from "./views/steps";
import { Steps } from "./views/steps";

interface Item {
  ok: boolean;
  kind: string;
  value: string;
  name?: string;
  record?: string;
  expr?: string;
  fields?: { name: string; value: string }[];
  notes?: string[];
  fault?: string;
  place: { line: number; start: number };
}

interface Found {
  ok: boolean;
  items?: Item[];
  error?: FaultData;
}

interface Why {
  ok: boolean;
  findings?: {
    tool: string;
    message: string;
    place?: string;
    caller?: string;
    op?: string;
    expr?: string;
    demand: string;
    condition?: string;
    pair?: string;
    fact?: string;
    repairs?: { say: string; expr?: string; result?: string }[];
    missing?: string[];
    explanation?: Explanation;
    line: number;
  }[];
  follows?: number; // ignored messages
  passed?: string[]; // some of them
  error?: FaultData;
}

/** Whether a text is for the reader rather than for the line: several lines, or C++ as printed by a compiler. */
export function foreign(text: string): boolean {
  return /\n/.test(text.trim()) || /cute::|Layout<|tensor<|!cute|#ttg|#triton|error:/.test(text);
}

// Definitions of C++ and Python. Each of their values is offered, where the line would show the last one alone.
const definitions = /^\s*(auto|using|typedef|template|struct|def|from|import|@\w)/m;

/** Whether the reader finds a value in a text that is not itself an expression. */
export async function readable(text: string): Promise<boolean> {
  return !(await isProgram(text)) && (await hasValues(text));
}

async function hasValues(text: string): Promise<boolean> {
  const r = await call<Found>("read", { text });
  return r.items?.some((x) => x.kind !== "tuple") ?? false;
}

/** Whether a text is itself a program, so that there is nothing to choose. */
export async function isProgram(text: string): Promise<boolean> {
  if (definitions.test(text) && (await hasValues(text))) return false;
  const r = await call<{ ok: boolean; kind?: string }>("eval", { expr: text });
  return r.ok && r.kind !== "none";
}

interface Props {
  text: string;
  onChoose: (expr: string) => void;
  onInsert?: () => void; // absent if the text is too long for the line
  onClose: () => void;
}

export function Pasted(p: Props) {
  const request = useMemo(() => ({ text: p.text }), [p.text]);
  const lines = useMemo(() => linesOf(p.text.trim()), [p.text]);
  const found = useCall<Found>("read", request);
  const why = useCall<Why>("why", request);
  const findings = why.data?.ok ? (why.data.findings ?? []) : [];
  // The finding already says what an assertion says.
  const items = once(found.data?.items ?? []).filter((x) => findings.length === 0 || x.record !== "assertion");
  const named = items.filter((x) => x.kind !== "tuple");
  const tuples = items.filter((x) => x.kind === "tuple");
  return (
    <section class="pasted card" aria-label="what was pasted" data-testid="pasted">
      <figcaption>
        <b>pasted</b> <span>{plural(lines, "line")}, {found.data ? plural(items.length, "value") + " found" : "reading …"}{findings.length > 0 && ", " + plural(findings.length, "error")}</span>
        {p.onInsert && <button type="button" class="link" onClick={p.onInsert}>put the text into the line</button>}
        <button type="button" class="link" onClick={p.onClose}>close</button>
      </figcaption>
      {findings.map((f, k) => (
        <details class="finding" open={k === 0} key={k}>
          <summary><b>{f.tool}</b> {f.message} <span class="quiet">line {f.line}{f.caller && `, from ${f.caller}`}</span></summary>
          <p>{f.demand}</p>
          {f.condition && <p class="failed">✗ {f.condition}</p>}
          {f.pair && <p>the pair: <code>{f.pair}</code></p>}
          {f.fact && <p>{f.fact}</p>}
          {f.expr && <p><button type="button" class="link" onClick={() => p.onChoose(f.expr!)}><code>{f.expr}</code></button></p>}
          {f.repairs && f.repairs.length > 0 && <ul>{f.repairs.map((r) => <li>{r.say} {r.expr && <button type="button" class="link" onClick={() => p.onChoose(r.expr!)}><code>{r.expr}</code></button>}{r.result && <> = <code>{r.result}</code></>}</li>)}</ul>}
          {f.missing?.map((m) => <p class="quiet small">{m}</p>)}
          {f.explanation && <details><summary>step by step</summary><Steps answer={{ ok: true, explanations: [f.explanation] }} onTry={p.onChoose} /></details>}
        </details>
      ))}
      {findings.length > 0 && (why.data?.follows ?? 0) > 0 && <PassedOver count={why.data!.follows!} messages={why.data?.passed ?? []} />}
      {named.length > 0 && <ul class="found">{named.slice(0, 200).map((x, k) => <Row key={k} item={x} onChoose={p.onChoose} />)}</ul>}
      {tuples.length > 0 && (
        <details open={named.length === 0}>
          <summary class="quiet small">{plural(tuples.length, "tuple")}</summary>
          <ul class="found">{tuples.slice(0, 100).map((x, k) => <Row key={k} item={x} onChoose={p.onChoose} />)}</ul>
        </details>
      )}
      {found.data && !found.data.ok && findings.length === 0 && found.data.error && <Fault now fault={found.data.error} />}
    </section>
  );
}

/** The messages that are not findings; one of them may still be the cause. */
function PassedOver(p: { count: number; messages: string[] }) {
  return (
    <details open class="quiet small" data-testid="passed">
      <summary>passed over {plural(p.count, "error message")}: such messages mostly follow from a finding above, but one of them may be the cause</summary>
      <ul>{p.messages.map((m) => <li>{m}</li>)}</ul>
      {p.count > p.messages.length && <p>and {p.count - p.messages.length} more</p>}
    </details>
  );
}

/** A value that was found, which a click inserts in the line; and its parts. */
function Row(p: { item: Item; onChoose: (expr: string) => void }) {
  const x = p.item;
  // A record may be the print of an object that an expression makes, an encoding of Triton, or something that the
  // language does not have; so may a composition, of a pointer. An encoding is the layout of a tensor of some shape.
  // The user can change the shape, unless the encoding has its own.
  const encoding = `linear(${x.value}, (64,64))`;
  const doubtful = x.ok && !x.expr && (Boolean(x.record) || x.kind === "composed_layout");
  const origin = !x.record ? "in elements, at an aligned address:" : x.expr?.startsWith("linear(") ? "as a linear layout:" : "made by";
  const means = useCall<{ ok: boolean; kind?: string }>("eval", doubtful ? { expr: x.value } : null).data;
  const whole = means?.ok === true && (!x.record || means.kind === "linear_layout");
  const encodes = useCall<{ ok: boolean }>("eval", doubtful && x.record && means && !whole ? { expr: encoding } : null).data?.ok === true;
  const usable = x.ok && (!doubtful || whole || encodes);
  const expr = x.expr ?? (encodes ? encoding : x.value);
  const text = <><span class="quiet">{x.place.line}</span> <span>{x.name ?? x.record ?? x.kind}</span> <code>{x.value}</code></>;
  return (
    <li>
      {usable ? <button type="button" class="row" title={"put it into the line: " + expr} onClick={() => p.onChoose(expr)}>{text}</button> : <div class="row quiet">{text}</div>}
      {x.expr && <p class="small">{origin} <button type="button" class="link" onClick={() => p.onChoose(expr)}><code>{x.expr}</code></button></p>}
      {x.fault && <p class="small failed">{x.fault}</p>}
      {x.notes?.map((n) => <p class="small quiet">{n}</p>)}
      {encodes && <p class="small quiet">as the layout of a (64,64) tensor: change the shape in the line</p>}
      {x.fields && !encodes && <dl class="facts">{x.fields.map((f) => <><dt>{f.name}</dt><dd><Part value={f.value} onChoose={p.onChoose} /></dd></>)}</dl>}
    </li>
  );
}

/** A part of a record: a link if it is an expression; a name from the text is not. */
function Part(p: { value: string; onChoose: (expr: string) => void }) {
  const means = useCall<{ ok: boolean; kind?: string }>("eval", { expr: p.value }).data;
  if (!means?.ok || means.kind === "none") return <>{p.value}</>;
  return <button type="button" class="link" onClick={() => p.onChoose(p.value)}>{p.value}</button>;
}

/** Each value once, under the first name that it has. */
function once(items: Item[]): Item[] {
  const seen = new Map<string, Item>();
  for (const x of items) {
    const old = seen.get(x.value);
    if (!old || (!old.name && x.name)) seen.set(x.value, x);
  }
  return [...seen.values()];
}
