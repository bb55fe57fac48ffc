package indexmap_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/indexmap"
)

// tableOf evaluates a map over extents.
func tableOf(t *testing.T, text string, extents ...int64) *indexmap.Table {
	t.Helper()
	m, err := indexmap.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	table, err := m.Over(extents, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return table
}

// fitText returns the layout with the values of a table, or the error.
func fitText(table *indexmap.Table) string {
	f, err := table.Fit()
	switch {
	case err != nil:
		return err.Error()
	case f.Layout != nil:
		return f.Layout.String()
	case f.Composed != nil:
		return f.Composed.String()
	case f.Xor != nil:
		return f.Xor.String()
	}
	return fmt.Sprint(f.Linear.Bases(), f.Linear.OutDims())
}

// TestFit finds layouts of known maps, in all spellings; the first three are of public reports.
func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		extents []int64
		want    string // the layout, or a part of the error
	}{
		{"lambda r,c: r*8 + (c ^ (r % 8))", []int64{32, 8}, "Sw<3,0,3> o 0 o (32,8):(8,1)"},
		{"lambda i, j: (i//3, i%3*128+j)", []int64{384, 128}, "((3,128),128):((128@1,1@0),1@1)"},
		{"lambda b: (b//32*8 + b%8, b%32//8)", []int64{36}, "at b=8 the value is (0,1)"},
		{"lambda i: i*2 if i < 8 else (i-8)*2+1", []int64{16}, "(8,2):(2,1)"},
		{
			"[](int i, int j) { auto t = i / 4; if (t == 0) return i*8 + j; return i*8 + (j ^ 1); }",
			[]int64{8, 8},
			"Sw<1,0,5> o 0 o (8,8):(8,1)",
		},
		{"[=] __device__ (int i, int j) -> int { return i < 4 ? i * 8 + j : 32 + (i - 4) * 8 + j; }", []int64{8, 8}, "(8,8):(8,1)"},
		{"int f(int i) { return (i & 7) == 0 ? 0 : i & 7; }", []int64{16}, "(8,2):(1,0)"},
		{"def f(i, j): t = i // 2; return t*4 + j", []int64{8, 4}, "((2,4),4):((0,4),1)"},
		{"def f(i):\n    a, b = divmod(i, 4)\n    if a == 0:\n        return b\n    else:\n        b += 10 * a\n    return b\n", []int64{8}, "(4,2):(1,10)"},
		{"min(i, 3)*8 + j", []int64{8, 8}, "at i=5, j=0 the value is 24"},
		{"lambda c: (c[1], c[0])", []int64{8, 4}, "(8,4):(1@1,1@0)"},
		{"lambda i: 5 + i*2", []int64{8}, "1:1 o 5 o 8:2"},
		{"lambda i,j: (i+1, j+2)", []int64{4, 4}, "(5,6):(1@0,1@1) o (1,2) o (4,4):(1@0,1@1)"},
		{"lambda i: divmod(i, 8)", []int64{64}, "(8,8):(1@1,1@0)"},
		{"lambda l,i: ((i>>4)<<5)+((l&3)<<3)+(i&7)", []int64{32, 64}, "((4,8),(8,2,4)):((8,0),(1,0,32))"},
		{"lambda i, j, k: (i ^ j ^ k) * 8 + j", []int64{8, 8, 3}, "(8,8,3):(F2(8),F2(9),F2(8))"},
		{"lambda i, j: (j + i) % 8", []int64{8, 8}, "every layout gives 8, the sum of its values along each index alone"},
		{"lambda i,j: (i, ((j//4) ^ i)*4 + j%4)", []int64{4, 16}, "[{i [[1 4] [2 8]]} {j [[0 1] [0 2] [0 4] [0 8]]}] [{dim0 4} {dim1 16}]"},
		{"lambda i: T.if_then_else(i < 4, i, T.floormod(i, 4) + 8)", []int64{8}, "(4,2):(1,8)"},
		{"lambda i, j: i*4 + (0 <= j < 2 and j or 3)", []int64{2, 2}, "1:1 o 3 o (2,2):(4,-2)"},
	} {
		got := fitText(tableOf(t, c.text, c.extents...))
		if got != c.want && !(strings.HasPrefix(got, "not_rep") && strings.Contains(got, c.want)) {
			t.Errorf("%s over %v: %s, want %s", c.text, c.extents, got, c.want)
		}
	}
}

