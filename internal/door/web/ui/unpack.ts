// Unpacks the engine: the decoder of the format of internal/door/web/pack, which says what it is. Names and numbers are those of model.go,
// code.go, data.go and shape.go there; a change there is a change here.

const signature = "girih\0wasm\x01";
const slotBits = 24;
const maxContexts = 6;
const maxKinds = 1024;
const maxCount = 127;
const foundBits = 20;
const classes = 513;
const orders = [12, 4];

const opBlock = 0x02, opLoop = 0x03, opIf = 0x04, opEnd = 0x0b, opBr = 0x0c, opBrIf = 0x0d, opBrTable = 0x0e, opIndirect = 0x11;
const opLocalSet = 0x21, opI32Const = 0x41, opI64Const = 0x42, opF32Const = 0x43, opF64Const = 0x44, opMore = 0xfc;
const opPlace = 0xf0, opDone = 0xf1, opJump = 0xf2;
const firstFunction = 0x1000;
const minGap = 128;

const squashed = [
  1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068,
  4079, 4085, 4089, 4092, 4093, 4094,
];
const squash = new Int32Array(4096); // of d + 2048
const stretched = new Int32Array(4096);
const rates = new Int32Array(maxCount + 1);
for (let d = -2048; d < 2048; d++) {
  const w = d & 127, k = (d >> 7) + 16;
  squash[d + 2048] = d < -2047 ? 1 : (squashed[k] * (128 - w) + squashed[k + 1] * w + 64) >> 7;
}
for (let x = -2047, from = 0; x <= 2048; x++) {
  const to = x > 2047 ? 4095 : squash[x + 2048];
  for (; from <= to; from++) stretched[from] = Math.min(x, 2047);
}
for (let k = 0; k <= maxCount; k++) rates[k] = Math.floor(81920 / (10 * k + 16));

function hash(a: number, b: number): number {
  const h = (Math.imul(a, 0x2c1b3c6d) + Math.imul(b, 0x297a2d39) + 0x5f356495) | 0;
  return h ^ (h >>> 15);
}

const cut = "engine.bin did not arrive whole, or is not the one of this page";

// A coder reads bits that it predicts from contexts. All of its numbers lie in arrays of 32 bits: as fields, those above 2^31 would be
// objects.
class Coder {
  readonly ctx = new Int32Array(maxContexts);
  n = 0;
  private readonly slots = new Int32Array(1 << slotBits).fill(1 << 31);
  private readonly weights = new Int32Array(maxKinds * 32 * maxContexts).fill(1 << 14);
  private readonly ins = new Int32Array(maxContexts);
  private readonly at = new Int32Array(maxContexts);
  private readonly range = new Uint32Array(3); // lo, hi, x

  constructor(private readonly src: Uint8Array, public p: number) {
    this.range[1] = 0xffffffff;
    for (let i = 0; i < 4; i++) this.range[2] = (this.range[2] << 8) | src[this.p++];
  }

  private bit(set: number, node: number): number {
    const slots = this.slots, weights = this.weights, ins = this.ins, at = this.at, n = this.n, range = this.range;
    const w = set * maxContexts;
    let dot = 0;
    for (let i = 0; i < n; i++) {
      const s = slots[at[i] | node];
      let t = stretched[s >>> 20];
      const k = s & 1023;
      if (k < 3) t = (t * k) >> 2;
      ins[i] = t;
      dot = (dot + (Math.imul(t, weights[w + i]) >> 4)) | 0;
    }
    const d = dot >> 12;
    const p = d > 2047 ? 4095 : d < -2047 ? 1 : squash[d + 2048];
    const lo = range[0];
    const mid = lo + ((range[1] - lo) >>> 12) * p;
    const bit = range[2] <= mid ? 1 : 0;
    range[bit] = mid + 1 - bit;
    while (((range[0] ^ range[1]) & 0xff000000) === 0) {
      range[0] <<= 8;
      range[1] = (range[1] << 8) | 255;
      range[2] = (range[2] << 8) | this.src[this.p++];
      if (this.p > this.src.length + 16) throw new Error(cut); // what follows could go on for ever
    }
    const miss = ((bit << 12) - p) * 7;
    for (let i = 0; i < n; i++) {
      weights[w + i] += (Math.imul(ins[i], miss) + 0x2000) >> 14;
      const a = at[i] | node;
      const s = slots[a];
      const k = s & 1023;
      const q = s >>> 10;
      const to = bit ? q + (Math.imul((4194303 - q) >> 4, rates[k]) >> 9) : q - (Math.imul(q >> 4, rates[k]) >> 9);
      slots[a] = (to << 10) | (k < maxCount ? k + 1 : k);
    }
    return bit;
  }

