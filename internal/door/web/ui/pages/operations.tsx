// All operations of the service as forms, with their answers in words and as pictures. The forms come from the rows of
// the operations, and the answers are those of the command line.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Palette } from "../color";
import type { Fault as FaultData } from "../engine";
import { Copy } from "../export";
import type { Drawing } from "../export";
import { Fault, Notes, useCalm } from "../fault";
import { useForms, useLabels } from "../lang";
import { set, textOf, useParam, useParams } from "../state";
import type { Params } from "../state";
import { useCall, useSlow } from "../use";

type Values = Record<string, unknown>;

interface Field {
  name: string;
  doc: string;
  kind: string;
  required: boolean;
  words?: string[];
  lines?: boolean; // of several lines
}

interface Form {
  name: string;
  title: string;
  doc: string;
  subject: string;
  fields: Field[];
  examples: Values[];
}

interface Told {
  ok: boolean;
  failed?: boolean;
  text?: string;
  notes?: string[];
  draw?: Values;
  repairs?: { field: string; value: string; request: Values }[];
  command?: string;
  error?: FaultData;
}

/** The text of a field: that of the state, or the first example if the state has nothing for the form. */
function texts(f: Form, p: Params): Record<string, string> {
  const given = f.fields.some((x) => p[key(x)] !== undefined);
  return Object.fromEntries(f.fields.map((x) => [x.name, given ? textOf(p, key(x)) : written(x, f.examples[0]?.[x.name])]));
}

// Names of the page's own state.
const own = ["p", "op", "q", "s", "theme", "lang", "embed", "set"];

/** The name of a field in the state. */
function key(x: Field): string {
  return own.includes(x.name) ? "of-" + x.name : x.name;
}

// Threads are layouts, which have blanks and commas.
const separator = (x: Field) => (x.name === "threads" ? "; " : " ");

/** A value as typed text: a list with blanks, or with semicolons if its parts have blanks. */
function written(x: Field, v: unknown): string {
  if (Array.isArray(v)) return v.join(v.some((part) => String(part).includes(" ")) ? "; " : separator(x));
  return v === undefined || v === false ? "" : String(v);
}

/** The request for the texts. A text that is not a number is sent unchanged, and the answer says so. */
function request(f: Form, t: Record<string, string>): Values {
  const out: Values = {};
  for (const x of f.fields) {
    const text = t[x.name].trim();
    if (text === "") continue;
    if (x.kind === "array") out[x.name] = text.split(separator(x) === "; " || text.includes(";") ? /\s*;\s*/ : /\s+/).filter(Boolean);
    else if (x.kind === "boolean") out[x.name] = true;
    else if (x.kind === "integer" && /^-?\d{1,15}$/.test(text)) out[x.name] = Number(text);
    else out[x.name] = x.lines ? t[x.name] : text;
  }
  return out;
}

export function Operations(p: { palette: Palette }) {
  const forms = useCall<Form[]>("forms", {}).data;
  const params = useParams();
  if (!Array.isArray(forms)) return <div class="page" />;
  const usual = forms.find((x) => x.name === "descriptor") ?? forms[0];
  const form = forms.find((x) => x.name === params.op) ?? usual;
  return (
    <div class="page mma-page">
      <Catalogue forms={forms} form={form} />
      <Ask key={form.name} form={form} params={params} palette={p.palette} />
    </div>
  );
}

/** Opens the form of an operation with its first example. */
function choose(from: Form, name: string): void {
  set({ ...Object.fromEntries(from.fields.map((x) => [key(x), ""])), op: name });
}

