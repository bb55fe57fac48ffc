package service_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/finding"
	"girih/internal/service"
)

// TestAssertionRows checks that the example of each row holds, and that the same words fail on a layout for which they
// are false.
func TestAssertionRows(t *testing.T) {
	t.Parallel()
	fails := map[string]string{
		"conflict-free": "(8,64):(64,1)", "at-most": "(32,32):(32,1)", "coalesced": "(64,64):(64,1)",
		"legal": "(64,64):(72,1)", "equals": "8:2", "holds": "(8,64):(0,1)", "golden": "",
	}
	for _, r := range service.AssertionRows() {
		x := examineAssertion(r.Layout, r.Words)
		if len(x.Findings) > 0 || len(x.Values) != 1 || x.Values[0].Text == "" {
			t.Errorf("%s of %s: %+v", r.Words, r.Layout, x)
		}
		bad, ok := fails[r.Name]
		if bad == "" {
			if !ok {
				t.Errorf("%s: there is no layout for which it is false", r.Name)
			}
			continue
		}
		x = examineAssertion(bad, r.Words)
		if len(x.Findings) != 1 || x.Findings[0].Rule != r.Name || x.Findings[0].Severity != finding.Error ||
			x.Findings[0].Message == "" {
			t.Errorf("%s of %s: %+v", r.Words, bad, x)
		}
	}
}

func examineAssertion(layout, words string) service.Examination {
	return new(service.Session).ExamineAssertion(service.AssertionAt{Name: words, Layout: layout, Words: words})
}

// TestAssertionRefused checks that an assertion without an answer is a finding that says why.
func TestAssertionRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, words, rule, message string }{
		{"(8,64):(64,1)", "conflict-fre f16 ld", "assertion", "expected an assertion: conflict-free, "},
		{"(8,64):(64,1)", "", "assertion", "expected an assertion: "},
		{"(8,64):(64,1)", "conflict-free f16", "undecided", "expected a type and an access"},
		{"(8,64):(64,1)", "conflict-free f17 ld", "undecided", "f17"},
		{"(8,64):(64,1)", "conflict-free f16 ld rows", "undecided", "expected by THREADS or on TARGET"},
		{"(8,64):(64,1)", "conflict-free f16 ld on sm12", "undecided", "sm12"},
		{"(8,64):(64,1)", "at-most two f16 ld", "undecided", "such as 2-way"},
		{"(8,64):(64,1)", "legal wgmma", "undecided", "expected an instruction, an operand and a type"},
		{"(8,64):(64,1)", "holds size(layout)", "undecided", "expected true or false"},
		{"(8,64):(64,1)", "equals", "undecided", "expected an expression"},
		{"(8,M):(M,1)", "conflict-free f16 ld", "undecided", "M"},
		{"(8,", "golden", "undecided", "expected"},
	} {
		x := examineAssertion(c.layout, c.words)
		if len(x.Findings) != 1 || len(x.Values) != 0 || x.Findings[0].Rule != c.rule ||
			!strings.Contains(x.Findings[0].Message, c.message) {
			t.Errorf("%q of %s: %+v", c.words, c.layout, x)
		}
	}
}

// TestAssertionOfAll checks that each access of a list has to hold, and that the finding is about the worst.
func TestAssertionOfAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, words, message string }{
		{"(32,32):(32,1)", "conflict-free f32 ld@cols,ld@rows", "ld of f32 is 32-way"},
		{"(32,32):(32,1)", "coalesced f32 ld@cols,st@rows", "st of f32 moves"},
	} {
		x := examineAssertion(c.layout, c.words)
		if len(x.Findings) != 1 || !strings.Contains(x.Findings[0].Message, c.message) {
			t.Errorf("%q of %s: %+v", c.words, c.layout, x)
		}
	}
}

