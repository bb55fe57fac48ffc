package compat

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
)

// A Count counts one tool's answers to the rows of one operation.
type Count struct {
	Right           int `json:"right"`
	Padded          int `json:"padded"`
	Weak            int `json:"weak"` // a weak complement of a layout that has no complement
	Wrong           int `json:"wrong"`
	RefusedSolvable int `json:"refused_solvable"` // refusals although some layout is a correct answer
	Refused         int `json:"refused"`          // other refusals
	Unknown         int `json:"unknown"`          // answers that are not judged
}

// add counts a verdict. It counts every refusal as rightly refused.
func (c *Count) add(f Finding) {
	switch f.Verdict {
	case Right:
		c.Right++
	case Padded:
		c.Padded++
	case Weak:
		c.Weak++
	case Wrong:
		c.Wrong++
	case Refused:
		c.Refused++
	default:
		c.Unknown++
	}
}

// plus returns the sum.
func (c Count) plus(d Count) Count {
	return Count{
		c.Right + d.Right, c.Padded + d.Padded, c.Weak + d.Weak, c.Wrong + d.Wrong,
		c.RefusedSolvable + d.RefusedSolvable, c.Refused + d.Refused, c.Unknown + d.Unknown,
	}
}

// An OpReport counts all tools' answers to the rows of one operation.
type OpReport struct {
	Op   string `json:"op"`
	Rows int    `json:"rows"`
	// Tools maps [Dialect.ID] and [GirihID] to counts. Tools that do not have the operation are missing.
	Tools map[string]Count `json:"tools"`
}

// A Report counts the answers of all tools to the rows of a file.
type Report struct {
	File string     `json:"file"`
	Ops  []OpReport `json:"ops"` // the operations in the order of [Ops]
	All  OpReport   `json:"all"`

	// Examples contains, for each tool that is wrong somewhere, the shortest operation on which it is wrong.
	Examples []Example `json:"examples"`

	Recorded   int      `json:"recorded"`     // rows with a recorded answer of the DSL
	Reproduced int      `json:"reproduced"`   // recorded rows that the model of the DSL answers as recorded
	Deviating  []string `json:"deviating"`    // the first expressions that the model answers differently
	Unmodelled int      `json:"not_modelled"` // rows with an operation or operands that are not modelled
}

// An Example is an operation on which a tool is wrong.
type Example struct {
	Tool   string `json:"tool"` // the [Dialect.ID] of the tool
	Expr   string `json:"expr"`
	Answer string `json:"answer"`
	Why    string `json:"why"`
}

// GirihID is the name of girih among the tools of a report.
const GirihID = "girih"

// maxDeviating limits the expressions in Deviating.
const maxDeviating = 5

// maxLine limits the length of a line in a file, in bytes.
const maxLine = 1 << 22

// ErrNoRows is the error for a file without rows of operations on layouts.
var ErrNoRows = errors.New(`no rows such as {"op":"complement","args":["4:2","16"],"cute_dsl":"(2,2):(1,8)"}`)

// A record is a row of algebra.jsonl.
type record struct {
	Op      string          `json:"op"`
	Args    []string        `json:"args"`
	CuteDSL json.RawMessage `json:"cute_dsl"` // absent if no answer is recorded, null if the DSL refuses
}

// An Evaluator evaluates an operation on operands in text. It returns the text of a layout, or false if it refuses.
type Evaluator func(op string, args []string) (answer string, ok bool)

// Run counts the answers to the rows of a file such as conformance/algebra.jsonl, with one JSON object per line. name
// is the file's name in the report. The function girih evaluates with girih, which package compat does not import. Run
// returns an error that wraps [ErrNoRows], or an error about a row.
func Run(name string, r io.Reader, girih Evaluator) (*Report, error) {
	rep := &Report{File: name, Ops: []OpReport{}, Examples: []Example{}, Deviating: []string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for n = 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var rec record
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil || rec.Op == "" {
			return nil, fmt.Errorf("%s:%d: %w", name, n, ErrNoRows)
		}
		rep.add(rec, girih)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n, err)
	}
	if len(rep.Ops) == 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoRows)
	}
	rep.finish()
	return rep, nil
}

