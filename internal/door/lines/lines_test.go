package lines_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/door/lines"
	"girih/internal/version"
)

// A client speaks to a server.
type client struct {
	t       *testing.T
	in      io.WriteCloser
	answers *bufio.Scanner
	done    chan error
}

// A reply is a line of the server.
type reply struct {
	Girih   string
	Lines   int
	ID      int64
	Answer  answer
	Answers []answer
	Text    string
	Refused bool
	Failed  bool
	Files   [][]byte
}

type answer struct {
	OK    bool
	Value string
	URL   string
	Error struct{ Code, Message string }
}

// start starts a server, whose greeting has been read.
func start(t *testing.T, host lines.Host) *client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, in: toServer, answers: bufio.NewScanner(fromServer), done: make(chan error, 1)}
	c.answers.Buffer(nil, 1<<20)
	go func() {
		c.done <- lines.Serve(t.Context(), in, out, host)
		out.Close()
	}()
	if hello := c.next(); hello.Girih != version.Number || hello.Lines != lines.Protocol {
		t.Errorf("the greeting is %+v", hello)
	}
	t.Cleanup(func() { toServer.Close() })
	return c
}

func (c *client) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) next() (r reply) {
	c.t.Helper()
	if !c.answers.Scan() {
		c.t.Fatal("the server says nothing more")
	}
	if err := json.Unmarshal(c.answers.Bytes(), &r); err != nil {
		c.t.Fatalf("%s: %v", c.answers.Bytes(), err)
	}
	return r
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	c := start(t, lines.Host{})
	c.send(`{"id":1,"do":"eval","with":{"expr":"(6,2):(8,2) o (4,3):(3,1)"}}`)
	if r := c.next(); r.ID != 1 || r.Answer.Value != "((2,2),3):((24,2),8)" || r.Text != "" {
		t.Errorf("got %+v", r)
	}
	c.send(`{"id":2,"do":"eval","each":[{"expr":"1+1"},{"expr":"8:"},{"expr":"size((M,2):(1,M))","set":["M=4"]}]}`)
	r := c.next()
	if a := r.Answers; r.ID != 2 || len(a) != 3 || a[0].Value != "2" || a[1].Error.Code != "syntax" || a[2].Value != "8" {
		t.Errorf("got %+v", r)
	}
	c.send(`{"id":3,"do":"bank","with":{"expr":"(8,64):(64,1)","type":"f16","accesses":"ldmatrix.x4"},"words":true}`)
	if r := c.next(); r.Refused || r.Failed || !strings.Contains(r.Text, "8-way") {
		t.Errorf("got %+v", r)
	}
	c.send(`{"id":3,"do":"compare","with":{"a":"8:1","b":"4:1"},"words":true}`)
	if r := c.next(); r.Refused || !r.Failed { // as the command line, whose exit status is 1
		t.Errorf("got %+v", r)
	}
	for body, code := range map[string]string{
		`{"id":4,"do":"nothing"}`:                                        "name",
		`{"id":4,"do":"complete","with":{"expr":"","cursor":0}}`:         "name",
		`{"id":4,"do":"bank","with":{"expr":"8:1"},"words":true}`:        "syntax",
		`{"id":4,"do":"eval","with":{"expr":"3:"},"words":true}`:         "syntax",
		`{"id":4,"do":"explore"}`:                                        "unsupported",
		`{"id":4,"do":"check","with":{"ptx":"","run":"{"},"words":true}`: "syntax",
	} {
		c.send("%s", body)
		r, refused := c.next(), strings.Contains(body, "words")
		if r.ID != 4 || r.Answer.OK || r.Answer.Error.Code != code || refused && !r.Refused {
			t.Errorf("%s: got %+v, want code %s", body, r, code)
		}
	}
	c.send("hello")
	if r := c.next(); r.ID != 0 || r.Answer.Error.Code != "syntax" {
		t.Errorf("got %+v", r)
	}
	c.in.Close()
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

// spin is a request that takes long.
const spin = `{"id":%d,"do":"check","with":{"run":"{\"block\":[32]}","ptx":` +
	`".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .b32 %%r<2>;\n` +
	`mov.u32 %%r1, 0;\n$l:\nadd.u32 %%r1, %%r1, 1;\nbra.uni $l;\n}"}}`

// Requests run at the same time, a cancelled one ends, and the end of the input ends all.
func TestTogether(t *testing.T) {
	t.Parallel()
	c := start(t, lines.Host{})
	c.send(spin, 1)
	c.send(spin, 1)
	if r := c.next(); r.ID != 1 || !strings.Contains(r.Answer.Error.Message, "under way") {
		t.Errorf("got %+v", r)
	}
	c.send(`{"id":2,"do":"eval","with":{"expr":"1+1"}}`)
	if r := c.next(); r.ID != 2 || r.Answer.Value != "2" {
		t.Errorf("got %+v", r)
	}
	c.send(`{"id":3,"cancel":true}`)
	c.send(`{"id":1,"cancel":true}`)
	if r := c.next(); r.ID != 1 || r.Answer.Error.Code != "limit" {
		t.Errorf("got %+v", r)
	}
	c.send(spin, 1)
	c.in.Close()
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

// A host opens files and the explorer.
func TestHost(t *testing.T) {
	t.Parallel()
	c := start(t, lines.Host{
		Explore: func(context.Context) (string, error) { return "http://127.0.0.1:1/", nil },
		Open: func(name string, most int64) ([]byte, error) {
			if name != "x.bin" || most <= 0 {
				return nil, errors.New("no such file: " + name)
			}
			return []byte{1, 2, 3, 4}, nil
		},
	})
	c.send(`{"id":1,"do":"explore"}`)
	if r := c.next(); r.Answer.URL != "http://127.0.0.1:1/" {
		t.Errorf("got %+v", r)
	}
	const run = `{"id":2,"do":"sim","words":true,"with":{"out":"x","run":"{\"block\":[1],\"buffers\":[{\"name\":\"x\",\"file\":\"%s\"}],` +
		`\"params\":[{\"kind\":\"buffer\",\"buffer\":\"x\"}]}","ptx":".version 8.0\n.target sm_90\n.address_size 64\n` +
		`.visible .entry k(.param .u64 x) {\nret;\n}"}}`
	c.send(run, "x.bin")
	if r := c.next(); !r.Answer.OK || len(r.Files) != 1 || !strings.HasSuffix(string(r.Files[0]), "\x01\x02\x03\x04") {
		t.Errorf("got %+v", r)
	}
	c.send(strings.Replace(run, `"id"`, `"folder":"there","id"`, 1), "x.bin")
	if r := c.next(); !r.Refused || !strings.Contains(r.Answer.Error.Message, filepath.Join("there", "x.bin")) {
		t.Errorf("got %+v", r)
	}
	c.send(run, "y.bin")
	if r := c.next(); !r.Refused || !strings.Contains(r.Answer.Error.Message, "no such file") {
		t.Errorf("got %+v", r)
	}
}

// brokenWriter is an output that fails.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestStreamsFail(t *testing.T) {
	t.Parallel()
	if err := lines.Serve(t.Context(), strings.NewReader(""), brokenWriter{}, lines.Host{}); err == nil {
		t.Error("nobody hears of a broken output")
	}
	long := io.MultiReader(io.LimitReader(zeros{}, lines.MaxLine+1), strings.NewReader("\n"))
	if err := lines.Serve(t.Context(), long, io.Discard, lines.Host{}); err == nil || !strings.Contains(err.Error(), "a longer one") {
		t.Errorf("the error of a line that is too long is %v", err)
	}
}

// zeros is an endless input.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
