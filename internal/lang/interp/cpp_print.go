package interp

import (
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
)

// This file implements the output functions of C++: std::cout and cute::print.

// A stream is std::cout with its format.
type stream struct {
	base      int // 8, 10 or 16; 0 means 10
	width     int // applies to the next value only
	precision int // -1 for the default; 0 also means the default until a precision is set
	set       bool
	fill      byte
	float     byte // f for std::fixed, e for std::scientific, otherwise 0
	left      bool
	internal  bool
	alpha     bool // std::boolalpha
	showBase  bool
	showSign  bool
	upper     bool
	point     bool
}

// A manipulator changes the format of a stream, or prints a text.
type manipulator struct {
	text string
	set  func(s *stream)
}

var manipulators = map[string]manipulator{
	"endl": {text: "\n"}, "flush": {}, "ends": {text: "\x00"},
	"hex": {set: func(s *stream) { s.base = 16 }}, "dec": {set: func(s *stream) { s.base = 10 }},
	"oct": {set: func(s *stream) { s.base = 8 }}, "fixed": {set: func(s *stream) { s.float = 'f' }},
	"scientific": {set: func(s *stream) { s.float = 'e' }}, "defaultfloat": {set: func(s *stream) { s.float = 0 }},
	"left":      {set: func(s *stream) { s.left, s.internal = true, false }},
	"right":     {set: func(s *stream) { s.left, s.internal = false, false }},
	"internal":  {set: func(s *stream) { s.left, s.internal = false, true }},
	"boolalpha": {set: func(s *stream) { s.alpha = true }}, "noboolalpha": {set: func(s *stream) { s.alpha = false }},
	"showbase": {set: func(s *stream) { s.showBase = true }}, "noshowbase": {set: func(s *stream) { s.showBase = false }},
	"showpos": {set: func(s *stream) { s.showSign = true }}, "noshowpos": {set: func(s *stream) { s.showSign = false }},
	"uppercase": {set: func(s *stream) { s.upper = true }}, "nouppercase": {set: func(s *stream) { s.upper = false }},
	"showpoint": {set: func(s *stream) { s.point = true }}, "noshowpoint": {set: func(s *stream) { s.point = false }},
}

// setters are the manipulators with an argument.
var setters = map[string]func(s *stream, n int64){
	"setw":         func(s *stream, n int64) { s.width = int(min(max(n, 0), maxField)) },
	"setprecision": func(s *stream, n int64) { s.precision, s.set = int(min(max(n, 0), maxField)), true },
	"setfill":      func(s *stream, n int64) { s.fill = byte(n) },
	"setbase":      func(s *stream, n int64) { s.base = int(n) },
}

// insert runs std::cout << v.
func (r *runner) insert(s *stream, v Value) error {
	if s == &r.cpp.errors {
		r.noteAt(r.here.Pos(), "std::cerr is not printed")
		return nil
	}
	if m, ok := v.(manipulator); ok {
		if m.set != nil {
			m.set(s)
		}
		return r.prints(m.text)
	}
	var sign, text string
	switch v := v.(type) {
	case CInt:
		sign, text = s.integer(v)
	case CFloat:
		sign, text = s.number(v)
	default:
		var err error
		if text, err = r.cppText(v); err != nil {
			return err
		}
	}
	return r.prints(s.pad(sign, text))
}

// integer returns the sign, or the prefix, and the digits of an integer.
func (s *stream) integer(v CInt) (sign, text string) {
	switch v.Type {
	case CChar, CSChar, CUChar:
		return "", string([]byte{byte(v.Bits)})
	case CBool:
		if s.alpha {
			return "", strconv.FormatBool(v.Bits != 0)
		}
	}
	p := place{verb: map[int]byte{8: 'o', 16: 'x'}[s.base], sharp: s.showBase, plus: s.showSign, precision: -1, width: -1}
	if p.verb == 0 {
		text = v.printText()
		switch {
		case text[0] == '-':
			return "-", text[1:]
		case s.showSign && ctypes[cppPromoted(v.Type)].signed:
			return "+", text
		}
		return "", text
	}
	n := cInt(v.Bits, v.Type.withoutSign())
	text = strconv.FormatUint(n.Bits, s.base)
	if s.upper {
		p.verb = 'X'
	}
	text = p.digits("", text, n.Bits)
	if p.verb != 'o' && s.showBase && n.Bits != 0 {
		return text[:2], text[2:]
	}
	return "", text
}

