package sim

import (
	"encoding/binary"
	"fmt"
	"slices"

	"girih/ptx"
	"girih/tensormap"
)

// Changes of tensor maps by a kernel (PTX ISA, tensormap.replace and tensormap.cp_fenceproxy).

func mapRow(name string) row {
	if name == "tensormap" {
		return (*decoder).tensorMap
	}
	return nil
}

// replaceUse is one tensormap.replace.
type replaceUse struct {
	access
	field string
	ord   int
	value int // slot
}

func (d *decoder) tensorMap(o *opcode) (step, error) {
	if o.has("cp_fenceproxy") {
		return d.mapCopy(o)
	}
	if !o.has("replace") || !o.has("tile") || !o.has("b1024") {
		return nil, fmt.Errorf("expected .replace.tile.b1024 or .cp_fenceproxy")
	}
	u := &replaceUse{field: o.one("global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride",
		"elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode")}
	t, ops := o.typ(), operands(o.Operands)
	wide := u.field == "global_address" || u.field == "global_stride"
	if u.field == "" || wide != (t == ptx.B64) || !wide && t != ptx.B32 {
		return nil, fmt.Errorf("no field .%s of type .%s", u.field, t)
	}
	var err error
	if u.access, err = d.address(ops.next(), o.space()); err != nil {
		return nil, err
	}
	u.write = true
	if len(ops) == 2 {
		v, ok := ops.next().(ptx.Int)
		if u.ord = int(v); !ok || v < 0 || v > 4 || u.field == "global_stride" && v > 3 || !slices.Contains(ordered, u.field) {
			return nil, fmt.Errorf("no number %v of .%s", v, u.field)
		}
	} else if slices.Contains(ordered, u.field) {
		return nil, fmt.Errorf(".%s needs a number", u.field)
	}
	x := ops.next()
	if _, ok := x.(ptx.Int); !ok && slices.Contains(immediate, u.field) {
		return nil, fmt.Errorf("operand %v: .%s takes a constant", x, u.field)
	}
	if u.value, err = d.src(x, t); err != nil {
		return nil, err
	}
	return u.step, nil
}

var (
	ordered   = []string{"box_dim", "global_dim", "global_stride", "element_stride"}
	immediate = []string{"elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode"}
)

// elementTypes are the values of .elemtype, which are not those of the driver (PTX ISA, Tensormap new_val validity).
var elementTypes = []tensormap.Type{
	tensormap.UInt8, tensormap.UInt16, tensormap.UInt32, tensormap.Int32, tensormap.UInt64, tensormap.Int64,
	tensormap.Float16, tensormap.Float32, tensormap.Float32FTZ, tensormap.Float64, tensormap.BFloat16,
	tensormap.TFloat32, tensormap.TFloat32FTZ, tensormap.U4Align8, tensormap.U4Align16, tensormap.U6Align16,
}

func (u *replaceUse) step(w *warp, mask uint32) status {
	if st := w.known(mask, u.at.slot, u.value); st != advance {
		return st
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		seg, off := w.extent(u.access, lane, mapBytes, mapAlign)
		if seg == nil {
			return failed
		}
		if !w.noteMap(seg, off, lane, w.noteReads) {
			return failed
		}
		b := seg.data[off : off+mapBytes]
		if _, err := decodeMap(b); err != nil {
			return w.fail(KindArgument, 1<<lane, "address 0x%x: %v", w.addressOf(&u.access, lane), err)
		}
		if err := u.replace(b, w.f.regs[u.value][lane]); err != nil {
			return w.fail(KindArgument, 1<<lane, "%v (PTX ISA, tensormap.replace)", err)
		}
		sealMap(b)
		if !w.noteMap(seg, off, lane, w.noteWrites) {
			return failed
		}
	}
	return advance
}

// noteMap notes that a lane reads or writes a tensor map.
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

// replace writes one field of the map in b.
func (u *replaceUse) replace(b []byte, v uint64) error {
	le := binary.LittleEndian
	limit := func(most uint64) error {
		if v > most {
			return fmt.Errorf(".%s %d, and it may be 0 to %d", u.field, v, most)
		}
		return nil
	}
	switch u.field {
	case "global_address":
		le.PutUint64(b[mapAddress:], v)
	case "rank":
		b[mapKinds+2] = byte(v + 1)
		return limit(4)
	case "box_dim":
		le.PutUint16(b[mapBox+2*u.ord:], uint16(v))
		return limit(256)
	case "global_dim":
		le.PutUint32(b[mapDims+4*u.ord:], uint32(v-1))
	case "global_stride":
		le.PutUint64(b[mapStrides+8*u.ord:], v)
		return limit(1<<40 - 1)
	case "element_stride":
		b[mapSteps+u.ord] = byte(v)
		return limit(8)
	case "elemtype":
		if err := limit(uint64(len(elementTypes)) - 1); err != nil {
			return err
		}
		b[mapKinds+1] = byte(elementTypes[v])
	case "interleave_layout":
		b[mapKinds+3] = byte(v)
		return limit(uint64(tensormap.Interleave32B))
	case "fill_mode":
		b[mapKinds+6] = byte(v)
		return limit(uint64(tensormap.FillNaN))
	case "swizzle_mode":
		b[mapKinds+4] = byte(v)
		return limit(uint64(tensormap.Swizzle128B)) // 96 bytes are one of sm_103 that no driver's enum has
	case "swizzle_atomicity":
		return u.atomicity(b, v)
	}
	return nil
}

// atomicity changes how large the pieces are that the swizzle of 128 bytes moves.
func (u *replaceUse) atomicity(b []byte, v uint64) error {
	kinds := []tensormap.Swizzle{
		tensormap.Swizzle128B, tensormap.Swizzle128BAtom32B, tensormap.Swizzle128BAtom32BFlip8B, tensormap.Swizzle128BAtom64B,
	}
	is := tensormap.Swizzle(b[mapKinds+4])
	switch {
	case v >= uint64(len(kinds)):
		return fmt.Errorf(".swizzle_atomicity %d, and it may be 0 to %d", v, len(kinds)-1)
	case slices.Contains(kinds, is):
		b[mapKinds+4] = byte(kinds[v])
	case v != 0:
		return fmt.Errorf(".swizzle_atomicity %d with %s, which has pieces of 16 bytes", v, is)
	}
	return nil
}

// mapCopy is tensormap.cp_fenceproxy: a warp copies a map from shared to global memory, and releases it.
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
		got, ok := w.aligned(mask)
		if !ok {
			if w.fault != nil {
				return failed
			}
			return blocked
		}
		return w.copyMap(&to, &from, got)
	}, nil
}

// copyMap copies the map of the lanes of mask, which all say the same.
func (w *warp) copyMap(to, from *access, mask uint32) status {
	if st := w.known(mask, to.at.slot, from.at.slot); st != advance {
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
	copyBytes(spot{dst, at}, spot{src, off}, mapBytes)
	a := orderedAccess{8, releases, strong}
	for i := uint64(0); i < mapBytes; i += 8 {
		if !w.ordered(dst, at+i, lane, a) {
			return failed
		}
	}
	w.block.grid.progress++
	return advance
}
