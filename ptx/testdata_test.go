package ptx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files returns the PTX in testdata: the output of nvcc 13.0 and Triton 3.6 for testdata/src (testdata/compile.sh), and
// a file with the statements that these compilers do not write.
func files(tb testing.TB) map[string]string {
	tb.Helper()
	names, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(names) < 20 {
		tb.Fatalf("testdata has %d files of PTX, %v", len(names), err)
	}
	all := map[string]string{}
	for _, name := range append(names, "testdata/src/isa.ptx") {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		all[filepath.Base(name)] = string(text)
	}
	return all
}

// TestFilesOfCompilers checks that compiler output parses, and that its tree, printed and parsed again, is the same.
func TestFilesOfCompilers(t *testing.T) {
	t.Parallel()
	for name, src := range files(t) {
		m, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, err.(*Error).Caret())
			continue
		}
		again, err := Parse(m.String())
		if err != nil {
			t.Errorf("%s, printed: %v\n%s", name, err, err.(*Error).Caret())
			continue
		}
		if diff, same := sameTree(m, again); !same {
			t.Errorf("%s: -read +printed and read\n%s", name, diff)
		}
		if squeeze(src) != squeeze(m.String()) && name != "isa.ptx" {
			t.Errorf("%s: printed with other tokens\n%s", name, cmp.Diff(squeeze(src), squeeze(m.String())))
		}
	}
}

// squeeze returns the tokens of src, one per line, without the details that printing may change: the notation of
// numbers, an offset of 0, empty parentheses, and declarations of registers, which the printed text splits by name.
func squeeze(src string) string {
	var b strings.Builder
	s := scanner{src: src, line: 1}
	prev := ""
	for s.next(); s.kind != eof; s.next() {
		before := prev
		prev = s.token()
		if prev == ".reg" && before != "(" && before != "," {
			for s.kind != ';' && s.kind != eof {
				s.next()
			}
			continue
		}
		if c, err := parseNumber(s.token()); s.kind == number && err == nil {
			b.WriteString(c.operand().String() + "\n")
			continue
		}
		b.WriteString(s.token() + "\n")
	}
	return strings.NewReplacer("+\n0\n]", "]", "+\n-\n", "-\n", "(\n)\n", "").Replace(b.String())
}

// TestPositions checks the lines and columns of the statements and declarations of each file.
func TestPositions(t *testing.T) {
	t.Parallel()
	for name, src := range files(t) {
		m, err := Parse(src)
		if err != nil {
			t.Fatal(name, err)
		}
		lines := strings.Split(src, "\n")
		n := 0
		check := func(at Pos, prefix string) {
			if n++; !strings.HasPrefix(lines[at.Line-1][at.Col-1:], prefix) {
				t.Errorf("%s:%d:%d: %q has no %q there", name, at.Line, at.Col, lines[at.Line-1], prefix)
			}
		}
		for f := range m.Funcs() {
			check(f.Pos, ".")
			last := Pos{}
			for s := range f.Stmts() {
				switch s := s.(type) {
				case *Instr:
					if s.Pred != "" {
						check(s.Pos, "@")
					} else {
						check(s.Pos, string(s.Op))
					}
				case *Label:
					check(s.Pos, string(s.Name))
				case *Var:
					if s.Pos == last {
						t.Errorf("%s:%d:%d: two variables are there", name, last.Line, last.Col)
					}
					last = s.Pos
					if lines[s.Pos.Line-1][s.Pos.Col-1] != '.' {
						check(s.Pos, string(s.Name))
					} else {
						check(s.Pos, "."+string(s.Space))
					}
				case *Targets:
					check(s.Pos, string(s.Name))
				case *Prototype:
					check(s.Pos, string(s.Name))
				}
			}
		}
		if n == 0 {
			t.Errorf("%s has no positions", name)
		}
	}
}
