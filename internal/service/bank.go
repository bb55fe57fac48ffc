package service

import (
	"errors"
	"fmt"

	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/report"
)

// DefaultTarget is the machine used if a request names no machine. Its shared memory was measured.
const DefaultTarget = "sm90"

// bankOperation is the row of bank conflicts.
func bankOperation() Operation {
	return Operation{
		Name: "bank", Doc: "Show the bank conflicts of accesses to shared memory", Programs: true,
		Words: map[string][]Word{"target": TargetWords()},
		Tool: &ToolDoc{
			Title:   "Find bank conflicts",
			Brief:   "bank conflicts of accesses to a layout in shared memory: wavefronts, degree (1 is free of conflicts), lanes and banks.",
			Smaller: "ask for fewer accesses at a time, or for a smaller tile",
			Doc: "What shared memory does with accesses of threads to a layout: wavefronts, how many there would be without " +
				"conflicts, and the lanes, banks and bytes of each conflict. A degree of 1 is free of conflicts.",
		},
		Command: &Command{
			Use:  "bank EXPR --type TYPE --access INSTRUCTION",
			Args: []string{"expr"},
			Flags: append(accessFlags("", ""), Flag{
				Field: "all", Name: "verbose", Short: "v",
				Usage: "show all conflicts, and the phases without",
			}),
			Long: bankHelp(),
			Example: `  girih bank '(8,64):(64,1)' --type f16 --access ldmatrix.x4
  girih bank 'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16 --access ldmatrix.x4 --max 1
  girih bank '(8,64):(64,1)' --type f16 --access ldmatrix.x4 --explain
  girih bank '(128,8):(1,132)' --type f32 --access st --threads 'thr (32,8):(8,1)'
  girih bank '(32,32):(32,1)' --type half_t --access st.v2 --threads '((4,8),(2,2,4)):((64,1),(32,8,256))'
  girih bank '(32,32):(33,1)' --type f32 --access st --threads cols --access ld --threads rows
  girih bank '(64,64):(64,1)' --type f16 --access ds_read_b128 --target gfx942 -v`,
		},
		Form: &Form{Repair: repairBank, Draws: "expr type accesses threads target"},
		do: method[BankRequest, BankResponse]{
			do: (*Session).Bank,
			said: func(q BankRequest, r BankResponse, d Door) Answer {
				more := map[Door]string{Terminal: "-v shows all", Assistants: "all true shows them"}[d]
				if q.All {
					more = ""
				}
				text := func() string { return r.Text(more) }
				return Answer{Fault: r.Fault, OK: r.OK, Text: text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// bankHelp is the prose of girih bank --help.
func bankHelp() string {
	return `Show what shared memory does with an instruction of every warp: the wavefronts, how
many there would be without conflicts, and the lanes, banks and byte addresses of
each conflict. EXPR is a layout or a composed layout; its offsets, including the
swizzle, are in elements of the type.

INSTRUCTION is one of

  ld, st                     one element a lane
  ld.v2, ld.v4, st.v2, ...   2 or 4 elements
  ld.128, st.64, ...         8, 16, 32, 64 or 128 bits
  ldmatrix.xN[.trans]        N = 1, 2 or 4; each lane gives the address of a row
  stmatrix.xN[.trans]        of 16 bytes
  cp.async.N                 N = 4, 8 or 16 bytes: what it writes to shared memory
  atom.OP.TYPE, red.OP.TYPE  add.u32, min.s32, and.b32, exch.b64, cas.b32, ...: lanes
                             that access one word take turns
  ds_read_bN, ds_write_bN    AMD's names

` + threadsHelp + `

` + Wrap("MACHINE is one of "+NamesOf(TargetWords())+`. The rules of sm90 were measured; for other machines the output cites the
documentation, and undocumented accesses are refused. With --max N the exit status is 1 if a conflict is more than
N-way.`, 80, "", "")
}

// A BankRequest asks what shared memory does with the accesses of threads to a layout.
type BankRequest struct {
	Expr     string   `json:"expr" jsonschema:"a layout or composed layout, offsets in elements" brief:"-"`
	Type     string   `json:"type" jsonschema:"of the elements: f16, bf16, f32, e4m3, float" brief:"-"`
	Accesses []string `json:"accesses" jsonschema:"instructions: ld and st (one element a lane), ld.v4, st.128, ldmatrix.x4, ldmatrix.x2.trans, stmatrix.x4, cp.async.16, ds_read_b128" brief:"ld, st.v4, ld.128, ldmatrix.x2.trans, stmatrix.x4, cp.async.16, ds_read_b128"`
	Threads  []string `json:"threads,omitempty" jsonschema:"which elements the threads access, once for all accesses or for each: rows (lane t is in row t), cols, a thread-value layout (thread,value) -> index, \"thr LAYOUT val LAYOUT\" as of make_tiled_copy, or empty: lane t takes the t-th vector or row" brief:"once or for each access: rows (lane t is in row t), cols, a thread-value layout, thr LAYOUT val LAYOUT; if empty lane t takes the t-th vector or row"`
	Target   string   `json:"target,omitempty" jsonschema:"the machine; sm90 if empty"`

	All bool `json:"all,omitempty" http:"-" jsonschema:"all phases and conflicts, not the first ones only" brief:"not the first ones only"`
}

// A BankResponse says what it does.
type BankResponse struct {
	OK       bool          `json:"ok"`                 // there is an answer
	Value    string        `json:"value,omitempty"`    // the layout
	Type     string        `json:"type,omitempty"`     // the canonical name of the element type
	Bits     int           `json:"bits,omitempty"`     // the width of an element
	Target   string        `json:"target,omitempty"`   // the name of the machine
	Machine  string        `json:"machine,omitempty"`  // the description of the machine
	Degree   int           `json:"degree,omitempty"`   // the largest degree of all accesses; 1 is conflict-free
	Accesses []BankAccess  `json:"accesses,omitempty"` // what each access costs, in the order of the request
	Notes    []string      `json:"notes,omitempty"`    // what a reader of the answer should know
	Error    *report.Error `json:"error,omitempty"`    // why there is no answer

	Fault `json:"-"`
}

// A Fault says which part of a request with several texts an error is about.
type Fault struct {
	// In is the text that the places of the error are in.
	In string
	// Usage is set if the request, not the expression, is wrong: a type, a target or an access is unknown or
	// missing.
	Usage bool
}

// A BankAccess is what one kind of access costs, all instructions of all warps together.
type BankAccess struct {
	Access       string `json:"access"`       // the access as the request names it
	Name         string `json:"name"`         // the canonical name of the access: "ld.128"
	Bits         int    `json:"bits"`         // how many bits one lane accesses
	Threads      int    `json:"threads"`      // how many threads there are in all
	Values       int    `json:"values"`       // how many elements each thread accesses
	Vector       int    `json:"vector"`       // how many elements a lane accesses together
	Warps        int    `json:"warps"`        // how many warps there are
	Instructions int    `json:"instructions"` // how many instructions each warp executes
	How          string `json:"how"`          // which elements the threads access, in words
	Wavefronts   int    `json:"wavefronts"`   // the sum of the wavefronts over all instructions of all warps
	Ideal        int    `json:"ideal"`        // the wavefronts without conflicts
	Degree       int    `json:"degree"`       // the largest degree of a phase
	// lanes share addresses in pairs, so the load takes half as many phases
	Merged bool        `json:"merged,omitempty"`
	Groups []BankGroup `json:"groups"` // the instructions by cost, the most expensive first
	Source string      `json:"source"` // the documentation or measurement that supports it
}

// A BankGroup lists instructions of the same cost, and the reasons for the first of them.
type BankGroup struct {
	Count       int            `json:"count"`               // how many instructions the group has
	Warp        int            `json:"warp"`                // the warp of the first of them
	Instruction int            `json:"instruction"`         // the index of the first of them in its warp
	Wavefronts  int            `json:"wavefronts"`          // the wavefronts of each instruction
	Ideal       int            `json:"ideal"`               // the wavefronts of each instruction without conflicts
	Degree      int            `json:"degree"`              // the largest degree of a phase
	Merged      bool           `json:"merged,omitempty"`    // as Merged of the access, for these instructions
	Phases      []BankPhase    `json:"phases"`              // the phases with an active lane
	Conflicts   []BankConflict `json:"conflicts,omitempty"` // the conflicts of the first instruction
}

// A BankPhase is the lanes that are served together.
type BankPhase struct {
	Lanes      []int `json:"lanes"`      // the numbers of the lanes
	Wavefronts int   `json:"wavefronts"` // how many the phase takes; 1 without conflicts
}

// A BankConflict is several places in the same banks that the lanes of a phase access.
type BankConflict struct {
	Phase  int       `json:"phase"`  // the index of the phase, from 0
	Bank   int       `json:"bank"`   // the first bank
	Banks  int       `json:"banks"`  // how many banks there are from Bank on
	Degree int       `json:"degree"` // how many wavefronts the banks need
	Hits   []BankHit `json:"hits"`   // the addresses that are accessed
}

// A BankHit is an address in the conflicting banks, and the lanes that access it.
type BankHit struct {
	Address int64 `json:"address"` // bytes
	Lanes   []int `json:"lanes"`   // the lanes that access this address
}

// Bank evaluates the program and analyses the accesses to the layout that is the program's value. A note warns about
// elements that are not accessed, or a swizzle that may have been meant for bytes.
func (s *Session) Bank(req BankRequest) BankResponse {
	if len(req.Accesses) == 0 {
		return BankResponse{Error: usage("expected at least one access, found none"), Fault: Fault{Usage: true}}
	}
	j, fault, err := s.accessJob(req)
	if err != nil {
		return BankResponse{Error: err, Fault: fault}
	}
	r := BankResponse{
		OK: true, Value: j.memory.String(), Type: j.typ.String(), Bits: j.typ.Bits(),
		Target: j.target.Name(), Machine: j.target.Title(), Notes: j.notes,
	}
	for i, text := range j.names {
		if info := s.timeUp(); info != nil {
			return BankResponse{Error: info}
		}
		access, err := banks.ParseAccess(text, j.typ.Bits())
		if err != nil {
			return BankResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
		}
		rule, err := j.target.Rule(access)
		if err != nil {
			return BankResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
		}
		a, plan, err := bankAccess(text, rule, j, j.threads[i])
		if err != nil {
			return BankResponse{Error: j.inExpr(err), Fault: Fault{In: req.Expr}}
		}
		r.Accesses = append(r.Accesses, a)
		r.Degree = max(r.Degree, a.Degree)
		r.Notes = append(r.Notes, j.notesOn(a, plan, j.threads[i])...)
	}
	r.Notes = unique(r.Notes)
	return r
}

// bankAccess analyses one access.
func bankAccess(text string, rule banks.Rule, j *accessJob, threads threadSpec) (BankAccess, banks.Period, error) {
	plan, err := banks.NewPeriod(rule, j.memory, j.typ.Bits(), threads.Threads)
	if err != nil {
		return BankAccess{}, plan, err
	}
	repeats := int(plan.Repeats)
	sum, groups, err := plan.Groups(nil)
	if err != nil {
		return BankAccess{}, plan, err
	}
	a := BankAccess{
		Access: text, Name: rule.Access().String(), Bits: rule.Access().Bits(),
		Threads: plan.Threads(), Values: plan.Values(), Vector: plan.Vector(), Warps: plan.Warps(),
		Instructions: plan.Instructions() * repeats, How: plan.How(),
		Wavefronts: sum.Wavefronts * repeats, Ideal: sum.Ideal * repeats, Degree: sum.Degree,
		Merged: sum.Merged, Source: rule.Source(),
	}
	for _, g := range groups {
		addrs, err := plan.Addresses(nil, nil, g.Places[0].Warp, g.Places[0].Instruction)
		if err != nil {
			return BankAccess{}, plan, err
		}
		rep, err := rule.Explain(addrs)
		if err != nil {
			return BankAccess{}, plan, err
		}
		group := bankGroup(g, rep)
		group.Count *= repeats
		a.Groups = append(a.Groups, group)
	}
	return a, plan, nil
}

func bankGroup(g banks.Group, rep banks.Report) BankGroup {
	out := BankGroup{
		Count: len(g.Places), Warp: g.Places[0].Warp, Instruction: g.Places[0].Instruction,
		Wavefronts: g.Wavefronts, Ideal: g.Ideal, Degree: g.Degree, Merged: g.Merged,
	}
	for _, p := range rep.Served {
		out.Phases = append(out.Phases, BankPhase(p))
	}
	for _, c := range rep.Conflicts {
		b := BankConflict{Phase: c.Phase, Bank: c.Bank, Banks: c.Banks, Degree: c.Degree()}
		for _, h := range c.Hits {
			b.Hits = append(b.Hits, BankHit(h))
		}
		out.Conflicts = append(out.Conflicts, b)
	}
	return out
}

// notesOn returns what a reader of the analysis of one access should know.
func (j *accessJob) notesOn(a BankAccess, plan banks.Period, threads threadSpec) []string {
	notes := j.notesOnThreads(plan, threads)
	if a.Degree < 2 {
		return notes
	}
	other, w, ok := banks.InBytes(j.memory, j.typ.Bits())
	if !ok {
		return notes
	}
	offsets, err := other.AppendOffsets(nil)
	if err != nil {
		return notes
	}
	c, err := plan.Count(offsets)
	if err != nil || c.Wavefronts >= a.Wavefronts {
		return notes
	}
	note := fmt.Sprintf("offsets are in elements here, including the swizzle; if it was meant for bytes, as CuTe "+
		"prints it for a smem_ptr, it is %v on %v, and %s is then %s",
		w, j.typ, a.Access, verdict(c.Degree))
	return append(notes, note)
}

// verdict returns a conflict degree in words: "8-way", "conflict-free".
func verdict(degree int) string {
	if degree < 2 {
		return "conflict-free"
	}
	return fmt.Sprintf("%d-way", degree)
}

// usage returns an error about how a request is made.
//
//go:noinline
func usage(format string, args ...any) *report.Error {
	return &report.Error{Code: string(cute.CodeSyntax), Message: fmt.Sprintf(format, args...)}
}

// unique returns the texts without repetition.
//
//go:noinline
func unique(texts []string) []string {
	seen := make(map[string]bool)
	out := texts[:0]
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// elementType reads the name of an element type.
func elementType(name string) (dtype.Type, *report.Error) {
	var none dtype.Type
	if name == "" {
		info := usage("expected the type of an element, found none")
		info.Hint = "for example f16, bf16, f32, e4m3, s8 or f64"
		return none, info
	}
	t, err := dtype.Parse(name)
	if e, ok := errors.AsType[*dtype.Error](err); ok {
		return none, &report.Error{Code: string(e.Code), Message: e.Msg}
	}
	return t, nil
}

// A Target is a machine whose shared memory is known.
type Target struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Targets returns the machines, NVIDIA's first.
func Targets() []Target {
	var ts []Target
	for _, t := range banks.Targets() {
		ts = append(ts, Target{t.Name(), t.Title()})
	}
	return ts
}
