package view_test

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/internal/machine/tile"
	"girih/internal/picture/view"
	"girih/symbolic"
)

func ExamplePredicate() {
	a, _ := atom.FindCopyAtom("UniversalCopy<uint64_t>", "half_t")
	c, _ := atom.MakeTiledCopy(a, cute.MustParse("(4,4):(4,1)"), cute.MustParse("(1,4)"))
	p, _ := tile.NewPredicate(tile.PartitionS(c), symbolic.FromTuple(cute.Ints(7, 24)), cute.Ints(2, 16))
	s, err := view.Predicate(p, view.Options{})
	for _, text := range texts(s) {
		if len(text) > 20 {
			fmt.Println(text)
		}
	}
	fmt.Println(err)
	// Output:
	// predicate (1,1,1):(0,0,0) of the last tile
	// A cell of 4 is what one instruction moves,
	// Along mode 0 the TiledCopy covers 4, the tile
	// Along mode 1 the last tile has 8 of 16.
	// <nil>
}
