package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/service"
)

// A tool is an operation of the service as assistants see it.
type tool struct {
	name, title, doc string
	smaller          string              // what makes the result smaller, as a hint
	values           map[string][]string // the words that a field of the request may hold
	hidden           []string            // fields of the request that are not for assistants
	unset            []string            // fields of the response that its content has, and not its structure

	in, out reflect.Type
	// call decodes the arguments and carries out the operation.
	call func(s *service.Session, args []byte) answer
	// failed is the response that has the error only.
	failed func(*service.ErrorInfo) any
}

// An answer is a response of the service and its text.
type answer struct {
	response any
	err      *service.ErrorInfo // nil if there is an answer
	text     string             // as a person reads it
	pictures [][]byte           // PNGs
}

// toolOf completes a row of the table with the operation.
func toolOf[Q, R any](t tool, do func(*service.Session, Q) (R, answer)) tool {
	t.in, t.out = reflect.TypeFor[Q](), reflect.TypeFor[R]()
	t.failed = func(e *service.ErrorInfo) any {
		text, _ := json.Marshal(map[string]any{"ok": false, "error": e}) // strings and integers always encode
		r := new(R)
		_ = json.Unmarshal(text, r) // each response has both; a test sees that
		return r
	}
	t.call = func(s *service.Session, args []byte) answer {
		var q Q
		if err := decode(args, &q); err != nil {
			return t.refused(&service.ErrorInfo{Code: "syntax", Message: fmt.Sprintf("expected the arguments of %s: %v", t.name, err), Pos: -1})
		}
		r, a := do(s, q)
		a.response = r
		return a
	}
	return t
}

// decode reads the arguments of a call. No arguments are those of an empty object.
func decode(args []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// refused is the answer that is an error.
func (t tool) refused(e *service.ErrorInfo) answer {
	return answer{response: t.failed(e), err: e, text: e.Report("", 0)}
}

// definition is the tool as the protocol lists it.
func (t tool) definition() *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.doc,
		InputSchema: inputSchema(t.in, t.values, t.hidden...), OutputSchema: outputSchema(t.out, t.unset...),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
}

// result is an answer as the protocol has it, or the error that it is too large.
func (t tool) result(a answer) (*sdk.CallToolResult, error) {
	structure, err := json.Marshal(a.response)
	if err != nil {
		return nil, err
	}
	what, n, most := "result has", max(len(structure), len(a.text)), MaxResult
	if n <= most {
		what, n, most = "pictures have", 0, MaxPicture
		for _, p := range a.pictures {
			n += len(p)
		}
	}
	if n > most {
		return t.result(t.refused(limit(fmt.Sprintf("the %s %d bytes, the limit is %d", what, n, most), t.smaller)))
	}
	r := &sdk.CallToolResult{StructuredContent: json.RawMessage(structure), IsError: a.err != nil}
	for _, p := range a.pictures {
		r.Content = append(r.Content, &sdk.ImageContent{Data: p, MIMEType: "image/png"})
	}
	r.Content = append(r.Content, &sdk.TextContent{Text: a.text})
	return r, nil
}
