package reader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// The test checks that a layout whose stride was supplied, or precedes its shape, is read anywhere in a text.
func TestSupplied(t *testing.T) {
	t.Parallel()
	layouts := map[string]string{
		"Layout<Shape<_16,_2>>{}":                               "(16,2):(1,16)",
		"Layout<Shape<_16, _2>, GenRowMajor>{}":                 "(16,2):(2,1)",
		"Layout<Shape<_16>, Stride<_3>>{}":                      "(16):(3)",
		"make_layout(make_shape(4, 2))":                         "(4,2):(1,4)",
		"make_layout(make_shape(4, 2), GenRowMajor{})":          "(4,2):(2,1)",
		"make_layout(stride=(1, 4), shape=(4, 2))":              "(4,2):(1,4)",
		"make_layout(make_layout(4), make_layout(2))":           "(4,2):(1,1)",
		"make_ordered_layout((4, 2), order=(1, 0))":             "(4,2):(2,1)",
		"make_identity_layout((4, 2))":                          "(4,2):(1@0,1@1)",
		"as_strided(x, (4, 2), (3, 1))":                         "(4,2):(3,1)",
		"composition(Swizzle<1,0,1>{}, Layout<Shape<_4,_2>>{})": "Sw<1,0,1> o 0 o (4,2):(1,4)",
	}
	for _, frame := range []string{
		"%s", "f(a, %s);", "f(%s, 3)", "local_partition(gA, %s, threadIdx.x)", "foo(x, %s)", "Kernel<half_t, %s, 3>",
		"{%s, 3}", "{a, %s}",
		"x ? %s : 0", "x ? a : %s", "[%s]", `{"a": %s}`, "x = %s", "return %s;", "a, %s", "<%s>", "if (%s", "auto [a, b] = %s",
	} {
		for text, want := range layouts {
			check(t, fmt.Sprintf(frame, text))
			r := reader.Read(fmt.Sprintf(frame, text))
			if !slices.ContainsFunc(r.Items, func(it reader.Item) bool { return strings.Contains(it.Text, want) }) {
				t.Errorf("%s: found %+v, want %s", fmt.Sprintf(frame, text), r.Items, want)
			}
		}
	}
}

// The test checks that a tuple is not read as a coordinate if the other half may be a whole shape.
func TestUnknownShape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"auto L = make_layout(shape, make_stride(Int<1>{}, ldA));":                "?:(1,ldA)",
		"cute.make_layout(self.tile_shape, stride=(64, 1))":                       "?:(64,1)",
		"make_layout(cond ? make_shape(4,2) : make_shape(2,4), make_stride(1,4))": "?:(1,4)",
		"Layout((4,2) if x else (2,4), (1,4))":                                    "?:(1,4)",
		"?:(1,4)":                                                                 "?:(1,4)",
		"(4,?):((1,2),(3,4))":                                                     "(4,?):((1,2),(3,4))",
		"4:(1,2)":                                                                 "4:1@0+2@1",
		"(4,4):((1,1),(2,1))":                                                     "(4,4):(1@0+1@1,2@0+1@1)",
		"make_layout(4, make_stride(1, ldA))":                                     "4:1@0+ldA@1",
	} {
		if got := first(reader.Read(text)); got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

// The test checks that a word that begins with a digit is not read as a number, and that no branch of a choice is lost.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"(4,2):(1e0,1e1)", "8:2E", "4:2b", "(1,10_)", "(4,2b):(1,4)", "(2b@0,1)", "(4,2):(1e0,1e1) o (4,8):(8,1)"} {
		if r := reader.Read(text); len(r.Items) > 0 || len(r.Unread) != 1 {
			t.Errorf("%s: found %+v, unread %+v", text, r.Items, r.Unread)
		}
	}
	for text, want := range map[string]string{
		"x = cond ? (4,2):(1,4) : (8,1):(1,8)":      "(4,2):(1,4) (8,1):(1,8)",
		"return a[0] ? (4,2):(1,4) : (8,1):(1,8);":  "(4,2):(1,4) (8,1):(1,8)",
		"x ? (4,8) : (8,4)":                         "",
		"x ? Layout<Shape<_4,_2>>{} : Layout<_8>{}": "(4,2):(1,4) 8:1",
		"(1_000,2):(1,1_000), then (8T,2):(1,8T)":   "(1000,2):(1,1000) (8T,2):(1,8T)",
	} {
		var got []string
		for _, it := range reader.Read(text).Items {
			got = append(got, it.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is read as %q, want %s", text, got, want)
		}
	}
}
