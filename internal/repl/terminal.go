package repl

import (
	"io"
	"os"

	"girih/internal/service"
)

// isTerminal reports whether f is a terminal: a character device other than the null device.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// A style colours text with the escape sequences of terminals, or not at all.
type style bool

// newStyle returns the style for output to w: plain unless it is a terminal that has colours, and plain
// where NO_COLOR is set (https://no-color.org).
func newStyle(w io.Writer) style {
	return style(isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

func (s style) paint(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) dim(text string) string  { return s.paint("2", text) }
func (s style) red(text string) string  { return s.paint("31", text) }
func (s style) bold(text string) string { return s.paint("1", text) }

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
		return s.dim(text)
	case service.ClassIllegal:
		return s.red(text)
	}
	return text
}
