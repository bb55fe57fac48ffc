package service

import (
	"cmp"
	"fmt"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// This file reads what the analyses of shared and global memory share: a memory, the type of its elements, a machine,
// and which elements the threads access.

// An accessJob is the checked common part of a request.
type accessJob struct {
	expr    string
	memory  banks.Memory
	typ     dtype.Type
	target  banks.Target
	asked   []string     // the accesses as the request writes them
	names   []string     // the instruction of each
	threads []threadSpec // of each
	notes   []string
}

// A threadSpec is an assignment of elements to threads, with its text in the request.
type threadSpec struct {
	banks.Threads
	text string
	tv   *cute.Layout // the thread-value layout, if it is one
}

// accessJob reads the common part of a request.
func (s *Session) accessJob(req BankRequest) (*accessJob, Fault, *report.Error) {
	j := &accessJob{expr: req.Expr}
	var info *report.Error
	if j.typ, info = elementType(req.Type); info != nil {
		return nil, Fault{Usage: true}, info
	}
	var err error
	if j.target, err = banks.ParseTarget(cmp.Or(req.Target, DefaultTarget)); err != nil {
		return nil, Fault{Usage: true}, report.Of(report.Under("", err))
	}
	j.asked = splitList(req.Accesses)
	var threads []string
	if j.names, threads, info = splitAccesses(j.asked, req.Threads); info != nil {
		return nil, Fault{Usage: true}, info
	}
	last, notes, info := s.lastTyped(req.Expr)
	if info != nil {
		return nil, Fault{In: req.Expr}, info
	}
	j.notes = notes
	if j.memory, err = memoryOf(last.Value); err != nil {
		return nil, Fault{In: req.Expr}, j.inExpr(err)
	}
	for _, text := range threads {
		spec, fault, info := s.threadSpec(text)
		if info != nil {
			return nil, fault, info
		}
		spec.Threads = spec.Until(s.stop)
		j.threads = append(j.threads, spec)
	}
	return j, Fault{}, nil
}

// splitList splits each text at the commas outside parentheses: "ld@cols, st@(32,8):(1,32)" has two accesses.
func splitList(texts []string) []string {
	var list []string
	for _, text := range texts {
		depth, from := 0, 0
		for i := range len(text) {
			switch text[i] {
			case '(', '<':
				depth++
			case ')', '>':
				depth--
			case ',':
				if depth == 0 {
					list, from = append(list, strings.TrimSpace(text[from:i])), i+1
				}
			}
		}
		list = append(list, strings.TrimSpace(text[from:]))
	}
	return list
}

// splitAccesses splits instructions from their threads. A separate list of threads applies to all accesses, or item
// by item to each.
func splitAccesses(accesses, threads []string) (names, each []string, info *report.Error) {
	if n := len(threads); n > 1 && n != len(accesses) {
		return nil, nil, usage("expected the threads of all accesses once, or once for each of the %d, found %d",
			len(accesses), n)
	}
	for i, a := range accesses {
		name, spec, has := strings.Cut(a, "@")
		switch {
		case has && len(threads) > 0:
			return nil, nil, usage("%s has threads after @, and threads are given separately, too", a)
		case len(threads) == 1:
			spec = threads[0]
		case len(threads) > 1:
			spec = threads[i]
		}
		if has && strings.TrimSpace(spec) == "" {
			return nil, nil, usage("%s has nothing after @: expected rows, cols, a thread-value layout, or thr T val V", a)
		}
		names, each = append(names, strings.TrimSpace(name)), append(each, spec)
	}
	return names, each, nil
}

// inExpr returns an error about the whole expression.
func (j *accessJob) inExpr(err error) *report.Error {
	info := report.Of(err)
	info.End = len(j.expr)
	return info
}

// memoryOf returns a value as a memory: a layout, a composed layout, a layout with F2 strides, or the compact
// column-major layout of a shape.
func memoryOf(v eval.Value) (banks.Memory, error) {
	switch v := v.(type) {
	case nil:
		return nil, report.ErrNothing
	case eval.Layout:
		return v.Layout, nil
	case eval.Composed:
		return v.Composed, nil
	case eval.Xor:
		return v.XorLayout, nil
	case eval.Tuple:
		return cute.LayoutLeft(v.Tuple)
	case eval.Swizzle:
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "bank", Msg: fmt.Sprintf("expected a layout, found the swizzle %v", v),
			Hint: fmt.Sprintf("apply it to one: %v o 0 o (8,64):(64,1)", v),
		}
	case eval.DynamicLayout, eval.DynamicComposed, eval.DynamicTuple:
		return nil, &cute.Error{
			Code: cute.CodeUnknown, Op: "bank", Msg: fmt.Sprintf("addresses need integers that are known, found %v", v),
			Hint: "write numbers in the place of the run-time integers",
		}
	}
	return nil, &cute.Error{
		Code: cute.CodeType, Op: "bank",
		Msg: fmt.Sprintf("expected a layout, found a value of kind %s: %v", v.Kind(), v),
	}
}

