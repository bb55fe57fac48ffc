package service

import (
	"cmp"
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/linear"
)

// mmaOperation is the row of a TiledMMA.
func mmaOperation() Operation {
	return Operation{
		Name: "mma", Doc: "Show a TiledMMA, find its permutation, or the copies that fit it", Programs: true,
		Command: &Command{
			Use:   "mma NAME [--atoms LAYOUT] [--perm TILE]",
			Args:  []string{"atom"},
			Wrong: "expected one MMA instruction, found %d",
			Flags: mmaFlags(),
			Long: `Show make_tiled_mma(atom, AtomLayoutMNK, PermutationMNK): thr_layout_vmnk, the tile,
and for A, B and C the thread-value layout and the shape of a thread's fragment.
NAME is an MMA instruction, or an expression such as 'tiled_mma("NAME",(2,2,1))'.
Thread-value layouts map to the index in the tile, which counts colexicographically
in (M,K) for A, (N,K) for B and (M,N) for C.`,
			Example: `  girih mma SM80_16x8x16_F32F16F16F32_TN --atoms 2,2,1 --perm '<32,32,16>'
  girih mma 'tiled_mma("SM70_8x8x4_F32F16F16F32_NT",(2,2,1):(2,1,0))'`,
		},
		do: method[MMARequest, MMAResponse]{
			do: (*Session).MMA,
			said: func(_ MMARequest, r MMAResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// permuteOperation is the row for permutations of a TiledMMA.
func permuteOperation() Operation {
	return Operation{
		Name: "permute", Doc: "Find the permutation that makes values of a thread contiguous", Programs: true,
		Command: &Command{
			Parent: "mma",
			Use:    "permute NAME --along M --run N",
			Args:   []string{"atom"},
			Wrong:  "expected one MMA instruction, found %d",
			Flags: append(mmaFlags(),
				Flag{Field: "operand", Default: "C", Usage: "the `OPERAND`: A, B or C"},
				Flag{Field: "along", Usage: "the `MODE`: M, N or K; the operand's first if it is not given"},
				Flag{Field: "run", Usage: "the `NUMBER` of values that should be contiguous"},
			),
			Long: `Find PermutationMNK of the smallest tile in which every thread holds the elements of
an operand along M, N or K in runs of --run consecutive ones, in the order of its
values, and show what thread 0 holds before and after.`,
			Example: `  girih mma permute SM70_8x8x4_F32F16F16F32_NT --atoms '(2,2,1):(2,1,0)' --operand A --along M --run 8
  girih mma permute SM80_16x8x16_F32F16F16F32_TN --operand B --along N --run 2`,
		},
		do: method[PermuteRequest, PermuteResponse]{
			do: (*Session).Permute,
			said: func(_ PermuteRequest, r PermuteResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// copiesOperation is the row for the copies that fit a TiledMMA.
func copiesOperation() Operation {
	return Operation{
		Name: "copies", Doc: "Say which copy instructions fit an operand in shared memory", Programs: true,
		Words: map[string][]Word{"operand": wordsOf("A", "B", "C")},
		Tool: &ToolDoc{
			Title:   "Find the legal copies",
			Brief:   "the copy instructions that may load A or B of a TiledMMA from a shared layout, or store C, and why others are illegal.",
			Smaller: "name the target",
			Doc: "Which copy instructions (ldmatrix, stmatrix, vector loads) may load A or B of a TiledMMA from a layout of " +
				"shared memory, or store C there, the fewest instructions first, and why each other one is illegal.",
		},
		Command: &Command{
			Parent: "mma",
			Use:    "copies NAME --operand A --memory LAYOUT",
			Args:   []string{"atom"},
			Wrong:  "expected one MMA instruction, found %d",
			Flags: append(mmaFlags(),
				Flag{Field: "operand", Default: "A", Usage: "the `OPERAND`: A, B or C"},
				Flag{
					Field: "memory", Usage: "the `LAYOUT` in shared memory",
					Missing: "expected the layout in shared memory, --memory",
				},
				Flag{Field: "type", Usage: "the `TYPE` of the elements; the operand's if it is not given"},
				Flag{Field: "arch", Usage: "instructions of the `ARCHITECTURE` only, such as sm80"},
				Flag{Field: "all", Usage: "the copies of other widths and architectures that do not fit as well"},
			),
			Long: `Say which copy instructions load A or B of a TiledMMA from a layout of shared memory
to the registers of its threads, or store C there, the fewest instructions first, and
why the others do not: the two elements that should be
neighbours and are not, with their threads, coordinates and offsets in elements.

LAYOUT has the shape of the operand's tile or a multiple of it: (M,K) for A, (N,K)
for B, (M,N) for C. It may have a swizzle, in elements. The exit status is 1 if no
instruction fits.`,
			Example: `  girih mma copies SM80_16x8x16_F32F16F16F32_TN --operand A --memory 'Sw<3,3,3> o 0 o (64,64):(64,1)'
  girih mma copies SM80_16x8x16_F32F16F16F32_TN --operand B --memory '(64,64):(1,64)' --arch sm80
  girih mma copies SM80_16x8x16_F32F16F16F32_TN --operand A --memory '(64,64):(1,64)' --explain SM75_U32x4_LDSM_N`,
		},
		Form: &Form{Draws: "atom"},
		do: method[CopiesRequest, CopiesResponse]{
			do: (*Session).Copies,
			said: func(q CopiesRequest, r CopiesResponse, d Door) Answer {
				most, more := shownReasons, map[Door]string{Terminal: "--all lists them", Assistants: "all true lists them"}[d]
				if q.All {
					most = len(r.Copies)
				}
				text := func() string { return r.Text(most, more) }
				return Answer{Fault: r.Fault, OK: r.OK, Text: text, Notes: r.Notes, Error: r.Error, Failed: r.Fit == 0}
			},
		}.caller(),
	}
}

// mmaFlags are the flags of a TiledMMA.
func mmaFlags() []Flag {
	return []Flag{
		{Field: "atoms", Usage: "AtomLayoutMNK, a `LAYOUT` such as 2,2,1"},
		{Field: "permutation", Name: "perm", Usage: "PermutationMNK, a `TILE` such as '<32,32,16>'"},
	}
}

// shownReasons limits how many unsuitable copies the text lists, unless the request asks for all.
const shownReasons = 8

// An MMARequest names a TiledMMA: an instruction, repeated over threads and values.
type MMARequest struct {
	Atom        string `json:"atom" jsonschema:"the name of an instruction, or a tiled_mma(...)" brief:"or a tiled_mma(...)"`
	Atoms       string `json:"atoms,omitempty" jsonschema:"AtomLayoutMNK, as (2,2,1); one atom if empty" brief:"-"`
	Permutation string `json:"permutation,omitempty" jsonschema:"PermutationMNK, as <32,32,16>; none if empty" brief:"-"`
}

// text is the request in the language.
func (r MMARequest) text() (string, error) {
	name := strings.TrimSpace(r.Atom)
	if name == "" {
		return "", fmt.Errorf("expected the name of an MMA instruction, found none")
	}
	program := strings.Contains(name, "tiled_mma")
	if program {
		if r.Atoms != "" || r.Permutation != "" {
			return "", fmt.Errorf("expected the atoms and the permutation in %.60s, found them outside it, too", name)
		}
		return name, nil
	}
	text := fmt.Sprintf("tiled_mma(%q", name)
	if atoms := strings.TrimSpace(r.Atoms); atoms != "" {
		if !strings.HasPrefix(atoms, "(") {
			atoms = "(" + atoms + ")"
		}
		text += ", " + atoms
	} else if r.Permutation != "" {
		text += ", (1,1,1)"
	}
	if r.Permutation != "" {
		text += ", " + r.Permutation
	}
	return text + ")", nil
}

// tiledMMA builds the TiledMMA of a request in the language, and returns it with notes.
func (s *Session) tiledMMA(req MMARequest) (atom.TiledMMA, []string, Fault, *report.Error) {
	text, err := req.text()
	if err != nil {
		return atom.TiledMMA{}, nil, Fault{Usage: true}, usage("%v", err)
	}
	last, notes, info := s.last(text)
	if info != nil {
		return atom.TiledMMA{}, nil, Fault{In: text}, info
	}
	m, ok := last.Value.(eval.TiledMMA)
	if !ok {
		return atom.TiledMMA{}, nil, Fault{In: text}, usage("expected a tiled_mma, found %v", last.Value)
	}
	return m.TiledMMA, notes, Fault{}, nil
}

// An MMAResponse is a TiledMMA with its layouts.
type MMAResponse struct {
	OK       bool          `json:"ok"`                        // there is an answer
	MMA      string        `json:"mma,omitempty"`             // the TiledMMA as an expression
	Threads  int64         `json:"threads,omitempty"`         // how many threads there are
	ThrVMNK  string        `json:"thr_layout_vmnk,omitempty"` // the coordinates (V,M,N,K) of a thread -> its number
	Tile     [3]int64      `json:"tile_shape,omitzero"`       // the extents along M, N and K, in elements
	Operands []MMAOperand  `json:"operands,omitempty"`        // A, B and C
	Notes    []string      `json:"notes,omitempty"`           // what a reader of the answer should know
	Error    *report.Error `json:"error,omitempty"`           // why there is no answer

	Fault `json:"-"`
}

// An MMAOperand is A, B or C of a TiledMMA.
type MMAOperand struct {
	Name     string `json:"name"`     // A, B or C
	TV       string `json:"tv"`       // (thread, value) -> colexicographic index in the tile
	Fragment string `json:"fragment"` // the shape of a thread's part of the tile
}

// MMA describes a TiledMMA.
func (s *Session) MMA(req MMARequest) MMAResponse {
	m, notes, fault, info := s.tiledMMA(req)
	if info != nil {
		return MMAResponse{Error: info, Fault: fault}
	}
	resp := MMAResponse{
		OK: true, MMA: eval.TiledMMA{TiledMMA: m}.String(), Threads: m.Size(), ThrVMNK: m.ThrLayoutVMNK().String(),
		Tile: m.TileShape(), Notes: notes,
	}
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		tv, err := m.LayoutTV(o)
		if err != nil {
			return MMAResponse{Error: report.Of(err)}
		}
		row := MMAOperand{Name: o.String(), TV: tv.String()}
		x, y := o.Axes()
		shape, err := m.PartitionShape(o, cute.Ints(resp.Tile[x], resp.Tile[y]))
		if err != nil {
			return MMAResponse{Error: report.Of(err)}
		}
		row.Fragment = shape.String()
		resp.Operands = append(resp.Operands, row)
	}
	return resp
}

// A PermuteRequest asks for the PermutationMNK that makes values of a thread contiguous.
type PermuteRequest struct {
	MMARequest
	Operand string `json:"operand,omitempty" jsonschema:"with run: whose values; C if empty" brief:"with run: of C if empty"`
	Along   string `json:"along,omitempty" jsonschema:"with run: along which mode; the first of the operand if empty" brief:"with run"`
	Run     int64  `json:"run,omitempty" jsonschema:"how many values of a thread should be contiguous" brief:"contiguous values of a thread"`
}

// A PermuteResponse is the permutation, and its effect on a thread.
type PermuteResponse struct {
	OK          bool   `json:"ok"`                    // there is an answer
	Permutation string `json:"permutation,omitempty"` // PermutationMNK
	MMA         string `json:"mma,omitempty"`         // the TiledMMA with the permutation, as an expression
	Operand     string `json:"operand,omitempty"`     // the operand whose values are contiguous: A, B or C
	// the coordinates that thread 0 holds without the permutation, in the order of its values
	Before []string      `json:"before,omitempty"`
	After  []string      `json:"after,omitempty"` // the coordinates that thread 0 holds with the permutation
	Notes  []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error  *report.Error `json:"error,omitempty"` // why there is no answer

	Fault `json:"-"`
}

// Permute finds a permutation.
func (s *Session) Permute(req PermuteRequest) PermuteResponse {
	m, notes, fault, info := s.tiledMMA(req.MMARequest)
	if info != nil {
		return PermuteResponse{Error: info, Fault: fault}
	}
	o, info := parseOperand(req.Operand)
	if info != nil {
		return PermuteResponse{Error: info, Fault: Fault{Usage: true}}
	}
	axis, _ := o.Axes()
	if along := strings.ToUpper(strings.TrimSpace(req.Along)); along != "" {
		if axis = strings.Index("MNK", along); len(along) != 1 || axis < 0 {
			return PermuteResponse{Error: usage("expected M, N or K, found %.40q", req.Along), Fault: Fault{Usage: true}}
		}
	}
	tile, err := atom.FindPermutation(m, o, axis, req.Run)
	if err != nil {
		return PermuteResponse{Error: report.Of(err)}
	}
	permuted, err := atom.MakeTiledMMA(m.Atom(), m.AtomLayoutMNK(), tile)
	if err != nil {
		return PermuteResponse{Error: report.Of(err)}
	}
	resp := PermuteResponse{
		OK: true, Permutation: tile.String(), MMA: eval.TiledMMA{TiledMMA: permuted}.String(),
		Operand: o.String(), Notes: notes,
	}
	shape := permuted.TileShape()
	if resp.Before, err = heldBy(m, o, shape); err == nil {
		resp.After, err = heldBy(permuted, o, shape)
	}
	if err != nil {
		return PermuteResponse{Error: report.Of(err)}
	}
	return resp
}

// parseOperand reads A, B or C.
func parseOperand(text string) (atom.Operand, *report.Error) {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "A":
		return atom.OperandA, nil
	case "B":
		return atom.OperandB, nil
	case "C", "D", "":
		return atom.OperandC, nil
	}
	return 0, usage("expected the operand A, B or C, found %.40q", text)
}

// heldBy returns the coordinates, by value, that thread 0 holds in a tile of the given shape.
func heldBy(m atom.TiledMMA, o atom.Operand, shape [3]int64) ([]string, error) {
	x, y := o.Axes()
	rows := shape[x]
	l, err := cute.LayoutLeft(cute.Ints(rows, shape[y]))
	if err != nil {
		return nil, err
	}
	thread, err := m.Thread(0)
	if err != nil {
		return nil, err
	}
	part, at, err := thread.Partition(o, l)
	if err != nil {
		return nil, err
	}
	offsets, err := part.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	first, _ := at.Int64()
	var out []string
	for _, x := range offsets[:min(len(offsets), maxHeld)] {
		x += first
		out = append(out, fmt.Sprintf("(%d,%d)", x%rows, x/rows))
	}
	if n := len(offsets); n > maxHeld {
		out = append(out, fmt.Sprintf("and %d more", n-maxHeld))
	}
	return out, nil
}

// A CopiesRequest asks which copy instructions load A or B from shared memory, or store C there.
type CopiesRequest struct {
	MMARequest
	Operand string `json:"operand,omitempty" jsonschema:"what is copied; A if empty" brief:"-"`
	Memory  string `json:"memory" tool:"expr" jsonschema:"the layout in shared memory, offsets in elements" brief:"layout in shared memory"`
	Type    string `json:"type,omitempty" jsonschema:"of the elements; the type of the operand if empty" brief:"-"`
	Arch    string `json:"arch,omitempty" tool:"target" jsonschema:"the machine, as sm90; any if empty" brief:"-"`

	All bool `json:"all,omitempty" http:"-" jsonschema:"all copies that do not fit, not the first ones only" brief:"not the first ones only"`
}

// A CopiesResponse lists copy instructions.
type CopiesResponse struct {
	OK     bool          `json:"ok"`               // the question has an answer; Fit says how many instructions fit
	MMA    string        `json:"mma,omitempty"`    // the TiledMMA as an expression
	Memory string        `json:"memory,omitempty"` // the layout in shared memory
	Type   string        `json:"type,omitempty"`   // the type of the elements
	Way    string        `json:"way,omitempty"`    // where the copies read, and where they write
	Fit    int           `json:"fit"`              // how many of the copies fit
	Copies []CopyRow     `json:"copies,omitempty"` // the copies that fit, fewest instructions first; then the others
	Notes  []string      `json:"notes,omitempty"`  // what a reader of the answer should know
	Error  *report.Error `json:"error,omitempty"`  // why there is no answer

	Fault `json:"-"`
}

// A CopyRow is an instruction, and why it fits or does not.
type CopyRow struct {
	Name         string     `json:"name"`                   // CuTe's name of the copy instruction
	Arch         string     `json:"arch"`                   // the first architecture that has it
	Fits         bool       `json:"fits"`                   // the instruction may be used for this copy
	Reason       string     `json:"reason"`                 // why the instruction fits or does not
	Hint         string     `json:"hint,omitempty"`         // what would make the instruction fit
	Instructions int64      `json:"instructions,omitempty"` // the number of instructions of each thread
	First        *CopyPlace `json:"first,omitempty"`        // one of two elements that should be neighbours
	Second       *CopyPlace `json:"second,omitempty"`       // the other element
}

// A CopyPlace is an element in shared memory.
type CopyPlace struct {
	Thread int64  `json:"thread"` // the number of the thread
	Value  int64  `json:"value"`  // the number of the value in the thread
	Coord  string `json:"coord"`  // the coordinate of the element in the operand
	Offset int64  `json:"offset"` // elements
}

// Copies says which copy instructions fit an operand of a TiledMMA, and why the others do not.
func (s *Session) Copies(req CopiesRequest) CopiesResponse {
	ask, resp, fault, info := s.copyRequest(req)
	if info != nil {
		return CopiesResponse{Error: info, Fault: fault}
	}
	fits, err := atom.CopiesFor(ask)
	if err != nil {
		return CopiesResponse{Error: report.Of(err)}
	}
	for _, f := range fits {
		row := CopyRow{
			Name: f.Copy.Name, Arch: f.Copy.Arch, Fits: f.Fits, Reason: f.Reason, Hint: f.Hint,
			Instructions: f.Instructions,
		}
		if f.First != nil && f.Second != nil {
			row.First, row.Second = copyPlace(f.First), copyPlace(f.Second)
		}
		if f.Fits {
			resp.Fit++
		}
		resp.Copies = append(resp.Copies, row)
	}
	return resp
}

// copyRequest reads the request, and returns the response without its copies.
func (s *Session) copyRequest(req CopiesRequest) (atom.CopyRequest, CopiesResponse, Fault, *report.Error) {
	var none atom.CopyRequest
	m, notes, fault, info := s.tiledMMA(req.MMARequest)
	if info != nil {
		return none, CopiesResponse{}, fault, info
	}
	o := atom.OperandA
	if req.Operand != "" {
		if o, info = parseOperand(req.Operand); info != nil {
			return none, CopiesResponse{}, Fault{Usage: true}, info
		}
	}
	types := m.Atom().Types
	t := map[atom.Operand]dtype.Type{
		atom.OperandA: types.A.Type, atom.OperandB: types.B.Type,
		atom.OperandC: types.C.Type,
	}[o]
	if req.Type != "" {
		if t, info = elementType(req.Type); info != nil {
			return none, CopiesResponse{}, Fault{Usage: true}, info
		}
	}
	last, _, info := s.last(req.Memory)
	if info != nil {
		return none, CopiesResponse{}, Fault{In: req.Memory}, info
	}
	memory, err := memoryOf(last.Value)
	if err != nil {
		return none, CopiesResponse{}, Fault{In: req.Memory}, report.Whole(err, req.Memory)
	}
	inner, ok := memory.(cute.Inner)
	if x, isXor := memory.(linear.XorLayout); isXor {
		if inner, err = x.BehindSwizzles(); err != nil {
			return none, CopiesResponse{}, Fault{In: req.Memory}, report.Whole(err, req.Memory)
		}
	} else if !ok {
		return none, CopiesResponse{}, Fault{In: req.Memory}, report.Whole(report.ErrNothing, req.Memory)
	}
	ask, err := atom.NewCopyRequest(m, o, inner, t)
	if err != nil {
		return none, CopiesResponse{}, Fault{}, report.Of(err)
	}
	ask.Arch = cmp.Or(req.Arch, ask.Arch)
	resp := CopiesResponse{
		OK: true, MMA: eval.TiledMMA{TiledMMA: m}.String(), Memory: last.Value.String(),
		Type: t.String(), Way: ask.Direction.String(), Notes: notes,
	}
	return ask, resp, Fault{}, nil
}

func copyPlace(p *atom.CopyPlace) *CopyPlace {
	return &CopyPlace{Thread: p.Thread, Value: p.Value, Coord: p.Coord.String(), Offset: p.Offset}
}
