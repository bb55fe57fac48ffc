package vectors

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/pattern"
)

// This file checks girih's answers to users' questions about bank conflicts. A question states a layout, an access in
// words, and clauses such as "Sw<3,3,3> 1-way", "pad 132: 1-way" and "both conflict-free".

// bankConflicts is the name of the operation in these questions.
const bankConflicts = "bank_conflicts"

const (
	aSwizzle  = pattern.Pattern(`Sw<[0-9]+,[0-9]+,-?[0-9]+>`)
	aPad      = pattern.Pattern(`\bpad ([0-9]+)`)
	aDegree   = pattern.Pattern(`\b([0-9]+)-way`)
	anAccess  = pattern.Pattern(`\b(ld|st)matrix(\.x[124])?(\.trans)?\b`)
	aThread   = pattern.Pattern(`\bthr (\S+)`)
	rowAndCol = pattern.Pattern(`row=t/([0-9]+),col=([0-9]+)\(t%([0-9]+)\)`)
	aWidth    = pattern.Pattern(`\b([0-9]+)-bit (stores?|loads?)`)
)

// A bankCase is a parsed question about bank conflicts.
type bankCase struct {
	layout cute.Layout
	bits   int      // per element
	tries  []string // accesses; the first one that the layout admits is used
	ways   []banks.Threads
}

// A bankClause is the conflict degree that a case states for its layout: unchanged, swizzled, or with the largest
// stride replaced.
type bankClause struct {
	swizzle string
	pad     int64
	degree  int
	ways    int // how many of the case's ways have this degree
}

// bankVerdict runs the case.
func (c userCase) bankVerdict() outcome {
	b, why := c.bankCase()
	if why != "" {
		return skip(why)
	}
	clauses := c.bankClauses()
	if len(clauses) == 0 {
		return skip(wordAnswer)
	}
	for _, clause := range clauses {
		if o := b.check(clause); o.verdict != passed {
			return o
		}
	}
	if strings.Contains(c.Expected, "identical functions") {
		return b.identical(aSwizzle.FindAllString(c.Question, -1))
	}
	return pass()
}

// identical checks that the swizzles are the same function on the layout.
func (b bankCase) identical(swizzles []string) outcome {
	var first []int64
	for i, w := range swizzles {
		a := ask(w + " o 0 o " + b.layout.String())
		mem, ok := memory(a)
		if !ok {
			return skip(wordOperands)
		}
		offsets, err := mem.AppendOffsets(nil)
		if i == 0 {
			first = offsets
		}
		if err != nil || !slices.Equal(offsets, first) {
			return fail(a, swizzles[0], "the two are called identical functions")
		}
	}
	return pass()
}

// memory returns the layout in an answer.
func memory(a answer) (banks.Memory, bool) {
	switch v := a.value.(type) {
	case eval.Layout:
		return v.Layout, true
	case eval.Composed:
		return v.Composed, true
	}
	return nil, false
}

// bankCase reads the layout, the type and the access.
func (c userCase) bankCase() (b bankCase, why string) {
	var in struct{ Layout, Elem, Access string }
	for name, to := range map[string]*string{"layout": &in.Layout, "elem": &in.Elem, "access": &in.Access} {
		if raw, ok := c.Inputs[name]; ok && json.Unmarshal(raw, to) != nil {
			return b, wordOperands
		}
	}
	var err error
	if b.layout, err = cute.Parse(in.Layout); err != nil {
		return b, wordOperands
	}
	t, err := dtype.Parse(in.Elem)
	if err != nil {
		return b, wordOperands
	}
	b.bits = t.Bits()
	words := in.Access + " " + c.Question
	b.ways = []banks.Threads{{}}
	if m := anAccess.FindStringSubmatch(words); m != nil {
		for _, n := range []string{".x4", ".x2", ".x1"} {
			if m[2] == "" || m[2] == n {
				b.tries = append(b.tries, m[1]+"matrix"+n+m[3])
			}
		}
		return b, ""
	}
	access := "ld"
	if strings.Contains(words, "store") {
		access = "st"
	}
	if m := aWidth.FindStringSubmatch(words); m != nil {
		access += "." + m[1]
	}
	b.tries = []string{access}
	if b.ways = b.threads(in.Access, access); b.ways == nil {
		return b, wordOperands
	}
	return b, ""
}

// threads returns the thread arrangements that an access describes in words, or nil if the words are not understood.
func (b bankCase) threads(words, access string) []banks.Threads {
	if m := aThread.FindStringSubmatch(words); m != nil {
		thr, err := cute.Parse(m[1])
		if err != nil {
			return nil
		}
		return []banks.Threads{banks.Partition(thr)}
	}
	if m := rowAndCol.FindStringSubmatch(words); m != nil {
		tv, ok := b.rowsAndCols(m, access)
		if !ok {
			return nil
		}
		return []banks.Threads{banks.TV(tv)}
	}
	if words == "" && b.layout.Rank() == 2 {
		// Consecutive lanes take consecutive rows, or else consecutive columns.
		return []banks.Threads{banks.Rows(), banks.Cols()}
	}
	return nil
}

