package banks_test

import (
	"slices"
	"strings"
	"testing"

	"girih/banks"

	"pgregory.net/rapid"
)

// This file computes wavefronts in a second way, with maps of words, and compares the results.

// oracle returns the wavefronts of each phase: the largest number of different words in one bank. With eachLane, words
// of different lanes count as different.
func oracle(phases [][]int, bankCount, bytes int, addrs []int64, eachLane bool) []int {
	var out []int
	for _, lanes := range phases {
		words := map[int64]map[[2]int64]bool{} // by bank: the words, with lanes
		for _, l := range lanes {
			if l >= len(addrs) || addrs[l] == banks.Inactive {
				continue
			}
			for b := addrs[l]; b < addrs[l]+int64(bytes); b++ {
				w, who := b/4, int64(0)
				if eachLane {
					who = int64(l)
				}
				if words[w%int64(bankCount)] == nil {
					words[w%int64(bankCount)] = map[[2]int64]bool{}
				}
				words[w%int64(bankCount)][[2]int64{w, who}] = true
			}
		}
		most := 0
		for _, in := range words {
			most = max(most, len(in))
		}
		if most > 0 {
			out = append(out, most)
		}
	}
	return out
}

// groups returns consecutive groups of size lanes.
func groups(lanes, size int) [][]int {
	var out [][]int
	for l := range lanes {
		if l%size == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], l)
	}
	return out
}

