package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"girih/internal/picture/link"
)

func TestInspectLayout(t *testing.T) {
	t.Parallel()
	r := new(Session).Inspect(InspectRequest{Expr: "((2,2),3):((24,2),8)"})
	if !r.OK || len(r.Operands) != 1 {
		t.Fatalf("%+v", r)
	}
	o := r.Operands[0]
	if fmt.Sprint(o.Offset) != "[0 24 2 26 8 32 10 34 16 40 18 42]" || o.Rows != 4 || o.Cols != 3 || o.RowLabels[3] != "(1,1)" {
		t.Errorf("%+v", o)
	}
	if r.Tree.Modes[0].Modes[1].Stride != "2" || r.Tree.Modes[1].Extent != 3 {
		t.Errorf("%+v", r.Tree)
	}
}

// Every operand element of a TiledMMA is where the thread-value layout puts it, and each cell of C has one
// owner.
func TestInspectTiledMMA(t *testing.T) {
	t.Parallel()
	r := new(Session).Inspect(InspectRequest{Expr: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`})
	if !r.OK || len(r.Operands) != 3 {
		t.Fatalf("%+v", r.Error)
	}
	c := r.Operands[2]
	if c.Rows != 32 || c.Cols != 16 || c.Threads != 128 || c.Values != 4 {
		t.Errorf("%d %d %d %d", c.Rows, c.Cols, c.Threads, c.Values)
	}
	seen := make(map[[2]int64]bool)
	for k := range c.Offset {
		at := [2]int64{c.Row[k], c.Col[k]}
		if seen[at] || c.Row[k]+c.Rows*c.Col[k] != c.Offset[k] {
			t.Fatalf("element %d at %v twice, or not at %d", k, at, c.Offset[k])
		}
		seen[at] = true
	}
	// PTX ISA, m16n8k16: row groupID for values 0 and 1, column threadID_in_group*2 + (i & 1). Thread 5 is group 1,
	// thread 1.
	if c.Thread[5] != 5 || c.Row[5] != 1 || c.Col[5] != 2 {
		t.Errorf("thread 5: (%d,%d)", c.Row[5], c.Col[5])
	}
}

// Inspect knows the atoms of a TiledMMA and a TiledCopy, and the wavefronts of CDNA.
func TestInspectAtoms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr                  string
		operand               int
		threads, values, warp int64    // the counts of an atom; 0 where it has one, or where each is a thread
		tile                  [2]int64 // the tile of the atom
	}{
		{`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`, 0, 32, 8, 32, [2]int64{16, 16}},
		{`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`, 2, 32, 4, 32, [2]int64{16, 8}},
		{`tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (4,1,1))`, 2, 8, 8, 32, [2]int64{8, 8}},
		{`tiled_mma("SM70_8x8x4_F32F16F16F32_NT")`, 2, 0, 0, 32, [2]int64{8, 8}},
		{`tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1))`, 0, 8, 4, 32, [2]int64{8, 4}},
		{`tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1), <16,32,4>)`, 2, 8, 8, 32, [2]int64{8, 8}},
		{`tiled_mma("SM90_64x64x16_F32F16F16_SS", (2,1,1))`, 2, 128, 32, 32, [2]int64{64, 64}},
		{`tiled_mma("v_mfma_f32_16x16x16_f16", (2,1,1))`, 2, 64, 4, 64, [2]int64{16, 16}},
		{`tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"), (16,8):(8,1), (1,8))`, 0, 0, 0, 32, [2]int64{1, 8}},
		{`tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"), (16,8):(8,1), (1,16))`, 0, 1, 8, 32, [2]int64{1, 8}},
		{`tiled_copy(copy_atom("SM75_U32x4_LDSM_N","f16"), (32,4):(1,32), (1,8))`, 1, 32, 8, 32, [2]int64{32, 8}},
		{`mma("SM80_16x8x16_F32F16F16F32_TN")`, 2, 0, 0, 32, [2]int64{16, 8}},
	} {
		r := new(Session).Inspect(InspectRequest{Expr: c.expr})
		if !r.OK {
			t.Errorf("%s: %+v", c.expr, r.Error)
			continue
		}
		o := r.Operands[c.operand]
		first := func(list []int64) (n int64) {
			for _, x := range list {
				if x == 0 {
					n++
				}
			}
			return n
		}
		if o.ValueAtom == nil && c.values == 0 && o.Warp == c.warp {
			continue
		}
		threads, values := first(o.ThreadAtom), first(o.ValueAtom)
		if threads != c.threads || values != c.values || o.Warp != c.warp {
			t.Errorf("%s: %s has atoms of %d threads and %d values, warps of %d; want %d, %d, %d",
				c.expr, o.Name, threads, values, o.Warp, c.threads, c.values, c.warp)
			continue
		}
		// Each atom has as many elements as the instruction, each once; without a permutation the elements are a block
		// of the instruction's tile.
		atoms := make(map[[2]int64]map[int64]bool)
		blocks := make(map[[2]int64][2]int64)
		for k, x := range o.Offset {
			at := [2]int64{o.ThreadAtom[o.Thread[k]], o.ValueAtom[o.Value[k]]}
			if at[0] < 0 {
				continue
			}
			block := [2]int64{o.Row[k] / c.tile[0], o.Col[k] / c.tile[1]}
			if atoms[at] == nil {
				atoms[at], blocks[at] = make(map[int64]bool), block
			}
			atoms[at][x] = true
			if blocks[at] != block {
				t.Fatalf("%s: %s: atom %v is in the blocks %v and %v", c.expr, o.Name, at, blocks[at], block)
			}
		}
		for at, xs := range atoms {
			if int64(len(xs)) != c.threads*c.values && int64(len(xs)) != c.tile[0]*c.tile[1] {
				t.Errorf("%s: atom %v of %s has %d elements", c.expr, at, o.Name, len(xs))
			}
		}
		if want := o.Rows / c.tile[0] * (o.Cols / c.tile[1]); len(o.Row) > 0 && int64(len(atoms)) < want {
			t.Errorf("%s: %d atoms of %s, want %d at least", c.expr, len(atoms), o.Name, want)
		}
	}
}

