// Open a page: a document, cell by cell and line by line, with what each line computes beside it. The reader changes
// any line, and everything below follows. The document and the edits are in the URL.

import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Palette } from "../color";
import type { Ask } from "../engine";
import { tell } from "../engine";
import { Fault } from "../fault";
import { typing } from "../help";
import { put, useSwitch, useTexts, WordsOf } from "../lang";
import { mostRead, tooLong } from "../limits";
import { CellView, Difference } from "../page/cell";
import type { Document, Edits, Page } from "../page/model";
import { faults, request, rowsName, slipsBefore } from "../page/model";
import { Prose } from "../page/prose";
import { Opened } from "../page/sight";
import type { Params } from "../state";
import { now, set, useParams } from "../state";
import { useDragging } from "../scrub";
import { useCall, useSlow } from "../use";

/** The documents in girih, by the number in their name. */
const seeds = [
  ["000", "CUTLASS CUTE 1 Layout Algebra"], ["001", "从线性布局的视角看 CuTe 布局"], ["002", "Using CuTe Layout Algebra With Python DSL"],
  ["003", "【理论】CuTe学习过程"], ["004", "cute 02 layout代数"],
] as const;

/** The document of a state. */
export function documentIn(p: Params): Document | null {
  if (p.page) return { name: "seed " + p.page };
  return p.text !== undefined ? { name: p.name ?? "", text: p.text } : null;
}

/** The edits of a state: the code of cell k is the text c.k. */
function editsIn(p: Params): Edits {
  const out: Record<number, string> = {};
  for (const k of Object.keys(p)) if (/^c\.\d{1,4}$/.test(k)) out[Number(k.slice(2))] = p[k];
  return out;
}

/** The title of a document. */
export function titleOf(p: Params): string {
  return p.page ? (seeds.find(([id]) => id === p.page)?.[1] ?? p.page) : (p.name ?? "");
}

export function openAsks(p: Params): Ask[] {
  const d = documentIn(p);
  return d ? [["page", request(d, editsIn(p))]] : [];
}

export function Open(p: { palette: Palette }) {
  const params = useParams();
  const { texts: { words } } = useTexts();
  const [refused, refuse] = useState("");
  const open = (name: string, text: string) => {
    const why = tooLong(text, true);
    refuse(why);
    if (why) return;
    const none = Object.fromEntries(Object.keys(now()).filter((k) => k.startsWith("c.")).map((k) => [k, ""]));
    set({ ...none, page: "", name: name || (text.length > 4000 ? "text" : ""), text });
    scrollTo({ top: 0 });
  };
  const take = (file: File) => {
    if (file.size > mostRead) return refuse(tooLong(" ".repeat(mostRead + 1), true));
    void file.text().then((text) => open(file.name, text));
  };
  const [over, hover] = useState(false);
  const drop = {
    onDragOver: (e: DragEvent) => { e.preventDefault(); hover(true); },
    onDragLeave: (e: DragEvent) => { if (e.target === e.currentTarget) hover(false); },
    onDrop: (e: DragEvent) => {
      e.preventDefault();
      hover(false);
      const file = e.dataTransfer?.files[0];
      const text = e.dataTransfer?.getData("text/plain");
      if (file) take(file);
      else if (text) open("", text);
    },
  };
  const doc = useMemo(() => documentIn(params), [params.page, params.name, params.text]);
  return (
    <div class={"page open-page" + (over ? " dropping" : "")} {...drop}>
      {refused && <Fault now fault={{ code: "limit", message: refused }} />}
      {doc ? <Shown key={doc.name + "\n" + (doc.text ?? "")} doc={doc} palette={p.palette} /> : (
        <>
          {params.name && <p class="quiet" data-testid="gone">{put(words["open gone"], params.name)}</p>}
          <Choose onOpen={open} onFile={take} />
        </>
      )}
    </div>
  );
}