  private find(salt: number): void {
    const ctx = this.ctx, at = this.at, n = this.n;
    for (let k = 0; k < n; k++) at[k] = (hash((ctx[k] + Math.imul(k, 0x9e3779b1)) | 0, salt) >>> (32 - slotBits)) & ~15;
  }

  nibble(set: number, salt: number): number {
    this.find(salt);
    let node = 1;
    for (let i = 0; i < 4; i++) node = (node << 1) | this.bit(set | node, node);
    return node & 15;
  }

  byte(kind: number): number {
    const high = this.nibble(kind << 5, 1);
    return (high << 4) | this.nibble((kind << 5) | 16, 2 + high);
  }

  ranked(kind: number, first: Uint8Array): number {
    const k = this.nibble(kind << 5, 1);
    if (k < first.length) return first[k];
    const high = this.nibble((kind << 5) | 16, 32);
    return (high << 4) | this.nibble((kind << 5) | 16, 33 + high);
  }

  flag(kind: number): number {
    this.find(99);
    return this.bit(kind << 5, 0);
  }
}

// How many numbers in LEB128 follow an opcode, and 16 times how many other bytes.
const forms = new Uint8Array(256);
for (const op of [opBlock, opLoop, opIf, 0x3f, 0x40]) forms[op] = 16;
for (const op of [opBr, opBrIf, opBrTable, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, opI32Const, opI64Const, opPlace, opJump, opMore]) forms[op] = 1;
for (let op = 0x28; op <= 0x3e; op++) forms[op] = 2;
forms[opIndirect] = 2;
forms[opF32Const] = 4 * 16;
forms[opF64Const] = 8 * 16;

// A growing array of bytes.
class Bytes {
  n = 0;
  constructor(public b: Uint8Array) {}
  put(v: number): void {
    if (this.n === this.b.length) this.grow(1);
    this.b[this.n++] = v;
  }
  grow(more: number): void {
    const b = new Uint8Array(Math.max(2 * this.b.length, this.n + more));
    b.set(this.b.subarray(0, this.n));
    this.b = b;
  }
  append(v: Uint8Array): void {
    if (this.n + v.length > this.b.length) this.grow(v.length);
    this.b.set(v, this.n);
    this.n += v.length;
  }
  uint(v: number): void {
    for (; v >= 0x80; v = Math.floor(v / 128)) this.put((v & 0x7f) | 0x80);
    this.put(v);
  }
  int(v: number): void {
    for (;;) {
      const c = v & 0x7f;
      v = Math.floor(v / 128);
      if ((v === 0 && c < 0x40) || (v === -1 && c >= 0x40)) return this.put(c);
      this.put(c | 0x80);
    }
  }
}

