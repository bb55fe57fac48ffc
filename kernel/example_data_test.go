package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
	"girih/symbolic"
)

// This file has the programs of docs/kernels.md about numbers that are data, atomic operations, lanes and narrow types.

// The page table of a cache says where the rows of a sequence are.
func ExampleValue_Index() {
	k, err := kernel.Trace("paged", 32, func(k *kernel.K) {
		pages := k.Int("pages", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		cache := k.Global("cache", dtype.F32, kernel.Modes(pages, kernel.Int(4)), kernel.Int(4), kernel.Int(1)) // pages of 4
		table, out := k.Global("table", dtype.S32, kernel.Modes(n)), k.Global("out", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(32))
		i := k.BlockIdx(0).Mul(kernel.Int(32)).Add(k.ThreadIdx())
		k.If(i.Less(n), func() {
			page := k.Load(table, i).Index(symbolic.Facts{Max: 1<<20 - 1})
			k.If(page.Less(pages), func() { // nothing is outside, whatever the table has
				k.Store(k.Load(cache, page, i.Mod(4)), out, i)
			})
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	out := make([]float64, 3)
	run := func(table ...float64) error {
		_, err := k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"pages": 2, "n": 3},
			Tensors: map[string][]float64{
				"cache": {0, 1, 2, 3, 10, 11, 12, 13}, "table": table, "out": out,
			},
		})
		return err
	}
	fmt.Println(run(1, 0, 1), out)
	err = run(1, -5, 1)
	if f, ok := errors.AsType[*sim.Finding](err); ok {
		fmt.Println(f.Kind, f.Source, f.Message)
	}
	// Output:
	// <nil> [10 1 12]
	// assert example_data_test.go:28 the number is -5, and it is stated to be from 0 to 1048575
}

func ExampleIndex_Value() {
	k, err := kernel.Trace("iota", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.F16, cute.MustParse("32:1"))
		k.Store(k.ThreadIdx().Mul(k.ThreadIdx()).Value(dtype.F16), x, k.ThreadIdx())
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 32)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x}})
	fmt.Println(x[:5], err)
	// Output: [0 1 4 9 16] <nil>
}

// A 1-D scheduler of tiles: each block takes a tile of each round, and finds its row and column.
func ExampleIndex_DivMod_persistent() {
	k, err := kernel.Trace("tiles", 32, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 10})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 10})
		ctas := k.Int("ctas", symbolic.Facts{Min: 1, Max: 1 << 10})
		x := k.Global("x", dtype.S32, kernel.Modes(m, n), n, kernel.Int(1))
		k.Grid(ctas)
		k.ForStep(k.BlockIdx(0), m.Mul(n), ctas, func(tile kernel.Index) {
			row, column := tile.DivMod(n)
			k.If(row.Less(m).And(k.ThreadIdx().Less(kernel.Int(1))), func() {
				k.Store(row.Mul(kernel.Int(10)).Add(column).Value(dtype.S32), x, row, column)
			})
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 6)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"m": 2, "n": 3, "ctas": 4}, Tensors: map[string][]float64{"x": x},
	})
	fmt.Println(x, err)
	// Output: [0 1 2 10 11 12] <nil>
}

