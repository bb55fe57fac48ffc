package service

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/indexmap"
	"girih/internal/lang/report"
	"girih/swizzle"
)

// recognizeOperation is the row for recognising swizzles.
func recognizeOperation() Operation {
	return Operation{
		Name: "recognize", Doc: "What offsets, a matrix, a formula or swizzles are.",
		Tool: &ToolDoc{
			Title:   "Recognize a swizzle",
			Brief:   "what offsets 0,1,3,2, a matrix 101;010;001, a formula addr ^ ((addr & 0x380) >> 3) or swizzles are, as swizzles and a layout.",
			Smaller: "give a tile of the layout",
			Doc: "What something is as swizzles and a layout: offsets 0,1,3,2, rows of a matrix 101;010;001, a formula addr " +
				"^ ((addr & 0x380) >> 3), Sw<3,0,3> o Sw<1,2,3>, a layout. With from: which swizzle makes expr of the layout " +
				"from, or the first index at which none can.",
		},
		Form: &Form{Examples: []any{
			RecognizeSwizzleRequest{Text: "addr ^ ((addr & 0x380) >> 3)", Type: "f16"},
			RecognizeSwizzleRequest{Text: "0,1,2,3,5,4,7,6"},
			RecognizeSwizzleRequest{Text: "Sw<3,0,3> o Sw<1,2,3>"},
			RecognizeSwizzleRequest{Text: "Sw<3,3,3> o 0 o (8,64):(64,1)", From: "(8,64):(64,1)"},
		}},
		do: method[RecognizeSwizzleRequest, RecognizeSwizzleResponse]{
			do: (*Session).RecognizeSwizzle,
			said: func(_ RecognizeSwizzleRequest, r RecognizeSwizzleResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// A RecognizeSwizzleRequest asks to express a text as swizzles and a layout.
type RecognizeSwizzleRequest struct {
	Text string `json:"text" tool:"expr" jsonschema:"a list of offsets, rows of a matrix of 0 and 1, a formula of one variable, swizzles with o between them, or an expression" brief:"-"`
	Type string `json:"type,omitempty" jsonschema:"of the elements, for the answer in other units" brief:"for the answer in bytes"`
	From string `json:"from,omitempty" jsonschema:"a layout: which swizzle makes the given layout or offsets of this one" brief:"the layout before the swizzle"`
	// Shape lists the extents of the variables of a lambda or of a formula with several variables, in order.
	Shape []int64 `json:"shape,omitempty" tool:"-" jsonschema:"the extents of the variables of a formula or a lambda"`
}

// A RecognizeSwizzleResponse is the answer.
type RecognizeSwizzleResponse struct {
	OK bool `json:"ok"` // there is an answer
	// what the text was taken for: offsets, matrix, formula, swizzles, layout, or difference from a layout
	Read string `json:"read,omitempty"`
	// Value is the answer as an expression: a layout, a composed layout, a swizzle, or swizzles with o between them.
	// Value is empty if only Map can express the answer.
	Value    string        `json:"value,omitempty"`
	Swizzles []string      `json:"swizzles,omitempty"`    // the swizzles, the one applied last first
	Same     []string      `json:"same,omitempty"`        // other swizzles that are the same function
	Map      *SwizzleMap   `json:"map,omitempty"`         // the map of all swizzles together; nil without swizzles
	Origin   int64         `json:"origin,omitempty"`      // the number that is added to the layout before the map
	Layout   string        `json:"layout,omitempty"`      // the layout after which the swizzles or the map act
	Bytes    string        `json:"in_bytes,omitempty"`    // a single swizzle on byte addresses, if it counts elements
	Elements string        `json:"in_elements,omitempty"` // a single swizzle on elements, if it counts bytes
	Type     string        `json:"type,omitempty"`        // the element type
	Notes    []string      `json:"notes,omitempty"`       // what a reader of the answer should know
	Error    *report.Error `json:"error,omitempty"`       // why there is no answer

	Fault `json:"-"`
}

// RecognizeSwizzle says what a text is.
func (s *Session) RecognizeSwizzle(req RecognizeSwizzleRequest) RecognizeSwizzleResponse {
	elemBits, info := typeBits(req.Type)
	if info != nil {
		return RecognizeSwizzleResponse{Error: info, Fault: Fault{Usage: true}}
	}
	if strings.TrimSpace(req.From) != "" {
		return s.recognizeBetween(req)
	}
	r, info := s.recognizeSwizzle(strings.TrimSpace(req.Text), req.Shape)
	if info != nil {
		return RecognizeSwizzleResponse{Error: info, Fault: Fault{In: req.Text}}
	}
	r.OK = true
	if elemBits > 0 && len(r.Swizzles) == 1 {
		r.units(elemBits)
		r.Type = req.Type
	}
	return r
}

// recognizeBetween says which swizzle turns a layout into the text.
func (s *Session) recognizeBetween(req RecognizeSwizzleRequest) RecognizeSwizzleResponse {
	f := s.FindSwizzle(FindSwizzleRequest{From: req.From, To: req.Text, Type: req.Type})
	if !f.OK {
		return RecognizeSwizzleResponse{Error: f.Error, Fault: f.Fault}
	}
	r := RecognizeSwizzleResponse{OK: true, Read: "difference", Type: req.Type, Map: f.Map}
	if f.Map != nil {
		r.Swizzles, r.Bytes = f.Map.Swizzles, f.Map.Bytes
		r.Value = strings.Join(r.Swizzles, " o ")
		return r
	}
	c := f.Swizzles[0]
	r.Value, r.Swizzles, r.Same, r.Bytes = c.Swizzle, []string{c.Swizzle}, c.Same, c.Bytes
	if w, err := cute.ParseSwizzle(c.Swizzle); err == nil && w.B() > 0 {
		m := mapOf(swizzle.MapOf(w), 1, nil)
		m.Bytes = ""
		r.Map = &m
	}
	return r
}

// recognizeSwizzle tries the kinds of text in turn.
func (s *Session) recognizeSwizzle(text string, shape []int64) (r RecognizeSwizzleResponse, info *report.Error) {
	if len(text) > MaxExpr {
		return r, TooLong(len(text)).Error
	}
	m, several := mapOfText(text)
	switch {
	case m != nil && len(shape) > 0:
		return s.recognizeMap(text, m, shape)
	case len(shape) > 0:
		return r, usage("a shape has the extents of the variables of a formula, and there are none")
	}
	if rows, ok := matrixRows(text); ok {
		return ofMatrix(rows)
	}
	if xs, ok := numbers(text); ok {
		return ofTable("offsets", xs)
	}
	if ws, ok := s.chainOf(text); ok {
		return ofChain(ws), nil
	}
	r, info, ok := s.recognizeFormula(text)
	switch {
	case ok:
		return r, info
	case several:
		return r, extentsAsked(text, m)
	case info != nil:
		return r, info
	}
	table, _, info := s.tableOf(text)
	if info != nil {
		return r, info
	}
	return ofTable("layout", table)
}

// ofChain is the answer for swizzles with o between them. The answer keeps the swizzles as given, unless they
// equal one swizzle.
func ofChain(ws []cute.Swizzle) RecognizeSwizzleResponse {
	var m swizzle.Map
	for _, w := range ws {
		m = m.After(swizzle.MapOf(w))
	}
	r := ofMap("swizzles", m)
	if len(r.Swizzles) != 1 {
		r.Swizzles = nil
		for _, w := range ws {
			r.Swizzles = append(r.Swizzles, w.String())
		}
		r.Value = strings.Join(r.Swizzles, " o ")
	}
	return r
}

// recognizeFormula is the answer for a formula that is a map of bits; ok is false for any other text. The error for
// a formula that is not linear over bits says why.
func (s *Session) recognizeFormula(text string) (r RecognizeSwizzleResponse, info *report.Error, ok bool) {
	f, why, linear := indexmap.ParseBits(text)
	switch {
	case linear:
		m, err := swizzle.NewMap(f.Columns)
		if err != nil {
			return r, report.Of(err), true
		}
		r = ofMap("formula", m)
		r.Notes = []string{fmt.Sprintf("the formula moves what %s counts: bytes, if it is an address", f.Variable)}
		return r, nil, true
	case why == "":
		return r, nil, false
	}
	// The reader knows formulas of two variables, such as col ^ (row & 7).
	if last, notes, info := s.last(text); info == nil {
		if w, ok := last.Value.(eval.Swizzle); ok {
			r = ofMap("formula", swizzle.MapOf(w.Swizzle))
			r.Notes = notes
			return r, nil, true
		}
	}
	return r, report.Of(&cute.Error{
		Code: cute.CodeNotRepresentable, Op: "recognize", Msg: "the formula is not linear over bits: " + why,
	}), false
}

// mapOfText reads a lambda, a function or a formula that is more than a variable, and returns nil for other texts.
// several reports that its extents are needed: it has several parameters, or is not a formula alone.
func mapOfText(text string) (m *indexmap.Map, several bool) {
	m, err := indexmap.Parse(text)
	if err != nil {
		return nil, false
	}
	if _, alone := m.Variable(); alone && m.IsFormula() {
		return nil, false
	}
	return m, len(m.Params()) > 1 || !m.IsFormula()
}

// extentsAsked asks for the extents of the variables of a formula.
func extentsAsked(text string, m *indexmap.Map) *report.Error {
	names := m.Params()
	extents := strings.TrimSuffix(strings.Repeat("32,", max(len(names), m.Inputs())), ",")
	return report.Of(&cute.Error{
		Code: cute.CodeUnknown, Op: "recognize",
		Msg: "the extents of the variables " + strings.Join(names, ", ") + " are not known",
		Hint: fmt.Sprintf("give them, as in --shape %s, or write T.Layout([%[1]s], %s)", extents,
			report.Brief(asLambda(text, m))),
	})
}

// asLambda writes a formula alone as a lambda of its variables.
func asLambda(text string, m *indexmap.Map) string {
	if !m.IsFormula() {
		return text
	}
	return "lambda " + strings.Join(m.Params(), ",") + ": " + strings.TrimSuffix(text, ";")
}

// recognizeMap recognises a map of indices with extents: the layout has the extents as its shape.
func (s *Session) recognizeMap(text string, m *indexmap.Map, shape []int64) (RecognizeSwizzleResponse, *report.Error) {
	if n := m.Inputs(); len(shape) != n {
		return RecognizeSwizzleResponse{}, usage("expected an extent for each of the variables %s, found %d",
			strings.Join(m.Params(), ", "), len(shape))
	}
	last, notes, info := s.last(fmt.Sprintf("index_map(%v, %s)", cute.Ints(shape...), asLambda(text, m)))
	if info != nil {
		return RecognizeSwizzleResponse{}, info
	}
	r := RecognizeSwizzleResponse{Read: "formula", Value: last.Value.String(), Notes: notes}
	switch v := last.Value.(type) {
	case eval.IndexMap:
		return r, report.Of(&cute.Error{Code: cute.CodeNotRepresentable, Op: "recognize", Msg: strings.Join(notes, "; ")})
	case eval.Layout, eval.Composed:
		table, value, info := s.tableOf(v.String())
		if info != nil || strings.Contains(value, "@") {
			return r, info
		}
		r, info := ofTable("formula", table)
		if info == nil {
			r.Value, r.Notes = value, notes
		}
		return r, info
	}
	return r, nil
}

// chainOf reads swizzles with o, possibly with an offset 0, between them.
func (s *Session) chainOf(text string) ([]cute.Swizzle, bool) {
	var ws []cute.Swizzle
	parts := strings.Split(strings.ReplaceAll(text, "∘", " o "), " o ")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "0" && i > 0 && i < len(parts)-1 {
			continue
		}
		if !strings.HasPrefix(part, "S") || strings.ContainsAny(part, ";=") {
			return nil, false
		}
		last, _, info := s.last(part)
		if info != nil {
			return nil, false
		}
		w, ok := last.Value.(eval.Swizzle)
		if !ok {
			return nil, false
		}
		ws = append(ws, w.Swizzle)
	}
	return ws, true
}

// ofMap is the answer for a map by itself.
func ofMap(read string, m swizzle.Map) RecognizeSwizzleResponse {
	r := RecognizeSwizzleResponse{Read: read}
	described := mapOf(m, 1, nil)
	described.Bytes = ""
	r.Map = &described
	switch {
	case m.Bits() == 0:
		r.Value = "Sw<0,0,0>"
		r.Swizzles = []string{r.Value}
	case len(described.Swizzles) > 0:
		r.Swizzles = described.Swizzles
		r.Value = strings.Join(r.Swizzles, " o ")
	}
	if len(r.Swizzles) > 1 {
		if _, err := m.Swizzle(); err != nil {
			r.Notes = append(r.Notes, strings.TrimPrefix(report.Of(err).Message, "make_swizzle: "))
		}
	}
	return r
}

// ofTable is the answer for a table of offsets.
func ofTable(read string, table []int64) (RecognizeSwizzleResponse, *report.Error) {
	rec, err := swizzle.Recognize(table)
	if err != nil {
		return RecognizeSwizzleResponse{}, report.Of(err)
	}
	r := RecognizeSwizzleResponse{Read: read, Origin: rec.Origin, Layout: rec.Layout.String()}
	if rec.Map.Bits() > 0 {
		m := mapOf(rec.Map, 1, nil)
		m.Bytes = ""
		r.Map = &m
	}
	for _, w := range rec.Swizzles {
		r.Swizzles = append(r.Swizzles, w.String())
	}
	for _, w := range rec.Same {
		r.Same = append(r.Same, w.String())
	}
	switch c, err := rec.Composed(); {
	case rec.Map.Bits() == 0 && rec.Origin == 0:
		r.Value = r.Layout
	case err == nil:
		r.Value = c.String()
	}
	return r, nil
}

// ofMatrix is the answer for a matrix: a map if the matrix is square, else the table of its values for the
// bits of an index.
func ofMatrix(rows [][]byte) (RecognizeSwizzleResponse, *report.Error) {
	const most = 20
	n, k := len(rows), len(rows[0])
	if n > swizzle.MaxBits || k > swizzle.MaxBits || n != k && k > most {
		return RecognizeSwizzleResponse{}, report.Of(&cute.Error{
			Code: cute.CodeLimit, Op: "recognize", Msg: fmt.Sprintf("expected a square matrix of at most %d rows, or one "+
				"of at most %d columns, found %d×%d", swizzle.MaxBits, most, n, k),
		})
	}
	cols := make([]uint64, k)
	for i, row := range rows {
		for j, c := range row {
			cols[j] |= uint64(c-'0') << i
		}
	}
	if n == k {
		m, err := swizzle.NewMap(cols)
		if err == nil {
			return ofMap("matrix", m), nil
		}
		if k > most {
			return RecognizeSwizzleResponse{}, report.Of(err)
		}
	}
	table := []int64{0}
	for _, c := range cols {
		for _, x := range table[:len(table):len(table)] {
			table = append(table, x^int64(c))
		}
	}
	return ofTable("matrix", table)
}

// units adds the only swizzle in other units.
func (r *RecognizeSwizzleResponse) units(elemBits int) {
	w, err := cute.ParseSwizzle(r.Swizzles[0])
	if err != nil {
		return
	}
	if x, err := swizzle.InBytes(w, elemBits); err == nil {
		r.Bytes = x.String()
	}
	if x, err := swizzle.InElements(w, elemBits); err == nil {
		r.Elements = x.String()
	}
}

// Text returns the answer as a person reads it. Every line ends with a newline.
func (r RecognizeSwizzleResponse) Text() string {
	var b strings.Builder
	if r.Value != "" {
		fmt.Fprintf(&b, "%s\n", r.Value)
	} else if r.Layout != "" {
		fmt.Fprintf(&b, "F o %d o %s, F a map of bits that is no chain of swizzles:\n", r.Origin, r.Layout)
	} else {
		b.WriteString("a map of bits that is no chain of swizzles:\n")
	}
	if r.Map != nil && r.Value != "Sw<0,0,0>" {
		fmt.Fprintf(&b, "  x -> %s\n", r.Map.Formula)
	}
	if r.Bytes != "" && r.Bytes != r.Swizzles[0] {
		fmt.Fprintf(&b, "  if x counts elements of %s: %s on bytes\n", r.Type, r.Bytes)
	}
	if r.Elements != "" && r.Elements != r.Swizzles[0] {
		fmt.Fprintf(&b, "  if x counts bytes: %s on elements of %s\n", r.Elements, r.Type)
	}
	if len(r.Same) > 0 {
		b.WriteString(Wrap("the same function on these offsets: "+strings.Join(r.Same, ", "), textCols, "  ", "    "))
	}
	if r.Map != nil && len(r.Swizzles) != 1 && len(r.Map.Matrix) <= matrixCols {
		r.Map.matrix(&b)
	}
	return b.String()
}
