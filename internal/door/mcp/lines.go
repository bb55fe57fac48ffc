package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// lines is a connection over streams, one message a line. A line that is too long or not a message is answered with an
// error, and the next line is read.
type lines struct {
	input  chan *message
	failed error // the reason why the input ended, once it is closed

	done   chan struct{} // closed when no more messages are accepted
	broken error         // the error of the output, if this is why the input was closed
	close  sync.Once

	mu   sync.Mutex
	out  io.Writer
	sent int // lines
}

// newLines reads messages from in, until it ends or the connection is closed.
func newLines(in io.Reader, out io.Writer) *lines {
	l := &lines{out: out, input: make(chan *message), done: make(chan struct{})}
	go l.read(in)
	return l
}

// stop closes the connection. A pending read of the input ends with the process.
func (l *lines) stop(why error) {
	l.close.Do(func() {
		l.broken = why
		close(l.done)
	})
}

// next returns the next message. Its error is io.EOF after the last one, and otherwise why a stream is broken or the
// context ended.
func (l *lines) next(ctx context.Context) (*message, error) {
	select {
	case m, ok := <-l.input:
		if !ok {
			return nil, l.failed
		}
		return m, nil
	case <-l.done:
		return nil, l.broken
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// send writes a message as one line. An output that is broken closes the connection.
func (l *lines) send(m any) {
	text, err := json.Marshal(m)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.sent++
		_, err = l.out.Write(append(text, '\n'))
	}
	if err != nil {
		l.stop(err)
	}
}

// count returns how many lines were sent.
func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// read reads messages until the input ends.
func (l *lines) read(in io.Reader) {
	defer close(l.input)
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		text, length, err := nextLine(r)
		m, e := l.message(text, length)
		if e != nil {
			l.send(response{Version: "2.0", ID: idOf(text), Error: e})
		}
		if m != nil {
			select {
			case l.input <- m:
			case <-l.done:
				l.failed = io.EOF
				return
			}
		}
		if err != nil {
			l.failed = err
			return
		}
	}
}

// nextLine returns the next line and its length. If the line is longer than [MaxMessage], nextLine returns
// its beginning.
func nextLine(r *bufio.Reader) (line []byte, length int, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if length += len(part); length <= MaxMessage {
			line = append(line, part...)
		} else if len(line) > headOfLine {
			line = bytes.Clone(line[:headOfLine]) // the rest is garbage
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, length, err
		}
	}
}

// headOfLine is how much of an overlong message is searched for its id, in bytes.
const headOfLine = 1 << 16

// message returns the message in a line, nil if there is none, or the error that answers the line.
func (l *lines) message(text []byte, length int) (*message, *refusal) {
	if length > MaxMessage {
		return nil, refuse(codeRequest, "the message has %d bytes, the limit is %d", length, MaxMessage)
	}
	switch text = bytes.TrimSpace(text); {
	case len(text) == 0:
		return nil, nil
	case !json.Valid(text):
		return nil, refuse(codeParse, "expected a message as JSON on one line")
	case text[0] == '[':
		return nil, refuse(codeRequest, "expected one message a line, found a list of messages")
	}
	return decode(text)
}
