package vectors

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"girih/internal/check/long"
)

// repositoryFiles are the files of the conformance folder that are run.
var repositoryFiles = []string{
	"algebra.jsonl", "seed_cases.json", "user_cases.json", "bug_cases.json",
	"notations.json", "cute/cpp_unit.tsv", "cute/cute_ir_ok.tsv", "cute/cute_ir_err.tsv", "cute/print_layout.txt", "cute/print_tensor.txt",
	"hardware/h200_shared_memory.jsonl", "hardware/h200_memory.jsonl", "hardware/h200_instructions.jsonl",
	"hardware/h200_descriptors.jsonl", "hardware/h200_tensormaps.jsonl",
	"linear_layout_cases.json", "peers/suites.jsonl",
	"cute/mma_atoms_warp.tsv", "cute/mma_atoms_gmma.tsv", "cute/mma_atoms_gmma_ext.tsv", "cute/mma_atoms_gmma_sparse.tsv",
	"cute/mma_atoms_gmma_sparse_ext.tsv", "cute/copy_atoms.tsv", "cute/cpp_golden.txt", "cute/tiled_mma_copy.txt",
}

// sampled are files whose rows take long, with the part of a row that names its kind: by default the first row of each
// kind is run, and every nth of the others. TestCompatibilityTables runs all.
var sampled = map[string]struct {
	n    int
	kind *regexp.Regexp
}{
	"hardware/h200_instructions.jsonl": {20, regexp.MustCompile(`"family":"[^"]*"|$`)},
	"hardware/h200_descriptors.jsonl":  {20, regexp.MustCompile(`"family":"[^"]*"|$`)},
	"cute/cute_ir_ok.tsv":              {4, regexp.MustCompile(`^\S+\t\S+\t\S+`)},
	"cute/cute_ir_err.tsv":             {4, regexp.MustCompile(`^\S+\t\S+\t\S+`)},
}

// sampleOf returns the lines of a file that are run.
func sampleOf(name string, data []byte) []byte {
	sample, ok := sampled[name]
	if !ok {
		return data
	}
	var kept []byte
	rows := map[string]int{} // by kind
	for line := range bytes.Lines(data) {
		kind := string(sample.kind.Find(line))
		kind = kind[strings.LastIndex(kind, "\t")+1:]
		if !long.Skips(rows[kind], sample.n) {
			kept = append(kept, line...)
		}
		rows[kind]++
	}
	return kept
}

// reports holds the report of every file that a test has asked for, so that a file is run only once.
var reports sync.Map

// runFile runs a file of the conformance folder, once for all tests.
func runFile(t *testing.T, name string) *Report {
	t.Helper()
	once, _ := reports.LoadOrStore(name, sync.OnceValues(func() (*Report, error) {
		data, err := os.ReadFile("../../../conformance/" + name)
		if err != nil {
			return nil, err
		}
		return Run(name, bytes.NewReader(sampleOf(name, data)))
	}))
	r, err := once.(func() (*Report, error))()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRepository(t *testing.T) {
	t.Parallel()
	for _, name := range repositoryFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runFile(t, name)
			for _, f := range r.Failures {
				t.Errorf("%s: %s\n got  %s\n want %s\n %s", f.ID, f.Expr, f.Got, f.Want, f.Why)
			}
			t.Logf("%d rows: %d passed, %d documented, %d skipped", r.Rows(), r.NumPassed(), r.NumDocumented(), r.NumSkipped())
			for _, d := range r.Differences {
				t.Logf("%5d %s", d.Count, d.Kind)
			}
			for _, s := range r.Skips {
				t.Logf("%5d skipped: %s", s.Count, s.Reason)
			}
		})
	}
}

// TestRepositoryComplete checks that every file of the folder is run, or is refused as not run yet.
func TestRepositoryComplete(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"", "cute/", "hardware/", "peers/"} {
		entries, err := os.ReadDir("../../../conformance/" + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := dir + e.Name()
			if e.IsDir() || strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".sh") || isRun(name) {
				continue
			}
			f, err := os.Open("../../../conformance/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Run(name, f); !errors.Is(err, ErrNotRun) {
				t.Errorf("%s: %v, want ErrNotRun", name, err)
			}
			f.Close()
		}
	}
}

