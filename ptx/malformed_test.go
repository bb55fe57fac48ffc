package ptx

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const tooDeep = "expected at most 200 blocks, lists and parentheses within each other, found another one"

// Each row of malformed contains a faulty source and the text of the error. The source is a whole file, the body of a
// kernel (stmt) or a declaration (decl). Lines in the error count from the first line of this source.
var malformed = []struct{ kind, src, want string }{
	// Faults in the head of a file.
	{"file", "", "syntax: 1:1: expected '.version', found end of file"},
	{"file", "version 8.0", "syntax: 1:1: expected '.version', found 'version'"},
	{"file", ".version 8", "syntax: 1:10: expected a version like 8.7, found '8'"},
	{"file", ".version sm_90", "syntax: 1:10: expected a version like 8.7, found 'sm_90'"},
	{"file", ".version 8.0\n.entry f() {}", "syntax: 2:1: expected '.target', found '.entry'"},
	{"file", ".version 8.0 .target", "syntax: 1:21: expected a target, found end of file"},
	{"file", ".version 8.0 .target sm_90,", "syntax: 1:28: expected an option of the target, found end of file"},
	{"file", ".version 8.0 .target sm_90 .address_size 48", "syntax: 1:42: expected 32 or 64, found '48'"},
	{"file", ".version 8.0 .target sm_90 .address_size x", "syntax: 1:42: expected 32 or 64, found 'x'"},
	{"file", ".version 8.0 .target sm_90\n.address_size 48\n\n.", "syntax: 2:15: expected 32 or 64, found '48'"},
	{"file", ".version 8.0 .target sm_90 foo", "syntax: 1:28: expected a directive, such as .entry or .global, found 'foo'"},
	{"file", ".version 8.0 .target sm_90 /* no end", "syntax: 1:28: expected a directive, such as .entry or .global, found a comment without an end"},

	// Faults in declarations.
	{"decl", ".globl x", "syntax: 1:1: expected a state space, such as .reg or .global, found '.globl'"},
	{"decl", ".visible x", "syntax: 1:10: expected a state space, such as .reg or .global, found 'x'"},
	{"decl", ".global x;", "syntax: 1:9: expected a type, found 'x'"},
	{"decl", ".global .u33 x;", "syntax: 1:9: expected a type, found '.u33'"},
	{"decl", ".global .u32;", "syntax: 1:13: expected a name, found ';'"},
	{"decl", ".global .u32 x", "syntax: 1:15: expected ',' or ';', found end of file"},
	{"decl", ".global .u32 x y;", "syntax: 1:16: expected ',' or ';', found 'y'"},
	{"decl", ".global .align 3 .u32 x;", "syntax: 1:16: expected a power of two, found '3'"},
	{"decl", ".global .align .u32 x;", "syntax: 1:16: expected an alignment, found '.u32'"},
	{"decl", ".global .u32 x[;", "syntax: 1:16: expected an extent, found ';'"},
	{"decl", ".global .u32 x[-1];", "overflow: 1:16: expected an extent from 0 to 9223372036854775807, found -1"},
	{"decl", ".global .u32 x[1.5];", "syntax: 1:16: expected an extent, found '1.5'"},
	{"decl", ".global .u32 x[2] = {1, 2;", "syntax: 1:26: expected ',' or '}', found ';'"},
	{"decl", ".global .u32 x[2] = {1 2};", "syntax: 1:24: expected ',' or '}', found '2'"},
	{"decl", ".global .u32 x = ;", "syntax: 1:18: expected an operand, found ';'"},
	{"decl", ".global .u32 x = 0xff(;", "syntax: 1:23: expected the name of a variable, found ';'"},
	{"decl", ".global .u64 x = generic(1);", "syntax: 1:26: expected the name of a variable, found '1'"},
	{"decl", ".global .u32 x = 1 +;", "syntax: 1:21: expected a constant, found ';'"},
	{"decl", ".global .u32 x = 1 / 0;", "syntax: 1:20: expected a divisor that is not 0, found 0"},
	{"decl", ".global .u32 x = 1 + 2.5;", "syntax: 1:20: expected two numbers of the same type, integers or decimals, found 2.5"},
	{"decl", ".global .u32 x = (1 + 2;", "syntax: 1:24: expected ')', found ';'"},
	{"decl", ".global .u32 x = 1 ? 2;", "syntax: 1:23: expected ':', found ';'"},
	{"decl", ".global .u32 x = ~1.5;", "syntax: 1:19: expected an integer, found 1.5"},
	{"decl", ".global .attribute(managed) .u32 x;", "syntax: 1:20: expected an attribute, such as .managed, found 'managed'"},
	{"decl", ".reg .b32 %r<0>;", "overflow: 1:14: expected from 1 to 16777216 names, found 0"},
	{"decl", ".reg .b32 %r<99999999>;", "overflow: 1:14: expected from 1 to 16777216 names, found 99999999"},
	{"decl", ".reg .b32 %r<10;", "syntax: 1:16: expected '>', found ';'"},
	{"decl", ".alias f;", "syntax: 1:9: expected ',', found ';'"},
	{"decl", ".file \"a\"", "syntax: 1:7: expected the number of a file, found a string"},
	{"decl", ".file 1 \"a\n", "syntax: 1:9: expected a string, found a string without an end"},
	{"decl", ".section { }", "syntax: 1:10: expected the name of a section, found '{'"},
	{"decl", ".section .debug_str { .b8 1", "syntax: 1:28: expected '}' at the end of the section, found end of file"},
	{"decl", ".pragma nounroll;", "syntax: 1:9: expected a string, found 'nounroll'"},
	{"decl", "}", "syntax: 1:1: expected a directive, such as .entry or .global, found '}'"},

	// Faults in functions.
	{"decl", ".entry (", "syntax: 1:8: expected the name of a kernel, found '('"},
	{"decl", ".entry f(.param .u32) {}", "syntax: 1:21: expected a name, found ')'"},
	{"decl", ".entry f(.param .u32 a .param .u32 b) {}", "syntax: 1:24: expected ',' or ')', found '.param'"},
	{"decl", ".entry f(.param .u64 .ptr .f32 a) {}", "syntax: 1:27: expected a name, found '.f32'"},
	{"decl", ".entry f ret;", "syntax: 1:10: expected parameters, a directive, ';' or a body, found 'ret'"},
	{"decl", ".entry f() .maxntid 1, {}", "syntax: 1:24: expected a number, found '{'"},
	{"decl", ".entry f() ret;", "syntax: 1:12: expected parameters, a directive, ';' or a body, found 'ret'"},
	{"decl", ".entry f() {", "syntax: 1:13: expected '}' at the end of a block, found end of file"},
	{"decl", ".func f(,) {}", "syntax: 1:9: expected a state space, such as .reg or .global, found ','"},

	// Faults in statements.
	{"stmt", "ret", "syntax: 1:4: expected an operand or ';', found end of line"},
	{"stmt", "mov.u32 %r1 %r2;", "syntax: 1:13: expected ',' or ';', found '%r2'"},
	{"stmt", "mov.u32 %r1,;", "syntax: 1:13: expected an operand, found ';'"},
	{"stmt", "mov.u32 %r1, %r2\nadd.s32 %r1, %r1, 1;", "syntax: 1:17: expected ',' or ';', found end of line"},
	{"stmt", "mov.u32 %r1, 09;", "syntax: 1:14: expected a number, found '09'"},
	{"stmt", "mov.u32 %r1, 0x;", "syntax: 1:14: expected a number, found '0x'"},
	{"stmt", "mov.u32 %r1, 12ab;", "syntax: 1:14: expected a number, found '12ab'"},
	{"stmt", "mov.u32 %r1, 99999999999999999999;", "overflow: 1:14: expected a number that fits in 64 bits, found '99999999999999999999'"},
	{"stmt", "mov.f32 %f1, 0f3F80;", "syntax: 1:14: expected 8 hexadecimal digits after 0f, found '0f3F80'"},
	{"stmt", "mov.f64 %d1, 0d3F80;", "syntax: 1:14: expected 16 hexadecimal digits after 0d, found '0d3F80'"},
	{"stmt", "mov.f64 %d1, 1e999;", "overflow: 1:14: expected a number that fits in 64 bits, found '1e999'"},
	{"stmt", "mov.b64 {%r1, %r2, %rd1;", "syntax: 1:24: expected ',' or '}', found ';'"},
	{"stmt", "ld.global.u32 %r1, [%rd1;", "syntax: 1:25: expected '+', ',' or ']', found ';'"},
	{"stmt", "ld.global.u32 %r1, [];", "syntax: 1:21: expected an address, found ']'"},
	{"stmt", "ld.global.u32 %r1, [%rd1+%rd2];", "syntax: 1:26: expected a constant, found '%rd2'"},
	{"stmt", "ld.global.u32 %r1, [%rd1+1.5];", "syntax: 1:26: expected an integer, found 1.5"},
	{"stmt", "@;", "syntax: 1:2: expected a predicate, found ';'"},
	{"stmt", "@ 1", "syntax: 1:3: expected a predicate, found '1'"},
	{"stmt", "@%p1;", "syntax: 1:5: expected an instruction, found ';'"},
	{"stmt", "@!%p1 {}", "syntax: 1:7: expected an instruction, found '{'"},
	{"stmt", "setp.eq.s32 %p1|, %r1, 0;", "syntax: 1:17: expected a name, found ','"},
	{"stmt", "call (%r1, f;", "syntax: 1:13: expected ',' or ')', found ';'"},
	{"stmt", "a.b: ret;", "syntax: 1:4: expected an instruction, found ':'"},
	{"stmt", ".branchtargets L1, L2;", "syntax: 1:1: expected a label before '.branchtargets', found '.branchtargets'"},
	{"stmt", "ts: .branchtargets ;", "syntax: 1:20: expected the name of a target, found ';'"},
	{"stmt", "p: .callprototype (.param .b32 _) (.param .b32 _);", "syntax: 1:35: expected '_', found '('"},
	{"stmt", ".loc 1 2;", "syntax: 1:9: expected a column, found ';'"},
	{"stmt", ".loc 1 2 3, inlined_at 1 2 3", "syntax: 1:13: expected 'function_name', found 'inlined_at'"},
	{"stmt", ".loc 1 2 3, function_name L, 1 2 3", "syntax: 1:30: expected 'inlined_at', found '1'"},
	{"stmt", ".maxntid 128", "syntax: 1:1: expected a statement or '}', found '.maxntid'"},
	{"stmt", "bra #1;", "syntax: 1:5: expected an operand, found '#'"},
	{"stmt", "/* a\nb */ bra /* */ #1;", "syntax: 2:16: expected an operand, found '#'"},
	{"stmt", "bra \"L\";", "syntax: 1:5: expected an operand, found a string"},
	{"stmt", "mov.u32 %r1, % tid;", "syntax: 1:14: expected a name, found '%'"},
	{"stmt", "\x80", "syntax: 1:1: expected a statement or '}', found byte 128"},
	{"stmt", strings.Repeat("{", MaxDepth), "depth: 1:200: " + tooDeep},
	{"stmt", "mov.u32 %r1, " + strings.Repeat("(", MaxDepth) + "1;", "depth: 1:214: " + tooDeep},
	{"stmt", "mov.u32 %r1, " + strings.Repeat("-", MaxDepth) + "1;", "depth: 1:214: " + tooDeep},
	{"stmt", "mov.u32 %r1, " + strings.Repeat("1?", MaxDepth) + "1;", "depth: 1:414: " + tooDeep},
	{"stmt", "mov.u32 " + strings.Repeat("{", MaxDepth), "depth: 1:208: " + tooDeep},
	{"stmt", "mov.u32 [a" + strings.Repeat(",[a", MaxDepth), "depth: 1:606: " + tooDeep},
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, row := range malformed {
		src, before := row.src, 0
		switch row.kind {
		case "decl":
			src, before = ".version 8.0 .target sm_90\n"+src, 1
		case "stmt":
			src, before = ".version 8.0 .target sm_90 .entry f() {\n"+src+"\n}", 1
		}
		m, err := Parse(src)
		e, ok := errors.AsType[*Error](err)
		if !ok || m != nil {
			t.Errorf("%q is no error but %v, %v", row.src, m, err)
			continue
		}
		if got := fmt.Sprintf("%s: %d:%d: expected %s, found %s", e.Code, e.Line-before, e.Col, e.Expected,
			e.Found); got != row.want {
			t.Errorf("%q:\n got %s\nwant %s", row.src, got, row.want)
		}
		if lines := strings.Split(src, "\n"); e.Source != lines[e.Line-1] || e.Col < 1 || e.Col > len(e.Source)+1 {
			t.Errorf("%q: the line of the error at %d:%d is %q", row.src, e.Line, e.Col, e.Source)
		}
	}
}

