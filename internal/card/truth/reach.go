package truth

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file finds out where wgmma reads an operand in shared memory, for any descriptor. The memory holds the numbers
// of its own elements, digit by digit; the other operand is a part of the identity matrix; so D shows which element
// of memory is which element of the matrix. Only the descriptor of the identity is assumed to be right: it is not
// swizzled, and proven with the tables.

// A Reach is what one descriptor reads, on a card or by the model.
type Reach struct {
	Descriptor descriptor.Matrix
	// Elements are the numbers of the elements of memory, from address 0 of the matrix on, at row + column·rows.
	Elements []int32
}

// A reach is the experiments on the descriptors of one operand of an instruction.
type reach struct {
	*rig
	operand     atom.Operand
	descriptors []descriptor.Matrix
	forms       int // the number of canonical descriptors; the others are random
	alphabet    alphabet
	digits      int
	region      int // bytes of memory that hold numbers; the identity follows
	chunks      []chunk
	// readings maps codes of D to digits.
	readings map[uint64]int32
}

// A chunk is a part of the identity matrix: it shows columns of the operand, each in a row or a column of D.
type chunk struct {
	chosen []int // patterns of metadata
	// columns lists, for each row of A or of B, the column of the probed operand that the row shows, or -1.
	columns []int
	ones    []int // row + column·rows for the elements of the other operand that are 1, in stored form
}

// regionBytes is the size of the memory with numbers. With the largest identity it is below the limit of a block, 227
// KiB.
const regionBytes = 192 << 10

// newReach makes the experiments on an operand in shared memory.
func newReach(m atom.MMA, o atom.Operand) (*reach, error) {
	r, err := newRig(m, descriptor.INTER)
	if err != nil {
		return nil, err
	}
	if o > atom.OperandB || !r.sides[o].shared || !lower.IsWarpgroup(m) {
		return nil, fail(cute.CodeType, "%v of %s has no descriptor", o, m.Name)
	}
	x := &reach{rig: r, operand: o, region: regionBytes}
	return x, x.choose()
}

// prepare makes what experiments need in addition to the model.
func (x *reach) prepare() (err error) {
	t := x.m.Types.A.Type
	if x.operand == atom.OperandB {
		t = x.m.Types.B.Type
	}
	if x.alphabet, err = alphabetOf(t); err != nil {
		return err
	}
	if x.readings, err = x.alphabet.readings(x.m.Types.C.Type); err != nil {
		return err
	}
	x.digits = digitsFor(x.elements(), len(x.alphabet.codes))
	x.chunks = x.parts()
	return nil
}

// elements returns how many elements of the operand fit in memory.
func (x *reach) elements() int { return x.region * 8 / x.sides[x.operand].bits }

// other returns the operand that holds the identity.
func (x *reach) other() atom.Operand { return atom.OperandB - x.operand }

