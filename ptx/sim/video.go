package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// This file implements the scalar video instructions (PTX ISA 9.7.18.1). They extract and extend a part of each source,
// apply an integer operation, and combine the result with a third source or insert the result into a part of the
// destination.
//
// For recent GPUs, ptxas compiles each video instruction to a few 64-bit instructions, which do not always follow the
// formulas of the ISA. This file follows the compiled instructions, as read in the machine code of sm_90a and compared
// with an H100. The comments of videoResult and videoMad state the differences.

func videoRow(name string) row {
	switch name {
	case "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset":
		return (*decoder).video
	case "vmad":
		return (*decoder).videoMad
	case "vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2",
		"vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4", "vset4":
		return (*decoder).packedVideo
	}
	return nil
}

// comparisonsOfIntegers are the comparison modifiers of vset.
var comparisonsOfIntegers = []string{"eq", "ne", "lt", "le", "gt", "ge"}

// A videoOperand is a source of a video instruction: a part of a register, or the whole register.
type videoOperand struct {
	slot   int
	part   string // "b0" to "b3", "h0", "h1", or a letter and digits for several parts; "" for all
	negate bool
}

// videoOperand reads a source, or a destination if read is d.dst.
func (d *decoder) videoOperand(o ptx.Operand, read func(ptx.Operand) (int, error)) (v videoOperand, err error) {
	if u, ok := o.(ptx.Unary); ok && u.Op == '-' {
		v.negate, o = true, u.X
	}
	if name, ok := o.(ptx.Name); ok && d.lookup(name) == nil && name.Part() != "" && d.lookup(name.Base()) != nil {
		v.part, o = name.Part(), name.Base()
	}
	v.slot, err = read(o)
	return v, err
}

// videoPart returns the first bit and the number of bits of the part b0 to b3, h0 or h1 of a register; for "", of the
// whole register.
func videoPart(part string) (from, n int, ok bool) {
	if part == "" {
		return 0, 32, true
	}
	if len(part) == 2 {
		i := int(part[1] - '0')
		switch {
		case part[0] == 'b' && i < 4:
			return 8 * i, 8, true
		case part[0] == 'h' && i < 2:
			return 16 * i, 16, true
		}
	}
	return 0, 0, false
}

// videoSource returns a function that extracts a part of a register and extends the part by type t.
func videoSource(part string, t ptx.Type) (func(x uint64) int64, error) {
	from, n, ok := videoPart(part)
	if !ok {
		return nil, fmt.Errorf("the part .%s of a register: expected .b0 to .b3, .h0 or .h1", part)
	}
	if begins(t, 's') {
		return func(x uint64) int64 { return extend(x>>from, n) }, nil
	}
	return func(x uint64) int64 { return int64(x >> from & ones(n)) }, nil
}

// video reads the scalar video instructions except vmad.
func (d *decoder) video(o *opcode) (step, error) {
	types, err := videoTypes(o)
	if err != nil {
		return nil, err
	}
	op, err := videoOperation(o)
	if err != nil {
		return nil, err
	}
	secondary := o.one("add", "min", "max")
	if err := o.need(3, 4); err != nil {
		return nil, err
	}
	dst, err := d.videoOperand(o.Operands[0], d.dst)
	if err != nil {
		return nil, err
	}
	combines, inserts := secondary != "", dst.part != ""
	if (len(o.Operands) == 4) != (combines || inserts) || combines && inserts {
		return nil, fmt.Errorf("a third source goes with .add, .min or .max, or with a part of the destination")
	}
	src, take, err := d.videoSources(o, types, videoOperand.checkPlain)
	if err != nil {
		return nil, err
	}
	result, err := newVideoResult(o, types[0], dst.part, secondary)
	if err != nil {
		return nil, err
	}
	var slots []int
	for _, s := range src {
		slots = append(slots, s.slot)
	}
	return mapN(dst.slot, slots, func(x []uint64) uint64 {
		c := uint64(0)
		if len(x) == 3 {
			c = x[2]
		}
		return result.end(op(take[0](x[0]), take[1](x[1])), c)
	}), nil
}

// videoTypes returns the types of the result and of two sources.
func videoTypes(o *opcode) ([]ptx.Type, error) {
	types := o.types()
	if o.name == "vset" && len(types) > 0 { // the result, 0 or 1, gets the type of the first source
		types = append(types[:1:1], types...)
	}
	if len(types) != 3 || slices.ContainsFunc(types, func(t ptx.Type) bool { return t != ptx.U32 && t != ptx.S32 }) {
		return nil, fmt.Errorf("expected types .u32 and .s32 for the result and two sources")
	}
	return types, nil
}

// extractors extract the values of the first two sources from their registers.
type extractors [2]func(uint64) int64

