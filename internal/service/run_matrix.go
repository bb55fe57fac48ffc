//go:build !js || programs

package service

import (
	"slices"
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/pattern"
)

// This file checks the matrices in formulas: the matrix over F2 of a layout, and products of matrices of blocks,
// whose entries are letters.

// matrices checks a formula with matrices; it returns false if there are none.
func (d *documentRun) matrices(l document.Line, f document.Formula) bool {
	if !strings.Contains(f.Text, "matrix}") {
		return false
	}
	var stated [][]string // the last of the sides that are matrices of letters
	for _, side := range f.Sides {
		factors, rest := document.Matrices(side)
		if len(factors) == 0 {
			continue
		}
		if isBits(factors[0]) {
			d.layoutMatrix(l, f, side, factors[0])
			continue
		}
		blocks := factors[0]
		for _, factor := range factors[1:] {
			blocks = blockProduct(blocks, factor)
		}
		blocks = normalBlocks(blocks)
		if blocks == nil || rest != "" {
			stated = nil
			continue
		}
		if stated != nil {
			d.sameBlocks(l, side, blocks, stated)
		}
		stated = blocks
	}
	if len(f.Sides) == 1 && stated != nil && l.Number-d.p.concatAt <= 1 && asMatrix.MatchString(f.Before) {
		d.concatenation(l, f, stated)
	}
	return true
}

// asMatrix are words that say that a matrix is what the formula before it is.
const asMatrix = pattern.Pattern(`(?i)表示|写成|写作|as a matrix|written|represent|in matrix form|in terms of matri`)

// isBits reports whether a matrix has the entries 0 and 1 only.
func isBits(m [][]string) bool {
	for _, row := range m {
		for _, x := range row {
			if x != "0" && x != "1" {
				return false
			}
		}
	}
	return true
}

// layoutMatrix compares a matrix of bits with the layout that the formula's first side is bound to. A text may count
// bits from the other end, and may have rows of zeros for more outputs.
func (d *documentRun) layoutMatrix(l document.Line, f document.Formula, side string, m [][]string) {
	if !bareName.MatchString(f.Sides[0]) || conditional.MatchString(f.Before) {
		return
	}
	v, ok := d.value("matrix(" + f.Sides[0] + ")")
	if !ok || v.Value.Kind() != eval.KindMatrix {
		return
	}
	want := strings.Split(bitRows.Replace(v.Value.String()), "/")
	if len(want) > len(m) || len(want[0]) != len(m[0]) {
		return
	}
	for len(want) < len(m) {
		want = append(want, strings.Repeat("0", len(m[0])))
	}
	stated := make([]string, len(m))
	for i, row := range m {
		stated[i] = strings.Join(row, "")
	}
	slip := Slip{Line: l.Number, Name: f.Sides[0], Stated: strings.Join(stated, "/"), Computed: strings.Join(want, "/")}
	upward := slices.Clone(want)
	slices.Reverse(upward)
	other := strings.Join(upward, "/")
	if !slices.Contains([]string{slip.Computed, other, backward(slip.Computed), backward(other)}, slip.Stated) {
		slip.Words = "the rows of the matrix of " + d.p.names[f.Sides[0]] + " over F2 are others"
	}
	d.record(&slip)
}

// bitRows writes matrix{rows=[[0,1],[1,0]]} as 01/10.
var bitRows = strings.NewReplacer("matrix{rows=[[", "", "]]}", "", "],[", "/", ",", "")

func backward(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

func rowsText(m [][]string) string { return "[" + gridText(m) + "]" }

// blockText is an entry of a matrix of blocks: a product of letters, each with an index and a star, or nothing.
const (
	blockText   = pattern.Pattern(`^(?:0|(?:[A-Z](?:_\{?\w\}?)?(?:\^\{?[*T]\}?|\^\{-1\})?\s*(?:\\circ|\\cdot|o )?\s*)*)$`)
	blockFactor = pattern.Pattern(`[A-Z](?:_\{?\w\}?)?(?:\^\{?[*T]\}?|\^\{-1\})?`)
)

// normalBlocks writes the entries of a matrix of blocks in one way: "0", "I", or the letters of a product. It returns
// nil if there is another entry, or if the rows have different lengths.
func normalBlocks(m [][]string) (n [][]string) {
	for _, row := range m {
		var r []string
		for _, x := range row {
			if !blockText.MatchString(x) || len(row) != len(m[0]) {
				return nil
			}
			r = append(r, normalBlock(x))
		}
		n = append(n, r)
	}
	return n
}

func normalBlock(x string) string {
	if x == "" || x == "0" {
		return "0"
	}
	x = strings.NewReplacer("{", "", "}", "").Replace(x)
	factors := blockFactor.FindAllString(x, -1)
	factors = slices.DeleteFunc(factors, func(f string) bool { return f == "I" })
	if len(factors) == 0 {
		return "I"
	}
	return strings.Join(factors, " ")
}

// blockProduct returns the product of two matrices of blocks, or nil if there is none, or if an entry is a sum.
func blockProduct(a, b [][]string) (product [][]string) {
	a, b = normalBlocks(a), normalBlocks(b)
	if len(a) == 0 || len(b) == 0 || len(a[0]) != len(b) {
		return nil
	}
	for _, row := range a {
		var p []string
		for j := range b[0] {
			sum := ""
			for k, x := range row {
				switch y := b[k][j]; {
				case x == "0" || y == "0":
				case sum != "":
					return nil
				default:
					sum = normalBlock(x + " " + y)
				}
			}
			p = append(p, normalBlock(sum))
		}
		product = append(product, p)
	}
	return product
}

// sameBlocks compares a stated matrix of blocks with the product that it is said to equal.
func (d *documentRun) sameBlocks(l document.Line, side string, stated, computed [][]string) {
	slip := Slip{Line: l.Number, Stated: side, Computed: rowsText(computed)}
	if rowsText(stated) != slip.Computed {
		slip.Words = "the product of the blocks is another matrix"
	}
	d.record(&slip)
}

// concatParts returns the parts of a concatenation (A, B o C) of two maps, or nil.
func concatParts(side string) []string {
	inner, isOpen := strings.CutPrefix(side, "(")
	inner, isClosed := strings.CutSuffix(inner, ")")
	a, b, two := strings.Cut(inner, ",")
	if !isOpen || !isClosed || !two || strings.ContainsAny(inner, "():") {
		return nil
	}
	m := normalBlocks([][]string{{strings.TrimSpace(a), strings.ReplaceAll(strings.TrimSpace(b), " o ", " ")}})
	if m == nil {
		return nil
	}
	return m[0]
}

// concatenation compares a matrix of blocks with the concatenation of maps in the formula before it. The matrix of
// (X, Y) is [X Y]: the maps share their outputs, and their inputs are side by side.
func (d *documentRun) concatenation(l document.Line, f document.Formula, m [][]string) {
	parts := d.p.concat
	if len(parts) != 2 {
		return
	}
	slip := Slip{Line: l.Number, Stated: f.Text, Computed: "[" + strings.Join(parts, ", ") + "]"}
	switch {
	case len(m) == 1 && slices.Equal(m[0], parts):
	case len(m) == 2 && slices.Equal(m[0], []string{parts[0], "0"}) && slices.Equal(m[1], []string{"0", parts[1]}):
		slip.Words = "the matrix of a concatenation has its parts side by side: a diagonal of blocks would give each its own outputs"
	default:
		return
	}
	d.record(&slip)
}
