package sim_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// width returns the width of the registers for a type, in bits.
func width(typ string) int {
	for _, n := range []int{64, 32, 16, 8} {
		if strings.HasSuffix(typ, fmt.Sprint(n)) {
			return n
		}
	}
	return 32 // x2
}

// apply runs "op d, a, b, ..." on rows of sources and returns the results; types are the types of d and of the
// sources.
func apply(t testing.TB, op string, types []string, rows [][]uint64) []uint64 {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, ".version 8.7\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n")
	for i, typ := range types {
		fmt.Fprintf(&b, ".reg .b%d %%v%d;\n", max(width(typ), 16), i)
	}
	fmt.Fprintf(&b, ".reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p1;\nld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; ld.param.u32 %%r4, [n];\n")
	fmt.Fprintf(&b, "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mad.lo.u32 %%r3, %%r2, 128, %%r1; setp.ge.u32 %%p1, %%r3, %%r4; @%%p1 ret;\n")
	fmt.Fprintf(&b, "mad.wide.u32 %%rd3, %%r3, %d, %%rd1; mad.wide.u32 %%rd4, %%r3, 8, %%rd2;\n", 8*(len(types)-1))
	var operands []string
	for i, typ := range types {
		operands = append(operands, fmt.Sprintf("%%v%d", i))
		if i > 0 {
			fmt.Fprintf(&b, "ld.global.b%d %%v%d, [%%rd3+%d];\n", width(typ), i, 8*(i-1))
		}
	}
	fmt.Fprintf(&b, "%s %s;\nst.global.b%d [%%rd4], %%v0;\nret;\n}\n", op, strings.Join(operands, ", "), width(types[0]))
	p := loadText(t, b.String())
	m := memory(t, p)
	var in []uint64
	for _, r := range rows {
		in = append(in, r...)
	}
	out := put(t, m, make([]uint64, len(rows)))
	_, err := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: (len(rows) + 127) / 128}, Block: sim.Dim{X: 128},
		Args: []sim.Arg{sim.Pointer(put(t, m, in), 0), sim.Pointer(out, 0), sim.U32(uint32(len(rows)))},
	})
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	return get[uint64](t, out)
}

// ieee is a floating-point format, computed from its definition, to check rounding against.
type ieee struct {
	typ      string
	man, exp int
}

var (
	f64s  = ieee{"f64", 52, 11}
	f32s  = ieee{"f32", 23, 8}
	f16s  = ieee{"f16", 10, 5}
	bf16s = ieee{"bf16", 7, 8}
)

func (f ieee) bias() int { return 1<<(f.exp-1) - 1 }

func (f ieee) width() int { return 1 + f.exp + f.man }

// rat returns the value of a finite code.
func (f ieee) rat(c uint64) *big.Rat {
	m, e := c&(1<<f.man-1), int(c>>f.man)&(1<<f.exp-1)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << f.man
	}
	r := new(big.Rat).SetInt(new(big.Int).SetUint64(m))
	r.Mul(r, pow2(e-f.bias()-f.man))
	if c>>(f.width()-1)&1 == 1 {
		r.Neg(r)
	}
	return r
}

func pow2(n int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n)))
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

func (f ieee) finite(c uint64) bool { return int(c>>f.man)&(1<<f.exp-1) != 1<<f.exp-1 }

// round returns the code of r by a search for the two codes around r. r must not be 0.
func (f ieee) round(r *big.Rat, mode string) uint64 {
	neg := r.Sign() < 0
	x := new(big.Rat).Abs(r)
	lo, hi := uint64(0), uint64(1<<f.exp-1)<<f.man // codes; hi is infinity
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; f.rat(mid).Cmp(x) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	c := lo
	if diff := f.rat(lo).Cmp(x); diff != 0 {
		top := f.rat(lo)
		// next follows lo. If lo is the largest finite code, next is what would follow without a limit of the exponent.
		step := new(big.Rat).Sub(f.rat(lo), f.rat(max(lo, 1)-1))
		next := new(big.Rat).Add(top, step)
		if f.finite(hi) {
			next = f.rat(hi)
		}
		mid := new(big.Rat).Add(top, next)
		mid.Mul(mid, big.NewRat(1, 2))
		up := false
		switch mode {
		case "rn":
			cmp := x.Cmp(mid)
			up = cmp > 0 || cmp == 0 && lo&1 == 1
		case "rm":
			up = neg
		case "rp":
			up = !neg
		case "rna":
			up = x.Cmp(mid) >= 0
		}
		if up {
			c = hi
		}
	}
	if neg {
		c |= 1 << (f.width() - 1)
	}
	return c
}

