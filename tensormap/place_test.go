package tensormap_test

import (
	"errors"
	"testing"

	"girih"
	"girih/tensormap"
)

// The tables of the PTX ISA, "Swizzling Modes": which chunk of 16 bytes lands at each place of a line of 128.
func TestSwizzleTables(t *testing.T) {
	t.Parallel()
	tables := map[tensormap.Swizzle][]string{
		tensormap.SwizzleNone: {"01234567"},
		tensormap.Swizzle32B:  {"01234567", "10325476"},
		tensormap.Swizzle64B:  {"01234567", "10325476", "23016745", "32107654"},
		tensormap.Swizzle128B: {
			"01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210",
		},
		tensormap.Swizzle128BAtom32B: {"01234567", "23016745", "45670123", "67452301"},
		tensormap.Swizzle128BAtom64B: {"01234567", "45670123"},
	}
	for s, rows := range tables {
		for line := range int64(16) {
			row := rows[line%int64(len(rows))]
			for place := range int64(8) {
				chunk := int64(row[place] - '0')
				for b := range int64(16) {
					if got := s.At(line*128 + chunk*16 + b); got != line*128+place*16+b {
						t.Fatalf("%s: chunk %d of line %d lands at %d", s, chunk, line, got)
					}
				}
			}
		}
		w, ok := s.CuTe()
		for x := range int64(2048) {
			if y, err := w.At(x); !ok || err != nil || y != s.At(x) {
				t.Fatalf("%s at %d: CuTe's %s gives %d, %v", s, x, w, y, err)
			}
		}
	}
	flip := tensormap.Swizzle128BAtom32BFlip8B
	for x := range int64(2048) {
		want := tensormap.Swizzle128BAtom32B.At(x)
		if x/128%2 == 1 {
			want ^= 8
		}
		if got := flip.At(x); got != want {
			t.Fatalf("%s at %d: %d, want %d", flip, x, got, want)
		}
	}
}

// A box of a tensor by loops: which element lands at each byte.
func TestLandingsOfABox(t *testing.T) {
	t.Parallel()
	m := tensormap.Map{
		Type: tensormap.Float16, Dims: []int64{100, 7, 5}, Strides: []int64{208, 1456}, Box: []int64{32, 6, 3},
		Steps:   []int64{1, 2, 1},
		Swizzle: tensormap.Swizzle64B,
	}
	start := tensormap.Start{Coord: []int64{80, -1, 3}, Shared: 128 * 3}
	landings, err := m.Landings(start)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int64]tensormap.Landing{}
	for l := range landings {
		got[l.Shared] = l
	}
	n := 0
	for z := range int64(3) {
		for y := range int64(3) {
			for x := range int64(32) {
				cx, cy, cz := 80+x, -1+2*y, 3+z
				offset := 128*3 + ((z*3+y)*32+x)*2
				offset ^= offset >> 3 & 0x30
				l, ok := got[(offset-128*3)*8]
				inside := cx < 100 && cy >= 0 && cy < 7 && cz < 5
				if !ok || l.Inside != inside || inside && l.Global != (cx*2+cy*208+cz*1456)*8 {
					t.Fatalf("(%d,%d,%d): %+v", cx, cy, cz, l)
				}
				n++
			}
		}
	}
	if n != len(got) || m.Bytes() != int64(n*2) || m.SharedBytes() != m.Bytes() {
		t.Errorf("%d elements landed, want %d; Bytes() = %d", len(got), n, m.Bytes())
	}
}

// Im2col against the definition of a convolution: row p of the result is the pixel that output p takes for one tap.
func TestLandingsOfIm2col(t *testing.T) {
	t.Parallel()
	const c, w, h, n, pad, stride, s = 8, 9, 7, 3, 1, 2, 3
	m := tensormap.Map{
		Mode: tensormap.Im2col, Type: tensormap.Float16, Dims: []int64{c, w, h, n}, Strides: []int64{
			c * 2, c * w * 2,
			c * w * h * 2,
		},
		Lower: []int64{-pad, -pad}, Upper: []int64{pad - (s - 1), pad - (s - 1)}, Channels: c, Steps: []int64{
			1, stride,
			stride, 1,
		},
	}
	q, p := int64((w+2*pad-s)/stride+1), int64((h+2*pad-s)/stride+1)
	m.Pixels = q*p*n + 5
	for tapY := range int64(s) {
		for tapX := range int64(s) {
			landings, err := m.Landings(tensormap.Start{Coord: []int64{0, -pad, -pad, 0}, Offsets: []int64{tapX, tapY}})
			if err != nil {
				t.Fatal(err)
			}
			i := int64(0)
			for l := range landings {
				pixel, ch := i/c, i%c
				x, y, z := pixel%q*stride+tapX-pad, pixel/q%p*stride+tapY-pad, pixel/q/p
				inside := x >= 0 && x < w && y >= 0 && y < h && z < n
				if l.Shared != i*16 || l.Inside != inside || inside && l.Global != (((z*h+y)*w+x)*c+ch)*16 {
					t.Fatalf("tap (%d,%d), pixel %d, channel %d: %+v", tapX, tapY, pixel, ch, l)
				}
				i++
			}
			if i != m.Pixels*c {
				t.Fatalf("%d elements, want %d", i, m.Pixels*c)
			}
		}
	}
}

// Whatever lands keeps to the memory of the instruction, and nothing lands twice.
func TestLandingsDoNotMeet(t *testing.T) {
	t.Parallel()
	short := tiled()
	short.Box[0] = 24
	for name, m := range map[string]tensormap.Map{
		"tiled": tiled(), "packed": packed(), "slices": interleaved(),
		"pixels": pixels(), "short": short,
	} {
		at := make([]int64, m.Rank())
		landings, err := m.Landings(tensormap.Start{Coord: at})
		if err != nil {
			t.Fatal(err)
		}
		seen, bits := map[int64]bool{}, int64(0)
		for l := range landings {
			if l.Shared < 0 || l.Shared+l.Bits > m.SharedBytes()*8 {
				t.Fatalf("%s: bit %d is outside %d bytes", name, l.Shared, m.SharedBytes())
			}
			for b := range l.Bits {
				if seen[l.Shared+b] {
					t.Fatalf("%s: two elements land at bit %d", name, l.Shared+b)
				}
				seen[l.Shared+b] = true
			}
			bits += l.Bits
		}
		if bits != m.Bytes()*8 {
			t.Errorf("%s: %d bits landed, Bytes() = %d", name, bits, m.Bytes())
		}
	}
}

// A box begins at a multiple of 16 bytes along dimension 0, or the card stops.
func TestStartAlong(t *testing.T) {
	t.Parallel()
	m := tensormap.Map{
		Type: tensormap.Float16, Dims: []int64{64, 8}, Strides: []int64{128}, Box: []int64{16, 8},
	}
	refused := girih.CodeNotDivisible
	for x, want := range map[int64]girih.Code{0: "", 8: "", -8: "", 4: refused, -1: refused} {
		_, err := m.Landings(tensormap.Start{Coord: []int64{x, 0}})
		e, _ := errors.AsType[*girih.Error](err)
		if (e == nil) != (want == "") || e != nil && e.Code != want {
			t.Errorf("coordinate %d: %v", x, err)
		}
	}
}
