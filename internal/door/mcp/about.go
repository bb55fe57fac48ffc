package mcp

import (
	"slices"
	"strings"

	"girih/internal/service"
)

// instructions tell an assistant what the tools are for.
const instructions = `girih computes with the layouts of GPU kernels exactly: CuTe layouts and swizzles, linear layouts over F2, MMA and copy
instructions. An answer satisfies its definition at every point, or the call is refused with a code, a witness (the first coordinate at
which it fails) and a hint. Do not work layouts out by hand: ask.

eval: the value of an expression in CuTe's notation: (6,2):(8,2) o (4,3):(3,1), zipped_divide(A, T), A((1,_)).
help: functions, notations, tools, instructions, codes of errors; without a name the list.
explain: why a value is what it is, step by step, or where it fails and what works instead.
compat: what CuTe C++, the CuTe DSL and pycute answer to the same expression, and where they are wrong.
bank: bank conflicts of accesses to shared memory. swizzle: the smallest swizzle or padding without conflicts.
global: the sectors that accesses to global memory move. recognize: what offsets, a matrix, a formula or swizzles are.
atoms, atom: MMA and copy instructions with their thread-value layouts. mma: a TiledMMA, and its permutation. copies: the copy
instructions that are legal for its operand in shared memory. partition: what one thread has of a tensor through a TiledMMA or
TiledCopy. gemm: runs a kernel on simulated threads. linear: bases, matrix and rank over F2. convert: how elements move between
two register layouts (Triton encodings). show: a value as C++, Python, MLIR, Triton, LaTeX.
draw: a picture, as an image. why: a pasted compiler error or exception. read: the layouts in a pasted text.

The same argument has the same name in all tools: expr (a value), type (of its elements: f16), atom (an instruction), accesses, threads,
target (sm90), shape ([64,64]). Layouts are shape:stride, colexicographic (mode 0 is fastest), offsets in elements. Statements are
separated by semicolons, names are bound with let: let a = (8,8):(8,1); a o 4:2. Nothing is kept between calls. The resources
girih://reference and girih://errors have all functions and all codes of errors.`

func evalTool() tool {
	return tool{
		name: "eval", title: "Evaluate an expression", hidden: []string{"correct"},
		smaller: "ask for a part: slice the layout, or evaluate it at some coordinates",
		doc: `The value of an expression of layout algebra in CuTe's notation: layouts ((2,2),3):((24,2),8), integers, tuples, swizzles,
composed layouts Sw<3,3,3> o 0 o (8,64):(64,1), tilers <3:3,(2,4):(1,8)>, linear layouts. A o B is composition, A(3) and A((1,(0,2)))
evaluate, A((1,_)) slices, A == B compares. Integers may be known at run time only: M, ?, K{div=8}.
Examples: (6,2):(8,2) o (4,3):(3,1); complement((2,2):(1,6), 24); right_inverse((4,8):(8,1)); let a = (8,8):(8,1); zipped_divide(a, <4,2>).
Functions (help documents them; these are some): make_layout size cosize crd2idx idx2crd coalesce composition complement right_inverse
left_inverse logical_divide zipped_divide tiled_divide flat_divide logical_product blocked_product raked_product recast_layout upcast
downcast offsets is_injective mma tiled_mma tiled_copy linear.`,
	}
}

func runTool() tool {
	return tool{
		name: "run", title: "Run a cell or a snippet", smaller: "print less",
		doc: "What a program of the CuTe DSL or of CuTe C++ prints: bindings (A = .., auto a = ..;), print, cute.printf, printf, print_layout, assert, " +
			"static_assert, for over a range, functions of such lines, also @cute.jit, where print is at trace time and cute.printf at run time. " +
			"An expression alone prints its value. Nothing else of Python or C++ is run.",
	}
}

func helpTool() tool {
	return tool{
		name: "help", title: "Document a function or a notation", docs: map[string]string{
			"name": "a function, a group of them, a tool, a notation such as Sw, an instruction, or the code of an error; empty for all functions",
		},
		doc: "Documentation with an example and its value: of functions (logical_divide), notations (Sw, o, @), tools (bank), instructions, codes of " +
			"errors. Without a name all functions by group.",
	}
}

func explainTool() tool {
	return tool{
		name: "explain", title: "Explain a value", values: map[string][]string{"figures": service.DrawFormats()},
		smaller: "leave out figures, set top to explain the last operation only, or explain a part of the expression",
		doc: "Why a value is what it is: of each operation the rule, the steps with their numbers and what was checked. Of an operation that fails: the " +
			"condition with the numbers that violate it, the first coordinate at which every candidate fails, and what works instead.",
	}
}

