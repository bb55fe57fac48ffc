package service

import (
	"slices"

	"girih/cute"
	"girih/internal/lang/codegen"
	"girih/internal/lang/eval"
	"girih/internal/lang/paste"
	"girih/internal/lang/report"
)

// A Dialect is a language or a notation in which values are written.
type Dialect struct {
	Name  string `json:"name"`  // the name of the dialect in requests
	Title string `json:"title"` // the name of the dialect in prose
}

// Dialects returns the dialects that [Session.Show] writes, in the order in which it shows them.
func Dialects() []Dialect {
	var ds []Dialect
	for _, d := range codegen.Dialects() {
		ds = append(ds, Dialect{Name: string(d), Title: d.Title()})
	}
	return ds
}

// showOperation is the row of values for other tools.
func showOperation() Operation {
	return Operation{
		Name: "show", Doc: "Write a value as C++, Python, MLIR, LaTeX, ...", Programs: true,
		Words: map[string][]Word{"as": dialectWords()},
		Tool: &ToolDoc{
			Title:   "Write a value for other tools",
			Brief:   "a value as CuTe C++, CuTe DSL, pycute, MLIR, Triton, LaTeX, Go or JSON.",
			Smaller: "ask for one dialect",
			Doc: "A value as text that other tools accept: CuTe C++, the CuTe DSL, pycute, MLIR, Triton, LaTeX, Go, " +
				"JSON. What a dialect cannot express is refused.",
		},
		Command: &Command{
			Use:   "show EXPR",
			Args:  []string{"expr"},
			Wrong: "show needs one expression",
			Flags: []Flag{
				{Field: "as", Usage: "the `DIALECT` to write, instead of all"},
			},
			Long: `Write a value as text that other tools accept, in one dialect or in all:

` + tableOf(dialectWords()) + `
What a dialect cannot express is refused with the reason.`,
			Example: `  girih show '(2,(1,6)):(1,(6,2))'
  girih show --as cpp 'Sw<3,4,3> o 0 o (8,64):(64,1)'
  girih show --as triton 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih show --as dsl 'zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)'`,
		},
		Form: &Form{Draws: "expr"},
		do: method[ShowRequest, ShowResponse]{
			do: (*Session).Show,
			said: func(q ShowRequest, r ShowResponse, _ Door) Answer {
				return Answer{Fault: Fault{In: q.Expr}, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// dialectWords are the dialects.
func dialectWords() []Word {
	var words []Word
	for _, d := range Dialects() {
		words = append(words, Word(d))
	}
	return words
}

// A ShowRequest asks to write a value as text that other tools accept.
type ShowRequest struct {
	Expr string `json:"expr" jsonschema:"any value" brief:"-"`
	As   string `json:"as,omitempty" jsonschema:"the dialect; all of them if empty" brief:"all if empty"`
}

// A ShowResponse contains the texts. What a dialect cannot express is an error: of the response if one dialect was
// requested, else of that dialect's text.
type ShowResponse struct {
	OK    bool          `json:"ok"`              // there is an answer
	Kind  string        `json:"kind,omitempty"`  // the kind of the value
	Value string        `json:"value,omitempty"` // the canonical text
	Texts []ShowText    `json:"texts,omitempty"` // one for each dialect
	Notes []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error *report.Error `json:"error,omitempty"` // why there is no answer
}

// A ShowText is the value in one dialect: Text or Error.
type ShowText struct {
	Dialect
	Text  string        `json:"text,omitempty"`  // the text without a line break at its end
	Error *report.Error `json:"error,omitempty"` // what the dialect cannot express
}

// Show evaluates the program and writes the value of its last statement in one dialect or in all.
func (s *Session) Show(req ShowRequest) ShowResponse {
	ds := Dialects()
	if req.As != "" {
		ds = []Dialect{{Name: req.As, Title: codegen.Dialect(req.As).Title()}}
		if ds[0].Title == "" {
			_, err := codegen.Write(codegen.Dialect(req.As), codegen.Value{})
			return ShowResponse{Error: report.Of(err)}
		}
	}
	last, notes, fault := s.last(req.Expr)
	v := last.Value
	switch {
	case fault != nil:
		return ShowResponse{Error: fault}
	case v == nil:
		return ShowResponse{Error: report.Of(report.ErrNothing)}
	}
	r := ShowResponse{OK: true, Kind: string(v.Kind()), Value: v.String(), Notes: notes}
	if info := s.writes(len(r.Value)); info != nil {
		return ShowResponse{Error: info}
	}
	s.wrote = 0 // the answer contains the texts, so the text of the value does not count
	if req.As == "" || req.As == string(codegen.DSL) {
		r.Notes = append(r.Notes, paste.NoteDSL(r.Value)...)
	}
	written := codegenValue(v)
	for _, d := range ds {
		t := ShowText{Dialect: d}
		text, err := codegen.Write(codegen.Dialect(d.Name), written)
		switch {
		case err == nil:
			t.Text = text
			if info := s.writes(len(text)); info != nil {
				return ShowResponse{Error: info}
			}
		case req.As != "":
			info := report.Of(err)
			info.End = len(req.Expr)
			return ShowResponse{Error: info}
		default:
			t.Error = report.Of(err)
		}
		r.Texts = append(r.Texts, t)
	}
	return r
}

// codegenValue returns a value of the language as codegen takes it.
func codegenValue(v eval.Value) codegen.Value {
	switch v := v.(type) {
	case eval.Bool:
		return codegen.Bool(bool(v))
	case eval.Tuple:
		return codegen.Tuple(v.Tuple)
	case eval.Coord:
		return codegen.Coord(v.Coord)
	case eval.Layout:
		return codegen.Layout(v.Layout)
	case eval.Composed:
		return codegen.ComposedLayout(v.Composed)
	case eval.Swizzle:
		return codegen.Swizzle(v.Swizzle)
	case eval.Tile:
		return codegen.Tiler(cute.Tiler(v.Tile))
	case eval.Order:
		return codegen.OrderValue(codegen.Order(v))
	case eval.List:
		return codegenList(v)
	case eval.DynamicTuple, eval.DynamicLayout, eval.DynamicComposed, eval.DynamicTile:
		return codegenSymbolic(v)
	case eval.Linear, eval.Encoding, eval.Xor, eval.Matrix, eval.F2:
		return codegenBits(v)
	}
	w, _ := writtenAtom(v)
	return w
}

func codegenList(list []eval.Value) codegen.Value {
	vs := make([]codegen.Value, len(list))
	for i, x := range list {
		vs[i] = codegenValue(x)
	}
	return codegen.List(vs...)
}

// codegenSymbolic is codegenValue for values with run-time integers.
func codegenSymbolic(v eval.Value) codegen.Value {
	switch v := v.(type) {
	case eval.DynamicTuple:
		return codegen.SymbolicTuple(v.Tuple)
	case eval.DynamicLayout:
		return codegen.SymbolicLayout(v.Layout)
	case eval.DynamicComposed:
		w := codegen.SymbolicLayout(v.Inner)
		for _, s := range slices.Backward(v.Stages) {
			w = codegen.SymbolicComposed(codegenValue(s.Outer), s.Offset, w)
		}
		return w
	case eval.DynamicTile:
		return codegen.SymbolicTiler(v.Tiler)
	}
	return codegen.Value{}
}

// codegenBits is codegenValue for maps over bits and their strides.
func codegenBits(v eval.Value) codegen.Value {
	switch v := v.(type) {
	case eval.Linear:
		return codegen.Linear(v.Layout)
	case eval.Encoding:
		return codegen.Encoding(v.Encoding)
	case eval.Xor:
		return codegen.Xor(v.XorLayout)
	case eval.Matrix:
		return codegen.Matrix(v.Matrix)
	case eval.F2:
		if !v.Nested {
			return codegen.F2(v.Number)
		}
		vs := make([]codegen.Value, len(v.Elems))
		for i, x := range v.Elems {
			vs[i] = codegenValue(x)
		}
		return codegen.List(vs...)
	}
	return codegen.Value{}
}
