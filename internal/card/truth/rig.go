package truth

import (
	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// A rig is an MMA with the images of its operands: the registers of each thread of the block, or the bytes of shared
// memory.
type rig struct {
	m       atom.MMA
	threads int // threads per block
	sides   [3]side
	// instances is how many times the block executes the operation: 4 for quad-pairs, 32 for operations of one thread.
	// All have the same operands. step is the distance between the lanes of consecutive instances.
	instances, step int
	e               *metadata
	steps           []lower.Step // the multiplications of an operation on complex numbers
	views           []view
	view            view // the current view
}

// A view selects parts of complex elements for an experiment: the products of a part of A and a part of B are added to,
// or subtracted from, a part of D. All other parts are zero. An operation on numbers has only the zero view.
type view struct {
	parts    [3]int
	negative bool
}

// viewsOf returns each pair of parts that a step multiplies.
func viewsOf(steps []lower.Step) []view {
	if steps == nil {
		return []view{{}}
	}
	var all []view
	for _, s := range steps {
		for _, a := range s.A {
			for _, b := range s.B {
				all = append(all, view{[3]int{a, b, s.D}, s.Negative})
			}
		}
	}
	return all
}

// A side is an operand of a rig.
type side struct {
	fragment      lower.Fragment
	shared        bool
	matrix        descriptor.Matrix
	words         int   // words per thread, or of the whole image in shared memory
	bits, part    int   // the size of an element, and of a part of it
	places        int   // the number of values in all threads, or of elements of the tile in shared memory
	rows, columns int   // the extents of the matrix; for a sparse A, only stored columns count
	index         []int // place -> row + column·rows, or -1
	at            []int // the inverse of index
}

// newRig makes the rig of an operation. Operands in shared memory have the pattern.
func newRig(m atom.MMA, pattern descriptor.Pattern) (*rig, error) {
	r := &rig{m: m, threads: 32, instances: 1, step: 1}
	switch n := m.Threads(); n {
	case 1:
		r.instances = 32
	case 8:
		r.instances, r.step = 4, 4
	case 32:
	case 128:
		r.threads = 128
	default:
		return nil, fail(cute.CodeType, "%s has %d threads", m.Name, n)
	}
	var err error
	if r.steps, err = lower.Steps(m); err != nil {
		return nil, err
	}
	r.views = viewsOf(r.steps)
	for o := range r.sides {
		s, err := r.side(atom.Operand(o), pattern)
		if err != nil {
			return nil, err
		}
		r.sides[o] = s
	}
	if m.Sparse != nil {
		e, err := newMetadata(m)
		if err != nil {
			return nil, err
		}
		r.e = e
	}
	return r, nil
}

func (r *rig) side(o atom.Operand, pattern descriptor.Pattern) (side, error) {
	m := r.m
	rows, columns := m.Extents(o)
	sparsity := int64(1)
	e, from := m.Types.C, m.CFrom
	switch o {
	case atom.OperandA:
		e, from, sparsity = m.Types.A, m.AFrom, int64(max(m.Types.A.Sparsity, 1))
	case atom.OperandB:
		e, from = m.Types.B, m.BFrom
	}
	s := side{rows: int(rows), columns: int(columns / sparsity), bits: e.Bits() * int(sparsity)}
	s.part = s.bits / e.Parts
	s.at = make([]int, s.rows*s.columns)
	if from == atom.SharedMemory {
		s.shared = true
		return s, s.inShared(m, o, pattern)
	}
	f, err := lower.FragmentOf(m, o)
	if err != nil {
		return s, err
	}
	s.fragment = f
	s.words = (f.Count*max(f.Register, 32) + 31) / 32
	threads := int(m.Threads())
	s.places = threads * f.Values
	s.index = make([]int, s.places)
	offsets, err := m.TV(o).AppendOffsets(nil) // the thread is the fastest index
	if err != nil {
		return s, err
	}
	for t := range threads {
		for v := range f.Values {
			i := int(offsets[t+v*threads])
			if o == atom.OperandA && m.Sparse != nil {
				// Value v is element v%kept of the stored elements of a group. The values of a group are consecutive.
				kept, of := int(m.Sparse.Kept), int(m.Sparse.Of)
				i = int(offsets[t+v/kept*of*threads])
				i = i%s.rows + (i/s.rows/of*kept+v%kept)*s.rows
			}
			p := t*f.Values + v
			s.index[p], s.at[i] = i, p
		}
	}
	return s, nil
}

// inShared lays the matrix out in shared memory.
func (s *side) inShared(m atom.MMA, o atom.Operand, pattern descriptor.Pattern) error {
	major, t := m.AMajor, m.Types.A.Type
	if o == atom.OperandB {
		major, t = m.BMajor, m.Types.B.Type
	}
	a, err := descriptor.MakeAtom(pattern, major, t)
	if err != nil {
		return err
	}
	up := func(n int, mode int) int64 {
		l, err := a.Layout.Mode(mode)
		if err != nil {
			return int64(n)
		}
		k := int(l.Size())
		return int64((n + k - 1) / k * k)
	}
	rows, columns := up(s.rows, 0), up(s.columns, 1)
	tile, err := a.TileToShape(cute.Ints(rows, columns), cute.Ints(1, 2))
	if err != nil {
		return err
	}
	held, err := descriptor.NewTile(tile)
	if err != nil {
		return err
	}
	if s.matrix, err = held.Matrix(m, o, 0, 0); err != nil {
		return err
	}
	offsets, err := tile.AppendOffsets(nil)
	if err != nil {
		return err
	}
	s.places = len(offsets)
	s.index = make([]int, s.places)
	for i := range s.index {
		s.index[i] = -1
	}
	for c := range s.columns {
		for r := range s.rows {
			p := int(offsets[r+c*int(rows)])
			s.index[p], s.at[r+c*s.rows] = r+c*s.rows, p
		}
	}
	s.words = s.places * s.bits / 32
	return nil
}

// size returns the words of an image of an operand.
func (r *rig) size(o atom.Operand) int {
	if s := &r.sides[o]; s.shared {
		return s.words
	}
	return r.threads * r.sides[o].words
}

// offset returns the first bit of a place in an image.
func (r *rig) offset(o atom.Operand, place, instance int) int {
	s := &r.sides[o]
	if s.shared {
		return place * s.bits
	}
	lane := int(r.m.Lane(int64(place/s.fragment.Values))) + instance*r.step
	return lane*s.words*32 + place%s.fragment.Values*s.bits
}

// put writes the code of an element into an image, for all instances; of a complex element the part of the view.
func (r *rig) put(image []uint32, o atom.Operand, place int, code uint64) {
	instances := r.instances
	if r.sides[o].shared {
		instances = 1
	}
	for i := range instances {
		at := r.offset(o, place, i) + r.view.parts[o]*r.sides[o].part
		switch bits := r.sides[o].part; {
		case bits == 64:
			image[at/32], image[at/32+1] = uint32(code), uint32(code>>32)
		default:
			mask := uint32(1)<<bits - 1
			w := &image[at/32]
			*w = *w&^(mask<<(at%32)) | uint32(code)&mask<<(at%32)
		}
	}
}

// get reads the code of a place of D from the words of a case; of a complex element the part of the view.
func (r *rig) get(out []uint32, place, instance int) uint64 {
	s := &r.sides[atom.OperandC]
	at := r.offset(atom.OperandC, place, instance) + r.view.parts[atom.OperandC]*s.part
	switch bits := s.part; bits {
	case 64:
		return uint64(out[at/32]) | uint64(out[at/32+1])<<32
	default:
		return uint64(out[at/32]) >> (at % 32) & (1<<bits - 1)
	}
}

// product is get with the sign of A·B: the opposite sign if the view subtracts.
func (r *rig) product(out []uint32, place, instance int) uint64 {
	code := r.get(out, place, instance)
	if r.view.negative && code != 0 {
		code ^= 1 << (r.sides[atom.OperandC].part - 1)
	}
	return code
}

// kernel writes the kernel: it loads the operands of its case, executes the instruction once and stores D.
func (r *rig) kernel(name string, selector int64) (*ptx.Func, error) {
	c := &r.sides[atom.OperandC]
	k := newKernel(name, r.threads, c.words)
	var regs [3]ptx.Vec
	synchronize := false
	for o := range r.sides {
		s := &r.sides[o]
		if !s.shared {
			regs[o] = s.fragment.Regs(k.Builder)
			k.load(regs[o], s.fragment.Register, o, s.words)
			continue
		}
		tile := k.declareShared("shared"+atom.Operand(o).String(), s.words)
		k.toShared(tile, o, s.words, r.threads)
		regs[o] = ptx.Vec{lower.DescriptorAt(k.Builder, s.matrix, tile)}
		synchronize = true
	}
	operands := lower.Operands{D: c.fragment.Regs(k.Builder), A: regs[0], B: regs[1], C: regs[2], Selector: selector}
	if r.e != nil {
		operands.Metadata = k.Let(ptx.U32, "ld.global.u32", ptx.Addr{Base: k.of(3, 1)})
	}
	if synchronize {
		lower.FenceShared(k.Builder)
		k.Emit("bar.sync", ptx.Int(0))
	}
	if !lower.IsWarpgroup(r.m) {
		if err := lower.MMA(k.Builder, r.m, operands); err != nil {
			return nil, err
		}
		k.store(operands.D, c.fragment.Register)
		k.Emit("ret")
		return k.Func()
	}
	lower.Fence(k.Builder)
	if err := lower.MMA(k.Builder, r.m, operands); err != nil {
		return nil, err
	}
	lower.Commit(k.Builder)
	lower.Wait(k.Builder, 0)
	k.store(operands.C, c.fragment.Register)
	k.Emit("ret")
	return k.Func()
}

// An alphabet has codes of a type that serve as digits: a product with 1 and a sum with 0 leave them unchanged.
type alphabet struct {
	codes []uint64
	one   uint64
	value func(code uint64) (float64, error)
}

// mostDigits limits an alphabet: no D of wgmma has more places.
const mostDigits = 1 << 14

// alphabetOf returns the digits of a type: 1, 2, ... for integers; the numbers from 1 up for floats, and for types of 8
// bits, which have few numbers, also down to 1/64. Bits have 0 and 1.
func alphabetOf(t dtype.Type) (alphabet, error) {
	a := alphabet{value: t.Decode, one: 1}
	switch {
	case t == dtype.B1:
		a.codes, a.value = []uint64{0, 1}, func(c uint64) (float64, error) { return float64(c), nil }
		return a, nil
	case t.Kind() == dtype.Signed, t.Kind() == dtype.Natural:
		n := t.Bits()
		if t.Kind() == dtype.Signed {
			n--
		}
		for c := uint64(1); c < min(mostDigits+1, uint64(1)<<n); c++ {
			a.codes = append(a.codes, c)
		}
		return a, nil
	}
	first := 1.0
	if t.Bits() == 8 {
		first = 1. / 64
	}
	low, err := t.Encode(first)
	if err != nil {
		return a, err
	}
	if a.one, err = t.Encode(1); err != nil {
		return a, err
	}
	step := uint64(1)
	if t == dtype.TF32 || t == dtype.F32 { // wgmma on types of 8 bits keeps at most 13 bits after the point
		step = 1 << 13
	}
	top := uint64(1)<<(t.Bits()-1) - 1
	for c := low; c <= top && len(a.codes) < mostDigits; c += step {
		x, err := t.Decode(c)
		if err != nil || x-x != 0 { // infinity or NaN
			break
		}
		a.codes = append(a.codes, c)
	}
	return a, nil
}
