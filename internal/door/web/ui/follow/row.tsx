// The row of grids: a column for each kind of memory that the data pass, with what moves them there and the verdict.

import { useContext, useMemo, useRef } from "preact/hooks";
import { GridCanvas } from "../canvas";
import type { Palette } from "../color";
import type { Fluid, Grid } from "../grid";
import { WordsOf } from "../lang";
import type { Glow } from "../model";
import { set, useParam } from "../state";
import { arrows, useSize } from "../use";
import type { View } from "./grids";
import * as grids from "./grids";
import { verdictOf } from "./hops";
import type { Column } from "./layout";
import { columnsOf, linesOf } from "./layout";
import type { Hop, Place, Run } from "./model";
import type { Contents } from "./play";
import { cellText, heldIn, story } from "./say";
import type { Spot, Trace } from "./trace";

interface Props {
  run: Run;
  palette: Palette;
  lit: (Uint8Array | undefined)[] | null; // by place; null if nothing is lit
  trace: Trace | null;
  contents: Contents | null; // at the moment of the player
  pinned: Spot | null;
  panelAt: (place: Place) => number; // the stage whose banks are shown
  onHover: (s: Spot | null) => void;
  onSelect: (s: Spot | null) => void;
  onWhy: (place: Place) => void;
}

/** Whether lit cells are so few, or so small, that they would be overlooked: they are framed. */
function isFew(p: Place, lit: Uint8Array | undefined, traced: boolean): boolean {
  if (!lit) return false;
  const most = traced && Math.max(p.rows, p.threads ?? 0) > 48 ? 600 : 8;
  let n = 0;
  for (let i = 0; i < lit.length && n <= most; i++) if (lit[i] >= 2) n++;
  return n <= most;
}

export function Row(p: Props) {
  const words = useContext(WordsOf);
  const columns = useMemo(() => columnsOf(p.run), [p.run]);
  const [wide, setWide] = useParam("wide");
  const room = (c: Column, k: number) => (String(k) === wide ? "minmax(11.5rem, 3fr)" : c.mma ? "minmax(17rem, 1.5fr)" : "minmax(11.5rem, 1fr)");
  const [box, width] = useSize<HTMLDivElement>();
  const lines = useMemo(() => (width > 0 ? linesOf(columns, width) : []), [columns, width]); // the width is known before anything is painted
  return (
    <div class="flow-lines" ref={box} data-testid="flow">
      {lines.map((line) => (
        <div class="flow" key={line[0]} style={{ "--columns": line.map((k) => room(columns[k], k)).join(" ") }}>
          {line.map((k) => (
            <section class={"flow-column" + (columns[k].mma ? " of-mma" : "")} key={k} aria-label={words[`kernel ${columns[k].title}`]}>
              <h2>{k > 0 && <span class="flow-arrow" aria-hidden="true">→ </span>}{words[`kernel ${columns[k].title}`]}
                <button type="button" class="link widen" aria-pressed={String(k) === wide} title={words["kernel wide"]} aria-label={words["kernel wide"]} onClick={() => setWide(String(k) === wide ? "" : String(k))}>⇔</button>
              </h2>
              <div class="flow-places">
                {columns[k].places.map((place) => <PlaceCard key={place.id} {...p} place={place} />)}
              </div>
            </section>
          ))}
        </div>
      ))}
    </div>
  );
}

