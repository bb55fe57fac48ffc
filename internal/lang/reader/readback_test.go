package reader_test

import (
	"slices"
	"testing"

	"girih/internal/lang/reader"
)

// TestIntegersOfSource reads integers of C++ and Python. Names and arithmetic on names stay; other source becomes ?,
// and a note says so.
func TestIntegersOfSource(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"M": "M", "kBlockM": "kBlockM", "n0": "n0", "8 * M": "8*M", "M * K": "M*K", "M + 1": "M+1", "(M + 7) * 2": "(M+7)*2",
		"-M": "-M", "-1 * M": "-M",
		"K / 64": "floor(K/64)", "K // 64": "floor(K/64)", "(M + 1) // (8 * T)": "floor((M+1)/(8*T))", "M % 4": "M%4",
		"8 * (K // 64)":    "8*floor(K/64)",
		"ceil_div(M, 128)": "ceil(M/128)", "cute.ceil_div(M, 128)": "ceil(M/128)",
		"cute::ceil_div(M, Int<128>{})": "ceil(M/128)", "-(-M // 128)": "ceil(M/128)",
		"-(-(M + 1) // 128)": "ceil((M+1)/128)", "-(-300 // 128)": "3", "cute::min(M, 8)": "min(M,8)", "max(M, 8)": "max(M,8)",
		"cute.assume(K, divby=64)": "K{div=64}", "cute.assume(8 * K, divby=8)": "8*K", "Int<kN>{}": "kN",
		"x.m": "?", "s.shape[1] // 128": "?", "f(M)": "?", "size(A)": "?", "Traits::kM": "?", "a[0] + 1": "?", "-a[0]": "?",
		"ceil_div(f(M), 4)": "?", "size": "?",
	} {
		for _, text := range []string{"cute.make_layout((" + src + ", 4), stride=(8, 128))", "make_layout(make_shape(" + src +
			", _4{}), make_stride(_8{}, Int<128>{}))"} {
			if got := first(reader.Read(text)); got != "("+want+",4):(8,128)" {
				t.Errorf("%s: the layout of %s is read as %s", text, want, got)
			}
		}
	}
}

