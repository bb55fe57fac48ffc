//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/report"
)

// This file states what can be asserted of a layout, in a comment of a source or in girih.toml. An assertion is
// evaluated by the operation that answers the same question on the command line, so both give one answer.

// An AssertionRow is one thing that can be asserted.
type AssertionRow struct {
	Name string // the first word
	Use  string // the words after it
	Says string // what has to hold
	// Layout and Words are an example that holds.
	Layout, Words string

	ask func(s *Session, a assertion) verdictOn
}

// AssertionRows returns everything that can be asserted, in the order of the documentation.
func AssertionRows() []AssertionRow {
	const swizzled = "Sw<3,3,3> o 0 o (8,64):(64,1)"
	return []AssertionRow{
		{
			Name: "conflict-free", Use: "TYPE ACCESS [by THREADS] [on TARGET]",
			Says:   "no instruction of the access has a bank conflict, as girih bank counts them",
			Layout: swizzled, Words: "conflict-free f16 ldmatrix.x4", ask: assertConflictFree,
		},
		{
			Name: "at-most", Use: "N-way TYPE ACCESS [by THREADS] [on TARGET]",
			Says:   "no conflict of the access is more than N-way",
			Layout: "(32,32):(34,1)", Words: "at-most 2-way f32 ld by rows", ask: assertAtMost,
		},
		{
			Name: "coalesced", Use: "TYPE ACCESS [by THREADS] [on TARGET]",
			Says:   "no request to global memory moves more sectors than its bytes need, as girih global counts them",
			Layout: "(64,64):(1,64)", Words: "coalesced f32 ld.v4", ask: assertCoalesced,
		},
		{
			Name: "legal", Use: "INSTRUCTION OPERAND TYPE",
			Says:   "the instruction, wgmma, tcgen05 or one by its name, reads operand A or B from the layout, as girih descriptor says",
			Layout: "Sw<3,3,3> o 0 o (64,64):(64,1)", Words: "legal wgmma B f16", ask: assertLegal,
		},
		{
			Name: "equals", Use: "EXPR",
			Says:   "the layout is the same function as EXPR, as girih compare says",
			Layout: "((2,2),2):((1,2),4)", Words: "equals 8:1", ask: assertEquals,
		},
		{
			Name: "holds", Use: "EXPR",
			Says:   "EXPR is true, with the layout as the name layout",
			Layout: "(8,64):(64,1)", Words: "holds is_injective(layout)", ask: assertHolds,
		},
		{
			Name: "golden", Use: "[NAME]",
			Says:   "the layout has not changed since --update recorded it in the baseline",
			Layout: "(8,64):(64,1)", Words: "golden tile", ask: assertGolden,
		},
	}
}

// The rules of findings about assertions, besides the names of the rows.
const (
	ruleAssertion = "assertion" // words that assert nothing
	ruleUnknown   = "undecided" // an assertion about a layout that cannot be evaluated
)

// An assertion is one claim about a layout.
type assertion struct {
	layout string   // a program whose value it is
	words  []string // after the name
	rest   string   // the same as one text
}

// A verdictOn is the answer to an assertion.
type verdictOn struct {
	ok      bool
	message string // why it does not hold
	witness string
	hint    string
	value   string        // what a baseline keeps
	refused *report.Error // why there is no answer
}

// judge evaluates an assertion in words on a layout. name is the row's, or the rule of the error.
func (s *Session) judge(layout, words string) (name string, v verdictOn) {
	row, info := assertionNamed(words)
	if info != nil {
		return ruleAssertion, verdictOn{refused: info}
	}
	rest := strings.TrimSpace(strings.TrimSpace(words)[len(row.Name):])
	v = row.ask(s, assertion{layout: layout, words: strings.Fields(rest), rest: rest})
	if v.refused != nil && v.refused.Hint == "" {
		v.refused.Hint = strings.TrimSpace("the form is " + row.Name + " " + row.Use)
	}
	return row.Name, v
}

// assertionNamed returns the row of an assertion in words.
func assertionNamed(words string) (row AssertionRow, info *report.Error) {
	first, _, _ := strings.Cut(strings.TrimSpace(words), " ")
	var names []string
	for _, r := range AssertionRows() {
		if r.Name == first {
			return r, nil
		}
		names = append(names, r.Name)
	}
	info = usage("expected an assertion: %s; found %.60q", strings.Join(names, ", "), words)
	if near := Nearest(first, names); near != "" {
		info.Hint = "perhaps " + near
	}
	return row, info
}

// access reads TYPE ACCESS [by THREADS] [on TARGET].
func (a assertion) access() (BankRequest, *report.Error) {
	q := BankRequest{Expr: a.layout}
	if len(a.words) < 2 {
		return q, usage("expected a type and an access, found %q", a.rest)
	}
	q.Type, q.Accesses = a.words[0], a.words[1:2]
	rest := a.words[2:]
	if n := len(rest); n >= 2 && rest[n-2] == "on" {
		q.Target, rest = rest[n-1], rest[:n-2]
	}
	switch {
	case len(rest) > 1 && rest[0] == "by":
		q.Threads = []string{strings.Join(rest[1:], " ")}
	case len(rest) > 0:
		return q, usage("expected by THREADS or on TARGET, found %q", strings.Join(rest, " "))
	}
	return q, nil
}

func assertConflictFree(s *Session, a assertion) verdictOn { return s.conflicts(a, 1) }

func assertAtMost(s *Session, a assertion) verdictOn {
	most := 0
	if len(a.words) > 0 {
		if n, err := fmt.Sscanf(a.words[0], "%d-way", &most); n != 1 || err != nil || most < 1 {
			return verdictOn{refused: usage("expected the most that is allowed, such as 2-way, found %q", a.words[0])}
		}
		a.words = a.words[1:]
	}
	return s.conflicts(a, most)
}

