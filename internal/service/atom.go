package service

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/report"
)

// ShownAtoms is the number of instructions that are listed unless the request asks for more.
const ShownAtoms = 40

// atomsOperation is the row of the list of instructions.
func atomsOperation() Operation {
	return Operation{
		Name: "atoms", Doc: "The MMA and copy instructions that match words.", Programs: true,
		Tool: &ToolDoc{
			Title:   "List instructions",
			Brief:   "the MMA and copy instructions of NVIDIA and AMD that match all words: [sm80, f16], [copy, sm90, matrix].",
			Smaller: "more words, or a smaller most",
			Doc: "The MMA and copy instructions of NVIDIA and AMD that have all the words in their name, kind, " +
				"architecture, shape or types: " +
				`["sm80","f16"], ["copy","sm90","matrix"], ["gfx942","32x32x8"].`,
		},
		Form: &Form{Examples: []any{
			AtomsRequest{Filter: []string{"sm80", "f16", "mma"}}, AtomsRequest{Filter: []string{"copy", "sm90", "matrix"}},
		}},
		do: method[AtomsRequest, AtomsResponse]{
			do: func(_ *Session, q AtomsRequest) AtomsResponse { return Atoms(q) },
			said: func(_ AtomsRequest, r AtomsResponse, _ Door) Answer {
				var notes []string
				if r.More > 0 {
					notes = append(notes, fmt.Sprintf("%d more match: more words narrow them down, most lists more", r.More))
				}
				return Answer{OK: r.OK, Text: r.Text, Notes: notes, Error: r.Error}
			},
			assumed: func(q *AtomsRequest) {
				if q.Most == 0 {
					q.Most = ShownAtoms
				}
				q.Filter = strings.FieldsFunc(strings.Join(q.Filter, " "), func(c rune) bool { return c == ' ' || c == ',' })
			},
		}.caller(),
	}
}

