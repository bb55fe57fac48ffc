package atom

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"

	"pgregory.net/rapid"
)

// mustCopyAtom, mustTile and the like make values for the tests.
func mustCopyAtom(t testing.TB, operation, valueType string) CopyAtom {
	t.Helper()
	a, err := FindCopyAtom(operation, valueType)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func mustTiledMMA(t testing.TB, name, atoms string, permutation cute.Tiler) TiledMMA {
	t.Helper()
	m, err := FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	tiled, err := MakeTiledMMA(m, cute.MustParse(atoms), permutation)
	if err != nil {
		t.Fatal(err)
	}
	return tiled
}

func offsets(t interface{ Fatal(...any) }, l cute.Layout) []int64 {
	o, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// copyNames are operations of one thread and of 32, with and without transposition, on pieces of 8 bits or more.
var copyNames = []string{
	"SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N", "SM75_U16x2_LDSM_T", "SM75_U16x4_LDSM_T", "SM75_U16x8_LDSM_T",
	"SM90_U32x2_STSM_N", "SM90_U16x8_STSM_T", "UniversalCopy<uint32_t>", "UniversalCopy<uint64_t>", "UniversalCopy<uint128_t>",
	"SM50_Shuffle_U32_2x2Trans_XOR1", "SM50_Shuffle_U32_2x2Trans_XOR4", "SM100_U8x8_LDSM_T", "SM100_U8x16_STSM_T",
}

// movesWhole reports whether each thread holds whole values of n bits on both sides: the thread's bits come in groups
// of n that are consecutive and begin at a multiple of n.
func movesWhole(t interface{ Fatal(...any) }, c Copy, n int64) bool {
	for _, side := range []cute.Layout{c.Src, c.Dst} {
		bits := offsets(t, side)
		threads := side.Modes()[0].Size()
		if (int64(len(bits))/threads)%n != 0 {
			return false
		}
		for i, bit := range bits {
			if thread, v := int64(i)%threads, int64(i)/threads; bit != bits[thread+threads*(v-v%n)]+v%n || (bit-v%n)%n != 0 {
				return false
			}
		}
	}
	return true
}

// An operation takes exactly the types for which each thread has whole values.
func TestCopyAtomTypes(t *testing.T) {
	t.Parallel()
	taken := 0
	types := []dtype.Type{dtype.E2M1, dtype.S8, dtype.F16, dtype.F32, dtype.F64}
	for _, name := range copyNames {
		c, err := FindCopy(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, typ := range types {
			_, err := MakeCopyAtom(c, typ)
			switch whole := movesWhole(t, c, int64(typ.Bits())); {
			case whole && err != nil:
				t.Errorf("%s of %v: %v, but each thread has whole values", name, typ, err)
			case !whole:
				wantCode(t, err, cute.CodeType, "CopyOperation is not valid")
			default:
				taken++
			}
		}
	}
	if all := len(copyNames) * len(types); taken < all/2 || taken > all-5 {
		t.Errorf("%d of %d pairs are taken", taken, all)
	}
}

// drawCopyAtom draws an operation and a type that it takes.
func drawCopyAtom(t *rapid.T) CopyAtom {
	c, err := FindCopy(rapid.SampledFrom(copyNames).Draw(t, "operation"))
	if err != nil {
		t.Fatal(err)
	}
	var types []dtype.Type
	for _, typ := range []dtype.Type{dtype.S8, dtype.F16, dtype.F32} {
		if movesWhole(t, c, int64(typ.Bits())) {
			types = append(types, typ)
		}
	}
	a, err := MakeCopyAtom(c, rapid.SampledFrom(types).Draw(t, "type"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// drawPow draws a power of two of at most 2^most.
func drawPow(t *rapid.T, label string, most int) int64 {
	return 1 << rapid.IntRange(0, most).Draw(t, label)
}

// drawTiledCopy draws a tiled copy made of threads and values, or of an operand of an MMA.
func drawTiledCopy(t *rapid.T) TiledCopy {
	if rapid.Bool().Draw(t, "of an MMA") {
		c, _, _ := drawOperandCopy(t)
		return c
	}
	a := drawCopyAtom(t)
	threads, values := drawFitting(t, a)
	c, err := MakeTiledCopy(a, threads, values)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// drawFitting draws layouts of threads and of values that make a tiled copy.
func drawFitting(t *rapid.T, a CopyAtom) (threads, values cute.Layout) {
	m, n := drawThreadsAndValues(t)
	// The number is at least as large as the operation needs, because all numbers are powers of two.
	atomThreads := a.ValRef.Modes()[0].Size()
	m[1] *= max(1, atomThreads/(m[0]*m[1]))
	n[1] *= max(1, a.NumVal()/(n[0]*n[1]))
	return drawCompact(t, "threads", m[0], m[1]), drawCompact(t, "values", n[0], n[1])
}

func drawThreadsAndValues(t *rapid.T) (threads, values [2]int64) {
	return [2]int64{drawPow(t, "threads along M", 3), drawPow(t, "threads along N", 5)},
		[2]int64{drawPow(t, "values along M", 3), drawPow(t, "values along N", 3)}
}

// drawOperandCopy draws an MMA, an operand, and a tiled copy that moves it. The tile is as large as the operation
// needs.
func drawOperandCopy(t *rapid.T) (TiledCopy, TiledMMA, Operand) {
	a := drawCopyAtom(t)
	m := mustFind(t, rapid.SampledFrom([]string{
		"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
	}).Draw(t, "mma"))
	atoms := []int64{drawPow(t, "atoms along M", 2), drawPow(t, "atoms along N", 1), 1}
	repeats := []int64{drawPow(t, "M", 1), drawPow(t, "N", 2), drawPow(t, "K", 1)}
	layout, err := cute.LayoutLeft(cute.Ints(atoms...))
	if err != nil {
		t.Fatal(err)
	}
	o := Operand(rapid.IntRange(0, 2).Draw(t, "operand"))
	x, y := o.Axes()
	values := repeats[x] * repeats[y] * m.TV(o).Modes()[1].Size()
	repeats[y] *= max(1, a.NumVal()/values) // all are powers of two
	tiled, err := MakeTiledMMA(m, layout, cute.Ints(m.Shape[0]*atoms[0]*repeats[0], m.Shape[1]*atoms[1]*repeats[1],
		m.Shape[2]*repeats[2]))
	if err != nil {
		t.Fatal(err)
	}
	c, err := copyOperand(a, tiled, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, tiled, o
}

// Exactly the threads and values that the operation does not divide are refused.
func TestTooFewThreadsAndValues(t *testing.T) {
	t.Parallel()
	made, few := 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		a := drawCopyAtom(t)
		threads, values := drawThreadsAndValues(t)
		_, err := MakeTiledCopy(a, drawCompact(t, "threads", threads[0], threads[1]),
			drawCompact(t, "values", values[0], values[1]))
		want := ""
		switch {
		case threads[0]*threads[1]%a.ValRef.Modes()[0].Size() != 0:
			want = "TiledCopy uses too few thrs"
		case values[0]*values[1]%a.NumVal() != 0:
			want = "TiledCopy uses too few vals"
		}
		switch {
		case want == "" && err != nil:
			t.Fatalf("%v of %d threads and %d values: %v", a, threads, values, err)
		case want == "":
			made++
			return
		case !hasCode(err, cute.CodeNotDivisible) || !strings.Contains(err.Error(), want):
			t.Fatalf("%v of %d threads and %d values: %v, want %q", a, threads, values, err, want)
		}
		few[want]++
	})
	if (made < 5 || len(few) < 2) && !testing.Short() { // with -short, too few are drawn
		t.Errorf("%d were made and %v refused", made, few)
	}
}

func drawCompact(t *rapid.T, label string, m, n int64) cute.Layout {
	if rapid.Bool().Draw(t, label+" row-major") {
		return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", m, n, n))
	}
	return cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", m, n, m))
}

// The source of a tiled copy follows its definition: value v of thread t of each operation is the bits that go to a
// value of the reference, and the thread-value layout maps that value to an element.
func TestTiledCopyLayoutsByDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawTiledCopy(t)
		a := c.Atom()
		atomThreads, atomValues := a.ValRef.Modes()[0].Size(), a.NumVal()
		holder := map[int64][2]int64{} // maps a bit to the thread and value of the reference that hold it
		for i, bit := range offsets(t, a.ValRef) {
			if _, ok := holder[bit]; !ok {
				holder[bit] = [2]int64{int64(i) % atomThreads, int64(i) / atomThreads}
			}
		}
		tv := offsets(t, c.LayoutTV())
		for _, side := range []struct {
			atom, tiled cute.Layout
		}{{a.ValSrc, c.LayoutSrcTV()}, {a.ValDst, c.LayoutDstTV()}} {
			perThread := side.atom.Modes()[1].Size()
			bits, got := offsets(t, side.atom), offsets(t, side.tiled)
			threads := c.Size()
			for i, index := range got {
				thread, value := int64(i)%threads, int64(i)/threads
				bit := bits[thread%atomThreads+atomThreads*(value%perThread)]
				h := holder[bit]
				of := thread/atomThreads*atomThreads + h[0] + threads*(value/perThread*atomValues+h[1])
				if index != tv[of] {
					t.Fatalf("%vthread %d, value %d is element %d, want %d", c, thread, value, index, tv[of])
				}
			}
		}
	})
}

// A partition is the tensor at the elements of the thread's layout, the same in every tile.
func TestPartitionByDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawTiledCopy(t)
		tile := c.Shape().Leaves()
		tensor := drawCompact(t, "tensor", tile[0]*2, tile[1]*3)
		thread, err := c.Thread(rapid.Int64Range(0, c.Size()-1).Draw(t, "thread"))
		if err != nil {
			t.Fatal(err)
		}
		side := offsets(t, c.LayoutSrcTV())
		part, start, err := thread.PartitionS(tensor)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := start.Int64()
		values := int64(len(side)) / c.Size()
		for i, offset := range offsets(t, part) {
			value, rest := int64(i)%values, int64(i)/values
			index := side[thread.Index()+c.Size()*value]
			want, err := tensor.Eval(cute.Ints(index%tile[0]+tile[0]*(rest%2), index/tile[0]+tile[1]*(rest/2)))
			if err != nil {
				t.Fatal(err)
			}
			if w, _ := want.Int64(); at+offset != w {
				t.Fatalf("%vthread %d, value %d of tile %d is at %d, want %d", c, thread.Index(), value, rest, at+offset, w)
			}
		}
	})
}

