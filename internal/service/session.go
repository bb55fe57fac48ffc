package service

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/budget"
	"girih/internal/lang/eval"
	"girih/internal/lang/paste"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// MaxExpr is the length of the longest accepted expression, in bytes.
const MaxExpr = syntax.MaxSource

// KindNone is the kind of a program without a statement: an empty line, or a line with only a comment.
const KindNone = "none"

// A Session evaluates programs one after the other; names bound with let stay bound. The zero Session is ready
// to use. It is not safe for concurrent use.
type Session struct {
	env      eval.Env
	values   map[string]int64 // of run-time integers, as Set gave them
	budget   *budget.Budget   // the budget that Within sets; nil if there is no limit
	stop     func() error     // returns the Stop of the room as an error of the algebra; nil without a limit
	room     Room             // the limit of the text of an answer; zero for no limit
	wrote    int              // how many bytes of text were written
	kept     eval.Value       // the value of the last program of Eval; nil before the first
	programs programs         // what programs have bound
	pasted   *paste.Reader    // the reader of pasted text; nil until it is needed
	pages    *Pages           // the documents that are kept for edits; nil for none
	watch    func(Progress)   // receives the progress of runs; nil for nobody
}

// evalOperation is the row of the evaluation of programs.
func evalOperation() Operation {
	return Operation{
		Name: "eval", Doc: "Evaluate expressions", Programs: true,
		Tool: &ToolDoc{
			Title:   "Evaluate an expression",
			Brief:   "the value of an expression in CuTe's notation: (6,2):(8,2) o (4,3):(3,1), right_inverse((4,8):(8,1)), let a = (8,8):(8,1); zipped_divide(a, <4,2>). A(3) evaluates, A((1,_)) slices, == compares; Sw<3,3,3> o 0 o (8,64):(64,1) is swizzled; M, ?, K{div=8} are integers of run time.",
			Smaller: "ask for a part: slice the layout, or evaluate it at some coordinates",
			Doc: `The value of an expression of layout algebra in CuTe's notation: layouts ((2,2),3):((24,2),8), integers, tuples, swizzles,
composed layouts Sw<3,3,3> o 0 o (8,64):(64,1), tilers <3:3,(2,4):(1,8)>, linear layouts. A o B is composition, A(3) and A((1,(0,2)))
evaluate, A((1,_)) slices, A == B compares. Integers may be known at run time only: M, ?, K{div=8}.
Examples: (6,2):(8,2) o (4,3):(3,1); complement((2,2):(1,6), 24); right_inverse((4,8):(8,1)); let a = (8,8):(8,1); zipped_divide(a, <4,2>).
Functions (help documents them; these are some): make_layout size cosize crd2idx idx2crd coalesce composition complement right_inverse
left_inverse logical_divide zipped_divide tiled_divide flat_divide logical_product blocked_product raked_product recast_layout upcast
downcast offsets is_injective mma tiled_mma tiled_copy linear.`,
		},
		Command: &Command{
			Use:  "eval EXPR... | -f FILE | -",
			Long: evalHelp,
			Example: `  girih eval '(6,2):(8,2) o (4,3):(3,1)'
  girih eval 'let a = (8,8):(8,1)' 'a o 4:2' 'a(3)'
  girih eval -- -3+4
  girih eval --set M=4096,K=512 'zipped_divide((M,K):(K,1), <128,64>)'
  girih eval -f expressions.txt --json`,
		},
		Form: &Form{Examples: []any{
			EvalRequest{Expr: "(6,2):(8,2) o (4,3):(3,1)"},
			EvalRequest{Expr: "let a = (8,8):(8,1); (a o 4:2)(3)"},
			EvalRequest{Expr: "zipped_divide((64,64):(64,1), <8,8>)"},
		}},
		do: method[EvalRequest, EvalResponse]{
			do: (*Session).Eval,
			said: func(q EvalRequest, r EvalResponse, d Door) Answer {
				if r.Kind == KindNone {
					r = NoExpression(q.Expr)
				}
				text := func() string {
					if r.Static == "" {
						return r.Value + "\n"
					}
					return r.Value + "\nat trace time CuTe prints " + r.Static + "\n"
				}
				return Answer{Response: r, Fault: Fault{In: q.Expr}, OK: r.OK, Text: text, Notes: r.Notes, Error: r.Error}
			},
			assumed: func(q *EvalRequest) { q.Correct = true },
		}.caller(),
	}
}

// evalHelp is the prose of girih eval --help.
const evalHelp = `Evaluate expressions and print the value of each on a line. Names bound with let
are known in what follows.

With -f or -, each line of the file or of the standard input is an expression,
and exactly one line is printed for it: the value, 'error: CODE: message', or an
empty line where there is no expression or only a comment. With --json that line
is an object:

  {"ok":true,"kind":"layout","value":"(4,2):(1,4)","notes":["..."]}
  {"ok":false,"error":{"code":"...","message":"...","witness":{...},"hint":"..."}}

where kind is "none" and there is no value if there is no expression, and what is
empty is left out.

Integers that are known at run time only are ?, ?{div=8}, and names with or
without facts: M, K{div=8}, N{>=1,<=4096}. The value is then an expression, with a
note when it is valid only under a condition, or if a sufficient condition holds.
--set gives them values, and the value is computed with these numbers; a note has
what the CuTe DSL prints at trace time. ?1, ?2, ... are those
without a name, in the order of writing.

The exit status is 0 if all is fine, 1 if an expression failed, and 2 for wrong
usage.`

