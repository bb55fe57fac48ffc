package service

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/lang/codegen/device"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// descriptorOperation is the row for what wgmma and tcgen05.mma demand of shared memory.
func descriptorOperation() Operation {
	return Operation{
		Name: "descriptor", Doc: "Say whether wgmma or tcgen05 can read a shared layout, with its descriptors", Programs: true,
		Words: map[string][]Word{"operand": wordsOf("A", "B"), "major": wordsOf("K", "MN")},
		Tool: &ToolDoc{
			Title:   "Matrix and instruction descriptors",
			Brief:   "whether wgmma or tcgen05.mma reads a shared layout, its 64-bit descriptors (LBO, SBO) or the nearest legal layout; or decodes a descriptor (decode, idesc), or selects an atom as CUTLASS does (select).",
			Smaller: "a tile of fewer stages",
			Doc: "Whether wgmma or tcgen05.mma can read operand A or B out of a shared layout: K-major or MN-major, swizzle, the 64-bit " +
				"descriptor with start, LBO and SBO of each K step and stage; or the first core matrix out of place and the nearest legal " +
				"layout. Also decodes descriptors (decode, idesc) and says which atom a CUTLASS builder selects (select). " +
				`Example: expr tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (128,64)), type f16, instr wgmma, operand A.`,
		},
		Command: &Command{
			Use:   "descriptor EXPR --type TYPE --instr INSTRUCTION --operand A|B | --decode VALUE | --idesc VALUE | --select MN,K",
			Meant: []string{"wgmma", "gmma", "umma", "tcgen05", "lbo", "sbo", "idesc"},
			Args:  []string{"expr"},
			Flags: []Flag{
				{Field: "type", Usage: "the `TYPE` of an element, such as f16; an instruction whose name says it needs none"},
				{Field: "instr", Default: "wgmma", Usage: "the `INSTRUCTION`: wgmma, tcgen05, or one by its name in CuTe or PTX"},
				{Field: "operand", Default: "A", Usage: "the `OPERAND`, A or B"},
				{Field: "major", Usage: "the `MAJOR` of --decode and --select, K or MN"},
				{Field: "address", Usage: "the `BYTE` of shared memory where the tile begins; 0 is any multiple of 1024"},
				{Field: "decode", Usage: "a matrix descriptor: a `VALUE` such as 0x4000004000010000, start=0,lbo=16,sbo=1024,base=0,swizzle=128, or leading_byte_offset_ = 1, stride_byte_offset_ = 64, layout_type_ = 1"},
				{Field: "shape", Usage: "how much of the matrix --decode shows: `ROWS,K`; what one instruction reads if missing"},
				{Field: "idesc", Usage: "an instruction descriptor of tcgen05: a `VALUE`, fields such as m=128,n=256,a=f16,b=f16,d=f32, or a name in CuTe"},
				{Field: "kind", Usage: "the `KIND` of --idesc: f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4 or mxf4nvf4"},
				{Field: "select", Usage: "a tile `MN,K` in elements: which atom CUTLASS's builders select for it, and why"},
			},
			Width:   80,
			Long:    descriptorHelp,
			Example: descriptorExample,
		},
		Form: descriptorForm(),
		do: method[DescriptorRequest, DescriptorResponse]{
			do: (*Session).Descriptor,
			said: func(_ DescriptorRequest, r DescriptorResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
				if r.Error != nil && r.Verdict != "" { // the answer is no, and the text gives the reason
					a.OK, a.Failed, a.Shown = true, true, TextAlone
				}
				return a
			},
		}.caller(),
	}
}

