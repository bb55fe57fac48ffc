package sim

import (
	"fmt"
	"math"
	"strings"

	"girih/atom"
	"girih/dtype"
	"girih/internal/machine/dot"
	"girih/ptx"
)

// This file multiplies floats of 4, 6 and 8 bits in the registers of a warp: mma.sync with .kind, of sm_120a (PTX ISA
// 9.7.14.3 and 9.7.14.5.14). ptxas 13.0 refuses .scale_vec::4X with .ue8m0. Elements of 4 and 6 bits have a byte each,
// except with .kind::mxf4 and .kind::mxf4nvf4. As no card has shown how the products are added, all kinds add as
// tcgen05.mma does here; see tmem_product.go.

// smallKinds are the modifiers of the kinds, the type of the scale factors, and the name in package atom, to which
// <A,B,D> and, with factors, the rest is added.
var smallKinds = [...]struct{ words, scale, name, rest string }{
	{"kind::f8f6f4.m16n8k32", "", "SM120_16x8x32_TN", ""},
	{"kind::mxf8f6f4.block_scale.m16n8k32", "ue8m0", scaledName + "32_TN_VS", ",ue8m0,32"},
	{"kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32", "ue8m0", scaledName + "32_TN_VS", ",ue8m0,32"},
	{"kind::mxf4.block_scale.m16n8k64", "ue8m0", scaledName + "64_TN_VS", ",ue8m0,32"},
	{"kind::mxf4.block_scale.scale_vec::2X.m16n8k64", "ue8m0", scaledName + "64_TN_VS", ",ue8m0,32"},
	{"kind::mxf4nvf4.block_scale.scale_vec::2X.m16n8k64", "ue8m0", scaledName + "64_TN_VS", ",ue8m0,32"},
	{"kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64", "ue4m3", scaledName + "64_TN_VS", ",ue4m3,16"},
}

const scaledName = "SM120::BLOCKSCALED::SM120_16x8x"

// isSmall reports whether an opcode of mma has a kind.
func isSmall(opcode string) bool { return strings.Contains(opcode, ".kind::") }

// findMMA returns the operation of an opcode.
func findMMA(opcode string, from atom.Space) (atom.MMA, error) {
	if !isSmall(opcode) {
		return atom.FindPTX(opcode, from)
	}
	if strings.Contains(opcode, ".sp::ordered_metadata") {
		return findSparseSmall(opcode)
	}
	words, scale := strings.Split(opcode, "."), ""
	if strings.Contains(opcode, ".block_scale") {
		scale, words = words[len(words)-1], words[:len(words)-1]
	}
	for _, k := range smallKinds {
		n := len(words) - 4
		if k.scale != scale || n < 1 || words[n] != words[n+3] {
			continue
		}
		all := ".sync.aligned.row.col." + k.words + "."
		for _, x := range words[1:n] {
			all = strings.Replace(all, "."+x+".", ".", 1)
		}
		if all == "." && n == 6+strings.Count(k.words, ".") {
			return atom.FindMMA(k.name + "<" + words[n+1] + "," + words[n+2] + "," + words[n+3] + k.rest + ">")
		}
	}
	return atom.MMA{}, fmt.Errorf("there is no mma with these modifiers and types (PTX ISA 9.7.14.3)")
}

// modelOf returns how an operation adds.
func modelOf(m atom.MMA) (dot.Model, error) {
	if !isSmall(m.Text) {
		return dot.ModelOf(m)
	}
	f := dot.Fused{A: dtype.F16, B: dtype.F16, C: m.Types.C.Type, Together: int(m.Shape[2]), Below: 25, Fraction: 23}
	if f.C == dtype.F16 {
		f.Fraction, f.Nearest = 10, true
	}
	return f, nil
}

// smallTypes prepares a plan of small floats.
func (p *mmaPlan) smallTypes() {
	if isSmall(p.m.Text) {
		p.halves = [2][]uint64{halves(p.m.Types.A.Type), halves(p.m.Types.B.Type)}
	}
}

// A blockScale is the scale factors of an mma: for A and B the registers with the factors, and the numbers of the byte
// and of the thread of a quad that select them.
type blockScale struct{ data, at, thread [2]int }

