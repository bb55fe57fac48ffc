package service

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/lang/codegen/device"
	"girih/internal/lang/report"
)

// This file answers the questions about descriptors that do not involve a layout: what a builder selects, what a
// descriptor reads, and instruction descriptors.

// selectDescriptor says which atom a builder selects.
func selectDescriptor(req DescriptorRequest) (DescriptorResponse, error) {
	tile, err := pairNamed("a tile", req.Select)
	if err != nil {
		return DescriptorResponse{}, err
	}
	major, err := majorNamed(req.Major)
	if err != nil {
		return DescriptorResponse{}, err
	}
	by, sparse, err := descriptor.FindSelector(cmp.Or(req.Instr, "wgmma"))
	if err != nil {
		return DescriptorResponse{}, err
	}
	t, o, err := req.selection()
	if err != nil {
		return DescriptorResponse{}, err
	}
	r := DescriptorResponse{Kind: "selection", Instr: by.String(), Type: t.String(), Major: major.String(), Tile: tile[:]}
	sparsity := int64(1)
	if sparse && o.Which == atom.OperandA {
		sparsity = 2
		r.Instr += "_sparse"
	}
	if o.Bits != 0 && !slices.Contains(o.Majors, major) {
		r.Notes = append(r.Notes, fmt.Sprintf("%v does not read %v %v-major: the selector answers, the instruction refuses",
			o.Format, t, major))
	}
	if by == descriptor.SelectSM100 && readsBytes(t, o) {
		r.Notes = append(r.Notes,
			fmt.Sprintf("kind::f8f6f4 and mxf8f6f4 read %v from a byte each: the builder selects for uint8_t", t))
		t = dtype.U8
	}
	s, err := by.Select(major, t, tile, sparsity)
	if err != nil {
		return r, err
	}
	r.OK, r.Atom, r.Pattern, r.Reason = true, s.Atom.Name(), s.Atom.Pattern.String(), s.Why
	r.Value, r.Align = s.Atom.Elements.String(), s.Atom.Pattern.Align()
	r.Verdict = fmt.Sprintf("%s takes %s: %s", r.Instr, s.Atom.Name(), s.Why)
	f := descriptor.SM90
	if by == descriptor.SelectSM100 || by == descriptor.SelectRR {
		f = descriptor.SM100
	}
	r.Code = device.Tile(s.Atom, f, tile)
	return r, nil
}

// readsBytes reports whether elements narrower than a byte are read as one element in each byte.
func readsBytes(t dtype.Type, o descriptor.Operand) bool {
	return t.Bits() < 8 && (o.Bits == 8 || t.Bits() == 6)
}

// selection returns the type for which an atom is selected, and the operand if an instruction reads that
// operand by a descriptor.
func (req DescriptorRequest) selection() (dtype.Type, descriptor.Operand, error) {
	o, err := req.operandOf()
	if req.Type != "" {
		t, typeErr := typeNamed(req.Type)
		if err != nil { // an operand in registers, or of mma.sync, has tiles too
			o = descriptor.Operand{}
		}
		return t, o, typeErr
	}
	if err == nil {
		return o.Type, o, nil
	}
	m, notFound := atom.FindMMA(req.Instr)
	if notFound != nil {
		return 0, o, err
	}
	o = descriptor.Operand{}
	if strings.EqualFold(req.Operand, "B") {
		o.Which = atom.OperandB
		return m.Types.B.Type, o, nil
	}
	return m.Types.A.Type, o, nil
}

