package fault_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/fault"
)

func ExampleCode() {
	err := fmt.Errorf("line 3: %w", fault.Overflow)
	code, ok := errors.AsType[fault.Code](err)
	fmt.Println(code, ok, errors.Is(err, fault.Overflow))
	// Output: overflow true true
}

func ExampleCode_Error() {
	fmt.Println(fault.NotDivisible.Error())
	// Output: not_divisible
}

func Example() {
	refused := func() error { return fmt.Errorf("tile: %w", fault.NotDivisible) }
	if err := refused(); errors.Is(err, fault.NotDivisible) {
		fmt.Println(err)
	}
	// Output: tile: not_divisible
}

// Each code has a comment and a distinct text.
func TestCodes(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var all []fault.Code
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Type == nil || len(v.Values) != 1 {
			return true
		}
		if lit, ok := v.Values[0].(*ast.BasicLit); ok {
			text, err := strconv.Unquote(lit.Value)
			if err != nil || text != strings.ToLower(text) || slices.Contains(all, fault.Code(text)) || v.Comment == nil {
				t.Errorf("the code %s is listed twice, has capitals or has no comment", lit.Value)
			}
			all = append(all, fault.Code(text))
		}
		return true
	})
	if len(all) < 30 {
		t.Errorf("the constants are %v", all)
	}
}
