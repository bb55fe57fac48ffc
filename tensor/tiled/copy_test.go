package tiled_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// halves returns a packed tensor of different 16-bit codes.
func halves(l cute.Inner) tensor.Tensor[uint64] {
	t := must(tensor.AllocPacked(dtype.F16, l))
	for i := range t.Size() {
		if err := t.Set(uint64(i+1), i); err != nil {
			panic(err)
		}
	}
	return t
}

// fitsByForce checks the places one by one: whether the elements that each thread accesses at one address are
// contiguous, at a multiple of their length.
func fitsByForce(places tensor.Tensor[int64], run int64) bool {
	for i := range places.Extent(0) {
		for m := range places.Extent(2) {
			for n := range places.Extent(3) {
				for v := int64(0); v < places.Extent(1); v += run {
					first := must(places.At(i, v, m, n))
					for j := range run {
						if first%run != 0 || must(places.At(i, v+j, m, n)) != first+j {
							return false
						}
					}
				}
			}
		}
	}
	return true
}

// A copy of undivided tensors moves each element to its own coordinate, and is refused exactly if some thread cannot
// move its values at once.
func TestCopyWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 1))
	copied, refused := 0, 0
	for copied+refused < 300 {
		c := drawnCopy(r)
		if c.Atom().Threads() > 1 {
			continue
		}
		shape := c.Shape().Leaves()
		rows, columns := shape[0]*(1+r.Int64N(2)), shape[1]*(1+r.Int64N(2))
		ls, ld := layoutOf(r, rows, columns), layoutOf(r, rows, columns)
		src, dst := halves(ls), must(tensor.AllocPacked(dtype.F16, ld))
		run := c.Atom().NumVal()
		fits := fitsByForce(must(tiled.PartitionS(c, must(tensor.Counting(0, ls)))), run) &&
			fitsByForce(must(tiled.PartitionD(c, must(tensor.Counting(0, ld)))), run)
		err := tiled.Copy(c, src, dst)
		if fits != (err == nil) {
			t.Fatalf("%v from %v to %v: by force %v, found %v", c, src, dst, fits, err)
		}
		if err != nil {
			refused++
			wantCode(t, err, cute.CodeNotRepresentable)
			if e := err.(*cute.Error); e.Hint == "" || !strings.Contains(e.Msg, "thread") {
				t.Errorf("no repair: %v", err)
			}
			continue
		}
		copied++
		if a, b := valuesOf(src), valuesOf(dst); !slices.Equal(a, b) {
			t.Fatalf("%v from %v to %v: %v", c, src, dst, b)
		}
		// Copies through registers do the same, with all threads at once and with each thread alone.
		parts := must(tiled.PartitionS(c, src))
		regs := must(tiled.MakeFragmentLike[uint64](c, parts))
		back := must(tensor.AllocPacked(dtype.F16, ld))
		if err := tiled.Copy(c, parts, regs); err != nil {
			t.Fatal(err)
		}
		if err := tiled.Copy(c, regs, back); err != nil {
			t.Fatal(err)
		}
		if a, b := valuesOf(src), valuesOf(back); !slices.Equal(a, b) {
			t.Fatalf("%v from %v by registers to %v: %v", c, src, back, b)
		}
		alone := must(tensor.AllocPacked(dtype.F16, ld))
		for i := range c.Size() {
			thr := must(c.Thread(i))
			if err := tiled.Copy(c, must(tiled.PartitionS(thr, src)), must(tiled.PartitionD(thr, alone))); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := valuesOf(src), valuesOf(alone); !slices.Equal(a, b) {
			t.Fatalf("%v from %v thread by thread to %v: %v", c, src, alone, b)
		}
	}
	if copied < 30 || refused < 30 {
		t.Errorf("%d copied, %d refused", copied, refused)
	}
}

