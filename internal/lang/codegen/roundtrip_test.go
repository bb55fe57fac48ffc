package codegen_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/lang/codegen"
)

// This file reads layouts back from every dialect with a small enough grammar, by rules that do not use the writers.

// replacement is one step of reading a dialect: it replaces all matches of a pattern.
type replacement struct{ pattern, by string }

// back turns the text of a layout into girih's by replacements. axes reverses a path, which is outermost first.
var back = map[codegen.Dialect][]replacement{
	codegen.CPP: {
		{`^Layout<(.*)>\{\}$`, `$1`},
		{`\b(?:Int|C)<(-?\d+)>`, `_$1`},
		{`ScaledBasis<_(-?\d+),([\d,]+)>`, `$1#$2#`},
		{`\bE<([\d,]+)>`, `1#$1#`},
		{`(?:Shape|Stride)<`, `(`},
		{`>`, `)`},
		{`\b_(-?\d)`, `$1`},
	},
	codegen.DSL: {
		{`^cute\.make_layout\((.*), stride=(.*)\)$`, `$1,$2`},
		{`(-?\d+) \* cute\.E\(\[?([\d, ]+)\]?\)`, `$1#$2#`},
		{`cute\.E\(\[?([\d, ]+)\]?\)`, `1#$1#`},
		{`,\)`, `)`},
		{` `, ``},
	},
	codegen.PyCute: {{`^Layout\((.*)\)$`, `$1`}, {`,\)`, `)`}, {` `, ``}},
	codegen.LaTeX: {
		{`^\$(.*)\{:\}(.*)\$$`, `$1,$2`},
		{`(-?\d+)\\,\\mathbf\{e\}_\{([\d,]+)\}`, `$1#$2#`},
		{`-\\mathbf\{e\}_\{([\d,]+)\}`, `-1#$1#`},
		{`\\mathbf\{e\}_\{([\d,]+)\}`, `1#$1#`},
	},
	codegen.MLIR: {{`^!cute\.layout<"(.*):(.*)">$`, `$1,$2`}},
	codegen.Go:   {{`^cute\.MustParse\("(.*):(.*)"\)$`, `$1,$2`}},
}

// path is an axis between two characters that do not occur in girih's texts; sum is a coordinate along
// several axes.
var (
	path = regexp.MustCompile(`#([\d,]+)#`)
	sum  = regexp.MustCompile(`@\d+[+-]`)
)

// readBack returns the layout in the text of a dialect.
func readBack(d codegen.Dialect, text string) (cute.Layout, error) {
	if d == codegen.JSON {
		return readJSON(text)
	}
	for _, r := range back[d] {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.by)
	}
	text = path.ReplaceAllStringFunc(text, func(p string) string {
		axes := strings.Split(strings.Trim(p, "#"), ",")
		slices.Reverse(axes)
		return "@" + strings.Join(axes, "@")
	})
	shape, stride, ok := cut(text)
	if !ok {
		return cute.Layout{}, fmt.Errorf("%q has no comma between shape and stride", text)
	}
	return cute.Parse(shape + ":" + stride)
}

// cut splits the text at the first comma outside of brackets.
func cut(text string) (before, after string, ok bool) {
	depth := 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// readJSON reads the schema in the package comment.
func readJSON(text string) (cute.Layout, error) {
	var l struct {
		Kind          string
		Shape, Stride json.RawMessage
		Static        bool
	}
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return cute.Layout{}, err
	}
	if l.Kind != "layout" || !l.Static {
		return cute.Layout{}, fmt.Errorf("%s is no static layout", text)
	}
	s, err := jsonTuple(l.Shape)
	if err != nil {
		return cute.Layout{}, err
	}
	d, err := jsonTuple(l.Stride)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(s, d)
}

