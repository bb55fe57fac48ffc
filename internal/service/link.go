package service

import (
	"girih/internal/lang/report"
	"girih/internal/picture/link"
	"girih/internal/why/relation"
)

// A LinkRequest asks how the elements of an operation's operands and result correspond.
type LinkRequest struct {
	Expr string `json:"expr" jsonschema:"an expression; its last operation is meant"`
}

// A LinkResponse is the relation of the last operation that a program applied, even if that operation was
// refused. An operation that relates no elements, or more than [link.MaxElements], has no links.
type LinkResponse struct {
	OK bool   `json:"ok"`
	Op string `json:"op,omitempty"`
	// Cuts is set if the second operand has no elements but says how modes are cut, or how large something
	// is.
	Cuts bool `json:"cuts,omitempty"`
	relation.Relation

	Error *report.Error `json:"error,omitempty"` // why there is no operation
}

// Link evaluates the program and relates the operands and the result of its last operation.
func (s *Session) Link(req LinkRequest) LinkResponse {
	d := &drawJob{session: s, req: DrawRequest{Expr: req.Expr}}
	if info := d.evaluate(); info != nil && (d.op == nil || d.op.Err == nil) {
		return LinkResponse{Error: info}
	}
	r := LinkResponse{OK: true}
	if d.op == nil {
		return r
	}
	r.Op, r.Cuts = d.op.Op, link.Cuts(d.op)
	// A failed operation has no relation; evaluating it reports the error.
	if rel, err := link.Relate(d.op); err == nil {
		r.Relation = rel
	}
	return r
}
