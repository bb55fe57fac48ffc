package diagnose

import (
	"fmt"
	"strings"
)

// algebraRules are the conditions of CuTe's layout algebra (include/cute/layout.hpp, int_tuple.hpp, stride.hpp,
// swizzle.hpp).
var algebraRules = ruleList{
	{says: lostFrame, in: "shape_div", tool: toolCute, op: "shape_div", look: shapeDiv, demand: demandShapeDiv},
	{says: lostFrame, in: "upcast", tool: toolCute, op: "upcast", look: upcast, demand: "upcast<N> (and recast to a wider type) needs each stride to be a multiple of N or a divisor of N"},
	{says: lostFrame, in: "downcast", tool: toolCute, op: "downcast", look: downcast, demand: "downcast<N> (and recast to a narrower type) needs a mode with the static stride 1, whose elements it cuts"},
	{says: lostFrame, in: "left_inverse", tool: toolCute, op: "left_inverse", look: inverse, demand: "left_inverse sorts the modes by stride and needs each stride to be a multiple of the one before it"},
	{says: lostFrame, in: "complement", tool: toolCute, op: "complement", look: complement, demand: "complement needs a layout without aliases whose strides nest: sorted by stride, each is at least the block that the smaller ones cover"},
	{says: lostFrame, in: "tile_to_shape", tool: toolCute, op: "tile_to_shape", look: tileToShape, demand: "tile_to_shape repeats the block a whole number of times in each mode of the target shape"},
	{says: lostFrame, tool: toolCute, op: "composition", look: composition, demand: "in A o B, the stride and the extent of each leaf of B divide, or are divided by, the modes of A that it goes through"},
	{
		says: "stride divisibility condition violated", tool: toolPyCute, op: "composition", function: "composition",
		look:   composition,
		demand: "in A o B, the stride of each leaf of B, as it goes through the modes of A, and the extent of the mode have to divide one another",
	},
	{
		says: "shape divisibility condition violated", tool: toolPyCute, op: "composition", function: "composition",
		look:   composition,
		demand: "in A o B, a leaf of B that goes past the end of a mode of A has to fill it a whole number of times",
	},
	{
		says: "stride divisibility condition", tool: toolCute, op: "composition",
		function: "composition_impl (include/cute/layout.hpp)", look: composition,
		demand: "in A o B, the stride of each leaf of B, as it goes through the modes of A, is a multiple of the extent of the mode or smaller than it",
	},
	{
		says: "shape divisibility condition", tool: toolCute, op: "composition",
		function: "composition_impl (include/cute/layout.hpp)", look: composition,
		demand: "in A o B, what a leaf of B takes of a mode of A divides what is left of the leaf",
	},
	{
		says: "divisibility condition", in: "upcast", tool: toolCute, op: "upcast", look: upcast,
		demand: "upcast<N> (and recast to a wider type) needs each stride to be a multiple of N or a divisor of N",
	},
	{
		says: "left inverse divisibility condition", tool: toolCute, op: "left_inverse",
		function: "left_inverse (include/cute/layout.hpp)", look: inverse,
		demand: "left_inverse sorts the modes by stride and needs each stride to be a multiple of the one before it",
	},
	{
		says: "left inverse requires static strides", tool: toolCute, op: "left_inverse", look: inverse,
		demand: "left_inverse sorts the modes by stride, so all strides have to be known at compile time",
	},
	{says: "static shape_div failure", tool: toolCute, op: "shape_div", function: "shape_div (include/cute/int_tuple.hpp)", look: shapeDiv, demand: demandShapeDiv},
	{says: "divisibility condition", in: "shape_div", tool: toolCute, op: "shape_div", look: shapeDiv, demand: demandShapeDiv},
	{
		says: "complement(|): non-injective layout", tool: toolPyCute, op: "complement", function: "complement",
		look:   complement,
		demand: "complement needs a layout without aliases whose strides nest: sorted by stride, each is at least the block that the smaller ones cover",
	},
	{
		says: "non-injective layout detected in complement", tool: toolCute, op: "complement",
		function: "complement (include/cute/layout.hpp)", look: complement,
		demand: "complement needs a layout without aliases whose strides nest: sorted by stride, each is at least the block that the smaller ones cover",
	},
	{
		says: "complement input layout is non-injective", tool: toolDSL, op: "complement", look: complement,
		demand: "complement needs a layout without aliases whose strides nest: sorted by stride, each is at least the block that the smaller ones cover",
	},
	{
		says: "dynamic-stride complement only for rank-1 layouts", tool: toolCute, op: "complement", look: complement,
		demand: "complement sorts the modes by stride; with more than one mode the strides have to be known at compile time",
	},
	{
		says: "downcast requires adjacent elements", tool: toolCute, op: "downcast",
		function: "downcast (include/cute/layout.hpp)", look: downcast,
		demand: "downcast<N> (and recast to a narrower type) needs a mode with the static stride 1, whose elements it cuts",
	},
	{
		says: "block shape does not divide the target shape", tool: toolCute, op: "tile_to_shape",
		function: "tile_to_shape (include/cute/layout.hpp)", look: tileToShape,
		demand: "tile_to_shape repeats the block a whole number of times in each mode of the target shape",
	},
	{
		says: "rank of layout must be <= rank of target shape", tool: toolCute, op: "tile_to_shape", look: tileToShape,
		demand: "the target shape of tile_to_shape has at least as many modes as the block",
	},
	{
		says: "too many modes in tiler", tool: toolCute, op: "logical_divide", look: tilerRank,
		demand: "a tiler has at most as many modes as the layout",
	},
	{
		says: "tuple_size<tiler>::value <=", tool: toolCute, op: "composition", look: tilerRank,
		demand: "a tiler has at most as many modes as the layout",
	},
	{
		says: "tuple_size<inttuple>::value <=", tool: toolCute, op: "coalesce", look: profileRank,
		demand: "the profile of coalesce and filter has at most as many modes as the layout",
	},
	{says: "abs(sshift) must be more than bbits", tool: toolCute, op: "make_swizzle", look: swizzle, demand: demandSwizzle},
	{says: "bbits must be positive", tool: toolCute, op: "make_swizzle", look: swizzle, demand: demandSwizzle},
	{says: "mbase must be positive", tool: toolCute, op: "make_swizzle", look: swizzle, demand: demandSwizzle},
	{
		says: "can only merge swizzles of the same shift", tool: toolCute, op: "composition", look: mergeSwizzles,
		demand: "the composition of two swizzles is a Swizzle<B,M,S> only if both have the same S",
	},
	{
		says: "requires pow2 shape*stride", tool: toolCute, op: "slice", look: frameLayouts,
		demand: "CuTe slices a swizzled layout only if each extent times its stride is 0 or a power of two; girih decays it by its values",
	},
	{
		says: "n must be a power of two", in: "upcast|downcast|recast_layout", tool: toolCute, op: "recast_layout",
		look:   frameLayouts,
		demand: "a swizzle is recast by powers of two only",
	},
	{says: "mismatched ranks", in: "crd2idx|idx2crd|crd2idx_ttt", tool: toolCute, op: "crd2idx", look: coordinateRank, demand: demandCoord},
	{says: "mismatched ranks", in: "slice|dice|lift_slice", tool: toolCute, op: "slice", look: coordinateRank, demand: demandCoord},
	{says: "mismatched ranks", in: "inner_product", tool: toolCute, op: "inner_product", look: pairRank, demand: "both tuples have the same number of modes"},
	{says: "mismatched ranks", in: "ceil_div|round_up", tool: toolCute, op: "ceil_div", look: pairRank, demand: "the second tuple has at most as many modes as the first"},
	{says: "mismatched ranks", in: "shape_div", tool: toolCute, op: "shape_div", look: pairRank, demand: "both tuples have the same number of modes"},
	{
		says: "mismatched ranks", in: "zip2_by|tile_unzip", weak: true, tool: toolCute, op: "zipped_divide",
		look:   frameLayouts,
		demand: "each mode of a by-mode tiler meets a mode of the layout; with _ in the tiler that mode itself has two modes (tile, rest)",
	},
	{says: "mismatched ranks", weak: true, tool: toolCute, look: frameLayouts, demand: "both operands have the same number of modes at each level"},
	{says: "invalid parameters", in: "crd2idx|idx2crd", tool: toolCute, op: "crd2idx", look: coordinateRank, demand: demandCoord},
	{says: "need equal rank of shape and order", tool: toolCute, op: "make_ordered_layout", look: orderRank, demand: "the order has the modes of the shape"},
	{says: "mismatched tuple_size", in: "compact_order|make_ordered_layout", tool: toolCute, op: "make_ordered_layout", look: orderRank, demand: "the order has the modes of the shape"},
	{says: "mismatched tuple_size", tool: toolCute, look: frameLayouts, demand: "both tuples have the same nesting"},
	{says: "shape and stride must be congruent", tool: toolCute, op: "make_layout", look: frameLayouts, demand: "shape and stride have the same nesting"},
	{says: "index out of range", in: "get|getv_cr|getv_rr|getv_r", tool: toolCute, op: "get", look: indexRange, weak: true, demand: "a mode is named by an index from 0 to rank-1"},
	{says: "take: empty range", tool: toolCute, op: "take", look: frameLayouts, demand: "take<B,E> needs B < E: it returns the modes B to E-1"},
	{says: "take: range out of bounds", tool: toolCute, op: "take", look: frameLayouts, demand: "take<B,E> needs 0 <= B and E <= rank"},
	{
		says: "dynamic owning tensors not supported", tool: toolCute, op: "make_tensor", look: frameLayouts,
		demand: "make_tensor<T>(layout) owns its elements in registers, so all integers of the layout are static: Int<4>{} instead of 4",
	},
}

