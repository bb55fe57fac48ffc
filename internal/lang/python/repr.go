package python

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Str returns str(v).
func (py *Library) Str(v Value) (string, error) {
	if s, ok := v.(Str); ok {
		return string(s), nil
	}
	if v, ok, err := py.special(v, "__str__"); ok {
		text, _ := v.(Str)
		return string(text), err
	}
	return py.Repr(v)
}

// Repr returns repr(v).
func (py *Library) Repr(v Value) (string, error) {
	var b strings.Builder
	err := py.write(&b, v)
	return b.String(), err
}

func (py *Library) write(b *strings.Builder, v Value) error {
	if b.Len() > maxBytes {
		return py.hold(b.Len(), 1)
	}
	switch v := v.(type) {
	case Int:
		b.WriteString(strconv.FormatInt(int64(v), 10))
	case Bool:
		b.WriteString(map[Bool]string{true: "True", false: "False"}[v])
	case Float:
		b.WriteString(floatRepr(float64(v)))
	case Str:
		writeQuoted(b, string(v))
	case None:
		b.WriteString("None")
	case Range:
		fmt.Fprintf(b, "range(%d, %d", v.Start, v.Stop)
		if v.Step != 1 {
			fmt.Fprintf(b, ", %d", v.Step)
		}
		b.WriteByte(')')
	case Class:
		if e, ok := v.(interface{ EnumName() string }); ok && e.EnumName() != "" {
			fmt.Fprintf(b, "<enum '%s'>", e.EnumName())
			return nil
		}
		fmt.Fprintf(b, "<class '%s'>", v.ClassName())
	case Foreign:
		text, err := py.textOf(v)
		b.WriteString(text)
		return err
	case Slice:
		return py.writeList(b, "slice(", Tuple{orNone(v.Low), orNone(v.High), orNone(v.Step)}, ")")
	default:
		return py.writeContainer(b, v)
	}
	return nil
}

func orNone(v Value) Value {
	if v == nil {
		return None{}
	}
	return v
}

// writeContainer writes what has elements. A container within itself is written as dots.
func (py *Library) writeContainer(b *strings.Builder, v Value) error {
	switch v.(type) {
	case *List, *Dict:
		for _, x := range py.shown {
			if x == v {
				b.WriteString(map[string]string{"list": "[...]", "dict": "{...}"}[TypeName(v)])
				return nil
			}
		}
		py.shown = append(py.shown, v)
		defer func() { py.shown = py.shown[:len(py.shown)-1] }()
	}
	switch v := v.(type) {
	case Tuple:
		if len(v) == 1 {
			return py.writeList(b, "(", v, ",)")
		}
		return py.writeList(b, "(", v, ")")
	case *List:
		return py.writeList(b, "[", v.Elems, "]")
	case *Dict:
		return py.writeDict(b, v)
	case View:
		return py.writeList(b, "dict_"+v.Name+"([", v.elements(), "])")
	case *Set:
		list, err := v.order()
		if err != nil || len(list) == 0 {
			b.WriteString(v.TypeName() + "()")
			return err
		}
		if v.Frozen {
			return py.writeList(b, "frozenset({", list, "})")
		}
		return py.writeList(b, "{", list, "}")
	case Function:
		return writeFunction(b, v)
	case Module:
		b.WriteString(v.text())
	default:
		return Refuse("the text of a value of type '%s' is not known here", TypeName(v))
	}
	return nil
}

// writeFunction writes the text of a function, unless that has an address.
func writeFunction(b *strings.Builder, f Function) error {
	text := f.Repr()
	b.WriteString(text)
	if text == "" {
		return Refuse("the text of a %s has its address", f.TypeName())
	}
	return nil
}

func (py *Library) writeList(b *strings.Builder, opener string, list []Value, closer string) error {
	if err := py.Enter(); err != nil {
		return err
	}
	defer py.Leave()
	if err := py.work(len(list)); err != nil {
		return err
	}
	b.WriteString(opener)
	for i, v := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		if err := py.write(b, v); err != nil {
			return err
		}
	}
	b.WriteString(closer)
	return nil
}

func (py *Library) writeDict(b *strings.Builder, d *Dict) error {
	if err := py.Enter(); err != nil {
		return err
	}
	defer py.Leave()
	if err := py.work(d.Len()); err != nil {
		return err
	}
	b.WriteByte('{')
	first := true
	for _, e := range d.entries {
		if e.gone {
			continue
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		if err := py.write(b, e.key); err != nil {
			return err
		}
		b.WriteString(": ")
		if err := py.write(b, e.value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// floatRepr returns the shortest text of a float: 1.0, 0.1, 1e+16, inf, nan.
func floatRepr(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f != f:
		return "nan"
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	exp, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if exp < -4 || exp >= 16 {
		return text
	}
	text = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// writeQuoted writes a text in Python's quotation marks: ' unless the text has ' and no ".
func writeQuoted(b *strings.Builder, s string) {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b.WriteByte(quote)
	for _, c := range s {
		switch {
		case c == rune(quote) || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case strconv.IsPrint(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(b, `\u%04x`, c)
		default:
			fmt.Fprintf(b, `\U%08x`, c)
		}
	}
	b.WriteByte(quote)
}

// ASCII returns ascii(v): repr(v) with escapes for characters beyond ASCII.
func (py *Library) ASCII(v Value) (string, error) {
	text, err := py.Repr(v)
	if err != nil || utf8.RuneCountInString(text) == len(text) {
		return text, err
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case c < 0x80:
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	return b.String(), nil
}

// text is repr(v) of a module. NotImplemented is a constant.
func (v Module) text() string {
	if v == "NotImplemented" || v == "Ellipsis" {
		return string(v)
	}
	return "<module '" + string(v) + "'>"
}