// TestValues has values in which the languages differ, or that end in an error. The values of Python and C++ are those
// of CPython and g++.
func TestValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"lambda i: (i-4) // 3", "-2 -1 -1 -1 0 0"},
		{"lambda i: (i-4) % 3", "2 0 1 2 0 1"},
		{"lambda i: i & 3 == 1", "0 1 0 0 0 1"},
		{"lambda i: 0 < i < 3", "0 1 1 0 0 0"},
		{"lambda i: not i or 7", "1 7 7 7 7 7"},
		{"lambda i: -i ** 2", "0 -1 -4 -9 -16 -25"},
		{"lambda i: ~i >> 1", "-1 -1 -2 -2 -3 -3"},
		{"lambda i: 8 - i - 1 << 1 + 1", "28 24 20 16 12 8"},
		{"lambda i: i / 1", "0 1 2 3 4 5"},
		{"lambda i: i / 2", "at i=1: 1 / 2 is no integer in Python; // rounds down"},
		{"[](int i) { return (i-4) / 3; }", "-1 -1 0 0 0 0"},
		{"[](int i) { return (i-4) % 3; }", "-1 0 -2 -1 0 1"},
		{"[](int i) { return i & 3 == 1; }", "0 0 0 0 0 0"},
		{"[](unsigned i) { return (i - 1) / 2; }", "2147483647 0 0 1 1 2"},
		{"[](int i) { return i * 1000000000; }", "at i=3: the number leaves the 32 bits of an int"},
		{"[](long i) { return i * 1000000000; }", "0 1000000000 2000000000 3000000000 4000000000 5000000000"},
		{"[](int i) { return i * 1000000000u; }", "0 1000000000 2000000000 3000000000 4000000000 705032704"},
		{"[](int i) { return i < 3u ? i : 010; }", "0 1 2 8 8 8"},
		{"[](int i) { return uint8_t(i * 100); }", "0 100 200 44 144 244"},
		{"[](int i) { int a = i; { a += 2; } if (a > 4) a = 4; else if (a == 3) { return 9; } return a ^ 1; }", "3 9 5 5 5 5"},
		{"[](int i) { return -1 < i - 1u; }", "0 0 0 0 0 0"},
		{"[](int i) { return 7 >> i << 1; }", "14 6 2 0 0 0"},
		{"[](int i) { return std::min(i, 3) + max<int>(i, 2) - abs(i - 2); }", "0 2 4 5 5 5"},
		{"[](int i) { return i > 2 && 6 / (i - 2) > 2 || i == 0; }", "1 0 0 1 1 0"},
		{"i / 2 + i % 2", "0 1 1 2 2 3"},
		{"(i - 3) / 2", "at i=0: the division of a negative number differs between Python and C++; write a lambda of one of them"},
		{"lambda i: 1 % i", "at i=0: the divisor is 0"},
		{"lambda i: 1 << i * 20", "at i=4: the shift is negative, or not below the width of the number"},
		{"lambda i: (1 << 62) * i", "at i=2: the number leaves 64 bits"},
	} {
		m, err := indexmap.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for i := range int64(6) {
			out := []int64{0}
			if err := m.At([]int64{i}, out); err != nil {
				got = []string{err.Error()}
				break
			}
			got = append(got, fmt.Sprint(out[0]))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", c.text, text, c.want)
		}
	}
}

