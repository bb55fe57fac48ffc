//go:build js && !programs

package service

import (
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// A page loads two engines. This is the first, without the languages of programs and without diagnoses: it answers what
// needs them with an error of the code larger_engine, and the page asks the second one, which is built with the tag
// programs.

type programs struct{}

// Pages keeps nothing: the larger engine runs documents.
type Pages struct{}

// needsPrograms is the error that the page reads.
func needsPrograms() *report.Error {
	return &report.Error{Code: "larger_engine", Message: "this needs the larger engine"}
}

func runOperation() Operation { return Operation{} }

func whyOperation() Operation { return Operation{} }

func pageOperation() Operation { return Operation{} }

// inLargerEngine reports that the larger engine may have an operation that this one lacks.
func inLargerEngine(string) bool { return true }

// lastOfProgram asks for the larger engine if src may have statements.
func (s *Session) lastOfProgram(src string) (eval.Result, []string, *report.Error, bool) {
	if !strings.ContainsAny(src, "=;\n") {
		return eval.Result{}, nil, nil, false
	}
	return eval.Result{}, nil, needsPrograms(), true
}

func (s *Session) forgetGlobals(string) {}

func isProgram(string) bool { return false }

func isUnfinished(string) bool { return false }
