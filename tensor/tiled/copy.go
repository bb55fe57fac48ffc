package tiled

import (
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
)

// Copy executes the instructions of all threads of a tiled copy: cute::copy(tiled_copy, src, dst). Source and
// destination are each an undivided tensor with the modes of the tile, or the parts of all threads ([PartitionS],
// [PartitionD], registers retiled for the copy); or both are one thread's parts, if the copy belongs to one thread.
// Each value goes where the instruction puts it: ldmatrix distributes rows of shared memory to the registers of a warp,
// and movmatrix transposes those.
//
// All of src is read before any of dst is written. It returns [cute.CodeRank] and [cute.CodeNotCongruent] for tensors
// that do not match the copy, with the shapes; [cute.CodeNotDivisible] if the tile does not divide a tensor;
// [cute.CodeType] for elements of another width, for a tensor in a memory that the instruction does not read or write
// ([tensor.Tensor.In]), and for one thread's part if the instruction belongs to several threads;
// [cute.CodeNotRepresentable] if the elements that a thread accesses at one address are not contiguous, or not at a
// multiple of their length, with two such elements and a copy that fits; [cute.CodeNotInjective] if two values would be
// written to one place, with their coordinates; [cute.CodeMode] for padded tensors, which [CopyIf] copies; and the
// errors of [tensor.Copy].
func Copy[T any](c atom.TiledCopy, src, dst tensor.Tensor[T]) error {
	const op = "copy"
	p, err := newPair(op, c, src, dst)
	if err != nil {
		return err
	}
	for _, t := range []tensor.Tensor[T]{p.src, p.dst} {
		if t.Padded() {
			return advise("CopyIf with the predicate of the tensor, Predicate, copies what is there",
				refuse(op, cute.CodeMode, "%v is padded: some coordinates have no element", t))
		}
	}
	if err := p.fit(nil); err != nil {
		return err
	}
	if p.src, err = p.inDeliveryOrder(p.src); err != nil {
		return err
	}
	return addName(c, tensor.Copy(p.src, p.dst))
}

// CopyIf is [Copy] of the instructions whose predicate is true: cute::copy_if(tiled_copy, pred, src, dst). The
// predicate has the shape of the source or, if the source is divided among threads, its shape without the mode of the
// values: one truth value for each instruction. The truth value must be the same for all values of an instruction.
// Tensors may be padded where the predicate is false, as [tensor.Tensor.Predicate] is.
//
// Where the predicate is false the destination keeps its values, except with the cp.async that fill
// (SM80_CP_ASYNC_*_ZFILL), which write zeros. It returns the errors of Copy, [cute.CodeNotCongruent] for a predicate of
// another shape, and [cute.CodeMode] if it is true at padding or differs between values of one instruction, with their
// coordinates.
func CopyIf[T any](c atom.TiledCopy, pred tensor.Tensor[bool], src, dst tensor.Tensor[T]) error {
	const op = "copy_if"
	if err := present(op, pred); err != nil {
		return err
	}
	p, err := newPair(op, c, src, dst)
	if err != nil {
		return err
	}
	whole := pred.Rank() == src.Rank() && p.srcForm == undivided
	if whole {
		if pred, err = PartitionS(c, pred); err != nil {
			return err
		}
	}
	if pred, err = p.perInstruction(pred); err != nil {
		return err
	}
	mask, err := listElements(op, pred)
	if err != nil {
		return err
	}
	if err := p.wholeInstructions(mask); err != nil {
		return err
	}
	if err := p.fit(mask); err != nil {
		return err
	}
	if p.src, err = p.inDeliveryOrder(p.src); err != nil {
		return err
	}
	delivered, err := p.deliveredMask(mask)
	if err != nil {
		return err
	}
	if err := tensor.CopyIf(delivered, p.src, p.dst); err != nil {
		return addName(c, err)
	}
	if strings.HasSuffix(strings.SplitN(c.Atom().Name, "<", 2)[0], "_ZFILL") {
		return p.fillRest(delivered)
	}
	return nil
}

