package atom

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
)

// wantCode asserts that the error is a cute.Error with the code, whose message or hint has the words.
func wantCode(t *testing.T, err error, code cute.Code, words ...string) {
	t.Helper()
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != code {
		t.Errorf("got %v, want the code %s", err, code)
		return
	}
	for _, w := range words {
		if !strings.Contains(e.Msg, w) && !strings.Contains(e.Hint, w) {
			t.Errorf("%q has not the words %q, hint %q", e.Msg, w, e.Hint)
		}
	}
}

// CuTe's headers define these layouts, written as CuTe prints them.
func TestCopyGolden(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../conformance/cute/copy_atoms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	if len(rows) < 195 {
		t.Fatalf("found %d rows", len(rows))
	}
	for _, row := range rows {
		f := strings.Split(strings.ReplaceAll(row, "\t_", "\t"), "\t")
		c, err := FindCopy(f[0])
		if err != nil {
			t.Error(err)
			continue
		}
		for i, l := range []cute.Layout{c.ThrID, c.Src, c.Dst, c.Ref} {
			want := cute.MustParse(f[i+1])
			if c.Name == "SM75_U32x1_MOVM_T" && i == 2 { // what the card does; CuTe has (32,32):(32,1)
				want = cute.MustParse("((4,8),(16,2)):((256,16),(1,128))")
			}
			if !l.Equal(want) {
				t.Errorf("%s, column %d: %v, want %v", f[0], i+1, l, want)
			}
		}
	}
}

func TestCopyTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for c := range Copies() {
		if seen[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		seen[c.Name] = true
		found, err := FindCopy(c.Name)
		if err != nil || found.Text != c.Text || !found.Src.Equal(c.Src) || !found.Dst.Equal(c.Dst) {
			t.Errorf("FindCopy(%q) = %v, %v", c.Name, found, err)
		}
		if c.Arch == "" || c.Text == "" || !strings.Contains(c.Source, "CUTLASS include/cute/") && !isAMD(c.Arch) {
			t.Errorf("%s: %+v", c.Name, c.Operation)
		}
		if !c.Ref.Equal(c.Src) && !c.Ref.Equal(c.Dst) {
			t.Errorf("%s: the reference is neither source nor destination", c.Name)
		}
		for _, l := range []cute.Layout{c.Src, c.Dst} {
			if l.Rank() != 2 || l.Modes()[0].Size() != c.Threads() {
				t.Errorf("%s: %v for %d threads", c.Name, l, c.Threads())
			}
		}
	}
	for _, name := range []string{
		"AutoVectorizingCopy", "DefaultCopy", "cute::UniversalCopy<cutlass::half_t>", " UniversalCopy< float > ",
		"SM90_TMA_LOAD<Int<4096>>", "SM90_BULK_COPY_G2S<_256>",
	} {
		if _, err := FindCopy(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every bit of the destination is a bit of the source, and each side contains every bit equally often, once for each
// thread that names the same address. Registers hold each bit once.
func TestCopyCoverage(t *testing.T) {
	t.Parallel()
	for c := range Copies() {
		if c.Src.Size()+c.Dst.Size() > 1<<18 {
			continue // larger repetitions follow the same formula
		}
		src, dst := times(t, c.Name, c.Src), times(t, c.Name, c.Dst)
		switch copies := multicast(c); {
		case int64(len(src)) != c.Bits():
			t.Errorf("%s: %d bits, Bits() %d", c.Name, len(src), c.Bits())
		case len(dst) != copies*len(src):
			t.Errorf("%s: %d bits to %d bits", c.Name, len(src), len(dst))
		}
		for bit := range src {
			if !dst[bit] {
				t.Fatalf("%s: bit %d is read and not written", c.Name, bit)
			}
		}
		for _, side := range []struct {
			layout cute.Layout
			of     CopySide
		}{{c.Src, c.From}, {c.Dst, c.To}} {
			if side.of.Space != Registers {
				continue
			}
			if ok, w, err := cute.IsInjective(side.layout); !ok || err != nil {
				t.Errorf("%s: registers hold a bit twice: %+v, %v", c.Name, w, err)
			}
			if perThread := side.layout.Modes()[1].Size(); perThread != int64(32*side.of.Registers()) {
				t.Errorf("%s: %d bits in %d registers", c.Name, perThread, side.of.Registers())
			}
		}
	}
}

// multicast returns how often the instruction writes each bit that it reads.
func multicast(c Copy) int {
	for shape, n := range map[string]int{".warpx4": 4, ".warpx2": 2} {
		if strings.Contains(c.Text, shape) {
			return n
		}
	}
	return 1
}

// times returns the bits of the layout, and asserts that each occurs equally often.
func times(t *testing.T, name string, l cute.Layout) map[int64]bool {
	t.Helper()
	offsets, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]int, slices.Max(offsets)+1)
	for _, o := range offsets {
		n[o]++
	}
	bits := make(map[int64]bool)
	for bit, k := range n {
		if k == 0 {
			continue
		}
		bits[int64(bit)] = true
		if k != n[offsets[0]] {
			t.Fatalf("%s: bit %d is there %d times, bit %d %d times", name, bit, k, offsets[0], n[offsets[0]])
		}
	}
	return bits
}

func TestFindCopyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		code  cute.Code
		words string
	}{
		{"SM75_U32x8_LDSM_N", cute.CodeName, "SM75_U32x1_LDSM_N"},
		{"SM80_CP_ASYNC_CACHEALL<uint32_t>", cute.CodeName, "SM80_CP_ASYNC_CACHEALWAYS"},
		{"ldmatrix", cute.CodeName, "ldmatrix"},
		{"", cute.CodeName, ""},
		{"UniversalCopy", cute.CodeType, "UniversalCopy<uint8_t>"},
		{"UniversalCopy<", cute.CodeType, "the type of the value"},
		{"UniversalCopy<>", cute.CodeName, "element type"},
		{"UniversalCopy<int4b_t>", cute.CodeType, "8 bits"},
		{"UniversalCopy<floaty>", cute.CodeName, "floaty"},
		{"UniversalCopy<float,float,float>", cute.CodeType, "3"},
		{"AutoVectorizingCopyWithAssumedAlignment<24>", cute.CodeType, "24"},
		{"SM80_CP_ASYNC_CACHEGLOBAL<uint32_t>", cute.CodeType, "16 bytes"},
		{"SM80_CP_ASYNC_CACHEALWAYS<half_t>", cute.CodeType, "16 bits"},
		{"SM80_CP_ASYNC_CACHEALWAYS<float,double>", cute.CodeType, "64 bits"},
		{"SM90_TMA_LOAD", cute.CodeType, "SM90_TMA_LOAD<128>"},
		{"SM90_TMA_LOAD<half_t>", cute.CodeType, "number of bits"},
		{"SM90_TMA_LOAD<100>", cute.CodeNotDivisible, "16 bytes"},
		{"SM90_TMA_LOAD<0>", cute.CodeNotDivisible, "16 bytes"},
		{"SM90_TMA_LOAD<-128>", cute.CodeNotDivisible, "-128"},
		{"SM90_TMA_LOAD<9223372036854775680>", cute.CodeNotDivisible, "shared memory"},
		{"SM90_BULK_COPY_AUTO<128>", cute.CodeName, ""},
		{strings.Repeat("SM75_U32x4_LDSM_N", 1000), cute.CodeName, ""},
	} {
		_, err := FindCopy(c.name)
		wantCode(t, err, c.code, c.words)
	}
}