// Retiling a fragment of an MMA does not move elements: the place that the copy gives for a value of the reference is
// the register in which the MMA has that element.
func TestRetileKeepsElements(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, mma, o := drawOperandCopy(t)
		tile := c.Shape().Leaves()
		tensor := drawCompact(t, "tensor", tile[0]*rapid.Int64Range(1, 2).Draw(t, "tiles"), tile[1]*2)
		n := rapid.Int64Range(0, c.Size()-1).Draw(t, "thread")
		owner, err := mma.Thread(n)
		if err != nil {
			t.Fatal(err)
		}
		copier, err := c.Thread(n)
		if err != nil {
			t.Fatal(err)
		}
		fragment, err := owner.PartitionFragment(o, tensor)
		if err != nil {
			t.Fatal(err)
		}
		retiled, err := copier.RetileD(fragment)
		if err != nil {
			t.Fatal(err)
		}
		elements, at, err := owner.Partition(o, tensor)
		if err != nil {
			t.Fatal(err)
		}
		partition := copier.PartitionD
		if c.Atom().Ref.Equal(c.Atom().Src) {
			partition = copier.PartitionS
		}
		copied, from, err := partition(tensor)
		if err != nil {
			t.Fatal(err)
		}
		first, _ := at.Int64()
		second, _ := from.Int64()
		register := map[int64]int64{}
		registers := offsets(t, fragment)
		for i, e := range offsets(t, elements) {
			register[first+e] = registers[i]
		}
		moved := offsets(t, copied)
		for i, r := range offsets(t, retiled) {
			if want, ok := register[second+moved[i]]; !ok || r != want {
				t.Fatalf("%vvalue %d is element %d in register %d, want %d", c, i, second+moved[i], r, want)
			}
		}
	})
}

