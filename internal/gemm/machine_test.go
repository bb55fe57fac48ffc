package gemm

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/lower"
	"girih/ptx"
)

// This file runs what Kernel.Program writes, thread by thread, as an oracle: integers, branches, loads and stores of
// the few instructions that the generator has, and the matrix instructions by the layouts of the atom. Threads stop at
// barriers and at what a warp does together.

// A machine is one block at work.
type machine struct {
	mma     atom.MMA
	in      *instruction
	code    []decoded
	labels  map[ptx.Name]int
	numbers map[ptx.Name]int // of the registers, in the order in which they are met
	symbols map[ptx.Name]uint64
	params  map[ptx.Name]uint64
	block   [3]uint64
	grid    [3]uint64         // 0 where one block is run alone
	memory  map[uint64][]byte // by the upper bits of the address
	shared  []byte
	threads []*thread
	steps   int
}

// A decoded instruction has what of its opcode is looked at whenever it is executed.
type decoded struct {
	*ptx.Instr
	name       string // the opcode without modifiers
	bits       int    // of the last type, 0 without
	collective bool   // threads wait for each other
}

type thread struct {
	id   uint64
	at   int
	done bool
	regs []register // by their numbers in the machine
}

type register struct {
	value   uint64
	written bool
}

// number returns the number of a register, a new one for a new name.
func (m *machine) number(n ptx.Name) int {
	i, ok := m.numbers[n]
	if !ok {
		i = len(m.numbers)
		m.numbers[n] = i
	}
	return i
}

func (m *machine) set(t *thread, n ptx.Name, x uint64) {
	i := m.number(n)
	if i >= len(t.regs) {
		t.regs = append(t.regs, make([]register, i+1-len(t.regs))...)
	}
	t.regs[i] = register{x, true}
}

const window = 32 // bits of an address within a piece of global memory

// newMachine prepares a program; buffers are its pieces of global memory, with addresses of their own.
func newMachine(p Program, mma atom.MMA, params map[ptx.Name]uint64, buffers ...[]byte) (*machine, error) {
	in, err := newInstruction(mma)
	if err != nil {
		return nil, err
	}
	m := &machine{
		mma: mma, in: in, labels: map[ptx.Name]int{}, numbers: map[ptx.Name]int{}, symbols: map[ptx.Name]uint64{},
		params: params,
		memory: map[uint64][]byte{}, shared: make([]byte, p.SharedBytes),
	}
	for i, b := range buffers {
		m.memory[uint64(i)+1] = b
	}
	for _, d := range p.Module.Decls {
		if v, ok := d.(*ptx.Var); ok {
			var data []byte
			for _, x := range v.Init.(ptx.Vec) {
				data = binary.LittleEndian.AppendUint32(data, uint32(x.(ptx.Int)))
			}
			m.symbols[v.Name] = uint64(len(m.memory)+1) << window
			m.memory[uint64(len(m.memory)+1)] = data
		}
	}
	at := uint64(0)
	for s := range p.Module.Func(ptx.Name(p.Name)).Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			m.labels[s.Name] = len(m.code)
		case *ptx.Instr:
			types, bits := s.Op.Types(), 0
			if len(types) > 0 {
				bits = types[len(types)-1].Bits()
			}
			m.code = append(m.code, decoded{s, s.Op.Name(), bits, collective(s.Op)})
		case *ptx.Var:
			if s.Space == ptx.Shared {
				at = (at + uint64(s.Align) - 1) / uint64(s.Align) * uint64(s.Align)
				m.symbols[s.Name] = at
				at += uint64(s.Size())
			}
		}
	}
	if at != uint64(p.SharedBytes) {
		return nil, fmt.Errorf("the program says %d bytes of shared memory and declares %d", p.SharedBytes, at)
	}
	return m, nil
}

// run runs a block of that many threads.
func (m *machine) run(x, y, z int64, threads int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	m.block, m.steps = [3]uint64{uint64(x), uint64(y), uint64(z)}, 0
	for i := range m.shared {
		m.shared[i] = 0xfe // poison
	}
	if len(m.threads) != threads {
		m.threads = make([]*thread, threads)
		for i := range m.threads {
			m.threads[i] = new(thread)
		}
	}
	for i, t := range m.threads {
		clear(t.regs)
		*t = thread{id: uint64(i), regs: t.regs}
	}
	for {
		for _, t := range m.threads {
			m.alone(t)
		}
		first := m.threads[0]
		for _, t := range m.threads {
			if t.at != first.at || t.done != first.done {
				return fmt.Errorf("thread %d is at %v and thread 0 at %v", t.id, m.code[t.at].Instr, m.code[first.at].Instr)
			}
		}
		if first.done {
			return nil
		}
		m.together(m.code[first.at].Instr)
		for _, t := range m.threads {
			t.at++
		}
	}
}

