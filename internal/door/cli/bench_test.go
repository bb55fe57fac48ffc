package cli_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"girih/internal/door/cli"
)

// lines returns n short expressions of several kinds, one a line.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 5 {
		case 0:
			b.WriteString("(6,2):(8,2) o (4,3):(3,1)\n")
		case 1:
			fmt.Fprintf(&b, "coalesce((%d,%d):(1,%d))\n", 1+i%9, 2+i%7, 1+i%9)
		case 2:
			b.WriteString("logical_divide((4,2,3):(2,1,8), 4:2)\n")
		case 3:
			fmt.Fprintf(&b, "(8,%d):(%d,1)(%d)\n", i%50+1, i%50+1, i%400)
		case 4:
			fmt.Fprintf(&b, "complement((4,2):(1,8), %d)\n", 64*(1+i%5))
		}
	}
	return b.String()
}

// BenchmarkLines measures all of girih eval - on 100,000 short expressions: the budget is a second.
func BenchmarkLines(b *testing.B) {
	for _, bench := range []struct {
		name string
		args []string
	}{
		{"text", []string{"eval", "-"}},
		{"json", []string{"eval", "--json", "-"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			in := lines(100_000)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if status := (cli.App{}).Main(bench.args, strings.NewReader(in), io.Discard, io.Discard); status != 0 {
					b.Fatalf("exit status %d", status)
				}
			}
		})
	}
}
