package kernel_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestKnownExtents checks that a coordinate that may be outside of a known mode is an error of the access, and that a
// condition around the access, wherever the tensor was made, proves it.
func TestKnownExtents(t *testing.T) {
	t.Parallel()
	i := kernel.Int
	one := func(k *kernel.K) kernel.Value { return k.Number(dtype.F32, 1) }
	shared := func(k *kernel.K, layout string) kernel.Tensor {
		return k.Shared("s", dtype.F32, cute.MustParse(layout))
	}
	row := func(k *kernel.K) kernel.Tensor { return k.MakeFragment(dtype.F32, cute.MustParse("8:1")) }
	for _, tt := range []struct {
		name string
		code cute.Code
		do   func(k *kernel.K)
	}{
		{"beyond the end", cute.CodeMode, func(k *kernel.K) { k.Store(one(k), shared(k, "32:1"), k.ThreadIdx()) }},
		{"beyond a row", cute.CodeMode, func(k *kernel.K) {
			k.Load(shared(k, "(8,8):(8,1)"), k.ThreadIdx().Div(16), k.ThreadIdx().Mod(16))
		}},
		{"beyond a row of global memory", cute.CodeMode, func(k *kernel.K) {
			k.Load(k.GlobalLayout("a", dtype.F32, cute.MustParse("(8,8):(8,1)")), k.ThreadIdx().Div(16), k.ThreadIdx().Mod(16))
		}},
		{"before the beginning", cute.CodeMode, func(k *kernel.K) { k.Load(shared(k, "64:1"), k.ThreadIdx().Sub(i(1))) }},
		{"a linear index", cute.CodeMode, func(k *kernel.K) { k.Load(shared(k, "(8,4):(4,1)"), k.ThreadIdx()) }},
		{"a tile", cute.CodeMode, func(k *kernel.K) {
			k.Copy(row(k), k.LocalTile(shared(k, "64:1"), kernel.Shape(8), k.ThreadIdx()))
		}},
		{"a swizzled tile", cute.CodeMode, func(k *kernel.K) {
			s := k.Shared("s", dtype.F32, cute.MustParseComposed("Sw<2,3,3> o 0 o 64:1"))
			k.Copy(row(k), k.LocalTile(s, kernel.Shape(8), k.ThreadIdx()))
		}},
		{"a tile that is used after its condition", cute.CodeMode, func(k *kernel.K) {
			var tile kernel.Tensor
			s := shared(k, "64:1")
			k.If(k.ThreadIdx().Less(i(8)), func() { tile = k.LocalTile(s, kernel.Shape(8), k.ThreadIdx()) })
			k.Copy(row(k), tile)
		}},
		{"through other views", cute.CodeMode, func(k *kernel.K) {
			s := k.Slice(shared(k, "(4,2,32):(2,1,8)"), kernel.Open, kernel.Open, k.ThreadIdx())
			k.Clear(k.Recast(k.Slice(k.Transposed(s), kernel.Open, i(0)), dtype.S32))
		}},
		{"a number that is data", cute.CodeMode, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.S32, cute.MustParse("64:1"))
			k.Load(shared(k, "32:1"), k.Load(a, k.ThreadIdx()).Index(symbolic.Facts{Max: 32}))
		}},
		{"an offset of shared memory", cute.CodeType, func(k *kernel.K) {
			k.DomainOffset(shared(k, "(8,4):(4,1)"), k.ThreadIdx(), i(0))
		}},
		{"an offset of too few numbers", cute.CodeRank, func(k *kernel.K) {
			k.DomainOffset(shared(k, "(8,4):(4,1)"), k.ThreadIdx())
		}},
		{"a tile beyond an offset", cute.CodeMode, func(k *kernel.K) {
			a := k.Global("a", dtype.F32, kernel.Modes(i(64)))
			k.Copy(k.LocalTile(k.DomainOffset(a, k.ThreadIdx().Div(8)), kernel.Shape(8), i(7)), row(k))
		}},
		{"a view", "", func(k *kernel.K) {
			k.Clear(k.View(shared(k, "64:1"), k.ThreadIdx().Div(2), cute.MustParse("(4,2):(8,1)")))
		}},
		{"a condition around it", "", func(k *kernel.K) {
			s := shared(k, "32:1")
			k.If(k.InBounds(s, k.ThreadIdx()), func() { k.Store(one(k), s, k.ThreadIdx()) })
			k.If(k.ThreadIdx().Equal(i(5)), func() { k.Store(one(k), s, k.ThreadIdx()) })
		}},
		{"a condition around the copy of a tile from outside", "", func(k *kernel.K) {
			tile := k.LocalTile(shared(k, "64:1"), kernel.Shape(8), k.ThreadIdx())
			k.If(k.ThreadIdx().Less(i(8)), func() { k.Copy(row(k), tile) })
		}},
		{"a bound of the loop", "", func(k *kernel.K) {
			s, n := shared(k, "(8,4):(4,1)"), k.Int("n", symbolic.Facts{Min: 1, Max: 8})
			k.For(i(0), n, func(j kernel.Index) { k.Store(one(k), s, j, k.ThreadIdx().Mod(4)) })
		}},
		{"a halo", "", func(k *kernel.K) {
			k.Load(shared(k, "(10,10):(10,1)"), k.ThreadIdx().Div(8).Add(i(2)), k.ThreadIdx().Mod(8).Add(i(2)))
		}},
		{"rows and columns of a count", "", func(k *kernel.K) {
			s := shared(k, "(18,18):(19,1)")
			k.ForStep(k.ThreadIdx(), i(324), i(64), func(j kernel.Index) { k.Store(one(k), s, j.Div(18), j.Mod(18)) })
			k.For(i(0), i(6), func(j kernel.Index) {
				j = j.Mul(i(64)).Add(k.ThreadIdx())
				k.If(j.Less(i(324)), func() { k.Store(one(k), s, j.Div(18), j.Mod(18)) })
				k.If(i(71).Less(j), func() { k.Store(one(k), s, j.Div(18).Sub(i(4)), i(0)) })
			})
		}},
		{"tiles in groups of rows", "", func(k *kernel.K) {
			k.Grid(i(132))
			a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(64,8):(8,1)"))
			k.ForStep(k.BlockIdx(0), i(512), i(132), func(j kernel.Index) {
				k.Load(a, j.Div(32).Mul(i(4)).Add(j.Mod(4)), j.Mod(32).Div(4))
			})
		}},
		{"a part of a thread of a condition", "", func(k *kernel.K) {
			s := shared(k, "(8,8):(8,1)")
			k.If(k.ThreadIdx().Less(i(8)), func() {
				k.Copy(row(k), k.LocalPartition(s, cute.MustParse("(8,1):(1,0)"), k.ThreadIdx()))
			})
		}},
		{"numbers of the last threads", "", func(k *kernel.K) {
			s, x := shared(k, "(4,8):(8,1)"), k.ThreadIdx().Sub(i(32))
			k.If(i(31).Less(k.ThreadIdx()), func() {
				k.Load(s, x)
				k.Clear(k.LocalPartition(s, cute.MustParse("(4,8):(8,1)"), x))
			})
		}},
		{"a linear index that may be negative", cute.CodeMode, func(k *kernel.K) {
			k.If(i(30).Less(k.ThreadIdx()), func() { k.Load(shared(k, "(4,8):(8,1)"), k.ThreadIdx().Sub(i(32))) })
		}},
		{"a part of a thread that may be negative", cute.CodeExtent, func(k *kernel.K) {
			k.LocalPartition(shared(k, "64:1"), cute.MustParse("64:1"), k.ThreadIdx().Sub(i(1)))
		}},
		{"one row more of a count", cute.CodeMode, func(k *kernel.K) {
			s := shared(k, "(18,18):(19,1)")
			k.ForStep(k.ThreadIdx(), i(325), i(64), func(j kernel.Index) { k.Store(one(k), s, j.Div(18), j.Mod(18)) })
		}},
	} {
		_, err := kernel.Trace("k", 64, tt.do)
		e, ok := errors.AsType[*kernel.Error](err)
		if (tt.code == "") != (err == nil) || ok && (e.Err.Code != tt.code || e.File != "known_test.go") {
			t.Errorf("%s: expected %q, found %v", tt.name, tt.code, err)
		}
	}
}

