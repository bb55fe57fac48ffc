package tile_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/tile"
)

func target(t testing.TB, name string) tile.Target {
	t.Helper()
	x, err := tile.FindTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestBudgetOfBuffers compares random budgets with their definition: buffers are apart, aligned and in order, and one
// more stage does not fit.
func TestBudgetOfBuffers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	fits := 0
	limits := make(map[string]int64)
	for range 1000 {
		all := tile.Targets()
		req := tile.Request{
			Target: all[r.IntN(len(all))], Static: int64(r.IntN(3)) * int64(r.IntN(3000)), CTAs: 1 + int64(r.IntN(3)),
		}
		for i := range 1 + r.IntN(5) {
			req.Buffers = append(req.Buffers, tile.Buffer{
				Name: string(rune('A' + i)), Bytes: int64(r.IntN(20000)), Align: 1 << r.IntN(11), Copies: 1 + int64(r.IntN(2)),
				Staged: i == 0 || r.IntN(2) == 0,
			})
		}
		b, err := tile.NewBudget(req)
		key := req.Target.Name + string(rune('0'+req.CTAs))
		if limits[key] == 0 {
			limits[key] = limitOf(req)
		}
		n := int64(0) // the expected number, by counting up
		for taken(req, n+1) <= limits[key] && n < 1<<14 {
			n++
		}
		if err != nil {
			if n > 0 || !isCode(err, cute.CodeLimit) {
				t.Fatalf("%+v: %v, but %d stages fit", req, err, n)
			}
			continue
		}
		fits++
		if b.Stages() != n && req.Buffers[0].Bytes > 0 {
			t.Fatalf("%+v: %d stages, expected %d", req, b.Stages(), n)
		}
		at := req.Static
		for _, x := range b.Regions() {
			if x.Offset%x.Align != 0 || x.Offset != at+x.Padding || x.Padding >= x.Align {
				t.Fatalf("%+v lies wrong", x)
			}
			at = x.Offset + x.Total
		}
		if at != b.Bytes() || b.Bytes() > b.Limit() || b.CTAs() < req.CTAs {
			t.Fatalf("%+v: %d bytes of %d, ends at %d, %d CTAs", req, b.Bytes(), b.Limit(), at, b.CTAs())
		}
	}
	if fits < 200 {
		t.Fatalf("only %d budgets fit", fits)
	}
}

func isCode(err error, code cute.Code) bool {
	e, ok := errors.AsType[*cute.Error](err)
	return ok && e.Code == code
}

// taken places the buffers by definition, and returns their size.
func taken(r tile.Request, stages int64) int64 {
	at := r.Static
	for _, x := range r.Buffers {
		n := x.Copies
		if x.Staged {
			n *= stages
		}
		if n*x.Bytes > 0 {
			for at%x.Align != 0 {
				at++
			}
			at += n * x.Bytes
		}
	}
	return at
}

// limitOf returns the largest size such that the given number of CTAs fit on an SM.
func limitOf(r tile.Request) int64 {
	for n := r.Target.PerBlock; n > 0; n-- {
		unit := (n + r.Target.Reserved + r.Target.Unit - 1) / r.Target.Unit * r.Target.Unit
		if unit*r.CTAs <= r.Target.PerSM {
			return n
		}
	}
	return 0
}

// TestHopperGemm checks the tile of CUTLASS's default f16 kernel: 4 stages of 48 KiB by all three rules.
func TestHopperGemm(t *testing.T) {
	t.Parallel()
	sm90 := target(t, "sm_90a")
	g := tile.Gemm{M: 128, N: 256, K: 64, A: dtype.F16, B: dtype.F16, D: dtype.F16, EpiM: 64, EpiN: 32, DStages: 4}
	buffers, err := g.Buffers(sm90)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tile.NewBudget(tile.Request{Target: sm90, Buffers: buffers})
	if err != nil {
		t.Fatal(err)
	}
	if b.Stages() != 4 || b.Bytes() != 4*49152+4*4096+4*16 || b.CTAs() != 1 || b.Limit() != 232448 {
		t.Errorf("%d stages, %d bytes, %d CTAs", b.Stages(), b.Bytes(), b.CTAs())
	}
	s, err := g.StageCountAutoCarveout(sm90)
	if err != nil || s.Stages != 4 || s.Text != "(232448 - 16384) / 49168" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestStagesOfNVFP4 is the question of TensorRT-LLM's pull request 7749: how many stages of A, B, the scale factors and
// C fit for the tiles of its kernel, one CTA on an SM, and what the kernel's own rule gives.
func TestStagesOfNVFP4(t *testing.T) {
	t.Parallel()
	sm100 := target(t, "sm100")
	for _, x := range []struct {
		m, n, epiN   int64
		stages, c    int64 // exact, with the copies of C that use the remaining bytes
		dsl          int64
		stage, dataA int64
	}{
		{128, 128, 32, 5, 5, 5, 36864 + 16, 16384},
		{128, 64, 32, 7, 3, 7, 16384 + 8192 + 2048 + 2048 + 16, 16384}, // SFB takes 128 rows for 64
		{128, 256, 32, 3, 8, 3, 16384 + 32768 + 2048 + 4096 + 16, 16384},
	} {
		g := tile.Gemm{
			M: x.m, N: x.n, K: 256, A: dtype.E2M1, B: dtype.E2M1, Scale: dtype.E4M3, ScaleVector: 16,
			D: dtype.BF16, EpiM: 128, EpiN: x.epiN, DStages: 2, AccStages: 2,
		}
		buffers, err := g.Buffers(sm100)
		if err != nil {
			t.Fatal(err)
		}
		b, err := tile.NewBudget(tile.Request{Target: sm100, Buffers: buffers, Fill: "D"})
		if err != nil {
			t.Fatal(err)
		}
		d := int64(0)
		for _, r := range b.Regions() {
			switch {
			case r.Name == "D":
				d = r.Copies
			case r.Name == "A" && r.Bytes != x.dataA:
				t.Errorf("a stage of A has %d bytes, expected %d", r.Bytes, x.dataA)
			}
		}
		s, err := g.DSLStages(sm100, 1)
		if b.Stages() != x.stages || d != x.c || err != nil || s.Stages != x.dsl || b.Stage() != x.stage {
			t.Errorf("%d x %d: %d stages of %d, %d of D, the DSL %d (%s): expected %+v", x.m, x.n, b.Stages(), b.Stage(), d,
				s.Stages, s.Text, x)
		}
	}
}

// TestUnpackedBits checks that mixed 8-bit and 4-bit operands are stored in bytes on Blackwell.
func TestUnpackedBits(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		target string
		a, b   dtype.Type
		vector int64
		want   int64
	}{
		{"sm100", dtype.E2M1, dtype.E4M3, 32, 128 * 128},
		{"sm100", dtype.E2M1, dtype.E2M1, 32, 128 * 64},
		{"sm120", dtype.E3M2, dtype.E2M1, 32, 128 * 128},
		{"sm80", dtype.S4, dtype.S4, 0, 128 * 64},
	} {
		g := tile.Gemm{M: 128, N: 128, K: 128, A: x.a, B: x.b, Scale: dtype.UE8M0, ScaleVector: x.vector}
		list, err := g.Buffers(target(t, x.target))
		if err != nil || list[0].Bytes != x.want {
			t.Errorf("%+v: %v, %v", x, list, err)
		}
	}
}

