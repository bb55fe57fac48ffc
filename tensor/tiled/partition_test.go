package tiled_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
	"girih/tensor/tiled"
)

// parts are the partitions for one thread and for all, by operand.
var parts = map[atom.Operand]struct {
	one func(atom.ThrMMA, tensor.Tensor[int64]) (tensor.Tensor[int64], error)
	all func(atom.TiledMMA, tensor.Tensor[int64]) (tensor.Tensor[int64], error)
}{
	atom.OperandA: {tiled.PartitionA[atom.ThrMMA, int64], tiled.PartitionA[atom.TiledMMA, int64]},
	atom.OperandB: {tiled.PartitionB[atom.ThrMMA, int64], tiled.PartitionB[atom.TiledMMA, int64]},
	atom.OperandC: {tiled.PartitionC[atom.ThrMMA, int64], tiled.PartitionC[atom.TiledMMA, int64]},
}

// One thread's part consists of the elements that the thread holds, by brute force over all elements
// ([atom.TiledMMA.Owners]); and the part of all threads is each thread's part, thread by thread.
func TestPartition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	for _, name := range mmaNames {
		for range 3 {
			m := drawn(r, name)
			tile := m.TileShape()
			for o, part := range parts {
				x, y := o.Axes()
				rows, columns := tile[x]*(1+r.Int64N(2)), tile[y]*(1+r.Int64N(2))
				if rows*columns > 1<<13 {
					rows, columns = tile[x], tile[y]
				}
				where := fmt.Sprintf("%v of %s %v %s, %d by %d", o, name, m.AtomLayoutMNK(), m.PermutationText(), rows, columns)
				l := layoutOf(r, rows, columns)
				src := must(tensor.Counting(0, l))
				all, err := part.all(m, src)
				if err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				threads := all.Extent(0)
				numbers := must(m.ThrLayoutVMNK().AppendOffsets(nil))
				slices.Sort(numbers)
				if threads != int64(len(numbers)) {
					t.Fatalf("%s: %d threads in %v", where, threads, all)
				}
				for range 4 {
					thread := r.Int64N(threads)
					thr := must(m.Thread(numbers[thread]))
					mine, err := part.one(thr, src)
					if err != nil {
						t.Fatalf("%s, thread %d: %v", where, thread, err)
					}
					slice := must(all.Slice(cute.MakeCoord(cute.At(thread), cute.Open, cute.Open, cute.Open)))
					a, b := valuesOf(mine), valuesOf(slice)
					if fmt.Sprint(a, mine.Shape()) != fmt.Sprint(b, slice.Shape()) {
						t.Fatalf("%s, thread %d: %v alone, %v of all", where, thread, mine, slice)
					}
					for range 4 {
						i := r.Int64N(rows * columns)
						row, column := i%rows, i/rows
						holders := must(m.Owners(o, cute.Ints(rows, columns), row, column))
						held := map[int64]bool{}
						for _, h := range holders {
							if h.Thread == thr.SameAs() {
								held[h.Value] = true
							}
						}
						want := must(src.At(row, column))
						for v, got := range a {
							if (got == want) != held[int64(v)] {
								t.Fatalf("%s, thread %d: value %d is element %d, and Owners says %v of (%d,%d), %d", where, thread, v, got,
									holders, row, column, want)
							}
						}
					}
				}
			}
		}
	}
}

