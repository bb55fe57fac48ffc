package eval_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test compares operations on tensors with values of CuTe (cute/tensor_impl.hpp: local_tile and similar functions).
func TestTensorRows(t *testing.T) {
	t.Parallel()
	const m = `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`
	const c = `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`
	wantValues(t, map[string]string{
		"make_tensor((2,3):(1,2))":                                "make_tensor(0,(2,3):(1,2))",
		"make_counting_tensor((2,3):(3,1))":                       "make_tensor(0,(2,3):(3,1))",
		"make_coord_tensor((2,3):(1@1,1@0))":                      "make_tensor((0,0),(2,3):(1@1,1@0))",
		"make_tensor(p, (2,3))":                                   "make_tensor(0,(2,3):(1,2))",
		"make_tensor((3,1), (2,3):(1@0,1@1))":                     "make_tensor((3,1),(2,3):(1@0,1@1))",
		"make_tensor(7, Sw<2,0,3> o 0 o (8,8))":                   "make_tensor(7,Sw<2,0,3> o 0 o (8,8):(1,8))",
		"size(make_identity_tensor((4,8)))":                       "32",
		"size<1>(make_identity_tensor((4,8)))":                    "8",
		"shape(make_tensor(5, ((2,2),3)))":                        "((2,2),3)",
		"stride<0>(make_tensor(5, ((2,2),3)))":                    "(1,2)",
		"rank(make_tensor(5, ((2,2),3)))":                         "2",
		"domain_offset((1,2), make_tensor(5, (4,6):(1,4)))":       "make_tensor(14,(4,6):(1,4))",
		"domain_offset((1,2), ArithTuple(3,5) o (4,6):(1@0,1@1))": "make_tensor((4,7),(4,6):(1@0,1@1))",
		"ArithTuple(3,0) o (2,3):(_1@0,_1@1)":                     "make_tensor((3,0),(2,3):(1@0,1@1))",
		"print_tensor(make_tensor(3@0+5@1, (2,2):(1@0,1@1)))":     "{{(3,5),(3,6)},{(4,5),(4,6)}}",
		"cosize(make_tensor(5, (2,3):(1,4)))":                     "10",
		"layout(make_tensor(5, ((2,2),3)))":                       "((2,2),3):((1,2),4)",
		"layout<0>(make_tensor(5, ((2,2),3)))":                    "(2,2):(1,2)",
		"make_tensor(5, (2,3))(1,2)":                              "10",
		"make_tensor(5, (2,3))(3)":                                "8",
		"make_tensor(5, (2,3))(_,2)":                              "make_tensor(9,(2):(1))",
		"let T = make_identity_tensor((2,3)); T(1,_)":             "make_tensor((1,0),(3):(1@1))",
		"make_tensor(0, Sw<2,0,3> o 0 o (8,8))(_,3)":              "make_tensor(0,Sw<2,0,3> o 24 o (8):(1))",
		"slice(make_tensor(5, (2,3)), (_,2))":                     "make_tensor(9,(2):(1))",
		"flatten(make_tensor(5, ((2,2),3)))":                      "make_tensor(5,(2,2,3):(1,2,4))",
		"coalesce(make_tensor(5, ((2,2),3)))":                     "make_tensor(5,12:1)",
		"group_modes<0,2>(make_tensor(5, (2,2,3)))":               "make_tensor(5,((2,2),3):((1,2),4))",
		"zipped_divide(make_tensor(5, (8,6)), <4,2>)":             "make_tensor(5,((4,2),(2,3)):((1,8),(4,16)))",
		"make_tensor(5, 48) o (4,2):(2,10)":                       "make_tensor(5,(4,2):(2,10))",
		"print_tensor(make_tensor(0, (2,3)))":                     "{{0,2,4},{1,3,5}}",
		"print_tensor((2,3,2))":                                   "{{{0,2,4},{1,3,5}},{{6,8,10},{7,9,11}}}",
		"print_tensor(make_tensor(0, (1,2,2,2)))":                 "{{{{0,1}},{{2,3}}},{{{4,5}},{{6,7}}}}",
		"print_tensor(make_identity_tensor((2,2)))":               "{{(0,0),(0,1)},{(1,0),(1,1)}}",
		"local_tile((128,64):(64,1), (32,16), (1,_))":             "{(32,16,4):(64,1,16),2048}",
		"local_tile(make_tensor(3, (8,6)), (4,2), 5)":             "make_tensor(39,(4,2):(1,8))",
		"local_tile(make_tensor(3, 8:2), 4, (1))":                 "make_tensor(11,(4):(2))",
		"local_tile(make_identity_tensor((8,6)), (4,2), (1,2))":   "make_tensor((4,4),(4,2):(1@0,1@1))",
		"local_tile(Sw<2,0,3> o 0 o (8,8), (8,4), (0,1))":         "Sw<2,0,3> o 32 o (8,4):(1,8)",
		"local_tile((M,K):(K,1), (32,16), (m,_))":                 "{(32,16,ceil(K/16)):(K,1,16),32K*m}",
		"local_tile((M,K):(K,1), (32,16), (m))":                   "{(32,16,ceil(K/16)):(K,1,16),32K*m}",
		"local_tile((128,64):(64,1), (32,16), (m,_))":             "{(32,16,4):(64,1,16),2048m}",
		"local_tile(M:1, 32, m)":                                  "{(32):(1),32m}",
		"outer_partition((M,K):(K,1), (32,16), (3,5))":            "{(ceil(M/32),ceil(K/16)):(32K,16),3K+5}",
		"outer_partition((8,6), (4,2), (_,1))":                    "{(4,2,3):(1,4,16),8}",
		"local_partition(make_tensor(1, (8,6)), (4,2), 6)":        "make_tensor(11,(2,3):(4,16))",
		"local_partition((128,64):(64,1), (32,8):(8,1), 9)":       "{(4,8):(2048,8),65}",
		// These project a tiler: examples of local_tile in CuTe's comments.
		"local_partition((8,6), (4,2), 6, (1,_))":                                              "{(2,6):(4,8),2}",
		"local_tile((128,64):(64,1), (32,64,4), (1,0,_), (1,_,1))":                             "{(32,4,16):(64,1,4),2048}",
		"make_fragment_like(make_tensor(9, ((2,2),3,4):((8,0),2,16)))":                         "((2,2),3,4):((1,0),2,6)",
		"make_fragment_like(make_identity_tensor((2,3)))":                                      "(2,3):(1,2)",
		"partition_A(get_slice(" + m + ", 5), make_identity_tensor((128,64)))":                 "make_tensor((1,2),((2,2,2),4,4):((1@1,8@0,8@1),32@0,16@1))",
		"partition_C(get_slice(" + m + ", 127), make_identity_tensor((128,128)))":              "make_tensor((23,14),((2,2),4,8):((1@1,8@0),32@0,16@1))",
		"partition_B(get_slice(" + m + ", 70), make_tensor(1000, (128,64):(64,1)))":            "make_tensor(1580,((2,2),8,4):((1,8),1024,16))",
		"partition_S(get_slice(" + c + ", 9), make_tensor(5, (128,64):(64,1)))":                "make_tensor(77,((8,1),4,1):((1,0),2048,0))",
		"partition_D(get_slice(" + c + ", 9), make_tensor(0, Sw<3,3,3> o 0 o (32,64):(64,1)))": "make_tensor(0,Sw<3,3,3> o 72 o ((8,1),1,1):((1,0),0,0))",
		"partition_fragment_A(get_slice(" + m + ", 3), (128,64))":                              "((2,2,2),4,4):((1,2,4),8,32)",
		"partition_fragment_A(" + m + ", make_tensor(7, (128,64)))":                            "((2,2,2),4,4):((1,2,4),8,32)",
		"partition_fragment_B(" + m + ", (128,64):(64,1))":                                     "((2,2),8,4):((1,2),16,4)",
		"partition_fragment_C(" + m + ", (128,128):(128,1))":                                   "((2,2),4,8):((1,2),4,16)",
		`partition_fragment_A(tiled_mma("SM90_64x64x16_F32F16F16_SS"), (64,64):(64,1))`:        "(1,1,4):(0,0,2)",
	})
	for _, tt := range []struct {
		src  string
		code cute.Code
	}{
		{`make_tensor("p", 4)`, cute.CodeType},
		{"make_tensor((1,2), 4:1)", cute.CodeNotCongruent},
		{"make_tensor((M,2))", cute.CodeUnknown},
		{"make_tensor(1, 2, 3, 4)", cute.CodeRank},
		{"make_tensor(mma(SM70_8x8x4_F32F16F16F32_NT))", cute.CodeType},
		{"make_tensor(5, (2,3))(2,0)", cute.CodeMode},
		{"make_tensor(5, (2,3))(_,3)", cute.CodeMode},
		{"local_tile(make_tensor(0, (8,6)), (4,2), (2,0))", cute.CodeMode},
		{"local_tile(make_tensor(0, (8,6)), (4,2,1), (0,0))", cute.CodeRank},
		{"local_tile((8,6), (4,2), (0,0,0))", cute.CodeNotCongruent},
		{"local_tile((M,6), (4,2,4), (m,0,0), (1,1,_))", cute.CodeUnknown},
		{"local_partition((8,6), (4,2), 8)", cute.CodeNotInvertible},
		{"local_partition((8,6), (4,2), 1, (1,1,1))", cute.CodeRank},
		{"print_tensor((1,1,1,1,1))", cute.CodeRank},
		{"print_tensor((65536,2))", cute.CodeLimit},
		{"partition_fragment_A(4, (16,16))", cute.CodeType},
		{"partition_fragment_A(" + c + ", (16,16))", cute.CodeType},
		{"partition_fragment_A(" + m + ", (40,16))", cute.CodeNotDivisible},
		{"partition_A(get_slice(" + m + ", 5), make_identity_tensor((40,64)))", cute.CodeNotDivisible},
		{"partition_A(get_slice(" + c + ", 5), make_identity_tensor((128,64)))", cute.CodeType},
		{"partition_S(get_slice(" + m + ", 5), make_tensor(0, (128,64)))", cute.CodeType},
	} {
		_, err := eval.Eval(tt.src)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%s: %v, want %s", tt.src, err, tt.code)
		}
	}
}

