package mcp

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"testing"

	"girih/internal/lang/report"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client is a client of the SDK, connected, with the schemas that the server listed.
type client struct {
	*sdk.ClientSession
	inputs map[string]*jsonschema.Resolved
}

// connect connects a client that speaks a version of the protocol, and lists the tools.
func connect(t *testing.T, transport sdk.Transport, version string) *client {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	c := &client{session, map[string]*jsonschema.Resolved{}}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		c.inputs[tool.Name] = resolved(t, tool.InputSchema)
	}
	return c
}

// resolved reads a schema as it arrived.
func resolved(t *testing.T, arrived any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(arrived)
	if err != nil {
		t.Fatal(err)
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// inMemory connects a client to a server over pipes, which Serve reads and writes as it does stdio.
func inMemory(t *testing.T) *client {
	t.Helper()
	return piped(t, Serve, stateless)
}

// piped connects a client that speaks a version of the protocol to a server over pipes.
func piped(t *testing.T, serve func(context.Context, io.Reader, io.Writer) error, version string) *client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- serve(context.WithoutCancel(t.Context()), fromClient, toClient)
		toClient.Close()
	}()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return connect(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, version)
}

// serving connects a client to a server with other tools.
func serving(t *testing.T, s *server) *client {
	t.Helper()
	return piped(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return s.answerAll(ctx, newLines(in, out), func() {})
	}, stateless)
}

// A reply is the result of a call: the common fields of all responses, and the text.
type reply struct {
	OK       bool          `json:"ok"`
	Error    *report.Error `json:"error"`
	Value    string        `json:"value"`
	raw      string        // the structured content; "" if there is none
	text     string        // all texts of the content
	pictures [][]byte      // all images of the content
	failed   bool          // isError
}

// flags are words of the command line; assistants see arguments and tools instead.
var flags = regexp.MustCompile(`(^|[ (])--?[a-z]{2,}|: -[a-z] |\bgirih [a-z]+ (reads|finds|lists)\b`)

// call calls a tool. An answer without structured content, with only a text, is fine.
func (c *client) call(t *testing.T, name string, arguments any) reply {
	t.Helper()
	res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s(%v): %v", name, arguments, err)
	}
	r := reply{OK: true, failed: res.IsError}
	if res.StructuredContent != nil {
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		r.OK, r.raw = false, string(raw)
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("%s: %v in %s", name, err, raw)
		}
	}
	for _, x := range res.Content {
		switch x := x.(type) {
		case *sdk.TextContent:
			r.text += x.Text
		case *sdk.ImageContent:
			if x.MIMEType != "image/png" {
				t.Errorf("%s: a picture of type %s", name, x.MIMEType)
			}
			r.pictures = append(r.pictures, x.Data)
		default:
			t.Errorf("%s: content of type %T", name, x)
		}
	}
	if m := flags.FindString(r.text); m != "" && name != "why" { // why quotes the pasted text
		t.Errorf("%s(%v) says %q, which is for the command line: %s", name, arguments, m, r.text)
	}
	if r.text == "" || len(r.raw) > maxTwice {
		t.Errorf("%s(%v): a text of %d bytes and structured content of %d", name, arguments, len(r.text), len(r.raw))
	}
	if r.failed == r.OK || r.failed && r.Error == nil { // a failed operation can be explained
		t.Errorf("%s(%v): isError %v, ok %v, error %v", name, arguments, r.failed, r.OK, r.Error)
	}
	return r
}
