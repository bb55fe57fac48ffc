// What a run of a kernel is: its launch, its buffers and how they are filled, its parameters, what it writes, and how the result is checked.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <functional>
#include <string>
#include <vector>

typedef std::vector<uint8_t> Bytes;

inline int widthOf(const std::string &type) {
  if (type == "u8" || type == "s8" || type == "e4m3") return 1;
  if (type == "f16" || type == "bf16" || type == "u16") return 2;
  if (type == "u64" || type == "s64" || type == "f64") return 8;
  return 4;
}

// The value next to v with `mant` bits behind the point and no exponent under emin, ties to even.
inline double roundTo(double v, int mant, int emin) {
  if (v == 0) return v;
  int e = ilogb(v);
  if (e < emin) e = emin;
  return ldexp(nearbyint(ldexp(v, mant - e)), e - mant);
}

// The bits of v in a format with a sign, an exponent whose least is emin, and mant bits.
inline uint32_t encode(double v, int mant, int emin, int width) {
  uint32_t sign = signbit(v) ? 1u << (width - 1) : 0;
  v = fabs(roundTo(v, mant, emin));
  if (v == 0) return sign;
  int e = ilogb(v);
  if (e < emin) return sign | (uint32_t)ldexp(v, mant - emin);
  return sign | (uint32_t)(e - emin + 1) << mant | ((uint32_t)ldexp(v, mant - e) - (1u << mant));
}

inline double decode(uint32_t bits, int mant, int emin, int width) {
  uint32_t m = bits & ((1u << mant) - 1), e = bits >> mant & ((1u << (width - 1 - mant)) - 1);
  double v = e == 0 ? ldexp(m, emin - mant) : ldexp(m + (1u << mant), (int)e - 1 + emin - mant);
  return bits >> (width - 1) & 1 ? -v : v;
}

inline uint16_t toF16(double v) { return encode(v, 10, -14, 16); }
inline uint16_t toBF16(double v) { return encode(v, 7, -126, 16); }
inline double fromF16(uint16_t b) { return decode(b, 10, -14, 16); }
inline double fromBF16(uint16_t b) { return decode(b, 7, -126, 16); }
inline double fromE4M3(uint8_t b) { return decode(b, 3, -6, 8); }

// How a buffer is filled. For each element in turn, with 64 bits: s = s * 6364136223846793005 + 1442695040888963407, beginning at the seed.
//   lcg:  ((s >> 33) % mod - sub) * 2^scale, which the type holds exactly
//   bits: the low bits of s >> 32, or s itself for types of 64 bits
//   byte: every byte is `value`;  none: nobody wrote it
struct Fill {
  std::string kind;
  uint64_t seed = 0, mod = 0;
  int64_t sub = 0;
  int scale = 0, value = 0;
};
inline Fill lcg(uint64_t seed, uint64_t mod, int64_t sub, int scale) { return Fill{"lcg", seed, mod, sub, scale, 0}; }
inline Fill bits(uint64_t seed) { return Fill{"bits", seed, 0, 0, 0, 0}; }
inline Fill bytes(int value) { return Fill{"byte", 0, 0, 0, 0, value}; }
inline Fill none() { return Fill{"none", 0, 0, 0, 0, 0}; }

inline Bytes filled(const std::string &type, size_t count, const Fill &f) {
  int w = widthOf(type);
  Bytes out(count * w, f.kind == "byte" ? f.value : 0);
  if (f.kind == "byte" || f.kind == "none") return out;
  uint64_t s = f.seed;
  for (size_t i = 0; i < count; i++) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t e = w == 8 ? s : s >> 32;
    if (f.kind == "lcg") {
      double v = ldexp((double)((int64_t)((s >> 33) % f.mod) - f.sub), f.scale);
      float v32 = (float)v;
      if (type == "f64") memcpy(&e, &v, 8);
      else if (type == "f32") { e = 0; memcpy(&e, &v32, 4); }
      else if (type == "f16") e = toF16(v);
      else if (type == "bf16") e = toBF16(v);
      else if (type == "e4m3") e = encode(v, 3, -6, 8);
      else e = (uint64_t)(int64_t)v;
    }
    memcpy(&out[i * w], &e, w);
  }
  return out;
}

struct Buffer {
  std::string name, type;
  size_t count;
  Fill fill;
  bool written;
  Bytes before, after;
  uint64_t device = 0;
};

struct Map {
  std::string type, swizzle;  // none, 32B, 64B, 128B
  std::vector<uint64_t> dims, strides;  // elements; bytes, without the first
  std::vector<uint32_t> box, steps;
  std::string buffer;
};

struct Param {
  std::string kind, type, buffer;  // scalar, buffer, map
  Bytes raw;
  Map map;
};

struct Case {
  std::string file, name, entry;
  std::vector<int> grid, block, cluster{1, 1, 1};
  int shared = 0;
  std::vector<Buffer> buffers;
  std::vector<Param> params;
  double rel = 0, abs = 0;
  bool broken = false;
  std::function<bool(Case &)> check;