// TestTargets checks the table: a CTA can have what an SM has minus the reserved part, and every target is found.
func TestTargets(t *testing.T) {
	t.Parallel()
	for _, x := range tile.Targets() {
		if x.PerBlock+x.Reserved != x.PerSM || x.PerSM%x.Unit != 0 {
			t.Errorf("%+v", x)
		}
		if y, err := tile.FindTarget(x.Name); err != nil || y != x {
			t.Errorf("%s: %v, %v", x.Name, y, err)
		}
		if n := x.CTAs(x.PerBlock); n != 1 {
			t.Errorf("%s: %d CTAs of all there is", x.Name, n)
		}
	}
	for name, bytes := range map[string]int64{
		"sm_80": 166912, "SM89": 101376, "sm_90a": 232448, "sm100f": 232448, "sm120a": 101376,
	} {
		if x, err := tile.FindTarget(name); err != nil || x.PerBlock != bytes {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
	if _, err := tile.FindTarget("sm_11"); !isCode(err, cute.CodeName) {
		t.Errorf("sm_11: %v", err)
	}
}

// TestBudgetRefusals causes each error, and checks its code.
func TestBudgetRefusals(t *testing.T) {
	t.Parallel()
	sm90 := target(t, "sm90")
	one := []tile.Buffer{{Name: "A", Bytes: 49152, Align: 1024, Copies: 1, Staged: true}}
	for _, x := range []struct {
		r    tile.Request
		code cute.Code
		hint string
	}{
		{tile.Request{Target: sm90, Buffers: one, Stages: 5}, cute.CodeLimit, "4 stage(s) fit"},
		{tile.Request{Target: sm90, Buffers: one, Stages: 1 << 62}, cute.CodeLimit, "4 stage(s) fit"},
		{tile.Request{Target: sm90, Buffers: []tile.Buffer{
			{Name: "A", Bytes: 1 << 30, Align: 8, Copies: 1 << 20, Staged: true},
		}, Stages: 1 << 16}, cute.CodeLimit, "smaller tiles, narrower types, or fewer stages of the epilogue: not one stage fits"},
		{tile.Request{Target: sm90, Buffers: one, CTAs: 33}, cute.CodeLimit, ""},
		{tile.Request{Target: sm90, Buffers: one, CTAs: -1}, cute.CodeExtent, ""},
		{tile.Request{Target: sm90, Buffers: one, Static: -1}, cute.CodeExtent, ""},
		{tile.Request{Target: sm90, Buffers: one, Fill: "C"}, cute.CodeName, ""},
		{tile.Request{Buffers: one}, cute.CodeType, ""},
		{tile.Request{Target: sm90, Buffers: []tile.Buffer{{Name: "A", Bytes: 8, Align: 12}}}, cute.CodeExtent, ""},
		{tile.Request{Target: sm90, Buffers: []tile.Buffer{{Name: "A", Bytes: 1 << 62, Align: 8}}}, cute.CodeExtent, ""},
		{tile.Request{Target: sm90, Buffers: []tile.Buffer{{Name: "A", Bytes: 1 << 20, Align: 8, Copies: 1}}}, cute.CodeLimit, ""},
	} {
		_, err := tile.NewBudget(x.r)
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != x.code || x.hint != "" && e.Hint != x.hint || strings.Contains(e.Msg, "found 0 ") ||
			strings.Contains(e.Msg, "found -") &&
				x.r.CTAs >= 0 && x.r.Static >= 0 {
			t.Errorf("%+v: %v", x.r, err)
		}
	}
	if _, err := (tile.Gemm{M: 128}).Buffers(sm90); !isCode(err, cute.CodeExtent) {
		t.Errorf("%v", err)
	}
	if _, err := (tile.Gemm{M: 128, N: 1, K: 1}).Buffers(sm90); !isCode(err, cute.CodeType) {
		t.Errorf("%v", err)
	}
}
