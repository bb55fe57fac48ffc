package atom

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"

	"pgregory.net/rapid"
)

// request returns the request for an operand of an MMA of one or more atoms.
func request(t testing.TB, mma TiledMMA, o Operand, memory cute.Inner, e dtype.Type) CopyRequest {
	t.Helper()
	r, err := NewCopyRequest(mma, o, memory, e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fitsByName(t testing.TB, r CopyRequest) map[string]CopyFit {
	t.Helper()
	all, err := CopiesFor(r)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]CopyFit{}
	for _, f := range all {
		m[f.Copy.Name] = f
	}
	return m
}

func wantFits(t *testing.T, fits map[string]CopyFit, want map[string]string) {
	t.Helper()
	for name, reason := range want {
		f, ok := fits[name]
		if !ok || f.Fits != (reason == "") || !strings.Contains(f.Reason, reason) {
			t.Errorf("%s: fits %v, want %v: %s", name, f.Fits, reason == "", f.Reason)
		}
	}
}

// ldmatrix reads rows of 16 bytes along K. Along M only .trans can read, and only 16 bits (CUTLASS issues 1611, 1705).
func TestCopiesForOperands(t *testing.T) {
	t.Parallel()
	half := mustTiledMMA(t, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", cute.Ints(32, 32, 16))
	bytes := mustTiledMMA(t, "SM80_16x8x32_S32S8S8S32_TN", "(1,1,1)", nil)
	parse := cute.MustParse
	wantFits(t, fitsByName(t, request(t, half, OperandA, parse("(128,64):(64,1)"), dtype.F16)), map[string]string{
		"SM75_U32x4_LDSM_N": "", "SM75_U32x1_LDSM_N": "", "UniversalCopy<uint32_t>": "", "UniversalCopy<uint16_t>": "",
		"SM75_U16x8_LDSM_T":        "at offset 1 there should be (1,0), which is at 64",
		"UniversalCopy<uint64_t>":  "at offset 2 there should be (8,0), which is at 512",
		"UniversalCopy<uint128_t>": "at offset 2 there should be (8,0)",
		"SM100_U8x8_LDSM_T":        "an element has 16 bits",
	})
	wantFits(t, fitsByName(t, request(t, half, OperandA, parse("(128,64):(1,128)"), dtype.F16)), map[string]string{
		"SM75_U16x8_LDSM_T": "", "SM75_U32x4_LDSM_N": "at offset 1 there should be (0,1), which is at 128",
	})
	// Rows of 136 bytes: not every row begins at a multiple of 16.
	wantFits(t, fitsByName(t, request(t, half, OperandA, parse("(128,64):(68,1)"), dtype.F16)), map[string]string{
		"SM75_U32x4_LDSM_N":       "begin with (1,0) at offset 68, bit 1088, which is not a multiple of 128",
		"UniversalCopy<uint32_t>": "",
	})
	// A thread has 4 values of B in the tile of one atom, but one ldmatrix.x4 needs 8.
	small := mustTiledMMA(t, "SM80_16x8x16_F32F16F16F32_TN", "(1,1,1)", nil)
	wantFits(t, fitsByName(t, request(t, small, OperandB, parse("(64,64):(64,1)"), dtype.F16)), map[string]string{
		"SM75_U32x4_LDSM_N": "too few vals", "SM75_U32x2_LDSM_N": "",
	})
	rows := fitsByName(t, request(t, bytes, OperandA, parse("(128,64):(64,1)"), dtype.S8))
	wantFits(t, rows, map[string]string{"SM75_U32x4_LDSM_N": "", "SM75_U16x8_LDSM_T": "at offset 2 there should be (1,0), which is at 64"})
	thread, err := rows["SM75_U32x4_LDSM_N"].Tiled.Thread(0)
	if err != nil {
		t.Fatal(err)
	}
	if part, _, err := thread.PartitionS(parse("(128,64):(64,1)")); err != nil || part.String() != "((16,1),8,2):((1,0),1024,32)" {
		t.Errorf("partition_S is %v, %v", part, err)
	}
	columns := fitsByName(t, request(t, bytes, OperandA, parse("(128,64):(1,128)"), dtype.S8))
	wantFits(t, columns, map[string]string{"SM75_U16x8_LDSM_T": "there should be (0,1)", "UniversalCopy<uint8_t>": ""})
	if hint := columns["SM75_U16x8_LDSM_T"].Hint; !strings.Contains(hint, "2 elements stay together") {
		t.Errorf("hint %q", hint)
	}
	wantFits(t, fitsByName(t, request(t, mustTiledMMA(t, "SM80_16x8x8_F32TF32TF32F32_TN", "(1,1,1)", nil), OperandA,
		parse("(16,32):(1,16)"), dtype.TF32)), map[string]string{
		"SM75_U16x8_LDSM_T": "an element has 32", "UniversalCopy<uint32_t>": "", "SM75_U32x4_LDSM_N": "there should be (0,1)",
	})
	store := request(t, half, OperandC, parse("(64,64):(64,1)"), dtype.F16)
	store.Arch = "sm_90a"
	wantFits(t, fitsByName(t, store), map[string]string{
		"SM90_U32x4_STSM_N": "", "SM90_U16x8_STSM_T": "there should be (1,0)", "SM100_U8x4_STSM_T": "needs sm100a",
	})
	store.Arch = "sm80"
	wantFits(t, fitsByName(t, store),
		map[string]string{"SM90_U32x4_STSM_N": "It needs sm90, and the target is sm80.", "UniversalCopy<uint32_t>": ""})
	fill := CopyRequest{
		Memory: parse("(32,64):(64,1)"), Type: dtype.F16, LayoutTV: parse("((8,32),8):((256,1),32)"),
		Tile: cute.Ints(32, 64), Direction: GlobalToShared,
	}
	wantFits(t, fitsByName(t, fill),
		map[string]string{"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>": "", "SM80_CP_ASYNC_CACHEALWAYS<uint32_t>": ""})
}

func TestCopiesForIsOrdered(t *testing.T) {
	t.Parallel()
	mma := mustTiledMMA(t, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", cute.Ints(32, 32, 16))
	fits, err := CopiesFor(request(t, mma, OperandA, cute.MustParse("(128,64):(64,1)"), dtype.F16))
	if err != nil {
		t.Fatal(err)
	}
	if fits[0].Copy.Name != "SM75_U32x4_LDSM_N" || fits[0].Instructions != 16 {
		t.Errorf("%s first, with %d instructions", fits[0].Copy.Name, fits[0].Instructions)
	}
	if !slices.IsSortedFunc(fits, func(a, b CopyFit) int {
		if a.Fits != b.Fits {
			return map[bool]int{true: -1, false: 1}[a.Fits]
		}
		return int(a.Instructions - b.Instructions)
	}) {
		t.Error("not in order")
	}
	for _, f := range fits {
		if f.Reason == "" || !strings.HasSuffix(f.Reason, ".") || f.Fits != (f.Instructions > 0) {
			t.Errorf("%s: %+v", f.Copy.Name, f)
		}
	}
}

func TestFitOfOneOperation(t *testing.T) {
	t.Parallel()
	mma := mustTiledMMA(t, "SM80_16x8x16_F32F16F16F32_TN", "(1,1,1)", nil)
	r := request(t, mma, OperandA, cute.MustParse("(16,16):(16,1)"), dtype.F16)
	for name, words := range map[string]string{
		"SM90_TMA_LOAD<4096>":                  "It goes from global memory to shared memory, not from shared memory to registers.",
		"SM75_U32x1_MOVM_T":                    "from registers to registers",
		"SM100_SU4_DU8x16_x1_LDSM_N":           "where the padding is",
		"UniversalCopy<uint8_t>":               "It copies 8 bits, and an element has 16.",
		"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>": "from global memory to shared memory",
	} {
		c, err := FindCopy(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Fit(r)
		if err != nil || f.Fits || !strings.Contains(f.Reason, words) {
			t.Errorf("%s: %v %v %q", name, err, f.Fits, f.Reason)
		}
	}
}

// Every operation receives an answer in every direction.
func TestFitOfEveryOperation(t *testing.T) {
	t.Parallel()
	for _, r := range []CopyRequest{
		{Memory: cute.MustParse("(32,64):(64,1)"), Type: dtype.F16, LayoutTV: cute.MustParse("((8,32),8):((256,1),32)"), Tile: cute.Ints(32, 64)},
		{Memory: cute.MustParse("(32,64):(64,1)"), Type: dtype.E2M1, LayoutTV: cute.MustParse("(1,2048):(0,1)"), Tile: cute.Ints(32, 64)},
		{Memory: cute.MustParse("(32,64):(64,1)"), Type: dtype.E3M2, LayoutTV: cute.MustParse("(64,32):(32,1)"), Tile: cute.Ints(32, 64)},
	} {
		for _, r.Direction = range []CopyDirection{SharedToRegisters, RegistersToShared, GlobalToShared} {
			for c := range Copies() {
				f, err := c.Fit(r)
				if err != nil || f.Reason == "" {
					t.Errorf("%s: %v, %+v", c.Name, err, f)
				}
			}
		}
	}
}

func TestCopiesForRefuses(t *testing.T) {
	t.Parallel()
	wgmma := mustTiledMMA(t, "SM90_64x128x16_F32F16F16_SS", "(1,1,1)", nil)
	_, err := NewCopyRequest(wgmma, OperandB, cute.MustParse("(128,64):(64,1)"), dtype.F16)
	wantCode(t, err, cute.CodeType, "B of SM90_64x128x16_F32F16F16_SS", "in shared memory and not in registers")
	good := CopyRequest{
		Memory: cute.MustParse("(32,64):(64,1)"), Type: dtype.F16, LayoutTV: cute.MustParse("((8,32),8):((256,1),32)"),
		Tile: cute.Ints(32, 64),
	}
	for _, c := range []struct {
		change func(r *CopyRequest)
		code   cute.Code
		words  string
	}{
		{func(r *CopyRequest) { r.Memory = nil }, cute.CodeType, "none"},
		{func(r *CopyRequest) { r.Memory = cute.MustParse("(32,64):(1@0,1@1)") }, cute.CodeCodomain, "coordinates"},
		{func(r *CopyRequest) { r.Memory = cute.MustParse("(33,64):(64,1)") }, cute.CodeNotDivisible, "multiple of 32"},
		{func(r *CopyRequest) { r.Memory = cute.MustParse("2048:1") }, cute.CodeRank, "Rank of tensor"},
		{func(r *CopyRequest) { r.Memory = cute.MustParse("(4096,4096):(4096,1)") }, cute.CodeLimit, "16777216"},
		{func(r *CopyRequest) { r.Type = 0 }, cute.CodeType, "type of the elements"},
		{func(r *CopyRequest) { r.Arch = "hopper" }, cute.CodeName, "sm90"},
		{func(r *CopyRequest) { r.Tile = nil }, cute.CodeType, "tiler"},
		{func(r *CopyRequest) { r.LayoutTV = cute.MustParse("4:1") }, cute.CodeRank, "(thread, value)"},
		{func(r *CopyRequest) { r.LayoutTV = cute.Layout{} }, cute.CodeRank, "(thread, value)"},
	} {
		r := good
		c.change(&r)
		_, err := CopiesFor(r)
		wantCode(t, err, c.code, c.words)
	}
}

// Every operation that fits is executed on a memory of element numbers: the registers of each thread must receive what
// the tiled copy says. If two elements are the reason that an operation does not fit, they are not neighbours.
func TestFitsWhenExecuted(t *testing.T) {
	t.Parallel()
	operations := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{
			"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
		}).Draw(t, "mma")
		m, err := FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		mma, err := MakeTiledMMA(m, cute.MustParse("(1,1,1):(0,0,0)"),
			cute.Ints(m.Shape[0], m.Shape[1]*rapid.SampledFrom([]int64{1, 2}).Draw(t, "N"), m.Shape[2]))
		if err != nil {
			t.Fatal(err)
		}
		o := Operand(rapid.IntRange(0, 1).Draw(t, "operand"))
		_, tile, err := operandTV(mma, o)
		if err != nil {
			t.Fatal(err)
		}
		memory := drawMemory(t, tile.Leaves()[0]*2, tile.Leaves()[1]*2)
		r, err := NewCopyRequest(mma, o, memory, m.Types.A.Type)
		if err != nil {
			t.Fatal(err)
		}
		fits, err := CopiesFor(r)
		if err != nil {
			t.Fatal(err)
		}
		table := memoryOffsets(t, memory)
		for _, f := range fits {
			if f.Fits {
				execute(t, f, memory, table)
				operations[f.Copy.Name] = true
			} else if f.First != nil && !f.First.Coord.Equal(f.Second.Coord) &&
				f.Second.Offset == f.First.Offset+f.Second.Value-f.First.Value {
				t.Fatalf("%s does not fit %v, and %+v and %+v are neighbours", f.Copy.Name, memory, f.First, f.Second)
			}
		}
	})
	for _, name := range []string{"SM75_U32x4_LDSM_N", "SM75_U16x4_LDSM_T", "UniversalCopy<uint32_t>"} {
		if !operations[name] && !testing.Short() { // with -short, too few are drawn
			t.Errorf("%s never fitted: %v", name, operations)
		}
	}
}

// drawMemory draws a layout of shared memory, K-major or MN-major, perhaps padded or swizzled.
func drawMemory(t *rapid.T, m, n int64) cute.Inner {
	pad := rapid.SampledFrom([]int64{0, 0, 4, 8, 16}).Draw(t, "padding")
	text := fmt.Sprintf("(%d,%d):(%d,1)", m, n, n+pad)
	if rapid.Bool().Draw(t, "column-major") {
		text = fmt.Sprintf("(%d,%d):(1,%d)", m, n, m+pad)
	}
	l := cute.MustParse(text)
	if !rapid.Bool().Draw(t, "swizzled") {
		return l
	}
	w, err := cute.NewSwizzle(2, rapid.IntRange(1, 5).Draw(t, "base"), 3)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func memoryOffsets(t *rapid.T, memory cute.Inner) []int64 {
	var o []int64
	var err error
	switch m := memory.(type) {
	case cute.Layout:
		o, err = m.AppendOffsets(nil)
	case cute.Composed:
		o, err = m.AppendOffsets(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// execute runs the loads of a fitting operation as the hardware does: each thread gives one address, and the
// instruction moves the bits at that address from the values of the source to the values of the destination with the
// same numbers.
func execute(t *rapid.T, f CopyFit, memory cute.Inner, table []int64) {
	stored := map[int64]int64{} // maps an offset to the index of its element
	for i, o := range table {
		stored[o] = int64(i)
	}
	var shape cute.Tuple
	switch m := memory.(type) {
	case cute.Layout:
		shape = m.Shape()
	case cute.Composed:
		shape = m.Shape()
	}
	index, err := cute.LayoutLeft(shape)
	if err != nil {
		t.Fatal(err)
	}
	a := f.Tiled.Atom()
	source, err := f.Tiled.ThrfrgS(index)
	if err != nil {
		t.Fatal(err)
	}
	dest, err := f.Tiled.ThrfrgD(index)
	if err != nil {
		t.Fatal(err)
	}
	src, dst := offsets(t, source), offsets(t, dest)
	threads, perSrc, perDst := f.Tiled.Size(), a.NumValSrc(), a.NumValDst()
	warpSize := a.Threads()
	from, to := offsets(t, a.ValSrc), offsets(t, a.ValDst)
	for call := range f.Instructions {
		for group := range threads / warpSize {
			bus := map[int64]int64{} // maps the number of a value to its element
			for thread := range warpSize {
				at := group*warpSize + thread
				base := table[src[at+threads*perSrc*call]]
				if base*int64(a.Type.Bits())%a.From.Align != 0 {
					t.Fatalf("%s: thread %d gives offset %d", f.Copy.Name, at, base)
				}
				for v := range perSrc {
					bus[from[thread+warpSize*v]] = stored[base+v]
				}
			}
			for thread := range warpSize {
				at := group*warpSize + thread
				for v := range perDst {
					got, want := bus[to[thread+warpSize*v]], dst[at+threads*(perDst*call+v)]
					if got != want {
						t.Fatalf("%s on %v: thread %d, value %d of call %d is element %d, want %d", f.Copy.Name, memory, at, v,
							call, got, want)
					}
				}
			}
		}
	}
}
