package tensor

import (
	"sync"
)

// A CopyOption changes how [Copy] works, never what it copies.
type CopyOption func(*copyOptions)

// copyOptions holds the options.
type copyOptions struct{ workers int }

// Workers lets up to n goroutines share the work, along the outermost loop. Without it, and for n below 2, the copy
// runs in the caller's goroutine. Workers pays only for large tensors.
func Workers(n int) CopyOption { return func(c *copyOptions) { c.workers = n } }

// Copy sets dst(i) = src(i) for every index i in colexicographic order: copy(src, dst). The shapes may differ if the
// sizes agree.
//
// The loops are found by the algebra instead of taken from the shapes: both layouts are coalesced, refined to common
// extents, and sorted by the strides of the destination, so that modes merge wherever they are one run in both.
// Elements that are neighbours in both move as one run ([MaxCommonVector]). If the neighbours of one tensor are far
// apart in the other, as in a transpose, square blocks that fit in the cache are moved. Swizzled tensors move 2^M
// elements at a time.
//
// All of src is read before any of dst is written, as if through a buffer, so src and dst may overlap in any way. If
// several indices share a place in dst, the copy is done if they also share a place in src; otherwise the result would
// depend on the order, and the copy is refused. CuTe drops the modes of stride 0 of dst, and the result of other
// repetitions depends on the order.
//
// It returns [cute.CodeNotCongruent] if the sizes differ, [cute.CodeNotInjective] with two coordinates that share a
// place, [cute.CodeMode] if one of the tensors is padded ([CopyIf] copies those), [cute.CodeType] for a destination
// that cannot be written or a zero tensor, and [cute.CodeLimit] if the decision needs more than [cute.EnumLimit]
// elements.
func Copy[T any](src, dst Tensor[T], options ...CopyOption) error {
	const op = "copy"
	if src.v == nil {
		return missing(op, src.eng)
	}
	var c copyOptions
	for _, o := range options {
		o(&c)
	}
	src = src.flat()
	s, d := src.operand(), dst
	if err := writable(op, dst, s); err != nil {
		return err
	}
	if err := checkUnpadded(op, s, d.operand()); err != nil {
		return err
	}
	p, paired := pairUp(src.v, dst.v)
	if paired {
		p.arrange()
	}
	if !paired || !p.injective() {
		injective, err := single(op, dst.v, nil, s)
		if err != nil {
			return err
		}
		if !injective {
			c.workers = 1 // two goroutines must not write one place
		}
	}
	if overlaps(s, d.operand()) {
		switch {
		case samePlaces(src.v, dst.v): // nothing to do
		case paired && p.oneRun() && moveWhole(src, dst, p): // as memmove
		default:
			copyStaged(src, dst)
		}
		return nil
	}
	if !paired || !copyPaired(src, dst, p, c.workers) {
		copyEach(src, dst)
	}
	return nil
}

// oneRun reports whether all elements are one run in both.
func (p *commonLoops) oneRun() bool {
	return len(p.modes) == 0 && !p.isListed() && len(p.src.links)+len(p.dst.links) == 0
}

// moveWhole copies one run of Go memory with Go's copy, which handles overlaps.
func moveWhole[T any](src, dst Tensor[T], p commonLoops) bool {
	a, okA := src.eng.(*slice[T])
	b, okB := dst.eng.(*slice[T])
	if !okA || !okB {
		return false
	}
	s, d := p.from.s+p.src.base, p.from.d+p.dst.base
	copy(b.data[d:d+p.run], a.data[s:s+p.run])
	return true
}

// copyStaged reads all of src into a buffer, and writes the buffer to dst.
func copyStaged[T any](src, dst Tensor[T]) {
	buffer := make([]T, 0, src.Size())
	for x := range src.Values() {
		buffer = append(buffer, x)
	}
	cur := newCursor(dst.v)
	var buf [chunk]int64
	for part := cur.next(buf[:]); len(part) > 0; part = cur.next(buf[:]) {
		for k, at := range part {
			dst.eng.set(at, buffer[k])
		}
		buffer = buffer[len(part):]
	}
}

// copyEach copies element by element, in the order of the indices.
func copyEach[T any](src, dst Tensor[T]) {
	a, b := newCursor(src.v), newCursor(dst.v)
	from, inMemory := src.eng.(*slice[T])
	to, both := dst.eng.(*slice[T])
	var bufA, bufB [chunk]int64
	for part := a.next(bufA[:]); len(part) > 0; part = a.next(bufA[:]) {
		other := b.next(bufB[:])[:len(part)]
		if inMemory && both {
			for k, p := range part {
				to.data[other[k]] = from.data[p]
			}
			continue
		}
		for k, p := range part {
			dst.eng.set(other[k], src.eng.get(p))
		}
	}
}

// copyPaired copies along the loops, if both tensors are in memory.
func copyPaired[T any](src, dst Tensor[T], p commonLoops, workers int) bool {
	if a, ok := src.eng.(*slice[T]); ok {
		b, ok := dst.eng.(*slice[T])
		if !ok {
			return false
		}
		p.share(workers, func(p commonLoops) { copyLoops(a.data, b.data, p) })
		return true
	}
	a, okA := any(src.eng).(*packedEngine)
	b, okB := any(dst.eng).(*packedEngine)
	if !okA || !okB || a.wide != b.wide || !p.inBytes(a.wide) {
		return false
	}
	p.share(workers, func(p commonLoops) { copyLoops(a.data, b.data, p) })
	return true
}

// inBytes converts the loops to bytes if all runs begin and end at whole bytes.
func (p *commonLoops) inBytes(bits int64) bool {
	all := p.run | p.from.s | p.from.d | p.src.base | p.dst.base
	for _, m := range p.modes {
		all |= m.s | m.d
	}
	for _, x := range p.table {
		all |= x.s | x.d
	}
	if len(p.src.links)+len(p.dst.links) > 0 || p.rest[0] != nil || all*bits%8 != 0 {
		return false
	}
	scale := func(x *int64) { *x = *x * bits / 8 }
	for _, x := range []*int64{&p.run, &p.from.s, &p.from.d, &p.src.base, &p.dst.base} {
		scale(x)
	}
	for i := range p.modes {
		scale(&p.modes[i].s)
		scale(&p.modes[i].d)
	}
	for i := range p.table {
		scale(&p.table[i].s)
		scale(&p.table[i].d)
	}
	return true
}

// share runs f on parts of the loops, split along the last mode, in up to n goroutines.
func (p commonLoops) share(n int, f func(commonLoops)) {
	last := len(p.modes) - 1
	if n < 2 || last < 0 && p.run < int64(n) {
		f(p)
		return
	}
	cut := copyMode{p.run, 1, 1}
	if last >= 0 {
		cut = p.modes[last]
	}
	var wait sync.WaitGroup
	for w := range int64(n) {
		lo, hi := cut.n*w/int64(n), cut.n*(w+1)/int64(n)
		if lo == hi {
			continue
		}
		q := p
		q.from = place{p.from.s + lo*cut.s, p.from.d + lo*cut.d}
		if last >= 0 {
			q.modes = append([]copyMode(nil), p.modes...)
			q.modes[last].n = hi - lo
		} else {
			q.run = hi - lo
		}
		wait.Go(func() { f(q) })
	}
	wait.Wait()
}
