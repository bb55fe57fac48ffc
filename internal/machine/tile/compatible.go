package tile

import (
	"fmt"
	"slices"

	"girih/cute"
)

// A PredicateShape is the shape that a copy expects of its predicate, and the actual shape: both (RestV,(Rest...)), as
// the CuTe DSL prints them in "'cute.copy' op expects pred to have compatible shape with: (1,(3)) but got actual
// predShape: (1,(2,3))". The rest modes of the data are grouped; a nested list of modes counts as its leaves.
type PredicateShape struct {
	Want cute.Tuple // the shape of the data: instructions in mode 0, then the rest
	Got  cute.Tuple // the shape of the predicate
}

// A PredicateFault says what is wrong with the shape of a predicate.
type PredicateFault struct {
	// Fault is "" if the shapes are compatible; "sliced" if the predicate has modes that were sliced from the data;
	// "values" if it has a truth value for each element where each instruction has one; "missing" if it lacks modes of
	// the data; "extents" if a mode has another extent; "rank" for anything else.
	Fault string
	Modes []int  // the excess modes of the predicate, counted as leaves from 0
	Text  string // the fault in words, with the numbers
}

// Judge says why a copy refuses the shape, and in which modes.
func (s PredicateShape) Judge() PredicateFault {
	want, got := s.Want.Leaves(), s.Got.Leaves()
	switch {
	case slices.Equal(want, got):
		return PredicateFault{}
	case len(got) == len(want):
		return s.extents(want, got)
	case len(got) < len(want):
		return PredicateFault{
			Fault: "missing",
			Text: fmt.Sprintf("the predicate has %d modes, %v, for the %d of the data, %v: make it of the same partition, with "+
				"stride 0 along the modes on which it does not depend", len(got), s.Got, len(want), s.Want),
		}
	}
	if first := s.Got.Modes(); len(first) > 0 && !first[0].IsInt() && s.first().IsInt() {
		if n, err := first[0].Product(); err == nil && len(want) > 0 && n > want[0] {
			return PredicateFault{
				Fault: "values", Modes: []int{0},
				Text: fmt.Sprintf("mode 0 of the predicate has %d truth values, %v, where the data has %d instruction(s): an "+
					"instruction takes one for all values that it moves", n, first[0], want[0]),
			}
		}
	}
	extra := without(got, want)
	if extra == nil {
		return PredicateFault{
			Fault: "rank",
			Text:  fmt.Sprintf("the predicate has the modes %v, the data %v, and none of them can be left out", s.Got, s.Want),
		}
	}
	return PredicateFault{
		Fault: "sliced", Modes: extra,
		Text: fmt.Sprintf("the predicate still has %s, which the data lost when it was sliced: slice both",
			modesOf(extra, got)),
	}
}

// first returns mode 0 of the wanted shape.
func (s PredicateShape) first() cute.Tuple {
	if m := s.Want.Modes(); len(m) > 0 {
		return m[0]
	}
	return s.Want
}

// extents says which modes of two shapes of one rank differ.
func (s PredicateShape) extents(want, got []int64) PredicateFault {
	f := PredicateFault{Fault: "extents"}
	for i := range want {
		if want[i] == got[i] {
			continue
		}
		f.Modes = append(f.Modes, i)
		if f.Text != "" {
			f.Text += "; "
		}
		f.Text += fmt.Sprintf("mode %d of the predicate has %d, of the data %d", i, got[i], want[i])
		switch {
		case i == 0 && got[i] > want[i]:
			f.Fault = "values"
			f.Text += ": an instruction takes one truth value for all values that it moves"
		case want[i]%got[i] == 0:
			f.Text += ": give the predicate stride 0 there, with the extent of the data"
		}
	}
	return f
}

// without returns places of a such that removing them gives b, preferring later ones, or nil if there are none.
func without(a, b []int64) []int {
	extra := make([]int, 0, len(a)-len(b))
	j := len(b) - 1
	for i := len(a) - 1; i >= 0; i-- {
		if j >= 0 && a[i] == b[j] {
			j--
			continue
		}
		extra = append([]int{i}, extra...)
	}
	if j >= 0 {
		return nil
	}
	return extra
}

// modesOf names modes with their extents.
func modesOf(modes []int, extents []int64) string {
	text := ""
	for i, m := range modes {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("mode %d of extent %d", m, extents[m])
	}
	return text
}
