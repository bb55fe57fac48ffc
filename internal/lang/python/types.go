package python

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"girih/internal/pattern"
)

// typeRows are the types of Python as functions, and what is asked about types.
var typeRows = rowsOf(typeList)

var typeList = []namedRow{
	{"int", &builtin{"x? base=", func(py *Library, a []Value) (Value, error) { return py.toInt(a[0], a[1]) }}},
	{"float", &builtin{"x?", func(_ *Library, a []Value) (Value, error) { return toFloat(a[0]) }}},
	{"bool", &builtin{"x?", func(py *Library, a []Value) (Value, error) {
		if a[0] == nil {
			return Bool(false), nil
		}
		t, err := py.Truth(a[0])
		return Bool(t), err
	}}},
	{"str", &builtin{"object=", func(py *Library, a []Value) (Value, error) {
		if a[0] == nil {
			return Str(""), nil
		}
		s, err := py.Str(a[0])
		return Str(s), err
	}}},
	{"list", &builtin{"x?", func(py *Library, a []Value) (Value, error) {
		list, err := py.optionalElements(a[0])
		return &List{list}, err
	}}},
	{"tuple", &builtin{"x?", func(py *Library, a []Value) (Value, error) {
		if t, ok := a[0].(Tuple); ok {
			return t, nil
		}
		list, err := py.optionalElements(a[0])
		return Tuple(list), err
	}}},
	{"dict", &builtin{}}, // handled in [Library.Call], because it accepts any names
	{"set", &builtin{"x?", func(py *Library, a []Value) (Value, error) { return py.toSet(a[0]) }}},
	{"frozenset", &builtin{"x?", func(py *Library, a []Value) (Value, error) {
		v, err := py.toSet(a[0])
		if s, ok := v.(*Set); ok {
			s.Frozen = true
		}
		return v, err
	}}},
	{"type", &builtin{"x", func(py *Library, a []Value) (Value, error) { return py.Class(TypeName(a[0])), nil }}},
	{"isinstance", &builtin{"x type", func(_ *Library, a []Value) (Value, error) {
		is, err := isInstance(a[0], a[1])
		return Bool(is), err
	}}},
	{"callable", &builtin{"x", func(_ *Library, a []Value) (Value, error) {
		switch a[0].(type) {
		case Function, Method, Class:
			return Bool(true), nil
		}
		return Bool(false), nil
	}}},
}

// optionalElements returns the elements of an argument that may be left out.
func (py *Library) optionalElements(v Value) ([]Value, error) {
	if v == nil {
		return nil, nil
	}
	return py.elements(v)
}

func (py *Library) toSet(v Value) (Value, error) {
	s := &Set{}
	if v == nil {
		return s, nil
	}
	list, err := py.members(v)
	if err != nil {
		return nil, err
	}
	return s, py.addAll(s, list)
}

func (py *Library) addAll(s *Set, list []Value) error {
	if err := py.hold(len(list), dictBytes); err != nil {
		return err
	}
	for _, v := range list {
		h, err := py.hash(v)
		if err != nil {
			return err
		}
		s.set(h, v, nil)
	}
	return nil
}

// isInstance reports whether a value is of a type, or of one of the types of a tuple.
func isInstance(x, of Value) (bool, error) {
	switch of := of.(type) {
	case Class:
		name := TypeName(x)
		return name == of.ClassName() || of.ClassName() == "object" || name == "bool" && of.ClassName() == "int", nil
	case Tuple:
		for _, t := range of {
			if is, err := isInstance(x, t); err != nil || is {
				return is, err
			}
		}
		return false, nil
	}
	return false, TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")
}

