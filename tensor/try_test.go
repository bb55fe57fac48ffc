package tensor_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// Every operation on a failed tensor returns the error with which it was made, and none panics.
func TestFailed(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	x := tensor.Try(tensor.Tensor[float32]{}, cause)
	y := must(tensor.Alloc[float32](parse("4:1")))
	codes := tensor.Try(tensor.Tensor[uint64]{}, cause)
	yes := tensor.Try(tensor.Tensor[bool]{}, cause)
	coords := tensor.Try(tensor.Tensor[cute.Tuple]{}, cause)
	same := func(v float32) float32 { return v }
	for name, err := range map[string]error{
		"values":           second(x.AppendValues(nil)),
		"at":               second(x.At(0)),
		"set":              x.Set(1, 0),
		"get":              second(x.Get(cute.At(0))),
		"put":              x.Put(1, cute.At(0)),
		"slice":            second(x.Slice(cute.Open)),
		"map":              second(x.Map(func(l cute.Layout) (cute.Layout, error) { return l, nil })),
		"mode":             second(x.Mode(0)),
		"divide":           second(x.LogicalDivide(cute.Int(2))),
		"tile":             second(x.LocalTile(cute.Int(2), cute.At(0))),
		"offset":           second(x.DomainOffset(cute.At(0))),
		"compose":          second(x.Compose(cute.Int(1))),
		"predicate":        second(x.Predicate()),
		"copy from":        tensor.Copy(x, y),
		"copy to":          tensor.Copy(y, x),
		"copy_if":          tensor.CopyIf(yes, y, y),
		"fill":             tensor.Fill(x, 1),
		"clear":            tensor.Clear(x),
		"axpby x":          tensor.Axpby(1, x, 0, y),
		"axpby y":          tensor.Axpby(1, y, 0, x),
		"axpby_if":         tensor.AxpbyIf(yes, 1, y, 0, y),
		"transform":        tensor.Transform(x, y, same),
		"transform to":     tensor.Transform(y, x, same),
		"reduce":           second(tensor.Reduce(x, 0, func(a, b float32) float32 { return a + b })),
		"lazy":             second(tensor.Lazy(x, same)),
		"gemm":             tensor.Gemm(tensor.MulAdd[float32](), y, y, x, y),
		"print":            tensor.Print(nil, x),
		"like":             second(tensor.MakeLike[int8](x)),
		"fragment":         second(tensor.MakeFragmentLike[int8](x)),
		"vector":           second(tensor.MaxCommonVector(x, y)),
		"cooperative copy": second(tensor.CooperativeCopy(1, 0, 128, x, y)),
		"cooperative fill": tensor.CooperativeFill(1, 0, x, 1),
		"recast":           second(tensor.Recast[int32](x)),
		"pack":             second(tensor.Pack(x, dtype.B8)),
		"in bounds":        second(tensor.InBounds(coords, cute.Int(1))),
		"recast packed":    second(tensor.RecastPacked(codes, dtype.B8)),
		"decode":           second(tensor.Decode(codes)),
		"try":              tensor.Try(x.In(atom.Registers), nil).Err(),
	} {
		if name == "decode" || name == "recast packed" {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if !errors.Is(err, cause) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x.Size() != 0 || x.Rank() != 0 || x.Bits() != 0 || x.Data() != nil || x.Extent(0) != 0 || x.Padded() ||
		x.Start() != 0 {
		t.Errorf("%v has elements", x)
	}
	for range x.All() {
		t.Error("an element")
	}
	if typ, ok := tensor.Type(x); ok {
		t.Errorf("a type, %v", typ)
	}
	if typ, ok := tensor.Type(tensor.Tensor[uint64]{}); ok {
		t.Errorf("a zero tensor has a type, %v", typ)
	}
}

// Slices, tiles, recasts and codes keep the memory space of a tensor, which is printed as CuTe prints pointers.
func TestSpace(t *testing.T) {
	t.Parallel()
	x := must(tensor.Alloc[float32](parse("(8,4)"))).In(atom.SharedMemory)
	p := must(tensor.AllocPacked(dtype.E2M1, parse("(8,4)"))).In(atom.GlobalMemory)
	for want, got := range map[string]interface {
		Space() atom.Space
		String() string
	}{
		"smem_ptr[32b](8) o (8):(1)":           must(x.Slice(coord("(_,1)"))),
		"smem_ptr[16b](0) o (16,4):(1,16)":     must(tensor.Recast[uint16](x)),
		"smem_ptr[8b](0) o (32,4):(1,32)":      must(tensor.Pack(x, dtype.B8)),
		"gmem_subptr[4b](2) o (2,1):(1,0)":     must(p.LocalTile(tuple("(2,1)"), coord("(1,0)"))),
		"gmem_ptr[8b](0) o (4,4):(1,4)":        must(tensor.RecastPacked(p, dtype.B8)),
		"lazy(smem_ptr[32b](0)) o (8,4):(1,8)": must(tensor.Lazy(x, func(v float32) bool { return v > 0 })),
		"tmem_ptr[32b](0) o (8,4):(1,8)":       x.In(atom.TensorMemory),
		"ptr[32b](0) o (8,4):(1,8)":            x.In(atom.Registers),
	} {
		if got.String() != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if s := must(tensor.Counting(0, parse("4:1"))).In(atom.SharedMemory).Space(); s != atom.Anywhere {
		t.Errorf("what is computed lies in %v", s)
	}
	if must(x.At(3, 3)) != 0 || x.In(atom.Registers).Set(5, 3, 3) != nil || must(x.At(3, 3)) != 5 {
		t.Error("the storage is the same")
	}
}

// A view of a swizzled tensor may repeat a place any number of times; the repetitions add no places.
func TestRepeatedSwizzle(t *testing.T) {
	t.Parallel()
	x := must(tensor.Alloc[int32](composed("Sw<1,0,3>", "0", "(8,6):(1,8)")))
	y, err := x.Map(func(l cute.Layout) (cute.Layout, error) {
		m := l.Modes()
		return cute.MakeLayout(parse("4194304:0"), m[0], m[1])
	})
	if err != nil || y.Size() != 4194304*48 {
		t.Errorf("%v, %v", y, err)
	}
	if _, err := x.Map(func(cute.Layout) (cute.Layout, error) { return parse("(4194304,8,7):(0,1,8)"), nil }); err == nil {
		t.Error("a view beyond the storage")
	}
}

// Codes stay packed in tensors that are made like a packed tensor.
func TestLikePacked(t *testing.T) {
	t.Parallel()
	p := must(tensor.AllocPacked(dtype.F16, parse("((2,2),4):((1,8),2)")))
	a, b := must(tensor.MakeLike[uint64](p)), must(tensor.MakeFragmentLike[uint64](p))
	for _, x := range []tensor.Tensor[uint64]{a, b} {
		if typ, ok := tensor.Type(x); !ok || typ != dtype.F16 || x.Bits() != 16 {
			t.Errorf("%v holds %v", x, typ)
		}
	}
	if f := must(tensor.MakeLike[float32](p)); f.Bits() != 32 || !slices.Equal(f.Shape().Leaves(), p.Shape().Leaves()) {
		t.Errorf("%v", f)
	}
}

// Slices of swizzled tensors share the functions. They behave like a tensor with the slice's own layout when they are
// copied from and to, recast, rearranged, and printed.
func TestSwizzledSlices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Two swizzles, of elements 2^m apart, and three modes in any order.
		b, m, s := rapid.IntRange(0, 3).Draw(t, "B"), rapid.IntRange(0, 2).Draw(t, "M"), rapid.IntRange(3, 4).Draw(t, "S")
		strides := rapid.Permutation([]int64{1, 8, 64}).Draw(t, "strides")
		in := must(cute.New(cute.Ints(8, 8, 5), cute.Ints(strides...)))
		off := rapid.Int64Range(0, 9).Draw(t, "offset")
		l := must(cute.NewComposed(must(cute.NewSwizzle(b, m, s)), cute.Int(off), in))
		if rapid.Bool().Draw(t, "two") {
			l = must(cute.NewComposed(must(cute.NewSwizzle(2, 0, 4)), cute.Int(3), l))
		}
		x := must(tensor.Alloc[int32](l))
		for i := range x.Size() {
			must(0, x.Set(int32(i), i))
		}
		atJ, atK := cute.At(rapid.Int64Range(0, 7).Draw(t, "j")), cute.At(rapid.Int64Range(0, 4).Draw(t, "k"))
		at := cute.MakeCoord(cute.Open, atJ, atK)
		slice := must(x.Slice(at))
		if rapid.Bool().Draw(t, "again") {
			slice = must(must(x.Slice(cute.MakeCoord(cute.Open, cute.Open, atK))).Slice(cute.MakeCoord(cute.Open, atJ)))
		}
		var want []int32
		for i := range int64(8) {
			want = append(want, must(x.Get(cute.MakeCoord(cute.At(i), atJ, atK))))
		}
		check := func(what string, got tensor.Tensor[int32]) {
			t.Helper()
			if v := slices.Collect(got.Values()); !slices.Equal(v, want) {
				t.Fatalf("%s of %v at %v, %v: %v, want %v", what, x, at, got, v, want)
			}
		}
		check("slice", slice)
		check("own layout", must(tensor.MakeAt(x.Data(), slice.Start(), slice.Layout())))
		check("map", must(slice.Map(func(l cute.Layout) (cute.Layout, error) { return l.Flatten(), nil })))
		out := must(tensor.Alloc[int32](parse("8:1")))
		must(0, tensor.Copy(slice, out))
		check("copy", out)
		// A view that repeats the slice more often than the limit on examined elements.
		many := must(slice.Map(func(l cute.Layout) (cute.Layout, error) { return cute.MakeLayout(l, parse("4194304:0")) }))
		check("repeated", must(many.Slice(cute.MakeCoord(cute.Open, cute.At(5)))))
		if bytes, err := tensor.Recast[uint16](slice); err == nil {
			for i := range bytes.Size() {
				if got := must(bytes.At(i)); got != uint16(uint32(want[i/2])>>(16*(i%2))) {
					t.Fatalf("recast of %v: %d at %d", slice, got, i)
				}
			}
		}
		for i := range want {
			want[i] += 1000
			must(0, out.Set(want[i], int64(i)))
		}
		must(0, tensor.Copy(out, slice))
		check("copied to", slice)
		for i := range int64(8) {
			if got := must(x.Get(cute.MakeCoord(cute.At(i), atJ, atK))); got != want[i] {
				t.Fatalf("what was copied to %v is %d at %d of %v", slice, got, i, x)
			}
		}
	})
}