func isRun(name string) bool {
	for _, n := range repositoryFiles {
		if n == name {
			return true
		}
	}
	return false
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, text string }{
		{"algebra", `{"op":"coalesce","args":["4:1"],"cute_dsl":"4:1","exact":"4:1","cute_ok":true}`},
		{"algebra", "\uFEFF" + `{"op":"coalesce","args":["4:1"],"cute_dsl":"4:1","exact":"4:1","cute_ok":true}` + "\r\n"},
		{"seed_cases", `[{"seed_file":"x","line":1,"op":"coalesce","inputs":"4:1","true_output":"4:1"}]`},
		{"user_cases", `[{"id":"U1","operation":"coalesce(A)","inputs":{"A":"4:1"},"expected_answer":"4:1"}]`},
		{"bug_cases", `[{"id":"B1","operation":"coalesce","inputs":"4:1","actual":"","expected":"4:1"}]`},
		{"bug_cases", `{"id":"B1","operation":"coalesce","inputs":"4:1","actual":"","expected":"4:1"}` + "\n" + `{"id":"B2","operation":"coalesce","inputs":"4:1","actual":"","expected":"4:1"}`},
		{"peers", `{"source":"x","expression":"coalesce((2,4):(1,2))","expected":"8:1","verdict":"agree","note":""}`},
		{"cpp_unit", "op\tA\tB\tresult\ncoalesce\t_4:_1\t\t_4:_1"},
		{"cute_ir_ok", "file\tcase\top\tattrs\tinputs\toutputs\nf\tc\tcoalesce\t\tlayout:4:1\tlayout:4:1"},
		{"cute_ir_err", "file\tcase\top\tattrs\tinputs\nf\tc\tget\t<[5]>\tlayout:4:1"},
		{"notations", `[{"id":"N1","kind":"cpp_print","text":"_4:_1","canonical":"4:1"}]`},
		{"h200_instructions", `{"device":"x","chip":"sm_90","driver":"1","cuda":"13.0"}` + "\n" + `{"atom":"SM75_U32x1_LDSM_N","family":"ldmatrix","status":"proven","digest":"74d716cbc80ab5156ceada7c"}`},
		{"h200_shared_memory", `{"op":"ld.8","name":"stride0","addr":[0,null],"wavefronts":1}`},
		{"h200_memory", `{"device":"NVIDIA H200","chip":"sm_90","driver":"580","date":"2026-11-23"}` + "\n" +
			`{"op":"atom.add.u32","name":"x","addr":[0,0,null],"wavefronts":2}` + "\n" +
			`{"op":"ld.global.128","name":"x","addr":[0,16,null,256],"sectors":2,"lines":2}`},
		{"mma_atoms", "op\tShape_MNK\tThrID\tALayout_TV\tBLayout_TV\tCLayout_TV\tbitsABCD\nSM61_DP4A\t(_1,_1,_4)\t_1:_0\t(_1,_4):(_0,_1)\t(_1,_4):(_0,_1)\t(_1,_1):(_0,_0)\t8 8 32 32\n"},
		{"cpp_golden", "MMA|SM61_DP4A|(_1,_1,_4)|_1:_0|(_1,_4):(_0,_1)|(_1,_4):(_0,_1)|(_1,_1):(_0,_0)|\n"},
		{"tiled_mma_copy", "### one\n" + oneTiledMMA + "tile_shape(mma) => (_1,_1,_4)\n"},
		{"copy_atoms", "op\tThrID\tSrcLayout_bits\tDstLayout_bits\tRefLayout_bits\nSM75_U32x4_LDSM_N\t_32:_1\t(_32,_128):(_128,_1)\t(_32,(_32,_4)):(_32,(_1,_1024))\t(_32,(_32,_4)):(_32,(_1,_1024))"},
		{"cpp_golden", "COPY|SM75_U32x4_LDSM_N;half_t|_32:_1|(_32,_8):(_8,_1)|(_32,(_2,_4)):(_2,(_1,_64))|(_32,(_2,_4)):(_2,(_1,_64))|"},
		{"tiled_mma_copy", "### T\nTiledCopy\n  Tiler_MN:       (_4,_8)\n  TiledLayout_TV: ((_8,_4),_1):((_4,_1),_0)\nCopy_Atom\n  ThrID:        _1:_0\n  ValLayoutSrc: (_1,_1):(_0,_1)\n  ValLayoutDst: (_1,_1):(_0,_1)\n  ValLayoutRef: (_1,_1):(_0,_1)\n  ValueType:    32b\nsize(tc) => _32"},
		{"print_layout", "(_2,_2):(_2,_1)\n       0    1 \n    +----+----+\n 0  |  0 |  1 |\n    +----+----+\n 1  |  2 |  3 |\n    +----+----+\n"},
		{"print_tensor", "counting_iter(3) o (_2,_2):(_2,_-1):\n    3    2\n    5    4\n"},
		{"print_tensor", "gmem_ptr[32b](0x7f00) o (_1,_2,_2):(_1,_2,_4):\n  1.00e+00  2.00e+00\n----------\n  3.00e+00      -inf\n"},
	} {
		r, err := Run("x", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
			continue
		}
		if r.Format != c.format || r.NumPassed() < 1 || r.NumPassed() != r.Rows() {
			t.Errorf("%s: format %s, %d of %d rows passed: %v", c.format, r.Format, r.NumPassed(), r.Rows(), r.Failures)
		}
	}
}

