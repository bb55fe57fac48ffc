package main

import (
	"testing"

	"girih/kernel/copy"
)

// TestCopyCases plans every case of the table: what it moves is never more than twice what it must, apart from gathers.
func TestCopyCases(t *testing.T) {
	t.Parallel()
	for _, c := range append(copyCases(drawSeed), drawnCases(20, 7)...) {
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
		o := copyOutcome{Plan: p, Predicted: f}
		t.Logf("%s: sectors %.2f %.2f, shared %.2f, instructions of a sector %.2f\n%v", c.Name,
			float64(f.Loads.Sectors)*32/float64(p.Describe().Total), float64(f.Stores.Sectors)*32/float64(p.Describe().Total),
			float64(f.Shared.Wavefronts)/float64(f.Shared.Ideal+1), float64(f.Instructions)/float64(f.Loads.Sectors), p)
		if c.Step[0] == 1 && o.allowed() < 0.5 {
			t.Errorf("%s: the sectors allow %.2f of a device copy\n%v", c.Name, o.allowed(), p)
		}
	}
}