// addName adds the name of the instruction to an error.
func addName(c atom.TiledCopy, err error) error {
	e, ok := err.(*cute.Error)
	if !ok {
		return err
	}
	out := *e
	out.Msg = c.Atom().Name + ": " + e.Msg
	return &out
}

// A form says how much of a tensor an operand is: all of it, one thread's part, or the parts of all threads.
type form int

const (
	undivided form = iota
	oneThread
	allThreads
)

// A pair is the source and the destination of a copy as parts, of one thread or of all: the modes (Thr,V,RestM,...) or
// (V,RestM,...).
type pair[T any] struct {
	op               string
	copy             atom.TiledCopy
	src, dst         tensor.Tensor[T]
	srcForm, dstForm form
	threads          bool // the first mode of the parts counts threads
}

func newPair[T any](op string, c atom.TiledCopy, src, dst tensor.Tensor[T]) (*pair[T], error) {
	if err := present(op, src); err != nil {
		return nil, err
	}
	if err := present(op, dst); err != nil {
		return nil, err
	}
	a := c.Atom()
	if c.Size() == 0 {
		return nil, refuse(op, cute.CodeType, "expected a tiled copy that MakeTiledCopy or a relative returned, found the zero TiledCopy")
	}
	p := &pair[T]{op: op, copy: c, src: src, dst: dst}
	for _, t := range []tensor.Tensor[T]{src, dst} {
		if bits := t.Bits(); bits != a.Type.Bits() {
			return nil, advise("make the copy atom with the element type of the tensors",
				refuse(op, cute.CodeType, "%s copies values of %d bits (%v), and %v has elements of %d", a.Name, a.Type.Bits(),
					a.Type, t, bits))
		}
	}
	if err := p.spaces(); err != nil {
		return nil, err
	}
	p.srcForm, p.dstForm = p.formOf(src, source), p.formOf(dst, destination)
	if (p.srcForm == oneThread) != (p.dstForm == oneThread) {
		return nil, p.noForm()
	}
	var err error
	if p.srcForm == undivided {
		if p.src, err = PartitionS(c, src); err != nil {
			return nil, err
		}
	}
	if p.dstForm == undivided {
		if p.dst, err = PartitionD(c, dst); err != nil {
			return nil, err
		}
	}
	p.threads = p.srcForm != oneThread
	if n := a.Threads(); !p.threads && n > 1 {
		return nil, advise("give it what all threads have: PartitionS and PartitionD of the tiled copy itself",
			refuse(op, cute.CodeType, "%s is executed by %d threads together, and %v is what one has", a.Name, n, src.Shape()))
	}
	return p, p.sameRests()
}

// values returns the number of threads of a side, and the number of values of each.
func (p *pair[T]) values(s side) (threads, values int64) {
	tv := p.copy.LayoutSrcTV()
	if s == destination {
		tv = p.copy.LayoutDstTV()
	}
	var buf [2]int64
	n := tv.AppendModeSizes(buf[:0])
	return n[0], n[1]
}

// valueMode returns the mode of the values in a part.
func (p *pair[T]) valueMode() int {
	if p.threads {
		return 1
	}
	return 0
}

// formOf determines the form of an operand from its modes.
func (p *pair[T]) formOf(t tensor.Tensor[T], s side) form {
	rank := p.copy.Shape().Rank()
	threads, values := p.values(s)
	var buf [8]int64
	n := t.Domain().AppendModeSizes(buf[:0])
	switch {
	case len(n) == rank+2 && n[0] == threads && n[1] == values:
		return allThreads
	case len(n) == rank+1 && n[0] == values:
		return oneThread
	}
	return undivided
}

