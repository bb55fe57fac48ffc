package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/why/explain"
)

// explainOperation is the row of explanations.
func explainOperation() Operation {
	return Operation{
		Name: "explain", Doc: "Explain why a value is what it is, or why there is none", Programs: true,
		Words: map[string][]Word{"figures": wordsOf(DrawFormats()...)},
		Tool: &ToolDoc{
			Title:   "Explain a value",
			Brief:   "why a value is what it is, step by step, or the condition that fails, where it fails first and what works instead.",
			Smaller: "leave out figures, set top to explain the last operation only, or explain a part of the expression",
			Doc: "Why a value is what it is: of each operation the rule, the steps with their numbers and what was checked. " +
				"Of an operation that fails: the condition with the numbers that violate it, the first coordinate at which " +
				"every candidate fails, and what works instead.",
		},
		Command: &Command{
			Use:   "explain EXPR",
			Args:  []string{"expr"},
			Wrong: "explain needs one expression",
			Flags: []Flag{
				{Field: "top", Usage: "explain the last operation only"},
			},
			Long: `Explain every operation of an expression, operands first: the rule, the steps with
their numbers, what was checked, and, where an operation fails, the condition, the
first coordinate at which every candidate fails, and what would work instead. An
expression without an operation is explained as the value that it is.

--figures writes the pictures of the steps into a directory; 'girih draw' says more
about pictures.`,
			Example: `  girih explain '(6,2):(8,2) o (4,3):(3,1)'
  girih explain 'complement((2,3):(2,4), 24)'
  girih explain 'logical_divide((4,2,3):(2,1,8), 4:2)'
  girih explain --top 'right_inverse(coalesce((2,3):(3,1)))'
  girih explain '(6,2):(1,7) o (3,2):(2,3)'
  girih explain SM80_16x8x16_F32F16F16F32_TN`,
		},
		Form: &Form{Draws: "expr"},
		do: method[ExplainRequest, ExplainResponse]{
			do: (*Session).Explain, said: explanationText, assumed: func(q *ExplainRequest) { q.small = true },
		}.caller(),
	}
}

// An ExplainRequest asks how the value, or the error, of a program is derived.
type ExplainRequest struct {
	Expr    string `json:"expr" jsonschema:"an expression, or the name of an instruction" brief:"or the name of an instruction"`
	Top     bool   `json:"top,omitempty" jsonschema:"only the operation that was applied last" brief:"the last operation only"`
	Figures string `json:"figures,omitempty" jsonschema:"the format of pictures of the steps; none if empty" brief:"pictures of the steps"`

	small bool // the pictures are for an assistant
}

// An ExplainResponse contains the explanations of the program's operations, operands first. A program whose last
// operation fails is explained too; Error then says what failed.
type ExplainResponse struct {
	OK           bool                  `json:"ok"`                     // there are explanations
	Kind         string                `json:"kind,omitempty"`         // the kind of the value
	Value        string                `json:"value,omitempty"`        // the canonical text of the value of the program
	Explanations []explain.Explanation `json:"explanations,omitempty"` // the operations, operands before their users
	Pictures     []ExplainPicture      `json:"pictures,omitempty"`     // the figures of the explanations, if asked for
	Notes        []string              `json:"notes,omitempty"`        // what a reader of the answer should know
	Error        *report.Error         `json:"error,omitempty"`        // why there is no answer
	Failed       *FailedOperation      `json:"failed,omitempty"`       // the operation that Error is about, if any

	Fault `json:"-"`
}

// A FailedOperation is an operation without a value: its place, and its operands.
type FailedOperation struct {
	Pos      int      `json:"pos"`      // the operation is the bytes [Pos, End) of the program
	End      int      `json:"end"`      // see Pos
	Operands []string `json:"operands"` // the canonical texts of its operands
}