// codes returns a random finite code: arbitrary, near 1, subnormal, or with few bits.
func (f ieee) codes(rng *rand.Rand) uint64 {
	for {
		c := rng.Uint64() & (1<<f.width() - 1)
		if f.width() == 64 {
			c = rng.Uint64()
		}
		switch rng.IntN(5) {
		case 0: // near 1
			c = c&(1<<f.man-1) | c>>(f.width()-1)<<(f.width()-1) | uint64(f.bias()+rng.IntN(9)-4)<<f.man
		case 1: // subnormal, or nearly
			c = c&(1<<f.man-1) | c>>(f.width()-1)<<(f.width()-1) | uint64(rng.IntN(3))<<f.man
		case 2: // few bits
			c &^= 1<<(f.man-2) - 1
		}
		if f.finite(c) {
			return c
		}
	}
}

func TestRounding(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	ops := []struct {
		name  string
		n     int
		exact func(x []*big.Rat) *big.Rat
	}{
		{"add", 2, func(x []*big.Rat) *big.Rat { return new(big.Rat).Add(x[0], x[1]) }},
		{"sub", 2, func(x []*big.Rat) *big.Rat { return new(big.Rat).Sub(x[0], x[1]) }},
		{"mul", 2, func(x []*big.Rat) *big.Rat { return new(big.Rat).Mul(x[0], x[1]) }},
		{"div", 2, func(x []*big.Rat) *big.Rat {
			if x[1].Sign() == 0 {
				return new(big.Rat)
			}
			return new(big.Rat).Quo(x[0], x[1])
		}},
		{"rcp", 1, func(x []*big.Rat) *big.Rat {
			if x[0].Sign() == 0 {
				return new(big.Rat)
			}
			return new(big.Rat).Inv(x[0])
		}},
		{"sqrt", 1, func(x []*big.Rat) *big.Rat {
			if x[0].Sign() <= 0 {
				return new(big.Rat)
			}
			s := new(big.Float).SetPrec(500).SetRat(x[0])
			r, _ := s.Sqrt(s).Rat(nil)
			return r
		}},
		{"fma", 3, func(x []*big.Rat) *big.Rat {
			p := new(big.Rat).Mul(x[0], x[1])
			return p.Add(p, x[2])
		}},
	}
	for _, f := range []ieee{f32s, f64s, f16s, bf16s} {
		for _, op := range ops {
			for _, mode := range []string{"rn", "rz", "rm", "rp"} {
				if f.width() == 16 && (mode != "rn" || op.name == "div" || op.name == "rcp" || op.name == "sqrt") {
					continue
				}
				rows := make([][]uint64, 80)
				types := []string{f.typ}
				for range op.n {
					types = append(types, f.typ)
				}
				for i := range rows {
					for range op.n {
						rows[i] = append(rows[i], f.codes(rng))
					}
					if op.name == "fma" && i%4 == 0 { // z is near -x*y
						p := f.rat(rows[i][0])
						if p.Mul(p, f.rat(rows[i][1])); p.Sign() != 0 {
							if c := f.round(p.Neg(p), "rn"); f.finite(c) {
								rows[i][2] = c
							}
						}
					}
				}
				for i, got := range apply(t, op.name+"."+mode+"."+f.typ, types, rows) {
					var x []*big.Rat
					for _, c := range rows[i] {
						x = append(x, f.rat(c))
					}
					r := op.exact(x)
					if r.Sign() == 0 {
						continue
					}
					if want := f.round(r, mode); got != want {
						t.Errorf("%s.%s.%s %x: got %x, want %x", op.name, mode, f.typ, rows[i], got, want)
						break
					}
				}
			}
		}
	}
}

