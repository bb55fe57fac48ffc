package python

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file has the formatting of texts by %, and by the method format.

// A percentFormat reads a text with places for values, as "%5.2f".
type percentFormat struct {
	py    *Library
	text  string
	args  Tuple
	next  int // the index of the next argument
	value Value
	b     strings.Builder
}

// percent returns text % value.
func (py *Library) percent(text string, value Value) (Value, error) {
	f := &percentFormat{py: py, text: text, value: value}
	tuple, isTuple := value.(Tuple)
	if f.args = tuple; !isTuple {
		f.args = Tuple{value}
	}
	for {
		before, rest, ok := strings.Cut(f.text, "%")
		f.b.WriteString(before)
		if f.text = rest; !ok {
			break
		}
		if err := f.place(); err != nil {
			return nil, err
		}
		if err := py.hold(f.b.Len(), 1); err != nil {
			return nil, err
		}
	}
	switch value.(type) {
	case *Dict, *List, Range: // an argument that can be indexed may remain unused
	default:
		if f.next < len(f.args) {
			return nil, TypeError("not all arguments converted during string formatting")
		}
	}
	return Str(f.b.String()), nil
}

// arg returns the next argument.
func (f *percentFormat) arg() (Value, error) {
	if f.next >= len(f.args) {
		return nil, TypeError("not enough arguments for format string")
	}
	f.next++
	return f.args[f.next-1], nil
}

// place formats one value.
func (f *percentFormat) place() (err error) {
	if strings.HasPrefix(f.text, "%") {
		f.text = f.text[1:]
		f.b.WriteByte('%')
		return nil
	}
	var v Value
	if strings.HasPrefix(f.text, "(") {
		if v, err = f.byName(); err != nil {
			return err
		}
	}
	s := formatSpec{fill: " ", align: '>', width: -1, precision: -1}
	for ; f.text != "" && strings.IndexByte("-+ #0", f.text[0]) >= 0; f.text = f.text[1:] {
		s.flag(f.text[0])
	}
	star := strings.HasPrefix(f.text, "*")
	if s.width, err = f.size(); err != nil {
		return err
	}
	if star && s.width < 0 {
		s.width, s.align = -s.width, '<'
	}
	if strings.HasPrefix(f.text, ".") {
		f.text = f.text[1:]
		if s.precision, err = f.size(); err != nil {
			return err
		}
		s.precision = max(s.precision, 0)
	}
	f.text = strings.TrimLeft(f.text, "hlL")
	c, n := utf8.DecodeRuneInString(f.text)
	if n == 0 {
		return ValueError("incomplete format")
	}
	f.text = f.text[n:]
	if v == nil {
		if v, err = f.arg(); err != nil {
			return err
		}
	}
	if err := f.py.hold(max(s.width, 0)+max(s.precision, 0), 1); err != nil {
		return err
	}
	text, err := f.py.percentValue(s, c, v)
	f.b.WriteString(text)
	return err
}

// byName returns the value of %(name).
func (f *percentFormat) byName() (Value, error) {
	d, ok := f.value.(*Dict)
	if !ok {
		return nil, TypeError("format requires a mapping")
	}
	end := strings.IndexByte(f.text, ')')
	if end < 0 {
		return nil, ValueError("incomplete format key")
	}
	name := f.text[1:end]
	f.text = f.text[end+1:]
	v, ok := d.get(Str(name))
	if !ok {
		return nil, missingKey(name)
	}
	return v, nil
}

// size reads a width or a precision, a number or *.
func (f *percentFormat) size() (int, error) {
	if !strings.HasPrefix(f.text, "*") {
		return digits(&f.text)
	}
	f.text = f.text[1:]
	v, err := f.arg()
	if err != nil {
		return 0, err
	}
	n, ok := asInt(v)
	if !ok {
		return 0, TypeError("* wants int")
	}
	if n < -maxBytes || n > maxBytes {
		return 0, Refuse("a width of %d exceeds the limit of %d", n, maxBytes)
	}
	return int(n), nil
}

func (s *formatSpec) flag(c byte) {
	switch c {
	case '-':
		s.align = '<'
	case '+':
		s.sign = '+'
	case ' ':
		if s.sign == 0 {
			s.sign = ' '
		}
	case '#':
		s.alternate = true
	case '0':
		s.hasFill = true // pads with zeros, unless the value is left-aligned
	}
}

// percentValue formats a value by its letter.
func (py *Library) percentValue(s formatSpec, letter rune, v Value) (string, error) {
	switch letter {
	case 's', 'r', 'a':
		text, err := map[rune]func(Value) (string, error){'s': py.Str, 'r': py.Repr, 'a': py.ASCII}[letter](v)
		if s.precision >= 0 {
			text = firstRunes(text, s.precision)
		}
		return s.pad("", text), err
	case 'c':
		return py.percentCharacter(s, v)
	}
	if s.hasFill && s.align != '<' {
		s.fill, s.align = "0", '='
	}
	switch letter {
	case 'd', 'i', 'u', 'x', 'X', 'o':
		n, err := percentInt(letter, v)
		if err != nil {
			return "", err
		}
		return s.percentInt(byte(letter), n), nil
	case 'e', 'E', 'f', 'F', 'g', 'G':
		f, ok := asFloat(v)
		if !ok {
			return "", TypeError("must be real number, not %s", TypeName(v))
		}
		s.typ = byte(letter)
		return py.formatFloat(f, s, "float")
	}
	return "", ValueError("unsupported format character '%c' (%#x)", letter, letter)
}

