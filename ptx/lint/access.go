package lint

import (
	"cmp"
	"fmt"
	"slices"

	"girih/ptx"
)

// accesses checks the addresses of the function.
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

// bytesAt returns the alignment that the address operand k of an instruction needs, in bytes, or 0 if it is not known
// here.
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

// align reports an address that is certainly no multiple of n bytes.
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

// A piece is a load or store of one value in a block.
type piece struct {
	i      int // the instruction
	offset int64
}

// A lane is what loads or stores have in common that one vector access could replace.
type lane struct {
	op   ptx.Op
	base register
	pred ptx.Name
	not  bool
}

// maxLanes limits the kinds of accesses of a block that are looked at together.
const maxLanes = 64

// narrow reports loads, and stores, of adjacent bytes in a block, between which nothing touches memory in another way.
func (c *checker) narrow(l *lows, b int) {
	var order []lane
	open := map[lane][]piece{}
	flush := func(only func(lane) bool) {
		rest := order[:0]
		for _, k := range order {
			if !only(k) {
				rest = append(rest, k)
				continue
			}
			c.adjacent(l, k, open[k])
			delete(open, k)
		}
		order = rest
	}
	for i := c.g.First[b]; i < c.g.First[b+1]; i++ {
		in := c.g.Code[i]
		k, p, ok := c.pieceOf(i)
		switch name := in.Op.Name(); {
		case ok:
			flush(func(x lane) bool { return x.op.Name() != name }) // a load after stores, or a store after loads
			if open[k] == nil {
				if len(order) == maxLanes {
					flush(func(lane) bool { return true })
				}
				order = append(order, k)
			}
			open[k] = append(open[k], p)
		case touchesMemory(in):
			flush(func(lane) bool { return true })
		}
		operandsOf(in, func(n ptx.Name, writes bool) {
			if r := (register{}); writes {
				r = c.register(i, n)
				flush(func(x lane) bool { return x.base == r || x.pred == n })
			}
		})
	}
	flush(func(lane) bool { return true })
}

// touchesMemory reports whether an instruction that is no plain load or store may read, write or order memory.
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

// pieceOf returns the plain load or store of one value that instruction i is.
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
	return lane{in.Op, c.register(i, base), in.Pred, in.Not}, piece{i, a.Offset}, true
}

// adjacent reports the longest runs of pieces whose bytes are adjacent.
func (c *checker) adjacent(l *lows, k lane, list []piece) {
	if len(list) < 2 {
		return
	}
	unit := int64(k.op.Type().Bits() / 8)
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b piece) int { return cmp.Compare(a.offset, b.offset) })
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to].offset == sorted[to-1].offset+unit {
			to++
		}
		if run := sorted[from:to]; len(run) > 1 {
			c.sayNarrow(l, k, run, unit)
		}
		from = to
	}
}

// sayNarrow reports a run of pieces of unit bytes. The widest vector has 16 bytes and 2 or 4 elements, and begins at
// the first piece whose address may be a multiple of its size.
func (c *checker) sayNarrow(l *lows, k lane, run []piece, unit int64) {
	at := l.of(run[0].i, k.base.name, 0)
	for n := int64(4); n > 1; n /= 2 {
		size := n * unit
		if size > 16 {
			continue
		}
		for s := range run {
			if s+int(n) > len(run) {
				break
			}
			off := add(at, constantLow(uint64(run[s].offset)))
			if off.value&uint64(size-1) != 0 && off.known > 0 {
				continue // certainly not aligned
			}
			first := slices.MinFunc(run[s:], func(a, b piece) int { return cmp.Compare(a.i, b.i) })
			verb, where := "loads", fmt.Sprintf("if its address, [%s+%d], is a multiple of %d", k.base.name, run[s].offset, size)
			if k.op.Name() == "st" {
				verb = "stores"
			}
			if off.known >= knownBits || 1<<off.known >= size {
				where = fmt.Sprintf("its address, [%s+%d], is a multiple of %d", k.base.name, run[s].offset, size)
			}
			l := c.say(mark{ruleNarrow, Hint}, c.g.Code[first.i], "%d %s of %s at adjacent addresses: one .v%d can do %d of them; %s",
				len(run)-s, verb, plural(int(unit), "byte"), n, n, where)
			l.Other = c.g.Code[run[len(run)-1].i].Pos
			return
		}
	}
}
