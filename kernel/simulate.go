package kernel

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/ptx"
	"girih/ptx/sim"
)

// Args are the arguments of a kernel, by the names of its parameters.
type Args struct {
	Ints    map[string]int64     // extents and distances: [K.Int]
	Numbers map[string]float64   // single elements: [K.Scalar]
	Tensors map[string][]float64 // elements in memory order, each rounded to the tensor's type
	Bytes   map[string][]byte    // other tensors as they are stored in memory, such as elements below a byte
	Blocks  [3]int64             // along x, y and z, for a kernel without [K.Grid]; 0 means 1
	Seed    uint64               // of the order of warps and blocks: see [sim.Launch]
}

// Simulate runs the kernel on the CPU with the checks of package sim, and stores the kernel's results in a.Tensors and
// a.Bytes. A fault of the kernel is an error of type *[sim.Finding]: its Source is the line of the kernel, and its
// lines refer to the text of k.Module.
//
// The other errors are [cute.CodeUnknown] for a parameter without a value, [cute.CodeName] for a value without a
// parameter, [cute.CodeFact] for an integer that contradicts the kernel's facts, [cute.CodeNotDivisible] as
// [Kernel.Grid], [cute.CodeType] for Tensors with elements below a byte, the errors of [Kernel.TensorMap] and
// [dtype.Type.Encode], and *[sim.Error], for example for a context that ended.
func (k *Kernel) Simulate(ctx context.Context, a Args) (*sim.Result, error) {
	return k.SimulateAs(ctx, a, sim.Launch{Seed: a.Seed})
}

// SimulateAs is [Kernel.Simulate] with the limits, the order and the recordings of l; the kernel determines the other
// fields.
func (k *Kernel) SimulateAs(ctx context.Context, a Args, l sim.Launch) (*sim.Result, error) {
	bound, err := k.bind(a)
	if err != nil {
		return nil, err
	}
	module, err := k.withLines()
	if err != nil {
		return nil, err
	}
	load := sim.Load
	if l.Record != nil {
		load = sim.LoadRecorded
	}
	program, err := load(module)
	if err != nil {
		return nil, err
	}
	m, err := program.NewMemory()
	if err != nil {
		return nil, err
	}
	buffers, args, err := k.arguments(a.Ints, m, bound.data)
	if err != nil {
		return nil, err
	}
	l.Grid = sim.Dim{X: int(bound.blocks[0]), Y: int(bound.blocks[1]), Z: int(bound.blocks[2])}
	l.Block, l.Shared, l.Args, l.NonPortable = sim.Dim{X: int(k.Threads)}, int(k.Dynamic), args, true
	r, err := program.Run(ctx, m, l)
	if f, ok := errors.AsType[*sim.Finding](err); ok && f.Kind == sim.KindUninitialised {
		k.nameFragment(f)
	}
	for i, b := range buffers {
		if b != nil {
			copy(a.Bytes[k.Params[i].Name], b.Bytes())
			if x := a.Tensors[k.Params[i].Name]; x != nil {
				decode(k.Params[i].Type, b.Bytes(), x)
			}
		}
	}
	return r, err
}

// arguments puts the tensors into memory. It returns the arguments, and a buffer for each tensor parameter.
func (k *Kernel) arguments(ints map[string]int64, m *sim.Memory, data [][]byte) ([]*sim.Buffer, []sim.Arg, error) {
	buffers, args := make([]*sim.Buffer, len(k.Params)), make([]sim.Arg, len(k.Params))
	for i, p := range k.Params {
		if !p.Pointer {
			args[i] = sim.Bytes(data[i])
			continue
		}
		var err error
		if buffers[i], err = m.Put(p.Name, data[i]); err != nil {
			return nil, nil, err
		}
		args[i] = sim.Pointer(buffers[i], 0)
		if p.Map {
			t, err := k.TensorMap(p.Name, ints, buffers[i].Address())
			if err != nil {
				return nil, nil, err
			}
			if args[i], err = sim.TensorMap(t); err != nil {
				return nil, nil, err
			}
		}
	}
	return buffers, args, nil
}

// A fragment is registers, and the line that made them.
type fragment struct {
	words []ptx.Name
	root  *root
	name  string // see legend.go
	pcs   stack
}

