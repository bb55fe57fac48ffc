package explain

import (
	"fmt"
	"sync"

	"girih/cute"
)

// An explainer adds the rule, the steps and the other parts to x. The operation's name, expression, result or failure,
// and notes are already in x. An explainer that does not know the kinds of the operands leaves x unchanged; otherwise
// it sets the rule.
type explainer func(op *Operation, x *Explanation)

// explainers maps the name of an operation, or the kind of a value that no operation made, to its explainers. An
// operation on values of different kinds has several explainers: the first that knows the operands explains the
// operation. If no explainer knows them, the rule is the text in the language's table.
var explainers = sync.OnceValue(func() map[string][]explainer {
	t := make(map[string][]explainer)
	for _, part := range []map[string]explainer{
		mmaExplainers(), tiledExplainers(), functionExplainers(), swizzleExplainers(), xorExplainers(), linearExplainers(),
		matrixExplainers(), // explainers of special operands come first
		evaluationExplainers(), algebraExplainers(), tilingExplainers(), recastExplainers(), questionExplainers(),
		constructionExplainers(), valueExplainers(),
	} {
		for name, f := range part {
			t[name] = append(t[name], f) // in the order of the parts
		}
	}
	return t
})

// Explain explains an operation. Every explanation contains the rule, and the failure if the operation failed. The
// steps are recorded by the algebra, or computed from the operands.
func Explain(op Operation) Explanation {
	x := Explanation{Op: op.Name, Expr: op.Expr(), Result: op.Result.Text, Notes: op.Notes}
	if op.Err != nil {
		x.Result = ""
		x.Failure = failureOf(op.Err)
	}
	if !op.Symbolic() {
		for _, f := range explainers()[op.Name] {
			if f(&op, &x); x.Rule != "" {
				break
			}
		}
	}
	if x.Rule == "" {
		x.Rule = op.Doc
	}
	if op.Err != nil && op.Err.Code == cute.CodeType {
		x.Steps = nil // no step is possible with an operand of the wrong kind
	}
	if op.Err != nil && len(x.Instead) == 0 {
		x.Failure.Hint = op.Err.Hint
	}
	if op.Symbolic() {
		explainSymbolic(&op, &x)
	}
	return x
}

// failureOf describes an error of the algebra.
func failureOf(err *cute.Error) *Failure {
	f := &Failure{Code: string(err.Code), Condition: err.Msg, Index: -1, Message: err.Error()}
	if w := err.Witness; w != nil {
		f.Index = w.Index
		f.Coord = w.Coord.String()
	}
	return f
}

// say adds a step: a sentence and its lines of work.
//
//go:noinline
func (x *Explanation) say(text string, lines ...string) *Step {
	x.Steps = append(x.Steps, Step{Say: text, Lines: lines})
	return &x.Steps[len(x.Steps)-1]
}

// sayf adds a step with a formatted sentence.
func (x *Explanation) sayf(format string, args ...any) *Step {
	return x.say(fmt.Sprintf(format, args...))
}

// show sets the lines of work of a step.
func (s *Step) show(lines ...string) *Step {
	s.Lines = lines
	return s
}

// notef adds a formatted note.
//
//go:noinline
func (x *Explanation) notef(format string, args ...any) {
	x.Notes = append(x.Notes, fmt.Sprintf(format, args...))
}

// instead adds a similar request that has a result.
//
//go:noinline
func (x *Explanation) instead(say, expr, result string) {
	x.Instead = append(x.Instead, Alternative{Say: say, Expr: expr, Result: result})
}
