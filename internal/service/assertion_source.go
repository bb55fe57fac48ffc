//go:build !js

package service

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"girih/internal/lang/report"
	"girih/internal/pattern"
)

// This file finds assertions in the comments of a source, and the layout that each of them is about:
//
//	// girih: conflict-free f16 ldmatrix.x4
//	using Tile = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, Int<kK>>, Stride<Int<kK>, _1>>{}));
//
// The layout is the statement on the line of the comment, or else the first statement below it. Names in the statement
// get the values that definitions above it give them, such as constexpr int kK = 64. Names without a definition, such
// as parameters of templates, get values by "with kK=64, T=half_t". With "of LAYOUT" at its end, an assertion names its
// layout itself.

// A claim is an assertion in a source.
type claim struct {
	line   int      // from 0
	column int      // of the word girih, in runes, from 0
	words  string   // without "with NAME=N" and "of LAYOUT"
	given  []string // NAME=N
	layout string   // after "of", or ""
	code   string   // before the comment
}

// claimMark is what a comment with an assertion begins with.
const claimMark = pattern.Pattern(`^(.*?)(//+!?|#+|/\*+|<!--|--|^\s*\*)\s*girih:\s*(.*?)\s*(?:\*/|-->)?\s*$`)

// claims returns the assertions in the lines of a source. In Markdown only code blocks have any, and words that assert
// nothing are text: pages quote girih. In other files they are a mistake, if they begin with a word.
func claims(name string, lines []string) []claim {
	prose, fenced := slices.Contains([]string{".md", ".rst", ".markdown"}, path.Ext(name)), false
	var all []claim
	for i, line := range lines {
		if prose && strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if !strings.Contains(line, "girih:") || prose && !fenced {
			continue
		}
		m := claimMark.FindStringSubmatch(line)
		if m == nil || isQuoted(m[1]) {
			continue
		}
		if _, info := assertionNamed(m[3]); info != nil && (prose || !firstWords.MatchString(m[3])) {
			continue
		}
		c := claim{line: i, column: len([]rune(line[:strings.Index(line, "girih:")])), code: m[1]}
		c.words, c.layout, _ = strings.Cut(m[3], " of ")
		if g := givenNames.FindStringSubmatch(c.words); g != nil {
			c.words = strings.TrimSuffix(c.words, g[0])
			c.given = strings.FieldsFunc(g[1], func(r rune) bool { return r == ',' || r == ' ' })
		}
		all = append(all, c)
	}
	return all
}

// firstWords matches what begins with a word of lower case letters and hyphens.
const firstWords = pattern.Pattern(`^(?:[a-z]+(?:-[a-z]+)*)?(?:\s|$)`)

// givenNames matches the values of names at the end of an assertion.
const givenNames = pattern.Pattern(`\s+with\s+((?:\w+=[\w:]+[,\s]*)+)$`)

// isQuoted reports whether a text of a program ends within quotation marks, or is a comment that shows another one.
func isQuoted(code string) bool {
	bare := strings.TrimSpace(code)
	shown := strings.HasPrefix(bare, "//") || bare == "#" || bare == "*"
	return shown || strings.Count(code, `"`)%2 == 1 || strings.HasSuffix(code, "`") || strings.HasSuffix(code, "'")
}

// A sourceText is a source with its definitions.
type sourceText struct {
	lines  []string
	python bool
	defs   map[string][]int // the lines, from 0, that define a name, in order
}

// definition matches a line that gives a name a value.
const definition = pattern.Pattern(`^\s*(?:#\s*define\s+(\w+)\s+\S|(?:[\w:<>,&*]+\s+)*?(\w+)\s*(?:=[^=]|\{\s*\w))`)

func newSource(name string, lines []string) *sourceText {
	x := &sourceText{lines: lines, python: strings.HasPrefix(path.Ext(name), ".py"), defs: map[string][]int{}}
	for i, line := range lines {
		if m := definition.FindStringSubmatch(line); m != nil {
			name := m[1] + m[2]
			x.defs[name] = append(x.defs[name], i)
		}
	}
	return x
}

// most lines of a statement, and most definitions that one may need
const (
	maxStatement   = 64
	maxDefinitions = 64
)

const blockComment = pattern.Pattern(`/\*.*?\*/`)

// code returns a line without its comment.
func (x *sourceText) code(i int) string {
	line, mark := x.lines[i], "//"
	if x.python {
		mark = "#"
	} else {
		line = blockComment.ReplaceAllString(line, "")
	}
	for at := 0; ; {
		k := strings.Index(line[at:], mark)
		if k < 0 {
			return strings.TrimRight(line, " \t\r\\")
		}
		if at += k; !isQuoted(line[:at]) {
			return strings.TrimRight(line[:at], " \t\r")
		}
		at += len(mark)
	}
}