// threadSpec reads which elements the threads access: nothing, rows, cols, a thread-value layout with or without tv
// before it, or thr LAYOUT, or thr LAYOUT val LAYOUT.
func (s *Session) threadSpec(text string) (threadSpec, Fault, *report.Error) {
	spec := threadSpec{text: text}
	word, rest := firstWord(text)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		return spec, Fault{}, nil
	case "rows":
		spec.Threads = banks.Rows()
		return spec, Fault{}, nil
	case "cols", "columns":
		spec.Threads = banks.Cols()
		return spec, Fault{}, nil
	}
	if word == "thr" {
		thrText, valText, hasVal := cutWord(rest, "val")
		parts := []string{thrText}
		if hasVal {
			parts = append(parts, valText)
		}
		layouts := make([]cute.Layout, 0, 2)
		for _, part := range parts {
			m, fault, info := s.threadLayout(part)
			if info != nil {
				return spec, fault, info
			}
			l, ok := m.(cute.Layout)
			if !ok {
				return spec, Fault{In: part}, report.Of(&cute.Error{
					Code: cute.CodeType, Op: "bank",
					Msg: fmt.Sprintf("expected a layout, found %v", m),
				})
			}
			layouts = append(layouts, l)
		}
		spec.Threads = banks.Partition(layouts[0], layouts[1:]...)
		return spec, Fault{}, nil
	}
	if word == "tv" {
		text = rest
	}
	m, fault, info := s.threadLayout(text)
	if info != nil {
		return spec, fault, info
	}
	if l, ok := m.(cute.Layout); ok {
		spec.tv = &l
	}
	spec.Threads = banks.TV(m)
	return spec, Fault{}, nil
}

// threadLayout evaluates a layout of threads.
func (s *Session) threadLayout(text string) (banks.Memory, Fault, *report.Error) {
	last, _, info := s.last(text)
	if info == nil {
		var err error
		var m banks.Memory
		if m, err = memoryOf(last.Value); err == nil {
			return m, Fault{}, nil
		}
		info = report.Of(err)
		info.End = len(text)
	}
	if info.Hint == "" {
		info.Hint = "threads are rows, cols, a thread-value layout such as ((4,8),2):((64,1),32), or thr (32,8):(8,1) " +
			"val (1,4)"
	}
	return nil, Fault{In: text}, info
}

// firstWord returns the letters at the beginning of a text if followed by a blank, = or :, and the rest of
// the text.
func firstWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, " \t=:")
	if i < 0 {
		return "", text
	}
	return strings.ToLower(text[:i]), strings.TrimSpace(text[i+1:])
}

// cutWord splits a text around a word bounded on both sides by blanks or an end of the text.
func cutWord(text, word string) (before, after string, found bool) {
	fields := strings.Fields(text)
	for i, f := range fields {
		if name, rest, ok := strings.Cut(f, "="); f == word || (ok && name == word) {
			return strings.Join(fields[:i], " "), strings.Join(append([]string{rest}, fields[i+1:]...), " "), true
		}
	}
	return text, "", false
}

// notesOnThreads adds notes if elements are not accessed, or if a layout read as a thread-value layout looks like a
// map from coordinates to threads.
func (j *accessJob) notesOnThreads(plan banks.Period, spec threadSpec) []string {
	covered, size := int64(plan.Covered())*plan.Repeats, j.memory.Size()
	if covered == size {
		return nil
	}
	notes := []string{fmt.Sprintf("%d of the %d elements are accessed", covered, size)}
	if spec.tv == nil {
		return notes
	}
	thr := banks.Partition(*spec.tv)
	if p, err := banks.NewPlan(*plan.Rule(), j.memory, j.typ.Bits(), thr); err == nil && p.Threads() > plan.Threads() {
		notes = append(notes, fmt.Sprintf("%v is taken as a map from (thread,value) to the index of an element; if it "+
			"maps coordinates to threads, as thr_layout does, write 'thr %v'",
			spec.tv, spec.tv))
	}
	return notes
}
