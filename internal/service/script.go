//go:build !js || kernels

package service

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"girih/cute"
	"girih/internal/lang/report"
)

// This file answers the packages of other languages, such as Python. They may ask for every operation of the command
// line, and get the answer in words together with the response.

// ScriptOperations returns the operations of the command line and of assistants, one for each name, in the order of
// presentation. The row that programs ask comes first.
func ScriptOperations() []Operation { return slices.Clone(scriptOperations()) }

var scriptOperations = sync.OnceValue(func() []Operation {
	var list []Operation
	for _, op := range operations() {
		if op.Command == nil && op.Tool == nil {
			continue
		}
		k := slices.IndexFunc(list, func(o Operation) bool { return o.Name == op.Name })
		switch {
		case k < 0:
			list = append(list, op)
		case op.Programs && !list[k].Programs:
			list[k] = op
		}
	}
	return list
})

// A Told is an answer to a script.
type Told struct {
	Answer json.RawMessage `json:"answer"`         // the response
	Text   string          `json:"text,omitempty"` // the answer in words, if the request asks for it
	// Refused says that the response is only an error. It is set if the text was asked for.
	Refused bool `json:"refused,omitempty"`
	// Failed says that something is wrong, as the exit status 1 of the command line. It is set if the text was asked for.
	Failed bool     `json:"failed,omitempty"`
	Files  [][]byte `json:"files,omitempty"` // the buffers that a run was asked for, as .npy
}

// A Script asks operations of the service for a program on the same machine.
type Script struct {
	// Open returns the content of a file that a request names, or an error if the file has more than most bytes.
	Open func(name string, most int64) ([]byte, error)
}

// Do carries out a request in a session of its own, within the time and the budget of the context. inWords asks for the
// text as well.
func (c Script) Do(ctx context.Context, name string, body []byte, inWords Words) Told {
	all := scriptOperations()
	k := slices.IndexFunc(all, func(op Operation) bool { return op.Name == name })
	if k < 0 {
		return refusedTold(refusal(cute.CodeName, "there is no operation "+name, ""))
	}
	s := new(Session)
	s.Within(ctx, Room{Bytes: MaxAnswer})
	fault := s.hold(len(body) * sourceBytes)
	var request any
	if fault == nil {
		request, fault = all[k].Read(s, Scripts, body)
	}
	if fault != nil {
		return refusedTold(fault)
	}
	if q, ok := request.(*SimRequest); ok {
		q.Open = c.Open
	}
	response := all[k].do.ask(s, request, Scripts)
	out, err := json.Marshal(response)
	if err != nil {
		return refusedTold(&report.Error{Code: string(cute.CodeType), Message: err.Error()})
	}
	t := Told{Answer: out}
	if r, ok := response.(SimResponse); ok {
		t.Files = r.Files
	}
	if inWords {
		a := all[k].do.answer(request, response, Terminal)
		t.Text, t.Refused, t.Failed = a.InWords(), !a.OK && a.Shown == ErrorAlone, !a.OK || a.Failed
	}
	return t
}

// Words says whether an answer is given in words, too.
type Words bool

// refusedTold is an answer that is only an error.
func refusedTold(e *report.Error) Told {
	return Told{Answer: failure(e), Text: e.Report("", 0), Refused: true}
}

// InWords returns the text, or instead of it or after it the report of the error, and then the notes.
func (a Answer) InWords() string {
	var b strings.Builder
	if a.Error == nil || a.Shown != ErrorAlone {
		b.WriteString(a.Text())
	}
	if a.Error != nil && a.Shown != TextAlone {
		source := ""
		if a.Error.HasPlace() {
			source = a.In
		}
		b.WriteString(a.Error.Report(source, 0))
	}
	for _, n := range a.Notes {
		b.WriteString("note: " + report.OneLine(n) + "\n")
	}
	b.WriteString(a.After)
	return b.String()
}