// descriptorExample are the commands that the help shows.
const descriptorExample = `  girih descriptor 'tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (128,64))' --type f16 --instr wgmma --operand A
  girih descriptor 'Sw<1,3,3> o 0 o ((8,8),(16,4)):((16,128),(1,1024))' --instr SM90_64x64x16_F32F16F16_SS --operand B
  girih descriptor 'Sw<3,3,3> o 0 o (24,64):(64,1)' --instr wgmma.mma_async.sync.aligned.m64n24k16.f32.bf16.bf16 --operand B
  girih descriptor 'tile_to_shape(UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>{}, (128,32))' --type tf32 --instr tcgen05 --operand A
  girih descriptor --decode 0x4000004000010000 --instr wgmma --type f16
  girih descriptor --decode start=0,lbo=2048,sbo=128,swizzle=none --type bf16 --shape 64,64
  girih descriptor --idesc SM100_MMA_F16BF16_SS_128x256
  girih descriptor --idesc 0x8400010 --kind f16
  girih descriptor --idesc m=256,n=192,a=e4m3,b=e5m2,d=f32 --kind f8f6f4
  girih descriptor --select 128,64 --type f16 --major K`

// descriptorForm is the form of the page.
func descriptorForm() *Form {
	return &Form{
		Repair: repairDescriptor,
		Examples: []any{
			DescriptorRequest{
				Expr: "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (64,128))", Type: "f16", Instr: "wgmma", Operand: "A",
			},
			DescriptorRequest{Expr: "(64,64):(72,1)", Type: "f16", Instr: "wgmma", Operand: "B"},
			DescriptorRequest{
				Expr: "tile_to_shape(UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>{}, (128,32))", Type: "tf32", Instr: "tcgen05",
				Operand: "A",
			},
			DescriptorRequest{Decode: "0x4000004000010000", Type: "f16", Instr: "wgmma"},
			DescriptorRequest{Select: "128,64", Type: "f16", Major: "K"},
			DescriptorRequest{Idesc: "m=256,n=192,a=e4m3,b=e5m2,d=f32", Kind: "f8f6f4"},
		},
		Picture: func(request any) *DrawRequest {
			q := request.(*DescriptorRequest)
			if q.Expr == "" {
				return nil
			}
			return &DrawRequest{Expr: q.Expr, Instr: cmp.Or(q.Instr, "wgmma"), Type: q.Type, Operand: q.Operand}
		},
	}
}

// descriptorHelp is the prose of girih descriptor --help.
const descriptorHelp = `Say whether an instruction of the tensor cores can read a layout of shared memory,
and write its matrix descriptors: start address, leading (LBO) and stride byte offset
(SBO), base offset and swizzle mode, for each step along K, each block along M or N
and each stage. If it cannot, say which core matrix (8 rows of 16 bytes) is the first
that is out of place, and which legal layout is the nearest. The exit status is 1 if
it cannot.

EXPR is a layout whose offsets are in elements, swizzled or not: (M,K) or (N,K), with
a third mode for stages, or ((m,k),M,K,stages) as CuTe partitions it for UMMA.
INSTRUCTION is wgmma or tcgen05 for any of them, or one by its name.

With --decode, the layout that the hardware reads through a descriptor; a descriptor
does not say its major, --major does. With --idesc, the fields of
the instruction descriptor of tcgen05.mma, or its value. With --select, the atom that
ss_smem_selector and sm100_smem_selector of CUTLASS take.`

