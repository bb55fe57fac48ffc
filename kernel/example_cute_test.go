package kernel_test

import (
	"fmt"
	"strings"

	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// copies traces a kernel that copies tiles of 4 elements a thread.
func copies() (*kernel.Kernel, error) {
	return kernel.Trace("copies", 128, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		a, b := k.Global("a", dtype.F32, kernel.Modes(n)), k.Global("b", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(512))
		own := func(t kernel.Tensor) kernel.Tensor {
			return k.LocalTile(k.LocalTile(t, kernel.Shape(512), k.BlockIdx(0)), kernel.Shape(4), k.ThreadIdx())
		}
		r := k.MakeFragmentLike(own(a), dtype.F32)
		k.CopyZfill(own(a), r)
		k.CopyIf(r, own(b))
	})
}

func ExampleKernel_CuTe() {
	k, err := copies()
	fmt.Println(err)
	text, err := k.CuTe()
	_, text, _ = strings.Cut(text, "__global__ ")
	device, _, _ := strings.Cut(text, "\n// launch_copies")
	fmt.Println(device, err)
	// Output:
	// <nil>
	// static __launch_bounds__(128)
	// void copies_device(int n, const float* a, float* b)
	// {
	//   Tensor mA = make_tensor(make_gmem_ptr(a), make_shape(n), make_stride(Int<1>{})); // (n)
	//   Tensor mpA = lazy::transform(make_identity_tensor(shape(mA)), [&](auto c) { return elem_less(c, shape(mA)); });
	//   Tensor mB = make_tensor(make_gmem_ptr(b), make_shape(n), make_stride(Int<1>{})); // (n)
	//   Tensor mpB = lazy::transform(make_identity_tensor(shape(mB)), [&](auto c) { return elem_less(c, shape(mB)); });
	//   Tensor gA = local_tile(mA, make_shape(Int<512>{}), make_coord(blockIdx.x));  // (512)
	//   Tensor tAgA = local_tile(gA, make_shape(Int<4>{}), make_coord(threadIdx.x)); // (4)
	//   Tensor tArA = make_fragment_like<float>(tAgA);                               // (4)
	//   Tensor pA = local_tile(mpA, make_shape(Int<512>{}), make_coord(blockIdx.x));
	//   Tensor tApA = local_tile(pA, make_shape(Int<4>{}), make_coord(threadIdx.x));
	//   copy_zfill(tApA, tAgA, tArA);
	//   Tensor gB = local_tile(mB, make_shape(Int<512>{}), make_coord(blockIdx.x));  // (512)
	//   Tensor pB = local_tile(mpB, make_shape(Int<512>{}), make_coord(blockIdx.x));
	//   Tensor tBgB = local_tile(gB, make_shape(Int<4>{}), make_coord(threadIdx.x)); // (4)
	//   Tensor tBpB = local_tile(pB, make_shape(Int<4>{}), make_coord(threadIdx.x));
	//   copy_if(tBpB, tArA, tBgB);
	// }
	//  <nil>
}

func ExampleKernel_DSL() {
	k, err := copies()
	fmt.Println(err)
	text, err := k.DSL("Copies a to b.")
	_, text, _ = strings.Cut(text, "@cute.kernel\n")
	device, _, _ := strings.Cut(text, "\n\n@cute.jit")
	fmt.Println(device, err)
	// Output:
	// <nil>
	// def copies_kernel(n: cutlass.Int32, a: cute.Pointer, b: cute.Pointer):
	//     tidx, _, _ = cute.arch.thread_idx()
	//     bidx, bidy, bidz = cute.arch.block_idx()
	//     mA = cute.make_tensor(a, cute.make_layout((n,), stride=(1,)))                 # (n)
	//     mcA = cute.make_identity_tensor(mA.shape)
	//     mB = cute.make_tensor(b, cute.make_layout((n,), stride=(1,)))                 # (n)
	//     mcB = cute.make_identity_tensor(mB.shape)
	//     gA = cute.local_tile(mA, (512,), (bidx,))                                     # (512)
	//     tAgA = cute.local_tile(gA, (4,), (tidx,))                                     # (4)
	//     tArA = cute.make_fragment_like(tAgA, cutlass.Float32)                         # (4)
	//     cA = cute.local_tile(mcA, (512,), (bidx,))
	//     tAcA = cute.local_tile(cA, (4,), (tidx,))
	//     copy_zfill(((tAcA, mA.shape),), tAgA, tArA)
	//     gB = cute.local_tile(mB, (512,), (bidx,))                                     # (512)
	//     cB = cute.local_tile(mcB, (512,), (bidx,))
	//     tBgB = cute.local_tile(gB, (4,), (tidx,))                                     # (4)
	//     tBcB = cute.local_tile(cB, (4,), (tidx,))
	//     copy_if(((tBcB, mB.shape),), tArA, tBgB)
	//  <nil>
}
