package service

import (
	"errors"
	"fmt"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/internal/lang/report"
	"girih/swizzle"
)

// swizzleOperation is the row of the search for swizzles.
func swizzleOperation() Operation {
	return Operation{
		Name: "swizzle", Doc: "Find the swizzle that removes bank conflicts, or recognise one", Programs: true,
		Words: map[string][]Word{"target": TargetWords()},
		Tool: &ToolDoc{
			Title:   "Solve for a swizzle",
			Brief:   "the smallest swizzle, linear map or padding without bank conflicts, or the proof that there is none: expr (32,32):(32,1), type f32, accesses [st@rows, ld@cols].",
			Smaller: "ask for fewer accesses at a time",
			Doc: "The smallest swizzle, linear map or padding that frees all given accesses to a tile in shared memory of " +
				"bank conflicts, or the proof that " +
				`there is none and the best there is. Example: expr (32,32):(32,1), type f32, accesses ["st@rows","ld@cols"].`,
		},
		Command: &Command{
			Use: "swizzle EXPR --type TYPE --access INSTRUCTION[@THREADS]... | --from EXPR --to EXPR | --recognise TEXT | " +
				"--between R1 R2",
			Args:  []string{"layout"},
			Flags: append(accessFlags("", ""), Flag{Field: "layout", Usage: "the tile to find a swizzle for: an `EXPR`"}),
			Width: 80,
			Long:  swizzleHelp,
			Example: `  girih swizzle '(8,64):(64,1)' --type f16 --access ldmatrix.x4
  girih swizzle '(128,64):(64,1)' --type f16 --access ldmatrix.x4 --access 'st.128@thr (16,8):(8,1) val (1,8)'
  girih swizzle '(32,32):(32,1)' --type f32 --access st@rows --access ld@cols
  girih swizzle '(128,64):(64,1)' --type f16 --access 'ld.128@((8,4),(8,8,4)):((1,8),(128,1024,32))' --access 'st.128@((8,4),(8,8,2,2)):((8,1),(128,1024,4,64))'
  girih swizzle --from '(8,64):(64,1)' --to 'Sw<3,3,3> o 0 o (8,64):(64,1)'
  girih swizzle --recognise '0,1,2,3,5,4,7,6'
  girih swizzle --recognise 'addr ^ ((addr & 0x380) >> 3)' --type f16
  girih swizzle --recognise 'Sw<3,0,3> o Sw<1,2,3>'
  girih swizzle --type f16 --between 'linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}' 'linear{register=[[4],[8]], lane=[[1],[2]], out=[dim0:16]}'`,
		},
		do: method[SwizzleRequest, SwizzleResponse]{
			do: (*Session).SolveSwizzle,
			said: func(_ SwizzleRequest, r SwizzleResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error, Failed: !r.HasAnswer()}
			},
		}.caller(),
	}
}

// swizzleHelp is the prose of girih swizzle --help.
const swizzleHelp = `Find the smallest change of a shared-memory tile after which none of the given
accesses has a bank conflict, or a proof that there is none:

  1. all smallest swizzles Sw<B,M,S>, S > 0 and S < 0: with the least B;
     swizzles that are one function on the tile are one answer
  2. the linear map of bits with the fewest exclusive ors, as formula and matrix
  3. the padding that takes the least memory
  4. the proof that none of these does, and the choice with the fewest wavefronts

Every answer keeps the elements of one access neighbours and aligned; swizzles and
maps keep the tile in its memory. Every answer has been simulated, instruction by
instruction, before it is printed. The exit status is 1 if there is none without
conflicts.

EXPR is a layout whose offsets are in elements of the type; --layout EXPR says the
same. INSTRUCTION and MACHINE
are as in 'girih bank'. THREADS, after @ or with --threads, are as in
'girih bank' too: rows, cols, a thread-value layout, or thr T val V.

With --from and --to, find the swizzles that turn one layout into another one of the
same size, or the linear map that does, or the first index at which none can.

With --recognise (or --recognize), say what TEXT is as swizzles and a layout: a list
of offsets such as 0,1,3,2, rows of a matrix of 0 and 1 such as 101;010;001, a
formula such as addr ^ ((addr & 0x380) >> 3), one of several variables or a lambda
with their extents as --shape, swizzles after each other such as
Sw<3,0,3> o Sw<1,2,3>, or an expression; - reads TEXT from the standard input.
With --type, also in bytes and bits.

With --between, find the layout of shared memory through which a tensor goes from the
register layout R1 to R2 with the fewest wavefronts. Register layouts are as in
'girih convert', which plans the whole conversion.`

