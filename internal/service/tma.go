package service

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/codegen/device"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/symbolic"
	"girih/tensormap"
)

// tmaOperation is the row of tensor maps.
func tmaOperation() Operation {
	return Operation{
		Name: "tma", Doc: "Plan the TMA copy of a tile, and check its tensor map", Programs: true,
		Tool: &ToolDoc{
			Title:   "Plan a TMA copy",
			Brief:   "the tensor map of a tile as make_tma_copy finds it, the rules it breaks, coordinates, expect_tx, multicast masks, code: expr (1024,512):(512,1), box 128,64, type f16.",
			Smaller: "take a smaller tile",
			Doc: "The tensor map that copies tiles of a tensor into shared memory, as make_tma_copy finds it; the rules of " +
				"cuTensorMapEncode that it breaks, with what to change; instructions and coordinates, expect_tx, multicast " +
				"masks, code. Example: expr (1024,512):(512,1), box 128,64, type f16.",
		},
		Command: &Command{
			Use:   "tma GLOBAL --box EXTENTS --type TYPE",
			Meant: []string{"tensormap", "im2col", "multicast"},
			Args:  []string{"expr"},
			Wrong: "tma needs one layout of global memory, as in girih tma '(1024,512):(512,1)' --box 128,64 --type f16",
			Flags: []Flag{
				{Field: "box", Usage: "the tile in the modes of the tensor, as `EXTENTS` or a tiler"},
				{Field: "smem", Usage: "the layout of the tile in shared memory, an `EXPR` in elements"},
				{Field: "type", Usage: "the `TYPE` of an element, such as f16 or e4m3"},
				{Field: "swizzle", Usage: "the `SWIZZLE` of shared memory that girih chooses: none, 32B, 64B, 128B"},
				{Field: "multicast", Usage: "`OPERAND@MxN`: A or B of a cluster of M by N CTAs"},
				{Field: "im2col", Usage: "a convolution, as `WORDS`: filter 3,3 pad 1,1 stride 1,1 dilation 1,1"},
				{Field: "tile", Usage: "the `NUMBER` of the tile whose coordinates are listed, in each mode"},
				{Field: "address", Usage: "the global `ADDRESS`, 0x..."},
				{Field: "fill", Usage: "what fills elements outside the tensor: zero or nan, as `WORD`"},
				{Field: "l2", Usage: "the L2 promotion in `BYTES`: none, 64B, 128B, 256B"},
			},
			Width: 80,
			Long:  tmaHelp,
			Example: `  girih tma '(1024,512):(512,1)' --box 128,64 --type f16
  girih tma '(1024,512):(512,1)' --box 128,128 --type bf16 --multicast A@1x2 --tile 3,1
  girih tma '(1024,512):(512,1)' --smem 'tile_to_shape(Layout_K_SW128_Atom<half_t>, (128,128))' --type f16
  girih tma '(4096,128,64):(8192,1,128)' --box 128,64,1 --type f16
  girih tma '(M,K):(K,1)' --box 128,64 --type f16
  girih tma '(8,56,56,64)' --im2col 'filter 3,3 pad 1,1' --box 128,64 --type f16`,
		},
		Form: tmaForm(),
		do: method[TMARequest, TMAResponse]{
			do: (*Session).TMA,
			said: func(_ TMARequest, r TMAResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error, Failed: !r.Legal}
			},
		}.caller(),
	}
}

// tmaForm is the form of the page.
func tmaForm() *Form {
	return &Form{
		Repair: repairTMA,
		Examples: []any{
			TMARequest{Expr: "(1024,512):(512,1)", Box: "128,64", Type: "f16"},
			TMARequest{Expr: "(1024,512):(512,1)", Box: "128,128", Type: "bf16", Multicast: "A@1x2", Tile: "3,1"},
			TMARequest{Expr: "(1000,100):(100,1)", Box: "64,64", Type: "e4m3"},
			TMARequest{Expr: "(M,K):(K,1)", Box: "128,64", Type: "f16"},
			TMARequest{Expr: "(8,56,56,64)", Im2col: "filter 3,3 pad 1,1", Box: "128,64", Type: "f16"},
		},
		Picture: func(request any) *DrawRequest {
			q := request.(*TMARequest)
			if q.Im2col != "" || q.Smem != "" || q.Swizzle != "" { // the picture shows a swizzle that girih chooses
				return nil
			}
			return &DrawRequest{Expr: q.Expr, As: "tma", Tile: q.Box, Type: q.Type}
		},
	}
}

