package service

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/internal/budget"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// This file limits the memory, the time and the answer length of operations.

// MaxMemory limits the values and results of a request, in bytes, if its context has no budget.
const MaxMemory = 256 << 20

// sourceBytes is the memory, in bytes, that parsing needs for each byte of a request.
const sourceBytes = 48

// MaxAnswer is the length of an answer to a program, in bytes.
const MaxAnswer = 16 << 20

// MaxAlone limits the values and results of an operation on the command line, in bytes.
const MaxAlone = 4 << 30

// A Room limits an answer.
type Room struct {
	Bytes int    // the most bytes of text
	Hint  string // what makes the text shorter
}

// Alone lets operations keep [MaxAlone] bytes in total from now on, without a time limit.
func (s *Session) Alone() { s.AloneUntil(context.Background()) }

// AloneUntil is [Session.Alone] until a context is done: then an operation ends at its next step.
func (s *Session) AloneUntil(ctx context.Context) {
	s.budget, s.pasted = budget.New(ctx, MaxAlone), nil
	s.stop = func() error { return limitError(s.budget.Stop()) }
	s.limitEnv(&s.env)
}

// Within limits operations to the time of a context and to the context's budget, or else to a budget of [MaxMemory]
// bytes. When either is used up, an operation ends at its next step with an error of code "limit". So does an operation
// that writes a text longer than room bytes.
func (s *Session) Within(ctx context.Context, room Room) {
	s.room, s.wrote, s.pasted = room, 0, nil
	b := budget.From(ctx)
	if b == nil {
		b = budget.New(ctx, MaxMemory)
	}
	s.budget = b
	s.stop = func() error { return limitError(b.Stop()) }
	s.limitEnv(&s.env)
}

// limitEnv lets an evaluation draw on the budget of the session.
func (s *Session) limitEnv(e *eval.Env) {
	if s.budget != nil {
		e.Limit(s.budget.Stop)
		e.Keep(s.budget.Hold)
	}
}

// limitError returns an exhausted budget as an error of the algebra.
func limitError(err error) error {
	if err == nil {
		return nil
	}
	return &cute.Error{Code: cute.CodeLimit, Msg: err.Error()}
}

// writes counts the bytes of a text of the answer. It returns an error if the answer has no room for them.
func (s *Session) writes(bytes int) *report.Error {
	if s.wrote += bytes; s.room.Bytes > 0 && s.wrote > s.room.Bytes {
		return report.Of(&cute.Error{
			Code: cute.CodeLimit, Msg: fmt.Sprintf("expected an answer of at most %d bytes, found a longer one", s.room.Bytes),
			Hint: s.room.Hint,
		})
	}
	return s.hold(bytes)
}

// hold takes bytes from the budget of the session.
func (s *Session) hold(bytes int) *report.Error {
	if err := limitError(s.budget.Hold(int64(bytes))); err != nil {
		return report.Of(err)
	}
	return nil
}

// timeUp returns an error if the session's time is over, else nil. Operations of many steps call timeUp between
// steps.
func (s *Session) timeUp() *report.Error {
	if s.stop == nil {
		return nil
	}
	if err := s.stop(); err != nil {
		return report.Of(err)
	}
	return nil
}
