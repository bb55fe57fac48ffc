package service

import (
	"slices"

	"girih"
	"girih/internal/lang/codegen"
	"girih/internal/lang/eval"
)

// A Dialect is one that values are written in.
type Dialect struct {
	Name  string `json:"name"`  // as a request names it
	Title string `json:"title"` // in prose
}

// Dialects returns the dialects that [Session.Show] writes, in the order in which it shows them.
func Dialects() []Dialect {
	var ds []Dialect
	for _, d := range codegen.Dialects() {
		ds = append(ds, Dialect{Name: string(d), Title: d.Title()})
	}
	return ds
}

// A ShowRequest asks for a value as text that other tools accept.
type ShowRequest struct {
	Expr string `json:"expr"`         // any value
	As   string `json:"as,omitempty"` // the dialect; all of them if empty
}

// A ShowResponse has the texts. With one dialect, what it cannot express is the error of the response; with all of
// them it is the error of that text.
type ShowResponse struct {
	OK    bool       `json:"ok"`              // there is an answer
	Kind  string     `json:"kind,omitempty"`  // the kind of the value
	Value string     `json:"value,omitempty"` // the canonical text
	Texts []ShowText `json:"texts,omitempty"` // one for each dialect
	Notes []string   `json:"notes,omitempty"` // what a reader of the answer should know
	Error *ErrorInfo `json:"error,omitempty"` // why there is no answer
}

// A ShowText is the value in one dialect: Text or Error.
type ShowText struct {
	Dialect
	Text  string     `json:"text,omitempty"`  // one line or several, without a line break at the end
	Error *ErrorInfo `json:"error,omitempty"` // what the dialect cannot express
}

// Show evaluates the program and writes the value of its last statement in one dialect or in all.
func (s *Session) Show(req ShowRequest) ShowResponse {
	ds := Dialects()
	if req.As != "" {
		ds = []Dialect{{Name: req.As, Title: codegen.Dialect(req.As).Title()}}
		if ds[0].Title == "" {
			_, err := codegen.Write(codegen.Dialect(req.As), codegen.Value{})
			return ShowResponse{Error: errorInfo(err)}
		}
	}
	last, notes, fault := s.last(req.Expr)
	v := last.Value
	switch {
	case fault != nil:
		return ShowResponse{Error: fault}
	case v == nil:
		return ShowResponse{Error: errorInfo(errNothing)}
	}
	r := ShowResponse{OK: true, Kind: string(v.Kind()), Value: v.String(), Notes: notes}
	written := written(v)
	for _, d := range ds {
		t := ShowText{Dialect: d}
		text, err := codegen.Write(codegen.Dialect(d.Name), written)
		switch {
		case err == nil:
			t.Text = text
		case req.As != "":
			info := errorInfo(err)
			info.End = len(req.Expr)
			return ShowResponse{Error: info}
		default:
			t.Error = errorInfo(err)
		}
		r.Texts = append(r.Texts, t)
	}
	return r
}

// written returns a value of the language as codegen takes it.
func written(v eval.Value) codegen.Value {
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
		return codegen.Composed(v.Composed)
	case eval.MMAAtom, eval.CopyAtom, eval.TiledMMA, eval.TiledCopy:
		w, _ := writtenAtom(v)
		return w
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
			vs[i] = written(x)
		}
		return codegen.List(vs...)
	case eval.Swizzle:
		return codegen.Swizzle(v.Swizzle)
	case eval.Tile:
		return codegen.Tiler(girih.Tiler(v.Tile))
	case eval.DynamicTuple:
		return codegen.SymbolicTuple(v.Tuple)
	case eval.DynamicLayout:
		return codegen.SymbolicLayout(v.Layout)
	case eval.DynamicComposed:
		w := codegen.SymbolicLayout(v.Inner)
		for _, s := range slices.Backward(v.Stages) {
			w = codegen.SymbolicComposed(written(s.Outer), s.Offset, w)
		}
		return w
	case eval.DynamicTile:
		return codegen.SymbolicTiler(v.Tiler)
	case eval.Order:
		return codegen.Named(codegen.Order(v))
	case eval.List:
		vs := make([]codegen.Value, len(v))
		for i, x := range v {
			vs[i] = written(x)
		}
		return codegen.List(vs...)
	}
	return codegen.Value{}
}
