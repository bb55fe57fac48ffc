package descriptor

import (
	"testing"

	"girih"
	"girih/atom"
	"girih/dtype"
)

func TestPlay(t *testing.T) {
	for _, c := range []struct {
		l, instr string
		t        dtype.Type
		o        atom.Operand
	}{
		{"(128,64):(64,1)", "wgmma", dtype.F16, 0},
		{"(128,64):(1,128)", "wgmma", dtype.F16, 0},
		{"((8,16),(64,2)):((64,512),(1,8192))", "wgmma", dtype.F16, 0},
		{"(8,64):(64,1)", "wgmma", dtype.F16, 1},
		{"(24,64):(64,1)", "wgmma", dtype.F16, 1},
		{"(20,64):(64,1)", "wgmma", dtype.F16, 1},
		{"(128,64):(64,1)", "tcgen05", dtype.F16, 0},
		{"(128,64):(1,128)", "tcgen05", dtype.TF32, 0},
	} {
		o, err := FindOperand(c.instr, c.t, c.o)
		if err != nil {
			t.Fatal(err)
		}
		l := girih.MustParse(c.l)
		f, err := o.Fit(l, 0)
		t.Log(c.l, f.Matrices, err)
		if err != nil {
			n, err := o.Nearest(l)
			t.Log("   ", n.Layout, n.Why, n.Same, n.Of, err)
		}
	}
	for p := INTER; p <= SW128; p++ {
		for _, m := range []atom.Major{atom.KMajor, atom.MNMajor} {
			a, _ := MakeAtom(p, m, dtype.F16)
			l, err := a.TileToShape(girih.Ints(128, 64, 3), girih.Ints(1, 2, 3))
			if err != nil {
				t.Fatal(err)
			}
			o, _ := FindOperand("wgmma", dtype.F16, 0)
			f, err := o.Fit(l, 0)
			if err != nil {
				t.Log(err)
				continue
			}
			t.Log(l, f.Matrices[0], f.Step, f.Block, f.Stage, f.Alike, f.Sum, err)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	a, _ := MakeAtom(SW128, atom.KMajor, dtype.F16)
	l, err := a.TileToShape(girih.Ints(128, 64), girih.Tuple{})
	if err != nil {
		b.Fatal(err)
	}
	o, _ := FindOperand("wgmma", dtype.F16, 0)
	for b.Loop() {
		if _, err := o.Fit(l, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFitIllegal(b *testing.B) {
	l := girih.MustParse("(128,64):(64,1)")
	o, _ := FindOperand("wgmma", dtype.F16, 0)
	for b.Loop() {
		if _, err := o.Fit(l, 0); err == nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	l := girih.MustParse("(128,64):(64,1)")
	o, _ := FindOperand("wgmma", dtype.F16, 0)
	for b.Loop() {
		if _, err := o.Nearest(l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNearestFar(b *testing.B) {
	l := girih.MustParse("(128,64):(65,1)")
	o, _ := FindOperand("wgmma", dtype.F16, 0)
	for b.Loop() {
		if _, err := o.Nearest(l); err != nil {
			b.Fatal(err)
		}
	}
}
