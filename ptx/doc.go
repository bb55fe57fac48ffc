// Package ptx parses, prints and builds PTX, NVIDIA's instruction set for GPUs: [Parse] turns text into a tree, the
// String methods print a tree, and a [Builder] builds the tree of a function in Go. Section numbers refer to NVIDIA's
// PTX ISA 9.0; Parse reads every version.
//
//	Module                          11.1   one file
//	  Decl   Func                   11.2   a kernel or function
//	         Var                    5.4    variables of the module
//	         Alias, File, Section, Pragma
//	  Stmt   Instr                  9      opcode, guard (9.3), operands
//	         Label, Block, Var             Var declares registers too: .reg .b32 %r<100>
//	         Targets, Prototype     11.3   for indirect branches and calls
//	         Loc, Pragma
//	  Operand  Name  Int  Bits32  Bits64   %r1, tile, %tid.x, 3, 0f3F800000
//	           Addr  Vec  Args             [%rd1+16], {%f1, %f2}, (a, b)
//	           Pair  Unary  Sym  Elem  Field
//
// # What the tree contains
//
// Printing a tree and parsing the text gives the same tree, except for positions. A tree does not contain comments,
// white space, or the notation of numbers. Parse evaluates constant expressions (4.5), splits a declaration of several
// names into several declarations, and drops an offset of 0. A tree made by Go code is printed without checks; parsing
// the text tells whether it is PTX. Only one goroutine may use a tree while the tree is being built. A parsed tree
// shares no nodes with other trees, but its strings keep the source in memory.
//
// Parse checks the grammar but not the meaning: any opcode with any modifiers is an [Instr], and names need not be
// declared. The methods of [Op] return the types of an instruction.
//
// Parse does not support a second .target in a file or the directive @@dwarf of PTX 1. It accepts the offset in a-8,
// which ptxas rejects; the printed form is a+-8.
//
// # Errors
//
// All errors are of type *[Error], which states where the fault is, what was expected and what was found. No source
// makes Parse panic. A source may contain up to [MaxSource] bytes and nest [MaxDepth] deep. Time and memory grow
// linearly with the length of the source: a tree takes 5 bytes per byte of compiler output, 110 for the worst source.
package ptx