function functions(c: Coder, count: number, ranks: Uint8Array[], room: number, read: (p: number) => void): Uint8Array {
  const out = new Bytes(new Uint8Array(room));
  const hist = new Int32Array(12);
  const last = new Int32Array(256);
  const found = [new Int32Array(1 << foundBits), new Int32Array(1 << foundBits)];
  const guess = [0, 0], run = [0, 0];
  let ops = 0;

  const locals = () => {
    let before = 0, i = 0;
    const one = (): number => {
      c.n = 2;
      c.ctx[0] = hash(before & 0xff, 7000);
      c.ctx[1] = hash(before, 7001 + i);
      const b = c.byte(700);
      out.put(b);
      before = (before << 8) | b;
      i++;
      return b;
    };
    const leb = (): number => {
      let v = 0;
      for (let shift = 0; shift <= 28; shift += 7) {
        const b = one();
        v |= (b & 0x7f) << shift;
        if (b < 0x80) break;
      }
      return v;
    };
    for (let k = leb(); k > 0; k--) {
      leb();
      one();
    }
  };

  // The end of the instruction at q.
  const end = (q: number): number => {
    const t = out.b;
    const op = t[q++];
    let lebs = forms[op] & 15, fixed = forms[op] >> 4;
    if (op === opBrTable || op === opMore) {
      let v = 0;
      for (let shift = 0; ; shift += 7) {
        if (shift < 28) v |= (t[q] & 0x7f) << shift;
        if (t[q++] < 0x80) break;
      }
      if (op === opBrTable) lebs = v + 1;
      else {
        lebs = 0;
        if (v >= 10) fixed = 12 - v;
      }
    }
    for (; lebs > 0; lebs--) while (t[q++] >= 0x80);
    return q + fixed;
  };

  const guessed = (): boolean => {
    let tried = 0, length = 0;
    for (let k = 0; k < 2; k++) {
      const q = guess[k];
      if (q === 0) {
        run[k] = 0;
        continue;
      }
      const e = end(q);
      const t = out.b;
      if (tried > 0 && e - q === length) {
        let i = 0;
        while (i < length && t[q + i] === t[tried + i]) i++;
        if (i === length) {
          run[k] = 0;
          continue;
        }
      }
      tried = q;
      length = e - q;
      let h = 0;
      for (let i = q; i < e; i++) h = hash(h, t[i]);
      const r = Math.min(run[k], 20);
      c.n = 3;
      c.ctx[0] = hash(r, 8000 + k);
      c.ctx[1] = hash(hash(h, hist[0]), 8004 + k);
      c.ctx[2] = hash(hash(t[q], ops), hash(Math.min(r, 3), 8006 + k));
      if (c.flag(600 + k * 32 + r)) {
        run[k]++;
        for (let i = q; i < e; i++) out.put(t[i]);
        return true;
      }
      run[k] = 0;
    }
    return false;
  };

  const spelled = (fn: number): void => {
    c.n = 3;
    c.ctx[0] = hash(ops & 0xffffff, 3);
    c.ctx[1] = hash(hist[0], 4);
    c.ctx[2] = hash(hash(hist[0], hist[1]), 5);
    const op = c.ranked(0, ranks[0]);
    out.put(op);
    let l1 = 0, l2 = 0, i = 0;
    const next = (): number => {
      i++;
      const o = (op << 4) | Math.min(i, 12);
      const before = hash(o, l1 | (l2 << 8));
      c.n = 5;
      c.ctx[0] = hash(hash(o, l1), 10);
      c.ctx[1] = hash(before, hash(ops, 11));
      c.ctx[2] = hash(before, hash(hist[0], 12));
      c.ctx[3] = hash(before, hash(last[op], 13));
      c.ctx[4] = hash(before, hash(fn, 14));
      const kind = (op << 1) | (i > 1 ? 1 : 0);
      const b = c.ranked(1 + kind, ranks[1 + kind]);
      out.put(b);
      l2 = l1 | (l2 << 8);
      l1 = b;
      return b;
    };
    let lebs = forms[op] & 15, fixed = forms[op] >> 4, first = true, v = 0, shift = 0;
    while (lebs > 0) {
      const b = next();
      if (first && shift < 28) {
        v |= (b & 0x7f) << shift;
        shift += 7;
      }
      if (b >= 0x80) continue;
      lebs--;
      if (first && op === opBrTable) lebs = v + 1;
      if (first && op === opMore && v >= 10) fixed = 12 - v;
      first = false;
    }
    for (; fixed > 0; fixed--) next();
    if (i > 0) last[op] = l1 | (l2 << 8);
  };

  for (let fn = 0; fn < count; fn++) {
    if ((fn & 63) === 0) read(c.p);
    locals();
    for (;;) {
      const from = out.n;
      if (!guessed()) spelled(fn);
      const op = out.b[from];
      let h = 0;
      for (let i = from; i < out.n; i++) h = hash(h, out.b[i]);
      hist.copyWithin(1, 0, 11);
      hist[0] = h;
      ops = (ops << 8) | op;
      for (let k = 0; k < 2; k++) {
        let g = k;
        for (let i = 0; i < orders[k]; i++) g = hash(g, hist[i]);
        g >>>= 32 - foundBits;
        guess[k] = found[k][g];
        if (op !== opDone) found[k][g] = out.n;
      }
      if (op === opDone) break;
    }
    guess[0] = guess[1] = 0;
  }
  return out.b.subarray(0, out.n);
}