function PlaceCard(p: Props & { place: Place }) {
  const { place, run } = p;
  const words = useContext(WordsOf);
  const [chosen, choose] = useParam("v"); // the view of each place: 2.tile,5.threads
  const act = useRef(p);
  act.current = p;
  const views = grids.viewsOf(place);
  const own = chosen.split(",").find((x) => x.startsWith(place.id + "."))?.split(".")[1] as View | undefined;
  const view = own && views.includes(own) ? own : views[0];
  const panel = view === "banks" ? p.panelAt(place) : -1;
  const version = p.contents ? p.contents.version[place.id] : -1;
  const fill = useMemo(() => grids.fillOf(run, place, p.palette, view), [run, place, p.palette, view]);
  const grid = useMemo(() => gridOf(p, view, panel, fill, words), [run, place, p.palette, view, panel, version, words]);
  const lit = p.lit?.[place.id];
  const text = useMemo(() => story(run, place, lit, p.trace, p.contents, words).join("\n"), [run, place, lit, version, words]);
  const few = useMemo(() => isFew(place, lit, p.trace !== null), [place, lit, p.trace]);
  // The loads of operands are in the instruction that multiplies them.
  const hops = run.hops.filter((h) => h.to === place.id && (place.kind !== "operand" || !verdictOf(h).ok));
  // A grid in which nothing changes is not drawn again.
  const [glowing, selected, held] = [p.lit !== null, p.pinned?.place === place.id ? p.pinned.cell : -1, p.pinned !== null];
  const canvas = useMemo(() => grid && (
    <GridCanvas
      id={"k" + place.id} name={place.name} grid={grid} maxHeight={place.kind === "operand" ? 150 : 230}
      glow={(i) => (few && lit![i] === 2 ? 3 : (lit?.[i] ?? 0)) as Glow} glowing={glowing} selected={selected} held={held}
      onHover={(i) => act.current.onHover(i < 0 ? null : { place: place.id, cell: i })}
      onSelect={(i) => act.current.onSelect(i < 0 ? null : { place: place.id, cell: i })}
    >
      <p class="story" title={text}>{text.split("\n").map((x, k) => <span key={k}>{x}</span>)}</p>
    </GridCanvas>
  ), [grid, lit, few, glowing, selected, held, text]);
  const select = (to: View) => choose([...chosen.split(",").filter((x) => x && !x.startsWith(place.id + ".")), ...(to === views[0] ? [] : [`${place.id}.${to}`])].join(","));
  return (
    <figure class={"card place of-" + place.kind} data-testid={(place.kind === "operand" ? "operand-" : "place-") + place.name}>
      {hops.map((h) => <HopLine key={h.id} run={run} hop={h} />)}
      <figcaption>
        <b>{place.name}</b> {place.cute && <code title={place.words}>{place.cute}</code>} <span>{place.type}{place.rows * place.cols > 0 && ` ${place.rows}×${place.cols}`}{place.panels > 1 && `×${place.panels}`}</span>
        {views.length > 1 && (
          <span class="tabs" role="tablist" aria-label={place.name} onKeyDown={arrows}>
            {views.map((v) => <button type="button" role="tab" key={v} aria-selected={v === view} tabIndex={v === view ? 0 : -1} onClick={() => select(v)}>{words[`kernel view ${v}`]}</button>)}
          </span>
        )}
        {(place.layout || place.words) && <button type="button" class="link" onClick={() => p.onWhy(place)}>{words["kernel why"]}</button>}
      </figcaption>
      {canvas}
    </figure>
  );
}

function gridOf(p: Props & { place: Place }, view: View, panel: number, fill: (i: number) => readonly [number, number, number], words: Parameters<typeof cellText>[3]): Grid | Fluid | null {
  const { place, contents } = p;
  // What is not there yet is paler.
  const there = (i: number) => !contents || place.kind === "operand" || contents.held(place.id, i) !== null;
  const never = p.palette.paler(p.palette.plain());
  const known = place.rows * place.cols > 0; // otherwise all that is known of a cell is who holds it
  const color = (i: number) => (known && place.row[i] < 0 ? never : there(i) ? fill(i) : p.palette.paler(fill(i)));
  const element = (i: number) => {
    const held = heldIn(place, i, contents);
    return held ? [`${held[0]},${held[1]}`] : [];
  };
  const holder = (i: number) => (place.kind === "registers" ? ["T" + grids.threadOf(place, i), "V" + (i % Math.max(place.values ?? 1, 1))] : element(i));
  const say = (i: number) => cellText(place, i, contents, words);
  if (view === "threads") return grids.threads(place, color, { label: element, say });
  if (view === "lanes") return grids.lanes(place, color, { label: element, say });
  if (view === "banks") return grids.banks(place, panel, p.palette, color, { label: element, say });
  return grids.tile(place, color, { label: holder, say });
}

/** What brings data to a place, with its verdict in short; it selects the hop. */
function HopLine(p: { run: Run; hop: Hop }) {
  const [chosen] = useParam("h");
  const v = verdictOf(p.hop);
  const on = chosen === String(p.hop.id);
  return (
    <button type="button" class={"hop-line" + (v.ok ? "" : " bad")} aria-pressed={on} title={p.hop.words} onClick={() => set({ h: on ? "" : String(p.hop.id) })}>
      <span class={v.ok ? "good" : "failed"}>{v.ok ? "✓" : "✗"}</span> <code>{p.hop.instruction}</code> {v.short && <span class="quiet">{v.short}</span>}
    </button>
  );
}
