package reader

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads linear layouts of Triton: register=[[0,1],[8,0]], calls with bases, and the dump "- register=1 -> (0,
// 1)".

// linearCall makes the record of DistributedLinearLayout(reg_bases=[[0,1]], ...).
func (p *parser) linearCall(t *term) *node {
	if !t.call || len(t.args) == 0 {
		return nil
	}
	if t.base == "from_bases" {
		return p.fromBases(t)
	}
	names := []string{"register", "lane", "warp", "block", "shape"}
	n := &node{kind: nodeRecord, text: "linear"}
	for i, a := range t.args {
		switch {
		case a.key != "":
			n.add(fieldName(a.key), a)
		case i < len(names) && a.kind != nodeInt && a.kind != nodeTuple && a.kind != nodeLayout:
			n.add(names[i], a)
		default:
			return unread(t.base, "its arguments are no bases of registers, lanes, warps and blocks", t.start, t.end)
		}
	}
	p.broadcast(n)
	return n
}

// fromBases makes the record of LinearLayout.from_bases([("offset", [[1], [2]])], ["dim0"], [4], False) of Triton: its
// bases, and the names and sizes of its output dimensions.
func (p *parser) fromBases(t *term) *node {
	n := &node{kind: nodeRecord, text: "linear"}
	in := t.param(0, "bases")
	if in == nil || in.kind != nodeList {
		return nil
	}
	for _, dim := range in.kids {
		if dim.kind != nodeTuple || len(dim.kids) != 2 || dim.kids[0].kind != nodeSym || dim.kids[1].kind != nodeList {
			return nil
		}
		n.add(dim.kids[0].text, dim.kids[1])
	}
	names, sizes := t.param(1, "out_dim_names"), t.param(2, "out_dim_sizes")
	if names != nil && sizes != nil && names.kind == nodeList && sizes.kind == nodeList &&
		len(names.kids) == len(sizes.kids) {
		out := &node{kind: nodeList}
		for i, k := range names.kids {
			out.kids = append(out.kids, &node{kind: nodeSym, text: k.text + ":" + sizes.kids[i].text})
		}
		n.add("out", out)
	}
	p.broadcast(n)
	return n
}

// isInDim reports whether a name is an input dimension of Triton's linear layouts.
func isInDim(s string) bool {
	switch s {
	case "register", "lane", "warp", "block", "offset", "reg", "thread", "iteration", "dimension", "reg_bases",
		"lane_bases", "warp_bases",
		"block_bases", "offset_bases", "row", "col", "msg":
		return true
	}
	return false
}

// bases parses register=[[0,1],[8,0]], lane=[...], ...: the bases of a linear layout in short form.
func (p *parser) bases() *node {
	n := &node{kind: nodeRecord, text: "linear", start: p.peek().start}
	for p.peek().kind == tokIdent && isInDim(p.text(p.peek())) && (p.at(1).c == '=' || p.at(1).c == ':') &&
		p.at(2).c == '[' {
		name := p.text(p.peek())
		if p.at(3).c != '[' && p.at(3).c != ']' {
			break
		}
		p.pos += 2
		v := p.once(p.list)
		if v == nil || v.kind != nodeList {
			return nil
		}
		if k, ok := gluonKeys[name]; ok {
			name = k
		}
		n.add(name, v)
		n.end = p.end()
		if p.is(',') || p.is(';') {
			p.pos++
		}
	}
	if len(n.kids) == 0 {
		return nil
	}
	p.broadcast(n)
	return n
}

// broadcast notes the zero bases of a linear layout: the values there are copies.
func (p *parser) broadcast(n *node) {
	var zero []string
	all := true
	for _, v := range n.kids {
		if v.kind != nodeList || v.key == "shape" {
			continue
		}
		for k, b := range v.kids {
			if b.kind != nodeList {
				continue
			}
			if isZero(b) {
				zero = append(zero, fmt.Sprintf("%s=%d", v.key, int64(1)<<min(k, 62)))
			} else {
				all = false
			}
		}
	}
	switch {
	case len(zero) == 0:
	case all:
		p.note("all bases are zero: every value is a copy of one")
	default:
		p.note("broadcast: %s", strings.Join(zero, ", "))
	}
}

