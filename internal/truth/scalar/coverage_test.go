package scalar

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// others are the families of ptx/sim whose instructions are no functions of registers: they touch memory, wait, branch,
// or belong to tensor cores, and are held to a card elsewhere.
var others = []string{
	"memoryRow", "atomicRow", "branchRow", "barrierRow", "clusterRow", "copyRow", "mbarrierRow", "fenceRow", "mapRow",
	"matrixRow", "wgmmaRow", "wmmaRow",
}

// opcodes returns the opcodes that each family of ptx/sim has, by the name of its function.
func opcodes(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../../../ptx/sim/*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasSuffix(f.Name.Name, "Row") {
				continue
			}
			all[f.Name.Name] = []string{}
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					if name, err := strconv.Unquote(l.Value); err == nil {
						all[f.Name.Name] = append(all[f.Name.Name], name)
					}
				}
				return true
			})
		}
	}
	return all
}

// Every opcode of ptx/sim that is a function of registers is in the tables, so that a new one is held to a card.
func TestCoverage(t *testing.T) {
	t.Parallel()
	have := map[string]bool{}
	for _, f := range Forms() {
		have[f.Op.Name()] = true
	}
	families := opcodes(t)
	for _, o := range others {
		if families[o] == nil {
			t.Errorf("ptx/sim has no family %s", o)
		}
		delete(families, o)
	}
	n := 0
	for family, list := range families {
		for _, name := range list {
			if n++; !have[name] {
				t.Errorf("%s of %s is in no table", name, family)
			}
		}
	}
	if n < 80 {
		t.Errorf("%d opcodes", n)
	}
}
