package probe_test

import (
	"strings"
	"testing"

	"girih/internal/card/probe"
	"girih/ptx"
)

// TestModules reads every module again: the first kernel has the instruction once, the second as often as it is
// unrolled.
func TestModules(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, o := range probe.Ops() {
		m, err := o.Module()
		if err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
		again, err := ptx.Parse(m.String())
		if err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
		kernels := map[string]int{o.OnceKernel(): 1}
		if o.Repeats() {
			kernels[o.LoopKernel()] = probe.Unroll
		}
		for name, want := range kernels {
			f := again.Func(ptx.Name(name))
			if f == nil || seen[name] {
				t.Fatalf("%s: no kernel %s, or two", o.Name, name)
			}
			seen[name] = true
			n := 0
			for s := range f.Stmts() {
				if in, ok := s.(*ptx.Instr); ok && in.Op == o.Code {
					n++
				}
			}
			if n != want {
				t.Errorf("%s has %d times %s, want %d", name, n, o.Code, want)
			}
		}
		if found, ok := probe.FindOp(o.Name); !ok || found != o {
			t.Errorf("%s is not found: %v", o.Name, found)
		}
		if (o.Blocks() == 2) != strings.Contains(m.String(), ".reqnctapercluster 2, 1, 1") {
			t.Errorf("%s: %d blocks", o.Name, o.Blocks())
		}
	}
	if _, ok := probe.FindOp("ld.96"); ok || len(seen) < 200 {
		t.Errorf("%d kernels, or one of 96 bits", len(seen))
	}
}
