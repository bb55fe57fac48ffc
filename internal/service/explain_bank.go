package service

import (
	"girih/atom"
	"girih/banks"
	"girih/internal/lang/report"
	"girih/internal/why/explain"
)

// ExplainBank evaluates the program of the request and explains what shared memory does with each access to the layout
// that is the program's value: one explanation for each access, in order.
func (s *Session) ExplainBank(req BankRequest) (ExplainResponse, Fault) {
	if len(req.Accesses) == 0 {
		return ExplainResponse{Error: usage("expected at least one access, found none")}, Fault{Usage: true}
	}
	j, fault, info := s.accessJob(req)
	if info != nil {
		return ExplainResponse{Error: info}, fault
	}
	r := ExplainResponse{OK: true, Value: j.memory.String(), Notes: j.notes}
	for i, text := range j.names {
		access, err := banks.ParseAccess(text, j.typ.Bits())
		if err != nil {
			return ExplainResponse{Error: report.Of(err)}, Fault{Usage: true}
		}
		rule, err := j.target.Rule(access)
		if err != nil {
			return ExplainResponse{Error: report.Of(err)}, Fault{Usage: true}
		}
		plan, err := banks.NewPlan(rule, j.memory, j.typ.Bits(), j.threads[i].Threads)
		if err != nil {
			return ExplainResponse{Error: j.inExpr(err)}, Fault{In: req.Expr}
		}
		x, err := explain.Bank(j.memory, j.typ.Bits(), plan)
		if err != nil {
			return ExplainResponse{Error: j.inExpr(err)}, Fault{In: req.Expr}
		}
		r.Explanations = append(r.Explanations, x)
	}
	return r, Fault{}
}

// ExplainCopy explains why the named copy operation fits the operand of the request, or does not fit.
func (s *Session) ExplainCopy(req CopiesRequest, name string) (ExplainResponse, Fault) {
	ask, _, fault, info := s.copyRequest(req)
	if info != nil {
		return ExplainResponse{Error: info}, fault
	}
	c, err := atom.FindCopy(name)
	if err != nil {
		return ExplainResponse{Error: report.Of(err)}, Fault{Usage: true}
	}
	x, err := explain.CopyFit(c, ask)
	if err != nil {
		return ExplainResponse{Error: report.Of(err)}, Fault{}
	}
	return ExplainResponse{OK: true, Explanations: []explain.Explanation{x}}, Fault{}
}
