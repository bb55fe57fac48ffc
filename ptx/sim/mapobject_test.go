package sim_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"girih/ptx/sim"
	"girih/tensormap"
)

// TestTensorMapPlaces checks maps in a structure of parameters, in constants and in global memory, and a map that a
// warp changes in shared memory, publishes and uses.
func TestTensorMapPlaces(t *testing.T) {
	t.Parallel()
	const use = `
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 64;
	mov.u32 %r0, arena; mov.u32 %r1, 4; mov.u32 %r2, 1;
	cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%map, {%r1, %r2}], [%bar];
L:	mbarrier.try_wait.parity.shared::cta.b64 %p0, [%bar], 0; @!%p0 bra L;
	ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r0+16]; st.global.v4.u32 [%out], {%r3, %r4, %r5, %r6};`
	const change = `
	setp.ne.u32 %p1, %lane, 0; mov.u32 %m, object; @%p1 bra DONE;
	mov.b32 %r0, 3; mov.u32 %r1, object; mov.u32 %r2, 0;
COPY: cvt.u64.u32 %rd4, %r2; add.u64 %rd5, %map, %rd4; ld.u32 %r3, [%rd5]; add.u32 %r4, %r1, %r2; st.shared.u32 [%r4], %r3;
	add.u32 %r2, %r2, 4; setp.lt.u32 %p0, %r2, 128; @%p0 bra COPY;
	tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%m], %data;
	tensormap.replace.tile.rank.shared::cta.b1024.b32 [%m], 1;
	tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%m], 2;
	mov.u32 %r0, 12; tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%m], 0, %r0;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%m], 1, 3;
	mov.u64 %rd4, 48; tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%m], 0, %rd4;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%m], 0, 8;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%m], 1, 2;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%m], 1, 1;
	tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%m], 0;
	tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%m], 0;
	tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%m], 0;
	tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%m], 0;
DONE: bar.warp.sync 0xffffffff;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%room], [%m], 128;
	fence.proxy.tensormap::generic.acquire.gpu [%room], 128;
	mov.u64 %map, %room;`
	for name, c := range map[string]struct{ find, change string }{
		"structure": {"mov.b64 %rd0, all; cvta.param.u64 %map, %rd0; add.u64 %map, %map, 64;", ""},
		"constants": {"mov.u64 %rd0, kept; cvta.const.u64 %map, %rd0;", ""},
		"global":    {"ld.param.u64 %map, [all+216];", ""},
		"changed":   {"ld.param.u64 %map, [all+224];", change},
	} {
		p := loadText(t, `.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 arena[];
.const .align 64 .b8 kept[128];
.visible .entry k(.param .align 64 .b8 all[256])
{
	.reg .pred %p<3>; .reg .b32 %r<8>, %bar, %lane, %m; .reg .b64 %rd<8>, %map, %out, %data, %room;
	.shared .align 8 .b64 full;
	.shared .align 128 .b8 object[128];
	ld.param.u64 %out, [all]; ld.param.u64 %data, [all+8]; ld.param.u64 %room, [all+208];
	mov.u32 %bar, full; mov.u32 %lane, %laneid;
	setp.ne.u32 %p2, %lane, 0;
	@!%p2 mbarrier.init.shared::cta.b64 [%bar], 1;
	fence.proxy.async.shared::cta; bar.sync 0;
	`+c.find+c.change+"\n	@%p2 bra END;"+use+"\nEND:\n}\n")
		m := memory(t, p)
		data, out := put(t, m, numbered(36)), put(t, m, make([]uint32, 4))
		tm := object(t, tensormap.Map{
			Type: tensormap.UInt32, Address: data.Address(), Dims: []int64{12, 3}, Strides: []int64{48}, Box: []int64{8, 2},
		})
		other := object(t, tensormap.Map{
			Type: tensormap.Float16, Address: out.Address(), Dims: []int64{64}, Box: []int64{64}, Swizzle: tensormap.Swizzle128B,
		})
		global, elsewhere, room := put(t, m, tm.Bytes()), put(t, m, other.Bytes()), alloc(t, m, 128)
		kept, err := m.Variable("kept")
		if err != nil {
			t.Fatal(err)
		}
		copy(kept.Bytes(), tm.Bytes())
		all := sim.Bytes(make([]byte, 256))
		for offset, part := range map[int]sim.Arg{
			0: sim.Pointer(out, 0), 8: sim.Pointer(data, 0), 64: tm, 208: sim.Pointer(room, 0), 216: sim.Pointer(global, 0),
			224: sim.Pointer(elsewhere, 0),
		} {
			if all, err = all.At(offset, part); err != nil {
				t.Fatal(err)
			}
		}
		l := sim.Launch{Block: sim.Dim{X: 32}, Shared: 256, Args: []sim.Arg{all}}
		if _, err := p.Run(context.Background(), m, l); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := numbered(36)[12+8 : 12+12]
		if got := get[uint32](t, out); !slices.Equal(got, want) {
			t.Errorf("%s: got %x, want %x", name, got, want)
		}
	}
}

func TestTensorMapErrors(t *testing.T) {
	t.Parallel()
	good := tensormap.Map{
		Type: tensormap.UInt32, Address: 512, Dims: []int64{64, 8}, Strides: []int64{256}, Box: []int64{32, 8},
	}
	if _, err := sim.TensorMap(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(m *tensormap.Map){
		"address": func(m *tensormap.Map) { m.Address = 8 },
		"none":    func(m *tensormap.Map) { m.Address = 0 },
		"box":     func(m *tensormap.Map) { m.Box = []int64{257, 8} },
		"rank":    func(m *tensormap.Map) { m.Dims = make([]int64, 1000) },
		"extent":  func(m *tensormap.Map) { m.Dims = []int64{1 << 40, 8} },
		"shared":  func(m *tensormap.Map) { m.Box = []int64{256, 256} },
		"empty":   func(m *tensormap.Map) { *m = tensormap.Map{} },
	} {
		m := good
		change(&m)
		if _, err := sim.TensorMap(m); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	a := sim.U64(1)
	for _, offset := range []int{-1, 1, 8, math.MaxInt/2 + 1} {
		if _, err := a.At(offset, sim.U64(2)); err == nil {
			t.Errorf("offset %d: no error", offset)
		}
	}
}