// TestMixedPrecision tests sums and products of .f32 with operands of 16 bits.
func TestMixedPrecision(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 7))
	for _, half := range []ieee{f16s, bf16s} {
		for _, op := range []string{"add", "sub", "fma"} {
			for _, mode := range []string{"rn", "rz", "rm", "rp"} {
				types, rows := []string{"f32", half.typ, "f32"}, make([][]uint64, 120)
				if op == "fma" {
					types = []string{"f32", half.typ, half.typ, "f32"}
				}
				for i := range rows {
					for range len(types) - 2 {
						rows[i] = append(rows[i], half.codes(rng))
					}
					rows[i] = append(rows[i], f32s.codes(rng))
				}
				for i, got := range apply(t, op+"."+mode+".f32."+half.typ, types, rows) {
					x, last := half.rat(rows[i][0]), f32s.rat(rows[i][len(rows[i])-1])
					switch op {
					case "sub":
						last.Neg(last)
					case "fma":
						x.Mul(x, half.rat(rows[i][1]))
					}
					if x.Add(x, last); x.Sign() == 0 {
						continue
					}
					if want := f32s.round(x, mode); got != want {
						t.Fatalf("%s.%s.f32.%s %x: got %x, want %x", op, mode, half.typ, rows[i], got, want)
					}
				}
			}
		}
	}
}

func TestConvertFloats(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, tt := range []struct {
		to, from ieee
		modes    string
	}{
		{f32s, f64s, "rn rz rm rp"},
		{f16s, f32s, "rn rz"},
		{f16s, f64s, "rn"},
		{bf16s, f32s, "rn rz"},
		{f64s, f32s, ""},
		{f32s, f16s, ""},
		{f32s, bf16s, ""},
		{f64s, f16s, ""},
	} {
		for _, mode := range append(strings.Fields(tt.modes), "") {
			if (mode == "") != (tt.modes == "") {
				continue
			}
			op := "cvt." + tt.to.typ + "." + tt.from.typ
			if mode != "" {
				op = "cvt." + mode + "." + tt.to.typ + "." + tt.from.typ
			}
			rows := make([][]uint64, 300)
			for i := range rows {
				rows[i] = []uint64{tt.from.codes(rng)}
				if i%2 == 0 { // a value near the range of the result
					if c := tt.from.round(tt.to.rat(tt.to.codes(rng)), "rn"); c != 0 {
						rows[i][0] = c ^ uint64(rng.IntN(3))
					}
				}
			}
			for i, got := range apply(t, op, []string{tt.to.typ, tt.from.typ}, rows) {
				r := tt.from.rat(rows[i][0])
				if r.Sign() == 0 || !tt.from.finite(rows[i][0]) {
					continue
				}
				if want := tt.to.round(r, mode); got != want {
					t.Errorf("%s %x: got %x, want %x", op, rows[i], got, want)
					break
				}
			}
		}
	}
}

func TestConvertIntegers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	ints := []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}
	value := func(c uint64, typ string) *big.Int {
		n := width(typ)
		c &= 1<<(n-1)<<1 - 1
		v := new(big.Int).SetUint64(c)
		if typ[0] == 's' && c>>(n-1)&1 == 1 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(n)))
		}
		return v
	}
	clamp := func(v *big.Int, typ string) uint64 {
		n := uint(width(typ))
		lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), n)
		if typ[0] == 's' {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		hi.Sub(hi, big.NewInt(1))
		if v.Cmp(lo) < 0 {
			v = lo
		} else if v.Cmp(hi) > 0 {
			v = hi
		}
		return new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), n), big.NewInt(1))).Uint64()
	}
	for _, it := range ints {
		for _, f := range []ieee{f32s, f64s, f16s} {
			for _, mode := range []string{"rn", "rz", "rm", "rp"} {
				rows := make([][]uint64, 24)
				for i := range rows {
					rows[i] = []uint64{rng.Uint64() >> rng.IntN(64) & (1<<(width(it)-1)<<1 - 1)}
				}
				op := "cvt." + mode + "." + f.typ + "." + it
				for i, got := range apply(t, op, []string{f.typ, it}, rows) {
					v := value(rows[i][0], it)
					if v.Sign() == 0 {
						continue
					}
					if want := f.round(new(big.Rat).SetInt(v), mode); got != want {
						t.Errorf("%s %x: got %x, want %x", op, rows[i], got, want)
						break
					}
				}
				op = "cvt." + mode + "i." + it + "." + f.typ
				for i := range rows {
					rows[i][0] = f.codes(rng)
					if i%2 == 0 {
						rows[i][0] = f.round(big.NewRat(rng.Int64N(2000)-999, 4), "rz")
					}
				}
				for i, got := range apply(t, op, []string{it, f.typ}, rows) {
					r := f.rat(rows[i][0])
					fl := new(big.Int).Div(r.Num(), r.Denom()) // floor
					half := new(big.Rat).Sub(r, new(big.Rat).SetInt(fl)).Cmp(big.NewRat(1, 2))
					up := false
					switch exact := r.IsInt(); {
					case exact:
					case mode == "rn":
						up = half > 0 || half == 0 && fl.Bit(0) == 1
					case mode == "rz":
						up = r.Sign() < 0
					case mode == "rp":
						up = true
					}
					if up {
						fl.Add(fl, big.NewInt(1))
					}
					if want := clamp(fl, it); got != want {
						t.Errorf("%s %x: got %x, want %x", op, rows[i], got, want)
						break
					}
				}
			}
		}
		for _, to := range ints {
			rows := make([][]uint64, 24)
			for i := range rows {
				rows[i] = []uint64{rng.Uint64() >> rng.IntN(64) & (1<<(width(it)-1)<<1 - 1)}
			}
			widens := width(to) >= width(it)
			if to[0] != it[0] {
				widens = to[0] == 's' && width(to) > width(it)
			}
			for _, sat := range []string{"", ".sat"} {
				if sat != "" && widens { // PTX allows .sat only if the result must be clamped
					continue
				}
				for i, got := range apply(t, "cvt"+sat+"."+to+"."+it, []string{to, it}, rows) {
					v := value(rows[i][0], it)
					want := clamp(v, to)
					if sat == "" {
						want = rows[i][0]
						if it[0] == 's' {
							want = uint64(v.Int64())
						}
						want &= 1<<(width(to)-1)<<1 - 1
					}
					if got != want {
						t.Errorf("cvt%s.%s.%s %x: got %x, want %x", sat, to, it, rows[i], got, want)
						break
					}
				}
			}
		}
	}
}

