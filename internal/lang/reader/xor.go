package reader

import (
	"math/bits"
	"strings"

	"girih/internal/lang/indexmap"
)

// This file reads the swizzle that a formula such as addr ^ ((addr & 0x380) >> 3) computes.

// maxStatement limits the tokens of a statement in which a formula is sought.
const maxStatement = 64

// xor reads the formula around the ^ at the current token.
func (s *search) xor() bool {
	at := s.begin()
	first := s.statement(at)
	s.pos = first
	f := s.formula()
	if f == nil || s.pos <= at {
		s.pos = at
		return false
	}
	end := s.pos
	x, y, ok := f.Xor()
	for _, pair := range [][2]*indexmap.Map{{x, y}, {y, x}} {
		if !ok {
			break
		}
		base, alone := pair[0].Variable()
		if !alone {
			continue
		}
		term := pair[1]
		start := s.toks[first].start
		if name, alone := term.Variable(); alone {
			def, from := s.definition(first, name)
			if def == nil {
				continue
			}
			term, start = def, from
		}
		if n := s.swizzleOf(base, term, first); n != nil {
			n.start, n.end = start, s.toks[end-1].end
			s.pos = end
			s.add(n, first).name = ""
			return true
		}
	}
	s.pos = at
	return false
}

// formula reads the formula at the current token, and moves after it. It returns nil if there is none.
func (p *parser) formula() *indexmap.Map {
	if k := p.peek().kind; k != tokIdent && k != tokInt && k != tokMixed && strings.IndexByte("(-+~", p.peek().c) < 0 {
		return nil
	}
	from := int(p.peek().start)
	end := min(len(p.src), from+maxFormula)
	save := p.pos
	for ; p.peek().kind != tokEOF && int(p.peek().start) < end; p.pos++ {
		if p.peek().kind == tokSlashes && !p.divides() { // a comment
			end = int(p.peek().start)
		}
	}
	p.pos = save
	f, n := indexmap.Prefix(p.src[from:end])
	if f == nil {
		return nil
	}
	for p.peek().kind != tokEOF && int(p.peek().start) < from+n {
		p.pos++
	}
	return f
}

// maxFormula limits, in bytes, the text in which a formula is read.
const maxFormula = 1 << 9

// statement returns the token where the expression around token k begins.
func (s *search) statement(k int) int {
	level := 0
	i := k
	for ; i > 0 && k-i < maxStatement; i-- {
		t := s.toks[i-1]
		switch t.c {
		case ')':
			level++
			continue
		case '(':
			level--
			if level < 0 {
				return i
			}
			continue
		case ';', '{', '}', '=', ',', ':', '[', ']':
			if level == 0 {
				return i
			}
		}
		if level == 0 && (t.kind == tokIdent && s.text(&t) == "return" || t.line && s.toks[i].line) {
			return i
		}
	}
	return i
}

// definition returns the formula that was assigned to a name before token k, and where the assignment begins.
func (s *search) definition(k int, name string) (*indexmap.Map, int32) {
	for i := k - 1; i > 0 && k-i < 4*maxStatement; i-- {
		if s.toks[i].c != '=' || s.toks[i-1].kind != tokIdent || s.text(&s.toks[i-1]) != name {
			continue
		}
		save := s.pos
		s.pos = i + 1
		f := s.formula()
		s.pos = save
		return f, s.toks[i-1].start
	}
	return nil, 0
}

