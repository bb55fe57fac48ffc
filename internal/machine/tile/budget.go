package tile

import (
	"fmt"

	"girih/cute"
)

// A Buffer is one array in shared memory.
type Buffer struct {
	Name   string
	Bytes  int64 // the bytes of one copy
	Align  int64 // a power of two: 1024, 512, 256 bytes for atoms of SW128, SW64, SW32, 128 for TMA, 8 for an mbarrier
	Copies int64 // how many there are, per stage if Staged
	Staged bool  // the buffer is part of the ring of stages
}

// A Request describes the buffers of a kernel in shared memory.
type Request struct {
	Target  Target
	Buffers []Buffer // the buffers in their order in memory
	Stages  int64    // the stages of the ring; 0 for the largest number that fits
	Static  int64    // bytes before the buffers: __shared__ variables of the kernel, and other reserved space
	CTAs    int64    // CTAs that must fit on one SM; 0 means 1
	Fill    string   // a buffer that gets more copies from the remaining bytes, "" for none
}

// A Region is the place of a buffer, in bytes from the beginning of the CTA's shared memory.
type Region struct {
	Buffer
	Offset  int64 // the offset of the first copy, in bytes
	Padding int64 // the bytes of padding before the first copy
	Total   int64 // the bytes of all copies
}

// A Budget is the shared memory of a kernel. It is immutable.
type Budget struct {
	request Request
	limit   int64
	stages  int64
	bytes   int64
	regions []Region
}

// maxStages limits the number of stages; barriers for more stages fit nowhere.
const maxStages = 1 << 16

// NewBudget places the buffers in their order, each at a multiple of its alignment, and finds the largest number of
// stages that fits if Stages is 0. Offsets and sizes are bytes.
//
// It returns [cute.CodeLimit] if the buffers do not fit, with the number of stages that do fit as the hint;
// [cute.CodeExtent] for sizes and copies that are negative, and alignments that are not powers of two; [cute.CodeName]
// if Fill is not the name of a buffer, [cute.CodeType] for the zero Target, and the errors of [Target.Limit].
func NewBudget(r Request) (Budget, error) {
	if r.CTAs == 0 {
		r.CTAs = 1
	}
	limit, err := r.Target.Limit(r.CTAs)
	if err != nil {
		return Budget{}, err
	}
	if err := r.check(); err != nil {
		return Budget{}, err
	}
	b := Budget{request: r, limit: limit}
	most, staged := b.most()
	switch {
	case r.Stages > 0 && (r.Stages > maxStages || r.Stages > most && staged):
		return Budget{}, b.tooMany(r.Stages, most)
	case r.Stages > 0:
		b.stages = r.Stages
	case !staged:
		b.stages = 0
	case most < 1:
		return Budget{}, b.tooMany(1, 0)
	default:
		b.stages = most
	}
	b.regions, b.bytes = b.lay(b.stages)
	if b.bytes > limit {
		return Budget{}, fail(cute.CodeLimit, "budget", "expected at most %d bytes on %s, found %d", limit,
			r.Target.Name, b.bytes)
	}
	b.fill()
	return b, nil
}

// check refuses impossible numbers. Sizes are bounded, so that their sums do not overflow.
func (r Request) check() error {
	const op, most = "budget", 1 << 30
	found := r.Fill == ""
	for _, x := range r.Buffers {
		found = found || x.Name == r.Fill
		switch {
		case x.Bytes < 0 || x.Bytes > most || x.Copies < 0 || x.Copies > 1<<20:
			return fail(cute.CodeExtent, op, "expected 0 to %d bytes of %s and up to %d copies, found %d, %d", most, x.Name,
				1<<20, x.Bytes, x.Copies)
		case x.Align < 1 || x.Align > 1<<16 || x.Align&(x.Align-1) != 0:
			return fail(cute.CodeExtent, op, "expected an alignment of %s that is a power of two up to 65536, found %d", x.Name,
				x.Align)
		}
	}
	switch {
	case len(r.Buffers) > 1000:
		return fail(cute.CodeLimit, op, "expected at most 1000 buffers, found %d", len(r.Buffers))
	case r.Static < 0 || r.Static > most:
		return fail(cute.CodeExtent, op, "expected 0 to %d bytes of static shared memory, found %d", most, r.Static)
	case r.Stages < 0:
		return fail(cute.CodeExtent, op, "expected a positive number of stages, or 0, found %d", r.Stages)
	case !found:
		return fail(cute.CodeName, op, "no buffer is called %.40q", r.Fill)
	}
	return nil
}

