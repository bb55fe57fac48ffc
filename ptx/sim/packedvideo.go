package sim

import (
	"fmt"

	"girih/ptx"
)

// packedVideo reads instructions on two or four integers in a register (PTX ISA 9.7.18.2). Each element of a source is
// selected from the elements of both sources. The result of an element has more bits than the element; unless there is
// .sat, only its low bits are kept. The elements in the mask replace elements of the third source; with .add, all
// elements in the mask are added to the third source.
func (d *decoder) packedVideo(o *opcode) (step, error) {
	n := int(o.name[len(o.name)-1] - '0')
	op, types := o.name[1:len(o.name)-1], o.types()
	if op == "set" {
		types = append([]ptx.Type{ptx.U32}, types...)
	}
	if len(types) != 3 {
		return nil, fmt.Errorf("expected types of the result and two sources")
	}
	u := packedUse{n: n, width: 32 / n, op: func(x, y int64) int64 { return packedInteger(op, x, y) }}
	if op == "set" {
		set, err := videoOperation(&opcode{Instr: o.Instr, name: "vset", mods: o.mods, used: o.used})
		if err != nil {
			return nil, err
		}
		u.op = set
	}
	u.sat, u.sum = o.has("sat"), o.has("add")
	if u.sat && (u.sum || op == "set") {
		return nil, fmt.Errorf(".sat does not go with .add or a comparison")
	}
	if err := o.need(4, 4); err != nil {
		return nil, err
	}
	dst, err := d.videoOperand(o.Operands[0], d.dst)
	if err != nil {
		return nil, err
	}
	if u.mask, err = videoMask(dst.part, n); err != nil {
		return nil, err
	}
	src, err := u.sources(d, o, types)
	if err != nil {
		return nil, err
	}
	u.lo, u.hi = 0, int64(ones(u.width))
	if begins(types[0], 's') {
		u.lo, u.hi = -1<<(u.width-1), 1<<(u.width-1)-1
	}
	return map3(dst.slot, src, u.result), nil
}

// sources reads the three sources. Only the first two have types and selectors.
func (u *packedUse) sources(d *decoder, o *opcode, types []ptx.Type) (src [3]int, err error) {
	usual := map[int][2]string{2: {"h10", "h32"}, 4: {"b3210", "b7654"}}[u.n]
	for i, x := range o.Operands[1:] {
		s, err := d.videoSourceOperand(x, i)
		if err == nil && i < 2 {
			u.signed[i] = begins(types[i+1], 's')
			u.take[i], err = videoChoice(s.part, usual[i], u.n)
		}
		if err != nil {
			return src, err
		}
		src[i] = s.slot
	}
	return src, nil
}

// packedUse is one packed video instruction.
type packedUse struct {
	n, width int // number of elements, and bits of each
	op       func(x, y int64) int64
	take     [2][]int // for each element of a source, its index among the elements of both sources
	signed   [2]bool
	mask     int // the elements that are written or added
	sat, sum bool
	lo, hi   int64
}

func (u *packedUse) result(x, y, z uint64) uint64 {
	both := x&0xffffffff | y<<32
	r, total := uint64(0), z
	for i := range u.n {
		var v [2]int64
		for k := range v {
			e := both >> (u.take[k][i] * u.width) & ones(u.width)
			if v[k] = int64(e); u.signed[k] {
				v[k] = extend(e, u.width)
			}
		}
		t, place := u.op(v[0], v[1]), u.width*i
		if u.mask>>i&1 == 0 {
			r |= z & (ones(u.width) << place)
			continue
		}
		if u.sat {
			t = max(u.lo, min(t, u.hi))
		}
		r |= uint64(t) & ones(u.width) << place
		total += uint64(t)
	}
	if u.sum {
		return total & 0xffffffff
	}
	return r
}

// packedInteger applies a packed video operation to one element of each source.
func packedInteger(op string, x, y int64) int64 {
	switch op {
	case "add":
		return x + y
	case "sub":
		return x - y
	case "min":
		return min(x, y)
	case "max":
		return max(x, y)
	case "avrg": // a half rounds away from zero if the sum is not negative, and down otherwise
		if x+y >= 0 {
			return (x + y + 1) >> 1
		}
		return (x + y) >> 1
	}
	return max(x-y, y-x)
}
