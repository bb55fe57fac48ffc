package scalar

import (
	"fmt"
	"strconv"

	"girih/ptx"
)

// source chooses a source: an earlier result, a constant, or a value that is loaded.
func (g *generator) source(f *Form, k kind) operand {
	if list := k.list(); list != nil {
		var o operand
		for _, e := range list {
			o.list = append(o.list, g.source(f, e))
		}
		return o
	}
	base, how := k.parts()
	switch base {
	case "lut":
		return operand{value: -1, fixed: ptx.Int(g.random.below(256))}
	case "all":
		if g.random.one(2) {
			return operand{value: -1, fixed: ptx.Int([]int64{-1, 0xffffffff}[g.random.below(2)])}
		}
		return operand{value: g.uniform(0xffffffff)}
	case "mask", "none":
		return g.members(base)
	case "v32", "nv32", "n32", "vshift", "h2", "b4":
		return g.video(base)
	case "pred":
		return g.predicate(how)
	}
	return g.number(f, k)
}

// number chooses a source that is a number.
func (g *generator) number(f *Form, k kind) operand {
	base, _ := k.parts()
	bits := g.width(k)
	if k.hasType() && f.takes() && g.random.one(3) || base == "pos" && g.random.one(8) {
		if v := g.earlier(bits); v >= 0 {
			g.used[v] = true
			return operand{value: v}
		}
	}
	if k.immediate() && f.constants() && !g.constant && g.random.one(10) {
		g.constant = true
		v := g.random.draw(k)
		switch {
		case base == "pos":
			v &= 0xff // the assembler accepts only constants of this size
		case g.last && f.Op.Name() == "slct" && base == "s32": // driver 580 interprets the constant as the bits of an .f32
			v = v&^(1<<30) | v>>31&1
		}
		return operand{value: -1, fixed: literal(base, v)}
	}
	return operand{value: g.load(k, bits)}
}

// width chooses the width of the register of a number.
func (g *generator) width(k kind) int {
	switch _, how := k.parts(); how {
	case "wide":
		return g.wider(k.bits())
	case "own":
		return k.bits()
	}
	return max(k.bits(), 16)
}

// literal returns a constant of a type.
func literal(base string, v uint64) ptx.Operand {
	switch base {
	case "f32":
		return ptx.Bits32(v)
	case "f64":
		return ptx.Bits64(v)
	case "s32":
		return ptx.Int(int32(v))
	}
	return ptx.Int(int64(v))
}

// wider returns the width of a register that holds values of at least this many bits.
func (g *generator) wider(bits int) int {
	all := []int{16, 32, 64}
	for all[0] < bits {
		all = all[1:]
	}
	return all[g.random.below(len(all))]
}

