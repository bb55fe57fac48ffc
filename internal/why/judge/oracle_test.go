package judge

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// A claim is an operation with the check of an answer by the oracle, which tries all candidates.
type claim struct {
	op    string
	args  []string
	check func(r oracle.Layout) error
	// narrow is set if the oracle demands more than the definition: the smallest complement, with ascending offsets.
	narrow bool
}

// errOutside is the error for an answer that the oracle does not cover: a padded divide, or an operation that needs a
// complement of a layout without complement.
var errOutside = errors.New("not for the oracle")

// drawClaim draws an operation on small operands, with girih's answer.
func drawClaim(t *rapid.T) (c claim, answer cute.Layout, err error) {
	a := rapid.OneOf(gen.Chained(24), gen.TinyStrides()).Draw(t, "a")
	b := rapid.OneOf(gen.Chained(24), gen.TinyStrides()).Draw(t, "b")
	x, y := oracle.Of(a), oracle.Of(b)
	two := []string{a.String(), b.String()}
	ops := []string{"composition", "complement", "right_inverse", "logical_divide", "logical_product"}
	switch op := rapid.SampledFrom(ops).Draw(t, "op"); op {
	case "composition":
		answer, err = cute.Composition(a, b)
		return claim{op, two, func(r oracle.Layout) error { return sameValues(x, y, r) }, false}, answer, err
	case "complement":
		answer, err = cute.Complement(a, cute.Int(1))
		return claim{op, two[:1], func(r oracle.Layout) error { return oracle.CheckComplement(x, r, 1) }, true}, answer, err
	case "right_inverse":
		answer, err = cute.RightInverse(a)
		return claim{op, two[:1], func(r oracle.Layout) error { return oracle.CheckRightInverse(x, r) }, false}, answer, err
	case "logical_divide":
		d, err := cute.LogicalDivide(a, b)
		if err == nil && (!d.Padding.None() || !oracle.Complementable(y)) {
			err = errOutside
		}
		return claim{op, two, func(r oracle.Layout) error { return oracle.CheckDivide(x, y, r) }, false}, d.Layout, err
	default:
		answer, err = cute.LogicalProduct(a, b)
		if err == nil && !oracle.Complementable(x) {
			err = errOutside
		}
		return claim{op, two, func(r oracle.Layout) error { return oracle.CheckProduct(x, y, r) }, false}, answer, err
	}
}

// sameValues returns an error unless r has the values a(b(i)).
func sameValues(a, b, r oracle.Layout) error {
	want, ok := oracle.Compose(a, b)
	got := r.Table()
	if !ok || len(got) != len(want) {
		return errors.New("another size")
	}
	for i := range got {
		if !got[i].Equal(want[i]) {
			return errors.New("another value")
		}
	}
	return nil
}

// checkOracle checks that the judge and the oracle agree on girih's answer, and on an answer with another stride. Both
// use brute force and share no code. The judge checks values by index, to report the first wrong value; the oracle
// tries all candidates.
func checkOracle(t *rapid.T) {
	c, answer, err := drawClaim(t)
	if err != nil || answer.Size() > 4096 {
		return
	}
	if rapid.Bool().Draw(t, "bent") {
		answer = bent(t, answer)
	}
	o := oracle.Of(answer)
	j := Answer(c.op, c.args, answer.String())
	says := c.check(o)
	if says == nil && j.Standing != Right {
		t.Errorf("%s %v = %v: right by the oracle, and by the judge %d, %s", c.op, c.args, answer, j.Standing, j.Why)
	}
	if says != nil && j.Standing == Right && !c.narrow {
		t.Errorf("%s %v = %v: right by the judge, and by the oracle %v", c.op, c.args, answer, says)
	}
}

// bent returns l with one stride slightly changed.
func bent(t *rapid.T, l cute.Layout) cute.Layout {
	m, _ := ReadLayout(l.String())
	leaf, more := rapid.IntRange(0, len(m.Leaves())).Draw(t, "leaf"), rapid.Int64Range(1, 3).Draw(t, "more")
	at := 0
	var bend func(m *Mode)
	bend = func(m *Mode) {
		for i := range m.Kids {
			bend(&m.Kids[i])
		}
		if !m.Tuple {
			if at == leaf {
				m.D += more
			}
			at++
		}
	}
	bend(&m)
	return cute.MustParse(m.String())
}

func TestOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkOracle)
}

func FuzzOracle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkOracle)) }
