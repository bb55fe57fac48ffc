// The sound kernels on matrices, tensor maps, bulk copies and clusters.
#include "harness.h"

typedef std::vector<double> Doubles;
typedef std::vector<float> Floats;
typedef std::vector<uint32_t> Words;

// C = sign A B^T of rows of k elements.
static std::function<bool(Case &)> product(int m, int n, int k, double rel, double abs, double sign = 1) {
  return [=](Case &c) {
    auto a = c.numbers("a"), b = c.numbers("b");
    Doubles want(m * n);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++) want[i * n + j] += sign * a[i * k + l] * b[j * k + l];
    return c.find("out")->type == "s32" ? c.close<int32_t>("out", want, 0, 0) : c.close<float>("out", want, rel, abs);
  };
}

static Fill values(const std::string &type, int seed) {
  if (type == "f16" || type == "f32") return lcg(seed, 2048, 1024, -10);
  if (type == "bf16") return lcg(seed, 256, 128, -7);
  if (type == "e4m3") return lcg(seed, 17, 8, 0);
  return bits(seed);
}

static void mma() {
  struct { const char *name, *a, *b, *out; } kinds[] = {{"mma_f16", "f16", "f16", "f32"}, {"mma_bf16", "bf16", "bf16", "f32"},
                                                         {"mma_tf32", "f32", "f32", "f32"}, {"mma_s8", "s8", "s8", "s32"},
                                                         {"mma_u8s8", "u8", "s8", "s32"}, {"mma_e4m3", "e4m3", "e4m3", "f32"}};
  int seed = 200;
  for (auto &k : kinds) {
    int depth = 128 / widthOf(k.a);
    add("mma", k.name, {3, 2}, {128}).in("a", k.a, 50 * depth, values(k.a, seed)).in("b", k.b, 40 * depth, values(k.b, seed + 1))
        .out("out", k.out, 50 * 40).i32(50).i32(40).expect(product(50, 40, depth, 1e-4, std::string(k.a) == "e4m3" ? 2 : 1e-3));
    seed += 2;
  }
  add("mma", "mma_f16acc", {2}, {32}).in("a", "f16", 32 * 64, values("f16", seed)).in("b", "f16", 64 * 8, values("f16", seed + 1))
      .out("out", "f16", 32 * 8).expect([](Case &c) {
        auto a = c.numbers("a"), b = c.numbers("b");
        auto got = c.now<uint16_t>("out");
        for (int i = 0; i < 32; i++)
          for (int j = 0; j < 8; j++) {
            double v = 0;
            for (int l = 0; l < 64; l++) v += a[i * 64 + l] * b[l * 8 + j];
            if (!(fabs(fromF16(got[i * 8 + j]) - v) <= 0.05)) return printf("# mma_f16acc: %d, %d is %g, not %g\n", i, j, fromF16(got[i * 8 + j]), v), false;
          }
        return true;
      });
  add("mma", "mma_f64", {3}, {32}).in("a", "f64", 24 * 20, lcg(seed + 2, 1 << 20, 1 << 19, -18)).in("b", "f64", 8 * 20, lcg(seed + 3, 1 << 20, 1 << 19, -18))
      .out("out", "f64", 24 * 8).i32(20).expect([](Case &c) {
        auto a = c.numbers("a"), b = c.numbers("b");
        Doubles want(24 * 8);
        for (int i = 0; i < 24; i++)
          for (int j = 0; j < 8; j++)
            for (int l = 0; l < 20; l++) want[i * 8 + j] += a[i * 20 + l] * b[j * 20 + l];
        return c.close<double>("out", want, 1e-13, 1e-12);
      });
  add("mma", "mat_stmatrix", {2}, {32}).in("in", "u16", 512, bits(seed + 4)).out("out", "u16", 1024).expect([](Case &c) {
    auto x = c.was<uint16_t>("in");
    std::vector<uint16_t> y(1024);
    // The 32 rows of 8 are four matrices; the second image has the matrices in the other order, each transposed.
    for (int b = 0; b < 2; b++)
      for (int r = 0; r < 32; r++)
        for (int q = 0; q < 8; q++) {
          y[b * 512 + (r ^ 1) * 8 + q] = x[b * 256 + r * 8 + q];
          y[b * 512 + 256 + ((3 - r / 8) * 8 + q) * 8 + r % 8] = x[b * 256 + r * 8 + q];
        }
    return c.same("out", y);
  });
  add("mma", "mat_movmatrix", {2}, {64}).in("in", "u16", 256, bits(seed + 5)).out("out", "u16", 256).expect([](Case &c) {
    auto x = c.was<uint16_t>("in"), y = x;
    for (int w = 0; w < 4; w++)
      for (int r = 0; r < 8; r++)
        for (int q = 0; q < 8; q++) y[w * 64 + q * 8 + r] = x[w * 64 + r * 8 + q];
    return c.same("out", y);
  });
}

