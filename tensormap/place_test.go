package tensormap_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/tensormap"
)

// The tables of the PTX ISA, "Swizzling Modes", say which chunk of 16 bytes is at each place of a line of 128 bytes.
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

// Loops over a box of a tensor find the element of each byte.
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

// Im2col is compared with the definition of a convolution: row p of the result is the pixel that output p reads for a
// tap.
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

// Everything is copied within the memory of the instruction, and nothing twice to one place.
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

// Along dimension 0 a box begins at a multiple of 16 bytes; otherwise the card fails.
func TestStartAlong(t *testing.T) {
	t.Parallel()
	m := tensormap.Map{
		Type: tensormap.Float16, Dims: []int64{64, 8}, Strides: []int64{128}, Box: []int64{16, 8},
	}
	refused := cute.CodeNotDivisible
	for x, want := range map[int64]cute.Code{0: "", 8: "", -8: "", 4: refused, -1: refused} {
		_, err := m.Landings(tensormap.Start{Coord: []int64{x, 0}})
		e, _ := errors.AsType[*cute.Error](err)
		if (e == nil) != (want == "") || e != nil && e.Code != want {
			t.Errorf("coordinate %d: %v", x, err)
		}
	}
}

// An H100 wrote these rows of 128 bytes with a box of 48: for each type and extent of dimension 0, the number of bytes
// of each row. Stores and reductions, for the types that have them, write the same.
func TestStoresEndAtChunks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind   tensormap.Type
		extent int64
		bytes  int64
	}{
		{tensormap.UInt8, 1, 16},
		{tensormap.UInt8, 16, 16},
		{tensormap.UInt8, 19, 32},
		{tensormap.UInt8, 46, 48},
		{tensormap.UInt16, 7, 16},
		{tensormap.UInt16, 10, 32},
		{tensormap.Float16, 19, 48},
		{tensormap.BFloat16, 4, 16},
		{tensormap.UInt32, 1, 16},
		{tensormap.Float32, 4, 16},
		{tensormap.Float32, 5, 32},
		{tensormap.Float32, 9, 48},
		{tensormap.Float64, 1, 16},
		{tensormap.Float64, 3, 32},
		{tensormap.Float64, 6, 48},
	} {
		size := c.kind.Bits() / 8
		m := tensormap.Map{
			Type: c.kind, Dims: []int64{c.extent, 2}, Strides: []int64{128}, Box: []int64{48 / size, 2},
		}
		stores, err := m.Stores(tensormap.Start{Coord: []int64{0, 0}})
		if err != nil {
			t.Fatal(err)
		}
		var end [2]int64
		for s := range stores {
			if s.Inside {
				end[s.Coord[1]] = s.Global/8 - 128*s.Coord[1] + size
			}
		}
		if end != [2]int64{c.bytes, c.bytes} {
			t.Errorf("%s, extent %d: %d bytes, want %d", c.kind, c.extent, end, c.bytes)
		}
	}
}

// Element strides, and coordinates as on an H100: illegal if negative or off a multiple of 16 bytes.
func TestStoresBegin(t *testing.T) {
	t.Parallel()
	m := tensormap.Map{
		Type: tensormap.Int32, Dims: []int64{9, 12}, Strides: []int64{128}, Box: []int64{16, 6}, Steps: []int64{1, 2},
	}
	stores, err := m.Stores(tensormap.Start{Coord: []int64{4, 1}})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[int64]int{}
	for s := range stores {
		if s.Inside {
			rows[s.Coord[1]]++
		}
	}
	if len(rows) != 3 || rows[1] != 8 || rows[3] != 8 || rows[5] != 8 {
		t.Errorf("rows %v, want 8 elements of 1, 3 and 5", rows)
	}
	for _, c := range []struct {
		x, y int64
		code cute.Code
	}{
		{100, 0, ""},
		{0, 100, ""},
		{-4, 0, cute.CodeMode},
		{0, -1, cute.CodeMode},
		{-100, 0, cute.CodeMode},
		{1, 0, cute.CodeNotDivisible},
	} {
		_, err := m.Stores(tensormap.Start{Coord: []int64{c.x, c.y}})
		e, _ := errors.AsType[*cute.Error](err)
		if (e == nil) != (c.code == "") || e != nil && e.Code != c.code {
			t.Errorf("(%d,%d): %v", c.x, c.y, err)
		}
	}
	for name, c := range map[string]struct {
		m tensormap.Map
		s tensormap.Start
	}{
		"offsets": {pixels(), tensormap.Start{Coord: make([]int64, pixels().Rank()), Offsets: make([]int64, pixels().Rank()-2)}},
		"padded":  {packed(), tensormap.Start{Coord: make([]int64, packed().Rank())}},
	} {
		if _, err := c.m.Stores(c.s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
