package reader

import "strings"

// This file reads dumps of tiled operations and atoms, which CuTe and the CuTe DSL print on several lines: "TiledMMA",
// then "ThrLayoutVMNK: (32,2,2,1):(1,32,64,0)", and so on.

// dumpHeads are the lines that begin a dump, without spaces and underscores and in lower case, with the record that the
// dump becomes. CuTe prints TiledMMA and MMA_Atom; the CuTe DSL prints Tiled MMA and MMA Atom.
var dumpHeads = map[string]string{
	"tiledmma": "TiledMMA", "tiledcopy": "TiledCopy", "mmaatom": "MMAAtom", "copyatom": "CopyAtom", "thrmma": "ThrMMA",
	"thrcopy": "ThrCopy",
}

// dumpFields maps the names of a dump's lines, in the same form, to fields of the record.
var dumpFields = map[string]string{
	"thrlayoutvmnk": "thr", "permutationmnk": "tile", "permutationsmnk": "tile", "atomlayoutmnk": "atoms",
	"thrid": "thrID", "shapemnk": "shape",
	"layoutatv": "A", "layoutbtv": "B", "layoutctv": "C", "layoutdtv": "D", "tvlayouta": "A", "tvlayoutb": "B",
	"tvlayoutc": "C", "tvlayoutd": "D",
	"tilermn": "tiler", "tiledlayouttv": "tv", "tvlayouttiled": "tv", "tvlayout": "tv", "layoutcopytv": "tv",
	"vallayoutsrc": "src", "vallayoutdst": "dst", "vallayoutref": "ref", "tvlayoutsrc": "src", "tvlayoutdst": "dst",
	"tvlayoutref": "ref",
	"valuetype":   "type", "op": "op", "operation": "op",
}

// plain appends the text of tokens [from, to) in the form of the keys of the tables.
func (p *parser) plain(out []byte, from, to int) []byte {
	for k := from; k < to; k++ {
		s := p.text(&p.toks[k])
		for i := range len(s) {
			if c := s[i]; c != '_' && len(out) < cap(out) {
				if 'A' <= c && c <= 'Z' {
					c += 'a' - 'A'
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// dump parses a dump of a tiled operation or an atom: a heading on a line of its own, and lines "Name: value".
func (s *search) dump() *node {
	start := s.pos
	var buf [48]byte
	head := dumpHeads[string(s.heading(buf[:0]))]
	if head == "" {
		return nil
	}
	n := &node{kind: nodeRecord, text: head, start: s.toks[start].start}
	for {
		at := s.pos
		if !s.namesField() && s.indent(at) <= s.indent(start) || !s.dumpLine(n) {
			s.pos = at
			break
		}
		n.end = s.end()
	}
	if len(n.kids) == 0 {
		return nil
	}
	return n
}

// namesField reports whether the next line names a field of a dump. A line with another name belongs to the dump only
// if it is indented more than the heading; otherwise it is a value of its own.
func (s *search) namesField() bool {
	at := s.pos
	defer func() { s.pos = at }()
	var buf [48]byte
	_, ok := dumpFields[string(s.dumpName(buf[:0]))]
	return ok
}

// indent returns the distance of a token from the beginning of its line, in bytes.
func (s *search) indent(token int) int {
	start := int(s.toks[token].start)
	return start - (strings.LastIndexByte(s.src[:start], '\n') + 1)
}

// heading skips a line of one or two words, perhaps with a colon at its end, and appends them to buf.
func (s *search) heading(buf []byte) []byte {
	from := s.pos
	for s.pos-from < 2 && s.peek().kind == tokIdent && (s.pos == from || !s.peek().line) {
		s.pos++
	}
	to := s.pos
	if s.is(':') && !s.peek().line {
		s.pos++
	}
	if !s.peek().line || to == from || s.toks[to-1].end-s.toks[from].start > 16 {
		return nil
	}
	return s.plain(buf, from, to)
}

// maxDumpWords limits the words in the name of a field.
const maxDumpWords = 4

// dumpName skips the name of a line "Name: value" and its colon, and appends it to buf. It returns nil if there is no
// name.
func (s *search) dumpName(buf []byte) []byte {
	from := s.pos
	for s.peek().kind == tokIdent && s.pos-from < maxDumpWords && (s.pos == from || !s.peek().line) {
		s.pos++
	}
	to := s.pos
	if to == from || !s.is(':') || s.peek().line || s.at(1).line {
		return nil
	}
	s.pos++
	return s.plain(buf, from, to)
}

// dumpLine parses one line "Name: value" of a dump and adds it to n.
func (s *search) dumpLine(n *node) bool {
	var buf [48]byte
	key := s.dumpName(buf[:0])
	if key == nil {
		return false
	}
	name, known := dumpFields[string(key)]
	if !known {
		name = string(key)
	}
	value := s.pos
	if v := s.chain(); v != nil && s.peek().line && (v.kind != nodeSym || name == "type" || name == "op") {
		if name == "tile" && v.kind == nodeTuple && v.hasNumber() {
			v.kind = nodeTile
		}
		n.add(name, v)
		return true
	}
	if !known {
		return false
	}
	s.pos = value
	for !s.peek().line {
		s.pos++
	}
	text := oneLine(s.src[s.toks[value].start:s.end()])
	n.add(name, &node{kind: nodeLeaf, text: text, start: s.toks[value].start, end: s.end()})
	return true
}
