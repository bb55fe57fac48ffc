package follow

import (
	"fmt"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/descriptor"
)

// This file judges operands that wgmma and tcgen05.mma read from shared memory by descriptors.

// A reading is how an instruction sees the elements of a tensor in shared memory.
type reading struct {
	per  int64 // elements of the instruction in one of the tensor: 2 of 4 bits in a byte
	rows int64 // that it reads from the memory of one block; the others are in the next block of a pair
	pair bool  // two blocks share the instruction
}

// byDescriptors judges how an instruction reads an operand in shared memory by descriptors.
func (b *builder) byDescriptors(h *Hop, m atom.MMA) {
	p := &b.Places[h.From[0]]
	want, err := descriptor.OperandOf(m, operandOf(&b.Places[h.To]))
	if err != nil || len(p.Modes) < 2 || len(p.Modes) > 3 {
		return
	}
	as := reading{max(int64(p.Bits)/want.Bits, 1), want.Rows, want.Pair}
	swapped, count, ok := b.agrees(h, p, as)
	layout, err := cute.ParseComposed(p.Layout)
	if !ok || err != nil {
		return
	}
	if as.per > 1 {
		if layout, err = layout.Recast(int64(p.Bits), want.Bits); err != nil {
			return
		}
	}
	layout, err = layout.Map(func(l cute.Layout) (cute.Layout, error) {
		n := units(l)
		order := []int{n, n + 1, n + 2}[:len(p.Modes)]
		if swapped {
			order[0], order[1] = order[1], order[0]
		}
		return l.Select(order...)
	})
	if err != nil {
		return
	}
	fit, err := want.Fit(layout, p.Base)
	if err != nil {
		return
	}
	first, where := fit.Matrices[0], ""
	if as.pair && operandOf(&b.Places[h.To]) == atom.OperandB {
		where = ", half of the rows in each block of the pair"
	}
	h.Verdicts = append(h.Verdicts, Ruling{
		What: "legality", OK: true,
		Text: fmt.Sprintf("%v, %v-major, which the instruction reads: LBO %d, SBO %d", first.Pattern, first.Major,
			first.Leading, first.Stride),
	}, Ruling{
		What: "swizzle", OK: true,
		Text: fmt.Sprintf("%d reads by descriptors find each element where the layout of %s has it%s", count, p.Name, where),
	})
	if first.Base == 0 {
		h.Verdicts = append(h.Verdicts, Ruling{
			What: "alignment", OK: true,
			Text: fmt.Sprintf("%s begins at byte %d, a multiple of %d", p.Name, p.Base, first.Align()),
		})
	}
	b.coreBanks(h, first, want.Bits)
}

// agrees reports whether all reads of a hop find the elements of the operand where the layout of the tensor has them:
// row r and column k of the operand at the coordinate (r,k) of the tensor plus a constant, or at (k,r) if it is
// swapped.
func (b *builder) agrees(h *Hop, p *Place, as reading) (swapped bool, count int, ok bool) {
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		straight, turned := p.compare(o, as)
		if count == 0 {
			swapped = !straight
		}
		if count++; swapped && !turned || !swapped && !straight {
			return false, 0, false
		}
	}
	return swapped, count, count > 0
}

// compare reports whether the elements of an operand are at their coordinates plus a constant, and at the exchanged
// ones.
func (p *Place) compare(o *operandMove, as reading) (straight, turned bool) {
	list := p.Index.Values()
	var first [2][3]int64
	straight, turned = true, true
	for i, cell := range o.from {
		x := list[cell]
		if x < 0 || i >= len(o.m.To.At) {
			return false, false
		}
		at := [3]int64{x % p.Modes[0], x / p.Modes[0] % p.Modes[1], x / p.Modes[0] / p.Modes[1]}
		r, k := int64(o.m.To.At[i]>>16), int64(o.m.To.At[i]&0xffff)/as.per
		if as.pair && r >= as.rows {
			if int64(o.m.From.At[i]>>rankBits)&1 != r/as.rows {
				return false, false
			}
			r %= as.rows
		}
		for j, base := range [2][3]int64{{at[0] - r, at[1] - k, at[2]}, {at[0] - k, at[1] - r, at[2]}} {
			if i == 0 {
				first[j] = base
			}
			same := base == first[j]
			if j == 0 {
				straight = straight && same
			} else {
				turned = turned && same
			}
		}
	}
	return straight, turned
}

// coreBanks counts the wavefronts of the core matrices, of elements of some bits: 8 pieces of 16 bytes, as of ldmatrix.
func (b *builder) coreBanks(h *Hop, d descriptor.Matrix, bits int64) {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		return
	}
	a, err := banks.ParseAccess("ldmatrix.x1", 16)
	if err != nil {
		return
	}
	rule, err := target.Rule(a)
	if err != nil {
		return
	}
	r := Ruling{What: "banks"}
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		for _, addrs := range cores(o, d, bits) {
			c, err := rule.Count(addrs)
			if err != nil {
				return
			}
			r.Got += int64(c.Wavefronts)
			r.Fewest++
		}
	}
	if r.Fewest == 0 {
		return
	}
	r.OK = r.Got == r.Fewest
	r.Text = fmt.Sprintf("each core matrix, %d rows of %d bytes, is in 32 different banks", d.Pattern.Rows(),
		128/d.Pattern.Rows())
	if !r.OK {
		r.Text = fmt.Sprintf("%d core matrices pass the banks %d times", r.Fewest, r.Got)
	}
	h.Verdicts = append(h.Verdicts, r)
}

// cores returns the addresses of the pieces of 16 bytes of each core matrix of an operand.
func cores(o *operandMove, d descriptor.Matrix, bits int64) map[[2]int64][]int64 {
	out := map[[2]int64][]int64{}
	piece, rows := 128/bits, d.Pattern.Rows()
	for i, at := range o.m.To.At {
		across, along := int64(at>>16), int64(at&0xffff) // the rows of the pattern, and along them
		if d.Major != atom.KMajor {
			across, along = along, across
		}
		if along%piece == 0 {
			core := [2]int64{across / rows, along / piece / (8 / rows)}
			out[core] = append(out[core], int64(o.m.From.At[i]))
		}
	}
	return out
}
