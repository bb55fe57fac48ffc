package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// kernelOf returns a program with one kernel. %out is the kernel's parameter, a pointer; %t is the thread's number.
func kernelOf(t testing.TB, directives, body string) *sim.Program {
	t.Helper()
	return loadText(t, fmt.Sprintf(`.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 arena[];
.visible .entry k(.param .u64 out) %s
{
	.reg .pred %%p<8>;
	.reg .b16 %%h<8>;
	.reg .b32 %%r<32>, %%t, %%rank;
	.reg .b64 %%rd<32>, %%out;
	ld.param.u64 %%out, [out];
	mov.u32 %%t, %%tid.x;
	mov.u32 %%rank, %%cluster_ctarank;
	%s
}
`, directives, body))
}

// launched runs the kernel of p on n words that are 0, and returns the words.
func launched(t testing.TB, p *sim.Program, n int, l sim.Launch) ([]uint32, error) {
	t.Helper()
	m := memory(t, p)
	out := put(t, m, make([]uint32, n))
	l.Args = []sim.Arg{sim.Pointer(out, 0)}
	_, err := p.Run(context.Background(), m, l)
	return get[uint32](t, out), err
}

// wants checks the kind of a finding and its text.
func wants(t testing.TB, err error, kind sim.Kind, says ...string) {
	t.Helper()
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != kind {
		t.Fatalf("got %v, want %s", err, kind)
	}
	for _, s := range says {
		if !strings.Contains(f.Error(), s) {
			t.Errorf("%v: says nothing of %q", f, s)
		}
	}
}

const sync = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"

