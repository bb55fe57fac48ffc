package analyze_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"girih/analyze"
)

// TestH200 runs every access measured on an H200.
func TestH200(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../conformance/hardware/h200_shared_memory.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	target, err := analyze.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for s := bufio.NewScanner(f); s.Scan(); rows++ {
		var row struct {
			Op         string
			Name       string
			Addr       []*int64
			Wavefronts int
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		access, err := analyze.ParseAccess(row.Op, 0)
		if err != nil {
			t.Fatal(err)
		}
		addrs := make([]int64, len(row.Addr))
		for l, a := range row.Addr {
			addrs[l] = analyze.Inactive
			if a != nil {
				addrs[l] = *a
			}
		}
		got, err := analyze.Wavefronts(target, access, addrs)
		if err != nil || got.Wavefronts != row.Wavefronts {
			t.Errorf("%s %s: %d wavefronts, %v; measured %d", row.Op, row.Name, got.Wavefronts, err, row.Wavefronts)
		}
	}
	if rows != 1883 {
		t.Errorf("%d rows, want 1883", rows)
	}
}
