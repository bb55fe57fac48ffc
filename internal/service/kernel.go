//go:build !js || kernels

package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	recipes "girih/examples"
	"girih/internal/lang/report"
	"girih/kernel"
)

// absentHint is the hint of the error about an operation that there is not: every operation is here.
func absentHint(string) string { return "" }

// kernelOperation is the row of the kernels in Go.
func kernelOperation() Operation {
	return Operation{
		Name: "kernel", Programs: true,
		Doc:   "Write a kernel as PTX, CUDA C++, Python for PyTorch or JSON, and say why it is as it is",
		Words: map[string][]Word{"kernel": recipeWords(), "as": kernelForms},
		Tool: &ToolDoc{
			Title:   "Write a kernel as PTX or CUDA C++",
			Brief:   "writes a working kernel as PTX, .cu, a PyTorch operator or JSON - gemms, transposes, softmax, norms, reductions, gathers - and explains it.",
			Smaller: "explain, or as json",
			Sets:    true,
			Doc: "A kernel for a tile, types, stages and what divides the extents: PTX with the layouts in comments, a .cu file, " +
				"a Python file for PyTorch, or JSON. explain: layouts, atoms, swizzles and why, what it moves; with set in a whole " +
				"launch. Without kernel: a list. " +
				"Example: kernel sgemm_sm80, tile [128,128,64], sum f16, explain true, set [\"m=512\",\"n=512\",\"k=64\"].",
		},
		Command: &Command{
			Use:  "kernel [NAME] [--as ptx|cu|main|cute|dsl|torch|json] [--explain]",
			Args: []string{"kernel"}, Spare: 1, Wrong: "kernel takes one name, found %d: girih kernel lists them",
			Flags: []Flag{
				{Field: "as", Usage: "`FORM` of the kernel: ptx, cu, main, cute, dsl, torch or json; ptx if missing"},
				{Field: "explain", Usage: "say which layouts, atoms and swizzles it has and why, and what it moves"},
				{Field: "tile", Usage: "the `EXTENTS` that a block computes, such as 128,128,64"},
				{Field: "type", Usage: "the `TYPE` of the elements that are read, such as f16"},
				{Field: "sum", Usage: "the `TYPE` of sums of products, f32 or f16"},
				{Field: "div", Usage: "what divides every extent, a `NUMBER`: it widens copies and drops conditions; 0 as usual"},
				{Field: "stages", Usage: "the `NUMBER` of stages of the pipeline; 0 as usual"},
			},
			Width: 80,
			Long:  kernelHelp,
			Example: `  girih kernel
  girih kernel sgemm_sm80 --explain --set m=4096,n=4096,k=4096
  girih kernel sgemm_sm80 --sum f16 --tile 128,128,64 --stages 3 --as cu
  girih kernel wgmma_tma_sm90 --as torch
  girih kernel transpose --type f16 --div 8 --as ptx`,
		},
		do: method[KernelRequest, KernelResponse]{
			do: (*Session).Kernel,
			said: func(_ KernelRequest, r KernelResponse, _ Door) Answer {
				return Answer{OK: r.OK, Text: func() string { return r.Source }, Error: r.Error, Whole: true}
			},
		}.caller(),
	}
}

// kernelHelp is the help of the command.
const kernelHelp = `Write a kernel that is written in Go with CuTe's words (package examples) and
traced to PTX; without a name, list them with their options.

  --as ptx    PTX, with the layouts that its instructions came from in comments
  --as cu     a file for nvcc or a PyTorch extension: the kernel with the PTX in it, and
              a function that launches it
  --as main   the same with a main that runs it, for extents that are its arguments, and
              compares with the CPU (nvcc -arch=sm_80 a.cu)
  --as cute   CuTe C++, for kernels of tensors, copies, products and barriers only: the
              same tiles and partitions for nvcc and CUTLASS's headers, with a main
  --as dsl    the same as Python for the CuTe DSL, which was not run
  --as torch  a Python file that needs PyTorch and the card's driver only: it registers
              torch.ops.girih.NAME, for torch.compile and CUDA graphs too
  --as json   parameters, launch, tensor maps, layouts, atoms, what each access moves

--explain alone says in words what is in the JSON: which layout, atom and swizzle each
access has and why, sectors of global memory and wavefronts of shared memory that it
takes, with what would help where that is more than necessary, and the rules by which
its addresses became few instructions. With --as it comes first, as comments. It counts
one block and one iteration; --set gives the integers of a launch values, and then each
access has its cost in the whole launch, too.`

// kernelForms are what a kernel may be written as.
var kernelForms = []Word{
	{"ptx", "PTX, with layouts in comments"},
	{"cu", "CUDA C++ for nvcc"},
	{"main", "the same with a main that checks it"},
	{"cute", "CuTe C++"},
	{"dsl", "CuTe DSL"},
	{"torch", "a Python file for PyTorch"},
	{"json", "a description"},
}

