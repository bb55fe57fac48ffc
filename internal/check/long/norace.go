//go:build !race

package long

// Raced says that the race detector instruments the code, which is many times slower and allocates more.
const Raced = false
