//go:build !js || kernels

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/kernel/copy"
	"girih/symbolic"
)

// This file reads the layouts of a copy. Two layouts of shapes and strides have one plan for all values of their
// run-time integers; swizzled layouts need a value for each integer.

// planCopy plans the copy of the layouts of a request. If the text of a layout has an error, in is that text.
func (s *Session) planCopy(q CopyRequest, o copy.Options) (p *copy.Plan, notes []string, info *report.Error, in string) {
	texts := [2]string{q.Src, q.Dst}
	var results [2]eval.Result
	for i, text := range texts {
		r, more, info := s.last(text)
		if info != nil {
			return nil, nil, info, text
		}
		traced := "at trace time: " + r.Static // says nothing new: the plan is for this layout
		results[i], notes = r, append(notes, slices.DeleteFunc(more, func(note string) bool { return note == traced })...)
	}
	if names := s.UnusedNames(); len(names) > 0 {
		hint := "they have none"
		if all := s.env.Symbols(); len(all) > 0 {
			hint = "they have: " + strings.Join(all, " ")
		}
		says := fmt.Sprintf("copy: the layouts have no run-time integer %q", names[0])
		return nil, nil, refusal(cute.CodeName, says, hint), ""
	}
	if src, dst, ok := openSides(results); ok {
		p, err := copy.NewSymbolic(src, dst, o)
		if err == nil && (results[0].Open != nil || results[1].Open != nil) {
			p, err = p.At(s.env.Values())
		}
		if err != nil {
			return nil, nil, report.Of(err), ""
		}
		return p, notes, nil, ""
	}
	var sides [2]cute.Inner
	for i, r := range results {
		m, err := memoryOf(r.Value)
		if err == nil {
			sides[i], err = innerOf(m)
		}
		if err != nil {
			info := report.Whole(report.Under("copy", err), texts[i])
			if info.Code == string(cute.CodeUnknown) {
				info.Hint = "give the run-time integers values, as in --set M=4096; " +
					"only layouts of shapes and strides have plans for all values"
			}
			return nil, nil, info, texts[i]
		}
	}
	p, err := copy.New(sides[0], sides[1], o)
	if err != nil {
		return nil, nil, report.Of(err), ""
	}
	return p, notes, nil, ""
}

// openSides returns the two sides as symbolic layouts. ok is false if all integers are known.
func openSides(results [2]eval.Result) (src, dst symbolic.Layout, ok bool) {
	var sides [2]symbolic.Layout
	for i, r := range results {
		v := r.Value
		if r.Open != nil {
			v = r.Open
		}
		if sides[i], ok = eval.Symbolic(v); !ok {
			return src, dst, false
		}
	}
	return sides[0], sides[1], !sides[0].Static() || !sides[1].Static()
}

// innerOf returns a memory as one side of a copy.
func innerOf(m any) (cute.Inner, error) {
	if l, ok := m.(cute.Inner); ok {
		return l, nil
	}
	return nil, &cute.Error{
		Code: cute.CodeNotRepresentable, Op: "copy", Msg: fmt.Sprintf("expected a layout with strides, found %v", m),
		Hint: "copies between linear layouts of registers: girih convert",
	}
}
