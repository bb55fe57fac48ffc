package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The values are CuTe's: cute::size of a TiledMMA and a TiledCopy, as printed by its tutorials.
func TestSizeOfTiled(t *testing.T) {
	t.Parallel()
	wantValues(t, map[string]string{
		`size(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`:                                          "128",
		`size(tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1)))`:                                            "32",
		`size(tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8)))`:            "256",
		`size(tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8), (4,1)))`:                       "256",
		`size(thr_layout(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (1,4,1), <16,64,16>))) == 4*size<0>(32)`: "true",
	})
}

// cute::tile_size: the product of the tile, or one extent of it.
func TestTileSize(t *testing.T) {
	t.Parallel()
	const m = `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`
	const c = `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`
	wantValues(t, map[string]string{
		"tile_size(" + m + ")": "16384", "tile_size<0>(" + m + ")": "32",
		"tile_size<1>(" + m + ")": "32", "tile_size(" + m + ", 2)": "16",
		"tile_size(" + c + ")": "2048", "tile_size<1>(" + c + ")": "64",
	})
}

// CuTe's make_tiled_mma and make_tiled_copy: the default layout of atoms has one atom, and the default layout of values
// has one value for each thread.
func TestMakeTiled(t *testing.T) {
	t.Parallel()
	const m = `make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`
	const c = `make_tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), make_layout((32,8), LayoutRight), `
	const scalar = `make_tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8))`
	wantValues(t, map[string]string{
		m + ", <32,32,16>)":                                  `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1):(1,2,0),<32,32,16>)`,
		"thr_layout(" + m + "))":                             "(32,2,2,1):(1,32,64,0)",
		"size(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN))": "32",
		"tile_shape(" + c + "make_layout((1,8))))":           "(32,64)",
		"tile_shape(" + scalar + ")":                         "(32,8)",
	})
}