// blockScale reads the operands of scale factors.
func (d *decoder) blockScale(list []ptx.Operand) (*blockScale, error) {
	s := new(blockScale)
	for i := range s.data {
		data, selector := elements(list[2*i]), elements(list[2*i+1])
		if len(data) != 1 || len(selector) != 2 {
			return nil, fmt.Errorf("operands %s, %s: expected a register of scale factors and {byte-id, thread-id}",
				list[2*i], list[2*i+1])
		}
		var err error
		if s.data[i], err = d.src(data[0], ptx.B32); err != nil {
			return nil, err
		}
		two, err := d.srcs(selector, ptx.U16)
		if err != nil {
			return nil, err
		}
		s.at[i], s.thread[i] = two[0], two[1]
	}
	return s, nil
}

// A factorSet has the factors of A and B, by row and number, and whether the factors of a row have no value.
type factorSet struct {
	values [2][]float64
	lost   [2][]bool
	ok     bool // all have values
}

// factors reads the scale factors in the registers of a warp. Row r of A has its factors in lane 4·(r mod 8) + r/8, or
// two lanes further on, and column n of B in lane 4·n or one of the next three.
func (u *mmaUse) factors(w *warp) (*factorSet, status) {
	p, s := u.plan, u.scale
	if s == nil {
		return nil, advance
	}
	n := p.k / int(p.m.Scale.Vector)
	set := &factorSet{ok: true}
	for i := range s.data {
		at, ok := w.uniform(s.at[i], all)
		if !ok {
			return nil, failed
		}
		thread, ok := w.uniform(s.thread[i], all)
		if !ok {
			return nil, failed
		}
		if most := uint64(1 + 2*i); thread > most || at > 3 || int(at)%n != 0 {
			return nil, w.fail(KindArgument, all, "byte %d of thread %d is selected for the %d scale factors of a row of %c: expected a thread up to %d and a byte up to 3 that is a multiple of %d (PTX ISA 9.7.14.3)",
				at, thread, n, "AB"[i], most, n)
		}
		for r := range []int{p.rows, p.columns}[i] {
			lane := 4*r + int(thread)
			if i == 0 {
				lane = 4*(r%8) + r/8 + 2*int(thread)
			}
			has := w.f.def[s.data[i]]>>lane&1 == 1
			set.lost[i] = append(set.lost[i], !has)
			set.ok = set.ok && has
			for k := range n {
				v, err := p.m.Scale.Type.Decode(w.f.regs[s.data[i]][lane] >> (8 * (int(at) + k)) & 0xff)
				if err != nil {
					v = math.NaN()
				}
				set.values[i] = append(set.values[i], v)
			}
		}
	}
	return set, advance
}

// widen converts the elements to f16, which contains the small types.
func (p *mmaPlan) widen(x *worker) {
	for i, codes := range [][]uint64{x.a, x.b} {
		half, shift := p.halves[i], 0
		if len(half) == 16 && p.m.Types.A.Held|p.m.Types.B.Held == 8 {
			shift = 2 // the four bits are in the middle of their byte
		}
		for k, c := range codes {
			if half != nil {
				codes[k] = half[c>>shift&uint64(len(half)-1)]
			}
		}
	}
}

// multiplyBy adds the product of A and B, each element times its factor if set is not nil, to c. The products are
// exact, and their sum is cut off as in tmem_scale.go. Elements that A does not store multiply nothing; where K is
// above 64, no element is a NaN, and they need no care.
func (x *worker) multiplyBy(p *mmaPlan, set *factorSet) {
	if set == nil {
		x.multiply(p, x.c)
		return
	}
	n := len(set.values[0]) / p.rows
	var values [2][]float64
	for i, codes := range [][]uint64{x.a, x.b} {
		for at, c := range codes {
			values[i] = append(values[i], formatF16.value(c)*set.values[i][at/p.k*n+at%p.k*n/p.k])
		}
	}
	terms := make([]float64, p.k+1)
	for at, c := range x.c {
		a, b := values[0][at/p.columns*p.k:], values[1][at%p.columns*p.k:]
		for k := range p.k {
			if terms[k] = 0; p.e == nil || p.k > 64 || x.there[at/p.columns]>>k&1 == 1 {
				terms[k] = a[k] * b[k]
			}
		}
		terms[p.k] = formatF32.value(c)
		x.c[at] = cutSum(terms)
	}
}
