// Package oracle states the definitions of the layout algebra by brute force, for tests: tables instead of formulas,
// and every candidate tried instead of an algorithm.
//
// The package reads only the text and the leaves of girih's values and computes everything else itself, so that a wrong
// idea in the algebra does not appear here a second time. All of it is meant for small layouts.
//
// Package judge, which serves users, also defines these operations. The two are separate for three reasons:
//
//   - judge computes the copies of a tile from its strides, sorted into a chain, and finds a layout by its longest run.
//     The algebra does the same, so judge alone would not notice a mistake in these ideas. This package finds copies
//     offset by offset ([Places]) and tries every candidate for a layout ([IsLayout], [Refines]).
//   - judge replaces coordinate strides by fingerprints; here strides are exact, and may be sums along several axes.
//   - judge accepts every right answer. This package requires girih's answer: the smallest complement, in ascending
//     order, and the largest inverse.
//
// A property in the tests of judge compares the two packages.
//
//   - [Of] and [Layout.Table]: a layout as a table of offsets, in colexicographic order.
//   - [Layout.Index] and [Layout.Eval]: the values of a layout anywhere, with the last mode unbounded.
//   - [IsLayout] and [Refines]: whether a layout has a table, and the index at which every candidate fails.
//   - [Compose], [DivideValues], [PlacesOf]: the values of a composition, a divide and a product.
//   - [Places]: the places of the copies of a block, which define complement, divide and product.
//   - CheckDivide, CheckProduct and similar checks return an error that says which part of a definition does not hold.
package oracle
