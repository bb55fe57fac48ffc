// Package examples has kernels that are written with package kernel: those of CuTe's tutorial, and a few that everybody
// needs, each in a file of its own that is meant to be read.
//
//	x, err := examples.Find("sgemm_2")
//	k, err := x.Trace(examples.Options{Div: 4}) // a *kernel.Kernel, for extents that 4 divides
//
// [All] lists them. A [Recipe] says what its kernel computes, how it is called and whose original it follows, makes
// random problems, and checks what a simulator or a card has made of one against 64-bit arithmetic.
package examples
