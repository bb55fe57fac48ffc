package descriptor

import (
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// extents returns what the instruction reads of the operand: of a sparse A only the stored half.
func extents(t *testing.T, m atom.MMA, o atom.Operand) (rows, columns int64) {
	t.Helper()
	x, err := OperandOf(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return x.Rows, x.K
}

func wantCode(t testing.TB, err error, code cute.Code) {
	t.Helper()
	if !hasCode(err, code) {
		t.Errorf("got %v, want %v", err, code)
	}
}

// A descriptor of each pattern finds each element where the layout has it, anywhere in the tile. It must distinguish
// patterns.
func TestMatrixOfTiles(t *testing.T) {
	t.Parallel()
	n := 0
	for _, name := range []string{
		"SM90_64x64x16_F32F16F16_SS<K,K>", "SM90_64x64x16_F32F16F16_SS<MN,MN>", "SM90_64x16x32_S32S8S8_SS_TN",
		"SM90_64x8x8_F32TF32TF32_SS_TN",
		"SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS<MN,K>",
	} {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []atom.Operand{atom.OperandA, atom.OperandB} {
			rows, columns := extents(t, m, o)
			e := []atom.Element{m.Types.A, m.Types.B}[o]
			for _, a := range AtomsOf(m, o) {
				for _, order := range []cute.Tuple{cute.Ints(1, 2), cute.Ints(2, 1)} {
					tile, err := a.TileToShape(cute.Ints(2*64, 4*columns), order)
					if err != nil {
						t.Fatal(err)
					}
					held, err := NewTile(tile)
					if err != nil {
						t.Fatal(err)
					}
					for k := int64(0); k < 4*columns; k += columns {
						d, err := held.Matrix(m, o, 64, k)
						if a.Major == atom.KMajor && a.Pattern == SW32 && columns*int64(e.Type.Bits()) > 256 {
							wantCode(t, err, cute.CodeNotRepresentable) // B of a sparse operation has rows of 64 bytes
							break
						}
						if err != nil {
							t.Fatalf("%s, %v, %v: %v", name, o, a, err)
						}
						if d.Pattern != a.Pattern {
							t.Errorf("%s, %v, %v: %v", name, o, a, d)
						}
						x, err := tile.Eval(cute.Ints(64+rows-1, k+columns-1))
						if err != nil {
							t.Fatal(err)
						}
						at, err := d.Find(int64(e.Type.Bits()), rows-1, columns-1)
						if want := x.String(); err != nil || cute.Int(at*8/int64(e.Type.Bits())).String() != want {
							t.Errorf("%s, %v, %v: the last element is at byte %d, want element %s: %v", name, o, a, at, want, err)
						}
						n++
					}
				}
			}
		}
		for _, tt := range []struct {
			o    atom.Operand
			tile string
			code cute.Code
		}{
			{atom.OperandB, "(256,64):(65,1)", cute.CodeNotRepresentable},
			{atom.OperandB, "(4,64):(64,1)", cute.CodeExtent},
			{atom.OperandC, "(4,64):(64,1)", cute.CodeType},
		} {
			held, err := NewTile(cute.MustParse(tt.tile))
			if err != nil {
				t.Fatal(err)
			}
			_, err = held.Matrix(m, tt.o, 0, 0)
			wantCode(t, err, tt.code)
		}
	}
	if n < 300 {
		t.Errorf("%d descriptors", n)
	}
}

// CUTLASS's own example has these numbers: SW128, K-major, 64 columns of halves.
func TestMatrixBits(t *testing.T) {
	t.Parallel()
	m, err := atom.FindMMA("SM90_64x64x16_F32F16F16_SS")
	if err != nil {
		t.Fatal(err)
	}
	a, err := MakeAtom(SW128, atom.KMajor, m.Types.B.Type)
	if err != nil {
		t.Fatal(err)
	}
	tile, err := a.TileToShape(cute.Ints(64, 64), cute.Ints(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	held, err := NewTile(tile)
	if err != nil {
		t.Fatal(err)
	}
	d, err := held.Matrix(m, atom.OperandB, 0, 16)
	if err != nil || d.Bits() != 1<<62|64<<32|1<<16|2 || d.Align() != 1024 {
		t.Errorf("%#x %v %v", d.Bits(), d, err)
	}
}

// Stages that all begin at one place are read there, and an impossible number of stages is refused at once.
func TestStagesThatStandStill(t *testing.T) {
	t.Parallel()
	o := mustOperand(t, "wgmma", dtype.F16, atom.OperandA)
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, stages := range []int64{1, 2, 10_000, 1 << 30, 1 << 50} {
		l, err := cute.New(cute.Ints(64, 64, stages), cute.Ints(64, 1, 0))
		if err != nil {
			t.Fatal(err)
		}
		c, err := cute.NewComposed(w, cute.Int(0), l)
		if err != nil {
			t.Fatal(err)
		}
		f, err := o.Fit(c, 0)
		switch {
		case stages >= 1<<30:
			wantCode(t, err, cute.CodeLimit)
		case err != nil:
			t.Errorf("%d stages: %v", stages, err)
		default:
			if d := f.Matrix(1, 0, stages-1); d != f.Matrix(1, 0, 0) {
				t.Errorf("stage %d of %v begins at %d", stages-1, c, d.Start)
			}
		}
	}
}
