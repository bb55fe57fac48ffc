package sim

// This file compares the bytes that operations leave. Kernels of CUTLASS let all lanes of a warp execute one
// cp.async.bulk.tensor, and two warpgroups of Triton may store the same tile:
//
//	lane 0: copy the tile to x; commit; wait_group.read 0
//	lane 1: copy the tile to x		nothing orders the two, and each order leaves the same bytes
//
// This is a race, same value: see GradeSame. What an operation will leave is known when it begins, since its source may
// not change before it has completed. So the operation is executed early, and undone.

// imageOf returns the bytes that o will leave, one copy for each region that o writes.
func (o *operation) imageOf() []spot {
	if o.image != nil || o.move == nil || len(o.writes) == 0 {
		return o.image
	}
	var before []spot
	for _, r := range o.writes {
		before = append(before, spot{r.seg, r.off}.snapshot(r.n))
	}
	o.move(o)
	for i, r := range o.writes {
		o.image = append(o.image, spot{r.seg, r.off}.snapshot(r.n))
		copyBytes(spot{r.seg, r.off}, before[i], r.n)
	}
	o.warp.block.grid.keep(o.imageBytes())
	return o.image
}

// forgetImage releases the memory of the image, if o has one.
func (o *operation) forgetImage() {
	o.warp.block.grid.keep(-o.imageBytes())
	o.image = nil
}

// imageBytes returns the size of the image.
func (o *operation) imageBytes() int {
	n := 0
	for _, s := range o.image {
		n += len(s.seg.data) * 9 / 8
	}
	return n
}

// left returns where the byte at off of seg is that o will leave there.
func (o *operation) left(seg *segment, off uint64) (at spot, ok bool) {
	image := o.imageOf()
	for i := range image {
		if r := &o.writes[i]; r.seg == seg && r.off <= off && off < r.off+r.n {
			return spot{image[i].seg, image[i].off + off - r.off}, true
		}
	}
	return spot{}, false
}

// agrees reports whether o leaves the bytes of mask from at on as p does, or as they are, if p is nil.
func (o *operation) agrees(p *operation, at spot, mask uint64) bool {
	for off := at.off; mask != 0; off, mask = off+1, mask>>1 {
		if mask&1 == 0 {
			continue
		}
		mine, ok := o.left(at.seg, off)
		other := spot{at.seg, off}
		if p != nil && ok {
			other, ok = p.left(at.seg, off)
		}
		if !ok || mine.seg.data[mine.off] != other.seg.data[other.off] ||
			mine.seg.definedBits(mine.off, 1) != other.seg.definedBits(other.off, 1) {
			return false
		}
	}
	return true
}

// overwrites checks that o may write bytes of l, the line at a spot, that others use too, in no order. It returns the
// bytes that o leaves as the others do, and whether the run goes on. Lines are of global memory: in shared memory, a
// ring of tiles in which a wait is missing may load equal tiles.
func (w *warp) overwrites(o *operation, l *line, at spot, by *second) (alike uint64, ok bool) {
	for k, list := range l.all() {
		for i := range list {
			x, wrote := &list[i], k%2 == 0
			if !x.isUnordered(w, by) || wrote && (l.unread(x, w, by) == 0 || o.atomic() && x.how&byAtom != 0) {
				continue
			}
			note := func() { w.lineConflict(at.seg, at.off, x, *by) }
			if !wrote || !o.agreesWith(x, at, by.bytes) {
				note()
				return alike, w.suspect()
			}
			if alike |= x.mask & by.bytes; !w.checkAs(GradeSame, x.at, note) {
				return alike, false
			}
		}
	}
	return alike, true
}

// split calls note with the record of the bytes of r that another write leaves alike, and of the others. Readers need
// to know only one of the two writes of a byte.
func (r record) split(alike uint64, note func(r record)) {
	n := r
	n.mask, n.how = r.mask&alike, r.how|agreed
	if r.mask &^= alike; r.mask != 0 {
		note(r)
	}
	if n.mask != 0 {
		note(n)
	}
}

// alike returns the bytes of l that the operation with that number, which is in flight, leaves as another write does.
func (l *line) alike(number uint32) uint64 {
	mask := uint64(0)
	for i, list := range l.all() {
		for _, r := range list {
			if i%2 == 0 && r.how&inFlight != 0 && r.how&agreed != 0 && r.time == number {
				mask |= r.mask
			}
		}
	}
	return mask
}

// agreesWith reports whether o leaves the bytes of mask that x has written, or will write, as x does.
func (o *operation) agreesWith(x *record, at spot, mask uint64) bool {
	if o.atomic() || x.how&byAtom != 0 {
		return false // each depends on the bytes before it
	}
	var p *operation
	if x.how&inFlight != 0 {
		p = o.warp.block.grid.ops[x.time]
	}
	return o.agrees(p, at, x.mask&mask)
}
