package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"girih/internal/version"
)

// versions are the versions of the protocol, the latest first. A version is its date. Since [stateless] there is no
// handshake: each request names its version, and each result the server. A client of an earlier version begins with
// initialize.
var versions = []string{stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

const stateless = "2026-07-28"

// The members of _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServer       = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// A method is how requests of one name are answered.
type method struct {
	answer func(c *session, ctx context.Context, r *request) (result, *refusal)
	kind   methodKind
	needs  bool // the method requires params
}

// A methodKind says in which versions a method exists.
type methodKind int

const (
	everywhere methodKind = iota // allowed once the client has named its version
	handshake                    // allowed at any time, in versions before stateless
	discovery                    // allowed in stateless and later versions
)

// methods are the methods by name. Prompts are listed and log levels accepted because clients ask without need.
var methods = map[string]method{
	"initialize":               {(*session).initialize, handshake, true},
	"ping":                     {(*session).nothing, handshake, false},
	"logging/setLevel":         {(*session).setLevel, handshake, true},
	"server/discover":          {(*session).discover, discovery, false},
	"tools/list":               {(*session).listTools, everywhere, false},
	"tools/call":               {(*session).callTool, everywhere, true},
	"resources/list":           {(*session).listResources, everywhere, false},
	"resources/templates/list": {(*session).listTemplates, everywhere, false},
	"resources/read":           {(*session).readResource, everywhere, true},
	"prompts/list":             {(*session).listPrompts, everywhere, false},
	"subscriptions/listen":     {(*session).listen, everywhere, true},
}

// A request is a message whose method and version are known.
type request struct {
	method
	id        any
	params    fields
	stateless bool
}

// run answers the request.
func (r *request) run(ctx context.Context, c *session) (result, *refusal) {
	a, e := r.answer(c, ctx, r)
	if e == nil && r.stateless {
		a.identify()
	}
	return a, e
}

// open returns the request of a message, or why the request is refused.
func (c *session) open(m *message) (*request, *refusal) {
	r := &request{id: m.id, method: methods[m.method]}
	_ = json.Unmarshal(m.params, &r.params) // checkParams refuses params that are not an object
	if e := r.readVersion(); e != nil {
		return nil, e
	}
	switch {
	case strings.HasPrefix(m.method, "notifications/"):
		return nil, refuse(codeRequest, "invalid request: unexpected id for %q", m.method)
	case !r.exists():
		return nil, refuse(codeMethod, "method not found: %q", m.method)
	case m.method == "initialize" && c.begun:
		return nil, refuse(codeRequest, "invalid request: the session has begun, and initialize comes once")
	case r.kind == everywhere && !r.stateless && !c.begun:
		return nil, refuse(codeRequest, "invalid request: expected initialize before %s, or %q in its _meta",
			m.method, metaVersion)
	}
	c.begun = c.begun || r.stateless
	return r, r.checkParams(m)
}

// exists reports whether the method exists in the version of the request.
func (r *request) exists() bool {
	switch r.kind {
	case handshake:
		return !r.stateless
	case discovery:
		return r.stateless
	}
	return r.answer != nil
}

// checkParams refuses params that are not an object, and missing ones if the method needs them.
func (r *request) checkParams(m *message) *refusal {
	switch none := m.params == nil || string(m.params) == "null"; {
	case none && r.needs:
		return refuse(codeRequest, "invalid request: %s needs params", m.method)
	case !none && r.params == nil:
		return refuse(codeParams, "invalid params: expected an object, found %.40s", m.params)
	}
	return nil
}

// readVersion reads the version that the request names, and what goes with it.
func (r *request) readVersion() *refusal {
	meta := r.params.object("_meta")
	named, e := meta.text(metaVersion)
	if e != nil || named < stateless {
		return nil
	}
	if _, ok := meta[metaClient]; ok && meta.object(metaClient) == nil {
		return refuse(codeParams, "invalid _meta field %q", metaClient)
	}
	if meta.object(metaCapabilities) == nil {
		return refuse(codeParams, "missing or invalid _meta field %q", metaCapabilities)
	}
	if r.stateless = slices.Contains(versions, named); !r.stateless {
		e := refuse(codeVersion, "unsupported protocol version")
		e.Data = map[string]any{"supported": versions, "requested": named}
		return e
	}
	return nil
}

// A result answers a request. identify adds what every result has since [stateless].
type result interface{ identify() }

// about contains the fields with which every result begins.
type about struct {
	Type string         `json:"resultType,omitempty"`
	Meta map[string]any `json:"_meta,omitempty"`
}

func (a *about) identify() {
	a.Type = "complete"
	if a.Meta == nil {
		a.Meta = map[string]any{}
	}
	a.Meta[metaServer] = girih
}

// An implementation is the name of a server.
type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

var girih = implementation{"girih", "girih: layouts of GPU kernels", version.Number}

// capabilities says that the server has tools and resources, whose lists do not change.
var capabilities = json.RawMessage(`{"resources":{},"tools":{}}`)

// A greeting answers initialize.
type greeting struct {
	about
	Capabilities json.RawMessage `json:"capabilities"`
	Instructions string          `json:"instructions"`
	Version      string          `json:"protocolVersion"`
	Server       implementation  `json:"serverInfo"`
}

func (c *session) initialize(_ context.Context, r *request) (result, *refusal) {
	named, e := r.params.text("protocolVersion")
	if e != nil {
		return nil, e
	}
	if named == stateless || !slices.Contains(versions, named) {
		named = versions[1] // the latest version with a handshake
	}
	c.begun = true
	return &greeting{
		Capabilities: capabilities, Instructions: instructions(c.tools), Version: named, Server: girih,
	}, nil
}

// discovered answers server/discover.
type discovered struct {
	about
	cached
	Versions     []string        `json:"supportedVersions"`
	Capabilities json.RawMessage `json:"capabilities"`
	Instructions string          `json:"instructions"`
}

// cached says for how many milliseconds, and for whom, a client may keep a result.
type cached struct {
	Time  int    `json:"ttlMs"`
	Scope string `json:"cacheScope"`
}

var uncached = cached{Scope: "public"}

func (c *session) discover(context.Context, *request) (result, *refusal) {
	return &discovered{
		cached: uncached, Versions: versions, Capabilities: capabilities, Instructions: instructions(c.tools),
	}, nil
}

func (c *session) nothing(context.Context, *request) (result, *refusal) { return new(about), nil }

// setLevel accepts a level of the log: the server logs nothing.
func (c *session) setLevel(_ context.Context, r *request) (result, *refusal) {
	_, e := r.params.text("level")
	return new(about), e
}

// listen answers a subscription to changes. Nothing changes, so it ends at once.
func (c *session) listen(_ context.Context, r *request) (result, *refusal) {
	if r.params.object("notifications") == nil {
		return nil, refuse(codeParams, "invalid params: expected the object notifications")
	}
	meta := map[string]any{metaSubscription: r.id}
	c.lines.send(map[string]any{
		"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
		"params": map[string]any{"_meta": meta, "notifications": struct{}{}},
	})
	return &about{Meta: meta}, nil
}

// A listing answers a request for a list or a resource: one of its lists is not nil.
type listing struct {
	about
	cached
	Tools     []*definition `json:"tools,omitzero"`
	Resources []resource    `json:"resources,omitzero"`
	Templates []resource    `json:"resourceTemplates,omitzero"`
	Prompts   []struct{}    `json:"prompts,omitzero"`
	Contents  []contents    `json:"contents,omitzero"`
}

// list returns a list. There is one page, so no cursor is right.
func list(r *request, l listing) (result, *refusal) {
	cursor, e := r.params.text("cursor")
	if e == nil && cursor != "" {
		e = refuse(codeParams, "invalid params: no list has a page with the cursor %.40q", cursor)
	}
	l.cached = uncached
	return &l, e
}

func (c *session) listTools(_ context.Context, r *request) (result, *refusal) {
	return list(r, listing{Tools: c.definitions()})
}

func (c *session) listResources(_ context.Context, r *request) (result, *refusal) {
	return list(r, listing{Resources: resources})
}

func (c *session) listTemplates(_ context.Context, r *request) (result, *refusal) {
	return list(r, listing{Templates: templates})
}

func (c *session) listPrompts(_ context.Context, r *request) (result, *refusal) {
	return list(r, listing{Prompts: []struct{}{}})
}

func (c *session) callTool(ctx context.Context, r *request) (result, *refusal) {
	name, e := r.params.text("name")
	if e != nil {
		return nil, e
	}
	i := slices.IndexFunc(c.tools, func(t tool) bool { return t.Name == name })
	if i < 0 {
		return nil, refuse(codeParams, "unknown tool %q", name)
	}
	a, err := c.calls.do(ctx, c.tools[i], r.params["arguments"])
	if err != nil {
		return nil, refuse(codeInternal, "%v", err) // the client has cancelled the call and gets no answer
	}
	answer, err := c.tools[i].result(a)
	if err != nil {
		return nil, refuse(codeInternal, "internal error: %v", err)
	}
	return answer, nil
}

func (c *session) readResource(_ context.Context, r *request) (result, *refusal) {
	uri, e := r.params.text("uri")
	if e != nil {
		return nil, e
	}
	text, ok := readURI(uri)
	if !ok {
		e := refuse(codeParams, "Resource not found")
		e.Data = map[string]string{"uri": uri}
		return nil, e
	}
	return &listing{cached: uncached, Contents: []contents{{URI: uri, MIMEType: markdown, Text: text}}}, nil
}
