package tensormap

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/ints"
	"girih/symbolic"
)

// This file handles tensors whose integers are known only at run time: it gives a plan dimensions and strides as
// expressions, and each rule of the driver as a condition on them.

// A RunTime is the part of a plan that depends on the run-time integers of a tensor.
type RunTime struct {
	Dims    []symbolic.Int // globalDim
	Strides []symbolic.Int // globalStrides, in bytes
	Clauses []Clause       // the rules about dimensions and strides
}

// A Clause is a rule about a run-time integer.
type Clause struct {
	Rule   Rule
	Dim    int            // the dimension that the rule is about
	If     symbolic.Guard // the exact condition under which the rule holds
	Text   string         // the value and its requirement: "globalStrides[0] is 2N bytes, a multiple of 16"
	Change string         // what to do so that the rule always holds
}

// LegalIf returns the exact condition under which the driver accepts the map and the copy is right.
func (p Plan) LegalIf() symbolic.Guard {
	if !p.Map.Legal() || len(p.Faults) > 0 {
		return symbolic.AnyOf()
	}
	for _, r := range p.Remarks() {
		if r.Fatal {
			return symbolic.AnyOf()
		}
	}
	var all symbolic.Guard
	for _, limit := range []bool{false, true} { // limits come last
		for _, c := range p.clauses() {
			if limit == c.limit() {
				all = all.And(c.If)
			}
		}
	}
	return all
}

func (p Plan) clauses() []Clause {
	if p.Run == nil {
		return nil
	}
	return p.Run.Clauses
}

// limit reports whether the rule is a bound, not a divisor.
func (c Clause) limit() bool {
	return c.Rule == RuleDim || c.Rule == RuleStrideLimit || c.Rule == RuleArea
}

// LegalIf returns the exact condition under which the values are in this case and its map is legal.
func (o Outcome) LegalIf() symbolic.Guard {
	if o.Err != nil {
		return symbolic.AnyOf()
	}
	legal := o.Plan.LegalIf()
	if holds, known := legal.Decide(); known && !holds {
		return legal
	}
	return o.When.And(legal)
}

// Remarks returns the map's remarks that hold for all values of the run-time integers.
func (p Plan) Remarks() []Remark {
	if p.Run != nil {
		return p.Map.remarks(nil)
	}
	return p.Map.Remarks()
}

// Fields returns the map's fields, with expressions for unknown numbers.
func (p Plan) Fields() []Field {
	list := p.Map.Fields()
	for i := range list {
		if p.Run == nil {
			break
		}
		switch list[i].Name {
		case "globalDim":
			list[i].Value = expressions(p.Run.Dims)
		case "globalStrides":
			list[i].Value = expressions(p.Run.Strides)
		}
	}
	return list
}

func expressions(xs []symbolic.Int) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.Numbered()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// dimension sets dimension i, whose extent and stride are in elements, and adds the rules about their unknown parts.
func (p *Plan) dimension(i int, extent, stride symbolic.Int, m mode) {
	if p.Map.Mode == Tiled {
		p.Map.Box[i] = m.box
	}
	bits := p.Map.Type.Bits()
	n, known := extent.Int64()
	known = known && m.unless == nil // a mode that may be left out breaks no rule by itself
	if !known {
		n = 1 << 20 // no rule refuses it, and every box is inside
		p.clause(m, extent, Clause{
			Rule: RuleDim, Dim: i, If: symbolic.NoMore(extent, symbolic.Const(1<<32)), Text: "at most 2^32",
			Change: "split the mode in two, or move the address",
		})
		if by := p.Map.Type.packedMultiple(); i == 0 && by > 1 {
			p.multiple(m, extent, by, Clause{Rule: map[int64]Rule{128: RuleDimPacked128, 2: RuleDimPacked2}[by]})
		}
	}
	p.Map.Dims[i] = n
	p.steps = append(p.steps, stride)
	if p.Run != nil {
		p.Run.Dims = append(p.Run.Dims, p.tensor.at.value(extent))
	}
	if i == 0 {
		return
	}
	d, known := stride.Int64()
	known = known && m.unless == nil
	if !known {
		d = 1 << 20
	}
	p.Map.Strides[i-1] = d * bits / 8
	if p.Run != nil {
		bytes, _, err := symbolic.FloorDiv(p.math.mul(stride, symbolic.Const(bits)), symbolic.Const(8))
		p.math.fail(err)
		p.Run.Strides = append(p.Run.Strides, p.tensor.at.value(bytes))
	}
	if known && d*bits%8 != 0 {
		p.fault(fmt.Sprintf("pad the stride to %d elements", up(d, 8/ints.GCD(bits, 8))),
			"the stride of dimension %d is %d elements of %d bits, no whole number of bytes", i, d, bits)
	}
	if !known {
		by := int64(16)
		rule := RuleStride
		if p.Map.Type.isPadded() {
			by, rule = 32, RuleStridePacked
		}
		p.multiple(m, stride, 8*by/ints.GCD(8*by, bits), Clause{Rule: rule, Dim: i})
		p.clause(m, stride, Clause{
			Rule: RuleStrideLimit, Dim: i, If: symbolic.NoMore(stride, symbolic.Const((1<<43-1)/bits)), Text: "below 2^40 bytes",
			Change: fmt.Sprintf("fix dimension %d in the address: one map for each of its coordinates", i),
		})
	}
}