// The places of a slice count from its beginning: a place outside the storage is refused.
func TestSlicedBounds(t *testing.T) {
	t.Parallel()
	x := must(tensor.Make(make([]int32, 96), composed("Sw<1,3,2>", "0", "(8,12):(1,8)")))
	last := must(x.Slice(coord("(_,11)")))
	as := func(l string) error {
		_, err := last.Map(func(cute.Layout) (cute.Layout, error) { return parse(l), nil })
		return err
	}
	if err := as("8:1"); err != nil {
		t.Error(err)
	}
	wantCode(t, as("(8,5):(1,8)"), cute.CodeMode)
	wantCode(t, as("(8,5,4194304):(1,8,0)"), cute.CodeMode)
}

// AppendValues gives the elements in the iterator's order, with zeros for padding.
func TestAppendValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, _ := grid(t)
		d := must(x.ZippedDivide(cute.Ints(rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b"))))
		for _, y := range []tensor.Tensor[int32]{x, d} {
			want := make([]int32, y.Size()+1)
			want[0] = -1
			for i, v := range y.All() {
				want[i+1] = v
			}
			if got := must(y.AppendValues([]int32{-1})); !slices.Equal(got, want) {
				t.Fatalf("%v has %v, want %v", y, got, want)
			}
		}
	})
}