// ldmatrix follows its definition in the PTX ISA: lane 8i+r addresses row r of matrix i, and lane l gets the elements
// 2(l%4) and 2(l%4)+1 of row l/4 of each matrix.
func TestLdmatrix(t *testing.T) {
	t.Parallel()
	a := must(atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t"))
	// One warp, 32 rows of 8 halves: lane l addresses row l.
	c := must(atom.MakeTiledCopyTV(a, a.ValRef, cute.Ints(8, 32)))
	s := halves(parse("(8,32)")).In(atom.SharedMemory) // (element of a row, row)
	regs := must(tiled.MakeFragmentLike[uint64](c, must(tiled.PartitionD(c, s))))
	if err := tiled.Copy(c, s, regs); err != nil {
		t.Fatal(err)
	}
	for lane := range int64(32) {
		for v := range int64(8) {
			matrix, half := v/2, v%2
			row, column := 8*matrix+lane/4, 2*(lane%4)+half
			if got, want := must(regs.At(lane, v, 0, 0)), must(s.At(column, row)); got != want {
				t.Fatalf("lane %d, value %d is %d, want element %d of row %d, %d", lane, v, got, column, row, want)
			}
		}
	}
}

// memory returns a layout, or with "o" in the text a layout with a swizzle.
func memory(text string) cute.Inner {
	w, l, swizzled := strings.Cut(text, " o ")
	if !swizzled {
		return parse(text)
	}
	return must(cute.NewComposed(must(cute.ParseSwizzle(w)), cute.Int(0), parse(l)))
}

// Copies that are made for an MMA bring each thread its operands: registers retiled and loaded from shared memory, also
// swizzled, equal the part of PartitionA; and stmatrix writes them back.
func TestMatrixCopies(t *testing.T) {
	t.Parallel()
	m := tiledMMA("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", cute.MakeTile(cute.Int(32), cute.Int(32), cute.Int(16)))
	h := tiledMMA("SM80_16x8x16_F16F16F16F16_TN", "(2,2,1)", cute.MakeTile(cute.Int(32), cute.Int(32), cute.Int(16)))
	for _, x := range []struct {
		name, layout string
		make         func(atom.CopyAtom, atom.TiledMMA) (atom.TiledCopy, error)
		fragment     func(atom.TiledMMA, tensor.Tensor[uint64]) (tensor.Tensor[uint64], error)
		part         func(atom.TiledMMA, tensor.Tensor[uint64]) (tensor.Tensor[uint64], error)
	}{
		{"SM75_U32x4_LDSM_N", "(64,64):(64,1)", atom.MakeTiledCopyA, tiled.PartitionFragmentA[uint64, atom.TiledMMA, uint64], tiled.PartitionA[atom.TiledMMA, uint64]},
		{"SM75_U32x4_LDSM_N", "Sw<3,3,3> o (64,64):(64,1)", atom.MakeTiledCopyA, tiled.PartitionFragmentA[uint64, atom.TiledMMA, uint64], tiled.PartitionA[atom.TiledMMA, uint64]},
		{"SM75_U16x8_LDSM_T", "(64,64):(1,64)", atom.MakeTiledCopyA, tiled.PartitionFragmentA[uint64, atom.TiledMMA, uint64], tiled.PartitionA[atom.TiledMMA, uint64]},
		{"SM75_U32x2_LDSM_N", "(64,64):(64,1)", atom.MakeTiledCopyB, tiled.PartitionFragmentB[uint64, atom.TiledMMA, uint64], tiled.PartitionB[atom.TiledMMA, uint64]},
		{"SM75_U16x4_LDSM_T", "Sw<3,3,3> o (64,64):(1,64)", atom.MakeTiledCopyB, tiled.PartitionFragmentB[uint64, atom.TiledMMA, uint64], tiled.PartitionB[atom.TiledMMA, uint64]},
		{"UniversalCopy<uint32_t>", "(64,64):(64,1)", atom.MakeTiledCopyB, tiled.PartitionFragmentB[uint64, atom.TiledMMA, uint64], tiled.PartitionB[atom.TiledMMA, uint64]},
	} {
		c := must(x.make(must(atom.FindCopyAtom(x.name, "half_t")), m))
		s := halves(memory(x.layout)).In(atom.SharedMemory)
		regs := must(x.fragment(m, s))
		view := must(tiled.RetileD(c, regs))
		if err := tiled.Copy(c, must(tiled.PartitionS(c, s)), view); err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if got, want := valuesOf(regs), valuesOf(must(x.part(m, s))); !slices.Equal(got, want) {
			t.Errorf("%s from %v: registers are not what the threads multiply", x.name, s)
		}
	}
	for _, name := range []string{"SM90_U32x4_STSM_N", "SM90_U32x2_STSM_N", "SM90_U16x8_STSM_T"} {
		layout := "(64,64):(64,1)"
		if strings.HasSuffix(name, "T") {
			layout = "(64,64):(1,64)"
		}
		c := must(atom.MakeTiledCopyC(must(atom.FindCopyAtom(name, "half_t")), h))
		s, want := must(tensor.AllocPacked(dtype.F16, parse(layout))).In(atom.SharedMemory), halves(parse(layout))
		regs := must(tiled.PartitionFragmentC[uint64](h, s))
		if err := tensor.Copy(must(tiled.PartitionC(h, want)), regs); err != nil {
			t.Fatal(err)
		}
		if err := tiled.Copy(c, must(tiled.RetileS(c, regs)), s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(valuesOf(s), valuesOf(want)) {
			t.Errorf("%s: what was stored is not C", name)
		}
	}
}

// One thread's registers are retiled like the registers of all threads.
func TestRetileOneThread(t *testing.T) {
	t.Parallel()
	m := tiledMMA("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", nil)
	c := must(atom.MakeTiledCopyA(must(atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")), m))
	s := halves(parse("(128,64):(1,128)"))
	thr := must(m.Thread(0))
	r := must(tiled.PartitionFragmentA[uint64](thr, s))
	if got := must(tiled.RetileD(must(c.Thread(0)), r)).Layout().String(); got != "((8,1),4,4):((1,0),8,32)" {
		t.Errorf("retile_D is %s", got) // conformance/cute/tiled_mma_copy.txt, M1
	}
	if got := r.Layout().String(); got != "((2,2,2),4,4):((1,2,4),8,32)" {
		t.Errorf("partition_fragment_A is %s", got)
	}
	sB := halves(parse("(128,64):(64,1)"))
	if got := must(tiled.PartitionFragmentB[uint64](thr, sB)).Layout().String(); got != "((2,2),8,4):((1,2),16,4)" {
		t.Errorf("partition_fragment_B is %s", got)
	}
	all := must(tiled.PartitionFragmentA[uint64](m, s))
	for _, thread := range []int64{0, 77, 127} {
		own := must(all.Slice(cute.MakeCoord(cute.At(thread), cute.Open, cute.Open, cute.Open)))
		if got, want := own.String(), fmt.Sprintf("ptr[16b](%d) o %v", thread*r.Size(), r.Layout()); got != want {
			t.Errorf("thread %d of all has %s, want %s", thread, got, want)
		}
	}
}

// With a predicate, tiles at the edges of random extents copy, for each width, exactly the elements that exist, with
// zeros where cp.async fills.
func TestCopyIf(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 1))
	split, done := 0, 0
	for done+split < 200 {
		bits := []int{16, 32, 64, 128}[r.IntN(4)]
		name := fmt.Sprintf("UniversalCopy<uint%d_t>", bits)
		fill := bits > 16 && r.IntN(2) == 0
		if fill {
			name = fmt.Sprintf("SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint%d_t>", bits)
		}
		a := must(atom.FindCopyAtom(name, "half_t"))
		v := a.NumVal()
		c := must(atom.MakeTiledCopy(a, parse("(4,8)"), must(cute.LayoutLeft(cute.Ints(1, v)))))
		tile := c.Shape().Leaves()
		rows, columns := 1+r.Int64N(2*tile[0]), 1+r.Int64N(2*tile[1])
		pitch := (columns + 7) / 8 * 8
		src := halves(must(cute.New(cute.Ints(rows, columns), cute.Ints(pitch, 1)))).In(atom.GlobalMemory)
		at := cute.At(r.Int64N((rows+tile[0]-1)/tile[0]), r.Int64N((columns+tile[1]-1)/tile[1]))
		g := must(src.LocalTile(c.Shape(), at))
		dst := must(tensor.AllocPacked(dtype.F16, must(cute.LayoutRight(c.Shape())))).In(atom.SharedMemory)
		if err := tensor.Fill(dst, 9999); err != nil {
			t.Fatal(err)
		}
		pred := must(g.Predicate())
		// By force: does an instruction straddle the edge?
		straddles := false
		for i := range tile[0] {
			for j := int64(0); j < tile[1]; j += v {
				for k := range v {
					straddles = straddles || must(pred.At(i, j)) != must(pred.At(i, j+k))
				}
			}
		}
		err := tiled.CopyIf(c, pred, g, dst)
		if straddles {
			split++
			wantCode(t, err, cute.CodeMode)
			continue
		}
		done++
		if err != nil {
			t.Fatalf("%s of %v: %v", name, g, err)
		}
		for i := range tile[0] {
			for j := range tile[1] {
				want := uint64(9999)
				if fill {
					want = 0
				}
				if must(pred.At(i, j)) {
					want = must(g.At(i, j))
				}
				if got := must(dst.At(i, j)); got != want {
					t.Fatalf("%s of %v: (%d,%d) is %d, want %d", name, g, i, j, got, want)
				}
			}
		}
		// The predicate has one truth value for each instruction: the modes of the threads without their values.
		perValue := must(tiled.PartitionS(c, pred))
		one := must(perValue.Slice(cute.MakeCoord(cute.Open, cute.At(0), cute.Open, cute.Open)))
		again := must(tensor.AllocPacked(dtype.F16, must(cute.LayoutRight(c.Shape()))))
		if err := tensor.Fill(again, 9999); err != nil {
			t.Fatal(err)
		}
		if err := tiled.CopyIf(c, one, must(tiled.PartitionS(c, g)), must(tiled.PartitionD(c, again))); err != nil {
			t.Fatalf("%s of %v by instruction: %v", name, g, err)
		}
		if !slices.Equal(valuesOf(again), valuesOf(dst)) {
			t.Fatalf("%s of %v: the two predicates differ", name, g)
		}
	}
	if done < 40 || split < 20 {
		t.Errorf("%d copied, %d refused", done, split)
	}
}