func isZero(b *node) bool {
	for _, x := range b.kids {
		if x.kind != nodeInt || x.text != "0" {
			return false
		}
	}
	return true
}

// linearDump parses the text that Triton prints for a linear layout:
//
//   - register=1 -> (0, 1)
//     register=2 -> (8, 0)
//   - block is a size 1 dimension
func (p *parser) linearDump() *node {
	k := 0
	if p.is('-') {
		k = 1
	}
	if t := p.at(k); t.kind != tokIdent || p.at(k+1).c != '=' && !p.wordsAt(k+1, "is", "a", "size") {
		return nil
	}
	n := &node{kind: nodeRecord, text: "linear", start: p.peek().start}
	for {
		save := p.pos
		if p.is('-') && p.peek().line {
			p.pos++
		}
		name, basis, ok := p.basisLine()
		if !ok {
			p.pos = save
			break
		}
		if last := len(n.kids) - 1; last < 0 || n.kids[last].key != name {
			n.add(name, &node{kind: nodeList})
		}
		if basis != nil {
			v := n.kids[len(n.kids)-1]
			v.kids = append(v.kids, basis)
		}
		n.end = p.end()
	}
	if len(n.kids) == 0 {
		return nil
	}
	p.outDims(n)
	p.broadcast(n)
	return n
}

// basisLine parses one line of a dump; the basis is nil for a dimension of size 1.
func (p *parser) basisLine() (name string, basis *node, ok bool) {
	if p.peek().kind != tokIdent {
		return "", nil, false
	}
	name = p.text(p.peek())
	if p.wordsAt(1, "is", "a", "size") && p.text(p.at(4)) == "1" && p.text(p.at(5)) == "dimension" {
		p.pos += 6
		return name, nil, true
	}
	if p.at(1).c != '=' || p.at(2).kind != tokInt || p.at(3).kind != tokArrow || p.at(4).c != '(' {
		return "", nil, false
	}
	power := p.text(p.at(2))
	p.pos += 4
	t := p.argumentList()
	if t == nil {
		return "", nil, false
	}
	t.kind = nodeList
	if v, err := strconv.ParseInt(power, 10, 64); err != nil || v&(v-1) != 0 {
		p.note("%s=%s is not a power of two: its image follows from the others", name, power)
	}
	return name, t, true
}

// wordsAt reports whether the tokens from k on are the given words.
func (p *parser) wordsAt(k int, words ...string) bool {
	for i, w := range words {
		if t := p.at(k + i); t.kind != tokIdent || p.text(t) != w {
			return false
		}
	}
	return true
}

// outDims parses the last line of a dump: where out dims are: [dim0 (size 16), dim1 (size 2)].
func (p *parser) outDims(n *node) {
	if !p.wordsAt(0, "where", "out", "dims", "are") {
		return
	}
	save := p.pos
	p.pos += 4
	if p.is(':') {
		p.pos++
	}
	if !p.is('[') {
		p.pos = save
		return
	}
	out := &node{kind: nodeList}
	for range maxOpaque {
		if p.pos++; p.peek().kind == tokEOF {
			break
		}
		if p.is(']') {
			p.pos++
			break
		}
		if p.peek().kind == tokIdent && p.at(1).c == '(' && p.wordsAt(2, "size") && p.at(3).kind == tokInt {
			out.kids = append(out.kids, &node{kind: nodeSym, text: p.text(p.peek()) + ":" + decimal(p.text(p.at(3)))})
			p.pos += 3
		}
	}
	n.add("out", out)
	n.end = p.end()
}
