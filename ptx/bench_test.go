package ptx

import (
	"strings"
	"testing"
)

// benchText is PTX of compilers, of at least the given length: whole files, one after the other.
func benchText(b *testing.B, atLeast int) string {
	all := files(b)
	var text strings.Builder
	text.WriteString(".version 9.0\n.target sm_90a\n.address_size 64\n")
	for text.Len() < atLeast {
		for _, name := range []string{"wgmma.sm_90a.ptx", "triton_attention.sm_90a.ptx", "transpose.sm_90a.ptx", "control.sm_90a.ptx"} {
			_, body, _ := strings.Cut(all[name], ".address_size 64\n")
			text.WriteString(body)
		}
	}
	return text.String()
}

// 100 kB are to be read in 5 ms, 20 MB/s.
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
