package sim

import (
	"fmt"
	"math/bits"
	"strings"

	"girih/ptx"
)

// factPragma begins the pragma of a fact about a register: .pragma "girih.fact %r5 u32 0 15 1" says that %r5, as an
// unsigned number of 32 bits, is from 0 to 15 and a multiple of 1 after the instruction before the pragma. Package
// kernel states such facts for numbers that come from data. Compilers ignore pragmas that they do not know.
const factPragma = "girih.fact "

// A fact is what a pragma says about the number in a register.
type fact struct {
	name, stated string
	slot, bits   int
	signed       bool
	least, most  int64
	divisor      int64
}

// fact adds the check of a pragma to the instruction before it. It ignores other pragmas.
func (d *decoder) fact(p *ptx.Pragma) {
	for _, text := range p.Strings {
		rest, ok := strings.CutPrefix(text, factPragma)
		if !ok || len(d.code) == 0 {
			continue
		}
		var f fact
		var typ string
		if n, err := fmt.Sscanf(rest, "%s %s %d %d %d", &f.name, &typ, &f.least, &f.most, &f.divisor); n != 5 || err != nil {
			continue
		}
		t := ptx.Type(typ)
		slot, err := d.src(ptx.Name(f.name), t)
		if err != nil || t.Bits() == 0 || f.divisor < 1 {
			continue
		}
		f.slot, f.bits, f.signed = slot, t.Bits(), typ[0] == 's'
		f.stated = fmt.Sprintf("from %d to %d", f.least, f.most)
		if f.divisor > 1 {
			f.stated = fmt.Sprintf("a multiple of %d, %s", f.divisor, f.stated)
		}
		last := &d.code[len(d.code)-1]
		do := last.do
		last.do = func(w *warp, mask uint32) status {
			if st := do(w, mask); st != advance {
				return st
			}
			return f.check(w, mask)
		}
	}
}

// check reports a lane whose number contradicts the fact.
func (f *fact) check(w *warp, mask uint32) status {
	for m := mask & w.f.def[f.slot]; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		v := w.f.regs[f.slot][lane] & ones(f.bits)
		x := int64(v)
		if f.signed {
			x = extend(v, f.bits)
		}
		switch {
		case !f.signed && v>>63 != 0:
			return w.fail(KindAssert, 1<<lane, "the number is %d, and it is stated to be %s", v, f.stated)
		case x < f.least || x > f.most || x%f.divisor != 0:
			return w.fail(KindAssert, 1<<lane, "the number is %d, and it is stated to be %s", x, f.stated)
		}
	}
	return advance
}
