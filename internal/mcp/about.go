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

eval: the value of an expression in CuTe's notation: (6,2):(8,2) o (4,3):(3,1), zipped_divide(A, T), A((1,_)). help: one function.
explain: why a value is what it is, step by step, or where it fails and what works instead.
compat: what CuTe C++, the CuTe DSL and pycute answer to the same expression, and where they are wrong.
bank: bank conflicts of accesses to shared memory. swizzle: the smallest swizzle or padding without conflicts.
global: the sectors that accesses to global memory move. recognize: what offsets, a matrix, a formula or swizzles are.
atoms, atom: MMA and copy instructions with their thread-value layouts. mma: a TiledMMA, and its permutation. copies: the copy
instructions that are legal for its operand in shared memory. partition: what one thread has of a tensor through a TiledMMA or
TiledCopy. gemm: runs a kernel on simulated threads. linear: bases, matrix and rank over F2. convert: how elements move between
two register layouts (Triton encodings). show: a value as C++, Python, MLIR, Triton, LaTeX.
draw: a picture; format png is the one to look at. why: a pasted compiler error or exception. read: the layouts in a pasted text.

Layouts are shape:stride, colexicographic (mode 0 is fastest), offsets in elements. Statements are separated by semicolons, names are
bound with let: let a = (8,8):(8,1); a o 4:2. Nothing is kept between calls. The resources girih://reference and girih://errors have
all functions and all codes of errors.`

func evalTool() tool {
	return tool{
		name: "eval", title: "Evaluate an expression", hidden: []string{"correct"},
		smaller: "ask for a part: slice the layout, or evaluate it at some coordinates",
		doc: `The value of an expression of layout algebra in CuTe's notation, as canonical text: layouts such as ((2,2),3):((24,2),8), integers,
