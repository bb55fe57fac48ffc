package banks_test

import (
	"testing"

	"girih/banks"
)

func benchmarkCount(b *testing.B, access string, stride int64) {
	rule, err := mustTarget(b, "sm90").Rule(mustAccess(b, access))
	if err != nil {
		b.Fatal(err)
	}
	addrs := make([]int64, 32)
	for l := range addrs {
		addrs[l] = int64(l) * stride
	}
	b.ReportAllocs()
	var c banks.Count
	for b.Loop() {
		if c, err = rule.Count(addrs); err != nil {
			b.Fatal(err)
		}
	}
	if c.Wavefronts == 0 {
		b.Fatal("no wavefronts")
	}
}

func BenchmarkCountLd32Free(b *testing.B)     { benchmarkCount(b, "ld.32", 4) }
func BenchmarkCountLd32Conflict(b *testing.B) { benchmarkCount(b, "ld.32", 128) }
func BenchmarkCountLd128(b *testing.B)        { benchmarkCount(b, "ld.128", 16) }
func BenchmarkCountLdmatrixFree(b *testing.B) { benchmarkCount(b, "ldmatrix.x4", 144) }
func BenchmarkCountLdmatrix8Way(b *testing.B) { benchmarkCount(b, "ldmatrix.x4", 128) }

// BenchmarkLdmatrix32x8 is a whole analysis of 32 x 8 halves by ldmatrix.x4: the offsets of a swizzled layout, the
// plan, and the wavefronts.
func BenchmarkLdmatrix32x8(b *testing.B) {
	mem := memory(b, "Sw<3,3,3>", "(32,8):(64,1)")
	rule, err := mustTarget(b, "sm90").Rule(mustAccess(b, "ldmatrix.x4"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := banks.NewPlan(rule, mem, 16, banks.Threads{})
		if err != nil {
			b.Fatal(err)
		}
		if c, err := p.Count(nil); err != nil || c.Degree != 1 {
			b.Fatal(c, err)
		}
	}
}

// BenchmarkLdmatrix32x8Planned analyses one more layout with an existing plan.
func BenchmarkLdmatrix32x8Planned(b *testing.B) {
	mem := memory(b, "Sw<3,3,3>", "(32,8):(64,1)")
	p, offsets := plan(b, "sm90", "ldmatrix.x4", mem, 16, banks.Threads{})
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if offsets, err = mem.AppendOffsets(offsets[:0]); err != nil {
			b.Fatal(err)
		}
		if c, err := p.Count(offsets); err != nil || c.Degree != 1 {
			b.Fatal(c, err)
		}
	}
}
