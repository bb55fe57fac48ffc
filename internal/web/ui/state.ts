// The state of the page: named texts, all of them in the URL, so that a link shows what its sender saw.

import { useEffect, useState } from "preact/hooks";

export type Params = Readonly<Record<string, string>>;

const listeners = new Set<() => void>();
let params: Params = parse(location.hash);

function parse(hash: string): Params {
  const out: Record<string, string> = {};
  for (const [k, v] of new URLSearchParams(hash.replace(/^#/, ""))) out[k] = v;
  return out;
}

/** The URL fragment of a state: readable where it can be. */
export function fragment(p: Params): string {
  const parts: string[] = [];
  for (const k of Object.keys(p).sort()) {
    if (p[k] !== "") {
      parts.push(k + "=" + encodeURIComponent(p[k]).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%20/g, "+"));
    }
  }
  return "#" + parts.join("&");
}

export function get(name: string, otherwise = ""): string {
  return params[name] ?? otherwise;
}

/** Changes the state. A change of the page makes an entry of the browser's history; others change the last one. */
export function set(patch: Record<string, string>): void {
  const next: Record<string, string> = { ...params, ...patch };
  for (const k of Object.keys(next)) if (next[k] === "") delete next[k];
  if (fragment(next) === fragment(params)) return;
  const push = (next.p ?? "") !== (params.p ?? "");
  params = next;
  if (push) history.pushState(null, "", fragment(params));
  else history.replaceState(null, "", fragment(params));
  listeners.forEach((f) => f());
}

addEventListener("popstate", reread);
addEventListener("hashchange", reread);
function reread(): void {
  params = parse(location.hash);
  listeners.forEach((f) => f());
}

/** The whole state, for components that show it; they are drawn again when it changes. */
export function useParams(): Params {
  const [p, update] = useState(params);
  useEffect(() => {
    const f = () => update(params);
    listeners.add(f);
    f();
    return () => void listeners.delete(f);
  }, []);
  return p;
}

/** One text of the state with its setter. */
export function useParam(name: string, otherwise = ""): [string, (v: string) => void] {
  const p = useParams();
  return [p[name] ?? otherwise, (v) => set({ [name]: v === otherwise ? "" : v })];
}
