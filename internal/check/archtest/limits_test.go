package archtest

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// This file counts what makes code hard to read, in each folder, and compares the numbers with the committed table
// limits.txt. If a number rises, the test fails. If a number falls, the table must be lowered, which -update does:
//
//	go test ./internal/check/archtest -run Limits -update          what is read from the source
//	go test ./internal/check/archtest -run Limits -update -dead    and dead functions, which takes a minute
var dead = flag.Bool("dead", os.Getenv("GIRIH_DEAD") != "", "count functions that nobody uses")

const (
	mostComplex = 15 // cyclomatic complexity
	mostLines   = 60 // lines of a function, from func to its closing brace
	leastTwin   = 5  // identical bodies of at least this many lines count as copies
)

// These are the columns of the table. In tests, only comments are counted.
const (
	complexity = iota
	length
	twins
	participles
	comments
	texts
	deadFuncs // comes last, because counting them takes a minute
	columns
)

var columnNames = [columns]string{
	complexity:  "complex",  // functions of cyclomatic complexity above mostComplex
	length:      "long",     // functions of more than mostLines lines
	twins:       "twins",    // functions with exactly the body of another function
	participles: "bare",     // functions named by a bare participle
	comments:    "comments", // comments with a turn of words_test.go, also in tests
	texts:       "texts",    // string literals and lines of documentation with a turn
	deadFuncs:   "dead",     // functions that nobody uses, see dead_test.go
}

// A tally lists the functions that each column counts in each folder.
type tally map[string]*[columns][]string

func (c tally) add(dir string, column int, what string) {
	if c[dir] == nil {
		c[dir] = new([columns][]string)
	}
	c[dir][column] = append(c[dir][column], what)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	found := countFunctions(t)
	countWords(t, found)
	known := readLimits(t)
	counted := columns
	if *dead {
		countDead(t, found)
	} else {
		counted = deadFuncs // dead functions are not counted, and their column stays
	}
	if *update {
		writeLimits(t, found, known, counted)
		return
	}
	var sum [columns]int
	dirs := map[string]bool{}
	for dir := range found {
		dirs[dir] = true
	}
	for dir := range known {
		dirs[dir] = true
	}
	for _, dir := range sortedKeys(dirs) {
		for c := range counted {
			var all []string
			if found[dir] != nil {
				all = found[dir][c]
			}
			sum[c] += len(all)
			if s := compareLimit(dir, c, all, known[dir][c]); s != "" {
				t.Error(s)
			}
		}
	}
	for c := range counted {
		t.Logf("%-8s %d in all", columnNames[c], sum[c])
	}
}

// compareLimit returns an error text unless column c of dir has exactly limit entries.
func compareLimit(dir string, c int, all []string, limit int) string {
	switch {
	case len(all) > limit:
		return fmt.Sprintf("%s: %d are %s, the limit is %d:\n\t%s",
			dir, len(all), columnNames[c], limit, strings.Join(all, "\n\t"))
	case len(all) < limit:
		return fmt.Sprintf("%s: %d are %s, limits.txt says %d: lower it with -update",
			dir, len(all), columnNames[c], limit)
	}
	return ""
}

func TestCompareLimit(t *testing.T) {
	t.Parallel()
	two := []string{"a.go: f", "a.go: g"}
	for limit, want := range map[int]string{1: "the limit is 1", 2: "", 3: "lower it"} {
		if got := compareLimit("p", complexity, two, limit); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("2 functions against a limit of %d: %q, want %q", limit, got, want)
		}
	}
}

