package vectors

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/why/judge"
)

// An answer is girih's answer to an expression: a value, or a refusal.
type answer struct {
	expr  string
	value eval.Value // nil if refused
	notes []string
	err   *cute.Error // nil if answered
}

// codePanic is the code of the answer if girih panics, which must never happen.
const codePanic cute.Code = "panic"

// ask evaluates an expression of the language.
func ask(expr string) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{expr: expr, err: &cute.Error{Code: codePanic, Msg: fmt.Sprint(p)}}
		}
	}()
	r, err := eval.Eval(expr)
	if err == nil {
		return answer{expr: expr, value: r.Value, notes: r.Notes}
	}
	var g *cute.Error
	if !errors.As(err, &g) {
		g = &cute.Error{Code: cute.CodeType, Msg: err.Error()}
	}
	return answer{expr: expr, err: g}
}

// isRefusal reports whether girih has no value for the expression.
func (a answer) isRefusal() bool { return a.err != nil }

// foreign reports whether girih failed to understand the expression or panicked. Neither is a refusal for mathematical
// reasons.
func (a answer) foreign() bool {
	return a.err != nil && (a.err.Code == cute.CodeSyntax || a.err.Code == cute.CodeName || a.isPanic())
}

// isPanic reports whether girih panicked.
func (a answer) isPanic() bool { return a.err != nil && a.err.Code == codePanic }

// lacksType reports whether girih refuses because the operation is not defined for values of this kind.
func (a answer) lacksType() bool { return a.err != nil && a.err.Code == cute.CodeType }

// text returns the canonical text of the value, or the error.
func (a answer) text() string {
	if a.err != nil {
		return a.err.Error()
	}
	return a.value.String()
}

// notesPadding reports whether a note says that the result is padded or rounded up.
func (a answer) notesPadding() bool {
	for _, n := range a.notes {
		if strings.HasPrefix(n, "padded") || strings.Contains(n, "rounded up") {
			return true
		}
	}
	return false
}

// newQuery is judge.NewQuery for an operation under any of its names.
func newQuery(op string, args []string) (judge.Query, bool) {
	if b, ok := eval.Lookup(op); ok {
		op = b.Name
	}
	return judge.NewQuery(op, args)
}
