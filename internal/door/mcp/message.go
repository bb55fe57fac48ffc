package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// The codes of errors: of JSON-RPC 2.0, and, last, of the Model Context Protocol.
const (
	codeParse    = -32700
	codeRequest  = -32600
	codeMethod   = -32601
	codeParams   = -32602
	codeInternal = -32603
	codeVersion  = -32022
)

// A message is a request, or a notification if it has no id.
type message struct {
	id     any // a string or an int64, nil for a notification
	method string
	params json.RawMessage // nil if there are none
}

// A refusal is an error of the protocol.
type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// A response answers the message with the id. The id is nil if the message had no readable id.
type response struct {
	Version string   `json:"jsonrpc"`
	ID      any      `json:"id"`
	Result  any      `json:"result,omitempty"`
	Error   *refusal `json:"error,omitempty"`
}

// fields are the members of a JSON object. A struct would also take names in another case, as encoding/json reads them.
type fields map[string]json.RawMessage

// text returns the string of a member, "" if it is missing or null.
func (f fields) text(name string) (string, *refusal) {
	s := ""
	if raw := f[name]; raw != nil && json.Unmarshal(raw, &s) != nil {
		return "", refuse(codeParams, "invalid params: expected %s to be a string, found %.40s", name, raw)
	}
	return s, nil
}

// object returns the members of a member, nil if it is missing or not an object.
func (f fields) object(name string) fields {
	var o fields
	if json.Unmarshal(f[name], &o) != nil {
		return nil
	}
	return o
}

// decode reads a message from valid JSON. It returns nil for a response: this server sends no requests.
func decode(text []byte) (*message, *refusal) {
	const want = "expected a message of JSON-RPC 2.0: "
	var f fields
	if json.Unmarshal(text, &f) != nil {
		return nil, refuse(codeRequest, want+"an object, found %.40s", text)
	}
	if version, _ := f.text("jsonrpc"); version != "2.0" {
		return nil, refuse(codeRequest, want+`the member "jsonrpc" has to be "2.0"`)
	}
	id, ok := readID(f["id"])
	if !ok {
		return nil, refuse(codeRequest, "expected an id that is a text or an integer of at most 53 bits")
	}
	m := &message{id: id, params: f["params"]}
	raw, called := f["method"]
	switch {
	case !called && id == nil:
		return nil, refuse(codeRequest, want+`it has neither the member "method" nor an id`)
	case !called:
		return nil, nil
	case json.Unmarshal(raw, &m.method) != nil:
		return nil, refuse(codeRequest, want+`the member "method" has to be a string, found %.40s`, raw)
	}
	return m, nil
}

// maxID is the largest integer that every reader of JSON keeps, as a float64.
const maxID = 1<<53 - 1

// readID returns an id as a string or an int64, nil if there is none. It reports whether it can be sent back unchanged.
func readID(raw json.RawMessage) (id any, ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, true
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil && -maxID <= n && n <= maxID
}

// idOf returns the id of a possibly truncated or malformed request, nil if there is no id.
func idOf(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if key != "id" {
			continue
		}
		switch value.(type) {
		case string, json.Number:
			return value
		}
		return nil
	}
	return nil
}
