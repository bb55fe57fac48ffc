package sim

import (
	"fmt"
	"slices"

	"girih/ptx"
	"girih/tensormap"
)

// This file implements changes of tensor maps by a kernel (PTX ISA, tensormap.replace and tensormap.cp_fenceproxy).

func mapRow(name string) row {
	if name == "tensormap" {
		return (*decoder).tensorMap
	}
	return nil
}

// replaceUse is one tensormap.replace instruction.
type replaceUse struct {
	access
	tensormap.Replacement
	value int // slot
	bits  int // the width of the value in bits
}

func (d *decoder) tensorMap(o *opcode) (step, error) {
	if o.has("cp_fenceproxy") {
		return d.mapCopy(o)
	}
	if !o.has("replace") || !o.has("tile") || !o.has("b1024") {
		return nil, fmt.Errorf("expected .replace.tile.b1024 or .cp_fenceproxy")
	}
	u, t := &replaceUse{}, o.typ()
	var several int
	var wide, immediate, found bool
	for i, m := range o.mods {
		if several, wide, immediate, found = tensormap.ReplacedField(m); found {
			o.used[i], u.Field = true, m
			break
		}
	}
	if !found || wide != (t == ptx.B64) || !wide && t != ptx.B32 {
		return nil, fmt.Errorf("no field .%s of type .%s", u.Field, t)
	}
	r := d.reader(o)
	u.access = r.address(o.space())
	u.write = true
	if r.err == nil {
		r.err = u.ordinal(&r.ops, several)
	}
	u.bits = t.Bits()
	u.value = readNext(r, func(x ptx.Operand) (int, error) {
		if _, ok := x.(ptx.Int); !ok && immediate {
			return 0, fmt.Errorf("operand %v: .%s takes a constant", x, u.Field)
		}
		return d.src(x, t)
	})
	return r.finish(u.step)
}

// ordinal reads the index of a field that occurs several times in a map.
func (u *replaceUse) ordinal(ops *operands, several int) error {
	if len(*ops) == 2 {
		v, ok := ops.next().(ptx.Int)
		if u.Ord = int(v); !ok || v < 0 || v >= ptx.Int(several) {
			return fmt.Errorf("no number %v of .%s", v, u.Field)
		}
	} else if several > 0 {
		return fmt.Errorf(".%s needs a number", u.Field)
	}
	return nil
}

func (u *replaceUse) step(w *warp, mask uint32) status {
	if st := w.needValues(mask, u.at.slot, u.value); st != advance {
		return st
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		seg, off := w.extent(u.access, lane, mapBytes, mapAlign)
		if seg == nil {
			return failed
		}
		if w.isNowhere(seg) {
			continue
		}
		if !w.noteMap(seg, off, lane, w.noteReads) {
			return failed
		}
		r := u.Replacement
		r.Value = w.f.regs[u.value][lane] & ones(u.bits)
		if err := tensormap.Replace(seg.data[off:off+mapBytes], r); err != nil {
			return w.fail(KindArgument, 1<<lane, "%s (PTX ISA, tensormap.replace)", reasonOf(err))
		}
		if !w.noteMap(seg, off, lane, w.noteStores) {
			return failed
		}
	}
	return advance
}

// noteMap records that a lane reads or writes a tensor map.
func (w *warp) noteMap(seg *segment, off uint64, lane int, note func(seg *segment, mask uint32, n int) int) bool {
	const piece = 16
	for i := uint64(0); i < mapBytes && seg.tracked; i += piece {
		w.off[lane] = off + i
		if note(seg, 1<<lane, piece) >= 0 {
			return false
		}
	}
	return true
}

// mapCopy reads tensormap.cp_fenceproxy, with which a warp copies a map from shared to global memory as a release.
func (d *decoder) mapCopy(o *opcode) (step, error) {
	spaces := o.spaces()
	o.skip("tensormap::generic", "release", "cta", "cluster", "gpu", "sys", "sync")
	size, ok := ptx.Int(0), false
	if len(o.Operands) == 3 {
		size, ok = o.Operands[2].(ptx.Int)
	}
	way := slices.Equal(spaces, []ptx.Space{ptx.Global, "shared::cta"})
	if !way || !o.has("aligned") || !ok || size != mapBytes {
		return nil, fmt.Errorf("expected .global.shared::cta, .sync.aligned and %d bytes", mapBytes)
	}
	to, err := d.address(o.Operands[0], ptx.Global)
	if err != nil {
		return nil, err
	}
	to.write = true
	from, err := d.address(o.Operands[1], "shared::cta")
	if err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		got, st := w.alignedLanes(mask)
		if st != advance {
			return st
		}
		return w.copyMap(&to, &from, got)
	}, nil
}

// copyMap copies one map for the lanes of mask, whose operands must all be the same.
func (w *warp) copyMap(to, from *access, mask uint32) status {
	if st := w.needValues(mask, to.at.slot, from.at.slot); st != advance {
		return st
	}
	for _, s := range []int{to.at.slot, from.at.slot} {
		if _, ok := w.uniform(s, mask); !ok {
			return failed
		}
	}
	lane := lowest(mask)
	src, off := w.extent(*from, lane, mapBytes, mapAlign)
	if src == nil {
		return failed
	}
	dst, at := w.extent(*to, lane, mapBytes, mapAlign)
	if dst == nil || !w.noteMap(src, off, lane, w.noteReads) {
		return failed
	}
	if w.keepsLog(dst) && !w.logBytes(dst, lane, byteRange{at, mapBytes}, logWrite) {
		return failed
	}
	copyBytes(spot{dst, at}, spot{src, off}, mapBytes)
	a := orderedAccess{bytes: 8, how: strong | ofGPU.how(), order: releases | writes}
	for i := uint64(0); i < mapBytes; i += 8 {
		if !w.orderAccess(dst, at+i, lane, a) {
			return failed
		}
	}
	w.meetAligned(mask)
	w.block.grid.progress++
	return advance
}
