package tensor_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// bitsOf returns the bits of the elements of a packed tensor, by index: the positions times the width, from the lowest.
func bitsOf(start int64, ps []int64, width int64) [][]int64 {
	var out [][]int64
	for _, p := range ps {
		var bits []int64
		for k := range width {
			bits = append(bits, (start+p)*width+k)
		}
		out = append(out, bits)
	}
	return out
}

// joined sorts the bits of all elements into one list.
func joined(elements [][]int64) []int64 {
	all := slices.Concat(elements...)
	slices.Sort(all)
	return all
}

// A tensor recast to another width covers exactly the same bits, equally often; wide elements consist of whole narrow
// ones, and narrow elements are in order within a wide one. A code that is set through one view is seen through the
// other.
func TestRecast(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		types := []dtype.Type{dtype.U1, dtype.U2, dtype.E2M1, dtype.U3, dtype.E3M2, dtype.U8, dtype.U16, dtype.U32, dtype.U64}
		old := rapid.SampledFrom(types).Draw(t, "old")
		typ := rapid.SampledFrom(types).Draw(t, "new")
		l := inner(t, n, "layout")
		ps := positions(l)
		lo, hi := span(ps)
		start := -lo + rapid.Int64Range(0, 8).Draw(t, "start")
		data := make([]byte, ((start+hi+1)*int64(old.Bits())+7)/8+8)
		x := must(tensor.PackedAt(old, data, start, l))
		y, err := tensor.RecastPacked(x, typ)
		if err != nil {
			legal(t, err)
			return
		}
		before := bitsOf(start, ps, int64(old.Bits()))
		after := bitsOf(y.Start(), positions(y.Layout()), int64(typ.Bits()))
		if a, b := joined(before), joined(after); !slices.Equal(a, b) {
			t.Fatalf("%v recast from %v to %v is %v: it takes the bits %v, want %v", x, old, typ, y, b, a)
		}
		if _, composed := l.(cute.Composed); composed {
			return // a swizzle may reorder the parts of a wide element
		}
		inOrder(t, before, after)
	})
}

// legal accepts the codes with which a recast may be refused.
func legal(t *rapid.T, err error) {
	t.Helper()
	e, ok := err.(*cute.Error)
	if !ok || e.Code != cute.CodeNotDivisible && e.Code != cute.CodeSwizzle && e.Code != cute.CodeNegative {
		t.Fatalf("a recast is refused with %v", err)
	}
}

// inOrder checks that wide elements are contiguous and that every element of the finer list is within one element of
// the coarser list.
func inOrder(t *rapid.T, a, b [][]int64) {
	t.Helper()
	fine, coarse := a, b
	if len(a[0]) > len(b[0]) {
		fine, coarse = b, a
	}
	if len(coarse[0])%len(fine[0]) != 0 {
		return
	}
	starts := map[int64]bool{}
	for _, c := range coarse {
		for k := 0; k < len(c); k += len(fine[0]) {
			starts[c[k]] = true
		}
	}
	for _, f := range fine {
		if !starts[f[0]] {
			t.Fatalf("the bits %v lie across two elements of %d bits", f, len(coarse[0]))
		}
	}
}

