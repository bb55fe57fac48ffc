package interp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file implements the arrays for a launch that the caller requests: random(64), counting(16, 16), zeros(LAYOUT),
// ones(8). In C++ they may have a type, as in random<half_t>(64), and in Python dtype=. An array is a tensor in global
// memory.

// A givenArray is an array with the values of its elements before the launch. expect works on a copy.
type givenArray struct {
	name    string
	a       Algebra
	data    []byte
	written []bool
}

// givenRows lists the functions that make arrays.
var givenRows map[string]memoryRow

func init() {
	constant := func(x float64) memoryRow {
		return func(r *runner, c *arguments, t dtype.Type) (Value, error) {
			return r.givenArray(c, t, func(int64) Value { return Float(x) })
		}
	}
	givenRows = map[string]memoryRow{
		"zeros": constant(0), "ones": constant(1),
		"counting": func(r *runner, c *arguments, t dtype.Type) (Value, error) {
			return r.givenArray(c, t, func(i int64) Value { return Int(i) })
		},
		// The values are small multiples of 1/4, so that sums of products are exact. For integers, they are from -8 to
		// 8.
		"random": func(r *runner, c *arguments, t dtype.Type) (Value, error) {
			state := &r.given.random
			return r.givenArray(c, t, func(int64) Value {
				*state ^= *state << 13
				*state ^= *state >> 7
				*state ^= *state << 17
				n := int64(*state % 17)
				switch t := r.given.made; {
				case t.Kind() == dtype.Float:
					return Float(float64(n-8) / 4)
				case t.Kind() == dtype.Signed:
					return Int(n - 8)
				}
				return Int(n)
			})
		},
	}
}

// givenArray returns a new array with the given extents or layout. f returns the value for each place in memory.
func (r *runner) givenArray(c *arguments, t dtype.Type, f func(place int64) Value) (Value, error) {
	g := r.given
	if by := c.take("dtype"); by != nil {
		t, _ = elementTypeOf(by)
	}
	if t == 0 {
		t = g.elem
	}
	if len(c.pos) == 0 || len(c.keys) > 0 {
		return nil, errorf(cute.CodeRank, "expected the extents of the array, or its layout: random(64), random(16, 16)")
	}
	g.made = t
	l, err := r.givenLayout(c.pos)
	if err != nil {
		return nil, err
	}
	a, err := r.allocate(t, l)
	if err != nil {
		return nil, err
	}
	a.window = a.in(atom.GlobalMemory)
	whole, err := cute.LayoutLeft(cute.Int(a.elements()))
	if err != nil {
		return nil, err
	}
	all, err := r.tensorOn(a.window, 0, whole)
	if err != nil {
		return nil, err
	}
	if err := r.setAll(all, f); err != nil {
		return nil, err
	}
	g.arrays = append(g.arrays, &givenArray{a: a})
	return a, nil
}

// givenLayout returns a compact layout of the given extents. The first mode is contiguous in C++, and the last in
// Python.
func (r *runner) givenLayout(args []Value) (cute.Inner, error) {
	shape := make([]int64, len(args))
	for i, v := range args {
		n, ok := integerOf(v)
		switch {
		case !ok && len(args) == 1:
			return r.layoutOf(args)
		case !ok:
			return nil, errorf(cute.CodeType, "expected extents, or one layout, found %s", r.describe(v))
		case n < 1:
			return nil, errorf(cute.CodeExtent, "expected positive extents, found %d", n)
		}
		shape[i] = n
	}
	t := cute.Ints(shape...)
	if len(shape) == 1 {
		t = cute.Int(shape[0])
	}
	if r.lang == program.Python {
		return cute.LayoutRight(t)
	}
	return cute.LayoutLeft(t)
}

// memoryOf returns a value that is the same for two windows on the same memory; nil for an empty memory.
func memoryOf(w *window) any {
	switch {
	case w.array != nil:
		return w.array
	case len(w.data) > 0:
		return &w.data[0]
	}
	return nil
}

// nameArrays gives an array the name of the parameter whose argument is the array or a pointer to it.
func (g *given) nameArrays(v Value) {
	var w *window
	switch v := v.(type) {
	case Algebra:
		w = v.window
	case Address:
		w = v.window
	}
	if w == nil {
		return
	}
	for _, a := range g.arrays {
		if a.name == "" && memoryOf(a.a.window) == memoryOf(w) {
			a.name = g.name
		}
	}
}

