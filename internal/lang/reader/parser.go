package reader

import (
	"fmt"
	"slices"
	"strings"
)

// This file is the frame of the parser: tokens, notes, memory, and the grammar above tuples. chain parses a o b, value
// parses shape:stride and layout(coordinate), and expr.go continues with sum.

// A parser reads values from tokens. Its methods return nil if there is no value of the kind in their name. The
// position is then undefined, and the caller resets it.
type parser struct {
	*quota
	src     string
	toks    []token
	pos     int
	depth   int // the number of open brackets
	types   int // the number of open template lists, in which names may be types
	calls   int // the number of open argument lists of known constructors, in which unknown source is skipped
	quotes  int // the number of open quotation marks
	strides int // the number of open strides of layouts
	flys    int // the number of open types of FlyDSL
	dead    []uint8
	// the current attempt began within a comment, so each next line begins with a comment mark
	remark  bool
	comment [2]int  // the tokens of the last comment; several attempts within a long line end in the same comment
	stack   []*node // the elements of the open lists
	nodes   []node  // preallocated nodes
	kids    []*node // preallocated elements
	begun   bool    // whether a block of nodes or kids was allocated
	notes   []string
	from    int // the token at which the current attempt began
	miss    miss
}

// A miss is the place where a value that began well stopped.
type miss struct {
	tok      int // the token that did not fit
	length   int // the number of tokens that had been understood
	start    int // the first of these tokens
	expected string
}

func (p *parser) peek() *token { return &p.toks[p.pos] }

// at returns the token k after the current one, or the end.
func (p *parser) at(k int) *token { return &p.toks[min(p.pos+k, len(p.toks)-1)] }

//go:noinline
func (p *parser) text(t *token) string { return p.src[t.start:t.end] }

// between returns the source from one node to another, on one line. A node that was supplied has no place; then between
// returns the text of the nodes.
func (p *parser) between(from, to *node) string {
	if from.end == 0 || to.end < from.start {
		if from == to {
			return oneLine(from.text)
		}
		return oneLine(from.text + ", " + to.text)
	}
	return oneLine(p.src[from.start:to.end])
}

func (p *parser) is(c byte) bool { return p.toks[p.pos].c == c }

// isWord reports whether the current token is the given name.
func (p *parser) isWord(w string) bool {
	t := p.peek()
	return t.kind == tokIdent && p.text(t) == w
}

// end returns the end of the last token that was read, in bytes.
func (p *parser) end() int32 {
	if p.pos == 0 {
		return 0
	}
	return p.toks[p.pos-1].end
}

// enter opens a level of nesting. It reports whether the limit allows it.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > MaxDepth {
		p.noteMiss(fmt.Sprintf("at most %d nested brackets", MaxDepth))
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// noteMiss records that the current token does not fit. The miss of the longest attempt is kept.
func (p *parser) noteMiss(what string) {
	if n := p.pos - p.from; n > p.miss.length {
		p.miss = miss{tok: p.pos, length: n, start: p.from, expected: what}
	}
}

func (p *parser) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); len(p.notes) < maxNotes && !slices.Contains(p.notes, n) {
		p.notes = append(p.notes, n)
	}
}

// maxNotes limits the notes on one value.
const maxNotes = 16

// once parses a construct at the current token, unless that failed there before.
func (p *parser) once(f func() *node) *node {
	mode := uint8(1)
	if p.types > 0 {
		mode <<= 1
	}
	if p.calls > 0 {
		mode <<= 2
	}
	if p.quotes > 0 {
		mode <<= 4
	}
	p.take(nodeBytes) // the approximate size of an operand, whether or not it comes from parser.node
	at, notes := p.pos, len(p.notes)
	if p.dead[at]&mode != 0 || !p.enter() {
		if p.depth > MaxDepth {
			p.leave()
		}
		return nil
	}
	n := f()
	p.leave()
	if n == nil {
		p.dead[at] |= mode
		p.notes = p.notes[:min(notes, len(p.notes))]
	}
	return n
}

// The largest blocks that nodes and elements are allocated in.
const (
	maxNodes = 512
	maxKids  = 512
)

