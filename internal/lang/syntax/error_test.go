package syntax

import (
	"errors"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	const rangeText = " does not fit in 64 bits (-9223372036854775808 to 9223372036854775807)"
	tests := []struct {
		src      string
		code     Code
		pos, end int
		want     string
	}{
		{
			"(4,8]", CodeSyntax, 4, 5,
			"col 5: expected ')' or ',' to continue the tuple opened at column 1, found ']'",
		},
		{
			"let a =\n  (4;8)", CodeSyntax, 12, 13,
			"2:5: expected ')' or ',' to continue the tuple opened at line 2, column 3, found ';'",
		},
		{
			"f(4 5)", CodeSyntax, 4, 5,
			"col 5: expected ')' or ',' to continue the argument list opened at column 2, found '5'",
		},
		{
			"[4)", CodeSyntax, 2, 3,
			"col 3: expected ']' or ';' to continue the tiler opened at column 1, found ')'",
		},
		{
			"4 5", CodeSyntax, 2, 3,
			"col 3: expected an operator or the end of the statement, found '5'",
		},
		{
			"a = 4", CodeSyntax, 2, 3,
			"col 3: expected an operator or the end of the statement, found '=' " +
				"(a name is bound by 'let a = ...', values are compared by '==')",
		},
		{
			"(4:1)(2)@1", CodeSyntax, 8, 9,
			"col 9: expected an operator or the end of the statement, found '@' " +
				"('@' follows an integer literal, as in 2@1)",
		},
		{
			"4 < 5", CodeSyntax, 2, 3,
			"col 3: expected an operator or the end of the statement, found '<' " +
				"('<' and '>' only enclose tilers and template lists)",
		},
		{
			"a < b", CodeSyntax, 4, 5,
			"col 5: expected an integer or '_' in the template list of a<...>(...), found 'b'",
		},
		{
			"a:b:c", CodeSyntax, 3, 4,
			"col 4: ':' does not chain: a layout has one shape and one stride; " +
				"put parentheses around the inner layout",
		},
		{
			"a:b(1)+2:c", CodeSyntax, 8, 9,
			"col 9: ':' does not chain: a layout has one shape and one stride; " +
				"put parentheses around the inner layout",
		},
		{"<>", CodeSyntax, 1, 2, "col 2: expected an expression, found '>'"},
		{"[]", CodeSyntax, 1, 2, "col 2: expected an expression, found ']'"},
		{"[1;;]", CodeSyntax, 3, 4, "col 4: expected an expression, found ';'"},
		{"(,)", CodeSyntax, 1, 2, "col 2: expected an expression, found ','"},
		{"∘ 4", CodeSyntax, 0, 3, "col 1: expected an expression, found '∘'"},
		{"4 ∘ !", CodeSyntax, 6, 7, "col 5: expected an expression, found character '!' (U+0021)"},
		{"4 ∘ −1", CodeSyntax, 6, 9, "col 5: expected an expression, found character '−' (U+2212)"},
		{"\xff", CodeSyntax, 0, 1, "col 1: expected an expression, found byte 0xff"},
		{"1.5", CodeSyntax, 2, 3, "col 3: expected a function name after '.', found '5'"},
		{"a.b;", CodeSyntax, 3, 4, "col 4: expected '(' to call b, found ';'"},
		{"size<0> L", CodeSyntax, 8, 9, "col 9: expected '(' to call size, found 'L'"},
		{"let 4", CodeSyntax, 4, 5, "col 5: expected a name to bind after 'let', found '4'"},
		{
			"let cute = 4", CodeSyntax, 4, 8,
			"col 5: expected a name to bind after 'let', found 'cute'",
		},
		{"let a 4", CodeSyntax, 6, 7, "col 7: expected '=' after 'let a', found '4'"},
		{
			"cute + 1", CodeSyntax, 5, 6,
			"col 6: expected '::' or '.' after the namespace 'cute', found '+'",
		},
		{"cute::4", CodeSyntax, 6, 7, "col 7: expected a name after the namespace 'cute', found '4'"},
		{"_{4}", CodeSyntax, 2, 3, "col 3: expected '}', found '4'"},
		{"f<-_4>(x)", CodeSyntax, 3, 5, "col 4: expected digits after '-', found '_4'"},
		{
			"1@9999999999999999999", CodeOverflow, 2, 21,
			"col 3: integer 9999999999999999999" + rangeText,
		},
		{"K{div=0}", CodeSyntax, 2, 7, "col 3: a divisor is at least 1, found 0"},
		{"K{div 8}", CodeSyntax, 6, 7, "col 7: expected '=' and a divisor after 'div', found '8'"},
		{"K{>9223372036854775807}", CodeOverflow, 21, 22, "col 22: no 64-bit integer is beyond 9223372036854775807"},
		{"0K", CodeSyntax, 1, 2, "col 2: expected an operator or the end of the statement, found 'K'"},
		{"L{4}", CodeSyntax, 2, 3, "col 3: expected '}' or a fact: div=8, >=1, <=4096, i32 or i64, found '4'"},
		{"Int<x>", CodeSyntax, 4, 5, "col 5: expected an integer for the value of Int<>, found 'x'"},
		{"Int<4,5>", CodeSyntax, 5, 6, "col 6: expected '>' to close the '<' opened at column 4, found ','"},
		{
			"Sw<3,4>", CodeSyntax, 6, 7,
			"col 7: expected ',' and S in the swizzle Sw<B,M,S>, found '>'",
		},
		{"S<3,-4,3>", CodeSyntax, 4, 6, "col 5: M of a swizzle is not negative, found -4"},
		{
			"Sw<3,4,3,3>", CodeSyntax, 8, 9,
			"col 9: expected '>' after the three integers of the swizzle, found ','",
		},
		{"1@64", CodeSyntax, 2, 4, "col 3: a basis path entry is 0 to 63, found 64"},
		{"1@-1", CodeSyntax, 2, 3, "col 3: expected a mode number after '@', found '-'"},
		{"1@_-1", CodeSyntax, 2, 5, "col 3: a basis path entry is 0 to 63, found -1"},
		{
			"9223372036854775808", CodeOverflow, 0, 19,
			"col 1: integer 9223372036854775808" + rangeText,
		},
		{
			"(0,-9223372036854775809)", CodeOverflow, 4, 23,
			"col 5: integer -9223372036854775809" + rangeText,
		},
		{
			"-(9223372036854775808)", CodeOverflow, 2, 21,
			"col 3: integer 9223372036854775808" + rangeText,
		},
		{
			"_-9999999999999999999", CodeOverflow, 0, 21,
			"col 1: integer -9999999999999999999" + rangeText,
		},
		{
			strings.Repeat("7", 100), CodeOverflow, 0, 100,
			"col 1: integer " + strings.Repeat("7", 64) + "... (100 characters)" + rangeText,
		},
	}
	for _, tt := range tests {
		_, err := Parse(tt.src)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q) returned %v, want an *Error", tt.src, err)
			continue
		}
		if e.Error() != tt.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", tt.src, e, tt.want)
		}
		if e.Code != tt.code || e.Pos != tt.pos || e.End != tt.end || e.Incomplete {
			t.Errorf("Parse(%q) fails with %s at [%d,%d), incomplete %t; want %s at [%d,%d)",
				tt.src, e.Code, e.Pos, e.End, e.Incomplete, tt.code, tt.pos, tt.end)
		}
	}
}