// A DescriptorRequest asks what an instruction reads of shared memory.
type DescriptorRequest struct {
	Expr    string `json:"expr,omitempty" jsonschema:"the shared layout, offsets in elements" brief:"-"`
	Type    string `json:"type,omitempty" jsonschema:"of the elements: f16, bf16, tf32, e4m3, s8" brief:"-"`
	Instr   string `json:"instr,omitempty" jsonschema:"wgmma, tcgen05, or an instruction by its name in CuTe or PTX; wgmma if empty" brief:"wgmma, tcgen05 or an instruction"`
	Operand string `json:"operand,omitempty" jsonschema:"A if empty" brief:"-"`
	Major   string `json:"major,omitempty" jsonschema:"of decode and select; K if empty" brief:"of decode and select"`
	Address int64  `json:"address,omitempty" tool:"begins" jsonschema:"where the tile begins in shared memory, in bytes; 0 is any multiple of 1024" brief:"byte of shared memory"`
	Decode  string `json:"decode,omitempty" jsonschema:"a matrix descriptor, 0x4000004000010000, or its fields, start=0,lbo=16,sbo=1024,swizzle=128" brief:"0x4000004000010000, or start=0,lbo=16,sbo=1024,swizzle=128"`
	Shape   string `json:"shape,omitempty" tool:"shape,integers" jsonschema:"rows and K of the matrix that decode shows" brief:"rows and K for decode"`
	Idesc   string `json:"idesc,omitempty" jsonschema:"an instruction descriptor of tcgen05: a number, fields as m=128,n=256,a=f16,b=f16,d=f32, or a name in CuTe" brief:"of tcgen05: a number, a CuTe name, or m=128,n=256,a=f16,d=f32"`
	Kind    string `json:"kind,omitempty" jsonschema:"of idesc: f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4 or mxf4nvf4" brief:"of idesc: f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4"`
	Select  string `json:"select,omitempty" tool:"select,integers" jsonschema:"a tile MN,K: which atom CUTLASS's builders select" brief:"a tile MN,K"`
}

// A DescriptorResponse is the answer.
type DescriptorResponse struct {
	OK      bool   `json:"ok"`                // the layout is legal, or the question has an answer
	Kind    string `json:"kind,omitempty"`    // layout, matrix, instruction or selection
	Verdict string `json:"verdict,omitempty"` // the answer in one line
	Value   string `json:"value,omitempty"`   // the layout of the question, of a descriptor, or of the selection

	Instr   string  `json:"instr,omitempty"`   // the instruction
	Operand string  `json:"operand,omitempty"` // A or B
	Type    string  `json:"type,omitempty"`    // the type of the elements
	Major   string  `json:"major,omitempty"`   // K or MN
	Pattern string  `json:"pattern,omitempty"` // INTER, SW32, SW64, SW128 or SW128_32B
	Atom    string  `json:"atom,omitempty"`    // CuTe's name of the atom
	Align   int64   `json:"align,omitempty"`   // the alignment of the tile in bytes
	Address int64   `json:"address,omitempty"` // the first address of the tile, if the question names one
	Tile    []int64 `json:"tile,omitempty"`    // the extents of rows, K and stages
	Reads   []int64 `json:"reads,omitempty"`   // the rows and the extent of K that one instruction reads

	Descriptor string              `json:"descriptor,omitempty"` // the descriptor of the tile if the tile is at address 0
	Fields     []DescriptorField   `json:"fields,omitempty"`     // the fields of this descriptor
	Advances   []DescriptorAdvance `json:"advances,omitempty"`   // the differences between successive descriptors
	All        []string            `json:"all,omitempty"`        // all descriptors, if advances do not describe them

	Misfit  *DescriptorMisfit `json:"misfit,omitempty"`  // why the layout is not legal
	Nearest *DescriptorNear   `json:"nearest,omitempty"` // the nearest legal layout
	Reason  string            `json:"reason,omitempty"`  // the reason for a selection
	Code    []device.Code     `json:"code,omitempty"`    // the code that makes the layout and the descriptors

	Notes []string      `json:"notes,omitempty"` // what a reader of the answer should know
	Error *report.Error `json:"error,omitempty"` // why there is no answer

	Fault `json:"-"`
}

// A DescriptorField is a field of a descriptor.
type DescriptorField struct {
	Name    string `json:"name"`    // the name of the field
	Bits    string `json:"bits"`    // the bits of the field: 0-13
	Encoded uint64 `json:"encoded"` // the number in the field
	Means   string `json:"means"`   // the meaning of that number in words
}