// swizzleOf returns the swizzle x -> x ^ term, if the term moves a run of bits of x to lower bits. A second name within
// the term, such as the number of bytes after which the pattern repeats, leaves B open. If the term depends on another
// variable only, as in col ^ (row & 7), the bits come from that variable: S then depends on its stride, which the
// statement gives, or which is left open.
func (s *search) swizzleOf(x string, term *indexmap.Map, statement int) *node {
	names := term.Variables()
	if len(names) == 1 && names[0] != x {
		return s.swizzleBetween(x, names[0], term, statement)
	}
	open := ""
	for _, v := range names {
		if v != x {
			if open != "" {
				return nil
			}
			open = v
		}
	}
	vars := make(map[string]int64)
	if open != "" {
		vars[open] = 1 << 40
	}
	r, ok := runOf(term, x, vars)
	if !ok || r.from <= r.to {
		return nil
	}
	b := intNode(int64(r.bits), 0, 0)
	switch {
	case open != "":
		b = &node{kind: nodeSym, text: "B"}
		s.note("B is log2(%s) - %d", open, r.from)
	case !verifySwizzle(term, x, r):
		return nil
	}
	s.note("the formula swizzles what %s counts: bytes, if it is an address", x)
	return &node{kind: nodeSwizzle, kids: []*node{b, intNode(int64(r.to), 0, 0), intNode(int64(r.from-r.to), 0, 0)}}
}

// A bitRun is a term that moves a run of bits, from bit from to bit to.
type bitRun struct{ from, to, bits int }

// runOf finds the run of bits of a variable that a term moves. ok is false if it moves any other bits.
func runOf(term *indexmap.Map, x string, vars map[string]int64) (bitRun, bool) {
	r := bitRun{from: -1}
	for bit := range 40 {
		vars[x] = 1 << bit
		y, ok := term.Value(vars)
		if !ok || y < 0 || bits.OnesCount64(uint64(y)) > 1 {
			return r, false
		}
		if y == 0 {
			continue
		}
		to := bits.TrailingZeros64(uint64(y))
		switch {
		case r.from < 0:
			r.from, r.to = bit, to
		case bit != r.from+r.bits || to != r.to+r.bits:
			return r, false
		}
		r.bits++
	}
	return r, r.from >= 0
}

// swizzleBetween returns the swizzle of an index y * stride + (x ^ term(y)).
func (s *search) swizzleBetween(x, y string, term *indexmap.Map, statement int) *node {
	r, ok := runOf(term, y, make(map[string]int64))
	if !ok || r.bits > 16 || !verifySwizzle(term, y, r) {
		return nil
	}
	shift := &node{kind: nodeSym, text: "S"}
	if stride := s.strideOf(y, statement); stride > 0 {
		shift = intNode(int64(bits.TrailingZeros64(uint64(stride))+r.from-r.to), 0, 0)
		s.note("%s has the stride %d", y, stride)
	} else {
		s.note("S is log2 of the stride of %s, plus %d", y, r.from-r.to)
	}
	s.note("the formula swizzles what %s counts: elements or bytes", x)
	return &node{kind: nodeSwizzle, kids: []*node{intNode(int64(r.bits), 0, 0), intNode(int64(r.to), 0, 0), shift}}
}

// strideOf returns the power of two by which the statement around a token multiplies a variable, or 0.
func (s *search) strideOf(y string, k int) int64 {
	for k > 0 && s.toks[k-1].c != ';' && s.toks[k-1].c != '{' && !s.toks[k].line {
		k--
	}
	for i := k; i < len(s.toks)-2 && i-k < 2*maxStatement && s.toks[i].c != ';'; i++ {
		a, op, b := &s.toks[i], &s.toks[i+1], &s.toks[i+2]
		if op.c != '*' || a.kind != tokIdent || s.text(a) != y || b.kind != tokInt {
			continue
		}
		n := node{kind: nodeInt, text: s.text(b)}
		if x, ok := n.integer(); ok && x > 0 && x&(x-1) == 0 {
			return x
		}
	}
	return 0
}

// verifySwizzle checks on samples that the term moves exactly the run of bits.
func verifySwizzle(term *indexmap.Map, x string, r bitRun) bool {
	vars := map[string]int64{}
	seed := uint64(1)
	for range 200 {
		seed = seed*6364136223846793005 + 1442695040888963407
		v := int64(seed >> 26)
		vars[x] = v
		got, ok := term.Value(vars)
		want := (v >> r.from & (1<<r.bits - 1)) << r.to
		if !ok || got != want {
			return false
		}
	}
	return true
}
