package kernel

import (
	"fmt"

	"girih/atom"
	"girih/cute"
)

// ConvertLayoutAccAregs returns the accumulators of t as the operand A of another MMA, whose K is the N of t: the same
// registers as (MMA,MMA_M,MMA_K), for a product of a product. It is FlashAttention's convert_layout_acc_Aregs, derived
// from the layouts of threads and values of both instructions.
// Acc is a fragment (MMA,MMA_M,MMA_N) in the shape of [ThrMMA.MakeFragmentC], usually converted to the type of A.
//
// It fails with [cute.CodeNotRepresentable] if a thread needs an element of A that another thread has, or if no layout
// gives the place of each, and [cute.CodeNotDivisible] if the other MMA does not divide the tile.
func (t ThrMMA) ConvertLayoutAccAregs(acc Tensor, to ThrMMA) Tensor {
	const op = "convert_layout_acc_Aregs"
	k := t.owner(op, acc)
	if k == nil || to.owner(op, acc) == nil || !k.isPlain(op, acc) {
		return acc
	}
	l, ok := k.layoutOf(op, acc)
	if !ok {
		return acc
	}
	c, a, err := accumulatorAs(t.mma, to.mma, l)
	k.fail(err)
	if t.vmnk[0] != to.vmnk[0] || t.vmnk[1] != to.vmnk[1] || t.vmnk[2] != to.vmnk[3] {
		k.advise("let both MMAs have all their warps along M, in one order, and take both of one thread").refuse(op,
			cute.CodeNotRepresentable, "a thread has other places in C of %s than in A of %s", t.mma.Atom().Name,
			to.mma.Atom().Name)
	}
	own, err := valuesAs(c, a)
	if err != nil {
		k.advise("exchange the elements through shared memory, or take instructions whose C and A have one layout").refuse(op,
			cute.CodeNotRepresentable, "C of %s is no A of %s: %v", t.mma.Atom().Name, to.mma.Atom().Name, err)
	}
	out, err := cute.Composition(l, own)
	k.fail(err)
	acc = acc.apart()
	acc.modes = nil
	for _, m := range out.Modes() {
		acc.modes = append(acc.modes, mode{layout: m})
	}
	acc.home = innermost(acc.home, innermost(t.home, to.home))
	return acc
}

// accumulatorAs returns the threads and values of a tile, ((threads),(values)), as C of one MMA and as A of another,
// for accumulators under a layout (MMA,MMA_M,MMA_N).
func accumulatorAs(m, to atom.TiledMMA, acc cute.Layout) (c, a cute.Layout, err error) {
	modes, tile := acc.Modes(), m.TileShape()
	if len(modes) != 3 {
		return c, a, &cute.Error{
			Code: cute.CodeRank, Op: "convert_layout_acc_Aregs",
			Msg: fmt.Sprintf("expected accumulators (MMA,MMA_M,MMA_N), found %v", acc),
		}
	}
	shape, err := cute.LayoutLeft(cute.Ints(tile[0]*modes[1].Size(), tile[1]*modes[2].Size()))
	if err != nil {
		return c, a, err
	}
	if c, err = m.Thrfrg(atom.OperandC, shape); err != nil {
		return c, a, err
	}
	if values := c.Modes()[1]; values.Size() != acc.Size() || values.Modes()[0].Size() != modes[0].Size() {
		return c, a, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "convert_layout_acc_Aregs",
			Msg: fmt.Sprintf("expected accumulators of %v, of %d values each, found %v", m.Atom().Name,
				c.Modes()[1].Modes()[0].Size(), acc),
		}
	}
	a, err = to.Thrfrg(atom.OperandA, shape)
	return c, a, err
}

// valuesAs returns the layout from the values of a to the values of c, (MMA,MMA_M,MMA_K), if each thread has the same
// elements in both. Threads and values of c number its elements; the inverse gives the number of each element of a,
// which is the thread's plus the value's.
func valuesAs(c, a cute.Layout) (cute.Layout, error) {
	back, err := cute.LeftInverse(c)
	if err != nil {
		return c, err
	}
	numbers, err := cute.Composition(back, a)
	if err != nil {
		return c, err
	}
	n := c.Modes()[0].Size()
	threads, values := numbers.Modes()[0], numbers.Modes()[1]
	if same, err := cute.LayoutLeft(cute.Int(n)); err != nil || !cute.Coalesce(threads).Equal(same) && n > 1 {
		return c, fmt.Errorf("the threads of C have elements of the threads %v in A", threads)
	}
	split := func(i int) (cute.Layout, error) {
		one := []cute.Layout{cute.MustParse(fmt.Sprintf("%d:0", n)), cute.MustParse(fmt.Sprintf("%d:0", c.Modes()[1].Size()))}
		one[i] = cute.MustParse(fmt.Sprintf("%d:1", one[i].Size()))
		l, err := cute.MakeLayout(one...)
		if err != nil {
			return l, err
		}
		return cute.Composition(l, values)
	}
	other, err := split(0)
	if err != nil {
		return c, err
	}
	if cute.Filter(other).Size() > 1 {
		return c, fmt.Errorf("a thread has the values %v of the threads of C in A", other)
	}
	own, err := split(1)
	if err != nil {
		return c, err
	}
	modes := own.Modes() // (FrgV,(RestM,RestK))
	return cute.MakeLayout(append([]cute.Layout{modes[0]}, modes[1].Modes()...)...)
}
