package python

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file has Python's format specifications: [[fill]align][sign][z][#][0][width][grouping][.precision][type].

// A formatSpec is a parsed specification. A part that is left out is a zero byte or a negative number.
type formatSpec struct {
	fill              string
	align, sign       byte
	noNegativeZero    bool // z
	alternate         bool // #
	width             int
	group             byte
	precision         int
	typ               byte
	hasFill, hasAlign bool
}

// Format returns format(v, spec).
func (py *Library) Format(v Value, spec string) (string, error) {
	if spec == "" {
		return py.Str(v)
	}
	switch x := v.(type) {
	case Str:
		return py.formatText(string(x), spec)
	case Foreign:
		if v, ok, err := py.special(x, "__format__", Str(spec)); ok {
			text, _ := v.(Str)
			return string(text), err
		}
		text, err := py.Str(x)
		if err != nil {
			return "", err
		}
		return py.formatText(text, spec)
	case Int, Bool:
		n, _ := asInt(v)
		return py.formatInt(n, TypeName(v), spec)
	case Float:
		s, err := py.parseSpec(spec, "float", '>')
		if err != nil {
			return "", err
		}
		return py.formatFloat(float64(x), s, "float")
	}
	return "", TypeError("unsupported format string passed to %s.__format__", TypeName(v))
}

// parseSpec parses a specification for a value of the named type.
func (py *Library) parseSpec(text, of string, align byte) (s formatSpec, err error) {
	whole := text
	s = formatSpec{fill: " ", align: align, width: -1, precision: -1}
	s.head(&text, align)
	if s.width, err = digits(&text); err != nil {
		return s, err
	}
	if err = s.separator(&text); err != nil {
		return s, err
	}
	if strings.HasPrefix(text, ".") {
		text = text[1:]
		if s.precision, err = digits(&text); err != nil {
			return s, err
		}
		if s.precision < 0 {
			return s, ValueError("Format specifier missing precision")
		}
	}
	if len(text) > 1 {
		return s, ValueError("Invalid format specifier '%s' for object of type '%s'", whole, of)
	}
	if text != "" {
		s.typ = text[0]
	}
	known := strings.Contains("deEfFgG%\x00", string(s.typ)) || s.group == '_' && strings.Contains("boxX",
		string(s.typ))
	if s.group != 0 && !known {
		return s, ValueError("Cannot specify '%c' with '%c'.", s.group, s.typ)
	}
	return s, py.hold(max(s.width, 0)+max(s.precision, 0), 1)
}

// separator parses the grouping, a comma or an underscore.
func (s *formatSpec) separator(text *string) error {
	for ; *text != "" && ((*text)[0] == ',' || (*text)[0] == '_'); *text = (*text)[1:] {
		switch c := (*text)[0]; s.group {
		case 0:
			s.group = c
		case c:
			return ValueError("Cannot specify '%c' with '%c'.", c, c)
		default:
			return ValueError("Cannot specify both ',' and '_'.")
		}
	}
	return nil
}

// head parses what is before the width.
func (s *formatSpec) head(text *string, align byte) {
	t := *text
	isAlign := func(i int) bool { return i < len(t) && strings.IndexByte("<>=^", t[i]) >= 0 }
	_, n := utf8.DecodeRuneInString(t)
	switch {
	case isAlign(n):
		s.fill, s.align, s.hasFill, s.hasAlign = t[:n], t[n], true, true
		t = t[n+1:]
	case isAlign(0):
		s.align, s.hasAlign = t[0], true
		t = t[1:]
	}
	if t != "" && strings.IndexByte("+- ", t[0]) >= 0 {
		s.sign = t[0]
		t = t[1:]
	}
	t, s.noNegativeZero = cut(t, "z")
	t, s.alternate = cut(t, "#")
	if !s.hasFill && strings.HasPrefix(t, "0") {
		t = t[1:]
		s.fill = "0"
		if !s.hasAlign && align == '>' {
			s.align = '='
		}
	}
	*text = t
}

func cut(text, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	return rest, ok
}

