package explain

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file explains why a layout is or is not a map over bits. linear_ops.go explains composition, inverses and
// conversions of such maps; linear_matrix.go explains their matrices. An explainer shows the bases or the matrix,
// computes the numbers of the case from the matrix, and checks the result by multiplication.

// linearExplainers explains maps over bits, their matrices and their operations.
func linearExplainers() map[string]explainer {
	return map[string]explainer{
		"linear":             explainLinear,
		"linear_layout":      explainLinear,
		"to_layout":          explainToLayout,
		"to_xor":             explainToXor,
		"composition":        explainLinearComposition,
		"inverse":            explainLinearInverse,
		"right_inverse":      explainLinearInverse,
		"left_inverse":       explainLinearInverse,
		"rank":               explainLinearRank,
		"is_injective":       explainLinearRank,
		"is_surjective":      explainLinearRank,
		"is_bijective":       explainLinearRank,
		"eval":               explainLinearAt,
		"invert_and_compose": explainInvertAndCompose,
		"free_variables":     explainLinearRank,
	}
}

const (
	ruleLinear   = "A map over bits is linear if the value of an index is the exclusive or of the values of its bits: L(i xor j) = L(i) xor L(j). Then the values at 1, 2, 4, ..., its bases, are all there is to know."
	sourceLinear = "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using F2; Triton, include/triton/Tools/LinearLayout.h"
)

// asLinear returns a value as a linear layout.
func asLinear(v any) (linear.Layout, error) {
	switch v := v.(type) {
	case linear.Layout:
		return v, nil
	case linear.XorLayout:
		return v.Linear()
	case cute.Layout:
		return linear.FromLayout(v)
	case cute.Composed:
		return linear.FromComposed(v)
	case cute.Swizzle:
		return linear.FromSwizzle(v, swizzleBits(v))
	case f2.Matrix:
		return linear.FromMatrix(v, []linear.Dim{bitsDim("index", v.Cols())}, []linear.Dim{bitsDim("offset", v.Rows())})
	}
	return linear.Layout{}, errors.New("no linear layout")
}

// bitsDim returns a dimension of 2^n values.
func bitsDim(name string, n int) linear.Dim {
	return linear.Dim{Name: name, Size: 1 << min(n, linear.MaxBits+1)}
}

// overBits reports whether an operand is a map over bits rather than a layout of integers.
func overBits(v any) bool {
	switch v.(type) {
	case linear.Layout, linear.XorLayout:
		return true
	}
	return false
}

// explainLinear explains how a layout is a map over bits, or why it is not.
func explainLinear(op *Operation, x *Explanation) {
	x.Rule, x.Source = ruleLinear, sourceLinear
	l, ok := op.Result.Value.(linear.Layout)
	if !ok {
		if a, isLayout := op.layoutArg(0); isLayout && op.Err != nil {
			notLinear(op, x, a)
		}
		return
	}
	if a, isLayout := op.layoutArg(0); isLayout && !a.HasBasis() {
		sayLayoutBits(x, a, l)
	}
	x.sayf("The %s of the input %s their bases:", Count(l.InBits(), "bit"), isAre(l.InBits())).
		show(basisLines(l)...)
	sayMatrix(x, l, op.Result.Text)
	sayKernel(x, l)
}

