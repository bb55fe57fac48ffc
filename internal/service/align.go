package service

import (
	"cmp"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/machine/tile"
	"girih/symbolic"
)

// alignOperation is the row of alignments.
func alignOperation() Operation {
	return Operation{
		Name: "align", Doc: "Say which alignment strides and slices keep, and the widest vector", Programs: true,
		Words: map[string][]Word{"space": wordsOf("gmem", "smem")},
		Tool: &ToolDoc{
			Title: "Alignment and vector width",
			Brief: "the alignment that a pointer, strides and a slice keep, the widest legal vector, and what to declare for the next one.",
			Doc: "The align<> of the CuTe DSL for a tensor that was offset and sliced, the widest vector, which term limits it, " +
				"and what to declare (assumed_align, cute.assume) for the next one. " +
				`Example: expr "(128,64):(ld{div=4},1)", type f16, align 16, at "(m,_)".`,
		},
		Command: &Command{
			Use:   "align EXPR --type TYPE [--align BYTES] [--at COORD] [--offset COORD]",
			Meant: []string{"alignment", "vectorize", "vector"},
			Args:  []string{"expr"},
			Wrong: "align needs one layout",
			Flags: []Flag{
				{Field: "type", Usage: "the `TYPE` of an element, such as f16"},
				{Field: "align", Usage: "the alignment of the pointer in `BYTES`, assumed_align in the CuTe DSL; 16 if left out"},
				{Field: "at", Usage: "the coordinate of a slice, _ where a mode stays, as `COORD`"},
				{Field: "offset", Usage: "the coordinate of domain_offset, a `COORD`"},
				{Field: "space", Usage: "gmem or smem, the `SPACE` of the pointer; gmem if left out"},
				{Field: "want", Usage: "`BITS` that an access should have; the answer says what they need"},
				{Field: "target", Default: DefaultTarget, Usage: "the `MACHINE`"},
			},
			Width: 80,
			Long: `Say which alignment a pointer keeps when its tensor is offset and sliced, as the
CuTe DSL writes it in ptr<f16, gmem, align<16>>, and the widest vector that is
certainly contiguous, aligned and whole everywhere in the result.

EXPR is a layout with offsets in elements; strides, extents and coordinates may be
known at run time, with facts: (128,64):(ld{div=8},1). A swizzle before the layout
keeps 2^M neighbours together. --at and --offset are coordinates of its modes.

A tensor as CuTe or the CuTe DSL prints it says its type, space and alignment itself:
tensor<ptr<i8, smem, align<8>> o ((16,2),4):((1,16),64)>.

The answer names each term of the address with what divides it, the terms that limit
the vector, and what to declare for the next wider one, in the CuTe DSL and in C++.
With --want BITS the exit status is 1 unless vectors have that many bits.`,
			Example: `  girih align '(128,64):(64,1)' --type f16 --align 16 --at '(3,_)'
  girih align '(128,64):(ld,1)' --type f16 --align 16 --at '(m,_)'
  girih align '(128,64):(ld{div=8},1)' --type f16 --align 16 --at '(m,_)' --want 128
  girih align '(128,12):(12,1)' --type f16
  girih align 'tensor<ptr<f16, smem, align<16>> o (8,64):(72,1)>' --want 64
  girih align '(64,32):(1,64)' --type f32 --align 32 --target sm100`,
		},
		Form: &Form{Examples: []any{
			AlignRequest{Expr: "(128,64):(ld{div=4},1)", Type: "f16", At: "(m,_)"},
			AlignRequest{Expr: "(128,64):(66,1)", Type: "f16", Want: 128},
		}},
		do: method[AlignRequest, AlignResponse]{
			do: (*Session).Align,
			said: func(_ AlignRequest, r AlignResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error, Failed: r.Failed}
			},
			assumed: nil,
		}.caller(),
	}
}

