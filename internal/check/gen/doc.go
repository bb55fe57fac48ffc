// Package gen draws girih's values for property tests with pgregory.net/rapid: nestings, shapes, tuples, layouts,
// coordinates, tilers, swizzles and composed layouts.
//
// The values are small, at most [MaxSize] elements in [MaxLeaves] leaves, so that a brute-force oracle is cheap and
// coincidences are frequent; [HugeLayouts] and [ManyLeaves] are the exceptions. The families of layouts overlap:
// [Layouts] draws any layout of integers, and the other families make some property likely or certain.
package gen
