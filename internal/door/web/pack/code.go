package pack

// A codeCoder codes code in its shape, instruction by instruction. What followed when the last 12 instructions were the
// same the last time is the first guess, what followed the last 4 the second; a guess costs one bit, mostly a fraction
// of it. Only what is not guessed is coded byte by byte.
type codeCoder struct {
	*coder
	t     []byte // the code; when decoding, as far as it is known
	p     int    // where it is coded
	ranks [classes]*ranking
	freq  *[classes][256]int // counts the bytes that are not guessed, if it is not nil

	hist  [12]uint32 // hashes of the last instructions, the last one first
	ops   uint32     // the last four opcodes
	last  [256]uint32
	fn    uint32
	found [2][]int32 // by the hash of the last instructions, where it was
	guess [2]int     // where the guess is, 0 for none
	run   [2]int     // how often it was right in a row
}

const (
	classes   = 1 + 2*256 // of bytes: opcodes; the first number byte of each opcode, and the further ones
	foundBits = 20

	// Kinds of things that are coded.
	kindOp    = 0
	kindBytes = 1   // of numbers, up to 512
	kindGuess = 600 // up to 2*32
	kindLocal = 700
)

var orders = [2]int{12, 4}

func newCodeCoder(c *coder, ranks [classes]*ranking) *codeCoder {
	cc := &codeCoder{coder: c, ranks: ranks}
	for k := range cc.found {
		cc.found[k] = make([]int32, 1<<foundBits)
	}
	return cc
}

// numbers returns how many numbers in LEB128 and how many other bytes follow an opcode, at first sight: see next.
func numbers(op byte) (lebs, fixed int) {
	switch {
	case op == opBlock || op == opLoop || op == opIf || op == 0x3f || op == 0x40:
		return 0, 1
	case op == opBr || op == opBrIf || op == opBrTable || op == opCall || op >= opLocalGet && op <= opGlobSet, op == opI32Const, op == opI64Const,
		op == opPlace, op == opJump, op == opMore:
		return 1, 0
	case op == opIndirect || isMemory(op):
		return 2, 0
	case op == opF32Const:
		return 0, 4
	case op == opF64Const:
		return 0, 8
	}
	return 0, 0
}

// operands reads the bytes behind the opcode, one by one from next.
func operands(op byte, next func() byte) {
	lebs, fixed := numbers(op)
	first, v, shift := true, 0, 0
	for lebs > 0 {
		b := next()
		if first && shift < 28 {
			v |= int(b&0x7f) << shift
			shift += 7
		}
		if b >= 0x80 {
			continue
		}
		lebs--
		if first && op == opBrTable {
			lebs = v + 1
		}
		if first && op == opMore && v >= 10 {
			fixed = 12 - v // memory.copy has two more bytes, memory.fill one
		}
		first = false
	}
	for ; fixed > 0; fixed-- {
		next()
	}
}

// length returns the length of the instruction at p.
func (c *codeCoder) length(p int) int {
	q := p + 1
	operands(c.t[p], func() byte {
		q++
		return c.t[q-1]
	})
	return q - p
}

// put notes a byte that is coded.
func (c *codeCoder) put(b byte) {
	if c.decoding {
		c.t = append(c.t, b)
	}
	c.p++
}

// now is the byte to encode; decoding it is anything.
func (c *codeCoder) now() byte {
	if c.decoding {
		return 0
	}
	return c.t[c.p]
}

// functions codes n functions.
func (c *codeCoder) functions(n int) {
	for f := range n {
		c.fn = uint32(f)
		c.locals()
		for c.instruction() != opDone {
		}
		c.guess = [2]int{}
	}
}

