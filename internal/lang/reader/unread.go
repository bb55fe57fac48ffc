package reader

import (
	"slices"
	"strings"
)

// This file keeps values that are not read in one piece: a part of them would look like the whole.

// An Unread is a value in a notation that this package does not read, or that it could not read completely. No part of
// it is an item.
type Unread struct {
	Name       string // the name of the notation, such as TileLang Fragment
	Why        string // the part that could not be read; "" if the notation is entirely unknown
	Times      int    // the number of occurrences in the text
	Start, End int    // the bytes [Start, End) of the first occurrence
}

// String says that it is not read.
func (u Unread) String() string {
	if u.Why == "" {
		return u.Name + ": not read"
	}
	return u.Name + ": not read: " + u.Why
}

// maxUnread limits the notations that are reported for one text.
const maxUnread = 64

// notations are names with the bracket after each. They begin a notation that is not read.
var notations = map[string]string{
	"Fragment(": "TileLang Fragment", "make_fragment_layout(": "TileLang Fragment",
	"tile_distribution_encoding<": "ck_tile tile_distribution_encoding", "tile_distribution_encoding{": "ck_tile tile_distribution_encoding",
	"tile_distribution_encoding(": "ck_tile tile_distribution_encoding", "TileDistributionEncoding(": "ck_tile tile_distribution_encoding",
	"make_static_tile_distribution(": "ck_tile tile_distribution_encoding", "tile_distribution{": "ck_tile tile_distribution",
	"sequence<": "ck_tile sequence", "Sequence<": "CK Sequence", "TensorDescriptor{": "CK TensorDescriptor",
	"TensorAdaptor{":     "CK TensorAdaptor",
	"tensor_descriptor{": "ck_tile tensor_descriptor", "tensor_adaptor{": "ck_tile tensor_adaptor", "TensorDescriptor<": "CK TensorDescriptor",
	"tensor_descriptor<": "ck_tile tensor_descriptor", "tensor_adaptor<": "ck_tile tensor_adaptor",
	"S[": axisLayout, "R[": axisLayout, "TileLayout(": axisLayout, "SwizzleLayout(": axisLayout,
	"ComposeLayout(": axisLayout,
	"SM<":            "FlyDSL swizzle_mod", "MS<": "FlyDSL mod_swizzle", "CS<": "FlyDSL coord_swizzle",
	"memref<": "MLIR memref", "strided<": "MLIR strided", "ShapeTracker(": "tinygrad ShapeTracker", "View(": "tinygrad View",
}

const axisLayout = "TVM TIRx axis layout"

// notation returns the notation that a name and the token after it begin, or "".
func (p *parser) notation(base string) string {
	t := p.peek()
	if t.c == 0 || t.space || t.line || strings.IndexByte("([{<", t.c) < 0 {
		return ""
	}
	name := notations[base+string(t.c)]
	if name != axisLayout || t.c == '(' {
		return name
	}
	for k := 1; k < maxOpaque && p.at(k).c != ']' && p.at(k).kind != tokEOF; k++ { // S[0] without a colon is a subscript
		if p.at(k).c == ':' {
			return name
		}
	}
	return ""
}

// foreignTerm skips a value in a notation that is not read, with the terms added to it: S[...] + R[...] + 3@m.
func (p *parser) foreignTerm(name string, start int32) *node {
	closing := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}
	for {
		c := p.peek().c
		save := p.pos
		if !p.skipBalanced(c, closing[c]) {
			p.pos = save + 1
			break
		}
		if name != axisLayout || !p.is('+') {
			break
		}
		switch next := p.at(1); {
		case next.kind == tokIdent && p.axesAt(2):
			p.pos += 2
			continue
		case next.kind == tokInt && p.at(2).c == '@' && p.at(3).kind == tokIdent:
			p.pos += 4
		}
		break
	}
	p.emptyBraces()
	return unread(name, "", start, p.end())
}

// axesAt reports whether the token k tokens on opens a bracket of an axis layout.
func (p *parser) axesAt(k int) bool { return p.at(k).c == '[' && !p.at(k).space }

// unread returns a node for a value that is not read.
//
//go:noinline
func unread(name, why string, start, end int32) *node {
	return &node{kind: nodeUnread, text: name, key: "", kids: []*node{{kind: nodeLeaf, text: why}}, start: start, end: end}
}

// missing returns the first part of a value that was not read, or nil. A type with parameters that no constructor used
// is such a part, because the type means more than its name. Source within a tuple is also such a part.
func (n *node) missing() *node {
	switch n.kind {
	case nodeUnread:
		return n
	case nodeRecord:
		for _, k := range n.kids {
			if k.kind == nodeUnread || k.kind == nodeRecord {
				if m := k.missing(); m != nil {
					return m
				}
			}
		}
		return nil
	case nodeTuple, nodeTile, nodeLayout, nodeList, nodeSet, nodeCompose:
		for _, k := range n.kids {
			if k.kind == nodeOpaque || k.kind == nodeType && len(k.kids) > 0 {
				return unread(oneLine(k.String()), "", k.start, k.end)
			}
		}
	}
	for _, k := range n.kids {
		if m := k.missing(); m != nil {
			return m
		}
	}
	return nil
}

