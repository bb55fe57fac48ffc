package linear

import (
	"math/bits"
	"slices"

	"girih/cute"
)

// register is the name of the input dimension along which a thread can move values by itself.
const register = "register"

// registers returns the columns of the dimension "register".
func (l Layout) registers(op string) ([]uint64, error) {
	if !l.HasIn(register) {
		return nil, unknownDim(op, "input", register, l.ins)
	}
	return l.colsOf(register), nil
}

// RegPermForDivideLeft returns a permutation of the register bases of l after which the bases of the divisor m come
// first, in the order of m; the other bases keep their order. If any permutation makes l divisible on the left by m,
// the returned permutation does; [Layout.DivideLeft] tells whether it does. It is Triton's regPermForDivide for the
// left side. It returns [cute.CodeNotDivisible] if a basis of m is missing, and [cute.CodeName] or [cute.CodeExtent]
// for dimensions that do not match.
func (l Layout) RegPermForDivideLeft(m Layout) (ColumnAction, error) {
	found, rest, err := l.regPerm("reg_perm_for_divide", m, func(int) int { return 0 })
	if err != nil {
		return ColumnAction{}, err
	}
	return ColumnAction{slices.Concat(found, rest), register, len(found) + len(rest)}, nil
}

// RegPermForDivideRight is [Layout.RegPermForDivideLeft] for [Layout.DivideRight]: the bases of the divisor, shifted to
// the high bits of l, come last.
func (l Layout) RegPermForDivideRight(m Layout) (ColumnAction, error) {
	found, rest, err := l.regPerm("reg_perm_for_divide", m, func(i int) int {
		return int(l.outs.bits[l.outs.find(m.outs.names[i])]) - int(m.outs.bits[i])
	})
	if err != nil {
		return ColumnAction{}, err
	}
	return ColumnAction{slices.Concat(rest, found), register, len(found) + len(rest)}, nil
}

// regPerm finds the register bases of m, shifted up, among the register bases of l.
func (l Layout) regPerm(op string, m Layout, shift func(i int) int) (found, rest []int, err error) {
	have, err := l.registers(op)
	if err != nil {
		return nil, nil, err
	}
	if _, err := l.outs.covers(op, "output", m.outs); err != nil {
		return nil, nil, err
	}
	place := m.outs.moves(l.outs, shift)
	for k, c := range m.colsOf(register) {
		want := apply(place, c)
		at := -1
		for j := range have {
			if have[j] == want && !slices.Contains(found, j) {
				at = j
				break
			}
		}
		if at < 0 {
			return nil, nil, fail(cute.CodeNotDivisible, op,
				"expected a register basis %s for the divisor's register=%d, found none", l.outs.text(want), int64(1)<<k)
		}
		found = append(found, at)
	}
	for j := range have {
		if !slices.Contains(found, j) {
			rest = append(rest, j)
		}
	}
	return found, rest, nil
}

// ActionRemoveBroadcastedRegs returns the action that drops the register bases that are zero and therefore repeat
// values. Bases that depend on each other, such as 1, 2 and 3, stay. It returns [cute.CodeName] without a dimension
// "register".
func (l Layout) ActionRemoveBroadcastedRegs() (ColumnAction, error) {
	cols, err := l.registers("action_remove_broadcasted_regs")
	if err != nil {
		return ColumnAction{}, err
	}
	var keep []int
	for k, c := range cols {
		if c != 0 {
			keep = append(keep, k)
		}
	}
	return ColumnAction{keep, register, len(cols)}, nil
}

// ActionAdditiveStrides returns the action that moves to the front the register bases of l whose offsets can be added
// to an address, and the number of registers that they span. addr gives the part of the address that comes from lanes,
// warps and blocks; affine is a flat output of l with the bits that a run-time offset may contain. The first
// log2(regsPerInst) bases always come first: they are inside one instruction.
//
// A basis can be added if it shares no bit with addr, affine or a basis that cannot be added. Triton's
// actionAdditiveStrides ignores the bases that cannot be added. It returns [cute.CodeName] without a dimension
// "register", [cute.CodeNotCongruent] unless addr has the outputs of l, and [cute.CodeExtent] unless regsPerInst is a
// power of two that is at most the number of registers.
func (l Layout) ActionAdditiveStrides(addr Layout, affine uint64, regsPerInst int64) (int64, ColumnAction, error) {
	const op = "action_additive_strides"
	cols, err := l.registers(op)
	if err != nil {
		return 0, ColumnAction{}, err
	}
	if !addr.outs.equal(l.outs) {
		return 0, ColumnAction{}, fail(cute.CodeNotCongruent, op, "expected the output dimensions %s, found %s",
			l.outs.list(), addr.outs.list())
	}
	first, err := sizeBits(op, "registers of an instruction", regsPerInst)
	if err != nil {
		return 0, ColumnAction{}, err
	}
	if first > len(cols) {
		return 0, ColumnAction{}, fail(cute.CodeExtent, op, "expected at most %d registers in an instruction, found %d",
			int64(1)<<len(cols), regsPerInst)
	}
	taken := affine | addr.origin | l.origin
	for _, c := range addr.cols {
		taken |= c
	}
	xored := make([]bool, len(cols))
	for changed := true; changed; {
		changed = false
		for k := first; k < len(cols); k++ {
			if !xored[k] && cols[k]&taken != 0 {
				xored[k], changed = true, true
				taken |= cols[k]
			}
		}
	}
	var front, back []int
	for k := range cols {
		if xored[k] {
			back = append(back, k)
		} else {
			front = append(front, k)
		}
	}
	return 1 << len(front), ColumnAction{slices.Concat(front, back), register, len(cols)}, nil
}