func TestTiledCopyRefuses(t *testing.T) {
	t.Parallel()
	ldsm, wide := mustCopyAtom(t, "SM75_U32x4_LDSM_N", "half_t"), mustCopyAtom(t, "UniversalCopy<uint128_t>", "half_t")
	parse := cute.MustParse
	for _, c := range []struct {
		what  func() (TiledCopy, error)
		code  cute.Code
		words string
	}{
		{func() (TiledCopy, error) { return MakeTiledCopy(ldsm, parse("(4,4):(4,1)"), parse("(1,8):(1,1)")) }, cute.CodeNotDivisible, "too few thrs"},
		{func() (TiledCopy, error) { return MakeTiledCopy(wide, parse("(4,4):(4,1)"), parse("(1,4):(1,1)")) }, cute.CodeNotDivisible, "too few vals"},
		{func() (TiledCopy, error) { return MakeTiledCopy(wide, parse("(4,4):(4,0)"), parse("(1,8):(1,1)")) }, cute.CodeNotInvertible, "thr_layout"},
		{func() (TiledCopy, error) { return MakeTiledCopy(wide, parse("(4,4):(4,1)"), parse("(1,8):(1,2)")) }, cute.CodeNotInvertible, "val_layout"},
		{func() (TiledCopy, error) { return MakeTiledCopyTV(wide, parse("32:1"), cute.Ints(16, 16)) }, cute.CodeRank, "(thread, value)"},
		{func() (TiledCopy, error) { return MakeTiledCopyTV(wide, parse("(32,8):(8,1)"), cute.Ints(16, 8)) }, cute.CodeExtent, "255"},
		{func() (TiledCopy, error) { return MakeTiledCopyTV(wide, parse("(32,8):(8,-1)"), cute.Ints(16, 16)) }, cute.CodeNegative, "-1"},
		{func() (TiledCopy, error) { return MakeTiledCopyTV(wide, parse("(32,8):(8,1)"), cute.Keep) }, cute.CodeType, "tiler"},
		{func() (TiledCopy, error) { return MakeTiledCopyTV(wide, parse("(32,8):(8,1)"), nil) }, cute.CodeType, "tiler"},
		{func() (TiledCopy, error) { return MakeTiledCopyTV(wide, parse("(32,8):(8,1)"), cute.Ints(0, 16)) }, cute.CodeExtent, "at least 1"},
		{func() (TiledCopy, error) {
			return MakeCotiledCopy(wide, parse("(32,8):(8,1)"), parse("(16,8):(16,1)"))
		}, cute.CodeNotInvertible, "does not exist in the DataLayout"},
		{func() (TiledCopy, error) { return MakeCotiledCopy(wide, parse("32:8"), parse("(16,8):(8,1)")) }, cute.CodeRank, ""},
		{func() (TiledCopy, error) {
			return MakeTiledCopyCAtom(wide, mustTiledMMA(t, "SM80_16x8x16_F32F16F16F32_TN", "(1,1,1)", nil))
		}, cute.CodeNotDivisible, "4 of C"},
	} {
		made, err := c.what()
		if err == nil {
			t.Errorf("accepted: %v", made)
			continue
		}
		wantCode(t, err, c.code, c.words)
	}
}