// misspelt returns the first leaf of a tuple or layout that begins like a number but is not a number, 1e0 or 2b, or
// nil. girih could not read such a leaf back from its own output. 8T in CUTLASS's comments on descriptors is read: 8
// times the elements in 128 bits.
func (n *node) misspelt() *node {
	switch n.kind {
	case nodeSym, nodeBasis:
		if n.text != "" && isDigit(n.text[0]) {
			if unit := strings.TrimLeft(n.text, "0123456789"); unit != "" && unit != "T" && (isLetter(unit[0]) || unit[0] == '_') {
				return unread(n.text, "it begins as a number and is none", n.start, n.end)
			}
		}
	case nodeTuple, nodeLayout, nodeTile, nodeCompose:
		for _, k := range n.kids {
			if m := k.misspelt(); m != nil {
				return m
			}
		}
	}
	return nil
}

// pass keeps a value that was not read, and moves on.
func (s *search) pass(m *node, n *node) {
	s.notes, s.nameless = nil, false
	u := Unread{Name: m.text, Times: 1, Start: int(n.start), End: int(n.end)}
	if len(m.kids) > 0 {
		u.Why = m.kids[0].text
	}
	s.keepUnread(u)
}

func (s *search) keepUnread(u Unread) {
	u.Name, u.Why = strings.ToValidUTF8(oneLine(u.Name), "?"), strings.ToValidUTF8(oneLine(u.Why), "?")
	if i := slices.IndexFunc(s.unread, func(v Unread) bool { return v.Name == u.Name && v.Why == u.Why }); i >= 0 {
		s.unread[i].Times++
	} else if len(s.unread) < maxUnread {
		s.unread = append(s.unread, u)
	}
}

// An enclosure is an unknown constructor, up to the token after its end.
type enclosure struct {
	name string
	from int // the token with its opening bracket
	end  int
	call bool // it has arguments rather than a template list
	role role // the role of a known name whose arguments could not be read
}

// maxEnclosed limits the tokens of an enclosure.
const maxEnclosed = 1 << 12

// enclose notes that an unknown constructor begins at the bracket.
func (s *search) enclose(base string, open, end byte) {
	level := 0
	for k := s.pos; k < min(len(s.toks), s.pos+maxEnclosed); k++ {
		switch s.toks[k].c {
		case open:
			level++
		case end:
			level--
		case ';':
			return
		}
		if level == 0 {
			s.around = append(s.around,
				enclosure{
					from: s.pos, name: oneLine(base) + string(open) + "..." + string(end), end: k, call: open == '(',
					role: roles()[base],
				})
			return
		}
	}
}

// isConstructor reports whether a name is a type, or a function that makes a layout.
func isConstructor(name string) bool {
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '.' || r == ':' }) {
		if constructs(part) {
			return true
		}
	}
	return false
}

func constructs(base string) bool {
	lower := strings.ToLower(base)
	if base[0] >= 'A' && base[0] <= 'Z' {
		return len(base) > 2 && base != strings.ToUpper(base)
	}
	for _, verb := range []string{
		"print", "show", "draw", "assert", "dump", "check", "test", "is_", "get_", "visualize", "display", "decltype",
	} {
		if strings.HasPrefix(lower, verb) {
			return false
		}
	}
	return slices.ContainsFunc([]string{"layout", "encoding", "fragment", "distribution", "descriptor"},
		func(w string) bool { return strings.Contains(lower, w) })
}

// enclosing returns the name of the innermost unknown constructor around a token, or "".
func (s *search) enclosing(first int) string {
	for n := len(s.around); n > 0 && s.around[n-1].end < first; n-- {
		s.around = s.around[:n-1]
	}
	if n := len(s.around); n > 0 {
		return s.around[n-1].name
	}
	return ""
}

// partOfOther skips a tuple or a list among the arguments of an unknown constructor. Only layouts and other complete
// values count there.
func (s *search) partOfOther(n *node, first int) bool {
	name := s.enclosing(first)
	if name == "" || !s.around[len(s.around)-1].call {
		return false
	}
	switch n.kind {
	case nodeTuple, nodeList, nodeDims, nodeTile, nodeInt, nodeDyn, nodeBasis:
	default:
		return false
	}
	// tensor(... o L, data=[[1,2]])
	whole := len(s.found) > 0 && s.found[len(s.found)-1].first > s.around[len(s.around)-1].from
	if n.hasNumber() && len(n.kids) > 0 && !whole {
		s.pass(unread(name, "", n.start, n.end), n)
	}
	return true
}
