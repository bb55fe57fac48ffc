package cute

import "girih/internal/ints"

// This file derives evaluations, conversions of coordinates and slices, and relations of shapes.

// Digits are what becomes of an integer of a coordinate that stands for a mode of a shape.
type Digits struct {
	Index int64
	Shape Tuple
	Each  []Digit
}

// A Digit is one of an index of which Left is left: that modulo the extent, or for the last extent all of it. In a
// layout Term is the digit times the stride.
type Digit struct {
	Mode        Leaf
	Left, Value int64
	Term        Tuple
}

// Stage is a function outside of a layout, a [Swizzle] or a [Layout], with what it is applied to: To is From and the
// Offset. A layout has the derivation of its offset behind it, and a swizzle adds Moved, without carry.
type Stage struct {
	Outer            Outer
	From, Offset, To Tuple
	Moved            int64
}

// OpenMode is a mode that a slice leaves open. A mode that it fixes has the derivation of its offset, named eval.
type OpenMode struct{ Mode Layout }

// A Match is what a relation of two tuples compares at a place: of compatible the integer A, if it is one, with the
// size of B, which is -1 where that leaves 64 bits.
type Match struct {
	At    []int
	A, B  Tuple
	Size  int64
	Holds bool
}

func (Digits) derives()   {}
func (Stage) derives()    {}
func (OpenMode) derives() {}
func (Match) derives()    {}

// digit completes a digit of an index in a layout.
func (t *trace) digit(d Digit, extent int64, stride []int64) Digit {
	d.Mode = t.leaf(extent, stride)
	d.Term, _ = d.Mode.Stride.Scale(d.Value) // what leaves 64 bits ends the evaluation
	return d
}

// place sets the coordinate with one number for each leaf, which the digits are.
func (t *trace) place(prof string) {
	d := t.top()
	var v []int64
	for _, s := range d.Steps {
		if s, ok := s.(Digits); ok {
			for _, x := range s.Each {
				v = append(v, x.Value)
			}
		}
	}
	d.From = Tuple{v: v, prof: prof}
}

// stage takes down a function that is applied to the value so far.
func (t *trace) stage(s Stage) {
	if w, ok := s.Outer.(Swizzle); ok {
		x, _ := s.To.Int64()
		s.Moved = w.moved(x)
	}
	t.add(s)
}

// told is eval as a part of another operation.
func (l Layout) told(c Tuple, t *trace) (Tuple, error) {
	if t == nil {
		return l.eval(c, nil)
	}
	t.begin("eval", l, c)
	v, err := l.eval(c, t)
	t.top().To, t.top().OK = v, err == nil
	t.drop()
	return v, err
}

// tellMode takes down what a slice does with a mode that it leaves open or fixes as one, and adds its offset.
func (s sum) tellMode(l Layout, v []int64, p string, q part) bool {
	mode := l.part(q.prof, q.lo, q.hi)
	if p == openLeaf {
		s.trace.add(OpenMode{mode})
		return true
	}
	s.trace.begin("eval", mode, Tuple{v: v, prof: p})
	defer s.trace.drop()
	off, err := mode.evalVector(Tuple{v: v, prof: p}, s.trace)
	if err != nil {
		return false
	}
	s.trace.top().To, s.trace.top().OK = coordTuple(off, mode.cod), true
	if off, err = rebase(nil, off, mode.cod, l.cod); err != nil {
		return false
	}
	total, ok := addOffsets(s.v, off)
	copy(s.v, total)
	return ok
}

// index returns the index of a coordinate as its offset in the layout that counts the coordinates of the shape, where
// modes of extent 1 have a stride too, which counts beyond the shape.
func (t *trace) index(c, shape Tuple) (int64, error) {
	n, size := len(shape.v), int64(1)
	v := append(make([]int64, 0, 2*n), shape.v...)
	for _, e := range shape.v {
		v = append(v, size)
		var ok bool
		if size, ok = ints.Mul(size, e); !ok {
			return 0, overflowError("crd2idx", "the index of %v in %v", c, shape)
		}
	}
	x, err := Layout{v: v, prof: shape.profile()}.told(c, t)
	if err != nil {
		return 0, overflowError("crd2idx", "the index of %v in %v", c, shape)
	}
	return x.v[0], nil
}

// DeriveEval returns the derivation of the value of a layout, or of a composed one, at a coordinate: [Digits] for each
// integer of the coordinate, and for a composed layout the derivation of the inner one, and each [Stage]. From is the
// coordinate with one number for each leaf of the layout, and To the value. The errors are those of [Layout.Eval] and
// [Composed.Eval].
func DeriveEval(f Inner, c Tuple) (*Derivation, error) {
	d := &Derivation{Op: "eval", B: c}
	t := &trace{[]*Derivation{d}}
	var err error
	switch f := f.(type) {
	case Layout:
		d.A = f
		d.To, err = f.eval(c, t)
	case Composed:
		d.A = f.inner
		d.To, err = f.eval(c, t)
	}
	d.OK = err == nil
	return d, err
}

// DeriveSlice returns the derivation of a slice: of each mode that is fixed the derivation of its offset, named eval,
// and of each that is not an [OpenMode]. Result is the slice, and To its offset. The errors are those of
// [Layout.SliceAndOffset].
func DeriveSlice(l Layout, c Coord) (*Derivation, error) {
	d := &Derivation{Op: "slice_and_offset", A: l}
	var err error
	d.Result, d.To, err = l.sliceAndOffset(c, &trace{[]*Derivation{d}})
	d.OK = err == nil
	return d, err
}
