package banks

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// A Plan lists the instructions of a CTA's threads on a memory: the elements that each lane accesses in each
// instruction. A Plan does not depend on offsets, so it serves many layouts of one shape: [Plan.Count] takes a table of
// offsets. A Plan does not change after [NewPlan].
type Plan struct {
	rule     Rule
	elemBits int64
	vector   int // elements that one lane accesses with one instruction
	threads  int
	values   int
	warps    int
	perWarp  int     // instructions per warp
	size     int     // the number of offsets
	index    []int32 // indexed by [warp][instruction][lane][element of the vector]; -1 for lanes that do not take part
	lanes    int     // lanes per instruction in index
	offsets  []int64 // the offsets of all elements of the memory, or only of the accessed elements
	how      func() string
	ask      func() error // returns an error if the computation of the plan must stop
}

// NewPlan assigns the elements of the memory, of elemBits bits each, to the threads and groups them into instructions
// of the rule. Each instruction accesses the next values of a thread, as many as its width holds: 8 values of 16 bits
// for 128. For ldmatrix and stmatrix that is a row of 16 bytes; lanes beyond the last row are inactive.
//
// It returns [cute.CodeNotDivisible] if an access is not a whole number of elements, or a thread's values are not a
// whole number of accesses, [cute.CodeCodomain] if the memory has coordinates for offsets, [cute.CodeRank] and
// [cute.CodeNotInjective] for layouts of threads that do not fit, [cute.CodeNotRepresentable] if an index is outside
// the memory, and the errors of enumerating the layouts.
func NewPlan(rule Rule, mem Memory, elemBits int, threads Threads) (*Plan, error) {
	if rule.lanes == 0 {
		return nil, rule.checkLanes(nil)
	}
	bits := rule.access.bits
	if elemBits < 1 || bits%elemBits != 0 {
		return nil, refuse(cute.CodeNotDivisible, "",
			"%v accesses %d bits, which is not a whole number of elements of %d bits", rule.access, bits, elemBits)
	}
	p := &Plan{rule: rule, elemBits: int64(elemBits), vector: bits / elemBits, ask: threads.ask}
	a, err := p.assign(mem, threads)
	if err == nil {
		err = threads.ask()
	}
	if err != nil {
		return nil, err
	}
	if a.values%p.vector != 0 {
		common := int(ints.GCD(int64(a.values), int64(p.vector)))
		return nil, refuse(cute.CodeNotDivisible,
			fmt.Sprintf("%d divides the values: use an access of %d bits", common, common*elemBits),
			"%v accesses %s of a thread together, and each thread has %s", rule.access, number(p.vector, "value"),
			number(a.values, "value"))
	}
	p.how = a.how
	p.group(a)
	return p, p.checkRows(a)
}

// assign lists the elements of the threads and the offsets of the memory. If the memory is too large to be enumerated,
// it lists only the offsets of the elements that a thread-value layout accesses.
func (p *Plan) assign(mem Memory, threads Threads) (a assignment, err error) {
	if threads.kind == byTV && mem.Size() > cute.EnumLimit && !mem.HasBasis() {
		if a, p.offsets, err = assignFar(threads.tv, mem); err == nil {
			p.size = len(p.offsets)
		}
		return a, err
	}
	if p.offsets, err = offsetsOf(mem, nil); err != nil {
		return a, err
	}
	if err := threads.ask(); err != nil {
		return a, err
	}
	p.size = len(p.offsets)
	return threads.assign(&p.rule, mem, p.offsets, p.vector)
}

// group distributes the elements over warps, instructions and lanes.
func (p *Plan) group(a assignment) {
	p.lanes = p.rule.lanes
	if a.warps {
		p.threads, p.values = a.threads, a.values
		p.warps = (a.threads + p.rule.warp - 1) / p.rule.warp
		p.perWarp = a.values / p.vector
	} else {
		p.threads, p.warps = min(p.lanes, a.threads), 1
		p.perWarp = (a.threads + p.lanes - 1) / p.lanes
		p.values = p.perWarp * p.vector
	}
	n := p.warps * p.perWarp * p.lanes * p.vector
	if !a.warps {
		// The vectors are already in order.
		p.index = a.index
		for len(p.index) < n {
			p.index = append(p.index, -1)
		}
		return
	}
	p.index = make([]int32, 0, n)
	for w := range p.warps {
		for i := range p.perWarp {
			for l := range p.lanes {
				thread := w*p.rule.warp + l
				if thread < a.threads {
					at := thread*a.values + i*p.vector
					p.index = append(p.index, a.index[at:at+p.vector]...)
					continue
				}
				for range p.vector {
					p.index = append(p.index, -1)
				}
			}
		}
	}
}