// locals codes the declarations of locals: a number, and for each a number and a type.
func (c *codeCoder) locals() {
	var last uint32
	i := uint32(0)
	one := func() byte {
		c.n = 2
		c.ctx[0] = hash(last&0xff, 7000)
		c.ctx[1] = hash(last, 7001+i)
		b := c.byte(kindLocal, c.now())
		c.put(b)
		last = last<<8 | uint32(b)
		i++
		return b
	}
	leb := func() int {
		v, shift := 0, 0
		for {
			b := one()
			v |= int(b&0x7f) << shift
			if shift += 7; b < 0x80 || shift > 28 {
				return v
			}
		}
	}
	for range leb() {
		leb()
		one()
	}
}

// instruction codes the next instruction and returns its opcode.
func (c *codeCoder) instruction() byte {
	from := c.p
	if !c.guessed() {
		c.spelled()
	}
	op := c.t[from]
	h := uint32(0)
	for _, b := range c.t[from:c.p] {
		h = hash(h, uint32(b))
	}
	copy(c.hist[1:], c.hist[:])
	c.hist[0] = h
	c.ops = c.ops<<8 | uint32(op)
	for k, order := range orders {
		h := uint32(k)
		for _, x := range c.hist[:order] {
			h = hash(h, x)
		}
		h >>= 32 - foundBits
		c.guess[k] = int(c.found[k][h])
		if op != opDone {
			c.found[k][h] = int32(c.p)
		}
	}
	return op
}

// guessed codes whether a guess is right, and takes it if so.
func (c *codeCoder) guessed() bool {
	tried := ""
	for k, q := range c.guess {
		if q == 0 {
			c.run[k] = 0
			continue
		}
		g := string(c.t[q : q+c.length(q)])
		if g == tried {
			c.run[k] = 0
			continue
		}
		tried = g
		h := uint32(0)
		for i := range len(g) {
			h = hash(h, uint32(g[i]))
		}
		run := uint32(min(c.run[k], 20))
		c.n = 3
		c.ctx[0] = hash(run, 8000+uint32(k))
		c.ctx[1] = hash(hash(h, c.hist[0]), 8004+uint32(k))
		c.ctx[2] = hash(hash(uint32(g[0]), c.ops), hash(min(run, 3), 8006+uint32(k)))
		right := uint32(0)
		if !c.decoding && len(g) <= len(c.t)-c.p && g == string(c.t[c.p:c.p+len(g)]) {
			right = 1
		}
		if c.flag(kindGuess+k*32+int(run), right) == 1 {
			c.run[k]++
			for i := range len(g) {
				c.put(g[i])
			}
			return true
		}
		c.run[k] = 0
	}
	return false
}

// spelled codes an instruction byte by byte.
func (c *codeCoder) spelled() {
	c.n = 3
	c.ctx[0] = hash(c.ops&0xffffff, 3)
	c.ctx[1] = hash(c.hist[0], 4)
	c.ctx[2] = hash(hash(c.hist[0], c.hist[1]), 5)
	op := c.rankedIn(kindOp, 0)
	var l1, l2, i uint32
	operands(op, func() byte {
		i++
		o := uint32(op)<<4 | min(i, 12)
		before := hash(o, l1|l2<<8)
		c.n = 5
		c.ctx[0] = hash(hash(o, l1), 10)
		c.ctx[1] = hash(before, hash(c.ops, 11))
		c.ctx[2] = hash(before, hash(c.hist[0], 12))
		c.ctx[3] = hash(before, hash(c.last[op], 13))
		c.ctx[4] = hash(before, hash(c.fn, 14))
		class := int(op)<<1 | int(min(1, i-1))
		b := c.rankedIn(kindBytes+class, 1+class)
		l2, l1 = l1|l2<<8, uint32(b)
		return b
	})
	if i > 0 {
		c.last[op] = l1 | l2<<8
	}
}

// rankedIn codes the next byte by its rank in a class.
func (c *codeCoder) rankedIn(kind, class int) byte {
	b := c.ranked(kind, c.ranks[class], c.now())
	c.put(b)
	if c.freq != nil {
		c.freq[class][b]++
	}
	return b
}
