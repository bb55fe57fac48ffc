package service

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"girih/internal/lang/report"
)

// A Door is where operations are asked for.
type Door int

// The doors.
const (
	Programs   Door = iota // HTTP and WebAssembly: requests and responses as JSON
	Terminal               // the command line
	Assistants             // the tools of AI assistants
	Scripts                // packages of other languages, with all options of the command line
	doors                  // the number of doors
)

// An Operation is one thing that girih does for its users, as a row from which every door takes what it shows: the
// flags of the command line, the fields of JSON, the tools of assistants with their schemas. A request is a struct with
// a tag for each of its fields:
//
//	json:"name"        as programs, and without another tag assistants, write it; omitempty if it may be left out
//	jsonschema:"text"  what it is
//	brief:"text"       the same in the list of tools, which assistants read in every conversation; - says nothing there
//	tool:"name"        as assistants write it, where one thing has one name in all tools; - is not for them, and
//	                   name,integers is a list of integers for assistants and a text in the request
//	http:"-"           not for programs: it changes the text of an answer only
type Operation struct {
	Name     string            // the name by which programs and assistants ask for the operation
	Doc      string            // what the operation answers, in one sentence
	Subject  string            // the heading above the operation in lists, set by the table
	Programs bool              // programs may ask for the operation
	Command  *Command          // the operation on the command line; nil if it is not there
	Tool     *ToolDoc          // the operation as a tool of assistants; nil if there is no such tool
	Form     *Form             // what the page's form has in addition to the row; may be nil
	Words    map[string][]Word // the words that an argument may be, by its name for assistants
	Without  []string          // the JSON names of fields of the request that belong to another row with the same request

	do   caller
	args [doors][]Argument // the arguments by door
}

// A Command is an operation on the command line.
type Command struct {
	Parent  string   // the command above this one, "" for none
	Use     string   // the usage line
	Long    string   // the description in prose, wrapped
	Example string   // lines
	Args    []string // the fields that are positional arguments, in their order
	Spare   int      // how many of these arguments may be left out, from the end
	Meant   []string // words that name no command, but for which the help offers this one
	Wrong   string   // the error for a wrong number of arguments, with %d for the number found
	Flags   []Flag   // the fields that are flags
	Width   int      // the width of an error report in columns; 0 does not wrap it
}

// A Flag is a field of a request on the command line.
type Flag struct {
	_       [0]func() // not comparable: comparisons of all lengths of tables would take 25 kB
	Field   string    // the name of the field in JSON
	Name    string    // the name of the flag, if it is not the field's
	Short   string    // the short form, a letter; "" for none
	Default string    // the value without the flag, if it is not the zero of the field
	Usage   string    // the description, with the placeholder of the value in backquotes
	Missing string    // the error if the value is empty; "" if it may be empty
}

// A ToolDoc describes an operation to assistants.
type ToolDoc struct {
	Title   string // a phrase that names the tool
	Brief   string // when and how to use the tool, in the list of tools: short, because every conversation reads it
	Doc     string // prose with examples, which the tool's help shows
	Smaller string // a hint how to make the result smaller
	Sets    bool   // the tool takes values of run-time integers, as programs give them to every operation
}

// A Word is a word that an argument may hold.
type Word struct {
	Name  string
	Title string // what the word means; may be empty
}

// An Answer is a response as a person reads it.
type Answer struct {
	Fault                  // what the error is about
	Response any           // the response that programs get as JSON
	OK       bool          // there is an answer
	Text     func() string // the answer in words
	Notes    []string
	After    string        // text that is printed after the notes
	Error    *report.Error // why there is no answer, or what is wrong with it
	Failed   bool          // the answer is that it does not work
	Shown    Shown         // what is shown if there is an error
	Pictures [][]byte      // PNGs
	Whole    bool          // text and pictures are the whole answer: the response would repeat them
}

// Shown says what is read of an answer with an error.
type Shown int

const (
	ErrorAlone Shown = iota // only the report of the error
	TextAlone               // only the text, which contains the error
	TextFirst               // the text, and then the report of the error
)

// Operations returns the rows of all operations, in the order of presentation. One name may have two rows, one for
// programs and one for assistants.
func Operations() []Operation { return slices.Clone(operations()) }

