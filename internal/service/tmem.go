package service

import (
	"cmp"
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/lang/report"
	"girih/tmem"
)

// tmemOperation is the row of tensor memory.
func tmemOperation() Operation {
	return Operation{
		Name: "tmem", Doc: "Say where tcgen05 puts elements in tensor memory, and who loads them", Programs: true,
		Words: map[string][]Word{"operand": wordsOf("D", "A", "SFA", "SFB")},
		Tool: &ToolDoc{
			Title: "Tensor memory",
			Brief: "where an accumulator, A or scale factors of tcgen05.mma are in tensor memory, and the thread and register of an element after tcgen05.ld.",
			Doc: "The layout of an operand of tcgen05.mma in tensor memory: the data path (A to G in the PTX ISA), lanes and columns; " +
				"the thread-value layout of a tcgen05.ld or tcgen05.st; the place, thread and register of an element. " +
				`Example: instr "m=64,n=128,a=f16", load 16x256b.x16, element "50,77".`,
		},
		Command: &Command{
			Use:   "tmem INSTRUCTION [--operand OPERAND] [--load SHAPE] [--element M,N]",
			Meant: []string{"tcgen05", "umma", "tensor-memory", "accumulator"},
			Args:  []string{"instr"},
			Wrong: "tmem needs one instruction",
			Flags: []Flag{
				{Field: "operand", Default: "D", Usage: "the `OPERAND`: D, A, or the scale factors SFA or SFB"},
				{Field: "kind", Usage: "the `KIND` of the instruction, if its types do not say it: f16, mxf4nvf4, ..."},
				{Field: "k", Usage: "the `ELEMENTS` along K of A or of scale factors; one instruction if left out"},
				{Field: "vector", Usage: "the `ELEMENTS` along K of each scale factor: 32 if left out, 64 if A is sparse"},
				{Field: "load", Usage: "a tcgen05.ld or tcgen05.st, as `SHAPE`: 32x32b.x16 or 16x256b.x4.pack::16b"},
				{Field: "element", Usage: "an element `M,N`, relative to the CTA: the place, and who holds it after the load"},
			},
			Width: 80,
			Long: `Say where an operand of tcgen05.mma is in tensor memory: the 128 lanes and the 512
columns of 32 bits of one CTA.

INSTRUCTION is a name in CuTe, SM100_MMA_F16BF16_SS_128x256, or its fields:
m=128,n=256,a=f16,d=f32,group=2,ws=1,sparse=1. The layout maps (m,n), (m,k) of A or
(row,k,copy) of scale factors to an address in units of elements, as CuTe prints it:
a lane is 65536*32/bits elements. With group=2, it is the part of one CTA of the pair.

With --load, the layout (thread, value) of the instruction, and with --element the
thread and the register that hold the element.`,
			Example: `  girih tmem m=64,n=128,a=f16 --load 16x256b.x16 --element 50,77
  girih tmem SM100_MMA_F16BF16_SS_128x256 --load 32x32b.x32
  girih tmem m=128,n=64,a=f16,group=2
  girih tmem m=128,n=128,a=e2m1 --kind mxf4nvf4 --operand SFA --vector 16 --k 256 --element 40,100`,
		},
		Form: &Form{Examples: []any{
			TmemRequest{Instr: "m=64,n=128,a=f16", Load: "16x256b.x16", Element: "50,77"},
			TmemRequest{Instr: "m=128,n=64,a=f16,group=2"},
			TmemRequest{Instr: "m=128,n=128,a=e2m1", Kind: "mxf4nvf4", Operand: "SFA", Vector: 16, K: 256},
		}},
		do: method[TmemRequest, TmemResponse]{
			do: (*Session).Tmem,
			said: func(_ TmemRequest, r TmemResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Error: r.Error}
			},
		}.caller(),
	}
}

