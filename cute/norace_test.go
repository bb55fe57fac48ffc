//go:build !race

package cute_test

// raceDetector says that the race detector instruments the code, which allocates more.
const raceDetector = false