// videoSources reads the sources of a video instruction, and returns the extractors of the first two. check returns an
// error if source v, operand x with index i, is not allowed.
func (d *decoder) videoSources(
	o *opcode, types []ptx.Type, check func(v videoOperand, x ptx.Operand, i int) error,
) (src []videoOperand, take extractors, err error) {
	for i, x := range o.Operands[1:] {
		s, err := d.videoOperand(x, d.srcU32)
		if err == nil && i < 2 {
			take[i], err = videoSource(s.part, types[i+1])
		}
		if err == nil {
			err = check(s, x, i)
		}
		if err != nil {
			return nil, take, err
		}
		src = append(src, s)
	}
	return src, take, nil
}

// videoSourceOperand reads source i, which must be a register.
func (d *decoder) videoSourceOperand(x ptx.Operand, i int) (videoOperand, error) {
	s, err := d.videoOperand(x, d.srcU32)
	if err == nil {
		err = s.checkPlain(x, i)
	}
	return s, err
}

// checkPlain returns an error if source i is negated, or if the third source is a part of a register.
func (v videoOperand) checkPlain(x ptx.Operand, i int) error {
	if v.negate {
		return fmt.Errorf("operand %s: expected a register", x)
	}
	return v.checkWhole(x, i)
}

// checkWhole returns an error if the third source is a part of a register.
func (v videoOperand) checkWhole(x ptx.Operand, i int) error {
	if i == 2 && v.part != "" {
		return fmt.Errorf("operand %s: expected a register", x)
	}
	return nil
}

// srcU32 returns the slot of a source of type .u32.
func (d *decoder) srcU32(x ptx.Operand) (int, error) { return d.src(x, ptx.U32) }

// videoOperation returns the primary operation of a scalar video instruction.
func videoOperation(o *opcode) (func(a, b int64) int64, error) {
	switch op := o.name[1:]; op {
	case "set":
		cmp := comparison(o.one(comparisonsOfIntegers...), ptx.S64, kept)
		if cmp == nil {
			return nil, fmt.Errorf("expected a comparison")
		}
		return func(a, b int64) int64 {
			if cmp(uint64(a), uint64(b)) {
				return 1
			}
			return 0
		}, nil
	case "shl", "shr":
		mode := o.one("clamp", "wrap")
		if mode == "" {
			return nil, fmt.Errorf("expected .clamp or .wrap")
		}
		return func(a, b int64) int64 {
			if mode == "wrap" {
				b &= 31
			}
			if b = min(b, 32); op == "shr" {
				return a >> b
			}
			return a << b
		}, nil
	default:
		return func(a, b int64) int64 { return packedInteger(op, a, b) }, nil
	}
}

// A videoResult describes how the result of the primary operation is used.
type videoResult struct {
	name      string   // the name of the instruction
	t         ptx.Type // the type of the destination
	saturate  bool
	part      string // the part of the destination
	secondary string
	from, n   int // the first bit of the part, and its number of bits
}

func newVideoResult(o *opcode, t ptx.Type, part, secondary string) (*videoResult, error) {
	u := &videoResult{name: o.name, t: t, saturate: o.has("sat"), part: part, secondary: secondary}
	var ok bool
	if u.from, u.n, ok = videoPart(part); !ok {
		return nil, fmt.Errorf("the part .%s of the destination: expected .b0 to .b3, .h0 or .h1", part)
	}
	return u, nil
}

// shifts reports whether the instruction is a shift; sums reports whether it is vadd or vsub.
func (u *videoResult) shifts() bool { return u.name == "vshl" || u.name == "vshr" }
func (u *videoResult) sums() bool   { return u.name == "vadd" || u.name == "vsub" }

// end saturates the exact result v of the operation, and combines v with c or inserts v into a part of c. The part .h1
// receives the upper half of v; the ISA says the lower half.
func (u *videoResult) end(v int64, c uint64) uint64 {
	if u.saturate {
		v = u.clamp(v)
	}
	switch place := u.from; {
	case u.secondary == "add":
		v += int64(c)
	case u.secondary != "":
		v = u.extreme(v, c)
	case u.part != "":
		if u.part == "h1" {
			place = 0
		}
		m := ones(u.n) << u.from
		return uint64(v)<<place&m | c&^m
	}
	return uint64(v) & 0xffffffff
}

// clamp applies .sat, which the ISA defines as a clamp to the type of the destination or its part. The result of a
// shift keeps 34 bits and is clamped to 32 bits, even if only a part is written. For a part, other negative results
// become the part's largest value. For .u32, a result above the largest value is kept, so its low bits remain.
func (u *videoResult) clamp(v int64) int64 {
	switch {
	case u.shifts():
		return clampVideo(extend(uint64(v), 34), u.t)
	case u.part != "":
		most := int64(ones(u.n))
		if u.t == ptx.S32 {
			most >>= 1
		}
		return int64(min(uint64(v), uint64(most)))
	case u.t == ptx.S32:
		return clampVideo(v, u.t)
	}
	return max(v, 0)
}

