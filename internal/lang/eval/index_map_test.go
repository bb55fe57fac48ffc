package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// TestIndexMaps evaluates maps of indices and questions about them, in the spellings that people paste. note is a part
// of one of the notes, or of the error.
func TestIndexMaps(t *testing.T) {
	t.Parallel()
	raster := "let f = def f(b): w = min(9 - b//32*8, 8); return b//32*8 + b%32%w, b%32//w\n"
	for _, c := range []struct{ src, want, note string }{
		{"T.Layout([32,8], lambda r,c: r*8 + (c ^ (r % 8)))", "Sw<3,0,3> o 0 o (32,8):(8,1)", "0 to 255; a bijection"},
		{
			"index_map((384,128), lambda i,j: (i//3, i%3*128+j))", "((3,128),128):((128@1,1@0),1@1)",
			"in a row-major buffer of (128,384) it is (384,128):(128,1)",
		},
		{
			"T.Layout([4,16], lambda i,j: (i, ((j//4) ^ i)*4 + j%4))",
			"linear{i=[[1,4],[2,8]], j=[[0,1],[0,2],[0,4],[0,8]], out=[dim0:4,dim1:16]}",
			"in a row-major buffer of (4,16) it is Sw<2,2,2> o 0 o (4,16):(16,1)",
		},
		{
			"T.Fragment([16,16], forward_thread_fn=lambda i,j: i*2+j//8, forward_index_fn=lambda i,j: j%8)",
			"(16,(8,2)):(2@0,(1@1,1@0))", "a bijection onto (32,8)",
		},
		{"T.Fragment([8,8], forward_fn=lambda i,j: (i, j))", "(8,8):(1@0,1@1)", ""},
		{
			"T.Fragment([8], forward_thread_fn=lambda i,rep: i + rep*8, replicate=2)", "(8,2):(1,8)", "0 to 15",
		},
		{"Layout([8, 4], lambda i, j: i + j)", "(8,4):(1,1)", "not injective: at i=1, j=0 and at i=0, j=1 the value is 1"},
		{
			"T.Layout([36], lambda b: (b//32*8 + b%8, b%32//8))", "index_map((36), lambda b: (b//32*8 + b%8, b%32//8))",
			"0 to 11, 0 to 3; injective, not a bijection onto (12,4): no index has the value (8,1)",
		},
		{"is_bijective(T.Layout([36], lambda b: (b//32*8 + b%8, b%32//8)), (9,4))", "false", "at b=33 the value is (9,0)"},
		{raster + "is_bijective(index_map(36, f), (9,4))", "true", ""},
		{raster + "is_bijective(index_map(36, f), (4,9))", "false", "outside the codomain (4,9)"},
		{raster + "is_surjective(index_map(35, f), (9,4))", "false", "no index has the value (8,3)"},
		{raster + "f(35)", "(8,3)", ""},
		{"index_map((4,4), def f(i: int, j): return j, i)", "(4,4):(1@1,1@0)", ""},
		{"let f = def f(i):\n  if i < 4:\n    return i\n  return i + 4\nindex_map(8, f)", "(4,2):(1,8)", ""},
		{"def f(i): return i", "syntax", ""},
		{"index_map(8, [](int i) { return i < 4 ? i * 2 : (i - 4) * 2 + 1; })", "(4,2):(2,1)", ""},
		{"let N = 4; index_map((8,N), lambda i,j: i*N + j)", "(8,4):(4,1)", ""},
		{"let f = index_map((4,4), lambda i,j: i*j); f(3,3)", "9", ""},
		{"index_map((4,4), lambda i,j: i*j)(14)", "6", ""},
		{"image(index_map((4,4), lambda i,j: i*j))", "{0,1,2,3,4,6,9}", ""},
		{"image(index_map((4), lambda i: (i//3, i*i%2)))", "{(0,0),(0,1),(1,1)}", ""},
		{"offsets(index_map((2,3), lambda i,j: i*j))", "{0,0,0,1,0,2}", ""},
		{"size(index_map((4,4), lambda i,j: i*j))", "16", ""},
		{"shape(index_map((4,4), lambda i,j: i*j))", "(4,4)", ""},
		{"coshape(index_map((4), lambda i: (i//3, i*i%2)))", "(2,2)", ""},
		{"cosize(index_map((4,4), lambda i,j: i*j))", "10", ""},
		{"is_injective(index_map((4,4), lambda i,j: i*j))", "false", "at i=0, j=0 and at i=1, j=0 the value is 0"},
		{"is_surjective(index_map(4, lambda i: i*i - 1))", "false", "below 0"},
		{"equivalent(index_map((4,4), lambda i,j: i*j), (4,4):(1,4))", "false", "at index 1 the values are 0 and 1"},
		{"equivalent(index_map((4,2), lambda i,j: i*i), index_map(8, lambda i: (i%4)**2))", "true", ""},
		{"(lambda i: i ^ (i >> 3)) o (8,8):(8,1)", "Sw<3,0,3> o 0 o (8,8):(8,1)", ""},
		{"composition(lambda i, j: j*8 + i, (8,8):(1@0,1@1))", "(8,8):(1,8)", ""},
		{"inverse(index_map(6, lambda i: i*5%6))", "not_representable", "at index 3 the value is 3"},
		{"inverse(index_map(6, lambda i: i*i))", "not_invertible", "no index has the value 2"},
		{"recognize(index_map((4,4), lambda i,j: i*j))", "not_representable", "at i=1, j=1 the value is 1, every layout gives 0"},
		{"coalesce(index_map((4,4), lambda i,j: i*j))", "type", "at i=1, j=1 the value is 1, every layout gives 0"},
		{"is_bijective(lambda i: i*2)", "unknown", "the extents of i are not known"},
		{"is_bijective(index_map(4, lambda i: i*i), (4,4))", "rank", "each of the 1 results"},
		{"index_map(4, 4:1)", "type", "a map, such as lambda"},
		{"index_map(4, lambda i: i % 0)", "not_representable", "at i=0: the divisor is 0"},
		{"index_map((4096,4096), lambda i,j: i)", "limit", "at most 4194304 values"},
		{"lambda i: i*", "syntax", "expected a formula, found the end"},
		{"lambda i: i*x", "name", "x is neither a parameter"},
		{"(lambda i: i)(1,2)", "rank", "expected 1 indices, found 2"},
	} {
		var e eval.Env
		rs, err := e.Eval(c.src)
		got, notes := "", ""
		if err != nil {
			fault, _ := errors.AsType[*cute.Error](err)
			got, notes = string(fault.Code), fault.Msg
		} else {
			last := rs[len(rs)-1]
			got, notes = last.Value.String(), strings.Join(last.Notes, "\n")
		}
		if got != c.want || !strings.Contains(notes, c.note) {
			t.Errorf("%s: %s, %q, want %s and %q", c.src, got, notes, c.want, c.note)
		}
	}
}