// prune leaves out limits of strides that follow from the other rules.
func (p *Plan) prune() {
	for i := 0; i < len(p.clauses()); i++ {
		var rest symbolic.Guard
		for j, c := range p.Run.Clauses {
			if j != i {
				rest = rest.And(c.If)
			}
		}
		if c := p.Run.Clauses[i]; c.Rule == RuleStrideLimit && rest.Implies(c.If) {
			p.Run.Clauses = slices.Delete(p.Run.Clauses, i, i+1)
			i--
		}
	}
}

// multiple adds the rule that x elements are a multiple of by.
func (p *Plan) multiple(m mode, x symbolic.Int, by int64, c Clause) {
	c.If, c.Text = symbolic.Multiple(x, by), fmt.Sprintf("a multiple of %d", by)
	c.Change = fmt.Sprintf("pad it to a multiple of %d elements", by)
	if name, ok := x.Name(); ok {
		if name[0] == '?' {
			name = "?"
		}
		c.Change = fmt.Sprintf("state %s{div=%d} where it holds, or %s", name, by, c.Change)
	}
	p.clause(m, x, c)
}

// clause adds a rule about x, the extent or the stride of a dimension; c.Text is the requirement.
func (p *Plan) clause(m mode, x symbolic.Int, c Clause) {
	if m.unless != nil {
		c.If = symbolic.AnyOf(c.If, m.unless)
	}
	if g, err := c.If.With(p.tensor.at.values); err == nil {
		c.If = g
	} else {
		c.If = symbolic.AnyOf()
	}
	name := fmt.Sprintf("globalDim[%d]", c.Dim)
	if c.Rule.Parameter() == "globalStrides" {
		name = fmt.Sprintf("globalStrides[%d]", c.Dim-1)
	}
	c.Text = fmt.Sprintf("%s is %s elements, %s", name, x.Numbered(), c.Text)
	p.Run.Clauses = append(p.Run.Clauses, c)
}

// divides reports whether n divides x.
func (p *Plan) divides(n int64, x symbolic.Int) bool {
	holds, known := p.answer(symbolic.Multiple(x, n))
	if !known {
		p.math.fail(refuse(cute.CodeUnknown, "state it as a fact, M{div=8}", "whether %d divides %s is not known", n, x))
	}
	return holds
}

// noteDropped notes a mode of one element whose stride would break a rule.
func (p *Plan) noteDropped(l leaf) {
	one, _ := l.extent.Int64()
	d, known := l.stride.Int64()
	if bits := d * p.Map.Type.Bits(); one == 1 && known && d < 1<<50 && bits%128 != 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("mode %s has one element and no dimension: a map that keeps it, as CuTe does where the extent is "+
			"known at run time only, has its stride of %s bytes, no multiple of 16, and is illegal", l.basis, size(bits)))
	}
}

// packedMultiple returns the number that must divide the extent of dimension 0.
func (t Type) packedMultiple() int64 {
	switch {
	case t.isPadded():
		return 128
	case t == U4Align8:
		return 2
	}
	return 1
}

// An arithmetic computes with integers of a tensor, and keeps the first error.
type arithmetic struct{ err error }

func (k *arithmetic) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

func (k *arithmetic) add(x, y symbolic.Int) symbolic.Int {
	z, err := symbolic.Add(x, y)
	k.fail(err)
	return z
}

func (k *arithmetic) mul(x, y symbolic.Int) symbolic.Int {
	z, err := symbolic.Mul(x, y)
	k.fail(err)
	return z
}

func (k *arithmetic) sub(x, y symbolic.Int) symbolic.Int {
	return k.add(x, k.mul(y, symbolic.Const(-1)))
}

// quotient returns x/y if y, which is positive, divides x for all values.
func quotient(x, y symbolic.Int) (symbolic.Int, bool) {
	q, _, err := symbolic.FloorDiv(x, y)
	if err != nil {
		return q, false
	}
	back, err := symbolic.Mul(q, y)
	return q, err == nil && back.Equal(x)
}

// over returns a quotient that must be an integer.
func (k *arithmetic) over(x, y symbolic.Int) symbolic.Int {
	q, ok := quotient(x, y)
	if !ok {
		k.fail(refuse(cute.CodeUnknown, "give the strides numbers", "whether %s divides %s is not known", y, x))
	}
	return q
}

// gcd returns the greatest common divisor of integers that are not negative.
func (k *arithmetic) gcd(x, y symbolic.Int) symbolic.Int {
	a, knownX := x.Int64()
	b, knownY := y.Int64()
	switch {
	case knownX && knownY:
		return symbolic.Const(ints.GCD(a, b))
	case knownX && (a == 0 || a == 1):
		return map[int64]symbolic.Int{0: y, 1: x}[a]
	case knownY && (b == 0 || b == 1):
		return map[int64]symbolic.Int{0: x, 1: y}[b]
	}
	if _, ok := quotient(x, y); ok {
		return y
	}
	if _, ok := quotient(y, x); ok {
		return x
	}
	k.fail(refuse(cute.CodeUnknown, "give the strides numbers, or fix a mode in the address",
		"a map has 5 dimensions, so modes of the strides %s and %s are one, and their greatest common divisor is not known",
		x, y))
	return symbolic.Const(1)
}

// number returns x/y as a number.
func (k *arithmetic) number(x, y symbolic.Int) (int64, error) {
	q := k.over(x, y)
	n, ok := q.Int64()
	if !ok {
		k.fail(refuse(cute.CodeUnknown, "give the strides numbers", "the quotient of the strides %s and %s is not known",
			x, y))
	}
	return n, k.err
}
