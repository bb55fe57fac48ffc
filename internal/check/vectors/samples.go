package vectors

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"girih/internal/lang/eval"
)

// This file checks answers with run-time integers: at sample values, they must equal the answers for known integers.

const (
	sampleTries = 400  // the number of assignments that are drawn
	mostTries   = 4000 // the number that are drawn if few satisfy the guard
	fewSamples  = 5    // the number of assignments that must satisfy the guard of the answer
)

// chaining lists numbers that mostly divide one another, like the strides of a layout.
var chaining = []int64{1, 2, 3, 6, 12, 24, 48}

// holdsAtSamples reports whether the answer to an expression with run-time integers is right at every sampled
// assignment that its guard admits. The guard must admit at least fewSamples assignments.
func holdsAtSamples(expr string) bool {
	parts := strings.Split(expr, "?")
	if len(parts) == 1 {
		return false
	}
	random := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for try := range mostTries {
		if try >= sampleTries && valid >= fewSamples {
			break
		}
		at := make(map[string]int64, len(parts)-1)
		var known strings.Builder
		known.WriteString(parts[0])
		for i, p := range parts[1:] {
			x := 1 + random.Int64N(12)
			if random.IntN(2) == 0 {
				x = chaining[random.IntN(len(chaining))]
			}
			at["?"+strconv.Itoa(i+1)] = x
			known.WriteString(strconv.FormatInt(x, 10) + p)
		}
		var env eval.Env
		env.Set(at)
		rs, err := env.Eval(expr)
		if err != nil {
			continue
		}
		got := rs[len(rs)-1]
		if got.Static == "" {
			got.Form = got.Value
		}
		if got.Form == nil {
			continue // the guard does not hold there
		}
		b, offset := askKnown(known.String())
		if b.isRefusal() || !sameFrom(got.Form, b.value, offset) {
			return false
		}
		valid++
	}
	return valid >= fewSamples
}

// askKnown evaluates an expression with known integers. For a slice of a composed layout, it also returns the offset of
// the fixed modes, which a slice with run-time integers contains.
func askKnown(expr string) (b answer, offset int64) {
	b = ask(expr)
	rest, isSlice := strings.CutPrefix(expr, "slice(")
	if !isSlice || b.isRefusal() || b.value.Kind() != eval.KindComposed {
		return b, 0
	}
	b = ask("slice_and_offset(" + rest)
	parts, ok := b.value.(eval.List)
	if !ok {
		return b, 0
	}
	b.value = parts[0]
	if t, ok := parts[1].(eval.Tuple); ok {
		offset, _ = t.Int64()
	}
	return b, offset
}

// sameFrom reports whether two values are the same function once the offset is added to the second value, or have the
// same text.
func sameFrom(a, b eval.Value, offset int64) bool {
	x, okX := values(a)
	y, okY := values(b)
	if okX && okY {
		for i := range y {
			y[i] += offset
		}
		return slices.Equal(x, y)
	}
	return a.String() == b.String()
}
