package eval_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// numbered gives values to symbols without names, in the order in which they are written.
func numbered(values ...int64) map[string]int64 {
	at := make(map[string]int64, len(values))
	for i, v := range values {
		at["?"+string(rune('1'+i))] = v
	}
	return at
}

// The test runs the examples with run-time integers of the CuTe DSL's notebooks cute_layout_algebra.ipynb and
// print.ipynb in NVIDIA/cutlass, and checks their output at trace time and at run time.
func TestNotebookAtTraceAndRunTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, static string
		at          map[string]int64
		want        string
	}{
		{"(6,2):(?,2) o (4,3):(3,1)", "((2,2),3):((?{div=3},2),?)", numbered(8), "((2,2),3):((24,2),8)"},
		{"coalesce((2,(1,6)):(1,(?,2)))", "12:1", numbered(6), "12:1"},
		{
			"(?,?):(?,?) o (?,?):(?,?)", "((?,?),(?,?)):((?,?),(?,?))",
			numbered(10, 2, 16, 4, 5, 4, 1, 5), "((5,1),(2,2)):((16,4),(80,4))",
		},
		{
			"composition((?,(?,?)):(?,(?,?)), (3,8))", "(3,(?,?)):(?,(?,?))",
			numbered(12, 4, 8, 59, 13, 1), "(3,(4,2)):(59,(13,1))",
		},
		{"(?,2):(1,?)", "(?,2):(1,?)", numbered(8, 8), "(8,2):(1,8)"},
	} {
		r, err := eval.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q) = %v, want %s", tt.src, err, tt.static)
			continue
		}
		// If the answer has no unknown integer, there is one view.
		if r.Static != tt.static && !(r.Static == "" && r.Value.String() == tt.static) {
			t.Errorf("Eval(%q) is %q at trace time, want %s", tt.src, r.Static, tt.static)
		}
		var e eval.Env
		e.Set(tt.at)
		rs, err := e.Eval(tt.src)
		if err != nil || rs[0].Value.String() != tt.want {
			t.Errorf("Eval(%q) at %v = %v, %v, want %s", tt.src, tt.at, rs, err, tt.want)
		}
		if unused := e.UnusedNames(); len(unused) > 0 {
			t.Errorf("Eval(%q) does not use %q", tt.src, unused)
		}
	}
}

// The test sets values: the result becomes the result at run time, with a note of the result at trace time. Conditions
// that the values do not decide stay.
func TestSetValues(t *testing.T) {
	t.Parallel()
	trace := func(static string) string { return "at trace time: " + static }
	const divided = "((128,64),(?,?)):((?,1),(?{div=128},64))"
	for _, tt := range []struct {
		src   string
		at    map[string]int64
		want  string
		notes []string
	}{
		{"(M,K):(K,1)", map[string]int64{"K": 64}, "(M,64):(64,1)", []string{trace("(?,?):(?,1)")}},
		{"(M,K):(K,1)", map[string]int64{"M": 8, "K": 64}, "(8,64):(64,1)", []string{trace("(?,?):(?,1)")}},
		{"(M,K):(K,1)", map[string]int64{"X": 64}, "(M,K):(K,1)", nil},
		{"(K{div=8},2):(1,K)", map[string]int64{"K": 16}, "(16,2):(1,16)", []string{trace("(?{div=8},2):(1,?{div=8})")}},
		{"M*K", map[string]int64{"K": 0}, "0", []string{trace("?")}},
		{"(?,?):(1,?)", numbered(4, 2, 9), "(4,2):(1,9)", []string{trace("(?,?):(1,?)")}},
		{
			"zipped_divide((M,K):(K,1), (128,64))",
			map[string]int64{"M": 1024},
			"((128,64),(8,ceil(K/64))):((K,1),(128K,64))",
			[]string{"padded unless 64 | K", trace(divided)},
		},
		{
			"zipped_divide((M,K):(K,1), (128,64))",
			map[string]int64{"M": 1000, "K": 64},
			"((128,64),(8,1)):((64,1),(8192,0))",
			[]string{
				"padded 64000 to 65536 elements: real where ((128,64),(8,1)):((1@0,1@1),(128@0,0)) < (1000,64)",
				trace(divided),
			},
		},
		{
			"zipped_divide_exact((M,K):(K,1), (128,64))",
			map[string]int64{"M": 1024},
			"((128,64),(8,ceil(K/64))):((K,1),(128K,64))",
			[]string{trace(divided), "valid only if 64 | K"},
		},
		{"(M,N):(1,4) o 8:1", map[string]int64{"M": 4}, "8:1", []string{trace("(?,?):(1,4)")}},
		{"(M,N):(1,4) o 8:1", map[string]int64{"M": 9}, "8:1", []string{trace("(?,?):(1,4)")}},
		{"M == N", map[string]int64{"M": 3, "N": 3}, "true", []string{trace("M == N")}},
		{"M == N", map[string]int64{"M": 3, "N": 4}, "false", []string{trace("M == N")}},
		{"slice_and_offset((2,_), (M,K):(K,1))", map[string]int64{"K": 5}, "{(5):(1),10}", []string{trace("{(?):(1),?{div=2}}")}},
		{"<M,_>", map[string]int64{"M": 64}, "<64:1,_>", []string{trace("<?:1,_>")}},
		{"(M,_)", map[string]int64{"M": 64}, "(64,_)", []string{trace("(?,_)")}},
		{"Sw<3,4,3>(M+0)", map[string]int64{"M": 128}, "144", []string{trace("?")}},
		{
			"Sw<3,4,3> o M o (8,64):(64,1)",
			map[string]int64{"M": 64},
			"Sw<3,4,3> o 64 o (8,64):(64,1)",
			[]string{trace("Sw<3,4,3> o ? o (8,64):(64,1)")},
		},
		{
			"inverse(Q:N)",
			map[string]int64{"Q": 4, "N": 1},
			"4:1",
			[]string{"at trace time it is refused: unknown: inverse: whether Q:N is a bijection onto 0, ..., size-1 is not known"},
		},
		{
			"21*(M*439208192231179801)+N",
			map[string]int64{"M": 0, "N": 3},
			"3",
			[]string{"at trace time it is refused: overflow: a coefficient of an expression leaves 64 bits"},
		},
		{
			"let a = inverse(Q:N); size(a)", map[string]int64{"Q": 4, "N": 1}, "4", nil,
		},
		{"let a = (M,4):(1,M); let a = a o (2,_); a", map[string]int64{"M": 8}, "(2,4):(1,8)", []string{trace("(2,4):(1,?)")}},
		{"max_common_vector(4:1,(8,4):(N,1))", map[string]int64{"N": 1}, "4", []string{trace("1, whose condition these numbers violate")}},
		{
			"logical_divide(Q{<=8}:1, 8:1)",
			map[string]int64{"Q": 5},
			"(8,1):(1,0)",
			[]string{"padded 5 to 8 elements: real where (8,1):(1,0) < 5"},
		},
		{"coalesce((9,M,3):(1,9,8))", map[string]int64{"M": 1}, "(9,3):(1,8)", []string{trace("(?{div=9},3):(1,8)")}},
		{
			"(?,?):(?,?) o (?,?):(?,?)", numbered(10, 2, 16, 4, 5, 4, 1, 5), "((5,1),(2,2)):((16,4),(80,4))",
			[]string{"with the numbers in their places: (5,(2,2)):(16,(80,4))", trace("((?,?),(?,?)):((?,?),(?,?))")},
		},
		{"let a = (M,K):(K,1); a o (8,_)", map[string]int64{"K": 64}, "(8,64):(64,1)", []string{trace("(8,?):(?,1)")}},
	} {
		var e eval.Env
		e.Set(tt.at)
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q) at %v = %v, want %s", tt.src, tt.at, err, tt.want)
			continue
		}
		if r := rs[len(rs)-1]; r.Value.String() != tt.want || !slices.Equal(r.Notes, tt.notes) {
			t.Errorf("Eval(%q) at %v = %s with %q, want %s with %q", tt.src, tt.at, r.Value, r.Notes, tt.want, tt.notes)
		}
	}
}