// digits reads a number, and returns -1 if there is none.
func digits(text *string) (int, error) {
	n := 0
	for n < len(*text) && (*text)[n] >= '0' && (*text)[n] <= '9' {
		n++
	}
	if n == 0 {
		return -1, nil
	}
	number, err := strconv.Atoi((*text)[:n])
	if err != nil {
		return 0, ValueError("Too many decimal digits in format string")
	}
	*text = (*text)[n:]
	return number, nil
}

func (py *Library) formatText(text, spec string) (string, error) {
	s, err := py.parseSpec(spec, "str", '<')
	switch {
	case err != nil:
		return "", err
	case s.typ != 0 && s.typ != 's':
		return "", unknownCode(s.typ, "str")
	case s.sign != 0:
		return "", ValueError("Sign not allowed in string format specifier")
	case s.noNegativeZero:
		return "", ValueError("Negative zero coercion (z) not allowed in string format specifier")
	case s.alternate:
		return "", ValueError("Alternate form (#) not allowed in string format specifier")
	case s.group != 0:
		return "", ValueError("Cannot specify '%c' with 's'.", s.group)
	case s.align == '=':
		return "", ValueError("'=' alignment not allowed in string format specifier")
	}
	if s.precision >= 0 {
		text = firstRunes(text, s.precision)
	}
	return s.pad("", text), nil
}

// firstRunes returns at most the first n characters.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

func unknownCode(code byte, of string) error {
	return ValueError("Unknown format code '%c' for object of type '%s'", code, of)
}

// pad fills a text up to the width; with = the fill comes after the sign and the prefix.
func (s *formatSpec) pad(head, text string) string {
	n := s.width - utf8.RuneCountInString(head) - utf8.RuneCountInString(text)
	if n <= 0 {
		return head + text
	}
	switch s.align {
	case '<':
		return head + text + strings.Repeat(s.fill, n)
	case '=':
		return head + strings.Repeat(s.fill, n) + text
	case '^':
		return strings.Repeat(s.fill, n/2) + head + text + strings.Repeat(s.fill, n-n/2)
	}
	return strings.Repeat(s.fill, n) + head + text
}

// number writes a sign, a prefix, the digits in groups, and rest. The sign is "-", or "" for the sign of the format.
func (s *formatSpec) number(sign, prefix, digits, rest string) string {
	if sign == "" && s.sign != '-' && s.sign != 0 {
		sign = string(s.sign)
	}
	head := sign + prefix
	if s.group != 0 {
		size := 3
		if strings.IndexByte("boxX", s.typ) >= 0 && s.typ != 0 {
			size = 4
		}
		width := 0
		if s.fill == "0" && s.align == '=' {
			width = s.width - len(head) - len(rest)
		}
		digits = group(digits, s.group, size, width)
	}
	return s.pad(head, digits+rest)
}

