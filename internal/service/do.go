package service

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/report"
)

// MaxRequest is the length of the body of a request, in bytes.
const MaxRequest = 2 * MaxExpr

// DoWithin is [Session.Do] in a session of its own, within the time of a context and the memory of its budget, as
// [Session.Within] says.
func DoWithin(ctx context.Context, name string, body []byte) []byte {
	return (*Pages)(nil).DoWithin(ctx, name, body)
}

// Session returns a new session, whose documents are kept for edits by other sessions of p.
func (p *Pages) Session() *Session { return &Session{pages: p} }

// DoWithin is [DoWithin] in a session of p.
func (p *Pages) DoWithin(ctx context.Context, name string, body []byte) []byte {
	s := p.Session()
	s.Within(ctx, Room{Bytes: MaxAnswer})
	return s.Do(name, body)
}

// Do decodes a request of the named operation, carries out the request and encodes the response. An unknown name, or a
// body that is not a request of the operation, gives a response with an error: {"ok":false,"error":{...}}.
func (s *Session) Do(name string, body []byte) []byte {
	all := operations()
	k := slices.IndexFunc(all, func(op Operation) bool { return op.Programs && op.Name == name })
	switch {
	case k < 0 && inLargerEngine(name):
		return failure(needsPrograms())
	case k < 0:
		return failure(&report.Error{
			Code: string(cute.CodeName), Message: fmt.Sprintf("there is no operation %q", name), Hint: absentHint(name),
		})
	}
	if len(body) > MaxRequest {
		return failure(&report.Error{
			Code:    string(cute.CodeLimit),
			Message: fmt.Sprintf("the request has %d bytes, the limit is %d", len(body), MaxRequest),
		})
	}
	fault := s.hold(len(body) * sourceBytes)
	var request any
	if fault == nil {
		request, fault = all[k].Read(s, Programs, body)
	}
	if fault != nil {
		return failure(fault)
	}
	out, err := json.Marshal(all[k].do.ask(s, request, Programs))
	if err != nil {
		return failure(&report.Error{Code: string(cute.CodeType), Message: err.Error()})
	}
	return out
}

func failure(e *report.Error) []byte {
	out, _ := json.Marshal(struct {
		OK    bool          `json:"ok"`
		Error *report.Error `json:"error"`
	}{false, e}) // strings and numbers always encode
	return out
}

// A TokensRequest asks for the tokens of a source.
type TokensRequest struct {
	Expr string `json:"expr"`
}
