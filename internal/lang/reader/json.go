package reader

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// This file reads the structure of a value as girih show --as json writes it, on one line or several:
// {"kind":"layout","shape":[2,{"sym":"M"}],"stride":[1,2],"static":false}.

// jsonBudget limits the text that is decoded in vain, as a multiple of the whole length: objects that are not values
// may nest.
const jsonBudget = 4

// maxNested limits the nesting, because each level of a tuple is decoded separately.
const maxNested = 32

// A jsonValue has the members of all kinds of values.
type jsonValue struct {
	Kind   string          `json:"kind"`
	Shape  json.RawMessage `json:"shape"`
	Stride json.RawMessage `json:"stride"`
	Value  json.RawMessage `json:"value"`
	B      *int64          `json:"b"`
	M      *int64          `json:"m"`
	S      *int64          `json:"s"`
	Stages []jsonStage     `json:"stages"`
	Inner  *jsonValue      `json:"inner"`
	Modes  []*jsonValue    `json:"modes"` // null is _
}

type jsonStage struct {
	Outer  *jsonValue      `json:"outer"`
	Offset json.RawMessage `json:"offset"`
}

// A jsonLeaf is a leaf that is not a known integer: a run-time integer, or coordinates.
type jsonLeaf struct {
	Sym  *string `json:"sym"`
	Div  int64   `json:"div"`
	Bits int     `json:"bits"`
	Sum  []struct {
		Scale json.RawMessage `json:"scale"`
		Path  []uint32        `json:"path"`
	} `json:"sum"`
}

var errJSON = errors.New("not a value of girih")

// structure reads the object that begins at the current token.
func (s *search) structure() bool {
	if s.isFirst() && s.values() {
		return true
	}
	if s.at(1).c != '"' || !s.wordsAt(2, "kind") || s.decoded > jsonBudget*len(s.src) {
		return false
	}
	first := s.begin()
	start := int(s.peek().start)
	end := s.object()
	s.decoded += end - start
	var v jsonValue
	if json.Unmarshal([]byte(s.src[start:end]), &v) != nil {
		s.pos = first
		return false
	}
	n, err := v.node(0)
	if err != nil {
		s.pos = first
		return false
	}
	s.decoded -= end - start
	n.start, n.end = int32(start), int32(end)
	s.addInteger(n, first)
	return true
}

// object skips the object that the brace at the current token opens, and returns its end.
func (s *search) object() int {
	level := 0
	for ; s.peek().kind != tokEOF; s.pos++ {
		switch s.peek().c {
		case '{':
			level++
		case '}':
			level--
		}
		if level == 0 {
			s.pos++
			break
		}
	}
	return int(s.end())
}

// node returns the value, which is nested depth levels deep.
func (v *jsonValue) node(depth int) (*node, error) {
	if v == nil {
		return &node{kind: nodeWild}, nil
	}
	if depth > maxNested {
		return nil, errJSON
	}
	switch v.Kind {
	case "layout":
		shape, err := jsonTree(v.Shape, depth)
		if err != nil {
			return nil, err
		}
		stride, err := jsonTree(v.Stride, depth)
		return &node{kind: nodeLayout, kids: []*node{shape, stride}}, err
	case "int", "tuple", "coord":
		return jsonTree(v.Value, depth)
	case "swizzle":
		if v.B == nil || v.M == nil || v.S == nil {
			return nil, errJSON
		}
		return &node{kind: nodeSwizzle, kids: []*node{intNode(*v.B, 0, 0), intNode(*v.M, 0, 0), intNode(*v.S, 0, 0)}}, nil
	case "composed_layout":
		return v.chain(depth)
	case "tile":
		n := &node{kind: nodeTile}
		for _, m := range v.Modes {
			k, err := m.node(depth + 1)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, k)
		}
		return n, nil
	}
	return nil, errJSON
}

