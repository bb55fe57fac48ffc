package sim_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"girih/internal/machine/runfile"
	"girih/ptx"
	"girih/ptx/sim"
)

// TestRecordCorpus records every kernel of the corpus that has no mistake. The run does the same as without a
// recording, and each byte of global memory that the recording says is a copy of another byte, at the start of the
// run, is one.
func TestRecordCorpus(t *testing.T) {
	t.Parallel()
	files := readArchive(t, "testdata/corpus.tar.gz")
	list := corpus(t)
	copied, recorded := 0, 0
	for _, c := range list {
		if c.broken() || testing.Short() && len(c.name)%4 != 0 {
			continue
		}
		m, err := ptx.Parse(string(files[c.file.PTX]))
		if err != nil {
			t.Fatal(err)
		}
		if c.program, err = sim.LoadRecorded(m); err != nil {
			t.Fatal(err)
		}
		_, want, err := c.run(t, 0)
		if err != nil || want.Instructions > 200_000 {
			continue
		}
		run, err := c.inputs.New(c.program)
		if err != nil {
			t.Fatal(err)
		}
		rec := &sim.Recording{Pieces: 1 << 22}
		run.Launch.Record = rec
		start := buffersOf(run, c.file)
		got, err := c.program.Run(context.Background(), run.Memory, run.Launch)
		if e, ok := errors.AsType[*sim.Error](err); ok && e.Code == sim.CodeMemory {
			continue // more than a recording holds
		}
		if err != nil || got.Instructions != want.Instructions || got.Traffic != want.Traffic {
			t.Errorf("%s: recorded %v, %v; otherwise %v", c.name, got, err, want)
			continue
		}
		recorded++
		copied += checkCopies(t, c.name, rec, start, buffersOf(run, c.file))
	}
	if recorded < len(list)/8 || copied < 1000 {
		t.Errorf("%d runs were recorded, and %d bytes were copies", recorded, copied)
	}
}

// buffersOf returns the contents of the buffers of a run, by name.
func buffersOf(run *runfile.Run, f *runfile.File) map[string][]byte {
	out := map[string][]byte{}
	for i, b := range f.Buffers {
		if npy := run.Npy([]int{i})[0]; len(npy) > 10 {
			out[b.Name] = slices.Clone(npy[10+int(npy[8])+int(npy[9])<<8:]) // after the header
		}
	}
	return out
}

// checkCopies compares the bytes that were stored last with their origins, and counts them.
func checkCopies(t *testing.T, name string, rec *sim.Recording, start, end map[string][]byte) int {
	last := map[uint64]sim.Origin{}
	for i := range rec.Moves {
		m := &rec.Moves[i]
		if m.To.Space != sim.SideGlobal {
			continue
		}
		for k, at := range m.To.At {
			for b := range uint64(m.Bytes) {
				o := m.Held[k]
				if rec.Node(o) == nil && o != 0 {
					o += sim.Origin(b)
				}
				last[at+b] = o
			}
		}
	}
	n := 0
	for at, o := range last {
		part, off := rec.Byte(o)
		to := slices.IndexFunc(rec.Parts, func(p sim.RecordedPart) bool { return at-p.Address < uint64(p.Bytes) })
		if part < 0 || to < 0 || start[rec.Parts[part].Name] == nil || end[rec.Parts[to].Name] == nil {
			continue
		}
		from, p := rec.Parts[part], rec.Parts[to]
		if want, got := start[from.Name][off], end[p.Name][at-p.Address]; want != got {
			t.Errorf("%s: byte %d of %s is %d, and should be a copy of byte %d of %s, which was %d", name, at-p.Address,
				p.Name, got, off, from.Name, want)
			return n
		}
		n++
	}
	return n
}

