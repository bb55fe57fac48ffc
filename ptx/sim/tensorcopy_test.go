package sim_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/ptx/sim"
	"girih/tensormap"
)

// boxKernel returns a program whose kernel loads a box at the coordinates %c0 to %c4 with one map, executes middle, and
// stores the box with another map. The maps and coordinates are parameters.
func boxKernel(t testing.TB, rank int, mode [2]string, middle string) *sim.Program {
	t.Helper()
	c := strings.Join([]string{"%c0", "%c1", "%c2", "%c3", "%c4"}[:rank], ", ")
	dim := min(rank, 5)
	if strings.Contains(mode[0], "4") {
		dim = 2
	}
	return loadText(t, fmt.Sprintf(`.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 arena[];
.visible .entry k(.param .align 64 .b8 from[128], .param .align 64 .b8 to[128], .param .u32 bytes, .param .u32 place, .param .align 4 .b8 coord[20])
{
	.reg .pred %%p<2>;
	.reg .b32 %%r<8>, %%c<5>, %%at, %%bytes, %%bar;
	.reg .b64 %%rd<8>, %%from, %%to;
	.shared .align 8 .b64 full;
	mov.b64 %%rd0, from; cvta.param.u64 %%from, %%rd0;
	mov.b64 %%rd0, to; cvta.param.u64 %%to, %%rd0;
	ld.param.u32 %%bytes, [bytes]; ld.param.u32 %%at, [place];
	ld.param.u32 %%c0, [coord]; ld.param.u32 %%c1, [coord+4]; ld.param.u32 %%c2, [coord+8]; ld.param.u32 %%c3, [coord+12]; ld.param.u32 %%c4, [coord+16];
	mov.u32 %%bar, full; mov.u32 %%r0, arena; add.u32 %%at, %%at, %%r0;
	mbarrier.init.shared::cta.b64 [%%bar], 1; fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %%bytes;
	cp.async.bulk.tensor.%dd.shared::cluster.global%s.mbarrier::complete_tx::bytes [%%at], [%%from, {%s}], [%%bar];
L:	mbarrier.try_wait.parity.shared::cta.b64 %%p0, [%%bar], 0; @!%%p0 bra L;
	%s
	cp.async.bulk.tensor.%dd.global.shared::cta%s.bulk_group [%%to, {%s}], [%%at];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
	st.shared.v4.u32 [%%at], {%%r0, %%r0, %%r0, %%r0}; st.shared.v4.u32 [%%at+32], {%%r0, %%r0, %%r0, %%r0};
	cp.async.bulk.wait_group 0;
}
`, dim, mode[0], c, middle, dim, mode[1], c))
}

// object returns a map as an argument.
func object(t testing.TB, m tensormap.Map) sim.Arg {
	t.Helper()
	a, err := sim.TensorMap(m)
	if err != nil {
		t.Fatalf("%s: %v", m, err)
	}
	return a
}

// coordinates returns five coordinates as an argument.
func coordinates(c []int64) sim.Arg {
	b := make([]byte, 20)
	for i, x := range c {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
	}
	return sim.Bytes(b)
}