// TestIntegers tests operations against the values that PTX ISA 9.7 defines.
func TestIntegers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		op    string
		types string
		x     []uint64
		want  uint64
	}{
		{"add.sat.s32", "s32 s32 s32", []uint64{0x7fffffff, 1}, 0x7fffffff},
		{"sub.sat.s32", "s32 s32 s32", []uint64{0x80000000, 1}, 0x80000000},
		{"add.s16x2", "s16x2 s16x2 s16x2", []uint64{0xffff0001, 0x0001ffff}, 0},
		{"mul.hi.s64", "s64 s64 s64", []uint64{1 << 63, 1 << 63}, 1 << 62},
		{"mul.hi.u64", "s64 s64 s64", []uint64{math.MaxUint64, math.MaxUint64}, math.MaxUint64 - 1},
		{"mul.hi.s32", "s32 s32 s32", []uint64{0xffffffff, 5}, 0xffffffff},
		{"mul.wide.s16", "s32 s16 s16", []uint64{0xffff, 7}, 0xfffffff9},
		{"mad.wide.s32", "s64 s32 s32 s64", []uint64{0xffffffff, 3, 10}, 7},
		{"mul24.hi.s32", "s32 s32 s32", []uint64{0x00ffffff, 0x00800000}, 0x80},
		{"sad.s32", "s32 s32 s32 s32", []uint64{0xfffffffe, 3, 10}, 15},
		{"sad.u32", "s32 s32 s32 s32", []uint64{0xfffffffe, 3, 10}, 5},
		{"div.s32", "s32 s32 s32", []uint64{0x80000000, 0xffffffff}, 0x80000000},
		{"rem.s32", "s32 s32 s32", []uint64{0xfffffff9, 2}, 0xffffffff},
		{"abs.s32", "s32 s32", []uint64{0xfffffff9}, 7},
		{"cnot.b32", "b32 b32", []uint64{0}, 1},
		{"popc.b64", "b32 b64", []uint64{0xf0f0f0f0f0f0f0f0}, 32},
		{"clz.b32", "b32 b32", []uint64{0x00010000}, 15},
		{"bfind.u32", "u32 u32", []uint64{0x00010000}, 16},
		{"bfind.s32", "u32 s32", []uint64{0xffff0000}, 15},
		{"bfind.shiftamt.u64", "u32 u64", []uint64{1}, 63},
		{"bfind.u32", "u32 u32", []uint64{0}, 0xffffffff},
		{"brev.b32", "b32 b32", []uint64{1}, 1 << 31},
		{"bfe.u32", "u32 u32 u32 u32", []uint64{0x12345678, 8, 12}, 0x456},
		{"bfe.s32", "s32 s32 u32 u32", []uint64{0x00000f00, 8, 4}, 0xffffffff},
		{"bfe.s32", "s32 s32 u32 u32", []uint64{0x80000000, 28, 16}, 0xfffffff8},
		{"bfe.s32", "s32 s32 u32 u32", []uint64{0x80000000, 40, 4}, 0xffffffff},
		{"bfi.b32", "b32 b32 b32 u32 u32", []uint64{0xabc, 0xffffffff, 4, 8}, 0xfffffbcf},
		{"bfi.b64", "b64 b64 b64 u32 u32", []uint64{0xdead, 0xbeef, 32, 32}, 0xdead0000beef},
		{"fns.b32", "b32 b32 b32 s32", []uint64{0b1011000, 0, 2}, 4},
		{"fns.b32", "b32 b32 b32 s32", []uint64{0b1011000, 31, 0xffffffff}, 6},
		{"prmt.b32", "b32 b32 b32 b32", []uint64{0x33221100, 0x77665544, 0x5410}, 0x55441100},
		{"prmt.b32", "b32 b32 b32 b32", []uint64{0x33228100, 0x77665544, 0x9999}, 0xffffffff},
		{"prmt.b32.f4e", "b32 b32 b32 b32", []uint64{0x33221100, 0x77665544, 1}, 0x44332211},
		{"prmt.b32.b4e", "b32 b32 b32 b32", []uint64{0x33221100, 0x77665544, 1}, 0x66770011},
		{"prmt.b32.rc16", "b32 b32 b32 b32", []uint64{0x33221100, 0x77665544, 1}, 0x33223322},
		{"shf.l.wrap.b32", "b32 b32 b32 u32", []uint64{0x89abcdef, 0x01234567, 8}, 0x23456789},
		{"shf.r.wrap.b32", "b32 b32 b32 u32", []uint64{0x89abcdef, 0x01234567, 8}, 0x6789abcd},
		{"shf.l.clamp.b32", "b32 b32 b32 u32", []uint64{0x89abcdef, 0x01234567, 99}, 0x89abcdef},
		{"shf.r.clamp.b32", "b32 b32 b32 u32", []uint64{0x89abcdef, 0x01234567, 99}, 0x01234567},
		{"shl.b32", "b32 b32 u32", []uint64{1, 32}, 0},
		{"shl.b32", "b32 b32 u32", []uint64{1, 0x80000001}, 0},
		{"shr.s32", "s32 s32 u32", []uint64{0x80000000, 99}, 0xffffffff},
		{"shr.u32", "u32 u32 u32", []uint64{0x80000000, 31}, 1},
		{"shr.s16", "s16 s16 u32", []uint64{0x8000, 3}, 0xf000},
		{"dp4a.s32.s32", "s32 s32 s32 s32", []uint64{0xff02ff02, 0x02020202, 10}, 14},
		{"dp4a.u32.u32", "s32 s32 s32 s32", []uint64{0xff02ff02, 0x01010101, 10}, 10 + 514},
		{"dp2a.lo.s32.u32", "s32 s32 s32 s32", []uint64{0xffff0003, 0x00000502, 1}, 1 + 6 - 5},
		{"vabsdiff4.u32.u32.u32", "s32 s32 s32 s32", []uint64{0x01ff0380, 0x02010400, 0}, 0x01fe0180},
		{"vabsdiff4.u32.u32.u32.add", "s32 s32 s32 s32", []uint64{0x01ff0380, 0x02010400, 7}, 1 + 254 + 1 + 128 + 7},
		{"vadd2.s32.s32.s32.sat", "s32 s32 s32 s32", []uint64{0x7fff8000, 0x0001ffff, 0}, 0x7fff8000},
		{"bmsk.clamp.b32", "b32 b32 b32", []uint64{4, 8}, 0xff0},
		{"szext.clamp.s32", "s32 s32 u32", []uint64{0xf8, 5}, 0xfffffff8},
		{"min.s32", "s32 s32 s32", []uint64{0xffffffff, 1}, 0xffffffff},
		{"max.u16", "u16 u16 u16", []uint64{0xffff, 1}, 0xffff},
		{"max.s16x2", "s16x2 s16x2 s16x2", []uint64{0xffff0001, 0x0002ffff}, 0x00020001},
		{"slct.s32.s32", "s32 s32 s32 s32", []uint64{1, 2, 0xffffffff}, 2},
		{"slct.s32.f32", "s32 s32 s32 f32", []uint64{1, 2, 0x7fc00000}, 2},
		{"set.lt.u32.s32", "u32 s32 s32", []uint64{0xffffffff, 1}, 0xffffffff},
		{"set.gtu.f32.f32", "f32 f32 f32", []uint64{0x7fc00000, 1}, 0x3f800000},
		{"min.f32", "f32 f32 f32", []uint64{0, 0x80000000}, 0x80000000},
		{"max.f32", "f32 f32 f32", []uint64{0x7fc00001, 0x3f800000}, 0x3f800000},
		{"max.NaN.f32", "f32 f32 f32", []uint64{0x7fc00001, 0x3f800000}, 0x7fffffff},
		{"min.xorsign.abs.f32", "f32 f32 f32", []uint64{0xc0000000, 0x3f800000}, 0xbf800000},
		{"min.NaN.abs.f32", "f32 f32 f32 f32", []uint64{0xbf800000, 0x40000000, 0xbf000000}, 0x3f000000},
		{"max.abs.f32", "f32 f32 f32 f32", []uint64{0xc0400000, 0x7fc00000, 0xbf000000}, 0x40400000},
		{"max.f32", "f32 f32 f32 f32", []uint64{0xc0400000, 0x7fc00000, 0xbf000000}, 0xbf000000},
		{"add.rm.f32", "f32 f32 f32", []uint64{0x3f800000, 0xbf800000}, 0x80000000},
		{"add.rz.f32", "f32 f32 f32", []uint64{0x3f800000, 0xbf800000}, 0},
		{"add.rm.f32", "f32 f32 f32", []uint64{0x80000000, 0}, 0x80000000},
		{"add.rm.f32", "f32 f32 f32", []uint64{0, 0}, 0},
		{"sub.rm.f32", "f32 f32 f32", []uint64{0x3f800000, 0x3f800000}, 0x80000000},
		{"sub.rm.f32", "f32 f32 f32", []uint64{0, 0x80000000}, 0},
		{"fma.rm.f32", "f32 f32 f32 f32", []uint64{0x3f800000, 0x3f800000, 0xbf800000}, 0x80000000},
		{"fma.rm.f32", "f32 f32 f32 f32", []uint64{0, 0x3f800000, 0x80000000}, 0x80000000},
		{"fma.rm.f32", "f32 f32 f32 f32", []uint64{0, 0xbf800000, 0x80000000}, 0x80000000},
		{"add.rm.f64", "f64 f64 f64", []uint64{0x3ff0000000000000, 0xbff0000000000000}, 1 << 63},
		{"sub.rm.f64", "f64 f64 f64", []uint64{0x3ff0000000000000, 0x3ff0000000000000}, 1 << 63},
		{"fma.rm.f64", "f64 f64 f64 f64", []uint64{0x3ff0000000000000, 0x3ff0000000000000, 0xbff0000000000000}, 1 << 63},
		{"fma.rm.f64", "f64 f64 f64 f64", []uint64{1, 1, 0}, 0},
		{"fma.rp.f64", "f64 f64 f64 f64", []uint64{0x3ff0000000000000, 0x3ff0000000000000, 0xbff0000000000000}, 0},
		{"add.f32.f16", "f32 f16 f32", []uint64{0x3c00, 0x7f800000}, 0x7f800000},
		{"add.sat.f32.f16", "f32 f16 f32", []uint64{0x3c00, 0x40000000}, 0x3f800000},
		{"sub.rm.f32.bf16", "f32 bf16 f32", []uint64{0x3f80, 0x3f800000}, 0x80000000},
		{"fma.rn.sat.f32.bf16", "f32 bf16 bf16 f32", []uint64{0x3f80, 0xbf80, 0x3e800000}, 0},
		{"fma.rn.f32.f16", "f32 f16 f16 f32", []uint64{0x7e00, 0x3c00, 0}, 0x7fffffff},
		{"add.f32", "f32 f32 f32", []uint64{0x7f800000, 0xff800000}, 0x7fffffff},
		{"add.ftz.f32", "f32 f32 f32", []uint64{0x80000001, 0x80000001}, 0x80000000},
		{"add.sat.f32", "f32 f32 f32", []uint64{0x3f800000, 0x3f800000}, 0x3f800000},
		{"mul.ftz.f32", "f32 f32 f32", []uint64{0x00800000, 0x3f000000}, 0},
		{"copysign.f32", "f32 f32 f32", []uint64{0x80000000, 0x3f800000}, 0xbf800000},
		{"fma.rn.relu.f16x2", "f16x2 f16x2 f16x2 f16x2", []uint64{0x3c003c00, 0xbc004000, 0x00003c00}, 0x00004200},
		{"cvt.rn.f16x2.f32", "f16x2 f32 f32", []uint64{0x3f800000, 0x40000000}, 0x3c004000},
		{"cvt.rn.bf16x2.f32", "bf16x2 f32 f32", []uint64{0x3f800000, 0x40000000}, 0x3f804000},
		{"cvt.rna.tf32.f32", "b32 f32", []uint64{0x3f801000}, 0x3f802000},
		{"cvt.rn.satfinite.e4m3x2.f32", "b16 f32 f32", []uint64{0x447a0000, 0x3f800000}, 0x7e38},
		{"cvt.rn.satfinite.e5m2x2.f32", "b16 f32 f32", []uint64{0x7fc00000, 0xbf800000}, 0x7fbc},
		{"cvt.rn.f16x2.e4m3x2", "f16x2 b16", []uint64{0x7e38}, 0x5f003c00},
		{"cvt.rn.satfinite.e2m1x2.f32", "b8 f32 f32", []uint64{0x42c80000, 0xbf000000}, 0x79},
		{"cvt.rn.f16x2.e2m1x2", "f16x2 b8", []uint64{0x79}, 0x4600b800},
		{"cvt.rp.satfinite.ue8m0x2.f32", "b16 f32 f32", []uint64{0x40400000, 0x3f800000}, 0x817f},
		{"cvt.sat.f32.f32", "f32 f32", []uint64{0x7fc00000}, 0},
		{"cvt.rni.f32.f32", "f32 f32", []uint64{0x40200000}, 0x40000000},
		{"cvt.rzi.s32.f32", "s32 f32", []uint64{0x7fc00000}, 0},
		{"cvt.rzi.s64.f32", "s64 f32", []uint64{0x7fc00000}, 1 << 63},
		{"rcp.approx.ftz.f64", "f64 f64", []uint64{0x4008000000000000}, 0x3fd5555500000000},
		{"div.approx.f32", "f32 f32 f32", []uint64{0x3f800000, 0x7e800000}, 0x00800000},
		{"div.approx.f32", "f32 f32 f32", []uint64{0x3f800000, 0x7e800001}, 0},
		{"mov.b32", "b32 b32", []uint64{0xdeadbeef}, 0xdeadbeef},
	} {
		if got := apply(t, tt.op, strings.Fields(tt.types), [][]uint64{tt.x})[0]; got != tt.want {
			t.Errorf("%s %x: got %x, want %x", tt.op, tt.x, got, tt.want)
		}
	}
}

