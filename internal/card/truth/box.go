package truth

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"girih/tensormap"
)

// A BoxCase is one copy of a box by a tensor map into shared memory, and its result.
type BoxCase struct {
	Map MapCase `json:"map"` // Address counts from the beginning of Source
	// Coordinates are the begin of the box, first mode first. Offsets are the offsets of pixels of an im2col map.
	Coordinates []int32  `json:"coordinates"`
	Offsets     []uint16 `json:"offsets,omitempty"`
	// Place is the position of the box in shared memory, in bytes after a multiple of 1,024. Bytes is the number of
	// bytes that the barrier expects.
	Place int `json:"place"`
	Bytes int `json:"bytes"`
	// Complete reports whether exactly that many bytes arrived. Digest is a checksum of the BoxMemory bytes of shared
	// memory, which were filled with BoxBefore.
	Complete bool   `json:"complete"`
	Digest   string `json:"digest"`
}

const (
	// BoxMemory is the number of bytes of shared memory that a case checks.
	BoxMemory = 64 << 10
	// BoxShared is the number of bytes of dynamic shared memory in a launch, including the barrier.
	BoxShared = BoxMemory + 16
	// BoxBefore is the value of each byte of shared memory before the copy.
	BoxBefore = 0xa5
	// SourceBytes is the size of the tensor's memory, in bytes.
	SourceBytes = 8 << 20
	// BoxWords is the number of words of a case, and BoxResults the number of words of its results.
	BoxWords, BoxResults = 16, BoxMemory/4 + 4
	// BoxThreads is the number of threads per block.
	BoxThreads = 128
)

// Source returns the memory that boxes are copied from: random words. One word in eight is half way between two numbers
// of type tf32.
func Source() []byte {
	r := rand.New(rand.NewPCG(19, 2026))
	memory := make([]byte, 0, SourceBytes)
	for len(memory) < SourceBytes {
		w := r.Uint32()
		if w>>13&7 == 0 {
			w = w&^0x1fff | 0x1000
		}
		memory = binary.LittleEndian.AppendUint32(memory, w)
	}
	return memory
}

// Words returns the case as its kernel reads it.
func (c *BoxCase) Words() []uint32 {
	w := make([]uint32, BoxWords)
	for i, x := range c.Coordinates {
		w[i] = uint32(x)
	}
	for i, x := range c.Offsets {
		w[5+i] = uint32(x)
	}
	w[8], w[9] = uint32(c.Place), uint32(c.Bytes)
	return w
}

// Kernel returns the name of the kernel of the case.
func (c *BoxCase) Kernel() string {
	if c.Offsets != nil {
		return fmt.Sprintf("im2col%d", len(c.Coordinates))
	}
	return fmt.Sprintf("tile%d", len(c.Coordinates))
}

// Set stores the results in a case.
func (c *BoxCase) Set(results []uint32) {
	c.Complete = results[0] == 1
	c.Digest = digest(SharedOf(results))
}

// SharedOf returns the memory of the results of a case.
func SharedOf(results []uint32) []int32 {
	memory := make([]int32, BoxMemory/4)
	for i := range memory {
		memory[i] = int32(results[4+i])
	}
	return memory
}

// BoxModule returns the kernels as PTX. Each block runs a case; the parameters are the tensor map, the cases and the
// results.
func BoxModule() string {
	var b strings.Builder
	b.WriteString(".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 1024 .b8 memory[];\n")
	for rank := 1; rank <= 5; rank++ {
		c := []string{"%c0", "%c1", "%c2", "%c3", "%c4"}[:rank]
		box := fmt.Sprintf("[%%map, {%s}], [%%bar]", strings.Join(c, ", "))
		boxKernel(&b, fmt.Sprintf("tile%d", rank), fmt.Sprintf("tile.%dd", rank), box)
		if rank >= 3 {
			o := []string{"%o0", "%o1", "%o2"}[:rank-2]
			for i := range o {
				o[i] = strings.Replace(o[i], "%o", "%h", 1)
			}
			boxKernel(&b, fmt.Sprintf("im2col%d", rank), "", fmt.Sprintf("%s, {%s}", box, strings.Join(o, ", ")))
		}
	}
	return b.String()
}

