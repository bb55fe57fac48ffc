// The kernel page: the data of a kernel, from global memory to the tensor cores and back. Point at an element anywhere,
// and everything lights up that it comes from and goes to.

import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import type { Palette } from "../color";
import type { Ask } from "../engine";
import { answered, drop } from "../engine";
import { Fault, Notes, useCalm } from "../fault";
import { Difference, Hops } from "../follow/hops";
import { Input } from "../follow/input";
import { Findings, Journey } from "../follow/journey";
import type { FollowAnswer, Place, Repair, Run } from "../follow/model";
import { accessOf, instructionOf, runOf } from "../follow/model";
import type { Moment } from "../follow/play";
import { Contents } from "../follow/play";
import { Player, useMoment } from "../follow/player";
import type { Request } from "../follow/request";
import { differences, firstKernel, repaired, requestOf, stateOf } from "../follow/request";
import { Row } from "../follow/row";
import { litAt } from "../follow/say";
import { Sources } from "../follow/source";
import { accessAt, Timeline } from "../follow/timeline";
import type { Spot, Trace } from "../follow/trace";
import { elementOfMany, Paths, withSources } from "../follow/trace";
import { put, useTexts, WordsOf } from "../lang";
import type { Params } from "../state";
import { set, useParam, useParams } from "../state";
import { useCall, useSlow } from "../use";
import { Drawer } from "../views/drawer";

/** The subject of a state, for the title of the window. */
export function kernelSubject(p: Params): string {
  return p.as ? p.as : (p.k ?? firstKernel);
}

export function kernelAsks(p: Params): Ask[] {
  const q = requestOf(p);
  return q ? [["kernel", {}], ["follow", q]] : []; // the list takes no time, and a run does
}

export function Kernel(p: { palette: Palette }) {
  const params = useParams();
  const { texts: { words } } = useTexts();
  const request = requestOf(params);
  const key = JSON.stringify(request);
  // A run takes longer than an expression, so it waits until the options are typed.
  const calm = useCalm(key);
  const [asked, ask] = useState(key);
  if (calm && asked !== key) ask(key);
  const { data, busy } = useCall<FollowAnswer>("follow", useMemo(() => JSON.parse(asked) as object | null, [asked]));
  // A run for options that have changed, or for a page that is left, is not finished.
  useEffect(() => () => { if (asked !== "null") drop("follow", JSON.parse(asked) as object); }, [asked]);
  const slow = useSlow(busy);
  const [last, keep] = useState<FollowAnswer | null>(null);
  if (data?.ok && data !== last) keep(data);
  const shown = data?.ok ? data : last;
  const run = useMemo(() => runOf(shown), [shown]);
  const fault = !busy && data && !data.ok && calm ? data.error : undefined;
  const gone = request === null;
  return (
    <WordsOf.Provider value={words}>
      <div class="page kernel-page">
        <section class="ask">
          <h1 class="visually-hidden">{kernelSubject(params)}</h1>
          <Input request={request} title={shown?.title ?? ""} />
          <div class={run ? "kernel-fault" : ""}>{fault && <Fault fault={fault} now fixed={data?.launch} onTry={(call) => set({ run: call, s: "", m: "" })} />}</div>
          {gone && <p class="quiet" data-testid="gone">{words["kernel gone"]}</p>}
          <p class="kernel-state quiet small" aria-live="polite">{slow ? words["kernel running"] : run ? stateText(run, words["kernel facts"]) : " "}</p>
        </section>
        {run && <Body key={run.answer.name} run={run} palette={p.palette} request={request} stale={slow || Boolean(fault) || asked !== key} />}
      </div>
    </WordsOf.Provider>
  );
}

/** The block, threads, sizes and length of the run in a line. */
function stateText(r: Run, text: string): string {
  const a = r.answer;
  const values = Object.entries(a.values ?? {}).map(([k, v]) => `${k}=${v}`).join(", ");
  return put(text, (a.block ?? [0]).join(","), (a.grid ?? [1]).join("×"), a.threads ?? 0, values, (a.instructions ?? 0).toLocaleString("en"), r.count.toLocaleString("en"));
}

