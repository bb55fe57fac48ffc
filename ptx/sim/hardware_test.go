package sim_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"testing"

	"girih/internal/card/truth"
	"girih/internal/check/long"
	"girih/ptx/sim"
)

// TestBoxesOfACard runs the kernel that copied boxes on an H200 (conformance/hardware), and compares all 64 KB of
// shared memory by a digest. All 2,400 boxes take 5 s; one in 16 is run.
func TestBoxesOfACard(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	const every = 16
	data, err := os.ReadFile("../../conformance/hardware/h200_tensormaps.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	p := loadText(t, truth.BoxModule())
	m := memory(t, p)
	in := put(t, m, truth.Source())
	cases, results := put(t, m, make([]uint32, truth.BoxWords)), alloc(t, m, 4*truth.BoxResults)
	n := 0
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c truth.BoxCase
		if !bytes.Contains(lines.Bytes(), []byte(`"digest"`)) {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if n++; n%every != 0 {
			continue
		}
		want := c
		tm, err := c.Map.Map(in.Address())
		if err != nil {
			t.Fatal(err)
		}
		object, err := sim.TensorMap(tm)
		if err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		if _, err := binary.Encode(cases.Bytes(), binary.LittleEndian, c.Words()); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(context.Background(), m, sim.Launch{
			Entry: c.Kernel(), Block: sim.Dim{X: truth.BoxThreads}, Shared: truth.BoxShared,
			Args: []sim.Arg{object, sim.Pointer(cases, 0), sim.Pointer(results, 0)},
		}); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		out := make([]uint32, truth.BoxResults)
		if _, err := binary.Decode(results.Bytes(), binary.LittleEndian, out); err != nil {
			t.Fatal(err)
		}
		if c.Set(out); c.Complete != want.Complete || c.Digest != want.Digest {
			t.Fatalf("%s: got %v, %s", lines.Bytes(), c.Complete, c.Digest)
		}
	}
	if n != 2400 {
		t.Errorf("%d boxes", n)
	}
}
