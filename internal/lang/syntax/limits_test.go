package syntax

import (
	"errors"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	nested := func(before, leaf, after string, n int) string {
		return strings.Repeat(before, n) + leaf + strings.Repeat(after, n)
	}
	tests := []struct {
		name string
		src  func(n int) string
		most int // the largest n that is accepted
		want string
	}{
		{
			"parentheses", func(n int) string { return nested("(", "4", ")", n) }, MaxDepth,
			"col 257: brackets nest deeper than 256 levels",
		},
		{
			"tilers", func(n int) string { return nested("<", "4", ">", n) }, MaxDepth,
			"col 257: brackets nest deeper than 256 levels",
		},
		{
			"sets of braces", func(n int) string { return nested("(", "L{}", ")", n) }, MaxDepth - 1,
			"col 258: brackets nest deeper than 256 levels",
		},
		{
			"swizzles", func(n int) string { return nested("(", "S<1,2,3>", ")", n) }, MaxDepth - 1,
			"col 258: brackets nest deeper than 256 levels",
		},
		{
			"static integers", func(n int) string { return nested("(", "C<3>", ")", n) }, MaxDepth - 1,
			"col 258: brackets nest deeper than 256 levels",
		},
		{
			"brackets", func(n int) string { return nested("[", "4", "]", n) }, MaxDepth,
			"col 257: brackets nest deeper than 256 levels",
		},
		{
			"calls", func(n int) string { return nested("f(", "4", ")", n) }, MaxDepth,
			"col 514: brackets nest deeper than 256 levels",
		},
		{
			"strides", func(n int) string { return nested("4:(", "4", ")", n) }, MaxDepth,
			"col 771: brackets nest deeper than 256 levels",
		},
		{
			"minus", func(n int) string { return nested("-", "x", "", n) }, MaxDepth,
			"col 257: unary minus nests deeper than 256 levels",
		},
		{
			"path", func(n int) string { return nested("", "1", "@0", n) }, MaxDepth,
			"col 514: the basis path is longer than 256 entries",
		},
		{
			"sum", func(n int) string { return nested("", "1", "+1", n) }, MaxHeight - 1,
			"col 8194: the expression nests more than 4096 operations; split it with let",
		},
		{
			"applications", func(n int) string { return nested("", "4", "()", n) }, MaxHeight - 1,
			"col 8194: the expression nests more than 4096 operations; split it with let",
		},
		{
			"methods", func(n int) string { return nested("", "a", ".f()", n) }, MaxHeight - 1,
			"col 16386: the expression nests more than 4096 operations; split it with let",
		},
		{
			"mixture", func(n int) string { return nested("(", "1", "+1)", 200) + nested("", "", "+1", n) },
			MaxHeight - 401,
			"col 8194: the expression nests more than 4096 operations; split it with let",
		},
	}
	for _, tt := range tests {
		x, err := ParseExpr(tt.src(tt.most))
		if err != nil {
			t.Errorf("%s: %d levels failed: %v", tt.name, tt.most, err)
			continue
		}
		if y, err := ParseExpr(Format(x)); err != nil || dump(y) != dump(x) {
			t.Errorf("%s: the canonical text does not parse to the same tree: %v", tt.name, err)
		}
		_, err = ParseExpr(tt.src(tt.most + 1))
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeDepth || e.Incomplete || e.Error() != tt.want {
			t.Errorf("%s: %d levels\n got %v\nwant %s", tt.name, tt.most+1, err, tt.want)
		}
	}
}

func TestLongSource(t *testing.T) {
	src := strings.Repeat("1;", MaxSource/2)
	prog, err := Parse(src)
	if err != nil || len(prog.Stmts) != MaxSource/2 {
		t.Fatalf("Parse of %d bytes failed: %v", len(src), err)
	}
	for _, open := range []string{"(", "[", "<", "-", "f(", "4:", "a.f(", "size<0>(", "1@0", "o "} {
		if _, err := Parse(strings.Repeat(open, MaxSource/len(open))); err == nil {
			t.Errorf("Parse of a million %q succeeded", open)
		}
	}
	_, err = Parse(src + "\n")
	var e *Error
	want := "the source is 1048577 bytes long, the limit is 1048576"
	if !errors.As(err, &e) || e.Code != CodeTooLong || e.Msg != want || e.Incomplete {
		t.Errorf("Parse of %d bytes\n got %v\nwant %s", len(src)+1, err, want)
	}
	if _, err := ParseExpr(src + "\n"); !errors.As(err, &e) || e.Code != CodeTooLong {
		t.Errorf("ParseExpr of %d bytes returned %v, want code %s", len(src)+1, err, CodeTooLong)
	}
}