// A TmemRequest asks where an operand is in tensor memory.
type TmemRequest struct {
	Instr   string `json:"instr" jsonschema:"of tcgen05: a name in CuTe, or fields as m=64,n=128,a=f16,d=f32,group=2,ws=1" brief:"a CuTe name, or m=64,n=128,a=f16,group=2"`
	Operand string `json:"operand,omitempty" jsonschema:"D if empty" brief:"D if empty"`
	Kind    string `json:"kind,omitempty" jsonschema:"of the instruction, if its types do not say it: mxf4nvf4" brief:"such as mxf4nvf4"`
	K       int64  `json:"k,omitempty" jsonschema:"elements along K of A or scale factors; one instruction if none" brief:"elements of A or scale factors"`
	Vector  int64  `json:"vector,omitempty" jsonschema:"elements along K of a scale factor; 32 if none, 64 if A is sparse" brief:"elements of a scale factor"`
	Load    string `json:"load,omitempty" jsonschema:"a tcgen05.ld or tcgen05.st: 16x256b.x4, 32x32b.x16.pack::16b" brief:"16x256b.x4"`
	Element string `json:"element,omitempty" jsonschema:"an element of one CTA: 50,77" brief:"50,77"`
}

// A TmemResponse is the answer.
type TmemResponse struct {
	OK      bool   `json:"ok"`                // there is an answer
	Instr   string `json:"instr,omitempty"`   // the instruction
	Path    string `json:"path,omitempty"`    // the data path, A to G
	Operand string `json:"operand,omitempty"` // D, A, SFA or SFB
	Value   string `json:"value,omitempty"`   // the layout from a coordinate to an address in elements
	Lanes   string `json:"lanes,omitempty"`   // the layout from a coordinate to (lane, bit)
	Columns int64  `json:"columns,omitempty"` // that it needs
	PerWarp int64  `json:"perWarp,omitempty"` // lanes of each warp that it uses: 16 or 32

	Shared string `json:"shared,omitempty"` // of scale factors: the layout (row, k) -> byte of shared memory
	Byte   int64  `json:"byte,omitempty"`   // of the scale factor in shared memory

	Load      string `json:"load,omitempty"`      // the tcgen05.ld or tcgen05.st
	Threads   string `json:"threads,omitempty"`   // its layout (thread, value) -> address in elements
	Registers int64  `json:"registers,omitempty"` // of each thread

	Element  []int64 `json:"element,omitempty"`  // the coordinate
	Place    string  `json:"place,omitempty"`    // of the element
	Address  string  `json:"address,omitempty"`  // of the element's column
	Warp     int64   `json:"warp,omitempty"`     // modulo 4, that holds the element
	Thread   int64   `json:"thread,omitempty"`   // of the warp
	Register int64   `json:"register,omitempty"` // of the instruction
	Bit      int64   `json:"bit,omitempty"`      // in the register
	At       string  `json:"at,omitempty"`       // the address of the instruction

	Error *report.Error `json:"error,omitempty"` // why there is no answer

	Fault `json:"-"`

	shared cute.Layout // Shared
}

// Text returns the answer for people.
func (r TmemResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ndata path %s: %s has %d columns, and %d lanes of each warp\n", r.Instr, r.Path, r.Operand,
		r.Columns, r.PerWarp)
	fmt.Fprintf(&b, "address in elements  %s\n(lane, bit)          %s\n", r.Value, r.Lanes)
	if r.Shared != "" {
		fmt.Fprintf(&b, "shared memory        %s\n", r.Shared)
	}
	if r.Load != "" {
		fmt.Fprintf(&b, "%s, %d registers\n(thread, value)      %s\n", r.Load, r.Registers, r.Threads)
	}
	if r.Element != nil {
		fmt.Fprintf(&b, "(%d,%d) is in %s, address %s\n", r.Element[0], r.Element[1], r.Place, r.Address)
	}
	if r.Element != nil && r.Shared != "" {
		fmt.Fprintf(&b, "and in byte %d of shared memory\n", r.Byte)
	}
	if r.At != "" {
		fmt.Fprintf(&b, "warp %d, thread %d: register %d, bit %d of the instruction at %s\n", r.Warp, r.Thread, r.Register,
			r.Bit, r.At)
	}
	return b.String()
}

// Tmem finds the operand, and the owner of its element.
func (s *Session) Tmem(req TmemRequest) TmemResponse {
	i, err := readInstruction(DescriptorRequest{Idesc: req.Instr, Kind: req.Kind})
	if err != nil {
		return TmemResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
	}
	r, err := req.answer(i)
	if err != nil {
		return TmemResponse{Error: report.Of(err)}
	}
	r.OK = true
	return r
}