// Each of four warps executes tcgen05.ld on 32 lanes. A tensor of 64 lanes contains data for two warps only; the others
// repeat that data. If the tensor has a gap, a warp would read the gap.
func TestCotiledTensorMemory(t *testing.T) {
	t.Parallel()
	a := mustCopyAtom(t, "SM100_TMEM_LOAD_32dp32b32x", "float")
	addresses := cute.MustParse("((32,4),(32,32)):((0,2097152),(1,65536))")
	whole, err := MakeCotiledCopy(a, addresses, cute.MustParse("(128,128):(65536,1)"))
	if err != nil {
		t.Fatal(err)
	}
	if got := whole.TilerText() + " " + whole.LayoutDstTV().String(); got != "((4,32):(32,1),32:1) ((32,4),(32,1)):((4,1),(128,0))" {
		t.Errorf("got %s", got)
	}
	if half, err := MakeCotiledCopy(a, addresses, cute.MustParse("(64,128):(65536,1)")); err != nil || half.Size() != 128 {
		t.Errorf("half the lanes: %v, %v", half, err)
	}
	_, err = MakeCotiledCopy(a, addresses, cute.MustParse("((32,2),128):((65536,4194304),1)"))
	wantCode(t, err, cute.CodeNotInvertible, "does not exist in the DataLayout")
}

