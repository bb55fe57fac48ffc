package explain

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file explains layouts with F2 strides. linear.go explains the operations that the map of bits of a layout
// describes completely. This file explains the operations that also depend on the shape, and operations on sizes that
// are not powers of two.

const sourceXor = "Cecka, CuTe Layout Representation and Algebra, arXiv 2603.02298; PyCuTe, pycute/swizzle.py"

// xorRules lists the rules of operations on layouts with F2 strides, where these differ from the rules for integer
// strides.
var xorRules = map[string]string{
	"composition": "(A o B)(c) = A(B(c)). With F2 strides that is a layout of the shape of B if it is the exclusive or of one function for each " +
		"leaf of B, and each of these has modes of its own: h(i + s*k) = h(i) xor h(s*k), with h(i) = i times h(1), without carries, below s.",
	"coalesce": "Two modes are one where the first has a power of two of elements, s, and the second the stride of the first times s, or where both strides " +
		"are 0. Where s is no power of two, s times the stride shares bits with the digits of the first mode, and nothing merges.",
	"logical_product": "A x B = (A, A* o B), where A* are the places that are no sum, without carries, of offsets of A: the bits that lead no " +
		"vector of the reduced basis of their span, in ascending order and without end.",
	"complement": "The offsets of A span a space over F2. The bits that lead no vector of its reduced basis complete it: each number is one offset of the " +
		"span xor one of the complement. Those that make the numbers below the cotarget are the complement.",
	"slice":  "The fixed modes add one offset, without carries, to the open modes.",
	"cosize": "1 and the greatest offset of the layout's own coordinates.",
	"upcast": "A wide element holds the offsets that differ in the lowest bits only. So every bit of a digit has to move within a wide element, and is left " +
		"out, or over whole ones, and loses the lowest bits.",
	"downcast": "The parts of an element are neighbours: the mode of stride F2(1) counts them, and every other stride is as many times as long.",
	"eval": "Each digit of the coordinate is multiplied with its stride without carries, that is, the stride is shifted by each bit of the digit; the value is the " +
		"exclusive or of all.",
}

// xorExplainers explains operations on layouts with F2 strides that the map of bits of a layout does not explain
// completely.
func xorExplainers() map[string]explainer {
	out := map[string]explainer{
		"composition": explainXorComposition, "eval": explainXorAt,
		"right_inverse": explainXorInverse, "left_inverse": explainXorInverse, "inverse": explainXorInverse,
		"is_injective": explainXorQuestion, "is_surjective": explainXorQuestion, "is_bijective": explainXorQuestion,
	}
	for name, rule := range map[string]string{
		"zipped_product": "logical_product", "tiled_product": "logical_product",
		"flat_product": "logical_product", "blocked_product": "logical_product",
		"raked_product": "logical_product", "tile_to_shape": "logical_product",
		"slice_and_offset": "slice", "recast_layout": "upcast",
		"complement_exact": "complement", "coshape": "cosize",
	} {
		out[name] = xorRule(xorRules[rule])
	}
	for name, rule := range xorRules {
		if out[name] == nil {
			out[name] = xorRule(rule)
		}
	}
	return out
}

// xorArg returns the first operand with F2 strides.
func (op *Operation) xorArg() (linear.XorLayout, bool) {
	for _, a := range op.Args {
		if x, ok := a.Value.(linear.XorLayout); ok {
			return x, true
		}
	}
	return linear.XorLayout{}, false
}

// xorRule explains an operation on a layout with F2 strides by its rule.
func xorRule(rule string) explainer {
	return func(op *Operation, x *Explanation) {
		if _, ok := op.xorArg(); ok {
			x.Rule, x.Source = rule, sourceXor
		}
	}
}

// offsets returns the offsets of an operand with at most mostChecked elements.
func (o Operand) offsets() ([]int64, bool) {
	const mostChecked = 1 << 12
	f, ok := o.Value.(interface {
		AppendOffsets(dst []int64) ([]int64, error)
		Size() int64
		HasBasis() bool
	})
	if !ok || f.Size() > mostChecked || f.HasBasis() {
		return nil, false
	}
	table, err := f.AppendOffsets(nil)
	return table, err == nil
}

func explainXorComposition(op *Operation, x *Explanation) {
	if _, ok := op.xorArg(); !ok || len(op.Args) != 2 {
		return
	}
	for _, a := range append([]Operand{op.Result}, op.Args...) {
		if _, isMap := a.Value.(linear.Layout); isMap {
			return
		}
	}
	x.Rule, x.Source = xorRules["composition"], sourceXor
	b, okB := op.Args[1].offsets()
	r, okR := op.Result.offsets()
	if !okB || !okR || len(b) != len(r) {
		return
	}
	n := len(b)
	x.confirm(fmt.Sprintf("The result is A(B(i)) at %d of %d indices.", n, n), "R(i) = A(B(i))", int64(n),
		func(i int64) bool {
			y, ok := xorOffsetAt(op.Args[0].Value, b[i])
			return ok && y == r[i]
		})
}