// TestCaret checks that the caret is below the fault, and that a long line is cut around the fault.
func TestCaret(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ line, want string }{
		{"\tbra #;", "\tbra #;\n\t    ^"},
		{"/* \u00e9\xff */ #", "/* \u00e9  */ #\n         ^"},
		{
			strings.Repeat(";", 150) + "#" + strings.Repeat("x", 150),
			strings.Repeat(";", 100) + "#" + strings.Repeat("x", 99) + "\n" + strings.Repeat(" ", 100) + "^",
		},
	} {
		_, err := Parse(".version 8.0 .target sm_90 .entry f() {\n" + row.line + "\n}")
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%q is read", row.line)
			continue
		}
		if got := e.Caret(); got != row.want {
			t.Errorf("%q:\n%q, want\n%q", row.line, got, row.want)
		}
	}
}

// TestListsAreApart checks that appending to a list of a tree does not write into another list.
func TestListsAreApart(t *testing.T) {
	t.Parallel()
	m, err := Parse(".version 8.0 .target sm_90 .entry f() { mov.b64 {a, b}, c; add.s32 d, e, f; }")
	if err != nil {
		t.Fatal(err)
	}
	text := m.String()
	first := m.Func("f").Body.Stmts[0].(*Instr)
	_ = append(first.Operands, Int(1))
	_ = append(first.Operands[0].(Vec), Int(2))
	if m.String() != text {
		t.Errorf("appending has changed\n%s into\n%s", text, m)
	}
}
