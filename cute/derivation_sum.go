package cute

// This file holds the steps of layout_add, and of operations on shapes: common_refinement, greatest_common_domain,
// ceil_div and shape_div.

// Cuts are the products of leading extents of a shape, or of the coalesced layout that it turns at, from 1 to the size.
type Cuts struct {
	Of Tiler
	At []int64
}

// A Turn is a cut of a sum of layouts, an index at which one of them turns, with the next one and the values there, or
// one of a common refinement, an index at which one of the shapes is cut, which has no values. If the cut does not
// divide the next one, no layout is the sum and no shape the refinement; then, and where At is Next, there is no mode
// or value.
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

// A Quotient is an extent divided by what is left of a divisor, which leaves Left of it for the next extent.
type Quotient struct{ Extent, Divisor, Quotient, Left int64 }

func (Cuts) derives()     {}
func (Turn) derives()     {}
func (Meeting) derives()  {}
func (Quotient) derives() {}

// cut takes down a cut without values, and returns the next one.
func (t *trace) cut(at, next int64) int64 {
	if t != nil {
		t.add(Turn{At: at, Next: next})
	}
	return next
}

// shapes begins the operation under way for mode i of shapes.
func (t *trace) shapes(i int, a, b Tuple) {
	if t != nil {
		t.part(i, Layout{}, b)
		t.top().From = a
	}
}

// endShapes ends the innermost operation, which is one on shapes.
func (t *trace) endShapes(to Tuple) {
	if t != nil {
		t.top().To = to
		t.end(Layout{})
	}
}

// summands takes down where each layout of a sum turns.
func (t *trace) summands(layouts ...Layout) {
	for _, l := range layouts {
		c := Coalesce(l)
		t.add(Cuts{c, cutsOf(c.extents())})
	}
}

// turn takes down a turn with the values of a and b at the cut, as far as they fit into 64 bits.
func (t *trace) turn(a, b Layout, s Turn) {
	var errA, errB error
	s.A, errA = a.Eval(Int(s.At))
	s.B, errB = b.Eval(Int(s.At))
	if errA == nil && errB == nil {
		t.add(s)
	}
}