// A DescriptorAdvance is the way from one descriptor to the next.
type DescriptorAdvance struct {
	Along    string  `json:"along"`           // what the descriptors differ in: step, block or stage
	Count    int64   `json:"count"`           // how many of these there are
	Constant bool    `json:"constant"`        // all successive descriptors are equally far apart
	Bytes    int64   `json:"bytes,omitempty"` // that distance in bytes
	Units    int64   `json:"units,omitempty"` // that distance in units of 16 bytes, as descriptors count
	Starts   []int64 `json:"starts"`          // the first byte of each, counted from the first one's
}

// A DescriptorMisfit is the first core matrix that is out of place.
type DescriptorMisfit struct {
	Core    []int64 `json:"core"`              // the index of the core matrix along M or N, and along K
	Stage   int64   `json:"stage"`             // the stage of the core matrix
	Element []int64 `json:"element"`           // the row and K of the first element out of place
	Want    int64   `json:"want"`              // the byte where this element should be
	At      int64   `json:"at"`                // the byte where this element is
	Pattern string  `json:"pattern,omitempty"` // the pattern under which the most pieces are in place
	Major   string  `json:"major"`             // the major that goes with the pattern
	Found   int     `json:"found"`             // how many 16-byte pieces of the instruction are in place
	Of      int     `json:"of"`                // how many such pieces the instruction reads
}

// A DescriptorNear is the nearest legal layout.
type DescriptorNear struct {
	Layout string `json:"layout"`         // the layout, with offsets in elements
	Expr   string `json:"expr,omitempty"` // the layout as tile_to_shape of an atom, if it is one
	Atom   string `json:"atom"`           // CuTe's name of the atom
	Why    string `json:"why"`            // why this layout is the nearest
}

// Descriptor answers a question about descriptors.
func (s *Session) Descriptor(req DescriptorRequest) DescriptorResponse {
	asked := 0
	for _, x := range []string{req.Expr, req.Decode, req.Idesc, req.Select} {
		if x != "" {
			asked++
		}
	}
	if asked != 1 {
		return DescriptorResponse{
			Error: usage("expected one of a layout, decode, idesc and select, found %d", asked), Fault: Fault{Usage: true},
		}
	}
	var r DescriptorResponse
	var err error
	switch {
	case req.Select != "":
		r, err = selectDescriptor(req)
	case req.Idesc != "":
		r, err = instructionDescriptor(req)
	case req.Decode != "":
		r, err = decodeDescriptor(req)
	default:
		return s.fitDescriptor(req)
	}
	if err != nil {
		r.OK, r.Error = false, report.Of(err)
	}
	return r
}

// operandOf finds the operand of the request.
func (req DescriptorRequest) operandOf() (descriptor.Operand, error) {
	o, ok := map[string]atom.Operand{"": atom.OperandA, "A": atom.OperandA, "B": atom.OperandB}[strings.ToUpper(req.Operand)]
	if !ok {
		return descriptor.Operand{}, descriptorError(cute.CodeName, "expected the operand A or B, found %.40q", req.Operand)
	}
	var t dtype.Type
	if req.Type != "" {
		var err error
		if t, err = typeNamed(req.Type); err != nil {
			return descriptor.Operand{}, err
		}
	}
	x, err := descriptor.FindOperand(cmp.Or(req.Instr, "wgmma"), t, o)
	if e, ok := errors.AsType[*cute.Error](err); ok && req.Type == "" && strings.HasPrefix(e.Msg, "expected the type") {
		return x, &cute.Error{Code: cute.CodeSyntax, Op: e.Op, Msg: "expected the type of an element, found none", Hint: "for example the type f16"}
	}
	return x, err
}

func descriptorError(code cute.Code, format string, args ...any) error {
	return &cute.Error{Code: code, Op: "descriptor", Msg: fmt.Sprintf(format, args...)}
}

// typeNamed reads the name of a type.
func typeNamed(name string) (dtype.Type, error) {
	t, info := elementType(name)
	if info != nil {
		return t, &cute.Error{Code: cute.Code(info.Code), Op: "descriptor", Msg: info.Message, Hint: info.Hint}
	}
	return t, nil
}