const (
	demandShapeDiv = "shape_div(a, b) of integers needs one of them to divide the other; of a tuple, each mode in turn with the rest of b"
	demandSwizzle  = "Swizzle<B,M,S> needs B >= 0, M >= 0 and |S| >= B: otherwise the bits it reads and those it changes overlap"
	demandCoord    = "a coordinate has the modes of the shape, at each level, or an integer in place of a whole mode"
)

// shapeDiv examines two integers that do not divide each other.
func shapeDiv(f *failure) {
	inner := f.innermost("shape_div")
	f.use(inner)
	if len(inner.args) == 2 {
		a, okA := integer(inner.args[0])
		b, okB := integer(inner.args[1])
		if okA && okB && a > 0 && b > 0 {
			f.Pair = fmt.Sprintf("%d and %d", a, b)
			f.Condition = fmt.Sprintf("neither of %d and %d divides the other: %d mod %d = %d, %d mod %d = %d", a, b, a, b,
				a%b, b, a, b%a)
			if f.repairPartition() {
				return
			}
			f.around(a, b)
		}
	}
	if outer := f.outer(inner); outer.isKnown() && outer.expr() != inner.expr() {
		pair, condition := f.Pair, f.Condition
		repairs := f.Repairs
		f.Repairs = nil
		f.use(outer)
		f.Pair, f.Condition = pair, fmt.Sprintf("inside of it, shape_div(%s): %s", strings.Join(inner.args, ","), condition)
		if outer.op == "shape_div" {
			f.nearby(outer, 1, 0, "a divisor of")
			f.patterns()
			return
		}
		f.repairs(outer, inner)
		f.Repairs = append(f.Repairs, repairs...)
	}
	f.patterns()
}

