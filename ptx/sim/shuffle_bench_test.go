package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

// BenchmarkCollectives runs a loop of shuffles and votes of the whole warp, and one of tiles of 8 lanes that have
// separate membermasks.
func BenchmarkCollectives(b *testing.B) {
	for _, c := range []struct{ name, member string }{{"warp", "-1"}, {"tiles", "%r4"}} {
		b.Run(c.name, func(b *testing.B) {
			x := trial{body: strings.ReplaceAll(`and.b32 %r5, %l, 24;
	mov.u32 %r4, 255;
	shl.b32 %r4, %r4, %r5;
	mov.u32 %r2, %t;
	mov.u32 %r6, 0;
LOOP:	shfl.sync.bfly.b32 %r3, %r2, 1, 31, MASK;
	add.u32 %r2, %r2, %r3;
	shfl.sync.down.b32 %r3|%p5, %r2, 2, 0x181f, MASK;
	setp.gt.u32 %p6, %r3, %r2;
	vote.sync.any.pred %p6, %p6, MASK;
	match.any.sync.b32 %r3, %l, MASK;
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p9, %r6, 1000;
	@%p9 bra LOOP;
	st.global.u32 [%po], %r2;
`, "MASK", c.member)}
			p := loadText(b, x.source())
			m := memory(b, p)
			in, out := alloc(b, m, 1<<14), alloc(b, m, 1<<14)
			report(b, p, m, sim.Launch{Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0)}})
		})
	}
}