// countFunctions counts complex and long functions and twins from the source alone.
func countFunctions(t *testing.T) tally {
	t.Helper()
	found := tally{}
	bodies := map[string][]string{}
	for _, f := range goFiles(t) {
		if f.generated || strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		src, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(f.path)))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(set, f.path, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			lines := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
			where := fmt.Sprintf("%s: %s", f.path, fn.Name.Name)
			if n := cyclomatic(fn); n > mostComplex {
				found.add(path.Dir(f.path), complexity, fmt.Sprintf("%s (%d)", where, n))
			}
			if lines > mostLines {
				found.add(path.Dir(f.path), length, fmt.Sprintf("%s (%d lines)", where, lines))
			}
			if lines-2 >= leastTwin {
				from, to := set.Position(fn.Body.Pos()).Offset, set.Position(fn.Body.End()).Offset
				text := codeOf(src[from:to])
				bodies[text] = append(bodies[text], where)
			}
		}
	}
	for _, body := range sortedKeys(bodies) {
		if all := bodies[body]; len(all) > 1 {
			for _, where := range all {
				file, _, _ := strings.Cut(where, ":")
				found.add(path.Dir(file), twins, fmt.Sprintf("%s, as %s", where, strings.Join(all, ", ")))
			}
		}
	}
	return found
}

// codeOf returns the lines of a function without their comments. All files are formatted, so that the same code has the
// same lines.
func codeOf(body []byte) string {
	var code strings.Builder
	for line := range strings.Lines(string(body)) {
		line, _, _ = strings.Cut(line, " // ")
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code.WriteString(line + "\n")
		}
	}
	return code.String()
}

// cyclomatic returns the number of independent paths through fn: one, and one more for each branch, each case with a
// condition, and each && and ||. Function literals count with the function that contains them.
func cyclomatic(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func TestCyclomatic(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		"":                                    1,
		"if a && b || c { f() } else { g() }": 4,
		"for range x { for i < 3 { } }":       3,
		"switch a { case 1, 2: case 3: default: }": 3,
		"func() { if a { f() } }()":                2,
		"select { case <-a: default: }":            2,
	} {
		src := "package p\nfunc f() {" + body + "}"
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := cyclomatic(file.Decls[0].(*ast.FuncDecl)); got != want {
			t.Errorf("cyclomatic complexity of {%s} = %d, want %d", body, got, want)
		}
	}
}

const limitsFile = "limits.txt"

// readLimits reads the table: a line for each folder with a number above 0. All other folders have zeros.
func readLimits(t *testing.T) map[string][columns]int {
	t.Helper()
	src, err := os.ReadFile(limitsFile)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][columns]int{}
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var dir string
		var n [columns]int
		args := []any{&dir}
		for c := range n {
			args = append(args, &n[c])
		}
		if _, err := fmt.Sscan(line, args...); err != nil {
			t.Fatalf("%s: %q: %v", limitsFile, line, err)
		}
		for c, k := range known[dir] { // git merges two lines of a folder by keeping both
			if _, twice := known[dir]; twice {
				n[c] = min(n[c], k)
			}
		}
		known[dir] = n
	}
	return known
}

// writeLimits writes the table anew. It only lowers numbers; to raise a number, edit the table by hand.
func writeLimits(t *testing.T, found tally, known map[string][columns]int, counted int) {
	t.Helper()
	var rows []string
	for _, dir := range sortedKeys(known) {
		n := known[dir]
		for c := range counted {
			now := 0
			if found[dir] != nil {
				now = len(found[dir][c])
			}
			n[c] = min(n[c], now)
		}
		if n == [columns]int{} {
			continue
		}
		row := fmt.Sprintf("%-28s", dir)
		for _, k := range n {
			row += fmt.Sprintf(" %8d", k)
		}
		rows = append(rows, row+"\n")
	}
	head := fmt.Sprintf("%-28s", "# folder")
	for _, name := range columnNames {
		head += fmt.Sprintf(" %8s", name)
	}
	text := "# How many functions of a folder may be hard to read. Numbers only fall: see limits_test.go.\n" +
		"# dead: no command and no Example uses them; in tensor and the packages that tests share, no test either.\n" +
		head + "\n" + strings.Join(rows, "")
	if err := os.WriteFile(limitsFile, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
