package examples_test

import (
	"os"
	"path"
	"strings"
	"testing"

	"girih/examples"
)

// cuteLines is the number of lines of code in CUTLASS 4 for each kernel and the functions that set it up and launch it:
// all lines before main, without blank lines and comments. Files after several originals are not in it.
var cuteLines = map[string]int{
	"examples/cute/tutorial/sgemm_1.cu": 209, "examples/cute/tutorial/sgemm_2.cu": 245,
	"examples/cute/tutorial/sgemm_sm70.cu": 269, "examples/cute/tutorial/sgemm_sm80.cu": 387,
	"examples/cute/tutorial/hopper/wgmma_sm90.cu": 293, "examples/cute/tutorial/hopper/wgmma_tma_sm90.cu": 248,
}

// TestLength checks that no kernel has more lines of code than its original.
func TestLength(t *testing.T) {
	t.Parallel()
	for _, x := range examples.All() {
		if cuteLines[x.CuTe] == 0 {
			continue
		}
		data, err := os.ReadFile(strings.TrimSuffix(path.Base(x.CuTe), ".cu") + ".go")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for l := range strings.Lines(string(data)) {
			if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "//") {
				n++
			}
		}
		t.Logf("%s: %d lines, and %d in CuTe", x.Name, n, cuteLines[x.CuTe])
		if n > cuteLines[x.CuTe] {
			t.Errorf("%s has %d lines, and CuTe's %d", x.Name, n, cuteLines[x.CuTe])
		}
	}
}
