package condition

import (
	"fmt"
	"slices"
	"strings"
)

// A Text is an error message, split into parts that Judge reads differently.
type Text struct {
	Says   string    // the message
	Code   []string  // lines of source that state the condition: assert n % 8 == 0
	Notes  string    // the compiler's additions: the comparison reduces to '(4 == 0)'
	Near   string    // the text around the message, for the types and values that it mentions
	Values []Operand // values that the caller read elsewhere: template arguments, locals
}

// A Verdict is the result of checking a rule against the values in a text. With no Check, no value decides the rule.
type Verdict struct {
	Demand  string   // the rule, in words
	Fails   []Check  // values that break the rule
	Keeps   []Check  // values that keep the rule
	Certain bool     // the message is about Fails; otherwise it may be about one of Fails or a value not in the text
	Missing []string // the names whose values the text does not state
}

// A Check is one value compared with a rule.
type Check struct {
	Name    string // the spelling in the text, with an index: TileShape_MNK[1]
	Value   int64
	Where   string // the source that names the value; "" for the message itself
	Why     string // the numbers: 300 mod 128 = 44
	Unit    string // "bytes", "bits", "elements" or ""
	Nearest Nearest
}

// Judge reads the rule that a message states and checks the values in the text. ok reports whether a rule was found.
func Judge(t Text) (v Verdict, ok bool) {
	t.Says = unwrap(ungroupDigits(cut(t.Says, maxSays)))
	t.Notes, t.Near = cut(t.Notes, maxNear), unwrap(cut(t.Near, maxNear))
	t.learn()
	var all []rule
	for _, line := range t.Code {
		if n := conditionsOf(line); n != nil {
			all = append(all, rule{cond: n, code: true, sides: reducedSides(t.Notes, n)})
		}
	}
	all = append(all, statedRules(t.Says)...)
	var best *Verdict
	var of *rule
	for i := range all {
		x := t.judge(&all[i])
		switch {
		case x == nil:
		case best == nil || x.better(best):
			best, of = x, &all[i]
		case x.rank() >= certainRank && best.rank() >= certainRank && !of.code && !all[i].code:
			best.add(x)
		}
	}
	if best == nil {
		return v, false
	}
	return *best, true
}

// maxSays and maxNear limit how many bytes of the message and of the text around it are read.
const (
	maxSays = 1 << 13
	maxNear = 1 << 15
)

func cut(s string, most int) string { return s[:min(len(s), most)] }

// better reports whether v says more than old.
func (v *Verdict) better(old *Verdict) bool { return v.rank() > old.rank() }

// certainRank is the lowest rank of a verdict that is certain about which value breaks the rule.
const certainRank = 4

func (v *Verdict) rank() int {
	switch {
	case v.Certain && len(v.Fails) > 0 && v.Fails[0].Name != "":
		return certainRank + 1
	case v.Certain && len(v.Fails) > 0:
		return certainRank
	case len(v.Fails) > 0:
		return 3
	case len(v.Keeps) > 0:
		return 2
	}
	return 1
}

// add joins the verdict on another sentence, unless v already lists one of that verdict's values.
func (v *Verdict) add(x *Verdict) {
	for _, c := range x.Fails {
		if slices.ContainsFunc(v.Fails, func(old Check) bool { return old.Name == c.Name || old.Value == c.Value }) {
			return
		}
	}
	v.Demand += "; " + x.Demand
	v.Fails, v.Keeps = append(v.Fails, x.Fails...), append(v.Keeps, x.Keeps...)
}

// judge checks one rule.
func (t *Text) judge(r *rule) *Verdict {
	if r.done != nil {
		return r.done
	}
	if v := t.excludedVerdict(r); v != nil {
		return v
	}
	if r.each != nil {
		return t.judgeEach(r)
	}
	if r.code {
		return t.judgeCode(r)
	}
	return t.judgeSentence(r)
}