// Values that violate facts or conditions are refused.
func TestSetRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src        string
		at         map[string]int64
		code, part string
	}{
		{"(M,K{div=8}):(K,1)", map[string]int64{"K": 12}, "fact", "K = 12 breaks the fact that 8 divides K"},
		{"(M,N{<=4}):(1,M)", map[string]int64{"N": 5}, "fact", "N = 5 breaks the fact N <= 4"},
		{"(M,N{>=2}):(1,M)", map[string]int64{"N": 1}, "fact", "N = 1 breaks the fact N >= 2"},
		{"M:1", map[string]int64{"M": 0}, "fact", "M = 0 breaks the fact M >= 1"}, // an extent
		{"(2,?{div=4}):(1,?)", numbered(6), "fact", "?1 = 6 breaks the fact that 4 divides ?1"},
		{"M-4:1", map[string]int64{"M": 4}, "extent", "extents are at least 1, found 0"},
		{"8/(M-4)", map[string]int64{"M": 4}, "overflow", "8 / 0"},
		{"zipped_divide_exact((M,K):(K,1), (128,64))", map[string]int64{"M": 1000}, "not_divisible", "128 | 1000 does not hold"},
		{"(M,N):(1,4) o 8:1", map[string]int64{"M": 3}, "not_representable", "A(3) = 4, where a layout would give 3"},
		{"(?,?):(?,?) o (?,?):(?,?)", numbered(10, 2, 16, 4, 5, 4, 3, 5), "not_representable", "the value is A(12) = 36"},
		{"M*M", map[string]int64{"M": 1 << 40}, "overflow", "64-bit integers"},
	} {
		var e eval.Env
		e.Set(tt.at)
		_, err := e.Eval(tt.src)
		ee, ok := errors.AsType[*eval.Error](err)
		if !ok || string(ee.Err.Code) != tt.code || !strings.Contains(ee.Error(), tt.part) {
			t.Errorf("Eval(%q) at %v = %v, want %s with %q", tt.src, tt.at, err, tt.code, tt.part)
		}
	}
}

// The test checks that values for names that no program has used are reported, even after several programs.
func TestUnusedValues(t *testing.T) {
	t.Parallel()
	var e eval.Env
	e.Set(map[string]int64{"M": 4, "K": 8, "?1": 2, "?2": 3})
	for _, step := range []struct {
		src  string
		want []string
	}{
		{"4:1", []string{"?1", "?2", "K", "M"}},
		{"(M,?):(1,M)", []string{"?2", "K"}},
		{"(K,?):(1,K)", nil},
	} {
		if _, err := e.Eval(step.src); err != nil {
			t.Fatal(err)
		}
		if got := e.UnusedNames(); !slices.Equal(got, step.want) {
			t.Errorf("after %q: unused %q, want %q", step.src, got, step.want)
		}
	}
}
