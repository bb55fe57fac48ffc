package diagnose

import (
	"fmt"
	"strings"

	"girih/atom"
	shared "girih/descriptor"
	"girih/dtype"
)

// mmaRules are the conditions of matrix products and of the products' layouts in shared memory
// (include/cute/algorithm/gemm.hpp, atom/mma_atom.hpp, atom/mma_traits_sm90_gmma.hpp,
// include/cutlass/gemm/collective/builders).
var mmaRules = ruleList{
	{says: "size<1>(a) == size<1>(c)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "size<1>(b) == size<2>(c)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "size<2>(a) == size<2>(b)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "size<0>(c) == size<0>(d)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "size<0>(a) == size<0>(c)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "size<0>(b) == size<1>(c)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "size<1>(a) == size<1>(b)", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "static assertion failed", in: "gemm", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "rank mismatch in gemm", tool: toolCute, op: "gemm", look: gemm, demand: demandGemm},
	{says: "`a` and `b` must have the same rank", tool: toolDSL, op: "gemm", look: gotPair, demand: demandGemm},
	{says: "`c` must have rank", tool: toolDSL, op: "gemm", look: gotPair, demand: demandGemm},
	{says: "`c` and `d` must have the same rank", tool: toolDSL, op: "gemm", look: gotPair, demand: demandGemm},
	{says: "tiledmma requires rank-3 atomlayoutmnk", tool: toolCute, op: "make_tiled_mma", look: tiledMMARank, demand: "the layout of atoms has three modes, for M, N and K: Layout<Shape<_2,_2,_1>>"},
	{says: "tiledmma requires rank-3 permutationmnk", tool: toolCute, op: "make_tiled_mma", look: tiledMMARank, demand: "the permutation has three modes, for M, N and K: Tile<_32,_32,_16>"},
	{says: "tiledmma requires static permutations of mnk", tool: toolCute, op: "make_tiled_mma", look: frameLayouts, demand: "the permutation is known at compile time"},
	{says: "tiledmma requires independent permutations of mnk", tool: toolCute, op: "make_tiled_mma", look: frameLayouts, demand: "M, N and K are permuted independently of each other: three tilers, and not one layout"},
	{says: "expects rank-3 mnk atom layout", tool: toolDSL, op: "make_tiled_mma", look: gotPair, demand: "the layout of atoms has three modes, for M, N and K"},
	{says: "blk_k0 must be a multiple of size<1>", tool: toolCutlass, op: "ss_smem_selector", look: smemSelector, demand: demandSelector},
	{says: "blk_mn0 must be a multiple of size<0>", tool: toolCutlass, op: "ss_smem_selector", look: smemSelector, demand: demandSelector},
	{
		says: "no eligible gmma operator for request configuration", tool: toolCute, op: "ss_op_selector",
		function: "ss_op_selector (include/cute/arch/mma_sm90.hpp)", look: frameLayouts,
		demand: "wgmma has an instruction for the types of A, B and C: f16/bf16, tf32, 8-bit floats and integers, with C in f32, f16 or s32",
	},
	{says: "tile_n must be a multiple of", tool: toolCute, from: "cute|cutlass|ss_op_selector|static", op: "ss_op_selector", look: multiple, demand: "the N of a wgmma is a multiple of 8 up to 256 (16 and 32 for some types)"},
	{says: "tile_k must be a multiple of", tool: toolCute, from: "cute|cutlass|ss_op_selector|static", op: "ss_op_selector", look: multiple, demand: "the K of the tile is a multiple of the K of the instruction: 32 bytes, 16 elements of 16 bits"},
	{says: "tile_m must be a multiple of", tool: toolCute, from: "cute|cutlass|ss_op_selector|static", op: "ss_op_selector", look: multiple, demand: "the M of the tile is a multiple of the 64 of wgmma"},
	{says: "must be gmma::major::k for this config", tool: toolCute, op: "ss_op_selector", look: frameLayouts, demand: "wgmma reads only 16-bit types M- or N-major; tf32, 8-bit floats and integers have to be K-major in shared memory"},
	{says: "register source", tool: toolCute, op: "rs_op_selector", look: frameLayouts, demand: "A in registers is K-major"},
	{says: "gmma c and d layouts must match", tool: toolCute, op: "gemm", look: gemm, demand: "the accumulators C and D of a wgmma have one layout"},
	{says: "m-mode size should be", tool: toolCute, op: "make_tiled_mma", look: modeSizeOf, demand: "tcgen05.mma has only the named extents of M"},
	{says: "n-mode size should be", tool: toolCute, op: "make_tiled_mma", look: modeSizeOf, demand: "tcgen05.mma has only the named extents of N"},
	{says: "must be a multiple of|static assertion failed", tool: toolCutlass, look: multiple, demand: "what the message says"},
}

