package service

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"girih/cute"
	"girih/internal/lang/report"
)

// This file gives the page a form for each operation that answers in words. A form is made from the operation's row,
// and gives the same answer as the command line.

// A Form says how the page asks an operation with a form.
type Form struct {
	Examples []any // requests that fill the form at first; none for the lines of the help
	// Draws names fields of the request that ask for its picture: the expression, then others, or OTHER=FIELD. If that
	// says too little, Picture returns the picture of a request, or nil. Both may be empty.
	Draws   string
	Picture func(request any) *DrawRequest
	// Repair returns changed requests with good answers, if the answer is bad; it may be nil.
	Repair func(s *Session, request, response any) []FormRepair
}

// A FormField is a field of a form.
type FormField struct {
	Name     string   `json:"name"`            // the name of the field in the request
	Doc      string   `json:"doc"`             // what the field means
	Kind     string   `json:"kind"`            // the JSON type: string, integer, boolean, number, array; or integers
	Required bool     `json:"required"`        // no answer is possible without the field
	Lines    bool     `json:"lines,omitempty"` // an example has several lines
	Words    []string `json:"words,omitempty"` // the words that the field may be; none for any
}

// A FormInfo is the form of an operation.
type FormInfo struct {
	Name     string            `json:"name"`     // the name of the operation
	Title    string            `json:"title"`    // a phrase that names the form
	Doc      string            `json:"doc"`      // what the operation answers, in one sentence
	Subject  string            `json:"subject"`  // the heading above the operation
	Fields   []FormField       `json:"fields"`   // the fields in their order on the page
	Examples []json.RawMessage `json:"examples"` // requests
}

// A ToldRequest asks an operation that has a form.
type ToldRequest struct {
	Name    string `json:"name"`    // the name of the operation
	Request string `json:"request"` // the request as JSON
}

// A ToldResponse is an answer in words.
type ToldResponse struct {
	OK      bool          `json:"ok"`                // there is an answer
	Failed  bool          `json:"failed,omitempty"`  // the answer is that it does not work
	Text    string        `json:"text,omitempty"`    // what the command line prints
	Notes   []string      `json:"notes,omitempty"`   // what a reader of the answer should know
	Draw    *DrawRequest  `json:"draw,omitempty"`    // the picture that belongs to the text
	Repairs []FormRepair  `json:"repairs,omitempty"` // changes that make the answer a good one
	Command string        `json:"command,omitempty"` // the line that asks a terminal the same; "" if it needs files
	Error   *report.Error `json:"error,omitempty"`   // why there is no answer
}

// formRows are the rows for asking with forms, about the rows that have forms. The forms are made when they are asked
// for: they take time, and the first engine of the page cannot make them.
func formRows(rows []Operation) []Operation {
	forms := sync.OnceValue(func() (forms []FormInfo) {
		for _, op := range rows {
			if f := op.form(); len(f.Examples) > 0 {
				forms = append(forms, f)
			}
		}
		return forms
	})
	return []Operation{
		forPrograms("forms", "The operations that are asked with a form.", func(*Session, struct{}) []FormInfo { return forms() }),
		forPrograms("told", "The answer of an operation in words.", func(s *Session, q ToldRequest) ToldResponse {
			for _, op := range rows {
				if op.Name == q.Name && len(op.form().Examples) > 0 {
					return s.tell(op, q.Request)
				}
			}
			return ToldResponse{Error: refusal(cute.CodeName, "there is no form of this name: "+q.Name, "")}
		}),
	}
}

// form describes the form of an operation. A form without examples is not shown.
func (o Operation) form() FormInfo {
	f := FormInfo{Name: o.Name, Title: o.Doc, Doc: o.Doc, Subject: o.Subject, Examples: o.helpExamples()}
	if o.Tool != nil {
		f.Title = o.Tool.Title
	}
	if o.Form != nil && len(o.Form.Examples) > 0 {
		f.Examples = nil
		for _, x := range o.Form.Examples {
			text, _ := json.Marshal(x) // structs of strings and numbers
			f.Examples = append(f.Examples, text)
		}
	}
	for _, a := range o.arguments(Programs) {
		field := FormField{Name: a.Name, Doc: a.Doc, Kind: a.Kind(), Required: a.Required}
		if field.Kind == "array" && a.Of.Elem().Kind() != reflect.String {
			field.Kind = "integers"
		}
		for _, w := range o.Words[a.Name] {
			field.Words = append(field.Words, w.Name)
		}
		for _, x := range f.Examples {
			var fields map[string]any
			_ = json.Unmarshal(x, &fields) // the examples are objects
			text, _ := fields[a.Name].(string)
			field.Lines = field.Lines || strings.Contains(text, "\n")
		}
		f.Fields = append(f.Fields, field)
	}
	return f
}

// draws returns the picture of a request, by the fields that the form names.
func (o Operation) draws(request any) *DrawRequest {
	fields := map[string]any{}
	for i, name := range strings.Fields(o.Form.Draws) {
		as, from, renamed := strings.Cut(name, "=")
		if !renamed {
			from = as
		}
		if i == 0 {
			as = "expr"
		}
		value := o.field(request, from).Interface()
		if list, ok := value.([]int64); ok {
			value = withCommas(list)
		}
		fields[as] = value
	}
	q := new(DrawRequest)
	if into(fields, q) != nil {
		return nil // not for fields of the same types
	}
	return q
}

// field returns the field of a request by its name in JSON.
func (o Operation) field(request any, name string) reflect.Value {
	for _, a := range o.args[Programs] {
		if a.Field == name {
			return reflect.ValueOf(request).Elem().FieldByIndex(a.Index)
		}
	}
	panic("no field " + name) // a test asks all forms
}

// tell carries out an operation's request and returns the answer as text.
func (s *Session) tell(op Operation, body string) ToldResponse {
	request, fault := op.Read(s, Programs, []byte(body))
	if fault != nil {
		return ToldResponse{Error: fault}
	}
	response := op.do.ask(s, request, Terminal)
	a := op.do.answer(request, response, Terminal)
	r := ToldResponse{OK: a.OK, Failed: a.Failed, Notes: a.Notes, Error: a.Error, Command: op.line(request)}
	if a.Shown == TextAlone {
		r.Error = nil
	}
	if a.OK || a.Shown != ErrorAlone {
		r.Text = a.Text()
		if op.Form != nil && op.Form.Picture != nil {
			r.Draw = op.Form.Picture(request)
		} else if op.Form != nil && op.Form.Draws != "" {
			r.Draw = op.draws(request)
		}
		if op.Form != nil && op.Form.Repair != nil {
			r.Repairs = op.Form.Repair(s, request, response)
		}
	}
	return r
}
