package sim

import "girih/ptx"

// fast2 returns a driver for one of the most frequent operations, for which a function call per lane would dominate the
// time. It returns nil for all other operations.
func fast2(o *opcode, t ptx.Type) func(d int, src [2]int) step {
	switch string(o.Op) {
	case "add.s32", "add.u32":
		return func(d int, s [2]int) step {
			slow := map2(d, s, func(x, y uint64) uint64 { return (x + y) & 0xffffffff })
			return func(w *warp, mask uint32) status {
				f := w.f
				if mask&f.def[s[0]]&f.def[s[1]] != all {
					return slow(w, mask)
				}
				x, y, z := &f.regs[s[0]], &f.regs[s[1]], &f.regs[d]
				f.def[d] = all
				for i := range z {
					z[i] = uint64(uint32(x[i] + y[i]))
				}
				return advance
			}
		}
	case "add.s64", "add.u64":
		return func(d int, s [2]int) step {
			slow := map2(d, s, func(x, y uint64) uint64 { return x + y })
			return func(w *warp, mask uint32) status {
				f := w.f
				if mask&f.def[s[0]]&f.def[s[1]] != all {
					return slow(w, mask)
				}
				x, y, z := &f.regs[s[0]], &f.regs[s[1]], &f.regs[d]
				f.def[d] = all
				for i := range z {
					z[i] = x[i] + y[i]
				}
				return advance
			}
		}
	}
	return nil
}
