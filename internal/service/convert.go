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

// convertOperation is the row for conversions between register layouts.
func convertOperation() Operation {
	return Operation{
		Name: "convert", Doc: "Plan the conversion between two register layouts", Programs: true,
		Words: map[string][]Word{"through": wordsOf("shared")},
		Tool: &ToolDoc{
			Title: "Convert between register layouts",
			Brief: "how elements move between two register layouts, linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]} or Triton encodings, and the cost.",
			Doc: "How the elements of a tensor move between two distributions over registers, lanes, warps and blocks: not " +
				"at all, between the registers of a thread, by warp shuffles, or through shared memory, and what it costs. " +
				"From and to are linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}, or blocked{sizePerThread=[1,8], " +
				"threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]} with the shape of the tensor.",
		},
		Command: &Command{
			Use:   "convert R1 R2",
			Args:  []string{"from", "to"},
			Wrong: "convert needs two register layouts",
			Flags: []Flag{
				{Field: "type", Default: "f32", Usage: "the element `TYPE`"},
				{Field: "shape", Usage: "the `SHAPE` of the tensor, for encodings, such as 128,64"},
				{Field: "banks", Default: "32", Usage: "the `NUMBER` of banks of shared memory"},
			},
			Long: `Plan how the elements of a tensor move from the register layout R1 to R2: not at
all, between the registers of a thread, by warp shuffles, or through shared
memory, and what that costs. Register layouts are linear layouts of register,
lane, warp and block, or encodings of Triton with the --shape of the tensor.`,
			Example: `  girih convert --type f32 'linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}' 'linear{register=[[4],[2]], lane=[[1],[8]], out=[dim0:16]}'
  girih convert --type f16 --shape 64,64 'blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]}' 'nvidia_mma{versionMajor=2, versionMinor=0, warpsPerCTA=[4,1], instrShape=[16,8]}'`,
		},
		do: method[ConvertRequest, ConvertResponse]{
			do: (*Session).Convert,
			said: func(_ ConvertRequest, r ConvertResponse, _ Door) Answer {
				return Answer{Fault: Fault{In: r.Faulty}, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// A ConvertRequest asks how the elements of a tensor move from one distribution over registers, lanes, warps and blocks
// to another.
type ConvertRequest struct {
	From    string  `json:"from" jsonschema:"a linear layout or an encoding of Triton" brief:"-"`
	To      string  `json:"to" jsonschema:"the same for the destination" brief:"-"`
	Type    string  `json:"type" jsonschema:"of the elements: f16" brief:"-"`
	Shape   []int64 `json:"shape,omitempty" jsonschema:"the shape of the tensor, for encodings" brief:"of an encoding's tensor"`
	Banks   int     `json:"banks,omitempty" jsonschema:"of 32 bits in shared memory; 32 if 0" brief:"in shared memory; 32 if 0"`
	Through string  `json:"through,omitempty" jsonschema:"\"shared\": through shared memory in any case" brief:"-"`
}

// A ConvertResponse is a plan.
type ConvertResponse struct {
	OK       bool   `json:"ok"`                  // there is an answer
	Class    string `json:"class,omitempty"`     // none, register permutation, warp shuffles or shared memory
	ElemBits int    `json:"elem_bits,omitempty"` // the width of an element
	// Moves are the dimensions along which elements move; Minimal maps places in the destination to places in
	// the source.
	Moves   []string `json:"moves,omitempty"`
	Minimal string   `json:"minimal,omitempty"` // where the element at each of these places comes from, as a linear layout
	// Registers lists, for each register of the destination, the source register; set only if elements stay in their
	// thread.
	Registers []int         `json:"registers,omitempty"`
	Shuffle   *ShufflePlan  `json:"shuffle,omitempty"` // the plan by warp shuffles, if that is possible
	Shared    *SharedPlan   `json:"shared,omitempty"`  // the plan through shared memory
	Faulty    string        `json:"-"`                 // the expression that the error is in
	Notes     []string      `json:"notes,omitempty"`   // what a reader of the answer should know
	Error     *report.Error `json:"error,omitempty"`   // why there is no answer
}

// A ShufflePlan says how shuffles do the conversion, and what they cost each thread.
type ShufflePlan struct {
	Rounds    int      `json:"rounds"`                         // how many rounds there are
	Shuffles  int      `json:"shuffles"`                       // the number of shuffles of each thread
	Selects   int      `json:"selects"`                        // the number of selects of each thread
	Packed    int      `json:"packed"`                         // the number of elements in a shuffled word of 32 bits
	Cycles    []string `json:"cycles,omitempty"`               // how bits of register and lane numbers change places
	Registers string   `json:"register_permutation,omitempty"` // the permutation of the bits of the register number
	Lanes     string   `json:"lane_permutation,omitempty"`     // the permutation of the bits of the lane number
	Exchanges []string `json:"exchanges,omitempty"`            // the exchanges of register bits with lane bits
}

// A SharedPlan is the layout of shared memory and the cost of its accesses.
type SharedPlan struct {
	Layout string     `json:"layout"`         // maps offset bits (vector, bank, segment) and reps to the tensor
	CuTe   string     `json:"cute,omitempty"` // the offsets of the elements as a CuTe layout, if there is such a layout
	Bytes  int64      `json:"bytes"`          // the bytes for one block and one rep
	Reps   int64      `json:"reps"`           // how often the same memory is used, with a barrier in between
	Store  SharedCost `json:"store"`          // what the stores cost
	Load   SharedCost `json:"load"`           // what the loads cost
}

// A SharedCost is what the accesses of one side cost.
type SharedCost struct {
	VectorBits   int `json:"vector_bits"`  // the bits that a lane moves in one instruction
	Instructions int `json:"instructions"` // the number of instructions of each thread
	Ideal        int `json:"ideal"`        // the wavefronts of one instruction of a warp without conflicts
	Wavefronts   int `json:"wavefronts"`   // the wavefronts of one instruction of a warp, with its conflicts
}

// Convert plans the conversion.
func (s *Session) Convert(req ConvertRequest) ConvertResponse {
	bad := func(src string, e *report.Error) ConvertResponse {
		return ConvertResponse{Error: e, Faulty: src}
	}
	var ls [2]linear.Layout
	var notes []string
	for i, src := range []string{req.From, req.To} {
		r, more, fault := s.last(src)
		if fault != nil {
			return bad(src, fault)
		}
		notes = append(notes, more...)
		shape := req.Shape
		if _, ok := r.Value.(eval.Encoding); !ok {
			shape = nil
		}
		l, err := linearOf(r.Value, shape)
		if err != nil {
			return bad(src, report.Whole(err, src))
		}
		ls[i] = l
	}
	t, err := dtype.Parse(req.Type)
	if err != nil {
		return bad("", report.Of(&cute.Error{Code: cute.CodeName, Op: "convert", Msg: err.Error()}))
	}
	banks := req.Banks
	if banks == 0 {
		banks = 32
	}
	if req.Through != "" && req.Through != "shared" {
		return bad("", usage(
			"a conversion goes through shared memory, or as it can: expected shared or nothing, found %.40q", req.Through))
	}
	from, to := alike(ls[0], ls[1])
	p, err := convert.New(from, to, t.Bits(), banks)
	if err != nil {
		return bad("", report.Of(err))
	}
	resp := ConvertResponse{
		OK: true, Class: p.Class.String(), ElemBits: t.Bits(), Moves: p.Moves, Registers: p.Registers, Notes: notes,
		Minimal: eval.Linear{Layout: p.Minimal}.String(), Shuffle: shufflePlan(p.Shuffle),
	}
	shared := p.Shared
	if shared == nil && (p.Shuffle != nil || req.Through != "") {
		// Both plans are shown, so that the cost of the shuffles can be compared.
		m, err := convert.OptimalSwizzle(from, to, t.Bits(), banks)
		if err == nil {
			shared = &m
		} else if req.Through != "" {
			return bad("", report.Of(err))
		}
	}
	resp.Shared = sharedPlan(shared, t.Bits())
	return resp
}

// alike adds the dimensions that only one of the layouts names, with size 1.
func alike(a, b linear.Layout) (linear.Layout, linear.Layout) {
	names := []string{"register", "lane", "warp", "block"}
	for _, name := range names {
		for _, pair := range [][2]*linear.Layout{{&a, &b}, {&b, &a}} {
			if pair[0].HasIn(name) && !pair[1].HasIn(name) {
				if one, err := linear.New([]linear.In{{Name: name}}, nil); err == nil {
					if l, err := pair[1].Product(one); err == nil {
						*pair[1] = l
					}
				}
			}
		}
	}
	return inOrder(a, names), inOrder(b, names)
}

// inOrder puts the inputs into the order of the names, if all inputs are named.
func inOrder(l linear.Layout, names []string) linear.Layout {
	var have []string
	for _, n := range names {
		if l.HasIn(n) {
			have = append(have, n)
		}
	}
	if len(have) != len(l.InDims()) {
		return l
	}
	if t, err := l.TransposeIns(have...); err == nil {
		return t
	}
	return l
}

func shufflePlan(s *convert.Shuffle) *ShufflePlan {
	if s == nil {
		return nil
	}
	out := &ShufflePlan{Rounds: s.Rounds, Shuffles: s.Shuffles, Selects: s.Selects, Packed: 1 << s.PackBits}
	p := s.Permutation
	if p == nil {
		return out
	}
	for _, cycle := range p.Cycles {
		bits := make([]string, len(cycle))
		for i, b := range cycle {
			bits[i] = b.String()
		}
		out.Cycles = append(out.Cycles, "("+strings.Join(bits, " ")+")")
	}
	out.Registers, out.Lanes = movedBits(p.Reg, "r"), movedBits(p.Lane, "l")
	for _, x := range p.Mixed {
		text := fmt.Sprintf("r%d with l%d", x.RegBit, x.LaneBit)
		if out.Packed > 1 {
			text += fmt.Sprintf(", selecting bytes %s before and %s after", x.Pre, x.Post)
		}
		out.Exchanges = append(out.Exchanges, text)
	}
	return out
}

// movedBits lists the bits that a permutation moves.
func movedBits(p []int, letter string) string {
	var out []string
	for i, to := range p {
		if i != to {
			out = append(out, fmt.Sprintf("%s%d to %s%d", letter, i, letter, to))
		}
	}
	return strings.Join(out, ", ")
}

func sharedPlan(m *convert.Swizzle, elemBits int) *SharedPlan {
	if m == nil {
		return nil
	}
	return &SharedPlan{
		Layout: eval.Linear{Layout: m.Layout}.String(), CuTe: elementsTo(m.Layout), Bytes: m.Bytes(elemBits),
		Reps:  m.Layout.InSize("reps"),
		Store: SharedCost(m.Store), Load: SharedCost(m.Load),
	}
}

// elementsTo returns where each element of the tensor is, as a CuTe layout, if there is one and shared memory
// holds all elements at once.
func elementsTo(smem linear.Layout) string {
	if smem.InSize("reps") > 1 || smem.InSize("block") > 1 {
		return ""
	}
	inverse, err := smem.Invert()
	if err != nil {
		return ""
	}
	c, err := inverse.FlattenOuts().ToComposed()
	if err != nil {
		return ""
	}
	return c.String()
}
