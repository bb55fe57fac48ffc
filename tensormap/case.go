package tensormap

import (
	"slices"

	"girih/cute"
	"girih/internal/ints"
	"girih/symbolic"
)

// A Case is a range of values of the run-time integers of a tensor, for which [Cases] plans a copy. A plan depends on
// few questions about these integers, such as which mode is contiguous, or whether one mode continues another. Each
// question that the facts leave open divides the case in two.
type Case struct {
	tensor  symbolic.Layout
	answers []reply
	asked   int              // the number of answers that the plan has used
	values  symbolic.Values  // the values of symbols that an answer makes a number
	room    map[string]int64 // the lower bound of an extent, by its text
}

// A reply is the answer to a question in a case.
type reply struct {
	question symbolic.Guard
	holds    bool
	usual    bool // the answer in the first case
}

// An Outcome is the plan of a copy in one case.
type Outcome struct {
	When symbolic.Guard // the condition of the case
	Plan Plan
	Err  error // why there is no plan in this case
}

// maxCases limits the cases of a tensor.
const maxCases = 128

// Cases plans the copy of a tensor with run-time integers: it calls plan for each case, which plan puts into
// [Copy.Case]. The first case is the usual one, in which no two strides coincide. The error has the code CodeLimit for
// more than 128 cases.
func Cases(tensor symbolic.Layout, plan func(*Case) (Plan, error)) ([]Outcome, error) {
	var all []Outcome
	var answers []reply
	for len(all) < maxCases {
		c := &Case{tensor: tensor, answers: answers, values: make(symbolic.Values), room: make(map[string]int64)}
		p, err := plan(c)
		if when, ok := c.when(); ok {
			all = append(all, Outcome{When: when, Plan: p, Err: err})
		}
		answers = c.answers[:c.asked]
		for len(answers) > 0 && answers[len(answers)-1].holds != answers[len(answers)-1].usual {
			answers = answers[:len(answers)-1]
		}
		if len(answers) == 0 {
			return all, nil
		}
		answers = slices.Clone(answers)
		answers[len(answers)-1].holds = !answers[len(answers)-1].holds
	}
	return nil, refuse(cute.CodeLimit, "state facts such as K{div=8}, or give some integers their numbers",
		"the plan of %s depends on its run-time integers in more than %d ways", tensor, maxCases)
}

// when returns the conjunction of the answers; ok is false if it never holds.
func (c *Case) when() (when symbolic.Guard, ok bool) {
	for _, a := range c.answers[:c.asked] {
		q := a.question
		if !a.holds {
			q, _ = q.Not() // all questions can be negated
		}
		when = when.And(q)
	}
	holds, known := when.Decide()
	return when, holds || !known
}

// answer returns what the case knows about a question.
func (c *Case) answer(q symbolic.Guard) (holds, known bool) {
	if c == nil {
		return q.Decide()
	}
	g, err := q.With(c.values)
	if err != nil {
		return false, true
	}
	return g.Decide()
}

// is answers a question. If the facts do not answer it, is divides the case; the first case says no.
func (c *Case) is(q symbolic.Guard) bool { return c.ask(reply{q, false, false}) }

// expect is [Case.is], but the first case says yes.
func (c *Case) expect(q symbolic.Guard) bool { return c.ask(reply{q, true, true}) }

// ask answers the question of a reply by the facts, by an earlier answer, or by the reply.
func (c *Case) ask(first reply) bool {
	q := first.question
	if holds, known := c.answer(q); known {
		return holds
	}
	not, ok := q.Not()
	if !ok {
		return first.holds
	}
	for _, a := range c.answers[:c.asked] {
		switch a.question.String() {
		case q.String():
			return a.holds
		case not.String():
			return !a.holds
		}
	}
	if c.asked == len(c.answers) {
		c.answers = append(c.answers, first)
	}
	holds := c.answers[c.asked].holds
	c.asked++
	if holds {
		q.Fix(c.values)
	} else {
		not.Fix(c.values)
	}
	return holds
}

// value returns x with the numbers that the case gives to symbols.
func (c *Case) value(x symbolic.Int) symbolic.Int {
	if t, err := symbolic.Number(x).With(c.values); err == nil {
		x, _ = t.Int()
	}
	return x
}

// A tensor is the tensor of a copy; its integers may be known only at run time.
type tensor struct {
	layout symbolic.Layout
	shape  cute.Tuple // the shape with numbers for unknown extents; no answer depends on them
	at     *Case      // nil if all is known
}

// tensor returns the tensor of the copy.
func (c Copy) tensor() (tensor, error) {
	if c.Case == nil {
		return tensor{layout: symbolic.FromLayout(c.Global), shape: c.Global.Shape()}, nil
	}
	shape, err := c.Case.standIn(c.Case.tensor.Shape())
	return tensor{c.Case.tensor, shape, c.Case}, err
}

// standIn returns the shape with numbers for unknown extents, large enough for the tile.
func (c *Case) standIn(t symbolic.Tuple) (cute.Tuple, error) {
	if x, ok := t.Int(); ok {
		n, known := c.value(x).Int64()
		if !known {
			n = max(2, c.room[x.Numbered()])
		}
		return cute.Int(n), nil
	}
	var modes []cute.Tuple
	for _, m := range t.Modes() {
		known, err := c.standIn(m)
		if err != nil {
			return cute.Tuple{}, err
		}
		modes = append(modes, known)
	}
	return cute.MakeTuple(modes...)
}

