package descriptor

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"girih/atom"
	"girih/cute"
)

// The examples of the PTX ISA (9.7.15.5.1.2.1.3 and 9.7.16.3.3, "Canonical Layouts") have these layouts and strides.
func TestCanonicalLayouts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d       Matrix
		bits    int64
		rows, k int64
		exact   string
	}{
		{Matrix{Pattern: INTER, Leading: 64 * 4, Stride: 32 * 4}, 32, 16, 16, "Sw<0,4,3> o ((8,2),(4,4)):((4,32),(1,64))"},
		{Matrix{Pattern: SW32, Leading: 16, Stride: 64 * 4}, 32, 16, 8, "Sw<1,4,3> o ((8,2),(4,2)):((8,64),(1,4))"},
		{
			Matrix{Pattern: INTER, Major: atom.MNMajor, Leading: 128 * 2, Stride: 64 * 2},
			16, 16, 16,
			"Sw<0,4,3> o ((8,1,2),(8,2)):((1,8,64),(8,128))",
		},
		{
			Matrix{Pattern: SW32, Major: atom.MNMajor, Leading: 128 * 2, Stride: 256 * 2},
			16, 32, 16,
			"Sw<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(16,256))",
		},
		{
			Matrix{Pattern: SW64, Major: atom.MNMajor, Leading: 256 * 2, Stride: 512 * 2},
			16, 64, 16,
			"Sw<2,4,3> o ((8,4,2),(8,2)):((1,8,256),(32,512))",
		},
		// cute/arch/mma_sm100_desc.hpp, B128_BASE32B in units of 16 bytes: ((8,n),(4,k)):((1,LBO),(8,SBO)).
		{
			Matrix{Format: SM100, Pattern: SW128Base, Major: atom.MNMajor, Leading: 512, Stride: 2048},
			32, 64, 8,
			"Sw<2,5,2> o ((32,2),(4,2)):((1,128),(32,512))",
		},
	} {
		plain := cute.MustParse(c.exact[len("Sw<0,4,3> o "):])
		w, err := cute.ParseSwizzle(c.exact[:len("Sw<0,4,3>")])
		if err != nil {
			t.Fatal(err)
		}
		offsets, err := plain.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range offsets {
			want, err1 := w.At(x * c.bits / 8)
			got, err2 := c.d.Find(c.bits, int64(i)%c.rows, int64(i)/c.rows)
			if err1 != nil || err2 != nil || got != want {
				t.Fatalf("%s: element %d is read at %d, want %d: %v %v", c.exact, i, got, want, err1, err2)
			}
		}
		if _, err := Decode(c.d.Format, c.d.Major, c.d.Bits()); err != nil {
			t.Errorf("%v: %v", c.d, err)
		}
	}
}

func drawMatrix(t *rapid.T) Matrix {
	at := rapid.Custom(func(t *rapid.T) int64 { return rapid.Int64Range(0, 1<<14-1).Draw(t, "units") * 16 })
	d := Matrix{
		Format: Format(rapid.IntRange(0, 1).Draw(t, "format")), Major: atom.Major(rapid.IntRange(0, 1).Draw(t, "major")),
		Start: at.Draw(t, "start"), Leading: at.Draw(t, "leading"), Stride: at.Draw(t, "stride"),
		Pattern: Pattern(rapid.IntRange(0, 4).Draw(t, "pattern")), Base: rapid.Int64Range(0, 7).Draw(t, "base"),
		Absolute: rapid.IntRange(0, 9).Draw(t, "absolute") == 0,
	}
	return d
}

// Decoding inverts encoding, and every other bit is refused.
func decodeInverts(t *rapid.T) {
	d := drawMatrix(t)
	if d.Check() != nil {
		return
	}
	again, err := Decode(d.Format, d.Major, d.Bits())
	if err != nil || again != d {
		t.Fatalf("%#016x of %v is %v: %v", d.Bits(), d, again, err)
	}
	x := rapid.Uint64().Draw(t, "bits")
	e, err := Decode(d.Format, d.Major, x)
	if err == nil && e.Bits() != x {
		t.Fatalf("%#016x is %v, and that %#016x", x, e, e.Bits())
	}
	near := nearest(d.Format, d.Major, x)
	if again, err2 := Decode(d.Format, d.Major, near); err2 != nil || again.Bits() != near || err == nil && near != x {
		t.Fatalf("the nearest of %#016x, which is %v, is %#016x: %v", x, err, near, err2)
	}
}

func TestDecodeInverts(t *testing.T) { t.Parallel(); rapid.Check(t, decodeInverts) }

func FuzzDecodeInverts(f *testing.F) { f.Fuzz(rapid.MakeFuzz(decodeInverts)) }

