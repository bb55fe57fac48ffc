package service

import (
	"fmt"
	"math"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// shownOffsets is the largest number of offsets that [Session.Partition] lists.
const shownOffsets = 64

// partitionOperation is the row of partitions of a tensor.
func partitionOperation() Operation {
	return Operation{
		Name: "partition", Doc: "What a thread has of a tensor through a TiledMMA or a TiledCopy.", Programs: true,
		Words: map[string][]Word{"operand": wordsOf("A", "B", "C", "S", "D")},
		Tool: &ToolDoc{
			Title: "Partition a tensor",
			Brief: "what one thread has of a tensor through a TiledMMA or TiledCopy: atom, operand C, expr (16,8):(8,1), thread 5.",
			Doc: "What one thread has of a tensor through a TiledMMA (partition_A, B, C) or a TiledCopy (partition_S, D): " +
				"the layout of its part, the offset where that begins, the first offsets. Example: atom " +
				"SM80_16x8x16_F32F16F16F32_TN, operand C, expr (16,8):(8,1), thread 5.",
		},
		Form: &Form{Examples: []any{
			PartitionRequest{Tiled: "SM80_16x8x16_F32F16F16F32_TN", Operand: "C", Layout: "(32,16):(16,1)", Thread: 5},
			PartitionRequest{
				Tiled: `tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"),(16,8):(8,1),(1,8))`, Operand: "S",
				Layout: "(32,64):(64,1)", Thread: 3,
			},
		}},
		do: method[PartitionRequest, PartitionResponse]{
			do: (*Session).Partition,
			said: func(_ PartitionRequest, r PartitionResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// A PartitionRequest asks what one thread has of a tensor.
type PartitionRequest struct {
	Tiled   string `json:"tiled" tool:"atom" jsonschema:"a tiled_mma(...), a tiled_copy(...), or the name of an MMA instruction" brief:"tiled_mma(...), tiled_copy(...) or an MMA"`
	Operand string `json:"operand" jsonschema:"A, B or C of a TiledMMA; S, the source, or D, the destination, of a TiledCopy" brief:"A, B, C of an MMA; S, D of a copy"`
	Layout  string `json:"layout" tool:"expr" jsonschema:"the layout, or shape, of the whole tensor: (M,K) for A, (N,K) for B, (M,N) for C, the modes of the tile for a copy" brief:"the tensor: (M,K) for A, (N,K) for B, (M,N) for C"`
	Thread  int64  `json:"thread" jsonschema:"the number of the thread, from 0" brief:"from 0"`
}

// A PartitionResponse is the thread's part: CuTe's partition_A, partition_B, partition_C, partition_S or
// partition_D.
type PartitionResponse struct {
	OK      bool   `json:"ok"`                // there is an answer
	Tiled   string `json:"tiled,omitempty"`   // the canonical text of the tiled MMA or the tiled copy
	Operand string `json:"operand,omitempty"` // A, B, C, S or D
	Tensor  string `json:"tensor,omitempty"`  // the layout of the whole tensor
	Thread  int64  `json:"thread"`            // the number of the thread
	// Layout is the thread's part: mode 0 counts the values of one instruction; the other modes count the instructions
	// along the modes of the tensor. The part of a composed layout is a composed layout.
	Layout string `json:"layout,omitempty"`
	// Offset is where the part begins, in elements, to add to each value of Layout. Offset is absent for a composed
	// layout, which contains the offset.
	Offset string `json:"offset,omitempty"`
	Size   int64  `json:"size,omitempty"` // the number of elements of the part
	// the offsets in the tensor of the part's first 64 elements, in index order
	Offsets []int64       `json:"offsets,omitempty"`
	Notes   []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error   *report.Error `json:"error,omitempty"` // why there is no answer

	Fault `json:"-"`
}

// Partition evaluates both programs and takes the thread's part.
func (s *Session) Partition(req PartitionRequest) PartitionResponse {
	operand := strings.ToUpper(strings.TrimSpace(req.Operand))
	if len(operand) != 1 || !strings.Contains("ABCSD", operand) {
		return PartitionResponse{Error: usage("expected the operand A, B or C of a tiled MMA, or S or D of a tiled "+
			"copy, found %.40q", req.Operand), Fault: Fault{Usage: true}}
	}
	tiled, notes, fault, info := s.evalTiled(req.Tiled)
	if info != nil {
		return PartitionResponse{Error: info, Fault: fault}
	}
	whole, more, info := s.last(req.Layout)
	switch {
	case info != nil:
		return PartitionResponse{Error: info, Fault: Fault{In: req.Layout}}
	case whole.Value == nil:
		return PartitionResponse{Error: usage("expected the layout of the tensor, found nothing"), Fault: Fault{Usage: true}}
	}
	resp := PartitionResponse{
		Tiled: tiled.String(), Operand: operand, Tensor: whole.Value.String(), Thread: req.Thread, Notes: append(notes,
			more...),
	}
	text := fmt.Sprintf("partition(%s, %s, %s, %d)", resp.Tiled, operand, resp.Tensor, req.Thread)
	last, more, info := s.last(text)
	if info != nil {
		return PartitionResponse{Error: info, Fault: Fault{In: text}, Notes: resp.Notes}
	}
	resp.Notes = append(resp.Notes, more...)
	switch v := last.Value.(type) {
	case eval.List:
		part, offset := v[0].(eval.Layout).Layout, v[1].(eval.Tuple).Tuple
		resp.Layout, resp.Offset, resp.Size = part.String(), offset.String(), part.Size()
		if base, ok := offset.Int64(); ok && !part.HasBasis() {
			resp.list(base, part.At)
		}
	case eval.Composed:
		resp.Layout, resp.Size = v.String(), v.Composed.Size()
		if !v.Composed.HasBasis() && !v.Composed.Layout().HasBasis() {
			resp.list(0, func(i int64) (int64, error) {
				x, err := v.Composed.Eval(cute.Int(i))
				if err != nil {
					return 0, err
				}
				d, _ := x.Int64() // cannot fail without basis strides
				return d, nil
			})
		}
	}
	resp.OK = true
	return resp
}

// evalTiled evaluates a program to a tiled MMA or a tiled copy.
func (s *Session) evalTiled(text string) (eval.Value, []string, Fault, *report.Error) {
	last, notes, info := s.last(text)
	if info != nil {
		return nil, nil, Fault{In: text}, info
	}
	switch v := last.Value.(type) {
	case eval.TiledMMA, eval.TiledCopy:
		return v, notes, Fault{}, nil
	case eval.MMAAtom:
		return s.evalTiled(fmt.Sprintf("tiled_mma(%q)", v.Name))
	case nil:
		return nil, nil, Fault{Usage: true}, usage("expected a tiled_mma or a tiled_copy, found nothing")
	default:
		return nil, nil, Fault{In: text}, &report.Error{
			Code: string(cute.CodeType), Message: fmt.Sprintf("partition: expected a tiled_mma or a tiled_copy, found %s: %s",
				v.Kind(), clip(v.String())), End: len(text),
			Hint: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1)), or tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(32,8):(8,1),(1,8))`,
		}
	}
}

// list sets the offsets, unless one is beyond 64 bits.
func (r *PartitionResponse) list(base int64, at func(int64) (int64, error)) {
	var list []int64
	for i := range min(r.Size, shownOffsets) {
		d, err := at(i)
		if err != nil || d > 0 && base > math.MaxInt64-d {
			return
		}
		list = append(list, base+d)
	}
	r.Offsets = list
}

// Text returns the part as a person reads it. Every line ends with a newline.
func (r PartitionResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Layout)
	if r.Offset != "" {
		fmt.Fprintf(&b, "from offset %s\n", r.Offset)
	}
	fmt.Fprintf(&b, "thread %d has %s of %s, as %s\n", r.Thread, plural(int(r.Size), "element"), r.Tensor, r.Operand)
	if len(r.Offsets) > 0 {
		more := ""
		if n := r.Size - int64(len(r.Offsets)); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		list := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Offsets), " ", ", "), "[]")
		b.WriteString(Wrap("offsets "+list+more, showWidth, "", "  "))
	}
	return b.String()
}
