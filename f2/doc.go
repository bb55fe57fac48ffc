// Package f2 does linear algebra over the field with two elements: vectors of up to 64 bits, matrices with up to 64
// rows, and subspaces.
//
// Addition is exclusive or, matrix products multiply and add bits. All values are immutable: no operation changes an
// operand or keeps a slice that the caller can write to.
//
//	[Vector]  64 components, bit i is component i
//	[Matrix]  at most 64 rows, any number of columns, stored as columns: column j is the image of the unit vector j
//	[Space]   the span of some vectors, in its unique reduced form
//
// An operation that is not defined returns an [*Error] whose message states the sizes; no operation panics.
package f2
