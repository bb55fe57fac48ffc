package tensor_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// wantCode fails unless err is a *cute.Error with the code and a message.
func wantCode(t interface {
	Helper()
	Fatalf(string, ...any)
}, err error, code cute.Code,
) {
	t.Helper()
	var e *cute.Error
	if !errors.As(err, &e) || e.Code != code || e.Msg == "" || e.Op == "" {
		t.Fatalf("got the error %v, want the code %s", err, code)
	}
}

// sized draws a layout of n elements: factors of n in some nesting, with compact, broadcast, negative or arbitrary
// strides.
func sized(t *rapid.T, n int64, label string) cute.Layout {
	var ext []int64
	for rest := n; rest > 1; {
		var fits []int64
		for f := int64(2); f <= rest; f++ {
			if rest%f == 0 {
				fits = append(fits, f)
			}
		}
		f := rapid.SampledFrom(fits).Draw(t, label+" extent")
		ext, rest = append(ext, f), rest/f
	}
	if len(ext) == 0 || rapid.IntRange(0, 5).Draw(t, label+" one") == 0 {
		ext = append(ext, 1)
	}
	str := make([]int64, len(ext))
	order := make([]int, len(ext))
	for i := range order {
		order[i] = i
	}
	next := int64(1)
	wild := rapid.IntRange(0, 3).Draw(t, label+" kind") == 0
	for _, i := range rapid.Permutation(order).Draw(t, label+" order") {
		if wild {
			str[i] = rapid.Int64Range(-6, 12).Draw(t, label+" stride")
			continue
		}
		str[i] = next * rapid.Int64Range(1, 2).Draw(t, label+" gap")
		next = str[i] * ext[i]
		switch rapid.IntRange(0, 9).Draw(t, label+" sign") {
		case 0:
			str[i] = -str[i]
		case 1:
			str[i] = 0
		}
	}
	l := must(cute.New(cute.Ints(ext...), cute.Ints(str...)))
	if len(ext) > 2 && rapid.Bool().Draw(t, label+" group") {
		l = must(l.GroupModes(0, 2))
	}
	return l
}

// inner draws a layout of n elements, perhaps composed with a swizzle or another layout.
func inner(t *rapid.T, n int64, label string) cute.Inner {
	l := sized(t, n, label)
	kind := rapid.IntRange(0, 4).Draw(t, label+" composed")
	if kind < 2 {
		return l
	}
	lo, _ := span(positions(l))
	offset := cute.Int(rapid.Int64Range(0, 9).Draw(t, label+" offset") - lo)
	if kind == 2 {
		hi := must(l.Cosize()) + offset.Leaves()[0]
		out := must(cute.New(cute.Ints(3, (hi+2)/3), cute.Ints(1, rapid.Int64Range(1, 5).Draw(t, label+" outer"))))
		return must(cute.NewComposed(out, offset, l))
	}
	b := rapid.IntRange(0, 2).Draw(t, label+" B")
	s := rapid.SampledFrom([]int{b, b + 1, -b, -b - 1}).Draw(t, label+" S")
	return must(cute.NewComposed(must(cute.NewSwizzle(b, rapid.IntRange(0, 3).Draw(t, label+" M"), s)), offset, l))
}

// positions evaluates a layout at every index, one by one.
func positions(l cute.Inner) []int64 {
	var out []int64
	switch l := l.(type) {
	case cute.Layout:
		for i := range l.Size() {
			x, _ := must(l.Eval(cute.Int(i))).Int64()
			out = append(out, x)
		}
	case cute.Composed:
		for i := range l.Size() {
			x, _ := must(l.Eval(cute.Int(i))).Int64()
			out = append(out, x)
		}
	}
	return out
}

// span returns the smallest and the largest number.
func span(ps []int64) (lo, hi int64) {
	lo, hi = ps[0], ps[0]
	for _, p := range ps {
		lo, hi = min(lo, p), max(hi, p)
	}
	return lo, hi
}

// storage returns n distinct numbers, none of them 0.
func storage(n int64) []int32 {
	data := make([]int32, n)
	for i := range data {
		data[i] = int32(i + 1)
	}
	return data
}

func parse(s string) cute.Layout             { return cute.MustParse(s) }
func coord(s string) cute.Coord              { return cute.MustParseCoord(s) }
func tuple(s string) cute.Tuple              { return cute.MustParseTuple(s) }
func layouts() *rapid.Generator[cute.Layout] { return gen.Layouts() }

// eachSize runs the property for a drawn number of elements.
func eachSize(t *testing.T, f func(t *rapid.T, n int64)) {
	t.Helper()
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f(t, rapid.SampledFrom([]int64{1, 2, 4, 6, 8, 12, 16, 24, 36, 64, 96}).Draw(t, "size"))
	})
}