// CuTe prints the tiler and the TV layout of both cotiled copies in conformance/cute/tiled_mma_copy.txt.
func TestMakeCotiledCopy(t *testing.T) {
	t.Parallel()
	const c = `make_cotiled_copy(copy_atom("UniversalCopy<uint128_t>", "float"), (32,4):(4,1), `
	wantValues(t, map[string]string{
		c + "(16,8):(1,16))":    `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f32"),((4,8),4):((1,16),4),<(4,4):(4,1),8:1>)`,
		c + "(8,16):(16,1))":    `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f32"),((4,8),4):((8,1),32),<8:1,(4,4):(4,1)>)`,
		"size(" + c + "128:1))": "32",
	})
	for data, refusal := range map[string]string{
		"(16,8):(1,20)": "not_invertible: make_cotiled_copy: ", "(M,8):(1,M)": "unknown: ", "<4,8>": "type: ",
	} {
		if _, err := eval.Eval(c + data + ")"); err == nil || !strings.HasPrefix(err.Error(), refusal) {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// CuTe prints this tiled copy in atom/testdata/cute_tiled_copies.tsv.
func TestMakeTiledCopyCAtom(t *testing.T) {
	t.Parallel()
	const c = `make_tiled_copy_C_atom(copy_atom("SM90_U32x4_STSM_N", "half_t"), `
	wantValues(t, map[string]string{
		c + `tiled_mma("SM90_64x128x16_F32F16F16_SS"))`: `tiled_copy_tv(copy_atom("SM90_U32x4_STSM_N","f16"),` +
			`((4,8,4),(2,2,2)):((64,1,8),(256,32,512)),<(8,4,2):(1,16,8),(4,2,2):(2,1,8)>)`,
	})
	for m, refusal := range map[string]string{
		`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`: "not_divisible: make_tiled_copy_C_atom: SM90_U32x4_STSM_N reads 8 values",
		"(16,8):(1,16)": "type: ",
	} {
		if _, err := eval.Eval(c + m + ")"); err == nil || !strings.HasPrefix(err.Error(), refusal) {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// The thread-value layouts of SM80 2x2x1 that CuTe prints (get_layoutA_TV and its relatives without the threads that
// share a fragment). Each name is tv of the operand in its letter.
func TestOperandNames(t *testing.T) {
	t.Parallel()
	const m = `let m = tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)); `
	const c = `let c = tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8)); `
	values := map[string]string{
		m + "partition_shape_C(m, (128,128))":      "((2,2),4,8)",
		m + "size(thrfrg_C(m, (128,128)))":         "16384",
		m + "thrfrg_A(m, (32,16):(16,1))(0, _)":    "(((2,2,2),(1,1))):(((1,128,8),(0,0)))",
		c + "tidfrg_S(c, (32,64):(64,1))((_,0,0))": "((8,32)):((8,64))",
	}
	for _, letter := range []string{"A", "B", "C"} {
		values[m+"thrfrg_"+letter+"(m, (64,64):(64,1)) == thrfrg(m, "+letter+", (64,64):(64,1))"] = "true"
		values[m+"partition_shape_"+letter+"(m, (64,64)) == partition_shape(m, "+letter+", (64,64))"] = "true"
	}
	for _, letter := range []string{"S", "D"} {
		values[c+"tidfrg_"+letter+"(c, (64,64):(64,1)) == thrfrg(c, "+letter+", (64,64):(64,1))"] = "true"
	}
	wantValues(t, values)
	for _, program := range []string{m + "tidfrg_S(m, (64,64))", c + "thrfrg_A(c, (64,64))", c + "partition_shape_A(c, (64,64))"} {
		if r, err := eval.Eval(program); err == nil {
			t.Errorf("%s is %v", program, r.Value)
		}
	}
}

// The test checks that the slices of all threads are the partitions of the tiled MMA and copy. Together the slices
// contain every element of C, and of S, exactly once.
func TestGetSlice(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		tiled, tensor, operand string
		threads                int64
	}{
		{`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`, "(32,16):(16,1)", "C", 128},
		{`tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (16,4):(4,1), (1,8))`, "(32,64):(64,1)", "S", 64},
	} {
		seen := map[string]int{}
		for thread := range x.threads {
			slice := fmt.Sprintf("(%s).get_slice(%d).partition_%s(%s)", x.tiled, thread, x.operand, x.tensor)
			same := fmt.Sprintf("partition(%s, %s, %s, %d)", x.tiled, x.operand, x.tensor, thread)
			a, errA := eval.Eval(slice)
			b, errB := eval.Eval(same)
			if errA != nil || errB != nil || a.Value.String() != b.Value.String() {
				t.Fatalf("%s is %v %v, %s is %v %v", slice, a.Value, errA, same, b.Value, errB)
			}
			part := a.Value.(eval.List)
			at, _ := part[1].(eval.Tuple).Int64()
			offsets, err := part[0].(eval.Layout).AppendOffsets(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, y := range offsets {
				seen[fmt.Sprint(at+y)]++
			}
		}
		r, err := eval.Eval("size(" + x.tensor + ")")
		if err != nil || fmt.Sprint(len(seen)) != r.Value.String() {
			t.Errorf("%s: %d elements, want %v %v", x.tiled, len(seen), r.Value, err)
		}
		for y, n := range seen {
			if n != 1 {
				t.Errorf("%s: %d threads have the element at %s", x.tiled, n, y)
			}
		}
	}
	for _, program := range []string{
		`get_slice(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), 32)`, `get_slice(4, 0)`,
		`partition_S(get_slice(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), 0), (16,8))`, `partition_A(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), (16,16))`,
	} {
		if r, err := eval.Eval(program); err == nil {
			t.Errorf("%s is %v", program, r.Value)
		}
	}
}

// wantValues evaluates programs whose values are known.
func wantValues(t *testing.T, values map[string]string) {
	t.Helper()
	for program, want := range values {
		r, err := eval.Eval(program)
		if err != nil {
			t.Errorf("%s: %v, want %s", program, err, want)
		} else if r.Value.String() != want {
			t.Errorf("%s is %v, want %s", program, r.Value, want)
		}
	}
}
