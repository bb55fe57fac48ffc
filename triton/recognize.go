package triton

import (
	"fmt"
	"slices"

	"girih"
	"girih/linear"
)

// maxRank is the largest rank whose orders RecognizeBlocked tries.
const maxRank = 7

// RecognizeBlocked returns the blocked encoding whose layout on a tensor of the layout's size is this one. Of several
// it is the one with the fewest elements per thread, then with the first Order, from the last dimension first on;
// threads that hold copies are counted along the first dimension of Order that has no more elements.
//
// It returns [girih.CodeNotCongruent] for dimensions that are not those of registers, [girih.CodeLimit] for more than 7
// dimensions of a tensor, and [girih.CodeNotRepresentable] if there is none, with the reason: a basis that moves along
// two dimensions, an element that nobody holds, or the first basis that continues no block.
func RecognizeBlocked(l linear.Layout) (Blocked, error) {
	const op = "recognize_blocked"
	if err := checkRegisters(op, l); err != nil {
		return Blocked{}, err
	}
	outs := l.OutDims()
	for d, out := range outs {
		if out.Name != dimName(d) {
			return Blocked{}, fail(girih.CodeNotCongruent, op, "expected the output dimensions dim0, dim1, ..., found %q at %d", out.Name, d)
		}
	}
	if len(outs) == 0 || len(outs) > maxRank {
		return Blocked{}, fail(girih.CodeLimit, op, "expected from 1 to %d dimensions of the tensor, found %d", maxRank, len(outs))
	}
	s := &search{op: op, rank: len(outs), bases: make(map[string][][]int64)}
	for _, in := range l.Bases() {
		s.bases[in.Name] = in.Bases
		for k, b := range in.Bases {
			if _, err := unitBasis(op, in.Name, k, b, s.rank); err != nil {
				return Blocked{}, fail(girih.CodeNotRepresentable, op, "in a blocked encoding every basis moves along one dimension by a power of two, %s=%d leads to %v", in.Name, int64(1)<<k, girih.Ints(b...))
			}
		}
	}
	if !l.IsSurjective() {
		return Blocked{}, fail(girih.CodeNotRepresentable, op, "a blocked encoding holds every element, the bases have rank %d of %d", l.Rank(), l.OutBits())
	}
	if err := s.cluster(outs); err != nil {
		return Blocked{}, err
	}
	return s.run()
}

// A search is for a block that explains the bases of registers, lanes and warps.
type search struct {
	op    string
	rank  int
	bases map[string][][]int64
	per   []int64 // the shape of the part of a CTA
	cga   CGA

	order   []int
	size    []int64            // the block so far
	counts  map[string][]int64 // its parameters: how many along each dimension
	deepest int                // how many bases the best attempt explained
	reason  string             // the basis that it did not explain
}

// cluster takes the bases of the blocks apart: each is a part of the tensor, counted in parts.
func (s *search) cluster(outs []linear.Dim) error {
	s.per = make([]int64, s.rank)
	parts := ones(s.rank)
	for _, b := range s.bases[block] {
		for d, x := range b {
			if x != 0 {
				parts[d] *= 2
			}
		}
	}
	for d, out := range outs {
		s.per[d] = max(1, out.Size/parts[d])
	}
	if len(s.bases[block]) == 0 {
		return nil
	}
	for k, b := range s.bases[block] {
		basis := make([]int64, s.rank)
		for d, x := range b {
			if x%s.per[d] != 0 {
				return fail(girih.CodeNotRepresentable, s.op, "blocks divide dim%d into parts of %d elements, block=%d leads to %v", d, s.per[d], int64(1)<<k, girih.Ints(b...))
			}
			basis[d] = x / s.per[d]
		}
		s.cga.CGALayout = append(s.cga.CGALayout, basis)
	}
	return nil
}

// run tries all numbers of registers in the block, the fewest first, and all orders.
func (s *search) run() (Blocked, error) {
	orders := permutations(rowMajor(s.rank))
	for inBlock := range len(s.bases[register]) + 1 {
		for _, order := range orders {
			s.order, s.size = order, ones(s.rank)
			s.counts = map[string][]int64{register: ones(s.rank), lane: ones(s.rank), warp: ones(s.rank)}
			if s.level(0, 0, 0, inBlock) {
				return Blocked{s.counts[register], s.counts[lane], s.counts[warp], order, s.cga}, nil
			}
		}
	}
	return Blocked{}, fail(girih.CodeNotRepresentable, s.op, "no blocked encoding has these bases: %s", s.reason)
}

// levels are the input dimensions of a block, from the inside out.
var levels = [3]string{register, lane, warp}

// level explains the bases of a level from basis k on, of n in the block, by dimensions of the order from i on.
func (s *search) level(at, i, k, n int) bool {
	if at == len(levels) {
		return s.repeats(n)
	}
	name := levels[at]
	bases := s.bases[name]
	if at == 0 {
		bases = bases[:n]
	}
	if i == s.rank {
		if k < len(bases) {
			s.stuck(at*64+k, name, k)
			return false
		}
		return s.level(at+1, 0, 0, n)
	}
	d := s.order[i]
	size, count := s.size[d], s.counts[name][d]
	for k < len(bases) && s.continues(bases[k], d) {
		s.size[d], s.counts[name][d] = 2*s.size[d], 2*s.counts[name][d]
		k++
	}
	// The longest run first: what it leaves of copies can also belong to later dimensions.
	for {
		if s.level(at, i+1, k, n) {
			return true
		}
		if s.counts[name][d] == count {
			break
		}
		s.size[d], s.counts[name][d] = s.size[d]/2, s.counts[name][d]/2
		k--
	}
	s.size[d] = size
	return false
}

// continues reports whether the basis leads to the next element of the block along d, which is a copy beyond the
// tensor.
func (s *search) continues(basis []int64, d int) bool {
	if s.size[d] >= s.per[d] {
		return isZero(basis)
	}
	return basis[d] == s.size[d]
}

// repeats reports whether the registers beyond the block repeat it to the size of the tensor.
func (s *search) repeats(n int) bool {
	k := n
	for _, d := range s.order {
		for size := s.size[d]; size < s.per[d]; size *= 2 {
			if k == len(s.bases[register]) || s.bases[register][k][d] != size {
				s.stuck(len(levels)*64+k, register, k)
				return false
			}
			k++
		}
	}
	if k < len(s.bases[register]) {
		s.stuck(len(levels)*64+k, register, k)
		return false
	}
	return true
}

// stuck remembers the basis at which the best attempt ended.
func (s *search) stuck(depth int, name string, k int) {
	if depth < s.deepest && s.reason != "" {
		return
	}
	s.deepest = depth
	s.reason = fmt.Sprintf("after %s=%d the registers do not reach the end of the tensor", name, int64(1)<<max(0, k-1))
	if k < len(s.bases[name]) {
		s.reason = fmt.Sprintf("%s=%d -> %v continues no block", name, int64(1)<<k, girih.Ints(s.bases[name][k]...))
	}
}

// permutations returns all orders of the list, itself first.
func permutations(list []int) [][]int {
	if len(list) == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for i, x := range list {
		for _, rest := range permutations(slices.Delete(slices.Clone(list), i, i+1)) {
			out = append(out, append([]int{x}, rest...))
		}
	}
	return out
}
