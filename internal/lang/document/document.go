// Package document finds the code in the documents in which people publish layouts: notebooks, Markdown, web pages,
// source files and plain text. A document is a list of cells that are run one after the other in one environment.
//
// document.go has the cells, and chooses the reader by the name of the file; claim.go finds the values that a document
// itself states: in comments, in grids and in the outputs that a notebook stores.
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
}

// A Cell is a piece of code.
type Cell struct {
	// Src is the code, without the marks of the document around it.
	Src string
	// Lang is the language of the code.
	Lang program.Language
	// Line is the line of the document, from 1, with the first line of the code. In a notebook it is the number of the
	// cell.
	Line int
	// Output is what the document says that the cell prints; HasOutput is false if it does not say.
	Output    string
	HasOutput bool
}

// Parse finds the cells of a document. The extension of its name says what it is: .ipynb, .md, .html, .htm, .py, .cu,
// .cuh, .cpp, .cc, .h and .hpp. Any other text with lines of prose is plain text, and a text of code alone is one cell.
func Parse(name, text string) (*Document, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the document is %d bytes long, the limit is %d", len(text), MaxSize)
	}
	var cells []Cell
	var err error
	switch strings.ToLower(filepath.Ext(name)) {
	case ".ipynb":
		cells, err = notebook(text)
	case ".md", ".markdown":
		cells = markdown(text)
	case ".html", ".htm":
		cells = webPage(text)
	case ".py":
		cells = pythonCells(text)
	case ".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".cxx":
		cells = []Cell{{Src: text, Lang: program.Cpp, Line: 1}}
	default:
		cells = plain(text)
	}
	if err != nil {
		return nil, err
	}
	return &Document{Cells: cells}, nil
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
