package service

import (
	"encoding/json"
	"fmt"
	"testing"
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

// Every element of the operands of a TiledMMA is where the thread-value layout says, and each cell of C has one owner.
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
	// PTX ISA, m16n8k16: row groupID for values 0 and 1, column threadID_in_group*2 + (i & 1). Thread 5 is group 1, thread 1.
	if c.Thread[5] != 5 || c.Row[5] != 1 || c.Col[5] != 2 {
		t.Errorf("thread 5: (%d,%d)", c.Row[5], c.Col[5])
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
		if !r.OK && expr != `mma("SM90_64x128x16_F32F16F16_SS")` {
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
		if got := string(Do(c[0], []byte(c[1]))); c[2] != "" && got != c[2] {
			t.Errorf("%s: %s", c[0], got)
		}
	}
	for _, body := range []string{`{`, `{"x":1}`, `{} {}`, `[]`, `{"expr":7}`} {
		var r EvalResponse
		if err := json.Unmarshal(Do("eval", []byte(body)), &r); err != nil || r.OK || r.Error == nil {
			t.Errorf("%s: %v %+v", body, err, r)
		}
	}
}