/** The cell that a text of the state names; null if the run does not have it. */
export function spotOf(text: string, r: Run): Spot | null {
  const m = /^(\d{1,3})\.(\d{1,9})$/.exec(text);
  const place = m && r.places[Number(m[1])];
  return place && Number(m[2]) < place.cells ? { place: place.id, cell: Number(m[2]) } : null;
}

interface BodyProps {
  run: Run;
  palette: Palette;
  request: Request | null;
  stale: boolean;
}

function Body(p: BodyProps) {
  const { run } = p;
  const words = useContext(WordsOf);
  const paths = useMemo(() => new Paths(run), [run]);
  const state = useMemo(() => new Contents(run), [run]);
  const [pointed, point] = useState<Spot | null>(null);
  const [picked, pick] = useParam("s");
  const pinned = useMemo(() => spotOf(picked, run), [picked, run]);
  const hover = pointed && spotOf(`${pointed.place}.${pointed.cell}`, run);
  const spot = hover ?? pinned;
  const [moment, go] = useMoment(run);
  const until = moment ? instructionOf(run, moment.access)[1] - 1 : -1;
  const contents = moment ? state.seek(until + 1) : null;
  const trace = useMemo<Trace | null>(() => (spot ? paths.follow(spot, until) : null), [paths, spot?.place, spot?.cell, until]);
  const of = useSources(paths, p.request, pinned);
  const listed = spot && spot.place === pinned?.place && spot.cell === pinned.cell ? of : null;
  const lit = useMemo(() => (trace ? (listed?.of ? withSources(run, trace.lit, listed.of) : trace.lit) : moment ? litAt(run, moment.access, moment.phase) : null), [trace, run, moment, listed]);
  const hops = useMemo(() => hopsIn(run, trace, moment), [run, trace, moment]);
  const [why, explain] = useState<{ title: string; expr: string; place?: Place } | null>(null);
  const panelAt = (place: Place) => panelOf(run, place, spot, moment);
  const line = (n: number) => set({ src: String(Math.max((run.answer.sources ?? []).findIndex((s) => s.lang === "ptx"), 0)), line: String(n) });
  const take = (r: Repair) => p.request && r.request && set({ ...stateOf(repaired(r.request)), was: JSON.stringify(p.request) });
  const select = (s: Spot | null) => pick(s ? `${s.place}.${s.cell}` : "");
  const whyPlace = (place: Place) => explain({ title: place.name, expr: place.layout ?? "", place });
  // Parts that do not depend on the element under the pointer stay as they are.
  const player = useMemo(() => <Player run={run} moment={moment} onMoment={go} />, [run, moment, words]);
  const timeline = useMemo(() => <Timeline run={run} palette={p.palette} moment={moment} onMoment={go} />, [run, p.palette, moment, words]);
  const still = useMemo(() => ({
    findings: <Findings run={run} onMoment={(time) => go({ access: accessAt(run, time), phase: -1 })} />,
    hops: <Hops run={run} onTake={take} onWhy={(h) => explain({ title: h.instruction, expr: h.atom ?? "" })} onLine={line} />,
    tensors: <><Tensors run={run} onWhy={whyPlace} /><Notes notes={run.answer.notes} /></>,
  }), [run, words, p.request]);
  const hopKey = [...hops].sort((a, b) => a - b).join();
  const sources = useMemo(() => <Sources run={run} lit={hops} />, [run, hopKey, words]);
  return (
    <div class={"kernel-body" + (p.stale ? " stale" : "")}>
      {!p.stale && <Changed run={run} request={p.request} />}
      {player}
      <Row
        run={run} palette={p.palette} lit={lit} trace={trace} contents={contents} pinned={pinned} panelAt={panelAt}
        onHover={point} onSelect={select} onWhy={whyPlace}
      />
      {timeline}
      {still.findings}
      <div class="kernel-below">
        <div class="kernel-side">
          <Journey run={run} spot={spot} trace={trace} of={listed?.ofText} contents={contents} onMoment={go} onLetGo={() => { point(null); pick(""); }} />
          {still.hops}
        </div>
        <div class="kernel-side">
          {sources}
          {still.tensors}
        </div>
      </div>
      {why && (
        <Drawer title={why.title} exprs={why.expr ? [why.expr] : []} close={words["kernel close"]} onClose={() => explain(null)}>
          {why.place && <p>{why.place.cute && <><code>{why.place.cute}</code> </>}{why.place.words}</p>}
        </Drawer>
      )}
    </div>
  );
}

