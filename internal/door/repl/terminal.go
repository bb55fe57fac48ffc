package repl

import (
	"io"
	"os"

	"girih/internal/service"
	"girih/internal/terminal"
)

// A style colours text with the escape sequences of terminals, or not at all.
type style bool

// newStyle returns the style for output to w: plain unless w is a terminal that has colours, and plain
// if NO_COLOR is set (https://no-color.org).
func newStyle(w io.Writer) style {
	return style(terminal.Is(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

// The codes of styles.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

// paint returns text of the line editor, which shows control characters itself, in a style.
func (s style) paint(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// paint writes text in a style, if the terminal has any.
func (r *repl) paint(w *terminal.Writer, code, text string) {
	if !r.style {
		io.WriteString(w, text)
		return
	}
	_ = w.Paint(code, text) // the writer keeps its error
}

// token colours a token of an expression.
func (s style) token(class service.TokenClass, text string) string {
	switch class {
	case service.ClassFunction:
		return s.paint("34", text)
	case service.ClassVariable:
		return s.paint("36", text)
	case service.ClassKeyword:
		return s.paint("35", text)
	case service.ClassOperator:
		return s.paint("33", text)
	case service.ClassComment:
		return s.paint(dim, text)
	case service.ClassIllegal:
		return s.paint(red, text)
	}
	return text
}