// recordSource moves and computes words of x, and stores them to y.
const recordSource = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 py) {
	.reg .pred %p<3>;
	.reg .b16 %h<3>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<6>;
	.shared .align 16 .b8 s[256];
	ld.param.u64 %rd1, [px];
	ld.param.u64 %rd2, [py];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3;
	mul.wide.u32 %rd5, %r1, 32;
	add.s64 %rd5, %rd2, %rd5;
	ld.global.b32 %r2, [%rd4];
	st.global.b32 [%rd5], %r2;
	mov.b32 {%h1, %h2}, %r2;
	mov.b32 %r3, {%h2, %h1};
	st.global.b32 [%rd5+4], %r3;
	prmt.b32 %r4, %r2, %r3, 0x7214;
	st.global.b32 [%rd5+8], %r4;
	shfl.sync.bfly.b32 %r5, %r2, 5, 31, -1;
	st.global.b32 [%rd5+12], %r5;
	setp.lt.u32 %p1, %r1, 7;
	selp.b32 %r6, %r2, %r5, %p1;
	st.global.b32 [%rd5+16], %r6;
	shl.b32 %r7, %r1, 2;
	mov.u32 %r8, s;
	add.u32 %r8, %r8, %r7;
	st.shared.b32 [%r8], %r2;
	bar.sync 0;
	xor.b32 %r9, %r7, 12;
	mov.u32 %r10, s;
	add.u32 %r9, %r9, %r10;
	ld.shared.b32 %r11, [%r9];
	st.global.b32 [%rd5+20], %r11;
	add.u32 %r12, %r2, %r11;
	st.global.b32 [%rd5+24], %r12;
	mov.u32 %r13, 5;
	st.global.b32 [%rd5+28], %r13;
	ret;
}`

// TestRecord checks the origins of the words that a kernel stores: which word of x they are, or which words they were
// computed from.
func TestRecord(t *testing.T) {
	t.Parallel()
	rec := runRecorded(t, &sim.Recording{Pieces: 1 << 16})
	y := rec.Parts[1].Address
	word := func(lane int) int64 { return int64(4 * lane) }
	for lane := range 32 {
		other := lane
		if lane >= 7 {
			other = lane ^ 5
		}
		for slot, want := range []int64{
			word(lane), word(lane) + 2, -2, word(lane ^ 5), word(other), word(lane ^ 3), -1, 0,
		} {
			got := int64(-3) // no move
			var held sim.Origin
			for i := range rec.Moves {
				m := &rec.Moves[i]
				for k, at := range m.To.At {
					if m.To.Space == sim.SideGlobal && at == y+uint64(32*lane+4*slot) {
						held = m.Held[k]
						part, off := rec.Byte(held)
						if got = off; part < 0 {
							got = -1
						}
					}
				}
			}
			switch n := rec.Node(held); {
			case want == 0 && slot == 7: // a constant has no origin, so there is no move
				if got != -3 {
					t.Errorf("lane %d: a constant has the origin %d", lane, got)
				}
			case want == -1:
				if n == nil || origin(rec, n.Sources[0]) != word(lane) || origin(rec, n.Sources[1]) != word(lane^3) {
					t.Errorf("lane %d: the sum has the node %v", lane, n)
				}
			case want == -2: // bytes 4, 1, 2 and 7 of %r2 and %r3
				if got != word(lane)+2 {
					t.Errorf("lane %d: byte 0 of the permutation is byte %d of x", lane, got)
				}
			case got != want:
				t.Errorf("lane %d, word %d: byte %d of x, expected %d", lane, slot, got, want)
			}
		}
	}
	if rec.Lost != 0 {
		t.Errorf("%d bytes are lost", rec.Lost)
	}
}

// origin returns the offset of an origin, or -1.
func origin(r *sim.Recording, o sim.Origin) int64 {
	part, off := r.Byte(o)
	if part < 0 {
		return -1
	}
	return off
}

// runRecorded runs recordSource.
func runRecorded(t *testing.T, rec *sim.Recording) *sim.Recording {
	t.Helper()
	if err := recordRun(t, sim.LoadRecorded, rec); err != nil {
		t.Fatal(err)
	}
	return rec
}

func recordRun(t *testing.T, load func(*ptx.Module) (*sim.Program, error), rec *sim.Recording) error {
	t.Helper()
	m, err := ptx.Parse(recordSource)
	if err != nil {
		t.Fatal(err)
	}
	p, err := load(m)
	if err != nil {
		t.Fatal(err)
	}
	mem, err := p.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 128)
	for i := range data {
		data[i] = byte(2*i + 1)
	}
	x, err := mem.Put("x", data)
	if err != nil {
		t.Fatal(err)
	}
	y, err := mem.Alloc("y", 1024)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), mem, sim.Launch{
		Grid: sim.Dim{X: 1}, Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0)}, Record: rec,
	})
	return err
}

// TestRecordLimits checks the errors of recordings.
func TestRecordLimits(t *testing.T) {
	t.Parallel()
	e, ok := errors.AsType[*sim.Error](recordRun(t, sim.Load, &sim.Recording{Pieces: 1}))
	if !ok || e.Code != sim.CodeLaunch {
		t.Errorf("a program without what a recording needs: %v", e)
	}
	e, ok = errors.AsType[*sim.Error](recordRun(t, sim.LoadRecorded, &sim.Recording{Pieces: 10}))
	if !ok || e.Code != sim.CodeMemory {
		t.Errorf("10 pieces: %v", e)
	}
}