// TestTensorStores copies boxes of all ranks, types, swizzles and steps from one tensor to another of the same extents.
// Elements inside are copied, fills end with the 16 bytes in which a row ends, and all other bytes stay.
func TestTensorStores(t *testing.T) {
	t.Parallel()
	types := []tensormap.Type{
		tensormap.UInt8, tensormap.UInt16, tensormap.Float16, tensormap.Int32, tensormap.Float32, tensormap.UInt64,
	}
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 200 {
		rank := 1 + r.IntN(5)
		typ := types[r.IntN(len(types))]
		size := typ.Bits() / 8
		m := tensormap.Map{Type: typ, Swizzle: tensormap.Swizzle(r.IntN(4))}
		row := int64(16 << r.IntN(3))
		if span := m.Swizzle.Span(); span > 0 {
			row = min(row, span)
		}
		var at []int64
		stride := int64(0)
		for i := range rank {
			extent, box, step := 1+r.Int64N(9), 1+r.Int64N(4), 1+r.Int64N(2)
			if i == 0 {
				extent, box, step = 1+r.Int64N(2*row/size), row/size, 1
				at = append(at, r.Int64N(3)*16/size)
				stride = (extent*size + 15) / 16 * 16
			} else {
				m.Strides = append(m.Strides, stride)
				stride *= extent + r.Int64N(2)
				at = append(at, r.Int64N(extent+2))
			}
			m.Dims, m.Box, m.Steps = append(m.Dims, extent), append(m.Box, box), append(m.Steps, step)
		}
		p := boxKernel(t, rank, [2]string{}, "")
		mem := memory(t, p)
		data := make([]byte, stride)
		for i := range data {
			data[i] = byte(1 + r.IntN(255))
		}
		from, to := put(t, mem, data), put(t, mem, make([]byte, len(data)))
		source, target := m, m
		source.Address, target.Address = from.Address(), to.Address()
		if _, err := p.Run(context.Background(), mem, sim.Launch{
			Shared: 64 << 10,
			Args: []sim.Arg{
				object(t, source), object(t, target), sim.U32(uint32(m.Bytes())), sim.U32(uint32(128 * r.IntN(8))), coordinates(at),
			},
		}); err != nil {
			t.Fatalf("%s at %v: %v", m, at, err)
		}
		// Copy each element of the box, in loops.
		want := make([]byte, len(data))
		var walk func(i int, offset int64)
		walk = func(i int, offset int64) {
			if i == 0 {
				for x := at[0]; x < at[0]+m.Box[0] && x < m.Dims[0]; x++ {
					copy(want[offset+x*size:], data[offset+x*size:offset+(x+1)*size])
				}
				return
			}
			for k := int64(0); k < m.Box[i]; k += m.Steps[i] {
				if x := at[i] + k; x < m.Dims[i] {
					walk(i-1, offset+x*m.Strides[i-1])
				}
			}
		}
		walk(rank-1, 0)
		if got := to.Bytes(); !slices.Equal(got, want) {
			t.Fatalf("case %d, %s at %v: got %x, want %x", n, m, at, got, want)
		}
	}
}

// TestTensorFourBits copies elements of 4 bits, from an even or odd element on, and beyond the end of the tensor.
func TestTensorFourBits(t *testing.T) {
	t.Parallel()
	p := boxKernel(t, 1, [2]string{}, "")
	for _, at := range []int64{0, 3, 32, 101} {
		m := memory(t, p)
		data := make([]byte, 64)
		for i := range data {
			data[i] = byte(37*i + 11)
		}
		from, to := put(t, m, data), put(t, m, make([]byte, 64))
		tm := tensormap.Map{Type: tensormap.U4Align8, Dims: []int64{128}, Box: []int64{32}}
		source, target := tm, tm
		source.Address, target.Address = from.Address(), to.Address()
		run(t, p, m, sim.Launch{
			Shared: 256, Args: []sim.Arg{object(t, source), object(t, target), sim.U32(16), sim.U32(0), coordinates([]int64{at})},
		})
		want := make([]byte, 64)
		for i := at; i < min(at+32, 128); i++ {
			want[i/2] |= data[i/2] & (15 << (i % 2 * 4))
		}
		if !slices.Equal(to.Bytes(), want) {
			t.Errorf("from %d on: got %x, want %x", at, to.Bytes(), want)
		}
	}
}

// TestTensorStoresBeyond stores to a row of 36 bytes. The rest of its last 16 bytes is written if it is inside the
// buffer.
func TestTensorStoresBeyond(t *testing.T) {
	t.Parallel()
	for size, end := range map[int]int{36: 36, 44: 44, 48: 48, 64: 48} {
		p := kernelOf(t, "", fillArena+`
	mov.u32 %r0, arena; mov.u32 %r1, 8; setp.ne.u32 %p7, %t, 0; @%p7 bra END;
	cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%out, {%r1}], [%r0+128];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:`)
		m := memory(t, p)
		data, err := m.Put("data", make([]byte, size))
		if err != nil {
			t.Fatal(err)
		}
		tm := put(t, m, object(t, tensormap.Map{
			Type: tensormap.UInt32, Address: data.Address(), Dims: []int64{9}, Box: []int64{8},
		}).Bytes())
		run(t, p, m, sim.Launch{Block: sim.Dim{X: 256}, Shared: 4096, Args: []sim.Arg{sim.Pointer(tm, 0)}})
		for i, v := range data.Bytes() {
			want := byte(0)
			if i >= 32 && i < end && i%4 == 0 {
				want = byte(32 + i/4 - 8)
			}
			if v != want {
				t.Errorf("%d bytes: byte %d is %d, want %d", size, i, v, want)
			}
		}
	}
}