// tmaHelp is the prose of girih tma --help.
const tmaHelp = `Plan how the copy engine (TMA) brings a tile of a tensor into shared memory: the
tensor map as CuTe's make_tma_copy makes it, with the arguments of the driver's
cuTensorMapEncodeTiled; whether the driver takes it, and if not every rule that is
broken with what to change; how many instructions a tile takes and why; their
coordinates; the bytes for expect_tx; masks for multicast; and the code, in CuTe C++,
CUDA with inline PTX, and the CuTe DSL. The exit status is 1 for an illegal map.

GLOBAL is a layout with strides in elements. Extents and strides may be known at run
time only, with facts: (M,K{div=8}):(K,1). Each rule of the driver then
holds for all their values, for none, or exactly under the condition that is printed,
with values that break it. --box has an extent for each mode of GLOBAL, 1 for a mode
that the tile does not go along. --smem is the tile in shared memory: a layout, or a swizzle of one, such
as tile_to_shape(Layout_K_SW128_Atom<half_t>, (128,64)). Without it girih takes the
largest swizzle that divides the tile, or --swizzle.

With --im2col, GLOBAL has the modes (N,H,W,C), (N,W,C) or (N,D,H,W,C), a bare shape is
packed with the channels last, and --box has the pixels and the channels of one copy.`

// A TMARequest asks how the copy engine copies a tile.
type TMARequest struct {
	Expr      string `json:"expr" jsonschema:"the tensor: a layout, strides in elements" brief:"the tensor"`
	Box       string `json:"box,omitempty" jsonschema:"the tile: 128,64, or a tiler; pixels and channels with im2col" brief:"the tile, or pixels and channels for im2col"`
	Smem      string `json:"smem,omitempty" jsonschema:"the tile in shared memory; chosen if empty" brief:"layout of the tile; chosen if empty"`
	Type      string `json:"type,omitempty" jsonschema:"of the elements: f16, bf16, e4m3, f32; the type of a pasted tensor if empty" brief:"-"`
	Swizzle   string `json:"swizzle,omitempty" tool:"swizzle_mode" jsonschema:"of the chosen layout: none, 32B, 64B, 128B" brief:"none, 32B, 64B, 128B"`
	Multicast string `json:"multicast,omitempty" jsonschema:"A@2x1: operand A of a cluster of 2 by 1 CTAs" brief:"A@2x1: operand A, cluster of 2 by 1"`
	Im2col    string `json:"im2col,omitempty" jsonschema:"a convolution: filter 3,3 pad 1,1 stride 1,1 dilation 1,1" brief:"filter 3,3 pad 1,1 stride 1,1 dilation 1,1"`
	Tile      string `json:"tile,omitempty" tool:"tile_coord" jsonschema:"whose coordinates are listed: 3,1" brief:"3,1"`
	Address   string `json:"address,omitempty" tool:"-" jsonschema:"of the tensor in bytes: 0x7f0000000000"`
	Fill      string `json:"fill,omitempty" tool:"-" jsonschema:"of elements outside the tensor: zero or nan"`
	L2        string `json:"l2,omitempty" tool:"-" jsonschema:"promotion: none, 64B, 128B, 256B"`
}

// A TMAResponse is the plan.
type TMAResponse struct {
	OK bool `json:"ok"` // there is a plan
	// the driver accepts the map, and the data land where shared memory expects them: for all values of run-time
	// integers, or exactly under the condition
	Legal   bool   `json:"legal"`
	Verdict string `json:"verdict,omitempty"` // the answer in one line
	Global  string `json:"global,omitempty"`  // the layout of the tensor
	Smem    string `json:"smem,omitempty"`    // the layout of the tile in shared memory
	Type    string `json:"type,omitempty"`    // the canonical name of the element type

	// of run-time integers: where the map is legal, the rules about them, and other plans for some of their values
	Condition string      `json:"condition,omitempty"`
	Clauses   []TMAClause `json:"clauses,omitempty"`
	Cases     []TMACase   `json:"cases,omitempty"`

	Function string      `json:"function,omitempty"` // the function of the driver that makes the map
	Fields   []TMAField  `json:"fields,omitempty"`   // the arguments of this function
	Broken   []TMABreach `json:"broken,omitempty"`   // the rules that the map breaks
	Steps    []TMAField  `json:"steps,omitempty"`    // how the map was found, with CuTe's names
	Why      []string    `json:"why,omitempty"`      // why the box is no larger

	Instructions int64 `json:"instructions,omitempty"` // how many instructions each CTA executes for a tile
	Bytes        int64 `json:"bytes,omitempty"`        // the bytes that one instruction moves
	Expect       int64 `json:"expect_tx,omitempty"`    // the bytes of a tile, for expect_tx
	Align        int64 `json:"align,omitempty"`        // the alignment of shared memory in bytes
	Shared       int64 `json:"shared,omitempty"`       // the size of shared memory in bytes

	// Coordinates maps a coordinate of the tensor to the coordinates of the instruction: CuTe's get_tma_tensor.
	Coordinates string    `json:"coordinates,omitempty"`
	Issue       []TMACopy `json:"issue,omitempty"`  // the first instructions of the tile
	Parts       []TMAPart `json:"parts,omitempty"`  // the parts that the CTAs of a cluster load
	Output      []int64   `json:"output,omitempty"` // the extents of a convolution's result, (N,P,Q)
	Code        []TMACode `json:"code,omitempty"`   // the code for a legal map

	Notes []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error *report.Error `json:"error,omitempty"` // why there is no plan

	Fault `json:"-"`
}

