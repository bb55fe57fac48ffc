// Package pack makes the WebAssembly module of a Go program small enough for a page to load: a tenth of what the linker
// writes.
//
// [Module] shortens idioms of the compiler (fold.go) and takes out of the function table what only tracebacks print
// (pclntab.go). [Pack] writes a module as a file of its own format, for which ui/unpack.ts has the decoder: code in a
// shape in which alike things look alike (shape.go), coded by a model that knows what an instruction is (code.go), and
// data by a model of bytes (data.go).
package pack
