package vectors

import (
	"encoding/json"
	"errors"
	"fmt"

	"girih/linear"
)

// A linearCase is a row of the section algebra.
type linearCase struct {
	Args      linearArgs
	Want      json.RawMessage
	WantError *struct{ Kind, Message, Reason string }
}

// A linearArgs holds the arguments of an operation by name. Each operation uses some of them.
type linearArgs struct {
	A, B        layoutJSON
	Dim         string
	Dims        json.RawMessage
	InDim       string
	OutDim      string
	InDims      []string
	OutDims     []string
	Old, New    string
	Size        int64
	Stride      int64
	OutDimSize  int64
	Shape       json.RawMessage
	Ins         []pairJSON[int64]
	X, Y        []string
	Action      []int
	InSizeLog2  int
	Values      []int64
	Order       []int
	Left        bool
	Bitwidth    int64
	MaxVec      int64
	RegsPerInst int64
	Mask        uint64
	Broadcast   *bool `json:"broadcastRegisters"`
}

// runLinearAlgebra runs a row of the section algebra with the operation that the row names. The recorded answer is
// Triton's. A row passes if girih gives this answer by default, or refuses where Triton aborts. A different answer is
// documented if it satisfies the definition and if Triton's answer violates the definition or is also girih's answer
// under the option linear.Triton.
func runLinearAlgebra(ops map[string]linearOperation, row linearRow) outcome {
	var c linearCase
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	op, ok := ops[row.Op]
	if !ok {
		return skip(noFunction)
	}
	got, err := op(c.Args)
	want := wantText(c)
	switch {
	case c.WantError != nil && err != nil:
		return pass()
	case c.WantError != nil:
		if d, ok := linearDefinitions[row.Op]; ok && row.isChoice() && d.holds(c.Args, got) {
			return row.documentedOutcome(tritonRefuses, got.text(), want)
		}
		return row.mismatch(got.text(), want, "Triton aborts, girih answers")
	case err != nil && string(c.Want) == "null":
		return pass()
	case err == nil && got.matches(c.Want):
		return pass()
	}
	return row.other(c, op, got, err)
}

// other returns the verdict on an answer that differs from the record.
func (r linearRow) other(c linearCase, op linearOperation, got linearAnswer, err error) outcome {
	text, want := got.orRefusal(err), wantText(c)
	definition, defined := linearDefinitions[r.Op]
	satisfied := err == nil && defined && definition.holds(c.Args, got)
	acceptable := err != nil || satisfied
	switch {
	case c.breaks(r.Op):
		if acceptable {
			return r.documentedOutcome(wrongRecord, text, want)
		}
		return r.mismatch(text, want, "neither answer satisfies the definition")
	case (acceptable || !defined) && c.isTriton(op):
		return r.documentedOutcome(tritonChoice, text, want)
	case err != nil && r.isChoice() && !errors.Is(err, errArgs):
		return r.documentedOutcome(tritonLenient, text, want)
	case string(c.Want) == "null" && r.isChoice() && satisfied:
		return r.documentedOutcome(tritonRefuses, text, "no answer")
	}
	return r.mismatch(text, want, "another answer")
}

// orRefusal returns the text of an answer or, if girih refuses, the text of the error.
func (a linearAnswer) orRefusal(err error) string {
	if err != nil {
		return "refuses (" + err.Error() + ")"
	}
	return a.text()
}

// isTriton reports whether the operation gives the recorded answer under the option linear.Triton.
func (c linearCase) isTriton(op linearOperation) bool {
	answer, err := op(c.Args, linear.Triton)
	return err == nil && answer.matches(c.Want)
}

// breaks reports whether the recorded layout does not satisfy the definition of the operation.
func (c linearCase) breaks(op string) bool {
	definition, defined := linearDefinitions[op]
	l, ok, err := recordedLayout(c.Want)
	return defined && ok && (err != nil || !definition.holds(c.Args, linearAnswer{layout: &l}))
}

// recordedLayout returns the recorded layout, and whether the record is a layout.
func recordedLayout(want json.RawMessage) (l linear.Layout, ok bool, err error) {
	var j layoutJSON
	if json.Unmarshal(want, &j) != nil || j.In == nil {
		return l, false, nil
	}
	l, err = j.layout()
	return l, true, err
}

