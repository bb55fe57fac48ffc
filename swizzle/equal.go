package swizzle

import (
	"fmt"

	"girih/cute"
)

// A Source gives a table of offsets: a [cute.Layout] or a [cute.Composed]. The table is in colexicographic order, in
// elements.
type Source interface {
	AppendOffsets(dst []int64) ([]int64, error)
	String() string
}

// offsetsOf returns the table of l, and refuses negative offsets.
func offsetsOf(op string, l Source) ([]int64, error) {
	table, err := l.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	return table, checkTable(op, table, l.String())
}

// checkTable refuses negative offsets, which have no bits.
func checkTable(op string, table []int64, of string) error {
	for i, x := range table {
		if x < 0 {
			return &cute.Error{
				Code: cute.CodeNegative, Op: op,
				Msg: fmt.Sprintf("a swizzle is applied to offsets of at least 0, found %d at index %d of %s", x, i, of),
			}
		}
	}
	return nil
}
