package analyze_test

import (
	"testing"

	"girih/analyze"
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
	var c analyze.Count
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
