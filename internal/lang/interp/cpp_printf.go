package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"girih/cute"
)

// This file formats values as printf of C++ does. A value whose type does not match the conversion is an error, because
// the output of printf would be undefined.

// maxField limits the width and the precision of a conversion.
const maxField = 1 << 16

// A place is one conversion in a format, such as %-08.3ld.
type place struct {
	text               string // the conversion as written
	minus, plus, space bool
	sharp, zero        bool
	width, precision   int    // -1 if not stated
	length             string // hh, h, l, ll, z, t, j, L
	verb               byte
}

// A formatter formats the conversions of a format one after another.
type formatter struct {
	format string
	args   []Value
	text   func(Algebra) string
	n      int // the number of arguments used so far
	b      strings.Builder
}

// cppPrintf returns what printf prints. text returns the text of a value of the algebra.
func cppPrintf(format string, args []Value, text func(Algebra) string) (string, error) {
	f := formatter{format: format, args: args, text: text}
	for {
		before, rest, found := strings.Cut(f.format, "%")
		f.b.WriteString(before)
		if f.format = rest; !found {
			break
		}
		p, err := f.place()
		if err != nil {
			return "", err
		}
		if p.verb == '%' {
			f.b.WriteByte('%')
			continue
		}
		v, err := f.next(p.text)
		if err != nil {
			return "", err
		}
		s, err := f.fill(p, v)
		if err != nil {
			return "", err
		}
		if f.b.WriteString(p.pad(s)); f.b.Len() > maxOutput {
			return "", errorf(cute.CodeLimit, "a text has at most %d bytes", maxOutput)
		}
	}
	if f.n < len(args) {
		return "", errorf(cute.CodeRank, "the format has %d places, found %d values", f.n, len(args))
	}
	return f.b.String(), nil
}

// next returns the next argument.
func (f *formatter) next(of string) (Value, error) {
	if f.n == len(f.args) {
		return nil, errorf(cute.CodeRank, "the format needs a value for %s, found only %d", of, len(f.args))
	}
	f.n++
	return f.args[f.n-1], nil
}

// place reads a conversion, starting after its %.
func (f *formatter) place() (p place, err error) {
	whole := f.format
	p.width, p.precision = -1, -1
	for ; f.format != ""; f.format = f.format[1:] {
		flag := map[byte]*bool{'-': &p.minus, '+': &p.plus, ' ': &p.space, '#': &p.sharp, '0': &p.zero}[f.format[0]]
		if flag == nil {
			break
		}
		*flag = true
	}
	if p.width, err = f.number(); err != nil {
		return p, err
	}
	if p.width < -1 {
		p.minus, p.width = true, -p.width
	}
	if strings.HasPrefix(f.format, ".") {
		f.format = f.format[1:]
		if p.precision, err = f.number(); err != nil {
			return p, err
		}
		if p.precision == -1 {
			p.precision = 0
		}
	}
	n := len(f.format) - len(strings.TrimLeft(f.format, "hlzjtL"))
	p.length, f.format = f.format[:n], f.format[n:]
	if f.format == "" || !strings.Contains("diuxXocsfFeEgGaAp%", f.format[:1]) {
		p.text = "%" + whole[:min(len(whole)-len(f.format)+1, len(whole))]
		return p, errorf(cute.CodeSyntax,
			"%s is not run in a format: expected one of %%d %%u %%x %%o %%c %%s %%f %%e %%g %%a", p.text)
	}
	p.verb, f.format = f.format[0], f.format[1:]
	p.text = "%" + whole[:len(whole)-len(f.format)]
	return p, nil
}

// number reads a width or a precision, which may be *. It returns -1 if there is neither a number nor a *.
func (f *formatter) number() (int, error) {
	if strings.HasPrefix(f.format, "*") {
		f.format = f.format[1:]
		v, err := f.next("*")
		n, ok := v.(CInt)
		if err == nil && (!ok || ctypes[cppPromoted(n.Type)].bits != 32) {
			err = errorf(cute.CodeType, "expected an int for *, found %s", cppDescribe(v))
		}
		if err != nil {
			return 0, err
		}
		if size := int64(n.Bits); size < -maxField || size > maxField {
			return 0, errorf(cute.CodeLimit, "a width is at most %d, found %s", maxField, n)
		}
		return int(int64(n.Bits)), nil
	}
	n := len(f.format) - len(strings.TrimLeft(f.format, "0123456789"))
	if n == 0 {
		return -1, nil
	}
	size, err := strconv.Atoi(f.format[:n])
	if err != nil || size > maxField {
		return 0, errorf(cute.CodeLimit, "a width is at most %d, found %s", maxField, f.format[:n])
	}
	f.format = f.format[n:]
	return size, nil
}