// checkRows refuses a matrix instruction whose last warp has too few threads for its rows.
func (p *Plan) checkRows(a assignment) error {
	last := p.threads - (p.warps-1)*p.rule.warp
	if p.rule.access.op.isMatrix() && a.warps && last < p.lanes {
		return refuse(cute.CodeRank, "", "%v takes the addresses of %d rows, one of each thread, and the last warp has %s",
			p.rule.access, p.lanes, number(last, "thread"))
	}
	return nil
}

// Rule returns how the machine serves the instructions.
func (p *Plan) Rule() *Rule { return &p.rule }

// Threads returns the number of threads.
func (p *Plan) Threads() int { return p.threads }

// Values returns the number of elements that each thread accesses.
func (p *Plan) Values() int { return p.values }

// Vector returns the number of elements that a lane accesses in one instruction.
func (p *Plan) Vector() int { return p.vector }

// Warps returns the number of warps.
func (p *Plan) Warps() int { return p.warps }

// Instructions returns the number of instructions that each warp executes.
func (p *Plan) Instructions() int { return p.perWarp }

// How says in words which elements the threads access.
func (p *Plan) How() string { return p.how() }

// Offsets returns the offsets of the plan's memory, in the order of its index. If the memory has more than
// [cute.EnumLimit] elements, it returns only the offsets of accessed elements. The caller may change them.
func (p *Plan) Offsets() []int64 { return slices.Clone(p.offsets) }

// Covered returns the number of different elements that the threads access.
func (p *Plan) Covered() int {
	seen := make([]bool, p.size)
	n := 0
	for _, x := range p.index {
		if x >= 0 && !seen[x] {
			seen[x] = true
			n++
		}
	}
	return n
}

// Addresses appends the byte addresses of the lanes for one instruction of one warp, both counted from 0, given the
// offsets of all elements in the order of the memory's index. It allocates nothing if dst has room for a warp.
//
// It returns [cute.CodeRank] for a wrong number of offsets or an instruction that does not exist,
// [cute.CodeNotRepresentable] if the elements of a vector are not contiguous, [cute.CodeNotDivisible] if the vector is
// not aligned to its width, (both errors name the thread, the values and the offsets), and [cute.CodeNegative] and
// [cute.CodeOverflow] for offsets outside of any memory.
func (p *Plan) Addresses(dst, offsets []int64, warp, instruction int) ([]int64, error) {
	if offsets == nil {
		offsets = p.offsets
	}
	if len(offsets) != p.size || warp < 0 || warp >= p.warps || instruction < 0 || instruction >= p.perWarp {
		return dst, refuse(cute.CodeRank, "", "expected %d offsets, a warp below %d and an instruction below %d, found %d, %d and %d",
			p.size, p.warps, p.perWarp, len(offsets), warp, instruction)
	}
	at := (warp*p.perWarp + instruction) * p.lanes * p.vector
	index := p.index[at : at+p.lanes*p.vector]
	unit, mask := int64(1), int64(p.vector-1) // offsets multiplied by unit are multiples of mask+1
	if p.rule.access.op == BulkCopy {
		unit, mask = p.elemBits, int64(p.rule.access.alignment()-1)
	}
	for l := range p.lanes {
		v := index[l*p.vector : (l+1)*p.vector]
		if v[0] < 0 {
			dst = append(dst, Inactive)
			continue
		}
		first := offsets[v[0]]
		for k, x := range v {
			if offsets[x] != first+int64(k) {
				return dst, p.notContiguous(offsets, p.vectorOf(warp, instruction, l), k)
			}
		}
		if (first*unit)&mask != 0 || first < 0 || first > maxOffset {
			return dst, p.notAligned(offsets, p.vectorOf(warp, instruction, l))
		}
		dst = append(dst, first*p.elemBits/8)
	}
	return dst, nil
}

// maxOffset is the largest offset of an element. The offset's address in bits must fit in 64 bits; no memory is that
// large.
const maxOffset = 1 << 50

