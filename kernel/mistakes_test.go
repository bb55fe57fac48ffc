package kernel_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
)

// A mistake is an error that people who know CuTe make in a gemm with cp.async, ldmatrix and mma.sync. The zero mistake
// is a correct gemm.
type mistake struct {
	load, threads, values string // of the copy to shared memory
	mma                   string
	rows, depth           int64  // of a tile
	shared                string // the layout of A
	div                   int64  // divides k
	out                   dtype.Type
	forgot                string // the omitted step: fence, wait, sync, last sync, clear, mod, if
}

// or returns x, or y if x is the zero value.
func or[T comparable](x, y T) T {
	var none T
	if x == none {
		return y
	}
	return x
}

// trace writes the gemm.
func (m mistake) trace() (*kernel.Kernel, error) {
	return kernel.Trace("gemm", 128, func(k *kernel.K) {
		step := func(name string, do func()) {
			if m.forgot != name {
				do()
			}
		}
		load := kernel.Must(atom.MakeTiledCopy(
			kernel.Must(atom.FindCopyAtom(or(m.load, "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>"), "half_t")),
			cute.MustParse(or(m.threads, "(32,4):(4,1)")), cute.MustParse(or(m.values, "(1,8):(0,1)"))))
		mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA(or(m.mma, "SM80_16x8x16_F32F16F16F32_TN"))),
			cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16)))
		ldsm := kernel.Must(atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t"))
		readA, readB := kernel.Must(atom.MakeTiledCopyA(ldsm, mma)), kernel.Must(atom.MakeTiledCopyB(ldsm, mma))
		bm, bk := or(m.rows, 64), or(m.depth, 32)

		rows, columns, depth := k.Int("m", extent(1)), k.Int("n", extent(1)), k.Int("k", extent(or(m.div, 8)))
		zero, one, all, tid := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", dtype.F16, kernel.Modes(rows, depth), depth, one)
		mB := k.Global("B", dtype.F16, kernel.Modes(columns, depth), depth, one)
		mC := k.Global("C", or(m.out, dtype.F32), kernel.Modes(rows, columns), columns, one)
		k.Grid(rows.CeilDiv(bm), columns.CeilDiv(64))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all)
		gB := k.LocalTile(mB, kernel.Shape(64, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, 64), k.BlockIdx(0), k.BlockIdx(1))
		sA := k.Shared("sA", dtype.F16, cute.MustParseComposed(or(m.shared, "Sw<2,3,3> o 0 o (64,32,2):(32,1,2048)")))
		sB := k.Shared("sB", dtype.F16, cute.MustParseComposed("Sw<2,3,3> o 0 o (64,32,2):(32,1,2048)"))

		cp, thr := k.ThrCopy(load, tid), k.ThrMMA(mma, tid)
		tAgA, tAsA, tBgB, tBsB := cp.PartitionS(gA), cp.PartitionD(sA), cp.PartitionS(gB), cp.PartitionD(sB)
		tCgC := thr.PartitionC(gC)
		tCrA := thr.MakeFragmentA(thr.PartitionA(k.Slice(sA, all, all, zero)))
		tCrB := thr.MakeFragmentB(thr.PartitionB(k.Slice(sB, all, all, zero)))
		tCrC := thr.MakeFragmentC(tCgC)
		step("clear", func() { k.Clear(tCrC) })
		ldA, ldB := k.ThrCopy(readA, tid), k.ThrCopy(readB, tid)
		tXsA, tXsB, tXrA, tXrB := ldA.PartitionS(sA), ldB.PartitionS(sB), ldA.RetileD(tCrA), ldB.RetileD(tCrB)

		tiles := gA.Extent(2)
		fetch := func(i kernel.Index) {
			stage := i
			step("mod", func() { stage = i.Mod(2) })
			k.If(i.Less(tiles), func() {
				k.CopyTiled(load, k.Slice(tAgA, all, all, all, i), k.Slice(tAsA, all, all, all, stage))
				k.CopyTiled(load, k.Slice(tBgB, all, all, all, i), k.Slice(tBsB, all, all, all, stage))
			})
			step("fence", k.CpAsyncFence)
		}
		fetch(zero)
		k.For(zero, tiles, func(i kernel.Index) {
			fetch(i.Add(one))
			step("wait", func() { k.CpAsyncWait(1) })
			step("sync", k.Sync)
			k.CopyTiled(readA, k.Slice(tXsA, all, all, all, i.Mod(2)), tXrA)
			k.CopyTiled(readB, k.Slice(tXsB, all, all, all, i.Mod(2)), tXrB)
			k.GemmTiled(mma, tCrA, tCrB, tCrC)
			step("last sync", k.Sync)
		})
		if m.forgot == "if" {
			k.Copy(tCrC, tCgC)
		} else {
			k.CopyIf(tCrC, tCgC)
		}
	})
}