func recipeWords() []Word {
	var words []Word
	for _, x := range recipes.All() {
		words = append(words, Word{Name: x.Name, Title: x.Doc})
		for _, a := range x.Aliases {
			words = append(words, Word{Name: a, Title: x.Doc})
		}
	}
	return words
}

// A KernelRequest asks for one of the kernels in package examples.
type KernelRequest struct {
	Kernel  string  `json:"kernel,omitempty" jsonschema:"the name of the kernel; without it all are listed" brief:"lists all if empty"`
	As      string  `json:"as,omitempty" jsonschema:"ptx, cu, main, cute, dsl, torch or json; ptx if empty" brief:"-"`
	Explain bool    `json:"explain,omitempty" jsonschema:"say in words which layouts, atoms and swizzles, and why" brief:"-"`
	Tile    []int64 `json:"tile,omitempty" jsonschema:"what a block computes: extents in the order of the problem's" brief:"extents of a block"`
	Type    string  `json:"type,omitempty" jsonschema:"of the elements that are read" brief:"-"`
	Sum     string  `json:"sum,omitempty" jsonschema:"of sums of products: f32 or f16" brief:"type of sums: f32, f16"`
	Div     int64   `json:"div,omitempty" jsonschema:"what divides every extent of the problem" brief:"divides every extent"`
	Stages  int64   `json:"stages,omitempty" jsonschema:"of the pipeline through shared memory" brief:"-"`
}

// A KernelResponse is a kernel, or the list of all.
type KernelResponse struct {
	OK      bool           `json:"ok"`
	Source  string         `json:"source,omitempty"`  // the requested source code, as text
	Kernels []KernelRecipe `json:"kernels,omitempty"` // all recipes, if the request names no kernel
	About   *KernelRecipe  `json:"about,omitempty"`   // the recipe of the requested kernel with the options it has
	Launch  *KernelLaunch  `json:"launch,omitempty"`
	Report  *kernel.Report `json:"report,omitempty"`
	Error   *report.Error  `json:"error,omitempty"` // why there is no kernel
}

// A KernelRecipe is a kernel that can be written, with its options and their values.
type KernelRecipe struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	Doc     string   `json:"doc"`
	CuTe    string   `json:"cute,omitempty"` // the original in CUTLASS
	Call    string   `json:"call"`           // the result as a formula in the parameters
	Output  string   `json:"output"`
	Tile    []int64  `json:"tile,omitempty"`
	Type    string   `json:"type"`
	Types   []string `json:"types"` // the words that Type may be
	Sum     string   `json:"sum,omitempty"`
	Div     int64    `json:"div,omitempty"`
	Stages  int64    `json:"stages,omitempty"`
}

// A KernelLaunch is what a launch has to give.
type KernelLaunch struct {
	Entry   string        `json:"entry"`
	Target  string        `json:"target"`            // sm_90a
	Grid    []string      `json:"grid"`              // blocks along x, y and z, as formulas in the parameters
	Block   int64         `json:"block"`             // threads
	Cluster []int64       `json:"cluster,omitempty"` // blocks
	Dynamic int64         `json:"dynamic,omitempty"` // the bytes of shared memory that the launch provides
	Params  []KernelParam `json:"params"`            // in the order of the launch
	Order   []string      `json:"order,omitempty"`   // in the order in which the kernel names them, if that is another
	// Args are the numeric arguments, if the request gives values for run-time integers.
	Args map[string]int64 `json:"args,omitempty"`
}

// A KernelParam is a parameter: a number, the address of a tensor, or a tensor map.
type KernelParam struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // pointer, map, int or scalar
	Type string `json:"type"` // the type of the elements, or of the number
	Min  int64  `json:"min,omitempty"`
	Max  int64  `json:"max,omitempty"`
	Div  int64  `json:"div,omitempty"` // a number that divides the argument
	Of   string `json:"of,omitempty"`  // the argument as a formula in the layouts' run-time integers

	// Of a tensor.
	Extents []string   `json:"extents,omitempty"` // formulas of the integers, in elements
	Strides []string   `json:"strides,omitempty"`
	Layout  string     `json:"layout,omitempty"` // if it is known
	Access  string     `json:"access,omitempty"` // r, w or rw
	Map     *KernelMap `json:"map,omitempty"`    // the tensor map that is passed by value
}

// A KernelMap is the arguments of cuTensorMapEncodeTiled. Dimension 0 is first.
type KernelMap struct {
	Type      string   `json:"type"` // CU_TENSOR_MAP_DATA_TYPE_FLOAT16
	Dims      []string `json:"dims"`
	Strides   []string `json:"strides"` // of the dimensions 1, 2, ..., in bytes
	Box       []int64  `json:"box"`
	Swizzle   string   `json:"swizzle"`
	Promotion string   `json:"promotion"`
	Fill      string   `json:"fill"`
}