// TestTensorPairs checks that loads for a pair of blocks signal the barriers of one block of the pair (.cta_group::2).
func TestTensorPairs(t *testing.T) {
	t.Parallel()
	p := kernelOf(t, "", fillArena+withBarrier+`
	mov.u32 %r2, arena; mov.u32 %r0, 0; mov.u16 %h0, 15; mov.u32 %r4, 2;
	mapa.shared::cluster.u32 %r8, %bar, %r4;
	setp.ne.u32 %p5, %rank, 1; or.pred %p5, %p5, %p7;
	@!%p5 cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2 [%r2], [%out, {%r0}], [%r8], %h0;
	and.b32 %r5, %rank, 1; setp.eq.u32 %p4, %r5, 1; @%p4 bra END;
	@!%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 128;`+wait+"END:"+sync+`
	shl.b32 %r31, %t, 2; add.u32 %r30, %r2, %r31;
	mad.lo.u32 %r31, %rank, 1024, %r31; cvt.u64.u32 %rd31, %r31; add.u64 %rd31, %out, %rd31;
	ld.shared.u32 %r29, [%r30]; st.global.u32 [%rd31+128], %r29;`)
	m := memory(t, p)
	data := put(t, m, numbered(16))
	tm := object(t, tensormap.Map{
		Type: tensormap.UInt32, Address: data.Address(), Dims: []int64{16}, Box: []int64{16},
	}).Bytes()
	out, err := m.Put("out", append(tm, make([]byte, 4096)...))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: 4}, Cluster: sim.Dim{X: 4}, Block: sim.Dim{X: 256}, Shared: 4096, Args: []sim.Arg{sim.Pointer(out, 0)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range get[uint32](t, out)[32:] {
		want := uint32(i % 256)
		if i%256 < 16 {
			want = numbered(16)[i%256]
		}
		if v != want {
			t.Fatalf("block %d, word %d: got %#x, want %#x", i/256, i%256, v, want)
		}
	}
}

