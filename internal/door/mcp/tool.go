package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/service"
)

// A tool is an operation of the service as assistants see it.
type tool struct {
	name, title, doc string
	smaller          string              // what makes the result smaller, as a hint
	values           map[string][]string // the words that an argument may hold
	names            map[string]string   // of arguments by field, where that has another name: one thing has one name in all tools
	docs             map[string]string   // of arguments whose field says something else, such as another default
	shapes           []string            // arguments that are lists of integers, which the request has as a text
	hidden           []string            // fields of the request that are not for assistants

	args []service.Argument
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
	whole    bool               // the text and the pictures are all of it, so that the response would repeat them
}

// toolOf completes a row of the table with the operation.
func toolOf[Q, R any](t tool, do func(*service.Session, Q) (R, answer)) tool {
	t.args = t.arguments(reflect.TypeFor[Q]())
	t.failed = func(e *service.ErrorInfo) any {
		text, _ := json.Marshal(map[string]any{"ok": false, "error": e}) // strings and integers always encode
		r := new(R)
		_ = json.Unmarshal(text, r) // each response has both; a test sees that
		return r
	}
	t.call = func(s *service.Session, args []byte) answer {
		var q Q
		if e := service.ReadArguments(t.name, t.args, args, &q); e != nil {
			return t.refused(e)
		}
		r, a := do(s, q)
		a.response = r
		return a
	}
	return t
}

// refused is the answer that is an error.
func (t tool) refused(e *service.ErrorInfo) answer {
	return answer{response: t.failed(e), err: e, text: e.Report("", 0)}
}

// definition is the tool as the protocol lists it. There is no schema of the answer: it would be most of the list, and
// an assistant reads the answer and not the schema.
func (t tool) definition() *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.doc, InputSchema: schema(t.args),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}
}

// maxTwice is the length of the structured content, in bytes, that stands beside the text. Clients give both to the
// assistant, so what is longer is said once, as text.
const maxTwice = 4 << 10

// result is an answer as the protocol has it, or the error that it is too large.
func (t tool) result(a answer) (*sdk.CallToolResult, error) {
	what, n, most := "result has", len(a.text), MaxResult
	if n <= most {
		what, n, most = "pictures have", 0, MaxPicture
		for _, p := range a.pictures {
			n += len(p)
		}
	}
	if n > most {
		return t.result(t.refused(limit(fmt.Sprintf("the %s %d bytes, the limit is %d", what, n, most), t.smaller)))
	}
	r := &sdk.CallToolResult{IsError: a.err != nil}
	if a.err != nil || !a.whole {
		structure, err := json.Marshal(a.response)
		if err == nil && a.err != nil && len(structure) > maxTwice {
			structure, err = json.Marshal(t.failed(a.err))
		}
		if err != nil {
			return nil, err
		}
		if a.err != nil || len(structure) <= maxTwice {
			r.StructuredContent = json.RawMessage(structure)
		}
	}
	for _, p := range a.pictures {
		r.Content = append(r.Content, &sdk.ImageContent{Data: p, MIMEType: "image/png"})
	}
	r.Content = append(r.Content, &sdk.TextContent{Text: a.text})
	return r, nil
}
