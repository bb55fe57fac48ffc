// The timeline: warps, stages and barriers over the instructions of the run, who waits, and when each hop moves data.

import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import type { Palette } from "../color";
import { css } from "../color";
import { put, WordsOf } from "../lang";
import { useParam } from "../state";
import { useSize } from "../use";
import type { Run, Timeline as Data, Track } from "./model";
import type { Moment } from "./play";
import { pathOf } from "./say";

const line = 17; // CSS pixels a track
const names = 132; // the room for the names
const most = 10; // tracks of a group, unless all are asked for

interface Props {
  run: Run;
  palette: Palette;
  moment: Moment | null;
  onMoment: (m: Moment) => void;
}

/** The tracks of the run's timeline, and one for each hop with the times of its accesses. */
function tracksOf(r: Run, all: boolean): Track[] {
  const hops: Track[] = r.hops.map((h) => ({ group: "hops", name: pathOf(r, h.id), marks: [] }));
  for (let a = 0; a < r.count; a++) {
    const marks = hops[r.accesses[6 * a]].marks!;
    const at = r.accesses[6 * a + 1];
    if (marks.length === 0 || marks[marks.length - 1].at !== at) marks.push({ at });
  }
  const own = r.answer.timeline?.tracks ?? [];
  const count = new Map<string, number>();
  return [...own, ...hops.filter((t) => t.marks!.length > 0)].filter((t) => {
    count.set(t.group, (count.get(t.group) ?? 0) + 1);
    return all || count.get(t.group)! <= most;
  });
}

/** The limits of the time that is drawn. */
function limits(r: Run, t: Data | undefined): [number, number] {
  const begin = Math.min(t?.begin ?? 0, r.count > 0 ? r.accesses[1] : 0); // data may move before a warp first waits
  return [begin, Math.max(t?.end ?? 0, r.answer.instructions ?? 0, begin + 1)];
}

/** The access at or after a time; the last one if there is none. */
export function accessAt(r: Run, time: number): number {
  let lo = 0;
  let hi = r.count;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (r.accesses[6 * mid + 1] < time) lo = mid + 1;
    else hi = mid;
  }
  return Math.min(lo, r.count - 1);
}

