package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
)

// A session answers the messages of one connection.
type session struct {
	*server
	lines *lines
	// begun is set when the client has named its version of the protocol. Only the goroutine that receives the messages
	// uses it.
	begun bool

	answers sync.WaitGroup // counts all requests without an answer

	mu      sync.Mutex
	running map[any]context.CancelFunc // the requests without an answer, by ID
}

// answerAll answers the messages of l until l or the context ends. After the end of the input it waits for running
// calls as long as answers keep coming; then it calls giveUp, which ends them, and they are answered with errors.
func (s *server) answerAll(ctx context.Context, l *lines, giveUp func()) error {
	c := &session{server: s, lines: l, running: map[any]context.CancelFunc{}}
	requests, stop := context.WithCancel(ctx)
	defer c.answers.Wait()
	defer stop()
	defer l.stop(nil)
	for {
		m, err := l.next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			c.take(requests, m)
			continue
		}
		c.drain(ctx, giveUp)
		if errors.Is(err, io.EOF) {
			return l.broken
		}
		return err
	}
}

// patience is how long drain waits for an answer after the end of the input, and after each further answer: enough for
// a short call on a busy machine. A host kills a server that takes longer than about 2 s to end.
const patience = 400 * time.Millisecond

// drain waits for the answers that are due, as answerAll says.
func (c *session) drain(ctx context.Context, giveUp func()) {
	idle := make(chan struct{})
	go func() {
		c.answers.Wait()
		close(idle)
	}()
	for ended := false; !ended; {
		sent := c.lines.count()
		ended = c.pause(ctx, idle)
		if !ended && c.lines.count() == sent {
			giveUp()
			c.pause(ctx, idle)
			return
		}
	}
}

// pause waits for the time of patience, and reports whether nothing is left to wait for.
func (c *session) pause(ctx context.Context, idle <-chan struct{}) bool {
	select {
	case <-idle:
	case <-c.lines.done:
	case <-ctx.Done():
	case <-time.After(patience):
		return false
	}
	return true
}

// take carries out a notification, or begins to answer a request. Requests are answered concurrently, except for those
// of the handshake.
func (c *session) take(ctx context.Context, m *message) {
	if m.id == nil {
		c.note(m)
		return
	}
	call, cancel := context.WithCancel(ctx)
	if !c.begin(m.id, cancel) {
		cancel()
		c.lines.send(response{Version: "2.0", Error: refuse(codeRequest, "invalid request: the id %v is in use", m.id)})
		return
	}
	r, e := c.open(m)
	switch {
	case e != nil:
		c.answer(call, m.id, func() (result, *refusal) { return nil, e })
	case r.kind == handshake:
		c.answer(call, m.id, func() (result, *refusal) { return r.run(call, c) })
	default:
		c.answers.Go(func() { c.answer(call, m.id, func() (result, *refusal) { return r.run(call, c) }) })
	}
}

// begin notes a request as running, unless one with the same id is.
func (c *session) begin(id any, cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[id] != nil {
		return false
	}
	c.running[id] = cancel
	return true
}

// answer sends what run returns, unless the client has cancelled the request.
func (c *session) answer(ctx context.Context, id any, run func() (result, *refusal)) {
	r, e := run()
	cancelled := ctx.Err() != nil
	c.mu.Lock()
	c.running[id]()
	delete(c.running, id) // the client may use the ID again as soon as it has the answer
	c.mu.Unlock()
	switch {
	case cancelled:
	case e != nil:
		c.lines.send(response{Version: "2.0", ID: id, Error: e})
	default:
		c.lines.send(response{Version: "2.0", ID: id, Result: r})
	}
}

// note carries out a notification. The protocol has others, which change nothing here.
func (c *session) note(m *message) {
	if m.method != "notifications/cancelled" {
		return
	}
	var params fields
	_ = json.Unmarshal(m.params, &params) // a notification is not answered
	id, _ := readID(params["requestId"])
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.running[id]; cancel != nil {
		cancel()
	}
}
