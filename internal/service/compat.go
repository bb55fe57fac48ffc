//go:build !js

package service

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
	"girih/internal/why/compat"
)

// VectorsOfAlgebra is the file that a report covers unless the request names another. The file is too large to be
// part of the command.
const VectorsOfAlgebra = "conformance/algebra.jsonl"

// compatOperation is the row for comparing with other implementations.
func compatOperation() Operation {
	return Operation{
		Name: "compat", Doc: "Show what CuTe C++, the CuTe DSL and pycute answer, and whether that is right",
		Tool: &ToolDoc{
			Title: "Compare with CuTe and pycute",
			Brief: "what CuTe C++, the CuTe DSL and pycute answer to an operation such as (4,3):(1,100) o 4:3, and where they are wrong.",
			Doc: "What CuTe C++ (integers of compile time and of run time), the CuTe DSL and pycute answer to an " +
				"operation, compared with girih: right, padded, refused " +
				"or wrong, with the first index at which an answer is wrong. The outermost operation is A o B or one of " +
				strings.Join(CompatOps(), ", ") + ".",
		},
		Command: &Command{
			Use:  "compat EXPR | --report [FILE]",
			Args: []string{"expr"},
			Long: `Show what other implementations of the algebra answer to an operation, compared with
girih: CuTe C++ with integers of compile time (static) and of run time (dynamic),
the CuTe DSL, and NVIDIA's pycute. Each answer is checked against the definition of
the operation, value by value:

  right    it satisfies the definition at every index
  padded   a divide with more elements than the layout, all of the layout's among them
  refused  no answer: a static_assert, an exception, an error value
  wrong    with the first index at which it is wrong, and both values there
  absent   the tool does not have the operation
  unknown  not modelled, or not judged; of a large layout the first 262144 values
           are checked

The answers come from models of their algorithms, which are tested against what
the originals printed. The models have

` + Wrap(strings.Join(append([]string{"A o B"}, CompatOps()...), ", "), 78, "  ", "  ") + `
"CuTe C++, dynamic" knows none of the integers when it compiles, apart from those
that are written with an underscore: (_4,3):(_1,100).

With --report, count how often each tool is wrong, refuses what has an answer, and
pads, over the operations in a file, by default
` + VectorsOfAlgebra + `.`,
			Example: `  girih compat '(4,3):(1,100) o 4:3'
  girih compat 'complement((2,2):(2,3), 24)'
  girih compat 'logical_divide((6,4):(4,1), 4:1)'
  girih compat 'coalesce((_2,_4,6):(_1,_2,_8))'
  girih compat --report`,
		},
		do: method[CompatRequest, CompatResponse]{
			do: (*Session).Compat,
			said: func(q CompatRequest, r CompatResponse, _ Door) Answer {
				return Answer{Fault: Fault{In: q.Expr}, OK: r.OK, Text: r.Text, Error: r.Error}
			},
		}.caller(),
	}
}

// A CompatRequest asks what other implementations answer to an expression: the last statement of a program, with
// one of [CompatOps] as its outermost operation.
type CompatRequest struct {
	Expr string `json:"expr" jsonschema:"an operation: (4,3):(1,100) o 4:3" brief:"A o B, or a call such as complement(A, 24)"`
}

// CompatOps returns the names of the operations for which other implementations are modelled.
func CompatOps() []string { return compat.Ops() }

// A CompatResponse holds the answers of all tools, girih first.
type CompatResponse struct {
	OK    bool     `json:"ok"`              // there is an answer
	Expr  string   `json:"expr,omitempty"`  // the operation as it was written
	Op    string   `json:"op,omitempty"`    // CuTe's name of the operation
	Args  []string `json:"args,omitempty"`  // the operands, evaluated
	Tools []Tool   `json:"tools,omitempty"` // the answers, girih's first
	// NoAnswer says why no layout is the answer, if none is; Answerable is true if an answer is known to
	// exist.
	NoAnswer   string        `json:"no_answer,omitempty"`
	Answerable bool          `json:"answerable,omitempty"` // some layout is known to be the answer
	Error      *report.Error `json:"error,omitempty"`      // why there is no answer
}

