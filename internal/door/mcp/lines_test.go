package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/service"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// serve returns the messages that the server writes for the lines, by id, and all lines that it writes.
func serve(t *testing.T, in string) (byID map[string]map[string]any, lines []string) {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) { // so that the waiting time does not depend on the load of the machine
		if err := Serve(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Errorf("Serve: %v", err)
		}
		time.Sleep(time.Second) // the watcher of the heap ends when no request is left
	})
	byID = map[string]map[string]any{}
	for line := range strings.Lines(out.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
			t.Errorf("the output has a line that is no message: %q", line)
		}
		var id struct {
			ID *json.RawMessage `json:"id"` // the ID as it was written
		}
		if err := json.Unmarshal([]byte(line), &id); err != nil {
			t.Error(err)
		}
		if id.ID == nil {
			id.ID = new(json.RawMessage("null"))
		}
		byID[string(*id.ID)] = m
		lines = append(lines, line)
	}
	return byID, lines
}

// The server answers every request that precedes the end of the input.
func TestAnswersUpToTheEnd(t *testing.T) {
	t.Parallel()
	got, _ := serve(t, hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call",`+ // no line break
		`"params":{"name":"eval","arguments":{"expr":"(6,2):(8,2) o (4,3):(3,1)"}}}`)
	text, _ := json.Marshal(got["2"]["result"])
	if !strings.Contains(string(text), "((2,2),3):((24,2),8)") || got[`"hello"`]["result"] == nil {
		t.Errorf("got %v", got)
	}
}

// The server answers a line that is not a message, with its id if there is one, and answers the next line
// too.
func TestMalformedLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, id string
		code     float64
	}{
		{`garbage`, "null", -32700},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list"`, "7", -32700},
		{`{"id":8,"method":"tools/list"}`, "8", -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":9,"method":5}`, "9", -32600},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993", -32600},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "1.5", -32600},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", -32600},
		{`42`, "null", -32600},
		{"\x00\xff\xfe", "null", -32700},
		{strings.Repeat("[", 100000), "null", -32700},
		{`{"jsonrpc":"2.0","id":10,"method":"no/method"}`, "10", -32601},
		{`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":5}`, "11", -32602},
	} {
		got, _ := serve(t, hello+c.line+"\n\n  \r\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`+"\r\n")
		e, _ := got[c.id]["error"].(map[string]any)
		if e["code"] != c.code || e["message"] == "" {
			t.Errorf("%.60q is answered by %v, want an error %v for %s", c.line, got[c.id], c.code, c.id)
		}
		if got[`"last"`]["result"] == nil {
			t.Errorf("after %.60q the server is gone", c.line)
		}
	}
}

// A cancelled request, known or not, does not keep the server from ending.
func TestTakenBackAtTheEnd(t *testing.T) {
	t.Parallel()
	serve(t, hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"swizzle","arguments":{"layout":"(64,64):(64,1)","type":"f16","accesses":["ldmatrix.x4"]}}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}
`)
}

// A long call does not keep the server from ending, with its input or on request: the call is cancelled. While
// responses keep coming, the server waits for the other calls.
func TestEndsCallsUnderWay(t *testing.T) {
	t.Parallel()
	const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"eval","arguments":{"expr":"%s"}}}` + "\n"
	for name, within := range map[string]time.Duration{"the input ends": 4 * patience, "it is told to": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun, release := make(chan struct{}), make(chan struct{})
				ending, end := context.WithCancel(t.Context())
				s := newServer(ending, doing(func(s *service.Session, expr string) answer {
					switch expr {
					case "long":
						close(begun)
						<-release
					case "short":
						time.Sleep(patience / 2)
					}
					return answered(service.EvalResponse{OK: true, Value: "done"}, "done")
				}), time.Minute)
				ctx, stop := context.WithCancel(t.Context())
				in, w := io.Pipe()
				var out bytes.Buffer
				var told time.Time
				go func() {
					fmt.Fprintf(w, hello+call+call, 1, "short", 2, "long")
					<-begun
					if told = time.Now(); within == 0 {
						stop()
					} else {
						w.Close()
					}
				}()
				if err := s.answerAll(ctx, newLines(in, &out), end); err != nil {
					t.Errorf("Serve: %v", err)
				}
				if d := time.Since(told); d > within {
					t.Errorf("it ends after %v, want %v", d, within)
				}
				for _, want := range []string{`"id":1,"result":{"content":[{"type":"text","text":"done"`, "its input has ended"} {
					if text := out.String(); within > 0 && !strings.Contains(text, want) {
						t.Errorf("%s is not in the answers: %s", want, text)
					}
				}
				close(release)
				w.Close()
				stop()
				time.Sleep(time.Second)
			})
		})
	}
}

// The server ends with its context, even if the input does not end.
func TestEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, in, io.Discard) }()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }
func (broken) Read([]byte) (int, error)  { return 0, errors.New("the disk is broken") }

// Streams that fail end the server with the error.
func TestBrokenStreams(t *testing.T) {
	t.Parallel()
	if err := Serve(t.Context(), broken{}, io.Discard); err == nil || !strings.Contains(err.Error(), "the disk is broken") {
		t.Errorf("with a broken input: %v", err)
	}
	in, w := io.Pipe()
	go io.WriteString(w, hello)
	if err := Serve(t.Context(), in, broken{}); err == nil || !strings.Contains(err.Error(), "the pipe is broken") {
		t.Errorf("with a broken output: %v", err)
	}
}

// With serves in its environment, the test binary is a server itself.
const serves = "GIRIH_MCP_SERVES"

func TestMain(m *testing.M) {
	if os.Getenv(serves) == "" {
		os.Exit(m.Run())
	}
	if err := Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A process speaks to a client over its standard input and output, and ends with the connection. The command girih
// does so in cmd/girih/testdata/mcp.txtar.
func TestProcess(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serves+"=1")
	var log bytes.Buffer
	cmd.Stderr = &log
	c := connect(t, &sdk.CommandTransport{Command: cmd}, stateless)
	for _, x := range answers {
		if r := c.call(t, x.tool, x.args); r.failed || !strings.Contains(r.text, x.text) {
			t.Errorf("%s(%v) = %s, failed %v, want %q", x.tool, x.args, r.text, r.failed, x.text)
		}
	}
	for _, x := range refusals {
		if r := c.call(t, x.tool, x.args); !r.failed || r.Error.Code != x.code {
			t.Errorf("%s(%v) = %s, want the error %s", x.tool, x.args, r.raw, x.code)
		}
	}
	if err := c.Close(); err != nil {
		t.Errorf("the command ended with %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("the command wrote to stderr: %s", log.String())
	}
}
