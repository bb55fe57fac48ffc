// Package gen draws girih's values for property tests with pgregory.net/rapid: nestings, shapes, tuples, layouts,
// coordinates, tilers, swizzles and composed layouts.
//
// What it draws is small, at most [MaxSize] elements in [MaxLeaves] leaves, so that a brute-force oracle is cheap and
// coincidences are frequent; [HugeLayouts] and [ManyLeaves] are the exceptions. The families of layouts overlap:
// [Layouts] is any layout of integers, the others make some property likely or certain.
package gen