// A TMAField is a named value.
type TMAField struct {
	Name  string `json:"name"`           // the name in the driver
	Value string `json:"value"`          // the value as C code
	Unit  string `json:"unit,omitempty"` // the unit: elements, bytes, pixels
}

// A TMAClause is a rule about run-time integers.
type TMAClause struct {
	Rule   string `json:"rule"`             // the name of the rule
	Text   string `json:"text"`             // the number, and the numbers that are legal
	Holds  string `json:"holds"`            // always, if or never
	If     string `json:"if,omitempty"`     // the exact condition under which the rule holds
	Breaks string `json:"breaks,omitempty"` // values that break the rule: N = 4
	Change string `json:"change,omitempty"` // what to do so that the rule always holds
	Source string `json:"source"`           // where the rule is documented
}

// A TMACase is an alternative plan for some values of run-time integers.
type TMACase struct {
	When    string `json:"when"`    // the values of the run-time integers
	Verdict string `json:"verdict"` // what the plan is for these values
}

// A TMABreach is a rule that the map breaks.
type TMABreach struct {
	Rule   string `json:"rule"`   // the name of the rule
	Text   string `json:"text"`   // the number, and the numbers that are legal
	Change string `json:"change"` // the nearest legal choice
	Source string `json:"source"` // where the rule is documented
}

// A TMACopy is one instruction.
type TMACopy struct {
	CTA    int64   `json:"cta"`               // the number of the part that the instruction loads
	Coord  []int64 `json:"coord"`             // the coordinates of the instruction
	Offset []int64 `json:"offsets,omitempty"` // for im2col, the offsets in the filter
	Shared int64   `json:"shared"`            // the bytes from the beginning of the tile to the part
}

// A TMAPart is what a CTA of a cluster loads, and for whom.
type TMAPart struct {
	Rank  int64  `json:"rank"`  // the rank of the CTA in the cluster
	M     int64  `json:"m"`     // the coordinate along M
	N     int64  `json:"n"`     // the coordinate along N
	Slice int64  `json:"slice"` // the number of the part that the CTA loads, as in TMACopy.CTA
	Mask  string `json:"mask"`  // the mask of the CTAs that get the part, 0x...
}

// A TMACode is the copy in one language.
type TMACode struct {
	Name string `json:"name"` // the language: cpp, cuda or dsl
	Text string `json:"text"`
}

// tmaNames are the names of languages in answers about TMA.
var tmaNames = map[string]string{device.CuTe: "cpp", device.CUDA: "cuda", device.DSL: "dsl"}

// tmaCode returns code under the names used in answers about TMA.
func tmaCode(all []device.Code) []TMACode {
	out := make([]TMACode, len(all))
	for i, c := range all {
		out[i] = TMACode{Name: tmaNames[c.Language], Text: c.Text}
	}
	return out
}

// writer returns what writes the copy as code.
func (j *tmaJob) writer() device.TMA {
	return device.TMA{Copy: j.copy, Open: j.open, Type: j.req.Type, Operand: j.operand}
}

// tmaInstructions is how many instructions an answer lists.
const tmaInstructions = 16

// TMA evaluates the layouts and plans the copy.
func (s *Session) TMA(req TMARequest) TMAResponse {
	j := tmaJob{session: s, req: req}
	if info := j.read(); info != nil {
		return TMAResponse{Error: info, Fault: j.fault}
	}
	if req.Im2col != "" {
		return j.convolution()
	}
	return j.planTile()
}

