package cli

import (
	"bytes"
	"io"
	"strings"

	"girih/internal/service"
)

// A lineReader splits its input at line feeds. Lines need no allocation each: a block of input becomes one string,
// and lines are parts of that string. Before each read, which may wait for a person or for the other end of a
// pipe, it calls flush, so that the answers to all complete lines have been sent.
type lineReader struct {
	r     io.Reader
	flush func() error
	err   error // the reason why reading ended before the end of the input

	line    string // the current line, without "\n" or "\r\n"
	dropped int    // the length of the current line, in bytes, if it was too long to keep; else 0

	lines string // complete lines that have not been returned yet
	buf   []byte // input that has been read and is not in lines
	eof   bool
}

// maxLine is the length from which a line is not kept: more than any expression, even with "\r".
const maxLine = service.MaxExpr + 2

func newLineReader(r io.Reader, flush func() error) *lineReader {
	return &lineReader{r: r, flush: flush, buf: make([]byte, 0, bufferSize)}
}

// next goes to the next line and reports whether there is a line.
func (l *lineReader) next() bool {
	l.line, l.dropped = "", 0
	for l.lines == "" && !l.take() {
		if l.err != nil || l.eof && len(l.buf) == 0 {
			return false
		}
		if l.fill(); l.dropped > 0 {
			return true
		}
	}
	l.line, l.lines, _ = strings.Cut(l.lines, "\n")
	l.line = strings.TrimSuffix(l.line, "\r")
	return true
}

// fill reads once, because no line is complete. At the end of the input, the rest becomes a line.
func (l *lineReader) fill() {
	switch {
	case len(l.buf) >= maxLine:
		l.drop()
	case l.eof:
		l.lines = string(l.buf) + "\n"
		l.buf = nil
	default:
		l.read()
	}
}

// take moves the complete lines from buf to lines and reports whether there are any.
func (l *lineReader) take() bool {
	i := bytes.LastIndexByte(l.buf, '\n')
	if i < 0 {
		return false
	}
	l.lines = string(l.buf[:i+1])
	l.buf = append(l.buf[:0], l.buf[i+1:]...)
	return true
}

// read appends the next bytes of the input to buf.
func (l *lineReader) read() {
	if l.err = l.flush(); l.err != nil {
		return
	}
	if len(l.buf) == cap(l.buf) {
		l.buf = append(make([]byte, 0, max(2*cap(l.buf), bufferSize)), l.buf...)
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	if err == io.EOF {
		l.eof = true
	} else {
		l.err = err
	}
}

// drop reads to the end of the line in buf, which is too long, and counts its bytes.
func (l *lineReader) drop() {
	for {
		if i := bytes.IndexByte(l.buf, '\n'); i >= 0 {
			l.dropped += i
			l.buf = append(l.buf[:0], l.buf[i+1:]...)
			return
		}
		l.dropped += len(l.buf)
		l.buf = l.buf[:0]
		if l.err != nil || l.eof {
			return
		}
		l.read()
	}
}
