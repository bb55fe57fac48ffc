// The progress of the page's own engine, which is downloaded and started while the user can already type, and the
// error if it does not start.

import { useEffect, useState } from "preact/hooks";
import type { EngineState } from "./engine";
import { engineState, watchEngine } from "./engine";
import { fragment, now } from "./state";

// The links whose pictures a release has drawn, by the FNV-1a of their fragments.
const drawn = new Set(document.querySelector<HTMLMetaElement>('meta[name="girih-early"]')?.content.split(" "));

/** The file with the picture of the state, if there is one. */
function early(): string | undefined {
  let h = 0x811c9dc5;
  for (const c of new TextEncoder().encode(fragment(now()))) h = Math.imul(h ^ c, 0x01000193);
  const name = (h >>> 0).toString(16).padStart(8, "0");
  return drawn.has(name) ? `early/${name}.svg` : undefined;
}

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
  const picture = early();
  const percent = state.fraction === undefined ? undefined : Math.floor(100 * state.fraction);
  return (
    <div class="engine" role="status" data-testid="engine">
      <b>loading the engine</b> <span>{state.says}</span>
      <progress aria-label="loading the engine" max={100} value={percent} />
      <span class="quiet">You can type already.</span>
      {picture && <img class="early" data-testid="early" src={picture} alt="the picture of this link, until the engine is there" />}
    </div>
  );
}
