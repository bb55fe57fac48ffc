package examples

// This file is the kernel lookback: running sums of all elements in one launch, each element read once. It shows blocks
// that wait for earlier blocks: the decoupled look-back of CUB's DeviceScan. It is complete. To use it elsewhere, copy
// the file and change the name of its package; then
//
//	k, err := lookback{Tile: []int64{2048}, Type: dtype.F32, Div: 1}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[i] = Σ x[0:i+1]. parts, sums and flags have a number for
// each block. The two counts and the flags must be 0, and are 0 again in the end, so that only the first launch needs a
// memset.
//
// A block takes its number from a counter, not from its coordinate: the blocks with smaller numbers have started then,
// and end without it. It publishes the sum of its own elements with flag 1. Its first warp looks at the 32 blocks
// before, waits until each has a flag, and adds their sums, back to the last one with flag 2, whose sum includes all
// blocks before. If there is none, it looks 32 blocks further. Then the block publishes its own sum with flag 2. The
// last block to end clears the flags. Which flags a block finds depends on time, and so does the rounding of floats.
//
//	k.StoreRelease(one, flags, b)   publishes what was stored before
//	k.LoadAcquire(flags, b)         what was published is visible after it
//	k.While(init, cond, body)       a loop until a condition on carried values
//	k.VoteAny(c), k.Ballot(c)       whether, and for which lanes of the warp, a condition holds
//
// The next example to read is argmax.go.

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A lookback is the parameters of lookback.
type lookback struct {
	Tile []int64    // elements of a block, a multiple of 256
	Type dtype.Type // of the elements: f32, f16, bf16, s32 or u32; sums of f16 and bf16 are f32
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeNotDivisible] for a tile that is no multiple of the threads.
func (o lookback) trace() (*kernel.Kernel, error) {
	const threads = 256
	each, sum := o.Tile[0]/threads, o.Type
	if o.Tile[0]%threads != 0 {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "lookback", Msg: "each of 256 threads has as many elements",
			Hint: "take a tile that is a multiple of 256",
		}
	}
	if sum.Kind() == dtype.Float {
		sum = dtype.F32
	}
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("lookback", threads, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		blocks, one, zero := n.CeilDiv(o.Tile[0]), cute.MustParse("1:0"), kernel.Int(0)
		x, y := k.Global("x", o.Type, kernel.Modes(n)), k.Global("y", o.Type, kernel.Modes(n))
		l := looker{
			k: k, sum: sum, last: blocks.Sub(kernel.Int(1)),
			parts: k.Global("parts", sum, kernel.Modes(blocks)), sums: k.Global("sums", sum, kernel.Modes(blocks)),
			flags:  k.Global("flags", dtype.U32, kernel.Modes(blocks)),
			counts: k.GlobalLayout("counts", dtype.U32, cute.MustParse("2:1")),
			ticket: k.Shared("ticket", dtype.U32, one), before: k.Shared("before", sum, one),
			s: k.Shared("s", sum, cute.MustParse("8:1")),
		}
		k.Grid(blocks)
		l.block = l.take(0).Index(symbolic.Facts{Max: 1 << 20}).Min(l.last)
		tid := k.ThreadIdx()
		own := func(t kernel.Tensor) kernel.Tensor {
			return k.LocalTile(t, kernel.Shape(each), l.block.Mul(kernel.Int(threads)).Add(tid))
		}
		read, through := k.MakeFragment(o.Type, layout), make([]kernel.Value, each)
		k.CopyZfill(own(x), read)
		for i := range each { // the sums of the thread's own elements
			through[i] = k.Load(read, kernel.Int(i)).Convert(sum)
			if i > 0 {
				through[i] = through[i].Add(through[i-1])
			}
		}
		start, all := l.scan(through[each-1])
		k.If(tid.Less(kernel.Int(kernel.WarpSize)), func() {
			k.If(l.block.AtLeast(kernel.Int(1)), func() { l.publish(all, l.parts, 1) })
			before := l.look()
			l.publish(before.Add(all), l.sums, 2)
			k.If(tid.Equal(zero), func() { k.Store(before, l.before, zero) })
		})
		k.Sync()
		start = start.Add(k.Load(l.before, zero))
		for i := range each {
			k.Store(start.Add(through[i]).Convert(o.Type), read, kernel.Int(i))
		}
		k.CopyIf(read, own(y))
		k.If(l.take(1).Equal(l.last.Value(dtype.U32)), func() { // all blocks have looked
			k.ForStep(tid, blocks, kernel.Int(threads), func(b kernel.Index) { k.Store(k.Number(dtype.U32, 0), l.flags, b) })
		})
	})
}

