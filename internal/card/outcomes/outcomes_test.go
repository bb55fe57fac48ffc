package outcomes

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"girih/internal/check/long"
	"girih/internal/machine/litmus"
	"girih/ptx"
	"girih/ptx/sim"
)

// A source is a test of the repository, and the text of its file.
type source struct {
	test *litmus.Test
	text []byte
}

// read returns the tests of the repository.
func read(t *testing.T) []source {
	t.Helper()
	files, err := filepath.Glob("../../machine/litmus/testdata/*.litmus")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	var list []source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests, err := litmus.Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, test := range tests {
			list = append(list, source{test, text})
		}
	}
	return list
}

// simulate runs a launch in the simulator and returns the counts of states.
func simulate(t *testing.T, p *Plan, l Launch, seed uint64) ([]Count, uint64) {
	t.Helper()
	m, err := p.Module()
	if err != nil {
		t.Fatal(err)
	}
	// Tests have races, which the simulator reports; what it runs is the text that a card gets.
	m, err = ptx.Parse(m.String())
	if err != nil {
		t.Fatalf("%s: %v", p.Test.Name, err)
	}
	program, err := sim.Load(m)
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.Test.Name, err, m)
	}
	memory, err := program.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	var buffers []*sim.Buffer
	for _, b := range []struct {
		name string
		n    int64
	}{
		{"table", p.TableBytes()},
		{"memory", int64(2 * l.half)},
		{"results", p.ResultBytes(l)},
		{"control", ControlBytes},
		{"scratch", ScratchBytes},
	} {
		buffer, err := memory.Put(b.name, make([]byte, b.n))
		if err != nil {
			t.Fatal(err)
		}
		buffers = append(buffers, buffer)
	}
	launch := sim.Launch{
		Grid: sim.Dim{X: l.Blocks}, Block: sim.Dim{X: l.Threads}, Seed: seed, Steps: 1 << 24, Findings: 100,
		Ignore: []sim.Ignore{{Kind: sim.KindRace}, {Kind: sim.KindReadPending}, {Kind: sim.KindWritePending}},
	}
	if p.Blocks > 1 {
		launch.Cluster = sim.Dim{X: p.Blocks}
	}
	for i, v := range l.Args(Buffers{}) {
		if i < len(buffers) {
			launch.Args = append(launch.Args, sim.Pointer(buffers[i], 0))
		} else {
			launch.Args = append(launch.Args, sim.U64(v))
		}
	}
	result, err := program.Run(context.Background(), memory, launch)
	if err != nil || !result.Ended {
		t.Fatalf("%s %s: %v\n%s", p.Test.Name, p.Form, err, m)
	}
	words := func(b *sim.Buffer) []uint64 {
		list := make([]uint64, len(b.Bytes())/8)
		for i := range list {
			list[i] = binary.LittleEndian.Uint64(b.Bytes()[8*i:])
		}
		return list
	}
	counts, err := p.Counts(words(buffers[0]))
	if err != nil {
		t.Fatal(err)
	}
	control := words(buffers[3])
	if control[overflowAt/8] != 0 {
		t.Errorf("%s: %d states had no entry", p.Test.Name, control[overflowAt/8])
	}
	return counts, control[unfinishedAt/8]
}

// TestSimulated runs all tests of the repository in the simulator, as warps and as lanes. The model allows every state
// that it reaches.
func TestSimulated(t *testing.T) {
	t.Parallel()
	ran := 0
	for _, s := range read(t) {
		plans, err := Forms(s.test)
		if err != nil {
			if skip := Skip(""); !errors.As(err, &skip) {
				t.Errorf("%s: %v", s.test.Name, err)
			}
			continue
		}
		ran++
		t.Run(s.test.Name, func(t *testing.T) {
			t.Parallel()
			model, err := NewModel(plans[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range plans {
				r := NewRand(1, s.test.Name)
				blocks := p.Blocks * (p.Clusters + r.IntN(2))
				l := p.Draw(r, blocks, 1, Stormy)
				l.Rounds, l.burn = 2, 0 // the simulator completes a copy when nobody gives up
				if !long.Tests() {
					l.stress, l.delay = 0, 0
				}
				counts, stuck := simulate(t, p, l, r.Uint64())
				v, err := model.Judge(counts)
				if err != nil {
					t.Fatal(err)
				}
				if len(v.Forbidden)+len(v.Open) > 0 || v.Total() != int64(l.Rounds*l.Instances) || stuck != 0 {
					t.Errorf("%s: %+v, %d unfinished of %d", p.Form, v, stuck, l.Rounds*l.Instances)
				}
			}
		})
	}
	if ran < 60 {
		t.Errorf("%d tests ran", ran)
	}
}