// toInt returns int(x, base).
func (py *Library) toInt(x, base Value) (Value, error) {
	text, isText := x.(Str)
	switch {
	case x == nil && base != nil:
		return nil, TypeError("int() missing string argument")
	case x == nil:
		return Int(0), nil
	case base != nil && !isText:
		if b, ok := asInt(base); ok && b != 0 && (b < 2 || b > 36) {
			return nil, wrongBase
		}
		return nil, TypeError("int() can't convert non-string with explicit base")
	case isText:
		b, err := integer(base, 10)
		if err != nil {
			return nil, err
		}
		return textToInt(string(text), b)
	}
	if f, ok := x.(Float); ok {
		return floatToInt(float64(f), math.Trunc)
	}
	if n, ok := asInt(x); ok {
		return Int(n), nil
	}
	return nil, TypeError("int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(x))
}

var wrongBase = ValueError("int() base must be >= 2 and <= 36, or 0")

// floatToInt rounds a float to an integer.
func floatToInt(f float64, round func(float64) float64) (Value, error) {
	switch {
	case math.IsInf(f, 0):
		return nil, Raise("OverflowError", "cannot convert float infinity to integer")
	case f != f:
		return nil, ValueError("cannot convert float NaN to integer")
	}
	f = round(f)
	if f < minInt || f >= -minInt {
		return nil, tooLarge("the integer of " + floatRepr(f))
	}
	return Int(f), nil
}

// textToInt reads an integer as Python does: 12, -1_000, 0x1f in base 16 or 0.
func textToInt(text string, base int64) (Value, error) {
	if base != 0 && (base < 2 || base > 36) {
		return nil, wrongBase
	}
	sign, digits := cutSign(strings.TrimFunc(text, isSpace))
	if sign == "" {
		digits = strings.TrimPrefix(digits, "+")
	}
	digits, number := cutBase(strings.ToLower(digits), base)
	for _, c := range digits {
		if c >= utf8.RuneSelf && unicode.IsDigit(c) {
			return nil, Refuse("the digit %c is not ASCII and is not read", c)
		}
	}
	bare := strings.ReplaceAll(digits, "_", "")
	n, err := strconv.ParseInt(sign+bare, number, 64)
	signed := strings.HasPrefix(bare, "-") || strings.HasPrefix(bare, "+")
	switch wrong := signed || strings.Contains("_"+digits+"_", "__"); {
	case err == nil && !wrong:
		return Int(n), nil
	case errors.Is(err, strconv.ErrRange) && !wrong:
		return nil, tooLarge("the number " + text)
	}
	var b strings.Builder
	writeQuoted(&b, text)
	return nil, ValueError("invalid literal for int() with base %d: %s", base, b.String())
}

// cutBase returns the digits of a number without the prefix of its base, and the base. Base 0 leaves the base to the
// prefix; without a prefix the number is decimal, and zeros before it are a fault.
func cutBase(digits string, base int64) (rest string, number int) {
	for _, p := range []struct {
		prefix string
		base   int64
	}{{"0x", 16}, {"0o", 8}, {"0b", 2}} {
		if rest, ok := strings.CutPrefix(digits, p.prefix); ok && (base == p.base || base == 0) {
			return strings.TrimPrefix(rest, "_"), int(p.base)
		}
	}
	if base != 0 {
		return digits, int(base)
	}
	if strings.HasPrefix(digits, "0") && strings.Trim(digits, "0_") != "" {
		return "", 10
	}
	return digits, 10
}

const floatText = pattern.Pattern(`^[+-]?(?:(?:\d+(?:_\d+)*)?\.?(?:\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?|(?i:inf|infinity|nan))$`)

// toFloat returns float(x).
func toFloat(x Value) (Value, error) {
	if x == nil {
		return Float(0), nil
	}
	text, ok := x.(Str)
	if !ok {
		f, ok := asFloat(x)
		if !ok {
			return nil, TypeError("float() argument must be a string or a real number, not '%s'", TypeName(x))
		}
		return Float(f), nil
	}
	t := strings.TrimFunc(string(text), isSpace)
	f, err := strconv.ParseFloat(strings.ReplaceAll(t, "_", ""), 64)
	if rest := strings.TrimLeft(t, "+-"); strings.EqualFold(rest, "nan") && len(t)-len(rest) < 2 {
		f, err = NaN(1), nil
		if t[0] == '-' {
			f = NaN(-1)
		}
	}
	if isRange := err != nil && strings.Contains(err.Error(), "range"); err != nil && !isRange || !floatText.MatchString(t) {
		var b strings.Builder
		writeQuoted(&b, string(text))
		return nil, ValueError("could not convert string to float: %s", b.String())
	}
	return Float(f), nil
}

// isSpace reports whether Python counts a character as white space.
func isSpace(c rune) bool { return unicode.IsSpace(c) || c >= 0x1c && c <= 0x1f }

// update does d.update(x, name=value, ...).
func (py *Library) update(d *Dict, a arguments) error {
	if len(a.pos) > 1 {
		return TypeError("expected at most 1 argument, found %d", len(a.pos))
	}
	if len(a.pos) == 1 {
		if err := py.updateFrom(d, a.pos[0]); err != nil {
			return err
		}
	}
	for _, k := range a.keys {
		if err := py.SetIndex(d, Str(k.Name), k.Value); err != nil {
			return err
		}
	}
	return nil
}

func (py *Library) updateFrom(d *Dict, x Value) error {
	if other, ok := x.(*Dict); ok {
		for _, e := range slices.Clone(other.entries) {
			if e.gone {
				continue
			}
			if err := py.SetIndex(d, e.key, e.value); err != nil {
				return err
			}
		}
		return nil
	}
	if o, isForeign := x.(Foreign); isForeign {
		if keys, ok, err := py.special(o, "keys"); ok {
			return py.updateByKeys(d, o, keys, err)
		}
	}
	list, err := py.elements(x)
	if err != nil {
		return err
	}
	for i, v := range list {
		pair, err := py.elements(v)
		switch {
		case err != nil:
			return TypeError("cannot convert dictionary update sequence element #%d to a sequence", i)
		case len(pair) != 2:
			return ValueError("dictionary update sequence element #%d has length %d; 2 is required", i, len(pair))
		}
		if err := py.SetIndex(d, pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// updateByKeys adds the elements of an object with the method keys to a dict.
func (py *Library) updateByKeys(d *Dict, o Foreign, keys Value, err error) error {
	if err != nil {
		return err
	}
	list, err := py.elements(keys)
	if err != nil {
		return err
	}
	for _, k := range list {
		v, _, err := py.special(o, "__getitem__", k)
		if err == nil {
			err = py.SetIndex(d, k, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