// A histogram: each block counts in shared memory, and adds its counts to global memory.
func ExampleAtomicRef() {
	k, err := kernel.Trace("histogram", 64, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		x, h := k.Global("x", dtype.U8, kernel.Modes(n)), k.GlobalLayout("h", dtype.U32, cute.MustParse("256:1"))
		s, tid := k.Shared("s", dtype.U32, cute.MustParse("256:1")), k.ThreadIdx()
		k.Grid(n.CeilDiv(512))
		one, step := k.Number(dtype.U32, 1), kernel.Int(64)
		k.ForStep(tid, kernel.Int(256), step, func(i kernel.Index) { k.Store(k.Number(dtype.U32, 0), s, i) })
		k.Sync()
		first := k.BlockIdx(0).Mul(kernel.Int(512))
		k.ForStep(first.Add(tid), n.Min(first.Add(kernel.Int(512))), step, func(i kernel.Index) {
			bin := k.Load(x, i).Index(symbolic.Facts{Max: 255})
			k.AtomicRef(kernel.ScopeBlock, s, bin).Add(one, kernel.Relaxed)
		})
		k.Sync()
		k.ForStep(tid, kernel.Int(256), step, func(i kernel.Index) {
			k.AtomicRef(kernel.ScopeDevice, h, i).Add(k.Load(s, i), kernel.Relaxed)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, h := make([]float64, 1000), make([]float64, 256)
	for i := range x {
		x[i] = float64(i * i % 256)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 1000}, Tensors: map[string][]float64{"x": x, "h": h},
	})
	fmt.Println(h[:5], err)
	// Output: [63 15 0 0 31] <nil>
}

// lastBlock sums all elements in one launch: the block that comes last adds up the sums of the blocks.
func lastBlock(order kernel.MemoryOrder) (*kernel.Kernel, error) {
	return kernel.Trace("sum", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		x, y := k.Global("x", dtype.F32, kernel.Modes(n)), k.GlobalLayout("y", dtype.F32, parse("1:0"))
		parts := k.Global("parts", dtype.F32, kernel.Modes(n.CeilDiv(64)))
		count := k.GlobalLayout("count", dtype.U32, parse("1:0"))
		k.Grid(n.CeilDiv(64))
		blocks, zero, lane := n.CeilDiv(64), kernel.Int(0), k.ThreadIdx()
		sum := k.MakeFragment(dtype.F32, parse("1:0"))
		add := func(from kernel.Tensor) func(i kernel.Index) {
			return func(i kernel.Index) { k.Store(k.Load(sum, zero).Add(k.Load(from, i)), sum, zero) }
		}
		all := func() kernel.Value { return k.WarpReduction(k.Load(sum, zero), kernel.Value.Add, 32) }
		k.Clear(sum)
		first := k.BlockIdx(0).Mul(kernel.Int(64))
		k.ForStep(first.Add(lane), n.Min(first.Add(kernel.Int(64))), kernel.Int(32), add(x))
		part, ticket := all(), k.MakeFragment(dtype.U32, parse("1:0"))
		k.Clear(ticket)
		k.If(lane.Equal(zero), func() {
			k.Store(part, parts, k.BlockIdx(0))
			last := blocks.Sub(kernel.Int(1)).Value(dtype.U32)
			k.Store(k.AtomicRef(kernel.ScopeDevice, count, zero).FetchInc(last, order), ticket, zero)
		})
		k.SyncWarp() // what the lane learned, its warp knows
		mine := k.Shfl(k.Load(ticket, zero), zero).Index(symbolic.Facts{Max: 1 << 20})
		k.If(mine.Equal(blocks.Sub(kernel.Int(1))), func() {
			k.Clear(sum)
			k.ForStep(lane, blocks, kernel.Int(32), add(parts))
			total := all()
			k.If(lane.Equal(zero), func() { k.Store(total, y, zero) })
		})
	})
}

