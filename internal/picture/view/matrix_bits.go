package view

import (
	"fmt"
	"strings"

	"girih/f2"
	"girih/linear"
	"girih/swizzle"
)

// A bitDim is a number of bits with a name: a dimension of a linear layout, or the bits of an offset.
type bitDim struct {
	name string
	bits int
}

// A bitMap is an affine map of named bits, which matrices and wirings draw. Its columns are the bits of ins, its rows
// the bits of outs; the first dimension has the lowest bits.
type bitMap struct {
	m         f2.Matrix
	ins, outs []bitDim
	origin    f2.Vector
	self      bool // inputs and outputs are the same bits, so entries off the diagonal are emphasized
}

// bitMapOf returns a linear layout as a bitMap.
func bitMapOf(l linear.Layout) bitMap {
	b := bitMap{m: l.Matrix()}
	for _, d := range l.InDims() {
		b.ins = append(b.ins, bitDim{d.Name, bitsOf(d.Size)})
	}
	at := 0
	origin := l.Origin()
	for i, d := range l.OutDims() {
		n := bitsOf(d.Size)
		b.outs = append(b.outs, bitDim{d.Name, n})
		b.origin |= f2.Vector(origin[i]) << at
		at += n
	}
	return b
}

// bitMapOfMap returns a map of the bits of offsets as a bitMap; the identity has one bit.
func bitMapOfMap(m swizzle.Map) bitMap {
	b := bitMap{m: m.Matrix()}
	if m.Bits() == 0 {
		b.m, _ = f2.Identity(1)
	}
	b.ins, b.outs = []bitDim{{"x", b.m.Cols()}}, []bitDim{{"y", b.m.Rows()}}
	return b
}

// bitsOf returns log2 of a power of two.
func bitsOf(size int64) int {
	n := 0
	for size > 1 {
		size >>= 1
		n++
	}
	return n
}

// eachDim calls f with each dimension that has bits, the number of bits before it, and its index in the list.
//
//go:noinline
func (b bitMap) eachDim(dims []bitDim, f func(d bitDim, at, k int)) {
	at := 0
	for k, d := range dims {
		if d.bits > 0 {
			f(d, at, k)
		}
		at += d.bits
	}
}

// inDim returns the index of the input dimension of column j.
func (b bitMap) inDim(j int) int {
	for k, d := range b.ins {
		if j < d.bits {
			return k
		}
		j -= d.bits
	}
	return 0
}

func (b bitMap) inName(j int) string  { return bitName(b.ins, j) }
func (b bitMap) outName(i int) string { return bitName(b.outs, i) }

// bitName returns the name of a bit, such as lane3. The dimension "register" is shortened: reg3.
func bitName(dims []bitDim, j int) string {
	for _, d := range dims {
		if j < d.bits {
			name := d.name
			if name == "register" {
				name = "reg"
			}
			if n := len(name); n > 0 && name[n-1] >= '0' && name[n-1] <= '9' {
				name += "." // dim0.3: bit 3 of dim0
			}
			return fmt.Sprint(name, j)
		}
		j -= d.bits
	}
	return ""
}

// formula returns output bit i as a sum of input bits: "reg0 ⊕ lane3", "1 ⊕ lane3", "0". If there are more than four
// terms, it gives their number.
func (b bitMap) formula(i int) string {
	var terms []string
	if b.origin.At(i) == 1 {
		terms = append(terms, "1")
	}
	for j := range b.m.Cols() {
		if b.m.At(i, j) == 1 {
			terms = append(terms, b.inName(j))
		}
	}
	return sumText(terms)
}

// sumText returns a sum of bits. If there are more than four, it gives the first three and the number of the
// others.
func sumText(terms []string) string {
	switch n := len(terms); {
	case n == 0:
		return "0"
	case n > 4:
		return fmt.Sprintf("%s ⊕ %d more", strings.Join(terms[:3], " ⊕ "), n-3)
	}
	return strings.Join(terms, " ⊕ ")
}

// vector returns an output as the coordinates of its dimensions, "(0,2)", or as a number if there is one dimension.
func (b bitMap) vector(v f2.Vector) string {
	if len(b.outs) == 1 {
		return fmt.Sprint(uint64(v))
	}
	var parts []string
	for _, d := range b.outs {
		parts = append(parts, fmt.Sprint(uint64(v)&(1<<d.bits-1)))
		v >>= d.bits
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// facts returns sentences about the rank, the kernel, and the values that are not reached.
func (b bitMap) facts() []string {
	rank, rows, cols := b.m.Rank(), b.m.Rows(), b.m.Cols()
	kind := "neither injective nor surjective"
	switch {
	case rank == rows && rank == cols:
		kind = "invertible"
	case rank == cols:
		kind = "injective, not surjective"
	case rank == rows:
		kind = "surjective, not injective"
	}
	notes := []string{fmt.Sprintf("Rank %d of %d rows and %d columns: %s.", rank, rows, cols, kind)}
	if rank < cols {
		notes = append(notes, b.kernelText(cols-rank))
	}
	if rank < rows {
		var names []string
		for _, v := range b.m.Complement() {
			names = append(names, b.outName(v.Len()-1))
		}
		notes = append(notes, "Completed to all outputs by "+some(names, 8)+".")
	}
	return notes
}

// kernelText names the vectors of a basis of the kernel; dim, its dimension, is above 0.
func (b bitMap) kernelText(dim int) string {
	text := fmt.Sprintf("Kernel of dimension %d", dim)
	basis, err := b.m.Kernel()
	if err != nil { // the matrix has more than 64 columns
		return text + "."
	}
	var names []string
	for _, v := range basis {
		var terms []string
		for j := range b.m.Cols() {
			if v.At(j) == 1 {
				terms = append(terms, b.inName(j))
			}
		}
		names = append(names, sumText(terms))
	}
	return text + ": inputs that differ by " + some(names, 6) + " have the same value."
}

// some lists texts. If there are more than n, it gives the first n and the number of the others.
func some(texts []string, n int) string {
	if len(texts) <= n {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:n], ", "), len(texts)-n)
}
