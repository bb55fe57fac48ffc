package outcomes

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	return readFiles(t, "../../machine/litmus/testdata/*.litmus")
}

func readFiles(t *testing.T, pattern string) []source {
	t.Helper()
	files, err := filepath.Glob(pattern)
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
	// The tests have races, which the simulator reports. It runs the same text that a card would get.
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

// TestEndless places tests of two threads with barriers. Some would wait for ever on a card.
func TestEndless(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		first, second []string
		want          string // part of the reason; "" if the test can be placed
	}{
		{[]string{"bar.sync 0", "bar.sync 1"}, []string{"bar.sync 0", "bar.sync 1"}, ""},
		{[]string{"bar.sync 0", "bar.sync 1"}, []string{"bar.sync 1", "bar.sync 0"}, "for ever"},
		{[]string{"bar.sync 0", "bar.sync 0"}, []string{"bar.sync 0", "ld.weak r0, x"}, "for ever"},
		{[]string{"bar.arrive 0", "bar.sync 1"}, []string{"bar.sync 0", "bar.sync 1"}, ""},
		{[]string{"bar.arrive 0", "bar.sync 1"}, []string{"bar.sync 1", "bar.sync 0"}, ""},
		{[]string{"bar.sync 1", "bar.arrive 0"}, []string{"bar.sync 0", "bar.sync 1"}, "for ever"},
		{[]string{"bar.arrive 0", "bar.sync 0"}, []string{"bar.sync 0", "bar.sync 0"}, "once"},
		{[]string{"bar.sync 0", "bar.arrive 0"}, []string{"bar.sync 0", "bar.sync 0"}, ""},
		{[]string{"mbarrier.arrive m", "bar.sync 0"}, []string{"mbarrier.try_wait m, 1", "bar.sync 0"}, ""},
		{[]string{"bar.sync 0", "mbarrier.arrive m"}, []string{"mbarrier.try_wait m, 1", "bar.sync 0"}, "for ever"},
		{[]string{"barrier.cluster.arrive", "barrier.cluster.wait"}, []string{"bar.sync 0", "ld.weak r0, x"}, ""},
		{[]string{"barrier.cluster.arrive", "barrier.cluster.wait", "bar.sync 0"}, []string{"bar.sync 0"}, "for ever"},
		{[]string{"bar.sync 0", "barrier.cluster.arrive", "barrier.cluster.wait"}, []string{"bar.sync 0"}, ""},
	} {
		text := "PTX t\n{ x=0; m=0; }\n P0@cta 0,cluster 0,gpu 0 | P1@cta 0,cluster 0,gpu 0 ;\n"
		for i := range max(len(x.first), len(x.second)) {
			text += at(x.first, i) + " | " + at(x.second, i) + " ;\n"
		}
		tests, err := litmus.Parse(text + "exists (x == 0)\n")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		_, err = NewPlan(tests[0], Form{})
		if (err != nil) != (x.want != "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q beside %q: got %v, want %q", x.first, x.second, err, x.want)
		}
	}
}

// at returns element i of list, or nothing after the last one.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// TestSimulated runs all tests of the repository in the simulator, as warps and as lanes. The model allows every state
// that it reaches.
func TestSimulated(t *testing.T) {
	t.Parallel()
	if ran := simulateAll(t, read(t)); ran < 60 {
		t.Errorf("%d tests ran", ran)
	}
}

// TestForeign does the same with the tests of Dat3M, which are never part of this repository.
func TestForeign(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("GIRIH_DAT3M")
	if dir == "" {
		t.Skip("GIRIH_DAT3M is not set: set it to a checkout of github.com/hernanponcedeleon/Dat3M")
	}
	for _, folder := range []string{"Barrier", "Manual", "Memalloy", "Nvidia"} {
		ran := simulateAll(t, readFiles(t, filepath.Join(dir, "litmus", "PTX", folder, "*.litmus")))
		t.Logf("%s: %d tests can be placed", folder, ran)
	}
}

// simulateAll runs tests in all forms and returns how many can be placed.
func simulateAll(t *testing.T, list []source) int {
	t.Helper()
	ran := 0
	for _, s := range list {
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
				simulateForm(t, p, model)
			}
		})
	}
	return ran
}

// simulateForm runs some instances of a test and compares their states with the model.
func simulateForm(t *testing.T, p *Plan, model *Model) {
	t.Helper()
	r := NewRand(1, p.Test.Name)
	blocks := p.Blocks * (p.Clusters + r.IntN(2))
	l := p.Draw(r, blocks, 1, Stormy)
	l.Rounds, l.burn = 2, 0 // the simulator completes a copy only if no thread gives up
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
