package sim_test

import (
	"context"
	"slices"
	"testing"

	"girih/ptx/sim"
)

// follow reads a pointer from a buffer, and the word at that address. If the parameter reach is 1, it also reads the
// buffer with unknown contents.
const follow = `.version 8.0
.target sm_90
.address_size 64
.global .u32 seen = 7;
.visible .entry k(.param .u64 at, .param .u64 elsewhere, .param .u32 reach)
{
	.reg .b64 %a, %e; .reg .b32 %v, %r, %s; .reg .pred %p;
	ld.param.u64 %a, [at]; ld.param.u64 %e, [elsewhere]; ld.param.u32 %r, [reach];
	ld.global.u64 %a, [%a];
	ld.global.u32 %v, [%a]; ld.global.u32 %s, [seen]; add.u32 %v, %v, %s;
	st.global.u32 [%a+4], %v;
	setp.eq.u32 %p, %r, 1;
	@%p ld.global.u32 %v, [%e];
	@%p st.global.u32 [%a+4], %v;
}
`

func TestPlaces(t *testing.T) {
	t.Parallel()
	p := loadText(t, follow)
	const first, second, unknown = 0x7e0000000200, 0x7f8a00000210, 0x7f8b00000000
	for _, reach := range []uint32{0, 1} {
		m := memory(t, p)
		put := func(name string, address uint64, words []uint32) *sim.Buffer {
			var data []byte
			for _, w := range words {
				data = append(data, sim.U32(w).Bytes()...)
			}
			b, err := m.Place(name, address, int64(len(data)), data)
			if err != nil {
				t.Fatal(err)
			}
			if b.Address() != address {
				t.Errorf("%s is at 0x%x", name, b.Address())
			}
			return b
		}
		to := put("second", second, []uint32{35, 0})
		put("first", first, []uint32{second & 0xffffffff, second >> 32})
		put("between", first+16, []uint32{1, 2, 3, 4})
		if err := m.Reserve("vast", unknown, 1<<40); err != nil {
			t.Fatal(err)
		}
		later, err := m.Alloc("later", 64)
		if err != nil || later.Address() < unknown+1<<40 {
			t.Errorf("%v, at 0x%x", err, later.Address())
		}
		if v, err := m.Variable("seen"); err != nil || v.Bytes()[0] != 7 {
			t.Errorf("%v", err)
		}
		l := sim.Launch{Args: []sim.Arg{sim.U64(first), sim.U64(unknown + 4096), sim.U32(reach)}}
		_, err = p.Run(context.Background(), m, l)
		if reach == 0 {
			if got := get[uint32](t, to); err != nil || !slices.Equal(got, []uint32{35, 42}) {
				t.Errorf("%v %v", got, err)
			}
			continue
		}
		wants(t, err, sim.KindUnsupported, "vast", "0x7f8b00001000", "nobody said what that holds")
	}
}

// TestPlaceUnwritten checks that bytes of a placed buffer are unwritten if Place got no data.
func TestPlaceUnwritten(t *testing.T) {
	t.Parallel()
	p := loadText(t, follow)
	m := memory(t, p)
	b, err := m.Place("x", 4096, 64, nil)
	if err != nil || b.Written(0, 1) || len(b.Bytes()) != 64 {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), m, sim.Launch{Args: []sim.Arg{sim.Pointer(b, 0), sim.U64(0), sim.U32(0)}})
	wants(t, err, sim.KindUninitialised, "x")
}

func TestPlaceErrors(t *testing.T) {
	t.Parallel()
	m := memory(t, loadText(t, follow))
	seen, err := m.Variable("seen")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Place("a", 1<<40, 64, make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	if err := m.Reserve("b", 1<<50, 1<<20); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		address uint64
		n       int64
	}{
		{0, 16},
		{8, 16},
		{1 << 57, 16},
		{1<<57 - 16, 32},
		{1<<64 - 16, 32},
		{1<<40 + 48, 16},
		{1<<40 - 16, 32},
		{1<<50 + 16, 16},
		{0x710000000000, 16},       // the window of shared memory
		{0x7100fffffff0, 32},       // a range that ends in the window of shared memory
		{seen.Address() &^ 15, 32}, // the variable of the module
		{1 << 30, sim.MaxMemory},   // too large in addition to the other buffers
		{1 << 30, -1},
	} {
		if _, err := m.Place("c", c.address, c.n, nil); err == nil {
			t.Errorf("0x%x, %d bytes: no error", c.address, c.n)
		}
	}
	if _, err := m.Place("c", 1<<30, 32, make([]byte, 16)); err == nil {
		t.Error("16 bytes are 32")
	}
}