func TestPartitionRefuses(t *testing.T) {
	t.Parallel()
	c, err := MakeTiledCopy(mustCopyAtom(t, "UniversalCopy<uint128_t>", "half_t"), cute.MustParse("(32,8):(8,1)"),
		cute.MustParse("(1,8):(1,1)"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{-1, 256, 1 << 62} {
		_, err := c.Thread(n)
		wantCode(t, err, cute.CodeMode, "255")
	}
	thread, err := c.Thread(17)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = thread.PartitionS(cute.MustParse("128:1"))
	wantCode(t, err, cute.CodeRank, "Rank of tensor to be partitioned too small")
	_, _, err = thread.PartitionD(cute.MustParse("(100,64):(64,1)"))
	wantCode(t, err, cute.CodeNotDivisible, "multiple of 32 elements along mode 0", "partition a tensor of 128")
	_, err = thread.RetileS(cute.MustParse("8:1"))
	wantCode(t, err, cute.CodeRank, "mode of values")
	_, err = thread.RetileS(cute.MustParse("(3,1,1):(1,0,0)"))
	wantCode(t, err, cute.CodeNotDivisible, "neither divides")
	var zero TiledCopy
	_, err = zero.Thread(0)
	wantCode(t, err, cute.CodeMode, "")
	_ = zero.String()
}

// Partitioning a swizzled tensor inside the swizzle keeps the elements.
func TestPartitionComposed(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	inner := cute.MustParse("(128,64):(64,1)")
	tensor, err := cute.NewComposed(w, cute.Int(0), inner)
	if err != nil {
		t.Fatal(err)
	}
	c, err := MakeTiledCopy(mustCopyAtom(t, "UniversalCopy<uint128_t>", "half_t"), cute.MustParse("(32,8):(8,1)"),
		cute.MustParse("(1,8):(1,1)"))
	if err != nil {
		t.Fatal(err)
	}
	thread, err := c.Thread(77)
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range []struct {
		plain    func(cute.Layout) (cute.Layout, cute.Tuple, error)
		composed func(cute.Composed) (cute.Composed, error)
	}{{thread.PartitionS, thread.PartitionSComposed}, {thread.PartitionD, thread.PartitionDComposed}} {
		part, start, err := side.plain(inner)
		if err != nil {
			t.Fatal(err)
		}
		swizzled, err := side.composed(tensor)
		if err != nil {
			t.Fatal(err)
		}
		if !swizzled.Shape().Equal(part.Shape()) {
			t.Errorf("%v has another shape than %v", swizzled, part)
		}
		got, err := swizzled.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := start.Int64()
		for i, o := range offsets(t, part) {
			if want, _ := w.At(at + o); got[i] != want {
				t.Fatalf("value %d is at %d, want %d", i, got[i], want)
			}
		}
	}
}
