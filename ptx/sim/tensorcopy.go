package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/ptx"
	"girih/tensormap"
)

// This file implements tensor copies and reductions (PTX ISA, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor).

// tensorUse is one tensor copy or reduction instruction.
type tensorUse struct {
	completion
	object  access // the tensor map
	coord   []int  // slots
	offsets []int  // slots of im2col offsets
	shared  access
	load    bool
	mode    tensormap.Mode // the mode that the tensor map must have
	four    bool           // .tile::gather4 or .tile::scatter4
	reduce  string         // the operation of a reduction
}

// loadModes lists the load modes of loads (true) and of stores (false).
var loadModes = map[bool][]string{
	true:  {"tile", "tile::gather4", "im2col"},
	false: {"tile", "tile::scatter4", "im2col_no_offs"},
}

// tensorCopy reads all forms of tensor copies and reductions.
func (d *decoder) tensorCopy(o *opcode) (step, error) {
	spaces := o.spaces()
	if len(spaces) != 2 {
		return nil, fmt.Errorf("expected two state spaces")
	}
	to, from := spaces[0], spaces[1]
	u := &tensorUse{load: from == ptx.Global && (to == "shared::cta" || to == "shared::cluster")}
	if !u.load && (to != ptx.Global || from != "shared::cta") {
		return nil, fmt.Errorf("no copy from .%s to .%s", from, to)
	}
	name := "cp.async.bulk.tensor"
	if o.has("reduce") {
		name = "cp.reduce.async.bulk.tensor"
		if u.reduce = o.one("add", "min", "max", "inc", "dec", "and", "or", "xor"); u.reduce == "" || u.load {
			return nil, fmt.Errorf("no such reduction")
		}
	}
	if err := u.modes(o); err != nil {
		return nil, err
	}
	r := d.reader(o)
	if u.load {
		u.shared = r.address(to)
		u.shared.write = true
	}
	if r.err == nil {
		r.err = d.tensorOperand(u, o, r.ops.next())
	}
	if !u.load {
		u.shared = r.address(from)
	}
	u.completion = r.completion(to)
	u.op, u.same = name, true
	if r.err == nil {
		r.err = d.loadOperands(u, o, &r.ops)
	}
	r.policy()
	return r.end(u.step)
}

// modes reads the load mode.
func (u *tensorUse) modes(o *opcode) error {
	mode := o.one(loadModes[u.load]...)
	if mode == "" {
		mode = "tile"
	}
	if u.reduce != "" && mode == "tile::scatter4" {
		return fmt.Errorf("no reduction in four rows")
	}
	u.four = strings.HasPrefix(mode, "tile::")
	if strings.HasPrefix(mode, "im2col") {
		u.mode = tensormap.Im2col
	}
	return nil
}

// loadOperands reads the operands that only loads have.
func (d *decoder) loadOperands(u *tensorUse, o *opcode, ops *operands) (err error) {
	if !u.load {
		return nil
	}
	u.pair = o.has("cta_group::2")
	o.skip("cta_group::1")
	if u.mode == tensormap.Im2col && len(*ops) > 0 {
		if v, ok := (*ops)[0].(ptx.Vec); ok {
			ops.next()
			if u.offsets, err = d.srcs(v, ptx.U16); err != nil {
				return err
			}
		}
	}
	u.mask, err = d.optional(o, "multicast::cluster", ops)
	return err
}

// tensorOperand reads [map, {coordinates}].
func (d *decoder) tensorOperand(u *tensorUse, o *opcode, x ptx.Operand) (err error) {
	a, ok := x.(ptx.Addr)
	if !ok || len(a.Args) != 1 {
		return fmt.Errorf("operand %v: expected a tensor map with coordinates", x)
	}
	if u.object, err = d.address(ptx.Addr{Base: a.Base, Offset: a.Offset}, ""); err != nil {
		return err
	}
	u.object.unit, u.object.count = mapBytes, 1
	v, ok := a.Args[0].(ptx.Vec)
	if !ok {
		v = ptx.Vec{a.Args[0]}
	}
	dim := o.one("1d", "2d", "3d", "4d", "5d")
	n := 0
	if dim != "" {
		n = int(dim[0] - '0')
	}
	if u.four && n == 2 {
		n = 5
	}
	if n == 0 || len(v) != n {
		return fmt.Errorf("%d coordinates for .%s", len(v), dim)
	}
	u.coord, err = d.srcs(v, ptx.S32)
	return err
}

// dims returns the number of dimensions that the instruction states.
func (u *tensorUse) dims() int {
	if u.four {
		return 2
	}
	return len(u.coord)
}