// An AlignRequest asks for an alignment.
type AlignRequest struct {
	Expr   string `json:"expr" jsonschema:"a layout, offsets in elements: (128,64):(ld{div=8},1)" brief:"(128,64):(ld{div=8},1)"`
	Type   string `json:"type,omitempty" jsonschema:"of the elements: f16; the type of a pasted tensor if empty" brief:"-"`
	Align  int64  `json:"align,omitempty" jsonschema:"of the pointer in bytes; 16 if none" brief:"of the pointer, in bytes; 16"`
	At     string `json:"at,omitempty" jsonschema:"the coordinate of a slice: (3,_)" brief:"slice: (3,_)"`
	Offset string `json:"offset,omitempty" jsonschema:"the coordinate of domain_offset" brief:"of domain_offset: (0,4)"`
	Space  string `json:"space,omitempty" jsonschema:"gmem or smem; gmem if empty" brief:"-"`
	Want   int64  `json:"want,omitempty" jsonschema:"bits that an access should have" brief:"bits of an access"`
	Target string `json:"target,omitempty" jsonschema:"the machine; sm90 if empty" brief:"-"`
}

// An AlignResponse is the alignment. The bits of the address are the largest power of two sure to divide the
// address.
type AlignResponse struct {
	OK      bool          `json:"ok"`                // there is an answer
	Failed  bool          `json:"failed,omitempty"`  // vectors are narrower than was asked for
	Value   string        `json:"value,omitempty"`   // the layout
	Given   string        `json:"given,omitempty"`   // the pointer: ptr<f16, gmem, align<16>>
	Pointer string        `json:"pointer,omitempty"` // the pointer to the part that stays
	Bits    int64         `json:"bits,omitempty"`    // the known alignment in bits
	Rest    string        `json:"rest,omitempty"`    // the layout of the part that stays
	Offset  string        `json:"offset,omitempty"`  // added to the pointer, in elements
	Vector  int64         `json:"vector,omitempty"`  // bits of the widest vector
	Widest  int64         `json:"widest,omitempty"`  // bits of the widest access of the machine
	Target  string        `json:"target,omitempty"`  // the name of the machine
	Terms   []AlignTerm   `json:"terms,omitempty"`   // the terms of the address, the vectors, and what is contiguous
	Next    int64         `json:"next,omitempty"`    // bits of the next wider vector, or of the requested width
	Needs   []AlignNeed   `json:"needs,omitempty"`   // what is missing for the next wider vector
	Notes   []string      `json:"notes,omitempty"`   // what a reader of the answer should know
	Error   *report.Error `json:"error,omitempty"`   // why there is no answer

	Fault `json:"-"`
}

// An AlignTerm is a term of the address or of vectors, and what divides it.
type AlignTerm struct {
	Name   string `json:"name"`   // what the term is: the pointer, a stride
	Value  string `json:"value"`  // in elements; the pointer's in bytes
	Bits   int64  `json:"bits"`   // the largest power of two that certainly divides the term, in bits
	Limits bool   `json:"limits"` // no other term allows less
}

// An AlignNeed is what is missing for the next wider vector.
type AlignNeed struct {
	Say string `json:"say"`           // the need in words
	DSL string `json:"dsl,omitempty"` // how to declare it in the CuTe DSL
	CPP string `json:"cpp,omitempty"` // how to declare it in CuTe C++
}

