package convert

import (
	"slices"
	"testing"

	"girih/f2"
	"girih/linear"

	"pgregory.net/rapid"
)

// must returns the value of a call that cannot fail in a test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A drawn is a pair of distributed layouts of one tensor.
type drawn struct{ src, dst linear.Layout }

// drawPair draws two layouts with the same numbers of lanes and warps. The bases are unit vectors and zeros, or, if
// general, any vectors. If local, the warps do not move.
func drawPair(t *rapid.T, general, local bool) drawn {
	lanes, warps := rapid.IntRange(0, 5).Draw(t, "lanes"), rapid.IntRange(0, 2).Draw(t, "warps")
	d := rapid.IntRange(0, min(9, lanes+warps+4)).Draw(t, "log2 size")
	warpAt := make([]int, warps) // by warp: the bits of the tensor that it holds, -1 for none
	order := rapid.Permutation(upTo(d)).Draw(t, "warp bits")
	for i := range warpAt {
		warpAt[i] = -1
		if i < d && rapid.Bool().Draw(t, "warp holds") {
			warpAt[i] = order[i]
		}
	}
	mix := upToUnits(d)
	if general {
		mix = drawInvertible(t, d)
	}
	one := func(label string) linear.Layout {
		bits := rapid.Permutation(upTo(d)).Draw(t, label)
		cols := make([][]f2.Vector, 3)
		warp := warpAt
		if !local && rapid.Bool().Draw(t, label+" other warps") {
			warp = rapid.Permutation(slices.Clone(warpAt)).Draw(t, label+" warps")
		}
		for _, b := range warp {
			if b < 0 {
				cols[2] = append(cols[2], 0)
			} else {
				cols[2] = append(cols[2], mix[b])
			}
		}
		bits = slices.DeleteFunc(bits, func(b int) bool { return slices.Contains(warp, b) })
		place := func(n int, label string) []f2.Vector {
			var out []f2.Vector
			for range n {
				if len(bits) == 0 || rapid.IntRange(0, 4).Draw(t, label) == 0 {
					out = append(out, 0)
					continue
				}
				out, bits = append(out, mix[bits[0]]), bits[1:]
			}
			return out
		}
		cols[1] = place(lanes, label+" repeated lane")
		if rapid.IntRange(0, 3).Draw(t, label+" repeats registers") == 0 {
			cols[0] = append(cols[0], place(2, label+" repeated register")...)
		}
		for len(bits) > 0 {
			cols[0], bits = append(cols[0], mix[bits[0]]), bits[1:]
		}
		if general {
			// Adding one basis to another keeps the elements of the layout. The warps stay unchanged.
			for _, part := range cols[:2] {
				for i := range part {
					for _, w := range slices.Concat(cols[0], cols[1]) {
						if part[i] != 0 && w != part[i] && rapid.IntRange(0, 4).Draw(t, label+" add") == 0 && independent(cols, part, i, w) {
							part[i] ^= w
						}
					}
				}
			}
		}
		m := must(f2.NewMatrix(d, slices.Concat(cols[0], cols[1], cols[2])))
		return must(linear.FromMatrix(m,
			[]linear.Dim{
				{Name: "register", Size: 1 << len(cols[0])}, {Name: "lane", Size: 1 << lanes}, {Name: "warp", Size: 1 << warps}, {Name: "block", Size: 1},
			},
			[]linear.Dim{{Name: "dim0", Size: 1 << (d / 2)}, {Name: "dim1", Size: 1 << (d - d/2)}}))
	}
	return drawn{one("src"), one("dst")}
}

// independent reports whether adding w to part[i] keeps the span of all columns.
func independent(cols [][]f2.Vector, part []f2.Vector, i int, w f2.Vector) bool {
	before := f2.Span(slices.Concat(cols...)...)
	old := part[i]
	part[i] ^= w
	after := f2.Span(slices.Concat(cols...)...)
	part[i] = old
	return before.Equal(after)
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func upToUnits(n int) []f2.Vector {
	out := make([]f2.Vector, n)
	for i := range out {
		out[i] = 1 << i
	}
	return out
}

func drawInvertible(t *rapid.T, d int) []f2.Vector {
	cols := upToUnits(d)
	for range 2 * d {
		i, j := rapid.IntRange(0, d-1).Draw(t, "row"), rapid.IntRange(0, d-1).Draw(t, "other row")
		if i != j {
			cols[i] ^= cols[j]
		}
	}
	return cols
}

// element returns the element of the tensor at a place, as a flat index.
func element(l linear.Layout, reg, lane, warp int) uint64 {
	return must(l.Flat(uint64(reg) | uint64(lane)*uint64(l.InSize("register")) | uint64(warp)*
		uint64(l.InSize("register")*l.InSize("lane"))))
}

// TestPlans simulates plans: afterwards, the registers of each thread must hold the elements of the destination.
func TestPlans(t *testing.T) {
	t.Parallel()
	seen := map[Class]int{}
	permuted, general := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		isGeneral := rapid.Bool().Draw(t, "general")
		d := drawPair(t, isGeneral, rapid.IntRange(0, 3).Draw(t, "local") > 0)
		elemBits := rapid.SampledFrom([]int{4, 8, 16, 32, 64}).Draw(t, "bits")
		p, err := New(d.src, d.dst, elemBits, 32)
		if err != nil {
			t.Fatalf("%v to %v: %v", d.src, d.dst, err)
		}
		seen[p.Class]++
		if p.Registers != nil {
			for warp := range int(d.dst.InSize("warp")) {
				for lane := range int(d.dst.InSize("lane")) {
					for r, from := range p.Registers {
						if element(d.src, from, lane, warp) != element(d.dst, r, lane, warp) {
							t.Fatalf("%v to %v: register %d from %d is wrong", d.src, d.dst, r, from)
						}
					}
				}
			}
		}
		if p.Shuffle != nil {
			simulateRounds(t, p.Shuffle, must(dropRepeats(d.src)), must(dropRepeats(d.dst)))
			if p.Shuffle.Permutation != nil {
				permuted++
				simulateFactors(t, p.Shuffle, must(dropRepeats(d.src)), must(dropRepeats(d.dst)))
			} else {
				general++
			}
		}
		if (p.Class == SharedMemory) != (p.Shared != nil) {
			t.Fatalf("%v to %v: class %v with shared %v", d.src, d.dst, p.Class, p.Shared)
		}
	})
	t.Logf("%v, %d permutations, %d others", seen, permuted, general)
}