// decodeDescriptor says what a matrix descriptor reads.
func decodeDescriptor(req DescriptorRequest) (DescriptorResponse, error) {
	o, err := req.operandOf()
	if err != nil {
		return DescriptorResponse{}, err
	}
	major, err := majorNamed(req.Major)
	if err != nil {
		return DescriptorResponse{}, err
	}
	if req.Major == "" && !slices.Contains(o.Majors, major) {
		major = o.Majors[0]
	}
	r := DescriptorResponse{Kind: "matrix", Instr: o.Name, Operand: o.Which.String(), Type: o.Type.String()}
	d, err := readMatrix(o.Format, major, req.Decode)
	if err != nil {
		return r, err
	}
	if !slices.Contains(o.Majors, major) {
		return r, &cute.Error{Code: cute.CodeType, Op: "descriptor", Msg: fmt.Sprintf("%v does not read %v %v-major",
			o.Format, o.Type, major)}
	}
	reads := [2]int64{cmp.Or(o.Rows, 64), o.K}
	if req.Shape != "" {
		if reads, err = pairNamed("rows and K", req.Shape); err != nil {
			return r, err
		}
	}
	r.matrix(d, o, reads)
	r.Align = d.Align()
	l, err := d.Layout(o.Bits, reads[0], reads[1])
	if err != nil {
		return r, err
	}
	r.OK, r.Value, r.Reads = true, l.String(), reads[:]
	r.Verdict = fmt.Sprintf("%v: (%d,%d) elements of %v are read as %s", d, reads[0], reads[1], o.Type, r.Value)
	if req.Major == "" && len(o.Majors) > 1 {
		r.Notes = append(r.Notes, "the descriptor does not say the major, the instruction does: this is K-major, and the major MN gives the other one")
	}
	return r, nil
}

// readMatrix reads a descriptor: a number, CuTe's print of a descriptor, or fields, in bytes or as CUTLASS names
// and encodes them.
func readMatrix(f descriptor.Format, major atom.Major, text string) (descriptor.Matrix, error) {
	if _, after, ok := strings.Cut(text, "Descriptor:"); ok { // GmmaDescriptor: 0x4000004000010000, then the fields
		text, _, _ = strings.Cut(strings.TrimSpace(after), "\n")
	}
	if !strings.ContainsAny(text, "=:") {
		bits, err := strconv.ParseUint(strings.ReplaceAll(strings.TrimRight(text, "uUlL \n"), "'", ""), 0, 64)
		if err != nil {
			return descriptor.Matrix{}, descriptorError(cute.CodeSyntax,
				"expected a descriptor of 64 bits such as 0x4000004000010000, found %.60q", text)
		}
		return descriptor.Decode(f, major, bits)
	}
	if encodedField.MatchString(text) {
		return encodedMatrix(f, major, text)
	}
	d := descriptor.Matrix{Format: f, Major: major}
	err := eachField(text, func(name, value string) error {
		if name == "swizzle" || name == "mode" {
			p, ok := map[string]descriptor.Pattern{
				"none": descriptor.INTER, "inter": descriptor.INTER, "interleave": descriptor.INTER, "0": descriptor.INTER,
				"32": descriptor.SW32, "64": descriptor.SW64, "128": descriptor.SW128, "128_32": descriptor.SW128Base,
			}[strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(value), "sw"), "b"), "b")]
			if !ok {
				return descriptorError(cute.CodeName, "expected a swizzle, none, 32, 64, 128 or 128_32, found %.40q", value)
			}
			d.Pattern = p
			return nil
		}
		to, ok := map[string]*int64{
			"start": &d.Start, "lbo": &d.Leading, "leading": &d.Leading, "sbo": &d.Stride, "stride": &d.Stride, "base": &d.Base,
		}[name]
		n, err := strconv.ParseInt(value, 0, 64)
		if !ok || err != nil {
			return descriptorError(cute.CodeName,
				"expected start, lbo, sbo, base and swizzle with numbers of bytes, or the fields of CUTLASS, found %.40q",
				name+"="+value)
		}
		*to = n
		return nil
	})
	if err != nil {
		return d, err
	}
	return d, d.Check()
}

// encodedField is a field of GmmaDescriptor or UMMA::SmemDescriptor as code sets it (leading_byte_offset_ = 1) and as
// CuTe prints it (leading_off: 0x0001 (1)): in units of the descriptor (cute/arch/mma_sm90_desc.hpp and
// mma_sm100_desc.hpp).
var encodedField = regexp.MustCompile(
	`\b(start|leading|stride|base|layout)_(?:address|addr|byte_offset|offset|off|type)_?\s*[=:]\s*([^,;\n(]+)`)