// TestShown reads the output of girih show --as for values with a form of their own.
func TestShown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		// These comments contain facts that a variable cannot have.
		"make_layout(make_shape(K, n0), make_stride(n1, Int<1>{}))  // K % 64 == 0; n0: run-time int; n1: run-time int64_t; n1 % 8 == 0": {
			"(K{div=64},?):(?{i64 div=8},1)",
		},
		"Layout((is_, 4), (1, is_))  # is_ stands for is":                                               {"(is,4):(1,is)"},
		"make_layout(cute::min(M, 8), Int<1>{})  // cute::min(M, 8): int32_t; cute::min(M, 8) % 2 == 0": {"min(M,8):1"},
		"make_layout(M, Int<1>{})  // the layout 4:1 is wrong":                                          {"M:1", "4:1"},
		"Layout((M, 4), (1, M))  # 8 == 0":                                                              {"(M,4):(1,M)"},
		"(n0, 4)  # n0: run-time int\n(2,3)":                                                            {"(?,4)", "(2,3)"},
		// The layout atoms of shared memory keep their type.
		"tile_to_shape(GMMA::Layout_K_SW128_Atom<cutlass::half_t>{}, Shape<_128,_64>{}, Step<_2,_1>{})": {
			"tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>,(128,64),(2,1))",
		},
		"tile_to_shape(UMMA::Layout_K_SW64_SpAtom<half_t, 2>{}, make_shape(_128{}, _64{}))": {
			"tile_to_shape(UMMA::Layout_K_SW64_SpAtom<half_t,2>,(128,64))",
		},
		"cutlass::gemm::collective::detail::ss_smem_selector<GMMA::Major::K, half_t, _128, Int<64>>()": {
			"ss_smem_selector(K,half_t,128,64)",
		},
		"cute.tile_to_shape(make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.MN_SW64, cutlass.Float16), (64, 8, 3), order=(0, 1, 2))": {
			"tile_to_shape(make_smem_layout_atom(MN_SW64,Float16),(64,8,3),(0,1,2))",
		},
		// These strides are multiples of unit coordinates.
		"cute.make_layout((2, M), stride=(-1 * cute.E(0), M * cute.E([1, 0])))":                         {"(2,M):(-1@0,M@0@1)"},
		"make_layout(make_shape(M, K), make_stride(K * E<0>{}, (N + 1) * E<1,0>{}))":                    {"(M,K):(K@0,(N+1)@0@1)"},
		"make_layout(make_shape(M, 2), make_stride(f(x) * E<0>{}, -3 * E<1>{}))":                        {"(M,2):(?@0,-3@1)"},
		"cute.make_layout((M, 2), stride=(cute.assume(M, divby=8) * cute.E(0), cute.E(1)))":             {"(M,2):(M{div=8}@0,1@1)"},
		"composition(Swizzle<3,4,3>{}, K, Layout<_8,_1>{})  // K % 8 == 0":                              {"Sw<3,4,3> o K{div=8} o 8:1"},
		`{"kind":"layout","shape":[2,{"sym":"M"}],"stride":[1,2],"static":false}`:                       {"(2,M):(1,2)"},
		"{\n  \"kind\": \"layout\",\n  \"shape\": [2, 3],\n  \"stride\": [3, 1]\n}":                     {"(2,3):(3,1)"},
		`see {"kind":"int","value":{"sym":"?","div":8,"bits":64}} and {"kind":"int","value":4}`:         {"?{i64 div=8}", "4"},
		`{"kind":"coord","value":[null,{"sym":"M"}]}`:                                                   {"(_,M)"},
		`{"kind":"layout","shape":2,"stride":{"sum":[{"scale":{"sym":"N+1"},"path":[1,0]}]}}`:           {"2:(N+1)@0@1"},
		`{"kind":"layout","shape":2,"stride":{"sum":[{"scale":1,"path":[0]},{"scale":-2,"path":[1]}]}}`: {"2:1@0-2@1"},
		`{"kind":"tile","modes":[{"kind":"swizzle","b":3,"m":4,"s":3},null]}`:                           {"<Sw<3,4,3>,_>"},
		`{"kind":"error","value":"(2,3):(3,1)"}`:                                                        {"(2,3):(3,1)"},
		`{"kind":"layout","shape":[1.5],"stride":[1]}`:                                                  nil,
		`{"kind":"int","value":{"sym":"M"}}`:                                                            {"M"},
		`$M$`:                                                                                           {"M"},
		// Mathematics.
		`$\mathrm{Sw}\langle 3,4,3\rangle \circ 0 \circ (8,64){:}(64,1)$`:                       {"Sw<3,4,3> o 0 o (8,64):(64,1)"},
		`$(\lceil M / 128 \rceil,\mathrm{num\_rows}){:}(1,8\,M)$`:                               {"(ceil(M/128),num_rows):(1,8*M)"},
		`$(M,4){:}(M\,\mathbf{e}_{0}-2\,\mathbf{e}_{1},\mathbf{e}_{1,0})$`:                      {"(M,4):(M@0-2@1,1@0@1)"},
		`the tile $\langle M,\, \_,\, 4{:}1\rangle$ of $(2,3){:}(3,1)$ costs $4 and $5 at most`: {"<M,_,4:1>", "(2,3):(3,1)"},
		`$(M \bmod 4,\min(M, 8)){:}(1,-\mathbf{e}_{0})$`:                                        {"(M%4,min(M,8)):(1,-1@0)"},
		`$\frac{1}{2}$`: nil,
		// These texts are Go and Triton.
		`l := cute.MustParse("(2,3):(3,1)")`:                                 {"(2,3):(3,1)"},
		`cute.MakeTile(cute.MustParse("4:1"), cute.MustParseTuple("(2,8)"))`: {"<4:1,(2,8)>"},
		"w0, err := cute.NewSwizzle(3, 4, 3)\nif err != nil {\n\treturn err\n}\n" +
			`c0, err := cute.NewComposed(w0, cute.Int(0), cute.MustParse("(8,64):(64,1)"))`: {"Sw<3,4,3> o 0 o (8,64):(64,1)"},
		`LinearLayout.from_bases([("index", [[1, 0], [0, 2]])], ["dim0", "dim1"], [2, 4], False)`:                 {"linear{index=[[1,0],[0,2]], out=[dim0:2,dim1:4]}"},
		`LinearLayout.from_bases([("register", [[1]]), ("lane", [])], ["offset"], [2], require_surjective=False)`: {"linear{register=[[1]], lane=[], out=[offset:2]}"},
	} {
		var got []string
		for _, it := range reader.Read(text).Items {
			got = append(got, it.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Read(%q)\n got %q\nwant %q", text, got, want)
		}
	}
}