func wantText(c linearCase) string {
	if c.WantError != nil {
		return "an error: " + c.WantError.Message + c.WantError.Reason
	}
	if l, ok, err := recordedLayout(c.Want); ok && err == nil {
		return l.String()
	}
	return string(c.Want)
}

// A linearAnswer is the answer of an operation: a layout, or a value written as JSON.
type linearAnswer struct {
	layout *linear.Layout
	value  any
}

func (a linearAnswer) text() string {
	if a.layout != nil {
		return a.layout.String()
	}
	return fmt.Sprint(a.value)
}

// matches reports whether the answer is the recorded answer.
func (a linearAnswer) matches(want json.RawMessage) bool {
	if a.layout != nil {
		var j layoutJSON
		return json.Unmarshal(want, &j) == nil && j.In != nil && j.matches(*a.layout)
	}
	got, err := json.Marshal(a.value)
	if err != nil {
		return false
	}
	var g, w any
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(want, &w) != nil {
		return false
	}
	gt, errG := json.Marshal(g)
	wt, errW := json.Marshal(w)
	return errG == nil && errW == nil && string(gt) == string(wt)
}

// maxLinearPoints limits the inputs at which a definition is checked. The bases, which determine a linear layout, are
// always checked.
const maxLinearPoints = 1 << 12

// A linearDefinition reports whether r is the result of an operation on one or two layouts. It evaluates both sides.
type linearDefinition struct {
	one func(a, r linear.Layout) bool
	two func(a, b, r linear.Layout) bool
}

// linearDefinitions maps the names of operations to their definitions.
var linearDefinitions = map[string]linearDefinition{
	"flattenIns":   {one: sameFlat},
	"flattenOuts":  {one: sameFlat},
	"pseudoinvert": {one: isInverse},
	"invert":       {one: isInverse},
	// b(r(x)) = a(x), with dimensions matched by name
	"invertAndCompose":           {two: func(a, b, r linear.Layout) bool { return isThrough(a, r, b) }},
	"invertAndComposeBlockLocal": {two: func(a, b, r linear.Layout) bool { return isThrough(b, r, a) }},
	"lstsq":                      {two: func(a, b, r linear.Layout) bool { return isThrough(b, r, a) }},
	"divideLeft": {two: func(a, b, r linear.Layout) bool {
		p, err := b.Product(r, linear.Triton)
		return err == nil && sameByName(p, a)
	}},
	"divideRight": {two: func(a, b, r linear.Layout) bool {
		p, err := r.Product(b, linear.Triton)
		return err == nil && sameByName(p, a)
	}},
	// a is a part of r, b divides r on the right, and the bits of a and b add up to the bits of r.
	"mul": {two: func(a, b, r linear.Layout) bool {
		_, errR := r.DivideRight(b)
		return r.HasPart(a) && errR == nil && r.InBits() == a.InBits()+b.InBits() && r.OutBits() == a.OutBits()+b.OutBits()
	}},
}

// holds reports whether an answer satisfies the definition.
func (d linearDefinition) holds(args linearArgs, got linearAnswer) bool {
	a, errA := args.A.layout()
	if got.layout == nil || errA != nil {
		return false
	}
	if d.one != nil {
		return d.one(a, *got.layout)
	}
	b, errB := args.B.layout()
	return errB == nil && d.two(a, b, *got.layout)
}

// sameFlat reports whether two layouts map flat inputs to the same flat outputs.
func sameFlat(a, r linear.Layout) bool { return samePoints(a.InBits(), a.Flat, r.Flat) }

// isInverse reports whether a(r(y)) = y.
func isInverse(a, r linear.Layout) bool {
	return samePoints(a.OutBits(), func(y uint64) (uint64, error) { return y, nil }, through(r, a))
}

// isThrough reports whether g(r(x)) = f(x), with the dimensions matched by name.
func isThrough(f, r, g linear.Layout) bool {
	return samePoints(f.InBits(), byName(f), thenByName(r, g))
}