// parts cuts the identity into chunks, so that each column of the operand, as it is held, is shown once.
func (x *reach) parts() []chunk {
	a, b := &x.sides[atom.OperandA], &x.sides[atom.OperandB]
	var patterns []int // patterns that together keep every column of B
	if x.e != nil {
		patterns = []int{0, len(x.e.patterns) - 1}
		if x.operand == atom.OperandA {
			patterns = patterns[:1]
		}
	} else {
		patterns = []int{-1}
	}
	shown := x.sides[x.other()].rows
	var all []chunk
	for _, p := range patterns {
		columnOf := func(held int) int { return held } // the column of B
		var chosen []int
		if p >= 0 {
			kept, of, positions := x.e.kept, x.e.of, x.e.patterns[p].positions
			columnOf = func(held int) int { return held/kept*of + positions[held%kept] }
			chosen = make([]int, x.e.rows*x.e.groups)
			for i := range chosen {
				chosen[i] = p
			}
		}
		for from := 0; from < a.columns; from += shown {
			c := chunk{chosen: chosen}
			for i := range min(shown, a.columns-from) {
				held := from + i
				if x.operand == atom.OperandA {
					c.columns = append(c.columns, held)
					c.ones = append(c.ones, i+columnOf(held)*b.rows)
				} else {
					c.columns = append(c.columns, columnOf(held))
					c.ones = append(c.ones, i+held*a.rows)
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// kernelName is unique for an instruction and an operand.
func (x *reach) kernelName() string {
	return fmt.Sprintf("reach_%s_%v", lower.Symbol(x.m.Name), x.operand)
}

// batch returns the launch: all chunks for each descriptor, and all digits for each chunk.
func (x *reach) batch() Batch {
	b := &builder{kernel: x.kernelName(), threads: x.threads, words: x.sides[atom.OperandC].words}
	var numbers, identities, metadata []int
	for d := range x.digits {
		numbers = append(numbers, b.image(x.memory(d)))
	}
	one := x.alphabetOf(x.other()).one
	for _, c := range x.chunks {
		image := make([]uint32, x.size(x.other()))
		for _, i := range c.ones {
			x.put(image, x.other(), x.sides[x.other()].at[i], one)
		}
		identities = append(identities, b.image(image))
		e := 0
		if c.chosen != nil {
			e = b.image(x.e.image(0, c.chosen))
		}
		metadata = append(metadata, e)
	}
	for _, d := range x.descriptors {
		bits := d.Bits()
		at := b.image([]uint32{uint32(bits), uint32(bits >> 32)})
		for i := range x.chunks {
			for _, n := range numbers {
				b.add(n, identities[i], at, metadata[i])
			}
		}
	}
	out := b.batch()
	out.Shared = x.region
	if other := x.other(); x.sides[other].shared {
		out.Shared += 4 * x.sides[other].words
	}
	return out
}

func (x *reach) alphabetOf(o atom.Operand) alphabet {
	t := x.m.Types.A.Type
	if o == atom.OperandB {
		t = x.m.Types.B.Type
	}
	a, err := alphabetOf(t)
	if err != nil {
		return alphabet{one: 1}
	}
	return a
}

// memory returns digit d of the number of each element of memory.
func (x *reach) memory(d int) []uint32 {
	bits := x.sides[x.operand].bits
	image := make([]uint32, x.region/4)
	for e := range x.elements() {
		image[e*bits/32] |= uint32(x.alphabet.codes[digit(e, d, len(x.alphabet.codes))]) << (e * bits % 32)
	}
	return image
}

// memory is the dynamic shared memory, which a module declares once.
var memory = &ptx.Var{
	Linkage: ptx.Extern, Space: ptx.Shared, Align: 1024, Type: ptx.B8, Name: "memory", Dims: []int64{-1},
}

// kernel returns the kernel that multiplies by a part of the identity, so that D shows which elements were read.
func (x *reach) kernel() (*ptx.Func, error) {
	c := &x.sides[atom.OperandC]
	k := newKernel(x.kernelName(), x.threads, c.words)
	begin := k.Let(ptx.U32, "mov.u32", memory.Name)
	k.toShared(begin, 0, x.region/4, x.threads)
	pair := k.Regs(ptx.U32, 2)
	k.Emit("ld.global.v2.u32", pair, ptx.Addr{Base: k.images[2]})
	asked := k.Let(ptx.B64, "mov.b64", pair)
	wide := k.Let(ptx.U64, "cvt.u64.u32", k.Let(ptx.U32, "shr.u32", begin, ptx.Int(4)))
	var regs [2]ptx.Vec
	regs[x.operand] = ptx.Vec{k.Let(ptx.U64, "add.u64", wide, asked)}
	other := x.other()
	if s := &x.sides[other]; s.shared {
		tile := k.Let(ptx.U32, "add.u32", begin, ptx.Int(x.region))
		k.toShared(tile, 1, s.words, x.threads)
		regs[other] = ptx.Vec{lower.DescriptorAt(k.Builder, s.matrix, tile)}
	} else {
		regs[other] = s.fragment.Regs(k.Builder)
		k.load(regs[other], s.fragment.Register, 1, s.words)
	}
	d := c.fragment.Regs(k.Builder)
	for _, r := range d {
		k.Emit(ptx.Op(fmt.Sprintf("mov.b%d", c.fragment.Register)), r, ptx.Int(0))
	}
	operands := lower.Operands{D: c.fragment.Regs(k.Builder), A: regs[0], B: regs[1], C: d}
	if x.e != nil {
		operands.Metadata = k.Let(ptx.U32, "ld.global.u32", ptx.Addr{Base: k.of(3, 1)})
	}
	lower.FenceShared(k.Builder)
	k.Emit("bar.sync", ptx.Int(0))
	lower.Fence(k.Builder)
	if err := lower.MMA(k.Builder, x.m, operands); err != nil {
		return nil, err
	}
	lower.Commit(k.Builder)
	lower.Wait(k.Builder, 0)
	k.store(d, c.fragment.Register)
	k.Emit("ret")
	return k.Func()
}

// read returns the reaches that the results of the batch show.
func (x *reach) read(out []uint32) []Reach {
	side := &x.sides[x.operand]
	c := &cursor{out: out, words: x.threads * x.sides[atom.OperandC].words}
	all := make([]Reach, len(x.descriptors))
	for i, d := range x.descriptors {
		table := make([]int32, side.rows*side.columns)
		for _, part := range x.chunks {
			cases := c.take(x.digits)
			for j, column := range part.columns {
				for row := range side.rows {
					table[row+column*side.rows] = x.element(cases, row, j)
				}
			}
		}
		all[i] = Reach{d, table}
	}
	return all
}

// element returns the element of memory that a row of the operand has in the column that row j of the identity shows.
func (x *reach) element(cases [][]uint32, row, j int) int32 {
	at := row + j*x.sides[atom.OperandC].rows // m + n·M
	if x.operand == atom.OperandB {
		at = j + row*x.sides[atom.OperandC].rows
	}
	number, weight := int32(0), int32(1)
	for _, out := range cases {
		d, ok := x.readings[x.get(out, x.sides[atom.OperandC].at[at], 0)]
		if !ok {
			return unclear
		}
		number, weight = number+d*weight, weight*int32(len(x.alphabet.codes))
	}
	return number
}

// predict returns the element of memory for each element of the operand, by the model.
func (x *reach) predict(d descriptor.Matrix) (Reach, error) {
	side := &x.sides[x.operand]
	table := make([]int32, side.rows*side.columns)
	for column := range side.columns {
		for row := range side.rows {
			at, err := d.Find(int64(side.bits), int64(row), int64(column))
			if err != nil {
				return Reach{}, err
			}
			table[row+column*side.rows] = int32(at * 8 / int64(side.bits))
		}
	}
	return Reach{d, table}, nil
}

// within reports whether all elements of a model are in the memory that holds numbers.
func (x *reach) within(r Reach) bool {
	for _, e := range r.Elements {
		if e < 0 || int(e) >= x.elements() {
			return false
		}
	}
	return true
}
