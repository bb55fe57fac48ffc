package tiled

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
	"girih/tensor"
)

// This file checks whether an instruction fits the tensors: whether the elements that a thread accesses at one address,
// or holds in one register, are contiguous and aligned to their length. If not, CuTe says "Copy_Traits: src failed to
// vectorize into registers. Layout is incompatible with this CopyOp."

// A demand is what one side of an instruction requires of a tensor.
type demand struct {
	run   int64 // how many elements must be contiguous, in the order of the values
	align int64 // the position of the first element must be a multiple of align
}

// demandOf returns the demand on a tensor in a memory, with elements of the given bits. Registers are always aligned.
func demandOf(s atom.CopySide, in atom.Space, bits int64) demand {
	d := demand{1, 1}
	if s.Unit > bits {
		d.run = s.Unit / bits
	}
	if s.Align > bits && in != atom.Registers {
		d.align = s.Align / ints.GCD(s.Align, bits) // 64 elements of 6 bits for 128 bits
	}
	return d
}

// fit refuses a source or a destination that does not fit the instruction; with a mask, only the elements it selects
// are checked.
func (p *pair[T]) fit(mask []bool) error {
	a := p.copy.Atom()
	bits := int64(a.Type.Bits())
	if err := p.fits("source", p.src, demandOf(a.From, p.src.Space(), bits), mask); err != nil {
		return err
	}
	if mask != nil && !a.ValSrc.Equal(a.ValDst) {
		return nil // the mask of the destination is known after the delivery
	}
	return p.fits("destination", p.dst, demandOf(a.To, p.dst.Space(), bits), mask)
}

func (p *pair[T]) fits(what string, t tensor.Tensor[T], d demand, mask []bool) error {
	if d.run == 1 && d.align == 1 || d.meets(t.Layout(), t.Start(), p.valueMode()) {
		return nil
	}
	s, err := p.spot(t, d, mask)
	if err != nil || s == nil {
		return err
	}
	a := p.copy.Atom()
	bits := int64(a.Type.Bits())
	hint := fmt.Sprintf("strides that are multiples of %d elements", d.align)
	msg := fmt.Sprintf("value %d of thread %d of the %s %v is at %d, which is no multiple of %d",
		s.value, s.thread, what, t, s.first, d.align)
	if s.gap > 0 {
		msg = fmt.Sprintf("values %d to %d of thread %d of the %s %v are named with one address: the first is at %d, and number %d at %d instead of %d",
			s.value, s.value+d.run-1, s.thread, what, t, s.first, s.value+s.gap, s.second, s.first+s.gap)
	}
	for n := d.run / 2; n >= 1; n /= 2 {
		bad, err := p.spot(t, demand{n, min(n, d.align)}, mask)
		if err != nil {
			return err
		}
		if bad == nil {
			hint = fmt.Sprintf("copies of %d bits fit the %s: UniversalCopy<uint%d_t>", n*bits, what, max(8, n*bits))
			break
		}
	}
	return advise(hint, refuse(p.op, cute.CodeNotRepresentable, "%s moves %d bits at once: %s", a.Name, d.run*bits, msg))
}

// meets reports whether the strides alone prove that a part meets the demand; one mode of the part is the values. It
// does not look at elements, so false does not mean that the demand is not met.
func (d demand) meets(layout cute.Inner, start int64, values int) bool {
	l, isLayout := layout.(cute.Layout)
	if x, isComposed := layout.(cute.Composed); isComposed {
		l, isLayout = x.Layout(), d.isKeptBy(x)
	}
	if !isLayout || l.HasBasis() || start%d.align != 0 {
		return false
	}
	from, to := leavesOf(l, values)
	left := d.run
	for i := range l.LeafCount() {
		n, stride := l.Leaf(i)
		if n == 1 {
			continue
		}
		if i >= from && i < to && left > 1 {
			if stride != d.run/left {
				return false
			}
			take := ints.GCD(n, left)
			if left /= take; take == n {
				continue
			}
			if left > 1 {
				return false
			}
			stride *= take
		}
		if stride%d.align != 0 {
			return false
		}
	}
	return left == 1
}

// isKeptBy reports whether all functions after the layout of x preserve the demand: swizzles that keep blocks of 2^M
// elements together, no shorter than the demand, and aligned offsets.
func (d demand) isKeptBy(x cute.Composed) bool {
	for f, o := range x.Stages() {
		w, isSwizzle := f.(cute.Swizzle)
		n, isInt := o.Int64()
		if !isSwizzle || !isInt || n%d.align != 0 || w.B() > 0 && (int64(1)<<w.M())%max(d.run, d.align) != 0 {
			return false
		}
	}
	return true
}

// leavesOf returns the leaves of a top-level mode, as a range.
func leavesOf(l cute.Layout, mode int) (from, to int) {
	shape := l.Shape()
	for i := range mode + 1 {
		m, err := shape.Mode(i)
		if err != nil {
			return 0, 0
		}
		from, to = to, to+m.LeafCount()
	}
	return from, to
}

// A misfit is where a part does not meet a demand: a value that is not aligned, or a value whose neighbour is not the
// value gap after it.
type misfit struct{ thread, value, gap, first, second int64 }

// spot checks every element for the first misfit, and returns nil if there is none.
func (p *pair[T]) spot(t tensor.Tensor[T], d demand, mask []bool) (*misfit, error) {
	if n := t.Size(); n > maxListed {
		return nil, advise("copy a tile at a time",
			refuse(p.op, cute.CodeLimit, "%v has %d elements, more than the %d that are looked at", t, n, int64(maxListed)))
	}
	var at []int64
	var err error
	switch l := t.Layout().(type) {
	case cute.Layout:
		if l.HasBasis() {
			return nil, nil
		}
		at, err = l.AppendOffsets(nil)
	case cute.Composed:
		if l.HasBasis() {
			return nil, nil
		}
		at, err = l.AppendOffsets(nil)
	}
	if err != nil {
		return nil, err
	}
	var buf [8]int64
	n := t.Domain().AppendModeSizes(buf[:0])
	threads := int64(1)
	if p.threads {
		threads, n = n[0], n[1:]
	}
	values := n[0]
	for first := int64(0); first < int64(len(at)); first += threads * d.run {
		for thread := range threads {
			i := first + thread
			if mask != nil && !mask[i] {
				continue
			}
			x := at[i] + t.Start()
			m := misfit{thread, i / threads % values, 0, x, x}
			if x%d.align != 0 {
				return &m, nil
			}
			most := min(d.run, (int64(len(at))-i+threads-1)/threads) // the unit may be wider than the values of a thread
			for m.gap = 1; m.gap < most; m.gap++ {
				if m.second = at[i+threads*m.gap] + t.Start(); m.second != x+m.gap {
					return &m, nil
				}
			}
		}
	}
	return nil, nil
}