// nameFragment adds the name of the fragment to a finding about one of its registers.
func (k *Kernel) nameFragment(f *sim.Finding) {
	_, rest, ok := strings.Cut(f.Message, "reads register ")
	if !ok {
		return
	}
	name, _, _ := strings.Cut(rest, ",")
	for _, x := range k.fragments {
		if i := slices.Index(x.words, ptx.Name(name)); i >= 0 {
			file, line := x.pcs.outside()
			f.Message += fmt.Sprintf(": it is register %d of the fragment that %s:%d makes, which needs a Clear or a copy before",
				i, file, line)
			return
		}
	}
}

// A bound contains the arguments of a kernel in the form that a launch needs.
type bound struct {
	blocks [3]int64
	data   [][]byte // of each parameter: its number, or the elements of its tensor, little-endian
}

// bind returns the arguments of a launch.
func (k *Kernel) bind(a Args) (out bound, err error) {
	if err := k.checkNames(a); err != nil {
		return out, err
	}
	for _, p := range k.Params {
		var data []byte
		switch k.kind(p, a) {
		case "Ints":
			data, err = k.integer(p, a.Ints[p.Name])
		case "Numbers":
			data, err = encode(p, []float64{a.Numbers[p.Name]})
		case "Bytes":
			data = a.Bytes[p.Name]
		default:
			data, err = encode(p, a.Tensors[p.Name])
		}
		if err != nil {
			return out, err
		}
		out.data = append(out.data, data)
	}
	out.blocks = a.Blocks
	if len(k.grid) > 0 {
		out.blocks, err = k.Grid(a.Ints)
	}
	return out, err
}

// checkNames refuses names without a parameter, and parameters without a value.
func (k *Kernel) checkNames(a Args) error {
	given := map[string]bool{}
	for name := range a.Ints {
		given["Ints: "+name] = true
	}
	for name := range a.Numbers {
		given["Numbers: "+name] = true
	}
	for name := range a.Tensors {
		given["Tensors: "+name] = true
	}
	for name := range a.Bytes {
		given["Bytes: "+name] = true
	}
	var all, missing []string
	for _, p := range k.Params {
		name := k.kind(p, a) + ": " + p.Name
		all = append(all, name)
		if !given[name] {
			missing = append(missing, name)
		}
		delete(given, name)
	}
	extra := slices.Sorted(maps.Keys(given))
	hint := "its parameters are " + strings.Join(all, ", ")
	switch {
	case len(extra) > 0:
		return &cute.Error{Code: cute.CodeName, Op: k.Name, Msg: "there is no parameter for " + extra[0], Hint: hint}
	case len(missing) > 0:
		return &cute.Error{Code: cute.CodeUnknown, Op: k.Name, Msg: "there is no value for " + missing[0], Hint: hint}
	case len(k.grid) > 0 && a.Blocks != [3]int64{}:
		return &cute.Error{
			Code: cute.CodeName, Op: k.Name, Msg: fmt.Sprintf("K.Grid says how many blocks there are, found %v", a.Blocks),
		}
	}
	return nil
}

// kind returns the field of [Args] that holds the value of a parameter.
func (k *Kernel) kind(p Param, a Args) string {
	if _, ok := a.Bytes[p.Name]; p.Pointer && ok {
		return "Bytes"
	}
	if p.Pointer {
		return "Tensors"
	}
	for _, n := range k.numbers {
		if n.Name() == p.Name {
			return "Ints"
		}
	}
	return "Numbers"
}

// integer returns the bytes of an integer, and refuses an integer that contradicts the kernel's facts.
func (k *Kernel) integer(p Param, n int64) ([]byte, error) {
	if n < p.Facts.Min || n > p.Facts.Max || n%max(p.Facts.Div, 1) != 0 {
		return nil, &cute.Error{
			Code: cute.CodeFact, Op: k.Name, Msg: fmt.Sprintf("%s is %d, and the kernel is for numbers %v", p.Name, n, p.Facts),
		}
	}
	if p.Type.Bits() == 64 {
		return binary.LittleEndian.AppendUint64(nil, uint64(n)), nil
	}
	return binary.LittleEndian.AppendUint32(nil, uint32(n)), nil
}

