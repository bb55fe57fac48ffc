package lint

import (
	"sort"

	"girih/ptx"
)

// accesses checks the alignment of every address in the function, and looks for accesses that one vector access
// could replace.
func (c *checker) accesses() {
	l := c.newLows()
	for i, in := range c.g.Code {
		if c.enough(1) {
			return
		}
		for k, o := range in.Operands {
			if a, ok := o.(ptx.Addr); ok {
				if n := bytesAt(in, k); n > 1 {
					c.align(l, i, a, n)
				}
			}
		}
	}
	for b := range len(c.g.First) - 1 {
		if c.enough(1) {
			return
		}
		c.narrow(l, b)
	}
}

// bytesAt returns the alignment, in bytes, that an instruction requires of the address that is its operand k. It
// returns 0 if the text does not determine the alignment.
func bytesAt(in *ptx.Instr, k int) int {
	op, simple := in.Op, !in.Op.Has("async") && !in.Op.Has("bulk")
	switch op.Name() {
	case "ld", "st", "ldu", "atom", "red":
		if simple && k < 2 {
			return op.Type().Bits() / 8 * op.Vec()
		}
	case "ldmatrix", "stmatrix":
		return 16
	case "mbarrier":
		return 8
	case "cp":
		return copyBytesAt(in, k)
	}
	return 0
}

// copyBytesAt is bytesAt for cp.async and cp.async.bulk.
func copyBytesAt(in *ptx.Instr, k int) int {
	for _, m := range []string{"tensor", "mbarrier", "prefetch"} {
		if in.Op.Has(m) {
			return 0
		}
	}
	switch {
	case k > 1 || len(in.Operands) < 3:
		return 0
	case in.Op.Has("bulk"):
		return 16
	}
	n, _ := in.Operands[2].(ptx.Int)
	return int(n)
}

// align reports an address that is certainly not a multiple of n bytes.
func (c *checker) align(l *lows, i int, a ptx.Addr, n int) {
	if n&(n-1) != 0 || a.Base == nil {
		return
	}
	in, at := c.g.Code[i], add(l.of(i, a.Base, 0), constantLow(uint64(a.Offset)))
	if off := at.value & uint64(n-1); at.known > 0 && off != 0 {
		of := min(1<<at.known, n)
		c.say(mark{ruleAlign, Fault}, in, "the address is a multiple of %d plus %d in every thread: expected a multiple of the %d bytes of the access",
			of, at.value&uint64(of-1), n)
	}
}

// A piece is one load or store of a single value, as a candidate for a part of a vector access.
type piece struct {
	i      int // the number of the instruction
	offset int64
}

// A lane contains the properties that loads or stores must share before one vector access can replace them.
type lane struct {
	op   ptx.Op
	base int // register
	pred ptx.Name
	not  bool
}

// A group is a lane and the loads or stores that have its properties.
type group struct {
	lane
	list []piece
}

// maxLanes limits how many different lanes are considered together in a block.
const maxLanes = 64

// narrow reports loads of adjacent bytes in a block, and stores of adjacent bytes, if no other instruction between
// them accesses memory.
func (c *checker) narrow(l *lows, b int) {
	var open []group
	for i := c.g.First[b]; i < c.g.First[b+1]; i++ {
		in := c.g.Code[i]
		name := in.Op.Name()
		k, p, ok := c.pieceOf(i)
		if !ok && touchesMemory(in) || ok && len(open) > 0 && open[0].op.Name() != name || len(open) > maxLanes {
			open = c.flush(l, open, "", -1) // a load follows stores, or a store follows loads
		}
		if ok {
			at := 0
			for at < len(open) && open[at].lane != k {
				at++
			}
			if at == len(open) {
				open = append(open, group{lane: k})
			}
			open[at].list = append(open[at].list, p)
		}
		if len(open) > 0 {
			for n, writes := range in.Names() {
				if writes {
					open = c.flush(l, open, n, c.reg(i, n))
				}
			}
		}
	}
	c.flush(l, open, "", -1)
}

