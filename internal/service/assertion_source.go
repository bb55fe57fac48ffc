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
	prose, fenced := isProse(name), false
	var all []claim
	for i, line := range lines {
		if prose && isFence(line) {
			fenced = !fenced
		}
		if !strings.Contains(line, "girih:") || prose && !fenced {
			continue
		}
		m := claimMark.FindStringSubmatch(line)
		if m == nil || isQuoted(name, m[1]) {
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

func isProse(name string) bool {
	return slices.Contains([]string{".md", ".rst", ".markdown"}, path.Ext(name))
}

// isFence reports whether a line of Markdown begins or ends a block of code.
func isFence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

// firstWords matches what begins with a word of lower case letters and hyphens.
const firstWords = pattern.Pattern(`^(?:[a-z]+(?:-[a-z]+)*)?(?:\s|$)`)

// givenNames matches the values of names at the end of an assertion.
const givenNames = pattern.Pattern(`\s+with\s+((?:\w+=[\w:]+[,\s]*)+)$`)

// isQuoted reports whether a text of a program ends within quotation marks, or is a comment that shows another one.
func isQuoted(name, code string) bool {
	bare := strings.TrimSpace(code)
	shown := strings.HasPrefix(bare, "//") || bare == "#" || bare == "*"
	_, within := newScanner(name).code(code)
	return shown || within || strings.HasSuffix(code, "`") || strings.HasSuffix(code, "'")
}

// A sourceText is a source with its definitions.
type sourceText struct {
	lines  []string
	codes  []string // the lines without comments
	below  []int    // by line, the first line from it on that has code
	within []int    // by line, which string of several lines it is in; 0 for none
	python bool
	defs   map[string][]int // the lines, from 0, that define a name, in order
}

// definition matches a line that gives a name a value, or changes it.
const definition = pattern.Pattern(`^\s*(?:#\s*define\s+(\w+)\s+\S|(?:[\w:<>,&*]+\s+)*?(\w+)\s*` +
	`(?:(?:\*\*|//|<<|>>|[-+*/%&|^@])?=[^=]|\{\s*\w))`)

func newSource(name string, lines []string) *sourceText {
	x := &sourceText{
		lines: lines, codes: make([]string, len(lines)), below: make([]int, len(lines)+1), within: make([]int, len(lines)),
		python: strings.HasPrefix(path.Ext(name), ".py"), defs: map[string][]int{},
	}
	scan := newScanner(name)
	open := 0 // brackets: what is between them are arguments
	for i, line := range lines {
		if isFence(line) && isProse(name) {
			scan, open = newScanner(name), 0 // src/*.cu in the text begins no comment
		}
		x.within[i] = scan.within()
		code, _ := scan.code(line)
		x.codes[i] = strings.TrimRight(code, " \t\r\\")
		if m := definition.FindStringSubmatch(x.codes[i]); m != nil && open <= 0 {
			name := m[1] + m[2]
			x.defs[name] = append(x.defs[name], i)
		}
		if open = max(0, open+depth(x.codes[i])); scan.within() != x.within[i] || !x.python && x.ends(i) {
			open = 0
		}
	}
	x.below[len(lines)] = len(lines)
	for i := len(lines) - 1; i >= 0; i-- {
		if x.below[i] = x.below[i+1]; strings.TrimSpace(x.codes[i]) != "" {
			x.below[i] = i
		}
	}
	return x
}

// Limits of a statement, in lines and in bytes, and of the definitions that one may need.
const (
	maxStatement   = 64
	maxProgram     = 64 << 10
	maxDefinitions = 64
)

// ends reports whether a line of C ends a statement.
func (x *sourceText) ends(i int) bool {
	code := x.codes[i]
	return strings.HasPrefix(strings.TrimSpace(code), "#") || code != "" && strings.Contains(";{}", code[len(code)-1:])
}

// depth returns how many brackets a text opens and does not close.
func depth(text string) (n int) {
	for _, r := range literals.ReplaceAllString(text, "") {
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
		code := x.codes[i]
		open += depth(code)
		if open <= 0 && (x.python || x.ends(i)) || strings.HasSuffix(code, "{") && !x.python {
			return i + 1
		}
	}
	return min(first+1, len(x.lines))
}

// of returns the lines [first, end) of the statement that an assertion is about.
func (x *sourceText) of(c claim) (first, end int) {
	first = c.line
	if strings.TrimSpace(c.code) == "" {
		first = x.below[first+1]
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
		open += depth(x.codes[i])
	}
	above := strings.TrimSpace(x.codes[first-1])
	return open < 0 || !x.python && above != "" && !strings.ContainsAny(above[len(above)-1:], ";{}:")
}

// text returns lines as a program. An array of C is written as its layout, and a macro as a constant.
func (x *sourceText) text(first, end int) string {
	text := strings.TrimSpace(strings.Join(x.codes[first:min(end, len(x.codes))], "\n"))
	text = strings.TrimPrefix(text, templateHead.FindString(text))
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
	templateHead = pattern.Pattern(`^template\s*<[^<>]*>\s*`)

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
	need, macros := map[int]bool{}, map[string]string{}
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
			line := x.defines(name, first)
			if line < 0 || need[line] {
				continue
			}
			if m := macro.FindStringSubmatch(x.codes[line]); m != nil {
				macros[name] = m[2]
				todo = append(todo, m[2])
				continue
			}
			need[line] = true
			todo = append(todo, x.text(line, x.from(line)))
		}
	}
	var b strings.Builder
	for _, line := range slices.Sorted(maps.Keys(need)) {
		b.WriteString(x.text(line, x.from(line)) + "\n")
	}
	program := c.give(expand(b.String()+statement, macros))
	if x.python {
		program = strings.ReplaceAll(strings.ReplaceAll(program, "constexpr int ", ""), ";\n", "\n")
	}
	return program
}

// defines returns the nearest line above that defines a name, in the same string if the line is in one; -1 if there is
// none.
func (x *sourceText) defines(name string, before int) int {
	at := x.defs[name]
	k, _ := slices.BinarySearch(at, before)
	for k--; k >= 0 && x.within[at[k]] != x.within[before]; k-- {
	}
	if k < 0 {
		return -1
	}
	return at[k]
}

// expand replaces macros by their texts, as the preprocessor does: with #define K 32 + 1, K * 2 is 34. It ends when the
// text is longer than a program may be.
func expand(text string, macros map[string]string) string {
	for range maxDefinitions {
		room := maxProgram - len(text)
		next := wordOfCode.ReplaceAllStringFunc(text, func(name string) string {
			body, ok := macros[name]
			if room -= len(body); !ok || room < 0 {
				return name
			}
			return body
		})
		if next == text {
			break
		}
		text = next
	}
	return text
}

// layoutAt returns a program for the layout that is written in the lines [first, end).
func (s *Session) layoutAt(x *sourceText, c claim, first, end int) (string, *report.Error) {
	if first >= len(x.lines) {
		return "", usage("expected a layout below the assertion, found the end of the file")
	}
	bare := x.text(first, end)
	if len(bare) > maxProgram {
		return "", usage("expected a statement of at most %d bytes, found %d", maxProgram, len(bare))
	}
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