// node returns a node with a place. Nodes are allocated in blocks, since a text has thousands of them.
//
//go:noinline
func (p *parser) node(kind nodeKind, text string, start, end int32) *node {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]node, 0, min(max(2*cap(p.nodes), 16), maxNodes))
		p.begun = true
	}
	p.nodes = append(p.nodes, node{kind: kind, text: text, start: start, end: end})
	return &p.nodes[len(p.nodes)-1]
}

// renew begins new blocks after a value, if a block was begun since the last call. A block refers to earlier blocks;
// without an end here, the last node of a long text would keep all blocks alive.
func (p *parser) renew() {
	if !p.begun || cap(p.nodes) < maxNodes {
		return
	}
	p.nodes, p.kids = make([]node, 0, maxNodes), make([]*node, 0, maxKids)
	p.begun = false
}

// pop returns the elements above a height of the stack, and shortens the stack to that height.
func (p *parser) pop(height int) []*node {
	list := p.stack[height:]
	p.stack = p.stack[:height]
	if len(list) == 0 {
		return nil
	}
	if cap(p.kids)-len(p.kids) < len(list) {
		p.kids = make([]*node, 0, max(min(2*cap(p.kids), maxKids), 32, len(list)))
		p.begun = true
	}
	p.take(8 * len(list))
	at := len(p.kids)
	p.kids = append(p.kids, list...)
	clear(list) // only values keep their elements
	return p.kids[at:len(p.kids):len(p.kids)]
}

// skipComments skips comments within brackets.
func (p *parser) skipComments() {
	for {
		t := p.peek()
		hash := t.c == '#' && (p.at(1).space || p.at(1).line)
		if t.kind != tokSlashes && !hash {
			return
		}
		if p.remark && t.line {
			p.pos++
			continue
		}
		if from := p.pos; from < p.comment[0] || from >= p.comment[1] {
			for p.pos++; !p.peek().line; p.pos++ {
			}
			p.comment = [2]int{from, p.pos}
		}
		p.pos = p.comment[1]
	}
}

// chain parses a composition, or a single value: a o b o c.
func (p *parser) chain() *node {
	first := p.value()
	if first == nil {
		return nil
	}
	var kids []*node
	for p.ring() {
		save := p.pos
		p.skipRing()
		k := p.value()
		if k == nil {
			p.noteMiss("a layout after 'o'")
			p.pos = save
			break
		}
		if kids == nil {
			kids = append(kids, first)
		}
		kids = append(kids, k)
	}
	if kids == nil {
		return first
	}
	return p.compose(kids)
}

// ring reports whether an 'o' follows. Quotation marks between an operand and the o are skipped.
func (p *parser) ring() bool {
	k := 0
	for k < 2 && (p.at(k).c == '\'' || p.at(k).c == '"') && p.quotes == 0 {
		k++
	}
	t := p.at(k)
	if t.kind == tokRing {
		return true
	}
	return t.kind == tokIdent && t.end-t.start == 1 && p.src[t.start] == 'o' && (t.space || k > 0) && p.at(k+1).c != '='
}

func (p *parser) skipRing() {
	for range 2 {
		if p.is('\'') || p.is('"') {
			p.pos++
		}
	}
	p.pos++
	if p.quotes == 0 && (p.is('\'') || p.is('"')) {
		p.pos++
	}
}

// compose makes a composition of its operands. It drops an engine before the first operand. An engine after a swizzle
// gives the unit in which the swizzle counts, so it stays if it names a unit.
func (p *parser) compose(kids []*node) *node {
	kept := make([]*node, 0, len(kids)+1)
	for i, k := range kids {
		if k.kind != nodePtr || i == len(kids)-1 {
			kept = append(kept, k)
			continue
		}
		switch bits := strings.IndexByte(k.text, '['); {
		case k.counts() && i == 0 && len(kids) == 2:
			return countingTensor(k, kids[1])
		case k.kids != nil && !k.counts(): // a swizzled pointer: its swizzle goes before the layout
			kept = append(kept, k.kids[0])
			p.note("dropped the address of the engine %s", k.text)
			kept = append(kept, p.pointer(k))
		case i > 0 && bits > 0:
			kept = append(kept, k)
		case len(kept) > 0 && kept[len(kept)-1].kind == nodeSwizzle:
			// An engine that names no unit is dropped, as in the comments of CUTLASS: Swizzle<3,4,3> o smem_ptr o
			// ((8,m),(T,2)):...
			if unit := p.pointer(k); unit.text != unknownUnit {
				kept = append(kept, unit)
			} else {
				p.note("dropped the engine %s", k.text)
			}
		default:
			p.note("dropped the engine %s", k.text)
		}
	}
	if len(kept) == 1 {
		return kept[0]
	}
	last := kept[len(kept)-1]
	return &node{kind: nodeCompose, kids: kept, start: kept[0].start, end: last.end}
}

