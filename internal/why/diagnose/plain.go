package diagnose

import (
	"fmt"
	"strings"

	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// plainRules lists messages whose words are enough evidence anywhere in a text.
var plainRules = ruleList{
	{says: "mismatched ranks", op: "", tool: toolCute, demand: "the two operands of the call have the same number of modes"},
	{says: "shape and stride|congruent", op: "make_layout", tool: toolDSL, look: writtenOperation, demand: "shape and stride have the same nesting"},
}

// unknown describes a message that is in no table: the rule that the message states with the values near it, what it
// expected and found, and the values of the innermost frame.
func (f *failure) unknown() {
	frameLayouts(f)
	stated := f.judgeStated()
	if !stated {
		stated = f.expectation()
	}
	switch {
	case f.Condition != "" || stated:
	case f.m.requirement != "" && f.m.requirement != "C<false>::value":
		f.Condition = "false: " + oneLine(f.m.requirement)
	case reAsserts.MatchString(f.m.source):
		f.Condition = "false: " + oneLine(f.m.source)
	}
	if len(f.Operands) == 0 && !stated {
		f.read()
	}
	if !stated && f.Condition == "" {
		f.missing("the rule that failed: the message has no rule that girih reads; the source of the check has it")
	}
}

// read uses the values that the reader finds in the message as the operands.
func (f *failure) read() {
	for _, it := range reader.Read(f.m.body[:min(len(f.m.body), maxValue)]).Items {
		if it.Fault == "" && len(f.Operands) < 4 && it.Record != "assertion" {
			f.operand(it.Name, it.Text)
		}
	}
}

// reAsserts finds a line of source that asserts a condition.
const reAsserts = pattern.Pattern(`^\s*(?:assert\b|(?:CUTE_)?static_assert|[A-Z_]*(?:CHECK|ASSERT)[A-Z_]*\s*\()`)

// expectation uses the expected and actual values of a message that has no numbers.
func (f *failure) expectation() bool {
	m := reExpects.FindStringSubmatch(f.m.text)
	if m == nil || len(m[1]) > maxKnown {
		return false
	}
	f.Demand, f.Condition = oneLine(m[1]), "got "+oneLine(m[2])
	return true
}

// maxLayouts limits the layouts that are read from a text without a failure.
const maxLayouts = 32

// layouts returns the layouts in a text without a failure, with notes on each.
func layouts(text string, e *evaluator) []Layout {
	var ls []Layout
	for _, it := range reader.ReadWithin(text, reader.Limits{Stop: e.limit}).Items {
		if len(ls) == maxLayouts || e.isStopped() {
			break
		}
		switch it.Kind {
		case reader.KindLayout, reader.KindComposed, reader.KindTile, reader.KindExpression, reader.KindOffsets,
			reader.KindSwizzle:
		default:
			continue
		}
		l := Layout{Name: it.Name, Value: it.Text}
		switch {
		case it.Fault != "":
			l.Notes = []string{"no valid value: " + it.Fault}
		case it.Kind == reader.KindLayout:
			l.Notes = e.properties(it.Text)
		case it.Kind == reader.KindExpression:
			l.Notes = e.notes(it.Text)
		}
		ls = append(ls, l)
	}
	return ls
}

// maxResult limits the length, in bytes, of a value that is shown: the value may be a list of millions of numbers.
const maxResult = 4096

// notes describes the value of an expression in the text.
func (e *evaluator) notes(text string) []string {
	r, err := e.eval(text)
	if err != nil {
		return []string{err.Error()}
	}
	v := r.Value.String()
	if len(v) > maxResult {
		v = strings.ToValidUTF8(v[:maxResult], "") + " ..."
	}
	return append([]string{"= " + v}, r.Notes...)
}

// maxInt32 is the largest offset that fits in an int.
const maxInt32 = 1<<31 - 1

// properties lists properties of a layout that are probably not intended: several indices with the same offset, offsets
// that do not fit in 32 bits, gaps.
func (e *evaluator) properties(text string) []string {
	l, ok := layout(text)
	if !ok || l.HasBasis() {
		return nil
	}
	cosize, err := l.Cosize()
	if err != nil {
		return []string{err.Error()}
	}
	notes := []string{fmt.Sprintf("%d elements, offsets below %d", l.Size(), cosize)}
	if cosize > maxInt32 {
		notes = append(notes, fmt.Sprintf(
			"overflow: offsets up to %d do not fit 32 bits; CuTe computes with int where the integers are int", cosize-1))
	}
	inj, w, err := l.Composed().Until(e.limit).IsInjective()
	switch {
	case err == nil && !inj && w != nil && w.Other != nil:
		notes = append(notes, fmt.Sprintf("alias: %s and %s both have the offset %s", w.Coord, *w.Other, w.Value))
	case err == nil && inj && cosize > l.Size():
		notes = append(notes, fmt.Sprintf("gaps: %d of the %d offsets are unused", cosize-l.Size(), cosize))
	case err == nil && inj:
		notes = append(notes, "compact: each offset below its size once")
	}
	return notes
}