// A looker is a block of the kernel.
type looker struct {
	k                                             *kernel.K
	sum                                           dtype.Type
	block, last                                   kernel.Index // this block and the last one
	parts, sums, flags, counts, ticket, before, s kernel.Tensor
}

// take returns how many blocks have taken from a count before this one. The last one makes the count 0.
func (l looker) take(count int64) kernel.Value {
	k, zero := l.k, kernel.Int(0)
	k.If(k.ThreadIdx().Equal(zero), func() {
		c := k.AtomicRef(kernel.ScopeDevice, l.counts, kernel.Int(count))
		k.Store(c.FetchInc(l.last.Value(dtype.U32), kernel.AcqRel), l.ticket, zero)
	})
	k.Sync()
	return k.Load(l.ticket, zero)
}

// scan returns the sum of the values of the threads before this one, and of all threads.
func (l looker) scan(v kernel.Value) (before, all kernel.Value) {
	k, none := l.k, l.k.Number(l.sum, 0)
	lane, warp := k.ThreadIdx().Mod(kernel.WarpSize), k.ThreadIdx().Div(kernel.WarpSize)
	for d := int64(1); d < kernel.WarpSize; d *= 2 {
		v = k.Select(lane.AtLeast(kernel.Int(d)), v.Add(k.ShflUp(v, d)), v)
	}
	k.If(lane.Equal(kernel.Int(kernel.WarpSize-1)), func() { k.Store(v, l.s, warp) })
	k.Sync()
	before, all = k.Select(lane.AtLeast(kernel.Int(1)), k.ShflUp(v, 1), none), none
	for i := range int64(8) {
		part := k.Load(l.s, kernel.Int(i))
		all, before = all.Add(part), k.Select(warp.AtLeast(kernel.Int(i+1)), before.Add(part), before)
	}
	return before, all
}

// publish stores a sum of this block, and then its flag.
func (l looker) publish(v kernel.Value, t kernel.Tensor, flag float64) {
	l.k.If(l.k.ThreadIdx().Equal(kernel.Int(0)), func() {
		l.k.Store(v, t, l.block)
		l.k.StoreRelease(l.k.Number(dtype.U32, flag), l.flags, l.block)
	})
}

// look returns the sum of all blocks before this one. A warp calls it.
func (l looker) look() kernel.Value {
	k, none, zero := l.k, l.k.Number(l.sum, 0), l.k.Number(dtype.U32, 0)
	start := []kernel.Value{none, l.block.Value(dtype.S32)} // the sum so far, and the number of blocks that are left
	some := func(v []kernel.Value) kernel.Cond { return k.Number(dtype.S32, 0).Less(v[1]) }
	return k.While(start, some, func(v []kernel.Value) []kernel.Value {
		b := v[1].Index(symbolic.Facts{Max: 1 << 20}).Sub(kernel.Int(1)).Sub(k.ThreadIdx()).Max(kernel.Int(0)).Min(l.last)
		missing := func(f []kernel.Value) kernel.Cond { return k.VoteAny(f[0].Equal(zero)) }
		flag := k.While([]kernel.Value{zero}, missing, func([]kernel.Value) []kernel.Value {
			return []kernel.Value{k.LoadAcquire(l.flags, b)}
		})[0]
		whole := flag.Equal(k.Number(dtype.U32, 2))
		part := k.IfElseCarry(whole, func() kernel.Value { return k.Load(l.sums, b) },
			func() kernel.Value { return k.Load(l.parts, b) })
		lanes := k.Ballot(whole)
		part = k.Select(lanes.And(k.LanesBelow()).Equal(zero), part, none) // up to the first whole sum
		left := v[1].Sub(k.Number(dtype.S32, kernel.WarpSize))
		left = k.Select(lanes.Equal(zero), left, k.Number(dtype.S32, 0))
		return []kernel.Value{v[0].Add(k.WarpReduction(part, kernel.Value.Add, kernel.WarpSize)), left}
	})[0]
}
