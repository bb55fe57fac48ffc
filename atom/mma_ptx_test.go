package atom

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
)

// FindPTX finds every operation of sm70 to sm90 by its PTX, unchanged; CuTe lists a few under two names.
func TestFindPTX(t *testing.T) {
	t.Parallel()
	found := 0
	for m := range MMAs() {
		opcode, _, _ := strings.Cut(m.Text, " ")
		if !strings.HasPrefix(opcode, "mma.") && !strings.HasPrefix(opcode, "wgmma.") || strings.Contains(opcode, "kind::") ||
			m.Types.A.Parts > 1 {
			continue
		}
		got, err := FindPTX(opcode, m.AFrom)
		if err != nil {
			t.Fatalf("%s: %v", opcode, err)
		}
		if got.Text != m.Text || got.A.String() != m.A.String() || got.B.String() != m.B.String() ||
			got.C.String() != m.C.String() || got.Registers != m.Registers {
			t.Errorf("%s: %s is not %s", opcode, got.Name, m.Name)
		}
		found++
	}
	if found < 2000 {
		t.Errorf("%d operations were found", found)
	}
}

// The operations that CuTe lacks hold each element once, in registers of 32 bits. Their metadata has four bits for each
// group of elements, in the registers of the threads that a selector names.
func TestBarePTX(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for m := range BareMMAs() {
		opcode, _, _ := strings.Cut(m.Text, " ")
		for _, other := range []string{"mma.sp", "mma.sp::ordered_metadata"} {
			other = strings.Replace(opcode, "mma.sp", other, 1)
			if got, err := FindPTX(other, m.AFrom); err != nil || got.Name != m.Name || !strings.HasPrefix(got.Text, other+" {") {
				t.Fatalf("%s: %v %v", other, got, err)
			}
		}
		if _, err := FindMMA(m.Name); err == nil || names[m.Name] {
			t.Errorf("%s is there twice", m.Name)
		}
		names[m.Name] = true
		for _, o := range []Operand{OperandA, OperandB, OperandC} {
			if o == OperandB && m.BFrom == SharedMemory || o == OperandA && m.AFrom == SharedMemory {
				continue
			}
			if c, err := m.Coverage(o); err != nil || !c.Bijective() {
				t.Errorf("%s: %v: %+v %v", opcode, o, c, err)
			}
		}
		if n := int(m.Values(OperandA)) * m.Types.A.Bits(); m.AFrom == Registers && n != m.Registers.A.Count*32 {
			t.Errorf("%s: A has %d bits in %d registers", opcode, n, m.Registers.A.Count)
		}
		if m.Sparse == nil {
			continue
		}
		if n := m.Shape[2] / m.Sparse.Of * 4 * 16; n != 8*32*map[int64]int64{256: 1, 512: 2, 1024: 4}[n] {
			t.Errorf("%s: %d bits of metadata", opcode, n)
		}
		c, err := CoverageOf(m.Sparse.E, 16*m.Shape[2])
		if err != nil || c.Held != c.Elements || c.Least != c.Most || c.Outside > 0 {
			t.Errorf("%s: metadata %+v %v", opcode, c, err)
		}
	}
	if len(names) != 8+6+2+16+16+4+2*18 {
		t.Errorf("%d operations", len(names))
	}
}