// rowsAndCols returns a thread-value layout of 32 threads. Thread t has the elements of one access at row t/n, column
// k(t%n).
func (b bankCase) rowsAndCols(m []string, access string) (cute.Layout, bool) {
	a, err := banks.ParseAccess(access, b.bits)
	n, err1 := strconv.ParseInt(m[1], 10, 32)
	k, err2 := strconv.ParseInt(m[2], 10, 32)
	if err != nil || err1 != nil || err2 != nil || m[3] != m[1] || n < 1 || 32%n != 0 || a.Bits()%b.bits != 0 {
		return cute.Layout{}, false
	}
	rows, err := b.layout.Mode(0)
	if err != nil {
		return cute.Layout{}, false
	}
	tv, err := cute.Parse(fmt.Sprintf("((%d,%d),%d):((%d,1),%d)", n, 32/n, a.Bits()/b.bits, k*rows.Size(), rows.Size()))
	return tv, err == nil
}

// bankClauses reads the clauses of the expected answer.
func (c userCase) bankClauses() []bankClause {
	var out []bankClause
	for _, text := range strings.FieldsFunc(c.Expected, func(r rune) bool { return r == ';' || r == '(' || r == ')' }) {
		clause := bankClause{ways: 1}
		switch m := aDegree.FindStringSubmatch(text); {
		case m != nil:
			clause.degree, _ = strconv.Atoi(m[1])
		case strings.Contains(text, "conflict-free"), strings.Contains(text, "removes it"):
			clause.degree = 1
		default:
			continue
		}
		if strings.Contains(text, "both ways") {
			clause.ways = 2
		}
		if m := aPad.FindStringSubmatch(text); m != nil {
			clause.pad, _ = strconv.ParseInt(m[1], 10, 64)
		}
		swizzles := aSwizzle.FindAllString(text, -1)
		if len(swizzles) == 0 && strings.Contains(text, "both conflict-free") {
			swizzles = aSwizzle.FindAllString(c.Question, -1)
		}
		if len(swizzles) == 0 {
			swizzles = []string{""}
		}
		for _, w := range swizzles {
			clause.swizzle = w
			out = append(out, clause)
		}
	}
	return out
}

// check compares the layout's conflict degree with the clause's.
func (b bankCase) check(c bankClause) outcome {
	layout := b.layout.String()
	if c.pad > 0 {
		padded, ok := pad(b.layout, c.pad)
		if !ok {
			return skip(wordOperands)
		}
		layout = padded.String()
	}
	if c.swizzle != "" {
		layout = c.swizzle + " o 0 o " + layout
	}
	for _, threads := range b.ways[:min(c.ways, len(b.ways))] {
		access, degree, err := b.degree(layout, threads)
		expr := fmt.Sprintf("%s of %d-bit elements, %s", layout, b.bits, access)
		want := fmt.Sprintf("%d-way", c.degree)
		switch {
		case err != nil:
			return outcome{verdict: failed, expr: expr, got: err.Error(), want: want, why: "checked with a simulator of the banks"}
		case degree != c.degree:
			return outcome{verdict: failed, expr: expr, got: fmt.Sprintf("%d-way", degree), want: want, why: "checked with a simulator of the banks"}
		}
	}
	return pass()
}

// degree returns the conflict degree of the first access that the layout admits.
func (b bankCase) degree(layout string, threads banks.Threads) (access string, degree int, err error) {
	a := ask(layout)
	if a.err != nil {
		return "", 0, a.err
	}
	mem, ok := memory(a)
	if !ok {
		return "", 0, fmt.Errorf("%s is no layout", layout)
	}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		return "", 0, err
	}
	for _, access = range b.tries {
		var count banks.Count
		if count, err = countBanks(target, access, banks.Array{Memory: mem, ElemBits: b.bits}, threads); err == nil {
			return access, count.Degree, nil
		}
	}
	return access, 0, err
}

func countBanks(target banks.Target, access string, array banks.Array, threads banks.Threads) (banks.Count, error) {
	a, err := banks.ParseAccess(access, array.ElemBits)
	if err != nil {
		return banks.Count{}, err
	}
	rule, err := target.Rule(a)
	if err != nil {
		return banks.Count{}, err
	}
	plan, err := banks.NewPlan(rule, array.Memory, array.ElemBits, threads)
	if err != nil {
		return banks.Count{}, err
	}
	return plan.Count(nil)
}

// pad returns the layout with its largest stride replaced.
func pad(l cute.Layout, stride int64) (cute.Layout, bool) {
	flat := l.Flatten()
	d := flat.Stride().Leaves()
	if len(d) == 0 || flat.HasBasis() {
		return l, false
	}
	d = slices.Clone(d)
	d[slices.Index(d, slices.Max(d))] = stride
	padded, err := cute.New(flat.Shape(), cute.Ints(d...))
	return padded, err == nil && padded.Rank() == l.Rank()
}
