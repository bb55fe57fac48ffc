// Long texts in the address. The fragment has a long text compressed, as ~z and base64url of its deflate stream. If even
// that is too long, the fragment has only a name of the text, ~LENGTH.HASH, and this tab has the text, until it is closed.

const longest = 4000; // characters of a text that the fragment has as it is
const mostOfFragment = 30000; // characters of a fragment with compressed texts
const mostUnpacked = 1 << 22; // bytes of a text: a fragment of 30,000 characters may unpack to 20 MB

const packed = new Map<string, string>(); // the compressed forms of texts; "" if there is none
const texts = new Map<string, string>(); // texts by their names
const kept = 50; // texts; a reader who goes back further has the text unpacked again

function keep(m: Map<string, string>, key: string, value: string): void {
  m.delete(key);
  m.set(key, value);
  if (m.size > kept) m.delete(m.keys().next().value!);
}

/** Whether the fragment has another form of a text. */
export function isLong(text: string): boolean {
  return text.length > longest;
}

/** What the fragment has for each text: the text itself, or a name of it. */
export function shortened(all: string[]): string[] {
  const size = all.reduce((n, x) => n + (isLong(x) ? (packed.get(x)?.length ?? 0) : encodeURIComponent(x).length), 0);
  return all.map((x) => (!isLong(x) ? x : (size <= mostOfFragment && packed.get(x)) || tabName(x)));
}

/** Whether a fragment has only the name of a text that this tab has. */
export function holdsInTab(fragment: string): boolean {
  return /=~\d+\.[0-9a-z]+(&|$)/.test(fragment);
}

/** The name of a text in this tab. */
function tabName(text: string): string {
  let code = 0;
  for (let i = 0; i < text.length; i++) code = (Math.imul(code, 31) + text.charCodeAt(i)) | 0;
  const name = `~${text.length}.${(code >>> 0).toString(36)}`;
  if (texts.get(name) !== text) keep(texts, name, text);
  return name;
}

/** Stores the texts that a fragment only names, so that they are there after reloading. */
export function store(all: string[]): void {
  shortened(all).forEach((name, i) => {
    if (name === all[i] || name.startsWith("~z")) return;
    try {
      sessionStorage.setItem(name, all[i]);
    } catch {
      // no storage, or it is full: the text is gone after reloading
    }
  });
}

/** Compresses the long ones of the texts, and reports whether a form was found that was not known. */
export async function pack(all: string[]): Promise<boolean> {
  const open = all.filter((x) => isLong(x) && !packed.has(x));
  for (const x of open) {
    const name = await deflate(x).catch(() => ""); // this browser does not compress
    keep(packed, x, name);
    if (name) keep(texts, name, x);
  }
  return open.length > 0;
}

async function deflate(text: string): Promise<string> {
  const bytes = await through(new Blob([text]).stream(), new CompressionStream("deflate-raw"), mostOfFragment);
  return "~z" + btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Whether a text of a fragment is the name of a text. */
export function isName(text: string): boolean {
  return /^~(z\S*|\d+\.[0-9a-z]+)$/.test(text);
}

/** The text with a name, if it is there. */
export function named(name: string): string | undefined {
  try {
    return texts.get(name) ?? (name.startsWith("~z") ? undefined : (sessionStorage.getItem(name) ?? undefined));
  } catch {
    return undefined; // no storage
  }
}

/** Finds the text of a compressed name; undefined if the name is cut or changed. */
export async function unpack(name: string): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(name.slice(2).replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const out = await through(new Blob([bytes]).stream(), new DecompressionStream("deflate-raw"), mostUnpacked);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(out);
    keep(texts, name, text);
    keep(packed, text, name);
    return text;
  } catch {
    return undefined;
  }
}

/** All bytes that come out of a stream, which are an error if they are more than most. */
async function through(from: ReadableStream<Uint8Array<ArrayBuffer>>, by: ReadableWritablePair<Uint8Array, BufferSource>, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = from.pipeThrough(by).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      void reader.cancel();
      throw new RangeError("too long");
    }
    pieces.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const x of pieces) {
    all.set(x, at);
    at += x.length;
  }
  return all;
}
