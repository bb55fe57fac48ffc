package vectors

import (
	"fmt"
	"slices"

	"girih/internal/lang/triton/convert"
	"girih/linear"
)

// runConvertClass runs a row of the section convert_class: which elements move, and by which means. A class that leaves
// open whether shuffles or shared memory are used matches both.
func runConvertClass(row linearRow) outcome {
	var c struct {
		Src, Dst layoutJSON
		Want     struct {
			Minimal layoutJSON
			Class   string
		}
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	src, errSrc := c.Src.layout()
	dst, errDst := c.Dst.layout()
	if errSrc != nil || errDst != nil {
		return row.mismatch(fmt.Sprint(errSrc, errDst), "two layouts", "girih refuses")
	}
	p, err := convert.New(src, dst, 32, 32)
	if err != nil {
		return row.mismatch(err.Error(), c.Want.Class, "girih refuses")
	}
	class := map[convert.Class][]string{
		convert.None:         {"none"},
		convert.Registers:    {"register_permute"},
		convert.WarpShuffle:  {"lane_shuffle", "lane_shuffle_or_shared"},
		convert.SharedMemory: {"shared", "lane_shuffle_or_shared"},
	}[p.Class]
	if !slices.Contains(class, c.Want.Class) {
		return row.mismatch(p.Class.String(), c.Want.Class, "another class")
	}
	// The file does not say whether registers with repeated elements count. The plan leaves such registers out.
	minimal, err := convert.Minimal(src, dst)
	if err != nil {
		return row.mismatch(err.Error(), "a minimal conversion", "girih refuses")
	}
	if !c.Want.Minimal.matches(minimal) && !c.Want.Minimal.matches(p.Minimal) {
		want, _ := c.Want.Minimal.layout()
		return row.mismatch(p.Minimal.String(), want.String(), "another minimal conversion")
	}
	return pass()
}

// A warpWant is the recorded factorization of a conversion within a warp.
type warpWant struct {
	Mixed []struct {
		LaneBit, RegBit int
		Sel             string
	}
	NPack       int
	PLane, PReg layoutJSON
}

// runWarpConversion runs a row of the section warp_conversion: the factors of a permutation of register and lane bits,
// and the selectors of the byte-permute instructions. Factors that differ from the record are documented if their
// number is the same and simulating them gives the right conversion.
func runWarpConversion(row linearRow) outcome {
	var c struct {
		Src, Dst layoutJSON
		Bitwidth int
		Want     warpWant
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	src, errSrc := c.Src.layout()
	dst, errDst := c.Dst.layout()
	if errSrc != nil || errDst != nil {
		return row.mismatch(fmt.Sprint(errSrc, errDst), "two layouts", "girih refuses")
	}
	s, err := convert.NewShuffle(src, dst, c.Bitwidth)
	if err != nil {
		return row.mismatch(err.Error(), "factors", "girih refuses")
	}
	got, want := factorsText(s.Permutation), c.Want.text()
	switch {
	case got == want:
		return pass()
	case s.Permutation == nil || !movesRight(s, src, dst):
		return row.mismatch(got, want, "the factors do not do the conversion")
	case len(s.Permutation.Mixed) != len(c.Want.Mixed) || s.Permutation.PackBits != c.Want.NPack:
		return row.mismatch(got, want, "another number of exchanges")
	}
	return outcome{verdict: documented, kind: otherFactors, by: "Triton", expr: row.ID, got: got, want: want}
}

// factorsText returns a factorization as one line.
func factorsText(p *convert.Permutation) string {
	if p == nil {
		return "no permutation"
	}
	text := fmt.Sprintf("reg %v lane %v pack %d", p.Reg, p.Lane, p.PackBits)
	for _, x := range p.Mixed {
		text += fmt.Sprintf(" (r%d l%d) %s/%s", x.RegBit, x.LaneBit, x.Pre, x.Post)
	}
	return text
}

func (w warpWant) text() string {
	text := fmt.Sprintf("reg %v lane %v pack %d", w.PReg.bits(), w.PLane.bits(), w.NPack)
	for _, x := range w.Mixed {
		text += fmt.Sprintf(" (r%d l%d) %s", x.RegBit, x.LaneBit, x.Sel)
	}
	return text
}

// bits returns a layout with one input and one output dimension as a permutation of bits.
func (j layoutJSON) bits() []int {
	out := []int{}
	for _, in := range j.In {
		for _, b := range in.value {
			k := 0
			for k < 62 && len(b) == 1 && b[0] != 1<<k {
				k++
			}
			out = append(out, k)
		}
	}
	return out
}

// movesRight simulates the factors. Starting from the source's places, the register permutation, the lane permutation
// and each exchange with its selectors must move every element to its place in the destination.
func movesRight(s *convert.Shuffle, src, dst linear.Layout) bool {
	src, errSrc := src.RemoveZeroBasesAlongDim("register")
	dst, errDst := dst.RemoveZeroBasesAlongDim("register")
	if errSrc != nil || errDst != nil {
		return false
	}
	p := s.Permutation
	holds := map[int]uint64{} // indexed by register bits, then lane bits
	regs := 1 << s.RegBits
	for r := range regs {
		for lane := range 1 << s.LaneBits {
			x, err := src.Flat(uint64(r)%uint64(src.InSize("register")) | uint64(lane)*uint64(src.InSize("register")))
			if err != nil {
				return false
			}
			to, toLane := permuteBits(p.Reg, r), permuteBits(p.Lane, lane)
			for _, m := range p.Mixed {
				to = selectElement(p, m, m.Pre, to)
				if to>>m.RegBit&1 != toLane>>m.LaneBit&1 {
					to ^= 1 << m.RegBit
					toLane ^= 1 << m.LaneBit
				}
				to = selectElement(p, m, m.Post, to)
			}
			holds[to|toLane*regs] = x
		}
	}
	for r := range int(dst.InSize("register")) {
		for lane := range 1 << s.LaneBits {
			want, err := dst.Flat(uint64(r) | uint64(lane)*uint64(dst.InSize("register")))
			if got, ok := holds[r|lane*regs]; err != nil || !ok || got != want {
				return false
			}
		}
	}
	return true
}

func permuteBits(p []int, x int) int {
	y := 0
	for i, to := range p {
		y |= x >> i & 1 << to
	}
	return y
}

// selectElement returns the register to which the selectors move the bytes of register r, or -1.
func selectElement(p *convert.Permutation, m convert.Exchange, sel convert.Selectors, r int) int {
	bytes := 4 >> p.PackBits
	low := r & (1<<p.PackBits - 1)
	digit := low*bytes | r>>m.RegBit&1<<2
	for half, digits := range []uint16{sel.Low, sel.High} {
		for i := range 1 << p.PackBits {
			if int(digits>>(4*i*bytes))&7 == digit {
				return r&^(1<<p.PackBits-1)&^(1<<m.RegBit) | i | half<<m.RegBit
			}
		}
	}
	return -1
}

// A swizzleCase is a row of the section swizzle.
type swizzleCase struct {
	Bitwidth, NumBanks int
	SrcTile, DstTile   struct{ LaneContig, LaneAddr []int }
	Src                layoutJSON `json:"src_layout"`
	Dst                layoutJSON `json:"dst_layout"`
	Want               struct {
		ReadConflicts, WriteConflicts int
		Smem                          layoutJSON
	}
}

// memory returns the shared memory that the row describes.
func (c swizzleCase) memory() convert.Memory {
	return convert.Memory{
		ElemBits: c.Bitwidth, Banks: c.NumBanks,
		Store: convert.Tile{Contiguous: c.SrcTile.LaneContig, Address: c.SrcTile.LaneAddr},
		Load:  convert.Tile{Contiguous: c.DstTile.LaneContig, Address: c.DstTile.LaneAddr},
	}
}

// runSwizzle runs a row of the section swizzle. Optimal layouts of shared memory are not unique, so the row passes if
// every element has one place and there are no more conflicts than recorded.
func runSwizzle(row linearRow) outcome {
	var c swizzleCase
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	src, errSrc := c.Src.layout()
	dst, errDst := c.Dst.layout()
	if errSrc != nil || errDst != nil {
		return row.mismatch(fmt.Sprint(errSrc, errDst), "two layouts", "girih refuses")
	}
	mem := c.memory()
	want := fmt.Sprintf("%d conflicts of loads, %d of stores", c.Want.ReadConflicts, c.Want.WriteConflicts)
	s, err := convert.OptimalSwizzleTiles(src, dst, mem)
	if err != nil {
		return row.mismatch(err.Error(), want, "girih refuses")
	}
	got := fmt.Sprintf("%d conflicts of loads, %d of stores", s.Load.Multiplicity()-1, s.Store.Multiplicity()-1)
	switch {
	case !s.Layout.IsSurjective() || s.Layout.InBits()-s.Layout.OutBits() != zeroBases(s.Layout, "block"):
		return row.mismatch(s.Layout.String(), "one place for every element", "the memory is not one to one")
	case s.Load.Multiplicity()-1 <= c.Want.ReadConflicts && s.Store.Multiplicity()-1 <= c.Want.WriteConflicts:
		return pass()
	}
	// For elements below a word, the recorded count is an estimate: compare with the accesses to the recorded layout.
	if recorded, err := c.Want.Smem.layout(); err == nil {
		load, errLoad := convert.AccessOf(dst, recorded, mem, mem.Load)
		store, errStore := convert.AccessOf(src, recorded, mem, mem.Store)
		if errLoad == nil && errStore == nil &&
			load.Wavefronts*load.Instructions >= s.Load.Wavefronts*s.Load.Instructions &&
			store.Wavefronts*store.Instructions >= s.Store.Wavefronts*s.Store.Instructions {
			return outcome{verdict: documented, kind: conflictEstimate, by: "Triton", expr: row.ID, got: got, want: want}
		}
	}
	return row.mismatch(got, want, "more conflicts")
}

// zeroBases returns how many bases of an input dimension are zero.
func zeroBases(l linear.Layout, dim string) int {
	n := 0
	for _, in := range l.Bases() {
		for _, b := range in.Bases {
			if in.Name == dim && !slices.ContainsFunc(b, func(x int64) bool { return x != 0 }) {
				n++
			}
		}
	}
	return n
}
