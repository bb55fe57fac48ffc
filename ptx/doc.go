// Package ptx has PTX, NVIDIA's instructions for GPUs, as a tree: [Parse] reads one, its String methods print it, a
// [Builder] writes one from Go. Section numbers are those of NVIDIA's PTX ISA 9.0; this package reads every version.
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
// # What the tree says, and what it does not
//
// Printing and parsing again gives the same tree, without positions. Comments, white space and the way in which a
// number was written are no part of it; constant expressions (4.5) are computed; each name of a declaration gets a
// declaration of its own; an offset of 0 is dropped. A tree that Go code made is printed as it is: the parser says
// whether that is PTX. Trees are for one goroutine while they are written; the parts of a tree that was read are its
// own, but its strings keep the source in memory.
//
// Grammar is checked, meaning is not: any opcode with any modifiers is an [Instr], a name need not be declared. Its
// types are read off an instruction by the methods of [Op].
//
// Not read: a second .target in a file, and the directive @@dwarf of PTX 1. Offsets may be written a-8, which ptxas
// refuses; printed, they are a+-8.
//
// # Errors
//
// All errors are of type *[Error]: where the fault is, what was expected, what was found. No source makes Parse
// panic: it may have up to [MaxSource] bytes, and what nests may nest [MaxDepth] deep; time and memory grow with its
// length: 5 bytes of tree for a byte of what compilers write, 110 for the worst source.
package ptx
