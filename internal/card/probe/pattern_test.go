package probe_test

import (
	"reflect"
	"testing"

	"girih/internal/card/probe"
)

// TestCases checks that the instruction accepts all addresses, that no list occurs twice, and that a second call
// returns the same lists.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, o := range probe.Ops() {
		cases := probe.Cases(o)
		if len(cases) < 100 || o.Name == "ld.64" && !reflect.DeepEqual(cases, probe.Cases(o)) {
			t.Errorf("%s: %d cases, or others the second time", o.Name, len(cases))
		}
		limit := int64(probe.TileBytes)
		if o.Space == probe.Global {
			limit = probe.GlobalBytes
		}
		seen := map[[probe.Lanes]int64]string{}
		for _, c := range cases {
			if o.Bulk() {
				if nothing := c.Name == "nothing" && c.Addr[1] == 0; nothing {
					continue
				}
				if len(c.Addr) != 3 || c.Addr[0]%16+c.Addr[1]%16+c.Addr[2]%16 != 0 || c.Addr[1] < 16 ||
					c.Addr[0]+c.Addr[1] > probe.TileBytes {
					t.Errorf("%s %s: %v", o.Name, c.Name, c.Addr)
				}
				continue
			}
			key := [probe.Lanes]int64(c.Addr)
			if other, ok := seen[key]; ok {
				t.Errorf("%s: %s and %s are the same", o.Name, c.Name, other)
			}
			seen[key] = c.Name
			active := 0
			for l, a := range c.Addr {
				if a == probe.Inactive && o.Matrices() == 0 {
					continue
				}
				active++
				if a < 0 || a%o.Bytes != 0 || a+o.Bytes > limit {
					t.Errorf("%s %s: lane %d at %d", o.Name, c.Name, l, a)
				}
			}
			if active == 0 {
				t.Errorf("%s %s has no active lane", o.Name, c.Name)
			}
		}
	}
}

// deg is an independent model of an access: the turns of the banks for phases of a given number of lanes, counting
// words or lanes.
func deg(addrs []int64, bytes int64, phase int, lanes bool) int {
	sum := 0
	for from := 0; from < probe.Lanes; from += phase {
		banks := map[int64]map[int64]bool{}
		most := 0
		for l := from; l < from+phase; l++ {
			if addrs[l] == probe.Inactive {
				continue
			}
			unit := max(bytes, 4)
			who := addrs[l] / unit
			bank := who % (128 / unit)
			if lanes {
				who = int64(l)
			}
			if banks[bank] == nil {
				banks[bank] = map[int64]bool{}
			}
			banks[bank][who] = true
			most = max(most, len(banks[bank]))
		}
		sum += most
	}
	return sum
}

// TestCasesTellModelsApart counts the lists of addresses on which two models differ: with fewer than 20, a wrong model
// could go unnoticed among a few hundred lists.
func TestCasesTellModelsApart(t *testing.T) {
	t.Parallel()
	type model struct {
		phase int
		lanes bool
	}
	var models []model
	for _, phase := range []int{32, 16, 8, 4} {
		models = append(models, model{phase, false}, model{phase, true})
	}
	for _, name := range []string{"ld.8", "st.16", "ld.32", "st.64", "ld.128", "atom.add.u32", "atom.cas.b64", "cp.async.ca.16"} {
		o, _ := probe.FindOp(name)
		cases := probe.Cases(o)
		turns := make([][]int, len(models))
		for i, m := range models {
			for _, c := range cases {
				turns[i] = append(turns[i], deg(c.Addr, o.Bytes, m.phase, m.lanes))
			}
		}
		for i, a := range models {
			for k, b := range models[:i] {
				differ := 0
				for n := range cases {
					if turns[i][n] != turns[k][n] {
						differ++
					}
				}
				if differ < 20 {
					t.Errorf("%s: %d lists tell %+v and %+v apart", name, differ, a, b)
				}
			}
		}
	}
}