static void wgmma() {
  struct { const char *name, *type, *map, *out; int k; double sign; } kinds[] = {
      {"wg_ss_bf16", "bf16", "bf16", "f32", 160, 1}, {"wg_ss_f16", "f16", "f16", "f32", 128, -1}, {"wg_ss_tf32", "f32", "f32", "f32", 80, 1},
      {"wg_ss_s8", "s8", "u8", "s32", 272, 1},       {"wg_ss_e4m3", "e4m3", "u8", "f32", 256, 1}};
  int seed = 300;
  for (auto &t : kinds) {
    uint32_t per = 128 / widthOf(t.type);
    add("wgmma", t.name, {2, 2}, {128}).back("a", t.type, 100 * t.k, values(t.type, seed)).back("b", t.type, 90 * t.k, values(t.type, seed + 1))
        .map2("a", t.map, t.k, 100, per, 64, "128B").map2("b", t.map, t.k, 90, per, 64, "128B").out("out", t.out, 9000).i32(100).i32(90).i32(t.k)
        .dyn(16384 + 64).expect(product(100, 90, t.k, 1e-3, std::string(t.type) == "e4m3" ? 4 : 2e-3, t.sign));
    seed += 2;
  }
  add("wgmma", "wg_rs_f16", {2, 2}, {128}).in("a", "f16", 128 * 128, values("f16", seed)).back("b", "f16", 70 * 128, values("f16", seed + 1))
      .map2("b", "f16", 128, 70, 64, 64, "128B").out("out", "f32", 128 * 70).i32(70).i32(128).dyn(8192 + 64).expect(product(128, 70, 128, 1e-3, 2e-3));
  add("wgmma", "wg_sw64", {1, 2}, {128}).back("a", "bf16", 128 * 32, values("bf16", seed + 2)).back("b", "bf16", 64 * 32, values("bf16", seed + 3))
      .map2("a", "bf16", 32, 128, 32, 64, "64B").map2("b", "bf16", 32, 64, 32, 64, "64B").out("out", "f32", 128 * 64).dyn(8192 + 64)
      .expect(product(128, 64, 32, 1e-3, 2e-3));
  add("wgmma", "wg_pipeline", {1, 2}, {128}).back("a", "bf16", 70 * 352, values("bf16", seed + 4)).back("b", "bf16", 60 * 352, values("bf16", seed + 5))
      .map2("a", "bf16", 352, 70, 64, 64, "128B").map2("b", "bf16", 352, 60, 64, 64, "128B").out("out", "f32", 70 * 60).i32(70).i32(60).i32(352)
      .dyn(3 * 16384 + 64).expect(product(70, 60, 352, 1e-3, 4e-3));
  add("wgmma", "wg_warpspec", {2, 1}, {384}).back("a", "bf16", 100 * 288, values("bf16", seed + 6)).back("b", "bf16", 96 * 288, values("bf16", seed + 7))
      .back("out", "f32", 100 * 96, bytes(255), true).map2("a", "bf16", 288, 100, 64, 64, "128B").map2("b", "bf16", 288, 96, 64, 64, "128B")
      .map2("out", "f32", 96, 100, 64, 64, "none").i32(288).dyn(3 * 24576 + 64).expect(product(100, 96, 288, 1e-3, 4e-3));
  add("wgmma", "wg_multicast", {2, 2}, {128}).inCluster(2).back("a", "bf16", 128 * 128, values("bf16", seed + 8))
      .back("b", "bf16", 128 * 128, values("bf16", seed + 9)).map2("a", "bf16", 128, 128, 64, 64, "128B").map2("b", "bf16", 128, 128, 64, 32, "128B")
      .out("out", "f32", 128 * 128).i32(128).i32(128).dyn(16384 + 64).expect(product(128, 128, 128, 1e-3, 2e-3));
}

struct Four { int32_t x, y, z, w; };