// TestKnownEdges checks that the copies with conditions leave elements outside of a known layout alone, and that
// neighbours in shared memory keep their values.
func TestKnownEdges(t *testing.T) {
	t.Parallel()
	for name, copies := range map[string]func(k *kernel.K, src, dst kernel.Tensor){
		"CopyIf": (*kernel.K).CopyIf, "CopyZfill": (*kernel.K).CopyZfill,
	} {
		k, err := kernel.Trace("k", 64, func(k *kernel.K) {
			k.Grid(kernel.Int(1))
			s, next := k.Shared("s", dtype.F32, cute.MustParse("256:1")), k.Shared("t", dtype.F32, cute.MustParse("64:1"))
			y, tid := k.GlobalLayout("y", dtype.F32, cute.MustParse("64:1")), k.ThreadIdx()
			r := k.MakeFragment(dtype.F32, cute.MustParse("8:1"))
			k.Store(k.Number(dtype.F32, 7), next, tid)
			k.Fill(r, 1)
			k.Sync()
			copies(k, r, k.LocalTile(s, kernel.Shape(8), tid)) // 32 tiles for 64 threads
			k.Sync()
			copies(k, k.LocalTile(s, kernel.Shape(8), tid), r)
			k.Store(k.Load(next, tid).Add(k.Load(r, kernel.Int(7))), y, tid)
		})
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, 64)
		if _, err := k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"y": y}}); err != nil {
			t.Fatal(name, err)
		}
		last := map[string]float64{"CopyIf": 8, "CopyZfill": 7}[name]
		if !slices.Equal(y, append(slices.Repeat([]float64{8}, 32), slices.Repeat([]float64{last}, 32)...)) {
			t.Error(name, y)
		}
	}
}

