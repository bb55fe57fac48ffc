// Package document finds the code in the documents in which people publish layouts: notebooks, Markdown, web pages,
// source files and plain text. A document is a list of cells that are run one after the other in one environment.
//
// document.go has the cells, and chooses the reader by the name of the file; claim.go finds the values that a document
// itself states in its code: in comments, in grids, in tables and in the outputs that a notebook stores; prose.go and
// formula.go have the lines between the cells, and the formulas in them.
package document

import (
	"fmt"
	"path/filepath"
	"strings"

	"girih/internal/lang/program"
)

// MaxSize is the largest document, in bytes.
const MaxSize = 16 << 20

// A Document is a text with cells of code.
type Document struct {
	Cells []Cell
	// Rest is the prose after the last cell.
	Rest string
	// Lines are the lines of the prose, in the order of the document.
	Lines []Line
	// Markdown is true if the prose is Markdown, and false if it is plain text.
	Markdown bool
}

// A Cell is a piece of code.
type Cell struct {
	// Prose is the text of the document between the previous cell and this one.
	Prose string
	// Src is the code, without the marks of the document around it.
	Src string
	// Lang is the language of the code.
	Lang program.Language
	// Line is the line of the document, from 1, with the first line of the code. In a notebook it is the number of the
	// cell.
	Line int
	// Output is the output of the cell according to the document. HasOutput is false if the document does not state it.
	Output    string
	HasOutput bool
}

// Edit replaces the code. If the statements have decided the language, the new statements decide it again.
func (c *Cell) Edit(src string) {
	if c.Lang == program.Detect(c.Src) {
		c.Lang = program.Detect(src)
	}
	c.Src = src
}

// Parse finds the cells of a document. The extension of its name says what it is: .ipynb, .md, .html, .htm, .py,
// .girih, .cu, .cuh, .cpp, .cc, .h and .hpp. Without such a name the text does: a notebook, fences or <pre>. Any other
// text with lines of prose is plain text, and a text of code alone is one cell.
func Parse(name, text string) (*Document, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the document is %d bytes long, the limit is %d", len(text), MaxSize)
	}
	d := &Document{}
	kind := strings.ToLower(filepath.Ext(name))
	if !strings.Contains(kinds, kind+" ") || kind == "" {
		kind = kindOf(text)
	}
	switch kind {
	case ".ipynb":
		d.Markdown = true
		return d, d.notebook(text)
	case ".md", ".markdown":
		d.Markdown = true
		d.markdown(text)
		d.takeLines(mathFence.ReplaceAllString(text, "$$$$$1$$$$"), outsideFences())
		return d, nil
	case ".html", ".htm":
		d.webPage(text)
		d.takeLines(pageProse(text), everyLine)
		return d, nil
	case ".py":
		d.Cells = pythonCells(text)
	case ".girih":
		d.Cells = valueCells(text)
	case ".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".cxx":
		d.Cells = []Cell{{Src: text, Lang: program.Cpp, Line: 1}}
	default:
		d.Markdown = strings.HasPrefix(text, "---\n") // the head of a page of Markdown, in a text without fences
		d.Cells = plain(text)
		d.takeLines(text, everyLine)
	}
	d.takeProse(text)
	return d, nil
}

// kinds are the extensions of documents that are not plain text.
const kinds = ".ipynb .md .markdown .html .htm .py .girih .cu .cuh .cpp .cc .h .hpp .cxx "

// HasMarks reports whether a text says itself what it is: a notebook, Markdown with fences, or a web page.
func HasMarks(text string) bool { return kindOf(text) != "" }

// kindOf returns the extension that a text without one would have, "" for plain text.
func kindOf(text string) string {
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{") && strings.Contains(text, `"cell_type"`):
		return ".ipynb"
	case strings.HasPrefix(text, "```") || strings.Contains(text, "\n```"):
		return ".md"
	case strings.Contains(text, "<pre") && strings.Contains(text, "</pre>"):
		return ".html"
	}
	return ""
}

// takeProse sets the prose of a document whose cells are whole lines of its text: the other lines.
func (d *Document) takeProse(text string) {
	lines := strings.SplitAfter(text, "\n")
	at := 0
	for i := range d.Cells {
		c := &d.Cells[i]
		to := c.Line - 1
		if to > at && languages[strings.ToLower(strings.TrimSpace(lines[to-1]))] != 0 {
			to-- // the label of the code
		}
		c.Prose = strings.Join(lines[min(at, to):to], "")
		at = c.Line - 1 + len(strings.SplitAfter(strings.TrimSuffix(c.Src, "\n"), "\n"))
	}
	d.Rest = strings.Join(lines[min(at, len(lines)):], "")
}

// pythonCells returns the cells of a file of Python: the lines "# %%" separate them.
func pythonCells(text string) (cells []Cell) {
	from, line := 0, 1
	add := func(to, next int) {
		if src := text[from:to]; strings.TrimSpace(src) != "" {
			cells = append(cells, Cell{Src: src, Lang: program.Python, Line: line})
		}
		line += strings.Count(text[from:next], "\n")
		from = next
	}
	at := 0
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, "# %%") {
			add(at, at+len(l))
		}
		at += len(l)
	}
	add(len(text), len(text))
	return cells
}

// valueCells returns the cells of a text in girih's own notation: a named value each, with the comments above it. A
// statement ends where its brackets are closed. A program in another language is one cell.
func valueCells(text string) (cells []Cell) {
	if lang := textLanguage(text); lang != program.Notation {
		return []Cell{{Src: text, Lang: lang, Line: 1}}
	}
	src, depth, from, line := "", 0, 1, 0
	take := func() {
		if strings.TrimSpace(src) != "" {
			cells = append(cells, Cell{Src: src, Lang: program.Notation, Line: from})
		}
		src, depth, from = "", 0, line+1
	}
	for l := range strings.Lines(text) {
		line++
		code, _, _ := strings.Cut(l, "#")
		src += l
		depth = max(0, depth+openBrackets(code))
		code = strings.TrimSpace(code)
		comment := code == "" && strings.TrimSpace(l) != "" || strings.HasPrefix(code, "//")
		if depth == 0 && !comment {
			take()
		}
	}
	take()
	return cells
}

// languages are the names of languages at a fence or a label.
var languages = map[string]program.Language{
	"python": program.Python, "py": program.Python, "python3": program.Python, "ipython3": program.Python,
	"c++": program.Cpp, "cpp": program.Cpp, "cuda": program.Cpp, "cu": program.Cpp, "c": program.Cpp, "cc": program.Cpp,
	"girih": program.Notation,
}

// languageOf returns the language with a name. Without a known name, the statements of the code decide, and so they do
// if the code is not of that language and can be run in another: a grid of integers labelled Python.
func languageOf(name, src string) program.Language {
	l, ok := languages[strings.ToLower(strings.TrimSpace(name))]
	if !ok {
		return program.Detect(src)
	}
	if _, err := program.Parse(src, l); err != nil {
		if _, err := program.Parse(src, program.Notation); err == nil {
			return program.Notation
		}
	}
	return l
}
