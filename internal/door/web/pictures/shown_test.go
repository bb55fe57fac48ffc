package pictures

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/eval"
	"girih/internal/service"
)

// A question is a line that pictures.ts reads.
type question struct {
	Ask     string   `json:"ask"`
	Answers []string `json:"answers"`
	Sample  []int64  `json:"sample,omitempty"`
	Op      string   `json:"op,omitempty"`
}

// needsNode returns the path of node. It skips a test by default: bundling the modules compiles esbuild, which takes
// longer than all the tests here. .ci/sections/test requires them.
func needsNode(t *testing.T) string {
	t.Helper()
	required := os.Getenv("GIRIH_NODE") == "required"
	if !required && !long.Tests() {
		t.Skip("compiles esbuild: GIRIH_NODE=required or GIRIH_LONG=1")
	}
	node, err := exec.LookPath("node")
	switch {
	case err != nil && required:
		t.Fatal("there is no node to run the modules of the page: install the package nodejs")
	case err != nil:
		t.Skip("there is no node to run the modules of the page")
	}
	return node
}

// shows runs the page's modules in node and returns what the page shows, question by question.
func shows[R any](t *testing.T, questions []question) []R {
	t.Helper()
	node := needsNode(t)
	// The test reads the modules itself, so that the cache of test results depends on them.
	for _, pattern := range []string{"../ui/*.ts*", "../ui/views/*", "../ui/follow/*", "*.ts"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			if _, err := os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "pictures.mjs")
	bundle := exec.CommandContext(t.Context(), "go", "tool", "-modfile=../../../tools/go.mod", "esbuild", "pictures.ts",
		"--bundle", "--platform=node", "--format=esm", "--log-level=warning", "--jsx=automatic", "--jsx-import-source=preact",
		"--alias:preact=../ui/vendor/preact.mjs", "--alias:preact/hooks=../ui/vendor/hooks.mjs", "--alias:preact/jsx-runtime=../ui/vendor/jsxRuntime.mjs",
		"--banner:js=globalThis.document={querySelector:()=>null};", "--outfile="+file)
	if out, err := bundle.CombinedOutput(); err != nil {
		t.Fatalf("esbuild: %v\n%s", err, out)
	}
	var in bytes.Buffer
	for _, q := range questions {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), node, file)
	c.Stdin, c.Stderr = &in, t.Output()
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 256<<20)
	var all []R
	for lines.Scan() {
		var r R
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%v: %.300s", err, lines.Bytes())
		}
		all = append(all, r)
	}
	if len(all) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(all), len(questions))
	}
	return all
}

// inspected returns the page's answer for an expression.
func inspected(t *testing.T, request service.InspectRequest) string {
	t.Helper()
	return answered(t, "inspect", request)
}

// answered returns the answer of an operation to a request.
func answered(t *testing.T, op string, request any) string {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	answer := new(service.Session).Do(op, body)
	if !bytes.HasPrefix(answer, []byte(`{"ok":true`)) {
		t.Fatalf("%+v: %s", request, answer)
	}
	return string(answer)
}

// valueOf evaluates an expression; the tests compute the truth from the value's package.
func valueOf(t *testing.T, expr string) eval.Value {
	t.Helper()
	all, err := new(eval.Env).Eval(expr)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return all[len(all)-1].Value
}

// A probe is what a grid shows for an element: row, column, text of the cell, label, row label, column label, mark,
// band, speech.
type probe [9]any

func (p probe) row() int64   { return int64(p[0].(float64)) }
func (p probe) col() int64   { return int64(p[1].(float64)) }
func (p probe) shown() int64 { return int64(p[2].(float64)) }
func (p probe) text(k int) string {
	return p[k].(string)
}

type gridShown struct {
	Rows, Cols, Cells int64
	Elements          []probe
}

type operandShown struct {
	Name                             string
	Size                             int64
	Outline                          bool
	Logical, Hardware, Memory, Banks []gridShown
	Borders                          [][5]int64 // down, before the row or column, from, to, level
	Digits                           [][]int64  // the digits in the shape tree
	Inspector                        []map[string]string
	Out                              []string
	Lit, Shown                       [][][]int
}

type viewsShown struct {
	Operands []operandShown
	Outs     []string
}

// An element is the truth about an element of an operand.
type element struct {
	row, col      int64
	coord         string   // the coordinate in words
	nested        string   // the coordinate with the nesting of the shape
	rowName       string   // the label of the row
	colName       string   // the label of the column
	offset        *big.Int // nil if there is none
	value         string   // a coordinate, if there is no offset
	held          bool     // whether a thread holds the element
	thread, index int64    // index is the number of the value in the thread
	place         int64    // the position in the tile
	lane          int64    // the lane of the thread; -1 if it equals the number of the thread
	atom          [4]int64 // the number of the atom along M, N and K, and among the values of the thread
}

// threadName returns the name of the thread: its lane if that differs from its number.
func (e element) threadName() int64 {
	if e.lane >= 0 {
		return e.lane
	}
	return e.thread
}

// A truth is the elements of an operand.
type truth struct {
	name       string
	space      bool // the operand is in memory, not in threads
	atoms      bool // several atoms, each with more than one element and more than one thread
	rows, cols int64
	warp       int64
	elements   []element
}

// A scene is an expression and the truth of its operands.
type scene struct {
	request  service.InspectRequest
	operands []truth
}

// sampled returns the elements to check: all elements if there are few.
func sampled(r *rand.Rand, n int64) []int64 {
	var s []int64
	if n <= 300 {
		for i := range n {
			s = append(s, i)
		}
		return s
	}
	s = append(s, 0, 1, n/2, n-2, n-1)
	more := 60
	if n > 20000 {
		more = 8
	}
	for range more {
		s = append(s, r.Int64N(n))
	}
	return s
}
