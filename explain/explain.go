package explain

import (
	"maps"
	"sync"

	"girih"
)

// An explainer adds to x, which has the operation's name, expression, result or failure and notes, the rule, the steps and the
// rest. It may leave x as it is where the operands are of a kind that it does not know: the rule then is what the
// language's table says.
type explainer func(op *Operation, x *Explanation)

// explainers is the table of explainers by the name of the operation, or by the kind of a value that no operation made.
var explainers = sync.OnceValue(func() map[string]explainer {
	t := make(map[string]explainer)
	for _, part := range []map[string]explainer{
		evaluationExplainers(),
	} {
		maps.Copy(t, part)
	}
	return t
})

// Explain takes the operation apart. Every operation has an explanation: at least its rule, and what failed.
func Explain(op Operation) Explanation {
	x := Explanation{Op: op.Name, Expr: op.Expr(), Result: op.Result.Text, Notes: op.Notes}
	if op.Err != nil {
		x.Result = ""
		x.Failure = failureOf(op.Err)
	}
	if f, ok := explainers()[op.Name]; ok && !op.symbolic() {
		f(&op, &x)
	}
	if x.Rule == "" {
		x.Rule = op.Doc
	}
	if op.symbolic() {
		explainSymbolic(&op, &x)
	}
	return x
}

// failureOf describes an error of the algebra.
func failureOf(err *girih.Error) *Failure {
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

// instead adds something near the request that has a result.
func (x *Explanation) instead(say, expr, result string) {
	x.Instead = append(x.Instead, Alternative{Say: say, Expr: expr, Result: result})
}
