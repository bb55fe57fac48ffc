package pack

// A coder codes bits that it predicts from contexts, with an arithmetic coder. Each context has a probability; a small
// network mixes them, as in Matt Mahoney's lpaq1 (described in his Data Compression Explained, section 4.3). Decoding
// is the same with the bit read in place of given. All numbers are integers of 32 bits, so that the decoder of the
// page, ui/unpack.ts, computes the same ones; a change here is a change there.
type coder struct {
	slots   []uint32 // 22 bits of probability that the bit is 1, and 10 of how often the slot was used
	weights []int32  // of the network, maxContexts in a set
	ctx     [maxContexts]uint32
	n       int // how many contexts there are
	in      [maxContexts]int32
	at      [maxContexts]uint32

	lo, hi uint32 // the interval of the arithmetic coder
	out    []byte // what is written

	decoding bool
	src      []byte // what is still to be read
	x        uint32
}

const (
	maxContexts = 6
	slotBits    = 24
	maxKinds    = 1024 // of things that are coded; each has 32 sets of weights
	maxCount    = 127
)

var (
	stretched [4096]int32 // ln(p/(1-p)), in 256ths, of p in 4096ths
	rates     [maxCount + 1]uint32
)

// squash is the inverse of stretched: 4096/(1+e^-(d/256)).
func squash(d int32) int32 {
	if d > 2047 {
		return 4095
	}
	if d < -2047 {
		return 1
	}
	w := d & 127
	d = d>>7 + 16
	return (squashed[d]*(128-w) + squashed[d+1]*w + 64) >> 7
}

var squashed = [33]int32{
	1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068,
	4079, 4085, 4089, 4092, 4093, 4094,
}

func init() {
	from := int32(0)
	for x := int32(-2047); x <= 2047; x++ {
		v := squash(x)
		for i := from; i <= v; i++ {
			stretched[i] = x
		}
		from = v + 1
	}
	for i := from; i < 4096; i++ {
		stretched[i] = 2047
	}
	for k := range rates {
		rates[k] = uint32(81920 / (10*k + 16)) // 1/(k+1.6), in 8192ths
	}
}

func newCoder() *coder {
	c := &coder{slots: make([]uint32, 1<<slotBits), weights: make([]int32, maxKinds*32*maxContexts), hi: 1<<32 - 1}
	for i := range c.slots {
		c.slots[i] = 1 << 31
	}
	for i := range c.weights {
		c.weights[i] = 1 << 14
	}
	return c
}

// newDecoder returns a coder that reads what another one has written.
func newDecoder(src []byte) *coder {
	c := newCoder()
	c.decoding, c.src = true, src
	for range 4 {
		c.x = c.x<<8 | c.read()
	}
	return c
}

// read returns the next byte; behind the end there are zeros.
func (c *coder) read() uint32 {
	if len(c.src) == 0 {
		return 0
	}
	b := c.src[0]
	c.src = c.src[1:]
	return uint32(b)
}

// finish writes the rest.
func (c *coder) finish() []byte {
	return append(c.out, byte(c.hi>>24), byte(c.hi>>16), byte(c.hi>>8), byte(c.hi))
}

// bit codes one bit and returns it; c.at has the slots, set selects the weights.
func (c *coder) bit(set int, bit uint32) uint32 {
	w := c.weights[set*maxContexts : set*maxContexts+c.n]
	dot := int32(0)
	for i := range w {
		s := c.slots[c.at[i]]
		t := stretched[s>>20]
		if k := int32(s & 1023); k < 3 {
			t = t * k >> 2 // a slot that is hardly known says little
		}
		c.in[i] = t
		dot += t * w[i] >> 4
	}
	p := squash(dot >> 12)
	mid := c.lo + (c.hi-c.lo)>>12*uint32(p)
	if c.decoding {
		bit = 0
		if c.x <= mid {
			bit = 1
		}
	}
	if bit == 1 {
		c.hi = mid
	} else {
		c.lo = mid + 1
	}
	for (c.lo^c.hi)>>24 == 0 {
		if c.decoding {
			c.x = c.x<<8 | c.read()
		} else {
			c.out = append(c.out, byte(c.hi>>24))
		}
		c.lo <<= 8
		c.hi = c.hi<<8 | 255
	}
	miss := (int32(bit)<<12 - p) * 7
	for i := range w {
		w[i] += (c.in[i]*miss + 0x2000) >> 14
		s := c.slots[c.at[i]]
		k := s & 1023
		p := s >> 10
		if bit == 1 {
			p += (1<<22 - 1 - p) >> 4 * rates[k] >> 9
		} else {
			p -= p >> 4 * rates[k] >> 9
		}
		if k < maxCount {
			k++
		}
		c.slots[c.at[i]] = p<<10 | k
	}
	return bit
}

// hash mixes two numbers.
func hash(a, b uint32) uint32 {
	h := a*0x2c1b3c6d + b*0x297a2d39 + 0x5f356495
	return h ^ h>>15
}

// find sets c.at to 16 slots for each of the contexts.
func (c *coder) find(salt uint32) {
	for k := range c.n {
		c.at[k] = hash(c.ctx[k]+uint32(k)*0x9e3779b1, salt) >> (32 - slotBits) &^ 15
	}
}

// nibble codes 4 bits.
func (c *coder) nibble(set int, salt, v uint32) uint32 {
	c.find(salt)
	node := uint32(1)
	for i := 3; i >= 0; i-- {
		for k := range c.n {
			c.at[k] = c.at[k]&^15 | node
		}
		node = node<<1 | c.bit(set|int(node), v>>i&1)
	}
	return node & 15
}

// byte codes a byte.
func (c *coder) byte(kind int, b byte) byte {
	high := c.nibble(kind<<5, 1, uint32(b>>4))
	return byte(high<<4 | c.nibble(kind<<5|16, 2+high, uint32(b&15)))
}

// A ranking orders bytes by how frequent they are: the first 15, and the rank of each.
type ranking struct {
	first []byte
	rank  [256]byte // 15 for all others
}

func newRanking(first []byte) *ranking {
	r := &ranking{first: first}
	for i := range r.rank {
		r.rank[i] = 15
	}
	for i, b := range first {
		r.rank[b] = byte(i)
	}
	return r
}

// ranked codes a byte: the frequent ones in one nibble, others in three.
func (c *coder) ranked(kind int, r *ranking, b byte) byte {
	k := c.nibble(kind<<5, 1, uint32(r.rank[b]))
	if int(k) < len(r.first) {
		return r.first[k]
	}
	high := c.nibble(kind<<5|16, 32, uint32(b>>4))
	return byte(high<<4 | c.nibble(kind<<5|16, 33+high, uint32(b&15)))
}

// flag codes one bit.
func (c *coder) flag(kind int, bit uint32) uint32 {
	c.find(99)
	return c.bit(kind<<5, bit)
}
