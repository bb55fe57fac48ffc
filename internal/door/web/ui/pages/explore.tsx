// The first page: one value in all views. The element under the pointer is lit in all of them.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import type { Ask } from "../engine";
import { Early } from "../early";
import { Export, fillOf } from "../export";
import { ExprBar } from "../exprbar";
import { Fault, Notes, Outcome, useCalm } from "../fault";
import { remember } from "../history";
import type { Fluid, Frame, Grid } from "../grid";
import { highest } from "../fold";
import type { Laid } from "../laid";
import * as grids from "../grids";
import type { ColorBy } from "../grids";
import type { Group } from "../groups";
import { alongLeaf, groupGlow } from "../groups";
import type { Label } from "../lang";
import { useLabels } from "../lang";
import type { Inspection, Operand, Spot } from "../model";
import { coordOf, filled, lighting, partsOf } from "../model";
import { rowsName } from "../page/model";
import { plain } from "../plain";
import { aligned } from "../align";
import { types } from "../words";
import type { Params } from "../state";
import { go, set, textOf, useParam, useParams } from "../state";
import { arrows, useCall, useMedia, useSize, useSlow } from "../use";
import { Folded } from "../views/folded";
import { useLaid } from "../views/laid";
import { Fills, Legend } from "../views/legend";
import { Failure, explains, repaired } from "../views/failure";
import { Inspector } from "../views/inspector";
import { Matrix } from "../views/matrix";
import type { ExplainAnswer } from "../views/steps";
import { Symbols, given } from "../views/symbols";
import { Tree, digits } from "../views/tree";
import { Thumb, hasThumb } from "../views/thumb";
import { TupleCard } from "../views/tuple";

/** The initial expression: a swizzled tile with rows of 128 bytes, as in kernels. */
export const firstExpr = "Sw<3,3,3> o 0 o (8,64):(64,1)";
const firstType = "f16";

/** The type of a state: the one that it names, otherwise that of the initial expression if it is shown, otherwise a type of four bytes. */
function typeIn(p: Params): string {
  return p.t ?? (p.e === undefined ? firstType : "f32");
}

/** An example of each kind of question, one click away. */
const examples: [string, Record<string, string>][] = [
  ["a swizzled tile", { e: "Sw<3,3,3> o 0 o (8,64):(64,1)", t: "f16" }],
  ["composition", { e: "(6,2):(8,2) o (4,3):(3,1)" }],
  ["an MMA instruction", { e: 'mma("SM80_16x8x16_F32F16F16F32_TN")' }],
  ["a TiledMMA", { e: 'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)' }],
  ["a TiledCopy", { e: 'tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"), (16,8):(8,1), (1,8))' }],
  ["zipped_divide", { e: "zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)" }],
  ["over bits", { e: "linear{register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]]}" }],
  ["an error and its witness", { e: "(6,2):(1,7) o (3,2):(2,3)" }],
];

/** The first request of the page. */
export function exploreAsks(p: Params): Ask[] {
  const expr = textOf(p, "e", firstExpr);
  return [["inspect", { expr, type: typeIn(p), tile: textOf(p, "tile"), ...given(p.set) }], ["tokens", { expr }]];
}