// Align evaluates the parts of the request and finds the alignment.
func (s *Session) Align(req AlignRequest) AlignResponse {
	given := engineOf(req.Expr)
	p, info := req.pointer(given)
	if info != nil {
		return AlignResponse{Error: info, Fault: Fault{Usage: true}}
	}
	target, err := findTarget(req.Target)
	if err != nil {
		return AlignResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
	}
	if req.Want < 0 || req.Want&(req.Want-1) != 0 {
		return AlignResponse{Error: usage("expected a power of two of bits, found %d", req.Want), Fault: Fault{Usage: true}}
	}
	v, value, notes, fault, info := s.view(req)
	if info != nil {
		return AlignResponse{Error: info, Fault: fault}
	}
	a, err := tile.NewAlignment(p, v)
	if err != nil {
		return AlignResponse{Error: report.Whole(err, req.Expr), Fault: Fault{In: req.Expr}}
	}
	r := AlignResponse{
		OK: true, Value: value, Given: p.String(), Pointer: a.Pointer().String(), Bits: a.Bits(), Rest: a.Layout().String(),
		Offset: a.Offset().String(), Vector: a.Vector(target), Widest: a.Widest(target), Target: target.Name, Notes: notes,
	}
	if req.Align == 0 {
		r.Notes = append(r.Notes, given.says()...)
	}
	if bits, block := a.Across(target); bits > 0 {
		r.Notes = append(r.Notes,
			fmt.Sprintf("%d bits are possible if one access may take elements of several modes: %s", bits, block))
	}
	r.limits(a, req.Want)
	return r
}

// pointer returns the pointer that the request describes. A pasted tensor may supply what the request leaves
// out.
func (req AlignRequest) pointer(given engine) (p tile.Pointer, info *report.Error) {
	name := cmp.Or(req.Type, given.typ)
	if req.Type == "" && given.bits > 0 {
		name = fmt.Sprintf("u%d", given.bits) // the rules ask only for the width, so any type of this width will do
	}
	if p.Type, info = elementType(name); info != nil {
		return p, info
	}
	p.Space = tile.Space(cmp.Or(req.Space, given.space, string(tile.Global)))
	if p.Space != tile.Global && p.Space != tile.Shared {
		return p, usage("expected the space gmem or smem, found %.40q", req.Space)
	}
	p.Align = cmp.Or(req.Align, given.align, 16)
	return p, nil
}

// limits lists the terms of the address and of vectors, and what a vector of the wanted bits, or else the next wider
// one, needs.
func (r *AlignResponse) limits(a tile.Alignment, want int64) {
	for _, d := range append(a.Terms(), a.VectorTerms()...) {
		r.Terms = append(r.Terms, AlignTerm{Name: d.Name, Value: d.Value.String(), Bits: d.Bits, Limits: d.Bits <= r.Vector})
	}
	if r.Next = r.Vector * 2; want > 0 {
		r.Next = want
	}
	r.Failed = want > r.Vector
	if r.Next > r.Widest {
		r.Next = 0
	}
	for _, n := range a.Needs(r.Next) {
		r.Needs = append(r.Needs, AlignNeed{Say: n.Say, DSL: n.DSL, CPP: n.CPP})
	}
}

// findTarget finds the machine of a request.
func findTarget(name string) (tile.Target, error) {
	if name == "" {
		name = DefaultTarget
	}
	return tile.FindTarget(name)
}

// view evaluates the layout and the coordinates of a request.
func (s *Session) view(req AlignRequest) (v tile.View, value string, notes []string, fault Fault, info *report.Error) {
	expr, read := readPointer(req.Expr)
	last, notes, info := s.last(expr)
	notes = append(read, notes...)
	if info == nil {
		v, info = viewOf(last.Value)
	}
	if info != nil {
		if info.End == 0 {
			info.End = len(req.Expr)
		}
		return v, "", nil, Fault{In: req.Expr}, info
	}
	if strings.TrimSpace(req.At) != "" {
		if v.At, info = s.coordinate(req.At); info != nil {
			return v, "", nil, Fault{In: req.At}, info
		}
	}
	if strings.TrimSpace(req.Offset) != "" {
		if v.Offset, info = s.coordinate(req.Offset); info != nil {
			return v, "", nil, Fault{In: req.Offset}, info
		}
	}
	return v, last.Value.String(), notes, Fault{}, nil
}

