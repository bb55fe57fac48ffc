package reader

import (
	"strings"

	"girih/internal/lang/eval"
)

// This file reads CUTLASS's declarations of an instruction: struct SM70_8x8x4_F16F16F16F16_TN {...} with its registers,
// and struct MMA_Traits<SM70_8x8x4_F16F16F16F16_TN> {...} with its shape and layouts.

// traitFields are the members of traits, with the names of the fields in the records. A dump has the same fields.
var traitFields = map[string]string{
	"Shape_MNK": "shape", "ThrID": "thrID", "ALayout": "A", "BLayout": "B", "CLayout": "C", "DLayout": "D", "SrcLayout": "src",
	"DstLayout": "dst", "RefLayout": "ref",
}

// maxTraits limits the tokens of one declaration.
const maxTraits = 1 << 12

// declaration reads struct NAME {...} of an instruction or of its traits.
func (s *search) declaration() bool {
	if !s.isWord("struct") || s.at(1).kind != tokIdent || s.at(1).line {
		return false
	}
	first := s.begin()
	s.pos++
	base, _ := s.name()
	op, ok := s.declaredOperation(base)
	for k := 0; ok && k < maxOpaque && (s.is(':') || s.peek().kind == tokIdent || s.is(',')); k++ { // skips base classes
		s.pos++
	}
	if !ok || !s.is('{') {
		s.pos = first
		return false
	}
	n := &node{kind: nodeRecord, text: "MMAAtom", start: s.toks[first].start}
	n.add("op", &node{kind: nodeSym, text: op})
	if copies := s.members(n); copies || base == "Copy_Traits" {
		n.text = "CopyAtom"
	}
	n.end = s.end()
	s.add(n, first).name = ""
	return true
}

// declaredOperation returns the operation of a declaration after its name: the parameter of traits, or the name of an
// instruction, SM70_....
func (s *search) declaredOperation(base string) (op string, ok bool) {
	if base != "MMA_Traits" && base != "Copy_Traits" {
		return base, strings.HasPrefix(base, "SM") && len(base) > 3 && isDigit(base[2])
	}
	if !s.is('<') || s.at(1).kind != tokIdent {
		return "", false
	}
	s.pos++
	at := s.pos
	op, _ = s.name()
	if s.is('<') && s.skipBalanced('<', '>') {
		op += s.compactText(at+1, s.pos)
	}
	if !s.is('>') {
		return "", false
	}
	s.pos++
	return op, true
}

// members adds the types that a declaration names to a record, and skips the rest of the declaration. It reports
// whether they are the types of a copy.
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

// member reads the type after using NAME =, up to the semicolon: a value, the layout that CuTe's headers name so, or
// otherwise the text.
func (s *search) member() *node {
	v := s.memberText()
	if v != nil && (v.kind == nodeSym || v.kind == nodeLeaf) {
		if l, ok := eval.LayoutOfTraits(v.text); ok {
			v.kind, v.text = nodeLeaf, l.String()
		}
	}
	return v
}

func (s *search) memberText() *node {
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

// maxMember limits the length of a type that is kept as text, in bytes.
const maxMember = 200