// depth returns how many brackets a text opens and does not close.
func depth(text string) (n int) {
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// from returns the lines [first, end) of the statement that begins with a line.
func (x *sourceText) from(first int) (end int) {
	open := 0
	for i := first; i < len(x.lines) && i < first+maxStatement; i++ {
		code := x.code(i)
		open += depth(code)
		ends := x.python || strings.HasPrefix(strings.TrimSpace(code), "#") || strings.HasSuffix(code, ";") ||
			strings.HasSuffix(code, "{") || strings.HasSuffix(code, "}")
		if open <= 0 && ends || strings.HasSuffix(code, "{") && !x.python {
			return i + 1
		}
	}
	return min(first+1, len(x.lines))
}

// of returns the lines [first, end) of the statement that an assertion is about.
func (x *sourceText) of(c claim) (first, end int) {
	first = c.line
	if strings.TrimSpace(c.code) == "" {
		for first++; first < len(x.lines) && strings.TrimSpace(x.code(first)) == ""; first++ {
		}
		return first, x.from(min(first, len(x.lines)-1))
	}
	if open := depth(c.code); open > 0 {
		return first, x.from(first)
	}
	for first > 0 && c.line-first < maxStatement && x.goesOn(first, c.line) {
		first--
	}
	return first, c.line + 1
}

// goesOn reports whether the statement that ends with the line last began before the line first.
func (x *sourceText) goesOn(first, last int) bool {
	open := 0
	for i := first; i <= last; i++ {
		open += depth(x.code(i))
	}
	above := strings.TrimSpace(x.code(first - 1))
	return open < 0 || !x.python && above != "" && !strings.ContainsAny(above[len(above)-1:], ";{}:")
}

// text returns lines as a program. An array of C is written as its layout, and a macro as a constant.
func (x *sourceText) text(first, end int) string {
	var b strings.Builder
	for i := first; i < min(end, len(x.lines)); i++ {
		b.WriteString(x.code(i) + "\n")
	}
	text := strings.TrimSpace(b.String())
	if m := macro.FindStringSubmatch(text); m != nil {
		return "constexpr auto " + m[1] + " = " + m[2] + ";"
	}
	if m := array.FindStringSubmatch(text); m != nil && !x.python {
		extents := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(m[1], " ", ""), "["), "]"), "][")
		return "make_layout(make_shape(" + strings.Join(extents, ", ") + "), LayoutRight{})"
	}
	return text
}

const (
	macro = pattern.Pattern(`^#\s*define\s+(\w+)\s+(.+)$`)
	array = pattern.Pattern(`^(?:(?:extern|static|const|volatile|__shared__|__device__|alignas\(\w+\)|__align__\(\w+\))\s+)*` +
		`[\w:]+(?:<[^\[\]=]*>)?\s+\w+\s*((?:\[[^\[\]]+\]\s*)+);$`)
	wordOfCode = pattern.Pattern(`[A-Za-z_]\w*`)
)

// give returns a program after definitions of the names that an assertion gives values.
func (c claim) give(program string) string {
	var b strings.Builder
	for _, g := range c.given {
		name, value, _ := strings.Cut(g, "=")
		if value[0] >= '0' && value[0] <= '9' {
			b.WriteString("constexpr int " + name + " = " + value + ";\n")
		} else {
			b.WriteString("using " + name + " = " + value + ";\n")
		}
	}
	return b.String() + program
}

// program returns the statement in the lines [first, end) after the definitions above it that it needs. Names to which
// the assertion gives values need no definition.
func (x *sourceText) program(c claim, first, end int) string {
	statement := x.text(first, end)
	need := map[int]bool{}
	todo, seen := []string{statement}, map[string]bool{}
	for _, g := range c.given {
		name, _, _ := strings.Cut(g, "=")
		seen[name] = true
	}
	if m := definition.FindStringSubmatch(statement); m != nil {
		seen[m[1]+m[2]] = true // another variable of that name
	}
	for len(todo) > 0 && len(need) < maxDefinitions {
		text := todo[0]
		todo = todo[1:]
		for _, name := range wordOfCode.FindAllString(text, -1) {
			if seen[name] {
				continue
			}
			seen[name] = true
			at := x.defs[name]
			k, _ := slices.BinarySearch(at, first)
			if k == 0 {
				continue
			}
			line := at[k-1]
			if !need[line] {
				need[line] = true
				todo = append(todo, x.text(line, x.from(line)))
			}
		}
	}
	var b strings.Builder
	for _, line := range slices.Sorted(maps.Keys(need)) {
		b.WriteString(x.text(line, x.from(line)) + "\n")
	}
	program := c.give(b.String() + statement)
	if x.python {
		program = strings.ReplaceAll(strings.ReplaceAll(program, "constexpr int ", ""), ";\n", "\n")
	}
	return program
}

// layoutAt returns a program for the layout that is written in the lines [first, end).
func (s *Session) layoutAt(x *sourceText, c claim, first, end int) (string, *report.Error) {
	if first >= len(x.lines) {
		return "", usage("expected a layout below the assertion, found the end of the file")
	}
	bare := x.text(first, end)
	program, fault := s.evaluates(x.program(c, first, end), bare)
	if fault == nil {
		return program, nil
	}
	var found []string
	for _, it := range s.fresh().Read(ReadRequest{Text: bare}).Items {
		if it.OK && it.Static && !slices.Contains(found, it.Value) {
			found = append(found, it.Value)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	lines := fmt.Sprintf("line %d", first+1)
	if end > first+1 {
		lines = fmt.Sprintf("lines %d to %d", first+1, end)
	}
	info := usage("expected one layout in %s, found %d: %s", lines, len(found), report.OneLine(fault.Message))
	info.Hint = "write the layout at the end of the assertion: girih: ... of (8,64):(64,1)"
	return "", info
}

// evaluates returns the first of the programs that has a value whose integers are known.
func (s *Session) evaluates(programs ...string) (string, *report.Error) {
	var fault *report.Error
	for _, program := range programs {
		r := s.fresh().Eval(EvalRequest{Expr: program})
		switch {
		case r.OK && r.Value != "" && r.Static == "":
			return program, nil
		case fault != nil:
		case r.Error != nil:
			fault = r.Error
		case r.Value == "":
			fault = usage("the statement has no value")
		default:
			fault = usage("its integers are not known: it is %s", clip(r.Value))
		}
	}
	return "", fault
}

// valueName names a value of an assertion for a baseline: the words, with a number if the source has them again.
func valueName(words string, seen map[string]int) string {
	if seen[words]++; seen[words] > 1 {
		return fmt.Sprintf("%s #%d", words, seen[words])
	}
	return words
}