// lay places the buffers for a number of stages, and returns the bytes that they take.
func (b Budget) lay(stages int64) ([]Region, int64) {
	regions := make([]Region, 0, len(b.request.Buffers))
	at := b.request.Static
	for _, x := range b.request.Buffers {
		copies := x.Copies
		if x.Staged {
			copies *= stages
		}
		if x.Bytes*copies == 0 {
			continue
		}
		begin := (at + x.Align - 1) / x.Align * x.Align
		regions = append(regions, Region{Buffer: x, Offset: begin, Padding: begin - at, Total: x.Bytes * copies})
		at = begin + x.Bytes*copies
	}
	return regions, at
}

// most returns the largest number of stages that fits; staged is false if nothing depends on it.
func (b Budget) most() (stages int64, staged bool) {
	each := int64(0)
	for _, x := range b.request.Buffers {
		if x.Staged {
			each += x.Bytes * x.Copies
		}
	}
	if each == 0 {
		return 0, false
	}
	for stages = min(b.limit/each, maxStages); stages > 0; stages-- { // padding may cost one or two stages
		if _, bytes := b.lay(stages); bytes <= b.limit {
			break
		}
	}
	return stages, true
}

// tooMany refuses a number of stages.
func (b Budget) tooMany(stages, most int64) error {
	found := "more than 2^55"
	if each := max(b.Stage(), 1); stages <= maxStages && stages <= 1<<55/each {
		_, bytes := b.lay(stages)
		found = fmt.Sprint(bytes)
	}
	err := fail(cute.CodeLimit, "budget", "expected at most %d bytes on %s, found %s with %d stage(s)", b.limit,
		b.request.Target.Name, found, stages)
	if b.request.CTAs > 1 {
		err.Msg += fmt.Sprintf(" of each of %d CTAs", b.request.CTAs)
	}
	switch {
	case most > 0:
		err.Hint = fmt.Sprintf("%d stage(s) fit", most)
	default:
		err.Hint = "smaller tiles, narrower types, or fewer stages of the epilogue: not one stage fits"
	}
	return err
}

// fill gives a buffer as many more copies as fit.
func (b *Budget) fill() {
	if b.request.Fill == "" {
		return
	}
	buffers := append([]Buffer(nil), b.request.Buffers...)
	b.request.Buffers = buffers
	for i := range buffers {
		x := &buffers[i]
		if x.Name != b.request.Fill || x.Staged || x.Bytes == 0 {
			continue
		}
		for x.Copies += b.Left() / x.Bytes; ; x.Copies-- {
			if regions, bytes := b.lay(b.stages); bytes <= b.limit {
				b.regions, b.bytes = regions, bytes
				return
			}
		}
	}
}

// Stages returns the number of stages; 0 if no buffer is staged.
func (b Budget) Stages() int64 { return b.stages }

// Bytes returns the shared memory of a CTA, including the static part and the padding.
func (b Budget) Bytes() int64 { return b.bytes }

// Limit returns the most bytes that the CTA may have.
func (b Budget) Limit() int64 { return b.limit }

// Left returns the bytes of the limit that are free.
func (b Budget) Left() int64 { return b.limit - b.bytes }

// Padding returns the bytes that alignment costs.
func (b Budget) Padding() int64 {
	n := int64(0)
	for _, r := range b.regions {
		n += r.Padding
	}
	return n
}

// CTAs returns how many such CTAs fit on an SM, considering only shared memory.
func (b Budget) CTAs() int64 { return b.request.Target.CTAs(b.bytes) }

// Regions returns the buffers in their order.
func (b Budget) Regions() []Region { return append([]Region(nil), b.regions...) }

// Stage returns the bytes of one stage: all buffers of the ring, with their barriers.
func (b Budget) Stage() int64 {
	n := int64(0)
	for _, x := range b.request.Buffers {
		if x.Staged {
			n += x.Bytes * x.Copies
		}
	}
	return n
}

// Notes returns warnings about legal but dangerous budgets: buffers whose copies do not begin at their alignment.
func (b Budget) Notes() []string {
	var notes []string
	for _, r := range b.regions {
		if r.Total > r.Bytes && r.Bytes%r.Align != 0 {
			notes = append(notes, fmt.Sprintf("a copy of %s has %d bytes, which is no multiple of %d: only the first begins there",
				r.Name, r.Bytes, r.Align))
		}
	}
	if b.request.Static > 0 && b.request.Target.NVIDIA() {
		notes = append(notes, "dynamic shared memory begins after static shared memory: give the extern array the largest alignment, "+
			"or the padding is not there")
	}
	if b.request.Target.NVIDIA() && b.bytes > 48<<10 {
		notes = append(notes, fmt.Sprintf("beyond 49152 bytes a launch needs cudaFuncSetAttribute(kernel, "+
			"cudaFuncAttributeMaxDynamicSharedMemorySize, %d)", b.bytes-b.request.Static))
	}
	return notes
}
