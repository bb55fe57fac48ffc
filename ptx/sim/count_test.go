package sim_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// gather is a kernel whose lanes read words of x and of shared memory in a loop. at lists the indices of the words,
// round by round; for an index of 4096 or more there is no access.
const gather = `.version 8.0
.target sm_80
.address_size 64
.visible .entry gather(.param .u64 x, .param .u64 at, .param .u32 rounds)
{
	.reg .pred %p, %q;
	.reg .b32 %t, %r, %n, %i, %k, %s, %v, %tile;
	.reg .b64 %x, %at, %o, %g;
	.shared .align 128 .b8 tile[16384];
	ld.param.u64 %x, [x];
	ld.param.u64 %at, [at];
	ld.param.u32 %n, [rounds];
	mov.u32 %t, %tid.x;
	mov.u32 %tile, tile;
	mul.wide.u32 %o, %t, 4;
	add.u64 %at, %at, %o;
	mov.u32 %i, %t;
FILL:
	shl.b32 %s, %i, 2;
	add.u32 %s, %s, %tile;
	st.shared.u32 [%s], %i;
	add.u32 %i, %i, 32;
	setp.lt.u32 %p, %i, 4096;
	@%p bra FILL;
	bar.warp.sync -1;
	mov.u32 %r, 0;
ROUND:
	ld.global.u32 %k, [%at];
	setp.lt.u32 %q, %k, 4096;
	mul.wide.u32 %o, %k, 4;
	add.u64 %g, %x, %o;
	@%q ld.global.u32 %v, [%g];
	shl.b32 %s, %k, 2;
	add.u32 %s, %s, %tile;
	@%q ld.shared.u32 %v, [%s];
	add.u64 %at, %at, 128;
	add.u32 %r, %r, 1;
	setp.lt.u32 %p, %r, %n;
	@%p bra ROUND;
	ret;
}`

// lineOf returns the number of the line that contains a text.
func lineOf(t *testing.T, src, text string) int {
	t.Helper()
	before, _, ok := strings.Cut(src, text)
	if !ok {
		t.Fatalf("no %q", text)
	}
	return strings.Count(before, "\n") + 1
}

// TestCounts compares sectors and wavefronts with their definitions, for addresses that repeat, move and are random.
func TestCounts(t *testing.T) {
	t.Parallel()
	p := loadText(t, gather)
	rnd := rand.New(rand.NewPCG(1, 2))
	const rounds = 400
	var at []uint32
	sectors, bytes, wavefronts, conflicts, accesses := int64(0), int64(0), int64(0), int64(0), int64(0)
	base := uint32(0)
	for r := range rounds {
		stride := uint32(1)
		if r%7 > 2 {
			stride = uint32(rnd.IntN(40))
		}
		if r%3 == 0 {
			base = uint32(rnd.IntN(2000))
		}
		var words []uint32
		for lane := range uint32(32) {
			k := base + lane*stride
			switch {
			case r%11 == 5:
				k = uint32(rnd.IntN(4096))
			case r%13 == 4 && rnd.IntN(2) == 0, r%17 == 3 && lane != 9, r%19 == 4:
				k = 5000 // an index without an access
			}
			at = append(at, k)
			if k < 4096 {
				words = append(words, k)
			}
		}
		lines, banks, seen := map[uint32]bool{}, map[uint32]int64{}, map[uint32]bool{}
		most := int64(0)
		for _, k := range words {
			lines[k/8] = true
			if !seen[k] {
				seen[k] = true
				banks[k%32]++
				most = max(most, banks[k%32])
			}
		}
		sectors += int64(len(lines))
		bytes += 4 * int64(len(seen))
		wavefronts += most
		if most > 0 {
			conflicts += most - 1
			accesses++
		}
	}
	m := memory(t, p)
	data, _ := binary.Append(nil, binary.LittleEndian, at)
	index, err := m.Put("at", data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.Put("x", make([]byte, 4*4096))
	if err != nil {
		t.Fatal(err)
	}
	res, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(index, 0), sim.U32(rounds)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]sim.Traffic{
		lineOf(t, gather, "@%q ld.global"): {Accesses: accesses, Bytes: bytes, Sectors: sectors},
		lineOf(t, gather, "@%q ld.shared"): {Accesses: accesses, Bytes: bytes, Wavefronts: wavefronts, Conflicts: conflicts},
		lineOf(t, gather, "ld.global"):     {Accesses: rounds, Bytes: 128 * rounds, Sectors: 4 * rounds},
		lineOf(t, gather, "st.shared"):     {Accesses: 128, Bytes: 128 * 128, Wavefronts: 128},
	}
	var sum sim.Traffic
	for _, l := range res.Lines {
		sum.Add(l.Traffic)
		if w := want[l.Line]; l.Traffic != w {
			t.Errorf("line %d: %+v, want %+v", l.Line, l.Traffic, w)
		}
	}
	if sum != res.Traffic {
		t.Errorf("in all %+v, and the lines have %+v", res.Traffic, sum)
	}
}

