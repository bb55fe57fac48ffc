package swizzle_test

import (
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"
)

// access returns an access of sm90 to a tile.
func access(b testing.TB, name string, elemBits int, l banks.Memory, threads banks.Threads) swizzle.Access {
	b.Helper()
	p, err := banks.NewPlan(rule(b, "sm90", name, elemBits), l, elemBits, threads)
	if err != nil {
		b.Fatal(err)
	}
	return swizzle.Access{Name: name, Plan: p}
}

// BenchmarkSolve solves a tile of 128x64 half elements with a store of rows and a load of matrices: a single swizzle.
func BenchmarkSolve(b *testing.B) {
	l := cute.MustParse("(128,64):(64,1)")
	p := swizzle.Problem{Layout: l, ElemBits: 16, Accesses: []swizzle.Access{
		access(b, "ldmatrix.x4", 16, l, banks.Threads{}),
		access(b, "st.128", 16, l, banks.Partition(cute.MustParse("(16,8):(8,1)"), cute.MustParse("(1,8):(0,1)"))),
	}}
	solve(b, p, swizzle.KindSwizzle)
}

// BenchmarkSolveMap solves a tile that needs a general map: no single swizzle serves the distances between a matrix's
// rows.
func BenchmarkSolveMap(b *testing.B) {
	l := cute.MustParse("(128,64):(64,1)")
	p := swizzle.Problem{Layout: l, ElemBits: 16, Accesses: []swizzle.Access{
		access(b, "ld.128", 16, l, banks.TV(cute.MustParse("((8,4),(8,8,4)):((1,8),(128,1024,32))"))),
		access(b, "st.128", 16, l, banks.TV(cute.MustParse("((8,4),(8,8,2,2)):((8,1),(128,1024,4,64))"))),
	}}
	solve(b, p, swizzle.KindMap)
}

// BenchmarkSolveImpossible solves for a load of matrices and a load of columns, which no map frees.
func BenchmarkSolveImpossible(b *testing.B) {
	l := cute.MustParse("(128,64):(64,1)")
	p := swizzle.Problem{Layout: l, ElemBits: 16, Accesses: []swizzle.Access{
		access(b, "ldmatrix.x4", 16, l, banks.Threads{}),
		access(b, "ld.16", 16, l, banks.Rows()),
	}}
	solve(b, p, swizzle.KindImpossible)
}

func solve(b *testing.B, p swizzle.Problem, want swizzle.Kind) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		sol, err := swizzle.Solve(p)
		if err != nil || sol.Kind != want {
			b.Fatal(sol.Kind, sol.Swizzles, sol.Proof, err)
		}
	}
}

// BenchmarkRecognize recognises a swizzled tile of 128x64.
func BenchmarkRecognize(b *testing.B) {
	b.ReportAllocs()
	c, err := cute.NewComposed(mustSwizzle(b, 3, 3, 3), cute.Int(0), cute.MustParse("((8,16),64):((64,512),1)"))
	if err != nil {
		b.Fatal(err)
	}
	table, err := c.AppendOffsets(nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := swizzle.Recognize(table); err != nil {
			b.Fatal(err)
		}
	}
}

func mustSwizzle(b testing.TB, x, y, z int) cute.Swizzle {
	b.Helper()
	w, err := cute.NewSwizzle(x, y, z)
	if err != nil {
		b.Fatal(err)
	}
	return w
}
