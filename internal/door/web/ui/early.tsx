// The pictures that a release has drawn of links: the page shows the one of its state until it can draw the value itself.

import { useEffect, useState } from "preact/hooks";
import { waitFor } from "./local";
import { fragment, now, useParams } from "./state";

// The links that have pictures, by the FNV-1a of their fragments.
const drawn = new Set(document.querySelector<HTMLMetaElement>('meta[name="girih-early"]')?.content.split(" "));

// The addresses of the pictures that are here. The first script has loaded the one of the first link.
const here = (window as { girihEarly?: Record<string, string> }).girihEarly ?? {};

/** The name of the picture of the state, if there is one. */
function nameNow(): string | undefined {
  const { theme: _, ...own } = now();
  let h = 0x811c9dc5;
  for (const c of new TextEncoder().encode(fragment(own))) h = Math.imul(h ^ c, 0x01000193);
  const name = (h >>> 0).toString(16).padStart(8, "0");
  return drawn.has(name) ? name : undefined;
}

async function load(name: string): Promise<void> {
  const r = await fetch(`early/${name}.svg.gz`);
  if (!r.ok) return;
  const bytes = await r.arrayBuffer();
  const zipped = new Uint8Array(bytes)[0] === 0x1f; // unless the file server has unpacked it
  const plain = zipped ? await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes;
  here[name] = URL.createObjectURL(new Blob([plain], { type: "image/svg+xml" }));
}

// How long the engine waits for the picture, in milliseconds.
const patience = 3000;

/** Loads the picture of the first state, before the engine, which needs the line for seconds. */
export function loadEarly(): void {
  const name = nameNow();
  if (!name || here[name]) return;
  waitFor(Promise.race([load(name).catch(() => {}), new Promise<void>((done) => setTimeout(done, patience))]));
}

/** The picture of the state, which the page shows as long as it has no value. */
export function Early() {
  useParams();
  const name = nameNow();
  const [, come] = useState(0);
  const src = name && here[name];
  useEffect(() => {
    if (name && !here[name]) void load(name).then(() => come((n) => n + 1), () => {});
  }, [name]);
  return src ? <img class="early" data-testid="early" src={src} alt="the picture of this link, until the engine is there" /> : null;
}