function data(c: Coder, n: number, read: (p: number) => void): Uint8Array {
  const t = new Uint8Array(n);
  const found = new Int32Array(1 << foundBits);
  let guess = 0, run = 0, w = 0, v = 0;
  for (let p = 0; p < n; p++) {
    if ((p & 0x3fff) === 0) read(c.p);
    // w has the last four bytes, the last one lowest, and v the four before them.
    const at = hash(w, 5) >>> (32 - foundBits);
    if (guess === 0) guess = found[at];
    found[at] = p;
    let b = -1;
    if (guess > 0) {
      const g = t[guess];
      c.n = 2;
      c.ctx[0] = hash(Math.min(run, 31), hash(g, 1));
      c.ctx[1] = hash(Math.min(run, 3), hash((g << 8) | (w & 255), 2));
      if (c.flag(Math.min(run, 31))) {
        b = g;
        guess++;
        run++;
      } else {
        guess = run = 0;
      }
    }
    if (b < 0) {
      const col = p & 3;
      c.n = 6;
      c.ctx[0] = hash(w & 255, 100);
      c.ctx[1] = hash(w & 0xffff, 101);
      c.ctx[2] = hash(w & 0xffffff, 102);
      c.ctx[3] = hash(w, 103);
      c.ctx[4] = hash((w >>> 24) | ((v >>> 24) << 8) | (col << 16), 104);
      c.ctx[5] = hash((w & 255) | ((w >>> 24) << 8) | (col << 16), 105);
      b = c.byte(40 + col);
    }
    t[p] = b;
    v = (v << 8) | (w >>> 24);
    w = (w << 8) | b;
  }
  return t;
}

// Reads numbers.
class Reader {
  constructor(public b: Uint8Array, public p: number) {}
  uint(): number {
    let v = 0;
    for (let k = 1; ; k *= 128) {
      const b = this.b[this.p++];
      v += (b & 0x7f) * k;
      if (b < 0x80) return v;
    }
  }
  zigzag(): number {
    const v = this.uint();
    return v & 1 ? -(v + 1) / 2 : v / 2;
  }
}

/** Writes the body of function f, which r reads in its shape. */
function unshape(r: Reader, f: number, out: Bytes): void {
  const t = r.b;
  let from = r.p;
  for (let k = r.uint(); k > 0; k--) {
    r.uint();
    r.p++;
  }
  out.append(t.subarray(from, r.p));
  const open: number[] = [];
  let closed = 0;
  for (;;) {
    from = r.p;
    const op = t[r.p++];
    switch (op) {
      case opDone:
        return;
      case opJump:
        out.put(opI32Const);
        out.int(closed + r.zigzag());
        out.put(opLocalSet);
        out.put(0);
        continue;
      case opPlace:
        out.put(opI64Const);
        out.int((firstFunction + f) * 0x10000 + closed + r.zigzag());
        continue;
      case opBr:
      case opBrIf:
        out.put(op);
        out.uint(open.length - r.uint());
        continue;
      case opBrTable: {
        out.put(op);
        const n = r.uint();
        out.uint(n);
        for (let i = 0, last = 0; i <= n; i++) out.uint((last += r.zigzag()));
        continue;
      }
      case opBlock:
      case opLoop:
      case opIf:
        open.push(op);
        break;
      case opEnd:
        if (open.pop() === opBlock) closed++;
        break;
      case opMore: {
        const v = r.uint();
        if (v >= 10) r.p += 12 - v;
        break;
      }
    }
    if (op !== opMore) {
      for (let k = forms[op] & 15; k > 0; k--) while (t[r.p++] >= 0x80);
      r.p += forms[op] >> 4;
    }
    for (; from < r.p; from++) out.put(t[from]);
  }
}

