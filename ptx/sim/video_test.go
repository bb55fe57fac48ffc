package sim_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// This file computes the formulas of PTX ISA 9.7.18 over the integers, with the differences of an H100.

func bigClamp(x *big.Int, signed bool, n uint) *big.Int {
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), n)
	if signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	switch {
	case x.Cmp(lo) < 0:
		return lo
	case x.Cmp(hi) > 0:
		return hi
	}
	return x
}

// bigWrap returns x modulo 2^n, as a signed or unsigned number.
func bigWrap(x *big.Int, signed bool, n uint) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), n)
	r := new(big.Int).Mod(x, m)
	if signed && r.Bit(int(n)-1) == 1 {
		r.Sub(r, m)
	}
	return r
}

func bigLow(x *big.Int) uint64 { return bigWrap(x, false, 32).Uint64() }

// bigPart extends the part of x that sel names: "" or ".h1" or ".b2".
func bigPart(x uint64, signed bool, sel string) *big.Int {
	n, i := uint(32), 0
	if sel != "" {
		n, i = map[byte]uint{'b': 8, 'h': 16}[sel[1]], int(sel[2]-'0')
	}
	return bigWrap(new(big.Int).SetUint64(x>>(i*int(n))), signed, n)
}

func bigOp(op string, a, b *big.Int) *big.Int {
	switch op {
	case "add":
		return new(big.Int).Add(a, b)
	case "sub":
		return new(big.Int).Sub(a, b)
	case "absdiff":
		return new(big.Int).Abs(new(big.Int).Sub(a, b))
	case "min":
		if a.Cmp(b) < 0 {
			return a
		}
		return b
	case "max":
		if a.Cmp(b) > 0 {
			return a
		}
		return b
	case "avrg":
		s := new(big.Int).Add(a, b)
		if s.Sign() >= 0 {
			s.Add(s, big.NewInt(1))
		}
		return s.Rsh(s, 1)
	}
	c := a.Cmp(b)
	if map[string]bool{"eq": c == 0, "ne": c != 0, "lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0}[op] {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// A video is a video instruction with a function that computes its result for three sources.
type video struct {
	text string // "vadd.u32.s32.u32.sat %r5.b1, %r2, %r3.h0, %r4"
	want func(a, b, c uint64) uint64
}

// pick returns a random element of list.
func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

func scalarVideo(rng *rand.Rand) video {
	op := pick(rng, "add", "sub", "absdiff", "min", "max", "shl", "shr", "set")
	dt, at, bt := pick(rng, "u32", "s32"), pick(rng, "u32", "s32"), pick(rng, "u32", "s32")
	sels := []string{"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}
	asel, bsel := pick(rng, sels...), pick(rng, sels...)
	mods, sat, how := "."+dt, pick(rng, "", ".sat"), ""
	switch op {
	case "shl", "shr":
		bt, how = "u32", pick(rng, "clamp", "wrap")
	case "set":
		mods, dt, sat, how = "", at, "", pick(rng, "eq", "ne", "lt", "le", "gt", "ge")
	}
	if mods += "." + at + "." + bt + sat; how != "" {
		mods += "." + how
	}
	second, dsel, last := "", "", ""
	switch rng.IntN(3) {
	case 0:
		second, last = pick(rng, "add", "min", "max"), ", %r4"
		mods += "." + second
	case 1:
		dsel, last = pick(rng, sels[1:]...), ", %r4"
	}
	return video{"v" + op + mods + " %r5" + dsel + ", %r2" + asel + ", %r3" + bsel + last, func(a, b, c uint64) uint64 {
		x, y := bigPart(a, at[0] == 's', asel), bigPart(b, bt[0] == 's', bsel)
		var v *big.Int
		switch n := y.Int64(); op {
		case "shl", "shr":
			if how == "wrap" {
				n &= 31
			}
			n = min(n, 32)
			if op == "shl" {
				v = new(big.Int).Lsh(x, uint(n))
			} else {
				v = new(big.Int).Rsh(x, uint(n))
			}
		case "set":
			v = bigOp(how, x, y)
		default:
			v = bigOp(op, x, y)
		}
		n, i := 32, 0
		if dsel != "" {
			n, i = map[byte]int{'b': 8, 'h': 16}[dsel[1]], int(dsel[2]-'0')
		}
		signed, shift, wide := dt[0] == 's', strings.HasPrefix(op, "sh"), op != "add" && op != "sub"
		switch negative := v.Sign() < 0; { // as on an H100, see videoResult
		case sat == "":
		case shift:
			v, wide = bigClamp(bigWrap(v, true, 34), signed, 32), false
		case dsel != "" && negative:
			v = bigClamp(new(big.Int).Lsh(big.NewInt(1), 40), signed, uint(n))
		case dsel != "" || signed:
			v = bigClamp(v, signed, uint(n))
		case negative:
			v = new(big.Int)
		}
		if second == "min" || second == "max" {
			if !wide {
				v = bigWrap(v, true, 32)
			}
			v = bigOp(second, bigWrap(v, signed, 64), bigPart(c, signed, ""))
		} else if second == "add" {
			v = bigOp(second, v, bigPart(c, signed, ""))
		}
		m := uint64(1)<<n - 1
		if dsel == ".h1" { // as on an H100
			return bigLow(v)&^0xffff | c&0xffff
		}
		return bigLow(v)&m<<(i*n) | c&0xffffffff&^(m<<(i*n))
	}}
}

func madVideo(rng *rand.Rand) video {
	at, bt := pick(rng, "u32", "s32"), pick(rng, "u32", "s32")
	sels := []string{"", "", ".b1", ".b3", ".h0", ".h1"}
	asel, bsel := pick(rng, sels...), pick(rng, sels...)
	signs, po := [3]string{}, ""
	switch rng.IntN(6) {
	case 0:
		po = ".po"
	case 1:
		signs[0] = "-"
	case 2:
		signs[1] = "-"
	case 3:
		signs[2] = "-"
	case 4:
		signs[0], signs[1] = "-", "-"
	}
	sat, shift := pick(rng, "", ".sat"), pick(rng, "", ".shr7", ".shr15")
	text := fmt.Sprintf("vmad.%s.%s.%s%s%s%s %%r5, %s%%r2%s, %s%%r3%s, %s%%r4",
		pick(rng, "u32", "s32"), at, bt, po, sat, shift, signs[0], asel, signs[1], bsel, signs[2])
	return video{text, func(a, b, c uint64) uint64 {
		minus := signs[0] != signs[1]
		signed := at[0] == 's' || bt[0] == 's' || minus || signs[2] != ""
		factor := func(x uint64, t, sel string) *big.Int { return bigWrap(bigPart(x, t[0] == 's', sel), true, 32) }
		v := new(big.Int).Mul(factor(a, at, asel), factor(b, bt, bsel)) // signed, as on an H100
		if minus {
			v.Neg(v)
		}
		third := bigPart(c, true, "")
		if signs[2] != "" { // ~c + 1; ~c is extended
			third = bigPart(^c&0xffffffff, true, "")
			third.Add(third, big.NewInt(1))
		}
		v.Add(v, third)
		if po != "" {
			v.Add(v, big.NewInt(1))
		}
		v = bigWrap(v, signed, 64)
		v.Rsh(v, map[string]uint{"": 0, ".shr7": 7, ".shr15": 15}[shift])
		if v = bigWrap(v, true, 64); sat != "" {
			v = bigClamp(v, signed, 32)
		}
		return bigLow(v)
	}}
}

func packedVideo(rng *rand.Rand) video {
	n := pick(rng, 2, 4)
	letter, w := map[int]string{2: ".h", 4: ".b"}[n], 32/n
	op := pick(rng, "add", "sub", "avrg", "absdiff", "min", "max", "set")
	dt, at, bt := pick(rng, "u32", "s32"), pick(rng, "u32", "s32"), pick(rng, "u32", "s32")
	mods, end, cmp := "."+dt+"."+at+"."+bt, pick(rng, "", ".sat", ".add"), op
	if op == "set" {
		cmp = pick(rng, "eq", "ne", "lt", "le", "gt", "ge")
		mods, dt, end = "."+at+"."+bt+"."+cmp, "u32", pick(rng, "", ".add")
	}
	choose := func(first int) (text string, list []int) {
		if list = make([]int, n); rng.IntN(2) == 0 {
			for i := range list {
				list[i] = first + i
			}
			return "", list
		}
		text = letter
		for i := n - 1; i >= 0; i-- {
			list[i] = rng.IntN(2 * n)
			text += fmt.Sprint(list[i])
		}
		return text, list
	}
	asel, as := choose(0)
	bsel, bs := choose(n)
	mask, dsel := 1<<n-1, ""
	if rng.IntN(2) == 0 {
		mask, dsel = 1+rng.IntN(1<<n-1), letter
		for i := n - 1; i >= 0; i-- {
			if mask>>i&1 == 1 {
				dsel += fmt.Sprint(i)
			}
		}
	}
	text := fmt.Sprintf("v%s%d%s%s %%r5%s, %%r2%s, %%r3%s, %%r4", op, n, mods, end, dsel, asel, bsel)
	return video{text, func(a, b, c uint64) uint64 {
		total, r := new(big.Int).SetUint64(c), uint64(0)
		for i := range n {
			m := uint64(1)<<w - 1
			if mask>>i&1 == 0 {
				r |= c & (m << (i * w))
				continue
			}
			part := func(k int, signed bool) *big.Int {
				return bigWrap(new(big.Int).SetUint64((b<<32|a)>>(k*w)), signed, uint(w))
			}
			t := bigOp(cmp, part(as[i], at[0] == 's'), part(bs[i], bt[0] == 's'))
			if end == ".sat" {
				t = bigClamp(t, dt[0] == 's', uint(w))
			}
			r |= bigLow(t) & m << (i * w)
			total.Add(total, t)
		}
		if end == ".add" {
			return bigLow(total)
		}
		return r
	}}
}

// TestVideo checks video instructions with random modifiers against their formulas.
func TestVideo(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(18, 1))
	edges := []uint64{
		0, 1, 2, 7, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x80ff7f01,
	}
	var list []video
	var body strings.Builder
	for i := range 1500 {
		v := pick(rng, scalarVideo, madVideo, packedVideo)(rng)
		list = append(list, v)
		fmt.Fprintf(&body, "%s; st.global.u32 [%%rd2+%d], %%r5;\n", v.text, 4*i)
	}
	const sets = 20
	p := loadText(t, fmt.Sprintf(`.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %%r<9>; .reg .b64 %%rd<9>;
	ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; mov.u32 %%r1, %%tid.x;
	mad.wide.u32 %%rd1, %%r1, 12, %%rd1; mad.wide.u32 %%rd2, %%r1, %d, %%rd2;
	ld.global.u32 %%r2, [%%rd1]; ld.global.u32 %%r3, [%%rd1+4]; ld.global.u32 %%r4, [%%rd1+8];
	%s
	ret;
}`, 4*len(list), body.String()))
	in := make([]uint32, 3*sets)
	for i := range in {
		in[i] = rng.Uint32()
		if rng.IntN(3) > 0 {
			in[i] = uint32(pick(rng, edges...))
		}
	}
	m := memory(t, p)
	out := put(t, m, make([]uint32, sets*len(list)))
	run(t, p, m, sim.Launch{Block: sim.Dim{X: sets}, Args: []sim.Arg{sim.Pointer(put(t, m, in), 0), sim.Pointer(out, 0)}})
	got := get[uint32](t, out)
	wrong := 0
	for k, v := range list {
		for i := range sets {
			a, b, c := uint64(in[3*i]), uint64(in[3*i+1]), uint64(in[3*i+2])
			if x, want := uint64(got[i*len(list)+k]), v.want(a, b, c); x != want && wrong < 10 {
				t.Errorf("%s with %#x, %#x, %#x: got %#x, want %#x", v.text, a, b, c, x, want)
				wrong++
			}
		}
	}
}

func TestVideoRefused(t *testing.T) {
	t.Parallel()
	var list []piece
	for text, reason := range map[string]string{
		"vadd.u32.u32 %r5, 1, 2":                  "expected types",
		"vadd.u32.u32.u32 %r5, 1, 2, 3":           "a third source goes with",
		"vadd.u32.u32.u32.add %r5.b1, 1, 2, 3":    "a third source goes with",
		"vadd.u32.u32.u32 %r5.b5, 1, 2, 3":        "the part .b5 of the destination",
		"vadd.u32.u32.u32 %r5, -%r2, 2":           "operand -%r2",
		"vshl.u32.u32.u32 %r5, 1, 2":              "expected .clamp or .wrap",
		"vset.u32.u32 %r5, 1, 2":                  "expected a comparison",
		"vmad.u32.u32.u32.po %r5, -%r2, 2, 3":     "none with .po",
		"vmad.u32.u32.u32 %r5, -%r2, 2, -%r3":     "may be negated",
		"vadd2.u32.u32.u32 %r5, %r2.h40, 2, 3":    "expected 2 digits below 4 after .h",
		"vadd4.u32.u32.u32 %r5.b12, 1, 2, 3":      "expected falling digits below 4 after .b",
		"vadd4.u32.u32.u32.sat.add %r5, 1, 2, 3":  ".sat does not go with .add",
		"vset4.u32.u32.ne.max %r5, 1, 2, 3":       "the modifier .max is not known here",
		"vadd4.u32.u32.u32 %r5, 1, 2":             "3 operands",
		"vadd2.u32.u32.u32 %r5.b0, %r2, %r3, %r4": "after .h",
	} {
		body := "mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; " + text + ";"
		list = append(list, piece{body: body, kind: sim.KindUnsupported, text: reason})
	}
	pieces(t, list)
}