// A tmaJob is a request while it is read and answered.
type tmaJob struct {
	session *Session
	req     TMARequest
	fault   Fault

	value   eval.Value         // the value that the tensor is given as
	open    *symbolic.Layout   // the tensor, if it has run-time integers
	sizes   []int64            // the extents of the tile, if shared memory is chosen for it
	swizzle *tensormap.Swizzle // the requested swizzle; nil if girih chooses it
	copy    tensormap.Copy
	cluster *tensormap.Cluster
	operand string
	typ     string
	notes   []string
}

// wrong is a word of the request that is not understood.
//
//go:noinline
func (j *tmaJob) wrong(format string, args ...any) *report.Error {
	j.fault = Fault{Usage: true}
	return usage(format, args...)
}

// read reads everything but the tile.
func (j *tmaJob) read() *report.Error {
	given := engineOf(j.req.Expr)
	j.req.Type = cmp.Or(j.req.Type, given.typ, engineOf(j.req.Smem).typ)
	t, err := tensormap.ParseType(j.req.Type)
	if err != nil && j.req.Type != "" {
		return report.Of(err)
	}
	if err != nil {
		j.fault = Fault{Usage: true}
		_, info := elementType(j.req.Type)
		return info
	}
	j.copy.Type, j.typ, j.copy.Address = t, t.PTX(), given.address
	if a := j.req.Address; a != "" {
		if j.copy.Address, err = strconv.ParseUint(strings.TrimPrefix(a, "0x"), base(a), 64); err != nil {
			return j.wrong("expected an address such as 0x7f0000000000, found %.40q", a)
		}
	}
	switch strings.ToLower(j.req.Fill) {
	case "", "zero":
	case "nan":
		j.copy.Fill = tensormap.FillNaN
	default:
		return j.wrong("expected the fill zero or nan, found %.40q", j.req.Fill)
	}
	at := slices.Index([]string{"none", "64b", "128b", "256b"}, strings.ToLower(cmp.Or(j.req.L2, "128B")))
	if at < 0 {
		return j.wrong("expected the L2 promotion none, 64B, 128B or 256B, found %.40q", j.req.L2)
	}
	j.copy.Promotion = tensormap.Promotion(at)
	if info := j.multicast(); info != nil {
		return info
	}
	last, notes, info := j.session.last(j.req.Expr)
	if info != nil {
		j.fault = Fault{In: j.req.Expr}
		return info
	}
	j.value, j.notes = last.Value, notes
	if ok, info := j.runTime(last.Value); ok || info != nil {
		j.fault.In = j.req.Expr
		return info
	}
	if j.copy.Global, info = j.layout(last.Value); info != nil {
		j.fault = Fault{In: j.req.Expr}
	}
	return info
}

func base(text string) int {
	if strings.HasPrefix(text, "0x") {
		return 16
	}
	return 10
}

// layout accepts a value as a layout with known integers.
func (j *tmaJob) layout(v eval.Value) (cute.Layout, *report.Error) {
	switch v := v.(type) {
	case eval.Layout:
		return v.Layout, nil
	case eval.Tuple:
		l, err := cute.LayoutLeft(v.Tuple)
		if err != nil {
			return l, report.Of(report.Under("tma", err))
		}
		return l, nil
	}
	m, err := memoryOf(v)
	if err == nil {
		err = &cute.Error{
			Code: cute.CodeType, Msg: fmt.Sprintf("expected the layout of the tensor in global memory, found %.80v", m),
			Hint: "the swizzle belongs to shared memory: --smem",
		}
	}
	return cute.Layout{}, report.Of(report.Under("tma", err))
}

// multicast reads A@2x1.
func (j *tmaJob) multicast() *report.Error {
	text := strings.TrimSpace(j.req.Multicast)
	if text == "" {
		return nil
	}
	operand, size, _ := strings.Cut(text, "@")
	m, n, ok := strings.Cut(strings.ToLower(size), "x")
	if !ok {
		m, n, ok = strings.Cut(size, ",")
	}
	rows, err1 := strconv.ParseInt(m, 10, 64)
	columns, err2 := strconv.ParseInt(n, 10, 64)
	j.operand = strings.ToUpper(operand)
	if !ok || err1 != nil || err2 != nil || j.operand != "A" && j.operand != "B" {
		return j.wrong("expected an operand and a cluster such as A@2x1, found %.40q", text)
	}
	j.cluster = &tensormap.Cluster{M: rows, N: columns}
	if _, err := j.cluster.PartsA(); err != nil {
		return report.Of(err)
	}
	j.copy.Multicast = columns
	if j.operand == "B" {
		j.copy.Multicast = rows
	}
	return nil
}

// tmaNumbers reads 128,64 or 128x64.
func tmaNumbers(text string) ([]int64, bool) {
	text = strings.Trim(strings.TrimSpace(text), "()[]{}")
	var list []int64
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == 'x' || r == ' ' }) {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	return list, len(list) > 0
}