// xorOffsetAt returns the offset of a layout at an index.
func xorOffsetAt(f any, i int64) (int64, bool) {
	switch f := f.(type) {
	case linear.XorLayout:
		y, err := f.Eval(cute.Int(i))
		return y, err == nil
	case cute.Swizzle:
		y, err := f.At(i)
		return y, err == nil
	case interface {
		Eval(c cute.Tuple) (cute.Tuple, error)
	}:
		v, err := f.Eval(cute.Int(i))
		y, ok := v.Int64()
		return y, ok && err == nil
	}
	return 0, false
}

// explainXorAt shows the products of digits and strides.
func explainXorAt(op *Operation, x *Explanation) {
	l, ok := op.xorArg()
	if !ok || len(op.Args) < 2 {
		return
	}
	x.Rule, x.Source = xorRules["eval"], sourceXor
	coords := make([]cute.Tuple, 0, len(op.Args)-1)
	for _, a := range op.Args[1:] {
		c, ok := a.Value.(cute.Tuple)
		if !ok {
			return
		}
		coords = append(coords, c)
	}
	c := coords[0]
	if len(coords) > 1 {
		var err error
		if c, err = cute.MakeTuple(coords...); err != nil {
			return
		}
	}
	at, err := cute.Idx2Crd(c, l.Shape())
	if err != nil {
		return
	}
	rows := [][]string{{"digit", "stride", "product", "as bits of the digit"}}
	strides := l.Strides()
	for i, d := range at.Leaves() {
		if d < 0 {
			return
		}
		y, err := strides[i].Mul(f2.Vector(d))
		if err != nil {
			return
		}
		var terms []string
		for k := range 63 {
			if d>>k&1 != 0 {
				terms = append(terms, strconv.FormatUint(uint64(strides[i])<<k, 10))
			}
		}
		rows = append(rows, []string{
			itoa(d), fmt.Sprintf("F2(%d)", uint64(strides[i])),
			strconv.FormatUint(uint64(y), 10), strings.Join(terms, " xor "),
		})
	}
	x.sayf("The coordinate in %v, and what its digits add:", l.Shape()).show(align(rows)...)
}

// explainXorInverse explains inverses of layouts whose size is not a power of two; the map of bits of such a layout has
// more inputs than the layout has indices.
func explainXorInverse(op *Operation, x *Explanation) {
	l, ok := op.xorArg()
	if !ok || l.Size()&(l.Size()-1) == 0 {
		return
	}
	x.Source = sourceXor
	switch op.Name {
	case "right_inverse":
		x.Rule = "A right inverse R has L(R(k)) = k for every k below its size, which is at most the first number that is no offset. R(k) is the least index of the offset k, as far as these have F2 strides."
	case "left_inverse":
		x.Rule = "A left inverse R has R(L(i)) = i for every index i of the layout. It exists if no two of them have the same offset."
	default:
		x.Rule = "The inverse leads from each of the offsets 0, ..., size-1 back to its index. It exists if each of them is there once."
	}
	table, okT := op.Args[0].offsets()
	if !okT || op.Err != nil {
		return
	}
	all := int64(len(table))
	if op.Name != "right_inverse" {
		x.confirm(fmt.Sprintf("R(L(i)) = i for %d of %d indices.", all, all), "R(L(i)) = i", all, func(i int64) bool {
			back, ok := xorOffsetAt(op.Result.Value, table[i])
			return ok && back == i
		})
		return
	}
	r, okR := op.Result.offsets()
	if !okR {
		return
	}
	n := len(r)
	x.confirm(fmt.Sprintf("L(R(k)) = k for %d of %d indices.", n, n), "L(R(k)) = k", int64(n),
		func(k int64) bool { return r[k] < all && table[r[k]] == k })
}

// explainXorQuestion says that the answer covers the coordinates of the layout, not all inputs of its map of bits.
func explainXorQuestion(op *Operation, x *Explanation) {
	l, ok := op.xorArg()
	if !ok || l.Size()&(l.Size()-1) == 0 {
		return
	}
	x.Rule = op.Doc
	x.Source = sourceXor
	x.sayf("It is asked of the %d coordinates of the layout, not of the bits beyond.", l.Size())
}
