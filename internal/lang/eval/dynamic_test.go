package eval_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test checks the text, the view at trace time, and the notes (conditions, padding, lost offsets) of statements
// with run-time integers.
func TestDynamicExpressions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, static, notes string }{
		// symbols and their facts
		{"M:1", "M:1", "?:1", ""},
		{"8M:1", "8M:1", "?{div=8}:1", ""},
		{"?:?", "?:?", "?:?", ""},
		{"(?,?{div=8}):(1,?)", "(?,?{div=8}):(1,?)", "(?,?{div=8}):(1,?)", ""},
		{"(?{i64 div=8},2):(1,?)", "(?{i64 div=8},2):(1,?)", "(?{i64 div=8},2):(1,?)", ""},
		{"(M,K{div=8}):(K,1)", "(M,K):(K,1)", "(?,?{div=8}):(?{div=8},1)", ""},
		{"(K,K{div=8})", "(K,K)", "(?{div=8},?{div=8})", ""},
		{"(K{div=8},K)", "(K,K)", "(?{div=8},?{div=8})", ""},
		{"(K{div=8},K{div=8})", "(K,K)", "(?{div=8},?{div=8})", ""},
		{"(K{>=0}):(1) o (K{>=0}):(1)", "(K):(1)", "(?):(1)", ""},
		// the extent is at least 1, by a fact or by a condition
		{"let a = M:1; M/1 + a(0)", "M", "?", ""},
		{"M-4:1", "M-4:1", "?:1", "valid only if 1 <= M-4"},
		{"(M*M,2):(1,M)", "(M*M,2):(1,M)", "(?,2):(1,?)", "valid only if 1 <= M*M"},
		// coordinates and tuples
		{"?:?@0", "?:?@0", "?:?@0", ""},
		{"(4,M):(1@0,8M@1)", "(4,M):(1@0,8M@1)", "(4,?):(1@0,?{div=8}@1)", ""},
		{"(M,_)", "(M,_)", "(?,_)", ""},
		{"(M,(2,_))", "(M,(2,_))", "(?,(2,_))", ""},
		{"<M,_>", "<M:1,_>", "<?:1,_>", ""},
		{"get<1>((M,K))", "K", "?", ""},
		{"(M,2)+(1,K)", "(M+1,K+2)", "(?,?)", ""},
		// quotients
		{"size<1>((M,8):(1,M))", "8", "", ""},
		{"complement((128,64):(1@0,1@1), (M,K))", "(ceil(M/128),ceil(K/64)):(128@0,64@1)", "(?,?):(128@0,64@1)", "(M,K) is rounded up unless 128 | M and 64 | K"},
		{"nullspace((2,M,3):(1,0,2))", "M:2", "?:2", ""},
		{"shape((M,(2,K)):(1,(M,2M)), 1, 1)", "K", "?", ""},
		{"is_bijective((M,K):(K,1))", "true", "", ""},
		{"equivalent((M,K):(1,M), (M,K,1):(1,M,7))", "true", "", ""},
		{"filter((2,(M,3)):(0,(1,0)))", "M:1", "?:1", ""},
		{"coshape((M,2):(1@0,2@1))", "(M,3)", "(?,3)", ""},
		{"crd2crd((i,1), (M,3), (2,2,3))", "((M+i)%2,floor((M+i)/2)%2,floor((M+i)/4))", "(?,?,?)", suffices("0 <= M+i")},
		{"with_shape((M,K):(1,M), (2,M,K))", "(2,M,K):(1,2,2M)", "(2,?,?):(1,2,?{div=2})", ""},
		{"M/8", "floor(M/8)", "?", suffices("0 <= M")},
		{"M%8", "M%8", "?", suffices("0 <= M")},
		{"ceil_div((M,N),128)", "(ceil(M/128),ceil(N/ceil(128/M)))", "(?,?)", "valid only if 1 <= M and 1 <= N"},
		{"zip((X,8),(2,3))", "((X,2),(8,3)):((1,1),(X,2))", "((?,2),(8,3)):((1,1),(?,2))", ""},
		{"slice((1,(_,_)),(2,(3,4)):(K,(1,3)))", "(3,4):(1,3)", "", "the slice leaves out the offset K of the fixed modes: slice_and_offset returns both"},
		{"increment((2,0),(V,6))", "(3%V,floor(3/V))", "(?,?)", suffices("3 <= V")},
		{"ceil_div(M,T)", "ceil(M/T)", "?", "valid only if 1 <= M and 1 <= T"},
		{"shape_div(M,64)", "ceil(M/64)", "?", "valid only if 1 <= M and (64 | M or M | 64)"},
		{"K{div=8}/8", "K/8", "?", ""},
		// parentheses group run-time integers in the same way as known integers: (3+1)/2 is 2, 2*(3+1) and (3+1)*2 are
		// 8
		{"(M+1)/2", "floor((M+1)/2)", "?", suffices("0 <= M+1")},
		{"((M+1))/2", "floor((M+1)/2)", "?", suffices("0 <= M+1")},
		{"8/(M+1)", "floor(8/(M+1))", "?", suffices("1 <= M+1")},
		{"(M%4)%3", "(M%4)%3", "?", suffices("0 <= M")},
		{"2*(M+1)", "2M+2", "?{div=2}", ""},
		{"(M+1)*2", "2M+2", "?{div=2}", ""},
		{"8:(M+1)@1", "8:(M+1)@1", "8:?@1", ""},
		// evaluation and slices
		{"(M,K):(K,1)(m,k)", "K*m+k", "?", ""},
		{"(M,K):(K,1)(i)", "K*mod(i,M)+floor(i/M)", "?", suffices("0 <= i")},
		{"(M,K):(M@0,K@1)(i,j)", "(M*i,K*j)", "(?,?)", ""},
		{
			"(M,K):(K,1)(m,_)", "(K):(1)", "(?):(1)",
			"the slice leaves out the offset K*m of the fixed modes: slice_and_offset returns both",
		},
		{"(M,(2,N)):(1,(M,2M))(_,(0,_))", "(M,N):(1,2M)", "(?,?):(1,?{div=2})", ""},
		{"slice_and_offset((2,_), (M,K):(K,1))", "{(K):(1),2K}", "{(?):(1),?{div=2}}", ""},
		{"dice((_,1), (M,K):(K,1))", "(K):(1)", "(?):(1)", ""},
		{"idx2crd(i,(M,N))", "(i%M,floor(i/M))", "(?,?)", suffices("0 <= i")},
		// coalesce, composition and chains
		{"coalesce((M,K):(1,M))", "K*M:1", "?:1", ""},
		{"coalesce((?,2):(1,?))", "(?,2):(1,?)", "(?,2):(1,?)", ""},
		{"(M,K):(K,1) o (16:1,_)", "(16,K):(K,1)", "(16,?):(?,1)", ""},
		{"(4,8):(1,4) o 2:1 o 2:M", "2:M", "2:?", ""},
		{"(M,N):(1,4) o 8:1", "(min(M,8),floor(8/min(M,8))):(1,4)", "(?,?):(1,4)", "valid only if 8 <= M or M | 8"},
		{"(M{div=8},N):(1,4) o 8:1", "8:1", "8:1", ""},
		{"Sw<3,4,3> o M o (8,64):(64,1)", "Sw<3,4,3> o M o (8,64):(64,1)", "Sw<3,4,3> o ? o (8,64):(64,1)", ""},
		{"Sw<3,4,3> o (M,64):(64,1)", "Sw<3,4,3> o 0 o (M,64):(64,1)", "Sw<3,4,3> o 0 o (?,64):(64,1)", ""},
		{"(4,5):(1,4) o M o (2,3):(1,2)", "(4,5):(1,4) o M o (2,3):(1,2)", "(4,5):(1,4) o ? o (2,3):(1,2)", ""},
		{"(Sw<3,4,3> o M o (8,64):(64,1))(1,2)", "Sw<3,4,3>(M+66)", "?", suffices("0 <= M+66")},
		// divides and products
		{
			"zipped_divide((M,K):(K,1), (128,64))", "((128,64),(ceil(M/128),ceil(K/64))):((K,1),(128K,64))",
			"((128,64),(?,?)):((?,1),(?{div=128},64))", "padded unless 128 | M and 64 | K",
		},
		{
			"zipped_divide_exact((M,K):(K,1), (128,64))", "((128,64),(ceil(M/128),ceil(K/64))):((K,1),(128K,64))",
			"((128,64),(?,?)):((?,1),(?{div=128},64))", "valid only if 128 | M and 64 | K",
		},
		{"logical_divide(M{div=128}:1, 128:1)", "(128,M/128):(1,128)", "(128,?):(1,128)", ""},
		{"logical_product((8,8):(1,8), (M,N):(1,M))", "((8,8),(M,N)):((1,8),(64,64M))", "((8,8),(?,?)):((1,8),(64,?{div=64}))", ""},
		{"tile_to_shape((8,64):(64,1),(128,64,s))", "((8,16),(64,1),(1,s)):((64,512),(1,0),(0,8192))", "((8,16),(64,1),(1,?)):((64,512),(1,0),(0,8192))", ""},
		// common parts of operands, inverses in gaps, tiles and complements along axes, chains of functions
		{"max_common_vector((M,4):(1,M),(M,4):(1,M))", "4M", "?{div=4}", ""},
		{"max_common_layout((8,M):(1,8),(8,M):(1,LD))", "8:1", "8:1", suffices("LD != 8")},
		{"max_common_vector(M:1,8:1)", "8", "8", suffices("8 <= M")},
		{"common_refinement((M,4),4M)", "(M,4)", "(?,4)", ""},
		{"compatible((M,4),((2,3),4))", "M == 6", "M == 6", ""},
		{"left_inverse((4,M):(1,8))", "(8,M):(1,4)", "(8,?):(1,4)", ""},
		{"left_inverse((M,K):(LD,1))", "(LD,M):(M,1)", "(?,?):(?,1)", suffices("K <= LD")},
		{"complement((4,2):(1@0@0,1@1),((8,M),6))", "((2,M),3):((4@0@0,1@1@0),2@1)", "((2,?),3):((4@0@0,1@1@0),2@1)", ""},
		{"complement_exact(8:1, M)", "ceil(M/8):8", "?:8", "valid only if 8 | M"},
		{"logical_divide((8,M):(1,8),(2,2):(1@0,1@1))", "((2,2),(4,ceil(M/2))):((1,8),(2,16))", "((2,2),(4,?)):((1,8),(2,16))", "padded unless 2 | M"},
		{"Sw<3,3,3> o 0 o (8:2) o 0 o M:1", "Sw<3,3,3> o 0 o 8:2 o 0 o M:1", "Sw<3,3,3> o 0 o 8:2 o 0 o ?:1", ""},
		{"composition(Sw<3,3,3> o 0 o 64:2 o 0 o 8:1, M:1)", "Sw<3,3,3> o 0 o 64:2 o 0 o M:1", "Sw<3,3,3> o 0 o 64:2 o 0 o ?:1", ""},
		{"(Sw<3,3,3> o 0 o 64:2 o 4 o M:1)(M-1)", "Sw<3,3,3>(2M+6)", "?", ""},
		// truth values
		{"M == M", "true", "", ""},
		{"M+1 == M", "false", "", ""},
		{"M == N", "M == N", "M == N", ""},
		{"elem_less((i,j),(M,K))", "i+1 <= M and j+1 <= K", "i+1 <= M and j+1 <= K", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q) = %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		if notes := strings.Join(r.Notes, "; "); r.Value.String() != tt.want || notes != tt.notes {
			t.Errorf("Eval(%q) = %s with %q, want %s with %q", tt.src, r.Value, notes, tt.want, tt.notes)
		}
		if static := tt.static; r.Static != static && !(r.Static == "" && static == tt.want) {
			t.Errorf("Eval(%q) is %q at trace time, want %q", tt.src, r.Static, tt.static)
		}
	}
}