// excludedVerdict returns the verdict on a rule that does not apply, because the values in the text do not satisfy its
// "if". In that case the message is about another rule.
func (t *Text) excludedVerdict(r *rule) *Verdict {
	if r.given == nil {
		return nil
	}
	all := t.operands(r)
	of := values{}
	for _, x := range r.given.names(nil) {
		if n, ok := lookup(x.text, all); ok {
			of[x.text] = n
		}
	}
	if holds, known := r.given.truth(of); !known || holds {
		return nil
	}
	v := &Verdict{Demand: "where " + describe(r.given) + ": " + demandOf(shorten(r.about), r)}
	if r.code {
		v.Demand = "where " + describe(r.given) + ": " + describe(r.cond)
	}
	for _, x := range r.given.names(nil) {
		v.Missing = append(v.Missing, "the rule that was broken: this one is for "+r.given.String()+", and "+x.text+" = "+
			num(of[x.text]).String())
	}
	return v
}

// judgeCode checks a condition that is stated in code.
func (t *Text) judgeCode(r *rule) *Verdict {
	all := t.operands(r)
	v := &Verdict{Certain: true}
	of := t.namesOf(r, all, v)
	if r.told && !r.settle(of) {
		return nil
	}
	v.Demand = describe(r.cond)
	holds, known := r.cond.truth(of)
	switch {
	case known && !holds:
		v.Missing = nil
		for _, part := range broken(r.cond, of) {
			for _, c := range checks(r.cond, part, of, all) {
				v.Fails = merge(v.Fails, c)
			}
		}
	case known:
		v.Missing = nil
		v.Certain = false
		for _, x := range r.cond.names(nil) {
			v.Keeps = append(v.Keeps, Check{Name: x.text, Value: of[x.text], Where: whereOf(x.text, all)})
		}
	case r.sides != nil && len(v.Fails) == 0 && len(r.cond.args) == 2 && r.cond.comparison():
		v.Fails = append(v.Fails, sidesCheck(r))
	}
	return v
}

// settle decides whether a condition in a sentence is what the message demands or what it found, and reports false if
// it is neither. A condition that holds is what the message found; the rule is then the opposite condition.
func (r *rule) settle(of values) bool {
	holds, known := r.cond.truth(of)
	switch {
	case !known:
		return !mentionsOp(r.cond, "!=")
	case holds && (r.cond.is("!=") || r.cond.constant()): // as in a=2 != b=1 and 2048 > 1024
		r.cond = negate(r.cond)
		return true
	}
	return !holds
}

// namesOf returns the values of the names in a condition, and records in v the names that have no value.
func (t *Text) namesOf(r *rule, all []Operand, v *Verdict) values {
	of := values{}
	for _, x := range r.cond.names(nil) {
		if n, ok := lookup(x.text, all); ok {
			of[x.text] = n
		} else if n, ok := t.onlyTuple(x.text, r); ok {
			of[x.text] = n
		} else {
			v.Missing = append(v.Missing, x.text)
		}
	}
	if r.sides != nil {
		bySides(r, of, v)
	} else if x, ok := onlyFound(r); ok && len(v.Missing) == 1 {
		of[v.Missing[0]] = x // as in "requires K % 128 == 0, but got 192"
	} else {
		bothFound(r, of, v)
	}
	return of
}

// mentionsOp reports whether a condition contains the operator.
func mentionsOp(n *node, op string) bool {
	return n.is(op) || slices.ContainsFunc(n.args, func(a *node) bool { return mentionsOp(a, op) })
}

// bothFound binds the two names of a == b to the two numbers that a message found: "but got 128 and 64".
func bothFound(r *rule, of values, v *Verdict) {
	if !r.cond.is("==") || len(v.Missing) != 2 || !r.cond.args[0].is("name") || !r.cond.args[1].is("name") {
		return
	}
	var list []int64
	for _, o := range r.found {
		if o.Got && o.Name == "" && !o.Tuple {
			list = append(list, o.Values[0])
		}
	}
	if len(list) == 2 {
		of[r.cond.args[0].text], of[r.cond.args[1].text] = list[0], list[1]
	}
}

// onlyFound returns the number that a message found, if it has no name and is the only unnamed value.
func onlyFound(r *rule) (int64, bool) {
	var x int64
	n := 0
	for _, o := range r.found {
		if o.Got && o.Name == "" {
			n++
			x = o.Values[0]
			if o.Tuple {
				return 0, false
			}
		}
	}
	return x, n == 1
}