// The fragments of sparse A follow the formulas of the PTX ISA (9.7.14.6.2): the row of element i, and the columns of
// its group.
func TestSparseFragments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		opcode     string
		group      int64 // columns firstcol to lastcol
		low, high  func(i int64) bool
		held, bits int64
	}{
		{"m16n8k16.row.col.f32.f16.f16.f32", 4, func(i int64) bool { return i < 2 }, func(int64) bool { return false }, 4, 16},
		{"m16n8k32.row.col.f32.bf16.bf16.f32", 4, func(i int64) bool { return i < 2 || 4 <= i && i < 6 }, func(i int64) bool { return i >= 4 }, 8, 16},
		{"m16n8k16.row.col.f32.tf32.tf32.f32", 2, func(i int64) bool { return i%2 == 0 }, func(i int64) bool { return i >= 2 }, 4, 32},
		{"m16n8k8.row.col.f32.tf32.tf32.f32", 2, func(i int64) bool { return i == 0 }, func(int64) bool { return false }, 2, 32},
		{"m16n8k32.row.col.s32.s8.s8.s32", 8, func(i int64) bool { return i < 4 }, func(int64) bool { return false }, 8, 8},
		{"m16n8k64.row.col.f32.e4m3.e5m2.f32", 8, func(i int64) bool { return i < 4 || 8 <= i && i < 12 }, func(i int64) bool { return i >= 8 }, 16, 8},
		{"m16n8k64.row.col.s32.u4.s4.s32", 16, func(i int64) bool { return i < 8 }, func(int64) bool { return false }, 16, 4},
		{"m16n8k128.row.col.s32.u4.s4.s32", 16, func(i int64) bool { return i < 8 || 16 <= i && i < 24 }, func(i int64) bool { return i >= 16 }, 32, 4},
	} {
		m, err := FindPTX("mma.sp.sync.aligned."+tt.opcode, Registers)
		if err != nil {
			t.Fatal(err)
		}
		for lane := range int64(32) {
			for i := range tt.held {
				p, err := m.At(OperandA, lane, 2*i)
				if err != nil {
					t.Fatal(err)
				}
				first := p.Column / tt.group * tt.group
				want := lane % 4 * tt.group
				if tt.high(i) {
					want += m.Shape[2] / 2
				}
				if p.Row != lower(lane, !tt.low(i)) || first != want {
					t.Fatalf("%s: thread %d element %d is in row %d, columns from %d; want columns from %d", tt.opcode, lane, i,
						p.Row, first, want)
				}
			}
		}
	}
}

func TestNoPTX(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		opcode string
		code   cute.Code
	}{
		{"", cute.CodeName},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", cute.CodeName},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.float", cute.CodeName},
		{"mma.sync.aligned.m16n8k.row.col.f32.f16.f16.f32", cute.CodeName},
		{"mma.sync.aligned.m16n8k016.row.col.f32.f16.f16.f32", cute.CodeName},
		{"wgmma.fence.sync.aligned", cute.CodeName},
		{"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", cute.CodeType},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32", cute.CodeType},
		{"mma.sync.aligned.m16n8k32.row.col.satfinite.f32.e4m3.e4m3.f32", cute.CodeType},
		{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", cute.CodeType},
		{"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32", cute.CodeType},
		{"mma.sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16", cute.CodeType},
		{"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8", cute.CodeType},
		{"wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16", cute.CodeType},
		{"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc", cute.CodeType},
		{"wgmma.mma_async.sync.aligned.m64n8k16.satfinite.f32.f16.f16", cute.CodeType},
		{"wgmma.mma_async.sync.aligned.m128n8k16.f32.f16.f16", cute.CodeType},
	} {
		_, err := FindPTX(tt.opcode, Registers)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%s: %v", tt.opcode, err)
		}
	}
	// Modifiers come in any order after the shape.
	m, err := FindPTX("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32", Registers)
	if err != nil || m.Name != "SM80_16x8x32_S32U8S8S32_TN_SATURATE" || m.Types.A.Type != dtype.U8 {
		t.Errorf("%v %v", m.Name, err)
	}
}

func FuzzFindPTX(f *testing.F) {
	f.Add("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
	f.Add("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc")
	f.Fuzz(func(t *testing.T, opcode string) {
		for _, from := range []Space{Registers, SharedMemory} {
			if m, err := FindPTX(opcode, from); err == nil && (m.Text == "" || m.Threads() == 0) {
				t.Errorf("%q: %+v", opcode, m)
			}
		}
	})
}
