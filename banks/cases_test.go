package banks_test

import (
	"fmt"
	"testing"

	"girih/banks"
	"girih/cute"
)

// memory reads a layout, or SWIZZLE@LAYOUT.
func memory(t failer, swizzle, layout string) banks.Memory {
	l := cute.MustParse(layout)
	if swizzle == "" {
		return l
	}
	var b, m, s int
	if n, err := fmt.Sscanf(swizzle, "Sw<%d,%d,%d>", &b, &m, &s); err != nil || n != 3 {
		t.Fatal(swizzle, err)
	}
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var (
	byThr = func(thr string) banks.Threads { return banks.Partition(cute.MustParse(thr)) }
	byTV  = func(tv string) banks.Threads { return banks.TV(cute.MustParse(tv)) }
)

// These are users' questions about bank conflicts, with checked answers (conformance/user_cases.json U085 to U091, and
// the threads cited there).
func TestQuestionsOfUsers(t *testing.T) {
	t.Parallel()
	const mmaC = "((4,8),(2,2,4)):((64,1),(32,8,256))" // rows t/4 (+8), columns 2(t%4) (+1, +8...) of a (32,32) matrix
	for _, c := range []struct {
		swizzle, layout string
		bits            int
		access          string
		threads         banks.Threads
		degree          int
	}{
		{"", "(8,32):(32,1)", 16, "ldmatrix.x4", banks.Threads{}, 4},
		{"Sw<3,3,3>", "(8,32):(32,1)", 16, "ldmatrix.x4", banks.Threads{}, 1},
		{"Sw<2,3,3>", "(8,32):(32,1)", 16, "ldmatrix.x4", banks.Threads{}, 1},
		{"", "(8,64):(64,1)", 16, "ldmatrix.x1", banks.Threads{}, 8},
		{"", "(8,64):(64,1)", 16, "ldmatrix.x4", banks.Threads{}, 8},
		{"Sw<2,3,3>", "(8,64):(64,1)", 16, "ldmatrix.x4", banks.Threads{}, 2},
		{"Sw<3,3,3>", "(8,64):(64,1)", 16, "ldmatrix.x4", banks.Threads{}, 1},
		{"Sw<3,4,3>", "(8,64):(64,1)", 16, "ldmatrix.x4", banks.Threads{}, 2},
		{"", "(128,8):(1,128)", 32, "st", byThr("(32,8):(8,1)"), 8},
		{"", "(128,8):(1,129)", 32, "st", byThr("(32,8):(8,1)"), 4},
		{"", "(128,8):(1,132)", 32, "st", byThr("(32,8):(8,1)"), 1},
		{"Sw<3,2,5>", "(128,8):(1,128)", 32, "st", byThr("(32,8):(8,1)"), 1},
		{"Sw<3,2,5>", "(128,8):(1,128)", 32, "ld", byThr("(16,1):(1,0)"), 1},
		{"", "(128,8):(1,128)", 32, "st", byThr("(32,8):(1,32)"), 1}, // NT
		{"", "(16,16):(16,1)", 16, "ldmatrix.x2.trans", banks.Threads{}, 2},
		{"Sw<1,3,3>", "(16,16):(16,1)", 16, "ldmatrix.x2.trans", banks.Threads{}, 1},
		{"", "(32,32):(32,1)", 32, "ld", banks.Rows(), 32},
		{"", "(32,32):(32,1)", 32, "ld", banks.Cols(), 1},
		{"Sw<5,0,5>", "(32,32):(32,1)", 32, "ld", banks.Rows(), 1},
		{"Sw<5,0,5>", "(32,32):(32,1)", 32, "st", banks.Cols(), 1},
		{"", "(32,32):(32,1)", 16, "st.v2", byTV(mmaC), 4},
		{"Sw<2,3,3>", "(32,32):(32,1)", 16, "st.v2", byTV(mmaC), 1},
		// Sw<3,3,4> for columns of (128,8) half by ldmatrix.trans (NVIDIA/cutlass#3172).
		{"", "(128,8):(1,128)", 16, "ldmatrix.x4.trans", banks.Threads{}, 8},
		{"Sw<3,3,3>", "(128,8):(1,128)", 16, "ldmatrix.x4.trans", banks.Threads{}, 2},
		{"Sw<3,3,4>", "(128,8):(1,128)", 16, "ldmatrix.x4.trans", banks.Threads{}, 1},
		// The vectors of 16 bytes are contiguous; other tools report 4-way conflicts.
		{"", "1024:1", 16, "ld.128", banks.Threads{}, 1},
		{"", "1024:1", 64, "ld.v2", banks.Threads{}, 1},
	} {
		mem := memory(t, c.swizzle, c.layout)
		plan, offsets := plan(t, "sm90", c.access, mem, c.bits, c.threads)
		got, err := plan.Count(offsets)
		if err != nil || got.Degree != c.degree {
			t.Errorf("%s %s of %v with %d bits, %s: %d-way, %v, want %d", c.access, c.swizzle, mem, c.bits, plan.How(),
				got.Degree, err, c.degree)
		}
	}
}

func plan(t failer, target, access string, mem banks.Memory, bits int, threads banks.Threads) (*banks.Plan, []int64) {
	a, err := banks.ParseAccess(access, bits)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := mustTarget(t, target).Rule(a)
	if err != nil {
		t.Fatal(err)
	}
	p, err := banks.NewPlan(rule, mem, bits, threads)
	if err != nil {
		t.Fatal(err)
	}
	offsets, err := mem.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, offsets
}
