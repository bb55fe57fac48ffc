// The choice of a kernel: one of girih's, or a text, with its options.

import { useContext, useRef, useState } from "preact/hooks";
import type { Fault as FaultData } from "../engine";
import { put, useSwitch, WordsOf } from "../lang";
import { set, useParams } from "../state";
import { useCall } from "../use";
import type { Request, TextKind } from "./request";
import { firstKernel, kindOf, stateOf } from "./request";

interface Recipe {
  name: string;
  aliases?: string[];
  doc: string;
  tile?: number[];
  type: string;
  types: string[];
  sum?: string;
  div?: number;
  stages?: number;
}

interface KernelsAnswer {
  ok: boolean;
  kernels?: Recipe[];
  error?: FaultData;
}

/** The fields above the row. */
export function Input(p: { request: Request | null; title: string }) {
  const words = useContext(WordsOf);
  const params = useParams();
  const other = useSwitch();
  const { data } = useCall<KernelsAnswer>("kernel", {});
  const box = useRef<HTMLDetailsElement>(null);
  const take = (q: Request) => {
    set(stateOf(q));
    if (box.current) box.current.open = false;
  };
  const name = params.k || firstKernel;
  const own = params.as === "program" || params.as === "json" || params.as === "ptx";
  const recipe = own ? undefined : data?.kernels?.find((r) => r.name === name || r.aliases?.includes(name));
  const field = (key: string, label: string, placeholder: string, size: number, title?: string) => (
    <label title={title}>{label} <input size={size} value={params[key] ?? ""} placeholder={placeholder} onInput={(e) => set({ [key]: e.currentTarget.value, s: "", m: "" })} /></label>
  );
  const select = (key: string, label: string, all: string[]) => (
    <label>{label} <select value={params[key] || all[0]} onChange={(e) => set({ [key]: e.currentTarget.value === all[0] ? "" : e.currentTarget.value, s: "", m: "" })}>{all.map((x) => <option>{x}</option>)}</select></label>
  );
  return (
    <div class="kernel-input">
      <div class="ask-row">
        <details class="pick" ref={box}>
          <summary><span class="quiet">{words["kernel kernel"]}</span> <b data-testid="kernel-name">{own ? words[`kernel text ${params.as as TextKind}`] : name}</b></summary>
          <div class="menu pick-menu">
            <Choose recipes={data?.kernels ?? []} chosen={own ? "" : name} onChoose={(k) => take({ kernel: k })} />
            <Own key={params.as ?? ""} onTake={take} />
          </div>
        </details>
        {recipe?.tile && field("tile", words["kernel tile"], recipe.tile.join(","), 11)}
        {recipe && recipe.types.length > 1 && select("type", words["kernel type"], [recipe.type, ...recipe.types.filter((t) => t !== recipe.type)])}
        {recipe?.sum && select("sum", words["kernel sum"], [recipe.sum, ...["f32", "f16"].filter((t) => t !== recipe.sum)])}
        {recipe?.stages ? field("stages", words["kernel stages"], String(recipe.stages), 3) : null}
        {recipe?.div ? field("div", words["kernel div"], String(recipe.div), 3, words["kernel div says"]) : null}
        {params.as === "program" && field("run", words["kernel call"], "scale<<<2, 64>>>(x=random(128), n=128)", 34, words["kernel call says"])}
        {field("set", words["kernel values"], "m=256,n=128", 15, words["kernel values says"])}
        {field("block", words["kernel block"], "0,0,0", 6)}
        <button type="button" class="link language" lang={other.language} onClick={other.next}>{other.name}</button>
      </div>
      <p class="kernel-title">{p.title || recipe?.doc || " "}</p>
    </div>
  );
}

/** The kernels of girih whose name or description has all words. */
function Choose(p: { recipes: Recipe[]; chosen: string; onChoose: (name: string) => void }) {
  const words = useContext(WordsOf);
  const [text, write] = useState("");
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = p.recipes.filter((r) => wanted.every((w) => [r.name, ...(r.aliases ?? []), r.doc].join(" ").toLowerCase().includes(w)));
  return (
    <div class="choose-kernel">
      <input type="search" value={text} placeholder={words["kernel search"]} aria-label={words["kernel search"]} onInput={(e) => write(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === "Enter" && found[0]) p.onChoose(found[0].name); }} />
      <p class="quiet small">{put(words["kernel found"], found.length)}</p>
      <ul>{found.map((r) => <li key={r.name}><button type="button" aria-current={r.name === p.chosen ? "true" : undefined} onClick={() => p.onChoose(r.name)}><code>{r.name}</code> <small>{r.doc}</small></button></li>)}</ul>
    </div>
  );
}

/** A text of one's own: PTX with the description of its run, a program, or the JSON of a kernel. */
function Own(p: { onTake: (q: Request) => void }) {
  const words = useContext(WordsOf);
  const params = useParams();
  const [text, write] = useState(params.own ?? "");
  const [run, writeRun] = useState(params.run ?? "");
  const kind = kindOf(text);
  const take = () => text.trim() && p.onTake(kind === "ptx" ? { ptx: text, run: run.trim() ? run : undefined } : { [kind]: text });
  const key = (e: KeyboardEvent) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) take();
  };
  return (
    <form class="own-kernel" onSubmit={(e) => { e.preventDefault(); take(); }}>
      <label for="own">{words["kernel own"]}</label>
      <textarea id="own" rows={7} spellcheck={false} value={text} placeholder={words["kernel paste"]} onInput={(e) => write(e.currentTarget.value)} onKeyDown={key} />
      <label for="own-run" class={kind === "ptx" ? "" : "quiet"}>{words["kernel run"]}</label>
      <textarea id="own-run" rows={3} spellcheck={false} value={run} disabled={kind !== "ptx"} placeholder='{"grid": [1], "block": [128], ...}' onInput={(e) => writeRun(e.currentTarget.value)} onKeyDown={key} />
      <p class="ask-row"><button type="submit" class="primary" disabled={!text.trim()}>{words["kernel follow"]}</button> <span>{text.trim() ? words[`kernel text ${kind}`] : ""}</span></p>
    </form>
  );
}
