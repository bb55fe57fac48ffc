# Vectors of elements with predicates: the tiles do not divide the tensors of 37 by 45 elements.
import torch
import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def clamp(gA: cute.Tensor, gB: cute.Tensor, gC: cute.Tensor, cC: cute.Tensor, shape: cute.Shape, thr: cute.Layout):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, bidy, _ = cute.arch.block_idx()
    coord = ((None, None), (bidx, bidy))
    tA = cute.local_partition(gA[coord], thr, tidx)
    tB = cute.local_partition(gB[coord], thr, tidx)
    tC = cute.local_partition(gC[coord], thr, tidx)
    crd = cute.local_partition(cC[coord], thr, tidx)
    a, b = cute.make_fragment_like(tA), cute.make_fragment_like(tB)
    pred = cute.make_rmem_tensor(crd.shape, cutlass.Boolean)
    for i in cutlass.range_constexpr(cute.size(pred)):
        pred[i] = cute.elem_less(crd[i], shape)
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), gA.element_type)
    cute.copy(atom, tA, a, pred=pred)
    cute.copy(atom, tB, b, pred=pred)
    x = a.load() - 2.0 * b.load()
    c = cute.make_fragment_like(tC)
    c.store(cute.where(x > 0, x, 2 * x + 1))
    if tidx < 64:
        cute.copy(atom, c, tC, pred=pred)


@cute.jit
def run(mA: cute.Tensor, mB: cute.Tensor, mC: cute.Tensor):
    gA, gB, gC = [cute.zipped_divide(m, (16, 8)) for m in (mA, mB, mC)]
    cC = cute.zipped_divide(cute.make_identity_tensor(mC.shape), (16, 8))
    thr = cute.make_layout((4, 8), stride=(8, 1))
    clamp(gA, gB, gC, cC, mC.shape, thr).launch(grid=(3, 6, 1), block=(32, 1, 1))


a = torch.arange(37 * 45, dtype=torch.float32).reshape(37, 45)
b = torch.arange(37 * 45, dtype=torch.float32).reshape(45, 37)
c = torch.zeros(37, 45, dtype=torch.float32)
run(from_dlpack(a), from_dlpack(b.t()), from_dlpack(c))
for i in range(37):
    for j in range(45):
        print(int(c[i, j].item()), end=" ")