/** The operations by subject: a list beside the form, and a field of choices above it where there is no room. */
function Catalogue(p: { forms: Form[]; form: Form }) {
  const t = useLabels();
  const said = useForms();
  const [words, setWords] = useParam("q");
  const subjects = [...new Set(p.forms.map((f) => f.subject))];
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (f: Form) => all.every((w) => [f.name, f.title, said(f.title), f.doc, f.subject].join(" ").toLowerCase().includes(w));
  const shown = p.forms.filter(fits);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [box, current] = [list.current!, list.current!.querySelector("[aria-current]")];
    const below = current ? current.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom : 0;
    if (below > 0) box.scrollTop += below + 40;
  }, []);
  return (
    <aside class="catalogue" aria-label={t("operation")}>
      <label class="narrow"><span class="quiet">{t("operation")}</span> <select aria-label={t("operation")} value={p.form.name} onChange={(e) => choose(p.form, e.currentTarget.value)}>
        {subjects.map((s) => <optgroup label={said(s)} key={s}>{p.forms.filter((f) => f.subject === s).map((f) => <option value={f.name} key={f.name}>{f.name}: {said(f.title)}</option>)}</optgroup>)}
      </select></label>
      <div class="card browser wide" ref={list}>
        <label class="visually-hidden" for="filter">filter</label>
        <input id="filter" type="search" value={words} placeholder="bank, PTX, TMA" onInput={(e) => setWords(e.currentTarget.value)} />
        {subjects.filter((s) => shown.some((f) => f.subject === s)).map((s) => (
          <section key={s}>
            <h2>{said(s)}</h2>
            <ul>{shown.filter((f) => f.subject === s).map((f) => (
              <li key={f.name}><button type="button" aria-current={f === p.form ? "true" : undefined} title={f.doc} onClick={() => choose(p.form, f.name)}>{f.name}<small>{said(f.title)}</small></button></li>
            ))}</ul>
          </section>
        ))}
        {shown.length === 0 && <p class="quiet small">none has these words</p>}
      </div>
    </aside>
  );
}

// The longest picture that the page shows, in characters: browsers need many seconds for longer ones.
const longest = 1 << 20;

// How long the page waits for the next key before it asks, in milliseconds: some operations run kernels.
const pause = 250;

