package cute

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// This file reads the canonical text of values. The texts are the literals of girih's expression language, which
// package syntax parses whole; a test sends every value through both.

// Parse returns the layout with the given text: "(4,(2,2)):(1,(4,8))", where spaces, and CuTe's underscores for static
// integers, are allowed; a bare shape means its compact column-major layout. It returns [CodeSyntax] with the
// column, [CodeLimit] above 256 nested brackets, and the errors of [New].
//
//go:noinline
func Parse(text string) (Layout, error) {
	return parseAll(text, (*reader).layout)
}

// ParseTuple returns the tuple with the given text, such as "(4,(2,2))" or "(1@0,2@1)". It returns [CodeSyntax],
// [CodeOverflow], [CodeCodomain], and [CodeLimit] above 256 nested brackets.
//
//go:noinline
func ParseTuple(text string) (Tuple, error) {
	return parseAll(text, (*reader).tuple)
}

// ParseCoord returns the coordinate with the given text, such as "(2,(_,3))". It returns [CodeSyntax], [CodeOverflow],
// and [CodeLimit] above 256 nested brackets.
func ParseCoord(text string) (Coord, error) {
	return parseAll(text, (*reader).coord)
}

// ParseTiler returns the tiler with the given text: "4:1", "(4,8)", "<3:3,(2,4):(1,8)>" or "_". It returns
// [CodeSyntax], [CodeLimit] above 256 nested brackets, and the errors of [New].
func ParseTiler(text string) (Tiler, error) {
	return parseAll(text, (*reader).tiler)
}

// ParseSwizzle returns the swizzle with the given text: "Sw<3,4,3>" or, as in C++, "Swizzle<3,4,3>". It returns
// [CodeSyntax], [CodeOverflow], and the errors of [NewSwizzle].
func ParseSwizzle(text string) (Swizzle, error) {
	return parseAll(text, (*reader).swizzle)
}

// ParseComposed returns the composed layout with the given text, as [Composed.String] writes it: "Sw<3,3,3> o 0 o
// (8,64):(64,1)". A layout alone is a composed layout too. It returns [CodeSyntax], [CodeOverflow], [CodeLimit] above
// 256 nested brackets or functions, and the errors of [New], [NewSwizzle] and [NewComposed].
func ParseComposed(text string) (Composed, error) {
	return parseAll(text, (*reader).composedLayout)
}

// MustParse is [Parse] for layouts known to be right, as in tests; it panics with the *[Error] otherwise.
func MustParse(text string) Layout { return must(Parse(text)) }

// MustParseComposed does the same as [ParseComposed], for layouts known to be right; it panics with the *[Error]
// otherwise.
func MustParseComposed(text string) Composed { return must(ParseComposed(text)) }

// MustParseTuple is [ParseTuple] for tuples known to be right; it panics with the *[Error] otherwise.
func MustParseTuple(text string) Tuple { return must(ParseTuple(text)) }

// MustParseCoord is [ParseCoord] for coordinates known to be right; it panics with the *[Error] otherwise.
func MustParseCoord(text string) Coord { return must(ParseCoord(text)) }

// MustParseTiler is [ParseTiler] for tilers known to be right; it panics with the *[Error] otherwise.
func MustParseTiler(text string) Tiler { return must(ParseTiler(text)) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// maxNesting limits the nesting of parentheses, so that no text exhausts the stack.
const maxNesting = 256

// reader reads a text from left to right.
type reader struct {
	s     string
	at    int
	depth int
}

func parseAll[T any](text string, f func(*reader) (T, error)) (T, error) {
	r := reader{s: text}
	x, err := f(&r)
	if r.peek(); err == nil && r.at < len(text) {
		err = r.expectedError("the end of the text")
	}
	if err != nil {
		var none T
		return none, err
	}
	return x, nil
}

// peek skips spaces and returns the next byte, or 0 at the end.
func (r *reader) peek() byte {
	for r.at < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.at]) >= 0 {
		r.at++
	}
	if r.at == len(r.s) {
		return 0
	}
	return r.s[r.at]
}

// take consumes the byte b if it is next.
func (r *reader) take(b byte) bool {
	if r.peek() != b {
		return false
	}
	r.at++
	return true
}

func (r *reader) expectedError(what string) *Error {
	found := "the end"
	if b := r.peek(); b != 0 {
		found = fmt.Sprintf("%q", r.s[r.at:min(len(r.s), r.at+8)])
	}
	return errorf(CodeSyntax, "", "column %d: expected %s, found %s", r.at+1, what, found)
}

// list reads the elements of a bracketed list up to the closing byte; the opening byte is already consumed.
func (r *reader) list(closing byte, element func() error) error {
	if r.depth++; r.depth > maxNesting {
		return errorf(CodeLimit, "", "more than %d brackets inside each other", maxNesting)
	}
	defer func() { r.depth-- }()
	for first := true; !r.take(closing); first = false {
		if !first && !r.take(',') {
			return r.expectedError(fmt.Sprintf("',' or '%c'", closing))
		}
		if !first && r.take(closing) {
			return nil // a comma at the end, as in Python's 1-tuples
		}
		if err := element(); err != nil {
			return err
		}
	}
	return nil
}

// integer reads 4, -4, _4 or _-4.
func (r *reader) integer() (int64, error) {
	r.take('_')
	neg := r.take('-')
	start, x := r.at, uint64(0)
	for r.at < len(r.s) && r.s[r.at] >= '0' && r.s[r.at] <= '9' {
		d := uint64(r.s[r.at] - '0')
		limit := uint64(math.MaxInt64)
		if neg {
			limit++
		}
		if x > (limit-d)/10 {
			return 0, overflowError("", "the number at column %d", start+1)
		}
		x = 10*x + d
		r.at++
	}
	if r.at == start {
		return 0, r.expectedError("an integer")
	}
	if neg {
		return -int64(x), nil
	}
	return int64(x), nil
}

