package service

import (
	"cmp"
	"slices"
	"strings"

	"girih/internal/lang/paste"
	"girih/internal/lang/syntax"
)

// A notation is a spelling of the language, or a kind of value, but not a function.
type notation struct {
	names   []string // names that users may ask for; the first is the title
	doc     string
	example string // an expression with the notation, "" if there is none
}

// notations are the topics of help that are not functions.
var notations = []notation{
	{
		names: []string{"layout", ":"},
		doc: "shape:stride is a layout, a function from coordinates to offsets: the sum of each coordinate times its " +
			"stride. Mode 0 is fastest (colexicographic), offsets are in elements. Shapes nest: ((2,2),3):((24,2),8). A " +
			"bare shape, where a layout is expected, is compact and column-major. L(3) and L((1,2)) evaluate at an index or " +
			"a coordinate, L((1,_)) slices.",
		example: "(4,2):(1,4)((1,1))",
	},
	{
		names:   []string{"tuple", "IntTuple", "()"},
		doc:     "A tuple of integers and tuples is a shape, a stride or a coordinate. (8) is the number 8 in one mode.",
		example: "size((4,(2,2)))",
	},
	{
		names: []string{"coordinate", "coord", "_", "None", "underscore"},
		doc: "_ in a coordinate leaves a mode as it is, so that applying a layout to it slices; in a tiler it leaves " +
			"a mode whole. None is the same.",
		example: "(4,6):(6,1)((_,2))",
	},
	{
		names:   []string{"o", "∘"},
		doc:     "A o B is composition(A, B), the function R(c) = A(B(c)). In a chain the last one is applied first.",
		example: "(6,2):(8,2) o (4,3):(3,1)",
	},
	{
		names: []string{"swizzle", "Sw", "Swizzle", "S", "Sw<B,M,S>"},
		doc: "Sw<B,M,S>, or Swizzle<B,M,S>, exclusive-ors B bits of an offset, those from bit M+S on, into the B bits from bit M on; with S negative the " +
			"other way. It counts the units of its operand: elements before a layout. The swizzles of 128, 64 and 32 bytes are Sw<3,4,3>, Sw<2,4,3> and " +
			"Sw<1,4,3> on bytes; on f16 elements M is 3 in place of 4.",
		example: "Sw<3,3,3>(65)",
	},
	{
		names:   []string{"composed layout", "ComposedLayout", "composed"},
		doc:     "Sw<B,M,S> o OFFSET o LAYOUT: the layout, plus the offset, through the swizzle.",
		example: "(Sw<3,3,3> o 0 o (8,64):(64,1))((1,8))",
	},
	{
		names: []string{"tiler", "tile", "<>", "Tile", "<A,B>"},
		doc: "<A,B,...> is a tiler: one layout, shape or _ for each mode. A bare integer in it is a shape, so <4,2> are " +
			"the first 4 and 2 elements of the two modes, and <4:2,2> takes every second one of mode 0. [A;B] is the same.",
		example: "zipped_divide((8,8):(8,1), <4,2>)",
	},
	{
		names: []string{"basis stride", "@", "ScaledBasis", "1@0", "coordinate stride"},
		doc: "1@0 is a stride that counts along axis 0 of a coordinate: such a layout gives coordinates, not offsets, as " +
			"the tensors of TMA have it. 2@1@0 is within a mode.",
		example: "(4,8):(1@0,1@1)((2,3))",
	},
	{
		names: []string{"static integer", "Int", "C", "_4", "Int<4>{}", "_8{}"},
		doc:   "_4, Int<4>{}, C<4>{} and 4 are the integer 4.", example: "(_4,Int<8>{}):(_8,_1)",
	},
	{
		names: []string{"run-time integer", "?", "M", "symbol", "dynamic", "K{div=8}"},
		doc: "A name that is not bound, or ?, is an integer that is known at run time only. Braces state facts: " +
			"K{div=8}, N{>=1,<=4096}, M{i32}. let M = 8; in front gives it a value.",
		example: "zipped_divide((M,K):(K,1), <128,64>)",
	},
	{
		names: []string{"let", ";", "=", "statement"},
		doc: "Statements are separated by semicolons or line breaks; let NAME = EXPR binds a name for those that " +
			"follow, and the value is the last one's.",
		example: "let a = (8,8):(8,1); a o 4:2",
	},
	{
		names:   []string{"comparison", "==", "equal"},
		doc:     "A == B asks whether two layouts are the same function on the same shape, or two values are the same.",
		example: "(4,4):(4,1) == (4,4):(1,4)",
	},
	{
		names: []string{"path of a mode", "f[1]", "[]"},
		doc:   "NAME[1](A, B) applies a function to mode 1 alone; L[1] is get<1>(L).", example: "composition[1]((4,8):(8,1), 4:2)",
	},
	{
		names: []string{"linear layout", "linear{}", "LinearLayout"},
		doc: "linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]} is a linear layout over F2, as Triton has it: " +
			"for each bit of each input dimension the output that it adds without carries.",
		example: "linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}",
	},
	{
		names: []string{"encoding", "blocked", "nvidia_mma", "swizzled_shared", "slice encoding", "dot_op", "#ttg"},
		doc: "An encoding of Triton, as blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], " +
			"order=[1,0]}. With the shape of a tensor it is a linear layout: linear(blocked{...}, (16,16)).",
		example: "linear(blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}, (4,2))",
	},
	{
		names: []string{"F2 stride", "F2(9)", "xor layout"},
		doc:   "F2(9) as a stride is exclusive-ored in place of being added; extents are powers of two.", example: "((2,4),4):((F2(1),F2(2)),F2(9))",
	},
	{
		names:   []string{"matrix over bits", "matrix{}"},
		doc:     "matrix{rows=[[1,1],[0,1]]} is a matrix over F2: row by row which bits of an index make each bit of an offset.",
		example: "matrix{rows=[[1,1],[0,1]]}",
	},
	{
		names:   []string{"TiledMMA", "atom", "MMA_Atom"},
		doc:     `mma("NAME") is an instruction; tiled_mma("NAME", AtomLayoutMNK, PermutationMNK) repeats it over threads and values.`,
		example: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`,
	},
	{
		names:   []string{"TiledCopy", "Copy_Atom"},
		doc:     `copy_atom("NAME", "type") is a copy instruction for elements of a type; tiled_copy(ATOM, THR, VAL) repeats it.`,
		example: `copy_atom("SM75_U32x4_LDSM_N", "f16")`,
	},
	{
		names: []string{
			"access to memory", "access", "ldmatrix", "ldmatrix.x4", "ldmatrix.x4.trans", "stmatrix", "stmatrix.x4", "ld",
			"st", "ld.v4", "st.128", "cp.async",
			"cp.async.16", "cp.async.bulk", "cp.async.bulk.4096", "atom.add.u32", "red.add.u32", "ds_read_b128",
		},
		doc: "An instruction that accesses memory, as bank, swizzle and global take them: ld and st (one element a " +
			"lane), ld.v4 and st.v2 (4, 2 elements), ld.128 and st.64 (bits), ldmatrix.x1, .x2, .x4 and stmatrix with or " +
			"without .trans, cp.async.4, .8, .16 (bytes), cp.async.bulk.4096 (bytes; global only), atom.add.u32, " +
			"red.min.s32, atom.exch.b64, atom.cas.b32, ds_read_b128, ds_write_b64. CuTe's copy instruction of ldmatrix.x4 " +
			"is SM75_U32x4_LDSM_N.",
	},
}

// notationOf returns the notation with that name. Case matters only if two names differ only in case.
func notationOf(name string) *notation {
	for _, equal := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range notations {
			if slices.ContainsFunc(notations[i].names, func(n string) bool { return equal(n, name) }) {
				return &notations[i]
			}
		}
	}
	return nil
}

// notationFor returns the notation of an expression, without evaluating it.
func notationFor(expr string) *notation {
	if paste.IsWord(expr) {
		return nil // a name has no topic
	}
	p, err := syntax.Parse(expr)
	if err != nil || len(p.Stmts) == 0 {
		return nil
	}
	last := p.Stmts[len(p.Stmts)-1]
	if last.Name != "" || len(p.Stmts) > 1 {
		return notationOf("let")
	}
	return notationOf(notationName(last.X))
}

// notationName returns a name for the notation of an expression, " " if that notation is not described.
func notationName(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Layout:
		return "layout"
	case *syntax.Tuple:
		return "tuple"
	case *syntax.Wildcard:
		return "_"
	case *syntax.Swizzle:
		return "swizzle"
	case *syntax.Compose:
		if _, swizzled := x.Operands[0].(*syntax.Swizzle); swizzled {
			return "composed layout"
		}
		return "o"
	case *syntax.Tiler:
		return "tiler"
	case *syntax.Basis, *syntax.Along:
		return "@"
	case *syntax.Int:
		return "Int"
	case *syntax.Symbol, *syntax.Scaled:
		return "symbol"
	case *syntax.Record:
		return cmp.Or(map[string]string{"linear": "linear{}", "matrix": "matrix{}"}[x.Name], "encoding")
	case *syntax.Binary:
		if x.Op == syntax.OpEqual {
			return "=="
		}
	}
	return " "
}

// topic returns the help on the notation, nil if there is no notation.
func (n *notation) topic() *Topic {
	if n == nil {
		return nil
	}
	t := &Topic{Name: n.names[0], Doc: n.doc}
	if len(n.names) > 1 {
		t.Name += " (" + strings.Join(n.names[1:], "  ") + ")"
	}
	var s Session
	if r := s.Eval(EvalRequest{Expr: n.example}); r.OK && r.Value != "" {
		t.Lines = []string{"", "Example:", "  " + n.example, "  " + r.Value}
	}
	return t
}