// suffices is the note about a guard that is not exact.
func suffices(guard string) string {
	return "valid if " + guard + " (sufficient, not always necessary)"
}

// A refusal names the wrong name, fact or value.
func TestDynamicErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, code, part string }{
		{"equivalent((M,K):(K,1), (M,K):(1,M))", "unknown", "depends on the run-time integers"},
		{"(K{>=4},K{<=2})", "fact", "K{<=2} contradicts K{>=4}"},
		{"(K{div=3,>=1,<=8},K{div=4})", "fact", "K{div=4} contradicts K{div=3,>=1,<=8}"},
		{"let a = K:1; K{div=8}:1", "fact", "K was K{>=1} before: it cannot be K{div=8} now"},
		{"(K{>=9,<=4},2)", "fact", "no integer is at least 9 and at most 4"},
		{"(K{div=8,>=1,<=7},2)", "fact", "no multiple of 8"},
		{"?{div=8,>=1,<=7}:1", "fact", "no multiple of 8"},
		{"let M = 4; M{div=2}", "name", "M is taken"},
		{"size{div=2}:1", "name", "size is taken"},
		{"size:1", "name", "size is a function"},
		{"A", "name", "A is not a function of the language and not bound by let"},
		{"A o B", "name", "A is not"},
		{"coalesce(A)", "name", "A is not"},
		{"4:1 o A", "name", "A is not"},
		{"let A = M; A o 4:1", "name", "M is not bound by let, and a layout is expected"},
		{"let A = M; 4:1 o A", "name", "M is not bound by let, and a layout is expected"},
		{"image((M,2):(1,M))", "unknown", "image: needs integers that are known, found (M,2):(1,M), where M is not"},
		{"holes((M,2):(1,M))", "unknown", "holes: needs integers that are known"},
		{"left_inverse((M,2):(1@0,D@1))", "unknown", "needs known integers"},
		{"holes(Sw<2,0,2> o K o (M,N):(1,M))", "unknown", "where K, M, N are not"},
		{"max_common_vector((M,2):(1@0,1@1),M:1)", "codomain", "coordinates are not counted"},
		{"common_refinement((M,N),(N,M))", "unknown", "which of M and N divides the other"},
		{"common_refinement((M,4),(M,6))", "unknown", "neither of 4 and 6 divides the other"},
		{"complement(2:1@2,(M,N))", "not_congruent", "do not address the cotarget"},
		{"(M,K):(M)", "not_congruent", "(M,K) and (M)"},
		{"(M,0):(1,1)", "extent", "an extent is at least 1, found 0"},
		{"M{<=0}:1", "extent", "an extent is at least 1"},
		{"(2,2):(M,1@0)", "codomain", "(M,1@0)"},
		{"(M,K)/2", "type", "/ takes integers"},
		{"(M,K)@0", "type", "an axis is scaled by an integer"},
		{"M/0", "negative", "divide M by, found 0"},
		{"shape_div(M,0)", "negative", "divide M by, found 0"},
		{"9223372036854775807M*4", "overflow", "64 bits"},
		{"complement((4294967296M,2):(4294967296,4294967296M),8)", "overflow", "64 bits"},
		{"(M,K):(K,1)((1,2,3))", "not_congruent", "expected 2 coordinates"},
		{"get<2>((M,K))", "mode", "numbered from 0"},
	} {
		_, err := eval.Eval(tt.src)
		e, ok := errors.AsType[*eval.Error](err)
		if !ok || string(e.Err.Code) != tt.code || !strings.Contains(e.Error()+e.Err.Hint, tt.part) {
			t.Errorf("Eval(%q) = %v, want %s with %q", tt.src, err, tt.code, tt.part)
			continue
		}
		if e.Pos < 0 || e.End > len(tt.src) || e.Pos >= e.End {
			t.Errorf("Eval(%q): the place [%d, %d) is not in the source", tt.src, e.Pos, e.End)
		}
	}
}

