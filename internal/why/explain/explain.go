package explain

import (
	"fmt"
	"sync"

	"girih/cute"
)

// An explainer adds to x, which has the operation's name, expression, result or failure and notes, the rule, the steps
// and the rest. It leaves x as it is where the operands are of a kind that it does not know, and sets the rule where it
// knows them.
type explainer func(op *Operation, x *Explanation)

// explainers is the table of explainers by the name of the operation, or by the kind of a value that no operation made.
// An operation on values of different kinds has several; the first one that knows the operands explains it, and if none
// does the rule is what the language's table says.
var explainers = sync.OnceValue(func() map[string][]explainer {
	t := make(map[string][]explainer)
	for _, part := range []map[string]explainer{
		mmaExplainers(), tiledExplainers(), functionExplainers(), swizzleExplainers(), xorExplainers(), linearExplainers(),
		matrixExplainers(), // those of special operands first
		evaluationExplainers(), algebraExplainers(), tilingExplainers(), recastExplainers(), questionExplainers(),
		constructionExplainers(), valueExplainers(),
	} {
		for name, f := range part {
			t[name] = append(t[name], f) // in the order of the parts
		}
	}
	return t
})

// Explain takes the operation apart. Every operation has an explanation: at least its rule, and what failed. The steps
// are what the algebra took down on its way to the result, or the numbers that it gives of the operands.
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
		x.Steps = nil // no step is taken with an operand of the wrong kind
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

// say adds a step with its lines of work.
func (x *Explanation) say(text string, lines ...string) *Step {
	x.Steps = append(x.Steps, Step{Say: text, Lines: lines})
	return &x.Steps[len(x.Steps)-1]
}

// sayf adds a step whose sentence is formatted.
func (x *Explanation) sayf(format string, args ...any) *Step {
	return x.say(fmt.Sprintf(format, args...))
}

// show gives a step its lines of work.
func (s *Step) show(lines ...string) *Step {
	s.Lines = lines
	return s
}

// notef adds a note, which is formatted.
func (x *Explanation) notef(format string, args ...any) {
	x.Notes = append(x.Notes, fmt.Sprintf(format, args...))
}

// instead adds something near the request that has a result.
func (x *Explanation) instead(say, expr, result string) {
	x.Instead = append(x.Instead, Alternative{Say: say, Expr: expr, Result: result})
}
