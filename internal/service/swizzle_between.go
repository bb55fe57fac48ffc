package service

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/lang/triton/convert"
	"girih/linear"
)

// betweenOperation is the row of the layout between two register layouts. On the command line it is a form of swizzle.
func betweenOperation() Operation {
	return Operation{
		Name: "between", Doc: "Find the layout of shared memory between two register layouts", Without: []string{"through"},
		Form: &Form{Examples: []any{
			ConvertRequest{
				From: "linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}",
				To:   "linear{register=[[4],[8]], lane=[[1],[2]], out=[dim0:16]}", Type: "f16",
			},
		}},
		do: method[ConvertRequest, BetweenResponse]{
			do: (*Session).BetweenSwizzle,
			said: func(_ ConvertRequest, r BetweenResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// A BetweenResponse is the layout of shared memory for a conversion between two register layouts.
type BetweenResponse struct {
	OK       bool          `json:"ok"`
	From     string        `json:"from,omitempty"`
	To       string        `json:"to,omitempty"`
	Type     string        `json:"type,omitempty"`
	ElemBits int           `json:"elem_bits,omitempty"`
	Plan     *SharedPlan   `json:"plan,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
	Error    *report.Error `json:"error,omitempty"`

	Fault `json:"-"`
}

// BetweenSwizzle finds the layout of shared memory with the fewest wavefronts through which ordinary stores and
// loads move a tensor from one register layout to another.
func (s *Session) BetweenSwizzle(req ConvertRequest) BetweenResponse {
	var ls [2]linear.Layout
	r := BetweenResponse{OK: true}
	for i, src := range []string{req.From, req.To} {
		last, notes, fault := s.last(src)
		if fault != nil {
			return BetweenResponse{Error: fault, Fault: Fault{In: src}}
		}
		shape := req.Shape
		if _, ok := last.Value.(eval.Encoding); !ok {
			shape = nil
		}
		l, err := linearOf(last.Value, shape)
		if err != nil {
			return BetweenResponse{Error: report.Whole(err, src), Fault: Fault{In: src}}
		}
		ls[i] = l
		r.Notes = append(r.Notes, notes...)
	}
	t, err := dtype.Parse(req.Type)
	if err != nil {
		return BetweenResponse{
			Error: report.Of(&cute.Error{Code: cute.CodeName, Op: "swizzle", Msg: err.Error()}),
			Fault: Fault{Usage: true},
		}
	}
	from, to := alike(ls[0], ls[1])
	banks := req.Banks
	if banks == 0 {
		banks = 32
	}
	m, err := convert.OptimalSwizzle(from, to, t.Bits(), banks)
	if err != nil {
		return BetweenResponse{Error: report.Of(err)}
	}
	r.From, r.To = eval.Linear{Layout: from}.String(), eval.Linear{Layout: to}.String()
	r.Type, r.ElemBits, r.Plan = t.String(), t.Bits(), sharedPlan(&m, t.Bits())
	return r
}

// Text returns the answer as a person reads it. Every line ends with a newline.
func (r BetweenResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of shared memory for %s", plural(int(r.Plan.Bytes), "byte"), r.Type)
	if r.Plan.Reps > 1 {
		fmt.Fprintf(&b, ", used %d times with a barrier between", r.Plan.Reps)
	}
	b.WriteString("\n\n")
	if r.Plan.CuTe != "" {
		fmt.Fprintf(&b, "  element -> offset  %s\n", r.Plan.CuTe)
	}
	fmt.Fprintf(&b, "  offset -> element  %s\n\n", r.Plan.Layout)
	rows := [][]string{{"", "bits a lane", "instructions", "wavefronts each", "ideal"}}
	for i, c := range []SharedCost{r.Plan.Store, r.Plan.Load} {
		rows = append(rows, []string{
			[]string{"store", "load"}[i], fmt.Sprint(c.VectorBits), fmt.Sprint(c.Instructions),
			fmt.Sprint(c.Wavefronts), fmt.Sprint(c.Ideal),
		})
	}
	textTable{Rows: rows, Indent: "  ", Gap: "   "}.write(&b)
	return b.String()
}
