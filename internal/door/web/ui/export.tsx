// Exports what is shown: as a picture (SVG, PNG, TikZ), as code (C++, CuTe DSL and others), or as a link.

import { useState } from "preact/hooks";
import type { Fault as FaultData } from "./engine";
import { call } from "./engine";
import { Fault } from "./fault";
import { filename } from "./filename";
import { keep, kept } from "./kept";
import { useLabels } from "./lang";
import type { Inspection } from "./model";
import { arrows } from "./use";

/** An answer of operation draw. */
export interface Drawing {
  ok: boolean;
  text?: string;
  width?: number;
  height?: number;
  error?: FaultData;
}

interface Shown {
  ok: boolean;
  texts?: { name: string; title?: string; text?: string; error?: FaultData }[];
  error?: FaultData;
}

interface Props {
  expr: string;
  dark: boolean;
  draw?: Record<string, unknown>; // further fields of the draw request
  pictures?: boolean; // no code
  note?: string; // how the picture differs from the view
  given?: { set?: string[] }; // the values of run-time integers
  idle?: boolean; // there is nothing to export now
  undrawn?: string; // why there are no pictures although there is a value
}

/** The request for a picture with the page's fill, or how the picture differs. */
export function fillOf(by: string, v: Inspection): { draw?: Record<string, unknown>; note?: string } {
  if (by === "auto") return {};
  const held = v.operands?.some((o) => o.thread) ?? false;
  if (held) return ["thread", "warp", "value"].includes(by) ? { draw: { color_by: by } } : { note: "pictures have the usual fill" };
  // Only the grid; otherwise a swizzle is drawn before and after, in the colors of banks.
  if (by === "bank" || by === "group" || by === "offset") return { draw: { color_by: by, as: v.kind === "composed_layout" ? "layout" : "" } };
  return {};
}

export function Export(p: Props) {
  const t = useLabels();
  const [fault, setFault] = useState<FaultData | null>(null);
  const [code, setCode] = useState<Shown["texts"] | null>(null);
  const [said, say] = useState("");
  const picture = async (format: "svg" | "png" | "tex") => {
    setFault(null);
    const r = await call<Drawing>("draw", { expr: p.expr, theme: p.dark ? "dark" : "light", ...p.draw, ...p.given, format: format === "png" ? "svg" : format });
    if (!r.ok || r.text === undefined) return setFault(r.error ?? { code: "engine", message: "no picture came back" });
    if (format === "png") return save(await raster(r.text, r.width ?? 800, r.height ?? 600), filename(p.expr) + ".png");
    save(new Blob([r.text], { type: format === "svg" ? "image/svg+xml" : "application/x-tex" }), `${filename(p.expr)}.${format}`);
  };
  const codes = async () => {
    if (code) return setCode(null);
    setFault(null);
    const r = await call<Shown>("show", { expr: p.expr, ...p.given });
    if (!r.ok) return setFault(r.error ?? null);
    setCode(r.texts ?? []);
  };
  const copy = async (text: string, done: string, otherwise: string) => {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      say(otherwise);
    }
    setTimeout(() => say(""), 2500);
  };
  return (
    <div class="export">
      <span class="quiet">{t("export")}</span>
      <button type="button" disabled={p.idle || p.undrawn !== undefined} title={p.undrawn} onClick={() => void picture("svg")}>SVG</button>
      <button type="button" disabled={p.idle || p.undrawn !== undefined} title={p.undrawn} onClick={() => void picture("png")}>PNG</button>
      <button type="button" disabled={p.idle || p.undrawn !== undefined} title={p.undrawn} onClick={() => void picture("tex")}>TikZ</button>
      {!p.pictures && <button type="button" disabled={p.idle} aria-expanded={code !== null} onClick={() => void codes()}>{t("code")}</button>}
      <button type="button" onClick={() => void copy(publicLink(), "the link is copied", "the address bar has the link")}>{t("link")}</button>
      <span class="quiet" aria-live="polite">{said}</span>
      {p.note && <span class="quiet">{p.note}</span>}
      {fault && <Fault fault={fault} />}
      {code && (
        <Codes texts={code.filter((c) => c.text).map((c) => ({ name: c.name, title: c.title ?? c.name, text: c.text! }))} onCopy={(title, text) => void copy(text, title + " is copied", "the browser does not copy: select the text")} />
      )}
    </div>
  );
}

// The language whose code was shown last, kept by the browser.
const lastLanguage = "girih.code";

/** The value in one of several languages: the one that was shown last. */
function Codes(p: { texts: { name: string; title: string; text: string }[]; onCopy: (title: string, text: string) => void }) {
  const [name, turn] = useState(() => kept(lastLanguage));
  const at = p.texts.find((c) => c.name === name) ?? p.texts[0];
  if (!at) return null;
  const choose = (c: string) => {
    turn(c);
    keep(lastLanguage, c);
  };
  return (
    <div class="code" data-testid="code">
      <div class="tabs" role="tablist" aria-label="language" onKeyDown={arrows}>
        {p.texts.map((c) => <button type="button" role="tab" key={c.name} aria-selected={c === at} tabIndex={c === at ? 0 : -1} onClick={() => choose(c.name)}>{c.title}</button>)}
        <button type="button" class="link" aria-label={"copy " + at.title} onClick={() => p.onCopy(at.title, at.text)}>copy</button>
      </div>
      <pre tabIndex={0}>{at.text}</pre>
    </div>
  );
}

/** A button that copies a text, or without one the address of what is shown, and says whether it did. */
export function Copy(p: { text?: string }) {
  const t = useLabels();
  const [said, say] = useState("");
  const copy = async () => {
    say((await navigator.clipboard?.writeText(p.text ?? publicLink()).then(() => "✓", () => "✗")) ?? "✗");
    setTimeout(() => say(""), 1500);
  };
  return <button type="button" class="link" onClick={() => void copy()}>{t(p.text === undefined ? "link" : "copy")}<span aria-live="polite">{said}</span></button>;
}

/** The address of what is shown: the public address if girih serve --public gives one, otherwise the browser's address. */
function publicLink(): string {
  const elsewhere = document.querySelector<HTMLMetaElement>('meta[name="girih-public"]')?.content;
  return elsewhere ? elsewhere + location.hash : location.href;
}

function save(data: Blob, name: string): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(data);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

/** An SVG as PNG, at twice its size if a canvas can be that large. */
async function raster(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const scale = Math.min(2, 16_000 / Math.max(width, height));
  const c = document.createElement("canvas");
  c.width = Math.round(width * scale);
  c.height = Math.round(height * scale);
  c.getContext("2d")!.drawImage(image, 0, 0, c.width, c.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done, fail) => c.toBlob((b) => (b ? done(b) : fail(new Error("the picture is too large for a canvas"))), "image/png"));
}