// group puts separators between groups of digits, and zeros before them up to a width: 0,001,234.
func group(digits string, separator byte, size, width int) string {
	n := len(digits)
	if n == 0 || strings.IndexByte("iInN", digits[0]) >= 0 {
		return digits // the text is inf or nan
	}
	for n+(n-1)/size < width {
		n++
	}
	digits = strings.Repeat("0", n-len(digits)) + digits
	var b strings.Builder
	for i := range n {
		if i > 0 && (n-i)%size == 0 {
			b.WriteByte(separator)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// bases are the bases of the types of integers, with their prefixes.
var bases = map[byte]struct {
	base   int
	prefix string
}{
	'd': {10, ""}, 0: {10, ""}, 'n': {10, ""}, 'b': {2, "0b"}, 'o': {8, "0o"}, 'x': {16, "0x"}, 'X': {16, "0X"},
}

func (py *Library) formatInt(n int64, of, spec string) (string, error) {
	s, err := py.parseSpec(spec, of, '>')
	if err != nil {
		return "", err
	}
	if s.typ != 0 && strings.IndexByte("eEfFgG%", s.typ) >= 0 {
		return py.formatFloat(float64(n), s, of)
	}
	base, ok := bases[s.typ]
	switch {
	case s.typ == 'c' && !s.noNegativeZero:
		return s.character(n)
	case !ok && s.typ != 'c':
		return "", unknownCode(s.typ, of)
	case s.precision >= 0:
		return "", ValueError("Precision not allowed in integer format specifier")
	case s.noNegativeZero:
		return "", ValueError("Negative zero coercion (z) not allowed in integer format specifier")
	}
	sign, text := cutSign(strconv.FormatInt(n, base.base))
	if s.typ == 'X' {
		text = strings.ToUpper(text)
	}
	if !s.alternate {
		base.prefix = ""
	}
	return s.number(sign, base.prefix, text, ""), nil
}

// cutSign splits a text into its minus, if any, and the rest.
func cutSign(text string) (sign, rest string) {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "-", rest
	}
	return "", text
}

// character formats an integer as the character of its code.
func (s *formatSpec) character(n int64) (string, error) {
	switch {
	case s.precision >= 0:
		return "", ValueError("Precision not allowed in integer format specifier")
	case s.sign != 0:
		return "", ValueError("Sign not allowed with integer format specifier 'c'")
	case s.alternate:
		return "", ValueError("Alternate form (#) not allowed with integer format specifier 'c'")
	case n < 0 || n > utf8.MaxRune:
		return "", Raise("OverflowError", "%%c arg not in range(0x110000)")
	case !utf8.ValidRune(rune(n)):
		return "", Refuse("the surrogate %#x is no character", n)
	}
	return s.pad("", string(rune(n))), nil
}

func (py *Library) formatFloat(f float64, s formatSpec, of string) (string, error) {
	if s.typ != 0 && strings.IndexByte("eEfFgGn%", s.typ) < 0 {
		return "", unknownCode(s.typ, of)
	}
	if s.precision > maxBytes/2 {
		return "", Refuse("a precision of %d exceeds the limit of %d", s.precision, maxBytes/2)
	}
	text, percent := s.float(f)
	sign, text := cutSign(text)
	if s.noNegativeZero && strings.Trim(text, "0.eE+-") == "" {
		sign = ""
	}
	if strings.Contains("EFG", string(s.typ)) && s.typ != 0 {
		text = strings.ToUpper(text)
	}
	whole := len(text)
	if i := strings.IndexAny(text, ".eE"); i >= 0 && text != "inf" {
		whole = i
	}
	return s.number(sign, "", text[:whole], text[whole:]+percent), nil
}

// float returns the digits of a float by the type and the precision.
func (s *formatSpec) float(f float64) (text, percent string) {
	typ, precision := s.typ|0x20, s.precision
	switch {
	case s.typ == '%':
		typ, percent = 'f', "%"
		f *= 100
	case s.typ == 0:
		typ = 0
	case s.typ == 'n':
		typ = 'g'
	}
	switch {
	case math.IsInf(f, 0) || f != f:
		return floatRepr(f), percent
	case typ == 0 && precision < 0:
		text = floatRepr(f)
		if s.alternate && !strings.Contains(text, ".") {
			text = strings.Replace(text, "e", ".e", 1)
		}
		return text, percent
	case precision < 0:
		precision = 6
	}
	if typ == 'f' || typ == 'e' {
		text = strconv.FormatFloat(f, typ, precision, 64)
		if precision == 0 && s.alternate {
			text = withPoint(text)
		}
		return text, percent
	}
	return s.general(f, typ, max(precision, 1)), percent
}

// general formats as g: in fixed notation or with an exponent, by the size of the number. Without a type, typ is 0, and
// a number in fixed notation keeps a digit after its point.
func (s *formatSpec) general(f float64, typ byte, precision int) string {
	text := strconv.FormatFloat(f, 'e', precision-1, 64)
	mark := strings.IndexByte(text, 'e')
	exp, _ := strconv.Atoi(text[mark+1:])
	most := precision
	if typ == 0 {
		most--
	}
	if exp < -4 || exp >= most {
		digits := text[:mark]
		if s.alternate {
			digits = withPoint(digits)
		} else {
			digits = trimZeros(digits)
		}
		return digits + text[mark:]
	}
	text = strconv.FormatFloat(f, 'f', precision-1-exp, 64)
	switch {
	case s.alternate:
		return withPoint(text)
	case typ == 0:
		if text = trimZeros(text); !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	return trimZeros(text)
}

func withPoint(text string) string {
	if strings.Contains(text, ".") {
		return text
	}
	if i := strings.IndexByte(text, 'e'); i >= 0 {
		return text[:i] + "." + text[i:]
	}
	return text + "."
}

func trimZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