// Kernel writes a kernel.
func (s *Session) Kernel(q KernelRequest) KernelResponse {
	if q.Kernel == "" {
		return kernelList(q)
	}
	x, o, info := q.recipe()
	if info != nil {
		return KernelResponse{Error: info}
	}
	k, err := x.Trace(o)
	if err != nil {
		return KernelResponse{Error: kernelError(err)}
	}
	about, launch := recipeOf(x, o), launchOf(k)
	report, info := s.kernelReport(k, launch)
	if info != nil {
		return KernelResponse{Error: info}
	}
	r := KernelResponse{OK: true, About: &about, Launch: launch, Report: report}
	if q.As == "json" {
		r.Source = asJSON(r)
		return r
	}
	r.Source, err = q.source(x, k, o)
	if err != nil {
		return KernelResponse{Error: kernelError(err)}
	}
	if q.Explain {
		text := about.String() + report.String()
		if r.Source == "" {
			text = wrapLong(text, WideText)
		} else {
			sign := map[bool]string{false: "// ", true: "# "}[q.As == "torch" || q.As == "dsl"]
			text = sign + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+sign) + "\n\n"
		}
		r.Source = text + r.Source
	}
	return r
}

// source returns the kernel as text; "" if only its explanation is asked for.
func (q KernelRequest) source(x recipes.Recipe, k *kernel.Kernel, o recipes.Options) (string, error) {
	switch q.As {
	case "cu":
		return x.CUDA(k)
	case "main":
		return x.Program(k)
	case "cute":
		return x.CuTeProgram(k)
	case "dsl":
		return k.DSL(x.Doc, x.Call)
	case "torch":
		return k.Torch(x.Doc, x.Call, q.origin(o))
	}
	if q.As == "" && q.Explain {
		return "", nil
	}
	return k.Listing(x.Doc, x.Call), nil
}

