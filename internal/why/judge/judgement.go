package judge

import "math"

// A Judgement is the result of checking an answer against the definition of its operation.
type Judgement struct {
	Standing Standing
	Why      string     // what breaks the definition, how much is padded, or why there is no judgement
	Looked   int64      // how many of the first indices were checked; 0 if all
	At       *Deviation // the first index with a wrong value, if there is one
}

// A Standing says how an answer relates to the definition.
type Standing int

// The standings.
const (
	Unjudged Standing = iota // not judged, for the reason in Why
	Right
	Padded // a divide with all elements of the layout, and more
	Weak   // the weak complement of a layout that has no complement
	Wrong
)

// Answer checks the answer to an operation against the definition, value by value. The operands and the answer are
// texts as in the files of vectors. A tiler may also be a shape, or a tile such as <4:1,_>; both tile mode by mode.
func Answer(op string, args []string, answer string) Judgement {
	r, ok := ReadLayout(answer)
	if !ok {
		return Judgement{Standing: Wrong, Why: "an extent is 0 or negative, so it is no layout"}
	}
	if op == "coalesce" {
		args = args[:min(len(args), 1)] // a target profile only selects one of several right answers
	}
	if q, ok := NewQuery(op, args); ok {
		return q.judge(r)
	}
	if m, ok := newModewise(op, args); ok {
		return m.judge(r)
	}
	return Judgement{Why: "there is no definition for such operands"}
}

// judge returns the judgement on an answer.
func (q Query) judge(r Mode) Judgement {
	if q.leaves64Bits(r) {
		return Judgement{Why: "values may leave 64 bits"}
	}
	switch f, why := q.definition().satisfied(q, r); {
	case f == Unknown && !(q.A.IsInteger() && q.B.IsInteger()):
		return Judgement{Why: "strides are coordinates"}
	case f == Unknown:
		return q.judgeFront(r)
	case f == Breaks && q.isWeak(r):
		return Judgement{Standing: Weak, Why: why.text}
	case f == Breaks:
		return Judgement{Standing: Wrong, Why: why.text, At: why.at}
	}
	if n, least := q.Covers(r); n > least {
		return Judgement{Standing: Right, Why: because("covers %d offsets, where %d are enough for %d", n, least, q.M).text}
	}
	if n, want := r.Leaves().Size(), q.A.Leaves().Size()*q.B.Leaves().Repeats(); AnyDivide(q.Op) && n != want {
		return Judgement{Standing: Padded, Why: because("%d elements for %d", n, want).text}
	}
	return Judgement{Standing: Right}
}

// A Solvability says whether an operation has an answer.
type Solvability int

// The values of a Solvability.
const (
	Undecided  Solvability = iota // no definition, too large, or not decided by looking at the values
	Solvable                      // some layout satisfies the definition
	Unsolvable                    // no layout satisfies the definition
)

// SolvabilityOf returns whether the operation has an answer, with the reason. A divide whose block does not divide the
// size is Undecided: only a padded result is possible, and no theorem says that a padded result exists.
func SolvabilityOf(op string, args []string) (Solvability, string) {
	if q, ok := NewQuery(op, args); ok {
		return q.solvability()
	}
	if m, ok := newModewise(op, args); ok {
		return m.solvability()
	}
	return Undecided, ""
}

func (q Query) solvability() (Solvability, string) {
	if q.leaves64Bits(Mode{Tuple: true}) {
		return Undecided, ""
	}
	switch f, why := q.Unsolvable(); f {
	case Holds:
		return Unsolvable, why
	case Breaks:
		return Solvable, why
	}
	return Undecided, ""
}

// safe is the largest number allowed in a bound: sums of a few such numbers fit in 64 bits.
const safe = 1 << 61

// leaves64Bits reports whether a check of the answer r may meet values beyond 64 bits: values of A at the values of B
// or of r, or values of copies of A. The bounds are rough.
func (q Query) leaves64Bits(r Mode) bool {
	b := q.B.reach()
	if q.M > 0 || AnyProduct(q.Op) {
		return q.A.reach()*b > safe || r.reach() > safe
	}
	x := max(b, r.reach()) + float64(q.A.Leaves().Size())
	return b > safe || r.reach() > safe || q.A.valueAt(x) > safe
}

// valueAt returns a bound for the values of m up to index x.
func (m Mode) valueAt(x float64) float64 {
	ls := m.Leaves()
	if !m.IsInteger() || len(ls) == 0 {
		return 1
	}
	last := ls[len(ls)-1]
	for _, l := range ls[:len(ls)-1] {
		x /= float64(l.S)
	}
	return m.reach() + x*math.Abs(float64(last.D))
}

// reach returns a bound for the magnitude of the values, or 1 for coordinate strides, whose values are fingerprints.
func (m Mode) reach() float64 {
	n := 1.0
	if !m.IsInteger() {
		return n
	}
	for _, l := range m.Leaves() {
		n += float64(l.S) * math.Abs(float64(l.D))
	}
	return n
}
