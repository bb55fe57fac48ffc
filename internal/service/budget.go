package service

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/report"
	"girih/internal/machine/tile"
)

// budgetOperation is the row of budgets of shared memory.
func budgetOperation() Operation {
	return Operation{
		Name: "budget", Doc: "Lay out the shared memory of a kernel and say how many stages fit", Programs: true,
		Tool: &ToolDoc{
			Title: "Shared-memory budget",
			Brief: "the shared memory of a kernel, buffer by buffer, and the stages that fit each target: tile [128,256,64], type f16, d f16, epilogue [64,32].",
			Doc: "The shared memory of a kernel, buffer by buffer with offsets and padding, the stages that fit on each target, " +
				"the CTAs of an SM, and what CUTLASS's StageCountAutoCarveout and the CuTe DSL give. " +
				`Example: tile [128,256,64], type f16, d f16, epilogue [64,32], d_stages 4.`,
		},
		Command: &Command{
			Use:   "budget [TILE --type TYPE] [--buffer BUFFER]...",
			Meant: []string{"stages", "smem", "shared", "stage"},
			Args:  []string{"tile"},
			Spare: 1, Wrong: "budget needs at most one tile",
			Flags: []Flag{
				{Field: "type", Usage: "the `TYPE` of A and B, such as f16"},
				{Field: "b", Usage: "the `TYPE` of B if it differs"},
				{Field: "sf", Usage: "the `TYPE` of scale factors, such as ue4m3 or ue8m0"},
				{Field: "sf_vec", Name: "sf-vec", Usage: "`ELEMENTS` along K of one scale factor; 16 or 32"},
				{Field: "c", Usage: "the `TYPE` that the epilogue loads"},
				{Field: "d", Usage: "the `TYPE` that the epilogue stores"},
				{Field: "epilogue", Name: "epi", Usage: "(M,N) of the epilogue's `TILE`; the tile of the CTA if left out"},
				{Field: "c_stages", Name: "c-stages", Usage: "how many `COPIES` of C there are; 1 if left out"},
				{Field: "d_stages", Name: "d-stages", Usage: "how many `COPIES` of D there are; 1 if left out"},
				{Field: "fill", Usage: "give what is left to more copies of `BUFFER`"},
				{Field: "accumulators", Usage: "`STAGES` of accumulators in tensor memory; 2 on sm100, sm103 and sm110 if left out, or 1 if 2 do not fit, -1 for none"},
				{Field: "barriers", Usage: "further `MBARRIERS`"},
				{Field: "buffers", Name: "buffer", Usage: "a further `BUFFER`; more than one may be given"},
				{Field: "align", Usage: "of the tiles in `BYTES`; 1024 with TMA, else 128"},
				{Field: "cta_group", Name: "cta-group", Usage: "2 if two CTAs share a product, each with half of B, as `CTAS`"},
				{Field: "stages", Usage: "`STAGES`; as many as fit if left out"},
				{Field: "static", Usage: "`BYTES` of static shared memory"},
				{Field: "ctas", Usage: "`CTAS` that have to fit an SM; 1 if left out"},
				{Field: "target", Default: DefaultTarget, Usage: "the `MACHINE`"},
			},
			Width: 80,
			Long:  budgetHelp,
			Example: `  girih budget '(128,256,64)' --type f16 --d f16 --epi '(64,32)' --d-stages 4
  girih budget '(128,128,256)' --type e2m1 --sf ue4m3 --sf-vec 16 --d bf16 --epi '(128,32)' --d-stages 2 --fill D --target sm100
  girih budget '(128,128,32)' --type f16 --target sm80 --ctas 2
  girih budget --buffer 'Q:(128,128):f16@1024' --buffer 'K:(128,128):f16@1024/stage' --buffer 'V:(128,128):f16@1024/stage'`,
		},
		Form: &Form{Examples: []any{
			BudgetRequest{Tile: "(128,256,64)", Type: "f16", D: "f16", Epilogue: "(64,32)", DStages: 4},
			BudgetRequest{Tile: "(128,128,32)", Type: "f16", Target: "sm80", CTAs: 2},
			BudgetRequest{Buffers: []string{"Q:(128,128):f16@1024", "K:(128,128):f16@1024/stage", "V:(128,128):f16@1024/stage"}},
		}},
		do: method[BudgetRequest, BudgetResponse]{
			do: (*Session).Budget,
			said: func(_ BudgetRequest, r BudgetResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// budgetHelp is the prose of girih budget --help.
const budgetHelp = `Lay out the shared memory of a kernel and say how many stages fit.

TILE is (M,N,K) of one CTA of a matrix product: the ring of stages has A, B, their
scale factors and two mbarriers a stage (full and empty, where there are any), then
come the epilogue's C and D, and barriers. On machines with tensor memory the columns
of accumulators and scale factors are counted, too. BUFFER is anything else:

  NAME:BYTES or NAME:SHAPE:TYPE, then @ALIGN, then *COPIES, then /stage

as in Q:(128,128):f16@1024 or K:32768@1024/stage, which is in the ring. Without a
TILE there are only the buffers.

The answer has the offset of each buffer and the padding before it, the total bytes,
the CTAs that fit an SM, the stages that fit on every other target, and what
CUTLASS's StageCountAutoCarveout and the CuTe DSL's examples compute, with their
terms. The exit status is 1 if it does not fit.`

// A BudgetRequest asks for the shared memory of a kernel.
type BudgetRequest struct {
	Tile         string   `json:"tile,omitempty" tool:"tile,integers" jsonschema:"(M,N,K) of a CTA of a matrix product" brief:"M, N, K of a CTA"`
	Type         string   `json:"type,omitempty" jsonschema:"of A and B: f16" brief:"-"`
	B            string   `json:"b,omitempty" jsonschema:"of B if it differs" brief:"type of B if it differs"`
	SF           string   `json:"sf,omitempty" jsonschema:"type of scale factors" brief:"type of scale factors"`
	SFVec        int64    `json:"sf_vec,omitempty" jsonschema:"elements along K of one scale factor" brief:"elements along K of a scale factor"`
	C            string   `json:"c,omitempty" jsonschema:"the type that the epilogue loads" brief:"type of C"`
	D            string   `json:"d,omitempty" jsonschema:"the type that the epilogue stores" brief:"type of D"`
	Epilogue     string   `json:"epilogue,omitempty" tool:"epilogue,integers" jsonschema:"(M,N) of the epilogue's tile" brief:"M, N of its tile"`
	CStages      int64    `json:"c_stages,omitempty" jsonschema:"copies of C; 1 if left out" brief:"-"`
	DStages      int64    `json:"d_stages,omitempty" jsonschema:"copies of D; 1 if left out" brief:"-"`
	Fill         string   `json:"fill,omitempty" jsonschema:"the buffer that gets what is left" brief:"buffer that gets the rest"`
	Accumulators int64    `json:"accumulators,omitempty" tool:"-" jsonschema:"stages of accumulators in tensor memory; 2 on sm100 if left out, -1 for none"`
	Barriers     int64    `json:"barriers,omitempty" tool:"-" jsonschema:"further mbarriers"`
	Buffers      []string `json:"buffers,omitempty" jsonschema:"further: Q:(128,128):f16@1024, V:32768@1024/stage" brief:"Q:(128,128):f16@1024, V:32768@1024/stage"`
	Align        int64    `json:"align,omitempty" tool:"-" jsonschema:"of the tiles in bytes; 1024 with TMA, else 128"`
	CTAGroup     int64    `json:"cta_group,omitempty" jsonschema:"2 if two CTAs share B" brief:"2: two CTAs share B"`
	Stages       int64    `json:"stages,omitempty" jsonschema:"as many as fit if none" brief:"as many as fit if 0"`
	Static       int64    `json:"static,omitempty" tool:"-" jsonschema:"bytes of static shared memory"`
	CTAs         int64    `json:"ctas,omitempty" jsonschema:"that have to fit an SM" brief:"on an SM"`
	Target       string   `json:"target,omitempty" jsonschema:"the machine; sm90 if empty" brief:"-"`
}

// A BudgetResponse describes the shared memory. Sizes and offsets are in bytes.
type BudgetResponse struct {
	OK      bool           `json:"ok"`                // everything fits
	Target  string         `json:"target,omitempty"`  // the machine
	Source  string         `json:"source,omitempty"`  // where the numbers of the machine are from
	Stages  int64          `json:"stages"`            // the number of stages of the ring; 0 without one
	Bytes   int64          `json:"bytes,omitempty"`   // the bytes that a CTA uses
	Limit   int64          `json:"limit,omitempty"`   // the bytes that a CTA may use
	Left    int64          `json:"left"`              // the bytes that stay free
	Stage   int64          `json:"stage,omitempty"`   // the bytes of one stage
	Padding int64          `json:"padding"`           // the bytes that are lost to alignment
	CTAs    int64          `json:"ctas,omitempty"`    // how many CTAs fit in an SM
	Buffers []BudgetBuffer `json:"buffers,omitempty"` // the buffers in the order of the request
	Targets []BudgetTarget `json:"targets,omitempty"` // how many stages fit on each machine
	// The tensor memory of the accumulators and scale factors, on machines that have it.
	TensorMemory *BudgetColumns `json:"tensor_memory,omitempty"`
	Rules        []BudgetRule   `json:"rules,omitempty"` // what CUTLASS and the CuTe DSL compute
	Notes        []string       `json:"notes,omitempty"` // what a reader of the answer should know
	Error        *report.Error  `json:"error,omitempty"` // why it does not fit

	Fault `json:"-"`
}

// A BudgetBuffer is a buffer.
type BudgetBuffer struct {
	Name    string `json:"name"`
	Offset  int64  `json:"offset"`  // the offset of the first copy, in bytes
	Bytes   int64  `json:"bytes"`   // the bytes of one copy
	Copies  int64  `json:"copies"`  // how many copies there are
	Total   int64  `json:"total"`   // the bytes of all copies
	Align   int64  `json:"align"`   // the alignment in bytes
	Padding int64  `json:"padding"` // the bytes of padding before the buffer
}

// A BudgetColumns is the tensor memory of a CTA, in columns of 128 lanes.
type BudgetColumns struct {
	Accumulators int64 `json:"accumulators"`     // how many accumulators there are
	Columns      int64 `json:"columns"`          // the columns of all accumulators
	Scales       int64 `json:"scales,omitempty"` // the columns of the scale factors
	Allocated    int64 `json:"allocated"`        // the columns that are allocated, a power of two
	Limit        int64 `json:"limit"`            // the columns that the CTA may have
}

// String returns the columns as a sentence.
func (m *BudgetColumns) String() string {
	scales := ""
	if m.Scales > 0 {
		scales = fmt.Sprintf(" and scale factors in %d", m.Scales)
	}
	return fmt.Sprintf("tensor memory: %s in %d columns%s, %d of %d allocated", plural(int(m.Accumulators), "accumulator"),
		m.Columns, scales, m.Allocated, m.Limit)
}

// ctasOf returns how many CTAs fit an SM, by shared memory and by tensor memory.
func ctasOf(b tile.Budget, m tile.TensorMemory) int64 {
	if m.Allocated == 0 {
		return b.CTAs()
	}
	return min(b.CTAs(), tile.TensorColumns/m.Allocated)
}

// A BudgetTarget is how the same kernel fits a machine.
type BudgetTarget struct {
	Target string `json:"target"`
	Stages int64  `json:"stages"` // how many stages fit; 0 if none does
	Bytes  int64  `json:"bytes"`
	Limit  int64  `json:"limit"`
	CTAs   int64  `json:"ctas"` // how many CTAs share an SM
}

// A BudgetRule is the number of stages by the rule of CUTLASS or of the CuTe DSL.
type BudgetRule struct {
	Rule   string `json:"rule"`
	Stages int64  `json:"stages"`
	Text   string `json:"text"` // the terms of the formula
	Why    string `json:"why"`  // why the number differs, or that it does not
}

// Budget lays out the shared memory.
func (s *Session) Budget(req BudgetRequest) BudgetResponse {
	target, err := findTarget(req.Target)
	if err != nil {
		return BudgetResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
	}
	j, info := readBudget(req, target)
	if info != nil {
		return BudgetResponse{Error: info, Fault: Fault{Usage: true}}
	}
	b, columns, err := j.layOut(target, req.Stages)
	if err != nil {
		return BudgetResponse{Error: report.Of(err)}
	}
	r := BudgetResponse{
		OK: true, Target: target.Name, Source: target.Source, Stages: b.Stages(), Bytes: b.Bytes(), Limit: b.Limit(),
		Left: b.Left(), Stage: b.Stage(), Padding: b.Padding(), CTAs: ctasOf(b, columns), Notes: b.Notes(),
	}
	if columns.Limit > 0 {
		x := j.gemmOn(target)
		r.TensorMemory = &BudgetColumns{
			Accumulators: x.AccStages, Columns: columns.Accumulators, Scales: columns.Scales, Allocated: columns.Allocated,
			Limit: columns.Limit,
		}
		if req.Accumulators == 0 && x.AccStages == 1 {
			r.Notes = append(r.Notes, "one accumulator, since two do not fit tensor memory")
		}
	}
	for _, x := range b.Regions() {
		r.Buffers = append(r.Buffers, BudgetBuffer{
			Name: x.Name, Offset: x.Offset, Bytes: x.Bytes, Copies: x.Total / x.Bytes, Total: x.Total, Align: x.Align,
			Padding: x.Padding,
		})
	}
	for _, t := range tile.Targets() {
		row := BudgetTarget{Target: t.Name}
		row.Limit, _ = t.Limit(max(req.CTAs, 1)) // the limit is 0 if an SM cannot hold that many CTAs
		if x, m, err := j.layOut(t, 0); err == nil {
			row.Stages, row.Bytes, row.CTAs = x.Stages(), x.Bytes(), ctasOf(x, m)
		}
		r.Targets = append(r.Targets, row)
	}
	if j.gemm != nil {
		r.Rules = rulesOf(j.gemmOn(target), target, b, max(req.CTAs, 1))
	}
	return r
}

// A budgetJob is a checked request: what has to fit into the shared memory of a target.
type budgetJob struct {
	req  BudgetRequest
	gemm *tile.Gemm    // the matrix product; nil without a tile
	more []tile.Buffer // the other buffers
}

// readBudget checks a request for a target.
func readBudget(req BudgetRequest, target tile.Target) (j budgetJob, info *report.Error) {
	j.req = req
	if j.gemm, info = gemmOf(req, target); info != nil {
		return j, info
	}
	if j.more, info = buffersOf(req.Buffers); info != nil {
		return j, info
	}
	if j.gemm == nil && len(j.more) == 0 {
		return j, usage("expected a tile (M,N,K) or buffers, found neither")
	}
	return j, nil
}

// gemmOn returns the matrix product on a target. With tensor memory, the product has two accumulators if two fit,
// unless the request says how many.
func (j budgetJob) gemmOn(t tile.Target) tile.Gemm {
	g := *j.gemm
	if !t.TensorMemory() || j.req.Accumulators < 0 {
		return g
	}
	if g.AccStages = j.req.Accumulators; j.req.Accumulators == 0 {
		g.AccStages = 2
		if _, err := g.TensorMemory(t, j.req.CTAs); err != nil {
			g.AccStages = 1
		}
	}
	return g
}

// layOut lays out the buffers on a target, with the given number of stages, or with as many as fit if the
// number is 0.
func (j budgetJob) layOut(t tile.Target, stages int64) (b tile.Budget, m tile.TensorMemory, err error) {
	r := tile.Request{Target: t, Stages: stages, Static: j.req.Static, CTAs: j.req.CTAs, Fill: j.req.Fill}
	if j.gemm != nil {
		if r.Buffers, err = j.gemmOn(t).Buffers(t); err != nil {
			return b, m, err
		}
		if m, err = j.gemmOn(t).TensorMemory(t, j.req.CTAs); err != nil {
			return b, m, err
		}
	}
	r.Buffers = append(r.Buffers, j.more...)
	b, err = tile.NewBudget(r)
	return b, m, err
}

// rulesOf returns what CUTLASS and the CuTe DSL compute.
func rulesOf(g tile.Gemm, t tile.Target, b tile.Budget, ctas int64) []BudgetRule {
	var rules []BudgetRule
	add := func(s tile.StageCount, err error, why string) {
		if err != nil {
			return
		}
		switch {
		case s.Stages == b.Stages():
			why = "the same"
		case s.Stages < b.Stages():
			why = "fewer: " + why
		default:
			why = "more than are laid out here: " + why
		}
		rules = append(rules, BudgetRule{Rule: s.Rule, Stages: s.Stages, Text: s.Text, Why: why})
	}
	if ctas == 1 {
		s, err := g.StageCountAutoCarveout(t)
		add(s, err, fmt.Sprintf("it counts %d bytes for a stage, of %d, and %d for the epilogue, and no alignment", s.Stage,
			b.Stage(), s.Carveout))
	}
	s, err := g.DSLStages(t, ctas)
	add(s, err, fmt.Sprintf("it keeps 1024 bytes for barriers and counts %d for a stage, of %d", s.Stage, b.Stage()))
	return rules
}

// gemmOf returns the matrix product of a request, nil if the request has no product.
func gemmOf(req BudgetRequest, target tile.Target) (*tile.Gemm, *report.Error) {
	if strings.TrimSpace(req.Tile) == "" {
		if req.Type+req.B+req.C+req.D+req.SF+req.Epilogue != "" {
			return nil, usage("expected a tile (M,N,K) where types are given, found none")
		}
		return nil, nil
	}
	mnk, info := extentsOf(req.Tile, 3, "a tile (M,N,K)")
	if info != nil {
		return nil, info
	}
	g := &tile.Gemm{
		M: mnk[0], N: mnk[1], K: mnk[2], ScaleVector: req.SFVec, EpiM: mnk[0], EpiN: mnk[1], CStages: req.CStages,
		DStages: req.DStages, Barriers: req.Barriers, Align: req.Align, CTAGroup: req.CTAGroup,
	}
	if info := req.types(g); info != nil {
		return nil, info
	}
	if req.Epilogue != "" {
		mn, info := extentsOf(req.Epilogue, 2, "the tile (M,N) of an epilogue")
		if info != nil {
			return nil, info
		}
		g.EpiM, g.EpiN = mn[0], mn[1]
	}
	defaults(g)
	if req.Accumulators > 0 && !target.TensorMemory() {
		return nil, usage("expected no accumulators on %s, which has no tensor memory", target.Name)
	}
	if req.CTAGroup < 0 || req.CTAGroup > 2 {
		return nil, usage("expected 1 or 2 CTAs of a product, found %d", req.CTAGroup)
	}
	return g, nil
}

// types sets the types of a matrix product: B has the type of A unless the request names another type.
func (req BudgetRequest) types(g *tile.Gemm) (info *report.Error) {
	if g.A, info = elementType(req.Type); info != nil {
		return info
	}
	g.B = g.A
	for _, x := range []struct {
		name string
		into *dtype.Type
	}{{req.B, &g.B}, {req.SF, &g.Scale}, {req.C, &g.C}, {req.D, &g.D}} {
		if x.name == "" {
			continue
		}
		if *x.into, info = elementType(x.name); info != nil {
			return info
		}
	}
	return nil
}

// defaults fills in what follows from the rest.
func defaults(g *tile.Gemm) {
	switch {
	case g.Scale == 0 || g.ScaleVector > 0:
	case g.Scale == dtype.UE8M0:
		g.ScaleVector = 32
	default:
		g.ScaleVector = 16
	}
	if g.C != 0 {
		g.CStages = max(g.CStages, 1)
	} else {
		g.CStages = 0
	}
	if g.D != 0 {
		g.DStages = max(g.DStages, 1)
	} else {
		g.DStages = 0
	}
}

// extentsOf reads a shape of the given rank.
func extentsOf(text string, rank int, what string) ([]int64, *report.Error) {
	t, err := cute.ParseTuple(text)
	if err != nil {
		return nil, report.Of(err)
	}
	if t.IsInt() || t.Rank() != rank || t.LeafCount() != rank || t.HasBasis() {
		return nil, usage("expected %s, found %.60s", what, t)
	}
	return t.Leaves(), nil
}

// reBuffer is a buffer: NAME:BYTES or NAME:SHAPE:TYPE, @ALIGN, *COPIES, /stage.
var reBuffer = regexp.MustCompile(`^([^:]{1,40}):(.{1,100}?)(?:@(\d{1,9}))?(?:\*(\d{1,9}))?(/stage)?$`)

// buffersOf reads the buffers of a request.
func buffersOf(texts []string) ([]tile.Buffer, *report.Error) {
	var list []tile.Buffer
	for _, text := range texts {
		m := reBuffer.FindStringSubmatch(strings.ReplaceAll(text, " ", ""))
		if m == nil {
			return nil, usage("expected a buffer NAME:BYTES or NAME:SHAPE:TYPE, then @ALIGN, *COPIES, /stage, found %.60q", text)
		}
		b := tile.Buffer{Name: m[1], Align: 16, Copies: 1, Staged: m[5] != ""}
		shape, name, typed := cutLast(m[2])
		if !typed {
			n, err := strconv.ParseInt(m[2], 10, 64)
			if err != nil {
				return nil, usage("expected bytes, or a shape and a type after a colon, found %.60q", m[2])
			}
			b.Bytes = n
		} else {
			t, err := cute.ParseTuple(shape)
			if err != nil {
				return nil, report.Of(err)
			}
			n, err := t.Product()
			if err != nil {
				return nil, report.Of(err)
			}
			typ, info := elementType(name)
			if info != nil {
				return nil, info
			}
			if n < 0 || n > 1<<33 {
				return nil, usage("expected a shape of at most 2^33 elements, found %.60s", shape)
			}
			b.Bytes = (n*int64(typ.Bits()) + 7) / 8
		}
		if m[3] != "" {
			b.Align, _ = strconv.ParseInt(m[3], 10, 64) // nine digits always fit
		}
		if m[4] != "" {
			b.Copies, _ = strconv.ParseInt(m[4], 10, 64)
		}
		list = append(list, b)
	}
	return list, nil
}

// cutLast splits at the last colon.
func cutLast(text string) (before, after string, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// Text returns the budget as a person reads it.
func (r BudgetResponse) Text() string {
	var b strings.Builder
	if r.Stage > 0 {
		fmt.Fprintf(&b, "%s on %s: %d of %d bytes, %d left\n", plural(int(r.Stages), "stage"), r.Target, r.Bytes, r.Limit,
			r.Left)
		fmt.Fprintf(&b, "  a stage takes %d bytes, padding %d in all; %s on an SM\n\n", r.Stage, r.Padding,
			plural(int(r.CTAs), "CTA"))
	} else {
		fmt.Fprintf(&b, "%d of %d bytes on %s, %d left; %s on an SM\n\n", r.Bytes, r.Limit, r.Target, r.Left,
			plural(int(r.CTAs), "CTA"))
	}
	rows := [][]string{{"offset", "bytes", "buffer", "", "align", "padding"}}
	for _, x := range r.Buffers {
		pad := ""
		if x.Padding > 0 {
			pad = fmt.Sprint(x.Padding)
		}
		rows = append(rows, []string{
			fmt.Sprint(x.Offset), fmt.Sprint(x.Total), x.Name, fmt.Sprintf("%d x %d", x.Copies, x.Bytes),
			fmt.Sprint(x.Align), pad,
		})
	}
	textTable{Rows: rows, Indent: "  ", Gap: "  "}.write(&b)
	if m := r.TensorMemory; m != nil {
		b.WriteString("\n" + Wrap(m.String(), 80, "", "  "))
	}
	if r.Stage > 0 {
		b.WriteString("\n")
		rows = [][]string{{"target", "stages", "bytes", "of", "CTAs"}}
		for _, t := range r.Targets {
			row := []string{t.Target, fmt.Sprint(t.Stages), fmt.Sprint(t.Bytes), fmt.Sprint(t.Limit), fmt.Sprint(t.CTAs)}
			if t.Stages == 0 {
				row[1], row[2], row[4] = "none", "", ""
			}
			rows = append(rows, row)
		}
		textTable{Rows: rows, Indent: "  ", Gap: "  "}.write(&b)
	}
	for i, x := range r.Rules {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(Wrap(fmt.Sprintf("%s: %s, %s: %s", x.Rule, plural(int(x.Stages), "stage"), x.Text, x.Why), 80, "", "  "))
	}
	b.WriteString("\n" + Wrap(r.Target+": "+r.Source, 80, "", "  "))
	return b.String()
}