// The instructions are written as in the PTX ISA, with registers numbered as in inline assembly.
func TestCopyText(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"UniversalCopy<uint16_t>":                    "ld.b16 %0, [%1];",
		"UniversalCopy<uint128_t>":                   "ld.v4.b32 {%0, %1, %2, %3}, [%4];",
		"SM50_Shuffle_U32_2x2Trans_XOR4":             "shfl.sync.bfly.b32 %0, %1, 4, 0x1f, 0xffffffff;",
		"SM75_U32x2_LDSM_N":                          "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];",
		"SM75_U16x8_LDSM_T":                          "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];",
		"SM75_U32x1_MOVM_T":                          "movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;",
		"SM80_CP_ASYNC_CACHEALWAYS<float>":           "cp.async.ca.shared.global.L2::128B [%0], [%1], 4;",
		"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>": "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;",
		"SM90_U16x2_STSM_T":                          "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};",
		"SM90_BULK_COPY_S2G<1024>":                   "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;",
		"SM90_TMA_LOAD<1024>":                        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;",
		"SM90_TMA_STORE_PTR<1024>":                   "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];",
		"SM100_U8x16_LDSM_T":                         "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%0, %1, %2, %3}, [%4];",
		"SM100_SU6_DU8x16_x1_LDSM_N":                 "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%0}, [%1];",
		"SM100_U8x8_STSM_T":                          "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%0], {%1, %2};",
		"SM100_STORE_256bit_CACHE_NOALLOCATION":      "st.global.L1::no_allocate.v8.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};",
		"SM100_TMEM_LOAD_16dp256b1x":                 "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0, %1, %2, %3}, [%4];",
		"SM100_TMEM_LOAD_16dp32b2x":                  "tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%0, %1}, [%2], 2;",
		"SM100_TMEM_STORE_16dp32b2x_16b":             "tcgen05.st.sync.aligned.16x32bx2.x2.unpack::16b.b32 [%0], 4, {%1, %2};",
		"SM100_TMEM_LOAD_32dp32b1x_16b":              "tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%0}, [%1];",
		"SM100_UTCCP_2x64dp128bitlw0123_2cta":        "tcgen05.cp.cta_group::2.64x128b.warpx2::01_23 [%0], %1;",
	} {
		if c, err := FindCopy(name); err != nil || c.Text != want {
			t.Errorf("%s: %q, %v, want %q", name, c.Text, err, want)
		}
	}
}

// The two shuffles follow their definition: for a mask m, each thread with the bit m exchanges its register 0 with
// register 1 of the thread without it.
func TestShuffles(t *testing.T) {
	t.Parallel()
	for mask, name := range map[int]string{1: "SM50_Shuffle_U32_2x2Trans_XOR1", 4: "SM50_Shuffle_U32_2x2Trans_XOR4"} {
		c, err := FindCopy(name)
		if err != nil {
			t.Fatal(err)
		}
		for thread := range 32 {
			for register := range 2 {
				from, of := thread, register
				switch {
				case thread&mask == 0 && register == 1:
					from, of = thread^mask, 0
				case thread&mask != 0 && register == 0:
					from, of = thread^mask, 1
				}
				for _, bit := range []int{0, 17, 31} {
					src := eval(t, c.Src, from, 32*of+bit)
					dst := eval(t, c.Dst, thread, 32*register+bit)
					if src != dst {
						t.Fatalf("%s: register %d of thread %d has bit %d, want %d", name, register, thread, dst, src)
					}
				}
			}
		}
	}
}

func eval(t *testing.T, l cute.Layout, coord ...int) int64 {
	t.Helper()
	xs := make([]int64, len(coord))
	for i, c := range coord {
		xs[i] = int64(c)
	}
	v, err := l.Eval(cute.Ints(xs...))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := v.Int64()
	return n
}

// The fragments of ldmatrix and stmatrix with m8n8 and .b16, transcribed from the PTX ISA: matrix i has its rows at the
// addresses of the threads 8i to 8i+7. Register i of thread t holds row t/4 of matrix i, columns 2·(t%4) and 2·(t%4)+1,
// the low half first; with .trans it holds column t/4 of the rows 2·(t%4) and 2·(t%4)+1.
func TestMatrixFragments(t *testing.T) {
	t.Parallel()
	for c := range Copies() {
		if c.Kind != MatrixCopy || !strings.Contains(c.Text, ".m8n8.") || strings.HasPrefix(c.Text, "movmatrix") {
			continue
		}
		memory, fragment := c.Src, c.Dst
		if strings.HasPrefix(c.Text, "stmatrix") {
			memory, fragment = c.Dst, c.Src
		}
		trans := strings.Contains(c.Text, ".trans.")
		matrices := strings.Count(c.Text, "%") - 1
		for matrix := range matrices {
			for thread := range 32 {
				for half := range 2 {
					row, column := thread/4, 2*(thread%4)+half
					if trans {
						row, column = column, row
					}
					for bit := range 16 {
						want := eval(t, memory, 8*matrix+row, 16*column+bit)
						got := eval(t, fragment, thread, 32*matrix+16*half+bit)
						if got != want {
							t.Fatalf("%s: thread %d, register %d, half %d has bit %d, want %d", c.Name, thread, matrix, half, got, want)
						}
					}
				}
			}
		}
		// Threads without a row of their own pass the address of another thread.
		for thread := range 32 {
			if got, want := eval(t, memory, thread, 0), eval(t, memory, thread%(8*matrices), 0); got != want {
				t.Errorf("%s: thread %d gives the row %d, want that of thread %d, %d", c.Name, thread, got,
					thread%(8*matrices), want)
			}
		}
	}
}