/** A value that follows after a pause; the first is there at once. */
function usePaused(text: string): string {
  const [late, follow] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => follow(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}

/** An example in words: the texts of its fields. */
function nameOf(f: Form, x: Values): string {
  return f.fields.filter((y) => !y.lines).map((y) => (y.kind === "boolean" && x[y.name] ? y.name : written(y, x[y.name]))).filter(Boolean).join(" ");
}

function short(text: string): string {
  return text.length > 34 ? text.slice(0, 33) + "…" : text;
}

// Fields whose texts are mostly longer than others.
const long = ["expr", "smem", "tiled", "buffers", "memory", "layout", "from", "to", "a", "b", "src", "dst", "text"];

function Ask(p: { form: Form; params: Params; palette: Palette }) {
  const label = useLabels();
  const said = useForms();
  const { form } = p;
  const t = texts(form, p.params);
  const asked = usePaused(JSON.stringify(request(form, t)));
  const { data, busy } = useCall<Told>("told", { name: form.name, request: asked });
  const slow = useSlow(busy);
  // While the request is refused, the last answer stays below the refusal, paler, so that nothing moves.
  const [last, keep] = useState<Told | null>(null);
  if (data?.text && data !== last) keep(data);
  const shown = data?.text ? data : last;
  const draw = shown?.draw ? { ...shown.draw, format: "svg", theme: p.palette.dark ? "dark" : "light" } : null;
  const picture = useCall<Drawing>("draw", draw).data;
  const calm = useCalm(asked);
  const lines = (shown?.text ?? "").split("\n");
  // The first line is a verdict if it is alone, or if the text has paragraphs.
  const [head, rest] = lines[0].length < 160 ? [lines[0], lines.slice(1)] : ["", lines];
  /** Fills the form with all fields, so that none of another request remains. */
  const fill = (values: Values) => set({ ...Object.fromEntries(form.fields.map((x) => [key(x), written(x, values[x.name])])), op: form.name });
  const change = (x: Field, text: string) => {
    const all = { ...t, [x.name]: text };
    const empty = Object.values(all).every((v) => v === "");
    set({ ...Object.fromEntries(form.fields.map((y) => [key(y), all[y.name]])), ...(empty ? { [key(x)]: " " } : {}), op: form.name });
  };
  // What the first example needs is in front; the rest is folded until it has a text.
  const main = form.fields.filter((x, i) => i === 0 || x.required || written(x, form.examples[0]?.[x.name]) !== "");
  const more = form.fields.filter((x) => !main.includes(x));
  const field = (x: Field) => (
    <label key={x.name} class={x.lines || (long.includes(x.name) && x.kind === "string" && !x.words) || x.name === "buffers" ? "wide" : ""} title={x.doc}>
      <span><b>{x.name}</b> {said(x.doc)}</span>
      {x.kind === "boolean"
        ? <input type="checkbox" aria-label={x.name} checked={t[x.name] !== ""} onChange={(e) => change(x, e.currentTarget.checked ? "true" : "")} />
        : x.words
          ? <select aria-label={x.name} value={t[x.name]} onChange={(e) => change(x, e.currentTarget.value)}><option value="">–</option>{x.words.map((w) => <option>{w}</option>)}</select>
          : x.lines
            ? <textarea aria-label={x.name} rows={8} value={t[x.name]} spellcheck={false} onInput={(e) => change(x, e.currentTarget.value)} />
            : <input aria-label={x.name} value={t[x.name]} spellcheck={false} autocapitalize="off" autocomplete="off" onInput={(e) => change(x, e.currentTarget.value)} />}
    </label>
  );
  return (
    <div class="mma-body">
      <section class="ask bench">
        <h1>{said(form.title)}</h1>
        <p class="quiet">{said(form.doc)}</p>
        {form.examples.length > 1 && <div class="ask-row"><span class="quiet">{label("examples")}</span>{form.examples.map((x, i) => <button type="button" class="link" onClick={() => fill(x)} title={nameOf(form, x)}>{short(nameOf(form, x)) || i + 1}</button>)}</div>}
        <div class="form">
          {main.map(field)}
        </div>
        {more.length > 0 && (
          <details class="more-fields" open={more.some((x) => t[x.name] !== "")}>
            <summary>{label("more")}: {more.map((x) => x.name).join(", ")}</summary>
            <div class="form">{more.map(field)}</div>
          </details>
        )}
        {shown?.command && <p class="told-line"><code>{shown.command}</code> <Copy text={shown.command} /></p>}
      </section>
      {calm && data?.error && <div class={"told-fault" + (shown ? " over" : "")}><Fault fault={data.error} now /></div>}
      {shown?.text && (
        <div class={"told-body" + (picture?.text ? " drawn" : "") + (slow || shown !== data ? " stale" : "")}>
          <section class="card" data-testid="told">
            <p class="told-head"><b class={shown.failed ? "failed" : ""} data-testid="verdict">{head}</b> <span><Copy /> <Copy text={shown.text} /></span></p>
            {shown.repairs?.map((x) => <p class="repair-line" key={x.field + x.value}><button type="button" class="primary" onClick={() => fill(x.request)}>{label("take it")}</button> <b>{x.field}</b> = <code>{x.value}</code></p>)}
            {rest.join("").trim() && <pre class="told" tabIndex={0}>{rest.join("\n").replace(/^\n+|\s+$/g, "")}</pre>}
            <Notes notes={shown.notes} />
          </section>
          {picture?.text && picture.text.length > longest && <figure class="card"><p class="quiet">The picture is {Math.round((picture.height ?? 0) / 1000)},000 points high: <code>girih draw</code> writes it to a file. A smaller tile is shown here.</p></figure>}
          {picture?.text && picture.text.length <= longest && <figure class="card" tabIndex={0}><img data-testid="drawn" alt={head} src={"data:image/svg+xml," + encodeURIComponent(picture.text)} /></figure>}
        </div>
      )}
      {!shown && slow && <p class="quiet" role="status">{label("running")} …</p>}
    </div>
  );
}
