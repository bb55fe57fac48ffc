package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/glossary"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// A Function documents one function of the language.
type Function struct {
	Name string `json:"name"` // CuTe's name of the function
	// as a user writes the call; "?" marks what is optional, "..." what repeats
	Params  string   `json:"params"`
	Group   string   `json:"group"`             // the heading that lists the function
	Doc     string   `json:"doc"`               // what it returns, in prose
	Example string   `json:"example"`           // an expression that calls it
	Output  string   `json:"output"`            // the canonical text of the example's value
	Aliases []string `json:"aliases,omitempty"` // other names of the function
	Mode    string   `json:"mode,omitempty"`    // the call on mode 1 alone, for a function of a layout
}

// Signature returns the call as a user writes it: "composition(A, B)".
func (f Function) Signature() string { return f.Name + "(" + f.Params + ")" }

// Summary returns the first sentence of the documentation.
func (f Function) Summary() string {
	doc := strings.Join(strings.Fields(f.Doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		return doc[:i+1]
	}
	return doc
}

// A FunctionGroup is a heading of the reference with its functions.
type FunctionGroup struct {
	Name      string     `json:"name"`
	Functions []Function `json:"functions"`
}

// Reference returns all functions of the language under their headings, in the order of presentation.
func Reference() []FunctionGroup {
	all := eval.Builtins()
	groups := make([]FunctionGroup, 0, len(eval.Groups()))
	for _, name := range eval.Groups() {
		g := FunctionGroup{Name: name}
		for _, b := range all {
			if b.Group == name {
				g.Functions = append(g.Functions, function(b))
			}
		}
		if len(g.Functions) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

func function(b eval.Builtin) Function {
	f := Function{
		Name: b.Name, Params: b.Params, Group: b.Group, Doc: b.Doc,
		Example: b.Example, Output: b.Output, Aliases: slices.Clone(b.Aliases),
	}
	if b.TakesModes() {
		f.Mode = f.Name + "[1](" + f.Params + ")"
	}
	return f
}

// helpOperation is the row of help.
func helpOperation() Operation {
	return Operation{
		Name: "help", Doc: "The documentation of a function, a notation, a term, an instruction or the code of an error.",
		Tool: &ToolDoc{
			Title: "Document a function, a notation or a term",
			Brief: "documentation of a tool and its arguments, of functions (logical_divide), notations (Sw, o, @), terms (quadpair), instructions, error codes; without a name the lists of tools and functions.",
			Doc: "Documentation with an example and its value: of functions (logical_divide), notations (Sw, o, @), terms " +
				"of the field (quadpair, codomain) with their spelling in C++, in the CuTe DSL and in papers, tools (bank), " +
				"instructions, codes of errors. Without a name all functions by group; glossary lists the terms.",
		},
		Form: &Form{Examples: []any{HelpRequest{Name: "complement"}, HelpRequest{Name: "quadpair"}, HelpRequest{Name: "ldmatrix"}}},
		do: method[HelpRequest, HelpResponse]{
			do: func(_ *Session, q HelpRequest) HelpResponse { return Help(q) },
			said: func(_ HelpRequest, r HelpResponse, _ Door) Answer {
				return Answer{OK: r.OK, Text: func() string { return r.Text(WideText) }, Error: r.Error, Whole: true}
			},
		}.caller(),
	}
}

// A HelpRequest asks about a function, by name or alias, or about another topic.
type HelpRequest struct {
	Name string `json:"name,omitempty" jsonschema:"a function, a group of them, a tool, a notation such as Sw, a term such as quadpair, an instruction, or the code of an error; glossary for all terms; empty for all functions" brief:"a tool, argument, function, notation, term, instruction or error code"`
	Lang string `json:"lang,omitempty" jsonschema:"the language of the glossary, en or zh; en if empty" brief:"of terms: en or zh"`
}

// A Topic is the help on anything except a function.
type Topic struct {
	Name  string   `json:"name"`            // the subject of the topic
	Doc   string   `json:"doc,omitempty"`   // prose
	Lines []string `json:"lines,omitempty"` // the lines that follow the first
}

// A HelpResponse is the documentation of the function, a topic, or the names that may have been meant, best
// first.
type HelpResponse struct {
	OK          bool           `json:"ok"`                    // there is help
	Function    *Function      `json:"function,omitempty"`    // the documentation of a function
	Topic       *Topic         `json:"topic,omitempty"`       // the notation, instruction or error code with this name
	Term        *glossary.Term `json:"term,omitempty"`        // the term of the glossary with this name
	Suggestions []string       `json:"suggestions,omitempty"` // the names that were perhaps meant, best first
	Error       *report.Error  `json:"error,omitempty"`       // why there is no answer
}

// Help looks up a function, then a group of functions, a notation, an error code, an instruction, a machine,
// the notation of an expression, and an element type, and answers with the first it finds, and with the term of the
// glossary that has the name.
func Help(req HelpRequest) HelpResponse {
	language, err := glossary.ParseLanguage(req.Lang)
	if err != nil {
		return HelpResponse{Error: usage("%s", err.Error())}
	}
	asked := strings.TrimSpace(req.Name)
	name := strings.TrimPrefix(strings.TrimPrefix(asked, "cute::"), "cute.")
	call, _, _ := strings.Cut(name, "(") // "logical_divide(A, T)" asks for logical_divide
	for _, n := range []string{name, strings.TrimRight(call, " ")} {
		if b, ok := eval.Lookup(n); ok {
			f := function(b)
			r := HelpResponse{OK: true, Function: &f, Term: glossary.Find(n, language)}
			r.Topic = notationOf(n).topic() // layout is a notation and an alias of get
			return r
		}
	}
	r := HelpResponse{OK: true, Topic: topicOf(name), Term: glossary.Find(name, language)}
	if r.Term != nil { // "logical divide" is a term and the function logical_divide
		if b, ok := eval.Lookup(strings.ReplaceAll(r.Term.Name, " ", "_")); ok {
			f := function(b)
			r.Function = &f
		}
	}
	if r.Topic != nil || r.Term != nil {
		return r
	}
	r = HelpResponse{Suggestions: suggest(name), Error: &report.Error{
		Code: string(cute.CodeName), Message: fmt.Sprintf("there is no function, notation, term, instruction or "+
			"code of an error %.60q", req.Name), Pos: -1,
	}}
	if len(r.Suggestions) > 0 {
		r.Error.Hint = "perhaps " + strings.Join(r.Suggestions, ", ")
	}
	return r
}

// topicOf returns the help on a name that is not a function, nil if there is no help.
func topicOf(name string) *Topic {
	if len(name) > maxTopic {
		return nil
	}
	for _, find := range topicFinders {
		if t := find(name); t != nil {
			return t
		}
	}
	return nil
}

// topicFinders look up a name: the first finder that knows the name returns the topic.
var topicFinders = []func(name string) *Topic{
	listTopic, groupTopic, notationTopic, codeTopic, instructionTopic, machineTopic, expressionTopic, typeTopic,
}

// listTopic is the list of all functions, of all terms, or of all codes of errors.
func listTopic(name string) *Topic {
	switch strings.ToLower(name) {
	case "", "functions", "language", "reference":
		return allFunctions()
	case "glossary", "terms":
		return &Topic{Name: "The terms of the glossary", Doc: strings.Join(glossary.Names(), ", ")}
	case "errors", "codes":
		t := &Topic{Name: "The codes of errors"}
		for _, c := range ErrorCodes() {
			t.Lines = append(t.Lines, fmt.Sprintf("  %-20s %s", c.Code, c.Meaning))
		}
		return t
	}
	return nil
}

func groupTopic(name string) *Topic {
	for _, g := range Reference() {
		if strings.EqualFold(g.Name, name) {
			t := &Topic{Name: g.Name}
			for _, f := range g.Functions {
				t.Lines = append(t.Lines, "  "+f.Signature()+": "+f.Summary())
			}
			return t
		}
	}
	return nil
}

func notationTopic(name string) *Topic { return notationOf(name).topic() }

func codeTopic(name string) *Topic {
	for _, c := range ErrorCodes() {
		if c.Code == strings.ToLower(name) {
			t := &Topic{Name: c.Code, Doc: "The code of an error: " + c.Meaning + ".", Lines: []string{"", "Example:"}}
			var s Session
			r := s.Eval(EvalRequest{Expr: c.Example})
			return t.report(c.Example, r.Error)
		}
	}
	return nil
}

func instructionTopic(name string) *Topic {
	if a := Atom(AtomRequest{Name: name}); a.OK {
		return &Topic{Name: "An instruction", Lines: strings.Split(strings.TrimRight(AtomText(a), "\n"), "\n")}
	}
	return nil
}

func machineTopic(name string) *Topic {
	for _, m := range Targets() {
		if strings.EqualFold(m.Name, name) {
			return &Topic{Name: m.Name, Doc: "A machine, as a target: " + m.Title + "."}
		}
	}
	return nil
}

// expressionTopic is the help on the notation of an expression.
func expressionTopic(name string) *Topic { return notationFor(name).topic() }

func typeTopic(name string) *Topic {
	if t, fault := elementType(name); fault == nil {
		return &Topic{Name: t.String(), Doc: fmt.Sprintf("A type of elements, of %s.", plural(t.Bits(), "bit"))}
	}
	return nil
}

// maxTopic is the longest name of a topic, in bytes: a name may be an expression.
const maxTopic = 400

// allFunctions is the help without a name.
func allFunctions() *Topic {
	t := &Topic{Name: "The functions of the language"}
	for _, g := range Reference() {
		names := make([]string, len(g.Functions))
		for i, f := range g.Functions {
			names[i] = f.Name
		}
		t.Lines = append(t.Lines, "", g.Name+":")
		t.Lines = append(t.Lines, strings.Split(strings.TrimRight(Wrap(strings.Join(names, " "), 78, "  ", "  "), "\n"),
			"\n")...)
	}
	names := make([]string, len(notations))
	for i, n := range notations {
		names[i] = n.names[0]
	}
	t.Lines = append(t.Lines, "", "notations:")
	t.Lines = append(t.Lines, strings.Split(strings.TrimRight(Wrap(strings.Join(names, ", "), 78, "  ", "  "), "\n"),
		"\n")...)
	return t
}

// report adds an example that ends with an error.
func (t *Topic) report(example string, e *report.Error) *Topic {
	t.Lines = append(t.Lines, "  "+example)
	for line := range strings.Lines(e.Report("", 0)) {
		t.Lines = append(t.Lines, "  "+strings.TrimRight(line, "\n"))
	}
	return t
}

// An ErrorCode documents one code of [report.Error].
type ErrorCode struct {
	Code    string `json:"code"`
	Meaning string `json:"meaning"`
	Example string `json:"example"` // an expression that ends with this code
}

// ErrorCodes returns all error codes, in a fixed order.
func ErrorCodes() []ErrorCode {
	codes := cute.Codes()
	out := make([]ErrorCode, len(codes))
	for i, c := range codes {
		out[i] = ErrorCode{Code: string(c.Code), Meaning: c.Meaning, Example: c.Example}
	}
	return out
}

// maxSuggestions is the largest number of names that suggest returns.
const maxSuggestions = 8

// suggest returns the functions and topics that name may mean, best first: the most similar spelling, then the
// names that contain name, ignoring case and underscores. LogicalDivide finds logical_divide.
func suggest(name string) []string {
	var names []string
	add := func(n string) {
		if !slices.Contains(names, n) && len(names) < maxSuggestions {
			names = append(names, n)
		}
	}
	var topics []string
	for _, n := range notations {
		topics = append(topics, n.names...)
	}
	for _, c := range ErrorCodes() {
		topics = append(topics, c.Code)
	}
	topics = append(topics, glossary.AllNames()...)
	near := eval.Suggest(name, topics)
	if b, ok := eval.Lookup(near); ok {
		near = b.Name
	}
	if near != "" {
		add(near)
	}
	if want := bare(name); len(want) >= 3 {
		for _, b := range eval.Builtins() {
			if slices.ContainsFunc(append([]string{b.Name}, b.Aliases...),
				func(n string) bool { return strings.Contains(bare(n), want) }) {
				add(b.Name)
			}
		}
		for _, n := range topics {
			if strings.Contains(bare(n), want) {
				add(n)
			}
		}
	}
	return names
}

// Nearest returns the name with the most similar spelling, "" if none is near.
func Nearest(name string, names []string) string { return eval.Nearest(name, names) }

// bare returns a name in lower case without underscores.
func bare(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