// collective reports whether threads wait for each other.
func collective(op ptx.Op) bool {
	switch op.Name() {
	case "bar", "mma", "ldmatrix", "wgmma":
		return true
	}
	return false
}

// alone runs a thread up to where it waits.
func (m *machine) alone(t *thread) {
	for !t.done {
		in := &m.code[t.at]
		if m.steps++; m.steps > 1<<28 {
			panic("the program does not end")
		}
		if in.collective {
			if in.Pred != "" {
				panic(fmt.Sprintf("%v is done by some threads", in.Instr))
			}
			return
		}
		t.at++
		if in.Pred == "" || (m.value(t, in.Pred) != 0) != in.Not {
			m.step(t, in)
		}
	}
}

func (m *machine) value(t *thread, o ptx.Operand) uint64 {
	switch o := o.(type) {
	case ptx.Int:
		return uint64(o)
	case ptx.Name:
		if i, ok := m.numbers[o]; ok && i < len(t.regs) && t.regs[i].written {
			return t.regs[i].value
		}
		switch o {
		case "%tid.x":
			return t.id
		case "%ctaid.x":
			return m.block[0]
		case "%ctaid.y":
			return m.block[1]
		case "%ctaid.z":
			return m.block[2]
		case "%nctaid.y":
			return m.grid[1]
		}
		if x, ok := m.symbols[o]; ok {
			return x
		}
		panic(fmt.Sprintf("%s was never written", o))
	}
	panic(fmt.Sprintf("no value: %v", o))
}

var arithmetic = map[string]func(a, b uint64) uint64{
	"add": func(a, b uint64) uint64 { return a + b },
	"div": func(a, b uint64) uint64 { return a / b },
	"rem": func(a, b uint64) uint64 { return a % b },
	"and": func(a, b uint64) uint64 { return a & b },
	"or":  func(a, b uint64) uint64 { return a | b },
	"xor": func(a, b uint64) uint64 { return a ^ b },
	"shl": func(a, b uint64) uint64 { return a << b },
	"shr": func(a, b uint64) uint64 { return a >> b },
}

func trim(x uint64, bits int) uint64 {
	if bits >= 64 {
		return x
	}
	return x & (1<<bits - 1)
}

func (m *machine) step(t *thread, d *decoded) {
	in, bits := d.Instr, d.bits
	o := in.Operands
	arg := func(i int) uint64 { return trim(m.value(t, o[i]), bits) }
	set := func(x uint64) { m.set(t, o[0].(ptx.Name), x) }
	switch d.name {
	case "ret":
		t.done = true
	case "bra":
		t.at = m.labels[o[0].(ptx.Name)]
	case "mov":
		m.move(t, in, bits)
	case "cvta":
		set(arg(1))
	case "cvt":
		set(arg(1))
	case "fence":
	case "ld":
		m.load(t, in, bits)
	case "st":
		m.store(t, in, bits)
	case "setp":
		x, y := arg(1), arg(2)
		var r bool
		switch {
		case in.Op.Has("lt"):
			r = x < y
		case in.Op.Has("le"):
			r = x <= y
		case in.Op.Has("ge"):
			r = x >= y
		case in.Op.Has("eq"):
			r = x == y
		case in.Op.Has("ne"):
			r = x != y
		default:
			panic(in.String())
		}
		if in.Op.Has("and") {
			r = r && m.value(t, o[3]) != 0
		}
		set(map[bool]uint64{true: 1}[r])
	case "mad", "mul":
		if in.Op.Has("wide") {
			set(arg(1)*arg(2) + m.value(t, o[3]))
			break
		}
		x := arg(1) * arg(2)
		if d.name == "mad" {
			x += arg(3)
		}
		set(trim(x, bits))
	case "fma", "dp4a", "dp2a":
		m.multiply(in, t)
	default:
		f, ok := arithmetic[d.name]
		if !ok {
			panic("unknown: " + in.String())
		}
		set(trim(f(arg(1), arg(2)), bits))
	}
}

// move copies a value, or takes a register apart, or makes one of two.
func (m *machine) move(t *thread, in *ptx.Instr, bits int) {
	if to, ok := in.Operands[0].(ptx.Vec); ok {
		x := m.value(t, in.Operands[1])
		for i, r := range to {
			m.set(t, r.(ptx.Name), trim(x>>(i*bits/len(to)), bits/len(to)))
		}
		return
	}
	x := uint64(0)
	if from, ok := in.Operands[1].(ptx.Vec); ok {
		for i, r := range from {
			x |= trim(m.value(t, r), bits/len(from)) << (i * bits / len(from))
		}
	} else {
		x = m.value(t, in.Operands[1])
	}
	m.set(t, in.Operands[0].(ptx.Name), trim(x, bits))
}

