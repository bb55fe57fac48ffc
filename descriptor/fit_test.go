package descriptor

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

func mustOperand(t testing.TB, name string, of dtype.Type, o atom.Operand) Operand {
	t.Helper()
	x, err := FindOperand(name, of, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The instruction reads each element of every atom's tile_to_shape at its place, in every step, block and stage: the
// descriptors are compared with the table of the layout, element by element. Every advance agrees with the starts.
func TestFitOfAtoms(t *testing.T) {
	t.Parallel()
	n := 0
	for _, c := range []struct {
		instr string
		typ   dtype.Type
		which atom.Operand
	}{
		{"wgmma", dtype.F16, atom.OperandA},
		{"wgmma", dtype.BF16, atom.OperandB},
		{"wgmma", dtype.E4M3, atom.OperandA},
		{"wgmma", dtype.TF32, atom.OperandB},
		{"tcgen05", dtype.F16, atom.OperandA},
		{"tcgen05", dtype.S8, atom.OperandB},
		{"tcgen05", dtype.TF32, atom.OperandA},
		{"tcgen05", dtype.E2M1, atom.OperandA},
		{"tcgen05.mma.cta_group::1.kind::f8f6f4", dtype.E3M2, atom.OperandB},
	} {
		o := mustOperand(t, c.instr, c.typ, c.which)
		for _, a := range o.Atoms() {
			for _, order := range []cute.Tuple{cute.Ints(1, 2, 3), cute.Ints(2, 1, 3), cute.Ints(3, 2, 1)} {
				l, err := a.TileToShape(cute.Ints(128, 256*8/o.Bits/2, 2), order)
				if err != nil {
					t.Fatal(err)
				}
				f, err := o.Fit(l, 0)
				if err != nil {
					t.Errorf("%s %v %s: %v", c.instr, c.typ, l, err)
					continue
				}
				if f.Atom.Pattern != a.Pattern || f.Atom.Major != a.Major || !f.Alike || !f.Sum {
					t.Errorf("%s %v %s: %v", c.instr, c.typ, l, f)
				}
				n += read(t, f, l, 0)
			}
		}
	}
	if n < 1<<20 {
		t.Errorf("%d elements", n)
	}
}

// read compares what the descriptors find with the layout, and returns the number of elements.
func read(t testing.TB, f Fit, l cute.Composed, address int64) int {
	t.Helper()
	offsets, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range offsets {
		row, k, stage := int64(i)%f.Rows, int64(i)/f.Rows%f.K, int64(i)/(f.Rows*f.K)
		d := f.Matrix(k/f.Operand.K, row/f.Operand.Rows, stage)
		at, err := d.Find(f.Operand.Bits, row%f.Operand.Rows, k%f.Operand.K)
		if want := address + x*f.Operand.Bits/8; err != nil || at != want {
			t.Fatalf("%v: element (%d,%d) of stage %d is read at %d, want %d: %v", l, row, k, stage, at, want, err)
		}
	}
	return len(offsets)
}

// If the address is not a multiple of the swizzle's repeat, multiples of 128 bytes need a base offset, and all other
// addresses have no descriptor.
func TestFitAtAddresses(t *testing.T) {
	t.Parallel()
	for p := INTER; p <= SW128; p++ {
		for _, major := range []atom.Major{atom.KMajor, atom.MNMajor} {
			a, err := MakeAtom(p, major, dtype.F16)
			if err != nil {
				t.Fatal(err)
			}
			l, err := a.TileToShape(cute.Ints(64, 64), cute.Tuple{})
			if err != nil {
				t.Fatal(err)
			}
			o := mustOperand(t, "wgmma", dtype.F16, atom.OperandA)
			for address := int64(0); address < 2048; address += 16 {
				f, err := o.Fit(l, address)
				if p != INTER && address%128 != 0 {
					if err == nil {
						t.Errorf("%v, %v-major at %d: %v", p, major, address, f.Matrices[0])
					}
					continue
				}
				if err != nil {
					t.Fatalf("%v, %v-major at %d: %v", p, major, address, err)
				}
				read(t, f, l, address)
				if d := f.Matrices[0]; p == SW128 && d.Base != address>>7&7 {
					t.Errorf("%v at %d: %v", p, address, d)
				}
			}
		}
	}
}

// readable tries every descriptor, and reports whether one reads the window where the layout has it.
func readable(o Operand, offsets []int64, rows int64) bool {
	find := func(d Matrix) bool {
		for i, x := range offsets {
			at, err := d.Find(o.Bits, int64(i)%rows, int64(i)/rows)
			if err != nil || at != x*o.Bits/8 {
				return false
			}
		}
		return true
	}
	for _, major := range o.Majors {
		for _, p := range o.patterns(major) {
			for base := range int64(8) {
				// Each distance that the instruction reads is a distance between two elements before the swizzle.
				far := map[int64]bool{0: true}
				for _, x := range offsets {
					if d := p.swizzleByte(x*o.Bits/8, base) - p.swizzleByte(offsets[0]*o.Bits/8, base); d >= 0 && d%16 == 0 {
						far[d] = true
					}
				}
				read := far
				if major == atom.KMajor && p != INTER {
					read = map[int64]bool{0: true} // the instruction does not read it
				}
				for lbo := range read {
					for sbo := range far {
						d := Matrix{Format: o.Format, Pattern: p, Major: major, Leading: lbo, Stride: sbo, Base: base}
						d.Start = p.swizzleByte(offsets[0]*o.Bits/8, base)
						if d.Check() == nil && find(d) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// Fit accepts a layout exactly if some descriptor reads it; all descriptors are tried.
func fitIsComplete(t *rapid.T) {
	o, err := FindOperand("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", 0, atom.OperandB)
	if err != nil {
		t.Fatal(err)
	}
	stride := rapid.SampledFrom([]int64{1, 2, 8, 16, 32, 64, 72, 128, 256})
	l, err := cute.New(mustShape("((8,2),(8,2))"), mustShape2(stride, t))
	if err != nil {
		t.Skip(err)
	}
	w, err := cute.NewSwizzle(rapid.IntRange(0, 3).Draw(t, "B"), rapid.IntRange(2, 4).Draw(t, "M"), 3)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), l)
	if err != nil {
		t.Skip(err)
	}
	offsets, err := c.AppendOffsets(nil)
	if err != nil {
		t.Skip(err)
	}
	f, err := o.Fit(c, 0)
	want := readable(o, offsets, 16)
	if (err == nil) != want {
		t.Fatalf("%v: %v, %v; some descriptor reads it: %v", c, f.Matrices, err, want)
	}
	if err != nil {
		if _, ok := errors.AsType[*Misfit](err); !ok {
			t.Fatalf("%v: %v", c, err)
		}
		n, err := o.Nearest(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Fit(n.Layout, 0); err != nil {
			t.Fatalf("the nearest of %v is %v: %v", c, n.Layout, err)
		}
	}
}

func mustShape(text string) cute.Tuple { return cute.MustParseTuple(text) }

// mustShape2 draws strides, most of the time from a canonical layout.
func mustShape2(stride *rapid.Generator[int64], t *rapid.T) cute.Tuple {
	canonical := [][4]int64{
		{8, 64, 1, 128}, {16, 128, 1, 8}, {32, 256, 1, 8}, {64, 512, 1, 8}, {1, 64, 8, 128}, {1, 8, 16, 128}, {1, 8, 32, 256}, {1, 8, 64, 512},
	}
	s := rapid.SampledFrom(canonical).Draw(t, "canonical")
	if i := rapid.IntRange(0, 7).Draw(t, "changed"); i < 4 {
		s[i] = stride.Draw(t, "stride")
	}
	a, b := cute.Ints(s[0], s[1]), cute.Ints(s[2], s[3])
	both, err := cute.MakeTuple(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return both
}

func TestFitIsComplete(t *testing.T) { t.Parallel(); rapid.Check(t, fitIsComplete) }

func FuzzFitIsComplete(f *testing.F) { f.Fuzz(rapid.MakeFuzz(fitIsComplete)) }

func TestFitRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout, instr string
		typ           dtype.Type
		which         atom.Operand
		code          cute.Code
	}{
		{"(128,64):(64,1)", "wgmma", dtype.F16, atom.OperandA, cute.CodeNotRepresentable},
		{"(128,64):(1,128)", "wgmma", dtype.E4M3, atom.OperandA, cute.CodeType},   // K-major only
		{"(128,64):(1,128)", "wgmma", dtype.TF32, atom.OperandA, cute.CodeType},   // K-major only
		{"(128,64):(1,128)", "tcgen05", dtype.E2M1, atom.OperandA, cute.CodeType}, // K-major only
		{"(20,64):(64,1)", "wgmma", dtype.F16, atom.OperandB, cute.CodeExtent},
		{"(40,64):(64,1)", "wgmma", dtype.F16, atom.OperandA, cute.CodeNotDivisible},
		{"(128,24):(24,1)", "wgmma", dtype.F16, atom.OperandA, cute.CodeNotDivisible},
		{"64:1", "wgmma", dtype.F16, atom.OperandA, cute.CodeRank},
		{"(64,1048576):(1048576,1)", "wgmma", dtype.F16, atom.OperandA, cute.CodeLimit},
	} {
		o := mustOperand(t, c.instr, c.typ, c.which)
		_, err := o.Fit(cute.MustParse(c.layout), 0)
		wantCode(t, err, c.code)
	}
	o := mustOperand(t, "wgmma", dtype.F16, atom.OperandA)
	_, err := o.Fit(cute.MustParse("(64,16):(16,1)"), 8)
	wantCode(t, err, cute.CodeExtent)
	for _, c := range []struct {
		name string
		typ  dtype.Type
		code cute.Code
	}{
		{"wgmma", dtype.F64, cute.CodeType},
		{"wgmma", 0, cute.CodeType},
		{"wgmma.m32n8k16.f32.f16.f16", 0, cute.CodeExtent},
		{"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16", 0, cute.CodeExtent},
		{"mma", dtype.F16, cute.CodeName},
		{"tcgen05.mma.cta_group::1.kind::f16", dtype.TF32, cute.CodeType},
		{"tcgen05.mma.cta_group::1.kind::", dtype.F16, cute.CodeName},
		{"SM80_16x8x16_F32F16F16F32_TN", 0, cute.CodeType},
		{"tcgen05", dtype.F64, cute.CodeType},
	} {
		_, err := FindOperand(c.name, c.typ, atom.OperandB)
		wantCode(t, err, c.code)
	}
}

// N of wgmma can be 8 mod 16, and then wgmma reads B with N rows (tilelang 2593): the instruction and the layout are
// legal.
func TestFitEightModSixteen(t *testing.T) {
	t.Parallel()
	for n := int64(8); n <= 256; n += 8 {
		a, err := MakeAtom(SW128, atom.KMajor, dtype.F16)
		if err != nil {
			t.Fatal(err)
		}
		l, err := a.TileToShape(cute.Ints(n, 64), cute.Tuple{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := mustOperand(t, "wgmma", dtype.F16, atom.OperandB).Fit(l, 0)
		if err != nil || f.Operand.Rows != n || f.Block.Count != 1 {
			t.Errorf("N %d: %v, %v", n, f, err)
		}
		read(t, f, l, 0)
	}
}

// CuTe's partition of a tile by an instruction, ((m,k),M,K,stages), is read like the tile.
func TestFitOfPartitions(t *testing.T) {
	t.Parallel()
	o := mustOperand(t, "tcgen05", dtype.F16, atom.OperandA)
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("((128,16),1,4,3):((64,1),0,16,8192)"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := o.Fit(c, 0)
	if err != nil || f.Rows != 128 || f.K != 64 || f.Stages != 3 || f.Matrices[0].Stride != 1024 || f.Step.Starts[3] != 96 {
		t.Errorf("%v, %v", f, err)
	}
}

// ((m,k),M,K), CuTe's partition of a tile of one stage, is read like the tile too. A layout that can be (M,K,stages) is
// read as (M,K,stages).
func TestFitOfPartitionsOfOneStage(t *testing.T) {
	t.Parallel()
	o := mustOperand(t, "wgmma", dtype.F16, atom.OperandB)
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][3]int64{
		"((64,16),2,4):((64,1),4096,16)":                  {128, 64, 1},
		"((64,16),1,4):((64,1),0,16)":                     {64, 64, 1},
		"((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))": {128, 64, 3},
		"((8,16),64,3):((64,512),1,8192)":                 {128, 64, 3},
	} {
		c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse(text))
		if err != nil {
			t.Fatal(err)
		}
		f, err := o.Fit(c, 0)
		if err != nil || [3]int64{f.Rows, f.K, f.Stages} != want || f.Matrices[0].Pattern != SW128 {
			t.Errorf("%s: %d by %d by %d: %v", text, f.Rows, f.K, f.Stages, err)
		}
	}
	n, err := o.Nearest(cute.MustParse("((64,16),1,8):((128,1),0,16)"))
	if err != nil || n.Layout.String() != "Sw<3,3,3> o 0 o ((8,8),(64,2)):((64,512),(1,4096))" {
		t.Errorf("%v, %v", n.Layout, err)
	}
}

func BenchmarkFit(b *testing.B) {
	a, err := MakeAtom(SW128, atom.KMajor, dtype.F16)
	if err != nil {
		b.Fatal(err)
	}
	l, err := a.TileToShape(cute.Ints(128, 64), cute.Tuple{})
	if err != nil {
		b.Fatal(err)
	}
	o := mustOperand(b, "wgmma", dtype.F16, atom.OperandA)
	for b.Loop() {
		if _, err := o.Fit(l, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, text := range []string{"(128,64):(64,1)", "(128,64):(65,1)"} {
		b.Run(text, func(b *testing.B) {
			o := mustOperand(b, "wgmma", dtype.F16, atom.OperandA)
			l := cute.MustParse(text)
			for b.Loop() {
				if _, err := o.Nearest(l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