// TestRefuses has texts that are no maps, with the place and the sentence.
func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"lambda i: i*", 12, "expected a formula, found the end"},
		{"lambda i, i: i", 10, `expected parameters with different names, found "i"`},
		{"lambda : 3", 0, "expected a map of at least one index, found no parameter"},
		{"lambda i: f(i)", 10, "f is not a function of indices: they are min, max, abs, ceil_div, floordiv, floormod, if_then_else and conversions such as int"},
		{"lambda i: i $ 2", 12, "expected arithmetic of integers, found '$'"},
		{"lambda i: 1.5 * i", 11, ""},
		{"lambda i: i if i", 16, "expected else, found the end"},
		{"[](float i) { return i; }", 3, `expected an integer type before a parameter, found "float"`},
		{"[](int i) { i + 1; }", 14, `expected = after a local name, found "+"`},
		{"[](int i) { if (i) return i; }", 30, "expected a return on every path"},
		{"[](int i) { while (i) i = i - 1; return i; }", 12, `expected return, if or a local name, found "while"`},
		{"lambda i: (i, i", 15, ""},
		{"lambda i: " + strings.Repeat("(", 100) + "i" + strings.Repeat(")", 100), 75, ""},
		{"lambda i: " + strings.Repeat("abs(", 50) + "i" + strings.Repeat(")", 50), -1, "expected at most 4096 operations"},
		{"[](int i) { " + strings.Repeat("if (i > 3) i = i + 1; ", 2000) + " return i; }", -1, "expected at most 4096 operations"},
		{"def f(i):\n    t = i * i\n" + strings.Repeat("    t = t * t\n", 40) + "    return t", -1, "expected at most 4096 operations"},
	} {
		_, err := indexmap.Parse(c.text)
		e, ok := errors.AsType[*indexmap.Error](err)
		if !ok || c.offset >= 0 && e.Offset != c.offset || !strings.Contains(e.Msg, c.want) {
			t.Errorf("%s: %+v, want %q at %d", c.text, err, c.want, c.offset)
		}
	}
}

// TestQuestions asks a table about its values.
func TestQuestions(t *testing.T) {
	t.Parallel()
	table := tableOf(t, "lambda b: (b//32*8 + b%8, b%32//8)", 36)
	least, most := table.Range(0)
	if box, ok := table.Box(); !ok || !slices.Equal(box, []int64{12, 4}) || least != 0 || most != 11 {
		t.Errorf("box %v, %d to %d", box, least, most)
	}
	if i := table.Outside([]int64{9, 4}); i != 33 || table.At(i).String() != "(9,0)" || table.Where(i) != "b=33" {
		t.Errorf("outside at %d", i)
	}
	if missed, ok := table.LeastMissing([]int64{12, 4}); !ok || missed.String() != "(8,1)" {
		t.Errorf("missed %v", missed)
	}
	if i, _, err := table.Repeat(); i >= 0 || err != nil {
		t.Errorf("repeat at %d, %v", i, err)
	}
	table = tableOf(t, "lambda i, j: i*j", 4, 4)
	if i, j, _ := table.Repeat(); i != 0 || j != 1 {
		t.Errorf("repeat at %d, %d", i, j)
	}
	if order, err := table.Distinct(); err != nil || !slices.Equal(order, []int64{0, 5, 6, 7, 10, 11, 15}) {
		t.Errorf("distinct at %v, %v", order, err)
	}
	if _, err := table.Inverse(); !errors.Is(err, cute.CodeNotInvertible) {
		t.Errorf("%v", err)
	}
	inverse, err := tableOf(t, "lambda i, j: (j, i)", 8, 4).Inverse()
	if err != nil || fitText(inverse) != "(4,8):(1@1,1@0)" {
		t.Errorf("%s, %v", fitText(inverse), err)
	}
}