// add counts the answers to one row.
func (rep *Report) add(rec record, girih Evaluator) {
	q, err := NewQuery(rec.Op, rec.Args...)
	if err != nil {
		rep.Unmodelled++
		return
	}
	names, findings := []string{GirihID}, []Finding{q.judgeGirih(girih)}
	judged := map[string]Finding{} // by answer, because most tools agree
	for _, d := range Dialects() {
		a := q.Answer(d)
		if d == DSL {
			rep.compare(q, a, rec.CuteDSL)
		}
		f, ok := judged[a.Text]
		if !ok || a.Refusal != nil {
			f = q.Judge(a)
		}
		if a.Refusal == nil {
			judged[a.Text] = f
		}
		switch f.Verdict {
		case Absent:
			continue
		case Wrong:
			rep.example(Example{d.ID(), q.Expr(), a.Text, f.Why})
		}
		names, findings = append(names, d.ID()), append(findings, f)
	}
	op := rep.op(rec.Op)
	op.Rows++
	refused := slices.ContainsFunc(findings, func(f Finding) bool { return f.Verdict == Refused })
	solvable := refused && q.Solvable(findings...)
	for i, f := range findings {
		c := op.Tools[names[i]]
		if solvable && f.Verdict == Refused {
			c.RefusedSolvable++
		} else {
			c.add(f)
		}
		op.Tools[names[i]] = c
	}
}

// example keeps a tool's shortest example.
func (rep *Report) example(e Example) {
	i := slices.IndexFunc(rep.Examples, func(o Example) bool { return o.Tool == e.Tool })
	switch {
	case i < 0:
		rep.Examples = append(rep.Examples, e)
	case len(e.Expr) < len(rep.Examples[i].Expr):
		rep.Examples[i] = e
	}
}

// judgeGirih judges girih's own answer.
func (q Query) judgeGirih(girih Evaluator) Finding {
	text, ok := girih(q.op, q.args)
	if !ok {
		return Finding{Verdict: Refused}
	}
	return q.JudgeText(text)
}

// compare compares the recorded answer with the answer of the DSL's model. A result with an extent of 0 is not a layout
// and is recorded as a refusal.
func (rep *Report) compare(q Query, a Answer, recorded json.RawMessage) {
	if recorded == nil {
		return
	}
	rep.Recorded++
	var want *string
	if err := json.Unmarshal(recorded, &want); err == nil {
		refused := a.Refusal != nil || a.layout.broken()
		if want == nil && refused || want != nil && !refused && *want == a.Text {
			rep.Reproduced++
			return
		}
	}
	if len(rep.Deviating) < maxDeviating {
		rep.Deviating = append(rep.Deviating, q.Expr())
	}
}

// op returns the counters of an operation, and adds them if they are missing.
func (rep *Report) op(name string) *OpReport {
	i := slices.IndexFunc(rep.Ops, func(o OpReport) bool { return o.Op == name })
	if i < 0 {
		i = len(rep.Ops)
		rep.Ops = append(rep.Ops, OpReport{Op: name, Tools: map[string]Count{}})
	}
	return &rep.Ops[i]
}

// finish sorts the examples and operations, and adds up the totals.
func (rep *Report) finish() {
	sort.SliceStable(rep.Examples, func(i, j int) bool { return place(rep.Examples[i].Tool) < place(rep.Examples[j].Tool) })
	order := Ops()
	sort.Slice(rep.Ops, func(i, j int) bool { return slices.Index(order, rep.Ops[i].Op) < slices.Index(order, rep.Ops[j].Op) })
	rep.All = OpReport{Op: "all", Tools: map[string]Count{}}
	for _, o := range rep.Ops {
		rep.All.Rows += o.Rows
		for name, c := range o.Tools {
			rep.All.Tools[name] = rep.All.Tools[name].plus(c)
		}
	}
}

// place returns the position of a dialect in the report.
func place(id string) int {
	return slices.IndexFunc(Dialects(), func(d Dialect) bool { return d.ID() == id })
}
