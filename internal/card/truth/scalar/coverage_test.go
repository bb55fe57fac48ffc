package scalar

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/ptx"
)

// others are the families of ptx/sim whose instructions are not functions of registers: they access memory, wait,
// branch, or use tensor cores. Other tests compare them with a card.
var others = []string{
	"memoryRow", "atomicRow", "branchRow", "barrierRow", "clusterRow", "copyRow", "mbarrierRow", "fenceRow", "mapRow",
	"matrixRow", "wgmmaRow", "wmmaRow", "tensorRow", "launchRow",
}

// opcodes returns the opcodes of each family of ptx/sim, by the name of the family's function.
func opcodes(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../../../../ptx/sim/*.go")
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

// The test checks that the tables contain every opcode of ptx/sim that is a function of registers, so that new opcodes
// are compared with a card.
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

// literals returns the strings in the value of a variable of ptx/sim.
func literals(t *testing.T, file, variable string) (all []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "../../../../ptx/sim/"+file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.ValueSpec:
			return n.Names[0].Name == variable
		}
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil {
				all = append(all, text)
			}
		}
		return true
	})
	return all
}

// sorted returns an opcode with its other modifiers in order after the types.
func sorted(op ptx.Op) string {
	var other []string
	types := op.Types()
	for i, m := range strings.Split(string(op), ".") {
		if i > 0 && ptx.Type(m).Bits() == 0 && m != "" {
			other = append(other, m)
		}
	}
	slices.Sort(other)
	return fmt.Sprint(op.Name(), types, other)
}

// untabled are forms of ptx/sim that are in no table: accesses to memory; shuffles and votes of targets before sm_70;
// copies of whole vectors, stochastic rounding, and what computes as the same instruction with .rn does.
func untabled(op ptx.Op) bool {
	switch op.Name() {
	case "ld", "st", "atom", "red", "nanosleep":
		return true
	case "shfl", "vote":
		return !op.Has("sync")
	case "mov":
		return op.Vec() > 1
	case "cvt":
		if op.Has("rs") {
			return true
		}
	}
	types := op.Types()
	mixed := len(types) == 2 && types[0] == ptx.F32 && (op.Name() == "add" || op.Name() == "sub")
	return types[len(types)-1] == ptx.F32x2 || mixed
}

// The tables have every form that ptx/sim has.
func TestForms(t *testing.T) {
	t.Parallel()
	names := strings.NewReplacer(literals(t, "forms.go", "formNames")...)
	have := map[string]bool{}
	for _, f := range Forms() {
		have[sorted(f.Op)] = true
	}
	n := 0
	for _, text := range literals(t, "forms.go", "formTexts") {
		text, _, _ := strings.Cut(names.Replace(text), "@")
		for _, op := range expand(text) {
			op := ptx.Op(strings.TrimSuffix(strings.ReplaceAll(op, "..", "."), "."))
			if n++; !have[sorted(op)] && !untabled(op) {
				t.Errorf("%s is in no table", op)
			}
		}
	}
	if n < 7000 {
		t.Errorf("%d forms", n)
	}
}