// value parses a sum, then a layout if a colon follows, then the application of a layout.
func (p *parser) value() *node {
	n := p.sum(1)
	if n == nil {
		return nil
	}
	if p.is(':') && n.isTuple() && n.kind != nodeWild {
		save, notes := p.pos, len(p.notes)
		if l := p.layoutOf(n); l != nil {
			n = l
		} else {
			p.pos, p.notes = save, p.notes[:notes]
			if u := p.tornLayout(n); u != nil {
				return u
			}
		}
	}
	for p.is('(') && !p.peek().space && n.isApplied() {
		save := p.pos
		args := p.argumentList()
		if args == nil || args.kind != nodeTuple || len(args.kids) == 0 {
			p.pos = save
			break
		}
		n = &node{kind: nodeApply, kids: append([]*node{n}, args.kids...), start: n.start, end: args.end}
	}
	return n
}

// isApplied reports whether parentheses after a value are its argument.
func (n *node) isApplied() bool {
	return n.kind == nodeLayout || n.kind == nodeCompose || n.kind == nodeCall && n.text == "make_tensor"
}

// layoutOf parses a colon and the stride after it. In prose a colon is mostly punctuation. So the stride must be on the
// line of its colon, and if a space follows the colon, it must have the nesting of the shape.
func (p *parser) layoutOf(shape *node) *node {
	colon := p.peek()
	p.pos++
	next := p.peek()
	if p.depth == 0 && next.line || p.isProse(shape, colon, next) {
		return nil
	}
	p.strides++
	stride := p.sum(1)
	p.strides--
	switch {
	case stride == nil || !stride.isTuple():
		p.noteMiss("a stride")
		return nil
	case next.space && !congruent(shape, stride) || p.isClock(shape, stride, next):
		return nil
	}
	stride = p.galois(shape, p.coordinates(shape, stride))
	n := p.node(nodeLayout, "", shape.start, stride.end)
	p.stack = append(p.stack, shape, stride)
	n.kids = p.pop(len(p.stack) - 2)
	return n
}

// isProse reports whether the text before a colon is not a shape: a word, or a coordinate as in 5@10:30.
func (p *parser) isProse(shape *node, colon, next *token) bool {
	switch {
	case shape.kind == nodeBasis:
		return true
	case shape.kind != nodeSym:
		return false
	case colon.space || next.space:
		return true
	case p.depth > 0 || p.quotes > 0 || isUpper(shape.text):
		return false
	}
	return p.from > 0 || !isCamel(shape.text)
}

// isClock reports whether two integers and a colon form a time or a place in a file: 12:05, 43:12:7, or 0:12 in a line
// of prose.
func (p *parser) isClock(shape, stride *node, second *token) bool {
	if shape.kind != nodeInt || stride.kind != nodeInt {
		return false
	}
	if s := p.text(second); len(s) > 1 && s[0] == '0' {
		return true
	}
	third := p.is(':') && p.at(1).kind == tokInt && !p.at(1).space
	return third || shape.text == "0" && p.depth == 0 && p.from > 0
}

// isCamel reports whether a name has a capital letter after a small one, like the variables of kernels: kBlockM.
func isCamel(s string) bool {
	for i := 1; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			return true
		}
	}
	return false
}

func isUpper(s string) bool { return len(s) <= 2 && s == strings.ToUpper(s) }
