package interp

import (
	"math"
	"strconv"
	"strings"

	"girih/internal/lang/python"

	"girih/cute"
)

// This file implements the functions of C's library with which programs read their arguments and data: sscanf, atoi,
// rand.

// mainArguments returns the arguments of main: their number, and the list of texts, which begins with the name of the
// program.
func (r *runner) mainArguments() []Value {
	argv := &Array{}
	for _, text := range append([]string{"program"}, r.Args...) {
		argv.Cells = append(argv.Cells, &cell{v: Str(text)})
	}
	n := len(argv.Cells)
	argv.Cells = append(argv.Cells, &cell{v: None{}})
	return []Value{cInt(uint64(n), CIntType), argv, None{}}
}

// A random is the state of rand() of the GNU C library: each number is the sum of the 3rd and the 31st number before
// it, without the last bit. Programs compare their output with output from Linux, so the numbers must be the same.
type random []uint32

// seed implements srand(seed).
func (s *random) seed(seed uint32) {
	if seed == 0 {
		seed = 1
	}
	list := make(random, 34, 344)
	word := int64(int32(seed))
	list[0] = seed
	for i := 1; i < 31; i++ {
		word = (16807*(word%127773) - 2836*(word/127773)) % math.MaxInt32
		if word < 0 {
			word += math.MaxInt32
		}
		list[i] = uint32(word)
	}
	copy(list[31:], list[:3])
	*s = list
	for range 310 {
		s.next()
	}
}

func (s *random) next() uint32 {
	if len(*s) == 0 {
		s.seed(1)
	}
	list := *s
	n := len(list)
	v := list[n-3] + list[n-31]
	if n == cap(list) {
		n = copy(list, list[n-31:])
		list = list[:n]
	}
	*s = append(list, v)
	return v >> 1
}

// randoms lists rand and srand.
var randoms = map[string]func(r *runner, c *arguments) (Value, error){
	"rand": func(r *runner, _ *arguments) (Value, error) {
		return cInt(uint64(r.cpp.random.next()), CIntType), nil
	},
	"srand": func(r *runner, c *arguments) (Value, error) {
		n, ok := int64(0), false
		if len(c.pos) == 1 {
			n, ok = integerOf(c.pos[0])
		}
		if !ok {
			return nil, errorf(cute.CodeType, "expected one integer as the seed")
		}
		r.cpp.random.seed(uint32(n))
		return None{}, nil
	},
}

// numberRows maps the functions that read a number at the beginning of a text to the type of the number.
var numberRows = map[string]CType{
	"atoi": CIntType, "atol": CLong, "atoll": CLongLong, "atof": CDouble, "stoi": CIntType, "stol": CLong, "stof": CSingle,
	"stod": CDouble,
}

// numberReader returns a function of numberRows. Functions of the namespace std, such as stoi, refuse a text without a
// number.
func numberReader(name string, t CType) *Builtin {
	return &Builtin{Name: name, Call: func(_ *runner, c *arguments) (Value, error) {
		text, ok := "", false
		if len(c.pos) == 1 {
			text, ok = characters(c.pos[0])
		}
		if !ok {
			return nil, errorf(cute.CodeType, "expected one text for %s", name)
		}
		s := scanner{text: text}
		s.skipSpace()
		v, ok := s.number(t, 10)
		switch {
		case !ok && strings.HasPrefix(name, "sto"):
			return nil, errorf(cute.CodeType, "%s needs a text that begins with a number, found %q", name, text)
		case !ok:
			return cppConvert(cInt(0, CIntType), t)
		}
		return v, nil
	}}
}

// A scanner reads the values for sscanf.
type scanner struct {
	text string
	at   int
}

func (s *scanner) skipSpace() {
	s.at += len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], " \t\n\v\f\r"))
}

// word returns the next characters, at most n, for which takes returns true.
func (s *scanner) word(n int, takes func(i int, c byte) bool) string {
	from := s.at
	for s.at < len(s.text) && s.at-from < n && takes(s.at-from, s.text[s.at]) {
		s.at++
	}
	return s.text[from:s.at]
}

// number reads a number of a type. ok is false if there is none.
func (s *scanner) number(t CType, base int) (v Value, ok bool) {
	if !t.isInteger() {
		from := s.at
		if text := strings.TrimLeft(s.text[from:], "+-"); len(text) >= 3 && strings.EqualFold(text[:3], "nan") {
			s.at = len(s.text) - len(text) + 3
			sign := 1.0
			if s.text[from] == '-' {
				sign = -1
			}
			return CFloat{python.NaN(sign), t == CSingle}, s.at-from <= 4
		}
		for end := len(s.text); end > from; end-- {
			if f, err := strconv.ParseFloat(s.text[from:end], 64); err == nil || math.IsInf(f, 0) {
				s.at = end
				return cFloat(f, t), true
			}
		}
		return nil, false
	}
	text := s.word(len(s.text), func(i int, c byte) bool {
		return i == 0 && (c == '-' || c == '+') || digitOf(c) < base
	})
	n, err := strconv.ParseInt(text, base, 64)
	return cInt(uint64(n), t), err == nil && text != ""
}

// digitOf returns the value of a digit, and 99 for any other character.
func digitOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20) - 'a' + 10
	}
	return 99
}

