// The progress of the page's own engine, which is downloaded and started while the user can already type, and of a run
// that takes seconds; and the error if the engine does not start.

import { useEffect, useState } from "preact/hooks";
import { put, useTexts } from "./lang";
import type { EngineState } from "./status";
import { engineState, watchEngine } from "./status";

export function Loading() {
  const [state, update] = useState<EngineState>(engineState);
  const { words } = useTexts().texts;
  useEffect(() => watchEngine(update), []);
  if (state.kind === "ready") return null;
  if (state.kind === "failed") {
    return (
      <div class="engine failed" role="alert" data-testid="engine">
        <b>{state.what}</b> {state.why}
        <span class="quiet">{state.hint}</span>
      </div>
    );
  }
  if (state.kind === "running") {
    const [done, most] = [state.done, state.most].map((n) => n.toLocaleString("en"));
    const sorts = state.stage === "sort"; // only then is the total known
    return (
      <div class="engine" data-testid="running">
        <b>{words["kernel running"]}</b> <span>{put(words[sorts ? "kernel sorts" : "kernel ran"], done, most)}</span>
        <progress aria-label={words["kernel running"]} max={100} value={sorts ? Math.floor((100 * state.done) / state.most) : undefined} />
        <button type="button" onClick={state.stop}>{words["kernel stop"]}</button>
      </div>
    );
  }
  const percent = state.fraction === undefined ? undefined : Math.floor(100 * state.fraction);
  return (
    <div class="engine" role="status" data-testid="engine">
      <b>loading the engine</b> <span>{state.says}</span>
      <progress aria-label="loading the engine" max={100} value={percent} />
      <span class="quiet">You can type already.</span>
    </div>
  );
}
