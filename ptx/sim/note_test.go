package sim_test

import (
	"context"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestExitBeforeCount runs barriers with a count of threads after some threads have exited. The barrier counts whole
// warps: a part of a warp may exit, but not a whole warp.
func TestExitBeforeCount(t *testing.T) {
	t.Parallel()
	const leave = "setp.ge.u32 %p5, %t, "
	trials(t, []trial{
		{name: "a warp", body: leave + "32;\n@%p5 exit;\nbar.sync 1, 64; //!\n", kind: sim.KindDeadlock, text: "barrier 1, where 32 of 64 threads are"},
		{name: "lanes", body: leave + "40;\n@%p5 exit;\nbar.sync 1, 64;\n"},
		{name: "a warp that is not counted", body: leave + "32;\n@%p5 exit;\nbar.sync 1, 32;\n"},
		{name: "arrivals at an mbarrier", body: "@%p0 mbarrier.init.shared.b64 [%m], 64;\nbar.sync 0;\n" + leave + "32;\n@%p5 exit;\nmbarrier.arrive.shared.b64 %rd5, [%m];\n" + waitFor("%m", 0, "//!"), kind: sim.KindDeadlock, text: "32 of 64 arrivals are missing"},
	})
}

// TestNotes runs barriers that some threads never reach because they have exited, and barriers that all threads reach.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		threads    int
		want       string // "" for no note
	}{
		{"warps that have exited", "setp.ge.u32 %p1, %r1, 128;\n@%p1 exit;\nbar.sync 0;\nbar.sync 1, 128;\nret;", 384, "line 13, bar.sync: 128 of 384 threads of block (0,0,0) come to barrier 0, and 256 have exited"},
		{"lanes that have exited, twice", "setp.ge.u32 %p1, %r1, 40;\n@%p1 exit;\nmov.u32 %r2, 0;\nL: bar.sync 2;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 2;\n@%p2 bra L;\nret;", 64, "line 14, bar.sync, 2 times: 40 of 64 threads"},
		{"a barrier that is waited for when they exit", "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra E;\nbar.sync 0;\nE: ret;", 64, "line 13, bar.sync: 32 of 64 threads"},
		{"all come", "setp.ge.u32 %p1, %r1, 32;\nbar.sync 0;\n@%p1 exit;\nret;", 64, ""},
		{"a barrier with a count", "setp.ge.u32 %p1, %r1, 32;\n@%p1 exit;\nbar.sync 0, 32;\nret;", 64, ""},
	} {
		p := loadText(t, ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"+
			".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [out];\n\n\n"+
			"mov.u32 %r1, %tid.x;\n"+tt.body+"\n}")
		m := memory(t, p)
		l := sim.Launch{Block: sim.Dim{X: tt.threads}, Args: []sim.Arg{sim.Pointer(alloc(t, m, 4), 0)}}
		res, err := p.Run(context.Background(), m, l)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if tt.want == "" && len(res.Notes) > 0 ||
			tt.want != "" && (len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0].String(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.name, res.Notes, tt.want)
		}
	}
}
