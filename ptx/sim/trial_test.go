package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// A trial is a kernel with or without a mistake. "//!" marks the line of the body at which a finding is expected. If
// two accesses conflict, either line may be marked, or both.
type trial struct {
	name, body           string
	grid, block, cluster int // 0 means 1 block, 64 threads and no cluster
	directives           string
	funcs                string   // functions that the body calls
	kind                 sim.Kind // "" for no finding
	or                   sim.Kind // the kind if the accesses occur in another order
	text                 string   // part of the message
	want                 func(i int) uint32
}

// source returns the text of the kernel, which sets %in and %out to the addresses of 4096 words each (word i of in is
// i, words of out are 0); %s to the address of 4096 bytes of shared memory; %m to the address of 16 mbarriers; %t to
// the thread, %w to its warp, %l to its lane, %b to its block, and %g to its number in the grid; %pi and %po to the
// addresses of word %g of in and out; %st to the address of word %t of the shared memory. %p0 is true in thread 0, %p1
// is true in the first lane of each warp, and %p2 is true in warp 0.
func (x trial) source() string {
	return `.version 9.0
.target sm_90a
.address_size 64
` + x.funcs + `.visible .entry k(.param .u64 in, .param .u64 out) ` + x.directives + `
{
	.reg .pred %p<16>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .f32 %f<8>;
	.reg .b32 %s, %m, %t, %w, %l, %b, %g, %st; .reg .b64 %in, %out, %pi, %po;
	.shared .align 1024 .b8 tile[4096];
	.shared .align 8 .b64 bars[16];
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
	mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; shr.u32 %w, %t, 5; and.b32 %l, %t, 31;
	mov.u32 %r0, %ntid.x; mad.lo.u32 %g, %b, %r0, %t;
	mov.u32 %s, tile; mov.u32 %m, bars; mad.lo.u32 %st, %t, 4, %s;
	mad.wide.u32 %pi, %g, 4, %in; mad.wide.u32 %po, %g, 4, %out;
	setp.eq.u32 %p0, %t, 0; setp.eq.u32 %p1, %l, 0; setp.eq.u32 %p2, %w, 0;
` + x.body + `
	ret;
}
`
}

// run runs the kernel with a seed.
func (x trial) run(t *testing.T, p *sim.Program, seed uint64) ([]uint32, error) {
	t.Helper()
	_, out, err := x.launch(t, p, sim.Launch{Seed: seed})
	return out, err
}

// launch runs the kernel with the dimensions and arguments of x, and with the other fields of l.
func (x trial) launch(t *testing.T, p *sim.Program, l sim.Launch) (*sim.Result, []uint32, error) {
	t.Helper()
	m := memory(t, p)
	words := make([]uint32, 4096)
	for i := range words {
		words[i] = uint32(i)
	}
	in, out := put(t, m, words), put(t, m, make([]uint32, 4096))
	l.Grid, l.Block, l.Cluster, l.Steps = sim.Dim{X: max(x.grid, 1)}, sim.Dim{X: 64}, sim.Dim{X: x.cluster}, 1<<22
	l.Args = []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0)}
	if x.block > 0 {
		l.Block.X = x.block
	}
	res, err := p.Run(context.Background(), m, l)
	return res, get[uint32](t, out), err
}

// lines returns the numbers of the marked lines.
func lines(src string) map[int32]bool {
	marked := map[int32]bool{}
	for i, s := range strings.Split(src, "\n") {
		if strings.HasSuffix(strings.TrimSpace(s), "//!") {
			marked[int32(i+1)] = true
		}
	}
	return marked
}

// seedsTried is the number of orders in which each trial runs.
const seedsTried = 6

func trials(t *testing.T, list []trial) {
	t.Helper()
	for _, x := range list {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			src := x.source()
			p, marked := loadText(t, src), lines(src)
			x.goesOn(t, p)
			for seed := range uint64(seedsTried) {
				got, err := x.run(t, p, seed)
				if x.kind != "" {
					f, ok := errors.AsType[*sim.Finding](err)
					if !ok || f.Kind != x.kind && f.Kind != x.or || !marked[f.Pos.Line] ||
						!strings.Contains(f.Message, x.text) || f.Seed != seed {
						t.Fatalf("seed %d: got %v, want %s with %q at %v", seed, err, x.kind, x.text, marked)
					}
					continue
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				n := max(x.grid, 1) * 64
				if x.block > 0 {
					n = max(x.grid, 1) * x.block
				}
				for i := range n {
					if x.want != nil && got[i] != x.want(i) {
						t.Fatalf("seed %d: word %d is %d, want %d", seed, i, got[i], x.want(i))
					}
				}
			}
		})
	}
}