// A SwizzleRequest asks for a swizzle that removes bank conflicts from accesses to a tile.
type SwizzleRequest struct {
	Layout   string   `json:"layout" tool:"expr" jsonschema:"the tile: a layout or composed layout, offsets in elements" brief:"-"`
	Type     string   `json:"type" jsonschema:"of the elements: f16, bf16, f32, e4m3, float" brief:"-"`
	Accesses []string `json:"accesses" jsonschema:"instructions as in bank, each with or without @ and its threads: ldmatrix.x4, st.v4@cols, ld.128@((8,4),8):((1,8),128)" brief:"as in bank, with @ and the threads: st.v4@cols"`
	Threads  []string `json:"threads,omitempty" jsonschema:"of accesses without @, as of bank" brief:"-"`
	Target   string   `json:"target,omitempty" jsonschema:"the machine; sm90 if empty" brief:"-"`
}

// A SwizzleResponse is the answer.
type SwizzleResponse struct {
	OK      bool   `json:"ok"`                // there is an answer
	Kind    string `json:"kind,omitempty"`    // free, swizzle, map, padding, impossible or unknown
	Value   string `json:"value,omitempty"`   // the tile
	Type    string `json:"type,omitempty"`    // the canonical name of the type
	Bits    int    `json:"bits,omitempty"`    // the width of an element in bits
	Target  string `json:"target,omitempty"`  // the name of the machine
	Machine string `json:"machine,omitempty"` // the description of the machine

	Accesses []SwizzleAccess `json:"accesses,omitempty"` // what each access costs before and after
	Swizzles []SwizzleChoice `json:"swizzles,omitempty"` // all smallest swizzles, for the kind swizzle
	Map      *SwizzleMap     `json:"map,omitempty"`      // the cheapest linear map of bits, for the kind map
	// bytes that the swizzle or the map adds to the tile
	Grows    int64         `json:"grows,omitempty"`
	Paddings []SwizzlePad  `json:"paddings,omitempty"` // padded layouts without conflicts
	Proof    *SwizzleProof `json:"proof,omitempty"`    // why no linear map works, for the kind impossible
	Best     *SwizzleBest  `json:"best,omitempty"`     // the best answer, for the kinds impossible and unknown

	Tried   int `json:"tried"`             // how many swizzles were tried
	Padded  int `json:"padded"`            // how many paddings were tried
	Granule int `json:"granule,omitempty"` // the number of bytes that a map keeps together
	Checked int `json:"checked,omitempty"` // instructions of warps that were simulated with the answer

	Notes []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error *report.Error `json:"error,omitempty"` // why there is no answer

	Fault `json:"-"`
}

// A SwizzleAccess is the cost of one kind of access before and after, over all its instructions.
type SwizzleAccess struct {
	Access       string `json:"access"`            // the access as the request names it
	Name         string `json:"name"`              // canonical
	How          string `json:"how"`               // which elements the threads access, in words
	Instructions int    `json:"instructions"`      // the number of instructions of each warp
	Ideal        int    `json:"ideal"`             // the wavefronts without conflicts
	Before       int    `json:"wavefronts_before"` // the wavefronts of the tile as it is
	DegreeBefore int    `json:"degree_before"`     // the largest degree of a phase before; 1 is conflict-free
	After        int    `json:"wavefronts_after"`  // the wavefronts with the first answer, or with the compromise
	DegreeAfter  int    `json:"degree_after"`      // the largest degree with the first answer, or with the compromise
	Source       string `json:"source"`            // the documentation or measurement that supports it
}