// earlier returns an earlier value of this program with a width that may be used, or -1.
func (g *generator) earlier(bits int) int {
	var found []int
	for i := g.first; i < g.fresh; i++ {
		if v := &g.kernel.values[i]; v.bits == bits && v.free && !g.used[i] {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return -1
	}
	return found[g.random.below(len(found))]
}

// load adds a loaded value of a kind.
func (g *generator) load(k kind, bits int) int {
	base, how := k.parts()
	var v [Lanes]uint64
	junk := how == "wide" // whether a wider register has random bits above the type
	for i := range v {
		v[i] = g.random.draw(k)
		if junk && g.random.one(2) {
			v[i] |= g.random.next() << k.bits()
		}
	}
	switch {
	case how == "few" || how == "same" && g.random.one(4):
		for i := range v {
			v[i] = v[g.random.below(1+i%4)]
		}
	case how == "same" && !g.random.one(3):
		for i := range v {
			v[i] = v[0]
		}
	}
	if base == "pred" {
		bits = 1
	}
	n := g.put(v, bits)
	if bits == 8 {
		g.kernel.values[n].typ = ptx.Type(base)
	}
	return n
}

// put adds a loaded value.
func (g *generator) put(v [Lanes]uint64, bits int) int {
	slot := len(g.shard.in) / Lanes
	for i := range v {
		v[i] &= ones(bits)
	}
	g.shard.in = append(g.shard.in, v[:]...)
	g.kernel.values = append(g.kernel.values, value{bits: bits, slot: slot, input: true, free: bits > 1})
	return len(g.kernel.values) - 1
}

// uniform adds a value that is the same in all lanes.
func (g *generator) uniform(x uint64) int {
	var v [Lanes]uint64
	for i := range v {
		v[i] = x
	}
	n := g.put(v, 32)
	g.kernel.values[n].free = false
	return n
}

// members chooses the lanes that take part: all, some, or two groups at the same time. The guard of the step excludes
// the other lanes.
func (g *generator) members(base string) operand {
	one := func() uint64 {
		m := g.random.next() & 0xffffffff
		m &= g.random.next()
		if g.random.one(2) {
			m = ones(1+g.random.below(32)) << g.random.below(32) & 0xffffffff
		}
		return max(m, 1<<g.random.below(32))
	}
	first, second := uint64(0xffffffff), uint64(0)
	switch g.random.below(4) {
	case 0:
		first = one()
	case 1:
		first = one()
		second = ^first & 0xffffffff
	}
	var mask, in [Lanes]uint64
	for i := range mask {
		mask[i] = first
		in[i] = first >> i & 1
		if second>>i&1 == 1 && base != "none" {
			mask[i], in[i] = second, 1
		}
	}
	n := g.put(mask, 32)
	g.kernel.values[n].free = false
	if first != 0xffffffff {
		g.guard = g.put(in, 1)
	}
	if base == "none" {
		return operand{value: -1}
	}
	return operand{value: n}
}

// predicate chooses a source that is a predicate.
func (g *generator) predicate(how string) operand {
	o := operand{value: -1}
	if how == "" && g.random.one(2) {
		o.value = g.earlier(1)
	}
	if o.value < 0 {
		o.value = g.load(kind("pred:"+how), 1)
	}
	return o
}

// video chooses a source of a video instruction.
func (g *generator) video(base string) operand {
	o := operand{value: -1}
	if g.random.one(3) {
		o.value = g.earlier(32)
	}
	if o.value < 0 {
		k := kind("b32")
		if special, ok := map[string]kind{"vshift": "vshift", "b4": "u8x4", "h2": "u16x2"}[base]; ok {
			k = special
		}
		o.value = g.load(k, 32)
	}
	if parts := videoParts[base]; parts != nil && !g.random.one(3) {
		o.part = parts(g)
	}
	if base == "nv32" || base == "n32" && g.random.one(2) {
		o.mark = '-'
	}
	return o
}

// videoParts choose the part of a source: a byte or a half, two halves, or four bytes.
var videoParts = map[string]func(*generator) string{
	"v32": partOfWord, "nv32": partOfWord, "vshift": partOfWord, "h2": twoHalves, "b4": fourBytes,
}

func partOfWord(g *generator) string {
	return "." + []string{"b0", "b1", "b2", "b3", "h0", "h1"}[g.random.below(6)]
}

func twoHalves(g *generator) string {
	return fmt.Sprintf(".h%d%d", g.random.below(4), g.random.below(4))
}

func fourBytes(g *generator) string {
	part := ".b"
	for range 4 {
		part += strconv.Itoa(g.random.below(8))
	}
	if part == ".b1024" { // the assembler treats .b1024 as a type
		part = ".b1025"
	}
	return part
}

// relate makes some loaded operands of a step resemble each other: equal, opposite, next to each other, or a sum that
// cancels a product.
func (g *generator) relate(f *Form) {
	values := g.kernel.values[g.fresh:]
	if !f.relatable(values) {
		return
	}
	at := func(i, lane int) *uint64 { return &g.shard.in[values[i].slot*Lanes+lane] }
	last := len(values) - 1
	n := values[0].bits
	base, _ := f.src[0].parts()
	format, float := numerals[base]
	for lane := range Lanes {
		a, b := *at(0, lane), at(last, lane)
		switch g.random.below(16) {
		case 0:
			*b = a
		case 1:
			*b = a ^ 1<<(n-1)
		case 2:
			*b = (a + uint64(g.random.below(5)) - 2) & ones(n)
		case 3:
			*b = -a & ones(n)
		case 4, 5: // a sum that cancels a product, and a product near the least normal number
			if float && len(values) == 3 {
				*b = (format.encode(-format.decode(a)*format.decode(*at(1, lane))) + uint64(g.random.below(3)) - 1) & ones(n)
			} else if float {
				*b = (format.encode(format.decode(1<<format.man)/format.decode(a)) + uint64(g.random.below(3)) - 1) & ones(n)
			}
		}
	}
}

// relatable reports whether the first and the last of the loaded operands are numbers of one type.
func (f *Form) relatable(values []value) bool {
	if len(values) < 2 || f.flags.sync || f.Family == "video" || f.Family == "move" {
		return false
	}
	first, last := values[0], values[len(values)-1]
	return first.bits == last.bits && first.bits != 1 && f.src[0] == f.src[len(f.src)-1]
}

// oneNaN leaves at most one NaN among the operands of a lane if the compiler would choose between two.
func (g *generator) oneNaN(f *Form) {
	if !f.ofDoubles() {
		return
	}
	for lane := range Lanes {
		seen := false
		for _, v := range g.kernel.values[g.fresh:] {
			if x := &g.shard.in[v.slot*Lanes+lane]; *x<<1 > 0x7ff<<53 {
				if seen {
					*x &^= 1 << 62
				}
				seen = true
			}
		}
	}
}
