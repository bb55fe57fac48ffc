package view

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/linear"
)

// Registers draws a linear layout of registers as a thread-value map, as [TV] does. The input dimensions
// "register", "lane", "warp" and "block", those that exist, give the value and the thread. The 1 to 3 output
// dimensions are the tensor, and dim0 goes down. A warp has as many threads as there are lanes. It returns
// cute.CodeName if there are other input dimensions or "lane" or "register" is missing, cute.CodeRank for other
// tensors, and cute.CodeLimit for large ones.
func Registers(l linear.Layout, o Options) (*draw.Scene, error) {
	var shift [4]int // the first bit of register, lane, warp and block in the flat index
	at := 0
	known := []string{"register", "lane", "warp", "block"}
	seen := 0
	for _, d := range l.InDims() {
		for i, n := range known {
			if d.Name == n {
				shift[i] = at
				seen++
			}
		}
		at += bits.Len64(uint64(d.Size)) - 1
	}
	if seen != len(l.InDims()) || !l.HasIn("lane") && !l.HasIn("register") {
		return nil, &cute.Error{
			Code: cute.CodeName, Op: "draw",
			Msg:  fmt.Sprintf("expected the input dimensions register, lane, warp and block, found %s", dimNames(l.InDims())),
			Hint: "draw it as a matrix, or its shared memory with the input dimension offset",
		}
	}
	outs := l.OutDims()
	tile := sizesOf(outs)
	rows, cols, blocks, err := tileOf(tile)
	if err != nil {
		return nil, err
	}
	if l.InBits() > 21 {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d threads times registers, found 2^%d",
				maxPairs, l.InBits()),
		}
	}
	size := func(i int) int64 {
		if !l.HasIn(known[i]) {
			return 1
		}
		return l.InSize(known[i])
	}
	h := &holders{
		rows: int(rows), cols: int(cols), blocks: int(blocks), threads: size(1) * size(2) * size(3), values: size(0),
	}
	elements := make([]int64, h.threads*h.values)
	for v := range h.values {
		for t := range h.threads {
			lane, warp, block := t%size(1), t/size(1)%size(2), t/size(1)/size(2)
			x := uint64(v)<<shift[0] | uint64(lane)<<shift[1] | uint64(warp)<<shift[2] | uint64(block)<<shift[3]
			y, err := l.Flat(x)
			if err != nil {
				return nil, err
			}
			elements[t+v*h.threads] = element(int64(y), tile, rows, cols)
		}
	}
	h.fill(elements)
	if l.HasIn("lane") {
		o.WarpSize = size(1)
	}
	return drawHolders(fmt.Sprintf("%s on %s", dimText(l.InDims()), dimText(outs)), h, o), nil
}

// sizesOf returns the sizes of dimensions as a shape.
func sizesOf(dims []linear.Dim) cute.Tuple {
	sizes := make([]int64, len(dims))
	for i, d := range dims {
		sizes[i] = d.Size
	}
	return cute.Ints(sizes...)
}

// element returns the row-major number of the element of a tile at a colexicographic index.
func element(x int64, tile cute.Tuple, rows, cols int64) int64 {
	if tile.Rank() < 2 {
		return x
	}
	b, in := x/(rows*cols), x%(rows*cols)
	return b*rows*cols + in%rows*cols + in/rows
}

func dimNames(ds []linear.Dim) string {
	var names []string
	for _, d := range ds {
		names = append(names, d.Name)
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

func dimText(ds []linear.Dim) string {
	var b strings.Builder
	for i, d := range ds {
		if i > 0 {
			b.WriteString(" x ")
		}
		b.WriteString(d.Name + " " + strconv.FormatInt(d.Size, 10))
	}
	return b.String()
}

// Linear draws a linear layout as its dimensions suggest. If all inputs are register, lane, warp and block, it draws
// registers as [Registers] does. If the layout is a bijection from the input dimension offset to one or two output
// dimensions, it draws the tensor with the shared-memory offset of each element. It returns cute.CodeName for other
// dimensions, which [Matrix] draws, and the errors of Registers.
func Linear(l linear.Layout, o Options) (*draw.Scene, error) {
	if l.HasIn("lane") || l.HasIn("register") {
		return Registers(l, o)
	}
	outs := l.OutDims()
	inv, err := l.Invert()
	if err != nil || !l.HasIn("offset") || len(outs) == 0 || len(outs) > 2 {
		return nil, &cute.Error{
			Code: cute.CodeName, Op: "draw",
			Msg: fmt.Sprintf("expected registers (the input dimensions register, lane, warp, block) or a bijection from offset to a tensor of one or two dimensions, found %s -> %s",
				dimText(l.InDims()), dimText(outs)),
			Hint: "draw it as a matrix",
		}
	}
	f := &field{title: dimText(l.InDims()) + " on " + dimText(outs)}
	f.shape = sizesOf(outs)
	n := int64(1)
	for _, d := range outs {
		n *= d.Size
	}
	if n > DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected a tensor of at most %d elements, found %s",
				DrawnCells, f.shape),
		}
	}
	f.ints = make([]int64, n)
	for i := range f.ints {
		x, err := inv.Flat(uint64(i))
		if err != nil {
			return nil, err
		}
		f.ints[i] = int64(x)
	}
	f.notes = []string{carriedNote(l)}
	v := f.look(o)
	if v.vector == 1 && n > 256 {
		down, across := f.vectors()
		if m := max(down, across); m >= 4 && n/int64(m) <= 2*o.labelLimit() {
			v.vector, v.across, v.labels = m, across >= down, true
		}
	}
	return v.draw(o), nil
}

// carriedNote explains the number in a cell of a linear layout's shared memory.
func carriedNote(l linear.Layout) string {
	ins := slices.DeleteFunc(l.InDims(), func(d linear.Dim) bool { return d.Size <= 1 })
	if len(ins) > 1 {
		return fmt.Sprintf("A cell carries the index of its element: the bits of %s, the first lowest.", dimNames(ins))
	}
	return fmt.Sprintf("A cell carries the %s of its element.", dimNames(ins))
}
