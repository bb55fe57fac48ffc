// targets: sm_90a
// Clusters: distributed shared memory, barriers of a cluster, bulk copies, asynchronous stores, programmatic launches, multicast memory.
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128) exchange(const int *in, int *out) {
  __shared__ int mine[128];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  mine[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  cluster.sync();
  int *theirs = cluster.map_shared_rank(mine, rank ^ 1);
  out[blockIdx.x * 128 + threadIdx.x] = theirs[127 - threadIdx.x];
  cluster.sync();
}

extern "C" __global__ void __launch_bounds__(256, 1, 8) anyCluster(int *out) {
  unsigned ctaid, n;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(ctaid));
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(n));
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[threadIdx.x] = ctaid * n;
  asm volatile("griddepcontrol.launch_dependents;");
}

extern "C" __global__ void bulk(const float *in, float *out, int bytes) {
  __shared__ __align__(128) float tile[1024];
  __shared__ __align__(8) uint64_t bar;
  uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar), s = (uint32_t)__cvta_generic_to_shared(tile), done;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b));
    asm volatile("fence.proxy.async;" ::: "memory");
    uint64_t state;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(b), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s), "l"(in), "r"(bytes), "r"(b)
                 : "memory");
  }
  __syncthreads();
  do
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(b) : "memory");
  while (!done);
  tile[threadIdx.x] *= 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t peer, peerBar;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peer) : "r"(s), "r"(1));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peerBar) : "r"(b), "r"(1));
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 [%0], {%1, %2}, [%3];" ::"r"(peer), "r"(1), "r"(2), "r"(peerBar)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(out), "r"(s), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
  }
}

extern "C" __global__ void multicast(float *mc, uint32_t *out) {
  float4 v;
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(mc)
               : "memory");
  asm volatile("multimem.st.weak.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(mc), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
  asm volatile("multimem.red.release.gpu.global.add.f32 [%0], %1;" ::"l"(mc), "f"(v.x) : "memory");
  uint32_t elected;
  asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.b32 %0, 1, 0, p;\n\t}" : "=r"(elected));
  out[threadIdx.x] = elected;
}
