package kernel

import "girih/banks"

// A Request is an access as one warp executes it, with the address of each lane.
type Request struct {
	Access int   // its index in the result of [Kernel.PlanBlocks]
	Warp   int64 // of the block
	// At is the address of each lane's first byte, relative to the tensor's pointer or to the block's shared memory;
	// for inactive lanes it is [banks.Inactive].
	At []int64
}

// Requests returns the memory requests of the warps of one block, for values of the kernel's integers by name: the
// accesses in the order of the PTX, and within an access the requests in the order of the warps. Like [Kernel.Plan], it
// computes addresses and executes nothing. For cp.async the addresses are in shared memory. It returns the errors of
// [Kernel.PlanBlocks].
func (k *Kernel) Requests(values map[string]int64, block [3]int64) ([]Request, error) {
	if _, err := k.Grid(values); err != nil {
		return nil, err
	}
	w := k.walker(values)
	w.budget = MaxPlanned
	var out []Request
	base := int64(sharedAt)
	for i := range k.accesses {
		a := &k.accesses[i]
		w.block(block)
		w.warps(a, func(mask uint32) {
			at := w.addresses(a.sides[0].x, mask)
			for l := range at {
				if at[l] == banks.Inactive {
					continue
				}
				if base = sharedAt; a.sides[0].in.space == Global {
					base = (at[l] + pointerStep/2) / pointerStep * pointerStep // offsets may be negative
				}
				at[l] -= base
			}
			out = append(out, Request{Access: i, Warp: w.first / WarpSize, At: at})
		})
	}
	return out, w.err
}

// Active reports whether a lane takes part.
func (r Request) Active(lane int) bool { return r.At[lane] != banks.Inactive }
