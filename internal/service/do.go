package service

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/budget"
	"girih/internal/lang/eval"
)

// MaxRequest is the length of the body of a request, in bytes.
const MaxRequest = 2 * MaxExpr

// Do decodes a request of the operation of this name, carries it out in a session of its own and encodes the response.
// A name that is not known, or a body that is not the request of it, gives a response with an error:
// {"ok":false,"error":{...}}.
func Do(name string, body []byte) []byte { return new(Session).do(name, body) }

// DoWithin is [Do] within the time of a context, and the memory of its budget, as [Session.Within] says.
func DoWithin(ctx context.Context, name string, body []byte) []byte {
	s := new(Session)
	s.Within(ctx, Room{Bytes: MaxAnswer})
	return s.do(name, body)
}

func (s *Session) do(name string, body []byte) []byte {
	all := operations()
	k := slices.IndexFunc(all, func(op Operation) bool { return op.Programs && op.Name == name })
	if k < 0 {
		return failed(&ErrorInfo{Code: string(cute.CodeName), Message: fmt.Sprintf("there is no operation %q", name)})
	}
	if len(body) > MaxRequest {
		return failed(&ErrorInfo{
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
		return failed(fault)
	}
	out, err := json.Marshal(all[k].do.ask(s, request, Programs))
	if err != nil {
		return failed(&ErrorInfo{Code: string(cute.CodeType), Message: err.Error()})
	}
	return out
}

// MaxMemory is what the values and results of a request take at most, in bytes, where its context has no budget of its
// own.
const MaxMemory = 256 << 20

// sourceBytes is what a byte of a request takes until it is a tree.
const sourceBytes = 48

// MaxAnswer is the length of an answer to a program, in bytes.
const MaxAnswer = 16 << 20

// MaxAlone limits the values and results of an operation on the command line, in bytes.
const MaxAlone = 4 << 30

// A Room limits an answer.
type Room struct {
	Bytes int    // of text
	Hint  string // what makes it smaller
}

// Alone lets operations keep [MaxAlone] bytes, from now on and in all, for as long as their user likes.
func (s *Session) Alone() {
	s.budget = budget.New(context.Background(), MaxAlone)
	s.stop = func() error { return limitError(s.budget.Stop()) }
	s.bound(&s.env)
}

// Within lets operations go on within the time of a context, and within the budget that it has; it gets one of
// [MaxMemory] bytes where it has none. When that is used up, what goes on ends at its next step with an error of code
// "limit", and so does what writes a text of more bytes than there is room for.
func (s *Session) Within(ctx context.Context, room Room) {
	s.room, s.wrote = room, 0
	b := budget.From(ctx)
	if b == nil {
		b = budget.New(ctx, MaxMemory)
	}
	s.budget = b
	s.stop = func() error { return limitError(b.Stop()) }
	s.bound(&s.env)
}

// bound lets an evaluation draw on the budget of the session.
func (s *Session) bound(e *eval.Env) {
	if s.budget != nil {
		e.Limit(s.budget.Stop)
		e.Keep(s.budget.Hold)
	}
}

// limitError returns the end of a budget as an error of the algebra.
func limitError(err error) error {
	if err == nil {
		return nil
	}
	return &cute.Error{Code: cute.CodeLimit, Msg: err.Error()}
}

// writes counts the bytes of a text of the answer. It returns an error if there is no room for them.
func (s *Session) writes(bytes int) *ErrorInfo {
	if s.wrote += bytes; s.room.Bytes > 0 && s.wrote > s.room.Bytes {
		return errorInfo(&cute.Error{
			Code: cute.CodeLimit, Msg: fmt.Sprintf("expected an answer of at most %d bytes, found a longer one", s.room.Bytes),
			Hint: s.room.Hint,
		})
	}
	return s.hold(bytes)
}

// hold takes bytes from the budget of the session.
func (s *Session) hold(bytes int) *ErrorInfo {
	if err := limitError(s.budget.Hold(int64(bytes))); err != nil {
		return errorInfo(err)
	}
	return nil
}

// stopped returns the error that the time of the session is over, nil while it is not. Operations of many steps ask
// between them.
func (s *Session) stopped() *ErrorInfo {
	if s.stop == nil {
		return nil
	}
	if err := s.stop(); err != nil {
		return errorInfo(err)
	}
	return nil
}

func failed(e *ErrorInfo) []byte {
	out, _ := json.Marshal(struct {
		OK    bool       `json:"ok"`
		Error *ErrorInfo `json:"error"`
	}{false, e}) // strings and numbers always encode
	return out
}

// A TokensRequest asks for the tokens of a source.
type TokensRequest struct {
	Expr string `json:"expr"`
}