func boxKernel(b *strings.Builder, name, mode, operands string) {
	op := "cp.async.bulk.tensor." + strings.TrimPrefix(mode, "tile.") + ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"
	if mode == "" {
		op = "cp.async.bulk.tensor." + name[len(name)-1:] + "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
	}
	fmt.Fprintf(b, boxText, name, BoxMemory, 4*BoxWords, 4*BoxResults, 4*BoxThreads, BoxMemory, op, operands, 4*BoxThreads,
		BoxMemory)
}

// boxText is the kernel: it fills shared memory, starts the copy, waits for a limited time, and stores shared memory.
const boxText = `.visible .entry %s(.param .align 64 .b8 map[128], .param .u64 cases, .param .u64 results)
{
	.reg .pred %%p<4>;
	.reg .b32 %%r<8>, %%t, %%block, %%memory, %%bar, %%to, %%bytes, %%c<5>, %%o<3>;
	.reg .b16 %%h<3>;
	.reg .b64 %%rd<6>, %%map, %%case, %%out;
	mov.u32 %%t, %%tid.x;
	mov.u32 %%block, %%ctaid.x;
	mov.u32 %%memory, memory;
	add.u32 %%bar, %%memory, %d;
	ld.param.u64 %%rd0, [cases];
	mad.wide.u32 %%case, %%block, %d, %%rd0;
	mov.b64 %%rd1, map;
	cvta.param.u64 %%map, %%rd1;
	ld.param.u64 %%rd2, [results];
	mad.wide.u32 %%out, %%block, %d, %%rd2;
	mul.lo.u32 %%r0, %%t, 4;
fill:
	add.u32 %%r1, %%memory, %%r0;
	st.shared.b32 [%%r1], 0xa5a5a5a5;
	add.u32 %%r0, %%r0, %d;
	setp.lt.u32 %%p0, %%r0, %d;
	@%%p0 bra fill;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	setp.ne.u32 %%p1, %%t, 0;
	@%%p1 bra started;
	ld.global.v4.b32 {%%c0, %%c1, %%c2, %%c3}, [%%case];
	ld.global.v4.b32 {%%c4, %%o0, %%o1, %%o2}, [%%case+16];
	ld.global.v2.b32 {%%to, %%bytes}, [%%case+32];
	cvt.u16.u32 %%h0, %%o0;
	cvt.u16.u32 %%h1, %%o1;
	cvt.u16.u32 %%h2, %%o2;
	add.u32 %%to, %%to, %%memory;
	mbarrier.init.shared::cta.b64 [%%bar], 1;
	fence.mbarrier_init.release.cluster;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %%bytes;
	%s [%%to], %s;
started:
	bar.sync 0;
	mov.u32 %%r2, 0;
wait:
	mbarrier.try_wait.parity.shared::cta.b64 %%p2, [%%bar], 0;
	@%%p2 bra done;
	add.u32 %%r2, %%r2, 1;
	setp.lt.u32 %%p3, %%r2, 2000;
	@%%p3 bra wait;
done:
	selp.u32 %%r3, 1, 0, %%p2;
	@!%%p1 st.global.b32 [%%out], %%r3;
	bar.sync 0;
	mul.lo.u32 %%r0, %%t, 4;
copy:
	add.u32 %%r1, %%memory, %%r0;
	ld.shared.b32 %%r4, [%%r1];
	cvt.u64.u32 %%rd3, %%r0;
	add.u64 %%rd4, %%out, %%rd3;
	st.global.b32 [%%rd4+16], %%r4;
	add.u32 %%r0, %%r0, %d;
	setp.lt.u32 %%p0, %%r0, %d;
	@%%p0 bra copy;
	ret;
}
`

// BoxCases returns n copies by legal maps, of all ranks, types, swizzles, steps and interleavings.
func BoxCases(n int) []BoxCase {
	r := mapDraw{rand.New(rand.NewPCG(18, 2026))}
	var cases []BoxCase
	for len(cases) < n {
		if c, ok := r.box(len(cases)); ok {
			cases = append(cases, c)
		}
	}
	return cases
}

// box draws a copy, for which it returns false if the tensor or the box is too large.
func (r mapDraw) box(i int) (BoxCase, bool) {
	m := r.boxMap(i)
	m.trim()
	m.Rule, m.Address = "", 0
	size := r.extents(&m)
	m.NaN = r.IntN(4) == 0 && isFloat(m.Type)
	m.Address = r.Uint64N(64) * 32
	c := BoxCase{Map: m, Place: r.IntN(16) * 128}
	for range m.Lower {
		c.Offsets = append(c.Offsets, uint16(r.IntN(3)))
	}
	known, err := m.Map(0)
	if err != nil || size+m.Address > SourceBytes || int64(c.Place)+known.SharedBytes() > BoxMemory {
		return c, false
	}
	c.Bytes = int(known.Bytes())
	return c, r.begin(&c)
}

