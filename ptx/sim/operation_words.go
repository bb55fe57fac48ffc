package sim

// This file marks and records the words of shared memory that operations read and write. A tile has thousands of words,
// and most of these have the same history: the check of one word holds for the next ones, too.

// wordsFrom returns the words of the page that contains off, from off on and at most up to end, and the page.
func (s *segment) wordsFrom(off, end uint64) (*wordPage, []word) {
	page, i := s.wordPage(off), off/4%pageWords
	return page, page.words[i:min(pageWords, i+(end-off+3)/4)]
}

// beginReadWords is beginRead for shared memory.
func (w *warp) beginReadWords(o *operation, r *region) bool {
	if r.seg.tensor {
		defer w.withTensor()()
	}
	last := word{writer: w.actor} // the last word that may be read; what was written with it may be read, too
	exact := w.knowsParts()
	for off, end := r.off&^3, r.off+r.n; off < end; {
		_, words := r.seg.wordsFrom(off, end)
		for i := range words {
			x := &words[i]
			same := x.wrote == last.wrote && x.writer == last.writer && x.how == last.how && x.filling == 0 &&
				(x.wroteAt == last.wroteAt || !exact && x.writer != w.actor)
			if !same && (x.filling != 0 || x.bytes&regionBytes(r, off) != 0) {
				if !w.mayBeginRead(o, r, x, off) {
					return false
				}
				if last = *x; x.how.isStrong() {
					last = word{writer: w.actor} // which reads may have observed
				}
			}
			o.drain(x)
			off += 4
		}
	}
	return true
}

// drain marks x as a word that o reads.
func (o *operation) drain(x *word) {
	if x.draining != 0 && x.draining != o.number && o.under == nil {
		o.under = o.warp.block.grid.ops[x.draining]
	}
	x.draining = o.number
}

// mayBeginRead reports whether o may read the word at off, or the run goes on after the finding that it may not.
func (w *warp) mayBeginRead(o *operation, r *region, x *word, off uint64) bool {
	lane := int(r.lane)
	if r.seg.tensor {
		return w.mayTouchTensor(tensorTouch{o, x, crossing{r.seg, r.seg.base + off, false}, lane, allBytes})
	}
	if x.filling != 0 || !w.mayRead(x, r.seg, off, byLane{lane: lane, bytes: regionBytes(r, off)}) {
		w.readConflict(r.seg, off, x, lane)
		return w.goesOn()
	}
	return !o.byProxy(r) || w.wordProxied(x, crossing{r.seg, r.seg.base + off, false}, lane)
}

// beginWriteWords is beginWrite for shared memory.
func (w *warp) beginWriteWords(o *operation, r *region) bool {
	if r.seg.tensor {
		defer w.withTensor()()
	}
	var last word // the last word that may be written, if known is set; so may others that are the same
	known := false
	for off, end := r.off&^3, r.off+r.n; off < end; {
		page, words := r.seg.wordsFrom(off, end)
		for i := range words {
			x := &words[i]
			if !known || *x != last || page.tensors != nil && off%pieceBytes == 0 {
				last, known = *x, !x.how.isStrong() && off >= r.off && off+8 <= end // so that the next word is whole, too
				if !w.mayBeginWrite(o, r, x, off) {
					return false
				}
			} else if off+8 > end {
				known = false
			}
			if x.filling == 0 || !r.atomic || !w.block.grid.ops[x.filling].atomic() {
				x.filling = o.number
			}
			off += 4
		}
	}
	return true
}

// mayBeginWrite reports whether o may write the word x at off, or the run goes on after the finding that it may not.
func (w *warp) mayBeginWrite(o *operation, r *region, x *word, off uint64) bool {
	if r.seg.tensor {
		return w.mayTouchTensor(tensorTouch{o, x, crossing{r.seg, r.seg.base + off, true}, int(r.lane), allBytes})
	}
	if x.filling != 0 && r.atomic && w.block.grid.ops[x.filling].atomic() {
		return true
	}
	by := byLane{int(r.lane), regionBytes(r, off), r.strength()}
	if !w.mayWrite(x, r.seg, off, by) {
		w.writeConflict(r.seg, off, x, by)
		return w.suspect()
	}
	return !o.byProxy(r) || w.mayWriteByProxy(x, r.seg, off, by)
}

// regionBytes returns which bytes of the word at off are in r, one bit each.
func regionBytes(r *region, off uint64) uint8 {
	b := uint8(allBytes)
	if off < r.off {
		b &= allBytes << (r.off - off)
	}
	if end := r.off + r.n; off+4 > end {
		b &= allBytes >> (off + 4 - end)
	}
	return b & allBytes
}

// landWords records that o has read the words of r in shared memory. Another operation may still read region still.
func (o *operation) landWords(r *region, m moment, still stillRead) {
	b := r.seg.owner
	home := m.who >= b.first && int(m.who-b.first) < len(b.warps)
	for off, end := r.off&^3, r.off+r.n; off < end; {
		_, words := r.seg.wordsFrom(off, end)
		for i := range words {
			x := &words[i]
			if x.draining == o.number {
				if x.draining = 0; still.seg == r.seg && off-still.off < still.n {
					x.draining = still.number
				}
			}
			switch {
			case o.warpgroup > 0:
				if off%pieceBytes == 0 {
					r.seg.noteTensor(off, o.warpgroup-1, tensorRead{m.time, o.at})
				}
			case home:
				x.readAt = o.at | uint32(r.lane)
				x.noteRead(b.warps[m.who-b.first], r.seg, m.time, regionBytes(r, off))
			default:
				x.readAt = o.at | uint32(r.lane)
				x.noteFar(o.warp, farRead{m.time, o.at | uint32(r.lane), m.who, regionBytes(r, off), 0})
				r.seg.remote = true
			}
			off += 4
		}
	}
}

// landWriteWords is landWrite for shared memory.
func (o *operation) landWriteWords(r *region, m moment) {
	h := byOperation | r.strength()
	for off, end := r.off&^3, r.off+r.n; off < end; {
		_, words := r.seg.wordsFrom(off, end)
		for i := range words {
			x := &words[i]
			if x.filling == o.number {
				x.filling = 0
			}
			x.noteWrite(m.who, m.time, regionBytes(r, off), h)
			x.wroteAt = o.at | uint32(r.lane)
			off += 4
		}
	}
}