func compatTool() tool {
	return tool{
		name: "compat", title: "Compare with CuTe and pycute",
		doc: "What CuTe C++ (integers of compile time and of run time), the CuTe DSL and pycute answer to an operation, beside girih: right, padded, refused " +
			"or wrong, with the first index at which an answer is wrong. The outermost operation is A o B or one of " + strings.Join(service.CompatOps(), ", ") + ".",
	}
}

func bankTool() tool {
	return tool{
		name: "bank", title: "Find bank conflicts", values: map[string][]string{"target": targets()},
		smaller: "ask for fewer accesses at a time, or for a smaller tile",
		doc: "What shared memory does with accesses of threads to a layout: wavefronts, how many there would be without conflicts, and the lanes, banks " +
			"and bytes of each conflict. A degree of 1 is free of conflicts.",
	}
}

func swizzleTool() tool {
	return tool{
		name: "swizzle", title: "Solve for a swizzle", smaller: "ask for fewer accesses at a time", values: map[string][]string{"target": targets()},
		names: map[string]string{"layout": "expr"},
		doc: "The smallest swizzle, linear map or padding that frees all given accesses to a tile in shared memory of bank conflicts, or the proof that " +
			`there is none and the best there is. Example: expr (32,32):(32,1), type f32, accesses ["st@rows","ld@cols"].`,
	}
}

func recognizeTool() tool {
	return tool{
		name: "recognize", title: "Recognize a swizzle", smaller: "give a tile of the layout", names: map[string]string{"text": "expr"},
		doc: "What something is as swizzles and a layout: offsets 0,1,3,2, rows of a matrix 101;010;001, a formula addr ^ ((addr & 0x380) >> 3), " +
			"Sw<3,0,3> o Sw<1,2,3>, a layout. With from: which swizzle makes expr of the layout from, or the first index at which none can.",
	}
}

func globalTool() tool {
	return tool{
		name: "global", title: "Count sectors of global memory", values: map[string][]string{"target": globalTargets()},
		smaller: "ask for fewer accesses at a time",
		doc: "What global memory moves for accesses of threads to a layout: requests, sectors of 32 bytes, lines of 128, the share of the bytes that is " +
			"used, and the widest access that the layout admits: are these loads coalesced?",
	}
}

func mmaTool() tool {
	return tool{
		name: "mma", title: "Build a TiledMMA", values: map[string][]string{"operand": operands(), "along": {"M", "N", "K"}},
		doc: "make_tiled_mma(atom, AtomLayoutMNK, PermutationMNK): thr_layout_vmnk, the tile, and of A, B and C the thread-value layout and a thread's " +
			"fragment. With run: the PermutationMNK of the smallest tile in which each thread holds so many consecutive elements of an operand.",
	}
}

func copiesTool() tool {
	return tool{
		name: "copies", title: "Find the legal copies", values: map[string][]string{"operand": operands()}, smaller: "name the target",
		names: map[string]string{"memory": "expr", "arch": "target"},
		doc: "Which copy instructions (ldmatrix, stmatrix, vector loads) may load A or B of a TiledMMA from a layout of shared memory, or store C there, " +
			"the fewest instructions first, and why each other one is illegal.",
	}
}

func gemmTool() tool {
	return tool{
		name: "gemm", title: "Run a gemm on simulated threads", values: map[string][]string{"target": targets()}, smaller: "a smaller problem",
		doc: "Runs D = A*B + C through a TiledMMA with swizzled shared memory and compares with three loops: whether instruction, atom layout, permutation " +
			"and tile are right together, and the bytes, sectors, wavefronts and conflicts. Example: type f16, atoms (2,2,1), m 256, n 128, k 64.",
	}
}

func linearTool() tool {
	return tool{
		name: "linear", title: "Show a map over bits", values: map[string][]string{"view": service.LinearViews()}, smaller: "leave the view out",
		doc: "A value as a linear layout over F2: bases, matrix, rank, injective or not, and the CuTe layout that it is. Takes linear{...}, a layout, a " +
			"swizzle, Sw<2,0,3> o 0 o (8,8):(8,1), F2 strides, or a Triton encoding such as blocked{...} with its shape.",
	}
}