func (p *pair[T]) noForm() error {
	threads, values := p.values(source)
	_, written := p.values(destination)
	return advise("PartitionS and PartitionD return the parts of the same threads",
		refuse(p.op, cute.CodeNotCongruent,
			"%s copies tiles %v, or what %d threads have of them, %d values read and %d written by each; the source %v and the destination %v are not of the same kind",
			p.copy.Atom().Name, p.copy.Shape(), threads, values, written, p.src.Shape(), p.dst.Shape()))
}

// spaces refuses tensors that are not in the instruction's memories.
func (p *pair[T]) spaces() error {
	a := p.copy.Atom()
	for _, x := range []struct {
		what, verb string
		t          tensor.Tensor[T]
		side       atom.CopySide
	}{{"source", "reads", p.src, a.From}, {"destination", "writes", p.dst, a.To}} {
		found, want := x.t.Space(), x.side.Space
		if found == want || found == atom.Anywhere || want == atom.Anywhere {
			continue
		}
		return advise("In says where a tensor lies; copies of "+found.String()+" are among atom.Copies",
			refuse(p.op, cute.CodeType, "%s %s %v, and the %s %v is in %v", a.Name, x.verb, want, x.what, x.t, found))
	}
	return nil
}

// sameRests refuses parts whose numbers of tiles differ.
func (p *pair[T]) sameRests() error {
	skip := 1
	if p.threads {
		skip = 2
	}
	var bufS, bufD [8]int64
	s := p.src.Domain().AppendModeSizes(bufS[:0])
	d := p.dst.Domain().AppendModeSizes(bufD[:0])
	n, m := int64(1), int64(1)
	for _, x := range s[skip:] {
		n *= x
	}
	for _, x := range d[skip:] {
		m *= x
	}
	if n != m {
		return refuse(p.op, cute.CodeNotCongruent,
			"the source has %d tiles %v and the destination %d: %v and %v", n, p.copy.Shape(), m, p.src.Shape(), p.dst.Shape())
	}
	return nil
}

// inDeliveryOrder returns the source in the order of the destination: at each (thread, value), the value that the
// instruction delivers there.
func (p *pair[T]) inDeliveryOrder(t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	from, identity, err := deliver(p.copy)
	if err != nil || identity || !p.threads {
		return t, err
	}
	return t.Map(from.apply)
}

// A delivery maps (thread, value) of the destination to the index of the (thread, value) of the source that it
// receives.
type delivery struct{ layout cute.Layout }

// apply arranges the modes (Thr,V,Rest...) of the source in the order of the destination.
func (d delivery) apply(l cute.Layout) (cute.Layout, error) {
	modes := l.Modes()
	tv, err := cute.MakeLayout(modes[0], modes[1])
	if err != nil {
		return l, err
	}
	if tv, err = cute.Composition(tv, d.layout); err != nil {
		return l, err
	}
	return cute.MakeLayout(append(tv.Modes(), modes[2:]...)...)
}

// deliver returns the delivery of a copy, and whether it is the identity.
func deliver(c atom.TiledCopy) (d delivery, identity bool, err error) {
	s, t := c.LayoutSrcTV(), c.LayoutDstTV()
	if s.Equal(t) {
		return d, true, nil
	}
	inverse, err := cute.RightInverse(s)
	if err != nil {
		return d, false, err
	}
	reach, err := t.Cosize()
	if err != nil {
		return d, false, err
	}
	if inverse.Size() < reach {
		// A tcgen05.cp that writes what it reads several times numbers its reads by the values.
		if n := s.AppendModeSizes(nil); slices.Equal(n, t.AppendModeSizes(nil)) {
			return d, true, nil
		}
		return d, false, refuse("copy", cute.CodeNotInvertible,
			"%s reads %d elements of its tile and writes %d: which value goes where is not known", c.Atom().Name,
			inverse.Size(), reach)
	}
	d.layout, err = cute.Composition(inverse, t)
	return d, false, err
}
