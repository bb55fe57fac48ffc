package tensor

// padding is the position of a coordinate without an element. Positions in a storage are never negative, and tensors
// without a storage are never padded.
const padding = -1 << 63

// chunk is the number of positions that are computed at a time: enough to hide the cost of starting, and one page of
// the stack.
const chunk = 256

// A cursor visits the positions of a view in colexicographic order.
type cursor struct {
	odometer
	v    *view
	i, n int64
}

// newCursor returns a cursor at index 0 of a view of positions.
func newCursor(v *view) *cursor {
	c := &cursor{v: v, n: v.size()}
	if v.slow {
		return c
	}
	n := v.lay.LeafCount()
	c.begin(n)
	for j := range n {
		c.add(v.lay.Leaf(j))
	}
	c.end()
	c.pos = v.inner
	return c
}

// An odometer counts through the values of a layout.
type odometer struct {
	pos  int64
	ext  []int64
	str  []int64
	at   []int64 // the digits of the present index
	room [3 * 12]int64
}

// begin makes room for n modes; the caller then calls add for each mode, and end.
func (o *odometer) begin(n int) {
	buf := o.room[:]
	k := n + 1
	if 3*k > len(buf) {
		buf = make([]int64, 3*k)
	}
	o.ext, o.str, o.at = buf[:0:k], buf[k:k:2*k], buf[2*k:3*k]
}

func (o *odometer) add(s, d int64) {
	last := len(o.ext) - 1
	switch {
	case s == 1:
	case last >= 0 && d == o.ext[last]*o.str[last]: // one run: no need to count
		o.ext[last] *= s
	default:
		o.ext, o.str = append(o.ext, s), append(o.str, d)
	}
}

func (o *odometer) end() {
	if len(o.ext) == 0 {
		o.ext, o.str = append(o.ext, 1), append(o.str, 0)
	}
}

// next writes the next positions to buf and returns the part that it filled, which is empty at the end.
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
func (o *odometer) fill(buf []int64) {
	s, d := o.ext[0], o.str[0]
	for len(buf) > 0 {
		run := min(int64(len(buf)), s-o.at[0])
		p := o.pos
		for k := range buf[:run] {
			buf[k] = p
			p += d
		}
		buf = buf[run:]
		o.pos = p
		if o.at[0] += run; o.at[0] < s {
			return
		}
		o.carry()
	}
}

// carry resets the first digit and increments the others.
func (o *odometer) carry() {
	o.pos -= o.ext[0] * o.str[0]
	o.at[0] = 0
	for j := 1; j < len(o.ext); j++ {
		o.at[j]++
		o.pos += o.str[j]
		if o.at[j] < o.ext[j] {
			return
		}
		o.pos -= o.ext[j] * o.str[j]
		o.at[j] = 0
	}
}
