package needless_test

import (
	"strings"
	"testing"

	"girih/internal/machine/needless"
	"girih/ptx/sim"
)

// tensorText stores to tensor memory, loads the words again, and frees the columns.
const tensorText = `.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<3>;
	.shared .align 4 .b32 slot;
	ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 32;
	@!%p0 bra READY;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
READY:
	bar.sync 0;
	ld.shared.b32 %r1, [slot];
	and.b32 %r2, %r0, 0x60; shl.b32 %r2, %r2, 16; add.u32 %r2, %r2, %r1;
	tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r0};
	tcgen05.wait::st.sync.aligned;
	tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r2];
	tcgen05.wait::ld.sync.aligned;
	tcgen05.fence::before_thread_sync;
	bar.sync 0;
	mul.wide.u32 %rd2, %r0, 4; add.u64 %rd2, %rd2, %rd1; st.global.b32 [%rd2], %r3;
	@!%p0 bra END;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;
END:
	ret;
}
`

// Waits and barriers around tensor memory are needed, and nothing there is called needless, because the log does not
// contain tensor memory.
func TestTensorMemory(t *testing.T) {
	t.Parallel()
	k := needless.Kernel{Module: parse(t, []byte(tensorText)), Entry: "k", New: func(p *sim.Program) (*needless.Case, error) {
		m, err := p.NewMemory()
		if err != nil {
			return nil, err
		}
		out, err := m.Put("out", make([]byte, 512))
		if err != nil {
			return nil, err
		}
		return &needless.Case{
			Memory: m, Launch: sim.Launch{Block: sim.Dim{X: 128}, Args: []sim.Arg{sim.Pointer(out, 0)}},
			Wrong: func() string { return "" },
		}, nil
	}}
	r := score(t, k, 2)
	want := map[string]needless.Outcome{
		"bar.sync": needless.Needed, "tcgen05.wait::st": needless.Needed, "tcgen05.wait::ld": needless.Needed,
		"tcgen05.fence": needless.Undecided,
	}
	if len(r.Verdicts) != 5 {
		t.Errorf("%d verdicts", len(r.Verdicts))
	}
	for _, v := range r.Verdicts {
		for op, outcome := range want {
			if strings.HasPrefix(string(v.Place.Op), op) && v.Outcome != outcome {
				t.Errorf("%s: %s, want %s", v.Place.Op, v.Outcome, outcome)
			}
		}
	}
}