func jsonTuple(data json.RawMessage) (cute.Tuple, error) {
	switch data[0] {
	case '[':
		var elems []json.RawMessage
		if err := json.Unmarshal(data, &elems); err != nil {
			return cute.Tuple{}, err
		}
		ts := make([]cute.Tuple, len(elems))
		for i, e := range elems {
			var err error
			if ts[i], err = jsonTuple(e); err != nil {
				return cute.Tuple{}, err
			}
		}
		return cute.MakeTuple(ts...)
	case '{':
		var leaf struct {
			Sum []struct {
				Scale int64
				Path  []int
			}
		}
		if err := json.Unmarshal(data, &leaf); err != nil {
			return cute.Tuple{}, err
		}
		total := cute.Int(0)
		for _, t := range leaf.Sum {
			b, err := cute.Basis(t.Scale, t.Path...)
			if err != nil {
				return cute.Tuple{}, err
			}
			if total, err = total.Add(b); err != nil {
				return cute.Tuple{}, err
			}
		}
		return total, nil
	}
	x, err := strconv.ParseInt(string(data), 10, 64)
	return cute.Int(x), err
}

// roundTrip checks that reading back every dialect's text gives the layout, or that the dialect refuses the
// layout.
func roundTrip(t *rapid.T) {
	a := rapid.OneOf(gen.Layouts(), gen.MultiAxis(), gen.SingleAxis(), gen.HugeLayouts()).Draw(t, "a")
	sums := sum.MatchString(a.String())
	for _, d := range codegen.Dialects() {
		if d == codegen.Triton {
			continue
		}
		refuses := false
		switch d {
		case codegen.CPP, codegen.DSL, codegen.MLIR:
			refuses = sums
		case codegen.PyCute:
			refuses = a.HasBasis()
		case codegen.LaTeX:
			if sums { // LaTeX writes a sum, which the rules above do not read
				continue
			}
		}
		text, err := codegen.Write(d, codegen.Layout(a))
		if refuses != (err != nil) {
			t.Errorf("%s of %v = %q, %v; want a refusal: %t", d, a, text, err, refuses)
		}
		if err != nil {
			continue
		}
		b, err := readBack(d, text)
		if err != nil || !b.Equal(a) {
			t.Errorf("%s of %v is %s, which reads back as %v, %v", d, a, text, b, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, roundTrip)
}

func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

// In MLIR's quotes a chain is written as in girih, except that a swizzle is called S instead of Sw.
func chainRoundTrip(t *rapid.T) {
	c := gen.ComposedLayouts().Draw(t, "c")
	text, err := codegen.Write(codegen.MLIR, codegen.ComposedLayout(c))
	if strings.Count(c.String(), " o ") > 2 || sum.MatchString(c.String()) {
		if err == nil {
			t.Errorf("mlir of %v is %s, want a refusal", c, text)
		}
		return
	}
	want := `!cute.composed_layout<"` + strings.Replace(c.String(), "Sw<", "S<", 1) + `">`
	if c.Outer() == nil {
		want = `!cute.layout<"` + c.String() + `">`
	}
	if err != nil || text != want {
		t.Errorf("mlir of %v is %q, %v; want %s", c, text, err, want)
	}
}

func TestChainRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, chainRoundTrip)
}

func FuzzChainRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(chainRoundTrip)) }

// Every generated value is written or refused in every dialect, without a panic.
func writes(t *rapid.T) {
	a := gen.Layouts().Draw(t, "a")
	vs := []codegen.Value{
		codegen.Tiler(gen.Tilers(a).Draw(t, "tiler")),
		codegen.Coord(gen.SliceCoords(a.Shape()).Draw(t, "coord")),
		codegen.Tuple(gen.Tuples().Draw(t, "tuple")),
		codegen.ComposedLayout(gen.ComposedLayouts().Draw(t, "chain")),
		codegen.Swizzle(gen.Swizzles().Draw(t, "swizzle")),
	}
	for _, v := range append(vs, codegen.List(vs...)) {
		for _, d := range codegen.Dialects() {
			text, err := codegen.Write(d, v)
			if (text == "") != (err != nil) {
				t.Errorf("%s: %q, %v; want a text or an error", d, text, err)
			}
			if err == nil && d == codegen.JSON && !json.Valid([]byte(text)) {
				t.Errorf("json: %s is not valid", text)
			}
		}
	}
}

func TestWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, writes)
}

func FuzzWrites(f *testing.F) { f.Fuzz(rapid.MakeFuzz(writes)) }