export function Explore(p: { palette: Palette }) {
  const t = useLabels();
  const params = useParams();
  const [expr] = useParam("e", firstExpr);
  const type = typeIn(params);
  // The first expression has its own type, so a change writes both parameters.
  const change = (e: string, t: string) => set({ e: e || " ", t: t === "f32" ? "" : t });
  const setExpr = (e: string) => change(e, type);
  const [tile, setTile] = useParam("tile");
  const [by, setBy] = useParam("by", "auto");
  const [text, setText] = useParam("text", "auto");
  const [picked, setPicked] = useParam("s");
  const values = given(params.set);
  const { data: answer, busy } = useCall<Inspection>("inspect", { expr, type, tile, ...values });
  const early = useMemo(() => (answer || tile || params.set ? null : plain(expr, type)), [answer === null, expr, type, tile, params.set]);
  const data = answer ?? early;
  const slow = useSlow(busy && !early);
  const [last, keep] = useState<Inspection | null>(null);
  // While the text being typed is not an expression, the last value stays visible, paler.
  if (data?.ok && data !== last && data.kind !== "none") keep(data);
  // An element of a value with another shape is not the selected one.
  const before = useRef({ form: "", picked });
  useEffect(() => {
    if (!answer?.ok || answer.kind === "none") return;
    const form = formOf(answer);
    const old = before.current;
    if (old.form && old.form !== form && old.picked === picked) setPicked(""); // a link brings its own selection
    before.current = { form, picked };
  }, [answer, picked]);
  const fault = data && !data.ok && !busy ? data.error : undefined;
  const calm = useCalm(expr);
  const said = calm ? fault : undefined;
  const { data: why } = useCall<ExplainAnswer>("explain", said ? { expr, top: true, ...values } : null);
  // A refused expression is drawn with its witness. The last value is visible only while the user types, or if there
  // is nothing to draw.
  const explained = said !== undefined && explains(why);
  const shown = data?.ok ? (data.kind === "none" ? null : data) : explained ? null : last;
  const fill = shown?.ok ? fillOf(by, shown) : {};
  const stale = slow || (data !== null && !data.ok);
  const symbols = shown?.symbols ?? [];
  const { laid, line } = useLaid(shown, type);
  const tryIt = (x: string) => { setExpr(x); remember(x); };
  const pictured = useMedia("(min-width: 1200px)"); // there is room for pictures beside the value
  return (
    <div class="page">
      <section class="ask">
        <ExprBar
          id="expr" label={t("expression")} value={expr} onChange={setExpr} history fault={said}
          place={said ? data!.place : undefined} placeholder="a layout, a swizzle, tiled_mma(...), or anything pasted"
        />
        <div class="ask-row">
          <label>{t("element")} <select value={type} onChange={(e) => change(expr, e.currentTarget.value)}>{types.map((t) => <option>{t}</option>)}</select></label>
          <label>{t("color by")} <select value={by} onChange={(e) => setBy(e.currentTarget.value)}>
            {["auto", "offset", "bank", "group", "thread", "warp", "value"].map((t) => <option value={t}>{t === "group" ? "group of 4 banks" : t}</option>)}
          </select></label>
          <label>{t("cells")} <select aria-label="text of cells" value={text} onChange={(e) => setText(e.currentTarget.value)}>
            {texts.map(([t, words]) => <option value={t}>{words}</option>)}
          </select></label>
          <label title="Reads the layout as (thread, value) to the index in a tile of this shape">{t("as (thread, value) of a tile")}{" "}
            <input size={9} value={tile} placeholder="(16,8)" onInput={(e) => setTile(e.currentTarget.value)} />
          </label>
          {expr.trim() && !/\n/.test(expr) && expr.length <= 2000 && (
            <button type="button" class="link" title="names this value in a list of values in which every number can be dragged" onClick={() => go("open", { name: rowsName, text: `a = ${expr}\n` })}>{t("name it")}</button>
          )}
          <details class="examples"><summary>{t("examples")}</summary><ul>
            {examples.map(([name, params]) => (
              <li><button type="button" onClick={() => { change(params.e, params.t ?? "f32"); setTile(""); setPicked(""); }}>{name}</button></li>
            ))}
          </ul></details>
        </div>
        {line}
        {symbols.length > 0 && <Symbols names={symbols} trials={shown?.trials ?? []} text={params.set ?? ""} onChange={(x) => set({ set: x })} />}
        <Outcome over={Boolean(said && shown)}>
          {said && <Fault fault={said} now fixed={repaired(expr, said, data!.place)} onTry={tryIt} />}
          {!said && shown && <p class={"answer" + (stale ? " stale" : "")}><output aria-live="polite" data-testid="value">{shown.value}</output> <span class="quiet">{shown.kind?.replaceAll("_", " ")}{shown.swizzle && shown.kind !== "swizzle" && `, swizzled in elements of ${shown.type}`}</span></p>}
          {!said && shown && <Export key={[expr, type, tile, params.set].join("\n")} expr={expr} dark={p.palette.dark} draw={{ type, tile, ...fill.draw }} given={values} note={fill.note} idle={!answer?.ok} undrawn={shown.static && !shown.operands ? "pictures need the values of the run-time integers" : undefined} />}
          {!said && params.e === undefined && (
            <>
              <p class="begin small"><span class="quiet">{t("Type a layout, or paste one, a compiler error, a dump, C++, Python, Triton or PTX. Begin with")}</span>
                {examples.slice(1).filter(([name]) => !pictured || !hasThumb(name)).map(([name, own]) => <button type="button" class="link" onClick={() => change(own.e, own.t ?? "f32")}>{name}</button>)}
              </p>
              {pictured && <div class="thumbs" role="group" aria-label={t("examples")}>
                {examples.slice(1).filter(([name]) => hasThumb(name)).map(([name, own]) => (
                  <button type="button" key={name} title={own.e} onClick={() => change(own.e, own.t ?? "f32")}><Thumb name={name} palette={p.palette} /><span>{name}</span></button>
                ))}
              </div>}
            </>
          )}
          {!said && data?.ok && <Notes notes={data.notes} />}
          {!said && data?.ok && data.in_bytes && <p class="small" data-testid="in-bytes">read the swizzle as one of bytes of {data.type}: <button type="button" class="link" onClick={() => tryIt(data.in_bytes!)}><code>{data.in_bytes}</code></button></p>}
          {said && explained && <Failure expr={expr} fault={said} answer={why!} type={type} palette={p.palette} onTry={tryIt} />}
        </Outcome>
      </section>
      {!shown && <Early />}
      {shown?.kind === "tuple" && <TupleCard value={shown} stale={stale} onDraw={(x) => { setExpr(x); remember(x); }} />}
      {shown && shown.kind !== "tuple" && <Views value={shown} palette={p.palette} by={by as ColorBy} text={text} laid={laid} stale={stale} picked={picked} onPick={setPicked} />}
    </div>
  );
}