// The raster of a tile scheduler whose last group is narrower is a bijection onto its grid, and with a fixed width it
// is not.
func TestGroupedRaster(t *testing.T) {
	t.Parallel()
	const text = `def f(pid):
    group = pid // 32
    first = group * 8
    width = %s
    return first + pid %% 32 %% width, pid %% 32 // width`
	for width, want := range map[string]string{"min(9 - first, 8)": "a bijection", "8": "outside at pid=33, (9,0)"} {
		table := tableOf(t, fmt.Sprintf(text, width), 36)
		got := "a bijection"
		if i := table.Outside([]int64{9, 4}); i >= 0 {
			got = fmt.Sprintf("outside at %s, %v", table.Where(i), table.At(i))
		} else if missed, ok := table.LeastMissing([]int64{9, 4}); ok {
			got = "missed " + missed.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", width, got, want)
		}
	}
}

// Limits and extents are refused with their codes.
func TestOverRefuses(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	for _, c := range []struct {
		text    string
		extents []int64
		want    error
	}{
		{"lambda i, j: i", []int64{4}, cute.CodeRank},
		{"lambda i: i * N", []int64{4}, cute.CodeName},
		{"lambda i: i", []int64{0}, cute.CodeExtent},
		{"lambda i, j: (i, j)", []int64{1 << 11, 1 << 11}, cute.CodeLimit},
		{"lambda i, j: i", []int64{1 << 62, 1 << 62}, cute.CodeLimit},
		{"lambda i: i % (i - 2)", []int64{4}, cute.CodeNotRepresentable},
		{"lambda i: i << 60", []int64{4}, cute.CodeOverflow},
		{"lambda c: c[3]", []int64{4, 4}, cute.CodeRank},
		{"lambda i: i", []int64{4}, enough},
	} {
		m, err := indexmap.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var stop cute.Until
		if c.want == enough { //nolint:errorlint // the very error
			stop = func() error { return enough }
		}
		if _, err := m.Over(c.extents, stop); !errors.Is(err, c.want) {
			t.Errorf("%s over %v: %v, want %v", c.text, c.extents, err, c.want)
		}
	}
}

// Any text is a map or is refused; it never panics, and its evaluation ends.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"lambda i, j: (i // 3, i % 3 * 128 + j)", "def f(i: int, j) -> int:\n  t = i\n  if t > 1: return j\n  elif t: t ^= 1\n  return t",
		"[](int i, auto j) -> int { const int t = i * 2; if (t > 3) { return -t; } else return get<0>(c); }", "a ^ (b & 7) << 3",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		indexmap.ParseBits(text)
		indexmap.Prefix(text)
		m, err := indexmap.Parse(text)
		if err != nil {
			if e, ok := errors.AsType[*indexmap.Error](err); !ok || e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("%q: %+v", text, err)
			}
			return
		}
		m = m.Bind(make([]int64, len(m.Free()))...)
		extents := slices.Repeat([]int64{2}, min(m.Inputs(), 8))
		if table, err := m.Over(extents, nil); err == nil {
			fitText(table)
		}
	})
}

// TestTornMaps cuts maps at every byte, and takes out every byte.
func TestTornMaps(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"lambda i, j: (i // 3, min(i % 3, 0x10) * 128 + j if i >= 2 else ~j)",
		"def f(i: int, j) -> int:\n  t, u = divmod(i, 3)\n  if t > 1: return j\n  elif t: t ^= 1\n  else:\n    u = 2\n  return t + u",
		"[=](int i, auto j) -> int { const int t = i * 2; if (t > 3) { return -t; } else return static_cast<int>(j) /* x */; }",
		"lambda c: c[0] ^ c[1]",
		"[](auto c) { return make_coord(get<0>(c), get<1>(c)); }",
	} {
		for i := range text {
			for _, torn := range []string{text[:i], text[i:], text[:i] + text[i+1:]} {
				indexmap.Prefix(torn)
				indexmap.ParseBits(torn)
				if m, err := indexmap.Parse(torn); err == nil && len(m.Free()) == 0 {
					_, _ = m.Over(slices.Repeat([]int64{3}, m.Inputs()), nil)
				}
			}
		}
	}
}
