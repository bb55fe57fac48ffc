package vectors

import (
	"slices"

	"girih/internal/lang/eval"
	"girih/internal/why/judge"
)

// This file compares girih's value with the recorded value, for operations without a definition here and for operands
// that are not plain layouts.

// compare returns the verdict on a value whose text the file records.
func compare(a answer, want string) outcome {
	if a.isRefusal() {
		return fail(a, want, "girih refuses")
	}
	w := ask(want)
	if w.isRefusal() {
		return fail(a, want, "girih does not read the recorded result: "+w.text())
	}
	if a.text() == w.text() && a.value.Kind() == w.value.Kind() {
		return pass()
	}
	got, okGot := judge.ReadLayout(innermost(a.value))
	rec, okRec := judge.ReadLayout(innermost(w.value))
	if !okGot || !okRec {
		return fail(a, w.text(), "another value")
	}
	if a.value.Kind() == w.value.Kind() && outside(a.value) == outside(w.value) {
		if k, ok := textDifference(rec, got); ok {
			return differ(k, a, w.text())
		}
	}
	if outside(a.value) != "" && sameValues(a.value, w.value) {
		return differ(keptChain, a, w.text())
	}
	return fail(a, w.text(), "another value")
}

// textDifference returns the documented kind of difference between two texts of the same function.
func textDifference(rec, got judge.Mode) (kind, bool) {
	switch {
	case withoutUnits(rec) == withoutUnits(got):
		return unitStride, true
	case !coalescesTo(rec, got):
		return 0, false
	case units(rec) > units(got), rec.Tuple && len(rec.Kids) == 0:
		return unitMode, true
	}
	return uncoalesced, true
}

// withoutUnits returns the text of m, with stride 0 at every leaf of extent 1.
func withoutUnits(m judge.Mode) string {
	var zero func(m judge.Mode) judge.Mode
	zero = func(m judge.Mode) judge.Mode {
		if !m.Tuple && m.S == 1 {
			m.D = 0
		}
		m.Kids = slices.Clone(m.Kids)
		for i, k := range m.Kids {
			m.Kids[i] = zero(k)
		}
		return m
	}
	return zero(m).String()
}

// innermost returns the text of the layout that is applied first to coordinates.
func innermost(v eval.Value) string {
	if c, ok := v.(eval.Composed); ok {
		return c.Layout().String()
	}
	return v.String()
}

// outside returns the text of the functions that a composed layout applies after its innermost layout.
func outside(v eval.Value) string {
	if _, ok := v.(eval.Composed); !ok {
		return ""
	}
	text, in := v.String(), innermost(v)
	return text[:len(text)-len(in)]
}

// sameValues reports whether two functions have the same values at all indices.
func sameValues(a, b eval.Value) bool {
	va, okA := values(a)
	vb, okB := values(b)
	return okA && okB && slices.Equal(va, vb)
}

func values(v eval.Value) ([]int64, bool) {
	switch f := v.(type) {
	case eval.Layout:
		if f.Size() > judge.MaxValues || f.HasBasis() {
			return nil, false
		}
		t, err := f.AppendOffsets(nil)
		return t, err == nil
	case eval.Composed:
		if f.Size() > judge.MaxValues {
			return nil, false
		}
		t, err := f.AppendOffsets(nil)
		return t, err == nil
	}
	return nil, false
}

// coalescesTo reports whether coalescing some parts of m gives got. The two nest alike, except that a leaf or a shorter
// flat tuple of got may replace a tuple of m that is the same function.
func coalescesTo(m, got judge.Mode) bool {
	if m.Tuple && got.Tuple && len(m.Kids) == len(got.Kids) {
		all := true
		for i := range m.Kids {
			all = all && coalescesTo(m.Kids[i], got.Kids[i])
		}
		if all {
			return true
		}
	}
	if !m.Tuple && got.Tuple || len(m.Kids) == 1 {
		return false // (8) and 8 differ in nesting only, not by coalescing
	}
	return inFewestLeaves(got) && m.Leaves().Equal(got.Leaves())
}

// inFewestLeaves reports whether m is a leaf, or a flat tuple of leaves that cannot be merged with their neighbours.
func inFewestLeaves(m judge.Mode) bool {
	for _, k := range m.Kids {
		if k.Tuple {
			return false
		}
	}
	return len(m.Kids) <= 1 || len(m.Leaves().Coalesce()) == len(m.Kids)
}

// units returns the number of leaves of extent 1.
func units(m judge.Mode) int {
	n := 0
	for _, l := range m.Leaves() {
		if l.S == 1 {
			n++
		}
	}
	return n
}