// Count returns the sums over all instructions of all warps, given the offsets of all elements in the order of the
// memory's index (if nil, of the plan's memory). Degree is the largest degree, and Merged reports whether at least one
// load merges. It allocates nothing unless it fails. It returns the errors of [Plan.Addresses].
func (p *Plan) Count(offsets []int64) (Count, error) {
	var buf [maxLanes]int64
	var sum Count
	for w := range p.warps {
		for i := range p.perWarp {
			if err := p.askAt(i); err != nil {
				return Count{}, err
			}
			addrs, err := p.Addresses(buf[:0], offsets, w, i)
			if err != nil {
				return Count{}, err
			}
			c, err := p.rule.Count(addrs)
			if err != nil {
				return Count{}, err
			}
			sum.Wavefronts += c.Wavefronts
			sum.Ideal += c.Ideal
			sum.Phases += c.Phases
			sum.Degree = max(sum.Degree, c.Degree)
			sum.Merged = sum.Merged || c.Merged
		}
	}
	return sum, nil
}

// askAt asks, at some instructions of a warp, whether the analysis may continue.
func (p *Plan) askAt(i int) error {
	if i%64 != 0 {
		return nil
	}
	return p.ask()
}

// A vector is what one lane accesses in one instruction.
type vector struct {
	thread, value int     // the number of the thread, and of the first of its values in the vector
	index         []int32 // the indices of the elements
}

// vectorOf returns what the lane accesses.
func (p *Plan) vectorOf(warp, instruction, lane int) vector {
	at := ((warp*p.perWarp+instruction)*p.lanes + lane) * p.vector
	return vector{warp*p.rule.warp + lane, instruction * p.vector, p.index[at : at+p.vector]}
}

// notContiguous is the error for the k-th element of a vector.
func (p *Plan) notContiguous(offsets []int64, v vector, k int) error {
	first := offsets[v.index[0]]
	return refuse(cute.CodeNotRepresentable, p.fits(offsets),
		"%v accesses %d contiguous elements; of thread %d, value %d has the offset %d and value %d the offset %d, where %d is expected",
		p.rule.access, p.vector, v.thread, v.value, first, v.value+k, offsets[v.index[k]], first+int64(k))
}

// notAligned returns the error for a vector that does not begin at a multiple of its width.
func (p *Plan) notAligned(offsets []int64, v vector) error {
	first := offsets[v.index[0]]
	switch {
	case first < 0:
		return refuse(cute.CodeNegative, "", "value %d of thread %d has the offset %d", v.value, v.thread, first)
	case first > maxOffset:
		return refuse(cute.CodeOverflow, "", "value %d of thread %d has the offset %d, which is beyond any memory",
			v.value, v.thread, first)
	}
	if p.rule.access.op == BulkCopy {
		return refuse(cute.CodeNotDivisible, "", "%v begins at a multiple of %d bits; value %d of thread %d has the offset %d, which is bit %d",
			p.rule.access, p.rule.access.alignment(), v.value, v.thread, first, first*p.elemBits)
	}
	return refuse(cute.CodeNotDivisible, p.fits(offsets),
		"%v is aligned to %d elements; value %d of thread %d has the offset %d", p.rule.access, p.vector, v.value,
		v.thread, first)
}

// fits says what width all accesses admit.
func (p *Plan) fits(offsets []int64) string {
	if p.rule.access.op == BulkCopy {
		return "copy fewer bytes at a time"
	}
	n := p.vector
	for ; n > 1; n /= 2 {
		if p.admits(offsets, n) {
			break
		}
	}
	bits := int64(n) * p.elemBits
	if bits < 8 {
		return fmt.Sprintf("no two values of a thread are contiguous everywhere, and an element has %d bits: no access fits",
			p.elemBits)
	}
	return fmt.Sprintf("an access of %d bits fits, %s", bits, number(n, "element"))
}

// admits reports whether all values group into vectors of n contiguous and aligned elements.
func (p *Plan) admits(offsets []int64, n int) bool {
	for i, x := range p.index {
		if x < 0 {
			continue
		}
		first := offsets[p.index[i-i%n]]
		if offsets[x] != first+int64(i%n) || first%int64(n) != 0 {
			return false
		}
	}
	return true
}