/** What the selected element is computed of, if that is too much for the run's list of moves: the engine runs the kernel again. */
function useSources(paths: Paths, q: Request | null, s: Spot | null): FollowAnswer | null {
  const at = useMemo(() => elementOfMany(paths, s), [paths, s?.place, s?.cell]);
  const asked = at && q ? JSON.stringify({ ...q, at, only: true }) : "";
  const { data, busy } = useCall<FollowAnswer>("follow", useMemo(() => (asked ? (JSON.parse(asked) as object) : null), [asked]));
  return asked && !busy && data?.ok ? data : null; // while busy, data is of another element
}

/** The hops of what is lit, to mark their lines. */
function hopsIn(r: Run, t: Trace | null, m: Moment | null): ReadonlySet<number> {
  if (t) return new Set(t.moves.map((x) => r.accesses[6 * x.access]));
  return new Set(m ? [accessOf(r, instructionOf(r, m.access)[1] - 1).hop.id, accessOf(r, m.access).hop.id] : []);
}

/** The stage of shared memory whose banks are shown: that of the selected cell, or of the access at the moment. */
function panelOf(r: Run, place: Place, spot: Spot | null, m: Moment | null): number {
  if (!place.panel) return 0;
  if (spot?.place === place.id) return Math.max(place.panel[spot.cell], 0);
  const a = m && accessOf(r, m.access);
  if (a && a.hop.to === place.id) return Math.max(place.panel[a.to0 + a.shape.to[0]], 0);
  if (a?.shape.from && a.hop.from[0] === place.id) return Math.max(place.panel[a.from0 + a.shape.from[0]], 0);
  return 0;
}

/** What the last repair changed. */
function Changed(p: { run: Run; request: Request | null }) {
  const [was] = useParam("was");
  const before = useMemo(() => {
    try {
      return was ? (JSON.parse(was) as Request) : null;
    } catch {
      return null; // a URL may contain anything
    }
  }, [was]);
  const { data } = useCall<FollowAnswer>("follow", before);
  const old = runOf(before && (answered<FollowAnswer>("follow", before) ?? data));
  if (!before || !old || !p.request) return null;
  return <Difference before={old} after={p.run} changed={differences(before, p.request)} onUndo={() => set(stateOf(before))} onKeep={() => set({ was: "" })} />;
}

/** The names of all tensors, with their layouts and what each mode counts. */
function Tensors(p: { run: Run; onWhy: (place: Place) => void }) {
  const words = useContext(WordsOf);
  return (
    <section class="card" data-testid="tensors">
      <figcaption><b>{words["kernel tensors"]}</b></figcaption>
      <div class="scroll"><table>
        <tbody>{p.run.places.filter((x) => x.cute || x.layout || x.words).map((x) => (
          <tr key={x.id}>
            <th scope="row">{x.name}</th><td>{x.cute}</td><td>{x.layout && <button type="button" class="link" onClick={() => p.onWhy(x)}>{x.layout}</button>}</td><td class="prose-cell">{x.words}</td>
          </tr>
        ))}</tbody>
      </table></div>
    </section>
  );
}
