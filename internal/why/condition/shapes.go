package condition

import (
	"fmt"
	"strings"

	"girih/internal/pattern"
)

const (
	reMatmul    = pattern.Pattern(`(?i)shapes? cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)`)
	reReshape   = pattern.Pattern(`(?i)shape '?\[([-\d, ]+)\]'? is invalid for input of size (\d+)`)
	reOutside   = pattern.Pattern(`(?i)index (-?\d+) is out of (?:bounds|range) for (?:dimension|axis|dim) (\d+) with size (\d+)`)
	reStrided   = pattern.Pattern(`\bsize (\d+)==(\d+), stride (\d+)==(\d+)`) // in code that PyTorch generates
	reNewShape  = pattern.Pattern(`(?i)cannot reshape (?:array|tensor) of (?:shape \([\d, ]*\) \()?size (\d+)\)? into shape \(([-\d, ]+)\)`)
	reSameCount = pattern.Pattern(`(?i)\bnumber of (?:\w+ and \w+ )?elements\b.*\b(?:must be|should be|is not) (?:the same|equal)`)
	reUnlike    = pattern.Pattern(`(?i)\bsize (\d+) is different from (\d+)`)
	reBothEqual = pattern.Pattern(`(?i)([\w.\[\]]+) ?[(=] ?(\d+)\)?,? (?:and|,) ([\w.\[\]]+) ?[(=] ?(\d+)\)? (?:must|should|have to|need to) (?:be (?:equal|the same|identical)|match|agree)\b`)
	reBroadcast = pattern.Pattern(`(?i)has size (\d+) for operand \d+ which does not broadcast with previously seen size (\d+)`)
	reDisagree  = pattern.Pattern(`(?i)(?:^|: |; |, )([\w.\[\]() ]{1,40}?) (?:is|has size|has|=) (\d+),? (?:but|while|and|whereas|vs\.?) ([\w.\[\]() ]{1,40}?) (?:is|has size|has|=) (\d+)\b`)
	reUnequal   = pattern.Pattern(`(?i)\b(?:incompatible|mismatch\w*|inconsistent|differ\w*|disagree|unequal|not compatible|do(?:es)? not match|must (?:match|agree|be (?:equal|the same)))\b`)
	reSameGot   = pattern.Pattern(`(?i)\bthe same (?:shapes?|sizes?|strides?),? (?:but )?(?:got|found)\b`)
	reUneven    = pattern.Pattern(`(?i)(?:(?:shape|size|stride|extent)s? (?:\w+ )?mismatch|mismatched (?:shapes|sizes|strides)|same (?:shape|size|strides)|(?:shapes|sizes|strides) (?:must|should|do not|don't|did not) (?:match|agree|be equal|be the same|be identical|be equal))`)
	reOneMode   = pattern.Pattern(`(?i)\b(?:broadcast\w*|dim|dims|dimensions?|axis|columns?|rows?|inner|leading|index|singleton|compatible|number of elements|numel)\b`)
)

// shapes reads sentences with special wordings about two shapes, or about a shape and a number.
func shapes(s string) *rule {
	if m := reMatmul.FindStringSubmatch(s); m != nil {
		a, b := mustNumber(m[2]), mustNumber(m[3])
		return equalRule("the columns of the first matrix", a, "the rows of the second", b)
	}
	if m := reReshape.FindStringSubmatch(s); m != nil {
		return reshape(m[1], mustNumber(m[2]))
	}
	if m := reOutside.FindStringSubmatch(s); m != nil {
		i, n := mustNumber(m[1]), mustNumber(m[3])
		cond := apply("and", apply(">=", name("the index"), num(-n)), apply("<", name("the index"), num(n)))
		return &rule{cond: cond, code: true, found: []Operand{{Name: "the index", Values: []int64{i}}}}
	}
	if m := reStrided.FindStringSubmatch(s); m != nil {
		if m[1] != m[2] {
			return equalRule("size", mustNumber(m[1]), "the size that was compiled for", mustNumber(m[2]))
		}
		return equalRule("stride", mustNumber(m[3]), "the stride that was compiled for", mustNumber(m[4]))
	}
	if m := reNewShape.FindStringSubmatch(s); m != nil {
		return reshape(m[2], mustNumber(m[1]))
	}
	if m := reTyped.FindAllStringSubmatch(s, 3); len(m) == 2 && reSameCount.MatchString(s) {
		return equalRule("the elements of the first", countOf(m[0][2]), "the elements of the second", countOf(m[1][2]))
	}
	if m := reUnlike.FindStringSubmatch(s); m != nil {
		return equalRule("one size", mustNumber(m[1]), "the other", mustNumber(m[2]))
	}
	if m := reBothEqual.FindStringSubmatch(s); m != nil {
		return equalRule(m[1], mustNumber(m[2]), m[3], mustNumber(m[4]))
	}
	if m := reBroadcast.FindStringSubmatch(s); m != nil {
		return equalRule("the size of the subscript", mustNumber(m[1]), "its size before", mustNumber(m[2]))
	}
	if m := reDisagree.FindStringSubmatch(s); m != nil && reUnequal.MatchString(s) {
		return equalRule(plainName(m[1]), mustNumber(m[2]), plainName(m[3]), mustNumber(m[4]))
	}
	return nil
}

