package mcp

import (
	"maps"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// An argument with only one possible meaning gets the answer for that meaning.
func TestArgumentsAreTaken(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	const atom = "SM80_16x8x16_F32F16F16F32_TN"
	blocked := "blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}"
	bank := func(accesses any) args { return args{"expr": "(8,64):(64,1)", "type": "f16", "accesses": accesses} }
	for _, x := range []struct {
		tool       string
		meant, own args
	}{
		{"bank", bank([]string{"ldmatrix.x4"}), bank("ldmatrix.x4")},
		{"bank", bank([]string{"ldmatrix.x4", "st.128"}), bank(`["ldmatrix.x4", "st.128"]`)},
		{"bank", bank([]string{"ld"}), args{"Expr": []string{"(8,64):(64,1)"}, "type": "f16", "accesses": "ld", "target": nil}},
		{"atoms", args{"filter": []string{"sm80", "f16"}}, args{"filter": "sm80 f16"}},
		{"atoms", args{"filter": []string{"sm80", "f16"}, "most": 3}, args{"filter": "sm80, f16", "most": "3"}},
		{"atom", args{"atom": atom, "thread": 3}, args{"atom": atom, "thread": "3"}},
		{"linear", args{"expr": blocked, "shape": []int{4, 2}}, args{"expr": blocked, "shape": "(4,2)"}},
		{"linear", args{"expr": blocked, "shape": []int{4, 2}}, args{"expr": blocked, "shape": "4x2"}},
		{"linear", args{"expr": blocked, "shape": []int{4, 2}}, args{"expr": blocked, "shape": []any{"4", 2.0}}},
		{"draw", args{"expr": "((4,8),(2,2)):((32,1),(16,8))", "as": "tv", "shape": []int{16, 8}, "format": "txt"}, args{
			"expr": "((4,8),(2,2)):((32,1),(16,8))", "as": "tv", "shape": "(16,8)", "format": "txt",
		}},
		{"draw", args{"expr": "(8,8,2,2)", "fix": "(_,_,0,1)", "format": "txt", "max_cells": 64}, args{
			"expr": []any{8, 8, 2, 2}, "fix": []any{nil, nil, 0, 1}, "format": "txt", "maxCells": 64,
		}},
		{"mma", args{"atom": atom, "atoms": "(2,2,1)", "permutation": "<32,32,16>"}, args{"atom": atom, "atoms": []int{2, 2, 1}, "permutation": []int{32, 32, 16}}},
		{"gemm", args{"type": "f16", "m": 64, "n": 64, "k": 32, "tile": []int{64, 64, 32}}, args{"type": "f16", "M": "64", "N": 64, "K": 32.0, "tile": "64x64x32"}},
		{"recognize", args{"expr": "0,1,3,2"}, args{"expr": []int{0, 1, 3, 2}}},
		{"explain", args{"expr": "4:1 o 2:1", "top": true}, args{"expr": "4:1 o 2:1", "top": "true"}},
		{"eval", args{"expr": "5"}, args{"expr": 5}},
		{"eval", args{"expr": "9007199254740993"}, args{"expr": 9007199254740993}},
	} {
		want, got := c.call(t, x.tool, x.meant), c.call(t, x.tool, x.own)
		if want.failed || !reflect.DeepEqual(got, want) {
			t.Errorf("%s(%v) = %s, want what %v has: %s", x.tool, x.own, got.text, x.meant, want.text)
		}
	}
}

// A refusal names the tool's own arguments, what is expected, and the nearest argument.
func TestArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	leak := regexp.MustCompile(`json:|unmarshal|Go |struct|\[\][a-z]|Request`)
	for _, x := range []struct {
		tool string
		args any
		want string
	}{
		{"bank", args{"layout": "4:1", "type": "f16", "accesses": "ld"}, `bank has no argument "layout": it takes expr, type, accesses, threads, target, all` + "\n  hint: did you mean expr?"},
		{"bank", args{"expr": "4:1", "dtype": "f16", "accesses": "ld"}, "did you mean type?"},
		{"bank", args{"expr": "4:1", "typ": "f16", "accesses": "ld"}, "did you mean type?"},
		{"swizzle", args{"expr": "4:1", "type": "f16", "access": "ld"}, "did you mean accesses?"},
		{"partition", args{"tiled": "x"}, "did you mean atom?"},
		{"copies", args{"atom": "x", "memory": "4:1"}, "did you mean expr?"},
		{"copies", args{"atom": "x", "expr": "4:1", "arch": "sm90"}, "did you mean target?"},
		{"recognize", args{"text": "0,1"}, "did you mean expr?"},
		{"read", args{"expr": "4:1"}, "did you mean text?"},
		{"draw", args{"expr": "4:1", "tile": "16,8"}, "did you mean shape?"},
		{"draw", args{"expr": "4:1", "colour": "x"}, "did you mean color_by?"},
		{"atoms", args{"query": "sm80"}, "did you mean filter?"},
		{"help", args{"topic": "Sw"}, "did you mean name?"},
		{"eval", args{"expr": "4:1", "qqqqqq": 1}, `eval has no argument "qqqqqq": it takes expr` + "\n"},
		{"bank", args{}, "bank needs expr, type and accesses, which are missing\n  hint: it takes expr, "},
		{"partition", args{"atom": "x", "expr": "4:1", "operand": "C"}, "partition needs thread, which is missing"},
		{"convert", args{"from": "x", "to": "y", "type": "f16", "shape": args{"m": 1}}, "convert: shape: expected a list of integers, e.g. [64,64], found an object"},
		{"convert", args{"from": "x", "to": "y", "type": "f16", "shape": "wide"}, `convert: shape: expected a list of integers, e.g. [64,64], found the string "wide"`},
		{"bank", args{"expr": "4:1", "type": []string{"f16", "f32"}, "accesses": "ld"}, `bank: type: expected a string, e.g. "f16", found the list ["f16","f32"]`},
		{"bank", args{"expr": "4:1", "type": "f16", "accesses": []any{true}}, `bank: accesses: expected a list of strings, e.g. ["ldmatrix.x4"], found the list [true]`},
		{"gemm", args{"m": 64.5, "n": 64, "k": 32}, "gemm: m: expected an integer, found 64.5"},
		{"gemm", args{"m": "1e99", "n": 64, "k": 32}, `gemm: m: expected an integer, found the string "1e99"`},
		{"gemm", args{"m": 1, "n": 64, "k": 32, "seed": -1}, "gemm: seed: expected an integer from 0, found -1"},
		{"explain", args{"expr": "4:1", "top": "perhaps"}, `explain: top: expected true or false, found the string "perhaps"`},
		{"draw", args{"expr": "4:1", "scale": "wide"}, `draw: scale: expected a number, found the string "wide"`},
		{"draw", args{"expr": "4:1", "max_cells": 1, "maxCells": 2}, "draw: the argument max_cells is given twice"},
		{"eval", []int{1}, "eval takes its arguments as a JSON object: found the list [1]"},
		{"eval", "4:1", `eval takes its arguments as a JSON object: found the string "4:1"`},
		{"eval", args{"expr": nil}, "eval needs expr, which is missing"},
	} {
		r := c.call(t, x.tool, x.args)
		if !r.failed || !strings.Contains(r.text, x.want) || leak.MatchString(r.text) {
			t.Errorf("%s(%v) = %s, want %q", x.tool, x.args, r.text, x.want)
		}
	}
}

