// What hardware requires of a tile in memory: matrix descriptors, tensor maps, predicates, alignment, shared memory.
// The forms come from the service's descriptions of the operations, and the answers are those of the command line.

import type { Palette } from "../color";
import type { Fault as FaultData } from "../engine";
import type { Drawing } from "../export";
import { Fault, Notes, useCalm } from "../fault";
import { set, textOf, useParams } from "../state";
import type { Params } from "../state";
import { useCall, useSlow } from "../use";

type Values = Record<string, unknown>;

interface Field {
  name: string;
  doc: string;
  kind: string;
  required: boolean;
  words?: string[];
}

interface Form {
  name: string;
  title: string;
  doc: string;
  fields: Field[];
  examples: Values[];
}

interface Told {
  ok: boolean;
  failed?: boolean;
  text?: string;
  notes?: string[];
  draw?: Values;
  error?: FaultData;
}

/** The text of a field: that of the state, or the first example if the state has nothing for the form. */
function texts(f: Form, p: Params): Record<string, string> {
  const given = f.fields.some((x) => p[x.name] !== undefined);
  return Object.fromEntries(f.fields.map((x) => [x.name, given ? textOf(p, x.name) : written(f.examples[0]?.[x.name])]));
}

/** A value as typed text: a list with blanks. */
function written(v: unknown): string {
  return Array.isArray(v) ? v.join(" ") : v === undefined ? "" : String(v);
}

/** The request for the texts. A text that is not a number is sent unchanged, and the answer says so. */
function request(f: Form, t: Record<string, string>): Values {
  const out: Values = {};
  for (const x of f.fields) {
    const text = t[x.name].trim();
    if (text === "") continue;
    if (x.kind === "array") out[x.name] = text.split(/\s+/);
    else if (x.kind === "integer" && /^-?\d{1,15}$/.test(text)) out[x.name] = Number(text);
    else out[x.name] = text;
  }
  return out;
}

export function Memory(p: { palette: Palette }) {
  const forms = useCall<Form[]>("forms", {}).data;
  const params = useParams();
  if (!Array.isArray(forms)) return <div class="page" />;
  const form = forms.find((x) => x.name === params.op) ?? forms[0];
  return <Ask key={form.name} forms={forms} form={form} params={params} palette={p.palette} />;
}

// The longest picture that the page shows, in characters: browsers need many seconds for longer ones.
const longest = 1 << 20;

/** An example in words: the texts of its fields. */
function nameOf(f: Form, x: Values): string {
  return f.fields.map((y) => written(x[y.name])).filter(Boolean).join(" ");
}

function short(text: string): string {
  return text.length > 34 ? text.slice(0, 33) + "…" : text;
}

function Ask(p: { forms: Form[]; form: Form; params: Params; palette: Palette }) {
  const { form } = p;
  const t = texts(form, p.params);
  const asked = request(form, t);
  const { data, busy } = useCall<Told>("told", { name: form.name, request: JSON.stringify(asked) });
  const slow = useSlow(busy);
  const draw = data?.draw ? { ...data.draw, format: "svg", theme: p.palette.dark ? "dark" : "light" } : null;
  const picture = useCall<Drawing>("draw", draw).data;
  const calm = useCalm(JSON.stringify(asked));
  const [head, ...rest] = (data?.text ?? "").split("\n");
  /** Fills the form with all fields, so that none of another request remains. */
  const fill = (op: string, fields: Field[], values: Values) => set({ ...Object.fromEntries(form.fields.map((x) => [x.name, ""])), ...Object.fromEntries(fields.map((x) => [x.name, written(values[x.name])])), op });
  const change = (name: string, text: string) => set({ ...t, [name]: text || (form.fields.some((x) => x.name !== name && t[x.name]) ? "" : " "), op: form.name });
  // What the first example needs is in front; the rest is folded until it has a text.
  const main = form.fields.filter((x, i) => i === 0 || written(form.examples[0]?.[x.name]) !== "");
  const more = form.fields.filter((x) => !main.includes(x));
  const field = (x: Field) => (
    <label key={x.name} class={["expr", "smem", "tiled", "buffers"].includes(x.name) ? "wide" : ""} title={x.doc}>
      <span><b>{x.name}</b> {x.doc}</span>
      {x.words
        ? <select aria-label={x.name} value={t[x.name]} onChange={(e) => change(x.name, e.currentTarget.value)}><option value="">–</option>{x.words.map((w) => <option>{w}</option>)}</select>
        : <input aria-label={x.name} value={t[x.name]} spellcheck={false} autocapitalize="off" autocomplete="off" onInput={(e) => change(x.name, e.currentTarget.value)} />}
    </label>
  );
  return (
    <div class="page">
      <section class="ask bench">
        <div class="chips small-chips" role="group" aria-label="what is asked">
          {p.forms.map((f) => <button type="button" aria-pressed={f.name === form.name} title={f.doc} onClick={() => fill(f.name, [], {})}>{f.name}</button>)}
        </div>
        <p class="quiet">{form.title}. {form.doc}.</p>
        <div class="ask-row"><span class="quiet">examples</span>{form.examples.map((x, i) => <button type="button" class="link" onClick={() => fill(form.name, form.fields, x)} title={nameOf(form, x)}>{short(nameOf(form, x)) || i + 1}</button>)}</div>
        <div class="memory-form">
          {main.map(field)}
        </div>
        {more.length > 0 && (
          <details class="more-fields" open={more.some((x) => t[x.name] !== "")}>
            <summary>more: {more.map((x) => x.name).join(", ")}</summary>
            <div class="memory-form">{more.map(field)}</div>
          </details>
        )}
      </section>
      {calm && data?.error && <Fault fault={data.error} now />}
      {data?.text && (
        <div class={"memory-body" + (picture?.text ? " drawn" : "") + (slow ? " stale" : "")}>
          <section class="card" data-testid="told">
            <p class="told-head"><b class={data.failed ? "failed" : "good"} data-testid="verdict">{head}</b> <button type="button" class="link" onClick={() => void navigator.clipboard?.writeText(data.text!)}>copy</button></p>
            <pre class="told">{rest.join("\n").trim()}</pre>
            <Notes notes={data.notes} />
          </section>
          {picture?.text && picture.text.length > longest && <figure class="card"><p class="quiet">The picture is {Math.round((picture.height ?? 0) / 1000)},000 points high: <code>girih draw</code> writes it to a file. A smaller tile is shown here.</p></figure>}
          {picture?.text && picture.text.length <= longest && <figure class="card"><img data-testid="drawn" alt={head} src={"data:image/svg+xml," + encodeURIComponent(picture.text)} /></figure>}
        </div>
      )}
    </div>
  );
}
