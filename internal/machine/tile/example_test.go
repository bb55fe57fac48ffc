package tile_test

import (
	"errors"
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/machine/tile"
	"girih/symbolic"
)

// vectors is a TiledCopy of 128 threads, each with vectors of 8 elements along a row of 64.
func vectors() atom.TiledCopy {
	a, _ := atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")
	c, _ := atom.MakeTiledCopy(a, cute.MustParse("(16,8):(8,1)"), cute.MustParse("(1,8)"))
	return c
}

// rows is the predicate of tiles of 32 rows of 64 elements, for a tensor with M rows.
func rows() tile.Predicate {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	extents := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Const(64)))
	p, _ := tile.NewPredicate(tile.PartitionS(vectors()), extents, cute.Ints(32, 64))
	return p
}

func Example() {
	p := rows()
	fmt.Println(p.Needed(), p.Layout(), "for", p.DataShape())
	for _, e := range p.Edges() {
		fmt.Println(e.Extent, "by", e.Tile, e.Needed())
	}
	// Output:
	// true (1,2,1):(0,1,0) for ((8,1),2,1)
	// M by 32 true
	// 64 by 64 false
}

func ExampleNewPredicate() {
	// 77 columns are not a multiple of the 8 that one instruction moves.
	_, err := tile.NewPredicate(tile.PartitionS(vectors()), symbolic.FromTuple(cute.Ints(100, 77)), cute.Ints(32, 64))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Msg)
	fmt.Println(e.Hint)
	// Output:
	// no predicate guards mode 1: one UniversalCopy<uint128_t> moves elements 8 to 15 of a tile along it, and a tile of extent 77 may end after element 12
	// a vector of 1 element(s), 16 bits, never crosses the edge: UniversalCopy<uint16_t> with the same layouts of threads and values; or pad the extent to a multiple of 8
}

func ExampleEdge() {
	for _, e := range rows().Edges() {
		fmt.Println(e.Extent, e.Tile, e.Cover, e.Ragged)
	}
	// Output:
	// M 32 32 true
	// 64 64 64 false
}

func ExampleEdge_Needed() {
	// The TiledCopy covers 16 rows, the tile has 8: the others belong to the next CTA.
	p, err := tile.NewPredicate(tile.PartitionS(vectors()), symbolic.FromTuple(cute.Ints(64, 64)), cute.Ints(8, 64))
	fmt.Println(p.Edges()[0].Needed(), p.Edges()[0].Ragged, p.Edges()[0].Cover, err)
	// Output: true false 16 <nil>
}

func ExamplePredicate_Needed() {
	p, err := tile.NewPredicate(tile.PartitionS(vectors()), symbolic.FromTuple(cute.Ints(64, 128)), cute.Ints(32, 64))
	fmt.Println(p.Needed(), err)
	// Output: false <nil>
}

func ExamplePredicate_Edges() {
	fmt.Println(len(rows().Edges()))
	// Output: 2
}

func ExamplePredicate_Layout() {
	fmt.Println(rows().Layout())
	// Output: (1,2,1):(0,1,0)
}

func ExamplePredicate_Count() {
	fmt.Println(rows().Count(), "of", rows().Layout().Size())
	// Output: 2 of 2
}

func ExamplePredicate_Collapsed() {
	// The rows of a tile (32,128) are compared, its columns are not: mode 2 of the predicate has stride 0.
	p, err := tile.NewPredicate(tile.PartitionS(vectors()), symbolic.FromTuple(cute.Ints(100, 256)), cute.Ints(32, 128))
	fmt.Println(p.Layout(), p.Collapsed(), err)
	// Output: (1,2,2):(0,1,0) [2] <nil>
}

func ExamplePredicate_DataShape() {
	fmt.Println(rows().DataShape())
	// Output: ((8,1),2,1)
}

func ExamplePredicate_CPP() {
	// The loop that fills the predicate, and the copy that uses it.
	code := rows().CPP()
	fmt.Print(code[strings.Index(code, "for (int m"):])
	// Output:
	// for (int m = 0; m < 2; ++m) {
	//   auto c = tXcX(make_coord(0, 0), m, 0);
	//   tXpX(make_coord(0, 0), m, 0) = elem_less(get<0>(c), shape<0>(mX));
	// }
	// copy_if(tiled_copy, tXpX, tXgX, tXsX);
}

func ExamplePredicate_DSL() {
	fmt.Print(rows().DSL())
	// Output:
	// gX = cute.local_tile(mX, (32, 64), (blk_m, blk_n))
	// cX = cute.make_identity_tensor(mX.shape)  # (M,64) -> coordinates
	// ccX = cute.local_tile(cX, (32, 64), (blk_m, blk_n))
	// thr = tiled_copy.get_slice(tidx)
	// tXgX = thr.partition_S(gX)  # ((8,1),2,1)
	// tXcX = thr.partition_S(ccX)
	// tXsX = thr.partition_D(sX)
	// tXpX = cute.make_rmem_tensor(cute.make_layout((1, 2, 1), stride=(0, 1, 0)), cutlass.Boolean)
	// for m in cutlass.range_constexpr(2):
	//     c = tXcX[(0, 0), m, 0]
	//     tXpX[0, m, 0] = cute.elem_less(c[0], mX.shape[0])
	// cute.copy(tiled_copy, tXgX, tXsX, pred=tXpX)
}

func ExamplePredicate_Partition() {
	fmt.Println(rows().Partition())
	// Output: partition_S
}

func ExamplePredicate_Places() {
	// Thread 0 has the first eight elements of rows 0 and 16, each guarded by its own truth value.
	places, err := rows().Places()
	fmt.Println(places[0], places[16], err)
	// Output: {0 0} {0 1} <nil>
}

func ExamplePartitionS() {
	fmt.Println(tile.PartitionS(vectors()))
	// Output: partition_S
}

func ExamplePartitionD() {
	fmt.Println(tile.PartitionD(vectors()))
	// Output: partition_D
}

func ExamplePartitionMMA() {
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1)"), nil)
	part := tile.PartitionMMA(mma, atom.OperandC)
	p, err := tile.NewPredicate(part, symbolic.FromTuple(cute.Ints(100, 128)), cute.Ints(64, 64))
	fmt.Println(p.Layout(), p.Collapsed(), err)
	// Output: (4,2,4):(1,4,0) [2] <nil>
}

func ExamplePartition_String() {
	fmt.Println(tile.PartitionS(vectors()).String())
	// Output: partition_S
}

func ExamplePlace() {
	fmt.Println(tile.Place{Thread: 3, Index: 1})
	// Output: {3 1}
}

func ExamplePredicateShape() {
	s := tile.PredicateShape{Want: cute.MustParseTuple("(1,(3))"), Got: cute.MustParseTuple("(1,(2,3))")}
	fmt.Println(s.Judge().Fault)
	// Output: sliced
}

func ExamplePredicateShape_Judge() {
	s := tile.PredicateShape{Want: cute.MustParseTuple("(1,(3))"), Got: cute.MustParseTuple("(1,(2,3))")}
	fmt.Println(s.Judge().Text)
	// Output: the predicate still has mode 1 of extent 2, which the data lost when it was sliced: slice both
}

func ExamplePredicateFault() {
	s := tile.PredicateShape{Want: cute.MustParseTuple("(1,(2,1))"), Got: cute.MustParseTuple("((8,1),(2,1))")}
	fmt.Println(s.Judge().Fault, s.Judge().Modes)
	// Output: values [0]
}
