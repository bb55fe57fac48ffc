package syntax

// slab hands out the most frequent nodes and lists from blocks, because one allocation for each
// would take most of the time of a parse. A block lives as long as any node in it.
type slab struct {
	ints   []Int
	tuples []Tuple
	exprs  []Expr

	// How many more of each to expect.
	intsLeft, tuplesLeft, exprsLeft int
}

// maxBlock bounds a block, so that brackets in comments do not reserve much for nothing.
const maxBlock = 256

// expect estimates from the punctuation in src how many nodes and elements to expect. It counts a
// little too many integers and tuples; operands of compose are not counted among the elements.
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

// block returns the size of a new block for at least need items, and takes it off those expected.
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

// list returns a copy of elems that is full, so that appending to it never reaches its neighbour
// in the block. It returns nil for no elements.
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