/** Chooses a document: one of girih's, a file, or a text. */
function Choose(p: { onOpen: (name: string, text: string) => void; onFile: (f: File) => void }) {
  const { texts: { words } } = useTexts();
  const other = useSwitch();
  const [text, write] = useState("");
  const [kind, choose] = useState("");
  return (
    <div class="choose">
      <p class="eyebrow"><button type="button" class="link language" lang={other.language} onClick={other.next}>{other.name}</button>{words["open title"]}</p>
      <h1>{words["open head"]}</h1>
      <p>{words["open about"]}</p>
      <h2>{words["open rows"]}</h2>
      <p><button type="button" class="card named" onClick={() => p.onOpen(rowsName, rowsText)} data-testid="rows"><b>{words["open rows new"]}</b><span class="quiet small">{words["open rows about"]}</span></button></p>
      <h2>{words["open seeds"]}</h2>
      <ul class="seeds">
        {seeds.map(([id, title]) => (
          <li key={id}><button type="button" class="card" onClick={() => set({ page: id, name: "", text: "" })} data-testid={"seed-" + id}><b>{title}</b><span class="quiet small">{words[`open ${id}`]}</span></button></li>
        ))}
      </ul>
      <h2>{words["open own"]}</h2>
      <label class="card file"><input type="file" accept=".girih,.py,.cu,.cuh,.cpp,.h,.hpp,.ipynb,.md,.html,.htm,.txt,text/*" onChange={(e) => { const f = e.currentTarget.files?.[0]; if (f) p.onFile(f); }} /> <span class="quiet small">{words["open drop"]}</span></label>
      <form class="paste-page" onSubmit={(e) => { e.preventDefault(); if (text.trim()) p.onOpen(kind && "page" + kind, text); }}>
        <textarea
          rows={8} spellcheck={false} value={text} placeholder={words["open paste"]} aria-label={words["open paste"]}
          onInput={(e) => write(e.currentTarget.value)}
          onKeyDown={(e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && text.trim()) p.onOpen(kind && "page" + kind, text); }}
        />
        <p class="ask-row">
          <label>{words["open kind"]} <select value={kind} onChange={(e) => choose(e.currentTarget.value)}>{["", ".py", ".cu", ".md", ".html", ".ipynb", ".girih"].map((k) => <option value={k}>{k || words["open any"]}</option>)}</select></label>
          <button type="submit" class="primary" disabled={!text.trim()}>{words["open it"]}</button>
        </p>
      </form>
    </div>
  );
}

// The values that a new document begins with.
const rowsText = `rows = 8
cols = 32
tile = (rows,cols):(cols,1)
vectors = zipped_divide(tile, (1,4))
swizzled = Sw<3,2,3> o 0 o tile
`;

// The pause in typing, in milliseconds, after which the document runs again.
const rest = 200;

