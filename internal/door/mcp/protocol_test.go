package mcp

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/service"
)

// A client of each version of the protocol lists, calls and reads.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := piped(t, Serve, version)
			if about := c.InitializeResult(); about.ProtocolVersion != version || about.ServerInfo.Name != "girih" {
				t.Errorf("the server greets with %+v", about)
			}
			if len(c.inputs) != len(tools()) {
				t.Errorf("%d tools are listed, want %d", len(c.inputs), len(tools()))
			}
			if r := c.call(t, "eval", args{"expr": "4:1"}); r.Value != "4:1" {
				t.Errorf("eval = %+v", r)
			}
			r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: errorsURI})
			if err != nil || len(r.Contents) != 1 {
				t.Errorf("%s = %+v, %v", errorsURI, r, err)
			}
			list, err := c.ListResourceTemplates(t.Context(), nil)
			if err != nil || len(list.ResourceTemplates) != 1 {
				t.Errorf("templates = %+v, %v", list, err)
			}
		})
	}
}

// named returns the params of a request that names a version of the protocol.
func named(version, more string) string {
	return fmt.Sprintf(`{"_meta":{%q:%q,%q:{"name":"t","version":"1"},%q:{}}%s}`,
		metaVersion, version, metaClient, metaCapabilities, more)
}

// Each request is answered by the rules of its version: early is sent before the handshake, late after it.
func TestRequests(t *testing.T) {
	t.Parallel()
	const early, late = "", hello
	for _, x := range []struct {
		before, method, params string
		code                   float64
		want                   string // a part of the result or the error
	}{
		{early, "ping", `{}`, 0, `{}`},
		{early, "tools/list", `{}`, -32600, "expected initialize before tools/list"},
		{early, "server/discover", `{}`, -32601, "method not found"},
		{early, "initialize", `{"protocolVersion":"2025-03-26"}`, 0, `"protocolVersion":"2025-03-26"`},
		{early, "initialize", `{"protocolVersion":"1999"}`, 0, `"protocolVersion":"2025-11-25"`},
		{early, "initialize", `{"protocolVersion":"2026-07-28"}`, 0, `"protocolVersion":"2025-11-25"`},
		{early, "initialize", `{"protocolVersion":5}`, -32602, "protocolVersion"},
		{early, "initialize", `null`, -32600, "initialize needs params"},
		{early, "server/discover", named(stateless, ""), 0, `"supportedVersions":["2026-07-28",`},
		{early, "tools/list", named(stateless, ""), 0, `"resultType":"complete"`},
		{early, "tools/call", named(stateless, `,"name":"eval","arguments":{"expr":"4:1"}`), 0, `"io.modelcontextprotocol/serverInfo"`},
		{early, "tools/list", named("2027-01-01", ""), -32022, `unsupported protocol version map[requested:2027-01-01 supported:[2026-07-28`},
		{early, "tools/list", named("2025-06-18", ""), -32600, "expected initialize"},
		{early, "ping", named(stateless, ""), -32601, "method not found"},
		{early, "initialize", named(stateless, ""), -32601, "method not found"},
		{early, "tools/list", strings.Replace(named(stateless, ""), metaCapabilities, "x", 1), -32602, "clientCapabilities"},
		{early, "tools/list", strings.Replace(named(stateless, ""), `{"name":"t","version":"1"}`, "5", 1), -32602, "clientInfo"},
		{late, "initialize", `{"protocolVersion":"2025-03-26"}`, -32600, "the session has begun"},
		{late, "ping", `[]`, -32602, "expected an object, found []"},
		{late, "tools/list", `{"cursor":"x"}`, -32602, "cursor"},
		{late, "tools/list", `{"cursor":""}`, 0, `"cacheScope":"public","tools":[{`},
		{late, "tools/call", `{"Name":"eval"}`, -32602, `unknown tool ""`},
		{late, "tools/call", `{"name":5}`, -32602, "expected name to be a string, found 5"},
		{late, "resources/read", `{"uri":"girih://x"}`, -32602, "Resource not found map[uri:girih://x]"},
		{late, "resources/subscribe", `{"uri":"girih://errors"}`, -32601, "method not found"},
		{late, "prompts/list", `{}`, 0, `"prompts":[]`},
		{late, "logging/setLevel", `{"level":"info"}`, 0, `{}`},
		{late, "notifications/initialized", `{}`, -32600, "unexpected id"},
		{late, "subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`, 0, `"io.modelcontextprotocol/subscriptionId":1`},
		{late, "subscriptions/listen", `{}`, -32602, "notifications"},
	} {
		in := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, x.method, x.params)
		got, _ := serve(t, x.before+in+"\n")
		e, _ := got["1"]["error"].(map[string]any)
		text, _ := json.Marshal(got["1"]["result"])
		if e != nil {
			text = fmt.Appendln(nil, e["message"], e["data"])
		}
		if code, _ := e["code"].(float64); code != x.code || !strings.Contains(string(text), x.want) {
			t.Errorf("%.20q %s %s = %v %.300s, want %v %s", x.before, x.method, x.params, code, text, x.code, x.want)
		}
	}
}

// A request that the client cancels gets no answer, and a second request with the id of a running one is refused.
func TestCancelledIsNotAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := make(chan struct{})
		s := newServer(t.Context(), doing(func(s *service.Session, _ string) answer {
			close(begun)
			time.Sleep(time.Hour)
			return answered(service.EvalResponse{OK: true}, "")
		}), 2*time.Hour)
		in, w := io.Pipe()
		var out strings.Builder
		go func() {
			const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"eval","arguments":{"expr":"1"}}}` + "\n"
			io.WriteString(w, hello+call)
			<-begun
			io.WriteString(w, `{"jsonrpc":"2.0","id":7,"method":"ping"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
`)
			time.Sleep(time.Second)
			io.WriteString(w, `{"jsonrpc":"2.0","id":8,"method":"ping"}`+"\n")
			w.Close()
		}()
		if err := s.answerAll(t.Context(), newLines(in, &out), func() {}); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Hour)
		if text := out.String(); strings.Contains(text, `"id":7`) || !strings.Contains(text, `"id":8,"result":{}`) ||
			!strings.Contains(text, `"id":null,"error":{"code":-32600,"message":"invalid request: the id 7 is in use"}`) {
			t.Errorf("the answers are %s", text)
		}
	})
}