// run runs the kernel with extents that are not multiples of the tiles.
func (m mistake) run(k *kernel.Kernel) error {
	const rows, columns, depth = 77, 70, 104
	_, err := k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"m": rows, "n": columns, "k": depth},
		Tensors: map[string][]float64{
			"A": make([]float64, rows*depth), "B": make([]float64, columns*depth), "C": make([]float64, rows*columns),
		},
	})
	return err
}

// TestMistakes checks that each typical mistake is either an error of the trace at its line, with numbers and a repair,
// or a finding of the simulator at a line of the kernel.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		m     mistake
		code  cute.Code // expected of the trace
		kind  sim.Kind  // expected of the simulator
		says  string
		would string
	}{
		{name: "none"},
		{"rows that no tile divides", mistake{rows: 60}, cute.CodeNotDivisible, "", "found 60", "64"},
		{"k that no tile divides", mistake{depth: 24}, cute.CodeNotDivisible, "", "found 24", "32"},
		{"a tile of other sizes", mistake{rows: 128}, cute.CodeNotCongruent, "", "16 and 32", ""},
		{"a copy of half the threads", mistake{threads: "(16,4):(4,1)"}, cute.CodeExtent, "", "64 threads", ""},
		{"a copy of twice the threads", mistake{threads: "(64,4):(4,1)"}, cute.CodeExtent, "", "256 threads", "128"},
		{"too few values", mistake{values: "(1,4):(0,1)"}, cute.CodeNotDivisible, "", "8 values", ""},
		{"values along M", mistake{values: "(8,1):(1,0)"}, cute.CodeNotDivisible, "", "256", "256"},
		{
			"a copy beyond the edge",
			mistake{load: "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"},
			cute.CodeMode, "", "of A may be outside",
			"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>",
		},
		{
			"shared memory by columns",
			mistake{shared: "(64,32,2):(1,64,2048)"},
			cute.CodeNotRepresentable, "", "8 elements of sA",
			"side by side",
		},
		{"rows of any length", mistake{div: 1}, cute.CodeNotRepresentable, "", "multiples of 16 bytes", "Div: 8 of k"},
		{"an atom that is none", mistake{mma: "SM80_16x8x16_F32F16F16F16_TN"}, cute.CodeName, "", "F32F16F16F16", ""},
		{"an atom of other elements", mistake{mma: "SM80_16x8x16_F32BF16BF16F32_TN"}, cute.CodeType, "", "bf16", "Convert"},
		{"another type of C", mistake{out: dtype.F16}, cute.CodeType, "", "f32 and f16", "Convert"},
		{"no condition at the edge", mistake{forgot: "if"}, cute.CodeMode, "", "of C may be outside", "CopyIf"},
		{
			"stages that overlap",
			mistake{shared: "(64,32,2):(32,1,1024)"},
			cute.CodeNotInjective, "",
			"(0,0,1) and (32,0,0) are at one place, 1024", "(64,32,2):(32,1,2048)",
		},
		{"no fence", mistake{forgot: "fence"}, "", sim.KindReadPending, "cp.async.commit_group between the two is missing", ""},
		{"no wait", mistake{forgot: "wait"}, "", sim.KindReadPending, "cp.async.wait_group is missing", ""},
		{"no barrier before", mistake{forgot: "sync"}, "", sim.KindReadPending, "", ""},
		{"no barrier behind", mistake{forgot: "last sync"}, "", sim.KindReadPending, "", ""},
		{"no zeros", mistake{forgot: "clear"}, "", sim.KindUninitialised, "register 0 of the fragment that mistakes_test.go", ""},
		{"stages without end", mistake{forgot: "mod"}, cute.CodeMode, "", "of sA may be outside", "Mod"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k, err := tt.m.trace()
			if e, ok := errors.AsType[*kernel.Error](err); ok {
				if e.Err.Code != tt.code || e.File != "mistakes_test.go" || e.Line == 0 || !strings.Contains(e.Err.Msg, tt.says) ||
					!strings.Contains(e.Err.Hint, tt.would) {
					t.Errorf("expected %s, %q, %q, found %v", tt.code, tt.says, tt.would, err)
				}
				return
			}
			if err != nil || tt.code != "" {
				t.Fatalf("expected %s, found %v", tt.code, err)
			}
			err = tt.m.run(k)
			f, ok := errors.AsType[*sim.Finding](err)
			switch {
			case tt.kind == "" && err == nil:
			case !ok || f.Kind != tt.kind || !strings.HasPrefix(f.Source, "mistakes_test.go:") ||
				!strings.Contains(f.Message, tt.says):
				t.Errorf("expected %s, %q, found %v", tt.kind, tt.says, err)
			}
		})
	}
}