// What boxes look like in shared memory: the element of row r, column q of the box at the block's place, or zero, swizzled.
static std::function<bool(Case &)> boxes(int gx, int gy, int cols, int rows, int pitch, int width, int w, int h, int swizzle, Four at) {
  return [=](Case &c) {
    Bytes x = c.find("x")->before, y(gx * gy * w * h * width);
    for (int b = 0; b < gx * gy; b++)
      for (int i = 0; i < w * h * width; i++) {
        int q = i / width % w + at.x + b % gx * at.z, r = i / width / w + at.y + b / gx * at.w;
        int to = swizzle ? i ^ (i >> 7 & (swizzle / 16 - 1)) << 4 : i;
        y[b * w * h * width + to] = q >= 0 && q < cols && r >= 0 && r < rows ? x[(r * pitch + q) * width + i % width] : 0;
      }
    return c.same("out", y);
  };
}

static void copies() {
  struct { const char *name, *type, *swizzle; int bytes, cols, rows, pitch, w, h, gx, gy; Four at; } loads[] = {
      {"tma_load_none", "f32", "none", 0, 50, 37, 52, 16, 8, 4, 6, {-4, -2, 16, 8}},
      {"tma_load_sw128", "f16", "128B", 128, 100, 60, 104, 64, 16, 2, 4, {0, 0, 64, 16}},
      {"tma_load_sw64", "u16", "64B", 64, 100, 60, 104, 32, 16, 4, 3, {8, 20, 32, 16}},
      {"tma_load_sw32", "u8", "32B", 32, 90, 40, 96, 32, 8, 3, 5, {0, 1, 32, 8}}};
  int seed = 400;
  for (auto &l : loads) {
    int width = widthOf(l.type), bytes = l.w * l.h * width;
    Fill fill = std::string(l.type) == "f32" ? lcg(seed, 1 << 24, 1 << 23, -10) : std::string(l.type) == "f16" ? lcg(seed, 2048, 1024, -5) : bits(seed);
    add("tma", "tma_load", {l.gx, l.gy}, {96}).as(l.name).back("x", l.type, l.pitch * l.rows, fill)
        .map(Map{l.type, l.swizzle, {(uint64_t)l.cols, (uint64_t)l.rows}, {(uint64_t)l.pitch * width}, {(uint32_t)l.w, (uint32_t)l.h}, {1, 1}, "x"})
        .out("out", "u8", l.gx * l.gy * bytes).i32(bytes).val("b128", l.at).dyn((bytes + 127) / 128 * 128 + 64)
        .expect(boxes(l.gx, l.gy, l.cols, l.rows, l.pitch, width, l.w, l.h, l.bytes, l.at));
    seed++;
  }
  for (int step = 1; step <= 2; step++) {
    int h = 6 / step, bytes = 8 * h * 2 * 4;
    add("tma", "tma_load3d", {4}, {64}).as(step == 1 ? "tma_load3d" : "tma_load3d_step2").back("x", "s32", 1200, bits(seed + step))
        .map(Map{"s32", "none", {20, 10, 6}, {80, 800}, {8, 6, 2}, {1, (uint32_t)step, 1}, "x"}).out("out", "s32", 4 * bytes / 4).i32(bytes)
        .val("b128", Four{4, 1, -1, 0}).dyn((bytes + 127) / 128 * 128 + 64).expect([=](Case &c) {
          auto x = c.was<int32_t>("x");
          std::vector<int32_t> y(4 * bytes / 4);
          for (int b = 0; b < 4; b++)
            for (int d = 0; d < 2; d++)
              for (int r = 0; r < h; r++)
                for (int q = 0; q < 8; q++) {
                  int z = b - 1 + d, row = 1 + r * step;
                  y[((b * 2 + d) * h + r) * 8 + q] = z >= 0 && z < 6 && row < 10 ? x[z * 200 + row * 20 + q + 4] : 0;
                }
          return c.same("out", y);
        });
  }
  add("tma", "tma_store", {3, 3}, {128}).back("out", "f32", 72 * 40, bytes(255), true).map(Map{"f32", "none", {70, 40}, {288}, {32, 16}, {1, 1}, "out"})
      .f32(0.5f).expect([](Case &c) {
        auto y = c.was<float>("out");
        for (int r = 0; r < 40; r++)
          for (int q = 0; q < 70; q++) y[r * 72 + q] = 0.5f * (r % 16 * 32 + q % 32 + 1) + q / 32 * 1000 + r / 16 * 10000;
        return c.same("out", y);
      });
  add("tma", "tma_reduce", {3}, {128}).back("out", "f32", 48 * 24, lcg(seed + 3, 256, 128, -2), true)
      .map(Map{"f32", "none", {48, 24}, {192}, {32, 16}, {1, 1}, "out"}).expect([](Case &c) {
        auto y = c.was<float>("out");
        for (int i = 0; i < 512; i++) y[(4 + i / 32) * 48 + 8 + i % 32] += i * 0.25f * 6;
        return c.same("out", y);
      });
  add("tma", "bulk_copy", {3}, {128}).in("in", "f32", 2500, lcg(seed + 4, 65536, 32768, -4)).out("out", "f32", 2500).i32(2500).expect([](Case &c) {
    auto x = c.was<float>("in");
    for (float &v : x) v = v * 3 - 1;
    return c.same("out", x);
  });
  add("tma", "bulk_ring", {2}, {256}).in("in", "u32", 2560, bits(seed + 5)).out("out", "u32", 2560).i32(5).expect([](Case &c) {
    auto x = c.was<uint32_t>("in");
    for (int i = 0; i < 2560; i++) x[i] = x[i] * 2654435761u + i / 256 % 5;
    return c.same("out", x);
  });
  add("tma", "bulk_reduce", {3}, {256}).in("in", "s32", 768, bits(seed + 6)).out("sum", "u32", 256, bytes(5)).out("least", "s32", 256, bytes(0x7f))
      .expect([](Case &c) {
        auto x = c.was<int32_t>("in"), least = c.was<int32_t>("least");
        auto sum = c.was<uint32_t>("sum");
        for (int i = 0; i < 768; i++) sum[i % 256] += x[i], least[i % 256] = x[i] < least[i % 256] ? x[i] : least[i % 256];
        return c.same("sum", sum) && c.same("least", least);
      });
}

