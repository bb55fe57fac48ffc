package kernel_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestRepairs checks that each mistake is refused at the caller's line, with numbers, and that the kernel works after
// the repair in the hint. Each row traces one kernel with the mistake and with the repair.
func TestRepairs(t *testing.T) {
	t.Parallel()
	var line int
	here := func() { _, _, line, _ = runtime.Caller(1); line++ }
	f32, zero, one := dtype.F32, kernel.Int(0), kernel.Int(1)
	// way returns the first of two values for the kernel with the mistake, and the second for the repaired one.
	type way struct{ mended bool }
	layout := func(w way, bad, good string) cute.Layout {
		if w.mended {
			return parse(good)
		}
		return parse(bad)
	}
	number := func(w way, bad, good int64) int64 {
		if w.mended {
			return good
		}
		return bad
	}
	text := func(w way, bad, good string) string {
		if w.mended {
			return good
		}
		return bad
	}
	for _, tt := range []struct {
		name    string
		code    cute.Code
		says    string // the numbers in the message
		hint    string
		threads [2]int64 // of the block, with the mistake and without; 0 for 128
		trace   func(k *kernel.K, w way)
	}{
		{
			name: "a tile that does not divide", code: cute.CodeNotDivisible, says: "60:64 of a, found 32",
			hint: "extents divide those of the tensor", trace: func(k *kernel.K, w way) {
				a := k.GlobalLayout("a", f32, parse("(60,64):(64,1)"))
				here()
				k.LocalTile(a, kernel.Shape(number(w, 32, 30), 32), zero, zero)
			},
		},
		{
			name: "an atom of other elements", code: cute.CodeType, says: "moves f16, found f32", hint: "find the atom of elements float",
			trace: func(k *kernel.K, w way) {
				at := kernel.Must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", text(w, "half_t", "float")))
				values := layout(w, "(1,8):(0,1)", "(1,4):(0,1)")
				c := kernel.Must(atom.MakeTiledCopy(at, parse("(16,8):(8,1)"), values))
				g := k.GlobalLayout("g", f32, parse("(16,64):(64,1)"))
				s := k.Shared("s", f32, parse("(16,64):(64,1)"))
				thr := k.ThrCopy(c, k.ThreadIdx())
				from, to := thr.PartitionS(g), thr.PartitionD(s)
				here()
				k.CopyTiled(c, from, to)
			},
		},
		{
			name: "an atom for other places", code: cute.CodeType, says: "from global memory to shared memory, found",
			hint: "take an atom that moves from and to", trace: func(k *kernel.K, w way) {
				name := text(w, "SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", "UniversalCopy<uint128_t>")
				c := kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom(name, "float")), parse("(16,8):(8,1)"),
					parse("(1,4):(0,1)")))
				s, g := k.Shared("s", f32, parse("(16,64):(64,1)")), k.GlobalLayout("g", f32, parse("(16,64):(64,1)"))
				thr := k.ThrCopy(c, k.ThreadIdx())
				from, to := thr.PartitionS(s), thr.PartitionD(g)
				here()
				k.CopyTiled(c, from, to)
			},
		},
		{
			name: "an atom that swizzles part", code: cute.CodeNotRepresentable, says: "takes 4 elements of s at one address",
			hint: "let 4 neighbours of s lie side by side", trace: func(k *kernel.K, w way) {
				at := kernel.Must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", "float"))
				c := kernel.Must(atom.MakeTiledCopy(at, parse("(16,8):(8,1)"), parse("(1,4):(0,1)")))
				g := k.GlobalLayout("g", f32, parse("(16,32):(32,1)"))
				s := k.Shared("s", f32, composedOf(t, 3, int(number(w, 0, 2)), 3, "(16,32):(32,1)"))
				thr := k.ThrCopy(c, k.ThreadIdx())
				from, to := thr.PartitionS(g), thr.PartitionD(s)
				here()
				k.CopyTiled(c, from, to)
			},
		},
		{
			name: "an MMA of more threads", code: cute.CodeExtent, says: "the MMA has 64 threads, and thread.x is from 0 to 127",
			hint: "make the block one of 64 threads", threads: [2]int64{128, 64}, trace: func(k *kernel.K, _ way) {
				op := kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN"))
				m := kernel.Must(atom.MakeTiledMMA(op, parse("(2,1,1):(1,0,0)"), nil))
				here()
				k.ThrMMA(m, k.ThreadIdx())
			},
		},
		{
			name: "a layout that overlaps", code: cute.CodeNotInjective,
			says: "(0,1) and (8,0) are at one place, 8, under (16,8):(1,8)",
			hint: "take (16,8):(1,16)", trace: func(k *kernel.K, w way) {
				s := k.Shared("s", f32, layout(w, "(16,8):(1,8)", "(16,8):(1,16)"))
				part := k.LocalPartition(s, parse("(16,8):(1,16)"), k.ThreadIdx())
				here()
				k.Fill(part, 1)
			},
		},
		{
			name: "a global layout that overlaps", code: cute.CodeNotInjective, says: "are at one place", hint: "or read it only",
			trace: func(k *kernel.K, w way) {
				g := k.GlobalLayout("g", f32, layout(w, "(4,(8,4)):(0,(1,8))", "(4,(8,4)):(32,(1,8))"))
				r := k.MakeFragment(f32, parse("1:0"))
				k.Clear(r)
				part := k.LocalPartition(g, parse("(4,32):(32,1)"), k.ThreadIdx())
				here()
				k.Copy(r, part)
			},
		},
		{
			name: "threads that overlap", code: cute.CodeNotInjective, says: "(8,16):(1,4)", hint: "such as (8,16):(1,8)",
			trace: func(k *kernel.K, w way) {
				a := k.GlobalLayout("a", f32, parse("(64,64):(64,1)"))
				here()
				k.LocalPartition(a, layout(w, "(8,16):(1,4)", "(8,16):(1,8)"), k.ThreadIdx())
			},
		},
		{
			name: "a tensor in the wrong space", code: cute.CodeType, says: "global f32", hint: "to fragments",
			trace: func(k *kernel.K, w way) {
				a := k.GlobalLayout("a", f32, parse("(2,2):(1,2)"))
				c := a
				if w.mended {
					c = k.MakeFragmentLike(a, f32)
					k.Clear(c)
				}
				here()
				k.Gemm(a, a, c)
			},
		},
		{
			name: "wgmma of a tile in global memory", code: cute.CodeType, says: "global", hint: "copy the tile to shared memory",
			trace: func(k *kernel.K, w way) {
				thr := k.ThrMMA(wgmma(t, "SM90_64x64x16_F32F16F16_SS"), k.ThreadIdx())
				tile := k.GlobalLayout("a", dtype.F16, parse("(64,64):(64,1)"))
				if w.mended {
					tile = k.Shared("s", dtype.F16, composedOf(t, 3, 3, 3, "(64,64):(64,1)"))
				}
				part := thr.PartitionA(tile)
				here()
				thr.MakeFragmentA(part)
			},
		},
		{
			name: "a static loop too long", code: cute.CodeLimit, says: "a thread has 8192 elements of a",
			hint: "use k.For, or more threads", trace: func(k *kernel.K, w way) {
				a, b := k.GlobalLayout("a", f32, parse("8192:1")), k.GlobalLayout("b", f32, parse("8192:1"))
				if w.mended {
					k.For(zero, kernel.Int(64), func(i kernel.Index) {
						own := kernel.Shape(1)
						tile := func(t kernel.Tensor) kernel.Tensor {
							return k.LocalTile(k.LocalTile(t, kernel.Shape(128), i), own, k.ThreadIdx())
						}
						k.Copy(tile(a), tile(b))
					})
					return
				}
				here()
				k.Copy(a, b)
			},
		},
		{
			name: "a static product too long", code: cute.CodeLimit, says: "instructions, which are unrolled: at most 4096",
			hint: "one k at a time under k.For", threads: [2]int64{1, 1}, trace: func(k *kernel.K, w way) {
				m := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("UniversalFMA<float>")), parse("(1,1,1):(0,0,0)"), nil))
				thr, all := k.ThrMMA(m, k.ThreadIdx()), kernel.Open
				s := k.Shared("s", f32, parse("(32,32):(1,32)"))
				a, b := thr.PartitionA(s), thr.PartitionB(s)
				c := thr.MakeFragmentC(thr.PartitionC(s))
				k.Clear(c)
				if w.mended {
					k.For(zero, kernel.Int(32), func(i kernel.Index) {
						k.GemmTiled(m, k.Slice(a, all, all, i), k.Slice(b, all, all, i), c)
					})
					return
				}
				here()
				k.GemmTiled(m, a, b, c)
			},
		},
		{
			name: "too much shared memory", code: cute.CodeLimit, says: "262144 elements of 32 bits, and a block has 232448 bytes",
			hint: "fewer stages or smaller tiles", trace: func(k *kernel.K, w way) {
				here()
				k.Shared("s", f32, layout(w, "(128,64,32):(64,1,8192)", "(128,64,4):(64,1,8192)"))
			},
		},
		{
			name: "a copy at the edge", code: cute.CodeMode, says: "the right may be 1", hint: "use CopyIf",
			trace: func(k *kernel.K, w way) {
				a := k.LocalTile(k.Global("a", f32, kernel.Modes(k.Int("n", extent(1)))), kernel.Shape(1), k.ThreadIdx())
				r := k.MakeFragment(f32, parse("1:0"))
				if w.mended {
					k.CopyIf(a, r)
					return
				}
				here()
				k.Copy(a, r)
			},
		},
		{
			name: "vectors that may not be aligned", code: cute.CodeNotDivisible, says: "8 elements", hint: "state the fact Div: 8",
			trace: func(k *kernel.K, w way) {
				n := k.Int("n", extent(number(w, 1, 8)))
				here()
				k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, one)
			},
		},
		{
			name: "threads without elements", code: cute.CodeExtent, says: "from 0 to 63 of (8,8):(8,1), found thread.x, from 0 to 127",
			hint: "as many threads as the block has, 128", trace: func(k *kernel.K, w way) {
				a := k.GlobalLayout("a", f32, parse("(64,64):(64,1)"))
				here()
				k.LocalPartition(a, layout(w, "(8,8):(8,1)", "(16,8):(8,1)"), k.ThreadIdx())
			},
		},
		{
			name: "a pipeline of one stage", code: cute.CodeExtent, says: "found -1", hint: "at least 2",
			trace: func(k *kernel.K, w way) {
				stages := number(w, 1, 2)
				here()
				k.CpAsyncWait(stages - 2)
			},
		},
		{
			name: "a fragment of many elements", code: cute.CodeLimit, says: "8192 elements is more than 4096", hint: "smaller tiles",
			trace: func(k *kernel.K, w way) {
				here()
				k.MakeFragment(f32, layout(w, "8192:1", "64:1"))
			},
		},
		{
			name: "a multicast without a cluster", code: cute.CodeExtent, says: "shared by 2 blocks, and the cluster has 1",
			hint: "k.Cluster(2, 1, 1)", trace: func(k *kernel.K, w way) {
				if w.mended {
					k.Cluster(2, 1, 1)
				}
				n := k.Int("n", extent(8))
				a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, one)
				s := k.Shared("s", dtype.F16, composedOf(t, 3, 3, 3, "(64,64):(64,1)"))
				here()
				k.MakeTmaAtom(a, s, kernel.Shape(64, 64), 2)
			},
		},
	} {
		for i, w := range []way{{false}, {true}} {
			line = 0
			threads := tt.threads[i]
			if threads == 0 {
				threads = 128
			}
			_, err := kernel.Trace("k", threads, func(k *kernel.K) { tt.trace(k, w) })
			e, ok := errors.AsType[*kernel.Error](err)
			switch {
			case w.mended && err != nil:
				t.Errorf("%s: with the repair: %v", tt.name, err)
			case w.mended:
			case !ok || e.Err.Code != tt.code || e.File != "repairs_test.go" || e.Line != line:
				t.Errorf("%s: expected %s at line %d, found %v", tt.name, tt.code, line, err)
			case !strings.Contains(e.Err.Msg, tt.says) || !strings.Contains(e.Err.Hint, tt.hint) || e.Err.Hint == "":
				t.Errorf("%s: no %q, %q in %q, %q", tt.name, tt.says, tt.hint, e.Err.Msg, e.Err.Hint)
			}
		}
	}
}
