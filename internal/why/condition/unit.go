package condition

import (
	"fmt"
	"slices"
	"strings"

	"girih/dtype"
	"girih/internal/ints"
	"girih/internal/pattern"
)

// A trial checks values against the rule of a sentence.
type trial struct {
	text    *Text
	rule    *rule
	of      values // values of the names in the rule
	verdict *Verdict
	all     []Operand
}

// check compares one value with the trial's rule.
func (x *trial) check(b binding) {
	r, of, v := x.rule, x.of, x.verdict
	if b.unit != r.unit && (b.unit == kilo && r.unit == "" || b.unit == "" && r.unit == kilo) {
		v.Missing = appendNew(v.Missing, "the unit of one of the two numbers: the other is "+strings.ToLower(kilo))
		v.Certain = false
		return
	}
	cond := r.cond
	if bytesOf(r.unit) > 0 && !strings.EqualFold(b.unit, r.unit) {
		scale, ok := x.text.scale(r, b)
		if !ok {
			x.anyType(b)
			return
		}
		cond = substitute(cond, scale)
	}
	of[subject] = b.value
	holds, known := cond.truth(of)
	c := Check{Name: b.name, Value: b.value, Where: b.where, Unit: strings.ToLower(b.unit)}
	switch {
	case !known:
		v.Missing = appendNew(v.Missing, missingName(r.about))
	case holds:
		v.Keeps = append(v.Keeps, c)
	default:
		x.refuse(c, cond)
	}
}

// refuse records a value that breaks the rule, and the reasons. If it is the only such value, a parameter that divides
// it may be changed instead: a width of 4 in place of 8.
func (x *trial) refuse(c Check, cond *node) {
	of, v := x.of, x.verdict
	var reasons []string
	for _, part := range broken(cond, of) {
		reasons = appendNew(reasons, strings.ReplaceAll(why(part, of), subject, c.Name))
	}
	c.Why = strings.Join(reasons, "; ")
	c.Nearest = nearest(cond, subject, of)
	v.Fails = append(v.Fails, c)
	if !v.Certain || len(v.Fails) > 1 {
		return
	}
	for _, p := range cond.names(nil) {
		if p.text != subject && divides(cond, p.text) {
			v.Fails = append(v.Fails, Check{
				Name: p.text, Value: of[p.text], Nearest: nearest(cond, p.text, of), Where: whereOf(p.text, x.all),
			})
		}
	}
}

// anyType checks a number of elements for every element size, because the text does not name the element type.
func (x *trial) anyType(b binding) {
	r, of, v := x.rule, x.of, x.verdict
	var fits []string
	of[subject] = b.value
	for _, bits := range []int64{8, 16, 32, 64} {
		if holds, known := substitute(r.cond, reducedRatio(bits, bytesOf(r.unit))).truth(of); holds && known {
			fits = append(fits, fmt.Sprint(bits/8))
		}
	}
	if len(fits) == 0 {
		v.Fails = append(v.Fails, Check{
			Name: b.name, Value: b.value, Where: b.where, Unit: "elements",
			Why: fmt.Sprintf("%d elements of 1, 2, 4 or 8 bytes do not keep the rule", b.value),
		})
		return
	}
	v.Missing = appendNew(v.Missing, fmt.Sprintf("the type of the elements: %d of them keep the rule if one has %s bytes, and no other size",
		b.value, strings.Join(fits, " or ")))
	v.Certain = false
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func bytesOf(unit string) int64 {
	switch unit {
	case "bytes", kilo:
		return 8
	case "bits":
		return 1
	}
	return 0
}

// A ratio is num/den, the factor that converts a value to the unit of the rule.
type ratio struct{ num, den int64 }

// scale returns the factor from the unit of a value to the unit of its rule. If the text gives no unit, strides,
// offsets and extents count elements; addresses and sizes of memory count bytes.
func (t *Text) scale(r *rule, b binding) (ratio, bool) {
	of := bytesOf(r.unit)
	if from := bytesOf(b.unit); from > 0 {
		return reducedRatio(from, of), true
	}
	words := strings.ToLower(r.about + " " + b.name)
	elements := b.unit == "elements"
	for _, w := range []string{"stride", "dim", "extent", "column", "row", "offset", "shape", "width", "ld"} {
		elements = elements || strings.Contains(words, w)
	}
	if !elements || strings.Contains(words, "byte") || strings.Contains(words, "address") {
		return ratio{1, 1}, true
	}
	bits, ok := elementBits(t.Says + "\n" + t.Near)
	return reducedRatio(bits, of), ok
}

func reducedRatio(num, den int64) ratio {
	g := max(ints.GCD(num, den), 1)
	return ratio{num / g, den / g}
}

const reType = pattern.Pattern(`\b(?:torch\.|cutlass\.|cutlass::|jnp\.|tl\.|T\.|cute::)?(float8_e4m3fn|float8_e5m2|float8_e4m3|float16|bfloat16|float32|float64|half_t|bfloat16_t|int8|uint8|int16|int32|int64|float_e4m3_t|float_e5m2_t|Float16|BFloat16|Float32|fp16|bf16|fp32|fp8|f16|f32|half|float)\b`)

// elementBits returns the bits of an element, if all types that the text names have the same size.
func elementBits(text string) (int64, bool) {
	bits := int64(0)
	for _, m := range reType.FindAllStringSubmatch(text[:min(len(text), maxLine)], 16) {
		spelled := map[string]string{
			"fp16": "f16", "bf16": "bfloat16", "fp32": "f32", "fp8": "float8_e4m3fn",
			"half": "f16",
		}[m[1]]
		if spelled == "" {
			spelled = m[1]
		}
		typ, err := dtype.Parse(strings.ToLower(spelled))
		if err != nil {
			if typ, err = dtype.Parse(m[1]); err != nil {
				continue
			}
		}
		if b := int64(typ.Bits()); bits != 0 && bits != b {
			return 0, false
		} else {
			bits = b
		}
	}
	return bits, bits > 0
}

// substitute returns a condition in which the subject is multiplied by the ratio.
func substitute(n *node, by ratio) *node {
	if n.is("name") && n.text == subject {
		if by.num == 1 {
			return n
		}
		return apply("*", num(by.num), n)
	}
	if len(n.args) == 0 {
		return n
	}
	m := &node{op: n.op, n: n.n, text: n.text, args: slices.Clone(n.args)}
	for i := range m.args {
		m.args[i] = substitute(m.args[i], by)
	}
	return m.inUnit(by.den)
}

// inUnit multiplies the numbers that are compared with a scaled subject.
func (n *node) inUnit(den int64) *node {
	if den == 1 {
		return n
	}
	switch {
	case n.is("%") && n.args[1].is("num"):
		n.args[1] = num(n.args[1].n * den)
	case n.comparison() && !n.args[0].is("%"):
		for i, a := range n.args[1:] {
			if a.is("num") {
				n.args[i+1] = num(a.n * den)
			}
		}
	}
	return n
}
