package swizzle_test

import (
	"errors"
	"fmt"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"
)

// TestAtomics solves for an access of two passes, whose conflicts cost twice as much, and for an access whose conflicts
// no layout removes.
func TestAtomics(t *testing.T) {
	t.Parallel()
	solve := func(access string, memory cute.Layout, threads banks.Threads) (swizzle.Solution, error) {
		plan, err := banks.NewPlan(rule(t, "sm90", access, 32), memory, 32, threads)
		if err != nil {
			t.Fatal(err)
		}
		return swizzle.Solve(swizzle.Problem{
			Layout: memory, ElemBits: 32, Accesses: []swizzle.Access{{Name: access, Plan: plan}},
		})
	}
	column := cute.MustParse("(32,32):(32,1)")
	s, err := solve("atom.cas.b32", column, banks.Rows())
	if err != nil || s.Before[0].Wavefronts != 2*32*32 || s.Before[0].Ideal != 2*32 || s.After[0].Wavefronts != 2*32 {
		t.Errorf("%+v, %v", s, err)
	}
	_, err = solve("atom.add.u32", column, banks.TV(cute.MustParse("(32,1):(0,0)")))
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotInjective {
		t.Errorf("all lanes at one word: %v", err)
	}

	// There are 64 words in 32 banks: two lanes conflict with any map, and cas pays twice.
	w, err := cute.NewSwizzle(1, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("64:1"))
	if err != nil {
		t.Fatal(err)
	}
	p := swizzle.Problem{Layout: memory, ElemBits: 32}
	for d := int64(1); d < 64; d++ {
		plan, err := banks.NewPlan(rule(t, "sm90", "atom.cas.b32", 32), memory, 32,
			banks.TV(cute.MustParse(fmt.Sprintf("(2,1):(%d,0)", d))))
		if err != nil {
			t.Fatal(err)
		}
		p.Accesses = append(p.Accesses, swizzle.Access{Name: "atom.cas.b32", Plan: plan})
	}
	if s, err = swizzle.Solve(p); err != nil || s.Best == nil || s.Best.Extra != 2 || s.Best.Least > 2 {
		t.Errorf("%+v, %v", s.Best, err)
	}
}
