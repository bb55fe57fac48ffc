package sim

import (
	"fmt"

	"girih/ptx"
)

// maxBulkStore is the largest size of one st.bulk, in bytes.
const maxBulkStore = 16777216

// storeBulk reads st.bulk, which fills shared memory with zeros (PTX ISA 9.7.9.13). It executes as stores of 8 bytes.
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
	a, err := d.address(o.Operands[0], space)
	if err != nil {
		return nil, err
	}
	size, err := d.src(o.Operands[1], ptx.U64)
	if err != nil {
		return nil, err
	}
	a.unit, a.count, a.write = 8, 1, true
	zero := []int{d.constant(0)}
	return func(w *warp, mask uint32) status {
		if st := w.needValues(mask, a.at.slot, size); st != advance {
			return st
		}
		for m := mask; m != 0; m &= m - 1 {
			lane := lowest(m)
			address, n := w.addressOf(&a, lane), w.f.regs[size][lane]
			if n%8 != 0 || n > maxBulkStore {
				return w.fail(KindArgument, 1<<lane, "%d bytes, expected a multiple of 8 up to %d", n, maxBulkStore)
			}
			if space == "" && address&^(windowSize-1) != sharedWindow {
				return w.fail(KindArgument, 1<<lane, "address 0x%x is not in shared memory", address)
			}
			u := storeUse{access: a, slots: zero}
			for end := address + n; address < end; address, u.at.offset = address+8, u.at.offset+8 {
				if st := u.each(w, 1<<lane); st != advance {
					return st
				}
			}
		}
		return advance
	}, nil
}
