package conform

import (
	"slices"

	"girih/internal/lang/eval"
)

// This file compares girih's value with the one that a file records, where the operation has no definition here or
// the operands are not plain layouts.

// compare gives the verdict on a value whose text the file records.
func compare(a answer, want string) outcome {
	if a.refused() {
		return fail(a, want, "girih refuses")
	}
	w := ask(want)
	if w.refused() {
		return fail(a, want, "girih does not read the recorded result: "+w.text())
	}
	if a.text() == w.text() && a.value.Kind() == w.value.Kind() {
		return pass()
	}
	got, okGot := readLayout(innermost(a.value))
	rec, okRec := readLayout(innermost(w.value))
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

// textDifference returns the documented kind of two texts of one function.
func textDifference(rec, got mode) (kind, bool) {
	switch {
	case rec.text(true) == got.text(true):
		return unitStride, true
	case !rec.coalescesTo(got):
		return 0, false
	case rec.units() > got.units(), rec.tuple && len(rec.kids) == 0:
		return unitMode, true
	}
	return uncoalesced, true
}

// innermost returns the text of the layout that takes the coordinates.
func innermost(v eval.Value) string {
	if c, ok := v.(eval.Composed); ok {
		return c.Layout().String()
	}
	return v.String()
}

// outside returns the text of what a composed layout applies after its innermost layout.
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
		if f.Size() > maxTable || f.HasBasis() {
			return nil, false
		}
		t, err := f.AppendOffsets(nil)
		return t, err == nil
	case eval.Composed:
		if f.Size() > maxTable {
			return nil, false
		}
		t, err := f.AppendOffsets(nil)
		return t, err == nil
	}
	return nil, false
}
