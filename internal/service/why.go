//go:build !js || programs

package service

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"girih/cute"
	"girih/internal/lang/report"
	"girih/internal/why/diagnose"
)

// MaxWhy limits the text that [Why] accepts, in bytes.
const MaxWhy = diagnose.MaxText

// maxExplained limits the findings whose operation is explained step by step.
const maxExplained = 8

// whyOperation is the row of the diagnosis of pasted errors.
func whyOperation() Operation {
	return Operation{
		Name: "why", Doc: "Say what failed in a pasted compiler error, exception or dump, and what works", Programs: true,
		Tool: &ToolDoc{
			Title:   "Diagnose a pasted error",
			Brief:   "what failed in a pasted compiler error (CuTe), exception (CuTe DSL, pycute, Triton, TileLang) or dump, with tried repairs.",
			Smaller: "paste from the first error to the end of its backtrace",
			Doc: "What failed in a pasted compiler error (nvcc, gcc or clang with CuTe), exception (CuTe DSL, pycute, " +
				"Triton, TileLang) or dump (TMA descriptor): the operation, its operands, the numbers that do not go together, " +
				"and repairs that were evaluated.",
		},
		Command: &Command{
			Use:   "why [FILE | TEXT | -]",
			Width: 80,
			Flags: []Flag{
				{Field: "steps", Usage: "explain each operation step by step, as girih explain does"},
			},
			Long: `Find the failures in a text and say of each: the operation and its operands, where
it is checked and which of your lines leads there, the two modes or numbers that
do not go together, the condition with the numbers that violate it, what girih
finds of the operation, and repairs. A repair with an expression was evaluated.

Reads CuTe errors of nvcc, gcc and clang with their backtraces, the
diagnostics and exceptions of the CuTe DSL, tracebacks of pycute and PyCuTe,
assertions of Triton and TileLang, dumps of TMA descriptors, what ptxas says of wgmma
and of shared memory, and compute-sanitizer's accesses. A message that states its own
rule, such as "N must be a multiple of 128, got 300" or "a % b == 0", is checked
whoever printed it: which value breaks the rule, by how much, and the nearest values
that keep it. What a text does not say is listed as missing, with where to get it.
Without an error, lists the layouts and what looks unintended: several indices with
one offset, offsets beyond 32 bits, gaps.

The text comes from the file, from the argument itself if it names no file, or from
the standard input; it may have 16 MB. The exit status is 0 if a failure was found,
1 if none was, and 2 for wrong usage.`,
			Example: `  nvcc -std=c++17 gemm.cu 2>&1 | girih why
  girih why build.log
  girih why 'ValueError: Shape divisibility condition violated: composition((6,2):(1,7), 3:2)'
  girih why --steps build.log
  girih why --json - <build.log`,
		},
		Form: &Form{Examples: []any{
			WhyRequest{Text: "ValueError: Shape divisibility condition violated: composition((6,2):(1,7), 3:2)"},
		}},
		do: method[WhyRequest, WhyResponse]{
			do: (*Session).Why,
			said: func(q WhyRequest, r WhyResponse, _ Door) Answer {
				read := r
				if !q.Steps {
					read = r.Brief()
				}
				text := func() string { return read.Text(WideText) }
				return Answer{OK: r.OK, Text: text, Error: r.Error, Shown: TextFirst} // the layouts of a text without a failure
			},
		}.caller(),
	}
}

// A WhyRequest asks what went wrong in a pasted compiler error, exception or dump.
type WhyRequest struct {
	Text string `json:"text" jsonschema:"what was printed, from the first error on" brief:"-"`

	Steps bool `json:"steps,omitempty" http:"-" tool:"-"` // explain each operation step by step
}

// A WhyResponse lists the failures in the text, in order. OK is set if there is a failure. For a text without a
// failure it lists the layouts with what looks unintended, and an error of code "syntax" says that nothing failed.
type WhyResponse struct {
	OK       bool         `json:"ok"`                 // there is an answer
	Findings []WhyFinding `json:"findings,omitempty"` // the failures, in the order of the text
	// further error messages, which mostly follow from the findings
	Follows int               `json:"follows,omitempty"`
	Passed  []string          `json:"passed,omitempty"`  // some of those messages
	Layouts []diagnose.Layout `json:"layouts,omitempty"` // the layouts of a text without a failure
	Error   *report.Error     `json:"error,omitempty"`   // why there is no answer
}