// oneTiledMMA is what CuTe prints for a TiledMMA of one thread.
const oneTiledMMA = `TiledMMA
  ThrLayoutVMNK:  (_1,_1,_1,_1):(_0,_0,_0,_0)
  PermutationMNK: (_,_,_)
MMA_Atom
  ThrID:      _1:_0
  Shape_MNK:  (_1,_1,_4)
  LayoutA_TV: (_1,_4):(_0,_1)
  LayoutB_TV: (_1,_4):(_0,_1)
  LayoutC_TV: (_1,_1):(_0,_0)
`

// oneTiledCopy is what CuTe prints for a TiledCopy of 32 threads.
const oneTiledCopy = `TiledCopy
  Tiler_MN:       (_4,_8)
  TiledLayout_TV: ((_8,_4),_1):((_4,_1),_0)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_1)
  ValLayoutDst: (_1,_1):(_0,_1)
  ValLayoutRef: (_1,_1):(_0,_1)
  ValueType:    32b
`

// TestCopiesOtherwise checks that recorded copies pass, and that every changed column and line fails.
func TestCopiesOtherwise(t *testing.T) {
	t.Parallel()
	const (
		bits   = "op\tThrID\tSrcLayout_bits\tDstLayout_bits\tRefLayout_bits\n"
		atom   = "COPY|SM75_U32x1_LDSM_N;half_t|_32:_1|((_8,_4),_8):((_8,_0),_1)|(_32,_2):(_2,_1)|(_32,_2):(_2,_1)|"
		tiled  = "TCOPY|UniversalCopy<float>;float;Layout<Shape<_32,_8>>;Layout<Shape<_1,_1>>|(_256,_1):(_1,_0)|(_32,_8)|(_256,(_1,_1)):(_1,(_0,_0))|(_256,(_1,_1)):(_1,(_0,_0))|"
		parted = "CPART|UniversalCopy<float>;float;Layout<Shape<_32,_8>>;Layout<Shape<_1,_1>>|(_128,_8)|5|((_1,_1),_4,_1):((_0,_0),_256,_0)|40|((_1,_1),_4,_1):((_0,_0),_256,_0)|40|"
	)
	for _, text := range []string{atom, tiled, parted, "### one\n" + oneTiledCopy + "size(tc) => _32\ntile_size(tc) => _32\nc.get_layoutD_TV() => ((_8,_4),(_1,_1)):((_4,_1),(_0,_0))\n"} {
		if r, err := Run("x", strings.NewReader(text)); err != nil || r.NumPassed() != r.Rows() {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
	for _, text := range []string{
		bits + "SM75_U32x3_LDSM_N\t_32:_1\t_1:_0\t_1:_0\t_1:_0",
		bits + "SM75_U32x1_LDSM_N\t_32:_1\t((_8,_4),_128):((_128,_0),_1)\t(_32,_32):(_32,_1)\t(_32,_32):(_32,_2)",
		strings.Replace(atom, "_32:_1", "_32:_2", 1),
		strings.Replace(atom, "((_8,_0),_1)", "((_8,_1),_1)", 1),
		strings.Replace(atom, "half_t", "double", 1),
		strings.Replace(tiled, "(_32,_8)|", "(_8,_32)|", 1),
		strings.Replace(tiled, "(_256,_1):(_1,_0)", "(_256,_1):(_2,_0)", 1),
		strings.Replace(tiled, "(_1,(_0,_0))|(_256", "(_1,(_0,_1))|(_256", 1),
		strings.Replace(tiled, "UniversalCopy<float>", "SM75_U32x4_LDSM_N", 1),
		strings.Replace(parted, "|40|((", "|41|((", 1),
		strings.TrimSuffix(parted, "40|") + "39|",
		strings.Replace(parted, "|5|", "|256|", 1),
		strings.Replace(parted, "(_128,_8)|", "(_100,_8)|", 1),
		"### one\nsize(tc) => _32\n",
		"### one\n" + strings.Replace(oneTiledCopy, "_4,_8)\n", "_4,_9)\n", 1),
		"### one\n" + oneTiledCopy + "size(tc) => _31\n",
		"### one\n" + oneTiledCopy + "tile_size(tc) => _31\n",
		"### one\n" + oneTiledCopy + "c.get_layoutS_TV() => _1:_0\n",
		"### one\n" + oneTiledCopy + "c.get_slice(3).partition_D(t).layout() => ((_1,_1),_2,_1):((_0,_0),_5,_0)\n",
	} {
		r, err := Run("x", strings.NewReader(text))
		if err == nil && r.NumFailed() != 1 {
			t.Errorf("%q: %+v, want a failure", text, r)
		}
	}
}

// TestAtomsOtherwise checks that a changed record fails, column by column and line by line.
func TestAtomsOtherwise(t *testing.T) {
	t.Parallel()
	const atoms = "op\tShape_MNK\tThrID\tALayout_TV\tBLayout_TV\tCLayout_TV\tbitsABCD\n"
	const tmma = "SM75_8x8x16_S32S8S8S32_TN;Layout<Shape<_4,_1,_1>>;Tile<Underscore,Underscore,Underscore>"
	for _, text := range []string{
		atoms + "SM61_DP4B\t(_1,_1,_4)\t_1:_0\t(_1,_4):(_0,_1)\t(_1,_4):(_0,_1)\t(_1,_1):(_0,_0)\t8 8 32 32",
		atoms + "SM61_DP4A\t(_1,_1,_2)\t_1:_0\t(_1,_4):(_0,_1)\t(_1,_4):(_0,_1)\t(_1,_1):(_0,_0)\t8 8 32 32",
		atoms + "SM61_DP4A\t(_1,_1,_4)\t_1:_0\t(_1,_4):(_0,_1)\t(_1,_4):(_0,_2)\t(_1,_1):(_0,_0)\t8 8 32 32",
		atoms + "SM61_DP4A\t(_1,_1,_4)\t_1:_0\t(_1,_4):(_0,_1)\t(_1,_4):(_0,_1)\t(_1,_1):(_0,_0)\t8 8 32 16",
		atoms + "x",
		"TMMA|" + tmma + "|(_32,_4,_1,_1):(_1,_32,_0,_0)|(_32,_8,_16)|((_4,_32),(_4,(_1,_1))):((_128,_1),(_32,(_0,_0)))|((_4,_8,_4),(_4,(_1,_1))):((_32,_1,_0),(_8,(_0,_0)))|((_4,_32),(_2,(_1,_1))):((_64,_1),(_31,(_0,_0)))|",
		"PART|" + tmma + "|(_32,_8,_16)|200|x|0|x|0|x|0|x|x|x|",
		"PART|nothing|(_32,_8,_16)|2|x|0|x|0|x|0|x|x|x|",
		"### one\n" + strings.Replace(oneTiledMMA, "(_,_,_)", "(_,_,_3)", 1),
		"### one\ntile_shape(mma) => (_1,_1,_4)\n",
		"### one\n" + oneTiledMMA + "tile_shape(mma) => (_1,_1,_8)\n",
		"### one\n" + oneTiledMMA + "thr0.partition_A(tA).layout() => _1:_0\n",
	} {
		r, err := Run("x", strings.NewReader(text))
		if err != nil || r.NumFailed() != 1 {
			t.Errorf("%q: %+v, %v, want a failure", text, r, err)
		}
	}
}

// TestPrintedTensorsFail checks that printed tensors with wrong numbers, wrong widths or missing rows fail.
func TestPrintedTensorsFail(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"counting_iter(0) o (_2,_3):(_1,_2):\n    0    2    4\n    1    3    6\n",
		"counting_iter(0) o (_2,_3):(_1,_2):\n   0   2   4\n   1   3   5\n",
		"counting_iter(0) o (_2,_3):(_1,_2):\n    0    2    4\n",
		"counting_iter(0) o (_1,_1000000000):(_1,_2):\n    0    2    4\n",
		"counting_iter(x) o _1:_0:\n    0\n",
		"ArithTuple(_0,_0) o (_1,_2):(_1@0,_1@1):\n  (0,0)  (1,0)\n",
		"ptr[64b](0x0) o (_2,_2):(_1,_2):\n  1.500e+00 -2.250e+00\n  1.500e+00  2.25e+00\n",
	} {
		r, err := Run("x", strings.NewReader(text))
		if err != nil || r.NumFailed() == 0 {
			t.Errorf("%q: %+v, %v, want a failure", text, r, err)
		}
	}
}

func TestFormatsNotRun(t *testing.T) {
	t.Parallel()
	for format, text := range map[string]string{
		"print_misc": "Sw<3,4,3>\n(_,_32,_4:_2)\nArithTuple(_1,2)",
	} {
		if runnable(format) {
			continue
		}
		_, err := Run("x", strings.NewReader(text))
		if !errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), format) {
			t.Errorf("%s: %v, want ErrNotRun with the name", format, err)
		}
	}
}