// An identity tensor gives coordinates, a padded tensor says where its elements are, and the text is CuTe's:
// conformance/cute/tiled_mma_copy.txt, M1.
func TestPartitionCoordinates(t *testing.T) {
	t.Parallel()
	m := tiledMMA("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", nil)
	id := must(tensor.Identity(cute.Ints(128, 64)))
	for thread, want := range map[int64]string{
		0:   "ArithTuple(0,0) o ((2,2,2),4,4):((1@1,8@0,8@1),32@0,16@1)",
		5:   "ArithTuple(1,2) o ((2,2,2),4,4):((1@1,8@0,8@1),32@0,16@1)",
		37:  "ArithTuple(17,2) o ((2,2,2),4,4):((1@1,8@0,8@1),32@0,16@1)",
		127: "ArithTuple(23,6) o ((2,2,2),4,4):((1@1,8@0,8@1),32@0,16@1)",
	} {
		if got := must(tiled.PartitionA(must(m.Thread(thread)), id)); got.String() != want {
			t.Errorf("thread %d: %v, want %s", thread, got, want)
		}
	}
	// 100 by 60 in tiles of 128 by 64: padding of the tile is padding of its threads' parts.
	data := must(tensor.Alloc[int32](parse("(100,60)")))
	for i := range data.Size() {
		_ = data.Set(int32(i), i)
	}
	tile := must(data.LocalTile(cute.Ints(128, 64), cute.At(0, 0)))
	in := must(tiled.PartitionA(m, must(tile.Predicate())))
	mine := must(tiled.PartitionA(m, tile))
	where := must(tiled.PartitionA(m, id))
	for i := range mine.Size() {
		c := must(where.At(i)).Leaves()
		real := c[0] < 100 && c[1] < 60
		x, err := mine.At(i)
		if real != (err == nil) || real != must(in.At(i)) || real && int64(x) != c[0]+100*c[1] {
			t.Fatalf("index %d at %v: %d, %v", i, c, x, err)
		}
	}
}

// The parts of all threads of a copy contain each element where the layouts of threads and values place it.
func TestPartitionCopy(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 1))
	for range 40 {
		c := drawnCopy(r)
		shape := c.Shape().Leaves()
		rows, columns := shape[0]*(1+r.Int64N(3)), shape[1]*(1+r.Int64N(2))
		src := must(tensor.Counting(0, layoutOf(r, rows, columns)))
		for i, tv := range []cute.Layout{c.LayoutSrcTV(), c.LayoutDstTV()} {
			var all tensor.Tensor[int64]
			var err error
			if i == 0 {
				all, err = tiled.PartitionS(c, src)
			} else {
				all, err = tiled.PartitionD(c, src)
			}
			if err != nil {
				t.Fatal(err)
			}
			threads, values := all.Extent(0), all.Extent(1)
			for range 50 {
				thread, value := r.Int64N(threads), r.Int64N(values)
				m, n := r.Int64N(rows/shape[0]), r.Int64N(columns/shape[1])
				index := must(tv.At(thread + threads*value))
				want := must(src.At(m*shape[0]+index%shape[0], n*shape[1]+index/shape[0]))
				if got := must(all.At(thread, value, m, n)); got != want {
					t.Fatalf("%v of %v: thread %d, value %d of tile (%d,%d) is %d, want %d", c, src, thread, value, m, n, got, want)
				}
				thr := must(c.Thread(thread))
				mine := must(tiled.PartitionS(thr, src))
				if i == 1 {
					mine = must(tiled.PartitionD(thr, src))
				}
				if got := must(mine.At(value, m, n)); got != want {
					t.Fatalf("%v of %v: thread %d alone has %d, want %d", c, src, thread, got, want)
				}
			}
		}
	}
}

// drawnCopy returns a tiled copy of 16-bit values with a tile of two modes.
func drawnCopy(r *rand.Rand) atom.TiledCopy {
	names := []string{
		"UniversalCopy<uint16_t>", "UniversalCopy<uint32_t>", "UniversalCopy<uint64_t>", "UniversalCopy<uint128_t>",
		"SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U16x8_LDSM_T", "SM90_U32x4_STSM_N",
	}
	a := must(atom.FindCopyAtom(names[r.IntN(len(names))], "half_t"))
	if a.Threads() > 1 {
		m := tiledMMA("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", cute.MakeTile(cute.Int(32), cute.Int(32), cute.Int(16)))
		if a.Copy.To.Space == atom.SharedMemory {
			return must(atom.MakeTiledCopyC(a, m))
		}
		return must(atom.MakeTiledCopyA(a, m))
	}
	v := a.NumVal()
	threads := must(cute.New(cute.Ints(4, 8), cute.Ints(8, 1)))
	if r.IntN(2) == 0 {
		threads = parse("(4,8)")
	}
	values := cute.Ints(1, v)
	if r.IntN(2) == 0 {
		values = cute.Ints(v, 1+r.Int64N(2))
	}
	return must(atom.MakeTiledCopy(a, threads, must(cute.LayoutLeft(values))))
}
