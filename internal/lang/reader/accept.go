package reader

import (
	"slices"
	"strings"
)

// This file decides whether a parsed value is a value that people paste, and not a piece of prose or of code.

// A candidate is a parsed value: the node n that was parsed from the tokens [first, s.pos).
type candidate struct {
	s     *search
	n     *node
	first int
}

// accept reports whether a parsed value is one that people paste.
func (s *search) accept(n *node, first int) bool {
	return acceptRules.decide(n.kind, candidate{s, n, first})
}

const (
	accepts = true
	rejects = false
)

var acceptRules = rules[candidate]{
	{1<<nodeTuple | 1<<nodeList, "it has elements that are more than leaves", candidate.holdsValues, rejects, "(Sw<3,4,3>,4)"},

	{1 << nodeLayout, "it is a branch of a choice", candidate.isChosen, rejects, "x ? (4,8) : (8,4)"},
	{1 << nodeLayout, "it is a pair that the text does not call a layout", candidate.isPairElsewhere, rejects, "odds of 4:1"},
	{1<<nodeLayout | 1<<nodeCompose, "it has a number", candidate.hasNumber, accepts, "4:1"},
	{1 << nodeLayout, "it begins with a parenthesis", opensWith('('), accepts, "(M,N):(N,K)"},

	{1<<nodeSwizzle | 1<<nodeTrace | 1<<nodeRecord | 1<<nodeSpan | 1<<nodeApply, "nothing else looks like it", always, accepts, "Sw<3,4,3>"},

	{1 << nodeCompose, "its operands are short names", candidate.hasShortNames, accepts, "both A o B and x"},

	{1 << nodeTile, "it is a slice", candidate.isSlice, rejects, "a [2:4,0:1] slice"},
	{1 << nodeTile, "its < is a comparison", candidate.isComparison, rejects, "if a <4:1, 2:1"},
	{1 << nodeTile, "it has a number and is the whole text", candidate.isWholeNumber, accepts, "<4>"},
	{1 << nodeTile, "it has a number and several modes", candidate.isNumberedList, accepts, "tile <4,2:1> x"},
	{1 << nodeTile, "it has a number, and its mode is no integer", candidate.hasLayoutMode, accepts, "tile <4:1>"},

	{1 << nodeDims, "it is extents and x only", candidate.isExtents, accepts, "a 64x64 tile"},

	{1 << nodeTuple, "it is the stride of a shape that was not read", candidate.isLostStride, rejects, "f(x):(1,4)"},
	{1<<nodeTuple | 1<<nodeDyn | 1<<nodeInt | 1<<nodeRatio | 1<<nodeWild, "it is the whole text", candidate.isWhole, accepts, "?"},
	{1 << nodeTuple, "it is names of modes", candidate.isModes, accepts, "// (MMA,MMA_M,MMA_K)"},
	{1 << nodeTuple, "the word before it announces a shape or a stride", candidate.isAnnounced, accepts, "shape: (M,N) x"},
	{1 << nodeTuple, "it has a number and several modes", candidate.isNumberedList, accepts, "see (4,8) here"},
	{1 << nodeTuple, "it has a number and a name", candidate.isNamedNumber, accepts, "tile: (8) x"},
	{1 << nodeTuple, "it has a number and is spelled with a name", candidate.isSpelledNumber, accepts, "see Shape<_4> x"},

	{1 << nodeList, "it has a number and is the whole text", candidate.isWholeNumber, accepts, "[8]"},
	{1 << nodeList, "it is several integers", candidate.isIntegers, accepts, "see [4, 8] x"},
	{1 << nodeList, "it is a table of integers", candidate.isTable, accepts, "see [[0,1],[2,3]] x"},
	{1 << nodeList, "it is coordinates", candidate.isCoordinates, accepts, "see [(0,0),(1,0),(0,1)] x"},

	{1 << nodeCall, "it has a number and calls a known operation", candidate.isOperation, accepts, "see coalesce((2,4):(1,2)) x"},
	{1 << nodeDyn, "something is known of it", candidate.hasFacts, accepts, "stride ?{div=8} x"},
	{1<<nodeLayout | 1<<nodeDyn | 1<<nodeInt | 1<<nodeRatio | 1<<nodeWild, "it is in a type of MLIR", opensWith('!'), accepts, "see !cute.int_tuple<\"8\"> x"},
	{1 << nodeBasis, "the text says that it is a coordinate", candidate.stands, accepts, "1@0"},
	{1 << nodeOp, "it has a number and is the whole text", candidate.isWholeNumber, accepts, "8 * M"},
}

