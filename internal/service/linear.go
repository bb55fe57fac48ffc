package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/picture/link"
	"girih/linear"
)

// linearOperation is the row of maps over bits.
func linearOperation() Operation {
	return Operation{
		Name: "linear", Doc: "Print a layout as a map over bits: bases, matrix, rank", Programs: true,
		Words: map[string][]Word{"view": wordsOf(LinearViews()...)},
		Tool: &ToolDoc{
			Title:   "Show a map over bits",
			Brief:   "a value as a linear layout over F2: bases, matrix, rank, and the CuTe layout that it is; Triton encodings with their shape.",
			Smaller: "leave the view out",
			Doc: "A value as a linear layout over F2: bases, matrix, rank, injective or not, and the CuTe layout that it " +
				"is. Takes linear{...}, a layout, a swizzle, Sw<2,0,3> o 0 o (8,8):(8,1), F2 strides, or a Triton encoding " +
				"such as blocked{...} with its shape.",
		},
		Command: &Command{
			Use:   "linear EXPR",
			Args:  []string{"expr"},
			Wrong: "linear needs one expression",
			Flags: []Flag{
				{Field: "shape", Usage: "the `SHAPE` of the tensor of an encoding, such as 128,64"},
				{Field: "view", Usage: "print a `VIEW` of all places instead: tensor or hardware"},
			},
			Long: `Print a layout as a linear layout, a map over bits: the basis vectors of each
input dimension as Triton prints them, the matrix over F2 with the least
significant bits first, its rank, and the CuTe layout that it is. EXPR is a
linear layout, a layout, a swizzle, a composed layout, a layout with F2
strides, a matrix, or an encoding of Triton with the --shape of the tensor.`,
			Example: `  girih linear 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih linear 'linear(((4,8),(2,2)):((32,1),(16,8)), (lane,register))'
  girih linear --shape 16,16 'blocked{sizePerThread=[2,2], threadsPerWarp=[8,4], warpsPerCTA=[1,1], order=[1,0]}'
  girih linear --shape 4,2 --view tensor 'blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}'`,
		},
		Form: &Form{Draws: "expr tile=shape"},
		do: method[LinearRequest, LinearResponse]{
			do: (*Session).Linear,
			said: func(q LinearRequest, r LinearResponse, _ Door) Answer {
				return Answer{
					Fault: Fault{In: q.Expr}, OK: r.OK, Text: func() string { return LinearText(r) }, Notes: r.Notes,
					Error: r.Error,
				}
			},
		}.caller(),
	}
}

// A LinearRequest asks for a value as a map over bits: a linear layout, a layout (also with F2 strides), a swizzle,
// a composed layout, a matrix, or an encoding of Triton together with the shape of a tensor.
type LinearRequest struct {
	Expr  string  `json:"expr" jsonschema:"a value that is linear over bits" brief:"-"`
	Shape []int64 `json:"shape,omitempty" jsonschema:"of the tensor of an encoding" brief:"of an encoding's tensor"`
	View  string  `json:"view,omitempty" jsonschema:"as text; tensor lists the holder of each element, hardware the element of each place" brief:"who holds each element, or what each place holds"`
}

// LinearViews returns the names of the views: tensor shows who holds each element, hardware shows what each
// place holds.
func LinearViews() []string { return []string{"tensor", "hardware"} }

// A LinearResponse is a map over bits, and what is known about it.
type LinearResponse struct {
	OK    bool   `json:"ok"`              // there is an answer
	Value string `json:"value,omitempty"` // the linear layout, on one line
	// Ins lists the basis vectors of each input dimension: basis k is what coordinate 2^k adds without
	// carries.
	Ins    []LinearIn  `json:"ins,omitempty"`
	Outs   []LinearOut `json:"outs,omitempty"`   // the output dimensions
	Origin []int64     `json:"origin,omitempty"` // the value at 0
	Matrix [][]int     `json:"matrix,omitempty"` // row r: output bit r; column j: input bit j; first dimension lowest

	Rank        int    `json:"rank"`                  // the rank of the matrix
	InBits      int    `json:"in_bits"`               // the number of columns of the matrix
	OutBits     int    `json:"out_bits"`              // the number of rows of the matrix
	Injective   bool   `json:"injective"`             // no output is reached twice
	Surjective  bool   `json:"surjective"`            // every output is reached
	Consecutive int64  `json:"consecutive,omitempty"` // how many consecutive inputs always have consecutive outputs
	Layout      string `json:"layout,omitempty"`      // the CuTe layout that it is, if it is one
	NoLayout    string `json:"no_layout,omitempty"`   // why there is none
	Xor         string `json:"xor,omitempty"`         // the layout with F2 strides, if that says more than Layout
	Bases       string `json:"-"`                     // as Triton prints it
	Text        string `json:"text,omitempty"`        // the view

	Notes []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error *report.Error `json:"error,omitempty"` // why there is no answer
}

