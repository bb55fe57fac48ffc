package archtest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// These tests apply each rule about exports to a made-up package p that breaks it, given by source and examples.

const sound = `package p

// F returns 1.
func F() int { return 1 }

// A T is a type.
type T int

// M returns 1.
func (T) M() int { return 1 }
`

const (
	ofPackage = "package p_test\nfunc Example() {\n// Output: 1\n}\n"
	ofMembers = "func ExampleF() {\n// Output: 1\n}\nfunc ExampleT_M() {\n// Output:\n}\n"
	examples  = ofPackage + ofMembers
)

func TestExampleRules(t *testing.T) {
	tests := []struct {
		name, code, tests, want string
	}{
		{"sound", sound, examples, ""},
		{"constructor", sound + "// NewT returns 1.\nfunc NewT() T { return 1 }\n", examples, "NewT has no example"},
		{"its Must", sound + "// MustT returns 1.\nfunc MustT() T { return 1 }\n", examples, ""},
		{"function", sound + "// G returns 1.\nfunc G() int { return 1 }\n", examples, ""},
		{"method", sound + "// N returns 1.\nfunc (T) N() int { return 1 }\n", examples, ""},
		{"type", sound + "// A U is a type.\ntype U int\n", examples, "U has no example"},
		{"package", sound, "package p_test\n" + ofMembers, "the package has no example"},
		{"not run", sound, examples + "func ExampleT() {\n}\n", "ExampleT has no // Output: and is not run"},
		{"of the wrong name", sound, examples + "func ExampleG() {\n// Output: 1\n}\n", ""}, // go vet reports this already
		{"exempt type", sound + "// A V is a type.\ntype V int\n", examples, ""},
		{"not exported", sound + "func g() int { return 1 }\n", examples, ""},
	}
	exempt := []exemption{{"p", []string{"V"}, "a reason"}, {"q", []string{"G"}, "a reason"}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantSentence(t, checkExamples(exempt, parsePackage(t, tt.code, tt.tests), map[string]bool{}), tt.want)
		})
	}
}

func TestExemptionRules(t *testing.T) {
	p := parsePackage(t, sound+"// A V is a type.\ntype V int\n", examples)
	for _, tt := range []struct {
		name   string
		exempt []exemption
		want   string
	}{
		{"needed", []exemption{{"p", []string{"V"}, "a reason"}}, ""},
		{"has an example", []exemption{{"p", []string{"F"}, "a reason"}}, "withoutExample lists F of p, which has an example or does not exist"},
		{"gone", []exemption{{"p", []string{"V", "W"}, "a reason"}}, "lists W of p"},
		{"without a reason", []exemption{{"p", []string{"V"}, ""}}, "lists V of p without a reason"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			used := map[string]bool{}
			checkExamples(tt.exempt, p, used)
			wantSentence(t, checkUsed(tt.exempt, used), tt.want)
		})
	}
}

func TestCommentRules(t *testing.T) {
	for _, tt := range []struct{ name, code, want string }{
		{"sound", sound, ""},
		{"plural", "// Ts say numbers.\ntype Ts int\n", ""},
		{"no verb", "// T number two.\ntype T int\n", "the comment of T must start with its name and a verb"},
		{"none", "type T int\n", "T has no comment"},
		{"another name", "// U is a type.\ntype T int\n", "the comment of T must start with its name and a verb"},
		{"no sentence", "// A T is a type\ntype T int\n", "a paragraph in the comment of T does not end a sentence"},
		{"constant with a phrase", "// The kinds.\nconst (\nA = 1 // the first\nB = 2\n)\n", ""},
		{"constant without", "const (\nA = 1\nB = 2 // the second\n)\n", "A has no comment"},
		{"comment above a constant", "// The kinds.\nconst (\n// the first.\nA = 1\n)\n", "the comment of A must start with its name"},
		{"single constant", "// the first.\nconst A = 1\n", "the comment of A must start with its name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantSentence(t, checkComments(parsePackage(t, tt.code, "")), tt.want)
		})
	}
}

func TestErrorRules(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"code", "F returns [cute.CodeLimit] for large ones.", ""},
		{"its own code", "F returns [CodeOwn].", ""},
		{"errors of another", "F runs G. It returns the errors of G.", ""},
		{"delegate", "F is [G] with 1.", ""},
		{"never", "F runs. The error is always nil.", "F returns an error that is always nil"},
		{"silent", "F runs.", "F returns an error, and its comment names no code"},
		{"unknown code", "F returns CodeGone.", "the comment of F names CodeGone, which does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parsePackage(t, "// CodeOwn is a code.\nconst CodeOwn = 1\n// "+tt.doc+"\nfunc F() error { return nil }\n", "")
			wantSentence(t, checkErrors(p, map[string]bool{"CodeLimit": true}), tt.want)
		})
	}
}

func TestPublicPackages(t *testing.T) {
	for path, want := range map[string]bool{
		".": true, "banks": true, "kernel/copy": true, "internal/door/cli": false, "cmd/girih": false, "internals": true,
	} {
		if isPublic(path) != want {
			t.Errorf("isPublic(%q) = %t", path, !want)
		}
	}
	all := publicPackages(t)
	for _, path := range []string{"girih/cute", "girih/banks", "girih/ptx", "girih/symbolic"} {
		if all[path] == nil {
			t.Errorf("%s is not among the public packages %v", path, sortedKeys(all))
		}
	}
	if all["girih/internal/ints"] != nil {
		t.Error("internal/ints is among the public packages")
	}
}

// parsePackage returns package p of the code and the test file. It adds a package clause to code that lacks one.
func parsePackage(t *testing.T, code, tests string) *doc.Package {
	t.Helper()
	if !strings.HasPrefix(code, "package ") {
		code = "package p\n" + code
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for name, src := range map[string]string{"p.go": code, "p_test.go": tests} {
		if src == "" {
			continue
		}
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "p")
	if err != nil {
		t.Fatal(err)
	}
	return p
}
