# A transpose through shared memory with padded rows.
import torch
import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def transpose(gA: cute.Tensor, gB: cute.Tensor, thr: cute.Layout):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, bidy, _ = cute.arch.block_idx()
    smem = cutlass.utils.SmemAllocator()
    sA = smem.allocate_tensor(cutlass.Float32, cute.make_layout((32, 32), stride=(33, 1)), 16)
    tile = cute.local_tile(gA, (32, 32), (bidx, bidy))
    out = cute.local_tile(gB, tiler=(32, 32), coord=(bidy, bidx))
    tA = cute.local_partition(tile, thr, tidx)
    tS = cute.local_partition(sA, thr, tidx)
    frag = cute.make_fragment_like(tA)
    cute.autovec_copy(tA, frag)
    cute.autovec_copy(frag, tS)
    cute.arch.sync_threads()
    for i in cutlass.range_constexpr(8):
        r = i * 4 + tidx // 32
        out[r, tidx % 32] = sA[tidx % 32, r]


@cute.jit
def run(mA: cute.Tensor, mB: cute.Tensor):
    transpose(mA, mB, cute.make_layout((4, 32), stride=(32, 1))).launch(grid=(2, 3, 1), block=(128, 1, 1))


a = torch.arange(64 * 96, dtype=torch.float32).reshape(64, 96)
b = torch.zeros(96, 64, dtype=torch.float32)
run(from_dlpack(a), from_dlpack(b))
for i in range(96):
    for j in range(64):
        print(int(b[i, j].item()), end=" ")
