package sim

import (
	"fmt"

	"girih/ptx"
)

// maxBulkStore is the largest size of one st.bulk, in bytes.
const maxBulkStore = 16777216

// storeBulk reads st.bulk (PTX ISA 9.7.9.13), which fills shared memory with zeros, here by stores of 8 bytes.
func (d *decoder) storeBulk(o *opcode) (step, error) {
	if err := d.needs(o, 100); err != nil {
		return nil, err
	}
	o.skip("weak")
	if err := o.need(3, 3); err != nil {
		return nil, err
	}
	if o.Operands[2] != ptx.Operand(ptx.Int(0)) {
		return nil, fmt.Errorf("operand %s: the value to fill memory with can only be 0", o.Operands[2])
	}
	space := o.space()
	if space != "" && space != ptx.Shared && space != "shared::cta" {
		return nil, fmt.Errorf("the space .%s: expected .shared::cta, or a generic address", space)
	}
	r := d.reader(o)
	u := &bulkStoreUse{access: r.address(space), size: r.src(ptx.U64), zero: []int{d.constant(0)}}
	u.unit, u.count, u.write = 8, 1, true
	return r.finish(u.step)
}

// bulkStoreUse is one st.bulk.
type bulkStoreUse struct {
	access
	size int // slot
	zero []int
}

func (u *bulkStoreUse) step(w *warp, mask uint32) status {
	if st := w.needValues(mask, u.at.slot, u.size); st != advance {
		return st
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		address, n := w.addressOf(&u.access, lane), w.f.regs[u.size][lane]
		if n%8 != 0 || n > maxBulkStore {
			return w.fail(KindArgument, 1<<lane, "%d bytes, expected a multiple of 8 up to %d", n, maxBulkStore)
		}
		if u.space == "" && address&^(windowSize-1) != sharedWindow {
			return w.fail(KindArgument, 1<<lane, "address 0x%x is not in shared memory", address)
		}
		x := storeUse{access: u.access, slots: u.zero}
		for end := address + n; address < end; address, x.at.offset = address+8, x.at.offset+8 {
			if st := x.each(w, 1<<lane); st != advance {
				return st
			}
		}
	}
	return advance
}