// step begins a copy for each lane, one after another.
func (u *tensorUse) step(w *warp, mask uint32) status {
	bar := -1
	if !u.group {
		bar = u.bar.at.slot
	}
	for _, list := range [][]int{u.coord, u.offsets, {u.object.at.slot, u.shared.at.slot, bar, u.mask}} {
		if st := w.needValues(mask, list...); st != advance {
			return st
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		if st := u.one(w, lowest(m)); st != advance {
			return st
		}
	}
	return advance
}

// tensor returns the tensor map at the address of a lane, and the region of the map's bytes.
func (w *warp) tensor(a *access, lane int) (*tensorObject, region) {
	address := w.addressOf(a, lane)
	seg, off := w.extent(*a, lane, mapBytes, mapAlign)
	at := region{seg: seg, off: off, n: mapBytes, lane: uint8(lane), object: true}
	if seg == nil || w.isNowhere(seg) {
		return nil, at
	}
	if seg.scratch {
		w.fail(KindArgument, 1<<lane, "the tensor map at address 0x%x is in %s, and it has to be in parameters, constants or global memory (PTX ISA, %s)",
			address, seg.name, w.opName())
		w.fault.Address = address
		return nil, at
	}
	for i := uint64(0); i < mapBytes; i += 64 {
		if seg.definedBits(off+i, 64) != ones(64) {
			w.unwritten(seg, lane, address, mapBytes)
			return nil, at
		}
	}
	if !w.mayUseMap(at, address) {
		return nil, at
	}
	g := w.block.grid
	key := [mapBytes]byte(seg.data[off : off+mapBytes])
	t := g.tensors[key]
	if t == nil {
		if g.tensors == nil || len(g.tensors) >= maxTensors {
			g.tensors = map[[mapBytes]byte]*tensorObject{}
		}
		t = newTensorObject(key[:])
		g.tensors[key] = t
	}
	return t, at
}

// maxTensors limits the decoded tensor maps that a run keeps. At the limit, the run drops all of them.
const maxTensors = 256

// use returns the box of t that the instruction accesses in a lane.
func (u *tensorUse) use(w *warp, t *tensorObject, lane int) (boxUse, status) {
	if t.err == nil && (t.Rank() != u.dims() || t.Mode != u.mode) {
		return boxUse{}, w.fail(KindArgument, 1<<lane, "a tensor map of %d dimensions in the mode %s, and the instruction is for %d in the mode %s (PTX ISA, %s)",
			t.Rank(), t.Mode, u.dims(), u.mode, w.opName())
	}
	f := w.f
	use := boxUse{store: !u.load}
	for _, s := range u.coord {
		use.Coord = append(use.Coord, int64(int32(f.regs[s][lane])))
	}
	if u.four {
		use.rows, use.Coord = use.Coord[1:], use.Coord[:1]
	}
	for _, s := range u.offsets {
		use.Offsets = append(use.Offsets, int64(uint16(f.regs[s][lane])))
	}
	use.Shared = int64(u.place(w, lane) & (1<<rankShift - 1))
	return use, advance
}

func (u *tensorUse) one(w *warp, lane int) status {
	t, object := w.tensor(&u.object, lane)
	if t == nil {
		return failed
	}
	use, st := u.use(w, t, lane)
	if st != advance {
		return st
	}
	address := w.addressOf(&u.shared, lane)
	if address%sharedAlign != 0 {
		w.fail(KindAlign, 1<<lane, "address 0x%x is no multiple of the %d bytes at which a box begins in shared memory (PTX ISA, %s)",
			address, sharedAlign, w.opName())
		w.fault.Address = address
		if !w.goesOn() {
			return failed
		}
	}
	p, moved, err := t.plan(use)
	if err != nil {
		st := w.fail(KindArgument, 1<<lane, "the box at coordinates %v of a tensor: %s", use.Coord, reasonOf(err))
		w.fault.Address = w.addressOf(&u.object, lane)
		return st
	}
	b := boxAt{tensorObject: t, object: object, plan: p, global: t.Address + uint64(moved), memory: w.block.grid.memory}
	if u.reduce != "" {
		if b.reduce = tensorReduction(u.reduce, t.Type); b.reduce == nil {
			return w.fail(KindArgument, 1<<lane, "no .%s of elements of type %s (PTX ISA, cp.reduce.async.bulk.tensor)",
				u.reduce, t.Type)
		}
	}
	return u.begin(w, lane, &b)
}

// place returns the start of a lane's box in shared memory. If the run goes on after an address that is not a multiple
// of sharedAlign, the address is rounded down.
func (u *tensorUse) place(w *warp, lane int) uint64 {
	return w.addressOf(&u.shared, lane) &^ (sharedAlign - 1)
}

// sharedAlign is the alignment of a box in shared memory, in bytes (PTX ISA, Tensors; CUDA C++ Programming Guide,
// Tensor Memory Access).
const sharedAlign = 128

// reasonOf returns the message of an error of package cute, without its code.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*cute.Error](err); ok {
		if e.Hint != "" {
			return e.Msg + " (" + e.Hint + ")"
		}
		return e.Msg
	}
	return err.Error()
}