func (py *Library) percentCharacter(s formatSpec, v Value) (string, error) {
	if text, ok := v.(Str); ok && utf8.RuneCountInString(string(text)) == 1 {
		return s.pad("", string(text)), nil
	}
	n, ok := asInt(v)
	if !ok {
		return "", TypeError("%%c requires int or char")
	}
	s.precision, s.sign, s.alternate = -1, 0, false
	return s.character(n)
}

func percentInt(letter rune, v Value) (int64, error) {
	n, ok := asInt(v)
	f, isFloat := v.(Float)
	switch {
	case ok:
		return n, nil
	case isFloat && (letter == 'd' || letter == 'i' || letter == 'u'):
		n, err := floatToInt(float64(f), math.Trunc)
		i, _ := n.(Int)
		return int64(i), err
	case letter == 'd' || letter == 'i' || letter == 'u':
		return 0, TypeError("%%%c format: a real number is required, not %s", letter, TypeName(v))
	}
	return 0, TypeError("%%%c format: an integer is required, not %s", letter, TypeName(v))
}

// percentInt writes an integer; the precision is the least number of digits.
func (s *formatSpec) percentInt(letter byte, n int64) string {
	base := bases[letter]
	if base.base == 0 {
		base = bases['d']
	}
	sign, text := cutSign(strconv.FormatInt(n, base.base))
	if letter == 'X' {
		text = strings.ToUpper(text)
	}
	if len(text) < s.precision {
		text = strings.Repeat("0", s.precision-len(text)) + text
	}
	if !s.alternate {
		base.prefix = ""
	}
	return s.number(sign, base.prefix, text, "")
}

// A fieldReader reads the fields of "...{0.name[1]!r:>5}...".format(...).
type fieldReader struct {
	py    *Library
	a     arguments
	next  int // the next automatic number; -1 if the format states numbers
	depth int
}

// read returns a text with its fields replaced.
func (r *fieldReader) read(text string) (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		b.WriteString(text[:i])
		if strings.HasPrefix(text[i+1:], text[i:i+1]) && r.depth == 0 {
			b.WriteByte(text[i])
			text = text[i+2:]
			continue
		}
		if text[i] == '}' {
			return "", ValueError("Single '}' encountered in format string")
		}
		end := closingBrace(text, i+1)
		if end < 0 {
			return "", ValueError("expected '}' before end of string")
		}
		value, err := r.field(text[i+1 : end])
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		if err := r.py.hold(b.Len(), 1); err != nil {
			return "", err
		}
		text = text[end+1:]
	}
}

// closingBrace returns the place of the brace that ends a field, and -1 if there is none.
func closingBrace(text string, i int) int {
	for open := 1; i < len(text); i++ {
		switch text[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

// field returns the text of one field.
func (r *fieldReader) field(text string) (string, error) {
	if r.depth > 1 {
		return "", ValueError("Max string recursion exceeded")
	}
	name, spec, conv := text, "", ""
	if i := fieldNameEnd(text); i < len(text) {
		name = text[:i]
		if text[i] == '!' {
			conv, spec, _ = strings.Cut(text[i+1:], ":")
		} else {
			spec = text[i+1:]
		}
	}
	v, err := r.value(name)
	if err != nil {
		return "", err
	}
	if strings.Contains(text, "!") && len(conv) != 1 && strings.HasPrefix(text[len(name):], "!") {
		return "", ValueError("expected ':' after conversion specifier")
	}
	if conv != "" {
		var shown string
		if shown, err = r.py.convert(conv[0], v); err != nil {
			return "", err
		}
		v = Str(shown)
	}
	r.depth++
	spec, err = r.read(spec)
	r.depth--
	if err != nil {
		return "", err
	}
	return r.py.Format(v, spec)
}

// fieldNameEnd returns where the name of a field ends: at ! or : outside [ ].
func fieldNameEnd(text string) int {
	inside := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case (c == ':' || c == '!') && !inside:
			return i
		}
	}
	return len(text)
}

// convert returns a value by the letter after !.
func (py *Library) convert(letter byte, v Value) (string, error) {
	switch letter {
	case 'r':
		return py.Repr(v)
	case 's':
		return py.Str(v)
	case 'a':
		return py.ASCII(v)
	}
	return "", ValueError("Unknown conversion specifier '%c'", letter)
}

// value returns the value that a field names: "", 0, name, 0[1].
func (r *fieldReader) value(name string) (Value, error) {
	head := name
	if i := strings.IndexAny(name, ".["); i >= 0 {
		head = name[:i]
	}
	v, err := r.first(head)
	for rest := name[len(head):]; err == nil && rest != ""; {
		if rest[0] != '[' {
			return nil, Refuse("attributes are not run in the places of format: %s", name)
		}
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return nil, ValueError("Missing ']' in format string")
		}
		var i Value = Str(rest[1:end])
		if n, err := strconv.ParseInt(rest[1:end], 10, 64); err == nil {
			i = Int(n)
		}
		v, err = r.py.Index(v, i)
		rest = rest[end+1:]
	}
	return v, err
}

func (r *fieldReader) first(name string) (Value, error) {
	n, err := strconv.Atoi(name)
	switch {
	case name == "" && r.next < 0:
		return nil, ValueError("cannot switch from manual field specification to automatic field numbering")
	case name == "":
		n = r.next
		r.next++
	case err == nil && r.next > 0:
		return nil, ValueError("cannot switch from automatic field numbering to manual field specification")
	case err == nil:
		r.next = -1
	default:
		for _, k := range r.a.keys {
			if k.Name == name {
				return k.Value, nil
			}
		}
		return nil, missingKey(name)
	}
	if n >= len(r.a.pos) {
		return nil, Raise("IndexError", "Replacement index %d out of range for positional args tuple", n)
	}
	return r.a.pos[n], nil
}