// encodedMatrix combines encoded fields into a descriptor. A start that is not a number is an address known at run
// time, and counts as 0.
func encodedMatrix(f descriptor.Format, major atom.Major, text string) (descriptor.Matrix, error) {
	var bits uint64
	if f == descriptor.SM100 {
		bits = 1 << 46
	}
	type place struct{ at, width int }
	places := map[string]place{
		"start": {0, 14}, "leading": {16, 14}, "stride": {32, 14}, "base": {49, 3}, "layout": {62 - int(f), 2 + int(f)},
	}
	for _, m := range encodedField.FindAllStringSubmatch(text, -1) {
		name, value := m[1], strings.TrimSpace(m[2])
		p := places[name]
		n, err := strconv.ParseUint(strings.TrimRight(value, "uUlL"), 0, 64)
		if err != nil && name == "start" {
			continue
		}
		if err != nil || n>>p.width != 0 {
			return descriptor.Matrix{}, descriptorError(cute.CodeNotRepresentable,
				"expected %d bits for %s, in units of 16 bytes where it counts them, found %.40q", p.width, name, value)
		}
		bits |= n << p.at
	}
	return descriptor.Decode(f, major, bits)
}

// eachField calls a function with each name=value of a text.
func eachField(text string, f func(name, value string) error) error {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		name, value, _ := strings.Cut(part, "=")
		if err := f(strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

// instructionDescriptor lists the fields of an instruction descriptor, with its value.
func instructionDescriptor(req DescriptorRequest) (DescriptorResponse, error) {
	r := DescriptorResponse{Kind: "instruction"}
	i, err := readInstruction(req)
	if err != nil {
		if i.Kind != 0 {
			if near, nearErr := i.Nearest(); nearErr == nil && near != i {
				info := report.Of(err)
				if info.Hint != "" {
					info.Hint += "; "
				}
				info.Hint += fmt.Sprintf("the nearest legal descriptor is %#08x: %v", near.Bits(), near)
				r.Error = info
				return r, nil
			}
		}
		return r, err
	}
	r.OK, r.Instr, r.Descriptor = true, "tcgen05.mma", fmt.Sprintf("0x%08x", i.Bits())
	r.Verdict = fmt.Sprintf("%s: %v", r.Descriptor, i)
	r.instruction(i)
	r.Code = device.Instruction(i)
	return r, nil
}

// readInstruction reads an instruction descriptor: a number, a name in CuTe, or fields.
func readInstruction(req DescriptorRequest) (i descriptor.Instruction, err error) {
	text := strings.TrimSpace(req.Idesc)
	if strings.HasPrefix(text, "SM1") || strings.HasPrefix(text, "cute::") {
		m, err := atom.FindMMA(text)
		if err != nil {
			return i, err
		}
		return descriptor.InstructionOf(m)
	}
	var k descriptor.Kind
	if req.Kind != "" {
		if k, err = descriptor.FindKind(req.Kind); err != nil {
			return i, err
		}
	}
	if !strings.Contains(text, "=") {
		return encodedInstruction(k, text)
	}
	return instructionOf(k, text)
}

// encodedInstruction decodes a number, and needs its kind. CuTe passes the descriptor in the upper half of 64 bits.
func encodedInstruction(k descriptor.Kind, text string) (i descriptor.Instruction, err error) {
	bits, err := strconv.ParseUint(strings.TrimRight(text, "uUlL"), 0, 64)
	if err == nil && bits>>32 != 0 && bits&(1<<32-1) == 0 {
		bits >>= 32
	}
	if err != nil || bits>>32 != 0 {
		return i, descriptorError(cute.CodeSyntax,
			"expected an instruction descriptor of 32 bits such as 0x8400010, found %.60q", text)
	}
	if k == 0 {
		return i, &cute.Error{
			Code: cute.CodeSyntax, Op: "descriptor", Msg: "expected the kind of the instruction: the bits do not say it",
			Hint: "for example the kind f16",
		}
	}
	return descriptor.DecodeInstruction(k, uint32(bits))
}

// instructionOf combines fields. Missing fields follow from the others: B has the type of A, and the kind, the
// type of D and the type of scale factors are the usual ones.
func instructionOf(k descriptor.Kind, text string) (descriptor.Instruction, error) {
	i := descriptor.Instruction{Kind: k}
	if err := eachField(text, func(name, value string) error { return setField(&i, name, value) }); err != nil {
		return descriptor.Instruction{}, err
	}
	if i.B == 0 {
		i.B = i.A
	}
	if i.Kind == 0 {
		i.Kind = descriptor.KindOf(i.A)
	}
	if i.D == 0 {
		i.D = dtype.F32
		if i.Kind == descriptor.KindI8 {
			i.D = dtype.S32
		}
	}
	if i.Kind.Scaled() && i.Scale == 0 {
		i.Scale = dtype.UE8M0
	}
	return i, i.Check()
}

// setField sets a field of an instruction descriptor by its name.
func setField(i *descriptor.Instruction, name, value string) error {
	wrong := func() error {
		return descriptorError(cute.CodeName, "expected m, n, a, b, d, amajor, bmajor, nega, negb, saturate, sparse, selector, shift, scale, "+
			"sfa, sfb, k96, group or ws, found %.40q", name+"="+value)
	}
	if to, ok := map[string]*dtype.Type{"a": &i.A, "b": &i.B, "d": &i.D, "c": &i.D, "scale": &i.Scale}[name]; ok {
		t, err := typeNamed(value)
		*to = t
		return err
	}
	if to, ok := map[string]*atom.Major{
		"amajor": &i.AMajor, "bmajor": &i.BMajor, "a_major": &i.AMajor,
		"b_major": &i.BMajor,
	}[name]; ok {
		m, err := majorNamed(value)
		*to = m
		return err
	}
	if to, ok := map[string]*bool{
		"nega": &i.NegateA, "negb": &i.NegateB, "saturate": &i.Saturate, "sparse": &i.Sparse, "k96": &i.K96, "ws": &i.WS,
	}[name]; ok {
		*to = value != "0" && value != "false"
		return nil
	}
	n, err := strconv.ParseInt(value, 0, 32)
	if err != nil && slices.Contains([]string{"m", "n", "selector", "shift", "sfa", "sfb", "group"}, name) {
		return descriptorError(cute.CodeSyntax, "expected a number of at most 32 bits for %s, found %.40q", name, value)
	}
	if err != nil {
		return wrong()
	}
	switch name {
	case "m":
		i.M = n
	case "n":
		i.N = n
	case "selector":
		i.Selector = int(n)
	case "shift":
		i.MaxShift = int(n)
	case "sfa":
		i.ScaleA = int(n)
	case "sfb":
		i.ScaleB = int(n)
	case "group", "cta_group":
		i.Group = int(n)
	default:
		return wrong()
	}
	return nil
}

// instruction fills in the fields of an instruction descriptor.
func (r *DescriptorResponse) instruction(i descriptor.Instruction) {
	bits := uint64(i.Bits())
	add := func(name string, from, to int, means any) {
		at := fmt.Sprintf("%d-%d", from, to)
		if from == to {
			at = strconv.Itoa(from)
		}
		r.Fields = append(r.Fields, DescriptorField{
			Name: name, Bits: at, Encoded: bits >> from & (1<<(to-from+1) - 1), Means: fmt.Sprint(means),
		})
	}
	yes := func(is bool) string { return map[bool]string{false: "no", true: "yes"}[is] }
	scaled := i.Kind.Scaled()
	if !scaled {
		add("sparsity selector", 0, 1, i.Selector)
	}
	add("sparse", 2, 2, yes(i.Sparse))
	if scaled {
		add("scale factor ID of B", 4, 5, i.ScaleB)
	} else {
		add("saturate", 3, 3, yes(i.Saturate))
		add("type of D", 4, 5, i.D)
	}
	add("type of A", 7, 9, i.A)
	add("type of B", 10, 12, i.B)
	add("negate A", 13, 13, yes(i.NegateA))
	add("negate B", 14, 14, yes(i.NegateB))
	add("transpose A", 15, 15, i.AMajor.String()+"-major")
	add("transpose B", 16, 16, i.BMajor.String()+"-major")
	add("N / 8", 17, 22, fmt.Sprintf("N %d", i.N))
	if scaled {
		add("type of scale factors", 23, 23, i.Scale)
	}
	add("M / 16", 24, 28, fmt.Sprintf("M %d", i.M))
	if scaled {
		add("scale factor ID of A", 29, 30, i.ScaleA)
		add("K", 31, 31, fmt.Sprintf("K %d", i.K()))
		return
	}
	add("maximum shift", 30, 31, i.MaxShift)
}
