package document

import (
	"strings"
	"unicode"

	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// plain returns the cells of plain text: runs of lines that look like code. A line with the name of a language alone is
// a label, as blogs have it above their code. A text that is code as a whole is one cell.
func plain(text string) []Cell {
	if !hasProse(text) {
		return []Cell{{Src: text, Lang: textLanguage(text), Line: 1}}
	}
	s := splitter{lines: strings.SplitAfter(text, "\n")}
	for i := 0; i < len(s.lines); {
		i = s.next(i)
	}
	return s.cells
}

// hasProse reports whether a text has lines that are no code.
func hasProse(text string) bool {
	first, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if _, isLabel := languages[strings.ToLower(strings.TrimSpace(first))]; isLabel && more != "" {
		return true
	}
	if strings.HasPrefix(first, "#include") {
		return false
	}
	if _, err := program.Parse(text, textLanguage(text)); err == nil && !hasShapes(text) {
		return false
	}
	prose := 0
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" && !isCodeLine(l) && looksLikeProse(l) {
			prose++
		}
	}
	return prose > 0
}

// textLanguage returns the language of a text. If the statements look like C++, as x = {}; above a loop of Python does,
// and the text is not C++, it may be Python.
func textLanguage(text string) program.Language {
	lang := program.Detect(text)
	if lang != program.Cpp {
		return lang
	}
	if _, err := program.Parse(text, lang); err == nil {
		return lang
	}
	if _, err := program.Parse(text, program.Python); err == nil {
		return program.Python
	}
	return lang
}

// A splitter splits plain text into cells.
type splitter struct {
	lines    []string
	cells    []Cell
	labelled bool // a label precedes the code that is being read
}

// next reads what begins at line i, and returns the line after it.
func (s *splitter) next(i int) int {
	label := strings.ToLower(strings.TrimSpace(s.lines[i]))
	_, isLabel := languages[label]
	from := i
	if isLabel && label != "c" {
		from = i + 1
	} else if !isCodeLine(s.lines[i]) {
		return i + 1
	} else {
		label = ""
	}
	s.labelled = label != ""
	to := s.end(from)
	src := strings.Join(s.lines[from:to], "")
	if to > from && (label != "" || isCode(src) || hasShapes(src)) {
		s.cells = append(s.cells, Cell{Src: src, Lang: languageOf(label, src), Line: from + 1})
	}
	return max(to, i+1)
}

// end returns the line after the code that begins at a line. Code goes on within brackets, after an empty line if code
// follows, and after a label up to a line of prose.
func (s *splitter) end(from int) int {
	depth, last := 0, from
	inText := false // whether the line is inside """ or ''', which may contain prose
	for i := from; i < len(s.lines); i++ {
		l := s.lines[i]
		blank := strings.TrimSpace(l) == ""
		switch {
		case blank:
			continue
		case strings.HasPrefix(strings.TrimSpace(l), "•"): // even inside brackets that a text has left open
			return last
		case depth > 0 || inText || isCodeLine(l):
		case i > from && !isForeign(l) && (isIndented(l) || goesOn(s.lines[i-1])):
		case languages[strings.ToLower(strings.TrimSpace(l))] != 0: // the label of the next code
			return last
		case s.labelled && !looksLikeProse(l) && last == i: // a grid that is printed below a value
		default:
			return last
		}
		inText = inText != endsWithin(l)
		depth = max(0, depth+openBrackets(l))
		last = i + 1
	}
	return last
}

// endsWithin reports whether a line of code opens or closes a text of several lines.
func endsWithin(l string) bool { return (strings.Count(l, `"""`)+strings.Count(l, "'''"))%2 == 1 }

// goesOn reports whether the code of a line goes on in the next line.
func goesOn(l string) bool {
	l = strings.TrimSpace(l)
	return strings.HasSuffix(l, ",") && !looksLikeProse(l) || strings.HasSuffix(l, "=")
}

func isIndented(l string) bool { return strings.HasPrefix(l, "  ") || strings.HasPrefix(l, "\t") }

// openBrackets returns how many more brackets a line opens than it closes.
func openBrackets(l string) (n int) {
	code, _, _ := strings.Cut(l, "//")
	if !strings.Contains(l, "://") {
		l = code
	}
	for _, c := range l {
		switch c {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// The lines of code that are not prose: statements, comments, and what continues them.
const codeLine = pattern.Pattern(`^\s*(?:` +
	`(?:auto|using|template|struct|Layout|TiledMMA|TiledCopy|MMA_Atom|Copy_Atom|Tensor|int|float|static_assert|constexpr|const|__global__|CUTE_\w+)\b.*[;{},(>)]\s*(?://.*)?$` +
	`|(?:def|for|if|while|class)\b.*:\s*(?:#.*)?$` +
	`|(?:import|from)\s+\w[\w.]*(?:\s+(?:import|as)\s.*)?$` +
	`|(?:return|assert)\b.*[\w)\]};]\s*$` +
	`|@\w[\w.]*\s*$` +
	`|(?:print|print_layout|print_latex|print_tensor|printf|cute\.\w+)\s*\(.*` +
	`|[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*=\s*[^=\s].*` +
	`|[a-z_]\w*\(.*\)\s*;?\s*(?:(?://|#).*)?$` +
	`|//.*|#\s.*|/\*.*|\}.*|\{.*` +
	`|[>)\]].*` +
	`)`)

// isCodeLine reports whether a line looks like code.
func isCodeLine(l string) bool {
	l = strings.TrimRight(l, "\r\n")
	return !isForeign(l) && (codeLine.MatchString(l) || isShapeLine(l))
}

// isForeign reports whether a line has letters of another alphabet outside comments and strings, or a bullet.
func isForeign(l string) bool {
	quote := rune(0)
	for i, c := range l {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' || strings.HasPrefix(l[i:], "//"):
			return false
		case c == '•' || c > unicode.MaxASCII && unicode.IsLetter(c):
			return true
		}
	}
	return false
}

// looksLikeProse reports whether a line has words one after the other, or letters of another alphabet.
func looksLikeProse(l string) bool {
	words := 0
	for _, w := range strings.Fields(l) {
		for _, c := range w {
			if c > unicode.MaxASCII && unicode.IsLetter(c) {
				return true
			}
		}
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,:'") == "" && len(w) > 1 {
			words++
		}
	}
	return words >= 4
}

// isCode reports whether a text can be run: it parses, and does more than name a word.
func isCode(src string) bool {
	prog, err := program.Parse(src, program.Detect(src))
	if err != nil {
		return false
	}
	for _, st := range prog.Body {
		if a, ok := st.(*program.Assign); ok && prog.Lang == program.Notation {
			st = &program.Value{Span: a.Span, X: a.X}
		}
		v, isValue := st.(*program.Value)
		if !isValue {
			return true
		}
		switch x := v.X.(type) {
		case *program.Name, *program.Text, *program.Number:
		case *program.Girih:
			tree, err := syntax.ParseWithin(src, x.From, x.To)
			if _, isName := tree.(*syntax.Ident); err == nil && !isName {
				return true
			}
		default:
			return true
		}
	}
	return false
}
