//go:build !js || kernels

package service

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/internal/budget"
	"girih/internal/lang/report"
	"girih/internal/machine/litmus"
)

// litmusOperation is the row of litmus tests of the memory model of PTX.
func litmusOperation() Operation {
	return Operation{
		Name: "litmus", Doc: "Decide litmus tests by the memory consistency model of PTX",
		Tool: &ToolDoc{
			Title:   "Decide a litmus test of PTX",
			Brief:   "decides a litmus test by PTX's memory model: an execution as witness, or the axiom and the cycle that forbid it.",
			Smaller: "fewer threads",
			Doc: "Enumerates the executions of a few threads that PTX allows: reads-from, coherence, order of fence.sc. " +
				"Example: PTX MP { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ; st.weak x, 1 | ld.acquire.gpu r0, y ; " +
				`st.release.gpu y, 1 | ld.weak r1, x ; ~exists (P1:r0 == 1 /\ P1:r1 == 0).`,
		},
		Command: &Command{
			Use: "litmus FILE...",
			Flags: []Flag{
				{Field: "rounds", Default: "2", Usage: "how `OFTEN` a thread passes a loop in rounds that change something"},
				{Field: "ends", Usage: "ask instead whether every fair execution ends"},
				{Field: "races", Usage: "ask instead whether an execution has a data race"},
			},
			Width: 80,
			Long:  litmusHelp,
			Example: `  girih litmus mp.litmus
  girih litmus --json tests/*.litmus
  girih litmus --ends spinlock.litmus`,
		},
		Form: &Form{Examples: []any{LitmusRequest{Test: formLitmus, Rounds: 2}}},
		do: method[LitmusRequest, LitmusResponse]{
			do: (*Session).Litmus,
			said: func(q LitmusRequest, r LitmusResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Error: r.Error}
				if r.Error == nil {
					a.Failed, a.OK, a.Text = !r.OK, true, func() string { return r.Text(q.File) }
				}
				return a
			},
			assumed: func(q *LitmusRequest) {
				if q.Rounds == 0 {
					q.Rounds = defaultRounds
				}
			},
		}.caller(),
	}
}

const litmusHelp = `Decide litmus tests by the memory consistency model of PTX (chapter 8 of the PTX ISA;
docs/memory-model.md has its rows). FILE has one test in columns, as herd and Dat3M
have it, or tests in the format of NVlabs' mixedproxy:

  PTX MP
  { x=0; y=0; }
   P0@cta 0,gpu 0        | P1@cta 0,gpu 0       ;
   st.weak x, 1          | ld.acquire.gpu r0, y ;
   st.release.gpu y, 1   | ld.weak r1, x        ;
  ~exists (P1:r0 == 1 /\ P1:r1 == 0)

All executions that the model allows are enumerated. The answer is an execution as a
witness, or the axiom and the cycle of edges that forbid the condition. The exit status
is 1 if a condition does not hold, or is not known: then a loop was left after --rounds.
Loops that wait without writing need no bound. --ends asks whether each execution ends,
if every thread goes on and every write is seen by all at last. --races asks whether an
execution has a data race: a conflict that is neither morally strong nor ordered.`

const (
	defaultRounds = 2
	maxRounds     = 16
	maxStates     = 1 << 22 // the most states for one question
)

// MaxLitmus is the length of the longest file, in bytes.
const MaxLitmus = 1 << 16

// A LitmusRequest asks about the tests of a file.
type LitmusRequest struct {
	Test   string `json:"test" jsonschema:"a litmus test of PTX, in columns as herd's or as NVlabs' mixedproxy" brief:"a litmus test, in columns as herd's"`
	Rounds int    `json:"rounds,omitempty" jsonschema:"rounds of loops that change something; 2 if 0" brief:"-"`
	Ends   bool   `json:"ends,omitempty" jsonschema:"ask whether every fair execution ends" brief:"-"`
	Races  bool   `json:"races,omitempty" jsonschema:"ask whether an execution has a data race" brief:"-"`
	// File is the name of the file.
	File string `json:"-"`
}

// A LitmusResponse has what was found out.
type LitmusResponse struct {
	OK    bool          `json:"ok"` // all conditions hold
	Tests []LitmusTest  `json:"tests,omitempty"`
	Fault Fault         `json:"-"`
	Error *report.Error `json:"error,omitempty"`
}

// A LitmusTest is a test with the answers to its questions.
type LitmusTest struct {
	Name string          `json:"name,omitempty"`
	Asks []litmus.Answer `json:"asks"`
}

// Litmus answers the questions of a text.
func (s *Session) Litmus(q LitmusRequest) LitmusResponse {
	if q.Rounds < 1 || q.Rounds > maxRounds {
		return LitmusResponse{Error: usage("expected 1 to %d rounds, found %d", maxRounds, q.Rounds), Fault: Fault{Usage: true}}
	}
	tests, err := litmus.Parse(q.Test)
	r := LitmusResponse{OK: true}
	for i := 0; i < len(tests) && err == nil; i++ {
		t := LitmusTest{Name: tests[i].Name}
		t.Asks, err = s.litmusAsks(tests[i], q)
		for _, a := range t.Asks {
			r.OK = r.OK && a.Verdict == litmus.Holds
		}
		r.Tests = append(r.Tests, t)
	}
	if err != nil {
		return LitmusResponse{Error: litmusError(err, q.File)}
	}
	return r
}

// litmusAsks answers the questions of a test.
func (s *Session) litmusAsks(t *litmus.Test, q LitmusRequest) (list []litmus.Answer, err error) {
	limits := litmus.Limits{Rounds: q.Rounds, States: maxStates, Stop: s.budget.Stop}
	if q.Ends || q.Races {
		ask := litmus.Races
		if q.Ends {
			ask = litmus.Terminates
		}
		a, err := ask(t, limits)
		return []litmus.Answer{a}, err
	}
	for _, ask := range t.Asks {
		a, err := litmus.Run(t, ask, limits)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// litmusError describes why there is no answer.
func litmusError(err error, file string) *report.Error {
	message := err.Error()
	if file != "" {
		message = fmt.Sprintf("%s: %s", file, message)
	}
	info := &report.Error{Code: string(cute.CodeSyntax), Message: report.Brief(message)}
	if e, ok := errors.AsType[*litmus.Error](err); ok {
		info.Code = string(e.Code)
	}
	if over, ok := errors.AsType[*budget.Over](err); ok {
		info.Code, info.Message = string(cute.CodeLimit), over.Why
	}
	return info
}
