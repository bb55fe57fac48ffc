package tiled

import (
	"fmt"

	"girih/cute"
	"girih/tensor"
)

// perInstruction adds the mode of the values, with stride 0, to a predicate with one truth value for each instruction,
// and refuses other shapes.
func (p *pair[T]) perInstruction(pred tensor.Tensor[bool]) (tensor.Tensor[bool], error) {
	at := p.valueMode()
	var bufS, bufP [8]int64
	want := p.src.Domain().AppendModeSizes(bufS[:0])
	found := pred.Domain().AppendModeSizes(bufP[:0])
	if len(found) == len(want)-1 {
		values, err := cute.New(cute.Int(want[at]), cute.Int(0))
		if err != nil {
			return pred, err
		}
		if pred, err = pred.Map(func(l cute.Layout) (cute.Layout, error) {
			modes := l.Modes()
			return cute.MakeLayout(append(append(append([]cute.Layout{}, modes[:at]...), values), modes[at:]...)...)
		}); err != nil {
			return pred, err
		}
		found = pred.Domain().AppendModeSizes(bufP[:0])
	}
	for i := range want {
		if len(found) != len(want) || found[i] != want[i] {
			return pred, advise("a predicate has the modes of the source, with or without the mode of the values",
				refuse(p.op, cute.CodeNotCongruent, "expected a predicate for the source %v, found %v", p.src.Shape(), pred.Shape()))
		}
	}
	return pred, nil
}

// maxListed is the largest number of elements whose truth values and places are listed.
const maxListed = 1 << 26

// listElements returns the elements of a tensor in colexicographic order.
func listElements[T any](op string, t tensor.Tensor[T]) ([]T, error) {
	n := t.Size()
	if n > maxListed {
		return nil, advise("copy a tile at a time",
			refuse(op, cute.CodeLimit, "%v has %d elements, more than the %d that are listed", t, n, int64(maxListed)))
	}
	return t.AppendValues(nil)
}

// sizes returns the numbers of threads, of values of each, and of tiles of the source.
func (p *pair[T]) sizes() (threads, values, rests int64) {
	var buf [8]int64
	n := p.src.Domain().AppendModeSizes(buf[:0])
	threads = 1
	if p.threads {
		threads, n = n[0], n[1:]
	}
	return threads, n[0], p.src.Size() / (threads * n[0])
}

// coordAt returns the coordinate of an index of the source.
func (p *pair[T]) coordAt(i int64) cute.Tuple {
	c, err := cute.Idx2Crd(cute.Int(i), p.src.Shape())
	if err != nil {
		return cute.Int(i)
	}
	return c
}

// wholeInstructions refuses a predicate that differs between the values of one instruction.
func (p *pair[T]) wholeInstructions(mask []bool) error {
	threads, values, rests := p.sizes()
	one := p.copy.Atom().NumValSrc()
	for r := range rests {
		for v := range values {
			first := v / one * one
			for t := range threads {
				i, j := t+threads*(first+values*r), t+threads*(v+values*r)
				if mask[i] == mask[j] {
					continue
				}
				a, b := p.coordAt(i), p.coordAt(j)
				return &cute.Error{
					Code: cute.CodeMode, Op: p.op,
					Msg: fmt.Sprintf("the predicate is %t at %v and %t at %v of the source %v, and %s moves both at once", mask[i], a,
						mask[j], b, p.src.Shape(), p.copy.Atom().Name),
					Witness: &cute.Witness{Coord: a, Index: i, Other: &b},
					Hint:    "a narrower instruction, or an extent that its width divides",
				}
			}
		}
	}
	return nil
}

// deliveredMask returns the predicate in the order of the destination.
func (p *pair[T]) deliveredMask(mask []bool) (tensor.Tensor[bool], error) {
	l, err := cute.LayoutLeft(p.maskShape())
	if err != nil {
		return tensor.Tensor[bool]{}, err
	}
	t, err := tensor.Make(mask, l)
	if err != nil {
		return t, err
	}
	from, identity, err := deliver(p.copy)
	if err != nil || identity || !p.threads {
		return t, err
	}
	return t.Map(from.apply)
}

// maskShape returns the shape (Thr,V,Rests) of the source, or (V,Rests).
func (p *pair[T]) maskShape() cute.Tuple {
	threads, values, rests := p.sizes()
	if p.threads {
		return cute.Ints(threads, values, rests)
	}
	return cute.Ints(values, rests)
}

// fillRest writes zeros where the predicate is false.
func (p *pair[T]) fillRest(pred tensor.Tensor[bool]) error {
	not, err := tensor.Lazy(pred, func(x bool) bool { return !x })
	if err != nil {
		return err
	}
	zero, err := cute.New(p.dst.Shape(), zeros(p.dst.Shape()))
	if err != nil {
		return err
	}
	var none [1]T
	src, err := tensor.Make(none[:], zero)
	if err != nil {
		return err
	}
	return tensor.CopyIf(not, src, p.dst)
}

// zeros returns a stride of zeros.
func zeros(shape cute.Tuple) cute.Tuple {
	z, err := shape.Scale(0)
	if err != nil {
		return cute.Tuple{}
	}
	return z
}