// variableGiven adds the memory of a variable of the text to the arrays.
func (r *runner) variableGiven(v Value) error {
	p, ok, err := r.addressOf(v)
	if !ok || err != nil {
		return nil // the variable is not an array
	}
	for _, a := range r.given.arrays {
		if memoryOf(a.a.window) == memoryOf(p.window) {
			return nil
		}
	}
	l, err := cute.LayoutLeft(cute.Int(p.elements()))
	if err != nil {
		return nil // the array is empty
	}
	a, err := r.tensorOn(p.window, 0, l)
	if err == nil {
		r.given.arrays = append(r.given.arrays, &givenArray{name: r.given.name, a: a})
	}
	return err
}

// contents returns the bytes of an array and, for each byte, whether it was written.
func (r *runner) contents(a Algebra) (data []byte, written []bool, err error) {
	if err := r.hold(2 * a.size); err != nil {
		return nil, nil, err
	}
	for i := int64(0); a.array != nil && i < a.elements(); i++ {
		if err := a.fetch(i); err != nil {
			return nil, nil, err
		}
	}
	return slices.Clone(a.data[:a.size]), slices.Clone(a.written[:a.size]), nil
}

// keepGiven records the elements of the arrays before the launch.
func (r *runner) keepGiven() (err error) {
	for _, a := range r.given.arrays {
		if a.data, a.written, err = r.contents(a.a); err != nil {
			return err
		}
	}
	return nil
}

// printGiven prints the arrays that the kernel has changed.
func (r *runner) printGiven() error {
	changed := false
	for _, a := range r.given.arrays {
		data, written, err := r.contents(a.a)
		if err != nil {
			return err
		}
		if slices.Equal(data, a.data) && slices.Equal(written, a.written) {
			continue
		}
		changed = true
		text, err := r.arrayText(a)
		if err == nil {
			err = r.printsLine(text)
		}
		if err != nil {
			return err
		}
	}
	if !changed && r.printed == 0 {
		return r.printsLine("the kernel changes no array\n")
	}
	return nil
}

func (r *runner) printsLine(text string) error {
	if err := r.counts(text); err != nil {
		return err
	}
	return r.out.line(text)
}

// shownRows and shownColumns limit the part of an array that is printed.
const (
	shownRows    = 16
	shownColumns = 16
)