// merges is the condition under which an H200 serves a wide load in half as many phases.
func merges(addrs []int64) bool {
	for _, x := range []int{1, 2} {
		ok := true
		for l := range addrs {
			if k := l ^ x; k < len(addrs) && addrs[l] != addrs[k] && addrs[l] != banks.Inactive && addrs[k] != banks.Inactive {
				ok = false
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// hopper returns the phases of an sm90 as its measurement describes them.
func hopper(a banks.Access, addrs []int64) [][]int {
	size := 32
	switch {
	case a.Matrices() > 0:
		return groups(8*a.Matrices(), 8)
	case a.Bits() == 64:
		size = 16
	case a.Bits() == 128:
		size = 8
	}
	if a.Op() == banks.Load && a.Bits() > 32 && merges(addrs) {
		size *= 2
	}
	return groups(32, size)
}

var sm90Accesses = []string{
	"ld.8", "ld.16", "ld.32", "ld.64", "ld.128", "st.8", "st.16", "st.32", "st.64", "st.128", "cp.async.4", "cp.async.8", "cp.async.16",
	"atom.add.u32", "red.min.s32", "atom.exch.b64", "atom.exch.b128", "atom.cas.b32", "atom.cas.b64", "atom.cas.b128",
	"ldmatrix.x1", "ldmatrix.x2.trans", "ldmatrix.x4", "stmatrix.x1.trans", "stmatrix.x2", "stmatrix.x4",
}

// drawAddrs draws a warp's addresses for the access: arbitrary, strided or in pairs, with inactive lanes.
func drawAddrs(t *rapid.T, a banks.Access, warp int) []int64 {
	bytes := int64(a.Bits() / 8)
	addrs := make([]int64, rapid.IntRange(0, warp).Draw(t, "lanes"))
	if a.Matrices() > 0 {
		addrs = make([]int64, warp)
	}
	stride := rapid.Int64Range(0, 40).Draw(t, "stride")
	pattern := rapid.SampledFrom([]string{"any", "few", "stride", "pair1", "pair2"}).Draw(t, "pattern")
	for l := range addrs {
		switch pattern {
		case "any":
			addrs[l] = bytes * rapid.Int64Range(0, 4096).Draw(t, "unit")
		case "few":
			addrs[l] = bytes * rapid.Int64Range(0, 40).Draw(t, "unit")
		case "stride":
			addrs[l] = bytes * stride * int64(l)
		case "pair1":
			addrs[l] = bytes * stride * int64(l/2)
		case "pair2":
			addrs[l] = bytes * stride * int64(l&^2)
		}
	}
	if a.Matrices() == 0 && rapid.Bool().Draw(t, "some inactive") {
		for l := range addrs {
			if rapid.IntRange(0, 3).Draw(t, "inactive") == 0 {
				addrs[l] = banks.Inactive
			}
		}
	}
	return addrs
}

func TestHopperAgainstOracle(t *testing.T) {
	t.Parallel()
	target := mustTarget(t, "sm90")
	rapid.Check(t, func(t *rapid.T) {
		access := mustAccess(t, rapid.SampledFrom(sm90Accesses).Draw(t, "access"))
		addrs := drawAddrs(t, access, 32)
		phases := hopper(access, addrs)
		checkAgainst(t, target, access, addrs, phases, 32)
	})
}

// checkAgainst compares Count and Explain with the oracle's phases.
func checkAgainst(t *rapid.T, target banks.Target, access banks.Access, addrs []int64, phases [][]int, bankCount int) {
	// Lanes of atomics and asynchronous copies take turns at the same word, as on an H200. A compare-and-swap needs two
	// passes.
	name := access.String()
	eachLane := strings.HasPrefix(name, "cp.async") || strings.HasPrefix(name, "atom") || strings.HasPrefix(name, "red")
	passes := 1
	if strings.HasPrefix(name, "atom.cas") {
		passes = 2
	}
	want := oracle(phases, bankCount, access.Bits()/8, addrs, eachLane)
	rule, err := target.Rule(access)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rule.Count(addrs)
	if err != nil {
		t.Fatal(err)
	}
	sum, most := 0, 0
	for _, w := range want {
		sum, most = sum+w, max(most, w)
	}
	if got.Wavefronts != passes*sum || got.Degree != most || got.Ideal != passes*len(want) || got.Phases != len(want) {
		t.Fatalf("%v of %v: %+v, the oracle has %v", access, addrs, got, want)
	}
	rep, err := rule.Explain(addrs)
	if err != nil || rep.Count != got {
		t.Fatalf("Explain %+v, %v, Count %+v", rep.Count, err, got)
	}
	checkConflicts(t, rep, access, addrs, want, shape{bankCount, passes, eachLane})
}

// A shape is what all phases have in common.
type shape struct {
	banks, passes int
	eachLane      bool
}

// checkConflicts checks that the reported conflicts are exactly the true ones.
func checkConflicts(t *rapid.T, rep banks.Report, access banks.Access, addrs []int64, want []int, s shape) {
	worst := make([]int, len(rep.Served))
	for i, p := range rep.Served {
		if p.Wavefronts != s.passes*want[i] {
			t.Fatalf("phase %d takes %d wavefronts, the oracle says %d", i, p.Wavefronts, want[i])
		}
		worst[i] = 1
	}
	for _, c := range rep.Conflicts {
		worst[c.Phase] = max(worst[c.Phase], c.Degree())
		seen := map[int64]bool{}
		for _, h := range c.Hits {
			if seen[h.Address] && !s.eachLane || len(h.Lanes) == 0 || h.Address/4%int64(s.banks) != int64(c.Bank) {
				t.Fatalf("conflict %+v", c)
			}
			seen[h.Address] = true
			for _, l := range h.Lanes {
				if addrs[l]/4*4 != h.Address || !slices.Contains(rep.Served[c.Phase].Lanes, l) {
					t.Fatalf("lane %d at %d is not in the conflict %+v", l, addrs[l], c)
				}
			}
		}
	}
	for i := range worst {
		if worst[i] != want[i] {
			t.Fatalf("the worst conflict of phase %d is %d-way, the phase takes %d wavefronts", i, worst[i], want[i])
		}
	}
}

// amdPhases are the lanes of phases as the sources write them.
var amdPhases = []struct {
	target, access string
	banks          int
	phases         [][]int
}{
	{"gfx942", "ds_read_b32", 32, groups(64, 32)},
	{"gfx942", "ds_write_b32", 32, groups(64, 32)},
	{"gfx942", "ds_read_b64", 32, groups(64, 16)},
	{"gfx942", "ds_write_b64", 32, groups(64, 16)},
	{"gfx942", "ds_write_b128", 32, groups(64, 8)},
	{"gfx942", "ds_read_b128", 32, [][]int{
		{0, 1, 2, 3, 20, 21, 22, 23},
		{4, 5, 6, 7, 16, 17, 18, 19},
		{8, 9, 10, 11, 28, 29, 30, 31},
		{12, 13, 14, 15, 24, 25, 26, 27},
		{32, 33, 34, 35, 52, 53, 54, 55},
		{36, 37, 38, 39, 48, 49, 50, 51},
		{40, 41, 42, 43, 60, 61, 62, 63},
		{44, 45, 46, 47, 56, 57, 58, 59},
	}},
	{"gfx950", "ds_read_b32", 64, groups(64, 64)},
	{"gfx950", "ds_read_b64", 64, groups(64, 32)},
	{"gfx950", "ds_read_b64_tr_b16", 64, groups(64, 32)},
	{"gfx950", "ds_read_b64_tr_b4", 64, groups(64, 32)},
	{"gfx950", "ds_write_b64", 32, groups(64, 16)},
	{"gfx950", "ds_write_b128", 32, groups(64, 8)},
	{"gfx950", "ds_read_b128", 64, [][]int{
		{0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27},
		{4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31},
		{32, 33, 34, 35, 44, 45, 46, 47, 52, 53, 54, 55, 56, 57, 58, 59},
		{36, 37, 38, 39, 40, 41, 42, 43, 48, 49, 50, 51, 60, 61, 62, 63},
	}},
}

func TestAMDAgainstOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(amdPhases).Draw(t, "machine")
		access := mustAccess(t, c.access)
		checkAgainst(t, mustTarget(t, c.target), access, drawAddrs(t, access, 64), c.phases, c.banks)
	})
}

func TestCountDoesNotAllocate(t *testing.T) {
	addrs := make([]int64, 32)
	for l := range addrs {
		addrs[l] = int64(l) * 128
	}
	for _, name := range sm90Accesses {
		rule, err := mustTarget(t, "sm90").Rule(mustAccess(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(10, func() { _, _ = rule.Count(addrs) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

type failer interface{ Fatal(args ...any) }

func mustTarget(t failer, name string) banks.Target {
	target, err := banks.ParseTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func mustAccess(t failer, name string) banks.Access {
	access, err := banks.ParseAccess(name, 16)
	if err != nil {
		t.Fatal(err)
	}
	return access
}