  Case &in(const std::string &name, const std::string &type, size_t count, Fill f, bool written = false) {
    buffers.push_back(Buffer{name, type, count, f, written, filled(type, count, f), {}, 0});
    return ptr(name);
  }
  Case &out(const std::string &name, const std::string &type, size_t count, Fill f = bytes(255)) { return in(name, type, count, f, true); }
  // A buffer that a tensor map names and no pointer does.
  Case &back(const std::string &name, const std::string &type, size_t count, Fill f, bool written = false) {
    in(name, type, count, f, written);
    params.pop_back();
    return *this;
  }
  Case &ptr(const std::string &name) {
    Param p;
    p.kind = "buffer", p.buffer = name;
    params.push_back(p);
    return *this;
  }
  template <class T> Case &val(const std::string &type, T v) {
    Param p;
    p.kind = "scalar", p.type = type;
    p.raw.resize(sizeof v);
    memcpy(p.raw.data(), &v, sizeof v);
    params.push_back(p);
    return *this;
  }
  Case &i32(int v) { return val("s32", v); }
  Case &f32(float v) { return val("f32", v); }
  // A map of rows: the box is w elements of h rows.
  Case &map2(const std::string &buffer, const std::string &type, uint64_t cols, uint64_t rows, uint32_t w, uint32_t h, const std::string &swizzle) {
    return map(Map{type, swizzle, {cols, rows}, {cols * widthOf(type)}, {w, h}, {1, 1}, buffer});
  }
  Case &map(const Map &m) {
    Param p;
    p.kind = "map", p.map = m;
    params.push_back(p);
    return *this;
  }
  Case &dyn(int bytes) {
    shared = bytes;
    return *this;
  }
  Case &inCluster(int x) {
    cluster = {x, 1, 1};
    return *this;
  }
  Case &within(double r, double a) {
    rel = r, abs = a;
    return *this;
  }
  Case &as(const std::string &n) {
    name = n;
    return *this;
  }
  Case &expect(std::function<bool(Case &)> f) {
    check = f;
    return *this;
  }
  Buffer *find(const std::string &n) {
    for (auto &b : buffers)
      if (b.name == n) return &b;
    fprintf(stderr, "%s has no buffer %s\n", name.c_str(), n.c_str());
    return nullptr;
  }
  template <class T> std::vector<T> read(const Bytes &b) {
    std::vector<T> v(b.size() / sizeof(T));
    memcpy(v.data(), b.data(), v.size() * sizeof(T));
    return v;
  }
  template <class T> std::vector<T> was(const std::string &n) { return read<T>(find(n)->before); }
  template <class T> std::vector<T> now(const std::string &n) { return read<T>(find(n)->after); }
  // Whether a buffer is what it should be, byte by byte.
  template <class T> bool same(const std::string &n, const std::vector<T> &want) {
    auto got = now<T>(n);
    for (size_t i = 0; i < want.size(); i++)
      if (i >= got.size() || memcmp(&got[i], &want[i], sizeof(T))) {
        printf("# %s: %s[%zu] is %.9g, not %.9g\n", name.c_str(), n.c_str(), i, i < got.size() ? (double)got[i] : -1, (double)want[i]);
        return false;
      }
    return true;
  }
  template <class T> bool close(const std::string &n, const std::vector<double> &want, double r, double a) {
    auto got = now<T>(n);
    for (size_t i = 0; i < want.size(); i++)
      if (i >= got.size() || !(fabs((double)got[i] - want[i]) <= a + r * fabs(want[i]))) {
        printf("# %s: %s[%zu] is %.9g, not %.9g\n", name.c_str(), n.c_str(), i, i < got.size() ? (double)got[i] : -1, want[i]);
        return false;
      }
    return true;
  }
  // The elements of a buffer as numbers, by its type.
  std::vector<double> numbers(const std::string &n) {
    Buffer *b = find(n);
    std::vector<double> v(b->count);
    for (size_t i = 0; i < b->count; i++) {
      const uint8_t *p = &b->before[i * widthOf(b->type)];
      float f;
      int32_t w;
      uint16_t h;
      if (b->type == "f32") memcpy(&f, p, 4), v[i] = f;
      else if (b->type == "f64") memcpy(&v[i], p, 8);
      else if (b->type == "f16") memcpy(&h, p, 2), v[i] = fromF16(h);
      else if (b->type == "bf16") memcpy(&h, p, 2), v[i] = fromBF16(h);
      else if (b->type == "e4m3") v[i] = fromE4M3(*p);
      else if (b->type == "s8") v[i] = (int8_t)*p;
      else if (b->type == "u8") v[i] = *p;
      else memcpy(&w, p, 4), v[i] = w;
    }
    return v;
  }
};

extern std::vector<Case *> cases;

inline Case &add(const char *file, const char *entry, std::vector<int> grid, std::vector<int> block) {
  Case *c = new Case;
  c->file = file, c->entry = c->name = entry;
  grid.resize(3, 1), block.resize(3, 1);
  for (auto *v : {&grid, &block})
    for (int &x : *v)
      if (x == 0) x = 1;
  c->grid = grid, c->block = block;
  cases.push_back(c);
  return *c;
}

void soundCases();
void soundTensorCases();
void brokenCases();
