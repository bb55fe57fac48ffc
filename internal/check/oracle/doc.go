// Package oracle states the definitions of the layout algebra by brute force, for tests: tables instead of formulas,
// and every candidate tried instead of an algorithm.
//
// It takes girih's values apart through their text and their leaves, and computes everything else itself, so that a
// wrong idea in the algebra does not appear here a second time. All of it is meant for small layouts.
//
// Package judge, which users ask, states definitions too, and shares no code with this one. It is fast, reads the text
// of any tool and names the first wrong index; this package tries all candidates, has coordinates for offsets, and asks
// for the one answer of several that girih promises. A property of judge's holds the two to each other.
//
//   - [Of] and [Layout.Table]: a layout as a table of offsets, in colexicographic order.
//   - [Layout.Index] and [Layout.Eval]: its values anywhere, with the last mode unbounded.
//   - [IsLayout] and [Refines]: whether a layout has a table, and the index at which every candidate fails.
//   - [Compose]: the values of a composition.
//   - [Places]: where the copies of a block go; the definition of complement, divide and product.
//   - CheckDivide, CheckProduct and the like return an error that says which part of a definition does not hold.
package oracle