// TestExamineSource checks which layout an assertion is about: "LINE RULE" for each finding.
func TestExamineSource(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	const atom = "auto l = tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, make_shape(Int<N>{}, Int<64>{}));"
	for name, c := range map[string]struct{ file, text, want string }{
		"beside": {"a.cu", "using L = Layout<Shape<_8,_64>, Stride<_64,_1>>; // girih: conflict-free f16 ldmatrix.x4", "1 conflict-free"},
		"above":  {"a.cu", "// girih: conflict-free f16 ldmatrix.x4\n\n// the tile\nusing L = Layout<Shape<_8,_64>, Stride<_64,_1>>;", "1 conflict-free"},
		"lines": {"a.h", "/* girih: equals (8,64):(64,1) */\nauto l = make_layout(make_shape(Int<8>{}, // rows\n  Int<64>{}),\n" +
			"  LayoutRight{});\n", ""},
		"end_of_lines": {"a.h", "auto l = make_layout(make_shape(Int<8>{},\n  Int<64>{}),\n  LayoutRight{}); // girih: equals (8,64):(1,8)", "3 equals"},
		"names": {"a.h", "#define K 64\nstatic constexpr int kSw = K == 64 ? 3 : 2;\nusing A = decltype(composition(Swizzle<kSw,3,3>{}, " +
			"Layout<Shape<_8,Int<K>>, Stride<Int<K>,_1>>{}));\n// girih: equals Sw<3,3,3> o 0 o (128,64):(64,1)\n" +
			"using T = decltype(tile_to_shape(A{}, Shape<_128,Int<K>>{}));", ""},
		"twice":           {"a.h", "constexpr int K = 32;\nconstexpr int K = 64;\n// girih: equals 64:1\nauto l = make_layout(Int<K>{});", "3 undecided"},
		"the_nearest":     {"a.py", "K = 32\nK = 64\nl = make_layout(K) # girih: equals 64:1\nK = 16", ""},
		"its_own_name":    {"a.h", "auto l = something(else);\nconstexpr int K = 64;\n// girih: equals 64:1\nauto l = make_layout(Int<K>{});", ""},
		"given":           {"a.h", "// girih: equals 64:1 with K=64\nauto l = make_layout(Int<K>{});", ""},
		"given_over":      {"a.h", "constexpr int K = 32;\n// girih: equals 64:1 with K=64\nauto l = make_layout(Int<K>{});", ""},
		"given_types":     {"a.h", "// girih: legal wgmma B f16 with T=half_t, N=64\n" + atom, ""},
		"not_given":       {"a.h", "// girih: equals 64:1\nauto l = make_layout(Int<K>{});", "1 undecided"},
		"array":           {"a.cu", "const int N = 32;\n__shared__ float t[N][N + 1]; // girih: equals (32,32):(33,1)\n", "2 equals"},
		"array_of_bytes":  {"a.cu", "__shared__ alignas(16) unsigned char t[2][N];// girih: equals (2,8):(8,1) with N=8\n", "1 undecided"},
		"padded_array":    {"a.cu", "__shared__ float t[32][33]; // girih: equals (32,33):(33,1)\n", ""},
		"python":          {"a.py", "K = 64\n# girih: equals (128,64):(64,1)\nl = cute.make_layout(\n    (128, K),  # rows\n    stride=(K, 1),\n)\n", ""},
		"python_given":    {"a.py", "    l = cute.make_layout((128, K), stride=(K, 1))  # girih: equals (128,64):(64,1) with K=64\n", ""},
		"of":              {"a.py", "# girih: equals 8:1 of ((2,2),2):((1,2),4)", ""},
		"of_wrong":        {"a.py", "x = 1 # girih: equals 8:1 of 8:2", "1 equals"},
		"two_on_one":      {"a.h", "// girih: golden\n// girih: equals 8:2\nauto l = make_layout(Int<8>{});", "2 equals"},
		"nothing_below":   {"a.h", "// girih: golden\n", "1 undecided"},
		"no_layout":       {"a.h", "// girih: golden\nfoo(bar);\n", "1 undecided"},
		"among_others":    {"a.h", "auto t = p.tile(Layout<Shape<_8,_64>, Stride<_64,_1>>{}, 3); // girih: equals (8,64):(64,1)", ""},
		"text":            {"a.go", `fmt.Println("// girih: bogus")`, ""},
		"words":           {"a.h", "// girih: bogus\nauto l = make_layout(Int<8>{});", "1 assertion"},
		"prose":           {"a.md", "# girih: a tool\n\n// girih: bogus\n", ""},
		"code_in_prose":   {"a.md", "```cpp\nauto l = make_layout(Int<8>{}); // girih: equals 8:2\n```\n", "2 equals"},
		"a_call":          {"a.h", "// girih: is_injective(sA)\n// Girih: of 8:1\n// girih: Conflict-free of 8:1", "1 assertion, 3 assertion"},
		"values":          {"a.py", "x # girih: (4,8):(8,1)\ny # girih: not_divisible\nz # girih: 4 | CuTe: 5", ""},
		"quoted_in_prose": {"a.md", "```\nauto l = make_layout(Int<8>{}); // girih: negative | CuTe: 8:2\n```\n", ""},
		"shown":           {"a.go", "//\t// girih: bogus\n# # girih: bogus\n * // girih: bogus", ""},
		"nothing_said":    {"a.py", "x = make_layout(4) # girih:", "1 assertion"},
		"glob_in_prose":   {"a.md", "src/*.cu\n```cpp\n// girih: equals 8:1\nauto l = make_layout(Int<8>{});\n```", ""},
		"quotation_marks": {"a.h", "char c = '\"'; auto l = make_layout(Int<8>{}); // girih: equals 8:2", "1 equals"},
		"escaped_marks":   {"a.h", "auto s = \"\\\"\"; // girih: equals 8:2 of 8:1", "1 equals"},
		"python_strings":  {"a.py", "s = 'the # girih: equals 8:2 of 8:1'\nc = '\"' # girih: equals 8:2 of 8:1", "2 equals"},
		"block_comment":   {"a.h", "/**\n * girih: equals 8:1\n * K = 4\n */\ntemplate <int K>\nusing L = Layout<Int<8>>;", ""},
		"in_comments":     {"a.h", "constexpr int K = 64;\n/*\n * K = 32\n */\n// girih: equals 64:1\nauto l = make_layout(Int<K>{});", ""},
		"in_docstrings":   {"a.py", "K = 64\n'''\nK = 32\n'''\nl = make_layout(K) # girih: equals 64:1", ""},
		"in_its_string":   {"a.py", "K = 64\ns = '''\nK = 32\nl = make_layout(K) # girih: equals 32:1\n'''\n", ""},
		"arguments":       {"a.py", "K = 64\nf('(',\n  K=32\n)\nl = make_layout(K) # girih: equals 64:1", ""},
		"changed":         {"a.py", "K = 32\nK *= 2\nl = make_layout(K) # girih: equals 32:1", "3 undecided"},
		"macro":           {"a.h", "#define J 32\n#define K J + 1\nauto l = make_layout(Int<K * 2>{}); // girih: equals 34:1", ""},
		"macros_for_ever": {"a.h", "#define J K K\n#define K J J\nauto l = make_layout(Int<K>{}); // girih: golden", "3 undecided"},
		"parameter":       {"a.cu", "using L = Layout<_8>;\ntemplate <class L> void f() {\nauto l = make_layout(L{}); // girih: golden\n}", "3 undecided"},
		"python_for":      {"a.py", "K = 8\nfor K in x:\n  l = make_layout(K) # girih: golden", "3 undecided"},
		"of_a_class":      {"a.cu", "constexpr int K = 8;\nauto l = make_layout(Int<K + T::K>{}); // girih: golden", "2 undecided"},
		"only_of_a_class": {"a.cu", "constexpr int K = 8;\nauto l = make_layout(Int<T::K>{}); // girih: golden", "2 undecided"},
		"two_meanings":    {"a.cu", "constexpr int K = 8;\nconstexpr int J = K;\nvoid f() {\nconstexpr int K = 4;\nauto l = make_layout(Int<K>{}, Int<J>{}); // girih: golden\n}", "5 undecided"},
		"hidden_word":     {"a.cu", "using _8 = Int<16>;\nvoid f(int p) { auto l = p.tile(Layout<Shape<_8,_64>, Stride<_64,_1>>{}); // girih: golden\n}", "2 undecided"},
		"hidden_type":     {"a.cu", "template <class half_t> void f() {\nauto l = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(Int<64>{}, Int<64>{})); // girih: golden\n}", "2 undecided"},
		"class_members":   {"a.cu", "template <int N> struct T {\nstatic constexpr int K = N;\nusing A = Layout<Int<K>>;\n// girih: equals 64:1 with N=64\nusing B = decltype(A{});\n};", ""},
		"before":          {"a.cu", "/* girih: equals 8:2 */ auto l = make_layout(Int<8>{});", "1 equals"},
		"before_of_lines": {"a.cu", "int x;\n/* girih: equals 8:2 */ auto l =\n  make_layout(Int<8>{});", "2 equals"},
		"before_nothing":  {"a.cu", "/* girih: equals 8:2 */ // and\nauto l = make_layout(Int<8>{});", "1 equals"},
		"in_the_middle":   {"a.cu", "f(3); /* girih: equals 8:2 */ auto l = make_layout(Int<8>{});", "1 assertion"},
		"two_in_a_line":   {"a.cu", "/* girih: golden */ auto l = make_layout(Int<8>{}); /* girih: golden */", "1 assertion"},
		"end_of_comment":  {"a.cu", "/*\n * girih: equals 8:2 */ auto l = make_layout(Int<8>{});", "2 equals"},
		"python_in_prose": {"a.md", "```python\nK = 8 # a\nl = make_layout((K,\n  2))  # girih: equals 16:2\n```\n", "4 equals"},
		"block_by_block":  {"a.md", "```cpp\nconstexpr int K = 8;\n```\n```cpp\nauto l = make_layout(Int<K>{}); // girih: golden\n```\n", "5 undecided"},
		"mark_of_utf8":    {"a.cu", "\ufeffconstexpr int K = 8;\nauto l = make_layout(Int<K>{}); // girih: equals 8:2", "2 equals"},
		"go":              {"a.go", "const K = 8\nl := make_layout(K) // girih: golden", "2 undecided"},
		"not_known":       {"a.h", "auto l = make_layout(Int<8>{}); // girih: holds size(layout) == N", "1 undecided"},
		"known":           {"a.h", "auto l = make_layout(Int<N>{}); // girih: holds size(layout) == N with N=8", ""},
		"other_languages": {"a.mlir", "// girih: equals 8:1 of 8:1\n-- girih: equals 8:2 of 8:1", "2 equals"},
	} {
		x := new(service.Session).ExamineSource(c.file, c.text)
		var got []string
		for _, f := range x.Findings {
			got = append(got, fmt.Sprintf("%d %s", f.Line, f.Rule))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q\n%s\n%+v", name, got, c.want, c.text, x.Findings)
		}
	}
}

