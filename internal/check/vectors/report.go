package vectors

import "slices"

// A Report holds the results for the rows of one file.
type Report struct {
	File        string       `json:"file"`
	Format      string       `json:"format"`
	Ops         []OpCount    `json:"ops"`         // the operations in the order of their first row
	Failures    []Failure    `json:"failures"`    // the failures in the order of the rows
	Differences []Difference `json:"differences"` // one for each kind that occurs, in a fixed order
	Skips       []Skip       `json:"skips"`       // one for each reason that occurs, in the order of the first row
}

// An OpCount counts the rows of one operation by verdict.
type OpCount struct {
	Op         string `json:"op"`
	Passed     int    `json:"passed"`
	Failed     int    `json:"failed"`
	Documented int    `json:"documented"` // right, and different from CuTe in a documented way
	Skipped    int    `json:"skipped"`    // the rows that are not run
}

// A Failure is a row on which girih is wrong, or differs without a verified reason.
type Failure struct {
	ID   string `json:"id"`   // file:line, or the id of the case
	Expr string `json:"expr"` // the expression that was evaluated
	Got  string `json:"got"`  // its value, or the error
	Want string `json:"want"`
	Why  string `json:"why"`
}

// A Difference counts the rows on which girih is right and differs from CuTe's answer in one documented way.
type Difference struct {
	Kind    string `json:"kind"`
	Why     string `json:"why"`
	Count   int    `json:"count"`
	Example string `json:"example"` // the first row of that kind
}

// A Skip counts the rows that were not run for one reason.
type Skip struct {
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	Example string `json:"example"`
}

// NumPassed returns the number of rows that girih answers as the file does.
func (r *Report) NumPassed() int { return r.total(func(c OpCount) int { return c.Passed }) }

// NumFailed returns the number of failed rows.
func (r *Report) NumFailed() int { return r.total(func(c OpCount) int { return c.Failed }) }

// NumDocumented returns the number of rows with a documented difference.
func (r *Report) NumDocumented() int { return r.total(func(c OpCount) int { return c.Documented }) }

// NumSkipped returns the number of rows that were not run.
func (r *Report) NumSkipped() int { return r.total(func(c OpCount) int { return c.Skipped }) }

// Rows returns the number of rows.
func (r *Report) Rows() int {
	return r.NumPassed() + r.NumFailed() + r.NumDocumented() + r.NumSkipped()
}

func (r *Report) total(of func(OpCount) int) int {
	n := 0
	for _, c := range r.Ops {
		n += of(c)
	}
	return n
}

// op returns the counters of an operation.
func (r *Report) op(name string) *OpCount {
	for i := range r.Ops {
		if r.Ops[i].Op == name {
			return &r.Ops[i]
		}
	}
	r.Ops = append(r.Ops, OpCount{Op: name})
	return &r.Ops[len(r.Ops)-1]
}

// add adds the outcome of one row.
func (r *Report) add(id, op string, o outcome) {
	c := r.op(op)
	switch o.verdict {
	case passed:
		c.Passed++
	case failed:
		c.Failed++
		r.Failures = append(r.Failures, Failure{ID: id, Expr: o.expr, Got: o.got, Want: o.want, Why: o.why})
	case documented:
		c.Documented++
		r.difference(o.kind, id+": "+o.example())
	case skipped:
		c.Skipped++
		r.skip(o.why, id)
	}
}

func (r *Report) difference(k kind, example string) {
	for i := range r.Differences {
		if r.Differences[i].Kind == k.String() {
			r.Differences[i].Count++
			return
		}
	}
	r.Differences = append(r.Differences, Difference{Kind: k.String(), Why: k.why(), Count: 1, Example: example})
}

// sortDifferences sorts the differences by the order of the kinds.
func (r *Report) sortDifferences() {
	place := func(d Difference) int {
		return slices.IndexFunc(kinds[:], func(k struct{ name, why string }) bool { return k.name == d.Kind })
	}
	slices.SortFunc(r.Differences, func(a, b Difference) int { return place(a) - place(b) })
}

func (r *Report) skip(reason, id string) {
	for i := range r.Skips {
		if r.Skips[i].Reason == reason {
			r.Skips[i].Count++
			return
		}
	}
	r.Skips = append(r.Skips, Skip{Reason: reason, Count: 1, Example: id})
}