export function Timeline(p: Props) {
  const words = useContext(WordsOf);
  const { run } = p;
  const [allText, setAll] = useParam("tracks");
  const all = allText === "all";
  const tracks = useMemo(() => tracksOf(run, all), [run, all]);
  const total = useMemo(() => tracksOf(run, true).length, [run]);
  const [begin, end] = limits(run, run.answer.timeline);
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = tracks.length * line + 4;
  const time = p.moment && run.count > 0 ? run.accesses[6 * p.moment.access + 1] : -1;
  const room = Math.min(names, width * 0.3);
  // The tracks are drawn once; the cursor moves over a copy.
  const drawn = useRef<HTMLCanvasElement | null>(null);
  const frame = useRef(0);
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  useEffect(() => {
    drawn.current = null;
  }, [tracks, w, h, p.palette]);
  useEffect(() => {
    const c = canvas.current;
    if (!c || width === 0) return;
    frame.current = requestAnimationFrame(() => {
      const style = getComputedStyle(c);
      if (!drawn.current) {
        const copy = Object.assign(document.createElement("canvas"), { width: w, height: h });
        const x = copy.getContext("2d")!;
        x.setTransform(ratio, 0, 0, ratio, 0, 0);
        draw(x, { tracks, begin, end, width, room, palette: p.palette, style });
        drawn.current = copy;
      }
      if (c.width !== w || c.height !== h) [c.width, c.height] = [w, h];
      const x = c.getContext("2d")!;
      x.clearRect(0, 0, w, h);
      x.drawImage(drawn.current, 0, 0);
      if (time < 0) return;
      x.fillStyle = style.getPropertyValue("--accent");
      x.fillRect((room + ((time - begin) / (end - begin)) * (width - room - 2) - 1) * ratio, 0, 2 * ratio, h);
    });
    return () => cancelAnimationFrame(frame.current);
  }, [tracks, w, h, time, p.palette]);
  const press = (e: MouseEvent) => {
    const r = canvas.current!.getBoundingClientRect();
    const at = begin + ((e.clientX - r.left - room) / Math.max(r.width - room, 1)) * (end - begin);
    if (at >= begin && run.count > 0) p.onMoment({ access: accessAt(run, at), phase: -1 });
  };
  const waits = time < 0 ? [] : tracks.flatMap((t) => (t.spans ?? []).filter((s) => s.kind !== "run" && s.from <= time && time < s.to).map((s) => `${t.name}: ${s.tip || s.text || s.kind}`));
  return (
    <section class="card timeline" data-testid="timeline">
      <figcaption><b>{words["kernel timeline"]}</b> <span>{put(words["kernel timeline of"], (end - begin).toLocaleString("en"))}</span>
        {(all || total > tracks.length) && <button type="button" class="link" aria-pressed={all} onClick={() => setAll(all ? "" : "all")}>{put(words[all ? "kernel fewer tracks" : "kernel all tracks"], total)}</button>}
        {run.answer.timeline?.legend?.map((l) => <span class="legend" key={l.kind}><i style={{ background: color(l.kind, undefined, p.palette) }} /> {l.text || l.kind}</span>)}
      </figcaption>
      <div ref={box}><canvas ref={canvas} role="img" aria-label={put(words["kernel timeline says"], tracks.map((t) => t.name).join(", "))} style={{ width: "100%", height: height + "px" }} onClick={press} /></div>
      <p class="quiet small timeline-now">{time < 0 ? words["kernel timeline hint"] : waits.length > 0 ? waits.join("; ") : words["kernel nobody waits"]}</p>
    </section>
  );
}

function color(kind: string, stage: number | undefined, palette: Palette): string {
  const hue: Record<string, number> = { run: 0, wait: 1, fill: 2, ready: 3, drain: 4 };
  return css(palette.shade(hue[kind] ?? 5, stage !== undefined && stage >= 0 ? stage % 4 : 2, 4));
}

interface Scene {
  tracks: Track[];
  begin: number;
  end: number;
  width: number;
  room: number;
  palette: Palette;
  style: CSSStyleDeclaration;
}

function draw(x: CanvasRenderingContext2D, s: Scene): void {
  const of = (at: number) => s.room + ((at - s.begin) / (s.end - s.begin)) * (s.width - s.room - 2);
  const [ink, soft, faint, bad] = ["--ink", "--soft", "--faint", "--bad"].map((v) => s.style.getPropertyValue(v));
  x.font = "11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
  x.textBaseline = "middle";
  s.tracks.forEach((t, k) => {
    const y = 2 + k * line;
    x.fillStyle = faint;
    x.fillRect(s.room, y + 2, s.width - s.room, line - 4);
    x.fillStyle = soft;
    x.textAlign = "left";
    x.fillText(t.name, 0, y + line / 2, s.room - 8);
    for (const b of t.spans ?? []) {
      const [from, to] = [of(b.from), of(b.to)];
      x.fillStyle = color(b.kind, b.stage, s.palette);
      x.fillRect(from, y + 2, Math.max(to - from, 1), line - 4);
      if (b.text && to - from > b.text.length * 6.8 + 4) {
        x.fillStyle = ink;
        x.fillText(b.text, from + 3, y + line / 2);
      }
    }
    x.fillStyle = t.group === "findings" ? bad : t.group === "hops" ? css(s.palette.shade(k, 0, 1)) : ink;
    const whole = t.group === "hops" || t.group === "findings"; // marks on spans are at the foot of the spans
    for (const m of t.marks ?? []) x.fillRect(of(m.at), y + (whole ? 2 : line - 7), t.group === "findings" ? 2 : 1, whole ? line - 4 : 5);
  });
}
