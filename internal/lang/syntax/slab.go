package syntax

// slab allocates the most frequent nodes and lists from blocks, because one allocation for each would take most of the
// time of a parse. A block lives as long as any node in the block.
type slab struct {
	ints   []Int
	tuples []Tuple
	exprs  []Expr

	// The expected numbers of further values of each type.
	intsLeft, tuplesLeft, exprsLeft int
}

// maxBlock limits a block, so that brackets in comments do not reserve much memory.
const maxBlock = 256

// expect estimates the number of nodes and elements from the punctuation in src. It overestimates integers and tuples a
// little, and does not count the operands of compose among the elements.
func (s *slab) expect(src string) {
	var before uint8
	for i := range len(src) {
		class := classes[src[i]]
		switch class {
		case classDigit:
			if before != classDigit {
				s.intsLeft++
			}
		case classPunct:
			switch src[i] {
			case '(':
				s.tuplesLeft++
				s.exprsLeft++
			case ',', ';', '[', '<':
				s.exprsLeft++
			}
		}
		before = class
	}
}

// block returns the size of a new block for at least need items, and subtracts it from the expected number.
func block(need int, left *int) int {
	size := max(need, min(*left, maxBlock))
	*left -= size
	return size
}

func (s *slab) int(n Int) *Int {
	if len(s.ints) == cap(s.ints) {
		s.ints = make([]Int, 0, block(1, &s.intsLeft))
	}
	s.ints = append(s.ints, n)
	return &s.ints[len(s.ints)-1]
}

func (s *slab) tuple(n Tuple) *Tuple {
	if len(s.tuples) == cap(s.tuples) {
		s.tuples = make([]Tuple, 0, block(1, &s.tuplesLeft))
	}
	s.tuples = append(s.tuples, n)
	return &s.tuples[len(s.tuples)-1]
}

// list returns a copy of elems without spare capacity, so that appending to it never overwrites its neighbour in the
// block. It returns nil for no elements.
func (s *slab) list(elems []Expr) []Expr {
	n := len(elems)
	if n == 0 {
		return nil
	}
	if cap(s.exprs)-len(s.exprs) < n {
		s.exprs = make([]Expr, 0, block(n, &s.exprsLeft))
	}
	from := len(s.exprs)
	s.exprs = append(s.exprs, elems...)
	return s.exprs[from : from+n : from+n]
}