// A WhyFinding is a finding, and its line in the text, counted from 1.
type WhyFinding struct {
	diagnose.Finding
	Line int `json:"line"` // the line of the message in the text, from 1
}

// Why says what went wrong. A text above [MaxWhy] bytes, or one that is not text, gives an error of code "limit" or
// "syntax". The text does not see names that let has bound in the session.
func (s *Session) Why(req WhyRequest) WhyResponse {
	if why := notText(req.Text); why != "" {
		return WhyResponse{Error: &report.Error{Code: string(cute.CodeSyntax), Message: why, Pos: -1, Hint: whyHint}}
	}
	r, err := diagnose.Read(req.Text, s.stop)
	if fault := s.timeUp(); fault != nil {
		return WhyResponse{Error: fault}
	}
	if err != nil {
		return WhyResponse{Error: &report.Error{
			Code: string(cute.CodeLimit), Message: err.Error(), Pos: -1,
			Hint: "the first error of a build says why; paste from there to the end of its backtrace",
		}}
	}
	resp := WhyResponse{OK: len(r.Findings) > 0, Follows: r.Follows, Passed: r.Passed, Layouts: r.Layouts}
	at := placer{text: req.Text, line: 1}
	for i, f := range r.Findings {
		if f.Expr != "" && i < maxExplained {
			if x := s.fresh().Explain(ExplainRequest{Expr: f.Expr, Top: true}); len(x.Explanations) > 0 {
				f.Explanation = &x.Explanations[0]
				learn(&f)
			}
		}
		resp.Findings = append(resp.Findings, WhyFinding{Finding: f, Line: at.place(f.Start, f.End).Line})
	}
	if !resp.OK {
		resp.Error = &report.Error{Code: string(cute.CodeSyntax), Message: noFailure(r), Pos: -1, Hint: whyHint}
	}
	return resp
}

// learn takes from the explanation what the message does not say: which condition fails, and what works instead. A
// tool may check a different condition, so nothing that came from the message itself is replaced.
func learn(f *diagnose.Finding) {
	x := f.Explanation
	if x.Failure == nil {
		return
	}
	if f.Condition == "" {
		f.Condition, f.Pair = x.Failure.Condition, x.Failure.Pair
	}
	if len(f.Repairs) > 0 {
		return
	}
	for _, a := range x.Instead {
		if a.Expr != "" {
			f.Repairs = append(f.Repairs, a)
		}
	}
}

const whyHint = "why reads errors of nvcc, gcc and clang about CuTe, diagnostics and exceptions of the CuTe DSL, " +
	"tracebacks of pycute, " +
	"assertions of Triton and TileLang, dumps of TMA descriptors, ptxas and compute-sanitizer; paste from the first error to the end of its " +
	"backtrace"

// noFailure says that a text has no failure, and what the text contains.
func noFailure(r diagnose.Report) string {
	switch n := len(r.Layouts); n {
	case 0:
		return "found no error message and no layout"
	case 1:
		return "found no error message, and one layout"
	default:
		return fmt.Sprintf("found no error message, and %d layouts", n)
	}
}

// notText says why the input is no text, or "".
func notText(text string) string {
	head := text[:min(len(text), 4096)]
	bad := 0
	for _, r := range head {
		if r == utf8.RuneError || r == 0 {
			bad++
		}
	}
	switch {
	case strings.TrimSpace(head) == "" && strings.TrimSpace(text) == "":
		return "the text is empty"
	case strings.HasPrefix(text, "\x7fELF"), strings.HasPrefix(text, "\x89PNG"):
		return "this is a binary file, expected the text of an error"
	case bad*10 > len(head):
		return fmt.Sprintf("this is no text: %d of the first %d bytes are not UTF-8", bad, len(head))
	}
	return ""
}
