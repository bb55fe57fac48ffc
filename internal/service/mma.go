package service

import (
	"fmt"
	"strings"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/linear"
)

// An MMARequest names a TiledMMA: an instruction, repeated over threads and values.
type MMARequest struct {
	Atom        string `json:"atom"`                  // the name of an instruction, or a tiled_mma(...)
	Atoms       string `json:"atoms,omitempty"`       // AtomLayoutMNK, as (2,2,1); one atom if empty
	Permutation string `json:"permutation,omitempty"` // PermutationMNK, as <32,32,16>; none if empty
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
			return "", fmt.Errorf("expected the atoms and the permutation in %.60s, found them also beside it", name)
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

// tiledMMA builds it, by the language, and returns what a reader of it should know.
func (s *Session) tiledMMA(req MMARequest) (atom.TiledMMA, []string, Fault, *ErrorInfo) {
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
	OK       bool         `json:"ok"`                        // there is an answer
	MMA      string       `json:"mma,omitempty"`             // the TiledMMA as an expression
	Threads  int64        `json:"threads,omitempty"`         // how many there are
	ThrVMNK  string       `json:"thr_layout_vmnk,omitempty"` // (V,M,N,K) of a thread -> its number
	Tile     [3]int64     `json:"tile_shape,omitzero"`       // M, N and K, in elements
	Operands []MMAOperand `json:"operands,omitempty"`        // A, B and C
	Notes    []string     `json:"notes,omitempty"`           // what a reader of the answer should know
	Error    *ErrorInfo   `json:"error,omitempty"`           // why there is no answer

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
			return MMAResponse{Error: errorInfo(err)}
		}
		row := MMAOperand{Name: o.String(), TV: tv.String()}
		x, y := operandModes(o)
		shape, err := m.PartitionShape(o, girih.Ints(resp.Tile[x], resp.Tile[y]))
		if err != nil {
			return MMAResponse{Error: errorInfo(err)}
		}
		row.Fragment = shape.String()
		resp.Operands = append(resp.Operands, row)
	}
	return resp
}

// operandModes returns the modes of an operand: 0, 1, 2 for M, N, K.
func operandModes(o atom.Operand) (x, y int) {
	switch o {
	case atom.OperandA:
		return 0, 2
	case atom.OperandB:
		return 1, 2
	}
	return 0, 1
}

// A PermuteRequest asks for the PermutationMNK that makes values of a thread contiguous.
type PermuteRequest struct {
	MMARequest
	Operand string `json:"operand,omitempty"` // with run: whose values; C if empty
	Along   string `json:"along,omitempty"`   // with run: along which mode; the first of the operand if empty
	Run     int64  `json:"run,omitempty"`     // how many values of a thread should be contiguous
}

// A PermuteResponse is the permutation, and what it does to a thread.
type PermuteResponse struct {
	OK          bool       `json:"ok"`                    // there is an answer
	Permutation string     `json:"permutation,omitempty"` // PermutationMNK
	MMA         string     `json:"mma,omitempty"`         // the TiledMMA with it, as an expression
	Operand     string     `json:"operand,omitempty"`     // whose values are contiguous: A, B or C
	Before      []string   `json:"before,omitempty"`      // the coordinates that thread 0 holds without it, in the order of its values
	After       []string   `json:"after,omitempty"`       // the same with it
	Notes       []string   `json:"notes,omitempty"`       // what a reader of the answer should know
	Error       *ErrorInfo `json:"error,omitempty"`       // why there is no answer

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
	axis, _ := operandModes(o)
	if along := strings.ToUpper(strings.TrimSpace(req.Along)); along != "" {
		if axis = strings.Index("MNK", along); len(along) != 1 || axis < 0 {
			return PermuteResponse{Error: usage("expected M, N or K, found %.40q", req.Along), Fault: Fault{Usage: true}}
		}
	}
	tile, err := atom.FindPermutation(m, o, axis, req.Run)
	if err != nil {
		return PermuteResponse{Error: errorInfo(err)}
	}
	permuted, err := atom.MakeTiledMMA(m.Atom(), m.AtomLayoutMNK(), tile)
	if err != nil {
		return PermuteResponse{Error: errorInfo(err)}
	}
	resp := PermuteResponse{OK: true, Permutation: tile.String(), MMA: eval.TiledMMA{TiledMMA: permuted}.String(), Operand: o.String(), Notes: notes}
	shape := permuted.TileShape()
	if resp.Before, err = heldBy(m, o, shape); err == nil {
		resp.After, err = heldBy(permuted, o, shape)
	}
	if err != nil {
		return PermuteResponse{Error: errorInfo(err)}
	}
	return resp
}