/** What two values have in common if their elements have the same coordinates. */
function formOf(v: Inspection): string {
  const operands = v.operands?.map((o) => [o.name, ...o.modes, o.rows, o.cols].join(" ")) ?? []; // some are BigInt
  return [v.kind, ...operands].join("; ");
}

interface ViewsProps {
  value: Inspection;
  palette: Palette;
  by: ColorBy;
  text?: string; // what cells of the logical grid show: auto, index or coordinate
  stale?: boolean;
  picked: string;
  onPick: (s: string) => void;
  box?: (o: Operand) => ComponentChildren; // what is shown of an operand that is in shared memory
  threadsFolded?: boolean; // the grids by thread are folded
  laid?: Laid; // where the elements of an operand are in a memory, which colors them
  only?: string[]; // the views to show: grid, threads, memory, matrix, element, tree, facts; all if absent
}

/** All views of a value, linked. */
export function Views(p: ViewsProps) {
  const t = useLabels();
  const v = p.value;
  const ops = v.operands ?? [];
  const has = (view: string) => !p.only || p.only.includes(view);
  const [pointed, setHover] = useState<Spot | null>(null);
  // After an edit the element under the pointer may not exist any more.
  const at = pointed && ops[pointed.operand];
  const hover = at && filled(at) && pointed.element < at.size ? pointed : null;
  const [mem, setTab] = useParam("mem", "memory");
  const pinned = parseSpot(p.picked, v);
  const spot = hover ?? pinned;
  // The mode of the tree or bit of the matrix under the pointer. Only a value with one operand has these.
  const [grouped, setGrouped] = useState<{ of: Inspection; group: Group } | null>(null);
  const group = grouped?.of === v ? grouped.group : null; // the group of another value does not apply
  const setGroup = (g: Group | null) => setGrouped(g && { of: v, group: g });
  const glows = useMemo(
    () => ops.map((_, k) => (group ? groupGlow(group, spot?.element ?? -1) : lighting(v, spot, k))),
    [v, spot?.operand, spot?.element, group?.id],
  );
  const views = useMemo(() => ops.map((o, k) => operandGrids(o, v, p.palette, p.by, p.text, p.laid?.operand === k ? p.laid : undefined)), [v, p.palette, p.by, p.text, p.laid]);
  const boxed = (o: Operand) => Boolean(p.box && o.space === "shared memory");
  const three = isMMA(ops) && has("grid") && views.every((g) => g.logical) && !ops.some(boxed);
  const [mainBox, mainWidth] = useSize<HTMLDivElement>();
  const lines = useMemo(() => (three && mainWidth > 0 ? aligned(views.map((g) => g.logical!), mainWidth) : null), [three, views, mainWidth]);
  const panel = (k: number, id: string, grid: Grid | Fluid, name: string, more: { maxHeight?: number; frame?: Frame; legend?: boolean; dots?: string | false } = {}) => (
    <GridCanvas
      key={id} id={id} grid={grid} name={name} maxHeight={more.maxHeight} frame={more.frame}
      glow={glows[k]} glowing={spot !== null || group !== null}
      selected={pinned?.operand === k ? pinned.element : -1} held={pinned !== null}
      onHover={(i) => setHover(i < 0 ? null : { operand: k, element: i })}
      onSelect={(i) => p.onPick(i < 0 ? "" : `${k}.${i}`)}
    >
      {more.legend && (p.laid?.operand === k ? <Fills fills={[p.laid.fill(p.palette)]} /> : <Legend operand={ops[k]} by={p.by} palette={p.palette} />)}
      {more.legend && <Holders operand={ops[k]} />}
      {more.dots && <p class="legend small"><span>{more.dots}</span></p>}
    </GridCanvas>
  );
  const single = ops.length === 1;
  // The dots mean shared offsets; if threads hold the elements, they mean several holders.
  const aliased = (k: number) => Boolean(!ops[k].row && views[k].logical?.marked);
  const dots = ops.length > 0 && aliased(0) && "a red dot: several elements are there, and the first is shown";
  const input = spot && single ? spot.element : null; // elements are in the order of the index
  const first = views[0];
  const tab = mem === "bank" && first?.banks ? "bank" : "memory";
  const side = (
    <div class="side">
      {has("element") && ops.some(filled) && <figure class="card"><figcaption><b>{t("element")}</b></figcaption><Inspector value={v} laid={p.laid} spot={spot} pinned={pinned} fingers={matchMedia("(hover: none) and (pointer: coarse)").matches} onLetGo={() => { setHover(null); p.onPick(""); }} /></figure>}
      {has("tree") && v.tree && <figure class="card"><figcaption><b>{t("shape tree")}</b> <span>extent:stride</span></figcaption><Tree tree={v.tree} digits={input !== null ? digits(v.tree, input) : undefined} onLeaf={(worth, extent) => setGroup(worth > 0 ? alongLeaf(spot?.element ?? 0, worth, extent) : null)} /></figure>}
      {has("facts") && (v.facts?.length ?? 0) > 0 && (
        <figure class="card"><figcaption><b>{t("facts")}</b></figcaption><dl class="facts">{v.facts!.map((f) => <><dt>{f.name}</dt><dd>{f.value}</dd></>)}</dl></figure>
      )}
    </div>
  );
  return (
    <div class={"views" + (p.stale ? " stale" : "") + (three ? " of-mma" : "")}>
      {v.outline && <p class="outline-note">More than 131,072 elements or places: only what does not grow with them is shown. Take a tile to see its elements.</p>}
      {!v.operands && v.static && has("grid") && (
        <div class="outline-note" data-testid="symbolic">
          <p>Its elements are known at run time only. Give the integers values above to see some of them{v.symbols?.length ? `: ${v.symbols.join(", ")}` : ""}.</p>
          {v.extents && <Extents modes={v.extents} />}
        </div>
      )}
      {has("grid") && <div ref={mainBox} class={"main" + (ops.some(boxed) ? " boxed" : "") + (three ? " mma" : "") + (lines?.column ? " in-line" : "")} style={lines?.column ? { gridTemplateColumns: `${lines.column}px minmax(0, 1fr)` } : undefined}>
        {views.map((g, k) =>
          boxed(ops[k]) ? (
            <figure class="card" key={k} data-testid={"logical-" + k}>
              <figcaption><b>{operandTitle(ops[k], t)}</b> <span>{ops[k].rows} × {ops[k].cols}</span> <span>in {ops[k].space}</span></figcaption>
              {p.box!(ops[k])}
            </figure>
          ) : g.logical ? (
            <figure class={"card operand-" + (ops[k].name ?? "one")} key={k} data-testid={"logical-" + k}>
              <figcaption><b>{ops[k].name ? operandTitle(ops[k], t) : t("logical")}</b> <span>{g.logical.rows} × {ops[k].panels > 1 ? `${ops[k].cols} × ${ops[k].panels}` : g.logical.cols}</span> {ops[k].space ? <span>in {ops[k].space}: no thread holds it</span> : !ops[k].text.includes("\n") && <code>{ops[k].text}</code>}</figcaption>
              {panel(k, "g" + k, g.logical, (ops[k].name ?? "") + " logical grid", { maxHeight: single ? 620 : 480, frame: lines?.frames[k], legend: true, dots: aliased(k) && "a red dot: another element has the same offset" })}
            </figure>
          ) : (
            <figure class="card" key={k}><figcaption><b>{ops[k].name ?? t("outline")}</b> {ops[k].modes.join(" × ")} <code>{ops[k].text}</code></figcaption><Extents modes={ops[k].modes.map(String)} /></figure>
          ),
        )}
        {three && side}
      </div>}
      {!three && side}
      {has("threads") && views.map((g, k) => g.hardware && (
        <figure class={"card" + (grids.wide(ops[k]) ? " wide" : "")} key={"h" + k} data-testid={"hardware-" + k}>
          <Folded folded={p.threadsFolded || (ops.length > 2 && (ops[k].threads ?? 0) > 64)} title={<><b>{ops[k].name ? `${ops[k].name} ${t("by thread")}` : t("by thread")}</b> <span>{partsOf(ops[k]).list.length} threads × {ops[k].values} values</span></>}>
            {panel(k, "h" + k, g.hardware, "hardware grid", { maxHeight: highest })}
          </Folded>
        </figure>
      ))}
      {has("memory") && first?.memory && (
        <figure class="card wide" data-testid="memory">
          <figcaption>
            <span class="tabs" role="tablist" aria-label="memory or banks" onKeyDown={arrows}>
              <button type="button" role="tab" aria-selected={tab === "memory"} tabIndex={tab === "memory" ? 0 : -1} onClick={() => setTab("memory")}>{t("memory")}</button>
              {first.banks && <button type="button" role="tab" aria-selected={tab === "bank"} tabIndex={tab === "bank" ? 0 : -1} onClick={() => setTab("bank")}>{t("banks")}</button>}
            </span>
            <span>{tab === "bank" ? `${v.type}: 32 banks of 4 bytes` : t("offsets, with the coordinate that is there")}</span>
          </figcaption>
          {first.banks && tab === "bank" ? panel(0, "b", first.banks, "banks", { dots }) : panel(0, "m", first.memory, "memory", { dots })}
        </figure>
      )}
      {has("memory") && !first?.memory && ops[0]?.exact && <figure class="card wide"><figcaption><b>{t("memory")}</b></figcaption><p class="quiet">Not drawn: offsets lie beyond 2^53.</p></figure>}
      {has("matrix") && v.matrix && <figure class="card wide" data-testid="matrix"><figcaption><b>{t("matrix over F2")}</b></figcaption><Matrix matrix={v.matrix} input={input} onGroup={setGroup} /></figure>}
      {has("matrix") && !v.matrix && v.no_matrix && ops.length > 0 && <figure class="card wide"><figcaption><b>{t("matrix over F2")}</b></figcaption><p class="quiet">None: {v.no_matrix}</p></figure>}
    </div>
  );
}