// A LinearIn is an input dimension.
type LinearIn struct {
	Name  string    `json:"name"`  // register, lane, warp, offset, index or another one
	Bases [][]int64 `json:"bases"` // a value in all output dimensions for each bit
}

// A LinearOut is an output dimension.
type LinearOut struct {
	Name string `json:"name"` // the name of the dimension
	Size int64  `json:"size"` // the extent of the dimension, a power of two
}

// Linear evaluates the program and returns the value of its last statement as a map over bits.
func (s *Session) Linear(req LinearRequest) LinearResponse {
	r, notes, fault := s.last(req.Expr)
	if fault != nil {
		return LinearResponse{Error: fault}
	}
	l, err := linearOf(r.Value, req.Shape)
	if err != nil {
		return LinearResponse{Error: report.Whole(err, req.Expr)}
	}
	resp := LinearResponse{
		OK: true, Value: eval.Linear{Layout: l}.String(), Origin: l.Origin(), Bases: l.String(), Notes: notes,
		Rank: l.Rank(), InBits: l.InBits(), OutBits: l.OutBits(), Injective: l.IsInjective(), Surjective: l.IsSurjective(),
		Consecutive: l.NumConsecutiveInOut(), Matrix: link.Rows(l.Matrix()),
	}
	for _, in := range l.Bases() {
		resp.Ins = append(resp.Ins, LinearIn(in))
	}
	for _, d := range l.OutDims() {
		resp.Outs = append(resp.Outs, LinearOut(d))
	}
	resp.cute(l)
	if n := size(r.Value); n > 0 && n&(n-1) != 0 {
		resp.Notes = append(slices.Clip(resp.Notes), goesOn(n))
	}
	if req.View != "" {
		if resp.Text, err = linearView(l, req.View); err != nil {
			return LinearResponse{Error: report.Whole(err, req.Expr)}
		}
	}
	return resp
}

// goesOn adds a note if a map over bits has more inputs than the layout it was made from.
func goesOn(n int64) string {
	return fmt.Sprintf("the layout has %d elements: from there on the map goes on as bits do", n)
}

// size returns the number of elements of a layout.
func size(v eval.Value) int64 {
	switch f := v.(type) {
	case eval.Layout:
		return f.Size()
	case eval.Composed:
		return f.Composed.Size()
	case eval.Xor:
		return f.Size()
	}
	return 0
}

// linearOf converts a value.
func linearOf(v eval.Value, shape []int64) (linear.Layout, error) {
	if enc, ok := v.(eval.Encoding); ok {
		if len(shape) == 0 {
			return linear.Layout{}, &cute.Error{
				Code: cute.CodeType, Op: "linear", Msg: fmt.Sprintf("an encoding is a layout on a tensor of some shape, "+
					"found %v alone", enc),
				Hint: "give the shape of the tensor, such as 16,16, or write linear(..., (16,16))",
			}
		}
		return enc.Layout(shape...)
	}
	if len(shape) > 0 {
		return linear.Layout{}, &cute.Error{
			Code: cute.CodeType, Op: "linear",
			Msg: fmt.Sprintf("a shape is for an encoding, found %v", v),
		}
	}
	if v == nil {
		return linear.Layout{}, report.ErrNothing
	}
	return eval.ToLinear(v)
}

// cute says which CuTe layout gives the index of all outputs.
func (r *LinearResponse) cute(l linear.Layout) {
	for _, d := range l.OutDims() {
		if d.Size == 1 && len(l.OutDims()) > 1 {
			if q, err := l.SqueezeOuts(d.Name); err == nil {
				l = q
			}
		}
	}
	if len(l.OutDims()) == 0 {
		return
	}
	flat := l.FlattenOuts()
	c, err := flat.ToComposed()
	if err == nil {
		r.Layout = c.String()
		return
	}
	if e, ok := errors.AsType[*cute.Error](err); ok {
		r.NoLayout = e.Msg
	}
	if x, err := flat.ToXor(); err == nil {
		r.Xor = x.String()
	}
}

// linearView draws one of Triton's views: of a distribution, or of shared memory.
func linearView(l linear.Layout, view string) (string, error) {
	if !slices.Contains(LinearViews(), view) {
		return "", &cute.Error{
			Code: cute.CodeName, Op: "linear",
			Msg: fmt.Sprintf("the views are %s, found %q", strings.Join(LinearViews(), " and "), view),
		}
	}
	if l.InBits() > maxViewBits {
		return "", &cute.Error{
			Code: cute.CodeLimit, Op: "linear",
			Msg: fmt.Sprintf("a view has at most 2^%d places, found 2^%d", maxViewBits, l.InBits()),
		}
	}
	shared := l.HasIn("offset")
	switch {
	case shared && view == "tensor":
		return linear.SharedTensorView(l)
	case shared:
		return linear.SharedHardwareView(l)
	case view == "tensor":
		return linear.DistributedTensorView(l)
	}
	return linear.DistributedHardwareView(l)
}

const maxViewBits = 16
