package atom

import (
	"strings"
	"testing"

	"girih/dtype"
)

// The formulas of the PTX ISA, "Matrix Fragments for mma.m8n8k4" and so on, and "Register Fragments" of wgmma, as in
// the manual: row and column of element i of the thread lane, for A (M by K), B (K by N) and C (M by N). groupID is
// lane >> 2, threadID_in_group is lane % 4.

// A fragment returns the place in the matrix of element i of a thread.
type fragment func(lane, i int64) (row, col int64)

// An isaClass describes the fragments of one shape and element width.
type isaClass struct{ a, b, c fragment }

func groupID(lane int64) int64 { return lane >> 2 }
func inGroup(lane int64) int64 { return lane % 4 }

// lower adds 8 to the row of the group.
func lower(lane int64, isLower bool) int64 {
	if isLower {
		return lane>>2 + 8
	}
	return lane >> 2
}

func beyond(x int64, isBeyond bool, by int64) int64 {
	if isBeyond {
		return x + by
	}
	return x
}

// c16x8 and c8x8 are the accumulators.
func c16x8(lane, i int64) (int64, int64) { return lower(lane, i >= 2), inGroup(lane)*2 + i&1 }
func c8x8(lane, i int64) (int64, int64)  { return groupID(lane), inGroup(lane)*2 + i }

// isa maps "MxNxK bits" to the fragments.
var isa = map[string]isaClass{
	"8x8x4 64": {
		func(l, _ int64) (int64, int64) { return groupID(l), inGroup(l) },
		func(l, _ int64) (int64, int64) { return inGroup(l), groupID(l) }, c8x8,
	},
	"16x8x8 16": {
		func(l, i int64) (int64, int64) { return lower(l, i >= 2), inGroup(l)*2 + i&1 },
		func(l, i int64) (int64, int64) { return inGroup(l)*2 + i, groupID(l) }, c16x8,
	},
	"16x8x16 16": {
		func(l, i int64) (int64, int64) {
			return lower(l, !(i < 2 || 4 <= i && i < 6)), beyond(inGroup(l)*2+i&1, i >= 4, 8)
		},
		func(l, i int64) (int64, int64) { return beyond(inGroup(l)*2+i&1, i >= 2, 8), groupID(l) }, c16x8,
	},
	"16x8x4 32": {
		func(l, i int64) (int64, int64) { return lower(l, i == 1), inGroup(l) },
		func(l, _ int64) (int64, int64) { return inGroup(l), groupID(l) }, c16x8,
	},
	"16x8x8 32": {
		func(l, i int64) (int64, int64) {
			return lower(l, i == 1 || i == 3), beyond(inGroup(l), i == 2 || i == 3, 4)
		},
		func(l, i int64) (int64, int64) { return beyond(inGroup(l), i == 1, 4), groupID(l) }, c16x8,
	},
	"16x8x4 64": {
		func(l, i int64) (int64, int64) { return lower(l, i == 1), inGroup(l) },
		func(l, _ int64) (int64, int64) { return inGroup(l), groupID(l) }, c16x8,
	},
	"16x8x8 64": {
		func(l, i int64) (int64, int64) {
			return lower(l, i == 1 || i == 3), beyond(inGroup(l), i == 2 || i == 3, 4)
		},
		func(l, i int64) (int64, int64) { return beyond(inGroup(l), i == 1, 4), groupID(l) }, c16x8,
	},
	"16x8x16 64": {
		func(l, i int64) (int64, int64) {
			if i%2 == 0 {
				return groupID(l), i*2 + inGroup(l)
			}
			return groupID(l) + 8, i*2 - 2 + inGroup(l)
		},
		func(l, i int64) (int64, int64) { return inGroup(l) + i*4, groupID(l) }, c16x8,
	},
	"8x8x16 8": {
		func(l, i int64) (int64, int64) { return groupID(l), inGroup(l)*4 + i },
		func(l, i int64) (int64, int64) { return inGroup(l)*4 + i, groupID(l) }, c8x8,
	},
	"16x8x16 8": {
		func(l, i int64) (int64, int64) { return lower(l, i >= 4), inGroup(l)*4 + i&3 },
		func(l, i int64) (int64, int64) { return inGroup(l)*4 + i, groupID(l) }, c16x8,
	},
	"16x8x32 8": {
		func(l, i int64) (int64, int64) {
			return lower(l, !(i < 4 || 8 <= i && i < 12)), beyond(inGroup(l)*4+i&3, i >= 8, 16)
		},
		func(l, i int64) (int64, int64) { return beyond(inGroup(l)*4+i&3, i >= 4, 16), groupID(l) }, c16x8,
	},
	"8x8x32 4": {
		func(l, i int64) (int64, int64) { return groupID(l), inGroup(l)*8 + i },
		func(l, i int64) (int64, int64) { return inGroup(l)*8 + i, groupID(l) }, c8x8,
	},
	"16x8x32 4": {
		func(l, i int64) (int64, int64) { return lower(l, i >= 8), inGroup(l)*8 + i&7 },
		func(l, i int64) (int64, int64) { return inGroup(l)*8 + i, groupID(l) }, c16x8,
	},
	"16x8x64 4": {
		func(l, i int64) (int64, int64) {
			return lower(l, !(i < 8 || 16 <= i && i < 24)), beyond(inGroup(l)*8+i&7, i >= 16, 32)
		},
		func(l, i int64) (int64, int64) { return beyond(inGroup(l)*8+i&7, i >= 8, 32), groupID(l) }, c16x8,
	},
	"8x8x128 1": {
		func(l, i int64) (int64, int64) { return groupID(l), inGroup(l)*32 + i },
		func(l, i int64) (int64, int64) { return inGroup(l)*32 + i, groupID(l) }, c8x8,
	},
	"16x8x128 1": {
		func(l, i int64) (int64, int64) { return lower(l, i >= 32), inGroup(l)*32 + i&0x1f },
		func(l, i int64) (int64, int64) { return inGroup(l)*32 + i, groupID(l) }, c16x8,
	},
	"16x8x256 1": {
		func(l, i int64) (int64, int64) {
			return lower(l, !(i < 32 || 64 <= i && i < 96)), beyond(inGroup(l)*32+i&0x1f, i >= 64, 128)
		},
		func(l, i int64) (int64, int64) { return beyond(inGroup(l)*32+i&0x1f, i >= 32, 128), groupID(l) }, c16x8,
	},
}