func atomsTool() tool {
	return tool{
		name: "atoms", title: "List instructions", smaller: "more words, or a smaller most",
		docs: map[string]string{"most": "how many to list at most; 40 if 0"},
		doc: "The MMA and copy instructions of NVIDIA and AMD that have all the words in their name, kind, architecture, shape or types: " +
			`["sm80","f16"], ["copy","sm90","matrix"], ["gfx942","32x32x8"].`,
	}
}

func atomTool() tool {
	return tool{
		name: "atom", title: "Show an instruction", names: map[string]string{"name": "atom"},
		doc: "One MMA or copy instruction by its CuTe name, as SM80_16x8x16_F32F16F16F32_TN: PTX, registers, and the layouts (thread,value) -> index of A, B " +
			"and C, colexicographic in (M,K), (N,K), (M,N), or (thread,bit) -> bit of a copy; what a thread holds, who holds an element.",
	}
}

func partitionTool() tool {
	return tool{
		name: "partition", title: "Partition a tensor", values: map[string][]string{"operand": {"A", "B", "C", "S", "D"}},
		names: map[string]string{"tiled": "atom", "layout": "expr"},
		doc: "What one thread has of a tensor through a TiledMMA (partition_A, B, C) or a TiledCopy (partition_S, D): the layout of its part, the offset " +
			"where that begins, the first offsets. Example: atom SM80_16x8x16_F32F16F16F32_TN, operand C, expr (16,8):(8,1), thread 5.",
	}
}

func drawTool() tool {
	var kinds []string
	for _, p := range service.Pictures() {
		kinds = append(kinds, p.Kind)
	}
	return tool{
		name: "draw", title: "Draw a value", hidden: []string{"width", "color"}, names: map[string]string{"tile": "shape"}, shapes: []string{"shape"},
		docs: map[string]string{"format": "png, an image, if empty; txt can be read as text, svg and tex are source"},
		doc: "A picture: a layout as a grid of offsets, a swizzle before and after, an MMA instruction or tiled_mma as three panels, a copy as source and " +
			"destination, with accesses their banks and conflicts, an operation with what happens. help draw has the kinds of pictures.",
		smaller: "ask for format png or txt, fix modes, a smaller tile, or fewer labelled cells with max_cells; of a PNG, a smaller scale",
		values: map[string][]string{
			"as": kinds, "format": service.DrawFormats(), "theme": {"light", "dark", "classic"}, "coords": {"auto", "index", "nested"},
			"color_by": {"auto", "offset", "thread", "warp", "vector", "none", "value", "bank", "group"}, "operand": operands(), "target": targets(),
		},
	}
}

func convertTool() tool {
	return tool{
		name: "convert", title: "Convert between register layouts", values: map[string][]string{"through": {"shared"}},
		doc: "How the elements of a tensor move between two distributions over registers, lanes, warps and blocks: not at all, between the registers of a " +
			"thread, by warp shuffles, or through shared memory, and what it costs. From and to are linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}, " +
			"or blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]} with the shape of the tensor.",
	}
}

func showTool() tool {
	var names []string
	for _, d := range service.Dialects() {
		names = append(names, d.Name)
	}
	return tool{
		name: "show", title: "Write a value for other tools", values: map[string][]string{"as": names}, smaller: "ask for one dialect",
		doc: "A value as text that other tools accept: CuTe C++, the CuTe DSL, pycute, MLIR, Triton, LaTeX, Go, JSON. What a dialect cannot express is refused.",
	}
}

func whyTool() tool {
	return tool{
		name: "why", title: "Diagnose a pasted error", smaller: "paste from the first error to the end of its backtrace",
		doc: "What failed in a pasted compiler error (nvcc, gcc or clang with CuTe), exception (CuTe DSL, pycute, Triton, TileLang) or dump (TMA descriptor): the " +
			"operation, its operands, the numbers that do not go together, and repairs that were evaluated.",
	}
}

func readTool() tool {
	return tool{
		name: "read", title: "Find layouts in a text", smaller: "paste a part of the text",
		doc: "The layouts, swizzles, TiledMMA and TiledCopy dumps, encodings and lists of offsets in a pasted text, in any notation of CuTe, its DSL, MLIR or " +
			"Triton, as canonical text.",
	}
}

// operands are those of an MMA.
func operands() []string { return []string{"A", "B", "C"} }

// globalTargets returns the names of the machines whose global memory is known.
func globalTargets() []string {
	return slices.DeleteFunc(targets(), func(name string) bool { return !strings.HasPrefix(name, "sm") })
}

// targets returns the names of the machines.
func targets() []string {
	var names []string
	for _, t := range service.Targets() {
		names = append(names, t.Name)
	}
	return names
}