// atomOperation is the row of one instruction.
func atomOperation() Operation {
	return Operation{
		Name: "atom", Doc: "List MMA and copy instructions, or show one with its layouts", Programs: true,
		Tool: &ToolDoc{
			Title: "Show an instruction",
			Brief: "one instruction by its CuTe name, SM80_16x8x16_F32F16F16F32_TN: PTX, registers, thread-value layouts.",
			Doc: "One MMA or copy instruction by its CuTe name, as SM80_16x8x16_F32F16F16F32_TN: PTX, registers, and the " +
				"layouts (thread,value) -> index of A, B and C, colexicographic in (M,K), (N,K), (M,N), or (thread,bit) -> bit " +
				"of a copy; what a thread holds, who holds an element.",
		},
		Command: &Command{
			Use: "atom [WORD...]",
			Flags: []Flag{
				{Field: "thread", Usage: "list the elements that the `THREAD` holds"},
				{Field: "element", Usage: "say who holds an `ELEMENT`, such as C(8,2)"},
			},
			Long: `List the MMA and copy instructions that have all the words in their name,
architecture, shape, types or PTX, or show the instruction with that name, or the
only match, with its registers and layouts.

Layouts of an MMA are (thread,value) -> index, which counts colexicographically in
(M,K) for A, (N,K) for B and (M,N) for C; each says how often an element is held.
Layouts of a copy are (thread,bit) -> bit of the data that one instruction moves.`,
			Example: `  girih atom sm80 f32 f16
  girih atom SM80_16x8x16_F32F16F16F32_TN
  girih atom SM80_16x8x16_F32F16F16F32_TN --thread 1
  girih atom SM90_64x128x16_F32F16F16_SS --element 'C(17,2)'
  girih atom ldmatrix
  girih atom mma.m16n8k16 bf16
  girih atom gfx942 32x32x8 f16
  girih atom copy sm90 matrix
  girih atom SM75_U32x4_LDSM_N --thread 1`,
		},
		Form: &Form{
			Examples: []any{
				AtomRequest{Name: "SM80_16x8x16_F32F16F16F32_TN", Element: "C(8,2)"},
				AtomRequest{Name: "SM75_U32x4_LDSM_N"},
				AtomRequest{Name: "SM90_64x128x16_F32F16F16_SS", Element: "C(17,2)"},
			},
			Draws: "name",
		},
		do: method[AtomRequest, AtomResponse]{
			do: func(_ *Session, q AtomRequest) AtomResponse { return Atom(q) },
			said: func(_ AtomRequest, r AtomResponse, _ Door) Answer {
				return Answer{OK: r.OK, Text: func() string { return AtomText(r) }, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// An AtomsRequest asks for the instructions whose name, architecture, shape, types and PTX contain all words of
// the filter.
type AtomsRequest struct {
	Filter []string `json:"filter,omitempty" jsonschema:"words, as sm80, f16, ldmatrix or m16n8k16; upper and lower case are the same" brief:"-"`
	Most   int      `json:"most,omitempty" jsonschema:"how many to list at most; 40 if 0" brief:"40 if 0"`
}

// An AtomsResponse lists instructions.
type AtomsResponse struct {
	OK    bool          `json:"ok"`              // at least one instruction matches
	Atoms []AtomRow     `json:"atoms"`           // the matching instructions, MMAs first
	More  int           `json:"more,omitempty"`  // how many more match
	Error *report.Error `json:"error,omitempty"` // why there is no answer
}

// An AtomRow is an instruction on one line.
type AtomRow struct {
	Name    string `json:"name"`            // CuTe's name of the instruction
	Kind    string `json:"kind"`            // mma, or copy
	Arch    string `json:"arch"`            // the architecture, as sm80
	Shape   string `json:"shape,omitempty"` // M by N by K of an MMA
	Types   string `json:"types,omitempty"` // an MMA as d = a * b + c; from where to where a copy moves
	Threads int64  `json:"threads"`         // how many threads carry the instruction out together
}

// Atoms lists the instructions that contain all the words. Without a match, the words are split, and then matched
// less exactly: see [search].
func Atoms(req AtomsRequest) AtomsResponse {
	if n := len(req.Filter); n > maxWords {
		return AtomsResponse{Error: report.Of(&cute.Error{
			Code: cute.CodeLimit, Op: "atoms",
			Msg: fmt.Sprintf("expected at most %d words, found %d", maxWords, n),
		})}
	}
	if req.Most < 0 {
		return AtomsResponse{Error: report.Of(&cute.Error{
			Code: cute.CodeNegative, Op: "atoms",
			Msg: fmt.Sprintf("expected the number of instructions to list, found %d", req.Most),
		})}
	}
	resp := AtomsResponse{OK: true, Atoms: search(req.Filter)}
	if len(resp.Atoms) == 0 {
		// The words may be parts of a name: the error about the name suggests names.
		e := Atom(AtomRequest{Name: strings.Join(req.Filter, "")}).Error
		if len(req.Filter) != 1 {
			e.Message = fmt.Sprintf("atoms: no MMA or copy instruction has all of the words %q",
				report.Brief(strings.Join(req.Filter, " ")))
		}
		return AtomsResponse{Error: e}
	}
	if n := len(resp.Atoms) - req.Most; req.Most > 0 && n > 0 {
		resp.Atoms, resp.More = resp.Atoms[:req.Most], n
	}
	return resp
}

// maxWords limits the words of a search.
const maxWords = 64

func mmaShape(m atom.MMA) string {
	s := fmt.Sprintf("%dx%dx%d", m.Shape[0], m.Shape[1], m.Shape[2])
	if m.Blocks > 1 {
		s += fmt.Sprintf(" x%d", m.Blocks)
	}
	return s
}

func mmaTypes(m atom.MMA) string {
	t := m.Types
	return t.D.String() + " = " + t.A.String() + " * " + t.B.String() + " + " + t.C.String()
}

// An AtomRequest asks about one instruction.
type AtomRequest struct {
	Name    string `json:"name" tool:"atom" jsonschema:"CuTe's name of the instruction" brief:"-"`
	Thread  *int64 `json:"thread,omitempty" jsonschema:"number of a thread: which elements it holds" brief:"what it holds"`
	Element string `json:"element,omitempty" jsonschema:"which thread holds this element: C(8,2)" brief:"who holds C(8,2)"`
}

// An AtomResponse is an instruction with its layouts.
type AtomResponse struct {
	OK      bool   `json:"ok"` // there is an answer
	AtomRow        // the name, the kind, the architecture, the shape, the types and the threads
	ThrID   string `json:"thr_id,omitempty"` // the layout of the numbers of the instruction's threads
	Text    string `json:"text,omitempty"`   // the instruction in PTX
	Source  string `json:"source,omitempty"` // where the layouts are from
	// A, B and C of an MMA; source and destination of a copy, if the request names a thread
	Operands []AtomOperand `json:"operands,omitempty"`
	Owners   []AtomHolder  `json:"owners,omitempty"`  // the threads that hold the requested element
	Element  string        `json:"element,omitempty"` // the requested element
	Thread   *int64        `json:"thread,omitempty"`  // the requested thread
	Copy     *AtomCopy     `json:"copy,omitempty"`    // only for a copy instruction
	Notes    []string      `json:"notes,omitempty"`   // what a reader of the answer should know
	Error    *report.Error `json:"error,omitempty"`   // why there is no answer
}

// An AtomOperand is A, B or C.
type AtomOperand struct {
	Name      string   `json:"name"`             // A, B or C of an MMA; source or destination of a copy
	Rows      string   `json:"rows"`             // the name and the extent of the first mode: M 16
	Columns   string   `json:"columns"`          // the name and the extent of the second mode
	From      string   `json:"from"`             // where the operand is: registers, shared memory
	Major     string   `json:"major,omitempty"`  // which mode is contiguous in shared memory
	Registers string   `json:"registers"`        // the registers of a thread that hold it
	TV        string   `json:"tv"`               // the layout (thread, value) -> index
	Coverage  string   `json:"coverage"`         // how often each element is held
	Holds     []string `json:"holds,omitempty"`  // the elements of the requested thread, by value
	Blocks    int64    `json:"blocks,omitempty"` // how many matrices the instruction multiplies, if it is more than one
}

// An AtomHolder is a value of a thread.
type AtomHolder struct {
	Thread int64 `json:"thread"` // the number of the thread
	Value  int64 `json:"value"`  // the index of the element among the values of the thread
}

// Atom describes one instruction.
func Atom(req AtomRequest) AtomResponse {
	m, err := atom.FindMMA(req.Name)
	if err != nil {
		c, notCopy := atom.FindCopy(req.Name)
		if notCopy == nil {
			return copyAtom(c, req)
		}
		return AtomResponse{Error: nameOf(req.Name, err, notCopy)}
	}
	resp := AtomResponse{
		OK: true, AtomRow: AtomRow{
			Name: m.Name, Kind: "mma", Arch: m.Arch, Shape: mmaShape(m), Types: mmaTypes(m),
			Threads: m.Threads(),
		},
		ThrID: m.ThrID.String(), Text: m.Text, Source: m.Source, Thread: req.Thread, Element: req.Element,
	}
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		row, err := operandOf(m, o, req.Thread)
		if err != nil {
			return AtomResponse{Error: report.Of(err)}
		}
		resp.Operands = append(resp.Operands, row)
	}
	if req.Element != "" {
		if resp.Owners, err = ownersOf(m, req.Element); err != nil {
			return AtomResponse{Error: report.Of(err)}
		}
	}
	if s := m.Sparse; s != nil {
		resp.Notes = append(resp.Notes,
			fmt.Sprintf("sparse: %d of %d consecutive elements of A along K are there", s.Kept, s.Of))
	}
	if s := m.Scale; s != nil {
		resp.Notes = append(resp.Notes, fmt.Sprintf("block-scaled: one %v for each %d elements along K, in %v", s.Type,
			s.Vector, s.From))
	}
	return resp
}

// operandOf describes an operand and, if a thread is given, what the thread holds of the operand.
func operandOf(m atom.MMA, o atom.Operand, thread *int64) (AtomOperand, error) {
	axes := map[atom.Operand][2]string{atom.OperandA: {"M", "K"}, atom.OperandB: {"N", "K"}, atom.OperandC: {"M", "N"}}[o]
	rows, columns := m.Extents(o)
	from := map[atom.Operand]atom.Space{atom.OperandA: m.AFrom, atom.OperandB: m.BFrom, atom.OperandC: m.CFrom}[o]
	registers := map[atom.Operand]atom.RegisterGroup{
		atom.OperandA: m.Registers.A, atom.OperandB: m.Registers.B,
		atom.OperandC: m.Registers.C,
	}[o]
	row := AtomOperand{
		Name: o.String(), Rows: fmt.Sprintf("%s %d", axes[0], rows), Columns: fmt.Sprintf("%s %d", axes[1], columns),
		From: from.String(), Registers: registers.String(), TV: m.TVText(o),
	}
	if m.Blocks > 1 {
		row.Blocks = m.Blocks
	}
	if o != atom.OperandC && from == atom.SharedMemory {
		row.Major = map[bool]string{true: m.AMajor.String(), false: m.BMajor.String()}[o == atom.OperandA]
	}
	c, err := m.Coverage(o)
	if err != nil {
		return row, err
	}
	switch n := c.Broadcast(); {
	case n == 1:
		row.Coverage = "each element once"
	case n > 1:
		row.Coverage = fmt.Sprintf("each element %d times", n)
	default:
		row.Coverage = fmt.Sprintf("%d of %d elements, each %d to %d times, %d values outside", c.Held, c.Elements, c.Least,
			c.Most, c.Outside)
	}
	if thread == nil {
		return row, nil
	}
	t, err := m.ThreadOf(*thread)
	if err != nil {
		return row, err
	}
	for v := range min(m.Values(o), maxHeld) {
		p, err := m.At(o, t, v)
		if err != nil {
			return row, err
		}
		row.Holds = append(row.Holds, fmt.Sprintf("(%d,%d)", p.Row, p.Column))
	}
	if n := m.Values(o); n > maxHeld {
		row.Holds = append(row.Holds, fmt.Sprintf("and %d more", n-maxHeld))
	}
	return row, nil
}

// maxHeld is the largest number of elements that are listed for a thread.
const maxHeld = 64

// ownersOf parses C(8,2) and returns who holds it.
func ownersOf(m atom.MMA, element string) ([]AtomHolder, error) {
	bad := &cute.Error{
		Code: cute.CodeSyntax, Op: "atom",
		Msg: fmt.Sprintf("an element is an operand with its coordinate, such as C(8,2), found %.40q", element),
	}
	name, at, ok := strings.Cut(strings.TrimSuffix(strings.ReplaceAll(element, " ", ""), ")"), "(")
	operands := map[string]atom.Operand{"A": atom.OperandA, "B": atom.OperandB, "C": atom.OperandC, "D": atom.OperandC}
	o, known := operands[strings.ToUpper(name)]
	t, err := cute.ParseTuple("(" + at + ")")
	if !ok || !known || err != nil || t.Rank() < 2 || t.Depth() != 1 {
		return nil, bad
	}
	xs := t.Leaves()
	p := atom.Place{Row: xs[0], Column: xs[1]}
	if len(xs) > 2 {
		p.Block = xs[2]
	}
	holders, err := m.Owners(o, p)
	if err != nil {
		return nil, err
	}
	out := make([]AtomHolder, len(holders))
	for i, h := range holders {
		out[i] = AtomHolder{m.Lane(h.Thread), h.Value}
	}
	return out, nil
}
