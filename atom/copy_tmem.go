package atom

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file defines the copies of tensor memory: tcgen05.ld and tcgen05.st, to and from the registers of a warp, and
// tcgen05.cp from shared memory. Tensor memory has 128 lanes (CuTe: data paths, DP) and columns of 32 bits; a warp
// accesses 32 of the lanes.
//
// In CuTe's layouts all threads of a warp name the same bits of tensor memory, (32,N):(0,1), since the instruction
// takes one address; bits are numbered along the columns of a lane first, then by lanes. With r repetitions of the
// shape:
//
//	16x256b   thread (4,8) -> 64, 256·r per lane     value (64,2,r) -> 1, 8 lanes, 256
//	16x128b   thread (4,8) -> 32, 128·r              value (32,2,r) -> 1, 8 lanes, 128
//	16x64b    thread (2,2,8) -> 8 lanes, 32, 64·r    value (32,r) -> 1, 64
//	16x32bx2  thread (16,2) -> 64·r, 32·r            value 32·r -> 1
//	32x32b    thread 32 -> 32·r                      value 32·r -> 1

// A tmemShape is a shape of tcgen05.ld and tcgen05.st.
type tmemShape struct {
	name      string                  // the name in CuTe
	isa       string                  // the name in PTX
	most      int64                   // the largest number of repetitions, which are 1, 2, 4, ...
	bits      int64                   // bits of tensor memory per repetition
	fragments func(r int64) [2]string // the layout of the registers: threads, and values without the repetitions
	repeat    int64                   // the stride of the repetitions, if they are a separate mode of the values
}

var tmemShapes = []tmemShape{
	{"16dp256b", "16x256b", 32, 16 * 256, func(r int64) [2]string {
		return [2]string{fmt.Sprintf("(4,8):(64,%d)", 256*r), fmt.Sprintf("(64,2):(1,%d)", 8*256*r)}
	}, 256},
	{"16dp128b", "16x128b", 64, 16 * 128, func(r int64) [2]string {
		return [2]string{fmt.Sprintf("(4,8):(32,%d)", 128*r), fmt.Sprintf("(32,2):(1,%d)", 8*128*r)}
	}, 128},
	{"16dp64b", "16x64b", 128, 16 * 64, func(r int64) [2]string {
		return [2]string{fmt.Sprintf("(2,2,8):(%d,32,%d)", 8*64*r, 64*r), "32:1"}
	}, 64},
	{"16dp32b", "16x32bx2", 128, 16 * 64, func(r int64) [2]string {
		return [2]string{fmt.Sprintf("(16,2):(%d,%d)", 64*r, 32*r), fmt.Sprintf("%d:1", 32*r)}
	}, 0},
	{"32dp32b", "32x32b", 128, 32 * 32, func(r int64) [2]string {
		return [2]string{fmt.Sprintf("32:%d", 32*r), fmt.Sprintf("%d:1", 32*r)}
	}, 0},
}

// fragment returns the layout (thread, bit) of the registers for r repetitions.
func (s tmemShape) fragment(r int64) cute.Layout {
	f := s.fragments(r)
	threads, values := cute.MustParse(f[0]), cute.MustParse(f[1])
	if s.repeat != 0 && r > 1 {
		modes := append(values.Modes(), bitLayout("%d:%d", r, s.repeat))
		values = mustLayout(modes...)
	}
	return mustLayout(threads, values)
}

// mustLayout is cute.MakeLayout of modes with small strides.
func mustLayout(modes ...cute.Layout) cute.Layout {
	l, err := cute.MakeLayout(modes...)
	if err != nil {
		panic(err) // the tables contain only small integers
	}
	return l
}

// tmemCopies returns tcgen05.ld, tcgen05.st and tcgen05.cp.
func tmemCopies() []Copy {
	var out []Copy
	for _, direction := range []string{"LOAD", "STORE"} {
		for _, s := range tmemShapes {
			for r := int64(1); r <= s.most; r *= 2 {
				out = append(out, s.copy(direction, r, 32), s.copy(direction, r, 16))
			}
		}
	}
	for _, r := range []int64{32, 128} {
		out = append(out, loadStat(r))
	}
	for _, u := range utccps {
		out = append(out, u.copy(1), u.copy(2))
	}
	return out
}

const headerTMEM = "CUTLASS include/cute/atom/copy_traits_sm100.hpp, PTX ISA "