// An error begins with the name of the tool, or of a function of the language. It does not name a command or an HTTP
// operation.
func TestErrorsAreOfTheTool(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	tile := func(more args) args {
		all := args{"expr": "(8,64):(64,1)", "type": "f16"}
		maps.Copy(all, more)
		return all
	}
	for _, x := range []struct {
		tool string
		args args
		want string
	}{
		{"copies", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "expr": "4:1"}, "error: rank: copies: "},
		{"mma", args{"atom": "SM80_16x8x16_F32F16F16F32_TNX"}, "error: name: mma: no MMA operation is called"},
		{"atom", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "thread": 99}, "error: mode: mma: "},
		{"swizzle", tile(args{"accesses": "ldx"}), "error: name: swizzle: expected a shared-memory instruction"},
		{"global", tile(args{"accesses": "ldx"}), "error: name: global: expected "},
		{"global", tile(args{"accesses": "ld", "target": "sm1"}), "error: name: expected one of the targets"},
	} {
		if r := c.call(t, x.tool, x.args); !r.failed || !strings.HasPrefix(r.text, x.want) {
			t.Errorf("%s(%v) = %s, want %q", x.tool, x.args, r.text, x.want)
		}
	}
}

// No answer contains words of the command line, as call checks. These answers and hints once contained such
// words.
func TestNoFlags(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	encoding := "blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}"
	for _, x := range []struct {
		tool string
		args args
	}{
		{"draw", args{"expr": "(M,4):(4,1)"}},
		{"draw", args{"expr": "4:1", "as": "bank"}},
		{"draw", args{"expr": "(8,64):(64,1)", "as": "bank_tile", "type": "f16", "accesses": []string{"ld", "st"}}},
		{"draw", args{"expr": encoding}},
		{"draw", args{"expr": "true"}},
		{"linear", args{"expr": encoding}},
		{"gemm", args{"type": "u3", "m": 8, "n": 8, "k": 8}},
		{"eval", args{"expr": "(8,8):(F1,F9)"}},
		{"eval", args{"expr": "#ttg.slice<{dim=1, parent=#blocked1}>"}},
		{"eval", args{"expr": "image((M,2):(1,M))"}},
		{"bank", args{"expr": "(64,64):(64,1)", "type": "f32", "accesses": []string{"ld"}}},
		{"help", args{"name": "mma"}},
		{"help", args{"name": "draw"}},
		{"help", args{"name": "errors"}},
	} {
		c.call(t, x.tool, x.args)
	}
}

