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

// runLinearAlgebra runs a row of the section algebra, by the operation of its name. The recorded answer is Triton's. A
// row passes if girih gives this answer by default, and if girih refuses where Triton aborts. Another answer is
// documented if it satisfies the definition and either Triton's does not, or girih also gives Triton's when asked for
// its choice.
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
		if row.isChoice() && satisfies(row.Op, c.Args, got) {
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
	text := got.text()
	if err != nil {
		text = "refuses (" + err.Error() + ")"
	}
	want := wantText(c)
	var recorded layoutJSON
	if json.Unmarshal(c.Want, &recorded) == nil && recorded.In != nil {
		l, errWant := recorded.layout()
		if wrong := errWant != nil || !satisfies(r.Op, c.Args, linearAnswer{layout: &l}); hasDefinition(r.Op) && wrong {
			if err != nil || satisfies(r.Op, c.Args, got) {
				return r.documentedOutcome(wrongRecord, text, want)
			}
			return r.mismatch(text, want, "neither answer satisfies the definition")
		}
	}
	if triton, errTriton := op(c.Args, linear.Triton); errTriton == nil && triton.matches(c.Want) {
		if err != nil || !hasDefinition(r.Op) || satisfies(r.Op, c.Args, got) {
			return r.documentedOutcome(tritonChoice, text, want)
		}
	}
	if err != nil && r.isChoice() && !errors.Is(err, errArgs) {
		return r.documentedOutcome(tritonLenient, text, want)
	}
	if string(c.Want) == "null" && r.isChoice() && err == nil && satisfies(r.Op, c.Args, got) {
		return r.documentedOutcome(tritonRefuses, text, "no answer")
	}
	return r.mismatch(text, want, "another answer")
}

func wantText(c linearCase) string {
	if c.WantError != nil {
		return "an error: " + c.WantError.Message + c.WantError.Reason
	}
	var recorded layoutJSON
	if json.Unmarshal(c.Want, &recorded) == nil && recorded.In != nil {
		if l, err := recorded.layout(); err == nil {
			return l.String()
		}
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

// matches reports whether the answer is the recorded one.
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

// hasDefinition reports whether satisfies knows the definition of an operation.
func hasDefinition(op string) bool {
	switch op {
	case "invertAndCompose", "invertAndComposeBlockLocal", "lstsq", "divideLeft", "divideRight", "flattenIns",
		"flattenOuts", "mul", "pseudoinvert", "invert":
		return true
	}
	return false
}

// maxLinearPoints limits the inputs at which a definition is checked. The bases, which determine a linear layout, are
// always checked.
const maxLinearPoints = 1 << 12

// satisfies reports whether an answer satisfies the definition of an operation, by evaluating both sides.
func satisfies(op string, args linearArgs, got linearAnswer) bool {
	a, errA := args.A.layout()
	if got.layout == nil || errA != nil {
		return false
	}
	r := *got.layout
	b, errB := args.B.layout()
	switch op {
	case "flattenIns", "flattenOuts":
		return samePoints(a.InBits(), a.Flat, r.Flat)
	case "pseudoinvert", "invert":
		// a(r(y)) = y
		return samePoints(a.OutBits(), func(y uint64) (uint64, error) { return y, nil }, through(r, a))
	}
	if errB != nil {
		return false
	}
	switch op {
	case "invertAndCompose":
		// b(r(x)) = a(x), by name
		return samePoints(a.InBits(), byName(a), thenByName(r, b))
	case "invertAndComposeBlockLocal":
		return samePoints(b.InBits(), byName(b), thenByName(r, a))
	case "lstsq":
		return samePoints(b.InBits(), byName(b), thenByName(r, a))
	case "divideLeft":
		p, err := b.Product(r, linear.Triton)
		return err == nil && sameByName(p, a)
	case "divideRight":
		p, err := r.Product(b, linear.Triton)
		return err == nil && sameByName(p, a)
	case "mul":
		// The product with the quotient: sizes and bases determine both sides.
		_, errR := r.DivideRight(b)
		return r.HasPart(a) && errR == nil && r.InBits() == a.InBits()+b.InBits() && r.OutBits() == a.OutBits()+b.OutBits()
	}
	return false
}
