package convert

import (
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// An Access says what the loads or stores of one side of a conversion cost.
type Access struct {
	VectorBits   int // the number of contiguous bits of one lane in one instruction, or of one row of a matrix
	Instructions int // the number of instructions of each thread for the whole conversion
	Ideal        int // the wavefronts of one warp instruction without conflicts
	Wavefronts   int // the actual wavefronts of one warp instruction
}

// Multiplicity returns how many times longer an instruction takes than without conflicts: 1, 2, 4, ....
func (a Access) Multiplicity() int { return a.Wavefronts / max(a.Ideal, 1) }

// AccessOf returns the cost of storing or loading the elements of a distribution to or from the shared memory of a
// conversion, by instructions with that tile. The access width has the fewest wavefronts in total. Every
// wavefront needs the same number of passes:
//
//	2^(dim((T+W) ∩ (S+W)) - dim W)
//
// T is spanned by the lanes of a wavefront and the elements of an access, W by the offset bits inside a word of 32
// bits, and S by the offset bits above the banks. Two lanes of a wavefront conflict if they need different words of one
// bank: if the difference of their offsets, a vector of T+W, is in S+W and not in W.
//
// It returns [cute.CodeNotInvertible] if the memory lacks an element, [cute.CodeExtent] for a memory that [New] would
// refuse, [cute.CodeMode] for a tile that does not fit, and the errors of [linear.Layout.InvertAndCompose].
func AccessOf(l, smem linear.Layout, mem Memory, tile Tile) (Access, error) {
	if err := checkMachine("access", mem.ElemBits, mem.Banks); err != nil {
		return Access{}, err
	}
	cvt, err := offsetsOf(l, smem)
	if err != nil {
		return Access{}, err
	}
	s := sideOf(cvt, tile)
	if !tile.valid(len(s.lanes), mem.ElemBits) {
		return Access{}, fail(cute.CodeMode, "access",
			"expected a tile of some of the %d lane bits that fits elements of %d bits, found %+v", len(s.lanes),
			mem.ElemBits, tile)
	}
	offsetBits := bitsOfOut(cvt, "offset")
	if len(tile.Contiguous) > 0 {
		v := log2(128 / mem.ElemBits)
		return best(s, v, offsetBits, mem), nil
	}
	most, _, err := cvt.LargestVectorisation(int64(mem.ElemBits), 0)
	if err != nil {
		return Access{}, err
	}
	a := Access{}
	for v := range log2int64(most) + 1 {
		trial := best(s, v, offsetBits, mem)
		if v == 0 || trial.Instructions*trial.Wavefronts <= a.Instructions*a.Wavefronts {
			a = trial
		}
	}
	return a, nil
}

// offsetsOf returns the conversion from a distribution to "offset", "block" and "reps" of the memory.
func offsetsOf(l, smem linear.Layout) (linear.Layout, error) {
	dims := []linear.Dim{{Name: "offset", Size: smem.InSize("vector") * smem.InSize("bank") * smem.InSize("segment")}}
	for _, name := range []string{block, "reps"} {
		if smem.HasIn(name) {
			dims = append(dims, linear.Dim{Name: name, Size: smem.InSize(name)})
		}
	}
	flat, err := smem.ReshapeIns(dims...)
	if err != nil {
		return linear.Layout{}, err
	}
	if l, err = dropRepeats(l); err != nil {
		return linear.Layout{}, err
	}
	if !l.HasIn(register) {
		none, err := linear.New([]linear.In{{Name: register}}, l.OutDims())
		if err != nil {
			return linear.Layout{}, err
		}
		if l, err = none.ConcatIns(l); err != nil {
			return linear.Layout{}, err
		}
	}
	return l.InvertAndCompose(flat, linear.Triton)
}

func bitsOfOut(l linear.Layout, dim string) int { return log2int64(l.OutSize(dim)) }

// best returns the cost of accesses of 2^v elements, with the register bits of the tile that cost least.
func best(s side, v, offsetBits int, mem Memory) Access {
	inside := f2.Vector(1)<<offsetBits - 1
	vector := make([]f2.Vector, v)
	for k := range vector {
		vector[k] = 1 << k
	}
	vecBits := mem.ElemBits << v
	lanes := s.phase(vecBits, mem.Banks)
	word := log2(max(32/mem.ElemBits, 1))
	above := log2(max(mem.Banks*32/mem.ElemBits, 1))
	w := f2.Span(units(0, min(word, offsetBits))...)
	sw := f2.Span(units(min(above, offsetBits), offsetBits)...).Sum(w)
	passes := func(more []f2.Vector) int {
		t := slices.Concat(vector, lanes, more)
		for i := range t {
			t[i] &= inside
		}
		return 1 << (f2.Span(t...).Sum(w).Intersection(sw).Dim() - w.Dim())
	}
	p := passes(nil)
	if s.tile.Registers > 0 {
		p = 0
		for _, r := range s.regs {
			if n := passes([]f2.Vector{r}); r&(1<<v-1) == 0 && (p == 0 || n < p) {
				p = n
			}
		}
		p = max(p, passes(nil))
	}
	a := Access{VectorBits: vecBits}
	registersPerAccess := v - len(s.tile.Contiguous) + s.tile.Registers
	a.Instructions = 1 << max(len(s.regs)-registersPerAccess, 0)
	a.Ideal = 1 << max(len(s.lanes)-len(s.tile.Contiguous)-len(lanes), 0)
	a.Wavefronts = a.Ideal * p
	return a
}

// units returns the unit vectors of the components from lo up to hi.
func units(lo, hi int) []f2.Vector {
	var out []f2.Vector
	for k := lo; k < hi; k++ {
		out = append(out, 1<<k)
	}
	return out
}

// splitReps moves bases of the segment to "reps" if they are registers on both sides and nothing else depends on them:
// the reps can use the same memory one after the other. Matrix instructions move four matrices at once, so two such
// bases stay in the segment for these instructions.
func splitReps(smem, src, dst linear.Layout, mem Memory) (linear.Layout, error) {
	a, err := offsetsOf(src, smem)
	if err != nil {
		return linear.Layout{}, err
	}
	b, err := offsetsOf(dst, smem)
	if err != nil {
		return linear.Layout{}, err
	}
	first := bitsOf(smem, "vector") + bitsOf(smem, "bank")
	n := bitsOf(smem, "segment")
	var segment, reps []int
	spare := 0
	if len(mem.Store.Contiguous)+len(mem.Load.Contiguous) > 0 {
		spare = 2
	}
	for k := range n {
		if !onlyRegister(a, first+k) || !onlyRegister(b, first+k) {
			segment = append(segment, k)
			continue
		}
		if spare > 0 {
			spare--
			segment = append(segment, k)
			continue
		}
		reps = append(reps, k)
	}
	order, err := linear.NewColumnAction(slices.Concat(segment, reps), "segment", n)
	if err != nil {
		return linear.Layout{}, err
	}
	if smem, err = order.Apply(smem); err != nil {
		return linear.Layout{}, err
	}
	if smem, err = smem.TransposeIns("vector", "bank", "segment", block); err != nil {
		return linear.Layout{}, err
	}
	if smem, err = smem.TransposeIns("vector", "bank", block, "segment"); err != nil {
		return linear.Layout{}, err
	}
	smem, err = smem.ReshapeIns(
		linear.Dim{Name: "vector", Size: smem.InSize("vector")},
		linear.Dim{Name: "bank", Size: smem.InSize("bank")},
		linear.Dim{Name: block, Size: smem.InSize(block)},
		linear.Dim{Name: "segment", Size: 1 << len(segment)},
		linear.Dim{Name: "reps", Size: 1 << len(reps)},
	)
	if err != nil {
		return linear.Layout{}, err
	}
	return smem.TransposeIns("vector", "bank", "segment", block, "reps")
}

// onlyRegister reports whether exactly one basis contains that offset bit, and this basis is a register basis without
// other bits.
func onlyRegister(cvt linear.Layout, bit int) bool {
	found := 0
	for _, name := range hardware {
		for _, c := range columns(cvt, name) {
			switch {
			case c>>bit&1 == 0:
			case name == register && c == 1<<bit:
				found++
			default:
				return false
			}
		}
	}
	return found == 1
}
