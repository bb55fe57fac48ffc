package needless_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/internal/machine/needless"
	"girih/ptx"
	"girih/ptx/sim"
)

// kernelOf returns a kernel with 64 threads per block, the given number of blocks, and one buffer of 1024 words.
func kernelOf(t *testing.T, body string, blocks int) needless.Kernel {
	t.Helper()
	m := parse(t, []byte("// a kernel\n.version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"+
		".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<9>; .shared .align 128 .b8 s[2048]; .shared .align 8 .b64 m;\n"+
		"ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; xor.b32 %r4, %r1, 32; "+
		"mad.lo.u32 %r5, %r4, 4, %r2; mad.wide.u32 %d2, %r1, 4, %d1; mov.u32 %r9, %ctaid.x; setp.eq.u32 %p1, %r1, 0; "+
		"and.b32 %r10, %r1, 31; xor.b32 %r11, %r1, 1; mad.lo.u32 %r11, %r11, 4, %r2; setp.lt.u32 %p2, %r1, 32;\n"+
		body+"\nret;\n}\n"))
	return needless.Kernel{Module: m, Entry: "k", New: func(p *sim.Program) (*needless.Case, error) {
		mem, err := p.NewMemory()
		if err != nil {
			return nil, err
		}
		b, err := mem.Put("a", make([]byte, 4096))
		if err != nil {
			return nil, err
		}
		return &needless.Case{Memory: mem, Launch: sim.Launch{
			Grid: sim.Dim{X: blocks}, Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(b, 0)},
		}}, nil
	}}
}

// TestNeedless checks the outcome of each synchronizing instruction of some kernels. Line 9 is the first line of a
// body.
func TestNeedless(t *testing.T) {
	t.Parallel()
	const (
		put = "st.shared.u32 [%r3], %r1;\n"
		get = "ld.shared.u32 %r6, [%r5];\nst.global.u32 [%d2], %r6;\n"
		// flag passes the word [%d1+512] from block 0 to block 1.
		give = "setp.ne.u32 %p3, %r9, 0;\n@%p3 bra WAIT;\n@!%p1 bra END;\nst.global.u32 [%d1+512], 7;\n"
		wait = "bra END;\nWAIT:\n@!%p1 bra END;\n"
		took = "setp.eq.u32 %p4, %r7, 0;\n@%p4 bra LOOP;\n"
		// store copies the words that all threads have stored to global memory. load copies words from there to the
		// same place and waits for them.
		store = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r2], 256;\n@%p1 cp.async.bulk.commit_group;\n" +
			"@%p1 cp.async.bulk.wait_group.read 0;\n"
		load = "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [m], 256;\n" +
			"@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d1+1024], 256, [m];\n" +
			"W: mbarrier.try_wait.parity.shared.b64 %p4, [m], 0;\n@!%p4 bra W;\n"
		use = "ld.global.u32 %r8, [%d1+512];\nst.global.u32 [%d1+1024], %r8;\nEND:\n"
	)
	for _, c := range []struct {
		name, body string
		blocks     int
		want       []string // outcomes, each followed by a part of the report
	}{
		{"one barrier", put + "bar.sync 0;\n" + get, 1, []string{"line 10  bar.sync: needed: race, line "}},
		{"two barriers", put + "bar.sync 0;\nbar.sync 0;\n" + get, 1, []string{
			"line 10  bar.sync: needless in 2 orders; other edges order the 1 of 1 conflicting pairs that use it\n" +
				"    st.shared.u32 line 9 -> bar.sync line 11 -> ld.shared.u32 line 12\n",
			"line 11  bar.sync: needless in 2 orders; none of 1 conflicting pairs uses it\n",
		}},
		{"half of a pair", put + "bar.arrive 1, 128;\nbar.sync 1, 128;\n" + get, 1, []string{
			"line 10  bar.arrive: needed: deadlock", "line 11  bar.sync: needed: race",
		}},
		{"lanes", put + "bar.warp.sync -1;\nld.shared.u32 %r6, [%r11];\nst.global.u32 [%d2], %r6;\n", 1, []string{
			"line 10  bar.warp.sync: needed: race, line 11 with line 9",
		}},
		{"under a predicate", put + "@%p2 bar.warp.sync -1;\nbar.sync 0;\n" + get, 1, []string{
			"line 10  bar.warp.sync: needless in 2 orders; none of 1", "line 11  bar.sync: needed: race",
		}},
		{"never executed", put + "bar.sync 0;\nsetp.gt.u32 %p5, %r1, 99;\n@%p5 bar.warp.sync -1;\n" + get, 1, []string{
			"line 10  bar.sync: needed", "line 12  bar.warp.sync: not executed\n",
		}},
		{"release and acquire", give + "st.release.gpu.global.u32 [%d1+516], 1;\n" + wait +
			"LOOP: ld.acquire.gpu.global.u32 %r7, [%d1+516];\n" + took + use, 2, []string{
			"line 13  st.release.gpu.global.u32 (relaxed): needed: race", "line 17  ld.acquire.gpu.global.u32 (relaxed): needed: race",
		}},
		{"release and fence", give + "fence.acq_rel.gpu;\nst.release.gpu.global.u32 [%d1+516], 1;\n" + wait +
			"LOOP: ld.acquire.gpu.global.u32 %r7, [%d1+516];\n" + took + "fence.acq_rel.gpu;\n" + use, 2, []string{
			"line 13  fence.acq_rel.gpu: needless", "st.release.gpu.global.u32 (relaxed): needless",
			"ld.acquire.gpu.global.u32 (relaxed): needless", "fence.acq_rel.gpu: needless",
		}},
		// After Meta's TLX 1671: the source contains a fence, and the compiler adds a second one.
		{
			"two fences before a copy",
			put + "fence.proxy.async.shared::cta;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n" + store, 1,
			[]string{
				"line 10  fence.proxy.async.shared::cta: needless in 2 orders; other edges",
				"line 11  fence.proxy.async.shared::cta: needless in 2 orders; none of 1",
				"line 12  bar.sync: needed", "commit_group: needed", "wait_group.read: needed",
			},
		},
		// After torch-mojo-backend 397: a stage that a copy has read is filled by another copy. Both copies use the
		// same proxy.
		{"a fence between two copies", "@%p1 mbarrier.init.shared.b64 [m], 1;\nbar.sync 0;\n" + put +
			"fence.proxy.async.shared::cta;\nbar.sync 0;\n" + store + "fence.proxy.async.shared::cta;\n" + load, 1, []string{
			"line 10  bar.sync: needless", "line 12  fence.proxy.async.shared::cta: needed: race", "line 13  bar.sync: needed: race",
			"commit_group: needed: write-pending", "wait_group.read: needed: write-pending",
			"line 17  fence.proxy.async.shared::cta: needless in 2 orders; none of 5", "expect_tx.shared.b64: needed: deadlock",
			"try_wait.parity.shared.b64 (true at once): needed: exited",
		}},
		{"dependencies of grids", "griddepcontrol.wait;\n" + put, 1, []string{"griddepcontrol.wait: not modelled"}},
		{
			"asynchronous copy", "cp.async.ca.shared.global [%r3], [%d2], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\n" +
				"cp.async.wait_all;\nbar.sync 0;\n" + get, 1,
			[]string{
				"line 10  cp.async.commit_group: needless in 2 orders", "line 11  cp.async.wait_group: needless in 2 orders; other edges",
				"line 12  cp.async.wait_all: needless in 2 orders", "line 13  bar.sync: needed",
			},
		},
		{"an mbarrier", "@%p1 mbarrier.init.shared.b64 [m], 32;\nbar.sync 0;\n@!%p2 bra W;\n" + put +
			"mbarrier.arrive.shared.b64 _, [m];\nbra E;\nW: mbarrier.try_wait.parity.shared.b64 %p4, [m], 0;\n@!%p4 bra W;\n" +
			get + "E:\n", 1, []string{
			"line 10  bar.sync: needed", "line 13  mbarrier.arrive.shared.b64: needed: deadlock",
			"line 15  mbarrier.try_wait.parity.shared.b64 (true at once): needed: race",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			done := 0
			r, err := needless.Run(context.Background(), kernelOf(t, c.body, c.blocks), needless.Options{
				Orders: 2, Workers: 3, Progress: func(n, all int) { done = n*100 + all },
			})
			if err != nil {
				t.Fatal(err)
			}
			text := r.Text()
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("expected %q in\n%s", want, text)
				}
			}
			if len(r.Verdicts) != len(c.want) || done != len(c.want)*101 || len(r.Open) > 0 {
				t.Errorf("expected %d verdicts, found progress %d, open %v and\n%s", len(c.want), done, r.Open, text)
			}
		})
	}
}

