package condition

import (
	"slices"
	"strconv"
	"strings"

	"girih/internal/pattern"
)

// This file finds the operand that a name in a rule refers to. Among operands of the same name, the nearest text wins:
// the rule's own sentence, then the message, the caller's values, and the text around. A name may also be part of a
// tuple: if the operand x is (4,8), x.shape[1] is 8 and x.ndim is 2.

// operands returns the values that a rule may be about. The values in the rule's own sentence come first.
func (t *Text) operands(r *rule) (list []Operand) {
	add := func(far int, from []Operand) {
		for _, o := range from[:min(len(from), maxOperands)] {
			o.far = far
			list = append(list, o)
		}
	}
	add(0, r.found)
	add(1, namedValues(t.Says))
	add(2, t.Values)
	add(3, Collect(t.Near))
	return list
}

// lookup returns the value of a name: of the operand with this name, or of an element of a tuple. If operands with this
// name have different values, lookup reports false.
func lookup(name string, all []Operand) (int64, bool) {
	k := key(name)
	if x, ok := only(all, func(o Operand) (int64, bool) {
		return o.Values[0], !o.Tuple && key(o.Name) == k
	}); ok {
		return x, true
	}
	if p, ok := partOf(name); ok {
		return only(all, p.of)
	}
	return 0, false
}

// only returns the value of the operands in the nearest text, if they all agree.
func only(all []Operand, f func(Operand) (int64, bool)) (x int64, ok bool) {
	nearest := 0
	clash := false
	for _, o := range all {
		y, has := f(o)
		if !has || y == Unknown || ok && o.far > nearest {
			continue
		}
		if ok && o.far == nearest {
			clash = clash || x != y
			continue
		}
		x, ok, nearest, clash = y, true, o.far, false
	}
	return x, ok && !clash
}

// key returns a name in the form used for comparing: in lower case, without namespaces, quotes and separators.
func key(name string) string {
	name = strings.ToLower(name)
	for _, prefix := range []string{"cute::", "cutlass::", "self.", "this->", "params.", "args.", "arg."} {
		name = strings.ReplaceAll(name, prefix, "")
	}
	for _, suffix := range []string{"{}", "()", "::value", ".item"} {
		name = strings.TrimSuffix(name, suffix)
	}
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; isLetter(c) && c != '_' || isDigit(c) || strings.IndexByte("[]()<>-,", c) >= 0 {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// whereOf returns the Where of the operand with a name.
func whereOf(name string, all []Operand) string {
	for _, o := range all {
		if _, ok := lookup(name, []Operand{o}); ok {
			return o.Where
		}
	}
	return ""
}

// unitOf returns the unit of the operand with a name.
func unitOf(name string, all []Operand) string {
	for _, o := range all {
		if key(o.Name) == key(name) {
			return o.Unit
		}
	}
	return ""
}

// exact reports whether a word of prose is the whole name of an operand.
func exact(word string, all []Operand) bool {
	return len(word) > 1 && slices.ContainsFunc(all, func(o Operand) bool { return strings.EqualFold(o.Name, word) })
}

// onlyTuple returns the value of a name such as x.shape[1], if the message has only one tuple and the tuple is unnamed.
func (t *Text) onlyTuple(name string, r *rule) (int64, bool) {
	m := reElement.FindStringSubmatch(name)
	if m == nil || m[2] == "" {
		return 0, false
	}
	var tuples []Operand
	for _, o := range r.found {
		if o.Tuple && o.Name == "" {
			tuples = append(tuples, o)
		}
	}
	if len(tuples) == 0 {
		tuples = anonymous(t.Says)
	}
	if len(tuples) != 1 {
		return 0, false
	}
	tuples[0].Name = m[1] + "." + m[2]
	return lookup(name, tuples)
}

// A part is what a name takes from a tuple: the rank, as x.ndim does, or an extent, as x.shape[1] does.
type part struct {
	base  string // the tuple, or the object that has the shape or strides
	what  string // "shape", "stride", or "" for the tuple itself
	rank  bool   // the name takes the number of extents
	modes int    // the number of extents that the tuple must have, or 0
	index int
}

const (
	reElement = pattern.Pattern(`^(.*?)(?:\.|->|::)?(shape|sizes?|strides?|dims?|extents?)?(?:\(\))?[\[(](-?\d+)[\])]$`)
	reGet     = pattern.Pattern(`^(?:cute::)?(size|get|shape|stride)<(-?\d+)>\((.*)\)$`)
	// the name of a member of cutlass::gemm::GemmShape or cutlass::MatrixShape
	reGemmShape = pattern.Pattern(`^(.*?)::k(M|N|K|Row|Column)$`)
	reCount     = pattern.Pattern(`^(?:(len|rank|ndim|depth)\((.*?)(?:\.shape|\.sizes\(\))?\)|(.*)\.(ndim|dim\(\)|rank\(\)|rank|ndims))$`)
)

// gemmParts maps the members of cutlass::gemm::GemmShape and cutlass::MatrixShape to parts.
var gemmParts = map[string]part{
	"M": {modes: 3}, "N": {modes: 3, index: 1}, "K": {modes: 3, index: 2}, "Row": {modes: 2}, "Column": {modes: 2, index: 1},
}

// partOf returns the part of a tuple that a name takes: len(x), Shape::kM, size<1>(x), x.stride(0).
func partOf(name string) (p part, ok bool) {
	if m := reCount.FindStringSubmatch(name); m != nil {
		return part{base: m[2] + m[3], what: "shape", rank: true}, true
	}
	if m := reGemmShape.FindStringSubmatch(name); m != nil {
		p = gemmParts[m[2]]
		p.base = m[1]
		return p, true
	}
	what, index := "", ""
	if m := reGet.FindStringSubmatch(name); m != nil {
		p.base, what, index = m[3], m[1], m[2]
	} else if m := reElement.FindStringSubmatch(name); m != nil {
		p.base, what, index = m[1], m[2], m[3]
	} else {
		return p, false
	}
	p.what = "shape"
	if strings.HasPrefix(what, "stride") {
		p.what = "stride"
	}
	i, err := strconv.Atoi(index)
	p.index = i
	return p, err == nil
}

// of returns the value of the part, if the operand is the tuple that the part is taken from.
func (p *part) of(o Operand) (int64, bool) {
	switch {
	case !o.Tuple, p.modes > 0 && len(o.Values) != p.modes:
		return 0, false
	case p.what == "" && key(o.Name) != key(p.base), p.what != "" && !tupleOf(o, p.base, p.what):
		return 0, false
	case p.rank:
		return int64(len(o.Values)), true
	}
	return element(o, p.index)
}

// tupleOf reports whether an operand is the object base, its shape or its strides, depending on what.
func tupleOf(o Operand, base, what string) bool {
	k, b := key(o.Name), key(base)
	if k == "" || b == "" {
		return false
	}
	words := []string{"shape", "size", "sizes", "dims"}
	if what == "stride" {
		words = []string{"stride", "strides"}
	} else if k == b {
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool { return k == b+w || k == w+b })
}

// element returns an extent of a tuple, counted from the end if i is negative.
func element(o Operand, i int) (int64, bool) {
	if i < 0 {
		i += len(o.Values)
	}
	if i < 0 || i >= len(o.Values) {
		return 0, false
	}
	return o.Values[i], true
}
