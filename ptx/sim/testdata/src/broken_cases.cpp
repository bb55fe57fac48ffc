// How the broken kernels are launched. They are described, never run.
#include "harness.h"

static Case &broken(const char *entry, std::vector<int> grid, std::vector<int> block) {
  Case &c = add("broken", entry, grid, block);
  c.broken = true;
  return c;
}

// One buffer of 32-bit words in, one out.
static Case &words(const char *entry, int grid, int block, size_t in, size_t out) {
  return broken(entry, {grid}, {block}).in("x", "u32", in, bits(600)).out("y", "u32", out);
}

// A tensor map of rows of 32 floats with boxes of 16 rows.
static Case &box(const char *entry) {
  return broken(entry, {1}, {128}).back("x", "f32", 32 * 64, lcg(601, 4096, 2048, -4)).map2("x", "f32", 32, 64, 32, 16, "none");
}

static Case &tile(const char *entry) {
  return broken(entry, {1}, {128}).back("a", "bf16", 64 * 128, lcg(602, 256, 128, -7)).back("b", "bf16", 64 * 128, lcg(603, 256, 128, -7))
      .map2("a", "bf16", 128, 64, 64, 64, "128B").map2("b", "bf16", 128, 64, 64, 64, "128B").out("out", "f32", 4096).dyn(16384 + 64);
}

void brokenCases() {
  words("bk_cpasync_no_wait", 1, 128, 128, 128);
  words("bk_cpasync_late_wait", 1, 128, 640, 128).i32(5);
  words("bk_cpasync_no_commit", 1, 128, 512, 512);
  words("bk_cpasync_no_sync", 1, 128, 128, 128);
  words("bk_cpasync_stage_reused", 1, 128, 640, 128).i32(5);
  words("bk_cpasync_overwritten", 1, 128, 128, 128);
  box("bk_tma_no_wait").out("out", "f32", 512);
  box("bk_tma_wrong_phase").out("out", "f32", 512);
  box("bk_tma_phase_kept").out("out", "f32", 2048).i32(4);
  box("bk_tma_expect_more").out("out", "f32", 512);
  box("bk_tma_expect_less").out("out", "f32", 512);
  box("bk_tma_misaligned").out("out", "f32", 512);
  broken("bk_tma_store_reused", {1}, {128}).back("out", "f32", 32 * 64, bytes(255), true).map2("out", "f32", 32, 64, 32, 16, "none");
  broken("bk_bulk_tail", {3}, {128}).in("in", "f32", 2500, lcg(604, 4096, 2048, -4)).out("out", "f32", 2500).i32(2500);
  words("bk_mbar_count_high", 1, 128, 128, 128);
  words("bk_mbar_count_low", 1, 128, 128, 128);
  words("bk_mbar_no_init", 1, 128, 128, 128);
  words("bk_mbar_init_unseen", 1, 128, 128, 128);
  broken("bk_transpose_no_sync", {2, 2}, {32, 8}).in("in", "f32", 4096, lcg(605, 4096, 0, 0)).out("out", "f32", 4096).i32(64);
  words("bk_aliased", 1, 128, 128, 128).dyn(1024);
  words("bk_reduce_no_sync", 1, 256, 256, 1);
  broken("bk_hist_plain", {1}, {128}).in("x", "u8", 1000, bits(606)).out("bins", "u32", 16).i32(1000);
  broken("bk_global_race", {2}, {128}).in("x", "u32", 250, bits(600)).out("y", "u32", 125, bytes(0)).i32(250);
  words("bk_cluster_no_arrive", 2, 128, 256, 256).inCluster(2);
  words("bk_cluster_no_sync", 2, 128, 256, 256).inCluster(2);
  words("bk_cluster_exit", 2, 128, 256, 512).inCluster(2);
  tile("bk_wgmma_no_fence");
  tile("bk_wgmma_no_wait");
  tile("bk_wgmma_late_wait");
  tile("bk_wgmma_no_tma_wait");
  tile("bk_wgmma_stage_reused");
  words("bk_producer_phase", 1, 160, 640, 128).i32(5);
  words("bk_consumer_early", 1, 160, 640, 128).i32(5);
  words("bk_divergent_barrier", 1, 128, 128, 128);
  words("bk_named_count", 1, 128, 64, 64);
  words("bk_barrier_crossed", 1, 128, 128, 128);
  words("bk_shuffle_mask", 1, 64, 64, 64);
  broken("bk_oob_tile", {2}, {256}).in("in", "f32", 1024, lcg(607, 4096, 0, 0)).out("out", "f32", 1024).i32(1024);
  words("bk_oob_shared", 1, 128, 128, 128).dyn(512);
  broken("bk_oob_row", {3}, {128}).in("in", "f32", 10 * 50, lcg(608, 4096, 0, 0)).out("out", "f32", 10).i32(10).i32(50);
  words("bk_uninit_tail", 1, 256, 200, 1).i32(200);
  broken("bk_uninit_global", {2}, {64}).in("x", "s32", 100, bits(609)).in("more", "s32", 100, none()).out("y", "s32", 100).i32(100);
  broken("bk_misaligned", {1}, {32}).in("x", "f32", 132, lcg(610, 4096, 0, 0)).out("y", "f32", 128);
  words("bk_grid_barrier", 4, 64, 256, 256).out("arrived", "u32", 1, bytes(0));
}