// TestExaminePTX checks that PTX of another tool is no error, and that findings say where their rule is.
func TestExaminePTX(t *testing.T) {
	t.Parallel()
	s := new(service.Session)
	x := s.ExaminePTX("k.ptx", "\n<html>")
	if len(x.Findings) != 1 || x.Findings[0].Rule != "unread" || x.Findings[0].Severity != finding.Warning ||
		x.Findings[0].Line != 2 {
		t.Errorf("%+v", x)
	}
	x = s.ExaminePTX("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.shared .align 16 .b32 s[8];\n"+
		".reg .b64 %a;\nld.shared.u64 %a, [s+4];\nret;\n}\n")
	if len(x.Findings) != 1 || x.Findings[0].Severity != finding.Error || x.Findings[0].Line != 7 ||
		x.Findings[0].Hint == "" || x.Findings[0].Text != "ld.shared.u64 %a, [s+4];" {
		t.Errorf("%+v", x)
	}
}

// TestExamineRun checks the findings of a run: grades, outputs, guesses and findings that the description expects.
func TestExamineRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ run, want string }{
		"right":     {`{"grid": 1, "block": 1, "buffers": [{"name": "x", "type": "u32", "values": [9]}], "params": [{"kind": "buffer", "buffer": "x"}], "outputs": [{"buffer": "x", "values": [0]}]}`, ""},
		"wrong":     {`{"grid": 1, "block": 1, "buffers": [{"name": "x", "type": "u32", "values": [9]}], "params": [{"kind": "buffer", "buffer": "x"}], "outputs": [{"buffer": "x", "values": [7]}]}`, "r.json:1 error output"},
		"unstarted": {`{"block": 1}`, "r.json:1 error unread"},
		"certain":   {`{"block": 1, "params": [{"kind": "scalar", "type": "u64", "value": 1000}]}`, "k.ptx:7 error out-of-bounds"},
		"expected":  {`{"block": 1, "params": [{"kind": "scalar", "type": "u64", "value": 1000}], "findings": [{"kind": "out-of-bounds", "line": 1}]}`, ""},
		"missed":    {`{"block": 1, "params": [{"kind": "scalar", "type": "u64", "value": 1000}], "findings": [{"kind": "race", "line": 1}]}`, "k.ptx:7 error out-of-bounds, r.json:1 error output"},
	} {
		x := new(service.Session).ExamineRun("r.json", "k.ptx", service.SimRequest{PTX: lastWriter, Run: c.run})
		var got []string
		for _, f := range x.Findings {
			got = append(got, fmt.Sprintf("%s:%d %s %s", f.Path, f.Line, f.Severity, f.Rule))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q: %+v", name, got, c.want, x)
		}
	}
}

// TestExamineGuesses checks that a finding that depends on what init made up is no error.
func TestExamineGuesses(t *testing.T) {
	t.Parallel()
	s := new(service.Session)
	beyond := strings.Replace(lastWriter, "[%a], %b", "[%a+1048576], %b", 1)
	init := s.Sim(service.SimRequest{PTX: beyond, Init: true})
	x := s.ExamineRun("r.json", "k.ptx", service.SimRequest{PTX: beyond, Run: init.Skeleton})
	if len(x.Findings) != 1 || x.Findings[0].Severity != finding.Warning || !strings.Contains(x.Findings[0].Hint, "made up") {
		t.Errorf("%+v\n%s", x, init.Skeleton)
	}
}

// TestFindingRules checks that each rule has one row and a sentence.
func TestFindingRules(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range service.FindingRules() {
		if seen[r.Name] || r.Says == "" {
			t.Errorf("%+v", r)
		}
		seen[r.Name] = true
	}
	if len(seen) < 30 {
		t.Errorf("%d rules", len(seen))
	}
}