// fill returns the text of a value at a place, without its padding.
func (f *formatter) fill(p place, v Value) (string, error) {
	if a, ok := v.(Algebra); ok {
		return p.algebra(f.text(a))
	}
	switch p.verb {
	case 's':
		s, ok := characters(v)
		if !ok {
			return "", p.mismatch("a string", v)
		}
		return cutTo(s, p.precision), nil
	case 'p':
		return "", errorf(cute.CodeType, "%%p prints an address, which has no value here")
	case 'd', 'i', 'u', 'x', 'X', 'o', 'c':
		return p.integer(v)
	}
	x, ok := v.(CFloat)
	if !ok || p.length == "L" {
		return "", p.mismatch("a double", v)
	}
	if p.verb|0x20 == 'a' && (p.precision >= 0 || p.sharp) {
		return "", errorf(cute.CodeSyntax, "%s is not run: write %%a", p.text)
	}
	return p.float(x.F), nil
}

// algebra formats a value of the algebra, given as text: %s prints the text, and other conversions print its number.
func (p place) algebra(text string) (string, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case p.verb == 's':
		return cutTo(text, p.precision), nil
	case err == nil && p.intBits() == 64:
		return p.integer(CInt{Bits: uint64(n), Type: CLong})
	case err == nil:
		return p.integer(CInt{Bits: uint64(n), Type: CIntType})
	case strings.IndexByte("diux", p.verb) >= 0 && text == "?":
		return text, nil // a run-time integer without a value
	}
	return "", errorf(cute.CodeType, "expected a number for %s, found %s", p.text, text)
}

// characters returns the text of a string, or of an array of char.
func characters(v Value) (string, bool) {
	switch v := v.(type) {
	case Str:
		return string(v), true
	case *Array:
		return v.text()
	case Pointer:
		if v.At >= 0 && v.At <= int64(len(v.Of.Cells)) {
			return (&Array{Type: v.Of.Type, Cells: v.Of.Cells[v.At:]}).text()
		}
	}
	return "", false
}

// mismatch returns the error for a value whose type does not match the conversion.
func (p place) mismatch(want string, v Value) error {
	return errorf(cute.CodeType, "%s needs %s, found %s: undefined in C++", p.text, want, cppDescribe(v))
}

func cutTo(s string, n int) string {
	if n >= 0 && n < len(s) {
		return s[:n]
	}
	return s
}

// intBits returns the size of the integers of a conversion, in bits.
func (p place) intBits() uint {
	switch p.length {
	case "l", "ll", "z", "j", "t":
		return 64
	}
	return 32
}

// integer returns an integer with its sign and prefix, and with at least the number of digits that the precision
// states.
func (p place) integer(v Value) (string, error) {
	n, ok := v.(CInt)
	if !ok {
		return "", p.mismatch(map[uint]string{32: "an int", 64: "a long"}[p.intBits()], v)
	}
	n = cInt(n.Bits, cppPromoted(n.Type))
	if ctypes[n.Type].bits != p.intBits() {
		return "", p.mismatch(map[uint]string{32: "an int", 64: "an integer of 64 bits"}[p.intBits()], n)
	}
	if p.verb == 'c' {
		return string([]byte{byte(n.Bits)}), nil
	}
	t := map[string]CType{"hh": CSChar, "h": CShort, "": CIntType}[p.length]
	if t == CNone {
		t = CLong
	}
	if p.verb != 'd' && p.verb != 'i' {
		t = t.withoutSign()
	}
	n = cInt(n.Bits, t)
	digits, sign := n.String(), ""
	base := map[byte]int{'x': 16, 'X': 16, 'o': 8}[p.verb]
	switch {
	case base > 0:
		digits = strconv.FormatUint(n.Bits, base)
	case digits[0] == '-':
		sign, digits = "-", digits[1:]
	case ctypes[t].signed:
		sign = p.sign()
	}
	return p.digits(sign, digits, n.Bits), nil
}

func (p place) sign() string {
	switch {
	case p.plus:
		return "+"
	case p.space:
		return " "
	}
	return ""
}