// Explain evaluates the program and explains its operations.
func (s *Session) Explain(req ExplainRequest) ExplainResponse {
	format, ok := drawFormat(req.Figures)
	if !ok {
		return ExplainResponse{
			Error: usage("expected a format, one of %s, found %.40q", strings.Join(DrawFormats(), ", "), req.Figures),
			Fault: Fault{Usage: true},
		}
	}
	var ops []explain.Operation
	var at Place // the place of the operation that was traced last
	s.env.Trace(func(a eval.Application) {
		if !slices.ContainsFunc(a.Args, func(v eval.Value) bool { return eval.Fits("", v) != nil }) { // the error says enough
			ops = append(ops, operation(a, req.Expr))
			at = Place{a.Pos, a.End}
			_ = s.budget.Hold(explainBytes(ops[len(ops)-1])) // beyond the budget, the evaluation itself reports the error
		}
	})
	last, notes, fault := s.few("explain", req.Expr)
	s.env.Trace(nil)
	r := ExplainResponse{Notes: notes, Error: fault, Fault: Fault{In: req.Expr}}
	switch {
	case last.Value != nil:
		r.Kind, r.Value = string(last.Value.Kind()), last.Value.String()
		if len(ops) == 0 || ops[len(ops)-1].Result.Text != r.Value {
			v := operand(last.Value)
			ops = append(ops, explain.Operation{Name: v.Kind, Args: []explain.Operand{v}, Result: v})
		}
	case fault == nil:
		r.Error = report.Of(report.ErrNothing)
		return r
	case len(ops) == 0 || ops[len(ops)-1].Err == nil:
		return r // the error is not about an operation
	default:
		r.Failed = &FailedOperation{Pos: at.Pos, End: at.End}
		for _, a := range ops[len(ops)-1].Args {
			r.Failed.Operands = append(r.Failed.Operands, a.Text)
		}
	}
	found, late := s.explainAll(ops, req)
	if late != nil {
		return ExplainResponse{Error: late}
	}
	r.OK, r.Explanations = true, found
	if req.Figures != "" {
		r.Pictures = s.drawFigures(r.Explanations, DrawRequest{Format: format, small: req.small})
	}
	return r
}

// explainBytes returns roughly the memory, in bytes, of an operation to be explained: the operation and its
// explanation.
func explainBytes(op explain.Operation) int64 {
	const each, explained = 128, 1 << 11
	n := int64(explained)
	for _, o := range append(op.Args[:len(op.Args):len(op.Args)], op.Result) {
		n += 3*int64(len(o.Text)) + each
		if list, ok := o.Value.([]explain.Operand); ok {
			n += int64(len(list)) * each
		}
	}
	return n
}

// explainAll explains each operation of a program once, or only the last operation.
func (s *Session) explainAll(ops []explain.Operation, req ExplainRequest) ([]explain.Explanation, *report.Error) {
	var out []explain.Explanation
	var in instance
	if slices.ContainsFunc(ops, func(op explain.Operation) bool { return op.Symbolic() }) {
		in, _ = s.example(req.Expr)
	}
	seen := make(map[string]bool)
	for i, op := range ops {
		expr, last := op.Expr(), i == len(ops)-1
		if seen[expr] || !last && (req.Top || trivial(op)) {
			continue
		}
		seen[expr] = true
		if info := s.timeUp(); info != nil {
			return nil, info
		}
		op.Until = s.stop
		x := explain.Explain(op)
		if op.Symbolic() {
			in.exemplify(&x, op, i)
		}
		out = append(out, x)
	}
	if info := s.timeUp(); info != nil {
		return nil, info
	}
	return out, nil
}

// trivial reports whether an operation is arithmetic of integers, which is explained only where it comes last.
func trivial(op explain.Operation) bool {
	return strings.Contains("+-*/%", op.Name) && op.Result.Kind == string(eval.KindInt)
}