// stmatrix.m16n8 .b8 .trans: the fragment is the accumulator fragment of mma.m16n8, with bytes for elements (PTX ISA,
// "Matrix Fragments for mma.m16n8k16", c0 to c3). The addresses are the addresses of the columns, of 16 bytes.
func TestByteStore(t *testing.T) {
	t.Parallel()
	for n, name := range map[int]string{1: "SM100_U8x4_STSM_T", 2: "SM100_U8x8_STSM_T", 4: "SM100_U8x16_STSM_T"} {
		c, err := FindCopy(name)
		if err != nil {
			t.Fatal(err)
		}
		for matrix := range n {
			for thread := range 32 {
				for i := range 4 {
					row, column := thread/4, 2*(thread%4)+i&1
					if i >= 2 {
						row += 8
					}
					want := eval(t, c.Dst, 8*matrix+column, 8*row)
					if got := eval(t, c.Src, thread, 32*matrix+8*i); got != want {
						t.Fatalf("%s: thread %d, register %d, byte %d has bit %d, want %d", name, thread, matrix, i, got, want)
					}
				}
			}
		}
	}
}

// ldmatrix.m16n16 .b8 .trans and the permutation of bytes that CuTe appends (include/cute/arch/copy_sm100.hpp): byte b
// of register j of thread t comes from row 4·(t%4) + b, byte t/4 + 8·j, of each matrix. Then the low halves of the two
// registers go to the first, the high halves to the second.
func TestByteLoad(t *testing.T) {
	t.Parallel()
	for n, name := range map[int]string{1: "SM100_U8x8_LDSM_T", 2: "SM100_U8x16_LDSM_T"} {
		c, err := FindCopy(name)
		if err != nil {
			t.Fatal(err)
		}
		for matrix := range n {
			for thread := range 32 {
				for to := range 8 { // the bytes of the two registers
					fromRegister, fromByte := to%4/2, to/4*2+to%2
					row, column := 4*(thread%4)+fromByte, thread/4+8*fromRegister
					want := eval(t, c.Src, 16*matrix+row, 8*column)
					if got := eval(t, c.Dst, thread, 64*matrix+8*to); got != want {
						t.Fatalf("%s: thread %d, byte %d has bit %d, want %d", name, thread, to, got, want)
					}
				}
			}
		}
	}
}

// The shapes of tcgen05.ld, from the figures of the PTX ISA: in tensor memory bit b of a lane is number b + lane·(bits
// of a lane); 16x64b, 16x128b and 16x256b hold rows as ldmatrix does, 32 bits to a thread.
func TestTensorMemoryFragments(t *testing.T) {
	t.Parallel()
	for _, r := range []int{1, 2, 16} {
		for _, shape := range []struct {
			name string
			bits int // bits per lane and repetition
			lane func(thread, register int) (lane, word int)
		}{
			{"32dp32b", 32, func(thread, register int) (int, int) { return thread, register }},
			{"16dp256b", 256, func(thread, register int) (int, int) {
				return thread/4 + 8*(register/2%2), 2*(thread%4) + register%2 + 8*(register/4)
			}},
			{"16dp128b", 128, func(thread, register int) (int, int) {
				return thread/4 + 8*(register%2), thread%4 + 4*(register/2)
			}},
		} {
			name := "SM100_TMEM_LOAD_" + shape.name + strconv.Itoa(r) + "x"
			c, err := FindCopy(name)
			if err != nil {
				t.Fatal(err)
			}
			for thread := range 32 {
				for register := range c.To.Registers() {
					lane, word := shape.lane(thread, register)
					want := int64(lane*shape.bits*r + 32*word)
					if got := eval(t, c.Dst, thread, 32*register); got != want {
						t.Fatalf("%s: register %d of thread %d has bit %d, want %d", name, register, thread, got, want)
					}
				}
			}
		}
	}
}

func TestCopyNamesAreListed(t *testing.T) {
	t.Parallel()
	names := slices.Collect(CopyNames())
	if !slices.Contains(names, "SM75_U32x4_LDSM_N") || !slices.Contains(names, "UniversalCopy") {
		t.Error(names)
	}
}
