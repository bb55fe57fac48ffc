// Package indexmap reads maps of indices, as people write them between two index spaces, and answers what they do.
//
// A [Map] has parameters and one or several results, which are formulas of integers:
//
//	lambda i, j: i*64 + (j ^ (i % 8) * 8)                                  Python, TileLang, the CuTe DSL
//	lambda b: (b // 32 * 8 + b % 8, b % 32 // 8)                           two results
//	lambda i: i * 2 if i < 8 else (i - 8) * 2 + 1                          pieces
//	def f(i, j): return min(i, 3) * 8 + j
//	[](int i, int j) { return i < 4 ? i * 8 + j : j; }                     C++
//	row * 8 + (col ^ (row % 8))                                            a formula alone
//
// Over extents, a Map is a [Table] of values. The table tells the range of each result, whether two indices share a
// value, which values of a codomain are missed, and the layout that has exactly these values ([Table.Fit]): a layout, a
// swizzled layout, a layout with F2 strides or a linear layout. If there is none, the error names the first index at
// which every layout fails.
//
// Read scan.go and parse.go (text to formulas), head.go and body.go (lambdas and functions), formula.go (values),
// table.go (questions), then fit.go. bits.go finds formulas of one variable that are linear over bits.
package indexmap
