package codegen_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/lang/codegen"
)

var fromBases = regexp.MustCompile(`^LinearLayout\.from_bases\(\[\("index", (.*)\)\], (\[.*\]), (\[.*\]), False\)$`)

// evalBases is the definition: the exclusive or of the bases at the bits of i.
func evalBases(bases [][]int64, axes int, i int64) []int64 {
	v := make([]int64, axes)
	for j, b := range bases {
		for k := range v {
			if i>>j&1 != 0 {
				v[k] ^= b[k]
			}
		}
	}
	return v
}

// tabulate returns the values of a function at all its indices.
func tabulate(t *rapid.T, size int64, eval func(cute.Tuple) (cute.Tuple, error)) [][]int64 {
	out := make([][]int64, size)
	for i := range out {
		v, err := eval(cute.Int(int64(i)))
		if err != nil {
			t.Fatal(err)
		}
		out[i] = v.Leaves()
	}
	return out
}

// firstFailure returns the first index at which the value is not the exclusive or of the values at its bits, or -1.
func firstFailure(values [][]int64) int64 {
	var bases [][]int64
	for b := 1; b < len(values); b *= 2 {
		bases = append(bases, values[b])
	}
	for i, v := range values {
		if !slices.Equal(v, evalBases(bases, len(v), int64(i))) {
			return int64(i)
		}
	}
	return -1
}

// judge compares the map given to Triton with the values of the function.
func judge(t *rapid.T, v codegen.Value, values [][]int64) {
	text, err := codegen.Write(codegen.Triton, v)
	fails := firstFailure(values)
	if err != nil {
		e, _ := errors.AsType[*cute.Error](err)
		switch {
		case e == nil:
			t.Fatalf("%v is not a girih error", err)
		case len(values)&(len(values)-1) != 0:
			wantTritonCode(t, e, cute.CodeType)
		case e.Code == cute.CodeNotRepresentable:
			w := e.Witness
			if w == nil || w.Index != fails || !slices.Equal(w.Value.Leaves(), values[fails]) ||
				slices.Equal(w.Want.Leaves(), values[fails]) {
				t.Errorf("%v, witness %+v, want index %d", err, w, fails)
			}
		case negative(values):
			wantTritonCode(t, e, cute.CodeNegative)
		default:
			t.Errorf("%v, but it is linear", err)
		}
		return
	}
	m := fromBases.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("unexpected text %s", text)
	}
	var bases [][]int64
	var outs []string
	var sizes []int64
	for i, part := range []any{&bases, &outs, &sizes} {
		if err := json.Unmarshal([]byte(m[i+1]), part); err != nil {
			t.Fatalf("%s: %v", m[i+1], err)
		}
	}
	if 1<<len(bases) != len(values) || len(outs) != len(values[0]) {
		t.Errorf("%s has %d bits and %d outputs, want %d elements and %d", text, len(bases), len(outs), len(values),
			len(values[0]))
	}
	for i, want := range values {
		got := evalBases(bases, len(sizes), int64(i))
		if !slices.Equal(got, want) {
			t.Fatalf("%s at %d = %v, want %v", text, i, got, want)
		}
		for k, x := range got {
			if x >= sizes[k] {
				t.Errorf("%s at %d = %v, outside of %v", text, i, got, sizes)
			}
		}
	}
}

func wantTritonCode(t *rapid.T, e *cute.Error, code cute.Code) {
	if e.Code != code {
		t.Errorf("%v, want %s", e, code)
	}
}

func negative(values [][]int64) bool {
	return slices.ContainsFunc(values, func(v []int64) bool { return len(v) > 0 && slices.Min(v) < 0 })
}

func tritonLayout(t *rapid.T) {
	a := rapid.OneOf(gen.PowersOfTwo(), gen.PowersOfTwo(), gen.Layouts(), gen.TinyStrides()).Draw(t, "a")
	judge(t, codegen.Layout(a), tabulate(t, a.Size(), a.Eval))
}

func TestTritonLayout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, tritonLayout)
}

func FuzzTritonLayout(f *testing.F) { f.Fuzz(rapid.MakeFuzz(tritonLayout)) }

func tritonComposed(t *rapid.T) {
	inner := gen.PowersOfTwo().Draw(t, "inner")
	offset := rapid.SampledFrom([]int64{0, 0, 0, 1, 64}).Draw(t, "offset")
	c, err := cute.NewComposed(gen.Swizzles().Draw(t, "swizzle"), cute.Int(offset), inner)
	if err != nil {
		t.Fatal(err)
	}
	judge(t, codegen.ComposedLayout(c), tabulate(t, c.Size(), c.Eval))
}

func TestTritonComposed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, tritonComposed)
}

func FuzzTritonComposed(f *testing.F) { f.Fuzz(rapid.MakeFuzz(tritonComposed)) }

// A swizzle is written as a map of the integers that it permutes.
func tritonSwizzle(t *rapid.T) {
	w := gen.Swizzles().Draw(t, "w")
	values := make([][]int64, 1<<(w.B()+w.M()+max(w.S(), -w.S())))
	for i := range values {
		x, err := w.At(int64(i))
		if err != nil {
			t.Fatal(err)
		}
		values[i] = []int64{x}
	}
	judge(t, codegen.Swizzle(w), values)
}

func TestTritonSwizzle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, tritonSwizzle)
}

func FuzzTritonSwizzle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(tritonSwizzle)) }

// A refusal begins with the dialect, states the reason in a sentence, and has the right code.
func TestTritonRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ layout, want string }{
		{"(3,4):(1,3)", "a power of two of elements, this has 12"},
		{"2:-1", "not negative, found -1 at index 1"},
		{"2:1073741824", "stay below 2^30, the size of offset is 2147483648"},
		{"(4,2):(1,2)", "at index 6 the value is 4, and the exclusive or of the values of its bits is 0"},
		{"(2,2):(1@0,1@0)", "at index 3 the value is 2, and the exclusive or of the values of its bits is 0"},
		{"(2,2):(1@0@0,1@1)", "integers or flat coordinates"},
	} {
		_, err := codegen.Write(codegen.Triton, codegen.Layout(cute.MustParse(test.layout)))
		if err == nil || !strings.Contains(err.Error(), "triton: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("triton of %s: %v, want %q", test.layout, err, test.want)
		}
	}
}
