package service

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/machine/tile"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
	"girih/symbolic"
)

// predicateOperation is the row of predicates.
func predicateOperation() Operation {
	return Operation{
		Name: "predicate", Doc: "Say which predicate guards the edges of a tile, as code", Programs: true,
		Words: map[string][]Word{"side": wordsOf("S", "D", "A", "B", "C")},
		Tool: &ToolDoc{
			Title:   "Plan a predicate",
			Brief:   "the predicate tensor that a tile of a tensor of odd or run-time extents needs, as C++ and CuTe DSL: tensor (M,K{div=8}), tile [128,64], atom tiled_copy(...).",
			Smaller: "ask for a smaller tile",
			Doc: "The predicate tensor of a tile through a TiledCopy (copy_if, cute.copy(pred=)) or TiledMMA: along which modes " +
				"one is needed, its layout with the modes that collapse, and the code in C++ and CuTe DSL; or why none helps, and " +
				`which vector does. Example: tensor "(M,K{div=8})", tile [128,64], atom ` +
				`tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(16,8):(8,1),(1,8)).`,
		},
		Command: &Command{
			Use:   "predicate EXTENTS --tile TILE --tiled EXPR",
			Meant: []string{"mask", "masks", "predication", "pred", "copy_if"},
			Args:  []string{"extents"},
			Wrong: "predicate needs the extents of one tensor",
			Flags: []Flag{
				{Field: "tile", Usage: "the `TILE` of a CTA, such as (128,64)", Missing: "predicate needs a tile, as in --tile '(128,64)'"},
				{Field: "tiled", Usage: "the tiled_copy or tiled_mma, an `EXPR`", Missing: "predicate needs a tiled_copy or a tiled_mma, as in --tiled 'tiled_copy(...)'"},
				{Field: "side", Usage: "S or D of a copy, A, B or C of an MMA, as `SIDE`"},
			},
			Width: 80,
			Long:  predicateHelp,
			Example: `  girih predicate '(M,64)' --tile '(32,64)' --tiled 'tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(16,8):(8,1),(1,8))'
  girih predicate '(M,K{div=8})' --tile '(128,64)' --tiled 'tiled_copy(copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>","half_t"),(16,8):(8,1),(1,8))'
  girih predicate '(100,256)' --tile '(8,256)' --tiled 'tiled_copy(copy_atom("UniversalCopy<uint128_t>","uint1b_t"),(64,2):(2,1),(1,128))'
  girih predicate '(M,N)' --tile '(128,128)' --tiled 'tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1))'`,
		},
		Form: &Form{
			Examples: []any{
				PredicateRequest{
					Extents: "(M,77)", Tile: "(128,64)",
					Tiled: `tiled_copy(copy_atom("UniversalCopy<uint32_t>","f32"),(32,8):(8,1),(1,1))`,
				},
				PredicateRequest{
					Extents: "(45,24)", Tile: "(8,32)", Tiled: `tiled_copy(copy_atom("UniversalCopy<uint64_t>","f16"),(4,4):(4,1),(1,4))`,
				},
				PredicateRequest{Extents: "(M,N)", Tile: "(128,128)", Tiled: "SM80_16x8x16_F32F16F16F32_TN", Side: "C"},
			},
			Picture: func(request any) *DrawRequest {
				q := request.(*PredicateRequest)
				if !strings.HasPrefix(q.Tiled, "tiled_copy") || q.Side != "" && !strings.EqualFold(q.Side, "S") { // shows S
					return nil
				}
				return &DrawRequest{Expr: q.Tiled, As: "predicate", Extents: q.Extents, Tile: q.Tile}
			},
		},
		do: method[PredicateRequest, PredicateResponse]{
			do: (*Session).Predicate,
			said: func(_ PredicateRequest, r PredicateResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// predicateHelp is the prose of girih predicate --help.
const predicateHelp = `Say which predicate guards the edges of a tile of a tensor. EXTENTS: the shape of the
tensor, integers or names known at run time with their facts: (M,77), (M,K{div=8}).
TILE: the tile of a CTA. EXPR: a tiled_copy or a tiled_mma, or the name of an MMA.
SIDE: S (default) or D for a copy; A, B or C (default) for an MMA.

The answer has, for each mode, whether coordinates have to be compared and why: the
last tile may be short, or the TiledCopy reaches beyond the tile of its CTA into the
next tile. Then the predicate tensor, one truth value for each instruction,
with stride 0 along modes that do not depend on it, and the code that makes and uses
it, in CuTe C++ and in the CuTe DSL.

Where one instruction would move elements on both sides of the edge no predicate is
right; the answer is then the widest vector that is never on the edge. The exit
status is 1.`

// A PredicateRequest asks for the predicate of a tile of a tensor.
type PredicateRequest struct {
	Extents string `json:"extents" tool:"tensor" jsonschema:"the shape of the tensor: (M,77), (M,K{div=8})" brief:"its shape: (M,K{div=8})"`
	Tile    string `json:"tile" tool:"tile,integers" jsonschema:"the tile of a CTA" brief:"-"`
	Tiled   string `json:"tiled" tool:"atom" jsonschema:"a tiled_copy(...), a tiled_mma(...), or the name of an MMA" brief:"tiled_copy(...), tiled_mma(...) or an MMA"`
	Side    string `json:"side,omitempty" jsonschema:"of a TiledCopy S or D, of a TiledMMA A, B or C; S or C if empty" brief:"of a copy S or D; of an MMA A, B, C"`
}

// A PredicateResponse is the predicate. Extents and tiles are elements.
type PredicateResponse struct {
	OK      bool            `json:"ok"`                // there is a predicate, or none is needed
	Needed  bool            `json:"needed"`            // the coordinates of some mode have to be compared
	Tiled   string          `json:"tiled,omitempty"`   // the canonical text of the tiled copy or MMA
	Method  string          `json:"method,omitempty"`  // how the tensor is partitioned: partition_S
	Extents string          `json:"extents,omitempty"` // the extents of the tensor
	Tile    string          `json:"tile,omitempty"`    // the tile of a CTA
	Modes   []PredicateMode `json:"modes,omitempty"`   // the modes of the tensor
	Data    string          `json:"data,omitempty"`    // the shape of a thread's part: ((V,RestV),RestM,RestN)
	// the predicate tensor: (RestV,RestM,RestN), with stride 0 along the modes that collapse
	Layout    string        `json:"layout,omitempty"`
	Collapsed []int         `json:"collapsed,omitempty"` // modes with several elements and stride 0
	Count     int64         `json:"count,omitempty"`     // the number of truth values that a thread keeps
	CPP       string        `json:"cpp,omitempty"`       // the code in CuTe C++
	DSL       string        `json:"dsl,omitempty"`       // the code in the CuTe DSL
	Notes     []string      `json:"notes,omitempty"`     // what a reader of the answer should know
	Error     *report.Error `json:"error,omitempty"`     // why there is no predicate

	Fault `json:"-"`
}

// A PredicateMode is one mode of the tensor.
type PredicateMode struct {
	Extent string `json:"extent"` // the extent of the tensor
	Tile   int64  `json:"tile"`   // the extent of the tile of a CTA
	Cover  int64  `json:"cover"`  // the extent that the tiles of the TiledCopy cover
	Needed bool   `json:"needed"` // coordinates in this mode have to be compared
	Why    string `json:"why"`    // why they do or do not have to be compared
}

// Predicate evaluates the parts of the request and plans the predicate.
func (s *Session) Predicate(req PredicateRequest) PredicateResponse {
	extents, notes, info := s.numbers(req.Extents, "the extents of a tensor")
	if info != nil {
		return PredicateResponse{Error: info, Fault: Fault{In: req.Extents}}
	}
	cta, _, info := s.numbers(req.Tile, "the tile of a CTA")
	if info != nil {
		return PredicateResponse{Error: info, Fault: Fault{In: req.Tile}}
	}
	sizes, err := cta.ToTuple()
	if err != nil {
		return PredicateResponse{Error: report.Of(err), Fault: Fault{In: req.Tile}}
	}
	tiled, more, fault, info := s.evalTiled(req.Tiled)
	if info != nil {
		return PredicateResponse{Error: info, Fault: fault}
	}
	part, info := partitionOf(tiled, req.Side)
	if info != nil {
		return PredicateResponse{Error: info, Fault: Fault{Usage: true}}
	}
	p, err := tile.NewPredicate(part, extents, sizes)
	if err != nil {
		info := report.Of(err)
		info.End = len(req.Extents)
		if say := fewerModes(tiled, extents); say != "" {
			info.Hint = strings.TrimPrefix(info.Hint+"; "+say, "; ")
		}
		return PredicateResponse{Error: info, Fault: Fault{In: req.Extents}}
	}
	r := PredicateResponse{
		OK: true, Needed: p.Needed(), Tiled: tiled.String(), Method: part.String(), Extents: extents.String(),
		Tile: sizes.String(), Data: p.DataShape().String(), Layout: p.Layout().String(), Collapsed: p.Collapsed(),
		CPP: p.CPP(), DSL: p.DSL(), Notes: append(notes, more...),
	}
	if r.Needed {
		r.Count = p.Count()
	}
	for _, e := range p.Edges() {
		r.Modes = append(r.Modes, predicateMode(e))
	}
	r.Notes = append(r.Notes, predicateNotes(p, tiled)...)
	return r
}

// numbers evaluates a program to an integer or a tuple, possibly with run-time integers.
func (s *Session) numbers(text, what string) (symbolic.Tuple, []string, *report.Error) {
	last, notes, info := s.last(text)
	if info != nil && info.Code == string(cute.CodeName) { // M alone is an unknown name, but (M) is a shape
		if again, more, fault := s.last("(" + text + ")"); fault == nil {
			last, notes, info = again, more, nil
		}
	}
	if info != nil {
		return symbolic.Tuple{}, nil, info
	}
	switch v := last.Value.(type) {
	case eval.Tuple:
		if !v.HasBasis() {
			return symbolic.FromTuple(v.Tuple), notes, nil
		}
	case eval.DynamicTuple:
		if !v.HasOpen() {
			return v.Tuple, notes, nil
		}
	case nil:
		return symbolic.Tuple{}, nil, usage("expected %s, found nothing", what)
	}
	return symbolic.Tuple{}, nil, &report.Error{
		Code: string(cute.CodeType), End: len(text),
		Message: fmt.Sprintf("expected %s, found %s: %s", what, last.Value.Kind(), clip(last.Value.String())),
	}
}

// partitionOf returns the partition of a side of a tiled copy, or of an operand of a tiled MMA.
func partitionOf(tiled eval.Value, side string) (tile.Partition, *report.Error) {
	side = strings.ToUpper(strings.TrimSpace(side))
	switch v := tiled.(type) {
	case eval.TiledCopy:
		switch side {
		case "", "S":
			return tile.PartitionS(v.TiledCopy), nil
		case "D":
			return tile.PartitionD(v.TiledCopy), nil
		}
		return tile.Partition{}, usage("expected the side S or D of a tiled copy, found %.40q", side)
	case eval.TiledMMA:
		if i := strings.Index("ABC", side); len(side) == 1 && i >= 0 {
			return tile.PartitionMMA(v.TiledMMA, atom.Operand(i)), nil
		}
		if side == "" {
			return tile.PartitionMMA(v.TiledMMA, atom.OperandC), nil
		}
	}
	return tile.Partition{}, usage("expected the operand A, B or C of a tiled MMA, found %.40q", side)
}

// fewerModes says along which modes CuTe partitions a tensor by a TiledCopy with fewer modes.
func fewerModes(tiled eval.Value, extents symbolic.Tuple) string {
	c, ok := tiled.(eval.TiledCopy)
	if !ok {
		return ""
	}
	rank := 1
	switch t := c.TiledCopy.Tiler().(type) {
	case cute.Tile:
		rank = t.Rank()
	case cute.Tuple:
		rank = t.Rank()
	}
	if n := len(extents.Modes()); rank > 1 && rank < n {
		return fmt.Sprintf("the TiledCopy has %d of the %d modes and goes along the first: slice a batch that is mode 0 away, mX(b,_,_), "+
			"or make it the last mode", rank, n)
	}
	return ""
}

func predicateMode(e tile.Edge) PredicateMode {
	m := PredicateMode{Extent: e.Extent.String(), Tile: e.Tile, Cover: e.Cover, Needed: e.Needed()}
	over := fmt.Sprintf("the TiledCopy covers %d of them, into the tile of the next CTA", e.Cover)
	switch {
	case e.Ragged && e.Cover > e.Tile:
		m.Why = "the last tile may be short, and " + over
	case e.Ragged:
		m.Why = "the last tile may be short"
	case e.Cover > e.Tile:
		m.Why = over
	default:
		m.Why = "the tile divides the extent"
	}
	return m
}

// predicateNotes says how a right predicate may be misused.
func predicateNotes(p tile.Predicate, tiled eval.Value) []string {
	if !p.Needed() {
		return nil
	}
	var notes []string
	c, ok := tiled.(eval.TiledCopy)
	if !ok {
		return nil
	}
	a := c.Atom()
	if n := a.NumVal(); n > 1 {
		notes = append(notes, fmt.Sprintf("one truth value guards all %d elements of an instruction: the CuTe DSL refuses a "+
			"predicate of the shape of the data, and C++ reads its first element. Slice the predicate wherever the data is "+
			"sliced; for one instruction alone (rank 1, ((%[1]d,1))) copy_if reads prd(0), which CUTLASS before 3.6 ignored", n))
	}
	over := false
	for _, e := range p.Edges() {
		over = over || e.Cover > e.Tile
	}
	if over {
		notes = append(notes, fmt.Sprintf("the TiledCopy %s is larger than the tile: comparing with the extents alone would copy "+
			"elements of the next CTA's tile. Fewer threads along that mode need no such comparison", c.Shape()))
	}
	if strings.Contains(a.Name, "CP_ASYNC") && !strings.Contains(a.Name, "ZFILL") {
		notes = append(notes, "where the predicate is false shared memory keeps what it had: clear it first, or take "+
			strings.Replace(a.Name, "<", "_ZFILL<", 1)+", which writes zeros")
	}
	return notes
}

// Text returns the predicate as a person reads it.
func (r PredicateResponse) Text() string {
	var b strings.Builder
	if r.Needed {
		fmt.Fprintf(&b, "predicate %s for the part %s of a thread: %s\n\n", r.Layout, r.Data, plural(int(r.Count), "truth value"))
	} else {
		fmt.Fprintf(&b, "no predicate is needed: each thread copies its part %s\n\n", r.Data)
	}
	rows := [][]string{{"mode", "extent", "tile", "compare"}}
	for k, m := range r.Modes {
		yes := "no: "
		if m.Needed {
			yes = "yes: "
		}
		rows = append(rows, []string{fmt.Sprint(k), m.Extent, fmt.Sprint(m.Tile), yes + m.Why})
	}
	textTable{Rows: rows, Indent: "  ", Gap: "  "}.write(&b)
	fmt.Fprintf(&b, "\nCuTe C++\n%s\nCuTe DSL\n%s", indent(r.CPP), indent(r.DSL))
	return b.String()
}

// indent returns code two columns further right.
func indent(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// drawPredicate draws the last tile of a tensor through a tiled copy or MMA.
func drawPredicate(d *drawJob) (*draw.Scene, error) {
	wrong := func(info *report.Error) error {
		return &cute.Error{Code: cute.Code(info.Code), Op: "draw", Msg: info.Message, Hint: info.Hint}
	}
	extents, _, info := d.session.numbers(d.req.Extents, "the extents of a tensor, as in --extents '(M,77)'")
	if info != nil {
		d.usage = true
		return nil, wrong(info)
	}
	shape, err := cute.ParseTuple("(" + strings.Trim(d.req.Tile, "()") + ")")
	if err != nil {
		d.usage = true
		return nil, err
	}
	part, info := partitionOf(d.value, d.req.Operand)
	if info != nil {
		return nil, wrong(info)
	}
	p, err := tile.NewPredicate(part, extents, shape)
	if err != nil {
		return nil, err
	}
	return view.Predicate(p, d.opts)
}
