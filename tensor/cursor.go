package tensor

// padding stands for the position of a coordinate that has none. Positions in a storage are never negative, and tensors
// without a storage are never padded.
const padding = -1 << 63

// chunk is how many positions are computed at a time: enough to forget the cost of starting, and a page of the stack.
const chunk = 256

// A cursor walks through the positions of a view in colexicographic order.
type cursor struct {
	v    *view
	i, n int64
	pos  int64 // of the layout at i, without what is outside of it
	ext  []int64
	str  []int64
	at   []int64 // the digits of i
	room [3 * 12]int64
}

// newCursor returns a cursor at index 0 of a view of positions.
func newCursor(v *view) *cursor {
	c := &cursor{v: v, n: v.size()}
	if v.slow {
		return c
	}
	buf := c.room[:]
	if 3*(len(v.ext)+1) > len(buf) {
		buf = make([]int64, 3*(len(v.ext)+1))
	}
	k := len(v.ext) + 1
	c.ext, c.str, c.at = buf[:0:k], buf[k:k:2*k], buf[2*k:3*k]
	for j, s := range v.ext {
		last := len(c.ext) - 1
		switch {
		case s == 1:
		case last >= 0 && v.str[j] == c.ext[last]*c.str[last]: // one run: no need to count
			c.ext[last] *= s
		default:
			c.ext, c.str = append(c.ext, s), append(c.str, v.str[j])
		}
	}
	if len(c.ext) == 0 {
		c.ext, c.str = append(c.ext, 1), append(c.str, 0)
	}
	return c
}

// next writes the next positions into buf and returns the part that it filled, nothing at the end.
func (c *cursor) next(buf []int64) []int64 {
	buf = buf[:min(int64(len(buf)), c.n-c.i)]
	if c.v.slow || len(c.v.axes) > 0 {
		for k := range buf {
			p, ok := c.v.at(c.i + int64(k))
			if !ok {
				p = padding
			}
			buf[k] = p
		}
		c.i += int64(len(buf))
		return buf
	}
	c.fill(buf)
	c.i += int64(len(buf))
	for k := range c.v.links {
		c.v.links[k].applyAll(buf)
	}
	if base := c.v.base; base != 0 || len(c.v.links) > 0 {
		for j := range buf {
			buf[j] += base
		}
	}
	return buf
}

// fill writes the next positions of the layout.
func (c *cursor) fill(buf []int64) {
	s, d := c.ext[0], c.str[0]
	for len(buf) > 0 {
		run := min(int64(len(buf)), s-c.at[0])
		p := c.pos
		for k := range buf[:run] {
			buf[k] = p
			p += d
		}
		buf = buf[run:]
		c.pos = p
		if c.at[0] += run; c.at[0] < s {
			return
		}
		c.carry()
	}
}

// carry sets the first digit to 0 and counts the others on.
func (c *cursor) carry() {
	c.pos -= c.ext[0] * c.str[0]
	c.at[0] = 0
	for j := 1; j < len(c.ext); j++ {
		c.at[j]++
		c.pos += c.str[j]
		if c.at[j] < c.ext[j] {
			return
		}
		c.pos -= c.ext[j] * c.str[j]
		c.at[j] = 0
	}
}
