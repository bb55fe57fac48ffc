package interp

import (
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file implements the instructions by which the threads of a warp exchange values: shuffles and votes.

// A swap contains the value that a thread brings to an instruction, and the value that it gets.
type swap struct {
	lane  int64
	value Value
	got   Value
}

// exchange runs an instruction of a warp. f sets the value that each thread gets.
func (r *runner) exchange(name string, v Value, f func(all []*swap) error) (Value, error) {
	k := r.kernel
	mine := &swap{value: v, got: v}
	if r.quiet {
		return v, nil
	}
	if k == nil {
		return nil, errorf(cute.CodeName, "%s is an instruction of a warp, and runs in a kernel only: launch one", name)
	}
	warp := k.now.id / 32
	mine.lane = k.now.id % 32
	n := min(32, int64(len(k.threads))-32*warp)
	err := r.together("exchange "+itoa(warp)+name, n, mine, func(all []any) error {
		list := make([]*swap, len(all))
		for i, x := range all {
			list[i] = x.(*swap) // each thread brings a *swap
		}
		return f(list)
	})
	return mine.got, err
}

// shuffle implements __shfl_*_sync(mask, v, n, width) of C++, and shuffle_sync_*(v, n) of the CuTe DSL.
func shuffle(name string) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		if r.lang == program.Cpp && len(c.pos) > 2 {
			c.pos = c.pos[1:] // removes the mask
		}
		if v := c.take("offset"); v != nil {
			c.pos = append(c.pos[:min(1, len(c.pos))], v)
		}
		if len(c.pos) < 2 {
			return nil, errorf(cute.CodeRank, "expected a value and a number of lanes, found %d arguments", len(c.pos))
		}
		by, ok := integerOf(c.pos[1])
		width := int64(32)
		if len(c.pos) > 2 && r.lang == program.Cpp {
			width, _ = integerOf(c.pos[2])
		}
		if !ok || width < 1 || width > 32 || width&(width-1) != 0 {
			return nil, errorf(cute.CodeType, "expected an integer of lanes, and a width that is a power of 2 up to 32")
		}
		// Each thread states the lane from which it reads; the last thread to arrive reads for all.
		return r.exchange(name, Tuple{c.pos[0], Int(by)}, func(all []*swap) error {
			for _, s := range all {
				n, _ := integerOf(s.value.(Tuple)[1]) // a pair, as set above
				from := sourceLane(name, s.lane, n, width)
				if from >= int64(len(all)) {
					from = s.lane
				}
				s.got = all[from].value.(Tuple)[0] // a pair, as set above
			}
			return nil
		})
	}
}

// sourceLane returns the lane from which a lane reads. If that lane is not in its group of width lanes, the lane reads
// its own value.
func sourceLane(name string, lane, n, width int64) int64 {
	base, from := lane/width*width, lane
	switch {
	case strings.Contains(name, "xor"), strings.Contains(name, "bfly"):
		from ^= n
	case strings.Contains(name, "down"):
		from += n
	case strings.Contains(name, "up"):
		from -= n
	default:
		from = base + n%width
	}
	if from < base || from >= base+width {
		return lane
	}
	return from
}

// vote implements __ballot_sync, __any_sync and __all_sync, and the corresponding functions of the CuTe DSL.
func vote(name string) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		if len(c.pos) == 0 {
			return nil, errorf(cute.CodeRank, "expected a condition")
		}
		is, err := r.truth(c.pos[len(c.pos)-1])
		if err != nil {
			return nil, err
		}
		return r.exchange(name, Bool(is), func(all []*swap) error {
			bits := uint64(0)
			for _, s := range all {
				if s.value == Bool(true) {
					bits |= 1 << s.lane
				}
			}
			switch full := uint64(1)<<len(all) - 1; {
			case strings.Contains(name, "any") && bits != 0, strings.Contains(name, "all") && bits == full:
				bits = 1
			case !strings.Contains(name, "ballot"):
				bits = 0
			}
			for _, s := range all {
				s.got = Element{Type: dtype.U32, N: int64(bits)}
				if r.lang == program.Cpp {
					s.got = cInt(bits, CUInt)
				}
			}
			return nil
		})
	}
}

// warpFunction returns the implementation of a warp instruction of C++ or of the CuTe DSL, or nil.
func warpFunction(name string) func(r *runner, c *arguments) (Value, error) {
	switch {
	case strings.HasPrefix(name, "__shfl") && strings.HasSuffix(name, "_sync"), strings.HasPrefix(name, "shuffle_sync"):
		return shuffle(name)
	case name == "__ballot_sync", name == "__any_sync", name == "__all_sync", strings.HasPrefix(name, "vote_"):
		return vote(name)
	}
	return nil
}