// TestCountedKinds checks one access of each kind, by a whole warp, and accesses that no model covers.
func TestCountedKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want sim.Traffic
	}{
		{"ld.global.v4.u32 {%a, %b, %c, %d}, [%g16];", sim.Traffic{Accesses: 1, Bytes: 512, Sectors: 16}},
		{"ld.global.u8 %a, [%x];", sim.Traffic{Accesses: 1, Bytes: 1, Sectors: 1}},
		{"st.global.v2.u32 [%g128], {%t, %t};", sim.Traffic{Accesses: 1, Bytes: 256, Sectors: 32}},
		{"ld.v2.u32 {%a, %b}, [%g16];", sim.Traffic{Accesses: 1, Bytes: 256, Sectors: 16}},
		{"ld.u32 %a, [%gs];", sim.Traffic{Accesses: 1, Bytes: 128, Wavefronts: 1}},
		{"st.shared.u32 [%s128], %t;", sim.Traffic{Accesses: 1, Bytes: 128, Wavefronts: 32, Conflicts: 31}},
		{"st.shared.v4.u32 [%s16], {%t, %t, %t, %t};", sim.Traffic{Accesses: 1, Bytes: 512, Wavefronts: 4}},
		{"atom.global.add.u32 %a, [%x], 1;", sim.Traffic{Accesses: 1, Bytes: 4, Sectors: 32}},
		{"red.global.add.u32 [%g128], 1;", sim.Traffic{Accesses: 1, Bytes: 128, Sectors: 32}},
		{"red.shared.add.u32 [%s0], 1;", sim.Traffic{Accesses: 1, Bytes: 4, Wavefronts: 32, Conflicts: 31}},
		{"atom.shared.cas.b32 %a, [%s4], 0, 1;", sim.Traffic{Accesses: 1, Bytes: 128, Wavefronts: 2}},
		{"red.shared.add.f32 [%s4], 0f3f800000;", sim.Traffic{Accesses: 1, Unknown: 1}},
		{"cp.async.ca.shared.global [%s4], [%g4], 4;", sim.Traffic{Accesses: 1, Bytes: 128, Sectors: 4, Wavefronts: 1}},
		{"cp.async.cg.shared.global [%s16], [%g16], 16;", sim.Traffic{Accesses: 1, Bytes: 512, Sectors: 16}},
		{"cp.async.cg.shared.global [%s16], [%g16], 16, %sixteen;", sim.Traffic{Accesses: 1, Bytes: 256, Sectors: 8}},
		{"cp.async.ca.shared.global [%s16], [%g16], 8, 4;", sim.Traffic{Accesses: 1, Bytes: 256, Sectors: 16, Wavefronts: 4, Conflicts: 2, Unknown: 1}},
		{"st.local.u32 [l], %t;", sim.Traffic{Accesses: 1, Unknown: 1}},
		{"ld.const.u32 %a, [table];", sim.Traffic{}},
	} {
		src := `.version 8.0
.target sm_90
.address_size 64
.const .u32 table = 5;
.visible .entry k(.param .u64 x)
{
	.reg .b32 %t, %s0, %s4, %s16, %s128, %a, %b, %c, %d, %sixteen;
	.reg .b64 %x, %o, %g4, %g16, %g128, %gs;
	.reg .pred %p;
	.local .align 4 .b8 l[4];
	.shared .align 128 .b8 tile[8192];
	ld.param.u64 %x, [x];
	mov.u32 %t, %tid.x;
	mul.wide.u32 %o, %t, 4; add.u64 %g4, %x, %o;
	mul.wide.u32 %o, %t, 16; add.u64 %g16, %x, %o;
	mul.wide.u32 %o, %t, 128; add.u64 %g128, %x, %o;
	mov.u32 %s0, tile;
	mad.lo.u32 %s4, %t, 4, %s0; mad.lo.u32 %s16, %t, 16, %s0; mad.lo.u32 %s128, %t, 128, %s0;
	setp.lt.u32 %p, %t, 16; selp.u32 %sixteen, 16, 0, %p;
	cvt.u64.u32 %gs, %s4; cvta.shared.u64 %gs, %gs;
	mov.u32 %a, %s0; add.u32 %b, %a, 8192;
	mov.u32 %c, %t;
ZERO:
	shl.b32 %d, %c, 2; add.u32 %d, %d, %a; st.shared.u32 [%d], 0; add.u32 %c, %c, 32;
	setp.lt.u32 %p, %c, 2048;
	@%p bra ZERO;
	bar.warp.sync -1;
	` + c.text + ` // here
	ret;
}`
		p := loadText(t, src)
		m := memory(t, p)
		x, err := m.Put("x", make([]byte, 8192))
		if err != nil {
			t.Fatal(err)
		}
		res, err := p.Run(context.Background(), m, sim.Launch{
			Entry: "k", Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(x, 0)},
		})
		// Lanes that write to one place race; such accesses are counted too.
		if f := findingOf(err); err != nil && (f == nil || f.Kind != sim.KindRace) {
			t.Errorf("%s: %v", c.text, err)
		}
		here := lineOf(t, src, "// here")
		for _, l := range res.Lines {
			if l.Line == here && l.Traffic != c.want {
				t.Errorf("%s: %+v, want %+v", c.text, l.Traffic, c.want)
			}
		}
	}
}