// Each reserved bit is refused by itself, and named.
func TestReservedBits(t *testing.T) {
	t.Parallel()
	for f, legal := range []uint64{0x4000004000010000, 0x4000404000010000} {
		n := 0
		for i := range 64 {
			if _, err := Decode(Format(f), atom.KMajor, legal^1<<i); hasCode(err, cute.CodeNotRepresentable) {
				n++
			}
		}
		// sm90: 14, 15, 30, 31, 46-48, 52-61. sm100: 14, 15, 30, 31, 46-48, 53-60, and 61 (3) of the swizzle.
		if want := [2]int{17, 16}[f]; n != want {
			t.Errorf("%v: %d bits are refused, want %d", Format(f), n, want)
		}
	}
}

// The layout of a descriptor agrees with Find, for every base offset.
func layoutIsFind(t *rapid.T) {
	d := drawMatrix(t)
	if d.Check() != nil || d.Absolute {
		return
	}
	size := rapid.SampledFrom([]int64{4, 8, 16, 32}).Draw(t, "bits")
	rows, k := rapid.Int64Range(1, 128).Draw(t, "rows"), rapid.Int64Range(1, 256/size).Draw(t, "k")
	l, err := d.Layout(size, rows, k)
	if err != nil {
		t.Fatalf("%v: %v", d, err)
	}
	for range 50 {
		row, col := rapid.Int64Range(0, rows-1).Draw(t, "row"), rapid.Int64Range(0, k-1).Draw(t, "column")
		x, err := l.Eval(cute.Ints(row, col))
		if err != nil {
			t.Fatalf("%v: %v", l, err)
		}
		at, err := d.Find(size, row, col)
		if got, ok := x.Int64(); !ok || err != nil || got*size/8 != at {
			t.Fatalf("%v, %d bits: %v has (%d,%d) at %v, and it is read at byte %d: %v", d, size, l, row, col, x, at, err)
		}
	}
}

func TestLayoutIsFind(t *testing.T) { t.Parallel(); rapid.Check(t, layoutIsFind) }

func FuzzLayoutIsFind(f *testing.F) { f.Fuzz(rapid.MakeFuzz(layoutIsFind)) }

// A base offset moves all addresses by the row where the pattern begins.
func TestBaseOffset(t *testing.T) {
	t.Parallel()
	for p := SW32; p <= SW128; p++ {
		for base := range int64(8) {
			d := Matrix{Pattern: p, Leading: 16, Stride: 8 * p.Width()}
			e := d
			e.Start, e.Base = base<<7, base
			for row := range int64(64) {
				for k := range int64(16) {
					x, err1 := d.Find(16, row, k)
					y, err2 := e.Find(16, row, k)
					if err1 != nil || err2 != nil || y != x+base<<7 {
						t.Fatalf("%v, base %d: (%d,%d) at %d and %d", p, base, row, k, x, y)
					}
				}
			}
		}
	}
}

func TestFieldsOfMatrix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d    Matrix
		code cute.Code
	}{
		{Matrix{Start: 8}, cute.CodeNotRepresentable},
		{Matrix{Leading: 1 << 18}, cute.CodeNotRepresentable},
		{Matrix{Stride: -16}, cute.CodeNotRepresentable},
		{Matrix{Base: 1}, cute.CodeNotRepresentable},
		{Matrix{Pattern: SW128, Base: 8}, cute.CodeNotRepresentable},
		{Matrix{Pattern: SW128Base, Major: atom.MNMajor}, cute.CodeNotRepresentable},
		{Matrix{Format: SM100, Pattern: SW128Base}, cute.CodeNotRepresentable},
		{Matrix{Format: SM100, Pattern: SW64, Absolute: true}, cute.CodeNotRepresentable},
		{Matrix{Format: 7}, cute.CodeNotRepresentable},
		{Matrix{Pattern: 9}, cute.CodeNotRepresentable},
	} {
		wantCode(t, c.d.Check(), c.code)
		if c.d.Pattern <= SW128Base && bits.OnesCount64(c.d.Bits()) > 64 {
			t.Error("never")
		}
	}
	for _, x := range [][3]int64{{16, -1, 0}, {16, 0, -1}, {0, 0, 0}, {6, 0, 0}, {256, 0, 0}} {
		_, err := Matrix{}.Find(x[0], x[1], x[2])
		wantCode(t, err, cute.CodeExtent)
	}
	_, err := Matrix{Format: SM100, Pattern: SW64}.Find(16, 0, 32)
	wantCode(t, err, cute.CodeNotRepresentable)
	// An H200 reads on at the leading offset.
	if at, err := (Matrix{Pattern: SW32, Leading: 4096}).Find(16, 0, 16); err != nil || at != 4096 {
		t.Errorf("%d, %v", at, err)
	}
	_, err = Matrix{}.Layout(16, 0, 1)
	wantCode(t, err, cute.CodeExtent)
}