// TestWide checks sums and products of 128 bits that are computed with the condition code.
func TestWide(t *testing.T) {
	t.Parallel()
	x, y := uint64(0xfedcba9876543210), uint64(0xffffffff00000001)
	hi, lo := bits.Mul64(x, y)
	sum, c := bits.Add64(lo, y, 0)
	top := hi + c
	out, err := snippet(t, fmt.Sprintf(`
	mov.u64 %%rd3, 0x%x; mov.u64 %%rd4, 0x%x;
	mov.b64 {%%r2, %%r3}, %%rd3; mov.b64 {%%r4, %%r5}, %%rd4;
	mad.lo.cc.u64 %%rd5, %%rd3, %%rd4, %%rd4;
	madc.hi.u64 %%rd6, %%rd3, %%rd4, 0;
	add.cc.u32 %%r6, %%r2, %%r4; addc.u32 %%r7, %%r3, %%r5;
	sub.cc.u32 %%r8, %%r2, %%r4; subc.u32 %%r9, %%r3, %%r5;
	st.global.u64 [%%rd1], %%rd5; st.global.u64 [%%rd1+8], %%rd6;
	st.global.v2.u32 [%%rd1+16], {%%r6, %%r7}; st.global.v2.u32 [%%rd1+24], {%%r8, %%r9};
	ret;`, x, y), 8)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{sum, top, x + y, x - y} {
		if got := binary.LittleEndian.Uint64(out[8*i:]); got != want {
			t.Errorf("word %d: got %x, want %x", i, got, want)
		}
	}
}