// leaves lists the leaves of the tensor, with their names in the identity of its shape.
func (t tensor) leaves(identity cute.Layout) ([]leaf, error) {
	s, d := t.layout.Shape().Integers(), t.layout.Stride().Integers()
	var names []string
	for _, e := range identity.Stride().Flatten().Modes() {
		names = append(names, e.String())
	}
	if t.shape.IsInt() {
		names = []string{"1@0"} // CuTe's and girih's identity of one mode is s:1
	}
	if len(names) != len(s) {
		return nil, refuse(cute.CodeRank, "", "the tensor %s has too many modes", t.layout)
	}
	list := make([]leaf, len(s))
	for i := range s {
		list[i] = leaf{names[i], s[i], d[i]}
	}
	return list, nil
}

// cover finds where the tile is in modes of several leaves with unknown extents: the last leaf of a mode has no end,
// and for the other leaves it matters whether the tile reaches their end.
func (t *tensor) cover(tiler cute.Tiler) (err error) {
	if t.at == nil {
		return nil
	}
	if err := t.at.cover(t.layout, tiler); err != nil {
		return err
	}
	t.shape, err = t.at.standIn(t.layout.Shape())
	return err
}

func (c *Case) cover(l symbolic.Layout, tiler cute.Tiler) error {
	var each []cute.Tiler
	switch t := tiler.(type) {
	case cute.Layout:
		n, err := t.Cosize()
		if err != nil {
			return err
		}
		if n == t.Size() {
			return c.reach(l, n)
		}
		return c.within(l, n)
	case cute.Tile:
		each = t.Modes()
	case cute.Tuple:
		if n, ok := t.Int64(); ok {
			return c.reach(l, n)
		}
		for _, m := range t.Modes() {
			each = append(each, m)
		}
	}
	for i, m := range l.Modes() {
		if i < len(each) {
			if err := c.cover(m, each[i]); err != nil {
				return err
			}
		} else if !m.Shape().Static() {
			return refuse(cute.CodeUnknown, "give the tile an extent for it, 1 where the tile does not go along",
				"the tile has no extent for mode %d of the tensor, %s, and how long that mode is is not known", i, m)
		}
	}
	return nil
}

// within refuses a tile that takes the first n elements of l, unless they are within its first leaf, or all leaves but
// the last are known.
func (c *Case) within(l symbolic.Layout, n int64) error {
	list := l.Shape().Integers()
	for i, x := range list[:len(list)-1] {
		if i == 0 && c.expect(symbolic.NoMore(symbolic.Const(n), x)) {
			c.room[x.Numbered()] = max(n, c.room[x.Numbered()])
			return nil
		}
		if _, known := c.value(x).Int64(); !known {
			return unknownRow(l, x)
		}
	}
	return nil
}

func unknownRow(l symbolic.Layout, x symbolic.Int) error {
	return refuse(cute.CodeUnknown, "give that extent a number",
		"the tile goes along %s, and where it comes to the end of a row there depends on the extent %s", l, x.Numbered())
}

// reach finds which leaves of l the first n elements cover: a part of the first leaf, or whole leaves.
func (c *Case) reach(l symbolic.Layout, n int64) error {
	list := l.Shape().Integers()
	for _, x := range list[:len(list)-1] {
		if n <= 1 {
			return nil
		}
		if c.expect(symbolic.NoMore(symbolic.Const(n), x)) {
			c.room[x.Numbered()] = max(n, c.room[x.Numbered()])
			return nil
		}
		size, known := c.value(x).Int64()
		found := known
		for d := int64(1); d < n && !found; d++ {
			if n%d == 0 && c.is(symbolic.Same(x, symbolic.Const(d))) {
				size, known = c.value(x).Int64()
				found = true
			}
		}
		switch {
		case !found:
			return refuse(cute.CodeNotRepresentable, "take a tile that the extent divides, or that is no longer",
				"the tile has %d elements along %s, and goes on in the middle of a row of %s", n, l, x.Numbered())
		case !known:
			return unknownRow(l, x)
		}
		n = ints.CeilDiv(n, size)
	}
	return nil
}

// steady rejects a nonzero tile coordinate along a mode where its offset depends on an unknown extent.
func (t tensor) steady(tile cute.Tuple) error {
	if t.at == nil {
		return nil
	}
	numbers := tile.Modes()
	if tile.IsInt() {
		return nil // one mode
	}
	for i, m := range t.layout.Modes() {
		if i >= len(numbers) {
			break
		}
		if n, ok := numbers[i].Int64(); ok && n == 0 {
			continue
		}
		list := m.Shape().Integers()
		for _, x := range list[:len(list)-1] {
			if _, known := t.at.value(x).Int64(); !known {
				return refuse(cute.CodeUnknown, "give that extent a number, or take tile 0",
					"where tile %s of mode %d begins depends on the extent %s", numbers[i], i, x.Numbered())
			}
		}
	}
	return nil
}