// A and B of wgmma are in shared memory and no thread holds them; threads hold all elements of C.
func TestInspectSpace(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{`mma("SM90_64x128x16_F32F16F16_SS")`, `tiled_mma("SM90_64x128x16_F32F16F16_SS")`} {
		r := new(Session).Inspect(InspectRequest{Expr: expr})
		if !r.OK || r.Outline || len(r.Operands) != 3 {
			t.Fatalf("%s: %+v, outline %v", expr, r.Error, r.Outline)
		}
		b, c := r.Operands[1], r.Operands[2]
		if b.Space != "shared memory" || b.Thread != nil || b.Size != 128*16 || b.Row[129] != 1 || b.Col[129] != 1 {
			t.Errorf("%s: B is in %q, %d elements, 129 at (%d,%d)", expr, b.Space, b.Size, b.Row[129], b.Col[129])
		}
		if c.Space != "" || c.Threads != 128 || c.Values != 64 || len(c.Thread) != 64*128 {
			t.Errorf("%s: C is in %q, %d threads", expr, c.Space, c.Threads)
		}
	}
}

func TestInspectKinds(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{
		"Sw<3,4,3>", "(4,8)", "7", "true", "<3:3,4>", "(4,8):(1@0,1@1)", "Sw<2,0,3> o 0 o (4,8):(8,1)",
		`mma("SM90_64x128x16_F32F16F16_SS")`, `mma("SM70_8x8x4_F32F16F16F32_NT")`,
		`linear{register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]]}`, "linear((4,8):(8,1))",
		`tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"), (16,8):(8,1), (1,8))`, "(M,K):(K,1)", "(1048576,1048576)", "(3,5):(5,1)",
	} {
		r := new(Session).Inspect(InspectRequest{Expr: expr})
		if !r.OK {
			t.Errorf("%s: %+v", expr, r.Error)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

func TestInspectTile(t *testing.T) {
	t.Parallel()
	const tv = "((4,8),(2,2)):((32,1),(16,8))"
	r := new(Session).Inspect(InspectRequest{Expr: tv, Tile: "(16,8)"})
	if !r.OK || r.Operands[0].Threads != 32 || r.Operands[0].Row[1] != 0 || r.Operands[0].Col[1] != 2 {
		t.Fatalf("%+v", r)
	}
	for _, c := range []InspectRequest{
		{Expr: tv, Tile: "(8,8)"},
		{Expr: tv, Tile: "x"},
		{Expr: "4:1", Tile: "(8,8)"},
		{Expr: tv, Tile: "(0,8)"},
		{Expr: tv, Tile: "(3037000500,3037000500)"},
		{Expr: "(4,8"},
	} {
		if r := new(Session).Inspect(c); r.OK || r.Error == nil || r.Place == nil {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

func TestDo(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"eval", `{"expr":"(4,8)"}`, `{"ok":true,"kind":"tuple","value":"(4,8)"}`},
		{"nothing", `{}`, `{"ok":false,"error":{"code":"name","message":"there is no operation \"nothing\""}}`},
		{"version", ``, ""},
		{"tokens", `{"expr":"4:1"}`, `[{"class":"number","pos":0,"end":1},{"class":"operator","pos":1,"end":2},{"class":"number","pos":2,"end":3}]`},
	} {
		if got := string(new(Session).Do(c[0], []byte(c[1]))); c[2] != "" && got != c[2] {
			t.Errorf("%s: %s", c[0], got)
		}
	}
	for _, body := range []string{`{`, `{"x":1}`, `{} {}`, `[]`, `{"expr":{}}`} {
		var r EvalResponse
		if err := json.Unmarshal(new(Session).Do("eval", []byte(body)), &r); err != nil || r.OK || r.Error == nil {
			t.Errorf("%s: %v %+v", body, err, r)
		}
	}
}

// Offsets that floating point would change are texts; a place of a linear layout is not an offset; lanes follow each
// other in a warp; the threads of a quad-pair are the lanes of its ThrID; the elements of a swizzle are its inputs.
func TestInspectExact(t *testing.T) {
	t.Parallel()
	one := func(expr string) link.Operand {
		t.Helper()
		r := new(Session).Inspect(InspectRequest{Expr: expr})
		if !r.OK || r.Outline || len(r.Operands) == 0 {
			t.Fatalf("%s: %+v", expr, r)
		}
		return r.Operands[0]
	}
	if o := one("2:9007199254740993"); o.Offset != nil || fmt.Sprint(o.Exact) != "[0 9007199254740993]" {
		t.Errorf("%v %v", o.Offset, o.Exact)
	}
	if o := one("2:9007199254740991"); o.Exact != nil || o.Offset[1] != 9007199254740991 {
		t.Errorf("%v %v", o.Offset, o.Exact)
	}
	if o := one("linear{block=[[0,1],[1,0]]}"); o.Offset != nil || o.Thread != nil || fmt.Sprint(o.Row, o.Col) != "[0 0 1 1] [0 1 0 1]" {
		t.Errorf("%+v", o)
	}
	// Index 2 is warp 1 of lane 0, index 4 lane 1.
	if o := one("linear{register=[[0,1]], warp=[[4,0]], lane=[[0,2],[1,0]]}"); o.Warp != 4 || o.Thread[2] != 4 ||
		o.Thread[4] != 1 {
		t.Errorf("warps of %d: %v", o.Warp, o.Thread)
	}
	if o := one(`mma("SM70_8x8x4_F32F16F16F32_NT")`); fmt.Sprint(o.ThrID) != "[0 1 2 3 16 17 18 19]" {
		t.Errorf("%v", o.ThrID)
	}
	if o := one(`mma("SM80_16x8x16_F32F16F16F32_TN")`); o.ThrID != nil {
		t.Errorf("%v", o.ThrID)
	}
	if o := one("Sw<2,0,3>"); o.Size != 32 || o.Offset[9] != 8 || o.Row[9] != 2 || o.Col[9] != 1 || o.RowLabels[2] != "8" {
		t.Errorf("%+v", o)
	}
	// A function over bits also lists its elements if they fit.
	bits := make([]string, 17)
	for k := range bits {
		bits[k] = fmt.Sprintf("[%d]", 1<<k)
	}
	if o := one("linear{offset=[" + strings.Join(bits, ",") + "], out=[offset:131072]}"); len(o.Offset) != link.MaxElements {
		t.Errorf("%d offsets", len(o.Offset))
	}
}

// The facts of a composed layout are computed from its offsets.
func TestInspectComposedFacts(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"Sw<2,0,3> o 0 o (8,32):(32,1)":       "size 256, rank 2, depth 1, offsets 0 to 255, injective true, compact true",
		"Sw<1,0,2> o 0 o ((2,2),2):((1,4),4)": "size 8, rank 2, depth 2, offsets 0 to 9, injective false, first alias index 4, offset 5, compact false",
		"Sw<1,1,1> o 8 o (2,2):(2,4)":         "size 4, rank 2, depth 1, offsets 8 to 14, injective true, compact false",
	} {
		r := new(Session).Inspect(InspectRequest{Expr: expr})
		var facts []string
		for _, f := range r.Facts {
			facts = append(facts, f.Name+" "+f.Value)
		}
		if got := strings.Join(facts, ", "); got != want {
			t.Errorf("%s: %+v\n%s, want\n%s", expr, r.Error, got, want)
		}
	}
}