// simulateRounds runs the rounds of a shuffle: each lane offers one register and takes the offer of one lane.
func simulateRounds(t *rapid.T, s *Shuffle, src, dst linear.Layout) {
	regs, lanes := 1<<s.RegBits, 1<<s.LaneBits
	for warp := range int(src.InSize("warp")) {
		got := make([]uint64, regs*lanes)
		filled := make([]bool, regs*lanes)
		for round := range regs {
			offered := make([]uint64, lanes)
			for lane := range lanes {
				r := s.SrcRegister(round, lane)
				offered[lane] = element(src, r%int(src.InSize("register")), lane, warp)
			}
			for lane := range lanes {
				at := s.DstRegister(round, lane)*lanes + lane
				if filled[at] {
					t.Fatalf("register %d of lane %d is filled twice", s.DstRegister(round, lane), lane)
				}
				got[at], filled[at] = offered[s.SrcLane(round, lane)], true
			}
		}
		for r := range int(dst.InSize("register")) {
			for lane := range lanes {
				if want := element(dst, r, lane, warp); got[r*lanes+lane] != want {
					t.Fatalf("%v to %v: register %d of lane %d holds %d, want %d\n%+v", src, dst, r, lane, got[r*lanes+lane], want, s)
				}
			}
		}
	}
	// The counts are the numbers of instructions that a simulation needs.
	moving := 0
	for round := range regs {
		for lane := range lanes {
			if s.SrcLane(round, lane) != lane {
				moving++
				break
			}
		}
	}
	if s.Shuffles*regs != s.Rounds*moving {
		t.Fatalf("%d of %d rounds move something, %d shuffles counted for %d rounds", moving, regs, s.Shuffles, s.Rounds)
	}
}

// A failer is a test, or a drawn case of a test.
type failer interface {
	Fatalf(format string, args ...any)
}

// simulateFactors runs the factors of a permutation on the places of the source: Reg, Lane, then each exchange
// (selectors on words, a conditional swap, a shuffle and a conditional swap). Only selectors move elements inside
// words.
func simulateFactors(t failer, s *Shuffle, src, dst linear.Layout) {
	p := s.Permutation
	regs, lanes := 1<<s.RegBits, 1<<s.LaneBits
	at := make([]uint64, regs*lanes) // at[r*lanes+lane]
	for r := range regs {
		for lane := range lanes {
			at[permute(p.Reg, r)*lanes+permute(p.Lane, lane)] = element(src, r%int(src.InSize("register")), lane, 0)
		}
	}
	for _, x := range p.Mixed {
		if x.RegBit < p.PackBits {
			t.Fatalf("exchange %+v inside words of 2^%d elements", x, p.PackBits)
		}
		at = selectBytes(p, x.RegBit, x.Pre, at, lanes)
		next := make([]uint64, len(at))
		for r := range regs {
			for lane := range lanes {
				swapped := r>>x.RegBit&1 != lane>>x.LaneBit&1
				to, toLane := r, lane
				if swapped {
					to, toLane = r^1<<x.RegBit, lane^1<<x.LaneBit
				}
				next[to*lanes+toLane] = at[r*lanes+lane]
			}
		}
		at = selectBytes(p, x.RegBit, x.Post, next, lanes)
	}
	for r := range int(dst.InSize("register")) {
		for lane := range lanes {
			if want := element(dst, r, lane, 0); at[r*lanes+lane] != want {
				t.Fatalf("%v to %v: register %d of lane %d holds %d, want %d\n%+v", src, dst, r, lane, at[r*lanes+lane], want, p)
			}
		}
	}
	if s.Exchanged != len(p.Mixed) || s.PackBits != p.PackBits {
		t.Fatalf("%d exchanged and words of 2^%d, found %+v", s.Exchanged, s.PackBits, p)
	}
}

func permute(p []int, x int) int {
	y := 0
	for i, to := range p {
		y |= x >> i & 1 << to
	}
	return y
}

// selectBytes makes two words from each pair of words that differ in a register bit: byte i of the result is selected
// from the bytes of both words by digit i of the selector.
func selectBytes(p *Permutation, regBit int, sel Selectors, at []uint64, lanes int) []uint64 {
	out := slices.Clone(at)
	perWord := 1 << p.PackBits
	bytes := 4 / perWord
	for r := 0; r < len(at)/lanes; r += perWord {
		if r>>regBit&1 == 1 {
			continue
		}
		for lane := range lanes {
			for half, digits := range []uint16{sel.Low, sel.High} {
				for i := range perWord {
					digit := int(digits>>(4*i*bytes)) & 7
					from := r + digit/bytes%perWord
					if digit >= 4 {
						from |= 1 << regBit
					}
					out[(r+i+half<<regBit)*lanes+lane] = at[from*lanes+lane]
				}
			}
		}
	}
	return out
}