// answer fills in the parts of the response that the request asks for.
func (req TmemRequest) answer(i descriptor.Instruction) (r TmemResponse, err error) {
	t, err := req.tensor(&r, i)
	if err != nil {
		return r, err
	}
	d, err := tmem.DataPathOf(i)
	if err != nil {
		return r, err
	}
	layout, err := t.Layout()
	if err != nil {
		return r, err
	}
	lanes, err := t.Coordinates()
	if err != nil {
		return r, err
	}
	r.Instr, r.Path, r.Value, r.Lanes = i.String(), d.String(), layout.String(), lanes.String()
	r.Columns, r.PerWarp = t.Columns(), tmem.WarpLanes
	if tmem.BufferOf("", t).Half {
		r.PerWarp /= 2
	}
	var p *tmem.Partition
	if req.Load != "" {
		if p, err = req.load(&r, t); err != nil {
			return r, err
		}
	}
	if req.Element != "" {
		err = req.element(&r, t, p)
	}
	return r, err
}

// tensor returns the operand, and adds the layout of scale factors in shared memory to the response.
func (req TmemRequest) tensor(r *TmemResponse, i descriptor.Instruction) (tmem.Tensor, error) {
	k, rows := cmp.Or(req.K, i.K()), i.M/int64(i.CTAs())
	f := tmem.ScaleFactors{Instruction: i, Operand: atom.OperandA, Vector: req.Vector}
	if f.Vector == 0 {
		f.Vector = 32
		if i.Sparse {
			f.Vector = 64
		}
	}
	r.Operand = strings.ToUpper(cmp.Or(req.Operand, "D"))
	switch r.Operand {
	case "D":
		return tmem.Accumulator(i)
	case "A":
		if req.K == 0 && i.Sparse {
			k /= 2 // half of the elements is stored
		}
		return tmem.OperandA(i, k)
	case "SFA":
	case "SFB":
		f.Operand, rows = atom.OperandB, (i.N+127)/128*128
	default:
		return tmem.Tensor{}, &cute.Error{
			Code: cute.CodeName, Op: "tmem", Msg: fmt.Sprintf("expected the operand D, A, SFA or SFB, found %.40q", req.Operand),
		}
	}
	t, err := f.Tensor(rows, k)
	if err != nil {
		return t, err
	}
	r.shared, err = f.SharedLayout(rows, k)
	r.Shared = r.shared.String()
	return t, err
}

// load adds the load to the response, and returns its partition of the tensor.
func (req TmemRequest) load(r *TmemResponse, t tmem.Tensor) (*tmem.Partition, error) {
	a, err := tmem.ParseAccess(req.Load)
	if err != nil {
		return nil, err
	}
	p, err := a.Partition(t)
	if err != nil {
		return nil, err
	}
	threads, err := a.ThreadValue(t.Bits())
	r.Load, r.Threads, r.Registers = a.String(), threads.String(), a.Registers()
	return &p, err
}

// element adds the place of the element to the response, and its owner if there is a load.
func (req TmemRequest) element(r *TmemResponse, t tmem.Tensor, p *tmem.Partition) error {
	at, err := cute.ParseTuple("(" + strings.Trim(req.Element, "() ") + ")")
	if err != nil {
		return err
	}
	coord := at.Leaves()
	if at.Rank() != 2 || len(coord) != 2 {
		return &cute.Error{
			Code: cute.CodeRank, Op: "tmem",
			Msg: fmt.Sprintf("expected an element as two numbers, 50,77, found %.40q", req.Element),
		}
	}
	r.Element = coord[:2:2]
	if t.Shape().Rank() == 3 {
		coord = append(coord, 0) // the first copy of a scale factor
	}
	place, err := t.Place(coord...)
	if err != nil {
		return err
	}
	r.Place, r.Address = place.String(), place.Address().String()
	if r.Shared != "" {
		b, err := r.shared.Eval(at)
		if err != nil {
			return err
		}
		r.Byte, _ = b.Int64()
	}
	if p == nil {
		return nil
	}
	o, err := p.Owner(coord...)
	r.Warp, r.Thread, r.Register, r.Bit, r.At = o.Warp, o.Thread, o.Register, o.Bit, o.At.String()
	return err
}
