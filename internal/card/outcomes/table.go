package outcomes

import "girih/ptx"

// hashFactor is the factor of the hash of states.
const hashFactor = 0x9e3779b97f4a7c15

// hash returns the key of a state in the table: never 0, which is an entry without a state.
func hash(values []int64) uint64 {
	h := uint64(1)
	for _, v := range values {
		h = (h ^ uint64(v)) * hashFactor
		h ^= h >> 32
	}
	if h == 0 {
		return 1
	}
	return h
}

// count reads the final state of each instance and counts it. The table has [Entries] entries of a key and a count,
// and then the values of each entry.
func (w *writer) count() {
	p := w.p
	w.runs(0, func() {
		stuck := w.Let(ptx.B64, "mov.b64", ptx.Int(0))
		for i := range p.Test.Threads {
			w.Emit("or.b64", stuck, stuck, w.Let(ptx.B64, "ld.weak.global.b64", w.result(len(p.Variables)+i)))
		}
		w.IfElse(w.Let(ptx.Pred, "setp.ne.u64", stuck, ptx.Int(0)), func() {
			w.Emit("red.relaxed.gpu.global.add.u64", ptx.Addr{Base: w.param["control"], Offset: unfinishedAt}, w.one())
		}, func() {
			values := w.state()
			w.insert(values, w.key(values))
		})
	})
	for i := range p.Test.Threads {
		for _, loc := range p.resets(i) {
			if p.cells[loc].arrivals > 0 {
				w.runs(i, func() {
					a := w.address(loc, p.seats[i].block)
					w.Emit(a.op("mbarrier.inval~.b64"), a.Addr)
				})
			}
		}
	}
}

func (w *writer) one() ptx.Name { return w.Let(ptx.B64, "mov.b64", ptx.Int(1)) }

// state reads the final state.
func (w *writer) state() []ptx.Name {
	var values []ptx.Name
	for word, v := range w.p.Variables {
		if v.Thread >= 0 {
			values = append(values, w.Let(ptx.B64, "ld.weak.global.b64", w.result(word)))
			continue
		}
		a := w.address(v.Loc, w.p.seats[0].block)
		values = append(values, w.Let(ptx.B64, a.op("ld.weak~.b64"), a.Addr))
	}
	return values
}

// key computes [hash].
func (w *writer) key(values []ptx.Name) ptx.Name {
	h := w.one()
	factor := w.Let(ptx.B64, "mov.b64", ptx.Int(-int64(^uint64(hashFactor)+1)))
	for _, v := range values {
		w.Emit("xor.b64", h, h, v)
		w.Emit("mul.lo.u64", h, h, factor)
		w.Emit("xor.b64", h, h, w.Let(ptx.B64, "shr.u64", h, ptx.Int(32)))
	}
	w.EmitIf(w.Let(ptx.Pred, "setp.eq.u64", h, ptx.Int(0)), "mov.b64", h, ptx.Int(1))
	return h
}

// insert counts a state: in the first entry from its key on that has its key, or none.
func (w *writer) insert(values []ptx.Name, key ptx.Name) {
	slot := w.Let(ptx.U32, "cvt.u32.u64", key)
	probes := w.number(0)
	next, done := w.Label(), w.Label()
	w.Mark(next)
	w.Emit("and.b32", slot, slot, ptx.Int(Entries-1))
	a := w.Let(ptx.U64, "mad.wide.u32", slot, ptx.Int(16), w.param["table"])
	have := w.Let(ptx.B64, "ld.relaxed.gpu.global.b64", ptx.Addr{Base: a})
	w.If(w.Let(ptx.Pred, "setp.eq.u64", have, ptx.Int(0)), func() {
		zero := w.Let(ptx.B64, "mov.b64", ptx.Int(0))
		w.Emit("atom.relaxed.gpu.global.cas.b64", have, ptx.Addr{Base: a}, zero, key)
		w.If(w.Let(ptx.Pred, "setp.eq.u64", have, ptx.Int(0)), func() {
			w.Emit("mov.b64", have, key)
			row := w.Let(ptx.U64, "mad.wide.u32", slot, ptx.Int(8*len(values)), w.param["table"])
			for i, v := range values {
				w.Emit("st.weak.global.b64", ptx.Addr{Base: row, Offset: int64(16*Entries + 8*i)}, v)
			}
		})
	})
	w.If(w.Let(ptx.Pred, "setp.eq.u64", have, key), func() {
		w.Emit("red.relaxed.gpu.global.add.u64", ptx.Addr{Base: a, Offset: 8}, w.one())
		w.Emit("bra", done)
	})
	w.Emit("add.u32", slot, slot, ptx.Int(1))
	w.Emit("add.u32", probes, probes, ptx.Int(1))
	w.EmitIf(w.Let(ptx.Pred, "setp.lt.u32", probes, ptx.Int(Entries)), "bra", next)
	w.Emit("red.relaxed.gpu.global.add.u64", ptx.Addr{Base: w.param["control"], Offset: overflowAt}, w.one())
	w.Mark(done)
}