// flush reports the groups whose address depends on the register with the given number, or all groups if the
// number is -1. It returns the remaining groups.
func (c *checker) flush(l *lows, open []group, name ptx.Name, number int) []group {
	rest := open[:0]
	for _, x := range open {
		if number >= 0 && x.base != number && x.pred != name {
			rest = append(rest, x)
			continue
		}
		c.adjacent(l, x)
	}
	return rest
}

// touchesMemory reports whether an instruction, other than a plain load or store, may read, write or order memory.
func touchesMemory(in *ptx.Instr) bool {
	switch in.Op.Name() {
	case "ld":
		return in.Op.Space() != ptx.Param && in.Op.Space() != ptx.Const
	case "st", "atom", "red", "bar", "barrier", "fence", "membar", "call", "cp", "mbarrier", "wgmma", "tcgen05", "ldmatrix",
		"stmatrix", "wmma", "ldu", "griddepcontrol", "multimem", "tensormap":
		return true
	}
	return false
}

// pieceOf describes instruction i if it is a plain load or store of one value.
func (c *checker) pieceOf(i int) (lane, piece, bool) {
	in := c.g.Code[i]
	name, at := in.Op.Name(), 1
	if name == "st" {
		at = 0
	} else if name != "ld" {
		return lane{}, piece{}, false
	}
	for _, m := range []string{"volatile", "relaxed", "acquire", "release", "mmio", "async", "bulk"} {
		if in.Op.Has(m) {
			return lane{}, piece{}, false
		}
	}
	if len(in.Operands) < 2 || in.Op.Vec() > 1 || in.Op.Space() == ptx.Const || in.Op.Space() == ptx.Local ||
		len(in.Op.Space()) > 4 && in.Op.Space()[:5] == ptx.Param {
		return lane{}, piece{}, false
	}
	a, ok := in.Operands[at].(ptx.Addr)
	base, named := a.Base.(ptx.Name)
	if n := in.Op.Type().Bits() / 8; !ok || !named || n < 1 || n > 8 {
		return lane{}, piece{}, false
	}
	return lane{in.Op, c.reg(i, base), in.Pred, in.Not}, piece{i, a.Offset}, true
}

// adjacent reports the longest runs of pieces whose bytes are adjacent.
func (c *checker) adjacent(l *lows, x group) {
	list, unit := x.list, int64(x.op.Type().Bits()/8)
	if len(list) < 2 {
		return
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].offset < list[k].offset })
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].offset == list[to-1].offset+unit {
			to++
		}
		for n := 4; n > 1 && to-from > 1; n /= 2 {
			if c.sayNarrow(l, x.lane, list[from:to], n) {
				break
			}
		}
		from = to
	}
}

// sayNarrow reports a run of pieces if one vector of n elements, of at most 16 bytes, can replace some of them. The
// vector begins at the first piece whose address may be a multiple of its size.
func (c *checker) sayNarrow(l *lows, k lane, run []piece, n int) bool {
	unit := k.op.Type().Bits() / 8
	size, verb := n*unit, "loads"
	if k.op.Name() == "st" {
		verb = "stores"
	}
	base := c.names[k.base]
	at := l.of(run[0].i, base, 0)
	for ; len(run) >= n && size <= 16; run = run[1:] {
		off := add(at, constantLow(uint64(run[0].offset)))
		if off.value&uint64(size-1) != 0 {
			continue // this address is certainly not aligned
		}
		first, where := run[0].i, "if "
		for _, p := range run {
			first = min(first, p.i)
		}
		if 1<<off.known >= size {
			where = ""
		}
		l := c.say(mark{ruleNarrow, Hint}, c.g.Code[first],
			"%d %s of %s at adjacent addresses: one .v%d can do %d of them; %sits address, [%s+%d], is a multiple of %d",
			len(run), verb, plural(unit, "byte"), n, n, where, base, run[0].offset, size)
		l.Other = int(c.g.Code[run[len(run)-1].i].Pos.Line)
		return true
	}
	return false
}
