package lint

import "slices"

// This file searches backwards along the branches of a function for the instruction that caused a finding.

// A seeker is the goal of a search. It reports whether instruction i is the goal, and returns the register with
// which the search continues before i. A negative register ends the search on this path.
type seeker func(s *stageReader, i, k int) (found bool, next int)

// isWrite is the seeker for a write to register k.
func isWrite(s *stageReader, i, k int) (bool, int) {
	in, u := s.g.Code[i], &s.uses[i]
	switch {
	case is(in, "wgmma", "fence"), slices.Contains(u.d, k):
		return false, -1
	case u.to == k && u.from != 0:
		return false, u.from
	}
	return slices.Contains(u.writes, k), k
}

// isWgmma is the seeker for a wgmma that uses register k.
func isWgmma(s *stageReader, i, k int) (bool, int) {
	u := &s.uses[i]
	if u.to == k && u.from != 0 {
		return false, u.from
	}
	return slices.Contains(u.d, k) || slices.Contains(u.a, k), k
}

// maxSought limits the instructions that all searches in a function visit. Beyond it, reported lines do not name a
// second instruction.
const maxSought = 1 << 26

// back searches the paths before instruction i, breadth first by blocks. It returns -1 if no instruction is the
// goal.
func (s *stageReader) back(i, k int, seek seeker) int {
	s.findPrevious()
	b := s.g.Block[i]
	j, k := s.scan(b, scanned{i - 1, k}, seek)
	if j >= 0 || k < 0 {
		return j
	}
	n := len(s.of)
	seen := map[int]bool{}
	for queue := []int{b*n + k}; len(queue) > 0; queue = queue[1:] { // an entry encodes a block and a register
		for _, p := range s.prev[queue[0]/n] {
			j, k := s.scan(p, scanned{s.g.First[p+1] - 1, queue[0] % n}, seek)
			if j >= 0 {
				return j
			}
			if next := p*n + k; k >= 0 && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return -1
}

// findPrevious computes the predecessors of each block.
func (s *stageReader) findPrevious() {
	if s.prev != nil {
		return
	}
	s.prev = make([][]int, len(s.g.First))
	for b, list := range s.g.To {
		for _, x := range list {
			s.prev[x] = append(s.prev[x], b)
		}
	}
}

// scanned is the start of a search within a block: an instruction, and the register that the search follows.
type scanned struct{ from, k int }

// scan searches a block backwards. If no instruction is the goal, it returns -1 and the register to follow at the
// beginning of the block, or -1 and -1 if the search ends within the block.
func (s *stageReader) scan(b int, at scanned, seek seeker) (found, k int) {
	k = at.k
	for j := at.from; j >= s.g.First[b]; j-- {
		if s.sought++; s.sought > maxSought || s.enough(1) {
			return -1, -1
		}
		found, next := seek(s, j, k)
		if found {
			return j, k
		}
		if k = next; k < 0 {
			return -1, -1
		}
	}
	return -1, k
}