// copy returns the instruction with r repetitions that moves columnBits of each column: all 32, or the lower 16, in
// which case a register holds two columns.
func (s tmemShape) copy(direction string, r, columnBits int64) Copy {
	packed := columnBits == 16
	registersUsed := int(s.bits * r / 32 / 32)
	memory, fragment := bitLayout("(32,%d):(0,1)", s.bits*r), s.fragment(r)
	suffix, pack := "", ""
	if packed {
		suffix, pack = "_16b", ".pack::16b"
		if direction == "STORE" {
			pack = ".unpack::16b"
		}
	}
	second := "" // the offset of the second half of 16x32bx2, in columns
	if s.isa == "16x32bx2" {
		second = fmt.Sprintf(", %d", r*32/columnBits)
	}
	c := Copy{
		Operation: Operation{Name: fmt.Sprintf("SM100_TMEM_%s_%s%dx%s", direction, s.name, r, suffix), Arch: "sm100a"},
		ThrID:     cute.MustParse(warpThreads), Ref: memory, Kind: TMEMCopy,
	}
	inTMEM := CopySide{Space: TensorMemory, Unit: s.bits * r, Count: 1, Align: 32}
	if direction == "LOAD" {
		c.Text = fmt.Sprintf("tcgen05.ld.sync.aligned.%s.x%d%s.b32 %s, [%%%d]%s;", s.isa, r, pack,
			registerList(0, registersUsed), registersUsed, second)
		c.Src, c.Dst, c.From, c.To = memory, fragment, inTMEM, inRegisters(registersUsed)
		c.Source = headerTMEM + "tcgen05.ld"
	} else {
		c.Text = fmt.Sprintf("tcgen05.st.sync.aligned.%s.x%d%s.b32 [%%0]%s, %s;", s.isa, r, pack, second,
			registerList(1, registersUsed))
		c.Src, c.Dst, c.From, c.To = fragment, memory, inRegisters(registersUsed), inTMEM
		c.Source = headerTMEM + "tcgen05.st"
	}
	if packed {
		c.Note = "a register holds 16 bits of each of two columns; the layouts number the bits that are moved"
	}
	return c
}

// loadStat returns tcgen05.ld.red, which also finds the largest value of each thread.
func loadStat(r int64) Copy {
	s := tmemShapes[len(tmemShapes)-1]
	c := s.copy("LOAD", r, 32)
	c.Name = strings.Replace(c.Name, "LOAD", "LOAD_STAT", 1)
	c.Arch = "sm103a"
	n := int(r)
	c.Text = fmt.Sprintf("tcgen05.ld.red.sync.aligned.%s.x%d.max.f32 %s, %%%d, [%%%d];", s.isa, r,
		registerList(0, n), n, n+1)
	c.Source = headerTMEM + "tcgen05.ld.red"
	c.Note = fmt.Sprintf("%%%d becomes the maximum of the values as f32", n)
	return c
}

// A utccp is a shape of tcgen05.cp, which copies from shared memory. The threads of its layouts are the CTAs.
type utccp struct {
	name     string // the name in CuTe
	isa      string
	src, dst string // the modes of the bits
	read     int64  // bits read from shared memory
	written  int64  // bits written to tensor memory
	note     string
}

var utccps = []utccp{
	{"128dp256bit", "128x256b", "32768:1", "32768:1", 128 * 256, 128 * 256, ""},
	{"128dp128bit", "128x128b", "16384:1", "16384:1", 128 * 128, 128 * 128, ""},
	{"4dp256bit", "4x256b", "(4,256):(32,128)", "(4,256):(32,128)", 4 * 256, 4 * 256, "lanes 0, 32, 64, 96"},
	{"4x32dp128bit", "32x128b.warpx4", "(32,128,4):(1,32,0)", "16384:1", 32 * 128, 128 * 128, "32 lanes, four times" + byValue},
	{"2x64dp128bitlw0213", "64x128b.warpx2::02_13", "(64,128,2):(1,64,0)", "16384:1", 64 * 128, 128 * 128, "64 lanes, twice: for warps 0 and 2, and 1 and 3" + byValue},
	{"2x64dp128bitlw0123", "64x128b.warpx2::01_23", "(32,128,2,2):(1,32,4096,0)", "16384:1", 64 * 128, 128 * 128, "64 lanes, twice: for warps 0 and 1, and 2 and 3" + byValue},
}

// byValue is the note on the shapes that write several copies of the bits that they read.
const byValue = "; value v of the destination is value v of the source, whatever the numbers of their bits"

// copy returns the instruction for 1 or 2 CTAs.
func (u utccp) copy(ctas int) Copy {
	cta := cute.MustParse("1:0")
	id := cta
	if ctas == 2 {
		cta, id = cute.MustParse("2:0"), cute.MustParse("2:1")
	}
	dst := mustLayout(cta, cute.MustParse(u.dst))
	return Copy{
		Operation: Operation{
			Name: fmt.Sprintf("SM100_UTCCP_%s_%dcta", u.name, ctas), Arch: "sm100a",
			Text: fmt.Sprintf("tcgen05.cp.cta_group::%d.%s [%%0], %%1;", ctas, u.isa), Source: headerTMEM + "tcgen05.cp",
		},
		ThrID: id, Src: mustLayout(cta, cute.MustParse(u.src)), Dst: dst, Ref: dst, Kind: TMEMCopy,
		From: CopySide{Space: SharedMemory, Unit: u.read, Count: 1, Align: rowBits},
		To:   CopySide{Space: TensorMemory, Unit: u.written, Count: 1, Align: 32},
		Note: u.note,
	}
}