// Help knows what an assistant tries.
func TestHelp(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	for name, want := range map[string]string{
		"":                              "divide and product:\n",
		"logical_divide(A, T)":          "logical_divide(L, tiler)",
		"algebra":                       "right_inverse(A): ",
		"bank":                          "accesses (needed): a list of strings",
		"draw":                          "\n  composition: ",
		"explain":                       "figures",
		"recognize":                     "recognize(offset, ...)", // a function with the same name
		"accesses":                      "of swizzle (needed)",
		"Sw":                            "Sw<B,M,S>",
		"swizzle":                       "Solve for a swizzle",
		"o":                             "A o B is composition",
		"(4,2):(1,4)":                   "shape:stride",
		"Sw<3,3,3> o 0 o (8,64):(64,1)": "composed layout",
		"@":                             "axis",
		"ldmatrix.x4":                   "SM75_U32x4_LDSM_N",
		"SM80_16x8x16_F32F16F16F32_TN":  "mma.sync",
		"not_representable":             "witness",
		"sm90":                          "Hopper",
		"half_t":                        "16 bits",
	} {
		if r := c.call(t, "help", args{"name": name}); r.failed || !strings.Contains(r.text, want) {
			t.Errorf("help %q = %s, want %q", name, r.text, want)
		}
	}
	for name, want := range map[string]string{
		"bankk": "bank", "logical_divid": "logical_divide", "not_represent": "not_representable",
		"qqqqqqqq": "lists the functions",
	} {
		if r := c.call(t, "help", args{"name": name}); !r.failed || !strings.Contains(r.text, "hint: ") ||
			!strings.Contains(r.text, want) {
			t.Errorf("help %q = %s, want the hint %q", name, r.text, want)
		}
	}
}

// A long answer is said once.
func TestLongAnswersOnce(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	if r := c.call(t, "atoms", args{}); r.raw != "" || len(r.text) < maxTwice/2 {
		t.Errorf("a list of instructions has a text of %d bytes and structured content of %d", len(r.text), len(r.raw))
	}
	if r := c.call(t, "eval", args{"expr": "offsets(1024:2)"}); r.raw != "" || !strings.Contains(r.text, "2046") {
		t.Errorf("many offsets are %s and %s", r.text, r.raw)
	}
	short := c.call(t, "bank", args{"expr": "(8,64):(64,1)", "type": "f16", "accesses": "ldmatrix.x4"})
	all := c.call(t, "bank", args{"expr": "(8,64):(64,1)", "type": "f16", "accesses": "ldmatrix.x4", "all": true})
	if !strings.Contains(short.text, "all true shows them") || strings.Contains(all.text, "all true") ||
		len(all.text) <= len(short.text) {
		t.Errorf("all of %s is %s", short.text, all.text)
	}
}
