package banks

import (
	"girih/cute"
)

// A Period is the plan of a part of a memory, whose instructions repeat: the others cost the same, one after the other.
type Period struct {
	*Plan
	Memory  Memory // the part: the whole memory, or the first coordinates of its slowest mode
	Repeats int64  // how often the instructions of the plan are executed, with other addresses
}

// periodBits is what addresses have to differ by, in bits, so that accesses cost the same: sectors, lines and the
// banks of every machine begin again after 1 KiB.
const periodBits = 8 << 10

// NewPeriod is [NewPlan] for large memories, too. If lanes take vectors in the order of a layout, and the memory has
// more than [cute.EnumLimit] elements, it plans the first coordinates of the mode that is slowest, until the addresses
// begin again: (4096,4096):(4096,1) of floats, row after row, repeats at once. It returns the errors of [NewPlan], also
// [cute.CodeLimit] where the part is still too large.
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
	sizes, err := modeSizes(l.Shape())
	end, err2 := l.Cosize()
	if err != nil || err2 != nil || end > maxOffset || threads.kind == byTV || threads.kind == byPartition {
		return whole
	}
	vector := int64(rule.access.bits) / elemBits
	along, ok := vectorModeOf(l, sizes, vector)
	slow := len(sizes) - 1
	switch {
	case threads.kind == byCols && len(sizes) == 2:
		slow = 0
	case threads.kind == byDefault && rule.access.op.isMatrix():
		slow = along
	}
	mode, err := l.Mode(slow)
	if !ok || err != nil || mode.Shape().LeafCount() != 1 {
		return whole
	}
	d := mode.Stride().Flatten().Leaves()[0]
	steps, unit, faster := sizes[slow], int64(1), int64(1)
	for i, n := range sizes {
		if i == along {
			n /= vector
		}
		if i == slow {
			steps = n
		} else {
			faster *= n
		}
	}
	if slow == along {
		unit = vector
	}
	if d < 0 || d > maxOffset/periodBits {
		return whole
	}
	n := int64(periodBits / gcd(periodBits, int(unit*d*elemBits)))
	if k := int64(rule.lanes / gcd(rule.lanes, int(faster%int64(rule.lanes)))); n%k != 0 {
		n *= k / int64(gcd(int(n), int(k))) // whole instructions
	}
	if steps%n != 0 || n*unit > cute.EnumLimit/faster {
		return whole
	}
	part, err := cute.New(cute.Int(n*unit), cute.Int(d))
	if err != nil {
		return whole
	}
	if !l.Shape().IsInt() {
		modes := l.Modes()
		modes[slow] = part
		if part, err = cute.MakeLayout(modes...); err != nil {
			return whole
		}
	}
	if again, ok := vectorModeOf(part, mustSizes(part), vector); !ok || again != along {
		return whole
	}
	return Period{Memory: part, Repeats: steps / n}
}

func mustSizes(l cute.Layout) []int64 {
	sizes, err := modeSizes(l.Shape())
	if err != nil {
		return nil
	}
	return sizes
}

// vectorModeOf is vectorMode of a layout that is not enumerated.
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