// scanTypes maps the letters after the % in a format of sscanf to types.
var scanTypes = map[string]CType{
	"d": CIntType, "i": CIntType, "u": CUInt, "x": CUInt, "ld": CLong, "lu": CULong, "lld": CLongLong, "llu": CULongLong,
	"zu": CULong, "f": CSingle, "lf": CDouble, "g": CSingle, "lg": CDouble, "e": CSingle, "hd": CShort, "hhd": CSChar,
	"c": CChar,
}

// scan implements sscanf(text, format, &x, ...). It returns the number of values that were read.
func scan(r *runner, c *arguments) (Value, error) {
	text, isText, format, isFormat := "", false, "", false
	if len(c.pos) >= 2 {
		text, isText = characters(c.pos[0])
		format, isFormat = characters(c.pos[1])
	}
	if !isText || !isFormat {
		return nil, errorf(cute.CodeType, "expected sscanf(TEXT, FORMAT, &x, ...)")
	}
	s, done := scanner{text: text}, 0
	for format != "" {
		switch {
		case strings.HasPrefix(format, "%") && !strings.HasPrefix(format, "%%"):
			n := strings.IndexAny(format[1:], "diuxfgec") + 2
			place := format[1:max(n, 1)]
			t, known := scanTypes[place]
			if !known {
				return nil, errorf(cute.CodeSyntax,
					"expected a place of sscanf such as %%d, %%ld, %%f, %%lf or %%c, found %s", format)
			}
			if done+2 >= len(c.pos) {
				return nil, errorf(cute.CodeRank, "the format has more places than there are values")
			}
			v, ok := s.place(t, place)
			if !ok {
				return scanResult(done, s), nil
			}
			if err := r.scanTo(c.pos[done+2], v, place); err != nil {
				return nil, err
			}
			done, format = done+1, format[n:]
		case strings.TrimLeft(format[:1], " \t\n") == "":
			s.skipSpace()
			format = format[1:]
		default:
			format = strings.TrimPrefix(format, "%")
			if !strings.HasPrefix(s.text[s.at:], format[:1]) {
				return scanResult(done, s), nil
			}
			s.at, format = s.at+1, format[1:]
		}
	}
	return cInt(uint64(done), CIntType), nil
}

// place reads the value for one place of the format.
func (s *scanner) place(t CType, place string) (v Value, ok bool) {
	if place == "c" {
		c := s.word(1, func(int, byte) bool { return true })
		return cInt(uint64(int64(int8((c + "\x00")[0]))), CChar), c != ""
	}
	s.skipSpace()
	if place == "x" {
		return s.number(t, 16)
	}
	return s.number(t, 10)
}

// scanResult returns the result of a sscanf that ended early: -1 if the text ended before the first value, otherwise
// the number of values.
func scanResult(done int, s scanner) Value {
	if done == 0 && s.at == len(s.text) {
		return cInt(math.MaxUint64, CIntType)
	}
	return cInt(uint64(done), CIntType)
}

// scanTo stores a value that was read in the variable to which a pointer points.
func (r *runner) scanTo(to, v Value, place string) error {
	p, ok := decay(to).(Pointer)
	if !ok {
		return errorf(cute.CodeType, "expected the address of a variable for %%%s, found %s", place, cppDescribe(to))
	}
	c, err := p.cell()
	if err != nil {
		return err
	}
	if t := typeOfNumber(v); c.typ != t && c.typ != t.withoutSign() {
		return errorf(cute.CodeType, "%%%s reads a value of type %s for a variable of type %s: undefined in C++", place,
			cppTypeName(t), cppTypeName(c.typ))
	}
	return r.assignTo(c, v)
}

// libraryFunction returns a function of this file, or nil.
func libraryFunction(name string) Value {
	if t, ok := numberRows[name]; ok {
		return numberReader(name, t)
	}
	f := randoms[name]
	if name == "sscanf" {
		f = scan
	}
	if f == nil {
		return nil
	}
	return &Builtin{Name: name, Call: f}
}

// A clock is a GPU_Clock, or the time between two events. girih does not measure time, so the times are NaN.
type clock struct{}

// clockMethod calls a method of a clock.
func (r *runner) clockMethod(name string) (Value, error) {
	switch name {
	case "start":
		return None{}, nil
	case "seconds", "milliseconds":
		return cFloat(r.noTime(), CSingle), nil
	}
	return nil, errorf(cute.CodeName, "a clock has no method %s", name)
}

// noTime returns the value of a time, which is NaN, and notes that girih does not measure time.
func (r *runner) noTime() float64 {
	r.noteAt(r.here.Pos(), "girih does not time kernels: the time is nan")
	return python.NaN(1)
}

// cudaElapsed implements cudaEventElapsedTime(&ms, start, stop).
func cudaElapsed(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 3 {
		return nil, errorf(cute.CodeRank, "expected cudaEventElapsedTime(&ms, start, stop), found %d arguments", len(c.pos))
	}
	return cInt(0, CIntType), r.scanTo(c.pos[0], cFloat(r.noTime(), CSingle), "f")
}

// cudaNumber implements cudaGetDevice(&n) and cudaGetDeviceCount(&n). There is one device, with the number 0.
func cudaNumber(n uint64) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		if len(c.pos) != 1 {
			return nil, errorf(cute.CodeRank, "expected the address of an integer, found %d arguments", len(c.pos))
		}
		return cInt(0, CIntType), r.scanTo(c.pos[0], cInt(n, CIntType), "d")
	}
}