// TestTensorFourRows copies rows at arbitrary places, some of them outside the tensor.
func TestTensorFourRows(t *testing.T) {
	t.Parallel()
	p := boxKernel(t, 5, [2]string{".tile::gather4", ".tile::scatter4"}, "add.u32 %c4, %c4, 1;")
	m := memory(t, p)
	data := numbered(16 * 32)
	from, to := put(t, m, data), put(t, m, make([]uint32, 16*32))
	tm := tensormap.Map{
		Type: tensormap.UInt32, Dims: []int64{30, 10}, Strides: []int64{128}, Box: []int64{16, 1},
		Swizzle: tensormap.Swizzle64B,
	}
	source, target := tm, tm
	source.Address, target.Address = from.Address(), to.Address()
	run(t, p, m, sim.Launch{
		Shared: 4096, Args: []sim.Arg{
			object(t, source), object(t, target), sim.U32(256), sim.U32(128), coordinates([]int64{16, 7, 2, 10, 8}),
		},
	})
	want := make([]uint32, 16*32)
	for _, y := range [][2]int{{7, 7}, {2, 2}, {8, 9}} {
		for x := 16; x < 30; x++ {
			want[y[1]*32+x] = data[y[0]*32+x]
		}
	}
	if got := get[uint32](t, to); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestTensorPixels copies a column of pixels and stores the column back to its place.
func TestTensorPixels(t *testing.T) {
	t.Parallel()
	p := boxKernel(t, 4, [2]string{".im2col", ".im2col_no_offs"}, "")
	m := memory(t, p)
	data := numbered(8 * 6 * 5 * 3)
	from, to := put(t, m, data), put(t, m, make([]uint32, len(data)))
	tm := tensormap.Map{
		Mode: tensormap.Im2col, Type: tensormap.UInt32, Dims: []int64{8, 6, 5, 3}, Strides: []int64{32, 192, 960},
		Lower: []int64{0, 0}, Upper: []int64{-1, -2}, Channels: 4, Pixels: 20,
	}
	source, target := tm, tm
	source.Address, target.Address = from.Address(), to.Address()
	run(t, p, m, sim.Launch{
		Shared: 4096, Args: []sim.Arg{
			object(t, source), object(t, target), sim.U32(320), sim.U32(0), coordinates([]int64{4, 3, 1, 1}),
		},
	})
	want := make([]uint32, len(data))
	x, y, n := 3, 1, 1
	for range 20 {
		if n < 3 {
			i := ((n*5+y)*6+x)*8 + 4
			copy(want[i:i+4], data[i:i+4])
		}
		if x++; x == 6-1 {
			x = 0
			if y++; y == 5-2 {
				y = 0
				n++
			}
		}
	}
	if got := get[uint32](t, to); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestTensorReductions checks the results of an H100 for a word of global and a word of shared memory, and the
// instructions that are illegal on an H100.
func TestTensorReductions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind      tensormap.Type
		op        string
		old, with uint32
		want      uint32
		illegal   bool
	}{
		{tensormap.Float32, "add", 0x11, 0x33, 0x44, false}, // these are subnormal numbers
		{tensormap.Float32FTZ, "add", 0x11, 0x33, 0, false},
		{tensormap.Float16, "add", 0x110011, 0x330033, 0x440044, false},
		{tensormap.BFloat16, "add", 0x110011, 0x330033, 0x440044, false},
		{tensormap.Float32, "add", 0x7fc12345, 0x3f800000, 0x7fffffff, false},
		{tensormap.Float32, "add", 0x3f800000, 0xffc12345, 0x7fffffff, false},
		{tensormap.Float32, "add", 0x7f800000, 0xff800000, 0x7fffffff, false},
		{tensormap.Float16, "add", 0x7e017c00, 0x3c00fc00, 0x7fff7fff, false},
		{tensormap.BFloat16, "add", 0x7fc17f80, 0x3f80ff80, 0x7fff7fff, false},
		{tensormap.Float16, "min", 0x7e013c00, 0x3c007e01, 0x3c003c00, false},
		{tensormap.Float16, "max", 0x80000000, 0x00008000, 0, false},
		{tensormap.BFloat16, "min", 0x7fc13f80, 0x3f807fc1, 0x3f803f80, false},
		{tensormap.Float16, "min", 0x7e017e01, 0x7e037e03, 0x7fff7fff, false},
		{tensormap.TFloat32, "add", 0x3f800001, 0x3f801fff, 0x40001000, false},
		{tensormap.Float16, "add", 0x7bff7bff, 0x7bff7bff, 0x7c007c00, false},
		{tensormap.Float64, "add", 0x11, 0x33, 0x44, false},
		{tensormap.Int64, "min", 1, 0x80000000, 0x80000000, false}, // a negative number
		{tensormap.UInt64, "add", 9, 8, 17, false},
		{tensormap.Int64, "add", 9, 8, 0, true},
		{tensormap.UInt8, "add", 9, 8, 0, true},
		{tensormap.Float32, "min", 9, 8, 0, true},
	} {
		p := kernelOf(t, "", fmt.Sprintf(`
	setp.ne.u32 %%p7, %%t, 0; mov.u32 %%r0, arena;
	shl.b32 %%r1, %%t, 2; add.u32 %%r1, %%r1, %%r0; mov.u32 %%r2, %d; st.shared.u32 [%%r1], %%r2; fence.proxy.async.shared::cta; bar.sync 0;
	mov.u32 %%r3, 0;
	@!%%p7 cp.reduce.async.bulk.tensor.1d.global.shared::cta.%s.tile.bulk_group [%%out, {%%r3}], [%%r0];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`, c.with, c.op))
		m := memory(t, p)
		data := make([]uint32, 8)
		for i := range data {
			data[i] = c.old
		}
		tensor := put(t, m, data)
		n := 32 / (c.kind.Bits() / 8)
		tm := put(t, m, object(t, tensormap.Map{
			Type: c.kind, Address: tensor.Address(), Dims: []int64{n}, Box: []int64{n},
		}).Bytes())
		_, err := p.Run(context.Background(), m, sim.Launch{
			Block: sim.Dim{X: 32}, Shared: 128, Args: []sim.Arg{sim.Pointer(tm, 0)},
		})
		if c.illegal {
			wants(t, err, sim.KindArgument, "no ."+c.op+" of elements")
			continue
		}
		if err != nil {
			t.Fatalf("%s, %s: %v", c.kind, c.op, err)
		}
		for i, v := range get[uint32](t, tensor) {
			if v != c.want {
				t.Fatalf("%s, .%s of %#x and %#x, word %d: got %#x, want %#x", c.kind, c.op, c.old, c.with, i, v, c.want)
			}
		}
	}
}

