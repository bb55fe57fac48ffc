package conform

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

// repositoryFiles are the files of the conformance folder that are run.
var repositoryFiles = []string{
	"algebra.jsonl", "seed_cases.json", "user_cases.json", "bug_cases.json",
	"notations.json", "cute/cpp_unit.tsv", "cute/cute_ir_ok.tsv", "cute/cute_ir_err.tsv", "cute/print_layout.txt", "cute/print_tensor.txt",
	"hardware/h200_shared_memory.jsonl",
	"linear_layout_cases.json",
}

// reports holds the report of every file that a test has asked for.
var reports sync.Map

// runFile runs a file of the conformance folder, once for all tests.
func runFile(t *testing.T, name string) *Report {
	t.Helper()
	once, _ := reports.LoadOrStore(name, sync.OnceValues(func() (*Report, error) {
		f, err := os.Open("../../conformance/" + name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return Run(name, f)
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
			t.Logf("%d rows: %d passed, %d documented, %d skipped", r.Rows(), r.Passed(), r.Documented(), r.Skipped())
			for _, d := range r.Differences {
				t.Logf("%5d %s", d.Count, d.Kind)
			}
			for _, s := range r.Skips {
				t.Logf("%5d skipped: %s", s.Count, s.Reason)
			}
		})
	}
}

// TestRepositoryComplete: every file of the folder is run, or refused as one that is not run yet.
func TestRepositoryComplete(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"", "cute/", "hardware/"} {
		entries, err := os.ReadDir("../../conformance/" + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := dir + e.Name()
			if e.IsDir() || strings.HasSuffix(name, ".md") || isRun(name) {
				continue
			}
			f, err := os.Open("../../conformance/" + name)
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
		{"cpp_unit", "op\tA\tB\tresult\ncoalesce\t_4:_1\t\t_4:_1"},
		{"cute_ir_ok", "file\tcase\top\tattrs\tinputs\toutputs\nf\tc\tcoalesce\t\tlayout:4:1\tlayout:4:1"},
		{"cute_ir_err", "file\tcase\top\tattrs\tinputs\nf\tc\tget\t<[5]>\tlayout:4:1"},
		{"notations", `[{"id":"N1","kind":"cpp_print","text":"_4:_1","canonical":"4:1"}]`},
		{"h200_shared_memory", `{"op":"ld.8","name":"stride0","addr":[0,null],"wavefronts":1}`},
		{"print_layout", "(_2,_2):(_2,_1)\n       0    1 \n    +----+----+\n 0  |  0 |  1 |\n    +----+----+\n 1  |  2 |  3 |\n    +----+----+\n"},
		{"print_tensor", "counting_iter(3) o (_2,_2):(_2,_-1):\n    3    2\n    5    4\n"},
		{"print_tensor", "gmem_ptr[32b](0x7f00) o (_1,_2,_2):(_1,_2,_4):\n  1.00e+00  2.00e+00\n----------\n  3.00e+00      -inf\n"},
	} {
		r, err := Run("x", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
			continue
		}
		if r.Format != c.format || r.Passed() < 1 || r.Passed() != r.Rows() {
			t.Errorf("%s: format %s, %d of %d rows passed: %v", c.format, r.Format, r.Passed(), r.Rows(), r.Failures)
		}
	}
}

// Printed tensors with other numbers, other widths, or missing rows fail.
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
		if err != nil || r.Failed() == 0 {
			t.Errorf("%q: %+v, %v, want a failure", text, r, err)
		}
	}
}

func TestFormatsNotRun(t *testing.T) {
	t.Parallel()
	for format, text := range map[string]string{
		"mma_atoms":      "op\tShape_MNK\tThrID\tALayout_TV\tBLayout_TV\tCLayout_TV\tbitsABCD\nx",
		"copy_atoms":     "op\tThrID\tSrcLayout_bits\tDstLayout_bits\tRefLayout_bits\nx",
		"cpp_golden":     "COPY|UniversalCopy<uint8_t>;uint8_t|_1:_0|",
		"tiled_mma_copy": "### M1 SM80\nTiledMMA",
		"print_misc":     "Sw<3,4,3>\n(_,_32,_4:_2)\nArithTuple(_1,2)",
	} {
		_, err := Run("x", strings.NewReader(text))
		if !errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), format) {
			t.Errorf("%s: %v, want ErrNotRun with the name", format, err)
		}
	}
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

// TestBrokenRows: a row that is not of the file's format is an error that names its place.
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
