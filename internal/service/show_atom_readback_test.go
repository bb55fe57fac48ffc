package service

import (
	"testing"

	"girih/atom"
	"girih/internal/lang/codegen/atoms"
	"girih/internal/lang/eval"
)

// What show writes for the CuTe DSL is read back: every MMA instruction and every copy that the DSL has.
func TestDSLIsReadBack(t *testing.T) {
	t.Parallel()
	check := func(text, want string) {
		var s Session
		if r := s.Eval(EvalRequest{Expr: text}); r.Value != want {
			t.Errorf("%s: %q, %+v, want %s", text, r.Value, r.Error, want)
		}
	}
	n := 0
	for m := range atom.MMAs() {
		text := atoms.DSLMMA(m)
		if text == "" || m.Shape[0] == 64 && m.Shape[1]%64 != 0 { // the atom is a part of a wgmma
			continue
		}
		n++
		check(text, eval.MMAAtom{MMA: m}.String())
	}
	for c := range atom.Copies() {
		a, err := atom.MakeCopyAtom(c, c.ValueType())
		if text := atoms.DSLCopy(a); err == nil && text != "" {
			n++
			check(text, eval.CopyAtom{CopyAtom: a}.String())
		}
	}
	if n < 40 {
		t.Errorf("%d instructions were read", n)
	}
}