func isAre(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// sayLayoutBits lists the index bits of each mode, or says why modes are not bits of the index.
func sayLayoutBits(x *Explanation, a cute.Layout, l linear.Layout) {
	extents, strides := a.Shape().Leaves(), a.Stride().Leaves()
	powers := true
	for _, s := range extents {
		powers = powers && s > 0 && s&(s-1) == 0
	}
	if !powers {
		x.sayf("The extents of %v are not all powers of two, so modes are not bits of the index. All %d values agree "+
			"with a linear map all the same.", a, a.Size())
		return
	}
	rows := [][]string{{"mode", "bits of the index", "their values"}}
	bit := 0
	for i, s := range extents {
		n := bits.Len64(uint64(s)) - 1
		var parts []string
		for k := range n {
			parts = append(parts, itoa(strides[i]<<k))
		}
		of := "none"
		if n > 0 {
			of = bitRange(bit, n)
		}
		rows = append(rows, []string{fmt.Sprintf("%d:%d", s, strides[i]), of, strings.Join(parts, " ")})
		bit += n
	}
	x.say("All extents are powers of two, so every mode is some bits of the index. The values of the bits share no "+
		"bit, and adding them carries nothing: the sum is the exclusive or.", align(rows)...)
}

// basisLines lists the bases of the input dimensions.
func basisLines(l linear.Layout) []string {
	var rows [][]string
	for _, in := range l.Bases() {
		for k, b := range in.Bases {
			row := []string{fmt.Sprintf("%s %d", in.Name, int64(1)<<k), "->"}
			parts := make([]string, len(b))
			for i, v := range b {
				parts[i] = itoa(v)
			}
			text := strings.Join(parts, ",")
			if len(b) > 1 {
				text = "(" + text + ")"
			}
			row = append(row, text)
			if len(b) == 1 {
				row = append(row, setBitsOr0(uint64(b[0])))
			}
			rows = append(rows, row)
		}
	}
	return align(rows)
}

func setBitsOr0(v uint64) string {
	if v == 0 {
		return "no bit"
	}
	if v&(v-1) == 0 {
		return "bit " + setBits(v)
	}
	return "bits " + setBits(v)
}

// sayMatrix shows the matrix of a small map.
func sayMatrix(x *Explanation, l linear.Layout, text string) {
	m := l.Matrix()
	if m.Rows() == 0 || m.Cols() == 0 || m.Rows() > 24 || m.Cols() > 24 {
		return
	}
	x.sayf("As a matrix, %d rows for the bits of the output, the lowest first, and %d columns for the bits of the input: "+
		"column j is the basis j.", m.Rows(), m.Cols()).show(strings.Split(m.String(), "\n")...).
		Figure = &Figure{Kind: "matrix", Expr: "matrix(" + text + ")", Caption: "the matrix over F2"}
}

// textOf returns the record of a linear layout in the language: linear{index=[[1],[2]], out=[offset:4]}.
func textOf(l linear.Layout) string {
	var b strings.Builder
	b.WriteString("linear{")
	for _, in := range l.Bases() {
		b.WriteString(in.Name + "=[")
		for k, v := range in.Bases {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('[')
			for i, c := range v {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(itoa(c))
			}
			b.WriteByte(']')
		}
		b.WriteString("], ")
	}
	b.WriteString("out=[")
	for i, d := range l.OutDims() {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%d", d.Name, d.Size)
	}
	b.WriteString("]}")
	return b.String()
}

// sayKernel states the rank of the map, and the inputs that the map cannot distinguish.
func sayKernel(x *Explanation, l linear.Layout) {
	m := l.Matrix()
	in, out, rank := m.Cols(), m.Rows(), m.Rank()
	text := fmt.Sprintf("The rank is %d: %d of the %d bases are independent.", rank, rank, in)
	switch {
	case rank == in && rank == out:
		text += " It is a bijection."
	case rank == in:
		text += fmt.Sprintf(" No two inputs meet, and 2^%d = %d of 2^%d outputs are reached.", rank, int64(1)<<rank, out)
	default:
		text += fmt.Sprintf(" Each value comes from 2^(%d-%d) = %d inputs.", in, rank, int64(1)<<(in-rank))
	}
	var lines []string
	if kernel, err := m.Kernel(); err == nil {
		for _, k := range kernel {
			lines = append(lines, fmt.Sprintf("flat input %d = bits %s gives 0", uint64(k), setBits(uint64(k))))
		}
	}
	x.say(text, lines...)
	if rank < in {
		x.Check = fmt.Sprintf("%d + %d = %d: rank and dimension of the kernel are the bits of the input.", rank, in-rank, in)
	}
}

// notLinear names the first index at which a layout is not linear over bits, and offers a linear layout.
func notLinear(op *Operation, x *Explanation, a cute.Layout) {
	w := op.Err.Witness
	if op.Err.Code != cute.CodeNotRepresentable || w == nil || a.HasBasis() {
		return
	}
	inputs := inputsOf(op, a, w.Index)
	var rows [][]string
	var made int64
	var of []string
	for _, in := range inputs {
		for k := range bits.Len64(uint64(in.at)) {
			if in.at>>k&1 == 0 {
				continue
			}
			i := in.step << k
			v, err := a.At(i)
			if err != nil {
				return
			}
			made, of = made|i, append(of, itoa(i))
			rows = append(rows, []string{fmt.Sprintf("L(%d)", i), "=", itoa(v)})
		}
	}
	parts := "the bits " + setBits(uint64(w.Index))
	if made != w.Index { // an earlier mode has an extent that is not a power of two
		parts = strings.Join(of, " + ")
	}
	rows = append(rows, []string{"exclusive or", "=", w.Want.String()},
		[]string{fmt.Sprintf("L(%d)", w.Index), "=", w.Value.String()})
	x.sayf("At every index below %d the values agree with a linear map. At %d, which is made of %s, they do not:",
		w.Index, w.Index, parts).show(align(rows)...)
	x.Failure.Pair = fmt.Sprintf("%v and %v", w.Value, w.Want)
	x.say(whyNotLinear(a, inputs))
	leaves := leavesOf(a)
	for i, f := range leaves {
		leaves[i].Extent = 1 << bits.Len64(uint64(f.Extent-1))
	}
	padded, err := withLeaves(a, leaves)
	if err != nil || padded.Equal(a) {
		return
	}
	if l, err := linear.FromLayout(padded); err == nil {
		x.instead("With extents that are powers of two, as Triton pads tensors:", "linear("+padded.String()+")", textOf(l))
	}
}

// An input is a source of bits: the index of a layout, or the coordinate of a named mode.
type input struct {
	mode cute.Layout
	at   int64 // the coordinate in this mode
	step int64 // the step of the index when the coordinate grows by 1
}

// inputsOf splits an index into the inputs of a map.
func inputsOf(op *Operation, a cute.Layout, index int64) []input {
	if len(op.Args) == 1 {
		return []input{{a, index, 1}}
	}
	var out []input
	step := int64(1)
	for _, m := range a.Modes() {
		n := m.Size()
		out = append(out, input{m, index / step % n, step})
		step *= n
	}
	return out
}

// whyNotLinear returns the reason why a layout is not linear: an extent, or strides with common bits.
func whyNotLinear(a cute.Layout, inputs []input) string {
	for _, in := range inputs {
		size := int64(1)
		for _, f := range leavesOf(in.mode) {
			if f.Extent&(f.Extent-1) != 0 && in.at >= size*f.Extent {
				return fmt.Sprintf("The extent %d of the mode %v is no power of two: the mode ends at index %d, in the "+
					"middle of the bits of the index.", f.Extent, f, size*f.Extent)
			}
			size *= f.Extent
		}
	}
	extents, strides := a.Shape().Leaves(), a.Stride().Leaves()
	var seen int64
	for i, s := range extents {
		for k := int64(1); k < s; k *= 2 {
			v := strides[i] * k
			if v < 0 {
				return fmt.Sprintf("The stride %d is negative.", strides[i])
			}
			if seen&v != 0 {
				return fmt.Sprintf("The value %d of a bit of the mode %d:%d shares a bit with the value of another one, so "+
					"that their sum carries: + is not xor there.", v, s, strides[i])
			}
			seen |= v
		}
	}
	return "The sum of the values of two bits carries, and an exclusive or does not."
}

// sumText lists the columns of a matrix that a set of bits selects, and the sum of these columns.
func sumText(m f2.Matrix, of uint64) string {
	text := columnsText(m, of)
	if of&(of-1) == 0 {
		return text
	}
	sum, err := m.Apply(f2.Vector(of))
	if err != nil {
		return text
	}
	return fmt.Sprintf("%s = %d", text, uint64(sum))
}

// columnsText lists the columns of a matrix that a set of bits selects.
func columnsText(m f2.Matrix, of uint64) string {
	var parts []string
	for i := range 64 {
		if of>>i&1 == 1 {
			parts = append(parts, strconv.FormatUint(uint64(m.Col(i)), 10))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, " xor ")
}