// digits returns a number from its digits in base 8, 10 or 16.
func (p place) digits(sign, digits string, n uint64) string {
	if p.precision == 0 && n == 0 {
		digits = ""
	}
	digits = strings.Repeat("0", max(0, p.precision-len(digits))) + digits
	switch {
	case !p.sharp:
	case p.verb == 'o' && !strings.HasPrefix(digits, "0"):
		digits = "0" + digits
	case (p.verb == 'x' || p.verb == 'X') && n != 0:
		sign = "0x"
	}
	if p.zero && !p.minus && p.precision < 0 {
		digits = strings.Repeat("0", max(0, p.width-len(sign)-len(digits))) + digits
	}
	if p.verb == 'X' {
		return strings.ToUpper(sign + digits)
	}
	return sign + digits
}

// float returns a floating-point number with its sign.
func (p place) float(f float64) string {
	sign := p.sign()
	if math.Signbit(f) {
		sign, f = "-", math.Copysign(f, 1)
	}
	text := floatSpec{verb: p.verb, precision: p.precision, sharp: p.sharp}.format(f)
	if p.zero && !p.minus && !math.IsInf(f, 0) && f == f {
		prefix := ""
		if strings.HasPrefix(strings.ToLower(text), "0x") {
			prefix, text = text[:2], text[2:]
		}
		text = prefix + strings.Repeat("0", max(0, p.width-len(sign)-len(prefix)-len(text))) + text
	}
	return sign + text
}

// pad fills a text with spaces up to the width of its place.
func (p place) pad(s string) string {
	spaces := strings.Repeat(" ", max(0, p.width-len(s)))
	if p.minus {
		return s + spaces
	}
	return spaces + s
}

// A floatSpec states how a floating-point number is formatted.
type floatSpec struct {
	verb      byte // f, e, g or a, or its capital
	precision int  // -1 for the default
	sharp     bool // keeps the point and trailing zeros
}

// format returns a number as C does.
func (s floatSpec) format(f float64) string {
	lower := s.verb | 0x20
	var text string
	switch {
	case math.IsInf(f, 1):
		text = "inf"
	case math.IsInf(f, -1):
		text = "-inf"
	case f != f && math.Signbit(f):
		text = "-nan"
	case f != f:
		text = "nan"
	case lower == 'a' && f != 0 && math.Abs(f) < 0x1p-1022: // C prints subnormal numbers without normalising them
		digits := fmt.Sprintf("%013x", math.Float64bits(f)&(1<<52-1))
		text = "0x0." + strings.TrimRight(digits, "0") + "p-1022"
		if f < 0 {
			text = "-" + text
		}
	case lower == 'a':
		text = hexFloat(strconv.FormatFloat(f, 'x', s.precision, 64))
	default:
		if s.precision < 0 {
			s.precision = 6
		}
		text = s.decimal(f, lower)
	}
	if lower != s.verb {
		return strings.ToUpper(text)
	}
	return text
}

// decimal returns a number in the format f, e or g.
func (s floatSpec) decimal(f float64, verb byte) string {
	if verb != 'g' {
		text := strconv.FormatFloat(f, verb, s.precision, 64)
		if s.sharp && s.precision == 0 {
			mantissa, exponent, _ := strings.Cut(text, "e")
			if text = mantissa + "."; exponent != "" {
				text += "e" + exponent
			}
		}
		return text
	}
	// %g prints e if the exponent X of the number, rounded to P digits, is less than -4 or at least P, and f otherwise.
	digits := max(1, s.precision)
	text := strconv.FormatFloat(f, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	x, _ := strconv.Atoi(exponent)
	if x < -4 || x >= digits {
		if !s.sharp {
			mantissa = withoutZeros(mantissa)
		} else if digits == 1 {
			mantissa += "."
		}
		return mantissa + "e" + exponent
	}
	text = strconv.FormatFloat(f, 'f', digits-1-x, 64)
	switch {
	case !s.sharp:
		return withoutZeros(text)
	case digits-1-x == 0:
		return text + "."
	}
	return text
}

// withoutZeros drops the zeros at the end of a fraction.
func withoutZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// hexFloat writes the exponent as C does: 0x1.8p+0 instead of Go's 0x1.8p+00.
func hexFloat(s string) string {
	mantissa, exponent, _ := strings.Cut(s, "p")
	digits := strings.TrimLeft(exponent[1:], "0")
	if digits == "" {
		digits = "0"
	}
	return mantissa + "p" + exponent[:1] + digits
}