// countOf returns the product of the extents in a text such as 64x32.
func countOf(text string) int64 {
	v, _, ok := valueAt(text)
	product := int64(1)
	for _, x := range v.Values {
		p, fits := compute("*", []int64{product, x})
		if ok = ok && fits; !ok {
			return Unknown
		}
		product = p
	}
	return product
}

// mustNumber reads digits. It returns [Unknown] for a number that does not fit in 64 bits.
func mustNumber(text string) int64 {
	if x, _, _, ok := numberAt(strings.TrimSpace(text)); ok {
		return x
	}
	return Unknown
}

// equalRule returns the rule that two values in a sentence are equal.
//
//go:noinline
func equalRule(a string, x int64, b string, y int64) *rule {
	if x == Unknown || y == Unknown {
		return nil
	}
	return &rule{
		cond: apply("==", name(a), name(b)), code: true,
		found: []Operand{{Name: a, Values: []int64{x}}, {Name: b, Values: []int64{y}}},
	}
}

// reshape compares the product of a shape's extents with a number of elements. One extent may be -1.
func reshape(shape string, size int64) *rule {
	product, open := int64(1), false
	for _, d := range strings.Split(shape, ",") {
		x := mustNumber(d)
		if x == -1 {
			open = true
			continue
		}
		p, ok := compute("*", []int64{product, x})
		if x < 0 || !ok {
			return nil
		}
		product = p
	}
	if !open {
		return equalRule("the product of the extents", product, "the number of elements", size)
	}
	r := equalRule("the number of elements", size, "the product of the other extents", product)
	if r != nil {
		r.cond = multiple(r.cond.args[0], r.cond.args[1])
	}
	return r
}

// twoShapes compares the two tuples in a sentence that requires shapes to be the same in all modes.
func twoShapes(s string) *rule {
	if !reUneven.MatchString(s) || reOneMode.MatchString(s) && !reSameGot.MatchString(s) {
		return nil
	}
	list := anonymous(s)
	if len(list) != 2 {
		return nil
	}
	return &rule{done: uneven(list[0].Values, list[1].Values, "the first shape", "the second")}
}

const reExpected = pattern.Pattern(`(?i)\b(?:expect(?:s|ed)?|must be|should be|must have|should have|required|requires)\b`)

// expectedShape compares the shape at the end of a sentence with the shape that the sentence found.
func expectedShape(before string, found []Operand) *rule {
	list := anonymous(before)
	if r := expectedOneOf(before, list, found); r != nil {
		return r
	}
	if len(list) != 1 || len(found) != 1 || !found[0].Tuple || found[0].Name != "" || !reExpected.MatchString(before) ||
		!strings.HasSuffix(strings.TrimRight(before, " ,.:;)]"), lastDigits(list[0].Values)) ||
		strings.Contains(before, "one of") || strings.Contains(before, " in ") || strings.Contains(before, "range") {
		return nil
	}
	return &rule{done: uneven(found[0].Values, list[0].Values, "the shape", "the expected one")}
}

const reTuplesOr = pattern.Pattern(`(?i)\b(?:one of|either|be|is)(?: the following)?:? [\[{(]?\([^()]*\)(?:(?:, or|,| or|/) ?\([^()]*\))+[\]})]?[.,;: ]*$`)

