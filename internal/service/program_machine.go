//go:build !js || programs || kernels

package service

import (
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// programs are the values that programs have bound, by name.
type programs interp.Globals

// machine returns the machine that runs programs in the session.
func (s *Session) machine(emit func(text string) error) interp.Machine {
	if s.programs == nil {
		s.programs = make(programs)
	}
	return interp.Machine{
		Env: &s.env, Globals: interp.Globals(s.programs), Paste: s.paste(), Emit: emit,
		Stopped: s.timeUp, Hold: s.hold, Room: s.room.Bytes,
		Keep: func(v eval.Value) { s.kept = v },
		Layout: func(expr string) (string, *report.Error) {
			g := s.Grid(GridRequest{Expr: expr})
			return g.Text, g.Error
		},
		LaTeX: func(expr string) (string, *report.Error) {
			d := s.Draw(DrawRequest{Expr: expr, Format: "tex"})
			return d.Text, d.Error
		},
	}
}

// lastOfProgram runs a program for its last value: every operation takes statements before its expression, as
// auto a = make_layout(4, 2); a. What the program prints is not shown. ok is false if the text is no program.
func (s *Session) lastOfProgram(src string) (last eval.Result, notes []string, fault *report.Error, ok bool) {
	if !interp.HasStatements(src) {
		return last, nil, nil, false
	}
	m := s.machine(func(string) error { return nil })
	m.Watch = func(w interp.Watched) { last = w.Result }
	r := m.Run(src, program.Detect(src))
	if r.Error != nil && r.Source != src {
		r.Error.Pos, r.Error.End = 0, 0
	}
	return last, r.Notes, r.Error, true
}

// IsProgram reports whether a source has statements that [Session.Eval] does not take, or calls a function of an
// earlier program.
func (s *Session) IsProgram(src string) bool {
	return interp.IsProgram(src, interp.Globals(s.programs))
}

// forgetGlobals drops the values that programs gave to names that let has bound since.
func (s *Session) forgetGlobals(src string) {
	if len(s.programs) == 0 || !strings.Contains(src, "let ") {
		return
	}
	for name := range s.programs {
		if strings.Contains(src, name) {
			delete(s.programs, name)
		}
	}
}

// isProgram reports whether src has statements that are no expressions.
func isProgram(src string) bool { return interp.HasStatements(src) }

// isUnfinished reports whether src is the beginning of a program: a block of Python before its empty line.
func isUnfinished(src string) bool { return program.Incomplete(src) }