// parseOperand reads A, B or C.
func parseOperand(text string) (atom.Operand, *ErrorInfo) {
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

// heldBy returns the coordinates that thread 0 holds of a tile of a shape, by value.
func heldBy(m atom.TiledMMA, o atom.Operand, shape [3]int64) ([]string, error) {
	x, y := operandModes(o)
	rows := shape[x]
	l, err := girih.LayoutLeft(girih.Ints(rows, shape[y]))
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
	Operand string `json:"operand,omitempty"` // what is copied; A if empty
	Memory  string `json:"memory"`            // the layout in shared memory, offsets in elements
	Type    string `json:"type,omitempty"`    // of the elements; that of the operand if empty
	Arch    string `json:"arch,omitempty"`    // the machine, as sm90; any if empty
}

// A CopiesResponse lists them.
type CopiesResponse struct {
	OK     bool       `json:"ok"`               // the question made sense; that an instruction fits is said in copies
	MMA    string     `json:"mma,omitempty"`    // the TiledMMA as an expression
	Memory string     `json:"memory,omitempty"` // the layout in shared memory
	Type   string     `json:"type,omitempty"`   // of the elements
	Way    string     `json:"way,omitempty"`    // from where to where the copies move
	Fit    int        `json:"fit"`              // how many of the copies fit
	Copies []CopyRow  `json:"copies,omitempty"` // the one with the fewest instructions first, then those that do not fit
	Notes  []string   `json:"notes,omitempty"`  // what a reader of the answer should know
	Error  *ErrorInfo `json:"error,omitempty"`  // why there is no answer

	Fault `json:"-"`
}

// A CopyRow is an instruction, and why it fits or does not.
type CopyRow struct {
	Name         string     `json:"name"`                   // CuTe's name of the instruction
	Arch         string     `json:"arch"`                   // where it is from on
	Fits         bool       `json:"fits"`                   // the copy is legal
	Reason       string     `json:"reason"`                 // why it fits or does not
	Hint         string     `json:"hint,omitempty"`         // what would make it fit
	Instructions int64      `json:"instructions,omitempty"` // of each thread
	First        *CopyPlace `json:"first,omitempty"`        // one of two elements that should be neighbours and are not
	Second       *CopyPlace `json:"second,omitempty"`       // the other one
}

// A CopyPlace is an element in shared memory.
type CopyPlace struct {
	Thread int64  `json:"thread"` // the number of the thread
	Value  int64  `json:"value"`  // the number of the value in the thread
	Coord  string `json:"coord"`  // in the operand
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
		return CopiesResponse{Error: errorInfo(err)}
	}
	for _, f := range fits {
		row := CopyRow{Name: f.Copy.Name, Arch: f.Copy.Arch, Fits: f.Fits, Reason: f.Reason, Hint: f.Hint, Instructions: f.Instructions}
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
func (s *Session) copyRequest(req CopiesRequest) (atom.CopyRequest, CopiesResponse, Fault, *ErrorInfo) {
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
	t := map[atom.Operand]dtype.Type{atom.OperandA: types.A.Type, atom.OperandB: types.B.Type, atom.OperandC: types.C.Type}[o]
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
		return none, CopiesResponse{}, Fault{In: req.Memory}, whole(err, req.Memory)
	}
	inner, ok := memory.(girih.Inner)
	if x, isXor := memory.(linear.XorLayout); isXor {
		if inner, err = x.BehindSwizzles(); err != nil {
			return none, CopiesResponse{}, Fault{In: req.Memory}, whole(err, req.Memory)
		}
	} else if !ok {
		return none, CopiesResponse{}, Fault{In: req.Memory}, whole(errNothing, req.Memory)
	}
	ask, err := atom.NewCopyRequest(m, o, inner, t)
	if err != nil {
		return none, CopiesResponse{}, Fault{}, errorInfo(err)
	}
	ask.Arch = req.Arch
	resp := CopiesResponse{OK: true, MMA: eval.TiledMMA{TiledMMA: m}.String(), Memory: last.Value.String(), Type: t.String(), Way: ask.Direction.String(), Notes: notes}
	return ask, resp, Fault{}, nil
}

func copyPlace(p *atom.CopyPlace) *CopyPlace {
	return &CopyPlace{Thread: p.Thread, Value: p.Value, Coord: p.Coord.String(), Offset: p.Offset}
}