// BroadcastAs returns one value for each register of l from the values of distinct registers, as left by
// [Layout.ActionRemoveBroadcastedRegs]: registers with equal coordinates get equal values. There is one value for each
// sum of the register bases that are pivots ([Layout.FreeVariableMasks] of the registers alone), in order. If bases
// depend on each other, as 1, 2 and 3 do, Triton's broadcastAs repeats the wrong values.
//
// It returns [cute.CodeName] without a dimension "register" and [cute.CodeExtent] for a wrong number of values.
func BroadcastAs[T any](l Layout, values []T) ([]T, error) {
	const op = "broadcast_as"
	if _, err := l.registers(op); err != nil {
		return nil, err
	}
	regs, err := l.Sublayout([]string{register}, l.outs.allNames())
	if err != nil {
		return nil, err
	}
	reduced, pivots := regs.Matrix().RREF()
	if len(values) != 1<<len(pivots) {
		return nil, fail(cute.CodeExtent, op, "expected %d values, one for each distinct register, found %d",
			int64(1)<<len(pivots), len(values))
	}
	if regs.InBits() > maxListBits {
		return nil, fail(cute.CodeLimit, op, "expected at most 2^%d registers, found 2^%d", maxListBits, regs.InBits())
	}
	out := make([]T, 1<<regs.InBits())
	at := make([]uint64, regs.InBits())
	for j := range at {
		at[j] = uint64(reduced.Col(j))
	}
	for r := range out {
		out[r] = values[xorColumns(at, uint64(r))]
	}
	return out, nil
}

// maxListBits bounds the lists in results, to 2^20 items.
const maxListBits = 20

// GetReps returns l with the bases of the tile set to zero: the places where the copies of the tile in l begin. It
// returns [cute.CodeNotDivisible], with a basis of l as witness, unless the first bases of l are the bases of the tile
// and no other basis shares a bit with the tile, and the other errors of [Layout.DivideLeft].
func (l Layout) GetReps(tile Layout) (Layout, error) {
	const op = "get_reps"
	d, err := l.newDivision(op, tile)
	if err != nil {
		return Layout{}, err
	}
	place := tile.outs.moves(l.outs, noShift)
	var taken uint64
	for _, c := range tile.cols {
		taken |= apply(place, c)
	}
	reps := l
	reps.cols = slices.Clone(l.cols)
	for j, c := range l.cols {
		i, k := l.ins.owner(j)
		if k < d.inBits[i] {
			if want := apply(place, tile.colsOf(l.ins.names[i])[k]); c != want {
				return Layout{}, l.at(j, fail(cute.CodeNotDivisible, op, "expected the basis of the tile %s, found %s",
					l.outs.text(want), l.basisText(j)))
			}
			reps.cols[j] = 0
		} else if c&taken != 0 {
			return Layout{}, l.at(j, fail(cute.CodeNotDivisible, op,
				"expected 0 in the bits of the tile, found %s, with %s there", l.basisText(j), l.outs.text(c&taken)))
		}
	}
	return reps, nil
}

// LargestVectorisation returns the largest number n of elements of elemBits bits, at most 128 bits, that one access can
// move: in every thread, n registers hold n consecutive coordinates of the output dimension "offset".
// LargestVectorisation also returns the permutation that puts these registers first. If maxElems is not 0, maxElems
// limits n and registers are not permuted, as in Triton.
//
// It returns [cute.CodeName] without the dimensions "register" and "offset", and [cute.CodeExtent] unless the width of
// an element is a power of two from 1 to 128 and the maximum is at least 0.
func (l Layout) LargestVectorisation(elemBits, maxElems int64) (int64, ColumnAction, error) {
	const op = "largest_vectorisation"
	cols, err := l.registers(op)
	if err != nil {
		return 0, ColumnAction{}, err
	}
	if !l.HasOut("offset") {
		return 0, ColumnAction{}, unknownDim(op, "output", "offset", l.outs)
	}
	most, err := largestAccess(op, elemBits, maxElems)
	if err != nil {
		return 0, ColumnAction{}, err
	}
	for v := most; v > 1; v /= 2 {
		tile, err := Identity1D(v, register, "offset")
		if err != nil {
			return 0, ColumnAction{}, err
		}
		perm, err := l.RegPermForDivideLeft(tile)
		if err != nil || maxElems > 0 && !perm.IsIdentity() {
			continue
		}
		if moved, err := perm.Apply(l); err == nil && moved.HasPart(tile) {
			return v, perm, nil
		}
	}
	same := make([]int, len(cols))
	for k := range same {
		same[k] = k
	}
	return 1, ColumnAction{same, register, len(cols)}, nil
}

// largestAccess returns the largest number of elements, of the given bits, that one access moves: 128 bits, and at most
// maxElems if that is not 0.
func largestAccess(op string, elemBits, maxElems int64) (int64, error) {
	if elemBits < 1 || elemBits > 128 || elemBits&(elemBits-1) != 0 || maxElems < 0 {
		return 0, fail(cute.CodeExtent, op,
			"expected elements of 1, 2, 4, ..., or 128 bits and a maximum of at least 0, found %d bits and %d",
			elemBits, maxElems)
	}
	most := 128 / elemBits
	if maxElems > 0 && maxElems < most {
		most = 1 << (bits.Len64(uint64(maxElems)) - 1)
	}
	return most, nil
}