/** The outline of a layout whose shape is known only at run time: its first mode down, the others across. */
function Extents(p: { modes: string[] }) {
  const [rows, ...cols] = p.modes;
  return (
    <svg class="extents" viewBox="0 0 360 170" role="img" aria-label={`${rows} rows, ${cols.join(" × ") || "1"} columns`}>
      <rect x="100" y="40" width="250" height="120" fill="none" stroke="currentColor" />
      <path d="M100 70H350M100 130H350M140 40V160M310 40V160" stroke="currentColor" opacity="0.25" />
      <text x="225" y="28" text-anchor="middle">{cols.join(" × ") || "1"}</text>
      <text x="90" y="104" text-anchor="end">{rows}</text>
    </svg>
  );
}

function isMMA(ops: Operand[]): boolean {
  return ops.length === 3 && ops[1].name === "B";
}

/** Says how many threads hold each element, if it is not one. */
function Holders(p: { operand: Operand }) {
  const o = p.operand;
  if (!o.row || o.space) return null;
  const n = grids.owners(o);
  if (n === 1) return null;
  if (!o.thread) return <p class="quiet small">{n > 1 ? `${n} indices lead to each place: the cell shows the first` : "a dot marks the places to which several indices lead: the cell shows the first"}</p>;
  return <p class="quiet small">{n > 1 ? `each element is held ${n} times: broadcast` : "some elements are held more often than others: a dot marks them; some may be held by nobody"}</p>;
}