// A Tool is the answer of one implementation, with a verdict.
type Tool struct {
	ID      string     `json:"id"`                // a short name of the implementation
	Name    string     `json:"name"`              // the implementation in words
	Verdict string     `json:"verdict"`           // right, padded, weak, refused, wrong, absent, or unknown
	Answer  string     `json:"answer,omitempty"`  // the layout with the values of all integers
	Static  string     `json:"static,omitempty"`  // the layout as a compiler knows it, if it knows less than Answer
	Refusal string     `json:"refusal,omitempty"` // how the implementation refuses, or why the model does not know
	Why     string     `json:"why,omitempty"`     // what is wrong, or how much is padded
	At      *Deviation `json:"at,omitempty"`      // the first wrong index
}

// A Deviation is the first index at which an answer is wrong, and the values there.
type Deviation = compat.Deviation

// Compat answers the request.
func (s *Session) Compat(req CompatRequest) CompatResponse {
	c := &comparison{env: &s.env, src: req.Expr}
	if _, err := syntax.Parse(c.src); err != nil {
		if item, ok := s.paste().Rewrite(c.src); ok { // the operands may be written in C++
			c.src = item.Text
		} else if applied, fault := s.lastApplied(c.src); applied != "" {
			c.src = applied
		} else if fault != nil {
			return CompatResponse{Error: fault}
		}
	}
	q, err := c.query()
	if err != nil {
		return CompatResponse{Error: report.Of(err)}
	}
	resp := CompatResponse{OK: true, Expr: strings.TrimSpace(c.src[c.x.Pos():c.x.End()]), Op: q.Op(), Args: q.Args()}
	ours, finding := c.girih(q)
	findings := []compat.Finding{finding}
	resp.Tools = append(resp.Tools, ours)
	for _, d := range compat.Dialects() {
		a := q.Answer(d)
		f := q.Judge(a)
		findings = append(findings, f)
		t := Tool{ID: d.ID(), Name: d.String(), Verdict: f.Verdict.String(), Answer: a.Text, Why: f.Why, At: f.At}
		if a.Static != a.Text {
			t.Static = a.Static
		}
		if a.Refusal != nil {
			t.Refusal = a.Refusal.Text
		}
		resp.Tools = append(resp.Tools, t)
	}
	resp.compareSizes()
	resp.Answerable = q.Solvable(findings...)
	switch why, hopeless := q.Hopeless(); {
	case hopeless && !resp.Answerable:
		resp.NoAnswer = why
	case hopeless:
		resp.remark("only A(R(A(i))) = A(i): " + why)
	}
	return resp
}

// lastApplied returns the last operation of a program of statements that other tools are modelled for, with its
// operands: coalesce((4,2):(1,4)) for auto a = make_layout(make_shape(4, 2)); coalesce(a).
func (s *Session) lastApplied(src string) (expr string, fault *report.Error) {
	s.env.Trace(func(a eval.Application) {
		if !compat.Models(a.Op) {
			return
		}
		args := make([]string, len(a.Args))
		for i, v := range a.Args {
			args[i] = v.String()
		}
		expr = a.Op + "(" + strings.Join(args, ", ") + ")"
	})
	defer s.env.Trace(nil)
	_, _, fault, _ = s.lastOfProgram(src)
	return expr, fault
}

// remark adds a remark to a right answer where a weaker definition applies: a left inverse cannot distinguish indices
// of equal offset.
func (r *CompatResponse) remark(why string) {
	for i, t := range r.Tools {
		if t.Verdict == compat.Right.String() && t.Why == "" {
			r.Tools[i].Why = why
		}
	}
}

// compareSizes remarks on right inverses that are correct but smaller than necessary, down to the empty
// statement 1:0.
func (r *CompatResponse) compareSizes() {
	if r.Op != "right_inverse" {
		return
	}
	best := int64(0)
	for _, t := range r.Tools {
		if t.Verdict == compat.Right.String() {
			best = max(best, compat.Size(t.Answer))
		}
	}
	for i, t := range r.Tools {
		if n := compat.Size(t.Answer); t.Verdict == compat.Right.String() && n < best && t.Why == "" {
			r.Tools[i].Why = fmt.Sprintf("inverts %d of the %d offsets that can be inverted", n, best)
		}
	}
}

// A comparison evaluates an expression for the models of other tools.
type comparison struct {
	env     *eval.Env
	src     string
	x       syntax.Expr // the last statement
	ours    eval.Value  // the value of the last statement; nil if girih refuses
	refusal error
}

