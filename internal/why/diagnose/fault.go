package diagnose

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"girih/internal/pattern"
)

// faultRules are accesses that the card or compute-sanitizer stopped.
var faultRules = ruleList{
	{says: "invalid __|of size", tool: "compute-sanitizer", op: "access", look: sanitizerFault, alone: true, demand: "an address is a multiple of the bytes that the instruction accesses there, and they are in an allocation"},
	{says: "misaligned address", tool: toolDriver, op: "copy", look: cardFault, alone: true, demand: demandAligned},
	{says: "misalignedaddress", tool: toolDriver, op: "copy", look: cardFault, alone: true, demand: demandAligned},
	{says: "misaligned_address", tool: toolDriver, op: "copy", look: cardFault, alone: true, demand: demandAligned},
	{says: "misaligned shared or local address", tool: toolDriver, op: "copy", look: cardFault, alone: true, demand: demandAligned},
}

const demandAligned = "an address is a multiple of the bytes that the instruction accesses there"

const (
	reAccess     = pattern.Pattern(`(?i)Invalid __(\w+?)__ (\w+) of size (\d+)`)
	reFaulted    = pattern.Pattern(`(?i)Address (0x[0-9a-f]+) is (misaligned|out of bounds)`)
	reKernelLine = pattern.Pattern(`\+0x[0-9a-f]+ in (\S+:\d+)`)
	reBehind     = pattern.Pattern(`(?i)is ([\d,]+) bytes? (after|before) the nearest allocation(?: at (0x[0-9a-f]+) of size ([\d,]+))?`)
)

// cardFault examines a fault that the card reports, without the access or its width.
func cardFault(f *failure) {
	f.missing("the access and its tensor: compute-sanitizer names the line, the address and the bytes; the type, the layout and the slice say the rest")
	f.alignedBy()
	f.repair(Repair{Say: "girih predicate EXTENTS --tile TILE --tiled EXPR finds vectors that never cross the edge of a tensor"})
}

// alignedBy adds the command that finds the misaligned term of an address.
func (f *failure) alignedBy() {
	f.repair(Repair{Say: "girih align LAYOUT --type TYPE --align BYTES --at COORD --want BITS says whether vectors of BITS bits are " +
		"aligned there, and which stride or offset is not: rows of an odd length, and slices that begin between vectors, are the usual ones"})
}

// sanitizerFault examines compute-sanitizer's report of one access.
func sanitizerFault(f *failure) {
	m := reAccess.FindStringSubmatch(f.m.text)
	if m == nil {
		return
	}
	size, _ := integer(m[3])
	f.operand("access", fmt.Sprintf("%s of %d bytes in %s memory", strings.ToLower(m[2]), size, strings.ToLower(m[1])))
	body := firstLines(f.m.body, 16)
	if p := reKernelLine.FindStringSubmatch(body); p != nil && f.Caller == "" {
		f.Caller = p[1]
	}
	a := reFaulted.FindStringSubmatch(body)
	if a == nil || size <= 0 {
		f.missing("the line 'Address 0x... is misaligned', or out of bounds, which follows")
		return
	}
	at, err := strconv.ParseUint(a[1], 0, 64)
	if err != nil {
		return
	}
	f.operand("address", a[1])
	if !strings.EqualFold(a[2], "misaligned") {
		f.outside(body)
		return
	}
	f.Demand = demandAligned
	f.Pair = fmt.Sprintf("%s and %d", a[1], size)
	aligned := int64(1) << min(bits.TrailingZeros64(at), 10)
	f.Condition = fmt.Sprintf("%s mod %d = %d", a[1], size, at%uint64(size))
	if aligned < size {
		f.Condition += fmt.Sprintf(": the address is a multiple of %d bytes", aligned)
		f.repair(Repair{Say: fmt.Sprintf("vectors of %d bits there, UniversalCopy<uint%[1]d_t>; or make every term of the address a multiple of %d bytes: "+
			"the start of the buffer (alignas(%[2]d)), the row and each slice", aligned*8, size)})
	}
	if strings.EqualFold(m[1], "shared") {
		f.repair(Repair{Say: fmt.Sprintf("rows of shared memory that are padded against bank conflicts keep vectors of %d bytes where the row is a multiple of "+
			"them: girih swizzle LAYOUT --type TYPE --access ACCESS finds a swizzle or a padding that does", size)})
	}
	f.alignedBy()
}

// outside examines an access outside any allocation.
func (f *failure) outside(body string) {
	f.Demand = "each access is in an allocation"
	f.Condition = "the address is in no allocation"
	if b := reBehind.FindStringSubmatch(body); b != nil {
		f.Condition = fmt.Sprintf("the address is %s bytes %s the nearest allocation", b[1], strings.ToLower(b[2]))
		if b[4] != "" {
			f.Condition += fmt.Sprintf(", %s of %s bytes", b[3], b[4])
		}
	}
	f.repair(Repair{Say: "girih predicate EXTENTS --tile TILE --tiled EXPR writes the predicate that guards the last tile of each mode, and says where a " +
		"TiledCopy stands out of its tile"})
	f.missing("the extents of the tensor, the tile and the TiledCopy or TiledMMA")
}
