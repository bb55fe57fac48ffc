package sim_test

import (
	"context"
	"testing"

	"girih/ptx/sim"
	"girih/tensormap"
)

// TestTensorMapInUse checks that a map is in use until its copy has completed or a wait shows that the map was read.
func TestTensorMapInUse(t *testing.T) {
	t.Parallel()
	const (
		load   = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%map, {%r1, %r1}], [%bar];\n"
		again  = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0+128], [%map, {%r1, %r1}], [%bar];\n"
		store  = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {%r1, %r1}], [%r0];\n"
		change = "tensormap.replace.tile.global_address.global.b1024.b64 [%map], %data;\n"
		plain  = "st.global.u64 [%map], %data;\n"
		wait   = "L: mbarrier.try_wait.parity.shared::cta.b64 %p0, [%bar], 0; @!%p0 bra L;\n"
		group  = "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\n"
		whole  = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
		late   = "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1;\n"
		fill   = "st.shared.v4.u32 [%r0], {%r1, %r1, %r1, %r1}; st.shared.v4.u32 [%r0+16], {%r1, %r1, %r1, %r1}; fence.proxy.async;\n"
	)
	for name, c := range map[string]struct {
		body string
		kind sim.Kind
		says string
	}{
		"waited":            {load + wait + change, "", ""},
		"grouped":           {load + group + change + wait, "", ""},
		"replaced":          {load + change + wait, sim.KindWritePending, "cp.async.bulk.tensor.2d"},
		"written":           {load + plain + wait, sim.KindWritePending, "mbarrier.try_wait"},
		"grouped too late":  {load + late + change + wait, sim.KindWritePending, "mbarrier.try_wait"},
		"stored and read":   {fill + store + group + change, "", ""},
		"stored":            {fill + store + whole + change, "", ""},
		"stored too early":  {fill + store + change + group, sim.KindWritePending, "cp.async.bulk.wait_group"},
		"stored, a later N": {fill + store + late + change + group, sim.KindWritePending, "cp.async.bulk.tensor.2d"},
		"used again":        {load + again + wait + change, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx := "32"
			if name == "used again" {
				tx = "64"
			}
			p := loadText(t, `.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 arena[];
.visible .entry k(.param .u64 m, .param .u64 d)
{
	.reg .pred %p<3>; .reg .b32 %r<8>, %bar; .reg .b64 %map, %data;
	.shared .align 8 .b64 full;
	ld.param.u64 %map, [m]; ld.param.u64 %data, [d]; mov.u32 %bar, full; mov.u32 %r0, arena; mov.u32 %r1, 0;
	mbarrier.init.shared::cta.b64 [%bar], 1; fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], `+tx+`;
	`+c.body+`
}
`)
			m := memory(t, p)
			data := put(t, m, numbered(36))
			tm := object(t, tensormap.Map{
				Type: tensormap.UInt32, Address: data.Address(), Dims: []int64{12, 3}, Strides: []int64{48}, Box: []int64{4, 2},
			})
			maps := put(t, m, tm.Bytes())
			l := sim.Launch{Block: sim.Dim{X: 1}, Shared: 256, Args: []sim.Arg{sim.Pointer(maps, 0), sim.Pointer(data, 0)}}
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
