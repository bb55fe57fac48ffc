package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/internal/lang/report"
)

// globalOperation is the row of sectors of global memory.
func globalOperation() Operation {
	return Operation{
		Name: "global", Doc: "Show the sectors that accesses to global memory move", Programs: true,
		Words: map[string][]Word{"target": globalTargets()},
		Tool: &ToolDoc{
			Title:   "Count sectors of global memory",
			Brief:   "sectors and lines that accesses to global memory move, the share of the bytes that is used, the widest access: are these loads coalesced?",
			Smaller: "ask for fewer accesses at a time",
			Doc: "What global memory moves for accesses of threads to a layout: requests, sectors of 32 bytes, lines of " +
				"128, the share of the bytes that is used, and the widest access that the layout admits: are these loads " +
				"coalesced?",
		},
		Command: &Command{
			Use:   "global EXPR --type TYPE --access INSTRUCTION",
			Args:  []string{"expr"},
			Wrong: "global needs one expression",
			Flags: append(accessFlags(
				"global needs the type of an element, as in --type f16", "global needs an instruction, as in --access ld.v4",
			), Flag{Field: "base", Usage: "the byte address of element 0, counted from the beginning of a line, as `BYTES`"}),
			Long: `Show what global memory moves for an instruction of every warp: sectors of 32
bytes, lines of 128, the share of the moved bytes that some lane accesses, and the
widest access that the layout admits. EXPR is a layout or a composed layout with
offsets in elements of the type; --base is the byte of element 0 in its line of 128
bytes.

INSTRUCTION is ld or st (one element a lane), ld.v2, st.v4 (2, 4 elements), ld.128,
st.64 (bits), cp.async.16 (bytes), atom.add.u32, red.add.f32 and others, or
cp.async.bulk.4096: runs of 4096 bytes, copied by one thread unless --threads says
otherwise. Bytes that several lanes access count once.

` + threadsHelp,
			Example: `  girih global '(1024,8):(8,1)' --type f32 --access ld --threads '(32,8):(1,1024)'
  girih global '(128,64):(64,1)' --type f16 --access ld.v4 --access ld.128 --threads cols
  girih global '(64,256):(264,1)' --type f16 --access cp.async.bulk.512
  girih global '1024:1' --type f32 --access ld --base 4`,
		},
		do: method[GlobalRequest, GlobalResponse]{
			do: (*Session).Global,
			said: func(_ GlobalRequest, r GlobalResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// A GlobalRequest asks what global memory moves for the accesses of threads to a layout.
type GlobalRequest struct {
	Expr     string   `json:"expr" jsonschema:"a layout or composed layout, offsets in elements" brief:"-"`
	Type     string   `json:"type" jsonschema:"of the elements: f16" brief:"-"`
	Accesses []string `json:"accesses" jsonschema:"instructions: ld and st (one element a lane), ld.v4, st.128, cp.async.16, cp.async.bulk.4096" brief:"as in bank, or cp.async.bulk.4096"`
	Threads  []string `json:"threads,omitempty" jsonschema:"as of bank: rows, cols, or a thread-value layout" brief:"-"`
	Target   string   `json:"target,omitempty" jsonschema:"the machine, one of NVIDIA's; sm90 if empty"`
	Base     int64    `json:"base,omitempty" jsonschema:"byte address of element 0 within a line of 128" brief:"byte of element 0 in its line of 128"`
}

// A GlobalResponse says what moves.
type GlobalResponse struct {
	OK       bool           `json:"ok"`                 // there is an answer
	Value    string         `json:"value,omitempty"`    // the layout
	Type     string         `json:"type,omitempty"`     // the canonical name of the element type
	Bits     int            `json:"bits,omitempty"`     // the width of an element in bits
	Target   string         `json:"target,omitempty"`   // the name of the machine
	Base     int64          `json:"base"`               // the base address of the request
	Accesses []GlobalAccess `json:"accesses,omitempty"` // what each access moves, in the order of the request
	Notes    []string       `json:"notes,omitempty"`    // what a reader of the answer should know
	Error    *report.Error  `json:"error,omitempty"`    // why there is no answer

	Fault `json:"-"`
}

// A GlobalAccess says what one kind of access moves over all requests. A request is one instruction of one
// warp.
type GlobalAccess struct {
	Access       string `json:"access"`       // the access as the request names it
	Name         string `json:"name"`         // canonical
	Bits         int    `json:"bits"`         // how many bits one lane accesses
	Threads      int    `json:"threads"`      // how many threads there are in all
	Values       int    `json:"values"`       // how many elements each thread accesses
	Vector       int    `json:"vector"`       // elements that a lane accesses together
	Warps        int    `json:"warps"`        // how many warps there are; for bulk copies, one for each thread
	Instructions int    `json:"instructions"` // the number of instructions of each warp
	How          string `json:"how"`          // which elements the threads access, in words
	Requests     int    `json:"requests"`     // instructions of warps, or pieces into which bulk copies are cut
	Sectors      int    `json:"sectors"`      // the sectors of 32 bytes that move
	Lines        int    `json:"lines"`        // the lines of 128 bytes that are touched
	// different bytes that the lanes of a request access, over all requests
	Bytes        int64   `json:"bytes"`
	Moved        int64   `json:"moved"`             // bytes that move: whole sectors
	Efficiency   float64 `json:"efficiency"`        // bytes / moved, at most 1
	Fewest       int     `json:"fewest"`            // sectors if the bytes of each request were contiguous and aligned
	WorstSectors int     `json:"worst_sectors"`     // the most sectors of a request, or of a bulk copy
	WorstWarp    int     `json:"worst_warp"`        // the warp of the first request with the most sectors
	WorstIndex   int     `json:"worst_instruction"` // the index of this request among the instructions of the warp
	// most bits of its values a lane could access at once, up to 128; 0 if bulk copies
	Widest int `json:"widest"`

	bulk bool
}

// Global evaluates the program and analyses the accesses to the program's value, taken as a layout in global
// memory.
func (s *Session) Global(req GlobalRequest) GlobalResponse {
	if len(req.Accesses) == 0 {
		return GlobalResponse{Error: usage("expected at least one access, found none"), Fault: Fault{Usage: true}}
	}
	j, fault, info := s.accessJob(BankRequest{
		Expr: req.Expr, Type: req.Type, Accesses: req.Accesses,
		Threads: req.Threads, Target: req.Target,
	})
	if info != nil {
		return GlobalResponse{Error: info, Fault: fault}
	}
	r := GlobalResponse{
		OK: true, Value: j.memory.String(), Type: j.typ.String(), Bits: j.typ.Bits(),
		Target: j.target.Name(), Base: req.Base, Notes: j.notes,
	}
	for i, text := range j.names {
		if info := s.timeUp(); info != nil {
			return GlobalResponse{Error: info}
		}
		rule, err := globalRule(j, text)
		if err != nil {
			return GlobalResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
		}
		a, plan, err := j.global(GlobalAccess{Access: text}, rule, j.threads[i], req.Base)
		if err != nil {
			return GlobalResponse{Error: j.inExpr(err), Fault: Fault{In: req.Expr}}
		}
		r.Accesses = append(r.Accesses, a)
		r.Notes = append(r.Notes, j.notesOnThreads(plan, j.threads[i])...)
		if a.bulk {
			r.Notes = append(r.Notes, "a bulk copy is cut where shared memory has a line of 128 bytes; each begins with a "+
				"line there, "+
				"and each word passes through its bank once, without conflicts")
		}
	}
	r.Notes = unique(r.Notes)
	return r
}

// globalRule reads an access to global memory.
func globalRule(j *accessJob, text string) (banks.Rule, error) {
	a, err := banks.ParseAccess(text, j.typ.Bits())
	switch {
	case err != nil:
		return banks.Rule{}, report.Under("global", err)
	case j.target.WarpSize() != 32:
		return banks.Rule{}, &cute.Error{
			Code: cute.CodeType, Op: "global",
			Msg: fmt.Sprintf("the sectors of %v are not documented here: the targets are NVIDIA's", j.target),
		}
	}
	return j.target.GlobalRule(a)
}

// global analyses one access.
func (j *accessJob) global(a GlobalAccess, rule banks.Rule, threads threadSpec, base int64) (GlobalAccess,
	banks.Period, error,
) {
	part, err := banks.NewPeriod(rule, j.memory, j.typ.Bits(), threads.Threads)
	if err != nil {
		return GlobalAccess{}, part, err
	}
	plan, repeats := part.Plan, int(part.Repeats)
	a.bulk, a.Name, a.Bits = rule.Access().Op() == banks.BulkCopy, rule.Access().String(), rule.Access().Bits()
	a.Threads, a.Values, a.Vector, a.How = plan.Threads(), plan.Values(), plan.Vector(), plan.How()
	a.Warps, a.Instructions = plan.Warps(), plan.Instructions()*repeats
	for w := range plan.Warps() {
		for i := range plan.Instructions() {
			t, err := plan.TrafficAt(nil, base, w, i)
			if err != nil {
				return GlobalAccess{}, part, err
			}
			a.Requests += t.Requests * repeats
			a.Sectors += t.Sectors * repeats
			a.Lines += t.Lines * repeats
			a.Bytes += t.Bytes * part.Repeats
			a.Fewest += int((t.Bytes+banks.SectorBytes-1)/banks.SectorBytes) * repeats
			if t.Sectors > a.WorstSectors {
				a.WorstSectors, a.WorstWarp, a.WorstIndex = t.Sectors, w, i
			}
		}
	}
	sum := banks.Traffic{Requests: a.Requests, Sectors: a.Sectors, Lines: a.Lines, Bytes: a.Bytes}
	a.Moved, a.Efficiency = sum.Moved(), sum.Efficiency()
	if a.bulk {
		return a, part, nil
	}
	array := banks.Array{Memory: part.Memory, ElemBits: j.typ.Bits(), Base: base}
	a.Widest, err = array.WidestAccess(j.target, rule.Access().Op(), threads.Threads)
	return a, part, err
}

// Text returns the analysis as a person reads it. Every line ends with a newline.
func (r GlobalResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s in global memory", r.Value, r.Type)
	if r.Base != 0 {
		fmt.Fprintf(&b, ", from byte %d of a line on", r.Base)
	}
	b.WriteString("\n")
	width := 0
	for _, a := range r.Accesses {
		width = max(width, len(a.Access))
	}
	for _, a := range r.Accesses {
		b.WriteByte('\n')
		a.text(&b, width, r.Bits)
	}
	b.WriteString("\nsectors of 32 bytes, 4 to a line of 128; whole sectors move (CUDA C++ Best Practices Guide)\n")
	return b.String()
}

func (a GlobalAccess) text(b *strings.Builder, width, elemBits int) {
	fmt.Fprintf(b, "%-*s  %.4g%% of the bytes that move are used: %d of %d\n", width, a.Access, 100*a.Efficiency,
		a.Bytes, a.Moved)
	how := a.How
	if a.Warps > 1 && !a.bulk {
		how += fmt.Sprintf("; %d warps, %s each", a.Warps, plural(a.Instructions, "instruction"))
	}
	b.WriteString(Wrap(how, bankTextCols, "  ", "  "))
	line := fmt.Sprintf("%s, %s of %s", plural(a.Requests, "request"), plural(a.Sectors, "sector"),
		plural(a.Lines, "line"))
	n, unit, thread, part := a.Requests, "request", "warp", "instruction"
	if a.bulk {
		n, unit, thread, part = a.Warps*a.Instructions, "copy", "thread", "copy"
		line = fmt.Sprintf("%s in %s", plural(n, unit), line)
	}
	if a.WorstSectors*n != a.Sectors {
		line += fmt.Sprintf(", at most %d a %s (%s %d, %s %d)", a.WorstSectors, unit, thread, a.WorstWarp, part, a.WorstIndex)
	} else if n > 1 {
		line += fmt.Sprintf(", %d a %s", a.WorstSectors, unit)
	}
	if a.Sectors > a.Fewest {
		line += fmt.Sprintf("; %s would hold the bytes if each %s were contiguous and aligned",
			plural(a.Fewest, "sector"), unit)
	}
	b.WriteString(Wrap(line, bankTextCols, "  ", "  "))
	if a.Widest > a.Bits {
		fmt.Fprintf(b, "  a lane could access %d bits at once, %s\n", a.Widest, plural(a.Widest/elemBits, "element"))
	}
}

// globalTargets are the machines whose global memory is known.
func globalTargets() []Word {
	return slices.DeleteFunc(TargetWords(), func(w Word) bool { return !strings.HasPrefix(w.Name, "sm") })
}
