package gemm

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestRowEnds checks that D is stored by the TMA only if its rows end at multiples of 16 bytes: the hardware writes 16
// bytes whole, also after the end of a row (seen on an H200 for D of 1 by 1, and of fewer columns than its stride).
func TestRowEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		m, n, ld int64
		out      dtype.Type
		direct   bool
	}{
		{1, 1, 1, dtype.F32, true},
		{1, 4, 4, dtype.F32, false},
		{64, 60, 64, dtype.F32, false},
		{64, 62, 64, dtype.F32, true},
		{64, 60, 64, dtype.F16, true},
		{64, 56, 64, dtype.F16, false},
		{1, 60, 60, dtype.BF16, true},
	} {
		d, err := cute.New(cute.Ints(tt.m, tt.n), cute.Ints(tt.ld, 1))
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(Problem{M: tt.m, N: tt.n, K: 64, In: dtype.F16, Out: tt.out, D: d}, Cards()[0], Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c := p.Choice(); tt.direct && !c.Direct && !c.Staged {
			t.Errorf("D of (%d,%d):(%d,1) and %v is stored by the TMA", tt.m, tt.n, tt.ld, tt.out)
		}
		if !tt.direct && !p.work.d.aligned {
			t.Errorf("D of (%d,%d):(%d,1) and %v is not for the TMA", tt.m, tt.n, tt.ld, tt.out)
		}
	}
}

// TestRegistersOfProducts checks that inputs of several products are counted like inputs that all products share.
func TestRegistersOfProducts(t *testing.T) {
	t.Parallel()
	for _, modes := range []string{"m", "n", "mn"} {
		for _, d := range []string{"(640,640,3):(640,1,409600)", "(640,640,3):(1,640,409600)"} {
			p := Problem{M: 640, N: 640, K: 64, L: 3, In: dtype.F16, D: cute.MustParse(d)}
			var counts [2]int64
			for i, in := range []string{modes, modes + "l"} {
				p.Epilogue.Inputs = []Input{{"x", dtype.F32, in}}
				plan, err := New(p, Cards()[0], Options{Tile: [3]int64{64, 64, 64}, Cluster: 1, Split: 1})
				if err != nil {
					t.Fatal(err)
				}
				counts[i] = plan.registers(&plan.choice, &plan.work)
			}
			if counts[0] != counts[1] {
				t.Errorf("%s, D %s: %d registers", modes, d, counts)
			}
		}
	}
}

// TestManyInputs checks that an epilogue with more inputs than a thread has registers for has a kernel.
func TestManyInputs(t *testing.T) {
	t.Parallel()
	p := Problem{M: 640, N: 641, K: 64, In: dtype.F16}
	for i := range 20 {
		p.Epilogue.Inputs = append(p.Epilogue.Inputs, Input{fmt.Sprint("x", i), dtype.F32, "mn"})
	}
	p.Epilogue.Make = func(*kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
		return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
			for _, x := range p.Epilogue.Inputs {
				acc = acc.Add(in[x.Name])
			}
			return acc
		}
	}
	plan, err := New(p, Cards()[0], Options{})
	if err == nil {
		_, err = plan.Kernel()
	}
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan.String(), "in memory") {
		t.Errorf("the plan does not say that registers are in memory:\n%v", plan)
	}
}