func registersOf(o ptx.Operand) []ptx.Name {
	if n, ok := o.(ptx.Name); ok {
		return []ptx.Name{n}
	}
	var out []ptx.Name
	for _, r := range o.(ptx.Vec) {
		out = append(out, r.(ptx.Name))
	}
	return out
}

// bytes returns what lies behind an address, which must be aligned and inside.
func (m *machine) bytes(t *thread, in *ptx.Instr, a ptx.Addr, size uint64) []byte {
	at := m.value(t, a.Base) + uint64(a.Offset)
	data := m.shared
	if strings.HasPrefix(string(in.Op.Space()), "global") {
		data = m.memory[at>>window]
		at = trim(at, window)
	} else {
		at = trim(at, 32)
	}
	if at%size != 0 {
		panic(fmt.Sprintf("thread %d: %v at %#x is not aligned", t.id, in, at))
	}
	if at+size > uint64(len(data)) {
		panic(fmt.Sprintf("thread %d: %v at %#x is beyond %#x", t.id, in, at, len(data)))
	}
	return data[at:][:size]
}

func (m *machine) load(t *thread, in *ptx.Instr, bits int) {
	if in.Op.Space() == ptx.Param {
		m.set(t, in.Operands[0].(ptx.Name), m.params[in.Operands[1].(ptx.Addr).Base.(ptx.Name)])
		return
	}
	to := registersOf(in.Operands[0])
	data := m.bytes(t, in, in.Operands[1].(ptx.Addr), uint64(bits/8*len(to)))
	for i, r := range to {
		var word [8]byte
		copy(word[:], data[i*bits/8:][:bits/8])
		m.set(t, r, binary.LittleEndian.Uint64(word[:]))
	}
}

func (m *machine) store(t *thread, in *ptx.Instr, bits int) {
	from := registersOf(in.Operands[1])
	data := m.bytes(t, in, in.Operands[0].(ptx.Addr), uint64(bits/8*len(from)))
	for i, r := range from {
		word := binary.LittleEndian.AppendUint64(nil, m.value(t, r))
		copy(data[i*bits/8:], word[:bits/8])
	}
}

// together does what warps do at once.
func (m *machine) together(in *ptx.Instr) {
	switch in.Op.Name() {
	case "ldmatrix":
		for w := 0; w < len(m.threads); w += 32 {
			m.matrices(in, m.threads[w:][:32])
		}
	case "mma", "wgmma":
		if !in.Op.Has("mma_async") && in.Op.Name() == "wgmma" {
			return // fence, commit and wait
		}
		n := max(int(m.mma.Threads()), 32)
		for w := 0; w < len(m.threads); w += n {
			for q := range n / int(m.mma.Threads()) {
				group := make([]*thread, m.mma.Threads())
				for i := range group {
					group[i] = m.threads[w+4*q+int(m.mma.Lane(int64(i)))]
				}
				m.multiply(in, group...)
			}
		}
	}
}

// matrices is ldmatrix: 8 rows of 16 bytes a register, thread i has bytes 4·(i%4) on of row i/4.
func (m *machine) matrices(in *ptx.Instr, warp []*thread) {
	to := registersOf(in.Operands[0])
	var rows [32][]byte
	for i := range 8 * len(to) {
		rows[i] = slices.Clone(m.bytes(warp[i], in, in.Operands[1].(ptx.Addr), 16))
	}
	for i, t := range warp {
		for j, r := range to {
			m.set(t, r, uint64(binary.LittleEndian.Uint32(rows[8*j+i/4][i%4*4:])))
		}
	}
}

// elements returns what reads value v of a fragment of a thread, which is in registers.
func (m *machine) elements(o atom.Operand, typ dtype.Type, from ptx.Operand) func(t *thread, v int) float64 {
	f, err := lower.FragmentOf(m.mma, o)
	if err != nil {
		panic(err)
	}
	regs := registersOf(from)
	return func(t *thread, v int) float64 {
		r, bit := f.Place(v)
		return decode(typ, trim(m.value(t, regs[r])>>bit, f.Bits))
	}
}

func decode(t dtype.Type, code uint64) float64 {
	switch t {
	case dtype.B1:
		return float64(code)
	case dtype.F64:
		return math.Float64frombits(code)
	}
	x, err := t.Decode(code)
	if err != nil {
		panic(err)
	}
	return x
}