func TestTensorFaults(t *testing.T) {
	t.Parallel()
	const load = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
	const store = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
	for name, c := range map[string]struct {
		kind   sim.Kind
		says   []string
		change func(m *tensormap.Map)
		body   string
	}{
		"place": {
			sim.KindAlign,
			[]string{"128", "cp.async.bulk.tensor"},
			nil,
			load + "[%r2+64], [%out, {%r0, %r0}], [%bar];",
		},
		"column": {
			sim.KindArgument,
			[]string{"coordinate 0 is 1", "multiple of 16"},
			nil,
			load + "[%r2], [%out, {%r1, %r0}], [%bar];",
		},
		"below": {sim.KindArgument, []string{"coordinate 1 of a store is -1"}, nil, store + "[%out, {%r0, %r9}], [%r2];"},
		"rank": {
			sim.KindArgument,
			[]string{"2 dimensions"},
			nil,
			strings.Replace(load, "2d", "1d", 1) + "[%r2], [%out, {%r0}], [%bar];",
		},
		"mode": {
			sim.KindArgument,
			[]string{"im2col"},
			nil,
			strings.Replace(load, "2d.", "3d.im2col.", 1) + "[%r2], [%out, {%r0, %r0, %r0}], [%bar], {%h0};",
		},
		"no map":     {sim.KindArgument, []string{"no tensor map"}, nil, load + "[%r2], [%rd9, {%r0, %r0}], [%bar];"},
		"map off 64": {sim.KindAlign, []string{"64"}, nil, load + "[%r2], [%out+32, {%r0, %r0}], [%bar];"},
		"map shared": {
			sim.KindArgument,
			[]string{"shared memory"},
			nil,
			"cvt.u64.u32 %rd8, %r2; cvta.shared.u64 %rd8, %rd8; " + load + "[%r2], [%rd8, {%r0, %r0}], [%bar];",
		},
		"map nowhere": {
			sim.KindBounds,
			[]string{"128 bytes read"},
			nil,
			"mov.u64 %rd8, 64; " + load + "[%r2], [%rd8, {%r0, %r0}], [%bar];",
		},
		"other block": {
			sim.KindArgument,
			[]string{"block 1 of the cluster"},
			nil,
			load + "[%r2], [%out, {%r0, %r0}], [%r8];",
		},
		"too large": {
			sim.KindBounds,
			[]string{"a box of the tensor"},
			func(m *tensormap.Map) { m.Dims[1] = 1 << 20; m.Strides[0] = 4096 },
			load + "[%r2], [%out, {%r0, %r0}], [%bar];",
		},
		"shared end": {sim.KindBounds, []string{"256 bytes written"}, nil, load + "[%r2+3968], [%out, {%r0, %r0}], [%bar];"},
		"four": {
			sim.KindArgument,
			[]string{"boxDim[1] is 1"},
			nil,
			strings.Replace(load, "2d.", "2d.tile::gather4.", 1) + "[%r2], [%out, {%r0, %r0, %r0, %r0, %r0}], [%bar];",
		},
		"replaced": {
			sim.KindArgument,
			[]string{"globalAddress"},
			nil,
			"mov.u64 %rd8, 3; tensormap.replace.tile.global_address.global.b1024.b64 [%out], %rd8; " +
				"fence.proxy.tensormap::generic.acquire.gpu [%out], 128; " + load + "[%r2], [%out, {%r0, %r0}], [%bar];",
		},
		"replaced by too much": {
			sim.KindArgument,
			[]string{"257", "256"},
			nil,
			"tensormap.replace.tile.box_dim.global.b1024.b32 [%out], 1, 257;",
		},
		"replaced off map": {
			sim.KindArgument,
			[]string{"boxDim[0] is 1", "no multiple of 16"},
			nil,
			"tensormap.replace.tile.box_dim.global.b1024.b32 [%rd9], 1, 2; " +
				"fence.proxy.tensormap::generic.acquire.gpu [%rd9], 128; " + load + "[%r2], [%rd9, {%r0, %r0}], [%bar];",
		},
		"prefetched": {
			sim.KindArgument,
			[]string{"multiple of 16"},
			nil,
			"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%out, {%r1, %r0}];",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := kernelOf(t, "", withBarrier+`
	mov.u32 %r2, arena; mov.u32 %r0, 0; mov.u32 %r1, 1; mov.u32 %r9, -1; mov.u16 %h0, 0; add.u64 %rd9, %out, 128;
	xor.b32 %r8, %rank, 1; mapa.shared::cluster.u32 %r8, %bar, %r8;
	setp.ne.u32 %p5, %rank, 0; or.pred %p5, %p5, %p7; @%p5 bra END;
	`+c.body+"\nEND:"+sync)
			m := memory(t, p)
			data := put(t, m, numbered(1024))
			tm := tensormap.Map{
				Type: tensormap.UInt32, Address: data.Address(), Dims: []int64{64, 16}, Strides: []int64{256}, Box: []int64{8, 8},
			}
			if c.change != nil {
				c.change(&tm)
			}
			maps := put(t, m, append(object(t, tm).Bytes(), make([]byte, 128)...))
			_, err := p.Run(context.Background(), m, sim.Launch{
				Grid: sim.Dim{X: 2}, Cluster: sim.Dim{X: 2}, Block: sim.Dim{X: 32}, Shared: 4096,
				Args: []sim.Arg{sim.Pointer(maps, 0)},
			})
			wants(t, err, c.kind, c.says...)
		})
	}
}
