// Package ptx parses, prints and builds PTX, NVIDIA's instructions for GPUs: [Parse] reads a tree, the String methods
// print it, and a [Builder] writes one from Go. Section numbers refer to NVIDIA's PTX ISA 9.0; every version is read.
//
//	Module                          11.1   one file
//	  Decl   Func                   11.2   a kernel or function
//	         Var                    5.4    variables of the module
//	         Alias, File, Section, Pragma
//	  Stmt   Instr                  9      opcode, guard (9.3), operands
//	         Label, Block, Var             Var declares registers too: .reg .b32 %r<100>
//	         Targets, Prototype     11.3   of indirect branches and calls
//	         Loc, Pragma
//	  Operand  Name  Int  Bits32  Bits64   %r1, tile, %tid.x, 3, 0f3F800000
//	           Addr  Vec  Args             [%rd1+16], {%f1, %f2}, (a, b)
//	           Pair  Unary  Sym  Elem  Field
//
// # What the tree contains
//
// Printing a tree and parsing it again gives the same tree, except for positions. The tree does not contain comments,
// white space, or how a number was written. Constant expressions (4.5) are computed, each name of a declaration gets
// its own declaration, and an offset of 0 is dropped. A tree made by Go code is printed as it is; parsing it tells
// whether it is PTX. Only one goroutine may use a tree while it is being built. A parsed tree shares no nodes with
// other trees, but its strings keep the source in memory.
//
// The grammar is checked, the meaning is not: any opcode with any modifiers is an [Instr], and names need not be
// declared. The methods of [Op] return the types of an instruction.
//
// A second .target in a file is not supported, nor the directive @@dwarf of PTX 1. Offsets may be written a-8, which
// ptxas rejects; they are printed as a+-8.
//
// # Errors
//
// All errors are of type *[Error]: where the fault is, what was expected, what was found. No source makes Parse panic.
// A source may have up to [MaxSource] bytes and nest [MaxDepth] deep. Time and memory grow linearly with its length: 5
// bytes of tree for a byte of compiler output, 110 for the worst source.
package ptx
