package traced

import (
	"slices"

	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file remembers what a variable is in the threads for which a condition holds. A thread that copies advances its
// stage in if (isProducer) { ...; ++stage; }. After it the stage differs from thread to thread, and in the next
// condition of the same threads it is a number again.

// A fact is a part of a condition that is always the same for a thread: a comparison, or a predicate.
type fact struct {
	op   byte // '<' or '='; 0 for a predicate
	a, b kernel.Index
	of   *interp.Traced // the predicate
}

// A split is the numbers, or the MMAs, that a variable has in the threads for which a condition holds, and in the
// others.
type split struct {
	facts  []fact
	values [2]interp.Value // where the condition holds, and elsewhere
}

// remember records the constants that the parts of a condition leave in variables.
func (t *Tracer) remember(c cond, slots []*slot) {
	if len(c.facts) == 0 {
		return
	}
	for _, s := range slots {
		v, ok := s.of.Value.(*interp.Traced)
		if !ok || len(s.values) != 2 {
			continue
		}
		_, isMMA := v.Of.(eitherMMA)
		if isMMA || isConstant(s.values[0]) && isConstant(s.values[1]) {
			if t.splits == nil {
				t.splits = make(map[*interp.Traced]split)
			}
			t.splits[v] = split{c.facts, [2]interp.Value{s.values[0], s.values[1]}}
		}
	}
}

// ValuesUnder returns the value that a value has in the threads for which a condition holds, and in the others.
func (t *Tracer) ValuesUnder(x *interp.Traced, v interp.Value) (then, otherwise interp.Value) {
	of, ok := v.(*interp.Traced)
	c, isCond := x.Of.(cond)
	if !ok || !isCond || len(c.facts) == 0 {
		return v, v
	}
	if s, ok := t.splits[of]; ok && slices.Equal(s.facts, c.facts) {
		return s.values[0], s.values[1]
	}
	return v, v
}

// elects reports whether a condition is a predicate that elects a thread.
func (c cond) elects() bool { return len(c.facts) == 1 && c.facts[0].op == 0 }

// bothFacts returns the facts of c && d; nil if they are not known.
func bothFacts(c, d cond) []fact {
	if len(c.facts) == 0 || len(d.facts) == 0 {
		return nil
	}
	return slices.Concat(c.facts, d.facts)
}
