package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/budget"
	"girih/internal/service"
	"girih/internal/version"
)

// What the server takes and does at most.
const (
	// MaxTime is how long one call may evaluate.
	MaxTime = 10 * time.Second
	// maxMemory is what the values of all calls take, in bytes; those of one take at most [service.MaxMemory].
	maxMemory = 384 << 20
	// maxHeap is the heap beyond which the call that takes most ends, whatever it says that it takes.
	maxHeap = 640 << 20
	// MaxResult is the length of a result, in bytes: of its structured content, and of its text.
	MaxResult = 256 << 10
	// MaxPicture is the length of the PNGs of a result, in bytes.
	MaxPicture = 2 << 20
	// MaxMessage is the length of a message, in bytes; the arguments of a call have at most [service.MaxRequest].
	MaxMessage = 16 << 20
)

// maxWait is how long a call waits for its turn.
const maxWait = 30 * time.Second

// Serve answers the messages from in on out, one a line, until in ends or the context does. Nothing else is written to
// out; what there is to log goes to log. A line that is no message is answered with an error of the protocol, and the
// server goes on.
//
// At most as many calls evaluate at a time as there are processors, twice over; others wait their turn. One that takes
// longer than [MaxTime], or more memory than there is, ends with an error of code "limit".
func Serve(ctx context.Context, in io.Reader, out, log io.Writer) error {
	budget.SoftLimit(maxHeap)
	s := newServer(slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn})), tools(), MaxTime)
	session, err := s.Connect(ctx, newLines(in, out), nil)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = session.Close() }) // Wait has the error
	defer stop()
	if err := session.Wait(); err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// newServer returns the server with its tools, each call of which takes so long at most, and resources.
func newServer(log *slog.Logger, table []tool, most time.Duration) *sdk.Server {
	s := sdk.NewServer(
		&sdk.Implementation{Name: "girih", Title: "girih: layouts of GPU kernels", Version: version.Number},
		&sdk.ServerOptions{
			Instructions: instructions(table), Logger: log,
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
		},
	)
	c := &calls{turns: budget.NewTurns(2*runtime.GOMAXPROCS(0), 1), memory: budget.NewPool(maxMemory, maxHeap), time: most}
	for _, t := range table {
		s.AddTool(t.definition(), func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			a, err := c.do(ctx, t, r.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return t.result(a)
		})
	}
	addResources(s)
	return s
}

// calls carries out calls, a few at a time.
type calls struct {
	turns  *budget.Turns
	memory *budget.Pool
	time   time.Duration // of one call
}

// do carries out a call. The error is that of a context that ended: the client has taken the call back.
func (c *calls) do(ctx context.Context, t tool, args []byte) (answer, error) {
	if len(args) > service.MaxRequest {
		return t.refused(limit(fmt.Sprintf("the arguments have %d bytes, the limit is %d", len(args), service.MaxRequest),
			t.Tool.Smaller)), nil
	}
	wait, stop := context.WithTimeout(ctx, maxWait)
	defer stop()
	leave := c.turns.Enter(wait, "") // there is one client
	switch {
	case leave == nil && ctx.Err() != nil:
		return answer{}, ctx.Err()
	case leave == nil:
		return t.refused(limit("the server is busy with other calls", "try again")), nil
	}
	within, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	done := make(chan answer, 1)
	go func() {
		b := c.memory.Budget(within, service.MaxMemory)
		defer func() {
			b.Close()
			leave() // an operation that goes on after its time keeps its turn until its next step, where it ends
			if p := recover(); p != nil {
				done <- t.refused(&service.ErrorInfo{Code: "internal", Message: fmt.Sprintf("a defect of girih: %v", p), Pos: -1})
			}
		}()
		s := new(service.Session)
		s.Within(budget.With(within, b))
		done <- t.call(s, args)
	}()
	select {
	case a := <-done:
		return a, nil
	case <-within.Done():
		if ctx.Err() != nil {
			return answer{}, ctx.Err()
		}
		return t.refused(limit("the evaluation takes longer than "+c.time.String()+", which is the most the server allows",
			"")), nil
	}
}

// limit is the error that something is too much.
func limit(message, hint string) *service.ErrorInfo {
	return &service.ErrorInfo{Code: "limit", Message: message, Hint: hint, Pos: -1}
}