// majorNamed reads a major, K if there is none.
func majorNamed(name string) (atom.Major, error) {
	switch strings.ToUpper(name[strings.LastIndexByte(name, ':')+1:]) {
	case "", "K":
		return atom.KMajor, nil
	case "MN", "M", "N":
		return atom.MNMajor, nil
	}
	return 0, descriptorError(cute.CodeName, "expected a major, K or MN, found %.40q", name)
}

// pairNamed reads two positive numbers.
func pairNamed(what, text string) (pair [2]int64, err error) {
	parts := strings.FieldsFunc(strings.Trim(text, "()[]"), func(r rune) bool { return r == ',' || r == 'x' || r == ' ' })
	if len(parts) != 2 {
		return pair, descriptorError(cute.CodeSyntax, "expected %s as two numbers such as 128,64, found %.60q", what, text)
	}
	for i, p := range parts {
		if pair[i], err = strconv.ParseInt(p, 10, 64); err != nil || pair[i] <= 0 {
			return pair, descriptorError(cute.CodeSyntax, "expected %s as two positive numbers, found %.60q", what, text)
		}
	}
	return pair, nil
}

// fitDescriptor says whether a layout is legal.
func (s *Session) fitDescriptor(req DescriptorRequest) DescriptorResponse {
	expr, read := readPointer(req.Expr)
	last, notes, info := s.lastTyped(expr)
	if info == nil && last.Value != nil {
		if err := eval.Fits("descriptor", last.Value); err != nil {
			info = report.Whole(err, expr)
		}
	}
	notes = append(read, notes...)
	if info != nil {
		return DescriptorResponse{Error: info, Notes: notes, Fault: Fault{In: req.Expr}}
	}
	var layout cute.Inner
	switch v := last.Value.(type) {
	case eval.Layout:
		layout = v.Layout
	case eval.Composed:
		layout = v.Composed
	case eval.DynamicLayout, eval.DynamicComposed:
		err := report.Whole(&cute.Error{
			Code: cute.CodeUnknown, Op: "descriptor",
			Msg:  fmt.Sprintf("shared memory needs integers that are known, found %s", clip(v.String())),
			Hint: "write numbers in the place of the run-time integers",
		}, req.Expr)
		return DescriptorResponse{Error: err, Notes: notes, Fault: Fault{In: req.Expr}}
	default:
		err := report.Whole(descriptorError(cute.CodeType, "expected a layout of shared memory, such as (128,64):(64,1)"),
			req.Expr)
		return DescriptorResponse{Error: err, Notes: notes, Fault: Fault{In: req.Expr}}
	}
	req.Type = cmp.Or(req.Type, engineOf(req.Expr).typ)
	o, err := req.operandOf()
	if err != nil {
		e, ok := errors.AsType[*cute.Error](err)
		return DescriptorResponse{Error: report.Of(err), Fault: Fault{Usage: ok && e.Code == cute.CodeSyntax}}
	}
	r := DescriptorResponse{
		Kind: "layout", Value: layout.String(), Instr: o.Name, Operand: o.Which.String(), Type: o.Type.String(), Notes: notes,
		Address: req.Address,
	}
	f, err := o.Fit(layout, req.Address)
	if err != nil {
		r.refuse(o, layout, err)
		return r
	}
	r.fits(f, req.Address)
	r.Code = device.Fit(f, layout)
	return r
}