// leaf reads an integer or a sum of coordinates, 1@0+2@1.
func (r *reader) leaf() (Tuple, error) {
	sum, err := r.term()
	for err == nil && (r.peek() == '+' || (r.peek() == '-' && sum.cod != nil)) {
		r.take('+')
		var t Tuple
		if t, err = r.term(); err == nil {
			sum, err = sum.Add(t)
		}
	}
	return sum, err
}

func (r *reader) term() (Tuple, error) {
	x, err := r.integer()
	if err != nil || r.peek() != '@' {
		return Int(x), err
	}
	var path []int
	for r.take('@') {
		axis, err := r.integer()
		if err != nil {
			return Tuple{}, err
		}
		if axis < 0 || axis > MaxAxisPath || len(path) == MaxAxisPath {
			return Tuple{}, r.expectedError(fmt.Sprintf("an axis from 0 to %d, in a path of at most %d", MaxAxisPath, MaxAxisPath))
		}
		path = append(path, int(axis))
	}
	slices.Reverse(path) // the text has the innermost index first
	return Basis(x, path...)
}

func (r *reader) tuple() (Tuple, error) {
	if !r.take('(') {
		return r.leaf()
	}
	var elems []Tuple
	err := r.list(')', func() error {
		e, err := r.tuple()
		elems = append(elems, e)
		return err
	})
	if err != nil {
		return Tuple{}, err
	}
	return MakeTuple(elems...)
}

func (r *reader) layout() (Layout, error) {
	shape, err := r.tuple()
	if err != nil {
		return Layout{}, err
	}
	if !r.take(':') {
		return LayoutLeft(shape)
	}
	stride, err := r.tuple()
	if err != nil {
		return Layout{}, err
	}
	return New(shape, stride)
}

// open reads an underscore on its own, not the underscore of a static integer.
func (r *reader) open() bool {
	if r.peek() != '_' {
		return false
	}
	if next := r.at + 1; next < len(r.s) && (r.s[next] == '-' || (r.s[next] >= '0' && r.s[next] <= '9')) {
		return false
	}
	r.at++
	return true
}

func (r *reader) coord() (Coord, error) {
	if r.open() {
		return Open, nil
	}
	if !r.take('(') {
		x, err := r.integer()
		return Coord{v: []int64{x}, prof: "."}, err
	}
	var elems []Coord
	err := r.list(')', func() error {
		e, err := r.coord()
		elems = append(elems, e)
		return err
	})
	return MakeCoord(elems...), err
}

func (r *reader) tiler() (Tiler, error) {
	if r.open() {
		return Keep, nil
	}
	if r.take('<') {
		var t Tile
		err := r.list('>', func() error {
			e, err := r.tiler()
			if shape, ok := e.(Tuple); ok && err == nil {
				err = checkShape("make_tile", shape)
			}
			t.elems = append(t.elems, e)
			return err
		})
		return t, err
	}
	shape, err := r.tuple()
	if err != nil {
		return nil, err
	}
	if !r.take(':') {
		return shape, nil
	}
	stride, err := r.tuple()
	if err != nil {
		return nil, err
	}
	return New(shape, stride)
}

// swizzle reads Sw<B,M,S>.
func (r *reader) swizzle() (Swizzle, error) {
	r.peek()
	rest, ok := strings.CutPrefix(r.s[r.at:], "Swizzle")
	if !ok {
		rest, ok = strings.CutPrefix(r.s[r.at:], "Sw")
	}
	if ok {
		r.at = len(r.s) - len(rest)
	}
	if !ok || !r.take('<') {
		return Swizzle{}, r.expectedError("Sw<B,M,S>")
	}
	var bms [3]int
	for i := range bms {
		if i > 0 && !r.take(',') {
			return Swizzle{}, r.expectedError("','")
		}
		x, err := r.integer()
		if err != nil {
			return Swizzle{}, err
		}
		bms[i] = int(max(min(x, math.MaxInt32), math.MinInt32)) // illegal outside of int32 anyway; int may have 32 bits
	}
	if !r.take('>') {
		return Swizzle{}, r.expectedError("'>'")
	}
	return NewSwizzle(bms[0], bms[1], bms[2])
}

// composedLayout reads outer o offset o inner, where inner may be composed too.
func (r *reader) composedLayout() (Composed, error) {
	var stages []stage
	for len(stages) < maxNesting {
		var s stage
		var err error
		if r.peek() == 'S' {
			s.outer, err = r.swizzle()
		} else {
			var l Layout
			if l, err = r.layout(); err == nil && r.peek() != 'o' {
				c := l.Composed()
				for i := len(stages) - 1; i >= 0 && err == nil; i-- {
					c, err = NewComposed(stages[i].outer, stages[i].offset, c)
				}
				return c, err
			}
			s.outer = l
		}
		if err != nil {
			return Composed{}, err
		}
		if !r.take('o') {
			return Composed{}, r.expectedError("'o', an offset, 'o' and a layout")
		}
		if s.offset, err = r.tuple(); err != nil {
			return Composed{}, err
		}
		if !r.take('o') {
			return Composed{}, r.expectedError("'o' and a layout")
		}
		stages = append(stages, s)
	}
	return Composed{}, errorf(CodeLimit, "", "more than %d functions one after the other", maxNesting)
}
