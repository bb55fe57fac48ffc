// Package scalar compares the simulator's instructions on registers with a card: on integers, bits and floating-point
// numbers, conversions, comparisons, carries, video instructions, and operations between lanes of a warp. It needs no
// card; the caller runs the kernels.
//
// [Forms] lists the instructions with all of their modifiers and types, by the grammar of the PTX ISA. One kernel
// with only that form finds out whether the assembler of a card refuses it ([Form.Alone]) or the simulator lacks it
// ([CanSimulate]). The other forms are put into programs, straight lines of three to six instructions. A warp
// executes a program. Each lane has its own operands, which are loaded, so that a compiler cannot fold them, or are
// results of earlier instructions. Values are drawn at the edges of their types: zeros, limits, powers of two,
// subnormal numbers, infinities, NaN of all kinds, ties of roundings, counts beyond a width. Every result is stored.
//
// A [Shard] is a part of all programs. Its number alone determines them, so that a card and the simulator run the
// same programs on different days. [Shard.Compare] compares the results bit for bit. Errors of approximate results
// are compared with the bounds of the ISA, and no later instruction takes these results. [Records] sums up all
// shards: a digest of the results of each form, by which a test checks that the simulator still gives the results of
// the card.
//
// Compilers may do what no rule of the ISA forbids, so some programs do not have a single result. They are not drawn,
// see the methods of [Form]: two NaN of .f64 in a sum, one register twice in min and max, a conversion of a
// conversion.
//
// # Order of reading
//
// table*.go have the forms, kind.go and draw.go their operands, program.go the programs, emit.go their PTX, run.go
// the simulator, outcome.go and approx.go the comparison, open.go the results that the ISA leaves to the machine.
package scalar