// runnable reports whether the rows of a format can be run.
func runnable(name string) bool {
	for _, f := range formats() {
		if f.name == name {
			return f.run != nil
		}
	}
	return false
}

func TestFormatsUnknown(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "hello", "[]", "[1]", `{"a":1}`, "a\tb\tc", "{", "4:1\n4:1"} {
		_, err := Run("x", strings.NewReader(text))
		if text != "{" && !errors.Is(err, ErrUnknownFormat) {
			t.Errorf("%q: %v, want ErrUnknownFormat", text, err)
		}
		if err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	_, err := Run("x", strings.NewReader("hello"))
	for _, f := range formats() {
		if !strings.Contains(err.Error(), f.name) {
			t.Errorf("the error does not list %s", f.name)
		}
	}
}

// TestBrokenRows checks that a row that violates the file's format gives an error with the row's place.
func TestBrokenRows(t *testing.T) {
	t.Parallel()
	for text, place := range map[string]string{
		`{"op":"coalesce","args":["4:1"]}` + "\n{":                                 "x:2",
		"op\tA\tB\tresult\na\tb\tc\td\te":                                          "x:2",
		`[{"id":"U1","operation":"coalesce(A)","expected_answer":"4:1"},{"id":2}]`: "case 2",
	} {
		if _, err := Run("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%q: %v, want an error at %s", text, err, place)
		}
	}
}