// anonymous returns the tuples in a text that have no names.
func anonymous(text string) (list []Operand) {
	for i := 0; i < min(len(text), maxLine) && len(list) < 4; i++ {
		if strings.IndexByte("([", text[i]) < 0 {
			continue
		}
		v, rest, ok := valueAt(text[i:])
		if ok && v.Tuple && (len(v.Values) > 1 || strings.HasSuffix(text[:len(text)-len(rest)], ",)")) {
			list = append(list, v)
			i = len(text) - len(rest) - 1
		}
	}
	return list
}

// bySides sets each name that is a whole side of a comparison, if the message states the values of both sides.
func bySides(r *rule, of values, v *Verdict) {
	if !r.cond.comparison() || len(r.cond.args) != 2 {
		return
	}
	for i, side := range r.cond.args {
		if side.is("name") {
			of[side.text] = r.sides[i]
			v.Missing = slices.DeleteFunc(v.Missing, func(s string) bool { return s == side.text })
		}
	}
}

// sidesCheck returns a Check that states the values of both sides of a comparison.
func sidesCheck(r *rule) Check {
	l := r.cond.args[0]
	c := Check{Name: l.String(), Value: r.sides[0]}
	c.Why = fmt.Sprintf("%s = %d, and %s = %d", l, r.sides[0], r.cond.args[1], r.sides[1])
	if r.cond.args[1].is("num") {
		c.Why = fmt.Sprintf("%s = %d", l, r.sides[0])
	}
	return c
}

// reducedSides returns the two sides that a compiler reports for a comparison in its notes, if the comparison has the
// operator of n.
func reducedSides(notes string, n *node) *[2]int64 {
	m := reReduces.FindStringSubmatch(notes)
	if m == nil || n.op != m[2] {
		return nil
	}
	return sidesOf(m[1], m[3])
}

// broken returns the comparisons that make a condition false.
func broken(n *node, of values) []*node {
	if !n.is("and") && !n.is("or") {
		return []*node{n}
	}
	var list []*node
	for _, a := range n.args {
		if t, known := a.truth(of); known && !t {
			list = append(list, broken(a, of)...)
		}
	}
	return list
}

// checks explains a comparison that does not hold: its numbers, and for each name on its left side the nearest value
// that makes it hold while all other values stay the same.
func checks(whole, part *node, of values, all []Operand) []Check {
	names := leading(part)
	if len(names) == 0 {
		return []Check{constants(part, of)}
	}
	var list []Check
	for i, x := range names {
		c := Check{Name: x.text, Value: of[x.text], Where: whereOf(x.text, all), Nearest: nearest(whole, x.text, of)}
		if i == 0 {
			c.Why = why(part, of)
		}
		list = append(list, c)
	}
	return list
}

// constants explains a comparison between numbers. It assumes that the first number may change. A number alone, as in
// "0 and n > 0", has nothing to change.
func constants(part *node, of values) Check {
	c := Check{Why: why(part, of)}
	if len(part.args) == 0 {
		return c
	}
	l := part.args[0]
	if l.is("%") {
		l = l.args[0]
	}
	if !l.is("num") {
		return c
	}
	free := replace(part, l, it())
	of[subject], c.Value = l.n, l.n
	c.Nearest = nearest(free, subject, of)
	return c
}

// replace returns a copy of an expression in which one node is replaced.
func replace(n, old, by *node) *node {
	if n == old {
		return by
	}
	m := *n
	m.args = nil
	for _, a := range n.args {
		m.args = append(m.args, replace(a, old, by))
	}
	return &m
}

// merge appends a check to the list, or appends its reason to an earlier check of the same value.
func merge(list []Check, c Check) []Check {
	for i := range list {
		if list[i].Name != c.Name || c.Name == "" {
			continue
		}
		switch reason := c.Why[strings.LastIndex(c.Why, ": ")+1:]; {
		case list[i].Why == "":
			list[i].Why = c.Why
		case c.Why != "" && !strings.Contains(list[i].Why, strings.TrimSpace(reason)):
			list[i].Why += "; " + strings.TrimSpace(reason)
		}
		return list
	}
	return append(list, c)
}

// leading returns the names that a comparison is about: the names on its left side, or in the dividend of a remainder.
func leading(n *node) []*node {
	if !n.comparison() {
		return n.names(nil)
	}
	l := n.args[0]
	if l.is("%") || len(l.names(nil)) > 0 {
		return l.names(nil)
	}
	return n.names(nil)
}