// TestEventsAreFew checks that a run records as many events as the launch allows, and counts the others.
func TestEventsAreFew(t *testing.T) {
	t.Parallel()
	for _, c := range corpus(t) {
		if c.name != "bar_mbarrier" {
			continue
		}
		all, few := c.events(t, 1<<16), c.events(t, 10)
		if len(all.Events) < 40 || all.Missed != 0 || len(few.Events) != 10 ||
			int64(len(few.Events))+few.Missed != int64(len(all.Events)) {
			t.Errorf("%d and %d events, %d and %d missed", len(all.Events), len(few.Events), all.Missed, few.Missed)
		}
		last := int64(0)
		waits := map[int]bool{}
		for _, e := range all.Events {
			if e.Time < last || e.Time > all.Instructions {
				t.Errorf("%+v: behind %d, of %d", e, last, all.Instructions)
			}
			last = e.Time
			switch e.Kind {
			case sim.EventWait, sim.EventResume:
				if waits[e.Warp] == (e.Kind == sim.EventWait) && e.Block == all.Events[0].Block {
					t.Errorf("%+v: warp waits %v", e, waits[e.Warp])
				}
				if e.Block == all.Events[0].Block {
					waits[e.Warp] = e.Kind == sim.EventWait
				}
			}
		}
	}
}

// events returns the result of a run that records events.
func (c corpusCase) events(t *testing.T, most int) *sim.Result {
	t.Helper()
	r, err := c.inputs.New(c.program)
	if err != nil {
		t.Fatal(err)
	}
	r.Launch.Events = most
	res, err := c.program.Run(context.Background(), r.Memory, r.Launch)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func findingOf(err error) *sim.Finding {
	f, _ := err.(*sim.Finding) //nolint:errorlint // Run returns no other
	return f
}