// chain returns a composed layout: stages of a function and an offset, outermost first, and a layout.
func (v *jsonValue) chain(depth int) (*node, error) {
	n := &node{kind: nodeCompose}
	for _, stage := range v.Stages {
		if stage.Outer == nil {
			return nil, errJSON
		}
		outer, err := stage.Outer.node(depth + 1)
		if err != nil {
			return nil, err
		}
		offset, err := jsonTree(stage.Offset, depth)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, outer, offset)
	}
	if len(n.kids) == 0 || v.Inner == nil {
		return nil, errJSON
	}
	inner, err := v.Inner.node(depth + 1)
	n.kids = append(n.kids, inner)
	return n, err
}

// jsonTree returns a tuple, a leaf, or _ for null.
func jsonTree(data json.RawMessage, depth int) (*node, error) {
	if len(data) == 0 || depth > maxNested {
		return nil, errJSON
	}
	switch data[0] {
	case 'n':
		return &node{kind: nodeWild}, nil
	case '{':
		return jsonLeafNode(data)
	case '[':
		var elems []json.RawMessage
		if err := json.Unmarshal(data, &elems); err != nil {
			return nil, err
		}
		n := &node{kind: nodeTuple}
		for _, e := range elems {
			k, err := jsonTree(e, depth+1)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, k)
		}
		return n, nil
	}
	if strings.Trim(string(data), "-0123456789") != "" {
		return nil, errJSON
	}
	return &node{kind: nodeInt, text: decimal(string(data))}, nil
}

// jsonLeafNode returns a run-time integer or a sum of coordinates.
func jsonLeafNode(data json.RawMessage) (*node, error) {
	var leaf jsonLeaf
	if err := json.Unmarshal(data, &leaf); err != nil {
		return nil, err
	}
	if leaf.Sym != nil {
		return leaf.symbol()
	}
	var b strings.Builder
	for i, t := range leaf.Sum {
		scale, err := jsonTree(t.Scale, maxNested)
		if err != nil || len(t.Path) == 0 || !scale.isLeaf() {
			return nil, errJSON
		}
		text := scale.String()
		switch {
		case scale.kind == nodeOp && precedence(scale.text) == 1:
			text = "(" + text + ")"
		case scale.kind == nodeBasis:
			return nil, errJSON
		}
		if i > 0 && !strings.HasPrefix(text, "-") {
			b.WriteByte('+')
		}
		b.WriteString(text)
		for k := len(t.Path) - 1; k >= 0; k-- { // the text has the innermost index first
			b.WriteByte('@')
			b.WriteString(strconv.FormatUint(uint64(t.Path[k]), 10))
		}
	}
	if b.Len() == 0 {
		return nil, errJSON
	}
	return &node{kind: nodeBasis, text: b.String()}, nil
}

// symbol returns a run-time integer. Facts about a formula are dropped: they follow from the facts about its names.
func (leaf *jsonLeaf) symbol() (*node, error) {
	if len(*leaf.Sym) > maxSymbol {
		return nil, errJSON
	}
	p := newParser(*leaf.Sym)
	n := p.sum(1)
	if n == nil || p.peek().kind != tokEOF || !n.isLeaf() || n.kind == nodeBasis || n.kind == nodeWild {
		return nil, errJSON
	}
	if n.kind != nodeDyn && !isName(n.text) || n.kind == nodeOp || n.kind == nodeCall {
		return n, nil
	}
	r := remark{}
	if leaf.Div > 1 {
		r.div = strconv.FormatInt(leaf.Div, 10)
	}
	if leaf.Bits == 64 {
		r.bits = "i64"
	}
	n.text += r.braces()
	return n, nil
}

// values reads a list of values as girih prints it, {(4,8):(8,1),10}, if it is the whole text. In code, braces can have
// any meaning.
func (s *search) values() bool {
	first := s.begin()
	s.pos++
	kids, ok := s.elements('}', "'}'", ",")
	n := &node{kind: nodeSet, kids: kids, start: s.toks[first].start, end: s.end()}
	if !ok || len(kids) == 0 || s.peek().kind != tokEOF || n.missing() != nil || n.String() != strings.TrimSpace(s.src) {
		s.pos = first
		return false
	}
	s.add(n, first)
	return true
}
