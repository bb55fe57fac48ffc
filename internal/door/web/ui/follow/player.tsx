// The player: one access after another, phase by phase, stage by stage or block by block.

import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { typing } from "../help";
import type { Words } from "../lang";
import { put, WordsOf } from "../lang";
import { get, set, useParam } from "../state";
import { hopsPlayed } from "./layout";
import type { Run } from "./model";
import { accessOf, instructionOf } from "./model";
import type { Moment, Stride } from "./play";
import { momentAt, moments, strides } from "./play";
import { mover, pathOf } from "./say";

// Browsers limit the rate of URL changes, so the URL changes when the player rests.
const rest = 300; // milliseconds

/** A moment out of a text such as 120.1; null for the whole run. */
export function momentOf(text: string, r: Run | null): Moment | null {
  const m = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text);
  return m && r && Number(m[1]) < r.count ? { access: Number(m[1]), phase: m[2] === undefined ? -1 : Number(m[2]) } : null;
}

function textOf(m: Moment | null): string {
  return m ? m.access + (m.phase < 0 ? "" : "." + m.phase) : "";
}

/** The moment in the URL, with its setter, which writes the URL after a pause. */
export function useMoment(r: Run | null): [Moment | null, (m: Moment | null) => void] {
  const [inURL] = useParam("m");
  const [text, update] = useState(inURL);
  const written = useRef(inURL);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (inURL === written.current) return;
    written.current = inURL;
    clearTimeout(timer.current);
    update(inURL);
  }, [inURL]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (m: Moment | null) => {
    const next = textOf(m);
    update(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (get("p") !== "kernel") return;
      written.current = next;
      set({ m: next });
    }, rest);
  };
  const moment = useMemo(() => momentOf(text, r), [text, r]);
  return [moment, change];
}

interface Props {
  run: Run;
  moment: Moment | null;
  onMoment: (m: Moment | null) => void;
}

export function Player(p: Props) {
  const words = useContext(WordsOf);
  const [strideText, setStride] = useParam("by", "access");
  const [hop] = useParam("h");
  const stride = (strides as readonly string[]).includes(strideText) ? (strideText as Stride) : "access";
  const only = stride === "phase" || stride === "access" ? hop : ""; // a chosen hop is played alone
  const list = useMemo(() => moments(p.run, stride, only ? hopsPlayed(p.run, Number(only)) : undefined), [p.run, stride, only]);
  const [playing, play] = useState(false);
  const at = p.moment ? momentAt(list, p.moment.phase < 0 ? { ...p.moment, phase: stride === "phase" ? 0 : -1 } : stride === "phase" ? p.moment : { ...p.moment, phase: -1 }) : -1;
  const go = (k: number) => list.length > 0 && p.onMoment(list[Math.min(Math.max(k, 0), list.length - 1)]);
  const now = useRef({ at, go, list });
  now.current = { at, go, list };
  useEffect(() => {
    if (!playing) return;
    const pause = stride === "phase" || stride === "access" ? 160 : 900;
    const timer = setInterval(() => {
      const x = now.current;
      if (x.at + 1 >= x.list.length) play(false);
      else x.go(x.at + 1);
    }, pause);
    return () => clearInterval(timer);
  }, [playing, stride]);
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (typing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      const x = now.current;
      if (e.key === "n") x.go(x.at + 1);
      else if (e.key === "b") x.go(x.at - 1);
      else if (e.key === "p") play((on) => !on);
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  const end = at + 1 >= list.length;
  const start = () => {
    if (!playing && end) go(0);
    play(!playing);
  };
  return (
    <section class="player" aria-label={words["kernel player"]} data-testid="player">
      <div class="player-keys">
        <button type="button" class="icon" title={words["kernel first"]} aria-label={words["kernel first"]} onClick={() => go(0)}>⇤</button>
        <button type="button" class="icon" title={words["kernel back"] + " (b)"} aria-label={words["kernel back"]} disabled={at <= 0} onClick={() => go(at - 1)}>←</button>
        <button type="button" class="icon play" title={words[playing ? "kernel pause" : "kernel play"] + " (p)"} aria-label={words[playing ? "kernel pause" : "kernel play"]} onClick={start}>{playing ? "❚❚" : "▶"}</button>
        <button type="button" class="icon" title={words["kernel next"] + " (n)"} aria-label={words["kernel next"]} disabled={list.length === 0 || (at >= 0 && end)} onClick={() => go(at + 1)}>→</button>
        <button type="button" class="icon" title={words["kernel last"]} aria-label={words["kernel last"]} onClick={() => go(list.length - 1)}>⇥</button>
      </div>
      <label>{words["kernel by"]} <select value={stride} onChange={(e) => setStride(e.currentTarget.value)}>{strides.map((s) => <option value={s}>{words[`kernel by ${s}`]}</option>)}</select></label>
      <input
        type="range" min={0} max={Math.max(list.length - 1, 0)} value={Math.max(at, 0)} aria-label={words["kernel position"]} aria-valuetext={saying(p.run, p.moment, words)}
        onInput={(e) => go(Number(e.currentTarget.value))}
      />
      <span class="player-at">{at < 0 ? put(words["kernel steps"], list.length.toLocaleString("en")) : put(words["kernel step of"], (at + 1).toLocaleString("en"), list.length.toLocaleString("en"))}</span>
      <button type="button" class="link" disabled={!p.moment} onClick={() => { play(false); p.onMoment(null); }}>{words["kernel whole"]}</button>
      <output class="player-says" data-testid="moment">{saying(p.run, p.moment, words)}</output>
    </section>
  );
}

/** What happens at a moment, in one line. */
function saying(r: Run, m: Moment | null, words: Words): string {
  if (!m) return words["kernel whole says"];
  const a = accessOf(r, instructionOf(r, m.access)[1] - 1);
  const phase = m.phase >= 0 && a.shape.phases > 1 ? ", " + put(words["kernel in phase"], m.phase, a.shape.phases) : "";
  return `${put(words["kernel instruction"], a.time.toLocaleString("en"))}: ${a.hop.instruction}, ${pathOf(r, a.hop.id)}, ${mover(r, { access: m.access, item: -1 }, words)}${phase}`;
}