// numeric returns the type whose numbers represent the elements of a type: unsigned integers for raw bits.
func numeric(t dtype.Type) dtype.Type {
	switch t {
	case dtype.B8:
		return dtype.U8
	case dtype.B16:
		return dtype.U16
	case dtype.B32:
		return dtype.U32
	case dtype.B64:
		return dtype.U64
	}
	return t
}

// encode returns elements as they are stored in memory, little-endian.
func encode(p Param, values []float64) ([]byte, error) {
	t := numeric(p.Type)
	n := t.Bits() / 8
	if n == 0 {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "simulate", Msg: fmt.Sprintf("elements of %s, %v, are less than a byte", p.Name, p.Type),
			Hint: "give the contents of memory: Args.Bytes",
		}
	}
	out := make([]byte, 0, n*len(values))
	for i, x := range values {
		code, err := t.Encode(x)
		if err != nil {
			return nil, fmt.Errorf("element %d of %s: %w", i, p.Name, err)
		}
		for j := range n {
			out = append(out, byte(code>>(8*j)))
		}
	}
	return out, nil
}

// decode is the inverse of encode.
func decode(t dtype.Type, data []byte, values []float64) {
	t = numeric(t)
	n := t.Bits() / 8
	for i := range values[:min(len(values), len(data)/n)] {
		code := uint64(0)
		for j := range n {
			code |= uint64(data[i*n+j]) << (8 * j)
		}
		values[i], _ = t.Decode(code) // a code of its width
	}
}

// withLines returns the module parsed from its text, so that instructions have line numbers, together with the lines of
// the kernel that made them.
func (k *Kernel) withLines() (*ptx.Module, error) {
	m, err := ptx.Parse(k.Module.String())
	if err != nil {
		return nil, err
	}
	l := locator{k.places, k.data.facts, map[string]int{}}
	made, read := k.Module.Func(ptx.Name(k.Name)), m.Func(ptx.Name(k.Name))
	l.block(made.Body, read.Body)
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		m.Decls = append(m.Decls, &ptx.File{Index: l.files[name], Name: name})
	}
	return m, nil
}

// A locator copies the kernel's lines, and what it states of numbers, to the instructions of the parsed module.
type locator struct {
	places map[*ptx.Instr]*stack
	facts  map[*ptx.Instr]*ptx.Pragma
	files  map[string]int
}

func (l locator) block(made, read *ptx.Block) {
	var out []ptx.Stmt
	for i, s := range read.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			l.block(made.Stmts[i].(*ptx.Block), s)
		case *ptx.Instr:
			if pcs := l.places[made.Stmts[i].(*ptx.Instr)]; pcs != nil { // others belong to the line before
				out = append(out, l.loc(pcs))
			}
		}
		out = append(out, s)
		if in, ok := made.Stmts[i].(*ptx.Instr); ok && l.facts[in] != nil {
			out = append(out, l.facts[in])
		}
	}
	read.Stmts = out
}

func (l locator) loc(pcs *stack) *ptx.Loc {
	file, line := pcs.outside()
	if l.files[file] == 0 {
		l.files[file] = len(l.files) + 1
	}
	return &ptx.Loc{File: l.files[file], Line: line}
}

// locate records which line made an instruction, if the instruction can be at fault: accesses, barriers, waits, and the
// instructions of atoms. Plain arithmetic is too frequent to record; it has the line of the instructions whose results
// it uses. Products of a text in another language are recorded: their operands may come from lines far away.
func (k *K) locate(in *ptx.Instr) {
	switch in.Op.Name() {
	case "fma":
		if k.here == nil || k.here.stated.Line == 0 {
			return
		}
	case "mov", "mad", "add", "sub", "mul", "shl", "shr", "and", "or", "xor", "setp", "cvt", "bra", "bfe", "bfi":
		return
	}
	pcs := k.here
	if pcs == nil {
		pcs = new(stack)
		pcs.keep(k, 3)
	}
	k.places[in] = pcs
}

// stand attributes all instructions to the calling line until end is called, so that the stack is read only once.
func (k *K) stand() (end func()) {
	if k.here != nil {
		return func() {}
	}
	k.here = new(stack)
	k.here.keep(k, 2)
	return func() { k.here = nil }
}