// Lanes with a number above 0 write it side by side.
func ExampleK_Ballot() {
	k, err := kernel.Trace("compact", 32, func(k *kernel.K) {
		x, y := k.GlobalLayout("x", dtype.S32, cute.MustParse("32:1")), k.GlobalLayout("y", dtype.S32, cute.MustParse("32:1"))
		v := k.Load(x, k.ThreadIdx())
		keep := k.Number(dtype.S32, 0).Less(v)
		place := k.Ballot(keep).And(k.LanesBelow()).Popc()
		k.If(keep, func() { k.Store(v, y, place.Index(upTo31)) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 32), make([]float64, 32)
	x[3], x[7], x[20], x[31] = 5, -1, 6, 7
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Println(y[:4], err)
	// Output: [5 6 7 0] <nil>
}

// Each byte has two numbers of 4 bits, which are multiplied by a factor and stored as halves.
func ExampleValue_Bfe() {
	k, err := kernel.Trace("dequantise", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.U8, cute.MustParse("32:1"))
		y, t := k.GlobalLayout("y", dtype.F16, cute.MustParse("(32,2):(2,1)")), k.ThreadIdx()
		scale := k.Number(dtype.F32, 0.25)
		both := k.Load(x, t).Convert(dtype.S32)
		for i := range int64(2) {
			v := both.Bfe(kernel.Int(4*i), kernel.Int(4)) // with its sign
			k.Store(v.Convert(dtype.F32).Mul(scale).Convert(dtype.F16), y, t, kernel.Int(i))
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 32), make([]float64, 64)
	x[0], x[1] = 0x7f, 0x81
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Println(y[:4], err)
	// Output: [-0.25 1.75 0.25 -2] <nil>
}

// Two halves are added by one instruction. Recast makes pairs of neighbours.
func ExamplePair() {
	k, err := kernel.Trace("axpy", 32, func(k *kernel.K) {
		x := k.Recast(k.GlobalLayout("x", dtype.F16, cute.MustParse("64:1")), dtype.B32)
		y := k.Recast(k.GlobalLayout("y", dtype.F16, cute.MustParse("64:1")), dtype.B32)
		two := k.Number(dtype.F16, 2)
		t, twice := k.ThreadIdx(), k.PairOf(two, two)
		k.Store(k.Load(x, t).Pair(dtype.F16).FMA(twice, k.Load(y, t).Pair(dtype.F16)).Bits(), y, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 64), make([]float64, 64)
	for i := range x {
		x[i], y[i] = float64(i), 0.5
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Println(y[:4], y[63], err)
	// Output: [0.5 2.5 4.5 6.5] 126.5 <nil>
}

// Weights are read once, and need no place in the first cache.
func ExampleK_CacheHint() {
	k, err := kernel.Trace("scale", 32, func(k *kernel.K) {
		x, t := k.GlobalLayout("x", dtype.F32, cute.MustParse("32:1")), k.ThreadIdx()
		k.CacheHint(kernel.NoAllocate, func() { k.Store(k.Load(x, t).Add(k.Load(x, t)), x, t) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range k.Report().Uses {
		fmt.Println(a.Op)
	}
	// Output:
	// ld.global.L1::no_allocate.b32
	// st.global.L1::no_allocate.b32
}

// A row of f32 is quantised to e4m3 by its largest number, and Convert of a fragment packs two by one instruction.
func ExampleK_Convert_fp8() {
	k, err := kernel.Trace("quantise", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.F32, cute.MustParse("(4,32):(1,4)"))
		y := k.GlobalLayout("y", dtype.E4M3, cute.MustParse("(4,32):(1,4)"))
		scale := k.GlobalLayout("scale", dtype.F32, cute.MustParse("1:0"))
		mine := func(t kernel.Tensor) kernel.Tensor { return k.Slice(t, kernel.Open, k.ThreadIdx()) }
		r, q := k.MakeFragmentLike(mine(x), dtype.F32), k.MakeFragmentLike(mine(y), dtype.E4M3)
		k.Copy(mine(x), r)
		most := k.Number(dtype.F32, 0)
		for i := range int64(4) {
			most = most.Max(k.Load(r, kernel.Int(i)).Abs())
		}
		most = k.WarpReduction(most, kernel.Value.Max, 32)
		for i := range int64(4) {
			at := kernel.Int(i)
			k.Store(k.Load(r, at).Mul(k.Number(dtype.F32, 448)).Div(most), r, at)
		}
		k.Convert(r, q)
		k.Copy(q, mine(y))
		k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() {
			k.Store(most.Div(k.Number(dtype.F32, 448)), scale, kernel.Int(0))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, scale := make([]float64, 128), make([]float64, 128), []float64{0}
	for i := range x {
		x[i] = float64(i%32) / 32
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "scale": scale}})
	fmt.Println(y[31], y[16]*scale[0], x[16], err)
	fmt.Println(strings.Count(k.Module.String(), "cvt.rn.satfinite.e4m3x2.f32"))
	// Output:
	// 448 0.4843749776482582 0.5 <nil>
	// 2
}

// The sum of the bytes of two numbers, by an instruction that has no method.
func ExampleK_PTX() {
	k, err := kernel.Trace("dot", 32, func(k *kernel.K) {
		x, t := k.GlobalLayout("x", dtype.U32, cute.MustParse("32:1")), k.ThreadIdx()
		y := k.GlobalLayout("y", dtype.U32, cute.MustParse("32:1"))
		dp4a := kernel.PTX{Text: "dp4a.u32.u32 %0, %1, %2, 0;", Results: []dtype.Type{dtype.U32}}
		k.Store(k.PTX(dp4a, k.Load(x, t), k.Load(y, t))[0], y, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 32), make([]float64, 32)
	x[0], y[0] = 0x01020304, 0x0a0a0a0a
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Println(y[0], err)
	// Output: 100 <nil>
}

// With an order that is too weak, the sums of the blocks are not visible.
func Example_guideLastBlock() {
	for _, order := range []kernel.MemoryOrder{kernel.AcqRel, kernel.Relaxed} {
		k, err := lastBlock(order)
		if err != nil {
			fmt.Println(err)
			return
		}
		x, y := make([]float64, 100), []float64{0}
		for i := range x {
			x[i] = float64(i)
		}
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints:    map[string]int64{"n": 100},
			Tensors: map[string][]float64{"x": x, "y": y, "parts": {0, 0}, "count": {0}},
		})
		if f, ok := errors.AsType[*sim.Finding](err); ok {
			fmt.Println(f.Kind, f.Source, f.Message)
			continue
		}
		fmt.Println(y[0], err)
	}
	// Output:
	// 4950 <nil>
	// race example_data_test.go:146 reads address 0x7f0000002400 of parts, which st.global.b32 at line 67 (example_data_test.go:155) has written for thread (0,0,0) of block (0,0,0), and nothing orders the two: the flag that line 73 (example_data_test.go:157) writes and line 73 (example_data_test.go:157) reads does not order them: fence.acq_rel.gpu between lines 67 (example_data_test.go:155) and 73 (example_data_test.go:157) is missing, or .release at line 73 (example_data_test.go:157), and fence.acq_rel.gpu after line 73 (example_data_test.go:157) is missing, or .acquire there
}