func always(candidate) bool                { return true }
func (c candidate) isWhole() bool          { return c.first == 0 && c.s.peek().kind == tokEOF }
func (c candidate) hasNumber() bool        { return c.n.hasNumber() }
func (c candidate) holdsValues() bool      { return c.n.holdsValues() }
func (c candidate) isModes() bool          { return c.n.isModes() }
func (c candidate) isTable() bool          { return c.n.isTable() }
func (c candidate) isCoordinates() bool    { return c.n.isCoordinates() }
func (c candidate) hasFacts() bool         { return len(c.n.text) > 1 }
func (c candidate) isChosen() bool         { return c.s.isChosen(c.n, c.first) }
func (c candidate) stands() bool           { return c.s.stands(c.n, c.first) }
func (c candidate) isPairElsewhere() bool  { return c.n.isPair() && !c.stands() }
func (c candidate) isWholeNumber() bool    { return c.isWhole() && c.n.hasNumber() }
func (c candidate) isIntegers() bool       { return len(c.n.kids) > 1 && c.n.isNumbers() }
func (c candidate) isNumberedList() bool   { return len(c.n.kids) > 1 && c.n.hasNumber() }
func (c candidate) hasLayoutMode() bool    { return c.n.hasNumber() && c.n.kids[0].kind != nodeInt }
func (c candidate) isAnnounced() bool      { return c.n.isTuple() && isSizeWord(c.s.label(c.first)) }
func (c candidate) isNamedNumber() bool    { return c.n.hasNumber() && c.s.label(c.first) != "" }
func (c candidate) isSpelledNumber() bool  { return c.n.hasNumber() && !c.begins('(') }
func (c candidate) begins(first byte) bool { return c.s.src[c.n.start] == first }

func (c candidate) text() string { return c.s.src[c.n.start:c.n.end] }

func opensWith(first byte) func(candidate) bool {
	return func(c candidate) bool { return c.begins(first) }
}

// hasShortNames reports whether no operand of a composition is named by a long word.
func (c candidate) hasShortNames() bool {
	return !slices.ContainsFunc(c.n.kids, func(k *node) bool { return k.kind == nodeSym && len(k.text) > 8 })
}

func (c candidate) isSlice() bool {
	return c.begins('[') && !c.isWhole() && !strings.Contains(c.text(), ";") && !c.n.hasTuple()
}

func (c candidate) isComparison() bool {
	return c.begins('<') && c.s.toks[c.s.pos-1].c != '>' && !c.isWhole()
}

func (c candidate) isExtents() bool {
	text := c.n.text
	return strings.Trim(text, "0123456789x") == "" && strings.Trim(text, "x") == text && !strings.Contains(text, "xx")
}

func (c candidate) isLostStride() bool {
	return c.first > 1 && c.s.toks[c.first-1].c == ':' && c.s.toks[c.first-2].c == ')' && !c.s.toks[c.first].space
}

func (c candidate) isOperation() bool {
	name, _, _ := strings.Cut(c.n.text, "<")
	return c.n.hasNumber() && roles()[name] != roleNone
}

// isPair reports whether a layout is two leaves, a form also used for ratios and times of day.
func (n *node) isPair() bool {
	return n.kids[0].start == n.start && n.kids[0].kind != nodeTuple && n.kids[1].kind != nodeTuple
}

// hasTuple reports whether n has an element with brackets of its own, or a wildcard.
func (n *node) hasTuple() bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool {
		return k.kind == nodeWild || k.kind == nodeTuple || k.kind == nodeTile || k.kind == nodeLayout && !k.isPair()
	})
}

// holdsValues reports whether a tuple has elements that are more than leaves.
func (n *node) holdsValues() bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool {
		switch k.kind {
		case nodeCall:
			return !k.isLeaf()
		case nodeSwizzle, nodeCompose, nodeRecord, nodeTrace, nodeSpan, nodePtr, nodeType, nodeOpaque, nodeApply:
			return true
		case nodeTuple, nodeList:
			return k.holdsValues()
		}
		return false
	})
}

// isModes reports whether a tuple consists of names of modes, such as (MMA,MMA_M,MMA_K) in a comment on a tensor.
func (n *node) isModes() bool {
	bar := false
	for _, k := range n.kids {
		if k.kind != nodeSym || strings.ToUpper(k.text) != k.text && k.text != "k" {
			return false
		}
		bar = bar || strings.Contains(k.text, "_")
	}
	return bar && len(n.kids) > 1
}

// isNumbers reports whether a list holds integers only.
func (n *node) isNumbers() bool {
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return k.kind != nodeInt })
}
