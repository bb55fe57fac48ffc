package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lines is a connection over streams, one message a line. Unlike the connection of the SDK, lines survives a line that
// is too long or not a message, and answers with an error. At the end of its input it waits for running calls as long
// as responses keep coming; the other calls are answered with errors.
type lines struct {
	out   io.Writer
	write sync.Mutex // of one message

	input  chan jsonrpc.Message
	failed error  // why input ended, once it is closed
	giveUp func() // ends the calls under way
	done   chan struct{}
	close  sync.Once

	mu      sync.Mutex
	pending map[jsonrpc.ID]bool // requests without a response
	sent    int                 // responses
	idle    chan struct{}       // closed when nothing is pending, if somebody waits
}

// newLines returns a transport between the streams. It calls giveUp if the input has ended and no response comes for
// the time of patience.
func newLines(in io.Reader, out io.Writer, giveUp func()) sdk.Transport {
	l := &lines{
		out: out, input: make(chan jsonrpc.Message), done: make(chan struct{}), pending: map[jsonrpc.ID]bool{}, giveUp: giveUp,
	}
	go l.read(in)
	return l
}

// Connect returns the connection.
func (l *lines) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// SessionID returns nothing: there is one session.
func (l *lines) SessionID() string { return "" }

// Close ends the connection. A pending read of the input ends with the process.
func (l *lines) Close() error {
	l.close.Do(func() { close(l.done) })
	return nil
}

// Read returns the next message, and io.EOF after the last message and its response.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-l.input:
		if !ok {
			return nil, l.end(ctx)
		}
		return m, nil
	case <-l.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// end waits for the responses that are due and returns why the input ended.
func (l *lines) end(ctx context.Context) error {
	idle := make(chan struct{})
	l.mu.Lock()
	if l.idle = idle; len(l.pending) == 0 {
		close(idle)
		l.idle = nil
	}
	sent := l.sent
	l.mu.Unlock()
	for ended := false; ; {
		select {
		case <-idle:
			return l.failed
		case <-l.done:
			return l.failed
		case <-ctx.Done():
			return l.failed
		case <-time.After(patience):
		}
		if ended {
			return l.failed // giveUp was called, and no response came since
		}
		l.mu.Lock()
		ended = l.sent == sent
		sent = l.sent
		l.mu.Unlock()
		if ended {
			l.giveUp()
		}
	}
}

// patience is how long end waits for a response after the end of the input, and after each further response. A host
// kills a server that takes much longer to end.
const patience = 60 * time.Millisecond

// Write writes a message as one line.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	err = l.line(text)
	if r, ok := m.(*jsonrpc.Response); ok {
		l.settle(r.ID)
	}
	return err
}

func (l *lines) line(text []byte) error {
	l.write.Lock()
	defer l.write.Unlock()
	_, err := l.out.Write(append(text, '\n'))
	return err
}

// settle removes an answered request from the pending requests.
func (l *lines) settle(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, id)
	l.sent++
	if l.idle != nil && len(l.pending) == 0 {
		close(l.idle)
		l.idle = nil
	}
}

// read reads messages until the input ends.
func (l *lines) read(in io.Reader) {
	defer close(l.input)
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		text, length, err := nextLine(r)
		if m := l.message(text, length); m != nil {
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

// message returns the message in a line. If the line is not a message, it answers the line and returns nil.
func (l *lines) message(text []byte, length int) jsonrpc.Message {
	if length > MaxMessage {
		l.complain(text, jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("the message has %d bytes, the limit is %d", length, MaxMessage))
		return nil
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil
	}
	switch {
	case !json.Valid(text):
		l.complain(text, jsonrpc.CodeParseError, "expected a message as JSON on one line")
		return nil
	case text[0] == '[':
		l.complain(nil, jsonrpc.CodeInvalidRequest, "expected one message a line, found a list of messages")
		return nil
	}
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		l.complain(text, jsonrpc.CodeInvalidRequest, "expected a message of JSON-RPC 2.0: "+err.Error())
		return nil
	}
	if !answerable(m, text) {
		l.complain(text, jsonrpc.CodeInvalidRequest, "expected an id that is a text or an integer of at most 53 bits")
		return nil
	}
	l.count(m)
	return m
}

// answerable reports whether a message has no id, or an id that the SDK returns unchanged. The SDK cuts numbers from
// float64 to integers, and a client would not find the answer under another id.
func answerable(m jsonrpc.Message, text []byte) bool {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return true
	}
	n, ok := r.ID.Raw().(int64)
	return !ok || idOf(text) == json.Number(strconv.FormatInt(n, 10))
}

// count notes a request as pending. A request that the client cancels also gets a response, from the SDK.
func (l *lines) count(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		l.mu.Lock()
		l.pending[r.ID] = true
		l.mu.Unlock()
	}
}

// complain answers a line that is not a message, with the line's id if it can be found. A failure to write the answer
// shows when the next answer is written.
func (l *lines) complain(text []byte, code int64, message string) {
	var e struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Error   struct {
			Code    int64  `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	e.Version, e.ID, e.Error.Code, e.Error.Message = "2.0", idOf(text), code, message
	out, _ := json.Marshal(e) // strings and numbers always encode
	_ = l.line(out)
}

// idOf returns the id of a possibly truncated or malformed request, nil if there is no id.
func idOf(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if key != "id" {
			continue
		}
		switch value.(type) {
		case string, json.Number:
			return value
		}
		return nil
	}
	return nil
}
