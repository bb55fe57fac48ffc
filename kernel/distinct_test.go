package kernel_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestDistinctLoads copies tensors with strides of 0 to fragments, and counts the loads.
func TestDistinctLoads(t *testing.T) {
	t.Parallel()
	const outside = 208 // the first element that is outside, or of the first thread without a copy
	for _, tt := range []struct {
		typ    dtype.Type
		layout string
		loads  int
	}{
		{dtype.F32, "(4,8):(0,1)", 2},
		{dtype.F32, "(4,8):(0,3)", 8},
		{dtype.F32, "(2,4,3):(1,0,2)", 3},
		{dtype.F32, "8:0", 1},
		{dtype.F16, "(4,8):(0,1)", 1},
		{dtype.F16, "(3,2):(0,5)", 2},
		{dtype.S8, "(4,4):(0,1)", 1},
		{dtype.F64, "(2,4):(0,1)", 2},
	} {
		for _, how := range []string{"copy", "if", "zfill", "where", "pred"} {
			l, bounded := cute.MustParse(tt.layout), how == "if" || how == "zfill"
			name := fmt.Sprintf("%v %v, %s", tt.typ, l, how)
			k, err := kernel.Trace("k", 32, func(k *kernel.K) {
				m := k.Int("m", extent(8))
				extent := kernel.Int(512)
				if bounded {
					extent = m
				}
				all := k.Global("x", tt.typ, kernel.Modes(extent))
				y := k.GlobalLayout("y", tt.typ, cute.MustParse(fmt.Sprintf("(%d,32):(1,%d)", l.Size(), l.Size())))
				at := k.ThreadIdx().Mul(kernel.Int(8))
				x := k.View(all, at, l)
				r := k.MakeFragment(tt.typ, cute.MustParse(fmt.Sprintf("%d:1", l.Size())))
				k.Fill(r, 7)
				flat := k.Coalesce(k.GroupModes(x, 0, l.Rank()))
				if flat.Rank() > 1 {
					flat = k.GroupModes(flat, 0, flat.Rank())
				}
				switch c := at.Less(m); how {
				case "copy":
					k.Copy(flat, r)
				case "if":
					k.CopyIf(flat, r)
				case "zfill":
					k.CopyZfill(flat, r)
				case "where":
					k.CopyWhere(c, flat, r)
				case "pred":
					k.CopyPred(func(i kernel.Index) kernel.Cond { return c }, flat, r)
				}
				k.Copy(r, k.Slice(y, kernel.Open, k.ThreadIdx()))
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			x, y := make([]float64, 512), make([]float64, 32*l.Size())
			if bounded {
				x = x[:outside]
			}
			for i := range x {
				x[i] = float64(i % 100)
			}
			if _, err := k.Simulate(context.Background(), kernel.Args{
				Ints: map[string]int64{"m": outside}, Tensors: map[string][]float64{"x": x, "y": y},
			}); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := strings.Count(k.Module.String(), "ld.global"); got > tt.loads && !bounded {
				t.Errorf("%s: %d loads, expected %d", name, got, tt.loads)
			}
			for i := range y {
				off, err := l.At(int64(i) % l.Size())
				if err != nil {
					t.Fatal(err)
				}
				at, first := int64(i)/l.Size()*8+off, int64(i)/l.Size()*8
				want := 7.0
				switch {
				case how == "copy", !bounded && first < outside, bounded && at < outside:
					want = float64(at % 100)
				case how == "zfill":
					want = 0
				}
				if y[i] != want {
					t.Errorf("%s: element %d of thread %d is %v, expected %v", name, int64(i)%l.Size(), first/8, y[i], want)
					break
				}
			}
		}
	}
}
