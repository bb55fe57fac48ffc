// The first script of a page without a server. It shows the picture that a release has drawn of the link, and then loads
// the page's script, compressed also where the file server does not compress. The engine starts to load at the same time:
// it is most of what comes over the line, which would be idle while the page's script is read and run.

import type { Begun } from "./begun";

/** A file that is compressed with gzip, unless the file server has unpacked it. */
async function unpacked(file: string, type: string): Promise<string> {
  const r = await fetch(file);
  if (!r.ok) throw new Error(file + " is missing");
  const bytes = await r.arrayBuffer();
  const zipped = new Uint8Array(bytes)[0] === 0x1f;
  const plain = zipped ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")) : new Blob([bytes]).stream();
  return URL.createObjectURL(new Blob([await new Response(plain).arrayBuffer()], { type }));
}

/** The name of the picture of the link: FNV-1a of its fragment without the theme. */
function nameOfLink(): string {
  const parts = location.hash.slice(1).split("&").filter((x) => !x.startsWith("theme="));
  let h = 0x811c9dc5;
  for (const c of new TextEncoder().encode("#" + parts.join("&"))) h = Math.imul(h ^ c, 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

/** Shows the picture of the link, if there is one, until the page takes its place. */
async function showEarly(): Promise<void> {
  const name = nameOfLink();
  const drawn = document.querySelector<HTMLMetaElement>('meta[name="girih-early"]')?.content.split(" ") ?? [];
  if (!drawn.includes(name)) return;
  const image = new Image();
  image.src = await unpacked(`early/${name}.svg.gz`, "image/svg+xml");
  image.className = "early first";
  image.alt = "";
  await image.decode();
  (window as { girihEarly?: Record<string, string> }).girihEarly = { [name]: image.src };
  if (document.readyState === "loading") await new Promise((done) => addEventListener("DOMContentLoaded", done, { once: true }));
  document.querySelector("#app .wait")?.replaceWith(image);
}

/** Starts the worker of the engine that the page asks first. What it says waits until the page's script listens. */
function begin(): void {
  const sizes = new Map(document.querySelector<HTMLMetaElement>('meta[name="girih-sizes"]')?.content.split(",").map((x) => x.trim().split(" ") as [string, string]));
  const name = /[#&]p=kernel(&|$)/.test(location.hash) && sizes.has("kernels") ? "kernels" : "engine";
  if (typeof WebAssembly === "undefined") return; // the page says so
  const worker = new Worker("engine-worker.js", { name: `${name} ${sizes.get(name) ?? ""}` });
  const begun: Begun = { name, worker, said: [] };
  worker.onmessage = (e) => begun.said.push(e.data);
  worker.onerror = (e) => (begun.broken = e.message ?? "");
  (window as { girihBegun?: Begun }).girihBegun = begun;
}

async function start(): Promise<void> {
  await showEarly().catch(() => {}); // the page shows its value later
  begin();
  try {
    await import(await unpacked("app.js.gz", "text/javascript"));
  } catch {
    const script = document.createElement("script"); // a browser that does not unpack, or a host that forbids it
    script.type = "module";
    script.src = "app.js";
    document.body.append(script);
  }
}

void start();