const (
	demandGemm     = "the fragments are A (V,M,K), B (V,N,K) and C (V,M,N), with equal M, N and K"
	demandSelector = "the extent of the tile along the contiguous mode is a multiple of the narrowest canonical atom, 16 bytes"
)

// gemm examines the fragments of a matrix product.
func gemm(f *failure) {
	fr := f.m.frame("gemm")
	if fr == nil {
		f.missing("the layouts ALayout, BLayout and CLayout of the backtrace, or the printed fragments of A, B and C")
		return
	}
	text := map[string]string{}
	for _, x := range []string{"A", "B", "C", "D"} {
		text[x] = fr.value(x + "Layout")
		f.operand(x, text[x])
	}
	a, b, c := modes(shapeOf(text["A"])), modes(shapeOf(text["B"])), modes(shapeOf(text["C"]))
	if text["A"] == "" || text["B"] == "" || text["C"] == "" {
		return
	}
	pairs := fragmentPairs(a, b, c)
	if pairs == nil {
		f.Condition = fmt.Sprintf("A has %s, B %d, C %d", count(len(a), "mode"), len(b), len(c))
		return
	}
	var why []string
	for _, p := range pairs {
		x, okX := product(p[1])
		y, okY := product(p[3])
		if okX && okY && x != y {
			who := "A has " + p[0]
			if strings.HasSuffix(p[0], " of B") {
				who = "B has N"
			}
			why = append(why, fmt.Sprintf("%s = %d, %s %d", who, x, p[2], y))
			f.Pair = fmt.Sprintf("%d and %d", x, y)
		}
	}
	f.Condition = strings.Join(why, "; ")
	switch {
	case strings.Contains(f.Condition, "K ="):
		f.repair(Repair{Say: "A and B have to be cut into the same K: partition tiles (BLK_M,BLK_K) and (BLK_N,BLK_K) with one BLK_K; B is (N,K) and never (K,N)"})
	case f.Condition != "":
		f.repair(Repair{Say: "partition A, B and C with one TiledMMA from tiles (BLK_M,BLK_K), (BLK_N,BLK_K), (BLK_M,BLK_N); a fragment of A loaded in another order has to be retiled (retile_D), not reshaped"})
	}
}

// fragmentPairs returns the pairs of modes in three fragments that must be equal, with words for them, or nil if the
// fragments do not have the modes of a product.
func fragmentPairs(a, b, c []string) [][4]string {
	switch [3]int{len(a), len(b), len(c)} {
	case [3]int{3, 3, 3}:
		return [][4]string{{"M", a[1], "C has M =", c[1]}, {"N of B", b[1], "C has N =", c[2]}, {"K", a[2], "B has K =", b[2]}}
	case [3]int{2, 2, 2}:
		return [][4]string{{"M", a[0], "C has M =", c[0]}, {"N of B", b[0], "C has N =", c[1]}, {"K", a[1], "B has K =", b[1]}}
	case [3]int{2, 2, 3}:
		return [][4]string{{"M", a[1], "C has M =", c[1]}, {"N of B", b[1], "C has N =", c[2]}}
	}
	return nil
}

// tiledMMARank examines a layout of atoms that does not have three modes.
func tiledMMARank(f *failure) {
	fr := f.m.frame("TiledMMA", "make_tiled_mma")
	if fr == nil {
		return
	}
	for _, p := range append(fr.params, argsAsParams(fr)...) {
		l := value(p.text)
		s := shapeOf(l)
		n := len(modes(s))
		if l == "" || !strings.Contains(l, ":") || n == 3 {
			continue
		}
		f.operand("AtomLayoutMNK", l)
		f.Condition = fmt.Sprintf("%s has %s, expected 3", l, count(n, "mode"))
		if n < 3 {
			three := "(" + strings.Join(append(modes(s), "1", "1")[:3], ",") + ")"
			if v, err := f.result("layout_left(" + three + ")"); err == nil {
				f.repair(Repair{Say: "one more mode of 1 for K", Expr: "layout_left(" + three + ")", Result: v})
			}
		}
		return
	}
}