// quadPairClass returns the fragments of mma.m8n8k4 on halves. Threads are numbered 0 to 7 in the atom; ThrID maps them
// to lanes.
func quadPairClass(m MMA) isaClass {
	high := func(lane int64) int64 { return beyond(0, lane >= 16, 4) }
	byRow := func(l, i int64) (int64, int64) { return l%4 + high(l), i }
	byColumn := func(l, i int64) (int64, int64) { return i%4 + high(l), l % 4 }
	swap := func(f fragment) fragment {
		return func(l, i int64) (int64, int64) { r, c := f(l, i); return c, r }
	}
	// Each thread has a row of a row-major A, or a column of a column-major B.
	c := isaClass{a: byRow, b: swap(byRow), c: func(l, i int64) (int64, int64) { return l%4 + high(l), i }}
	if m.AMajor == MNMajor {
		c.a = byColumn
	}
	if m.BMajor == MNMajor {
		c.b = swap(byColumn)
	}
	if m.Types.C.Type == dtype.F32 {
		c.c = func(l, i int64) (int64, int64) { return l&1 + i&2 + high(l), i&4 + l&2 + i&1 }
	}
	return c
}

// wgmmaClass returns the fragments of wgmma for each of the four warps: A in registers, which is A of the mma with 16
// rows and the same K, and D (PTX ISA, wgmma.mma_async.m64nNk16 "Register Fragments").
func wgmmaClass(k string) isaClass {
	of := map[string]string{"16 16": "16x8x16 16", "8 32": "16x8x8 32", "32 8": "16x8x32 8"}[k]
	a := isa[of].a
	return isaClass{
		a: func(t, i int64) (int64, int64) { r, c := a(t%32, i); return t/32*16 + r, c },
		c: func(t, i int64) (int64, int64) {
			return t/32*16 + groupID(t%32) + 8*(i/2%2), 8*(i/4) + inGroup(t)*2 + i%2
		},
	}
}