var operations = sync.OnceValue(func() []Operation {
	rows := slices.DeleteFunc(operationRows(), func(op Operation) bool { return op.Name == "" })
	complete(rows)
	forms := formRows(rows)
	complete(forms)
	return append(rows, forms...)
})

// complete sets the arguments of rows.
func complete(rows []Operation) {
	for i := range rows {
		for _, d := range []Door{Programs, Terminal, Assistants, Scripts} {
			rows[i].args[d] = rows[i].arguments(d)
		}
		if t := rows[i].Tool; t != nil && t.Sets {
			rows[i].args[Assistants] = append(rows[i].args[Assistants], setArgument)
		}
	}
}

// A method is an operation of a session.
type method[Q, R any] struct {
	do      func(*Session, Q) R
	said    func(q Q, r R, d Door) Answer // makes the answer in words; nil if only programs ask
	assumed func(*Q)                      // sets the defaults for assistants; may be nil
}

// caller returns the method without its types. Code with type parameters is compiled once for each struct, under a name
// that spells all its fields and tags; so this is all of it.
func (m method[Q, R]) caller() caller {
	c := caller{do: m.do, said: m.said}
	if m.assumed != nil {
		c.assumed = m.assumed
	}
	return c
}

// A caller carries out an operation: its fields are the functions of a method, assumed nil if there is none.
type caller struct{ do, said, assumed any }

func (c caller) request() reflect.Type  { return reflect.TypeOf(c.do).In(1) }
func (c caller) response() reflect.Type { return reflect.TypeOf(c.do).Out(0) }

// ask carries out a request; request points to it.
func (c caller) ask(s *Session, request any, d Door) any {
	q := reflect.ValueOf(request)
	if d == Assistants && c.assumed != nil {
		reflect.ValueOf(c.assumed).Call([]reflect.Value{q})
	}
	return reflect.ValueOf(c.do).Call([]reflect.Value{reflect.ValueOf(s), q.Elem()})[0].Interface()
}

// answer returns the response in words.
func (c caller) answer(request, response any, d Door) Answer {
	q, r := reflect.ValueOf(request).Elem(), reflect.ValueOf(response)
	said := reflect.ValueOf(c.said).Call([]reflect.Value{q, r, reflect.ValueOf(d)})
	a := said[0].Interface().(Answer)
	if a.Response == nil {
		a.Response = response
	}
	return a
}

// Request returns a pointer to an empty request.
func (o Operation) Request() any { return reflect.New(o.do.request()).Interface() }

// Ask carries out a request from a door; request points to a request of the operation.
func (o Operation) Ask(s *Session, request any, d Door) Answer {
	return o.do.answer(request, o.do.ask(s, request, d), d)
}

// Failure returns the response that has the error only.
func (o Operation) Failure(e *report.Error) any {
	text, _ := json.Marshal(map[string]any{"ok": false, "error": e}) // strings and integers always encode
	r := reflect.New(o.do.response()).Interface()
	_ = json.Unmarshal(text, r) // a test checks that each response has these two fields
	return r
}

// Arguments returns the fields of a request at a door, in order. Programs do not get the words that an argument may
// hold: the page has its own.
func (o Operation) Arguments(d Door) []Argument { return slices.Clip(o.args[d]) }

// arguments reads the tags of the request.
func (o Operation) arguments(d Door) []Argument {
	words := o.Words
	if d == Programs {
		words = nil
	}
	var list []Argument
	for _, f := range reflect.VisibleFields(o.do.request()) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		a := Argument{
			Name: name, Field: name, Doc: f.Tag.Get("jsonschema"), Of: f.Type,
			Required: !strings.Contains(options, "omit"), Index: f.Index,
		}
		a.Brief = cmp.Or(f.Tag.Get("brief"), a.Doc)
		if name == "" || name == "-" || d == Programs && f.Tag.Get("http") == "-" || slices.Contains(o.Without, name) {
			continue
		}
		if a.Of.Kind() == reflect.Pointer {
			a.Of = a.Of.Elem()
		}
		a.Into = a.Of
		if tool, kind, _ := strings.Cut(f.Tag.Get("tool"), ","); d == Assistants && tool != "" {
			if tool == "-" {
				continue
			}
			if a.Name = tool; kind == "integers" {
				a.Of = reflect.TypeFor[[]int64]()
			}
		}
		a.Words = words[a.Name]
		list = append(list, a)
	}
	return list
}
