package mcp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/service"
)

// doing returns the tool eval with the function do in place of the evaluation.
func doing(do func(s *service.Session, expr string) answer) []tool {
	eval := tools()[0]
	eval.call = func(s *service.Session, args []byte) answer {
		request, e := eval.Read(s, service.Assistants, args)
		if e != nil {
			return eval.refuse(e)
		}
		return do(s, request.(*service.EvalRequest).Expr)
	}
	return []tool{eval}
}

// special connects to a server whose only tool calls do, with a time limit of 50 ms.
func special(t *testing.T, do func(s *service.Session, expr string) answer) *client {
	t.Helper()
	return serving(t, newServer(t.Context(), doing(do), 50*time.Millisecond))
}

// answered returns an answer with a response and a text.
func answered(r service.EvalResponse, text string) answer {
	return answerText(service.Answer{Response: r, Text: func() string { return text }, Error: r.Error})
}

func TestTimeLimit(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	c := special(t, func(_ *service.Session, expr string) answer {
		if expr == "slow" {
			<-release
		}
		return answered(service.EvalResponse{OK: true, Value: "done"}, "done")
	})
	if r := c.call(t, "eval", args{"expr": "slow"}); !r.failed || r.Error.Code != "limit" ||
		!strings.Contains(r.Error.Message, "50ms") {
		t.Errorf("a slow call = %+v", r)
	}
	if r := c.call(t, "eval", args{"expr": "fast"}); r.Value != "done" {
		t.Errorf("the next call = %+v", r)
	}
}

// A slow expression ends at the time limit of its call, and gives up its turn.
func TestSlowExpression(t *testing.T) {
	t.Parallel()
	table := []tool{tools()[0]}
	s := newServer(t.Context(), table, 20*time.Millisecond)
	c := serving(t, s)
	r := c.call(t, "eval", args{"expr": strings.Repeat("right_inverse((4,8,4,2,16):(1,4,32,128,256)); ", 20000) + "1"})
	if !r.failed || r.Error.Code != "limit" {
		t.Errorf("a long program = %.200s", r.raw)
	}
}

func TestDefect(t *testing.T) {
	t.Parallel()
	c := special(t, func(*service.Session, string) answer { panic("oh no") })
	if r := c.call(t, "eval", args{"expr": "4:1"}); !r.failed || r.Error.Code != "internal" || !strings.Contains(r.text, "oh no") {
		t.Errorf("a panic = %+v", r)
	}
}

func TestResultLimit(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]answer{
		"text":     {text: strings.Repeat("x", MaxResult+1)},
		"picture":  {text: "x", Answer: service.Answer{Pictures: [][]byte{make([]byte, service.SmallPicture+1)}}},
		"pictures": {text: "x", Answer: service.Answer{Pictures: slices.Repeat([][]byte{make([]byte, service.SmallPicture)}, 14)}},
	} {
		a.Response = service.EvalResponse{OK: true}
		c := special(t, func(*service.Session, string) answer { return a })
		if r := c.call(t, "eval", args{"expr": "4:1"}); !r.failed || r.Error.Code != "limit" || r.Error.Hint == "" ||
			len(r.pictures) > 0 {
			t.Errorf("a large %s = %.300s", name, r.raw)
		}
	}
}

// A client that cancels a call gets no answer, and the call ends.
func TestCancel(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan struct{})
	s := newServer(t.Context(), doing(func(s *service.Session, _ string) answer {
		close(begun)
		r := s.Eval(service.EvalRequest{Expr: strings.Repeat("right_inverse((4,8,4,2,16):(1,4,32,128,256)); ", 20000) + "1"})
		if r.OK || r.Error.Code != "limit" {
			t.Errorf("a call that was taken back evaluated to the end: %+v", r)
		}
		close(ended)
		return answered(r, "")
	}), time.Minute)
	c := serving(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "eval", Arguments: args{"expr": "4:1"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was taken back: %v", err)
	}
	<-ended
}

func TestHugeArguments(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	for _, n := range []int{service.MaxExpr + 1, service.MaxRequest + 1} {
		if r := c.call(t, "eval", args{"expr": strings.Repeat(" ", n)}); !r.failed || r.Error.Code != "limit" {
			t.Errorf("%d bytes = %.200s", n, r.raw)
		}
	}
	if r := c.call(t, "eval", args{"expr": strings.Repeat("(", 100000)}); !r.failed || len(r.text) > 2000 {
		t.Errorf("many brackets = %.200s", r.raw)
	}
	// The server finds the id of an overlong message, so that the call ends.
	if testing.Short() {
		return
	}
	long := args{"expr": strings.Repeat(" ", MaxMessage)}
	_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "eval", Arguments: long})
	if err == nil || !strings.Contains(err.Error(), "the limit is 16777216") {
		t.Errorf("a message of 16 MiB: %v", err)
	}
	if r := c.call(t, "eval", args{"expr": "4:1"}); r.Value != "4:1" {
		t.Errorf("the next call = %+v", r)
	}
}
