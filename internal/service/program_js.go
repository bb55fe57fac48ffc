//go:build !programs

package service

import "girih/internal/lang/report"

// A page loads three engines. The first is without the languages of programs and without diagnoses: it answers what
// needs them with an error of the code larger_engine, and the page asks the second one, which is built with the tag
// programs. The third, with the tag kernels, runs kernels, and is without documents and diagnoses too.

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
