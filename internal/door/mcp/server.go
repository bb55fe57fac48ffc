package mcp

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/service"
)

// The limits of the server.
const (
	// MaxTime is how long one call may evaluate.
	MaxTime = 10 * time.Second
	// maxMemory limits the values of all calls together, in bytes; [service.MaxMemory] limits one call.
	maxMemory = 384 << 20
	// maxHeap limits the heap, in bytes: beyond it, the call that allocated the most ends.
	maxHeap = 640 << 20
	// MaxResult limits the structured content, and the text, of a result, in bytes each.
	MaxResult = 256 << 10
	// MaxPicture limits the total length of a result's PNGs, in bytes.
	MaxPicture = 2 << 20
	// MaxMessage limits the length of a message, in bytes; the arguments of a call are limited to
	// [service.MaxRequest].
	MaxMessage = 16 << 20
)

// maxWait is how long a call waits for its turn.
const maxWait = 30 * time.Second

// Serve answers the messages from in on out, one a line, until in or the context ends. Nothing else is written to out.
// A line that is not a message is answered with an error of the protocol, and the server goes on. At the end of in or
// of the context, running calls are cancelled.
//
// At most two calls per processor evaluate at a time; others wait for their turn. A call that takes longer
// than [MaxTime], or more memory than the limits, ends with an error of code "limit".
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	budget.SoftLimit(maxHeap)
	ending, end := context.WithCancel(context.Background())
	defer end()
	return newServer(ending, tools(), MaxTime).answerAll(ctx, newLines(in, out), end)
}

// A server has the tools and carries out their calls.
type server struct {
	tools []tool
	calls *calls
}

// newServer returns the server of the tools. A call ends after the time most, or when the context ending is done.
func newServer(ending context.Context, table []tool, most time.Duration) *server {
	return &server{table, &calls{
		turns: budget.NewTurns(2*runtime.GOMAXPROCS(0), 1), memory: budget.NewPool(maxMemory, maxHeap), time: most,
		ending: ending,
	}}
}

// calls carries out calls, a few at a time.
type calls struct {
	turns  *budget.Turns
	memory *budget.Pool
	time   time.Duration   // the time limit for one call
	ending context.Context // done when the server is shutting down
}

// do carries out a call. It returns the error of ctx if the client has cancelled the call.
func (c *calls) do(ctx context.Context, t tool, args []byte) (answer, error) {
	if len(args) > service.MaxRequest {
		return t.refuse(limit(fmt.Sprintf("the arguments have %d bytes, the limit is %d", len(args), service.MaxRequest),
			t.Tool.Smaller)), nil
	}
	call, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(c.ending, end)()
	wait, stop := context.WithTimeout(call, maxWait)
	defer stop()
	leave := c.turns.Enter(wait, "") // there is only one client
	switch {
	case leave == nil && call.Err() != nil:
		return c.takenBack(ctx, t)
	case leave == nil:
		return t.refuse(limit("the server is busy with other calls", "try again")), nil
	}
	within, cancel := context.WithTimeout(call, c.time)
	defer cancel()
	done := make(chan answer, 1)
	go func() {
		b := c.memory.Budget(within, service.MaxMemory)
		defer func() {
			b.Close()
			leave() // an operation over its time limit keeps its turn until it stops at its next step
			if p := recover(); p != nil {
				done <- t.refuse(&report.Error{Code: "internal", Message: fmt.Sprintf("a defect of girih: %v", p), Pos: -1})
			}
		}()
		s := new(service.Session)
		s.Within(budget.With(within, b), service.Room{Bytes: MaxResult, Hint: t.Tool.Smaller})
		done <- t.call(s, args)
	}()
	select {
	case a := <-done:
		return a, nil
	case <-within.Done():
		if call.Err() != nil {
			return c.takenBack(ctx, t)
		}
		return t.refuse(limit("the evaluation takes longer than "+c.time.String()+", which is the most the server allows",
			"")), nil
	}
}

// takenBack returns the answer to a call that the client has cancelled, or that ends because the server does.
func (c *calls) takenBack(ctx context.Context, t tool) (answer, error) {
	if ctx.Err() != nil {
		return answer{}, ctx.Err()
	}
	return t.refuse(limit("the server ends, and its calls with it: its input has ended, or it was told to end", "")), nil
}

// limit returns an error about a limit.
func limit(message, hint string) *report.Error {
	return &report.Error{Code: "limit", Message: message, Hint: hint, Pos: -1}
}
