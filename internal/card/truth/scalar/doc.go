// Package scalar holds the simulator's instructions on registers to a card: those on integers, bits and floating-point
// numbers, conversions, comparisons, carries, video instructions, and what lanes of a warp do together. It needs no
// card; what runs the kernels is up to the caller.
//
// [Forms] lists the instructions with all of their modifiers and types, by the grammar of the PTX ISA. What the
// assembler of a card refuses, and what the simulator does not have, is asked with one form alone ([Form.Alone],
// [Simulated]). The others are put into programs, straight lines of three to six instructions. A warp executes a
// program, each lane with operands of its own, which are loaded, so that a compiler can fold none, or results of
// earlier instructions. Values are drawn at the edges of their types: zeros, limits, powers of two, subnormal numbers,
// infinities, NaN of all kinds, ties of roundings, counts beyond a width. Every result is stored.
//
// A [Shard] is a part of all programs; its number alone decides on them, so that a card and the simulator run the same
// ones on different days. [Shard.Compare] compares the results bit for bit. Approximate results are held to the errors
// that the ISA states, and no later instruction takes them. [Records] sums up what all shards say: a digest of the
// results of each form, by which a test sees that the simulator still gives what the card gave.
//
// Compilers may do what no rule of the ISA forbids, so that some programs have no one result. They are not drawn, see
// [Form] and its methods: two NaN of .f64 in a sum, one register twice in min and max, a conversion of what another one
// converted.
//
// # Order of reading
//
// table.go and its like have the forms, kind.go and draw.go their operands, program.go the programs, emit.go their PTX,
// run.go the simulator, outcome.go and approx.go the comparison, open.go what the ISA leaves to the machine.
package scalar