/** Makes the table of functions at address at out of differences: sums in gofunc.go. */
function sums(m: Uint8Array, at: number, n: number): void {
  const v = new DataView(m.buffer, m.byteOffset, m.byteLength);
  const u32 = (p: number) => v.getUint32(p, true);
  const greatest = [0, 0, 0];
  const sum = (p: number, part: number) => {
    const d = u32(p);
    if (d >= 0x80000000 && d !== 0xffffffff) v.setUint32(p, (greatest[part] += d - 0x80000000), true);
  };
  for (let i = 0, last = 0; i < n; i++) {
    const entry = at + 8 * i;
    last += u32(entry + 4);
    const fn = at + last;
    v.setUint32(entry + 4, last, true);
    v.setUint32(entry, u32(entry) + i * 0x10000, true);
    v.setUint32(fn, u32(fn) + u32(entry), true);
    sum(fn + 4, 0);
    sum(fn + 16, 1);
    const pcs = u32(fn + 28), fns = m[fn + 43];
    for (let k = 0; k < pcs; k++) sum(fn + 44 + 4 * k, 1);
    for (let k = 0; k < fns; k++) sum(fn + 44 + 4 * (pcs + k), 2);
  }
}

/** Writes memory as the segments of a data section; zeros are left out. */
function segments(m: Uint8Array): Bytes {
  const out = new Bytes(new Uint8Array(m.length));
  let count = 0;
  for (let i = 0; i < m.length; ) {
    if (m[i] === 0) {
      i++;
      continue;
    }
    let end = i, zeros = 0;
    for (let k = i; k < m.length && zeros < minGap; k++) {
      if (m[k] === 0) zeros++;
      else {
        end = k + 1;
        zeros = 0;
      }
    }
    out.put(0);
    out.put(opI32Const);
    out.int(i);
    out.put(opEnd);
    out.uint(end - i);
    out.append(m.subarray(i, end));
    i = end;
    count++;
  }
  const all = new Bytes(new Uint8Array(out.n + 5));
  all.uint(count);
  all.append(out.b.subarray(0, out.n));
  return all;
}

function crc32(b: Uint8Array): number {
  const table = new Int32Array(256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    table[i] = c;
  }
  let c = -1;
  for (let i = 0; i < b.length; i++) c = (c >>> 8) ^ table[(c ^ b[i]) & 255];
  return ~c >>> 0;
}

/** The WebAssembly module of a packed one. It throws if the bytes are not one, or damaged. Now and then it says which part is read. */
export function unpack(packed: Uint8Array, progress: (part: number) => void = () => {}): Uint8Array<ArrayBuffer> {
  const read = (p: number) => progress(Math.min(p / packed.length, 1));
  for (let i = 0; i < signature.length; i++) if (packed[i] !== signature.charCodeAt(i)) throw new Error("the engine is not in the format of this page");
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const length = view.getUint32(signature.length, true), sum = view.getUint32(signature.length + 4, true);
  const r = new Reader(packed, signature.length + 8);
  const [count, offset, first, elements, prefix, memory, coded, tab, funcs] = Array.from({ length: 9 }, () => r.uint());
  const ranks = Array.from({ length: classes }, (): Uint8Array => new Uint8Array(0));
  for (let i = r.uint(); i > 0; i = r.uint()) {
    const n = packed[r.p++];
    ranks[i - 1] = packed.subarray(r.p, r.p + n);
    r.p += n;
  }
  const shaped = functions(new Coder(packed, r.p), count, ranks, length, read);
  const rest = data(new Coder(packed, r.p + coded), prefix + memory, read);
  sums(rest.subarray(prefix), tab, funcs);

  const out = new Bytes(new Uint8Array(length));
  const section = (id: number, body: Bytes) => {
    out.put(id);
    out.uint(body.n);
    out.append(body.b.subarray(0, body.n));
  };
  out.append(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  out.append(rest.subarray(0, prefix));
  const table = new Bytes(new Uint8Array(4 * elements + 16));
  for (const b of [1, 0, opI32Const]) table.put(b);
  table.int(offset);
  table.put(opEnd);
  table.uint(elements);
  for (let i = 0; i < elements; i++) table.uint(first + i);
  section(9, table);
  const code = new Bytes(new Uint8Array(length)), body = new Bytes(new Uint8Array(1 << 16));
  const in_ = new Reader(shaped, 0);
  code.uint(count);
  for (let f = 0; f < count; f++) {
    body.n = 0;
    unshape(in_, f, body);
    code.uint(body.n);
    code.append(body.b.subarray(0, body.n));
  }
  section(10, code);
  section(11, segments(rest.subarray(prefix)));
  const module = new Uint8Array(out.b.buffer as ArrayBuffer, 0, out.n);
  if (module.length !== length || crc32(module) !== sum) throw new Error(cut);
  return module;
}