// refuse says why a layout is not legal, and which legal layout is the nearest.
func (r *DescriptorResponse) refuse(o descriptor.Operand, layout cute.Inner, err error) {
	r.Error = report.Of(err)
	if m, ok := errors.AsType[*descriptor.Misfit](err); ok {
		r.Misfit = &DescriptorMisfit{
			Core: m.Core[:], Stage: m.Stage, Element: []int64{m.Row, m.K}, Want: m.Want, At: m.At, Major: m.Major.String(),
			Found: m.Found, Of: m.Of,
		}
		if m.Of > 0 {
			r.Misfit.Pattern = m.Pattern.String()
		}
		r.Verdict = fmt.Sprintf("not legal: %s cannot read %s of %s from this layout", o.Name, o.Which, o.Type)
	}
	if r.Misfit == nil {
		r.Verdict = "not legal: " + strings.TrimPrefix(r.Error.Message, "descriptor: ")
	}
	if r.Address != 0 {
		if f, err := o.Fit(layout, 0); err == nil {
			r.Verdict = fmt.Sprintf("not legal at byte %d: the layout is, the address is not", r.Address)
			r.Error.Hint = nearAddress(f.Matrices[0].Pattern, r.Address)
			return
		}
	}
	if other, ok := inBytes(layout, o.Bits); ok {
		if f, err := o.Fit(other, 0); err == nil {
			r.Notes = append(r.Notes, fmt.Sprintf("offsets are in elements here, including the swizzle; if it was meant for bytes, as CuTe and "+
				"the CuTe DSL print it, the layout is %v, which is legal: %v", other, f.Matrices[0]))
		}
	}
	n, err := o.Nearest(layout)
	if err != nil {
		return
	}
	r.Nearest = &DescriptorNear{Layout: n.Layout.String(), Expr: n.Expr(o.Format), Atom: n.Atom.Name(), Why: n.Why}
	r.Error.Hint = "the nearest legal layout is " + r.Nearest.Layout + ": " + n.Why
}

// inBytes reads a layout's swizzle as meant for bytes, and returns the layout with that swizzle in elements.
func inBytes(layout cute.Inner, bits int64) (cute.Composed, bool) {
	c, ok := layout.(cute.Composed)
	if !ok {
		return cute.Composed{}, false
	}
	other, _, ok := banks.InBytes(c, int(bits))
	return other, ok
}

// nearAddress says where a tile of a pattern may begin, and the nearest such address.
func nearAddress(p descriptor.Pattern, address int64) string {
	step := int64(128)
	if p == descriptor.INTER {
		step = 16
	}
	near := min(max(address, 0), 1<<18-step) / step * step
	if p == descriptor.INTER {
		return fmt.Sprintf("the nearest is %d: %v begins at any multiple of %d", near, p, step)
	}
	return fmt.Sprintf("the nearest is %d: %v begins at a multiple of %d, and of %d with base offset 0", near, p, step,
		p.Align())
}

// fits fills in the answer about a legal layout.
func (r *DescriptorResponse) fits(f descriptor.Fit, address int64) {
	first := f.Matrices[0]
	r.OK, r.Atom, r.Align = true, f.Atom.Name(), first.Align()
	r.matrix(first, f.Operand, [2]int64{f.Operand.Rows, f.Operand.K})
	r.Tile, r.Reads = []int64{f.Rows, f.K, f.Stages}, []int64{f.Operand.Rows, f.Operand.K}
	r.Verdict = fmt.Sprintf("legal: %v, %v-major, LBO %d, SBO %d, descriptor %s", first.Pattern, first.Major,
		first.Leading, first.Stride, r.Descriptor)
	for _, x := range []struct {
		along string
		a     descriptor.Advance
	}{{"step", f.Step}, {"block", f.Block}, {"stage", f.Stage}} {
		bytes, ok := x.a.Constant()
		r.Advances = append(r.Advances, DescriptorAdvance{
			Along: x.along, Count: x.a.Count, Constant: ok, Bytes: bytes, Units: bytes / 16, Starts: x.a.Starts,
		})
	}
	if !f.Alike || !f.Sum {
		for _, d := range f.Matrices[:min(len(f.Matrices), 256)] {
			r.All = append(r.All, fmt.Sprintf("%#016x", d.Bits()))
		}
		r.Notes = append(r.Notes, "no sum of advances of step, block and stage gives all descriptors: all lists them")
	}
	if first.Base != 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("make_gmma_desc and make_umma_desc of CuTe, and the CuTe DSL, write base offset 0: with them "+
			"the tile begins at a multiple of %d bytes", first.Align()))
	}
	if address == 0 && first.Align() > 16 {
		r.Notes = append(r.Notes, fmt.Sprintf("a tile that does not begin at a multiple of %d bytes has a base offset: give its address",
			first.Align()))
	}
}

