// Package terminal writes text of any origin, such as a pasted log or an argument, so that a terminal shows the text
// and does nothing else: no control character in the text reaches the terminal.
package terminal

import (
	"io"
	"os"
	"strconv"
	"unicode/utf8"
)

// A Writer writes text. Line feeds and tabs are kept. The other control characters, including U+0080 to U+009F, and the
// characters that reverse the direction of writing are written as \u001b: visible, and in the strings of JSON the same
// text as before. Bytes that are not UTF-8 are written as U+FFFD.
//
// It keeps its first error, so that one check at the end tells whether all was written.
type Writer struct {
	w    io.Writer
	part []byte // the beginning of a character whose rest is still to come
	err  error
}

// NewWriter returns a Writer to w, or w itself if it is one.
func NewWriter(w io.Writer) *Writer {
	if w, ok := w.(*Writer); ok {
		return w
	}
	return &Writer{w: w}
}

// Write writes text. The error is the first that there was.
func (w *Writer) Write(text []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if len(w.part) == 0 && isPlain(text) {
		return w.raw(text)
	}
	n := len(text)
	text = append(w.part, text...)
	cut := len(text) - partial(text)
	w.part = append([]byte(nil), text[cut:]...)
	if _, err := w.raw(clean(nil, text[:cut])); err != nil {
		return 0, err
	}
	return n, nil
}

// Raw writes what girih itself has made, such as colors or a picture, as it is.
func (w *Writer) Raw(text []byte) error {
	if err := w.flush(); err != nil {
		return err
	}
	_, err := w.raw(text)
	return err
}

// Paint writes text within the escape sequences of a style of terminals, such as "2" for dim.
func (w *Writer) Paint(style, text string) error {
	_ = w.Raw([]byte("\x1b[" + style + "m")) // an error is kept
	_, _ = io.WriteString(w, text)
	return w.Raw([]byte("\x1b[0m"))
}

// Close writes what is left of a broken character, and returns the writer's first error. The writer below stays open.
func (w *Writer) Close() error { return w.flush() }

// Err returns the first error that there was.
func (w *Writer) Err() error { return w.err }

// Unwrap returns the writer below.
func (w *Writer) Unwrap() io.Writer { return w.w }

func (w *Writer) raw(text []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(text)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	w.err = err
	return n, err
}

func (w *Writer) flush() error {
	if len(w.part) > 0 {
		part := w.part
		w.part = nil
		_, _ = w.raw(clean(nil, part)) // the error is kept
	}
	return w.err
}

// Clean returns text as a [Writer] writes it.
func Clean(text string) string {
	if isPlain([]byte(text)) {
		return text
	}
	return string(clean(nil, []byte(text)))
}

// isPlain reports whether text is ASCII without control characters, as nearly all is.
func isPlain(text []byte) bool {
	for _, b := range text {
		if b < ' ' && b != '\n' && b != '\t' || b >= 0x7f {
			return false
		}
	}
	return true
}

func clean(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if controls(r) {
			dst = append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		} else {
			dst = utf8.AppendRune(dst, r) // U+FFFD for an invalid byte
		}
		text = text[n:]
	}
	return dst
}

// controls reports whether a character makes a terminal do anything but show it.
func controls(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, // marks of direction
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // embeddings, overrides and isolates
		r == 0x2028, r == 0x2029: // ends of lines and paragraphs
		return true
	}
	return false
}

// partial returns how many bytes at the end belong to an incomplete character.
func partial(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Is reports whether f, or the writer below it, is a terminal: a character device, except the null device.
func Is(f any) bool {
	file, ok := File(f)
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

// File returns the file that f is, or that is below it.
func File(f any) (*os.File, bool) {
	if w, ok := f.(*Writer); ok {
		f = w.w
	}
	file, ok := f.(*os.File)
	return file, ok && file != nil
}

// Columns returns the width of the terminal w: its own answer, or the variable COLUMNS, or 0 if there is neither.
func Columns(w io.Writer) int {
	if f, ok := File(w); ok {
		if n := screenColumns(f); n > 0 {
			return n
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 0
}
