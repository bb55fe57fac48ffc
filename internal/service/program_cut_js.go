//go:build !programs && !kernels

package service

import (
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

type programs struct{}

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
