package banks_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"girih/banks"
)

// TestH200Memory checks every access for which counters of an H200 were read: atomics and asynchronous copies in shared
// memory, loads from global memory. Package probe judges the accesses that were only timed.
func TestH200Memory(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../conformance/hardware/h200_memory.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	target := mustTarget(t, "sm90")
	counted, sectors := map[string]int{}, map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var row struct {
			Op, Name                   string
			Addr                       []*int64
			Wavefronts, Sectors, Lines *int
			Words                      *int
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		addrs := make([]int64, len(row.Addr))
		for l, a := range row.Addr {
			addrs[l] = banks.Inactive
			if a != nil {
				addrs[l] = *a
			}
		}
		if row.Wavefronts != nil {
			got, err := banks.Wavefronts(target, mustAccess(t, row.Op), addrs)
			if err != nil || got.Wavefronts != *row.Wavefronts {
				t.Errorf("%s %s: %d wavefronts, %v; measured %d", row.Op, row.Name, got.Wavefronts, err, *row.Wavefronts)
			}
			counted[row.Op]++
		}
		switch {
		case row.Sectors == nil:
		case strings.HasPrefix(row.Op, "cp.async.bulk."):
			count := banks.BulkTraffic
			if strings.Contains(row.Op, "cluster") {
				count = banks.RemoteBulkTraffic
			}
			got, err := count(addrs[0], addrs[2], addrs[1])
			if err != nil || got.Sectors != *row.Sectors {
				t.Errorf("%s %s: %+v, %v; measured %d sectors", row.Op, row.Name, got, err, *row.Sectors)
			}
			words, _, err := banks.BulkBanks(addrs[1])
			if err != nil || row.Words != nil && words != *row.Words {
				t.Errorf("%s %s: %d words, %v; measured %d", row.Op, row.Name, words, err, *row.Words)
			}
			sectors[row.Op]++
		case strings.Contains(row.Op, ".cg.16"): // contiguous on the other side
			other := make([]int64, len(addrs))
			for l, a := range addrs {
				other[l] = 16 * int64(l)
				if a == banks.Inactive {
					other[l] = banks.Inactive
				}
			}
			shared, global := addrs, other
			if strings.Contains(row.Op, ".global.") {
				shared, global = other, addrs
			}
			got, err := banks.CopyTraffic(shared, global)
			if err != nil || got.Sectors != *row.Sectors {
				t.Errorf("%s %s: %+v, %v; measured %d sectors", row.Op, row.Name, got, err, *row.Sectors)
			}
			sectors[row.Op]++
		default:
			count, width := banks.RequestTraffic, 16 // red.global.add.v4.f32 does not access shared memory
			if atomic := strings.HasPrefix(row.Op, "atom") || strings.HasPrefix(row.Op, "red"); atomic {
				count = banks.AtomicTraffic
			}
			if !strings.Contains(row.Op, ".v4") {
				name := strings.NewReplacer(".global.nc", "", ".global.cg", "", ".global.cs", "", ".global", "", ".cluster",
					"").Replace(row.Op)
				width = mustAccess(t, name).Bits() / 8
			}
			got, err := count(addrs, width)
			if err != nil || got.Sectors != *row.Sectors || row.Lines != nil && got.Lines != *row.Lines {
				t.Errorf("%s %s: %+v, %v; measured %d sectors", row.Op, row.Name, got, err, *row.Sectors)
			}
			sectors[row.Op]++
		}
	}
	if len(counted) != 16 || counted["atom.cas.b32"] != 70 || len(sectors) != 27 || sectors["ld.global.8"] != 70 ||
		sectors["cp.async.bulk.cluster.shared"] != 40 {
		t.Errorf("wavefronts of %v, sectors of %v", counted, sectors)
	}
}

// TestH200 checks the shared-memory accesses that were measured first on an H200.
func TestH200(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../conformance/hardware/h200_shared_memory.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	target, err := banks.ParseTarget("sm90")
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
		access, err := banks.ParseAccess(row.Op, 0)
		if err != nil {
			t.Fatal(err)
		}
		addrs := make([]int64, len(row.Addr))
		for l, a := range row.Addr {
			addrs[l] = banks.Inactive
			if a != nil {
				addrs[l] = *a
			}
		}
		got, err := banks.Wavefronts(target, access, addrs)
		if err != nil || got.Wavefronts != row.Wavefronts {
			t.Errorf("%s %s: %d wavefronts, %v; measured %d", row.Op, row.Name, got.Wavefronts, err, row.Wavefronts)
		}
	}
	if rows != 1883 {
		t.Errorf("%d rows, want 1883", rows)
	}
}