// planTile plans the copy of a tile.
func (j *tmaJob) planTile() TMAResponse {
	if info := j.tile(); info != nil {
		return TMAResponse{Error: info, Fault: j.fault}
	}
	p, cases, err := j.plan()
	if err != nil {
		return TMAResponse{Error: report.Of(err), Fault: Fault{In: j.req.Expr}}
	}
	r := j.response(p)
	r.Smem, r.Coordinates = p.Shared.String(), p.Coordinates.String()
	if j.open != nil {
		r.Coordinates = j.open.Shape().String() + ":" + p.Coordinates.Stride().String()
	}
	r.Instructions, r.Expect, r.Why = p.Instructions, p.Expect, p.Why
	r.Shared = p.Shared.Size() * max(p.Map.Type.Bits(), 8) / 8
	if p.Map.Type == tensormap.U4Align8 {
		r.Shared = p.Expect
	}
	for _, s := range p.Steps {
		r.Steps = append(r.Steps, TMAField{Name: s.Name, Value: s.Value})
	}
	r.Notes = append(r.Notes, p.Notes...)
	for _, f := range p.Faults {
		r.Legal = false
		r.Broken = append(r.Broken, TMABreach{Rule: "landing", Text: f.Text, Change: f.Change, Source: f.Source})
	}
	if info := j.issue(&r, p); info != nil {
		return TMAResponse{Error: info, Fault: j.fault}
	}
	r.verdict(p.Map)
	j.conditions(&r, cases)
	if r.Legal {
		r.Code = tmaCode(j.writer().TileCopy(p))
	}
	return r
}

// plan makes the plan to show, and the plans for other values of run-time integers, the plan to show first.
func (j *tmaJob) plan() (p tensormap.Plan, cases []tensormap.Outcome, err error) {
	if j.open == nil {
		p, err = j.make(j.copy)
		return p, nil, err
	}
	cases, err = tensormap.Cases(*j.open, func(at *tensormap.Case) (tensormap.Plan, error) {
		c := j.copy
		c.Case = at
		return j.make(c)
	})
	if err != nil {
		return p, nil, err
	}
	first := slices.IndexFunc(cases, func(c tensormap.Outcome) bool { return legalSomewhere(c.LegalIf()) })
	if first < 0 {
		first = max(slices.IndexFunc(cases, func(c tensormap.Outcome) bool { return c.Err == nil }), 0)
	}
	cases[0], cases[first] = cases[first], cases[0]
	return cases[0].Plan, cases, cases[0].Err
}

// make plans one copy.
func (j *tmaJob) make(c tensormap.Copy) (tensormap.Plan, error) {
	note := ""
	if j.sizes != nil {
		var err error
		if c, note, err = c.Fit(j.sizes, j.swizzle); err != nil {
			return tensormap.Plan{}, err
		}
	}
	p, err := tensormap.Make(c)
	if note != "" {
		p.Notes = append(p.Notes, note)
	}
	return p, err
}

// tile reads the tile and the layout of shared memory.
func (j *tmaJob) tile() *report.Error {
	sizes, plain := tmaNumbers(j.req.Box)
	switch {
	case plain:
		tuple := cute.Ints(sizes...)
		j.copy.Tiler = tuple
	case j.req.Box != "":
		t, err := cute.ParseTiler(j.req.Box)
		if err != nil {
			j.fault = Fault{In: j.req.Box}
			return report.Of(report.Under("tma", err))
		}
		j.copy.Tiler = t
	case j.req.Smem == "":
		return j.wrong("tma needs a tile: --box 128,64, or its layout in shared memory, --smem")
	}
	if j.req.Smem != "" {
		expr, read := readPointer(j.req.Smem)
		last, notes, info := j.session.last(expr)
		j.notes = append(append(j.notes, read...), notes...)
		j.fault = Fault{In: j.req.Smem}
		if info != nil {
			return info
		}
		if c, ok := last.Value.(eval.Composed); ok {
			j.copy.Shared = c.Composed
			return nil
		}
		l, info := j.layout(last.Value)
		j.copy.Shared = l.Composed()
		return info
	}
	if !plain {
		return j.wrong("with a tiler for --box, tma needs the layout of the tile in shared memory, --smem")
	}
	if j.req.Swizzle != "" {
		w, err := tensormap.ParseSwizzle(j.req.Swizzle)
		if err != nil {
			j.fault = Fault{Usage: true}
			return report.Of(err)
		}
		j.swizzle = &w
	}
	j.sizes = sizes
	return nil
}
