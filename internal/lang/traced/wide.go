package traced

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has the accesses of CUDA's vector types: reinterpret_cast<float4*>(p)[i] is one access of 16 bytes. Its
// numbers go through a fragment of the thread.

// vectorWidths are the bits of the accesses that PTX has.
var vectorWidths = []int64{128, 64, 32, 16, 8}

// wide returns a part of a memory as a tensor, a fragment of the same numbers, and the copy between both.
func (t *Tracer) wide(c *interp.TracedCall, n int64) (of, fragment kernel.Tensor, err error) {
	all, first, ok := t.flat(c.Args[0])
	if !ok || n < 1 {
		return of, fragment, unknown(c)
	}
	by := n // a vector of three begins at a multiple of a number
	if n == 3 {
		by = 1
	}
	if i, isIndex := indexOf(c.Args[1]); isIndex {
		if err := isMisaligned(i.Add(kernel.Int(first)), by); err != nil {
			return of, fragment, err
		}
	}
	at, okAt := t.spot(all, c.Args[1], spot{first, by})
	if !okAt {
		return of, fragment, unknown(c)
	}
	layout, err := cute.New(cute.Int(n), cute.Int(1))
	if err != nil {
		return of, fragment, err
	}
	of = t.k.View(all, at.Add(kernel.Int(first)), layout)
	return of, t.k.MakeFragment(all.Elem(), layout), nil
}

// isMisaligned refuses a vector that begins at no multiple of its size.
func isMisaligned(at kernel.Index, n int64) error {
	off, known := at.Mod(n).Int64()
	if !known || off == 0 {
		return nil
	}
	return refuse(cute.CodeNotDivisible, fmt.Sprintf("let the index of its first number be a multiple of %d", n),
		"expected a vector at a multiple of its %d numbers, found it %d after one", n, off)
}

// move copies the numbers of a vector by the widest accesses that its type allows: three numbers are three accesses.
func (t *Tracer) move(src, dst kernel.Tensor, n int64) error {
	bits := int64(src.Elem().Bits())
	width := bits
	for _, w := range vectorWidths {
		if n*bits%w == 0 && n&(n-1) == 0 {
			width = max(width, w)
			break
		}
	}
	by, err := vectorCopy(width, src.Elem().CPP(), bits)
	if err != nil {
		return err
	}
	t.k.CopyTiled(by, src, dst)
	return nil
}

// loadVector implements the read of a vector: its arguments are the memory, the first number, and how many there are.
func (t *Tracer) loadVector(c *interp.TracedCall) (interp.Value, error) {
	n, _ := interp.Integer(c.Args[2])
	of, fragment, err := t.wide(c, n)
	if err != nil {
		return nil, err
	}
	if err := t.move(of, fragment, n); err != nil {
		return nil, err
	}
	if of.Elem().Bits() == 16 && n%2 == 0 {
		return t.unpack(fragment, n), nil
	}
	out := make(interp.Tuple, n)
	for i := range out {
		out[i] = t.value(t.k.Load(fragment, kernel.Int(int64(i))))
	}
	return out, nil
}

// unpack returns the numbers of 16 bits in registers of 32 bits.
func (t *Tracer) unpack(fragment kernel.Tensor, n int64) (out interp.Tuple) {
	typ := fragment.Elem()
	words := t.k.Recast(fragment, dtype.B32)
	for i := range n / 2 {
		word := t.k.Load(words, kernel.Int(i))
		lo, hi := word.Pair(typ).Values()
		out = append(out, t.value(lo), t.value(hi))
	}
	return out
}

// storeVector implements the assignment to a vector: its arguments are the memory, the first number, and the numbers.
func (t *Tracer) storeVector(c *interp.TracedCall) (interp.Value, error) {
	list := c.Args[2:]
	of, fragment, err := t.wide(c, int64(len(list)))
	if err != nil {
		return nil, err
	}
	numbers := make([]kernel.Value, len(list))
	for i, v := range list {
		var ok bool
		if numbers[i], ok = t.number(v, of.Elem()); !ok {
			return nil, unknown(c)
		}
	}
	if of.Elem().Bits() == 16 && len(list)%2 == 0 {
		words := t.k.Recast(fragment, dtype.B32)
		for i := 0; i < len(numbers); i += 2 {
			t.k.Store(t.k.PairOf(numbers[i], numbers[i+1]).Bits(), words, kernel.Int(int64(i/2)))
		}
	} else {
		for i, x := range numbers {
			t.k.Store(x, fragment, kernel.Int(int64(i)))
		}
	}
	return interp.None{}, t.move(fragment, of, int64(len(list)))
}
