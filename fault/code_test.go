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

func ExampleCodes() {
	fmt.Println(fault.Codes()[:3])
	// Output: [syntax overflow depth]
}

func Example() {
	refused := func() error { return fmt.Errorf("tile: %w", fault.NotDivisible) }
	if err := refused(); errors.Is(err, fault.NotDivisible) {
		fmt.Println(err)
	}
	// Output: tile: not_divisible
}

// Codes lists each constant of the package once, and each constant has a comment and a distinct text.
func TestCodes(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var want []fault.Code
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Type == nil || len(v.Values) != 1 {
			return true
		}
		if lit, ok := v.Values[0].(*ast.BasicLit); ok {
			text, err := strconv.Unquote(lit.Value)
			if err != nil || text != strings.ToLower(text) || slices.Contains(want, fault.Code(text)) || v.Comment == nil {
				t.Errorf("the code %s is listed twice, has capitals or has no comment", lit.Value)
			}
			want = append(want, fault.Code(text))
		}
		return true
	})
	if got := fault.Codes(); !slices.Equal(got, want) || len(got) < 30 {
		t.Errorf("Codes returns %v, the constants are %v", got, want)
	}
}