// Recast refuses to cut an element, or to include bits that are not in the tensor. With negative strides it keeps the
// lowest place.
func TestRecastCases(t *testing.T) {
	t.Parallel()
	data := make([]uint64, 8)
	bytes := must(tensor.Recast[uint8](must(tensor.Make(data, parse("8:1")))))
	if bytes.Layout().String() != "64:1" {
		t.Errorf("64 bytes are %v", bytes)
	}
	memory := make([]uint8, 0)
	for i := range int64(64) {
		if err := bytes.Set(uint8(i), i); err != nil {
			t.Fatal(err)
		}
		memory = append(memory, uint8(i))
	}
	for _, c := range []struct {
		start  int64
		layout string
		want   []uint16 // the positions in steps of two bytes, as 256·high + low; nil for a refusal
	}{
		{0, "4:1", []uint16{0x0100, 0x0302}},
		{2, "4:1", []uint16{0x0302, 0x0504}},
		{1, "4:1", nil},
		{3, "4:-1", []uint16{0x0302, 0x0100}},
		{7, "(2,2):(-1,-4)", []uint16{0x0706, 0x0302}},
		{4, "4:-1", nil},
		{0, "3:1", nil},
		{0, "1:1", nil},
		{0, "(2,3):(1,4)", []uint16{0x0100, 0x0504, 0x0908}},
		{0, "(3,2):(4,1)", []uint16{0x0100, 0x0504, 0x0908}},
		{0, "(2,2):(1,3)", nil},
		{0, "(2,2):(1,0)", []uint16{0x0100, 0x0100}},
		{0, "4:2", nil},
	} {
		narrow := must(tensor.MakeAt(memory, c.start, parse(c.layout)))
		wide, err := tensor.Recast[uint16](narrow)
		if c.want == nil {
			if e, ok := err.(*cute.Error); !ok || e.Code != cute.CodeNotDivisible {
				t.Errorf("%s from %d is recast to %v, %v: want a refusal", c.layout, c.start, wide, err)
			}
			continue
		}
		if got := slices.Collect(wide.Values()); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s from %d is %x, %v, want %x", c.layout, c.start, got, err, c.want)
		}
	}
	tile := must(must(tensor.Make(memory, parse("(5,5):(1,5)"))).LocalTile(tuple("(4,4)"), coord("(1,1)")))
	wantCode(t, second(tensor.Recast[uint16](tile)), cute.CodeType)
	wantCode(t, second(tensor.Recast[uint16](must(tensor.Make(memory[1:], parse("4:1"))))), cute.CodeType)
	wantCode(t, second(tensor.RecastPacked(must(tensor.Make(data, parse("4:1"))), dtype.E2M1)), cute.CodeType)
}

// Packed codes of any width are at their bits of the storage.
func TestPacked(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		typ := rapid.SampledFrom(dtype.All()).Draw(t, "type")
		l := sized(t, n, "layout")
		x, err := tensor.AllocPacked(typ, l)
		if typ.Bits() > 64 {
			wantCode(t, err, cute.CodeType)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		model := map[int64]uint64{}
		ps := positions(l)
		for i := range 3 * n {
			code := rapid.Uint64().Draw(t, "code")
			at := i % n
			if err := x.Set(code, at); err != nil {
				t.Fatal(err)
			}
			model[ps[at]] = code & (^uint64(0) >> (64 - typ.Bits()))
			for j, p := range ps {
				if got := must(x.At(int64(j))); got != model[p] {
					t.Fatalf("%v: element %d is %#x, want %#x", x, j, got, model[p])
				}
			}
		}
	})
}

// Decode gives the values of the codes.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, typ := range dtype.All() {
		if typ.Bits() > 16 || typ.Kind() == dtype.Raw {
			continue
		}
		n := int64(1) << typ.Bits()
		codes := must(tensor.AllocPacked(typ, must(cute.New(cute.Int(n), cute.Int(1)))))
		for c := range n {
			if err := codes.Set(uint64(c), c); err != nil {
				t.Fatal(err)
			}
		}
		values := must(tensor.Decode(codes))
		for c := range n {
			got := must(values.At(c))
			want, err := typ.Decode(uint64(c))
			if got != want && !(got != got && (want != want || err != nil)) {
				t.Errorf("%v: code %#x is %v, want %v", typ, c, got, want)
			}
		}
		wantCode(t, values.Set(1, 0), cute.CodeType)
	}
	wantCode(t, second(tensor.Decode(must(tensor.AllocPacked(dtype.B4, parse("4:1"))))), cute.CodeType)
	wantCode(t, second(tensor.Decode(must(tensor.AllocPacked(dtype.U64, parse("4:1"))))), cute.CodeType)
	wantCode(t, second(tensor.Decode(must(tensor.Alloc[uint64](parse("4:1"))))), cute.CodeType)
}