// kernelReport returns the report of a kernel, for the launch with the integers of the session if it has values. They
// become the arguments of the launch.
func (s *Session) kernelReport(k *kernel.Kernel, l *KernelLaunch) (*kernel.Report, *report.Error) {
	values := s.values
	if len(values) == 0 {
		r := k.Report()
		return &r, nil
	}
	var ints []string
	for _, p := range l.Params {
		if p.Kind == "int" {
			ints = append(ints, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(ints, name) {
			return nil, refusal(cute.CodeName, fmt.Sprintf("expected values of %s, the integers of %s, found one of %.40q",
				strings.Join(ints, ", "), k.Name, name), "give them values, as in "+strings.Join(ints, "=4096,")+"=4096")
		}
	}
	r, err := k.ReportFor(values)
	if err != nil {
		return nil, report.Of(err)
	}
	l.Args = values
	return &r, nil
}

// origin returns the request that a file answers.
func (q KernelRequest) origin(o recipes.Options) string {
	text := strings.ReplaceAll("Made by girih: kernel "+q.Kernel+" "+o.String(), "--", ", ")
	return strings.ReplaceAll(strings.TrimSpace(text), " ,", ",")
}

// asJSON returns a value as readable JSON, without escaping the < in formulas.
func asJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // numbers and strings always encode
	return b.String()
}

// recipe returns the kernel and the options of a request.
func (q KernelRequest) recipe() (x recipes.Recipe, o recipes.Options, info *report.Error) {
	x, err := recipes.Find(q.Kernel)
	if err != nil {
		return x, o, report.Of(err)
	}
	if q.As != "" && !slices.ContainsFunc(kernelForms, func(w Word) bool { return w.Name == q.As }) {
		return x, o, usage("expected one of %s, found as %.40q", NamesOf(kernelForms), q.As)
	}
	o = recipes.Options{Tile: q.Tile, Div: q.Div, Stages: q.Stages}
	for _, f := range []struct {
		text string
		to   *dtype.Type
	}{{q.Type, &o.Type}, {q.Sum, &o.Sum}} {
		if f.text == "" {
			continue
		}
		if *f.to, err = dtype.Parse(f.text); err != nil {
			return x, o, report.Of(err)
		}
	}
	return x, o, nil
}

// kernelError describes what is wrong with options, with the line of the kernel that found the error.
func kernelError(err error) *report.Error {
	info := report.Of(err)
	if e, ok := errors.AsType[*kernel.Error](err); ok {
		info.Message = fmt.Sprintf("%s:%d: %s", e.File, e.Line, info.Message)
	}
	return info
}

// kernelList lists the kernels. Options are refused, because they belong to one kernel.
func kernelList(q KernelRequest) KernelResponse {
	if q.As != "" && q.As != "json" || q.Explain || q.Tile != nil || q.Type+q.Sum != "" || q.Div != 0 || q.Stages != 0 {
		return KernelResponse{Error: usage("expected the name of a kernel, one of %s", NamesOf(recipeWords()))}
	}
	r := KernelResponse{OK: true}
	var b strings.Builder
	for _, x := range recipes.All() {
		k := recipeOf(x, x.Default)
		r.Kernels = append(r.Kernels, k)
		b.WriteString(k.String() + "\n")
	}
	r.Source = strings.TrimSuffix(b.String(), "\n")
	if q.As == "json" {
		r.Source = asJSON(r.Kernels)
	}
	return r
}

// recipeOf describes a kernel with options; a zero option means the default.
func recipeOf(x recipes.Recipe, o recipes.Options) KernelRecipe {
	d := x.Default
	r := KernelRecipe{
		Name: x.Name, Aliases: x.Aliases, Doc: x.Doc, CuTe: x.CuTe, Call: x.Call, Output: x.Output, Tile: d.Tile,
		Type: d.Type.String(), Div: d.Div, Stages: d.Stages,
	}
	if o.Tile != nil {
		r.Tile = o.Tile
	}
	if o.Type != 0 {
		r.Type = o.Type.String()
	}
	if o.Sum != 0 || d.Sum != 0 {
		r.Sum = max(o.Sum, d.Sum).String()
		if o.Sum != 0 {
			r.Sum = o.Sum.String()
		}
	}
	if o.Div != 0 {
		r.Div = o.Div
	}
	if o.Stages != 0 {
		r.Stages = o.Stages
	}
	for _, t := range x.Types {
		r.Types = append(r.Types, t.String())
	}
	return r
}

// String returns the kernel as lines of text.
func (r KernelRecipe) String() string {
	var b strings.Builder
	b.WriteString(strings.Join(append([]string{r.Name}, r.Aliases...), ", ") + "\n")
	b.WriteString(Wrap(r.Doc, 80, "  ", "  "))
	b.WriteString(Wrap(r.Call, 80, "  ", "  "))
	if r.CuTe != "" {
		b.WriteString("  CuTe: " + r.CuTe + "\n")
	}
	options := fmt.Sprintf("type %s of %s", r.Type, strings.Join(r.Types, ", "))
	if r.Tile != nil {
		options += "; tile " + strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Tile), " ", ","), "[]")
	}
	if r.Sum != "" {
		options += "; sum " + r.Sum
	}
	if r.Div != 0 {
		options += fmt.Sprintf("; div %d", r.Div)
	}
	if r.Stages != 0 {
		options += fmt.Sprintf("; stages %d", r.Stages)
	}
	b.WriteString("  " + options + "\n")
	return b.String()
}

// launchOf describes the launch of a kernel.
func launchOf(k *kernel.Kernel) *KernelLaunch {
	l := &KernelLaunch{
		Entry: k.Name, Target: k.Module.Target[0], Grid: k.GridText(), Block: k.Threads, Dynamic: k.Dynamic,
	}
	if k.Cluster != [3]int64{} {
		l.Cluster = k.Cluster[:]
	}
	args := map[string]kernel.Argument{}
	for _, a := range k.Signature() {
		args[a.Name] = a
		l.Order = append(l.Order, a.Name)
	}
	for _, p := range k.Params {
		l.Params = append(l.Params, paramOf(args[p.Name]))
	}
	if slices.EqualFunc(k.Params, l.Order, func(p kernel.Param, name string) bool { return p.Name == name }) {
		l.Order = nil
	}
	return l
}

// paramOf describes a parameter.
func paramOf(a kernel.Argument) KernelParam {
	f := a.Facts
	q := KernelParam{
		Name: a.Name, Kind: "scalar", Type: a.Type.String(), Min: f.Min, Max: f.Max, Div: f.Div,
		Extents: a.Extents, Strides: a.Strides, Layout: a.Layout,
	}
	switch {
	case a.Map:
		q.Kind = "map"
	case a.Pointer:
		q.Kind = "pointer"
	case f.Max != 0:
		q.Kind = "int"
	}
	if a.Pointer {
		q.Access = map[[2]bool]string{{true, false}: "r", {false, true}: "w", {true, true}: "rw"}[[2]bool{a.Reads, a.Writes}]
	}
	if m := a.Tiles; m != nil {
		q.Map = &KernelMap{
			Type: m.Type.String(), Dims: a.Dims, Strides: a.Pitches, Box: m.Box, Swizzle: m.Swizzle.String(),
			Promotion: m.Promotion.String(), Fill: m.Fill.String(),
		}
	}
	return q
}
