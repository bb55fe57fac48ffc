package view

import (
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/linear"
)

// MaxWires is the largest number of leaves of a layout whose wiring is drawn.
const MaxWires = 96

// Wiring returns the wiring diagram of a layout. On the left are the leaves of its shape, extent:stride, in the
// brackets of their modes; on the right is the offset by place value. A leaf with extent s and stride d is wired to
// the places from d up to d·s, the part of the offset that it counts. If all strides are powers of two, the places
// are bits and every bit has its own wire. The picture grows with the number of modes, not with their extents; in a
// terminal the picture is words. Places that no leaf reaches are marked as gaps. Places that several leaves reach,
// where the leaves add with a carry or meet, are marked too.
//
// Coordinate strides lead to a block of places for each axis. It returns [cute.CodeLimit] above [MaxWires] leaves.
func Wiring(l cute.Layout, o Options) (*draw.Scene, error) { return WiringNamed(l, nil, o) }

// WiringNamed is [Wiring] with names for the modes, such as thread and value for a thread-value layout. To see the
// bits of rows and columns separately on the right, compose the identity layout of the tile with the layout, so that
// its strides are coordinates. It returns [cute.CodeRank] if there are names, but not exactly one per mode, and the
// errors of Wiring.
func WiringNamed(l cute.Layout, names []string, o Options) (*draw.Scene, error) {
	if n := len(names); n > 0 && n != l.Rank() {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: "draw", Msg: fmt.Sprintf("expected a name for each of %d modes, found %d", l.Rank(), n),
		}
	}
	d, err := newDigits(l)
	if err != nil {
		return nil, err
	}
	for i, g := range d.tree {
		if g.depth == 0 && g.hue < len(names) {
			d.tree[i].name = names[g.hue]
		}
	}
	body := &wiringPart{left: d.left(), right: d.right(), wires: d.wires}
	return frame{title: l.String(), notes: d.notes(l, o), body: body.body(o)}.draw(o), nil
}

// WiringComposed returns the wiring diagram of a layout followed by swizzles, Sw o offset o L: from the modes to the
// bits of L's offset as [Wiring] does, and from there bit by bit through each swizzle, where bits that are added
// without carry meet in ⊕. It returns [cute.CodeType] if an outer function is not a swizzle,
// [cute.CodeNotRepresentable] if a stride of L is not a power of two, and the errors of [Wiring].
func WiringComposed(c cute.Composed, o Options) (*draw.Scene, error) {
	d, err := newDigits(c.Layout())
	if err != nil {
		return nil, err
	}
	stages, err := d.stages(c)
	if err != nil {
		return nil, err
	}
	if len(stages) == 0 {
		return Wiring(c.Layout(), o)
	}
	w := &wiringPart{left: d.left(), right: d.right(), wires: d.wires}
	for _, s := range stages {
		w.next(s)
	}
	notes := d.notes(c.Layout(), o)
	for _, s := range stages {
		notes = append(notes, s.note)
	}
	return frame{title: c.String(), notes: notes, body: w.body(o)}.draw(o), nil
}

// WiringLinear returns the wiring diagram of a linear layout: the bits of the input dimensions on the left, the bits
// of the output dimensions on the right, and a wire from an input bit to every output bit that it changes. Wires that
// meet are added without carry, in ⊕; an output that the origin flips shows a 1 there.
func WiringLinear(l linear.Layout, o Options) *draw.Scene {
	b := bitMapOf(l)
	w := &wiringPart{}
	w.left, w.right, w.wires = b.columns()
	return frame{title: dimsTitle(l), notes: b.facts(), body: w.body(o)}.draw(o)
}

// columns returns the two sides of a map of bits, and its wires.
func (b bitMap) columns() (left, right column, wires []wire) {
	b.eachDim(b.ins, func(d bitDim, at, k int) {
		left.groups = append(left.groups, group{name: d.name, from: at, to: at + d.bits, hue: k})
		for i := range d.bits {
			left.rows = append(left.rows, place{label: fmt.Sprint(i), hue: k, height: wireStep})
		}
	})
	b.eachDim(b.outs, func(d bitDim, at, k int) {
		right.groups = append(right.groups, group{name: d.name, from: at, to: at + d.bits, hue: -1})
		for i := range d.bits {
			p := place{label: fmt.Sprint(i), hue: -1, height: wireStep, flip: b.origin.At(at+i) == 1, note: "0"}
			if p.flip {
				p.note = "1"
			}
			right.rows = append(right.rows, p)
		}
	})
	for j := range b.m.Cols() {
		for i := range b.m.Rows() {
			if b.m.At(i, j) == 1 {
				wires = append(wires, wire{from: j, to: i, hue: b.inDim(j), tip: b.inName(j) + " → " + b.outName(i)})
			}
		}
	}
	for i := range right.rows {
		n := 0
		for _, w := range wires {
			if w.to == i {
				n++
			}
		}
		if n > 1 || n == 1 && right.rows[i].flip {
			right.rows[i].note = "= " + b.formula(i)
			right.rows[i].merge = "⊕"
		} else if n == 1 {
			right.rows[i].note = ""
		}
	}
	return left, right, wires
}

// isPower reports whether x is a power of two.
func isPower(x int64) bool { return x > 0 && x&(x-1) == 0 }

// bitLen returns the number of bits of the integers from 0 to n-1.
func bitLen(n int64) int { return bits.Len64(uint64(n - 1)) }
