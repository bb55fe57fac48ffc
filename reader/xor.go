package reader

import (
	"math/bits"
	"slices"
)

// This file reads the swizzle that a formula such as addr ^ ((addr & 0x380) >> 3) computes.

// maxStatement bounds the tokens of a statement that is searched for a formula.
const maxStatement = 64

// xor reads the formula whose ^ is the current token.
func (s *search) xor() bool {
	at := s.begin()
	first := s.statement(at)
	s.pos = first
	f := s.formula(0)
	if f == nil || f.op != "^" || s.pos <= at {
		s.pos = at
		return false
	}
	end := s.pos
	for i, base := range f.args {
		if base.op != "var" {
			continue
		}
		term := f.args[1-i]
		start := s.toks[first].start
		if term.op == "var" {
			def, from := s.definition(first, term.name)
			if def == nil {
				continue
			}
			term, start = def, from
		}
		if n := s.swizzleOf(base.name, term); n != nil {
			n.start, n.end = start, s.toks[end-1].end
			s.pos = end
			s.note("the formula swizzles what %s counts: bytes, if it is an address", base.name)
			s.add(n, first).name = ""
			return true
		}
	}
	s.pos = at
	return false
}

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

// definition returns the formula that a name was given before token k, and where that begins.
func (s *search) definition(k int, name string) (*formula, int32) {
	for i := k - 1; i > 0 && k-i < 4*maxStatement; i-- {
		if s.toks[i].c != '=' || s.toks[i-1].kind != tokIdent || s.text(&s.toks[i-1]) != name {
			continue
		}
		save := s.pos
		s.pos = i + 1
		f := s.formula(0)
		s.pos = save
		return f, s.toks[i-1].start
	}
	return nil, 0
}

// swizzleOf returns the swizzle x -> x ^ term(x), where the term moves a run of bits of x to lower ones. A name within
// the term, such as the number of bytes after which the pattern repeats, leaves B open.
func (s *search) swizzleOf(x string, term *formula) *node {
	names := term.variables(nil)
	open := ""
	for _, v := range names {
		if v != x {
			if open != "" {
				return nil
			}
			open = v
		}
	}
	vars := map[string]int64{open: 1 << 40}
	if open == "" {
		delete(vars, open)
	}
	lo, shift, count := -1, 0, 0
	for bit := range 40 {
		vars[x] = 1 << bit
		y, ok := term.eval(vars)
		if !ok || y < 0 || bits.OnesCount64(uint64(y)) > 1 {
			return nil
		}
		if y == 0 {
			continue
		}
		d := bit - bits.TrailingZeros64(uint64(y))
		switch {
		case lo < 0:
			lo, shift = bit, d
		case d != shift || bit != lo+count:
			return nil
		}
		count++
	}
	if lo < 0 || shift <= 0 {
		return nil
	}
	n := &node{kind: nodeSwizzle}
	b := intNode(int64(count), 0, 0)
	if open != "" {
		b = &node{kind: nodeSym, text: "B"}
		s.note("B is log2(%s) - %d", open, lo)
	}
	n.kids = []*node{b, intNode(int64(lo-shift), 0, 0), intNode(int64(shift), 0, 0)}
	if open == "" && !verifySwizzle(term, x, count, lo-shift, shift) {
		return nil
	}
	return n
}

// verifySwizzle checks that the term is linear: that what it does to bits it does to their sums.
func verifySwizzle(term *formula, x string, b, m, s int) bool {
	vars := map[string]int64{}
	seed := uint64(1)
	for range 200 {
		seed = seed*6364136223846793005 + 1442695040888963407
		v := int64(seed >> 26)
		vars[x] = v
		got, ok := term.eval(vars)
		want := (v >> (m + s) & (1<<b - 1)) << m
		if !ok || got != want {
			return false
		}
	}
	return true
}

// variables appends the names in f, each once.
func (f *formula) variables(names []string) []string {
	if f.op == "var" && !slices.Contains(names, f.name) {
		names = append(names, f.name)
	}
	for _, a := range f.args {
		names = a.variables(names)
	}
	return names
}