// query evaluates everything before the outermost operation of the last statement, and returns that
// operation.
func (c *comparison) query() (compat.Query, error) {
	prog, err := syntax.Parse(c.src)
	if err != nil {
		return compat.Query{}, err
	}
	if len(prog.Stmts) == 0 {
		return compat.Query{}, report.ErrNothing
	}
	last := len(prog.Stmts) - 1
	for _, s := range prog.Stmts[:last] {
		let := ""
		if s.Name != "" {
			let = "let " + s.Name + " = "
		}
		if _, err := c.eval(s.X.Pos(), s.X.End(), let); err != nil {
			return compat.Query{}, err
		}
	}
	c.x = prog.Stmts[last].X
	c.ours, c.refusal = c.eval(c.x.Pos(), c.x.End(), "")
	op, operands := outermost(c.x)
	if err := c.check(op); err != nil {
		return compat.Query{}, err
	}
	if err := c.shapeLast(op, operands); err != nil {
		return compat.Query{}, err
	}
	args := make([]string, len(operands))
	for i, o := range operands {
		if args[i], err = c.operand(op, i, o); err != nil {
			return compat.Query{}, err
		}
	}
	q, err := compat.NewQuery(op, args...)
	if err != nil {
		return q, c.fault(err.Error())
	}
	return q, nil
}

// shapeLast exchanges the operands of complement(8, A), as the evaluator does.
func (c *comparison) shapeLast(op string, operands []span) error {
	if op != "complement" || len(operands) != 2 {
		return nil
	}
	kinds := make([]eval.Kind, len(operands))
	for i, o := range operands {
		v, err := c.eval(o.pos, o.end, "")
		if err != nil {
			return err
		}
		kinds[i] = v.Kind()
	}
	if kinds[0] != eval.KindLayout && kinds[1] == eval.KindLayout {
		operands[0], operands[1] = operands[1], operands[0]
	}
	return nil
}

// check refuses an operation for which the other tools have no model; op is "" for an unknown operation.
func (c *comparison) check(op string) error {
	switch {
	case op == "" && c.refusal != nil:
		return c.refusal
	case op == "" && isOfMode(c.x):
		return c.fault("other tools are modelled for whole operands: ask for the mode by itself, as in " +
			"coalesce(get(A, 1))")
	case op == "":
		return c.fault(
			"the outermost operation must be one that other tools are modelled for: A o B, " + strings.Join(compat.Ops(), ", "))
	case c.ours != nil && c.ours.Kind() == eval.KindComposed:
		return c.fault("other tools are modelled for layouts, not for composed layouts and swizzles")
	}
	return nil
}

// operand evaluates operand i of an operation, and returns it as the models read it.
func (c *comparison) operand(op string, i int, o span) (string, error) {
	v, err := c.eval(o.pos, o.end, "")
	if err != nil {
		return "", err
	}
	if l, ok := v.(eval.Layout); ok && op == "complement" && i == 1 && c.ours != nil {
		return l.Shape().String(), nil // a compact layout is a cotarget by its shape
	}
	if v.Kind() == eval.KindCoord && op == "coalesce" {
		return strings.ReplaceAll(v.String(), "_", "1"), nil // only the nesting of a target profile counts
	}
	text, err := operandText(v, c.src[o.pos:o.end])
	if err != nil {
		return "", &eval.Error{Err: &cute.Error{Code: cute.CodeType, Msg: err.Error()}, Pos: o.pos, End: o.end}
	}
	return text, nil
}

// A span is an operand in the source.
type span struct{ pos, end int }

// outermost returns the name, among the builtins, and the operands of the operation that gives x its value. The
// operands of a chain are its beginning and its last link. The name is "" if the operation is not modelled.
func outermost(x syntax.Expr) (op string, operands []span) {
	switch x := x.(type) {
	case *syntax.Tuple:
		if len(x.Elems) == 1 && !x.TrailingComma {
			return outermost(x.Elems[0])
		}
	case *syntax.Compose:
		n := len(x.Operands)
		return "composition", []span{
			{x.Operands[0].Pos(), x.Operands[n-2].End()},
			{x.Operands[n-1].Pos(), x.Operands[n-1].End()},
		}
	case *syntax.Call:
		b, ok := eval.Lookup(x.Name)
		if !ok || !compat.Models(b.Name) || x.Template != nil || ofMode(x) {
			return "", nil
		}
		for _, a := range x.Args {
			operands = append(operands, span{a.X.Pos(), a.X.End()})
		}
		return b.Name, operands
	}
	return "", nil
}