func TestClusterRegisters(t *testing.T) {
	t.Parallel()
	names := []string{
		"%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid", "%ctaid", "%nctaid",
	}
	var body strings.Builder
	body.WriteString(`mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %ctaid.z;
	mov.u32 %r3, %nctaid.x; mov.u32 %r4, %nctaid.y;
	mad.lo.u32 %r1, %r2, %r4, %r1; mad.lo.u32 %r0, %r1, %r3, %r0; mad.wide.u32 %out, %r0, 84, %out;`)
	for i, n := range names {
		for j, part := range []string{".x", ".y", ".z"} {
			fmt.Fprintf(&body, "mov.u32 %%r5, %s%s; st.global.u32 [%%out+%d], %%r5;\n", n, part, 4*(3*i+j))
		}
	}
	body.WriteString("mov.u32 %r5, %cluster_ctarank; st.global.u32 [%out+72], %r5; mov.u32 %r5, %cluster_nctarank; st.global.u32 [%out+76], %r5;")
	body.WriteString("mov.pred %p0, %is_explicit_cluster; selp.u32 %r5, 1, 0, %p0; st.global.u32 [%out+80], %r5;")
	p := kernelOf(t, "", body.String())
	grid, cluster := [3]int{4, 6, 2}, [3]int{2, 3, 1}
	got, err := launched(t, p, 48*21, sim.Launch{
		Grid: sim.Dim{X: 4, Y: 6, Z: 2}, Cluster: sim.Dim{X: 2, Y: 3}, Block: sim.Dim{X: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 48 {
		at := [3]int{i % 4, i / 4 % 6, i / 24}
		var want []uint32
		for _, f := range []func(j int) int{
			func(j int) int { return at[j] / cluster[j] }, func(j int) int { return grid[j] / cluster[j] },
			func(j int) int { return at[j] % cluster[j] }, func(j int) int { return cluster[j] },
			func(j int) int { return at[j] }, func(j int) int { return grid[j] },
		} {
			for j := range 3 {
				want = append(want, uint32(f(j)))
			}
		}
		want = append(want, uint32(at[0]%2+at[1]%3*2), 6, 1)
		if row := got[21*i : 21*i+21]; !slices.Equal(row, want) {
			t.Fatalf("block %v: got %v, want %v", at, row, want)
		}
	}
}

// TestSharedMemoryOfOthers checks that each of three blocks writes its rank, and reads the others' ranks by all three
// kinds of address.
func TestSharedMemoryOfOthers(t *testing.T) {
	t.Parallel()
	p := kernelOf(t, ".reqnctapercluster 3, 1, 1", `.shared .align 4 .b32 v[4];
	add.u32 %r0, %rank, 100;
	st.shared.u32 [v+4], %r0;`+sync+`
	mov.u32 %r9, 0;
	mov.u32 %r1, %ctaid.x;
	mad.wide.u32 %out, %r1, 36, %out;
loop:
	mov.u32 %r2, v;
	mapa.shared::cluster.u32 %r3, %r2, %r9;
	ld.shared::cluster.u32 %r4, [%r3+4];
	st.global.u32 [%out], %r4;
	mapa.shared::cluster.u32 %r3, v+4, %r9;
	atom.shared::cluster.add.u32 %r4, [%r3], 0;
	st.global.u32 [%out+4], %r4;
	cvta.shared.u64 %rd0, %rd1;
	cvt.u64.u32 %rd1, %r2;
	cvta.shared.u64 %rd0, %rd1;
	mapa.u64 %rd2, %rd0, %r9;
	ld.u32 %r4, [%rd2+4];
	getctarank.u64 %r5, %rd2;
	mad.lo.u32 %r4, %r5, 1000, %r4;
	getctarank.shared::cluster.u32 %r5, %r3;
	mad.lo.u32 %r4, %r5, 10000, %r4;
	isspacep.shared::cta %p0, %rd2;
	isspacep.shared::cluster %p1, %rd2;
	@%p0 add.u32 %r4, %r4, 100000;
	@%p1 add.u32 %r4, %r4, 1000000;
	st.global.u32 [%out+8], %r4;
	add.u64 %out, %out, 12;
	add.u32 %r9, %r9, 1;
	setp.lt.u32 %p2, %r9, 3;
	@%p2 bra loop;`+sync)
	got, err := launched(t, p, 6*9, sim.Launch{Grid: sim.Dim{X: 6}, Block: sim.Dim{X: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for b := range 6 {
		for r := range 3 {
			want := []uint32{uint32(100 + r), uint32(100 + r), uint32(100 + r + 11000*r + 1000000)}
			if b%3 == r {
				want[2] += 100000
			}
			if row := got[b*9+3*r : b*9+3*r+3]; !slices.Equal(row, want) {
				t.Errorf("block %d of rank %d: got %v, want %v", b, r, row, want)
			}
		}
	}
}

// TestSharedAddresses checks addresses in the block itself, and addresses that mapa returns, as on an H100.
func TestSharedAddresses(t *testing.T) {
	t.Parallel()
	p := kernelOf(t, "", `.shared .align 4 .b32 v[4];
	mov.u32 %r0, v;
	mov.u32 %r4, 0; mov.u32 %r5, 1;
	mapa.shared::cluster.u32 %r1, %r0, %r4;
	mapa.shared::cluster.u32 %r2, %r0, 1;
	and.b32 %r3, %r0, 0xffffff;
	mov.u32 %r6, arena;
	mad.wide.u32 %out, %rank, 16, %out;
	st.global.v4.u32 [%out], {%r0, %r1, %r2, %r6};`)
	got, err := launched(t, p, 8, sim.Launch{Grid: sim.Dim{X: 2}, Cluster: sim.Dim{X: 2}, Block: sim.Dim{X: 1}, Shared: 64})
	want := []uint32{0x400, 0x400, 0x1000400, 0x800, 0x1000400, 0x400, 0x1000400, 0x1000800}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %x, %v, want %x", got, err, want)
	}
}

// TestClusterBarrierPhases checks that two warps with diverged lanes in each of two blocks pass the barrier four times,
// and that each thread sees all earlier writes.
func TestClusterBarrierPhases(t *testing.T) {
	t.Parallel()
	p := kernelOf(t, "", `.shared .align 4 .b32 v[64];
	mov.u32 %r9, 0;
	mov.u32 %r8, v; shl.b32 %r7, %t, 2; add.u32 %r8, %r8, %r7;
	xor.b32 %r6, %rank, 1; mapa.shared::cluster.u32 %r6, %r8, %r6;
loop:
	mad.lo.u32 %r0, %r9, 7, %t; st.shared.u32 [%r8], %r0;
	and.b32 %r1, %t, 1; setp.eq.u32 %p0, %r1, 0;
	@%p0 bra even;
	barrier.cluster.arrive; bra met;
even:
	barrier.cluster.arrive.release;
met:
	barrier.cluster.wait;
	ld.shared::cluster.u32 %r2, [%r6];
	mad.lo.u32 %r3, %r9, 128, %t; mad.lo.u32 %r3, %rank, 64, %r3;
	mad.wide.u32 %rd0, %r3, 4, %out; st.global.u32 [%rd0], %r2;`+sync+`
	add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 4; @%p1 bra loop;`)
	got, err := launched(t, p, 512, sim.Launch{Grid: sim.Dim{X: 2}, Cluster: sim.Dim{X: 2}, Block: sim.Dim{X: 64}})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if want := uint32(i/128*7 + i%64); v != want {
			t.Fatalf("word %d: %d, want %d", i, v, want)
		}
	}
}

// TestClusterBarrierWithoutExited checks that a barrier does not wait for threads that have exited.
func TestClusterBarrierWithoutExited(t *testing.T) {
	t.Parallel()
	p := kernelOf(t, "", `setp.eq.u32 %p0, %rank, 0; setp.gt.u32 %p1, %t, 5; and.pred %p0, %p0, %p1;
	@%p0 ret;
	barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;
	mad.lo.u32 %r0, %rank, 32, %t; mad.wide.u32 %out, %r0, 4, %out; st.global.u32 [%out], 1;`)
	got, err := launched(t, p, 64, sim.Launch{Grid: sim.Dim{X: 2}, Cluster: sim.Dim{X: 2}, Block: sim.Dim{X: 32}})
	if err != nil || slices.Index(got, 0) != 6 || slices.Index(got[32:], 0) >= 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestClusterFaults(t *testing.T) {
	t.Parallel()
	v := ".shared .align 4 .b32 v[4]; mov.u32 %r0, v; mov.u32 %r1, 1; xor.b32 %r9, %rank, 1; mapa.shared::cluster.u32 %r2, %r0, %r9;\n"
	for name, c := range map[string]struct {
		body string
		kind sim.Kind
		says []string
	}{
		"no arrive": {
			"setp.eq.u32 %p0, %rank, 0; @%p0 barrier.cluster.arrive; barrier.cluster.wait;", sim.KindDeadlock,
			[]string{"barrier of the cluster, where 32 of 64 threads are missing", "no thread of the cluster"},
		},
		"arrive twice": {"barrier.cluster.arrive; barrier.cluster.arrive;", sim.KindBarrier, []string{"again", "PTX ISA"}},
		"arrive apart": {
			"setp.eq.u32 %p0, %t, 0; @%p0 barrier.cluster.arrive.aligned;", sim.KindDivergent, nil,
		},
		"ended": {
			v + sync + "setp.eq.u32 %p0, %rank, 1; @%p0 ret; mov.u32 %r5, 0;\nspin: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 9999; @%p1 bra spin;" +
				"ld.shared::cluster.u32 %r3, [%r2];", sim.KindExited, []string{"number 1 of the cluster", "0x1000400", "exited"},
		},
		"ended, generic": {
			v + sync + "setp.eq.u32 %p0, %rank, 1; @%p0 ret; mov.u32 %r5, 0;\nspin: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 9999; @%p1 bra spin;" +
				"cvt.u64.u32 %rd0, %r2; cvta.shared::cluster.u64 %rd0, %rd0; st.u32 [%rd0], %r2;", sim.KindExited, nil,
		},
		"no such block": {
			v + "mapa.shared::cluster.u32 %r2, %r0, 5; st.shared::cluster.u32 [%r2], %r0;", sim.KindBounds,
			[]string{"block 5 of a cluster of 2"},
		},
		"not by cta": {v + "st.shared.u32 [%r2], %r0;", sim.KindBounds, []string{"only .shared::cluster leads from block 0 there"}},
		"behind":     {v + "st.shared::cluster.u32 [%r2+4096], %r0;", sim.KindBounds, []string{"0x1000400 to 0x1000410"}},
		"not shared": {"mapa.u64 %rd0, %out, 1;", sim.KindArgument, []string{"mapa"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := kernelOf(t, "", c.body)
			_, err := launched(t, p, 4, sim.Launch{Grid: sim.Dim{X: 2}, Cluster: sim.Dim{X: 2}, Block: sim.Dim{X: 32}})
			wants(t, err, c.kind, c.says...)
		})
	}
}

func TestClusterLaunch(t *testing.T) {
	t.Parallel()
	const huge = math.MaxInt/2 + 1 // twice this number overflows an int
	for name, c := range map[string]struct {
		directives    string
		grid, cluster sim.Dim
		nonPortable   bool
		says          string // "" if the launch runs
	}{
		"8":             {"", sim.Dim{X: 8}, sim.Dim{X: 8}, false, ""},
		"9":             {"", sim.Dim{X: 9}, sim.Dim{X: 9}, false, "8 blocks"},
		"9 on demand":   {"", sim.Dim{X: 9}, sim.Dim{X: 9}, true, ""},
		"16 on demand":  {"", sim.Dim{X: 16}, sim.Dim{X: 16}, true, ""},
		"17":            {"", sim.Dim{X: 17}, sim.Dim{X: 17}, true, "(17,1,1)"},
		"3 by 3":        {"", sim.Dim{X: 3, Y: 3}, sim.Dim{X: 3, Y: 3}, false, "(3,3,1)"},
		"below 0":       {"", sim.Dim{X: 3}, sim.Dim{X: -3}, false, "(-3,1,1)"},
		"too many":      {"", sim.Dim{X: 3}, sim.Dim{X: huge, Y: huge}, true, fmt.Sprintf("(%d", huge)},
		"not divided":   {"", sim.Dim{X: 4, Y: 3}, sim.Dim{X: 2, Y: 2}, false, "grid of (4,3,1)"},
		"required":      {".reqnctapercluster 2, 1, 1", sim.Dim{X: 4}, sim.Dim{}, false, ""},
		"not the one":   {".reqnctapercluster 2, 1, 1", sim.Dim{X: 4}, sim.Dim{X: 4}, false, "requires (2,1,1)"},
		"explicit":      {".explicitcluster", sim.Dim{X: 4}, sim.Dim{}, false, ".explicitcluster"},
		"explicit, two": {".explicitcluster", sim.Dim{X: 4}, sim.Dim{X: 2}, false, ""},
		"most":          {".maxclusterrank 4", sim.Dim{X: 8}, sim.Dim{X: 8}, false, "allows 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := kernelOf(t, c.directives, "atom.global.add.u32 %r0, [%out], 1;")
			got, err := launched(t, p, 1, sim.Launch{
				Grid: c.grid, Cluster: c.cluster, NonPortable: c.nonPortable, Block: sim.Dim{X: 1},
			})
			if c.says == "" {
				if n := uint32(max(c.grid.X, 1) * max(c.grid.Y, 1)); err != nil || got[0] != n {
					t.Errorf("got %v, %v, want %d blocks", got, err, n)
				}
				return
			}
			e, ok := errors.AsType[*sim.Error](err)
			if !ok || e.Code != sim.CodeLaunch || !strings.Contains(e.Msg, c.says) {
				t.Errorf("got %v, want one that says %q", err, c.says)
			}
		})
	}
}