// around offers pairs of integers near a and b such that one divides the other.
func (f *failure) around(a, b int64) {
	div := func(x, y int64) operation {
		return operation{op: "shape_div", args: []string{fmt.Sprint(x), fmt.Sprint(y)}}
	}
	if a > b {
		f.offer(fmt.Sprintf("%d padded to a multiple of %d", a, b), div(roundUp(a, b), b))
		if d, _ := divisors(a, b); d > 1 {
			f.offer(fmt.Sprintf("a piece of %d in place of %d, which divides %d", d, b, a), div(a, d))
		}
		return
	}
	f.offer(fmt.Sprintf("%d padded to a multiple of %d", b, a), div(a, roundUp(b, a)))
	if d, _ := divisors(b, a); d > 1 {
		f.offer(fmt.Sprintf("a piece of %d in place of %d, which divides %d", d, a, b), div(d, b))
	}
}

// swizzle examines an invalid Swizzle<B,M,S>.
func swizzle(f *failure) {
	fr := f.m.frame("Swizzle")
	if fr == nil || len(fr.args) != 3 {
		f.missing("the B, M and S of the swizzle: paste the line with Swizzle<B,M,S>")
		return
	}
	b, m, s := fr.args[0], fr.args[1], fr.args[2]
	f.operand("swizzle", fmt.Sprintf("Sw<%s,%s,%s>", b, m, s))
	f.Condition = fmt.Sprintf("B = %s, M = %s, S = %s: |S| < B", b, m, s)
	for _, c := range [][3]string{{b, m, b}, {s, m, s}} {
		text := fmt.Sprintf("Sw<%s,%s,%s>", c[0], c[1], c[2])
		if v, err := f.result(text); err == nil {
			f.repair(Repair{Say: "a swizzle with |S| = B", Expr: text, Result: v})
		}
	}
}

// mergeSwizzles examines two swizzles whose composition is not a swizzle.
func mergeSwizzles(f *failure) {
	fr := f.m.frame("composition")
	if fr == nil {
		return
	}
	if len(fr.args) == 6 && len(fr.params) == 0 {
		for i, n := range []string{"B0", "M0", "S0", "B1", "M1", "S1"} {
			fr.params = append(fr.params, param{name: n, text: fr.args[i]})
		}
	}
	a := fmt.Sprintf("Sw<%s,%s,%s>", fr.param("B0"), fr.param("M0"), fr.param("S0"))
	b := fmt.Sprintf("Sw<%s,%s,%s>", fr.param("B1"), fr.param("M1"), fr.param("S1"))
	f.operand("first", a)
	f.operand("second", b)
	f.Condition = fmt.Sprintf("%s shifts by %s, %s by %s", a, fr.param("S0"), b, fr.param("S1"))
	for _, e := range []string{"linear(" + a + ") o linear(" + b + ")"} {
		if v, err := f.result(e); err == nil {
			f.repair(Repair{Say: "the composition is a linear map over bits, which is no Swizzle<B,M,S>", Expr: e, Result: v})
		}
	}
}

// frameLayouts lists the values in the innermost frames as operands.
func frameLayouts(f *failure) {
	seen := map[string]bool{}
	for i := range f.m.frames {
		fr := &f.m.frames[i]
		if machinery[fr.name] {
			continue
		}
		for _, p := range fr.params {
			if len(f.Operands) >= 6 {
				return
			}
			if v := value(p.text); v != "" && !seen[p.name+v] {
				seen[p.name+v] = true
				f.operand(p.name, v)
			}
		}
		if len(f.Operands) > 0 {
			return
		}
	}
}