// The test checks that a name keeps its meaning and its facts in later programs.
func TestDynamicSession(t *testing.T) {
	t.Parallel()
	var e eval.Env
	for _, step := range []struct{ src, want string }{
		{"let a = (M,K{div=8}):(K,1)", "(M,K):(K,1)"},
		{"size(a)", "K*M"},
		{"a o (8,_)", "(8,K):(K,1)"},
		{"upcast<8>(a)", "(M,K/8):(K/8,1)"},
		{"let a = 4:1", "4:1"},
		{"a o 2", "2:1"},
		{"?:1", "?:1"},
	} {
		rs, err := e.Eval(step.src)
		if err != nil || rs[0].Value.String() != step.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", step.src, rs, err, step.want)
		}
	}
	if got := e.Vars(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("Vars() = %q, want a: symbols are not bound", got)
	}
}

// The test checks that a property that holds for all values, or for no values, is reported as such, and any other
// property with its exact condition. Padding is reported even if the number of tiles is known to be 1.
func TestDynamicVerdicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, notes string }{
		{"is_injective((Q{>=4,<=64},2):(5,2))", "true", ""},
		{"is_injective((Q,2):(5,2))", "true", ""},
		{"is_injective((M,4):(1,8))", "M <= 8", ""},
		{"is_injective((M{<=4},3):(2,3))", "M <= 3", ""},
		{"is_injective((M,N):(1@0,1@1))", "true", ""},
		{"is_injective((2,M):(N,8N))", "N != 0 and (M <= 1 or 8N != 0)", ""},
		{"is_bijective((K{div=8},4):(2,5))", "false", ""},
		{"is_bijective((M,4):(1,8))", "4M == M+24 and M <= 8", ""},
		{"is_bijective((M,N):(N,1))", "true", ""},
		{"is_bijective((M,N):(-N,1))", "M <= 1 and M*N == -M*N+2N", ""},
		{"is_compact((M,N):(-N,1))", "true", ""},
		{"is_compact((M,K):(2K,1))", "K*M == 2K*M-K", ""},
		{"is_surjective((4,M):(4,5))", "false", ""},
		{"is_surjective((M,4):(1,K))", "0 <= K and K <= M", ""},
		{"max_common_layout((M,2):(2,1),(2,2,8):(1,2,4))", "1:0", suffices("32 <= 2M and (32 <= M or M | 32) and 2 <= min(M,32)")},
		{"max_common_vector(4:1,(8,4):(N,1))", "1", suffices("N != 1 and N != 4")},
		{"right_inverse((8,4):(N,1))", "4:8", suffices("N != 1 and N != 4")},
		{"downcast<2>((M,8,4):(1,M,M*8))", "(2M,8,4):(1,2M,16M)", suffices("M != 1")},
		{ // right at M = 3
			"(M,8):(2,2) o 2:4", "(min(ceil(M/4),2),floor(2/min(ceil(M/4),2))):(8,2*ceil(4/M))",
			suffices("5 <= M or M | 4 or (4 | M and ceil(M/4) | 2)"),
		},
		{"logical_divide(Q{<=8}:1, 8:1)", "(8,1):(1,0)", "padded unless 8 | Q"},
		{"logical_divide((Q{<=64},4):(1,64),<64,2>)", "((64,1),(2,2)):((1,0),(64,128))", "padded unless 64 | Q"},
		{"zipped_divide(Q{>=4,<=64}:1,(8,8):(1,8))", "((8,8),1):((1,8),0)", "padded unless 64 | Q"},
		{"tiled_divide(Q{<=8}:1,8:1)", "(8,1):(1,0)", "padded unless 8 | Q"},
		{"flat_divide(Q{<=8}:1,8:1)", "(8,1):(1,0)", "padded unless 8 | Q"},
		{"logical_divide_exact(Q{<=8}:1, 8:1)", "(8,1):(1,0)", "valid only if 8 | Q"},
		{"logical_product((M,N),<TM,TN>)", "((M,TM),(N,TN)):((1,M),(M,1))", suffices("TN <= M")},
		{"zipped_product((M,N),<TM,TN>)", "((M,N),(TM,TN)):((1,M),(M,1))", suffices("TN <= M")},
		{"tiled_product((M,N),<TM,TN>)", "((M,N),TM,TN):((1,M),M,1)", suffices("TN <= M")},
		{"flat_product((M,N),<TM,TN>)", "(M,N,TM,TN):(1,M,M,1)", suffices("TN <= M")},
		{"zipped_product((M{div=8},N),<4,8>)", "((M,N),(4,8)):((1,M),(M,1))", ""},
		{"shape(zipped_product((M,N):(D0,D1),<TM,TN>))", "((M,N),(TM,TN))", suffices("TM <= D0 and TN <= D1")},
		{"shape(logical_product((M,N):(?,?),<TM,TN>))", "((M,TM),(N,TN))", suffices("TM <= ?1 and TN <= ?2")},
		{"shape(logical_product(M:?,N:?))", "(M,N)", suffices("1 <= ?1 and 0 <= ?2 and ?2*N-?2+1 <= ?1")},
		{"blocked_product((M,N):(S,1),(TM,TN))", "((M,TM),(N,TN)):((S,N),(1,N*TM))", suffices("N | S and N*TM*TN <= S")},
		{"logical_product((M,N):(A,B),4)", "((M,N),4):((A,B),1)", suffices("A <= B and 4 <= A and A*M | B and 1 <= B")},
	} {
		r, err := eval.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q) = %v, want %s", tt.src, err, tt.want)
			continue
		}
		if notes := strings.Join(r.Notes, "; "); r.Value.String() != tt.want || notes != tt.notes {
			t.Errorf("Eval(%q) = %s with %q, want %s with %q", tt.src, r.Value, notes, tt.want, tt.notes)
		}
	}
}

// The test checks that nothing is claimed if too little is known. The error names no other function, and does not show
// the numbers that rearrange gives to leaves.
func TestDynamicDoubts(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"is_injective((M,N):(1,K))", "is_surjective((M,N):(K,5))", "raked_product(M:5,(P{div=4},6):(N,1))", "inverse(Q:N)",
		"(2,2,2):(1,1,N) o 3:3", "complement((M,2):(2,3),12)", "logical_divide_exact((4,3):(1,K), 6:1)",
	} {
		_, err := eval.Eval(src)
		e, ok := errors.AsType[*eval.Error](err)
		name, _, called := strings.Cut(src, "(")
		if !called || name == "" {
			name = "composition"
		}
		if !ok || e.Err.Code != cute.CodeUnknown || e.Err.Op != name || e.Err.Witness != nil || strings.Contains(e.Error(), "@") {
			t.Errorf("Eval(%q) = %v, want unknown of %s", src, err, name)
		}
	}
}