static void clusters() {
  add("cluster", "cl_dsmem", {8}, {128}).inCluster(4).in("in", "u32", 1024, bits(500)).out("out", "u32", 1024).expect([](Case &c) {
    auto x = c.was<uint32_t>("in"), y = x;
    for (int i = 0; i < 1024; i++) y[i] = x[(i / 512 * 4 + (i / 128 + 1) % 4) * 128 + 127 - i % 128] + i / 128 % 4;
    return c.same("out", y);
  });
  add("cluster", "cl_hist", {4}, {128}).inCluster(4).in("in", "u8", 3001, bits(501)).out("out", "u32", 256, bytes(0)).i32(3001).expect([](Case &c) {
    Words bins(256);
    for (uint8_t v : c.find("in")->before) bins[v]++;
    return c.same("out", bins);
  });
  add("cluster", "cl_multicast", {4}, {128}).inCluster(2).back("x", "f32", 2048, lcg(502, 1 << 20, 1 << 19, -8)).map2("x", "f32", 32, 64, 32, 16, "none")
      .out("out", "f32", 4096).expect([](Case &c) {
        auto x = c.was<float>("x");
        Floats y(4096);
        for (int i = 0; i < 4096; i++) y[i] = x[i / 2048 * 1024 + i % 1024] * (i / 1024 % 2 + 1);
        return c.same("out", y);
      });
  add("cluster", "cl_stasync", {4}, {128}).inCluster(2).in("in", "u32", 512, bits(503)).out("out", "u32", 512).expect([](Case &c) {
    auto x = c.was<uint32_t>("in"), y = x;
    for (int i = 0; i < 512; i++) y[i] = x[(i ^ 128) ^ 5] + (i % 128 ^ 5);
    return c.same("out", y);
  });
  add("cluster", "cl_bulk", {4}, {128}).inCluster(2).in("in", "u32", 512, bits(504)).out("out", "u32", 512).expect([](Case &c) {
    auto x = c.was<uint32_t>("in"), y = x;
    for (int i = 0; i < 512; i++) y[i] = x[(i ^ 128) ^ 127] ^ 0x5a5a;
    return c.same("out", y);
  });
  add("cluster", "cl_remote_arrive", {8}, {64}).inCluster(4).in("in", "u32", 512, bits(505)).out("out", "u32", 128).expect([](Case &c) {
    auto x = c.was<uint32_t>("in");
    Words y(128);
    for (int i = 0; i < 128; i++) {
      const uint32_t *b = &x[i / 64 * 256];
      int t = i % 64;
      y[i] = 7 * (b[t] + b[64 + 63 - t] * 3 + b[128 + (t ^ 1)] * 5 + b[192 + (t ^ 32)]);
    }
    return c.same("out", y);
  });
}

void soundTensorCases() {
  mma();
  wgmma();
  copies();
  clusters();
}