// operation returns the operation that the source applied, as package explain takes it.
func operation(a eval.Application, src string) explain.Operation {
	op := explain.Operation{
		Name: a.Op, Args: make([]explain.Operand, len(a.Args)), Template: a.Template, Err: a.Err,
		Notes: append([]string(nil), a.Notes...),
	}
	for i, v := range a.Args {
		op.Args[i] = operand(v)
	}
	if a.Value != nil {
		op.Result = operand(a.Value)
		if note := eval.Conditions(a.Value); note != "" {
			op.Notes = append(op.Notes, note)
		}
	}
	if (a.Op == "ceil" || a.Op == "floor") && len(op.Args) == 1 && a.End <= len(src) {
		// Their operand is the quotient as written; the value of the operand is already rounded.
		if text, ok := strings.CutPrefix(src[a.Pos:a.End], a.Op+"("); ok {
			op.Args[0] = explain.Operand{
				Kind: string(eval.KindInt), Text: strings.TrimSuffix(text, ")"), Symbolic: op.Args[0].Symbolic,
			}
		}
	}
	if b, ok := eval.Lookup(a.Op); ok {
		op.Doc = b.Doc
	}
	return op
}

// mostElements is the length up to which lists are explained element by element.
const mostElements = 1 << 12

// operand returns a value as package explain takes it.
func operand(v eval.Value) explain.Operand {
	o := explain.Operand{Kind: string(v.Kind()), Text: v.String(), Symbolic: isRunTime(v)}
	switch v := v.(type) {
	case eval.Bool:
		o.Value = bool(v)
	case eval.DynamicBool:
		o.Symbolic = true
	case eval.Tuple:
		o.Value = v.Tuple
	case eval.Coord:
		o.Value = v.Coord
	case eval.Layout:
		o.Value = v.Layout
	case eval.Composed:
		o.Value = v.Composed
	case eval.Swizzle:
		o.Value = v.Swizzle
	case eval.Tile:
		o.Value = v.Tile
	case eval.Linear:
		o.Value = v.Layout
	case eval.Xor:
		o.Value = v.XorLayout
	case eval.Matrix:
		o.Value = v.Matrix
	case eval.List:
		if len(v) <= mostElements {
			o.Value = operands(v)
		}
	default:
		o.Value = instruction(v)
	}
	return o
}

// instruction returns an instruction, a TiledMMA or a TiledCopy as package explain takes it, nil for any other value.
func instruction(v eval.Value) any {
	switch v := v.(type) {
	case eval.MMAAtom:
		return v.MMA
	case eval.CopyAtom:
		return v.CopyAtom
	case eval.TiledMMA:
		return v.TiledMMA
	case eval.TiledCopy:
		return v.TiledCopy
	}
	return nil
}

func operands(vs []eval.Value) []explain.Operand {
	out := make([]explain.Operand, len(vs))
	for i, v := range vs {
		out[i] = operand(v)
	}
	return out
}

// Text returns the explanations as a person reads them, wrapped to width columns, an empty line between them.
func (r ExplainResponse) Text(width int) string {
	texts := make([]string, len(r.Explanations))
	for i, x := range r.Explanations {
		texts[i] = x.Text(width)
	}
	return strings.Join(texts, "\n")
}

// explanationText is an explanation as a person reads it. Assistants see its pictures too.
func explanationText(_ ExplainRequest, r ExplainResponse, d Door) Answer {
	a := Answer{Fault: r.Fault, OK: r.OK, Text: func() string { return r.Text(WideText) }, Notes: r.Notes}
	if !r.OK {
		a.Error = r.Error // an error that an explanation contains is described there
	}
	if d != Assistants {
		return a
	}
	a.Notes, a.Whole = r.Notes, len(r.Pictures) > 0
	for i, p := range r.Pictures {
		switch {
		case p.Data != nil:
			a.Pictures = append(a.Pictures, p.Data)
		case p.Text != "":
			a.After += "\n" + p.Name + ":\n" + p.Text
		case p.Error != nil:
			a.After += fmt.Sprintf("\n%s is not drawn: %s\n", p.Name, report.OneLine(p.Error.Message))
		}
		r.Pictures[i].Data, r.Pictures[i].Text = nil, ""
	}
	return a
}
