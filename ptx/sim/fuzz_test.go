package sim_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
)

// attempt runs all kernels of a source with buffers for whatever fits one, and checks that nothing but errors comes.
func attempt(t *testing.T, src string) {
	m, err := ptx.Parse(src)
	if err != nil {
		return
	}
	p, err := sim.Load(m)
	if err != nil {
		wantError(t, err)
		return
	}
	mem, err := p.NewMemory()
	if err != nil {
		wantError(t, err)
		return
	}
	buf, err := mem.Put("buffer", make([]byte, 4096))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.Kernels() {
		l := sim.Launch{Entry: name, Block: sim.Dim{X: 48}, Shared: 4096, Steps: 2000}
		for _, v := range m.Func(ptx.Name(name)).Params {
			switch n := v.Size(); {
			case n == 8:
				l.Args = append(l.Args, sim.Pointer(buf, 0))
			case n > 0 && n < 1<<16:
				arg := make([]byte, n)
				arg[0] = 3
				l.Args = append(l.Args, sim.Bytes(arg))
			}
		}
		if d, ok := m.Func(ptx.Name(name)).Directive("reqntid"); ok && len(d.Args) > 0 {
			l.Block = sim.Dim{X: int(d.Args[0])}
		}
		for l.Seed = range uint64(3) {
			if _, err := p.Run(context.Background(), mem, l); err != nil {
				wantError(t, err)
			}
		}
	}
}

func wantError(t *testing.T, err error) {
	t.Helper()
	_, finding := errors.AsType[*sim.Finding](err)
	if _, ok := errors.AsType[*sim.Error](err); !ok && !finding {
		t.Errorf("an error of type %T: %v", err, err)
	}
}

// asynchronous has the instructions that begin what others wait for, and those that wait; it is sound.
const asynchronous = `
	@%p0 mbarrier.init.shared::cta.b64 [%m], %r0;
	@%p0 mbarrier.init.shared::cta.b64 [%m+8], 1;
	fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;
	bar.sync 0;
	cp.async.ca.shared.global [%st], [%pi], 4;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%m];
	cp.async.ca.shared.global [%st+512], [%pi], 4, 2;
	cp.async.commit_group;
	cp.async.wait_group 0;
L:	mbarrier.try_wait.parity.shared.b64 %p3, [%m], 0;
	@!%p3 bra L;
	mbarrier.arrive.shared.b64 %rd3, [%m];
	mbarrier.pending_count.b64 %r3, %rd3;
M:	mbarrier.test_wait.shared.b64 %p3, [%m], %rd3;
	@!%p3 bra M;
	@!%p0 bra N;
	mbarrier.arrive.expect_tx.shared.b64 _, [%m+8], 64;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+1024], [%in], 64, [%m+8];
N:	mbarrier.try_wait.parity.shared.b64 %p3, [%m+8], 0, 100;
	@!%p3 bra N;
	ld.shared.u32 %r4, [%s+1024];
	bar.sync 1, 64;
	@!%p0 bra O;
	cp.async.bulk.global.shared::cta.bulk_group [%out], [%s+1024], 64;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group.read 0;
	cp.async.bulk.wait_group 0;
	mbarrier.inval.shared.b64 [%m+8];
O:	atom.shared.add.u32 %r5, [%st], 1;
	red.release.gpu.global.add.u32 [%out+256], 1;
	ld.acquire.gpu.global.u32 %r6, [%out+256];
	st.volatile.shared.u32 [%st+512], %r6;
	setmaxnreg.dec.sync.aligned.u32 24;
	griddepcontrol.wait; nanosleep.u32 5; membar.gl;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
`

// FuzzRun runs whatever can be parsed: it may be wrong in every way, and neither panics nor hangs.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("../testdata/*.ptx")
	if err != nil || len(files) == 0 {
		f.Fatal("no test data")
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Add(trial{body: asynchronous}.source())
	f.Add(trial{body: asynchronous, directives: ".reqnctapercluster 1, 1, 1 .maxnreg 64"}.source())
	f.Fuzz(attempt)
}

// TestAsynchronous runs the kernel that FuzzRun begins with.
func TestAsynchronous(t *testing.T) {
	t.Parallel()
	trials(t, []trial{{name: "all", block: 64, body: asynchronous, directives: ".maxnreg 64"}})
}
