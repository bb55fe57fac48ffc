package cute_test

import (
	"os"
	"strings"
	"testing"

	"girih/cute"
)

// Each code is listed once, with a meaning and an example; package eval executes the examples.
func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[cute.Code]bool{}
	for _, c := range cute.Codes() {
		if seen[c.Code] || c.Code == "" || c.Meaning == "" || c.Example == "" ||
			strings.ToLower(string(c.Code)) != string(c.Code) {
			t.Errorf("the code %+v is listed twice or incomplete", c)
		}
		seen[c.Code] = true
	}
	for _, code := range []cute.Code{
		cute.CodeSyntax, cute.CodeOverflow, cute.CodeLimit, cute.CodeExtent, cute.CodeNotCongruent, cute.CodeRank,
		cute.CodeMode, cute.CodeCodomain, cute.CodeNotRepresentable, cute.CodeNotComplementable,
		cute.CodeNotInjective, cute.CodeNotInvertible, cute.CodeNotDivisible, cute.CodeNegative,
		cute.CodeSwizzle, cute.CodeType, cute.CodeName,
	} {
		if !seen[code] {
			t.Errorf("the code %q is not listed", code)
		}
	}
}

// The comment of each code begins with its meaning in Codes.
func TestCodeComments(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("error.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cute.Codes() {
		name := ""
		for word := range strings.SplitSeq(string(c.Code), "_") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		if want := "// Code" + name + ": " + c.Meaning; !strings.Contains(string(src), want) {
			t.Errorf("error.go has no comment %q", want)
		}
	}
}

// The text of an error has its code, its operation and its message.
func TestErrorText(t *testing.T) {
	t.Parallel()
	_, err := cute.Composition(parse("(6,2):(1,7)"), parse("(3,2):(2,3)"))
	got := err.Error()
	for _, part := range []string{"not_representable: composition: ", "(6,2):(1,7)", "(3,2):(2,3)", "(2,1)", "8", "7"} {
		if !strings.Contains(got, part) {
			t.Errorf("the error %q does not say %q", got, part)
		}
	}
	bare := &cute.Error{Code: cute.CodeMode, Msg: "none"}
	if bare.Error() != "mode: none" {
		t.Errorf("an error without operation reads %q", bare.Error())
	}
}