// matrix fills in the fields of a descriptor of the operand; reads are the rows and the elements along K that are read.
func (r *DescriptorResponse) matrix(d descriptor.Matrix, o descriptor.Operand, reads [2]int64) {
	r.Pattern, r.Major, r.Descriptor = d.Pattern.String(), d.Major.String(), fmt.Sprintf("0x%016x", d.Bits())
	leading, stride := leadsTo(d)
	along, across := reads[1], reads[0] // the mode that is contiguous, and the other mode
	if d.Major == atom.MNMajor {
		along, across = across, along
	}
	nextLeading, nextStride := along*o.Bits > d.Pattern.Width()*8, across > d.Pattern.Rows()
	if d.Major == atom.MNMajor && d.Pattern == descriptor.INTER {
		nextLeading, nextStride = nextStride, nextLeading
	}
	bits := d.Bits()
	add := func(name string, from, to int, means string) {
		r.Fields = append(r.Fields, DescriptorField{
			Name: name, Bits: fmt.Sprintf("%d-%d", from, to), Encoded: bits >> from & (1<<(to-from+1) - 1), Means: means,
		})
	}
	far := func(bytes int64, what string, next bool) string {
		if bytes == 0 && !next {
			return "not read: there is no next"
		}
		return fmt.Sprintf("%d bytes %s", bytes, what)
	}
	add("start address", 0, 13, fmt.Sprintf("byte %d", d.Start))
	add("leading byte offset", 16, 29, far(d.Leading, leading, nextLeading))
	add("stride byte offset", 32, 45, far(d.Stride, stride, nextStride))
	if d.Format == descriptor.SM100 {
		add("version", 46, 48, "fixed")
	}
	base := "the pattern begins at a multiple of " + strconv.FormatInt(d.Align(), 10) + " bytes"
	if d.Base > 0 {
		base = fmt.Sprintf("the pattern begins %d bytes after a multiple of 1024", d.Base<<7)
	}
	add("base offset", 49, 51, base)
	at := 62
	if d.Format == descriptor.SM100 {
		add("leading mode", 52, 52, map[bool]string{false: "a distance", true: "an address (sm_103a)"}[d.Absolute])
		at = 61
	}
	mode := ", no swizzle"
	if d.Pattern != descriptor.INTER {
		mode = fmt.Sprintf(", %v on bytes", d.Pattern.Swizzle())
	}
	add("swizzle", at, 63, d.Pattern.String()+mode)
}

// leadsTo says what distances the leading and the stride byte offsets of a descriptor measure.
func leadsTo(d descriptor.Matrix) (leading, stride string) {
	leading, stride = "from 16 bytes along K to the next", "from 8 rows to the next 8"
	switch {
	case d.Major == atom.KMajor && d.Pattern != descriptor.INTER:
		leading = "that are not read: the swizzle fixes the rows (CuTe writes 1)"
	case d.Major == atom.MNMajor && d.Pattern == descriptor.INTER:
		leading, stride = "from 8 along K to the next 8", "from 16 bytes along M or N to the next"
	case d.Major == atom.MNMajor:
		leading = fmt.Sprintf("from %d bytes along M or N to the next", d.Pattern.Width())
		stride = fmt.Sprintf("from %d along K to the next %d", d.Pattern.Rows(), d.Pattern.Rows())
	}
	if d.Absolute {
		leading = "is the address of the rest of the 48 bytes along K"
	}
	return leading, stride
}
