package service

import (
	"slices"
	"strings"

	"girih/internal/budget"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// MaxExpr is the longest expression that is accepted, in bytes.
const MaxExpr = syntax.MaxSource

// KindNone is the kind of a program without a statement: an empty line, or one with a comment only.
const KindNone = "none"

// A Session evaluates programs one after the other; names bound with let stay bound. The zero Session is ready
// to use. It is not safe for concurrent use.
type Session struct {
	env    eval.Env
	budget *budget.Budget          // see Within; nil if there is no limit
	stop   func() error            // its Stop as an error of the algebra; nil if there is no limit
	kept   eval.Value              // of the last program of Eval; nil before
	defs   map[string]*program.Def // the functions of programs
}

// An EvalRequest asks for the value of a program.
type EvalRequest struct {
	Expr string `json:"expr"` // an expression, or statements separated by semicolons
	// Correct asks for what may have been meant by an expression that is not in the language, as the hint of the error.
	Correct bool `json:"correct,omitempty"`
}

// An EvalResponse is the value of the last statement of a program, or the error of the first one that fails.
// The JSON form is the contract of girih eval --json.
type EvalResponse struct {
	OK    bool     `json:"ok"`              // there is an answer
	Kind  string   `json:"kind,omitempty"`  // the kind of the value: layout, int, ...; none without a statement
	Value string   `json:"value,omitempty"` // its canonical text, one line
	Notes []string `json:"notes,omitempty"` // what a reader of the value should know, such as padding
	// Static is the text that CuTe prints of the value at trace time, with ? for run-time integers, if there are any.
	Static string     `json:"static,omitempty"`
	Error  *ErrorInfo `json:"error,omitempty"` // why there is no answer
}

// Eval evaluates the program.
func (s *Session) Eval(req EvalRequest) EvalResponse {
	r, notes, fault := s.last(req.Expr)
	switch {
	case fault != nil:
		if req.Correct {
			s.correct(fault, req.Expr)
		}
		return EvalResponse{Error: fault}
	case r.Value == nil:
		return EvalResponse{OK: true, Kind: KindNone}
	}
	s.kept = r.Value
	return EvalResponse{OK: true, Kind: string(r.Value.Kind()), Value: r.Value.String(), Notes: notes, Static: r.Static}
}

// fresh returns a session without names that ends when s does.
func (s *Session) fresh() *Session {
	f := &Session{budget: s.budget, stop: s.stop}
	f.bound(&f.env)
	return f
}

// Set gives run-time integers their values in all programs from now on: M, or ?2 for the second one without a name.
func (s *Session) Set(values map[string]int64) { s.env.Set(values) }

// Unused returns the names that [Session.Set] gave values to and no program has had, sorted.
func (s *Session) Unused() []string { return s.env.Unused() }

// last evaluates the program and returns the result of its last statement, without a value if it has none, and the
// notes of all of them: a value may come from a padded one that let has bound.
func (s *Session) last(src string) (eval.Result, []string, *ErrorInfo) {
	var all outcome
	err := s.env.Run(src, all.add)
	if err != nil {
		fault := errorInfo(err)
		read, ok := s.pasted(src, fault)
		if !ok {
			return eval.Result{}, nil, fault
		}
		all = read
	}
	if all.n == 0 && attribute(src) {
		all, _ = s.pasted(src, errorInfo(errNothing))
	}
	if all.n == 0 {
		return eval.Result{}, nil, nil
	}
	r := all.last
	if err == nil && r.Value != nil {
		all.notes = append(all.notes, elsewhere(src, r.Value.String())...)
	}
	return r, all.notes, nil
}

// An outcome is what a program comes to: the result of its last statement, of n, and the notes of all. The values of
// the others are not kept.
type outcome struct {
	n     int
	last  eval.Result
	notes []string
}

func (o *outcome) add(r eval.Result) {
	o.n++
	o.last = r
	o.notes = append(o.notes, r.Notes...)
}

// few is last for operations on values that have no more leaves than those of the language take.
func (s *Session) few(op, src string) (eval.Result, []string, *ErrorInfo) {
	r, notes, fault := s.last(src)
	if fault != nil || r.Value == nil {
		return r, notes, fault
	}
	if err := eval.Fits(op, r.Value); err != nil {
		return eval.Result{}, nil, whole(err, src)
	}
	return r, notes, nil
}

// attribute reports whether a comment may be an attribute of MLIR: #ttg.blocked<...>.
func attribute(src string) bool {
	src = strings.TrimSpace(src)
	return strings.HasPrefix(src, "#") && !strings.HasPrefix(src, "# ") && strings.Contains(src, "<")
}

// Keep binds the value of the last program to a name, beside the one that let gave it.
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
	_, err := syntax.Parse(src)
	if err == nil {
		return false
	}
	return errorInfo(err).Incomplete || program.Incomplete(src)
}