tuples, coordinates, swizzles, composed layouts such as Sw<3,3,3> o 0 o (8,64):(64,1), tilers such as <3:3,(2,4):(1,8)>, linear layouts.
A o B is composition, A(3) and A((1,(0,2))) evaluate, A((1,_)) slices. Integers may be known at run time only: M, ?, K{div=8}.
Examples: (6,2):(8,2) o (4,3):(3,1); complement((2,2):(1,6), 24); right_inverse((4,8):(8,1)); let a = (8,8):(8,1); zipped_divide(a, <4,2>).
Functions (the tool help has their documentation): ` + functions(),
	}
}

// functions lists the functions of the language by group.
func functions() string {
	var groups []string
	for _, g := range service.Reference() {
		var names []string
		for _, f := range g.Functions {
			names = append(names, f.Name)
		}
		groups = append(groups, g.Name+": "+strings.Join(names, " "))
	}
	return strings.Join(groups, "; ") + "."
}

func helpTool() tool {
	return tool{
		name: "help", title: "Document a function",
		doc: "The documentation of a function of the language: parameters, what it returns, an example with its value. Example: logical_divide.",
	}
}

func explainTool() tool {
	return tool{
		name: "explain", title: "Explain a value", values: map[string][]string{"figures": service.DrawFormats()}, unset: []string{"data"},
		smaller: "leave out figures, set top to explain the last operation only, or explain a part of the expression",
		doc: "Why a value is what it is: for each operation of an expression the rule, the steps with their numbers and what was checked. Of an operation " +
			"that fails: the condition with the numbers that violate it, the first coordinate at which every candidate fails, and what would work instead. Example: complement((2,2):(1,6), 24).",
	}
}

func compatTool() tool {
	return tool{
		name: "compat", title: "Compare with CuTe and pycute",
		doc: "What CuTe C++ (integers of compile time and of run time), the CuTe DSL and pycute answer to an operation, beside girih: right, padded, refused " +
			"or wrong, with the first index at which an answer is wrong and both values there. The outermost operation is composition (A o B) or one of " +
			strings.Join(service.CompatOps(), ", ") + ".",
	}
}

func bankTool() tool {
	return tool{
		name: "bank", title: "Find bank conflicts", smaller: "ask for fewer accesses at a time, or for a smaller tile", values: map[string][]string{"target": targets()},
		doc: "What shared memory does with the accesses of threads to a layout: wavefronts, how many there would be without conflicts, and the lanes, banks " +
			`and byte addresses of each conflict. A degree of 1 is free of conflicts. Example: expr (8,64):(64,1), type f16, accesses ["ldmatrix.x4"].`,
	}
}

func swizzleTool() tool {
	return tool{
		name: "swizzle", title: "Solve for a swizzle", smaller: "ask for fewer accesses at a time", values: map[string][]string{"target": targets()},
		doc: "The smallest swizzle, linear map or padding that frees all given accesses to a tile in shared memory of bank conflicts, with the wavefronts " +
			"before and after, or the proof that there is none and the best there is. Example: layout (32,32):(32,1), type f32, accesses [\"st@rows\", \"ld@cols\"].",
	}
}

func recognizeTool() tool {
	return tool{
		name: "recognize", title: "Recognize a swizzle", smaller: "give a tile of the layout",
		doc: "What a text is as swizzles and a layout: a list of offsets (0,1,3,2), rows of a matrix of 0 and 1 (101;010;001), a formula such as " +
			"addr ^ ((addr & 0x380) >> 3), Sw<3,0,3> o Sw<1,2,3>, or an expression. With from: which swizzle makes text, a layout such as " +
			"Sw<3,3,3> o 0 o (8,64):(64,1), of the layout from, (8,64):(64,1), or the linear map, or the first index at which none can.",
	}
}

func globalTool() tool {
	return tool{
		name: "global", title: "Count sectors of global memory", smaller: "ask for fewer accesses at a time", values: map[string][]string{"target": globalTargets()},
		doc: "What global memory moves for accesses of threads to a layout: requests, sectors of 32 bytes, lines of 128, the share of the moved bytes that is " +
			`used, and the widest access that the layout admits: are these loads coalesced? Example: expr (1024,8):(8,1), type f32, accesses ["ld.v4"].`,
	}
}

func mmaTool() tool {
	return tool{
		name: "mma", title: "Build a TiledMMA", values: map[string][]string{"operand": {"A", "B", "C"}, "along": {"M", "N", "K"}},
		doc: "make_tiled_mma(atom, AtomLayoutMNK, PermutationMNK): thr_layout_vmnk, the tile, and for A, B and C the thread-value layout and a thread's " +
			"fragment. With run: the PermutationMNK of the smallest tile in which each thread holds so many consecutive elements of an operand, so that " +
			"wider copies fit. Example: atom SM80_16x8x16_F32F16F16F32_TN, atoms (2,2,1), operand B, run 2.",
	}
}

func copiesTool() tool {
	return tool{
		name: "copies", title: "Find the legal copies", values: map[string][]string{"operand": {"A", "B", "C"}}, smaller: "name the arch",
		doc: "Which copy instructions (ldmatrix, stmatrix, vector loads) may load A or B of a TiledMMA from a layout of shared memory, or store C there, the one " +
			"with the fewest instructions first, and why each other one is illegal: the two elements that should be neighbours and are not. Example: atom " +
			"SM80_16x8x16_F32F16F16F32_TN, operand A, memory Sw<3,3,3> o 0 o (64,64):(64,1), arch sm80.",
	}
}

func gemmTool() tool {
	return tool{
		name: "gemm", title: "Run a gemm on simulated threads", values: map[string][]string{"target": targets()}, smaller: "a smaller problem",
		doc: "Runs D = A*B + C through a TiledMMA with swizzled shared memory and compares with three loops: whether a combination of instruction, atom layout, " +
			"permutation and tile is right, and what it moves: bytes, sectors, wavefronts and bank conflicts. Example: type f16, atoms (2,2,1), m 256, n 128, k 64.",
	}
}

func linearTool() tool {
	return tool{
		name: "linear", title: "Show a map over bits", values: map[string][]string{"view": service.LinearViews()}, smaller: "leave the view out",
		doc: "A value as a linear layout over F2: bases of each input dimension, matrix, rank, injective or not, and the CuTe layout that it is. Takes " +
			"linear{...}, a layout, a swizzle, Sw<2,0,3> o 0 o (8,8):(8,1), F2 strides, or a Triton encoding such as blocked{...} with the shape of the tensor.",
	}
}

func atomsTool() tool {
	return tool{
		name: "atoms", title: "List instructions", smaller: "more words, or a smaller most",
		doc: "The MMA and copy instructions of NVIDIA and AMD that have all the given words in their name, kind, architecture, shape or types: " +
			`["sm80","f16"], ["copy","sm90","matrix"], ["gfx942","32x32x8"]. At most 40 unless most says otherwise.`,
	}
}

func atomTool() tool {
	return tool{
		name: "atom", title: "Show an instruction",
		doc: "One MMA or copy instruction by its CuTe name: the instruction, registers, and the layouts (thread,value) -> index of A, B and C (the index counts " +
			"colexicographically in (M,K), (N,K), (M,N)), or (thread,bit) -> bit of a copy; what one thread holds, and who holds one element. Example: SM80_16x8x16_F32F16F16F32_TN, element C(8,2).",
	}
}

func partitionTool() tool {
	return tool{
		name: "partition", title: "Partition a tensor", values: map[string][]string{"operand": {"A", "B", "C", "S", "D"}},
		doc: "What one thread has of a tensor through a TiledMMA (partition_A, partition_B, partition_C) or a TiledCopy (partition_S, partition_D): the layout " +
			"of its part, the offset where that begins, and the first offsets. Example: tiled SM80_16x8x16_F32F16F16F32_TN, operand C, layout (16,8):(8,1), thread 5.",
	}
}

func drawTool() tool {
	var kinds []string
	doc := "A picture of a value: a layout as a grid of offsets, a swizzle before and after, an MMA instruction or tiled_mma as its three panels, a copy as source " +
		"and destination, banks with conflicts, operations with what happens. A PNG comes as an image; svg, tex and txt as text. Kinds of pictures:"
	for _, p := range service.Pictures() {
		kinds = append(kinds, p.Kind)
		doc += "\n" + p.Kind + ": " + p.Doc
	}
	return tool{
		name: "draw", title: "Draw a value", doc: doc, hidden: []string{"width"}, unset: []string{"data"},
		smaller: "ask for format png or txt, fix modes, a smaller tile, or fewer labelled cells with max_cells; of a PNG, a smaller scale",
		values: map[string][]string{
			"as": kinds, "format": service.DrawFormats(), "theme": {"light", "dark", "classic"}, "coords": {"auto", "index", "nested"},
			"color_by": {"auto", "offset", "thread", "warp", "vector", "none"}, "operand": {"A", "B", "C"}, "target": targets(),
			"color": {"none", "256", "truecolor"},
		},
	}
}

func convertTool() tool {
	return tool{
		name: "convert", title: "Convert between register layouts", values: map[string][]string{"through": {"shared"}},
		doc: "How the elements of a tensor move from one distribution over registers, lanes, warps and blocks to another one: not at all, between the registers of " +
			"a thread, by warp shuffles, or through shared memory, and what that costs. Layouts are linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}, or " +
			"encodings of Triton such as blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]} with the shape of the tensor. " +
			"With through shared: the swizzled shared memory between them with the fewest wavefronts, in any case.",
	}
}

func showTool() tool {
	var names []string
	for _, d := range service.Dialects() {
		names = append(names, d.Name)
	}
	return tool{
		name: "show", title: "Write a value for other tools", values: map[string][]string{"as": names}, smaller: "ask for one dialect",
		doc: "A value as text that other tools accept: CuTe C++, the CuTe DSL, pycute, MLIR, Triton, LaTeX, Go, JSON. What a dialect cannot express is refused with the reason. Example: expr Sw<3,4,3> o 0 o (8,64):(64,1), as cpp.",
	}
}

func whyTool() tool {
	return tool{
		name: "why", title: "Diagnose a pasted error", smaller: "paste from the first error to the end of its backtrace",
		doc: "What failed in a pasted compiler error (nvcc, gcc or clang with CuTe), exception (CuTe DSL, pycute, Triton, TileLang) or dump (TMA descriptor): the " +
			"operation and its operands, the two modes or numbers that do not go together, the condition that is violated, and repairs that were evaluated.",
	}
}

func readTool() tool {
	return tool{
		name: "read", title: "Find layouts in a text", smaller: "paste a part of the text",
		doc: "The layouts, swizzles, TiledMMA and TiledCopy dumps, encodings and lists of offsets in a pasted text, in any notation of CuTe, its DSL, MLIR or Triton, as " +
			"canonical text with the line and column of each.",
	}
}

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
