package ptx

import (
	"strings"
	"testing"
)

// benchText returns at least atLeast bytes of compiler output: the bodies of whole files, one after the other.
func benchText(b *testing.B, atLeast int) string {
	all := files(b)
	var text strings.Builder
	text.WriteString(".version 9.0\n.target sm_90a\n.address_size 64\n")
	for text.Len() < atLeast {
		for _, name := range []string{"wgmma.sm_90a", "triton_attention.sm_90a", "transpose.sm_90a", "control.sm_90a"} {
			_, body, _ := strings.Cut(all[name+".ptx"], ".address_size 64\n")
			text.WriteString(body)
		}
	}
	return text.String()
}

// BenchmarkParse measures the speed of Parse; the goal is 100 kB in 5 ms, 20 MB/s.
func BenchmarkParse(b *testing.B) {
	src := benchText(b, 100_000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

// TestParseAllocations checks that a tree needs at most one allocation per 20 bytes of source.
func TestParseAllocations(t *testing.T) {
	src := files(t)["wgmma.sm_90a.ptx"]
	allocs := testing.AllocsPerRun(5, func() {
		if _, err := Parse(src); err != nil {
			t.Fatal(err)
		}
	})
	if most := float64(len(src) / 20); allocs > most {
		t.Errorf("%v allocations for %d bytes, the limit is %v", allocs, len(src), most)
	}
}

func BenchmarkPrint(b *testing.B) {
	m, err := Parse(benchText(b, 100_000))
	if err != nil {
		b.Fatal(err)
	}
	buf := m.appendTo(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = m.appendTo(buf[:0])
	}
}