// boxMap draws the map of case i: a quarter are im2col, an eighth are interleaved, an eighth have steps, and the others
// are tiled.
func (r mapDraw) boxMap(i int) MapCase {
	switch i % 8 {
	case 0, 1, 2, 3:
		return r.drawTiled(1 + r.IntN(5))
	case 4:
		return r.drawInterleaved()
	case 5, 6:
		return r.drawIm2col()
	}
	m := r.drawTiled(2 + r.IntN(4))
	for i := range m.Steps {
		m.Steps[i] = uint32(1 + r.IntN(8))
	}
	return m
}

// extents draws extents that are small, or near the extents of the box, so that some boxes end outside. It returns the
// bytes of the tensor.
func (r mapDraw) extents(m *MapCase) uint64 {
	unit := uint64(16)
	if m.Interleave == "32B" {
		unit = 32
	}
	size := uint64(0)
	for i := range m.Dims {
		m.Dims[i] = 1 + r.Uint64N(24)
		if i == 0 && r.IntN(2) == 0 {
			m.Dims[i] = 1 + r.Uint64N(160)
		}
		if i == 0 {
			size = up(m.Dims[0]*m.bytes(), unit) + unit*r.Uint64N(2)
		}
		if i > 0 {
			m.Strides[i-1] = size
			size *= m.Dims[i] + r.Uint64N(2)
		}
	}
	return size
}

// begin draws the coordinates of the box: at a multiple of 16 bytes and, for a map of pixels, within the corners.
func (r mapDraw) begin(c *BoxCase) bool {
	m := &c.Map
	for i, d := range m.Dims {
		x := r.Int64N(int64(d)+8) - 4
		switch {
		case i == 0:
			x &^= int64(max(1, 16/m.bytes())) - 1
		case i <= len(m.Lower):
			low, high := int64(m.Lower[i-1]), int64(d)-1+int64(m.Upper[i-1])
			if high < low {
				return false
			}
			x = low + r.Int64N(high-low+1)
		}
		c.Coordinates = append(c.Coordinates, int32(x))
	}
	return true
}

// Predict returns the memory after the copy, by the model.
func (c *BoxCase) Predict(source []byte) ([]int32, error) {
	m, err := c.Map.Map(0)
	if err != nil {
		return nil, err
	}
	landings, err := m.Landings(tensormap.Start{
		Coord: integers(c.Coordinates), Offsets: integers(c.Offsets), Shared: int64(c.Place),
	})
	if err != nil {
		return nil, err
	}
	memory := bytes.Repeat([]byte{BoxBefore}, BoxMemory)
	fill := binary.LittleEndian.AppendUint64(nil, m.FillCode())[:m.Type.Bits()/8]
	for l := range landings {
		to, n := memory[int64(c.Place)+l.Shared/8:], int(l.Bits/8)
		if l.Inside {
			copy(to[:n], source[l.Global/8+int64(c.Map.Address):])
			if m.Type.Bits() == 32 {
				load(m.Type, to[:n])
			}
			continue
		}
		copy(to[:n], bytes.Repeat(fill, n/len(fill)))
	}
	words := make([]int32, BoxMemory/4)
	for i := range words {
		words[i] = int32(binary.LittleEndian.Uint32(memory[4*i:]))
	}
	return words, nil
}

// load converts elements of 32 bits as a load does.
func load(t tensormap.Type, elements []byte) {
	for len(elements) > 0 {
		w := binary.LittleEndian.Uint32(elements)
		binary.LittleEndian.PutUint32(elements, uint32(t.Load(uint64(w))))
		elements = elements[4:]
	}
}

// Differs returns the difference between the result and the model, or "".
func (c *BoxCase) Differs(source []byte) string {
	want, err := c.Predict(source)
	switch {
	case err != nil:
		return err.Error()
	case !c.Map.Accepted:
		return "the driver refuses the map"
	case !c.Complete:
		return fmt.Sprintf("the barrier did not see %d bytes", c.Bytes)
	case digest(want) != c.Digest:
		return "other bytes"
	}
	return ""
}

func isFloat(name string) bool {
	t, err := tensormap.ParseType(name)
	return err == nil && t.Float()
}
