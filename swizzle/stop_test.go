package swizzle_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"
)

// wild returns a layout of 2^n elements at unrelated distances, with an access to it.
func wild(t *testing.T, n int) swizzle.Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	shape, stride := make([]int64, n), make([]int64, n)
	for i := range n {
		shape[i], stride[i] = 2, random.Int64N(1<<30)
	}
	l, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
	if err != nil {
		t.Fatal(err)
	}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	access, err := banks.ParseAccess("ld", 16)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := target.Rule(access)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := banks.NewPlan(rule, l, 16, banks.Threads{})
	if err != nil {
		t.Fatal(err)
	}
	return swizzle.Problem{Layout: l, ElemBits: 16, Accesses: []swizzle.Access{{Name: "ld", Plan: plan}}}
}

// Stop ends every part of the search: whenever it returns an error, Solve returns that error.
func TestStop(t *testing.T) {
	t.Parallel()
	p := wild(t, 5)
	asked := 0
	p.Stop = func() error { asked++; return nil }
	if _, err := swizzle.Solve(p); err != nil {
		t.Fatal(err)
	}
	if asked < 10 {
		t.Errorf("a search of %d questions whether it may go on", asked)
	}
	late := errors.New("late")
	for at := 1; at <= asked; at += 1 + asked/3 {
		n := 0
		p.Stop = func() error {
			if n++; n >= at {
				return late
			}
			return nil
		}
		_, err := swizzle.Solve(p)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit || e.Msg != "late" || n != at {
			t.Errorf("stopped at question %d: %v after %d", at, err, n)
		}
	}
	own := &cute.Error{Code: cute.CodeNegative, Msg: "mine"}
	p.Stop = func() error { return own }
	if _, err := swizzle.Solve(p); !errors.Is(err, own) {
		t.Errorf("an error of the algebra: %v", err)
	}
}

// Steps that run once, before and between the searches, call Stop too.
func TestStopBetween(t *testing.T) {
	t.Parallel()
	p := wild(t, 12)
	asking := make(map[string]bool)
	p.Stop = func() error {
		pc := make([]uintptr, 16)
		frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			asking[f.Function[strings.LastIndex(f.Function, ".")+1:]] = true
		}
		return nil
	}
	if _, err := swizzle.Solve(p); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"prepare", "spanOf", "collect", "granules", "newColumnSearch"} {
		if !asking[name] {
			t.Errorf("%s does not ask whether it may go on", name)
		}
	}
}

// Tiles whose lanes never repeat a difference are refused before they fill the memory.
func TestClashLimit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("counts a million differences")
	}
	_, err := swizzle.Solve(wild(t, 17))
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit {
		t.Errorf("2^17 elements anywhere: %v", err)
	}
}

// A table that is neither a layout nor linear is refused soon, even with many swizzles to try. A table that is nearly a
// layout is refused by a limit.
func TestRecognizeNonlinear(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	table := make([]int64, 70000)
	for i := range table {
		table[i] = random.Int64N(1 << 40)
	}
	_, err := swizzle.Recognize(table)
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotRepresentable {
		t.Errorf("random offsets: %v", err)
	}
	if testing.Short() {
		t.Skip("compares 2^28 offsets")
	}
	for i := range table {
		table[i] = int64(i)
	}
	table[len(table)-1] = 1 << 50
	_, err = swizzle.Recognize(table)
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit {
		t.Errorf("one offset far away: %v", err)
	}
}