function operandTitle(o: Operand, t: (l: Label) => string): string {
  return o.row_name ? (o.name === "B" ? `B  (${o.col_name},${o.row_name})` : `${o.name}  (${o.row_name},${o.col_name})`) : o.name === "S" ? t("source") : o.name === "D" ? t("destination") : o.name!;
}

/** What cells may show. */
const texts = [["auto", "value"], ["index", "index"], ["coordinate", "coordinate"]] as const;

function operandGrids(o: Operand, v: Inspection, pal: Palette, by: ColorBy, text = "auto", laid?: Laid) {
  if (!filled(o)) return {};
  const color = laid ? laid.color(pal) : grids.colorOf(o, by, pal, v.shared);
  const label = text === "index" ? (i: number) => [String(i)] : text === "coordinate" ? (i: number) => [coordOf(o, i)] : undefined;
  const usual = grids.logical(o, color);
  const grid = label ? { ...usual, label } : usual;
  return {
    logical: o.name === "B" ? grids.transposed(grid) : grid,
    hardware: o.thread ? grids.hardware(o, color) : undefined,
    memory: o.thread ? null : grids.memory(o, color, v.shared),
    banks: o.thread ? null : grids.banks(o, pal, v.shared),
  };
}

/** The element that a text of the state names; null if the value does not have it. */
export function parseSpot(text: string, v: Inspection): Spot | null {
  const m = /^(\d+)\.(\d+)$/.exec(text);
  if (!m) return null;
  const spot = { operand: Number(m[1]), element: Number(m[2]) };
  const o = v.operands?.[spot.operand];
  return o && filled(o) && spot.element < o.size ? spot : null;
}
