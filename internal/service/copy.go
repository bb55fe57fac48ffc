//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/report"
	"girih/internal/picture/view"
	"girih/kernel"
	"girih/kernel/copy"
)

// copyOperation is the row of copies between two layouts.
func copyOperation() Operation {
	return Operation{
		Name: "copy", Doc: "Plan the copy between two layouts of one size: its kernel, and a picture of how tiles move",
		Programs: true,
		Words:    map[string][]Word{"as": copyForms},
		Tool: &ToolDoc{
			Title:   "Plan a copy between two layouts",
			Brief:   "plans a fast copy - transpose, permute, pad, swizzle - and writes its kernel: src (4096,8192):(8192,1), dst (4096,8192):(1,4096), type f16.",
			Smaller: "as text",
			Doc: "Vectors, tile, swizzle and predicted sectors of the copy; as ptx the kernel. Example: src (4096,8192):(8192,1), " +
				"dst (4096,8192):(1,4096), type f16.",
		},
		Command: &Command{
			Use:   "copy SRC DST --type TYPE",
			Meant: []string{"transpose", "permute"},
			Args:  []string{"src", "dst"},
			Wrong: "copy needs two layouts, SRC and DST, found %d",
			Flags: []Flag{
				{Field: "type", Usage: "the `TYPE` of the elements, of 8 to 128 bits: f16, u8, b128", Missing: "copy needs the type of " +
					"the elements, as in --type f16"},
				{Field: "as", Usage: "`FORM` of the answer: text, or ptx for the kernel; text if missing"},
				{Field: "picture", Usage: "draw how a tile moves, into a `FILE` of .svg, .png, .tex or .txt, or - for text"},
				{Field: "src_align", Name: "src-align", Usage: "the `BYTES` that divide the address of SRC; 256 if missing"},
				{Field: "dst_align", Name: "dst-align", Usage: "the `BYTES` that divide the address of DST; 256 if missing"},
				{Field: "way", Usage: "direct, blocks, rows or shifted: a `WAY` instead of the planner's choice"},
			},
			Width: 80,
			Long: `Plan the copy of a tensor under the layout SRC to one under DST: element i of DST
becomes element i of SRC, whatever the shapes are. Strides of SRC may be 0, strides of
both negative, and either may be swizzled; places of DST that two elements share are
refused. The plan says which vectors are loaded and stored, which tile goes through
shared memory with which swizzle, and what that costs by the models of memory.

--json has the launch as well: the name of the kernel, its parameters, blocks, threads
and bytes of shared memory; with --as ptx the kernel as "source". A program needs no
more to run it: examples/copy_torch.py does with CuPy, on PyTorch tensors.
girih-gpu copy runs and times the same plan on a card.

Names and ? in the layouts are integers that are known at run time only: the plan and
the kernel are then for all their values, and facts make the kernel fast:
N{div=8}, K{<=64}; N{i64} is for more than 32 bits. In the launch of --json each such
parameter has the formula of its argument, "of", and the grid is one of parameters.
--set gives values: then the prediction, the picture and the arguments are there, too.`,
			Example: `  girih copy '(4096,8192):(8192,1)' '(4096,8192):(1,4096)' --type f16
  girih copy '(3,1000):(1,3)' '(3,1000):(1000,1)' --type u8 --picture -
  girih copy '4096:1' 'Sw<3,4,3> o 0 o 4096:1' --type f32 --as ptx
  girih copy '(64,64):(64,1)' '(64,64):(1,64)' --type f16 --as ptx --json
  girih copy '(M,N{div=8}):(N,1)' '(M,N):(1,M)' --type f16 --set M=4095,N=4096`,
		},
		do: method[CopyRequest, CopyResponse]{
			do: (*Session).Copy,
			said: func(_ CopyRequest, r CopyResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// copyForms are what is printed of a copy.
var copyForms = []Word{{"text", "the plan in words"}, {"ptx", "the kernel"}}

// hasWord reports whether a name is one of the words.
func hasWord(words []Word, name string) bool {
	return slices.ContainsFunc(words, func(w Word) bool { return w.Name == name })
}

// A CopyRequest asks for the plan of a copy.
type CopyRequest struct {
	Src      string `json:"src" jsonschema:"a layout or composed layout, offsets in elements" brief:"-"`
	Dst      string `json:"dst" jsonschema:"a layout of as many elements, no two at one place" brief:"of as many elements"`
	Type     string `json:"type" jsonschema:"of the elements, 8 to 128 bits: f16" brief:"-"`
	As       string `json:"as,omitempty" jsonschema:"text, or ptx for the kernel" brief:"-"`
	Picture  string `json:"picture,omitempty" jsonschema:"draw how a tile moves: png or txt" brief:"of a tile: png or txt"`
	SrcAlign int64  `json:"src_align,omitempty" jsonschema:"bytes that divide the address of src; 256 if 0" brief:"bytes; 256 if 0"`
	DstAlign int64  `json:"dst_align,omitempty" jsonschema:"bytes that divide the address of dst; 256 if 0" brief:"bytes; 256 if 0"`
	Way      string `json:"way,omitempty" jsonschema:"direct, blocks, rows or shifted; the best if empty" brief:"direct, blocks, rows, shifted; the best if empty"`
}

// A CopyResponse is the plan.
type CopyResponse struct {
	OK        bool              `json:"ok"`
	Plan      *copy.Description `json:"plan,omitempty"`
	Predicted *copy.Prediction  `json:"predicted,omitempty"` // what all blocks do to memory, if all values are known
	Launch    *KernelLaunch     `json:"launch,omitempty"`
	Source    string            `json:"source,omitempty"` // the source of the kernel, if the request asks for it
	Picture   []byte            `json:"-"`
	Notes     []string          `json:"notes,omitempty"`
	Error     *report.Error     `json:"error,omitempty"` // why there is no plan

	text  string
	Fault `json:"-"`
}

// Text returns the plan in words, or the kernel.
func (r CopyResponse) Text() string { return cmp.Or(r.Source, r.text) }

// Copy plans a copy.
func (s *Session) Copy(q CopyRequest) CopyResponse {
	wrong := func(info *report.Error) CopyResponse { return CopyResponse{Error: info, Fault: Fault{Usage: true}} }
	if q.As != "" && !hasWord(copyForms, q.As) {
		return wrong(usage("expected one of %s, found as %.40q", NamesOf(copyForms), q.As))
	}
	format, ok := drawFormat(q.Picture)
	if q.Picture != "" && !ok {
		return wrong(usage("expected a format of the picture, one of %s, found %.40q", strings.Join(DrawFormats(), ", "),
			q.Picture))
	}
	o := copy.Options{SrcAlign: q.SrcAlign, DstAlign: q.DstAlign, Way: copy.Way(q.Way)}
	info := copyBytes(q.Type, &o)
	if info != nil {
		return wrong(info)
	}
	plan, notes, info, in := s.planCopy(q, o)
	if info != nil {
		return CopyResponse{Error: info, Fault: Fault{In: in}}
	}
	r, err := copyOf(plan)
	if err != nil {
		return CopyResponse{Error: report.Of(err)}
	}
	if q.As == "ptx" {
		r.Source = r.kernel.Module.String()
	}
	if r.Notes = unique(notes); q.Picture != "" {
		if r.Picture, info = r.draw(format); info != nil {
			return CopyResponse{Error: info}
		}
	}
	return r.CopyResponse
}

// copyBytes sets the bytes of an element from the name of a type.
func copyBytes(name string, o *copy.Options) *report.Error {
	if strings.EqualFold(name, "b128") || strings.EqualFold(name, "u128") {
		o.Bytes = 16
		return nil
	}
	var t dtype.Type
	t, info := elementType(name)
	if info != nil {
		return info
	}
	if o.Bytes = int64(t.Bits() / 8); t.Bits()%8 != 0 {
		info = usage("expected elements of whole bytes, found %v of %d bits", t, t.Bits())
		info.Code, info.Hint = string(cute.CodeType), fmt.Sprintf("recast the layouts to u8: recast(layout, %d, 8)", t.Bits())
	}
	return info
}

// A copyPlan is a plan with its kernel.
type copyPlan struct {
	CopyResponse
	plan   *copy.Plan
	kernel *kernel.Kernel
}

// copyOf writes the kernel of a plan, and predicts what the kernel does if all integers have values.
func copyOf(p *copy.Plan) (*copyPlan, error) {
	k, err := p.Kernel()
	if err != nil {
		return nil, err
	}
	d := p.Describe()
	r := &copyPlan{CopyResponse{OK: true, Plan: &d, Launch: launchOf(k)}, p, k}
	r.text = p.String()
	formulas := p.Formulas()
	for i := range r.Launch.Params {
		r.Launch.Params[i].Of = formulas[r.Launch.Params[i].Name]
	}
	if r.Launch.Args = p.Args(); formulas != nil && r.Launch.Args == nil {
		return r, nil
	}
	f, err := p.PredictKernel(k)
	if err != nil {
		return nil, err
	}
	r.Predicted, r.text = &f, r.text+f.String()
	return r, nil
}

// draw draws how a tile moves.
func (r *copyPlan) draw(format string) ([]byte, *report.Error) {
	if r.Predicted == nil {
		return nil, refusal(cute.CodeUnknown, fmt.Sprintf("copy: how a tile of %s moves depends on its run-time integers",
			r.Plan.Open), "give them values, as in --set M=4096,N=512")
	}
	encode, info := DrawRequest{Width: WideText}.encoder(format)
	if info != nil {
		return nil, info
	}
	s, err := r.steps()
	if err != nil {
		return nil, report.Of(err)
	}
	o := view.Options{}
	if format == "txt" {
		o.Columns = pageColumns
	}
	scene, err := s.Draw(o)
	if err != nil {
		return nil, report.Of(err)
	}
	data, err := encode(scene)
	if err != nil {
		return nil, &report.Error{Code: string(cute.CodeLimit), Message: err.Error()}
	}
	return data, nil
}

// steps asks the kernel what each thread of the first block accesses.
func (r *copyPlan) steps() (view.Steps, error) {
	block := [3]int64{}
	as, _, err := r.kernel.PlanBlocks(r.plan.Args(), [][3]int64{block})
	if err != nil {
		return view.Steps{}, err
	}
	requests, err := r.kernel.Requests(r.plan.Args(), block)
	if err != nil {
		return view.Steps{}, err
	}
	d := r.Plan
	about := fmt.Sprintf("Block 0 of %d: %d threads move a tile %v", d.Blocks, d.Threads, cute.Ints(d.Tile...))
	if d.Shared > 0 {
		about += fmt.Sprintf(" through %d bytes of shared memory", d.Shared)
	}
	if d.Swizzle != "" {
		about += " behind " + d.Swizzle
	}
	title := fmt.Sprintf("%s <- %s, elements of %s", d.Dst, d.Src, plural(int(d.Bytes), "byte"))
	s := view.Steps{Title: title, Notes: []string{about + "."}}
	names := []string{"ld src", "st tile", "ld tile", "st dst"}
	titles := []string{"global -> registers", "registers -> shared", "shared -> registers", "registers -> global"}
	steps, costs := make([]view.Step, len(names)), make([]kernel.Cost, len(names))
	of := func(a kernel.Access) int { return slices.Index(names, a.Op[:2]+" "+a.Tensor) }
	for _, a := range as {
		costs[of(a)].Add(a.Cost)
	}
	type turn struct {
		step int
		warp int64
	}
	turns := map[turn]int64{}
	for _, q := range requests {
		a := as[q.Access]
		t := turn{of(a), q.Warp}
		for l, at := range q.At {
			if q.Active(l) {
				steps[t.step].Moves = append(steps[t.step].Moves, view.Move{
					Thread: q.Warp*kernel.WarpSize + int64(l), Turn: turns[t], At: at, Bytes: int64(a.Lane),
				})
			}
		}
		turns[t]++
	}
	for i, x := range steps {
		if len(x.Moves) == 0 {
			continue
		}
		x.Bytes, x.Shared, x.Title = r.Plan.Bytes, i == 1 || i == 2, fmt.Sprintf("%d. %s", len(s.Steps)+1, titles[i])
		x.Note = fmt.Sprintf("%d sectors of 32 bytes, %d at least", costs[i].Sectors, costs[i].Fewest)
		if x.Shared {
			x.Note = fmt.Sprintf("%d wavefronts, %d at least", costs[i].Wavefronts, costs[i].Ideal)
		}
		s.Steps = append(s.Steps, x)
	}
	return s, nil
}