// The test checks tiles and partitions of random tensors by brute force: the element at a coordinate of the part is the
// tensor's element at the coordinate given by the definition.
func TestTensorTiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(14, 1))
	for range 200 {
		tm, tn := 1+r.Int64N(4), 1+r.Int64N(4)
		m, n := tm*(1+r.Int64N(4)), tn*(1+r.Int64N(4))
		sm, sn, first := r.Int64N(9)-3, r.Int64N(9)-3, r.Int64N(100)
		tensor := fmt.Sprintf("make_tensor(%d, (%d,%d):(%d,%d))", first, m, n, sm, sn)
		element := func(i, j int64) int64 { return first + i*sm + j*sn }
		i, j := r.Int64N(m/tm), r.Int64N(n/tn)
		a, b := r.Int64N(tm), r.Int64N(tn)
		of := func(format string, args ...any) string {
			return fmt.Sprintf(format, append([]any{tensor, tm, tn}, args...)...)
		}
		want, exprs := element(i*tm+a, j*tn+b), []string{
			of("local_tile(%s, (%d,%d), (%d,%d))(%d,%d)", i, j, a, b),
			of("local_tile(%s, (%d,%d), (%d,_))(%d,%d,%d)", i, a, b, j),
			of("local_tile(%s, (%d,7,%d), (%d,3,%d), (1,_,1))(%d,%d)", i, j, a, b),
			of("inner_partition(%s, (%d,%d), (%d,%d))(%d,%d)", i, j, a, b),
			of("outer_partition(%s, (%d,%d), (%d,%d))(%d,%d)", a, b, i, j),
			of("local_partition(%s, (%d,%d), %d)(%d,%d)", a+tm*b, i, j),
		}
		for _, expr := range exprs {
			v, err := eval.Eval(expr)
			if err != nil || v.Value.String() != fmt.Sprint(want) {
				t.Fatalf("%s is %v, %v, want %d", expr, v.Value, err, want)
			}
		}
	}
}