// TestFault checks the errors for kernels that cannot be judged.
func TestFault(t *testing.T) {
	t.Parallel()
	k := kernelOf(t, "st.shared.u32 [%r3], %r1;\nld.shared.u32 %r6, [%r5];\nst.global.u32 [%d2], %r6;", 1)
	var f *needless.FindingError
	_, err := needless.Run(context.Background(), k, needless.Options{})
	if !errors.As(err, &f) || f.Finding.Kind != sim.KindRace {
		t.Errorf("expected the race of the kernel, found %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := needless.Run(ctx, kernelOf(t, "bar.sync 0;", 1), needless.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("expected the error of the context, found %v", err)
	}
	k = kernelOf(t, "bar.sync 0;", 1)
	begin := k.New
	k.New = func(p *sim.Program) (*needless.Case, error) {
		c, err := begin(p)
		c.Wrong = func() string { return "y[3]" }
		return c, err
	}
	if _, err := needless.Run(context.Background(), k, needless.Options{}); err == nil || !strings.Contains(err.Error(), "y[3]") {
		t.Errorf("expected the wrong output, found %v", err)
	}
	n := 0
	k.New = func(p *sim.Program) (*needless.Case, error) {
		if n++; n > 3 {
			return nil, fmt.Errorf("no memory")
		}
		return begin(p)
	}
	if _, err := needless.Run(context.Background(), k, needless.Options{}); err == nil || err.Error() != "no memory" {
		t.Errorf("expected the error of New, found %v", err)
	}
}

// TestShared checks that a change does not modify the original module.
func TestShared(t *testing.T) {
	t.Parallel()
	k := kernelOf(t, "{ { bar.sync 0; } }\nbar.sync 0;", 1)
	before := text(k.Module)
	if _, err := needless.Run(context.Background(), k, needless.Options{}); err != nil {
		t.Fatal(err)
	}
	if after := text(k.Module); after != before {
		t.Errorf("the module was changed:\n%s", after)
	}
}

func text(m *ptx.Module) string {
	var b strings.Builder
	_, _ = m.WriteTo(&b)
	return b.String()
}
