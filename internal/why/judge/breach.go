package judge

import (
	"fmt"
	"slices"
)

// A breach is the reason why an answer does not satisfy a definition, or why no layout does.
type breach struct {
	text string
	at   *Deviation // nil if the reason is not a wrong value
}

// because returns a breach with the formatted text.
func because(format string, args ...any) breach { return breach{text: fmt.Sprintf(format, args...)} }

// A Deviation is the first index at which an answer differs from the definition, and both values at this index.
type Deviation struct {
	Index int64 `json:"index"`           // the first index at which the answer is wrong
	Got   int64 `json:"got"`             // the value in the answer
	Want  int64 `json:"want"`            // the value by the definition
	Short bool  `json:"short,omitempty"` // the answer ends before the index, so there is no Got
}

// same compares an answer's value at index i with the value by the definition.
func same(i int, got, want int64) (Finding, breach) {
	if got == want {
		return Holds, breach{}
	}
	return Breaks, breach{
		text: fmt.Sprintf("at index %d the definition gives %d, the layout %d", i, want, got),
		at:   &Deviation{Index: int64(i), Got: got, Want: want},
	}
}

// sameTable compares a layout with the values that the layout should have.
func sameTable(r Leaves, want []int64) (Finding, breach) {
	size := r.Size()
	if size > MaxValues {
		return Breaks, because("more than %d elements for %d", MaxValues, len(want))
	}
	for i, got := range r.Table() {
		if i == len(want) {
			return Breaks, because("%d elements for %d", size, len(want))
		}
		if f, why := same(i, got, want[i]); f != Holds {
			return f, why
		}
	}
	if int(size) < len(want) {
		return Breaks, breach{
			text: fmt.Sprintf("%d elements for %d: index %d is missing, where the definition gives %d",
				size, len(want), size, want[size]),
			at: &Deviation{Index: size, Want: want[size], Short: true},
		}
	}
	return Holds, breach{}
}

// firstTwice names the smallest sum that occurs twice.
func (q Query) firstTwice(sums []int64) string {
	slices.Sort(sums)
	for i, x := range sums[1:] {
		if x == sums[i] {
			return q.offset(x)
		}
	}
	return "an offset"
}

// firstFree names the smallest offset that is not among the sums.
func (q Query) firstFree(sums []int64) string {
	if !q.A.IsInteger() {
		return ""
	}
	slices.Sort(sums)
	for i, x := range sums {
		if x != int64(i) {
			return fmt.Sprintf(": offset %d stays free", i)
		}
	}
	return ""
}

// offset returns the name of offset x. With coordinate strides x is a fingerprint, so the name has no number.
func (q Query) offset(x int64) string {
	if !q.A.IsInteger() {
		return "an offset"
	}
	return fmt.Sprintf("offset %d", x)
}