// A SwizzleChoice is a swizzle in all units. Bytes and BitUnits are empty if no swizzle in that unit is
// equal.
type SwizzleChoice struct {
	Swizzle  string   `json:"swizzle"`            // the swizzle on offsets in elements
	Bytes    string   `json:"in_bytes,omitempty"` // the same on byte addresses
	BitUnits string   `json:"in_bits,omitempty"`  // the same on offsets in bits
	Formula  string   `json:"formula"`            // the formula for offsets in elements
	Composed string   `json:"composed,omitempty"` // the swizzle composed with the tile
	Same     []string `json:"same,omitempty"`     // larger swizzles that are the same function on the tile
}

// A SwizzleMap is a linear map of bits.
type SwizzleMap struct {
	Formula  string        `json:"formula"`            // the formula for offsets in elements
	Bytes    string        `json:"in_bytes,omitempty"` // the formula for byte addresses
	Cost     int           `json:"cost"`               // the number of exclusive ors of single bits
	Cheapest bool          `json:"cheapest"`           // it is certain that no such map costs less
	Terms    []SwizzleTerm `json:"terms"`              // what the map adds, without carries, to the offset
	Swizzles []string      `json:"swizzles,omitempty"` // the map as a chain, last applied first, if possible
	Composed string        `json:"composed,omitempty"` // the chain, followed by the tile
	Matrix   []string      `json:"matrix"`             // row i says which bits add up to bit i: "1001", lowest first
}

// A SwizzleTerm adds the masked bits of the offset, moved down by Shift, to the offset.
type SwizzleTerm struct {
	Mask  int64 `json:"mask"`  // the bits of the offset that the term takes
	Shift int   `json:"shift"` // by how many places these bits move down, or up if it is negative
}

// A SwizzlePad is a padded layout.
type SwizzlePad struct {
	Layout string       `json:"layout"` // the padded layout
	Pads   []SwizzleGap `json:"pads"`   // where elements are left free
	Bytes  int64        `json:"bytes"`  // by how many bytes the tile becomes longer
}

// A SwizzleGap leaves Elements free after every Every elements of the layout without paddings.
type SwizzleGap struct {
	Every    int64 `json:"every"`    // after how many elements of the unpadded layout a gap follows
	Elements int64 `json:"elements"` // how many elements stay free
}

// A SwizzleProof says why no linear map removes all conflicts, or, if Always is set, why nothing does.
type SwizzleProof struct {
	Reason string `json:"reason"` // the kind of the proof
	// the proof holds for every arrangement of the tile, linear or not, padded or not
	Always   bool     `json:"always"`
	Accesses []string `json:"accesses"`        // the accesses that cannot all be without conflicts
	Lanes    []int    `json:"lanes,omitempty"` // the lanes that are too many for one place in the banks
	// the surplus offsets, in elements, or a basis of their differences
	Offsets []int64 `json:"offsets,omitempty"`
	Places  int     `json:"places"` // how many places in the banks there are for these lanes
	Text    string  `json:"text"`   // the proof in words
}

// A SwizzleBest is the best answer with conflicts: one of Swizzle, Map and Padding.
type SwizzleBest struct {
	Swizzle  *SwizzleChoice `json:"swizzle,omitempty"` // the answer, if it is a swizzle
	Map      *SwizzleMap    `json:"map,omitempty"`     // the answer, if it is a linear map
	Padding  *SwizzlePad    `json:"padding,omitempty"` // the answer, if it is a padding
	Extra    int            `json:"extra"`             // wavefronts
	Least    int            `json:"least"`             // extra wavefronts that every arrangement costs
	Swizzles int            `json:"swizzles_compared"` // how many swizzles were compared
	Paddings int            `json:"paddings_compared"` // how many paddings were compared
	Maps     int64          `json:"maps_compared"`     // how many linear maps were compared
	AllMaps  bool           `json:"all_maps"`          // all linear maps were compared
}

// HasAnswer reports whether there is an answer without conflicts.
func (r SwizzleResponse) HasAnswer() bool {
	switch swizzle.Kind(r.Kind) {
	case swizzle.KindFree, swizzle.KindSwizzle, swizzle.KindMap, swizzle.KindPadding:
		return r.OK
	}
	return false
}