/** A document. Its edits are here; the URL gets them when the reader pauses. */
function Shown(p: { doc: Document; palette: Palette }) {
  const { texts: { words } } = useTexts();
  const other = useSwitch();
  const params = useParams();
  const [edits, edit] = useState<Edits>(() => editsIn(now()));
  const [asked, ask] = useState(edits);
  const written = useRef(edits); // what the URL has
  const dragging = useDragging();
  useEffect(() => {
    if (edits === written.current || dragging) return;
    const timer = setTimeout(() => {
      ask(edits);
      written.current = edits;
      set(fragmentOf(edits));
    }, rest);
    return () => clearTimeout(timer);
  }, [edits, dragging]);
  // A link, or the browser's buttons, bring edits of their own.
  useEffect(() => {
    const there = editsIn(params);
    if (Object.keys(fragmentOf(written.current)).every((k) => (fragmentOf(written.current)[k] || undefined) === params[k]) && Object.keys(there).every((k) => Number(k) in written.current)) return;
    written.current = there;
    edit(there);
    ask(there);
  }, [params]);
  const asking = useMemo(() => request(p.doc, asked), [p.doc, asked]);
  const { data, busy } = useCall<Page>("page", asking);
  // While a number is dragged, the document runs as often as it can.
  useEffect(() => {
    if (dragging && !busy) ask(edits);
  }, [edits, dragging, busy]);
  const slow = useSlow(busy);
  // What is before the cell with the cursor runs ahead, again after each answer: then an edit runs that cell and those after it.
  const inside = useRef(0);
  const prepare = () => {
    if (inside.current > 0 && !busy) tell("page", { ...request(p.doc, asked), ready: inside.current });
  };
  useEffect(prepare, [data]);
  const enter = (k: number) => {
    const other = k !== inside.current;
    inside.current = k;
    if (other) prepare();
  };
  const changed = Object.keys(edits).length > 0;
  const onEdit = useRef((k: number, source: string) => edit((old) => ({ ...old, [k]: source }))).current;
  const bad = useMemo(() => (data?.ok ? faults(data) : []), [data]);
  const last = useRef(-1);
  const next = (step: number) => {
    if (bad.length === 0) return;
    last.current = (Math.max(last.current, step > 0 ? -1 : 0) + step + bad.length) % bad.length;
    const { cell, line } = bad[last.current];
    const at = document.querySelector(line > 0 ? `[id="l${cell}.${line}"]` : `[id="l${cell}.0"] .slip`);
    at?.scrollIntoView({ block: "center" });
    at?.querySelector("textarea")?.focus({ preventScroll: true });
  };
  // An effect would wait for the next frame, and a key until then would look for the faults of the answer before.
  useLayoutEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
      if (e.key === "n" || e.key === "b") next(e.key === "n" ? 1 : -1);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const opened = useMemo(() => ({ doc: p.doc, edits: asked }), [p.doc, asked]);
  const notebook = p.doc.name.endsWith(".ipynb");
  const rows = p.doc.name.endsWith(".girih");
  const end = (data?.cells?.length ?? 0) - 1;
  const another = () => {
    edit((old) => ({ ...old, [end]: (old[end] ?? data!.cells![end].source).replace(/\n?$/, "\n\n") }));
    setTimeout(() => [...document.querySelectorAll<HTMLElement>(".document .line textarea")].at(-1)?.focus());
  };
  return (
    <>
      <div class="page-bar">
        <button type="button" class="link" onClick={() => set({ ...fragmentOf({}), page: "", name: "", text: "" })}>← {words["open other"]}</button>
        <b class="page-title">{titleOf(params) || words["open untitled"]}</b>
        {data?.ok && Boolean(data.checked) && (
          <span class="quiet small" data-testid="page-says" aria-live="polite">
            {put(words["open checked"], data.checked ?? 0)}{" "}
            <span class={data.slips ? "failed" : "good"}>{put(words["open slips"], data.slips ?? 0)}</span>
          </span>
        )}
        {bad.length > 0 && <button type="button" class="link" onClick={() => next(1)} title="n">{words["open next slip"]} ↓</button>}
        {changed && <button type="button" class="link" onClick={() => edit({})} data-testid="restore">{words["open restore"]}</button>}
        <button type="button" class="link language" lang={other.language} onClick={other.next}>{other.name}</button>
      </div>
      {!data && <p class="wait" data-testid="page-loading">{words["open loading"]}</p>}
      {data && !data.ok && data.error && <Fault now fault={data.error} />}
      {data?.ok && <WordsOf.Provider value={words}><Opened.Provider value={opened}>
        <article class={"document" + (slow ? " slow" : "")} aria-busy={busy}>
          {data.cells?.map((c, k) => (
            <div key={k} class={rows ? "part row" : "part"} onFocusIn={() => enter(k)}>
              <Text of={data} before={k} text={c.prose} />
              <Kept notebook={notebook} drawn={rows && k === end} number={k} cell={c} source={edits[k] ?? c.source} palette={p.palette} onEdit={onEdit} />
            </div>
          ))}
          {rows && end >= 0 && <p class="another"><button type="button" class="link" onClick={another} data-testid="add-row">+ {words["open rows add"]}</button></p>}
          {!data.cells?.length && <p class="quiet">{words["open no code"]}</p>}
          <Text of={data} before={data.cells?.length ?? 0} text={data.rest} />
        </article>
      </Opened.Provider></WordsOf.Provider>}
    </>
  );
}

/** The prose before a cell, and its slips. */
function Text(p: { of: Page; before: number; text?: string }) {
  const words = useContext(WordsOf);
  const slips = slipsBefore(p.of, p.before);
  return (
    <div id={`l${p.before}.0`}>
      <Prose text={p.text ?? ""} markdown={p.of.markdown} slips={slips} />
      {slips.map((s) => <Difference slip={s} what={`${s.line}: ${words["open text"]}`} />)}
    </div>
  );
}

/** A cell that is drawn again only if it has changed. */
function Kept(p: Parameters<typeof CellView>[0]) {
  const key = useMemo(() => JSON.stringify(p.cell), [p.cell]);
  return useMemo(() => <CellView {...p} />, [key, p.source, p.notebook, p.palette]);
}

/** The texts of the state for edits. */
function fragmentOf(edits: Edits): Record<string, string> {
  const out: Record<string, string> = {};
  for (const k of Object.keys(now())) if (k.startsWith("c.")) out[k] = "";
  for (const [k, x] of Object.entries(edits)) out["c." + k] = x;
  return out;
}
