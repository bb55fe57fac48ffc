package lint

import "slices"

// This file looks back along the branches of a function for the instruction that a finding is about.

// A seeker says whether instruction i is what is looked for, and with which register the search goes on before it; a
// register below 0 ends the search on this path.
type seeker func(s *stageReader, i, k int) (found bool, next int)

// isWrite looks for a write to a register.
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

// isWgmma looks for a wgmma of a register.
func isWgmma(s *stageReader, i, k int) (bool, int) {
	u := &s.uses[i]
	if u.to == k && u.from != 0 {
		return false, u.from
	}
	return slices.Contains(u.d, k) || slices.Contains(u.a, k), k
}

// maxSought limits the instructions that the searches of a function look at. After it, lines name no other instruction.
const maxSought = 1 << 26

// back looks for an instruction on the paths before i, the nearest in blocks first. It returns -1 if there is none.
func (s *stageReader) back(i, k int, seek seeker) int {
	s.findPrevious()
	b := s.g.Block[i]
	j, k := s.scan(b, scanned{i - 1, k}, seek)
	if j >= 0 || k < 0 {
		return j
	}
	n := len(s.of)
	seen := map[int]bool{}
	for queue := []int{b*n + k}; len(queue) > 0; queue = queue[1:] { // a block and a state
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

// findPrevious finds the blocks before each block.
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

// scanned is an instruction from which a search goes back, and the register that it is about.
type scanned struct{ from, k int }

// scan looks for an instruction in a block, backwards. It returns -1 and the register at the beginning of the block, or
// -1 and -1 if the search ends in the block.
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