// extreme applies .min or .max to a result and c, in 64 bits; the ISA compares 32 bits. Sums and clamped shifts are
// sign-extended from 32 bits even if the destination is unsigned; other results are compared as they are.
func (u *videoResult) extreme(v int64, c uint64) int64 {
	if u.sums() || u.shifts() && u.saturate {
		v = extend(uint64(v), 32)
	}
	z, less := int64(c), uint64(v) < c
	if u.t == ptx.S32 {
		z = extend(c, 32)
		less = v < z
	}
	if less == (u.secondary == "min") {
		return v
	}
	return z
}

// clampVideo clamps to .u32 or .s32.
func clampVideo(v int64, t ptx.Type) int64 {
	if t == ptx.S32 {
		return max(-1<<31, min(v, 1<<31-1))
	}
	return max(0, min(v, 1<<32-1))
}

// videoMad reads vmad: a product of the extended sources, a sum, a shift and a clamp. As on an H100, product and sum
// use signed numbers of 32 bits for all types. The types only decide whether the shift and the clamp are signed.
func (d *decoder) videoMad(o *opcode) (step, error) {
	types := o.types()
	if len(types) != 3 {
		return nil, fmt.Errorf("expected three types")
	}
	u := &madUse{plusOne: o.has("po"), saturate: o.has("sat"), t: ptx.U32}
	switch o.one("shr7", "shr15") {
	case "shr7":
		u.shift = 7
	case "shr15":
		u.shift = 15
	}
	if err := o.need(4, 4); err != nil {
		return nil, err
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	src, take, err := d.videoSources(o, types, videoOperand.checkWhole)
	if err != nil {
		return nil, err
	}
	u.take = take
	if err := u.negate(src); err != nil {
		return nil, err
	}
	if begins(types[1], 's') || begins(types[2], 's') || u.minus || u.complement {
		u.t = ptx.S32
	}
	return map3(dst, [3]int{src[0].slot, src[1].slot, src[2].slot}, u.result), nil
}

// negate records whether the product and the third source are negated.
func (u *madUse) negate(src []videoOperand) error {
	anyNegated := src[0].negate || src[1].negate || src[2].negate
	u.minus, u.complement = src[0].negate != src[1].negate, src[2].negate
	if u.plusOne && anyNegated || u.minus && u.complement {
		return fmt.Errorf("the product or the third source may be negated, and none with .po")
	}
	return nil
}

// madUse is one vmad instruction.
type madUse struct {
	take              extractors
	minus, complement bool // the product or the third source is negated
	plusOne, saturate bool
	shift             int
	t                 ptx.Type // the type of the shift and the clamp
}

func (u *madUse) result(x, y, z uint64) uint64 {
	v, c := extend(uint64(u.take[0](x)), 32)*extend(uint64(u.take[1](y)), 32), extend(z, 32)
	if u.minus {
		v = -v
	}
	if u.complement { // the third source is complemented, then extended
		v, c = v+1, extend(^z, 32)
	}
	if v += c; u.plusOne {
		v++
	}
	if u.t == ptx.S32 {
		v >>= u.shift
	} else {
		v = int64(uint64(v) >> u.shift)
	}
	if u.saturate {
		v = clampVideo(v, u.t)
	}
	return uint64(v) & 0xffffffff
}

// videoChoice reads the digits of a selector such as .h32 or .b7654, or of usual if part is "". It returns the index of
// the selected element for each of n elements, the lowest first.
func videoChoice(part, usual string, n int) ([]int, error) {
	if part == "" {
		part = usual
	}
	letter := map[int]byte{2: 'h', 4: 'b'}[n]
	if part[0] != letter || len(part) != n+1 || strings.Trim(part[1:], "01234567"[:2*n]) != "" {
		return nil, fmt.Errorf("the elements .%s: expected %d digits below %d after .%c", part, n, 2*n, letter)
	}
	list := make([]int, n)
	for i := range n {
		list[i] = int(part[n-i] - '0')
	}
	return list, nil
}

// videoMask reads which of the n elements of a destination are written: .h10, .b3210, or fewer of these digits, in
// falling order.
func videoMask(part string, n int) (mask int, err error) {
	if part == "" {
		return 1<<n - 1, nil
	}
	letter := map[int]byte{2: 'h', 4: 'b'}[n]
	last := byte('0' + n)
	for i := 1; i < len(part); i++ {
		if part[i] < '0' || part[i] >= last {
			mask = 0
			break
		}
		last = part[i]
		mask |= 1 << (last - '0')
	}
	if part[0] != letter || mask == 0 {
		return 0, fmt.Errorf("the elements .%s: expected falling digits below %d after .%c", part, n, letter)
	}
	return mask, nil
}
