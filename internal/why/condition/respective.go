package condition

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/pattern"
)

const (
	reRespective = pattern.Pattern(`(?i)\b(?:((?:an? )?(?:integer )?multiples? of|(?:evenly )?divisible by|aligned to)|(at least|no less than|>=)|(at most|no more than|<=)|be|equal to|exactly|are) ((?:\d+(?:, and |, | and |/)){1,5}\d+),? respectively`)
	reModalTail  = pattern.Pattern(`(?i)(?: (?:that|must|should|shall|has|have|had|to|are|is|be|being|need|needs|required|expected|currently|all|always|both|each))+ *$`)
	reOrEqual    = pattern.Pattern(`(?i)\bor (?:be )?(?:equal to|equal|match(?:es)?|the same as) the (?:respective|corresponding) (?:dimensions?|dims?|extents?|sizes?)(?: of the ([\w ]+?))?(?:[.,;]| in | for |$)`)
	reFirst      = pattern.Pattern(`(?i)\b(?:first|leading|outer(?:most)?)\b`)
)

// respective reads "the last two dimensions are divisible by 8 and 128 respectively": one demand for each of several
// values, in the same order.
func respective(s string) *rule {
	m := reRespective.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	at := reRespective.FindStringIndex(s)
	before, after := s[:at[0]], s[at[1]:]
	r := &rule{about: shorten(reModalTail.ReplaceAllString(strings.TrimRight(before, " "), ""))}
	for _, d := range strings.FieldsFunc(m[4], func(c rune) bool { return c < '0' || c > '9' }) {
		x, _, _, ok := numberAt(d)
		if !ok {
			return nil
		}
		c := apply("==", it(), num(x))
		switch {
		case m[1] != "":
			c = multiple(it(), num(x))
		case m[2] != "":
			c = apply(">=", it(), num(x))
		case m[3] != "":
			c = apply("<=", it(), num(x))
		}
		r.each = append(r.each, c)
	}
	if alt := reOrEqual.FindStringSubmatch(after); alt != nil {
		r.orEqual = "shape"
		if alt[1] != "" {
			r.orEqual = alt[1]
		}
	}
	return r
}

// judgeEach checks a rule that states one demand for each of several values.
func (t *Text) judgeEach(r *rule) *Verdict {
	all := t.operands(r)
	n := len(r.each)
	list := eachNamed(r, all)
	if list == nil {
		list = lastOf(r.about, n, chosenTuple(r, all))
	}
	whole := chosenByWords(r.orEqual, all)
	v := &Verdict{Demand: eachDemand(r), Certain: true}
	if len(list) != n {
		v.Missing = []string{plainName(r.about)}
		return v
	}
	for i, b := range list {
		if b.value == Unknown {
			continue
		}
		cond := r.each[i]
		more := ""
		if alt := lastOf(r.about, n, whole); r.orEqual != "" && len(alt) == n {
			cond = apply("or", cond, apply("==", it(), num(alt[i].value)))
			more = fmt.Sprintf(", and %s is %d", alt[i].name, alt[i].value)
		} else if r.orEqual != "" {
			v.Missing = appendNew(v.Missing, r.orEqual)
			return v
		}
		of := values{subject: b.value}
		c := Check{Name: b.name, Value: b.value, Where: b.where}
		if holds, _ := cond.truth(of); holds {
			v.Keeps = append(v.Keeps, c)
			continue
		}
		c.Why = why(r.each[i], of) + more
		c.Nearest = nearest(cond, subject, of)
		v.Fails = append(v.Fails, c)
	}
	v.Certain = len(v.Fails) > 0
	return v
}

// eachDemand writes, in words, a rule that states one demand for each of several values.
func eachDemand(r *rule) string {
	parts := make([]string, len(r.each))
	for i, c := range r.each {
		_, words, _ := strings.Cut(describe(c), subject+" ")
		parts[i] = words
	}
	text := plainName(r.about) + ", in this order: " + strings.Join(parts, ", ")
	if r.orEqual != "" {
		text += ", or equal to the extent of the " + r.orEqual
	}
	return text
}

// eachNamed returns the values of M and N for the subject "M and N": every name in the list must have a value.
func eachNamed(r *rule, all []Operand) (list []binding) {
	names := parts(r.about)
	if len(names) != len(r.each) {
		return nil
	}
	var unnamed []int64
	for _, o := range r.found {
		if o.Got && o.Name == "" {
			unnamed = append(unnamed, o.Values...)
		}
	}
	for i, x := range names {
		y, ok := lookup(x, all)
		if len(unnamed) == len(names) {
			y, ok = unnamed[i], true
		}
		if !ok {
			return nil
		}
		list = append(list, binding{name: x, value: y, where: whereOf(x, all)})
	}
	return list
}

// lastOf returns the last n extents of a tuple, or the first n if the subject says "first".
func lastOf(about string, n int, o *Operand) (list []binding) {
	if o == nil || len(o.Values) < n {
		return nil
	}
	from := len(o.Values) - n
	if reFirst.MatchString(about) {
		from = 0
	} else if from > 0 && !rePlace.MatchString(strings.ToLower(about)) && !strings.Contains(strings.ToLower(about), "last") {
		return nil
	}
	for i := from; i < from+n; i++ {
		label := o.Name
		if label == "" {
			label = "the shape"
		}
		list = append(list, binding{name: fmt.Sprintf("%s[%d]", label, i), value: o.Values[i], where: o.Where})
	}
	return list
}

// chosenTuple returns the tuple that a rule is about: a tuple that the message found, or the tuple whose name shares
// the most words with the subject, or the only tuple nearby.
func chosenTuple(r *rule, all []Operand) *Operand {
	var found []Operand
	for _, o := range r.found {
		if o.Got && o.Tuple && o.Name == "" {
			found = append(found, o)
		}
	}
	if len(found) == 1 {
		return &found[0]
	}
	if o := chosenByWords(r.about, all); o != nil {
		return o
	}
	near := slices.DeleteFunc(slices.Clone(all), func(o Operand) bool { return !o.Tuple || o.far > 1 })
	if len(near) == 0 || slices.ContainsFunc(near, func(o Operand) bool { return !slices.Equal(o.Values, near[0].Values) }) {
		return nil
	}
	return &near[0]
}

// chosenByWords returns the tuple whose name shares the most words with a phrase, if exactly one does.
func chosenByWords(phrase string, all []Operand) *Operand {
	words := wordsOf(phrase)
	best, count := 0, 0
	var chosen *Operand
	for i := range all {
		o := &all[i]
		if !o.Tuple {
			continue
		}
		n := 0
		for _, w := range wordsOf(o.Name) {
			if slices.Contains(words, w) {
				n++
			}
		}
		switch {
		case n > best:
			best, count, chosen = n, 1, o
		case n == best && n > 0 && !slices.Equal(o.Values, chosen.Values):
			count++
		}
	}
	if count != 1 {
		return nil
	}
	return chosen
}