// arrayText returns an array as a table of numbers with mode 0 down and mode 1 across. Of a large array it shows only
// the first rows and columns.
func (r *runner) arrayText(a *givenArray) (string, error) {
	t := a.a.view()
	rows, columns := int64(1), t.Size()
	if t.Rank() > 1 {
		rows = t.Domain().AppendModeSizes(nil)[0]
		columns /= rows
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s = %v of %v:\n", a.name, t.Layout(), a.a.typ)
	m, n := min(rows, shownRows), min(columns, shownColumns)
	cells, widest := make([]string, m*n), 0
	for i := range m {
		for j := range n {
			text, err := r.shownElement(a.a, i+j*rows)
			if err != nil {
				return "", err
			}
			cells[i*n+j] = text
			widest = max(widest, len(text))
		}
	}
	for i := range m {
		b.WriteByte(' ')
		for _, c := range cells[i*n : (i+1)*n] {
			fmt.Fprintf(&b, " %*s", widest, c)
		}
		if n < columns {
			b.WriteString(" ..")
		}
		b.WriteByte('\n')
	}
	if m < rows {
		b.WriteString("  ..\n")
	}
	return b.String(), nil
}

// shownElement returns an element as a number, or ? if it has no value.
func (r *runner) shownElement(a Algebra, index int64) (string, error) {
	place, err := placeAt(a.view(), index)
	if err != nil {
		return "", err
	}
	if from, _ := a.bytes(place); a.array == nil && !a.written[from] || a.array != nil && a.array.Cells[place].v == nil {
		return "?", nil
	}
	n, err := r.numberAt(a, index)
	if err != nil {
		return "", err
	}
	if !n.isFloat {
		return strconv.FormatInt(n.n, 10), nil
	}
	return strconv.FormatFloat(n.f, 'g', 6, 64), nil
}

func (r *runner) numberAt(a Algebra, index int64) (number, error) {
	v, err := r.getElement(a, index)
	n, _ := numberOf(v)
	return n, err
}

// copies returns copies of the arrays with their values before the launch.
func (r *runner) copies() (list []Algebra, err error) {
	for _, a := range r.given.arrays {
		w, err := r.newMemory(a.a.typ, a.a.elements())
		if err != nil {
			return nil, err
		}
		copy(w.data, a.data)
		copy(w.written, a.written)
		list = append(list, r.viewOn(w, a.a.view()))
	}
	return list, nil
}

// expect runs the caller's statements on copies of the arrays. The copies have the names of the kernel's parameters.
func (r *runner) expect(text string, wanted []Algebra) error {
	r.given.elem = dtype.F32
	body, err := r.parseGiven(text)
	if err != nil {
		return err
	}
	defer r.enter()()
	for _, b := range r.given.values {
		v := b.v
		if p, ok, err := r.addressOf(v); ok && err == nil {
			for i, a := range r.given.arrays {
				if memoryOf(a.a.window) != memoryOf(p.window) {
					continue
				}
				if of, isTensor := v.(Algebra); isTensor {
					v = r.viewOn(wanted[i].window, of.view())
				} else {
					v = Address{wanted[i].window, p.At}
				}
			}
		}
		if b.name != "" {
			r.declare(b.name, &cell{v: v, typ: typeOfNumber(v)})
		}
	}
	_, err = r.run(body)
	return err
}

// compareGiven compares the arrays with the expected arrays.
func (r *runner) compareGiven(wanted []Algebra) error {
	compared := false
	for i, a := range r.given.arrays {
		got, _, err := r.contents(a.a)
		if err != nil {
			return err
		}
		want := wanted[i]
		if slices.Equal(got, a.data) && slices.Equal(want.data[:want.size], a.data) &&
			slices.Equal(want.written[:want.size], a.written) {
			continue // the array is an input
		}
		compared = true
		if err := r.compareArray(a, want); err != nil {
			return err
		}
	}
	if !compared {
		return r.printsLine("neither the kernel nor the statements of --expect change an array\n")
	}
	return nil
}

// tolerances lists the allowed relative differences by type; PyTorch uses the same values.
var tolerances = map[dtype.Type]float64{
	dtype.F64: 1e-7, dtype.F32: 1.3e-6, dtype.TF32: 1e-3, dtype.F16: 1e-3, dtype.BF16: 1.6e-2,
}

// compareArray compares the elements of an array.
func (r *runner) compareArray(a *givenArray, want Algebra) error {
	differ, first, n := int64(0), "", a.a.view().Size()
	if err := r.work(1 + int(n/elementsPerStep)); err != nil {
		return err
	}
	for i := range n {
		x, err := r.shownElement(a.a, i)
		if err != nil {
			return err
		}
		y, err := r.shownElement(want, i)
		if err != nil {
			return err
		}
		same := x == y
		if !same && x != "?" && y != "?" {
			if same, err = r.isClose(a.a, want, i); err != nil {
				return err
			}
		}
		if same {
			continue
		}
		if differ++; differ == 1 {
			at, err := cute.Idx2Crd(cute.Int(i), a.a.view().Shape())
			if err != nil {
				return err
			}
			first = fmt.Sprintf("at %v it is %s, expected %s", at, x, y)
		}
	}
	if differ == 0 {
		return r.printsLine(fmt.Sprintf("%s: %d elements, all as expected\n", a.name, n))
	}
	e := errorf(CodeAssert, "%s differs from the expected array in %d of %d elements: %s", a.name, differ, n, first)
	if strings.Contains(first, "is ?") {
		e.hint = "? is an element without a value"
	}
	return e
}

// isClose reports whether an element is close to the expected one.
func (r *runner) isClose(a, want Algebra, i int64) (bool, error) {
	x, err := r.numberAt(a, i)
	if err != nil {
		return false, err
	}
	y, err := r.numberAt(want, i)
	if err != nil || !x.isFloat {
		return x == y, err
	}
	return math.Abs(x.f-y.f) <= 1e-5+tolerances[a.typ]*math.Abs(y.f) || math.IsNaN(x.f) && math.IsNaN(y.f), nil
}
