package girih

// This file holds the steps of layout_add and greatest_common_domain.

// A Turn is a cut of a sum of layouts, an index at which one of them turns, with the next one and the values there. If
// the cut does not divide the next one, no layout is the sum; then, and where At is Next, there is no mode or value.
type Turn struct {
	At, Next  int64
	A, B, Sum Tuple
}

// A Meeting is a leaf of one shape against one of another, each from the product of the extents before it to that
// product times its extent, and the least common multiple From of where they begin and the greatest common divisor To
// of where they end: if From divides To and is less, Mode is what they have in common, otherwise its extent is 0.
type Meeting struct {
	A, B     [2]int64
	From, To int64
	Mode     Leaf
}

func (Turn) derives()    {}
func (Meeting) derives() {}

// turn takes down a turn with the values of a and b at the cut, as far as they fit into 64 bits.
func (t *trace) turn(a, b Layout, s Turn) {
	var errA, errB error
	s.A, errA = a.Eval(Int(s.At))
	s.B, errB = b.Eval(Int(s.At))
	if errA == nil && errB == nil {
		t.add(s)
	}
}