// viewOf returns the layout of a value, and the granularity of the swizzle before it.
func viewOf(value eval.Value) (tile.View, *report.Error) {
	switch v := value.(type) {
	case nil:
		return tile.View{}, usage("expected a layout, found nothing")
	case eval.Layout:
		return tile.View{Layout: symbolic.FromLayout(v.Layout)}, nil
	case eval.DynamicLayout:
		return tile.View{Layout: v.Layout}, nil
	case eval.Tuple:
		if l, err := cute.LayoutLeft(v.Tuple); err == nil {
			return tile.View{Layout: symbolic.FromLayout(l)}, nil
		}
	case eval.Composed:
		w, ok := v.Composed.Outer().(cute.Swizzle)
		stages := 0
		for range v.Composed.Stages() {
			stages++
		}
		if zero, isInt := v.Composed.Offset().Int64(); ok && stages == 1 && isInt && zero == 0 {
			return tile.View{Layout: symbolic.FromLayout(v.Composed.Layout()), Together: 1 << min(w.M(), 30)}, nil
		}
	}
	return tile.View{}, &report.Error{
		Code: string(cute.CodeType),
		Message: fmt.Sprintf("align: expected a layout, or Sw<B,M,S> o 0 o a layout, found %s: %s", value.Kind(),
			clip(value.String())),
	}
}

// coordinate evaluates a coordinate, with underscores and run-time integers.
func (s *Session) coordinate(text string) (symbolic.Tuple, *report.Error) {
	last, _, info := s.last(text)
	if info != nil {
		return symbolic.Tuple{}, info
	}
	switch v := last.Value.(type) {
	case eval.Tuple:
		return symbolic.FromTuple(v.Tuple), nil
	case eval.DynamicTuple:
		return v.Tuple, nil
	case eval.Coord:
		return ofCoord(v.Coord), nil
	case nil:
		return symbolic.Tuple{}, usage("expected a coordinate, found nothing")
	}
	return symbolic.Tuple{}, &report.Error{
		Code: string(cute.CodeType), End: len(text),
		Message: fmt.Sprintf("expected a coordinate, found %s: %s", last.Value.Kind(), clip(last.Value.String())),
	}
}

// ofCoord returns a coordinate as a tuple with open modes.
func ofCoord(c cute.Coord) symbolic.Tuple {
	if t, ok := c.Tuple(); ok {
		return symbolic.FromTuple(t)
	}
	if c.Depth() == 0 {
		return symbolic.Open()
	}
	var modes []symbolic.Tuple
	for _, m := range c.Modes() {
		modes = append(modes, ofCoord(m))
	}
	return symbolic.Nest(modes...)
}

// Text returns the alignment as a person reads it.
func (r AlignResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s o %s\n", r.Pointer, r.Rest)
	fmt.Fprintf(&b, "  widest vector: %d bits of %d on %s\n\n", r.Vector, r.Widest, r.Target)
	rows := [][]string{{"term", "value", "divided by", ""}}
	for i, t := range r.Terms {
		unit := "elements"
		if i == 0 {
			unit = "bytes"
		}
		limit := ""
		if t.Limits && r.Next > 0 {
			limit = "limits"
		}
		by := fmt.Sprintf("%d bytes", t.Bits/8)
		switch {
		case t.Bits >= 1<<20:
			by = "more"
		case t.Bits%8 != 0:
			by = fmt.Sprintf("%d bits", t.Bits)
		}
		rows = append(rows, []string{t.Name, t.Value + " " + unit, by, limit})
	}
	textTable{Rows: rows, Indent: "  ", Gap: "  "}.write(&b)
	if r.Next > 0 && len(r.Needs) > 0 {
		fmt.Fprintf(&b, "\nfor %d bits:\n", r.Next)
		for _, n := range r.Needs {
			b.WriteString(Wrap(n.Say, WideText, "  ", "    "))
			if n.DSL != "" {
				b.WriteString(Wrap("CuTe DSL: "+n.DSL, WideText, "    ", "      "))
			}
			if n.CPP != "" {
				b.WriteString(Wrap("CuTe C++: "+n.CPP, WideText, "    ", "      "))
			}
		}
	}
	return b.String()
}