// SolveSwizzle evaluates the tile and finds what removes the conflicts of the accesses to it.
func (s *Session) SolveSwizzle(req SwizzleRequest) SwizzleResponse {
	if len(req.Accesses) == 0 {
		return SwizzleResponse{Error: usage("expected at least one access, found none"), Fault: Fault{Usage: true}}
	}
	j, fault, info := s.accessJob(BankRequest{
		Expr: req.Layout, Type: req.Type, Accesses: req.Accesses, Threads: req.Threads, Target: req.Target,
	})
	if info != nil {
		return SwizzleResponse{Error: info, Fault: fault}
	}
	r := SwizzleResponse{
		OK: true, Value: j.memory.String(), Type: j.typ.String(), Bits: j.typ.Bits(),
		Target: j.target.Name(), Machine: j.target.Title(), Notes: j.notes,
	}
	if n := j.memory.Size(); n > swizzle.TileLimit {
		return SwizzleResponse{Error: j.inExpr(&cute.Error{
			Code: cute.CodeLimit, Op: "swizzle", Msg: fmt.Sprintf("expected a tile of at most %d elements, found %d",
				swizzle.TileLimit, n),
			Hint: "a tile in shared memory is smaller: take a slice",
		}), Fault: Fault{In: req.Layout}}
	}
	p := swizzle.Problem{Layout: j.memory, ElemBits: j.typ.Bits(), Stop: s.stop}
	for i, name := range j.names {
		if info := s.timeUp(); info != nil {
			return SwizzleResponse{Error: info}
		}
		access, err := banks.ParseAccess(name, j.typ.Bits())
		if err != nil {
			return SwizzleResponse{Error: report.Of(report.Under("swizzle", err)), Fault: Fault{Usage: true}}
		}
		rule, err := j.target.Rule(access)
		if err != nil {
			return SwizzleResponse{Error: report.Of(report.Under("swizzle", err)), Fault: Fault{Usage: true}}
		}
		plan, err := banks.NewPlan(rule, j.memory, j.typ.Bits(), j.threads[i].Threads)
		if err != nil {
			return SwizzleResponse{Error: j.inExpr(nameAccess(j.asked[i], err)), Fault: Fault{In: req.Layout}}
		}
		p.Accesses = append(p.Accesses, swizzle.Access{Name: j.asked[i], Plan: plan})
		r.Accesses = append(r.Accesses, SwizzleAccess{
			Access: j.asked[i], Name: access.String(), How: plan.How(), Instructions: plan.Warps() * plan.Instructions(),
			Source: rule.Source(),
		})
		r.Notes = append(r.Notes, j.notesOnThreads(banks.Period{Plan: plan, Memory: j.memory, Repeats: 1}, j.threads[i])...)
	}
	sol, err := swizzle.Solve(p)
	if err != nil {
		return SwizzleResponse{Error: j.inExpr(err), Fault: Fault{In: req.Layout}}
	}
	r.Notes = unique(r.Notes)
	r.fill(sol, j)
	return r
}

// nameAccess says which access an error is about.
func nameAccess(access string, err error) error {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return err
	}
	out := *e
	out.Op = "swizzle"
	if !strings.HasPrefix(e.Msg, access) {
		out.Msg = access + ": " + e.Msg
	}
	return &out
}