// An EvalRequest asks for the value of a program.
type EvalRequest struct {
	Expr string `json:"expr" jsonschema:"an expression, or statements separated by semicolons" brief:"-"`
	// Correct requests a hint in the error that says what an expression outside the language may have meant.
	Correct bool `json:"correct,omitempty" tool:"-"`
}

// An EvalResponse is the value of the last statement of a program, or the error of the first statement that
// fails. The JSON form is the contract of girih eval --json.
type EvalResponse struct {
	OK    bool     `json:"ok"`              // there is an answer
	Kind  string   `json:"kind,omitempty"`  // the kind of the value: layout, int, ...; none without a statement
	Value string   `json:"value,omitempty"` // the canonical text of the value, on one line
	Notes []string `json:"notes,omitempty"` // what a reader of the value should know, such as padding
	// Static is the text that CuTe prints for the value at trace time, with ? for run-time integers, if the
	// value has any.
	Static string        `json:"static,omitempty"`
	Error  *report.Error `json:"error,omitempty"` // why there is no answer
}

// Eval evaluates the program.
func (s *Session) Eval(req EvalRequest) EvalResponse {
	r, notes, fault := s.last(req.Expr)
	switch {
	case fault != nil:
		if req.Correct {
			s.paste().Correct(fault, req.Expr)
		}
		return EvalResponse{Error: fault}
	case r.Value == nil:
		return EvalResponse{OK: true, Kind: KindNone}
	}
	s.kept = r.Value
	return EvalResponse{OK: true, Kind: string(r.Value.Kind()), Value: r.Value.String(), Notes: notes, Static: r.Static}
}

// fresh returns a session without names; it ends when s ends.
func (s *Session) fresh() *Session {
	f := &Session{budget: s.budget, stop: s.stop, room: s.room}
	f.limitEnv(&f.env)
	return f
}

// Set gives run-time integers their values in all programs from now on: M, or ?2 for the second integer
// without a name.
//
//go:noinline
func (s *Session) Set(values map[string]int64) {
	s.values = values
	s.env.Set(values)
}

// UnusedNames returns, sorted, the names that [Session.Set] gave values to but no program has used.
func (s *Session) UnusedNames() []string { return s.env.UnusedNames() }

// last evaluates the program. It returns the result of the last statement (without a value if there is no statement)
// and the notes of all statements, because a value may derive from a padded value bound by let. A note says if a
// swizzle may be meant for bytes.
func (s *Session) last(src string) (eval.Result, []string, *report.Error) {
	r, notes, fault := s.lastTyped(src)
	if fault == nil && r.Value != nil {
		notes = append(notes, paste.NoteBytes(r.Value.String())...)
	}
	return r, notes, fault
}

// lastTyped is last without the note on swizzles, for operations that know the type of the elements.
func (s *Session) lastTyped(src string) (eval.Result, []string, *report.Error) {
	out, fault := s.paste().Run(src)
	if fault != nil && (fault.Code == string(cute.CodeSyntax) || fault.Code == string(cute.CodeName)) {
		if last, notes, wrong, ok := s.lastOfProgram(src); ok {
			return last, notes, wrong
		}
	}
	s.forgetGlobals(src)
	return out.Last, out.Notes, fault
}

// paste returns the reader of text that is not in the language. The reader is made once, because a file may have
// hundreds of thousands of lines.
//
//go:noinline
func (s *Session) paste() *paste.Reader {
	if s.pasted == nil {
		s.pasted = &paste.Reader{Env: &s.env, Limits: s.reading(), Bound: s.limitEnv}
	}
	return s.pasted
}

// few is last for operations that limit the leaves of a value as the language does.
func (s *Session) few(op, src string) (eval.Result, []string, *report.Error) {
	r, notes, fault := s.last(src)
	if fault != nil || r.Value == nil {
		return r, notes, fault
	}
	if err := eval.Fits(op, r.Value); err != nil {
		return eval.Result{}, nil, report.Whole(err, src)
	}
	return r, notes, nil
}

// Keep binds the value of the last program to a name, in addition to any name bound by let.
func (s *Session) Keep(name string) {
	if s.kept != nil {
		s.env.Bind(name, s.kept)
	}
}

// Vars returns the names that let has bound, sorted.
func (s *Session) Vars() []string {
	names := s.env.Vars()
	slices.Sort(names)
	return names
}

// Incomplete reports whether src is the beginning of a program that needs more input: an open bracket, an
// operator at the end, a block of Python before its empty line. The REPL then reads another line.
func Incomplete(src string) bool {
	if trimmed := strings.TrimRight(src, " \t"); strings.HasSuffix(trimmed, "^*") {
		src = strings.TrimRight(trimmed, "^*") // papers write L2^*, which is complete: no operator is spelled ^
	}
	_, err := syntax.Parse(src)
	if err == nil {
		return false
	}
	return report.Of(err).Incomplete || isUnfinished(src)
}

// TooLong is the response to a program of n bytes, more than [MaxExpr], for callers that do not want to hold
// the whole program.
func TooLong(n int) EvalResponse {
	return EvalResponse{Error: report.TooLong(n)}
}

// NoExpression is the response if a value is needed but the program has no expression. A hint names girih run for
// statements, and read for an MLIR attribute such as #ttg.blocked<...>, which looks like a comment.
func NoExpression(src string) EvalResponse {
	info := report.Of(report.ErrNothing)
	switch {
	case len(src) > MaxExpr:
	case isProgram(src):
		info.Hint = "these statements have no value: girih run executes them and prints what they print"
	default:
		if r := reader.Read(src); len(r.Items) > 0 {
			info.Hint = "read finds " + paste.FoundText(r.Items)
		}
	}
	return EvalResponse{Error: info}
}
