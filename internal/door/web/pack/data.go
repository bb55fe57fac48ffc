package pack

// A dataCoder codes bytes: those of the data that a program starts with. What followed the last four bytes the last
// time is guessed, as long as the guesses are right; what is not guessed is coded from the bytes before it and from
// those above it in words of 4.
type dataCoder struct {
	*coder
	t []byte // when decoding, as far as it is known
}

// Kinds of things that are coded.
const (
	kindRun  = 0
	kindByte = 40
)

// code codes n bytes.
func (d *dataCoder) code(n int) {
	found := make([]int32, 1<<foundBits)
	guess, run := 0, 0
	for p := range n {
		var w, v uint32 // the last four bytes, the last one lowest, and the four before them
		for i := range 4 {
			if i < p {
				w |= uint32(d.t[p-1-i]) << (8 * i)
			}
			if i+4 < p {
				v |= uint32(d.t[p-5-i]) << (8 * i)
			}
		}
		at := &found[hash(w, 5)>>(32-foundBits)]
		if guess == 0 {
			guess = int(*at)
		}
		*at = int32(p)
		if guess > 0 {
			g := d.t[guess]
			if d.right(p, g, run, w&255) {
				guess++
				run++
				continue
			}
			guess, run = 0, 0
		}
		d.spell(p, w, v)
	}
}

// right codes whether byte p is g, and takes it if so.
func (d *dataCoder) right(p int, g byte, run int, last uint32) bool {
	d.n = 2
	d.ctx[0] = hash(uint32(min(run, 31)), hash(uint32(g), 1))
	d.ctx[1] = hash(uint32(min(run, 3)), hash(uint32(g)<<8|last, 2))
	hit := uint32(0)
	if !d.decoding && d.t[p] == g {
		hit = 1
	}
	if d.flag(kindRun+min(run, 31), hit) == 0 {
		return false
	}
	if d.decoding {
		d.t = append(d.t, g)
	}
	return true
}

// spell codes byte p.
func (d *dataCoder) spell(p int, w, v uint32) {
	col := uint32(p & 3)
	d.n = 6
	d.ctx[0] = hash(w&255, 100)
	d.ctx[1] = hash(w&0xffff, 101)
	d.ctx[2] = hash(w&0xffffff, 102)
	d.ctx[3] = hash(w, 103)
	d.ctx[4] = hash(w>>24|v>>24<<8|col<<16, 104)
	d.ctx[5] = hash(w&255|w>>24<<8|col<<16, 105)
	b := byte(0)
	if !d.decoding {
		b = d.t[p]
	}
	b = d.byte(kindByte+int(col), b)
	if d.decoding {
		d.t = append(d.t, b)
	}
}