// begin finds the bytes of a box and begins its copy.
func (u *tensorUse) begin(w *warp, lane int, b *boxAt) status {
	seg, off, st := u.box(w, lane, b.plan)
	if st != advance {
		return u.nothing(w, lane, b)
	}
	tensor, st := u.global(w, lane, b)
	if st != advance {
		return u.nothing(w, lane, b)
	}
	w.noteBox(b)
	shared := func(to spot) []region {
		var list []region
		for _, s := range b.plan.shared {
			list = append(list, region{seg: to.seg, off: to.off + uint64(s.at), n: uint64(s.n), lane: uint8(lane)})
		}
		return list
	}
	return u.send(w, lane, sending{
		to: spot{seg, off}, bytes: u.transactionBytes(b), object: b.object,
		part: func(to spot) *operation {
			c := *b
			c.shared = to
			w.block.grid.recorder().box(w, lane, c, u)
			if u.load {
				return &operation{reads: tensor, writes: shared(to), move: func(*operation) opFault { c.load(); return opFault{} }}
			}
			return &operation{
				reads: shared(to), writes: tensor, move: func(*operation) opFault { return c.store() },
				keep: func() {
					first, last := c.plan.shared[0], c.plan.shared[len(c.plan.shared)-1]
					low := to.off + uint64(first.at)
					c.shared = spot{to.seg, low}.snapshot(uint64(last.at + last.n - first.at))
					c.shared.off -= uint64(first.at)
				},
			}
		},
	})
}

// nothing completes a copy after a finding, if the run goes on. The copy moves no bytes, but its mbarrier counts all
// bytes of the copy.
func (u *tensorUse) nothing(w *warp, lane int, b *boxAt) status {
	if !w.goesOn() {
		return failed
	}
	return u.send(w, lane, sending{
		to: spot{&w.block.grid.void, 0}, bytes: u.transactionBytes(b), object: b.object,
		part: func(spot) *operation { return &operation{quiet: true} },
	})
}

// transactionBytes returns the number of bytes that an mbarrier counts for a copy.
func (u *tensorUse) transactionBytes(b *boxAt) int64 {
	if u.four {
		return 4 * b.Bytes()
	}
	return b.Bytes()
}

// box returns the segment and offset of a lane's box in shared memory.
func (u *tensorUse) box(w *warp, lane int, p *boxPlan) (*segment, uint64, status) {
	address := u.place(w, lane)
	seg, at := w.segmentOf(u.shared.space, lane, address)
	first, last := p.shared[0], p.shared[len(p.shared)-1]
	n := int(last.at + last.n - first.at)
	if seg == nil || !seg.holds(at+uint64(first.at), n) {
		a := u.shared
		a.unit, a.count = n, 1
		w.outside(&a, lane, address+uint64(first.at))
		return nil, 0, failed
	}
	if !w.mayReach(seg, lane, address) {
		return nil, 0, failed
	}
	return seg, at - seg.base, advance
}

// global returns the regions of the box in the tensor.
func (u *tensorUse) global(w *warp, lane int, b *boxAt) ([]region, status) {
	var list []region
	atomic := b.reduce != nil
	var seg *segment
	for _, s := range b.plan.global {
		at := b.global + uint64(s.at)
		if seg == nil || !seg.holds(at, int(s.n)) {
			seg = b.memory.find(at)
		}
		if seg == nil || !seg.holds(at, int(s.n)) {
			a := access{space: ptx.Global, unit: int(s.n), count: 1, write: !u.load}
			w.outside(&a, lane, at)
			w.fault.Message = fmt.Sprintf("a box of the tensor at 0x%x: %s", b.Address, w.fault.Message)
			return nil, failed
		}
		if seg.readOnly && !u.load {
			st := w.fail(KindReadOnly, 1<<lane, "writes to address 0x%x in %s, which is read-only", at, seg.name)
			w.fault.Address = at
			return nil, st
		}
		list = append(list, region{seg: seg, off: at - seg.base, n: uint64(s.n), lane: uint8(lane), atomic: atomic})
	}
	for _, s := range b.plan.spare { // only the part inside a buffer
		at := b.global + uint64(s.at)
		if seg := b.memory.find(at); seg != nil && !seg.readOnly {
			n := min(uint64(s.n), seg.base+uint64(len(seg.data))-at)
			list = append(list, region{seg: seg, off: at - seg.base, n: n, lane: uint8(lane), atomic: atomic})
		}
	}
	return list, advance
}