// classOf returns the manual's formulas for the operation, and false if this table lacks the operation.
func classOf(m MMA) (isaClass, bool) {
	shape := shapeName(m.Shape[0], m.Shape[1], m.Shape[2])
	bits := m.Types.A.Type.Bits()
	if m.Types.A.Held > 0 {
		bits = m.Types.A.Held
	}
	switch {
	case m.Sparse != nil:
		return isaClass{}, false
	case m.Threads() == 8:
		return quadPairClass(m), true
	case m.Threads() == 128 && strings.HasPrefix(m.Arch, "sm90"):
		return wgmmaClass(strings.TrimSpace(shape[strings.LastIndexByte(shape, 'x')+1:] + " " + itoa(bits))), true
	case m.Threads() == 32 && strings.HasPrefix(m.Arch, "sm"):
		c, ok := isa[shape+" "+itoa(bits)]
		return c, ok
	}
	return isaClass{}, false
}

func itoa(n int) string {
	return strings.TrimLeft(string([]byte{byte('0' + n/10), byte('0' + n%10)}), "0")
}

// Every warp-level, quad-pair and dense warpgroup operation agrees with the manual, element by element.
func TestFragmentsOfTheManual(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	for m := range MMAs() {
		c, ok := classOf(m)
		if !ok {
			if m.Threads() == 32 && strings.HasPrefix(m.Arch, "sm") && m.Sparse == nil {
				t.Errorf("%s: no formula for its shape", m.Name)
			}
			continue
		}
		once := func(o Operand, from Space, f fragment) {
			key := o.String() + m.ThrID.String() + m.TV(o).String()
			if from == Registers && !checked[key] {
				checked[key] = true
				agree(t, m, o, f)
			}
		}
		once(OperandA, m.AFrom, c.a)
		once(OperandB, m.BFrom, func(l, i int64) (int64, int64) { k, n := c.b(l, i); return n, k }) // CuTe's B is N by K
		once(OperandC, m.CFrom, c.c)
	}
	if len(checked) < 65 {
		t.Errorf("%d layouts were held to the manual", len(checked))
	}
}

func agree(t *testing.T, m MMA, o Operand, f fragment) {
	t.Helper()
	for thread := range m.Threads() {
		lane, err := m.ThrID.At(thread)
		if err != nil {
			t.Fatal(err)
		}
		for v := range m.Values(o) {
			row, col := f(lane, v)
			p, err := m.At(o, thread, v)
			if err != nil || p != (Place{row, col, 0}) {
				t.Errorf("%s: value %d of thread %d of %v is %v, the manual says (%d,%d): %v", m.Name, v, thread, o, p,
					row, col, err)
				return
			}
		}
	}
}

// AMD's calculator computes the register and the lane of element (i,k) of A and (i,j) of D of an MFMA of M by N by K in
// B blocks; these are its formulas for gfx9 (InstCalcGfx9, register units of one element).
func TestMFMAOfTheCalculator(t *testing.T) {
	t.Parallel()
	n := 0
	for m := range (amd{}).all() {
		if m.Arch != "gfx942" {
			continue
		}
		n++
		rows, cols, depth, blocks := m.Shape[0], m.Shape[1], m.Shape[2], m.Blocks
		height := int64(4)
		if m.Types.C.Type == dtype.F64 {
			height = 1
		}
		each := depth / (64 / (rows * blocks))
		for b := range blocks {
			for i := range rows {
				for k := range depth {
					holds(t, m, OperandA, Place{i, k, b}, Holder{b*rows + k/each*rows*blocks + i, k % each})
				}
				for j := range cols {
					perRegister := 64 / cols
					side := (64*height + rows*cols - 1) / (rows * cols)
					value := b*(rows*cols/64) + i/(height*perRegister)*height + i%height
					lane := b%side*cols + i/height%perRegister*side*cols + j
					holds(t, m, OperandC, Place{i, j, b}, Holder{lane, value})
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("%d instructions", n)
	}
}

// holds asserts that the holder holds the element at the place.
func holds(t *testing.T, m MMA, o Operand, p Place, h Holder) {
	t.Helper()
	got, err := m.At(o, h.Thread, h.Value)
	if err != nil || got != p {
		t.Errorf("%s: value %d of lane %d of %v is %v, want %v: %v", m.Name, h.Value, h.Thread, o, got, p, err)
	}
}