// conflicts asks for the bank conflicts of an access; a degree above most fails.
func (s *Session) conflicts(a assertion, most int) verdictOn {
	q, info := a.access()
	if info != nil {
		return verdictOn{refused: info}
	}
	r := s.Bank(q)
	if r.Error != nil {
		return verdictOn{refused: r.Error}
	}
	x := slices.MaxFunc(r.Accesses, func(a, b BankAccess) int { return a.Degree - b.Degree })
	v := verdictOn{ok: r.Degree <= most, value: verdict(r.Degree) + ", " + plural(x.Wavefronts, "wavefront")}
	if v.ok {
		return v
	}
	v.message = fmt.Sprintf("%s of %s is %s: %s instead of %d in %s", x.Access, r.Type, verdict(x.Degree),
		plural(x.Wavefronts, "wavefront"), x.Ideal, plural(x.Warps*x.Instructions, "instruction"))
	var b strings.Builder
	x.text(&b, 0, r.pass(), "girih bank shows them")
	v.witness = r.Value + "\n" + b.String()
	v.hint = s.withoutConflicts(q)
	return v
}

// withoutConflicts says what removes the conflicts, as girih swizzle does.
func (s *Session) withoutConflicts(q BankRequest) string {
	r := s.SolveSwizzle(SwizzleRequest{
		Layout: q.Expr, Type: q.Type, Accesses: q.Accesses, Threads: q.Threads, Target: q.Target,
	})
	switch {
	case r.Error != nil:
		return ""
	case len(r.Swizzles) > 0:
		return "the smallest swizzle without conflicts is " + r.Swizzles[0].Composed
	case len(r.Paddings) > 0:
		return "padded without conflicts: " + r.Paddings[0].Layout
	}
	return "girih swizzle says what removes the conflicts, or why nothing does"
}

func assertCoalesced(s *Session, a assertion) verdictOn {
	q, info := a.access()
	if info != nil {
		return verdictOn{refused: info}
	}
	r := s.Global(GlobalRequest{Expr: q.Expr, Type: q.Type, Accesses: q.Accesses, Threads: q.Threads, Target: q.Target})
	if r.Error != nil {
		return verdictOn{refused: r.Error}
	}
	x := slices.MaxFunc(r.Accesses, func(a, b GlobalAccess) int { return cmp.Compare(a.Sectors-a.Fewest, b.Sectors-b.Fewest) })
	v := verdictOn{ok: x.Sectors <= x.Fewest, value: plural(x.Sectors, "sector")}
	if !v.ok {
		v.message = fmt.Sprintf("%s of %s moves %s, and its bytes fit in %d: %.0f%% of the bytes that move are used",
			x.Access, r.Type, plural(x.Sectors, "sector"), x.Fewest, 100*x.Efficiency)
		v.witness = r.Text()
	}
	return v
}

func assertLegal(s *Session, a assertion) verdictOn {
	q := DescriptorRequest{Expr: a.layout}
	switch len(a.words) {
	case 3:
		q.Type = a.words[2]
		fallthrough
	case 2:
		q.Instr, q.Operand = a.words[0], a.words[1]
	default:
		return verdictOn{refused: usage("expected an instruction, an operand and a type, found %q", a.rest)}
	}
	r := s.Descriptor(q)
	if r.Verdict == "" {
		return verdictOn{refused: r.Error}
	}
	v := verdictOn{ok: r.OK, value: r.Verdict}
	if !v.ok {
		v.message, v.hint = r.Verdict, r.Error.Hint
		v.witness = strings.TrimPrefix(r.Error.Message, "descriptor: ")
	}
	return v
}

func assertEquals(s *Session, a assertion) verdictOn {
	if a.rest == "" {
		return verdictOn{refused: usage("expected an expression, found none")}
	}
	r := s.Compare(CompareRequest{A: a.layout, B: a.rest})
	switch {
	case r.Error != nil:
		return verdictOn{refused: r.Error}
	case r.Verdict == verdictNone:
		return verdictOn{refused: usage("%s", r.Words)}
	}
	v := verdictOn{ok: r.Verdict == verdictSame, value: r.Verdict}
	if !v.ok {
		v.message = fmt.Sprintf("the layout (A) is not %s (B): %s", a.rest, r.Words)
	}
	return v
}

func assertHolds(s *Session, a assertion) verdictOn {
	if a.rest == "" {
		return verdictOn{refused: usage("expected an expression, found none")}
	}
	l := s.Eval(EvalRequest{Expr: a.layout})
	if l.Error != nil {
		return verdictOn{refused: l.Error}
	}
	r := s.Eval(EvalRequest{Expr: "let layout = " + l.Value + "; " + a.rest})
	switch {
	case r.Error != nil:
		return verdictOn{refused: r.Error}
	case r.Kind != "bool":
		return verdictOn{refused: usage("expected true or false, found %s", clip(r.Value))}
	case r.Value != "true" && r.Value != "false":
		return verdictOn{refused: usage("whether it holds depends on integers that are not known: %s", clip(r.Value))}
	}
	v := verdictOn{ok: r.Value == "true", value: r.Value, witness: strings.Join(r.Notes, "\n")}
	if !v.ok {
		v.message = fmt.Sprintf("%s is false for the layout %s", a.rest, clip(l.Value))
	}
	return v
}

func assertGolden(s *Session, a assertion) verdictOn {
	r := s.Eval(EvalRequest{Expr: a.layout})
	return verdictOn{ok: r.OK, value: r.Value, refused: r.Error}
}
