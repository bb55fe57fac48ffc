package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/why/explain"
)

// TestBankAlternatives checks that every alternative in an explanation is free of conflicts.
func TestBankAlternatives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout, access string
		bits           int
	}{
		{"(8,64):(64,1)", "ldmatrix.x4", 16},
		{"(32,32):(32,1)", "ld.32", 32},
		{"(16,32):(32,1)", "ld.128", 32},
		{"(64,32):(32,1)", "ldmatrix.x2", 16},
	} {
		l := cute.MustParse(c.layout)
		p := plan(l, c.bits, c.access)
		x, err := explain.Bank(l, c.bits, p)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := p.Count(nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d wavefronts, %d without conflicts", sum.Wavefronts, sum.Ideal); x.Result != want {
			t.Errorf("%s %s: %s, want %s", c.layout, c.access, x.Result, want)
		}
		for _, a := range x.Instead {
			if strings.HasPrefix(a.Expr, "Sw") || a.Expr == "" {
				continue // swizzle.Solve has already simulated this alternative
			}
			o, err := cute.MustParse(a.Expr).AppendOffsets(nil)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := p.Count(o); err != nil || n.Wavefronts != n.Ideal {
				t.Errorf("%s: %d wavefronts, %d without conflicts, %v", a.Expr, n.Wavefronts, n.Ideal, err)
			}
		}
	}
}

func BenchmarkBank(b *testing.B) {
	l := cute.MustParse("(8,64):(64,1)")
	p := plan(l, 16, "ldmatrix.x4")
	for b.Loop() {
		if _, err := explain.Bank(l, 16, p); err != nil {
			b.Fatal(err)
		}
	}
}