// fill copies a solution to the response, with sizes in bytes.
func (r *SwizzleResponse) fill(sol swizzle.Solution, j *accessJob) {
	eb := j.typ.Bits()
	r.Kind, r.Tried, r.Padded, r.Checked = string(sol.Kind), sol.Tried, sol.Padded, sol.Checked
	r.Granule, r.Grows = (sol.Granule*eb+7)/8, (sol.Grows*int64(eb)+7)/8
	for i := range r.Accesses {
		a, before, after := &r.Accesses[i], sol.Before[i], sol.After[i]
		a.Ideal, a.Before, a.DegreeBefore = before.Ideal, before.Wavefronts, before.Degree
		a.After, a.DegreeAfter = after.Wavefronts, after.Degree
	}
	for _, c := range sol.Swizzles {
		r.Swizzles = append(r.Swizzles, choiceOf(c, eb, j.memory))
	}
	if sol.Kind == swizzle.KindMap {
		m := mapOf(sol.Map, eb, j.memory)
		m.Cheapest = sol.Cheapest
		r.Map = &m
	}
	for _, p := range sol.Paddings {
		r.Paddings = append(r.Paddings, padOf(p))
	}
	if p := sol.Proof; p.Reason != "" {
		r.Proof = &SwizzleProof{
			Reason: string(p.Reason), Always: p.Always, Accesses: p.Accesses, Lanes: p.Lanes,
			Offsets: p.Offsets, Places: p.Places, Text: p.Text,
		}
	}
	if b := sol.Best; b != nil {
		r.Best = &SwizzleBest{
			Extra: b.Extra, Least: b.Least, Swizzles: b.Swizzles, Paddings: b.Paddings, Maps: b.Maps,
			AllMaps: b.AllMaps,
		}
		switch {
		case b.Choice != nil:
			c := choiceOf(*b.Choice, eb, j.memory)
			r.Best.Swizzle = &c
		case b.Padding != nil:
			p := padOf(*b.Padding)
			r.Best.Padding = &p
		default:
			m := mapOf(b.Map, eb, j.memory)
			r.Best.Map = &m
		}
	}
}

// choiceOf describes a swizzle of elements of elemBits bits.
func choiceOf(c swizzle.Choice, elemBits int, memory banks.Memory) SwizzleChoice {
	out := SwizzleChoice{
		Swizzle: c.Swizzle.String(), Formula: swizzle.MapOf(c.Swizzle).Formula("x"),
		Composed: chainText([]cute.Swizzle{c.Swizzle}, memory),
	}
	if w, err := swizzle.InBytes(c.Swizzle, elemBits); err == nil {
		out.Bytes = w.String()
	}
	if w, err := swizzle.InBits(c.Swizzle, elemBits); err == nil {
		out.BitUnits = w.String()
	}
	for _, w := range c.Same {
		out.Same = append(out.Same, w.String())
	}
	return out
}

// mapOf describes a map of offsets of elements of elemBits bits; the memory may be nil.
func mapOf(m swizzle.Map, elemBits int, memory banks.Memory) SwizzleMap {
	out := SwizzleMap{Formula: m.Formula("x"), Cost: m.Cost()}
	if b, err := m.Recast(elemBits, 8); err == nil {
		out.Bytes = b.Formula("addr")
	}
	for _, t := range m.Terms() {
		out.Terms = append(out.Terms, SwizzleTerm(t))
	}
	if chain, err := m.Factors(); err == nil && len(chain) > 0 {
		for _, w := range chain {
			out.Swizzles = append(out.Swizzles, w.String())
		}
		if memory != nil {
			out.Composed = chainText(chain, memory)
		}
	}
	matrix := m.Matrix()
	for i := range matrix.Rows() {
		row := make([]byte, matrix.Cols())
		for k := range row {
			row[k] = '0' + byte(matrix.At(i, k))
		}
		out.Matrix = append(out.Matrix, string(row))
	}
	return out
}

func padOf(p swizzle.Padding) SwizzlePad {
	out := SwizzlePad{Layout: p.Layout.String(), Bytes: p.Bytes}
	for _, g := range p.Pads {
		out.Pads = append(out.Pads, SwizzleGap(g))
	}
	return out
}

// chainText writes swizzles before a tile: "Sw<3,3,3> o 0 o (8,64):(64,1)".
func chainText(chain []cute.Swizzle, memory banks.Memory) string {
	inner, ok := memory.(cute.Inner)
	if !ok {
		return ""
	}
	for i := len(chain) - 1; i >= 0; i-- {
		c, err := cute.NewComposed(chain[i], cute.Int(0), inner)
		if err != nil {
			return ""
		}
		inner = c
	}
	return inner.String()
}