// number returns the sign and the digits of a floating-point number.
func (s *stream) number(v CFloat) (sign, text string) {
	f := floatSpec{verb: 'g', precision: 6, sharp: s.point}
	if s.float != 0 {
		f.verb = s.float
	}
	if s.set {
		f.precision = s.precision
	}
	if s.upper {
		f.verb -= 0x20
	}
	text = f.format(v.F)
	switch {
	case text[0] == '-':
		return "-", text[1:]
	case s.showSign:
		return "+", text
	}
	return "", text
}

// pad returns a value padded to the width, which applies to one value only.
func (s *stream) pad(sign, text string) string {
	fill := s.fill
	if fill == 0 {
		fill = ' '
	}
	spaces := strings.Repeat(string(rune(fill)), max(0, s.width-len(sign)-len(text)))
	s.width = 0
	switch {
	case s.left:
		return sign + text + spaces
	case s.internal:
		return sign + spaces + text
	}
	return spaces + sign + text
}

// cppText returns what cute::print prints for a value.
func (r *runner) cppText(v Value) (string, error) {
	switch v := v.(type) {
	case Algebra:
		if v.isTensor() {
			text, err := r.tensorText(v)
			return r.staticTensor(v, text), err
		}
		text := r.algebraText(v)
		switch t := v.Value.(type) {
		case eval.Tensor:
			if t.First().IsInt() { // CuTe would print a pointer, whose value is unknown here
				return text, nil
			}
			return r.staticTensor(v, r.tensorHead(t)+" o "+t.Layout().String()), nil
		case eval.Tile, eval.DynamicTile:
			r.noteAt(r.here.Pos(), "CuTe prints an integer of a tile without :_1")
		case eval.MMAAtom, eval.TiledMMA, eval.CopyAtom, eval.TiledCopy, eval.ThrSlice, eval.Member, eval.ElementType:
			return text, nil
		}
		return r.staticText(v, text), nil
	case Element:
		return v.text(), nil
	case CInt:
		if v.Type == CChar {
			return string([]byte{byte(v.Bits)}), nil
		}
		return v.printText(), nil
	case CFloat:
		return floatSpec{verb: 'f', precision: 6}.format(v.F), nil
	case Tuple:
		return r.cuteTuple(v)
	case *TMA:
		r.noteAt(r.here.Pos(), "what print writes of a copy by the TMA is left out")
		return "", nil
	}
	return r.structureText(v)
}

// structureText returns what CuTe prints of a dim3, and the characters of a text.
func (r *runner) structureText(v Value) (string, error) {
	if o, ok := v.(*Object); ok && o.Type == nil { // CuTe prints a dim3 as a tuple
		return r.cuteTuple(o.values())
	}
	if text, ok := characters(v); ok {
		return text, nil
	}
	return "", errorf(cute.CodeType, "%s is not printed", cppDescribe(v))
}

// printText returns an integer as CuTe prints it: a static integer begins with _.
func (v CInt) printText() string {
	if v.Static && v.Type != CBool {
		return "_" + v.String()
	}
	return v.String()
}

// text returns the characters of an array of char, up to the first 0.
func (a *Array) text() (string, bool) {
	if a.Type != CChar {
		return "", false
	}
	var b strings.Builder
	for _, c := range a.Cells {
		n, ok := c.v.(CInt)
		if !ok || n.Bits == 0 {
			return b.String(), ok
		}
		b.WriteByte(byte(n.Bits))
	}
	return "", false
}
