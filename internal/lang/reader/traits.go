package reader

import "strings"

// This file reads what CUTLASS declares of an instruction: struct SM70_8x8x4_F16F16F16F16_TN {...} with its registers,
// and struct MMA_Traits<SM70_8x8x4_F16F16F16F16_TN> {...} with its shape and layouts.

// traitFields are the members of traits and the fields of the records that are made of them, which are those of a dump.
var traitFields = map[string]string{
	"Shape_MNK": "shape", "ThrID": "thrID", "ALayout": "A", "BLayout": "B", "CLayout": "C", "DLayout": "D", "SrcLayout": "src",
	"DstLayout": "dst", "RefLayout": "ref",
}

// maxTraits bounds the tokens of one declaration.
const maxTraits = 1 << 12

// declaration reads struct NAME {...} of an instruction or of its traits.
func (s *search) declaration() bool {
	if !s.isWord("struct") || s.at(1).kind != tokIdent || s.at(1).line {
		return false
	}
	first := s.begin()
	s.pos++
	base, _ := s.name()
	n := &node{kind: nodeRecord, text: "MMAAtom", start: s.toks[first].start}
	op, copies := base, base == "Copy_Traits"
	switch {
	case base == "MMA_Traits" || copies:
		if !s.is('<') || s.at(1).kind != tokIdent {
			s.pos = first
			return false
		}
		s.pos++
		at := s.pos
		op, _ = s.name()
		if s.is('<') && s.balanced('<', '>') {
			op += s.compactText(at+1, s.pos)
		}
		if !s.is('>') {
			s.pos = first
			return false
		}
		s.pos++
	case !strings.HasPrefix(base, "SM") || len(base) < 4 || !isDigit(base[2]):
		s.pos = first
		return false
	}
	for k := 0; k < maxOpaque && (s.is(':') || s.peek().kind == tokIdent || s.is(',')); k++ { // what it inherits from
		s.pos++
	}
	if !s.is('{') {
		s.pos = first
		return false
	}
	n.add("op", &node{kind: nodeSym, text: op})
	copies = s.members(n) || copies
	if copies {
		n.text = "CopyAtom"
	}
	n.end = s.end()
	s.add(n, first).name = ""
	return true
}

// members adds the types that a declaration names to a record, and passes over the rest of it. It reports whether they
// are those of a copy.
func (s *search) members(n *node) (copies bool) {
	level := 0
	for range maxTraits {
		switch {
		case s.peek().kind == tokEOF:
			return copies
		case s.is('{'):
			level++
		case s.is('}'):
			if level--; level == 0 {
				s.pos++
				if s.is(';') {
					s.pos++
				}
				return copies
			}
		case level == 1 && s.isWord("using") && s.at(1).kind == tokIdent && s.at(2).c == '=':
			name := s.text(s.at(1))
			copies = copies || name == "SrcLayout" || name == "SRegisters"
			s.pos += 3
			if v := s.member(); v != nil {
				if field, ok := traitFields[name]; ok {
					name = field
				}
				n.add(name, v)
			}
			continue
		}
		s.pos++
	}
	return copies
}

// member reads the type behind using NAME =, up to the semicolon: a value, or else its text.
func (s *search) member() *node {
	at := s.pos
	s.types++
	v := s.chain()
	s.types--
	if v != nil && s.is(';') && v.missing() == nil {
		if v.kind == nodeSym {
			v.text = v.text[strings.LastIndexAny(v.text, ":")+1:]
		}
		if v.kind != nodeType {
			return v
		}
	}
	s.pos, s.notes = at, nil
	for k := 0; k < maxOpaque && !s.is(';') && s.peek().kind != tokEOF; k++ {
		s.pos++
	}
	if s.pos == at {
		return nil
	}
	var b strings.Builder
	for k := at; k < s.pos; k++ {
		if t := &s.toks[k]; k > at && t.kind == tokIdent && s.toks[k-1].kind == tokIdent {
			b.WriteByte(' ')
		}
		b.WriteString(s.text(&s.toks[k]))
	}
	if b.Len() > maxMember {
		return nil
	}
	return &node{kind: nodeLeaf, text: b.String(), start: s.toks[at].start, end: s.end()}
}

// maxMember is the longest type that is kept as text, in bytes.
const maxMember = 200
