package banks

import (
	"girih/cute"
	"girih/internal/ints"
)

// A Period is the plan of a part of a memory. The instructions of the other parts cost the same, part by part.
type Period struct {
	*Plan
	Memory  Memory // the memory that the plan covers: the whole memory, or the first coordinates of its slowest mode
	Repeats int64  // how often the instructions of the plan are executed, each time with other addresses
}

// periodBits is a distance of addresses, in bits, after which accesses cost the same: sectors, lines and the banks of
// every machine repeat after 1 KiB.
const periodBits = 8 << 10

// NewPeriod is [NewPlan] for large memories, too. If lanes take vectors in the order of a layout, and the memory has
// more than [cute.EnumLimit] elements, it plans only the first coordinates of the slowest mode, until the addresses
// repeat: (4096,4096):(4096,1) of floats, row after row, repeats at once. It returns the errors of [NewPlan], including
// [cute.CodeLimit] if the part is still too large.
func NewPeriod(rule Rule, mem Memory, elemBits int, threads Threads) (Period, error) {
	whole := Period{Memory: mem, Repeats: 1}
	if l, ok := mem.(cute.Layout); ok && mem.Size() > cute.EnumLimit && rule.lanes > 0 && elemBits > 0 &&
		rule.access.bits%elemBits == 0 && !l.HasBasis() {
		whole = period(rule, l, int64(elemBits), threads)
	}
	var err error
	whole.Plan, err = NewPlan(rule, whole.Memory, elemBits, threads)
	return whole, err
}

// period returns the part of the memory after which the accesses repeat, or all of it.
func period(rule Rule, l cute.Layout, elemBits int64, threads Threads) Period {
	whole := Period{Memory: l, Repeats: 1}
	s, ok := newSlowMode(rule, l, elemBits, threads)
	if !ok {
		return whole
	}
	n := s.repeat(rule, elemBits)
	if s.steps%n != 0 || n*s.unit > cute.EnumLimit/s.faster {
		return whole
	}
	part, err := s.cut(l, n)
	if err != nil {
		return whole
	}
	if again, ok := vectorModeOf(part, mustSizes(part), s.vector); !ok || again != s.along {
		return whole
	}
	return Period{Memory: part, Repeats: s.steps / n}
}

// A slowMode is the mode of a memory that the lanes go along last.
type slowMode struct {
	mode   int
	along  int   // the mode along which vectors run
	vector int64 // elements of a vector
	stride int64 // the stride of the slow mode
	unit   int64 // elements of the slow mode that one lane accesses: a vector, or 1
	steps  int64 // accesses along the slow mode
	faster int64 // the product of the accesses along all other modes
}

// newSlowMode returns the slow mode; ok is false if the lanes do not go along modes, or the mode has no single stride.
func newSlowMode(rule Rule, l cute.Layout, elemBits int64, threads Threads) (s slowMode, ok bool) {
	sizes, err := modeSizes(l.Shape())
	end, err2 := l.Cosize()
	if err != nil || err2 != nil || end > maxOffset {
		return s, false
	}
	s.vector = int64(rule.access.bits) / elemBits
	if s.along, ok = vectorModeOf(l, sizes, s.vector); !ok {
		return s, false
	}
	s.mode = threads.slowest(len(sizes), s.along, rule.access.op)
	mode, err := l.Mode(s.mode)
	if err != nil || mode.Shape().LeafCount() != 1 {
		return s, false
	}
	s.stride = mode.Stride().Flatten().Leaves()[0]
	s.unit, s.faster = 1, 1
	if s.mode == s.along {
		s.unit = s.vector
	}
	for i, n := range sizes {
		if i == s.along {
			n /= s.vector
		}
		if i == s.mode {
			s.steps = n
		} else {
			s.faster *= n
		}
	}
	return s, s.stride >= 0 && s.stride <= maxOffset/periodBits
}

// slowest returns the mode that the lanes go along last, or -1 if they do not go along modes.
func (t Threads) slowest(modes, along int, op Op) int {
	switch {
	case t.kind == byTV, t.kind == byPartition:
		return -1
	case t.kind == byCols && modes == 2:
		return 0
	case t.kind == byDefault && op.isMatrix():
		return along
	}
	return modes - 1
}

// repeat returns the number of accesses along the slow mode after which banks, sectors and lines repeat, rounded to
// whole instructions.
func (s slowMode) repeat(rule Rule, elemBits int64) int64 {
	n := periodBits / ints.GCD(periodBits, s.unit*s.stride*elemBits)
	lanes := int64(rule.lanes)
	if k := lanes / ints.GCD(lanes, s.faster); n%k != 0 {
		n *= k / ints.GCD(n, k)
	}
	return n
}

// cut returns the memory up to n accesses along the slow mode.
func (s slowMode) cut(l cute.Layout, n int64) (cute.Layout, error) {
	part, err := cute.New(cute.Int(n*s.unit), cute.Int(s.stride))
	if err != nil || l.Shape().IsInt() {
		return part, err
	}
	modes := l.Modes()
	modes[s.mode] = part
	return cute.MakeLayout(modes...)
}

func mustSizes(l cute.Layout) []int64 {
	sizes, err := modeSizes(l.Shape())
	if err != nil {
		return nil
	}
	return sizes
}

// vectorModeOf is vectorMode for a layout that is not enumerated.
func vectorModeOf(l cute.Layout, sizes []int64, n int64) (mode int, ok bool) {
	first, err := l.At(0)
	if err != nil {
		return 0, false
	}
	weight := int64(1)
	for m, size := range sizes {
		run := int64(1)
		for run < min(size, n) {
			x, err := l.At(run * weight)
			if err != nil || x-first != run {
				break
			}
			run++
		}
		if n == 1 || run >= n && size%n == 0 {
			return m, true
		}
		weight *= size
	}
	return 0, false
}
