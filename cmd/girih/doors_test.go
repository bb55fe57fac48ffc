package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"girih/internal/door/mcp"
	"girih/internal/door/web"
)

// An asked is a request of testdata/doors.jsonl with its answer, or the hash of an answer longer than maxKept.
type asked struct {
	Door   string `json:"door"`   // http or mcp
	Op     string `json:"op"`     // the operation, or the method of the MCP protocol
	Body   string `json:"body"`   // the request, or the parameters of the method
	Answer string `json:"answer"` // the body of the response, or the message of MCP
}

// maxKept is the length of an answer that is kept, in bytes.
const maxKept = 160

// TestDoors compares the answers of all operations over HTTP and MCP with the recorded ones, except for lists of all
// functions of the language, because these lists grow. With -u it records the answers.
func TestDoors(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("under the race detector some answers take longer than a request may")
	}
	const name = "testdata/doors.jsonl"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	ask := map[string]func(op, body string) string{"http": askHTTP(t), "mcp": askMCP(t)}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for line := range bytes.Lines(old) {
		var a asked
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		full := ask[a.Door](a.Op, a.Body)
		answer := full
		if len(full) > maxKept {
			sum := sha256.Sum256([]byte(full))
			answer = fmt.Sprintf("%d bytes %x", len(full), sum[:12])
		}
		if answer != a.Answer && !*update {
			t.Errorf("%s %s %s\nanswers %.1500s\nwant %s", a.Door, a.Op, a.Body, full, a.Answer)
		}
		a.Answer = answer
		if err := enc.Encode(a); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// askHTTP starts the explorer and returns a function that sends requests to it.
func askHTTP(t *testing.T) func(op, body string) string {
	s, err := web.Listen(web.Options{Addr: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return func(op, body string) string {
		r, err := http.Post(s.URLs()[0]+"api/"+op, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		answer, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
}

// release is the version of the server in its greeting.
var release = regexp.MustCompile(`"version":"[^"]*"`)

// askMCP starts a server and returns a function that sends requests to it, line by line.
func askMCP(t *testing.T) func(method, params string) string {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcp.Serve(t.Context(), in, out) }()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	answers := bufio.NewReader(fromServer)
	n := 0
	ask := func(method, params string) string {
		n++
		_, err := fmt.Fprintf(toServer, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params)
		if err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(strings.TrimSpace(line), fmt.Sprintf(`"id":%d,`, n), "", 1)
		return release.ReplaceAllString(text, `"version":""`)
	}
	hello := ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	io.WriteString(toServer, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return func(method, params string) string {
		if method == "initialize" {
			return hello
		}
		return ask(method, params)
	}
}
