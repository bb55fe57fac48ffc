// The pictures that a release has drawn of links: the page shows the one of its state until it can draw the value itself.

import { waitFor } from "./engine";
import { fragment, now, useParams } from "./state";

// The links that have pictures, by the FNV-1a of their fragments.
const drawn = new Set(document.querySelector<HTMLMetaElement>('meta[name="girih-early"]')?.content.split(" "));

/** The file with the picture of the state, if there is one. */
function file(): string | undefined {
  const { theme: _, ...own } = now();
  let h = 0x811c9dc5;
  for (const c of new TextEncoder().encode(fragment(own))) h = Math.imul(h ^ c, 0x01000193);
  const name = (h >>> 0).toString(16).padStart(8, "0");
  return drawn.has(name) ? `early/${name}.svg` : undefined;
}

// How long the engine waits for the picture, in milliseconds.
const patience = 3000;

/** Loads the picture of the first state, before the engine, which needs the line for seconds. */
export function loadEarly(): void {
  const src = file();
  if (!src) return;
  const image = new Image();
  image.fetchPriority = "high";
  image.src = src;
  waitFor(Promise.race([image.decode().catch(() => {}), new Promise<void>((done) => setTimeout(done, patience))]));
}

/** The picture of the state, which the page shows as long as it has no value. */
export function Early() {
  useParams();
  const src = file();
  return src ? <img class="early" data-testid="early" src={src} alt="the picture of this link, until the engine is there" /> : null;
}