// The test checks that ParseExpr refuses a second expression, even on another line.
func TestParseExprTakesOne(t *testing.T) {
	for src, want := range map[string]string{
		"4;":    "col 2: expected an operator or the end of the expression, found ';'",
		"4\n5":  "2:1: expected an operator or the end of the expression, found '5'",
		"let a": "col 1: expected an expression, found 'let'",
	} {
		if _, err := ParseExpr(src); err == nil || err.Error() != want {
			t.Errorf("ParseExpr(%q)\n got %v\nwant %s", src, err, want)
		}
	}
}

func TestIncomplete(t *testing.T) {
	tests := []struct{ src, want string }{
		{
			"x o (4,(2, 8 ",
			"col 13: expected ')' or ',' to continue the tuple opened at column 8, found end of input",
		},
		{"(4, # four\n\n", "col 4: expected an expression, found end of input"},
		{"let", "col 4: expected a name to bind after 'let', found end of input"},
		{"let a", "col 6: expected '=' after 'let a', found end of input"},
		{"let a =\n", "col 8: expected an expression, found end of input"},
		{"4:", "col 3: expected an expression, found end of input"},
		{"4 o", "col 4: expected an expression, found end of input"},
		{"4 ∘", "col 4: expected an expression, found end of input"},
		{"-", "col 2: expected an expression, found end of input"},
		{"1 +", "col 4: expected an expression, found end of input"},
		{"a ==", "col 5: expected an expression, found end of input"},
		{"1@", "col 3: expected a mode number after '@', found end of input"},
		{"a.", "col 3: expected a function name after '.', found end of input"},
		{"a.b", "col 4: expected '(' to call b, found end of input"},
		{"f(a=", "col 5: expected an expression, found end of input"},
		{"f(a", "col 4: expected ')' or ',' to continue the argument list opened at column 2, " +
			"found end of input"},
		{"<4,<2>", "col 7: expected '>' or ',' to continue the tiler opened at column 1, " +
			"found end of input"},
		{"size<0", "col 7: expected '>' or ',' to continue the template list opened at column 5, " +
			"found end of input"},
		{"size<0>", "col 8: expected '(' to call size, found end of input"},
		{"Sw<3", "col 5: expected ',' and M in the swizzle Sw<B,M,S>, found end of input"},
		{"Int<", "col 5: expected an integer for the value of Int<>, found end of input"},
		{"Int<4", "col 6: expected '>' to close the '<' opened at column 4, found end of input"},
		{"L{", "col 3: expected '}' or a fact: div=8, >=1, <=4096, i32 or i64, found end of input"},
		{"cute::", "col 7: expected a name after the namespace 'cute', found end of input"},
		{"4\n5 o\n", "2:4: expected an expression, found end of input"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.src)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q) returned %v, want an *Error", tt.src, err)
			continue
		}
		if e.Error() != tt.want || !e.Incomplete {
			t.Errorf("Parse(%q), incomplete %t\n got %s\nwant %s", tt.src, e.Incomplete, e, tt.want)
		}
	}
	var e *Error
	if _, err := ParseExpr("\n"); !errors.As(err, &e) || !e.Incomplete {
		t.Errorf("ParseExpr of an empty line returned %v, want an incomplete *Error", err)
	}
}

func TestPosition(t *testing.T) {
	const src = "a∘b\n\xff\xfe(\n"
	tests := []struct{ offset, line, column int }{
		{-1, 1, 1}, {0, 1, 1}, {1, 1, 2}, {4, 1, 3}, {5, 1, 4}, {6, 2, 1}, {8, 2, 3}, {10, 3, 1}, {99, 3, 1},
	}
	for _, tt := range tests {
		if line, column := Position(src, tt.offset); line != tt.line || column != tt.column {
			t.Errorf("Position(%q, %d) is %d:%d, want %d:%d",
				src, tt.offset, line, column, tt.line, tt.column)
		}
	}
}

func TestErrorWithoutPosition(t *testing.T) {
	err := &Error{Code: CodeSyntax, Msg: "no text"}
	if got, want := err.Error(), "no text"; got != want {
		t.Errorf("Error() is %q, want %q", got, want)
	}
}