// expectedOneOf compares the shape that a sentence found with the shapes listed at its end: "one of (16,8,8) or
// (16,8,16)".
func expectedOneOf(before string, list, found []Operand) *rule {
	if len(list) < 2 || len(found) != 1 || !found[0].Tuple || found[0].Name != "" || !reTuplesOr.MatchString(before) {
		return nil
	}
	have := found[0].Values
	texts := make([]string, len(list))
	best, least := -1, uint64(0)
	for i, o := range list {
		texts[i] = tupleText(o.Values)
		if len(o.Values) != len(have) {
			continue
		}
		far := uint64(0)
		for k, x := range o.Values {
			far += difference(max(x, have[k]), min(x, have[k]))
		}
		if far == 0 {
			return nil
		}
		if best < 0 || far < least {
			best, least = i, far
		}
	}
	all := strings.Join(texts[:len(texts)-1], ", ") + " or " + texts[len(texts)-1]
	c := Check{Name: "the shape", Why: fmt.Sprintf("the shape %s is not %s", tupleText(have), all)}
	if best >= 0 {
		for k, x := range list[best].Values {
			if x != have[k] {
				c.Why += fmt.Sprintf("; of %s it differs in extent %d: %d and %d", texts[best], k, have[k], x)
				break
			}
		}
	}
	return &rule{done: &Verdict{Demand: "the shape is " + all, Fails: []Check{c}, Certain: true}}
}

// lastDigits returns the last extent as written in the text.
func lastDigits(xs []int64) string {
	if x := xs[len(xs)-1]; x != Unknown {
		return fmt.Sprint(x)
	}
	return "?"
}

// uneven returns the verdict on two tuples that must be equal, and lists the extents in which they differ.
func uneven(a, b []int64, nameA, nameB string) *Verdict {
	v := &Verdict{Demand: nameA + " is " + nameB}
	if len(a) != len(b) {
		v.Fails, v.Certain = []Check{{
			Name: nameA, Why: fmt.Sprintf("%s has %d extents, %s has %d", tupleText(a), len(a), tupleText(b), len(b)),
		}}, true
		return v
	}
	for i := range a {
		if a[i] == Unknown || b[i] == Unknown || a[i] == b[i] {
			continue
		}
		v.Fails = append(v.Fails, Check{
			Name: fmt.Sprintf("%s[%d]", nameA, i), Value: a[i],
			Why: fmt.Sprintf("%s and %s differ in extent %d: %d and %d", tupleText(a), tupleText(b), i, a[i], b[i]),
		})
	}
	v.Certain = len(v.Fails) > 0
	if !v.Certain {
		v.Keeps = []Check{{Name: nameA, Value: a[0]}}
	}
	return v
}

func tupleText(xs []int64) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = fmt.Sprint(x)
		if x == Unknown {
			parts[i] = "?"
		}
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// same reads "the size of tensor a (3) must match the size of tensor b (4)".
func same(s string) *rule {
	before, _, after, ok := cutAt(reSame, s)
	if !ok {
		return nil
	}
	before = shorten(before)
	if _, _, _, ok := numberAt(after); ok {
		return nil // a number: [modal] reads it
	}
	if i := strings.Index(after, " at "); i > 0 {
		after = after[:i]
	}
	a, b := inline(before), inline(strings.TrimRight(after, ". "))
	if len(a) == 1 && len(b) == 1 {
		x, y := a[0].name, b[0].name
		if x == y || strings.EqualFold(x, y) {
			x, y = x+" on one side", y+" on the other"
		}
		return equalRule(x, a[0].value, y, b[0].value)
	}
	x, y := lastIdentifier(before), lastIdentifier(firstWords(after))
	if x == "" || y == "" {
		return nil
	}
	return &rule{cond: apply("==", name(x), name(y)), code: true}
}

// firstWords returns the text before the first comma or clause.
func firstWords(s string) string {
	for _, sep := range []string{",", ";", " but ", " for ", " when ", " if ", " because ", " in "} {
		s, _, _ = strings.Cut(s, sep)
	}
	return s
}

// lastIdentifier returns the only identifier in a phrase.
func lastIdentifier(s string) string {
	found := ""
	for _, m := range reIdentifier.FindAllStringSubmatch(s, 8) {
		if identifier(m[1]) {
			if found != "" {
				return ""
			}
			found = m[1]
		}
	}
	return found
}