// TestKnownStages checks that the stages of TMA copies and of descriptors are inside of their tensor.
func TestKnownStages(t *testing.T) {
	t.Parallel()
	for _, which := range []string{"copy", "gemm", ""} {
		_, err := kernel.Trace("k", 128, func(k *kernel.K) {
			n := k.Int("n", symbolic.Facts{Min: 64, Max: 1 << 20, Div: 64})
			a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
			all, zero := kernel.Open, kernel.Int(0)
			s := k.Shared("s", dtype.F16, cute.MustParseComposed("Sw<3,3,3> o 0 o (64,64,2):(64,1,4096)"))
			tma := k.MakeTmaAtom(a, k.Slice(s, all, all, zero), kernel.Shape(64, 64), 1)
			g, to := k.TmaPartition(tma, zero, s, k.LocalTile(a, kernel.Shape(64, 64), zero, all))
			mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM90_64x64x16_F32F16F16_SS")),
				cute.MustParse("(1,1,1):(0,0,0)"), nil))
			thr := k.ThrMMA(mma, k.ThreadIdx())
			x, y := thr.MakeFragmentA(thr.PartitionA(s)), thr.MakeFragmentB(thr.PartitionB(s))
			acc := thr.MakeFragmentC(thr.PartitionC(k.Slice(s, all, all, zero)))
			k.Clear(acc)
			full := k.Barriers("full", 1).At(zero)
			k.For(zero, n.Div(64), func(i kernel.Index) {
				stage := func(name string) kernel.Index {
					if name == which {
						return i
					}
					return i.Mod(2)
				}
				k.If(k.ThreadIdx().Equal(zero), func() {
					k.CopyTma(tma.With(full), k.Slice(g, all, i), k.Slice(to, all, stage("copy")))
				})
				k.WarpgroupArrive()
				at := stage("gemm")
				k.GemmTiled(mma, k.Slice(x, all, all, all, at), k.Slice(y, all, all, all, at), acc)
				k.WarpgroupCommitBatch()
				k.WarpgroupWait(0)
			})
		})
		e, ok := errors.AsType[*kernel.Error](err)
		if (which == "") != (err == nil) || ok && (e.Err.Code != cute.CodeMode || e.Err.Op != which) {
			t.Errorf("%q: found %v", which, err)
		}
	}
}
