//go:build !js

package service

import (
	"strings"
	"testing"

	"girih/internal/glossary"
)

// The example of a term has the value that the glossary gives. Package cli runs the examples that are commands.
func TestTermExamples(t *testing.T) {
	t.Parallel()
	for _, name := range glossary.Names() {
		x := glossary.Find(name, glossary.English)
		if strings.HasPrefix(x.Example, "girih ") {
			continue
		}
		var s Session
		if r := s.Eval(EvalRequest{Expr: x.Example}); r.Value != x.Value {
			t.Errorf("%s: %s is %s %v, the glossary says %s", x.Name, x.Example, r.Value, r.Error, x.Value)
		}
	}
}

// Help finds terms in any spelling, next to functions, notations and codes with the same name, in both languages.
func TestHelpTerms(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"quadpair":        {"quadpair\n  The 8 threads that execute one mma of Volta", "C++       SM70_QuadPair", "(4,2):(1,16)", "See also: ThrID"},
		"thr_mma":         {"ThrMMA\n"},
		"bank-conflict":   {"bank conflict\n"},
		"Bank Conflict":   {"bank conflict\n"},
		"codomain":        {"codomain\n  The set of offsets", "The code of an error"},
		"notation":        {"notation\n"},
		"LogicalDivide":   {"logical_divide(L, tiler)", "A ⊘ B"},
		"complement":      {"complement(A, cotarget?)\n", "A^*"},
		"layout":          {"shape:stride is a layout", "A function from coordinates to offsets"},
		"E<0>":            {"basis element"},
		"cute::ThrID":     {"ThrID"},
		"glossary":        {"The terms of the glossary", "admissible", "zipped product"},
		"SM70_QuadPair":   {"quadpair"},
		"rank over F2":    {"independent columns"},
		"dynamic integer": {"known when the kernel runs"},
	} {
		r := Help(HelpRequest{Name: name})
		for _, w := range want {
			if !r.OK || !strings.Contains(r.Text(100), w) {
				t.Errorf("Help(%s) = %s %v, want %q", name, r.Text(100), r.Error, w)
			}
		}
	}
	zh := Help(HelpRequest{Name: "codomain", Lang: "zh"})
	for _, w := range []string{"陪域", "论文      [0, cosize(L))", "示例：\n", "另见：domain", "The code of an error"} {
		if !strings.Contains(zh.Text(80), w) {
			t.Errorf("the help in Chinese is %s, want %q", zh.Text(80), w)
		}
	}
	if r := Help(HelpRequest{Name: "codomain", Lang: "fr"}); r.OK || r.Error == nil {
		t.Errorf("the help in French is %s, want an error", r.Text(80))
	}
	for name, want := range map[string]string{"quadpear": "quadpair", "warpgruop": "warpgroup", "conflicts": "conflict"} {
		if r := Help(HelpRequest{Name: name}); r.OK || !strings.Contains(strings.Join(r.Suggestions, ","), want) {
			t.Errorf("Help(%s) suggests %v, want %s", name, r.Suggestions, want)
		}
	}
}
