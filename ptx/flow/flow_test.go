package flow_test

import (
	"fmt"
	"testing"

	"girih/ptx"
	"girih/ptx/flow"
)

// TestScopes checks that labels and registers of an inner block are separate from the names of other blocks, as in two
// copies of the same inline assembly.
func TestScopes(t *testing.T) {
	t.Parallel()
	m, err := ptx.Parse(`.version 9.0
.target sm_90a
.address_size 64
.entry k() {
	.reg .pred %p<3>; .reg .b32 %r<3>;
	mov.b32 %r1, 1;
	{ .reg .pred P; .reg .b32 %r<2>;
	WAIT: setp.eq.u32 P, %r1, 0;
	@P bra DONE;
	bra WAIT;
	DONE: }
	{ WAIT: setp.eq.u32 %p1, %r1, 0;
	@%p1 bra DONE;
	bra WAIT;
	DONE: }
	ts: .branchtargets A, B;
	brx.idx %r1, ts;
	A: exit;
	B: ret;
}
`)
	if err != nil {
		t.Fatal(err)
	}
	g := flow.New(m.Func("k"))
	if got, want := fmt.Sprint(g.To), "[[1] [3 2] [1] [5 4] [3] [6 7] [8] [8] []]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if a, b, c := g.Home(0, "%r1"), g.Home(1, "%r1"), g.Home(4, "%r1"); a != 0 || b != 1 || c != 0 {
		t.Errorf("the homes of %%r1 are %d, %d, %d", a, b, c)
	}
	if got, want := fmt.Sprint(g.After()), "[1 3 1 5 3 8 8 8 8]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
