package copies

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/internal/check/long"
	"girih/kernel/copy"
)

// TestCopyCases plans the cases of the table, a sample of them by default. Apart from gathers, a plan moves at most
// twice the necessary sectors.
func TestCopyCases(t *testing.T) {
	t.Parallel()
	for i, c := range append(copyCases(drawSeed), drawnCases(20, 7)...) {
		if long.Skips(i, 5) {
			continue
		}
		src, dst, err := c.layouts()
		if err != nil {
			t.Fatal(err)
		}
		p, err := copy.New(src, dst, copy.Options{Bytes: c.Bytes})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		f, err := p.Predict()
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		// This is the share of the speed of a device copy of the same size that the sectors of both sides allow.
		allowed := 2 * float64(p.Describe().Total) / float64(32*(f.Loads.Sectors+f.Stores.Sectors))
		t.Logf("%s: sectors %.2f %.2f, shared %.2f, instructions of a sector %.2f\n%v", c.Name,
			float64(f.Loads.Sectors)*32/float64(p.Describe().Total), float64(f.Stores.Sectors)*32/float64(p.Describe().Total),
			float64(f.Shared.Wavefronts)/float64(f.Shared.Ideal+1), float64(f.Instructions)/float64(f.Loads.Sectors), p)
		if c.Step[0] == 1 && allowed < 0.5 {
			t.Errorf("%s: the sectors allow %.2f of a device copy\n%v", c.Name, allowed, p)
		}
	}
}

// TestTrials checks that a sweep skips tiles that do not fit in shared memory, and kernels tried before.
func TestTrials(t *testing.T) {
	t.Parallel()
	c := copyCases(drawSeed)[0]
	var list []knobs
	for _, tile := range []int64{64, 1024, 256, 64} {
		list = append(list, knobs{Options: copy.Options{Way: copy.Blocks, Tile: tile, Threads: 64}})
	}
	src, dst, err := c.layouts()
	if err != nil {
		t.Fatal(err)
	}
	large := list[1].Options
	large.Bytes = c.Bytes
	p, err := copy.New(src, dst, large)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Kernel()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit {
		t.Fatalf("a tile of %d bytes each way: %v, should be %s", large.Tile, err, cute.CodeLimit)
	}
	got, err := c.trials(list, map[string]bool{})
	if err != nil || len(got) != 2 || got[0].o.Tile != 64 || got[1].o.Tile != 256 {
		t.Errorf("%d trials, %v: should be those of the tiles 64 and 256", len(got), err)
	}
}
