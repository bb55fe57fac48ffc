package truth

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/ptx/sim"
)

// simulate runs the batches of a probe in the simulator.
func simulate(t testing.TB, p *Probe) [][]uint32 {
	t.Helper()
	program, err := sim.Load(p.Module())
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	var outs [][]uint32
	for _, b := range p.Batches {
		memory, err := program.NewMemory()
		if err != nil {
			t.Fatal(err)
		}
		in := make([]byte, 0, 4*len(b.In))
		for _, x := range b.In {
			in = binary.LittleEndian.AppendUint32(in, x)
		}
		from, err := memory.Put("in", in)
		if err != nil {
			t.Fatal(err)
		}
		to, err := memory.Alloc("out", int64(4*b.Cases*b.Threads*b.Words))
		if err != nil {
			t.Fatal(err)
		}
		_, err = program.Run(context.Background(), memory, sim.Launch{
			Entry: b.Kernel, Grid: sim.Dim{X: b.Cases}, Block: sim.Dim{X: b.Threads}, Shared: b.Shared,
			Args: []sim.Arg{sim.Pointer(from, 0), sim.Pointer(to, 0)},
		})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		out := make([]uint32, len(to.Bytes())/4)
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(to.Bytes()[4*i:])
		}
		outs = append(outs, out)
	}
	return outs
}

// recorded returns the records of an H200 by the name of the instruction.
func recorded(t testing.TB) map[string]Record {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "conformance", "hardware", "h200_instructions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]Record{}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r Record
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all[r.Atom] = r
	}
	return all
}

var every = flag.Bool("every", false, "try instructions in the simulator whose results are all those of others, too")

// The experiments on layouts and sums have the same results in the simulator as on an H200, bit for bit. By default the
// first instruction of each family is tried, and every sixth of the others.
func TestSimulator(t *testing.T) {
	t.Parallel()
	records := recorded(t)
	tried, seen := map[string]int{}, map[string]bool{}
	for _, a := range Atoms("sm_90") {
		wgmma := strings.HasPrefix(a.Family, "wgmma")
		if !wgmma && !strings.HasPrefix(a.Family, "mma") && !strings.Contains(a.Family, "matrix") || a.Lacks != nil {
			continue
		}
		// A larger N only adds columns, and the types of B also occur for A.
		if wgmma && !strings.Contains(a.Name, "64x8x") || testing.Short() && len(tried) > 0 && tried[a.Family] > 0 {
			continue
		}
		if records[a.Name].Status != Proven {
			t.Errorf("%s: %v", a.Name, records[a.Name].Status)
			continue
		}
		digests := []string{records[a.Name].Digest}
		if s := records[a.Name].Sums; s != nil {
			digests = append(digests, s.Digest)
		}
		if fresh := func(d string) bool { return !seen[d] }; !*every && !slices.ContainsFunc(digests, fresh) {
			continue
		}
		for _, d := range digests {
			seen[d] = true
		}
		if tried[a.Family]++; long.Skips(tried[a.Family]-1, 6) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			want := records[a.Name]
			p, err := a.Make()
			if err != nil {
				t.Fatal(err)
			}
			got := p.Check(simulate(t, p))
			if !got.Agrees || got.Digest != want.Digest {
				t.Fatalf("the card has %s, the simulator %s, first %s", want.Digest, got.Digest, got.First)
			}
			if (got.Sums == nil) != (want.Sums == nil) {
				t.Fatalf("sums: %v, recorded %v", got.Sums, want.Sums)
			}
			if got.Sums != nil && (got.Sums.Digest != want.Sums.Digest || got.Sums.Agree != got.Sums.Sums) {
				t.Errorf("sums: the card has %s, the simulator %s, first %s", want.Sums.Digest, got.Sums.Digest, got.Sums.First)
			}
		})
	}
	t.Log(tried)
}