func argsAsParams(fr *frame) []param {
	ps := make([]param, len(fr.args))
	for i, a := range fr.args {
		ps[i] = param{text: a}
	}
	return ps
}

// smemSelector examines a tile that is narrower than every canonical atom.
func smemSelector(f *failure) {
	fr := f.m.frame("ss_smem_selector", "sm100_smem_selector", "rs_smem_selector")
	if fr == nil {
		f.missing("the line of the backtrace with ss_smem_selector: it names major, ElementType, BLK_MN and BLK_K")
		return
	}
	which, major := "BLK_K", atom.KMajor
	if strings.Contains(f.Message, "BLK_MN0") {
		which, major = "BLK_MN", atom.MNMajor
	}
	typ := typeName(fr.param("ElementType"))
	f.operand("major", typeName(fr.param("major")))
	f.operand("ElementType", typ)
	f.operand("BLK_MN", fr.value("BLK_MN"))
	f.operand("BLK_K", fr.value("BLK_K"))
	blk, ok := integer(fr.value(which))
	t, err := dtype.Parse(typ)
	if !ok || err != nil || blk <= 0 {
		return
	}
	a, err := shared.MakeAtom(shared.INTER, major, t)
	if err != nil {
		return
	}
	i := 1
	if major == atom.MNMajor {
		i = 0
	}
	w := modeSize(a.Layout, i)
	f.Pair = fmt.Sprintf("%d and %d", blk, w)
	f.Condition = fmt.Sprintf("%s is %d; %s is %d elements of %d bits wide (16 bytes): %d mod %d = %d", which, blk,
		a.Name(), w, t.Bits(), blk, w, blk%w)
	up := roundUp(blk, w)
	for _, p := range []shared.Pattern{shared.SW128, shared.SW64, shared.SW32, shared.INTER} {
		s, err := shared.MakeAtom(p, major, t)
		if err != nil || up%modeSize(s.Layout, i) != 0 {
			continue
		}
		expr := fmt.Sprintf("%d / %d", up, modeSize(s.Layout, i))
		f.repair(Repair{
			Say: fmt.Sprintf("%s = %d, which %s divides: %s = %d", which, up, s.Name(), expr, up/modeSize(s.Layout, i)),
		})
		return
	}
}

// multiple examines "X must be a multiple of N", where the backtrace gives the value of X.
func multiple(f *failure) {
	words := strings.Fields(strings.Trim(f.Message, `"`))
	var name string
	var n int64
	for i, w := range words {
		if w == "multiple" && i+2 < len(words) {
			n, _ = integer(strings.Trim(words[i+2], ".,;\"()"))
			name = words[0]
		}
	}
	var x int64
	for i := range f.m.frames {
		for _, p := range f.m.frames[i].params {
			if v, ok := integer(value(p.text)); ok && p.name == name {
				x = v
			}
			if ms := modes(value(p.text)); p.name == "TileShape_MNK" && len(ms) == 3 {
				if v, ok := integer(ms[map[string]int{"Tile_M": 0, "Tile_N": 1, "Tile_K": 2}[name]]); ok &&
					strings.HasPrefix(name, "Tile_") {
					x = v
				}
			}
		}
	}
	frameLayouts(f)
	if n <= 0 || x <= 0 {
		f.missing("the value of " + name + ": the backtrace has it, or print it")
		return
	}
	f.Pair = fmt.Sprintf("%d and %d", x, n)
	f.Condition = fmt.Sprintf("%s is %d: %d mod %d = %d", name, x, x, n, x%n)
	f.repair(Repair{
		Say:  fmt.Sprintf("%s = %d, the next multiple of %d", name, roundUp(x, n), n),
		Expr: fmt.Sprintf("ceil_div(%d,%d) * %d", x, n, n), Result: fmt.Sprint(roundUp(x, n)),
	})
	if x > n {
		f.repair(Repair{
			Say: fmt.Sprintf("%s = %d, the multiple below", name, x/n*n), Expr: fmt.Sprintf("%d / %d * %d", x, n, n),
			Result: fmt.Sprint(x / n * n),
		})
	}
}

// modeSizeOf examines the extents of a tcgen05 instruction.
func modeSizeOf(f *failure) {
	frameLayouts(f)
	f.missing("M and N of the instruction: its template arguments have them, SM100_MMA_F16BF16_SS<a, b, c, M, N, ...>")
}