// The test checks that a tensor prints as in CuTe, for all lines of conformance/cute/print_tensor.txt with computed
// elements.
func TestPrintTensor(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../conformance/cute/print_tensor.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`_(-?[0-9])`).ReplaceAllString(string(data), "$1")
	head := regexp.MustCompile(`(?m)^(counting_iter|ArithTuple)\(([0-9,]+)\) o (\S+):\n`)
	all := head.FindAllStringSubmatch(text, -1)
	if len(all) < 4 {
		t.Fatalf("found %d tensors", len(all))
	}
	for _, x := range all {
		origin := x[2]
		if x[1] == "ArithTuple" {
			origin = "(" + origin + ")"
		}
		v, err := eval.Eval(fmt.Sprintf("make_tensor(%s, %s)", origin, x[3]))
		if err != nil {
			t.Fatal(err)
		}
		if x[1] == "ArithTuple" { // CuTe's own output must also be readable
			if w, err := eval.Eval(strings.TrimSuffix(x[0], ":\n")); err != nil || w.Value.String() != v.Value.String() {
				t.Errorf("%s is %v, %v, expected %v", x[0], w, err, v.Value)
			}
		}
		got, err := eval.PrintTensor(v.Value)
		if err != nil || !strings.Contains(text, got) || !strings.HasPrefix(got, x[0]) {
			t.Errorf("%v: %v\n%s", v.Value, err, got)
		}
	}
	for _, src := range []string{"5@1", "true", "mma(SM70_8x8x4_F32F16F16F32_NT)", "(65536,2)", "(1,1,1,1,1)"} {
		v, err := eval.Eval(src)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := eval.PrintTensor(v.Value); err == nil {
			t.Errorf("%s is printed as %s", src, text)
		}
	}
}