// tensorReduction returns the named reduction of elements of type t, or nil. The reductions come from the table in
// the PTX ISA, except that an H100 also adds .f64 and .tf32, does not add .s64, and does not flush .f32.
func tensorReduction(name string, t tensormap.Type) *reduction {
	typ := reducedTypes[t]
	if !slices.Contains(typ.ops, name) {
		return nil
	}
	r := newReduction(name, typ.typ)
	if t == tensormap.Float32FTZ || t == tensormap.TFloat32FTZ {
		r = r.flushSubnormals()
	}
	return r
}

// reducedTypes lists the tensor types that reductions accept, each with the type of the operation and the operations.
var reducedTypes = map[tensormap.Type]struct {
	typ ptx.Type
	ops []string
}{
	tensormap.UInt32:      {ptx.U32, []string{"add", "inc", "dec", "min", "max", "and", "or", "xor"}},
	tensormap.Int32:       {ptx.S32, []string{"add", "min", "max", "and", "or", "xor"}},
	tensormap.UInt64:      {ptx.U64, []string{"add", "min", "max", "and", "or", "xor"}},
	tensormap.Int64:       {ptx.S64, []string{"min", "max", "and", "or", "xor"}},
	tensormap.Float16:     {ptx.F16, []string{"add", "min", "max"}},
	tensormap.BFloat16:    {ptx.BF16, []string{"add", "min", "max"}},
	tensormap.Float32:     {ptx.F32, []string{"add"}},
	tensormap.TFloat32:    {ptx.F32, []string{"add"}},
	tensormap.Float32FTZ:  {ptx.F32, []string{"add"}},
	tensormap.TFloat32FTZ: {ptx.F32, []string{"add"}},
	tensormap.Float64:     {ptx.F64, []string{"add"}},
}

// bulkPrefetch reads cp.async.bulk.prefetch and .prefetch.tensor. These instructions are hints, so only their syntax
// and operands are checked.
func (d *decoder) bulkPrefetch(o *opcode) (step, error) {
	ops := operands(o.Operands)
	o.skip("L2", "global")
	if o.has("tensor") {
		u := &tensorUse{load: true, completion: completion{mask: -1}}
		if err := u.modes(o); err != nil {
			return nil, err
		}
		if err := d.tensorOperand(u, o, ops.next()); err != nil {
			return nil, err
		}
		if err := d.loadOperands(u, o, &ops); err != nil {
			return nil, err
		}
		if err := d.policy(o, &ops); err != nil {
			return nil, err
		}
		if err := o.end(ops); err != nil {
			return nil, err
		}
		return u.prefetch, nil
	}
	a, err := d.address(ops.next(), ptx.Global)
	if err != nil {
		return nil, err
	}
	size, err := d.src(ops.next(), ptx.U32)
	if err != nil {
		return nil, err
	}
	if err := d.policy(o, &ops); err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		if st := w.needValues(mask, a.at.slot, size); st != advance {
			return st
		}
		for m := mask; m != 0; m &= m - 1 {
			lane := lowest(m)
			n := w.f.regs[size][lane] & ones(32)
			if n%bulkAlign != 0 {
				return w.fail(KindArgument, 1<<lane, "prefetches %d bytes, no multiple of %d (PTX ISA, %s)", n, bulkAlign, w.opName())
			}
			if seg, _ := w.extent(a, lane, n, bulkAlign); seg == nil && n > 0 {
				return failed
			}
		}
		return advance
	}, nil
}

// prefetch checks whether the boxes of the lanes are legal.
func (u *tensorUse) prefetch(w *warp, mask uint32) status {
	for _, list := range [][]int{u.coord, u.offsets, {u.object.at.slot}} {
		if st := w.needValues(mask, list...); st != advance {
			return st
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		t, _ := w.tensor(&u.object, lane)
		if t == nil {
			return failed
		}
		use, st := u.use(w, t, lane)
		if st != advance {
			return st
		}
		use.Shared = 0
		if _, _, err := t.plan(use); err != nil {
			return w.fail(KindArgument, 1<<lane, "the box at coordinates %v of a tensor: %s", use.Coord, reasonOf(err))
		}
	}
	return advance
}
