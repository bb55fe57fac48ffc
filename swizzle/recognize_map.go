package swizzle

import (
	"fmt"
	"math/bits"

	"girih/cute"
)

// This file recognises tables that are a map of bits after a layout with strides that are powers of two.

// anyMap recognises a table as a map of bits after a layout whose strides are powers of two.
func anyMap(table []int64, f bitFormula) (Recognition, error) {
	var e basis
	for j, c := range f.cols {
		if c == 0 {
			continue
		}
		sum, ok := e.add(c, 1<<j)
		if ok {
			continue
		}
		i := 1 << j
		other := cute.Int(int64(sum))
		return Recognition{}, &cute.Error{
			Code: cute.CodeNotRepresentable, Op: "recognize",
			Msg: fmt.Sprintf("it is linear over bits, but no invertible map after a layout: the indices %d and %d share the offset %d, and in a layout whose offsets do not carry the bits of the index are independent or have the stride 0",
				i, sum, table[i]),
			Witness: &cute.Witness{Coord: cute.Int(int64(i)), Index: int64(i), Value: cute.Int(table[i]), Other: &other},
		}
	}
	var best Recognition
	found := false
	for _, pick := range []func(uint64, uint64) int{highest, lowest} {
		m, l, ok := place(f.cols, pick)
		if !ok || found && (len(m.Terms()) > len(best.Map.Terms()) || len(m.Terms()) == len(best.Map.Terms()) &&
			l.Rank() >= best.Layout.Rank()) {
			continue
		}
		best, found = Recognition{Map: m, Layout: l, Origin: int64(m.Inverse().apply(f.origin))}, true
	}
	if !found {
		m, l, err := byPivots(f.cols)
		if err != nil {
			return Recognition{}, err
		}
		best = Recognition{Map: m, Layout: l, Origin: int64(m.Inverse().apply(f.origin))}
	}
	if ws, err := best.Map.Factors(); err == nil && len(ws) <= 4 {
		best.Swizzles = ws
	}
	return best.settle(table)
}

// settle returns the formula with an origin that is added instead of combined bit by bit.
func (r Recognition) settle(table []int64) (Recognition, error) {
	back := r.Map.Inverse()
	undone := make([]int64, len(table))
	for i, x := range table {
		undone[i] = int64(back.apply(uint64(x)))
	}
	r.Origin = undone[0]
	l, err := layoutFrom(make([]int64, len(table)), undone)
	if err != nil {
		return Recognition{}, err
	}
	r.Layout = l
	return r, nil
}

// highest and lowest choose, for an image, the bit that the layout uses, outside the taken bits; -1 if there is none.
func highest(c, taken uint64) int { return bits.Len64(c&^taken) - 1 }

func lowest(c, taken uint64) int {
	if c &^= taken; c != 0 {
		return bits.TrailingZeros64(c)
	}
	return -1
}

// place returns the map that takes one bit of each image, chosen by pick, to that image, and the layout of the chosen
// bits.
func place(cols []uint64, pick func(c, taken uint64) int) (Map, cute.Layout, bool) {
	n := 0
	var taken uint64
	places := make([]int, len(cols))
	for j, c := range cols {
		n = max(n, bits.Len64(c))
		if places[j] = -1; c == 0 {
			continue
		}
		if places[j] = pick(c, taken); places[j] < 0 {
			return Map{}, cute.Layout{}, false
		}
		taken |= 1 << places[j]
	}
	return mapAt(cols, places, n)
}

func mapAt(cols []uint64, places []int, n int) (Map, cute.Layout, bool) {
	image := make([]uint64, n)
	for i := range image {
		image[i] = 1 << i
	}
	table := []int64{0}
	for j, p := range places {
		stride := int64(0)
		if p >= 0 {
			image[p] = cols[j]
			stride = 1 << p
		}
		for _, x := range table[:1<<j] {
			table = append(table, x+stride)
		}
	}
	m, err := NewMap(image)
	if err != nil {
		return Map{}, cute.Layout{}, false
	}
	l, err := cute.Recognize(table)
	return m, l, err == nil
}

// byPivots returns a map for independent images. Each image replaces a unit vector that the other units and the earlier
// images do not need.
func byPivots(cols []uint64) (Map, cute.Layout, error) {
	n := 0
	for _, c := range cols {
		n = max(n, bits.Len64(c))
	}
	// The units that are independent of the images stay; the images replace the other units, in order.
	var e basis
	for _, c := range cols {
		e.add(c, 0)
	}
	var free []int
	for i := range n {
		if _, ok := e.add(1<<i, 0); !ok {
			free = append(free, i)
		}
	}
	places := make([]int, len(cols))
	next := 0
	for j, c := range cols {
		if places[j] = -1; c != 0 {
			places[j] = free[next]
			next++
		}
	}
	m, l, ok := mapAt(cols, places, n)
	if !ok {
		return Map{}, cute.Layout{}, &cute.Error{Code: cute.CodeNotRepresentable, Op: "recognize", Msg: "no invertible map of bits completes the images"}
	}
	return m, l, nil
}
