package sim_test

import (
	"context"
	"strings"
	"testing"

	"girih/ptx/sim"
	"girih/tensormap"
)

// TestNoncoherentLoads checks ld.global.nc after stores of the same kernel. It is a fault only if they share bytes,
// whatever comes between them, and whether or not the store changes the value. A store after the load is not a fault.
func TestNoncoherentLoads(t *testing.T) {
	t.Parallel()
	const (
		load  = "ld.global.nc.u32 %r5, [%po]; //!\n"
		store = "st.global.u32 [%po], %t; //!\n"
		meet  = "membar.gl;\nbar.sync 0;\n"
	)
	bulk := "@%p0 mbarrier.init.shared.b64 [%m], 1;\nst.shared.u32 [%st], %t;\nfence.proxy.async;\nbar.sync 0;\n" +
		"@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; //!\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nbar.sync 0;\n"
	trials(t, []trial{
		{name: "a load, then a store", body: unmarked(load + meet + store)},
		{name: "a store, then a load", body: store + meet + load, kind: sim.KindNoncoherent, text: "which the kernel has written at line 16"},
		{name: "of the same thread", body: store + load, kind: sim.KindNoncoherent},
		{name: "of a value that is there", body: "st.global.u32 [%po], 0; //!\n" + meet + load, kind: sim.KindNoncoherent},
		{name: "of another block", grid: 2, body: "xor.b32 %r6, %g, 64;\nmad.wide.u32 %rd5, %r6, 4, %out;\nld.global.nc.u32 %r5, [%rd5]; //!\n" + store, kind: sim.KindRace, or: sim.KindNoncoherent},
		{name: "one byte of a vector", body: "mad.wide.u32 %rd5, %t, 16, %out;\n@%p0 st.global.u8 [%rd5+15], %t; //!\n" + meet + "ld.global.nc.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5]; //!\n", kind: sim.KindNoncoherent},
		{name: "the byte after a vector", body: "mad.wide.u32 %rd5, %t, 32, %out;\nst.global.u8 [%rd5+16], %t;\n" + meet + "ld.global.nc.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];\n"},
		{name: "lane by lane", body: "@%p1 add.u64 %po, %po, 1024;\n" + store + meet + load, kind: sim.KindNoncoherent},
		{name: "an atomic", body: "red.global.add.u32 [%po], 0; //!\n" + meet + load, kind: sim.KindNoncoherent},
		{name: "an exchange that does not happen", body: "atom.global.cas.b32 %r6, [%po], 7, 9;\n" + meet + unmarked(load)},
		{name: "a bulk copy", body: bulk + load, kind: sim.KindNoncoherent, or: sim.KindRace},
		{name: "ld.global", body: unmarked(store + meet + strings.ReplaceAll(load, ".nc", ""))},
		{name: "bytes that are only read", body: "ld.global.nc.u32 %r5, [%pi];\nst.global.u32 [%po], %r5;\n", want: func(i int) uint32 { return uint32(i) }},
		{name: "a shared cache line", body: "add.u64 %rd5, %out, 8192;\nmad.wide.u32 %rd5, %t, 8, %rd5;\nst.global.u32 [%rd5], %t;\n" + meet + "ld.global.nc.u32 %r5, [%rd5+4];\n"},
	})
}

// unmarked returns body without the marks of findings.
func unmarked(body string) string { return strings.ReplaceAll(body, "//!", "") }

// TestMapsThatChange checks copies with tensor maps that the kernel has changed, with and without the fence that makes
// the change visible to copies.
func TestMapsThatChange(t *testing.T) {
	t.Parallel()
	const (
		load    = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%map, {%r1, %r1}], [%bar];\n"
		wait    = "L: mbarrier.try_wait.parity.shared::cta.b64 %p0, [%bar], 0; @!%p0 bra L;\n"
		change  = "tensormap.replace.tile.global_address.global.b1024.b64 [%map], %data;\n"
		plain   = "ld.global.u64 %rd1, [%map+64]; st.global.u64 [%map+64], %rd1;\n"
		acquire = "fence.proxy.tensormap::generic.acquire.gpu [%map], 128;\n"
		next    = "fence.proxy.tensormap::generic.acquire.gpu [%map+128], 128;\n"
		release = "fence.proxy.tensormap::generic.release.gpu;\n"
		copied  = "LOOP: cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %map, %rd2; ld.global.u64 %rd1, [%rd3]; add.u32 %r5, %r0, %r4; st.shared.u64 [%r5+1024], %rd1;" +
			"add.u32 %r4, %r4, 8; setp.lt.u32 %p1, %r4, 128; @%p1 bra LOOP; add.u32 %r5, %r0, 1024;\n" +
			"tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r5], %data;\n" +
			"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%map], [%r5], 128;\n"
	)
	for name, c := range map[string]struct {
		body string
		kind sim.Kind
		says string
	}{
		"not changed":               {load + wait, "", ""},
		"acquired":                  {change + release + acquire + load + wait, "", ""},
		"replaced":                  {change + release + load + wait, sim.KindRace, "tensormap.replace.tile.global_address.global.b1024.b64 at line"},
		"acquired before":           {acquire + change + release + load + wait, sim.KindRace, "fence.proxy.tensormap::generic.acquire"},
		"stored":                    {plain + release + load + wait, sim.KindRace, "st.global.u64"},
		"stored and acquired":       {plain + release + acquire + load + wait, "", ""},
		"another is acquired":       {change + release + next + load + wait, sim.KindRace, ""},
		"made in shared memory":     {copied + load + wait, sim.KindRace, "tensormap.cp_fenceproxy"},
		"made there and acquired":   {copied + acquire + load + wait, "", ""},
		"with a map in a parameter": {strings.ReplaceAll(load, "%map", "%param") + wait, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := loadText(t, `.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 arena[];
.visible .entry k(.param .u64 m, .param .u64 d, .param .align 64 .b8 map[128])
{
	.reg .pred %p<3>; .reg .b32 %r<8>, %bar; .reg .b64 %map, %data, %param, %rd<5>;
	.shared .align 8 .b64 full;
	ld.param.u64 %map, [m]; ld.param.u64 %data, [d]; mov.u32 %bar, full; mov.u32 %r0, arena; mov.u32 %r1, 0; mov.u32 %r4, 0;
	mov.b64 %param, map; cvta.param.u64 %param, %param;
	mbarrier.init.shared::cta.b64 [%bar], 1; fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 32;
	`+c.body+`
}
`)
			m := memory(t, p)
			data := put(t, m, numbered(36))
			tm := object(t, tensormap.Map{
				Type: tensormap.UInt32, Address: data.Address(), Dims: []int64{12, 3}, Strides: []int64{48}, Box: []int64{4, 2},
			})
			const before = 4096 - 64 // so that the map is in two pages of the log
			maps := put(t, m, append(append(make([]byte, before), tm.Bytes()...), tm.Bytes()...))
			l := sim.Launch{
				Block: sim.Dim{X: 1}, Shared: 2048, Args: []sim.Arg{sim.Pointer(maps, before), sim.Pointer(data, 0), tm},
			}
			_, err := p.Run(context.Background(), m, l)
			if c.kind == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wants(t, err, c.kind, c.says)
		})
	}
}
