package mcp

import (
	"encoding/json"
	"fmt"
	"sort"

	"girih/internal/lang/report"
	"girih/internal/service"
)

// A tool is an operation of the service as assistants see it.
type tool struct {
	service.Operation
	// call decodes the arguments and carries out the operation.
	call func(s *service.Session, args []byte) answer
}

// An answer is a response of the service with the text that an assistant reads.
type answer struct {
	service.Answer
	text string
}

// tools returns all tools, in the order in which an assistant reads the list.
func tools() []tool {
	var all []tool
	for _, op := range service.Operations() {
		if op.Tool == nil {
			continue
		}
		t := tool{Operation: op}
		t.call = t.ask
		if op.Name == "help" {
			t.call = t.help
		}
		all = append(all, t)
	}
	return all
}

// arguments returns the tool's arguments, in order.
func (t tool) arguments() []service.Argument { return t.Arguments(service.Assistants) }

// ask is the call of an operation of the service.
func (t tool) ask(s *service.Session, args []byte) answer {
	request, e := t.Read(s, service.Assistants, args)
	if e != nil {
		return t.refuse(e)
	}
	return answerText(t.Ask(s, request, service.Assistants))
}

// answerText is an answer with its text for an assistant.
func answerText(a service.Answer) answer {
	return answer{a, a.InWords()}
}

// refuse returns the answer that is an error.
func (t tool) refuse(e *report.Error) answer {
	return answerText(service.Answer{Response: t.Failure(e), Error: e})
}

// A definition is a tool as the protocol lists it. There is no schema of the answer: schemas would fill most of the
// list, and an assistant reads the answer, not the schema.
type definition struct {
	Annotations annotations `json:"annotations"`
	Description string      `json:"description"`
	InputSchema *schema     `json:"inputSchema"`
	Name        string      `json:"name"`
	Title       string      `json:"title"`
}

// annotations say what a tool does to the world.
type annotations struct {
	Idempotent bool `json:"idempotentHint"`
	OpenWorld  bool `json:"openWorldHint"`
	ReadOnly   bool `json:"readOnlyHint"`
}

// definitions returns the list of tools by name.
func (s *server) definitions() []*definition {
	var all []*definition
	for _, t := range s.tools {
		all = append(all, &definition{
			Annotations: annotations{ReadOnly: true}, Name: t.Name, Title: t.Tool.Title, Description: t.Tool.Brief,
			InputSchema: schemaOf(t.arguments()),
		})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// An outcome is the result of a call.
type outcome struct {
	about
	Content    []block         `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

// A block is a text or an image.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	MIMEType string `json:"mimeType,omitempty"`
	Data     []byte `json:"data,omitempty"`
}

// maxTwice limits the structured content, in bytes, that accompanies the text. Clients give both to the assistant, so a
// longer answer is sent once, as text.
const maxTwice = 4 << 10

// result returns an answer in the form of the protocol, or an error if the answer is too large.
func (t tool) result(a answer) (*outcome, error) {
	what, n, most := "result has", len(a.text), MaxResult
	if n <= most {
		what, n, most = "pictures have", 0, MaxPicture
		for _, p := range a.Pictures {
			n += len(p)
			if len(p) > service.SmallPicture {
				what, n, most = "picture has", len(p), service.SmallPicture
				break
			}
		}
	}
	if n > most {
		return t.result(t.refuse(limit(fmt.Sprintf("the %s %d bytes, the limit is %d", what, n, most), t.Tool.Smaller)))
	}
	r := &outcome{IsError: a.Error != nil}
	if a.Error != nil || !a.Whole {
		structure, err := json.Marshal(a.Response)
		if err == nil && a.Error != nil && len(structure) > maxTwice {
			structure, err = json.Marshal(t.Failure(a.Error))
		}
		if err != nil {
			return nil, err
		}
		if a.Error != nil || len(structure) <= maxTwice {
			r.Structured = structure
		}
	}
	for _, p := range a.Pictures {
		r.Content = append(r.Content, block{Type: "image", MIMEType: "image/png", Data: p})
	}
	r.Content = append(r.Content, block{Type: "text", Text: a.text})
	return r, nil
}