// multiply is one instruction of a group of threads.
func (m *machine) multiply(in *ptx.Instr, group ...*thread) {
	types := m.mma.Types
	operands := in.Operands
	d, a, b, c := operands[0], operands[1], operands[2], operands[0]
	if in.Op.Name() != "wgmma" {
		c = operands[3]
	}
	read := func(o atom.Operand, from atom.Space, e atom.Element, op ptx.Operand) func(t, v int) float64 {
		if from == atom.Registers {
			element := m.elements(o, e.Type, op)
			return func(t, v int) float64 { return element(group[t], v) }
		}
		return m.described(group, o, e, op)
	}
	if m.mma.Sparse != nil {
		values := m.spread(group, a, operands[3])
		read = func(o atom.Operand, from atom.Space, e atom.Element, op ptx.Operand) func(t, v int) float64 {
			if o == atom.OperandA {
				return func(t, v int) float64 { return values[m.in.a.index[t*m.in.a.values+v]] }
			}
			return m.described(group, o, e, op)
		}
	}
	acc, element := make([]float64, m.in.c.threads*m.in.c.values), m.elements(atom.OperandC, types.C.Type, c)
	for t := range group {
		for v := range m.in.c.values {
			acc[t*m.in.c.values+v] = element(group[t], v)
		}
	}
	err := m.in.execute(fragment{
		a: read(atom.OperandA, m.mma.AFrom, types.A, a), b: read(atom.OperandB, m.mma.BFrom, types.B, b),
		c: func(t, v int) *float64 { return &acc[t*m.in.c.values+v] },
	})
	if err != nil {
		panic(err)
	}
	f, err := lower.FragmentOf(m.mma, atom.OperandC)
	if err != nil {
		panic(err)
	}
	encode := encoderOf(types.D.Type)
	for t, th := range group {
		words := make([]uint64, f.Count)
		for v := range m.in.c.values {
			code, err := encode(acc[t*m.in.c.values+v])
			if err != nil {
				panic(err)
			}
			r, bit := f.Place(v)
			words[r] |= code << bit
		}
		for i, r := range registersOf(d) {
			m.set(th, r, words[i])
		}
	}
}

// spread returns the matrix of a sparse A, of what is held of it and the metadata of the first threads that have it.
func (m *machine) spread(group []*thread, a, meta ptx.Operand) []float64 {
	s, rows := m.mma.Sparse, m.in.m
	held := make([]float64, rows*m.in.k/2) // Sparsity is 2
	if m.mma.AFrom == atom.Registers {
		element := m.elements(atom.OperandA, m.mma.Types.A.Type, a)
		for t := range group {
			for v := range m.in.a.values / 2 {
				i := m.in.a.index[t*m.in.a.values+2*v]
				held[i%rows+i/rows/2*rows] = element(group[t], v)
			}
		}
	} else {
		held = m.matrix(group, atom.OperandA, m.mma.Types.A, a, rows, len(held))
	}
	e, err := tabulate(s.E, rows*m.in.k)
	if err != nil {
		panic(err)
	}
	out, known := make([]float64, rows*m.in.k), map[int]bool{}
	for t := range group {
		for v := range e.values {
			i := e.index[t*e.values+v]
			row, k := i%rows, i/rows
			if k%int(s.Of) != 0 || known[i] {
				continue
			}
			known[i] = true
			field := byte(m.value(group[t], meta) >> (v * 32 / e.values) & 15)
			next := k / int(s.Of) * int(s.Kept)
			for set, pattern := range patterns[s.Of] {
				if pattern != field {
					continue
				}
				for j := range int(s.Of) {
					if set>>j&1 == 1 {
						out[row+(k+j)*rows] = held[row+next*rows]
						next++
					}
				}
			}
			if next != (k/int(s.Of)+1)*int(s.Kept) {
				panic(fmt.Sprintf("no metadata: %04b", field))
			}
		}
	}
	return out
}

// described reads a matrix in shared memory by its descriptor.
func (m *machine) described(group []*thread, o atom.Operand, e atom.Element, op ptx.Operand) func(t, v int) float64 {
	table, rows := &m.in.a, m.in.m
	if o == atom.OperandB {
		table, rows = &m.in.b, m.in.n
	}
	values := m.matrix(group, o, e, op, rows, table.size)
	return func(t, v int) float64 { return values[table.index[t*table.values+v]] }
}

// matrix reads one of that many rows, and elements in all.
func (m *machine) matrix(group []*thread, o atom.Operand, e atom.Element, op ptx.Operand, rows, all int) []float64 {
	bits := m.value(group[0], op)
	for _, t := range group {
		if m.value(t, op) != bits {
			panic("the threads of a warpgroup have different descriptors")
		}
	}
	major := m.mma.AMajor
	if o == atom.OperandB {
		major = m.mma.BMajor
	}
	d, err := descriptor.Decode(descriptor.SM90, major, bits)
	if err != nil {
		panic(err)
	}
	size := int64(e.Type.Bits())
	values := make([]float64, all)
	for i := range values {
		at, err := d.Find(size, int64(i%rows), int64(i/rows))
		if err != nil {
			panic(err)
		}
		var word [8]byte
		copy(word[:], m.shared[at:][:size/8])
		values[i] = decode(e.Type, binary.LittleEndian.Uint64(word[:]))
	}
	return values
}
