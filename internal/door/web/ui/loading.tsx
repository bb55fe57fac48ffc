// The progress of the page's own engine, which is downloaded and started while the user can already type, and the
// error if it does not start.

import { useEffect, useState } from "preact/hooks";
import type { EngineState } from "./engine";
import { engineState, watchEngine } from "./engine";

export function Loading() {
  const [state, update] = useState<EngineState>(engineState);
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
  const percent = state.fraction === undefined ? undefined : Math.floor(100 * state.fraction);
  return (
    <div class="engine" role="status" data-testid="engine">
      <b>loading the engine</b> <span>{state.says}</span>
      <progress aria-label="loading the engine" max={100} value={percent} />
      <span class="quiet">You can type already.</span>
    </div>
  );
}
