package sim_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
	"girih/tensormap"
)

// attempt runs all kernels of a source with buffers for every parameter that may be a pointer, and expects nothing
// worse than errors.
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
		if d, ok := m.Func(ptx.Name(name)).Directive("reqnctapercluster"); ok && len(d.Args) > 0 && d.Args[0] <= 8 {
			l.Grid = sim.Dim{X: int(d.Args[0])}
		}
		for _, v := range m.Func(ptx.Name(name)).Params {
			switch n := v.Size(); {
			case n == 128:
				l.Args = append(l.Args, object(t, tensormap.Map{
					Type: tensormap.UInt32, Address: buf.Address(), Dims: []int64{16, 16}, Strides: []int64{64}, Box: []int64{8, 4},
				}))
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

// asynchronous is a sound kernel body with the instructions that begin asynchronous operations, and with their waits.
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

// FuzzRun runs any source that can be parsed. The kernel may be wrong in every way; it must not panic or hang.
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
	for _, body := range []string{
		withBarrier + `mov.u32 %r2, arena; mov.u32 %r0, 4; mov.u32 %r1, -1; mov.u16 %h0, 1;
	@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 128;
	@!%p7 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [map, {%r0, %r1}], [%bar], %h0;` +
			wait + `cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [map, {%r0, %r0}], [%r2];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;`,
		withBarrier + `mov.u32 %r2, arena; mov.u32 %r1, 1;
	mapa.shared::cluster.u32 %r3, %r2, %r1; mapa.shared::cluster.u32 %r4, %bar, %r1;
	st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3], %r1, [%r4];
	cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], 64; cp.async.bulk.commit_group;` + sync,
	} {
		f.Add(`.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 arena[];
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) .reqnctapercluster 2, 1, 1
{
	.reg .pred %p<8>; .reg .b16 %h<2>; .reg .b32 %r<8>, %t, %rank; .reg .b64 %rd<8>, %out;
	ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %rank, %cluster_ctarank;
	` + body + "\n}\n")
	}
	f.Fuzz(attempt)
}

// TestAsynchronous runs the kernel that is the seed of FuzzRun.
func TestAsynchronous(t *testing.T) {
	t.Parallel()
	trials(t, []trial{{name: "all", block: 64, body: asynchronous, directives: ".maxnreg 64"}})
}

// FuzzTensorCopy copies boxes of any map at any coordinates. Boxes may be outside all memory; the run must not panic
// or take too long.
func FuzzTensorCopy(f *testing.F) {
	f.Add([]byte{2, 6, 0, 3, 0, 63, 0, 0, 0, 15, 0, 0, 0, 2, 8, 16, 1, 1}, int32(8), int32(-1), uint16(3))
	f.Add([]byte{5, 2, 0, 0, 1, 255, 255, 255, 255, 9, 9, 9, 9, 1, 1, 1, 1, 8, 8}, int32(-4), int32(1<<31-1), uint16(0))
	f.Add([]byte{3, 7, 1, 1, 0, 63, 0, 0, 0, 15, 0, 0, 0, 15, 0, 0, 0, 8, 8, 64}, int32(0), int32(0), uint16(1))
	programs := map[int]*sim.Program{}
	for rank := 1; rank <= 5; rank++ {
		programs[rank] = boxKernel(f, rank, [2]string{}, "")
		if rank >= 3 {
			programs[-rank] = boxKernel(f, rank, [2]string{".im2col", ".im2col_no_offs"}, "")
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, x, y int32, place uint16) {
		next := func() int64 {
			if len(b) == 0 {
				return 1
			}
			v := int64(b[0])
			b = b[1:]
			return v
		}
		rank := int(1 + next()%5)
		m := tensormap.Map{Type: tensormap.Type(next() % 16), Interleave: tensormap.Interleave(next() % 3)}
		m.Swizzle, m.Fill = tensormap.Swizzle(next()%7), tensormap.Fill(next()%2)
		at := []int64{int64(x), int64(y), next(), next(), next()}
		for i := range rank {
			m.Dims = append(m.Dims, 1+next()|next()<<8|next()<<(next()%25))
			m.Box, m.Steps = append(m.Box, 1+next()), append(m.Steps, 1+next()%8)
			if i > 0 {
				m.Strides = append(m.Strides, 16*(next()|next()<<(next()%32)))
			}
		}
		program := programs[rank]
		if p := programs[-rank]; p != nil && next()%2 == 1 {
			program, m.Mode, m.Box, m.Channels, m.Pixels = p, tensormap.Im2col, nil, 16*next(), next()
			for range rank - 2 {
				m.Lower, m.Upper = append(m.Lower, next()%16-8), append(m.Upper, next()%16-8)
			}
		}
		mem := memory(t, program)
		m.Address = put(t, mem, make([]byte, 8192)).Address() + uint64(16*(next()%16))
		object, err := sim.TensorMap(m)
		if err != nil {
			wantError(t, err)
			return
		}
		_, err = program.Run(context.Background(), mem, sim.Launch{
			Shared: 100 << 10, Steps: 2000,
			Args: []sim.Arg{object, object, sim.U32(uint32(m.Bytes())), sim.U32(uint32(place) * 64), coordinates(at[:rank])},
		})
		if err != nil {
			wantError(t, err)
		}
	})
}