// isOfMode is ofMode for an expression.
func isOfMode(x syntax.Expr) bool {
	call, ok := x.(*syntax.Call)
	return ok && ofMode(call)
}

// ofMode reports whether a call is applied to one mode of its operand, f[1](A, B).
func ofMode(x *syntax.Call) bool {
	return x.Modes != nil || slices.ContainsFunc(x.Args, func(a syntax.Arg) bool { return a.Key == "mode" })
}

// eval evaluates a part of the source to a value that let may bind.
func (c *comparison) eval(pos, end int, let string) (eval.Value, error) {
	rs, err := c.env.Eval(let + onOneLine(c.src[pos:end]))
	if e, ok := errors.AsType[*eval.Error](err); ok {
		moved := *e
		moved.Pos, moved.End = e.Pos+pos-len(let), e.End+pos-len(let)
		return nil, &moved
	}
	if err != nil || len(rs) == 0 {
		return nil, report.ErrNothing
	}
	return rs[len(rs)-1].Value, nil
}

// onOneLine replaces comments and line breaks by blanks, because a line break outside of brackets ends a statement. The
// positions of all other bytes stay.
func onOneLine(src string) string {
	out, comment := []byte(src), false
	for i, c := range out {
		switch {
		case c == '\n':
			comment = false
		case c == '#', c == '/' && i+1 < len(out) && out[i+1] == '/':
			comment = true
		}
		if comment || c == '\n' {
			out[i] = ' '
		}
	}
	return string(out)
}

// operandText returns an operand as the models read it. A literal stays as it is written: an underscore before an
// integer says that C++ knows it at compile time.
func operandText(v eval.Value, written string) (string, error) {
	text := v.String()
	switch v.Kind() {
	case eval.KindLayout, eval.KindInt, eval.KindTuple, eval.KindTile:
	case eval.KindCoord:
		text = strings.NewReplacer("(", "<", ")", ">").Replace(text) // (_,32) tiles by mode, as <_,32> does
	default:
		return "", fmt.Errorf("operands of other tools are layouts, shapes and tilers, found %s", v.Kind())
	}
	written = strings.ReplaceAll(written, " ", "")
	if unmarked.Replace(written) == text {
		return written, nil
	}
	return text, nil
}

// unmarked drops the underscores of constants.
var unmarked = strings.NewReplacer("_0", "0", "_1", "1", "_2", "2", "_3", "3", "_4", "4", "_5", "5", "_6", "6",
	"_7", "7", "_8", "8", "_9", "9", "_-", "-")

// fault returns an error about the last statement.
func (c *comparison) fault(msg string) error {
	return &eval.Error{Err: &cute.Error{Code: cute.CodeType, Op: "compat", Msg: msg}, Pos: c.x.Pos(), End: c.x.End()}
}

// girih returns girih's own answer.
func (c *comparison) girih(q compat.Query) (Tool, compat.Finding) {
	t := Tool{ID: compat.GirihID, Name: "girih", Verdict: compat.Refused.String()}
	if c.refusal != nil {
		e := report.Of(c.refusal)
		t.Refusal = e.Code
		if t.Why = e.Message; e.Witness != nil {
			t.Why = e.Witness.String()
		}
		return t, compat.Finding{Verdict: compat.Refused}
	}
	t.Answer = c.ours.String()
	f := q.JudgeText(t.Answer)
	t.Verdict, t.Why, t.At = f.Verdict.String(), f.Why, f.At
	return t, f
}

// A CompatReport counts the answers of all tools to the rows of a file.
type CompatReport = compat.Report

// CompatCount counts the answers of all tools to the rows of a file such as conformance/algebra.jsonl. If the file
// has no such rows, CompatCount returns an error that names the file.
func CompatCount(name string, r io.Reader) (*CompatReport, error) {
	return compat.Run(name, r, func(op string, args []string) (answer string, ok bool) {
		r, err := eval.Eval(op + "(" + strings.Join(args, ", ") + ")")
		if err != nil {
			return "", false
		}
		return r.Value.String(), true
	})
}
