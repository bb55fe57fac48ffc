package kernel_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// through copies a 32 by 32 tile to shared memory by rows, and back by columns.
func through(t *testing.T, layout cute.Inner) kernel.Report {
	t.Helper()
	k, err := kernel.Trace("f", 256, func(k *kernel.K) {
		a, b := k.GlobalLayout("a", dtype.F32, parse("(32,32):(32,1)")), k.GlobalLayout("b", dtype.F32, parse("(32,32):(1,32)"))
		s := k.Shared("s", dtype.F32, layout)
		rows, columns := parse("(8,32):(32,1)"), parse("(32,8):(1,32)")
		k.Copy(k.LocalPartition(a, rows, k.ThreadIdx()), k.LocalPartition(s, rows, k.ThreadIdx()))
		k.Sync()
		k.Copy(k.LocalPartition(s, columns, k.ThreadIdx()), k.LocalPartition(b, columns, k.ThreadIdx()))
	})
	if err != nil {
		t.Fatal(err)
	}
	return k.Report()
}

// note returns the note with the given kind, tensor and instruction.
func note(r kernel.Report, tensor, op string, kind kernel.NoteKind) (kernel.Note, bool) {
	for _, u := range r.Uses {
		for _, n := range u.Notes {
			if u.Tensor == tensor && strings.HasPrefix(u.Op, op) && n.Kind == kind {
				return n, true
			}
		}
	}
	return kernel.Note{}, false
}

// TestConflicts checks that no conflicts are left after the advice against them is followed.
func TestConflicts(t *testing.T) {
	t.Parallel()
	plain := parse("(32,32):(32,1)")
	r := through(t, plain)
	n, ok := note(r, "s", "ld.shared", kernel.NoteConflict)
	if !ok || len(r.Warnings()) == 0 || !strings.Contains(n.Text, "1024 wavefronts, 32 without conflicts: 32 ways") {
		t.Fatalf("found %+v\n%v", n, r)
	}
	if n.Repair != "Sw<5,0,5> o 0 o (32,32):(32,1) has no conflicts" {
		t.Fatalf("found %+v", n)
	}
	w, err := cute.NewSwizzle(5, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), plain)
	if err != nil {
		t.Fatal(err)
	}
	r = through(t, c)
	if n, ok := note(r, "s", "ld.shared", kernel.NoteConflict); ok || len(r.Warnings()) != 0 {
		t.Errorf("found %+v", n)
	}
	if n, ok := note(r, "s", "ld.shared", kernel.NoteSwizzle); !ok || !strings.Contains(n.Text, "32 ways") {
		t.Errorf("found %+v", n)
	}
	// Rows whose length is not a power of two: the repair is padding instead of a swizzle.
	r = through(t, parse("(32,32):(96,1)"))
	if n, ok := note(r, "s", "ld.shared", kernel.NoteConflict); !ok || n.Repair == "" {
		t.Errorf("found %+v", n)
	}
}

// TestNarrow checks that accesses are wide after the advice against narrow accesses is followed.
func TestNarrow(t *testing.T) {
	t.Parallel()
	made := func(div int64, each string) kernel.Report {
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			m, n := k.Int("m", extent(1)), k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: div})
			a := k.Global("a", dtype.F16, kernel.Modes(m, n), n, kernel.Int(1))
			r := k.MakeFragment(dtype.F16, parse(each))
			size := r.Extent(0)
			x, _ := size.Int64()
			k.CopyZfill(k.LocalTile(k.Slice(a, k.BlockIdx(0), kernel.Open), kernel.Shape(x), k.ThreadIdx()), r)
		})
		if err != nil {
			t.Fatal(err)
		}
		return k.Report()
	}
	r := made(1, "8:1")
	n, ok := note(r, "a", "ld.global", kernel.NoteNarrow)
	if !ok || n.Repair != "state Div: 8 of n" || r.Uses[0].Lane != 2 {
		t.Errorf("found %+v\n%v", n, r)
	}
	if r := made(8, "8:1"); r.Uses[0].Lane != 16 || len(r.Uses[0].Notes) != 0 {
		t.Errorf("found %v", r)
	}
	if n, ok := note(made(8, "2:1"), "a", "ld.global", kernel.NoteNarrow); !ok || n.Repair != "give each thread 4 neighbours" {
		t.Errorf("found %+v", n)
	}
}

// TestWaste checks the report of reads along a column, in which lanes are far apart.
func TestWaste(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("f", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, parse("(32,32):(32,1)"))
		r := k.MakeFragment(dtype.F32, parse("1:0"))
		k.Copy(k.LocalTile(a, kernel.Shape(1, 1), k.ThreadIdx(), kernel.Int(0)), r)
	})
	if err != nil {
		t.Fatal(err)
	}
	n, ok := note(k.Report(), "a", "ld.global", kernel.NoteWaste)
	if !ok || n.Text != "32 sectors for 128 bytes, which fit 4" || !strings.Contains(n.Repair, "128 bytes apart") {
		t.Errorf("found %+v", n)
	}
}

// TestReportOfAtoms checks that a report names the atom, the loop, and how the loop changes the address.
func TestReportOfAtoms(t *testing.T) {
	t.Parallel()
	one, err := atom.FindCopyAtom("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", "half_t")
	if err != nil {
		t.Fatal(err)
	}
	copies, err := atom.MakeTiledCopy(one, parse("(8,4):(4,1)"), parse("(1,8):(0,1)"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := kernel.Trace("f", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 32, Max: 1 << 15, Div: 32})
		a := k.LocalTile(k.Global("a", dtype.F16, kernel.Modes(kernel.Int(8), n), n, kernel.Int(1)), kernel.Shape(8, 32),
			kernel.Int(0), kernel.Open)
		s := k.Shared("s", dtype.F16, parse("(8,32):(32,1)"))
		thr := k.ThrCopy(copies, k.ThreadIdx())
		from, to := thr.PartitionS(a), thr.PartitionD(s)
		k.For(kernel.Int(0), a.Extent(2), func(i kernel.Index) {
			k.CopyTiled(copies, k.Slice(from, kernel.Open, kernel.Open, kernel.Open, i), to)
			k.CpAsyncFence()
			k.CpAsyncWait(0)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	r := k.Report()
	if len(r.Uses) != 1 {
		t.Fatalf("found %v", r)
	}
	u := r.Uses[0]
	if u.Atom != "SM80_CP_ASYNC_CACHEALWAYS<uint128_t>" || u.Loops != 1 || u.Motion != "i1 adds 64" || u.From != "a" ||
		u.Source != "(8,n):(n,1)" || u.Cost.Sectors != 16 || u.Cost.Wavefronts == 0 || u.Lane != 16 ||
		u.File != "report_test.go" {
		t.Errorf("found %+v", u)
	}
	for _, want := range []string{"from a  (8,n):(n,1)", "shared s  (8,32):(32,1)", "i1 adds 64", "n=1024"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("no %s in\n%v", want, r)
		}
	}
}

// TestPlanRefuses checks that Plan refuses large launches whose addresses have no classes, and launches without values.
func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("f", 1024, func(k *kernel.K) {
		n := k.Int("n", extent(1))
		a := k.Global("a", dtype.F32, kernel.Modes(n))
		k.Grid(n)
		r := k.MakeFragment(dtype.F32, parse("1:0"))
		far, _ := k.BlockIdx(0).Mul(k.ThreadIdx()).DivMod(n)
		k.CopyIf(k.LocalTile(a, kernel.Shape(1), far), r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.Plan(map[string]int64{"n": 1 << 20}); !errors.Is(err, cute.CodeLimit) ||
		!strings.Contains(err.Error(), "1024 threads in 1048576 blocks and iterations") {
		t.Errorf("a plan of 2^30 threads: %v", err)
	}
	if _, _, err := k.Plan(map[string]int64{"n": 100}); err != nil {
		t.Error(err)
	}
	if _, _, err := k.Plan(nil); err == nil {
		t.Error("a plan of no size was made")
	}
}

// TestCalls checks what a report says of products and tensors, as JSON and as text.
func TestCalls(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("f", 1, func(k *kernel.K) {
		s := k.Shared("s", dtype.F32, parse("(4,2):(1,4)"))
		op, err := atom.FindMMA("UniversalFMA<float>")
		if err != nil {
			t.Fatal(err)
		}
		m, err := atom.MakeTiledMMA(op, parse("(1,1,1):(1,1,1)"), nil)
		if err != nil {
			t.Fatal(err)
		}
		thr := k.ThrMMA(m, k.ThreadIdx())
		c := k.MakeFragment(dtype.F32, parse("(1,4,4):(0,1,4)"))
		k.Clear(c)
		k.Clear(s)
		k.GemmTiled(m, thr.PartitionA(s), thr.PartitionB(s), c)
	})
	if err != nil {
		t.Fatal(err)
	}
	r := k.Report()
	want := kernel.Placed{Name: "s", Layout: "(4,2):(1,4)", Type: "f32", Bytes: 32}
	if len(r.Placed) != 1 || r.Placed[0] != want || len(r.Calls) != 1 || r.Calls[0].Count != 32 || len(r.Rules) == 0 {
		t.Fatalf("found %+v", r)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"space":"shared"`) {
		t.Errorf("found %s, %v", text, err)
	}
	for _, x := range []string{want.String(), r.Calls[0].String(), r.Rules[0].String()} {
		if !strings.Contains(r.String(), x) {
			t.Errorf("%q is not in\n%v", x, r)
		}
	}
}

// TestSpreadByTheOtherSide checks a store of elements that are apart in the source tensor. They are stored one by one;
// the repair, a copy to a fragment first, makes the store a single access.
func TestSpreadByTheOtherSide(t *testing.T) {
	t.Parallel()
	report := func(fragments int) kernel.Report {
		k, err := kernel.Trace("t", 32, func(k *kernel.K) {
			s := k.Shared("s", dtype.F16, parse("(32,8):(1,32)"))
			b := k.GlobalLayout("b", dtype.F16, parse("(32,8):(8,1)"))
			from := k.LocalTile(s, kernel.Shape(1, 8), k.ThreadIdx(), kernel.Int(0))
			to := k.LocalTile(b, kernel.Shape(1, 8), k.ThreadIdx(), kernel.Int(0))
			if fragments > 0 {
				r := k.MakeFragmentLike(to, dtype.F16)
				k.Copy(from, r)
				from = r
			}
			k.Copy(from, to)
		})
		if err != nil {
			t.Fatal(err)
		}
		return k.Report()
	}
	n, ok := note(report(0), "b", "st.global", kernel.NoteWaste)
	want := "a thread has 8 neighbours, which are not neighbours in s: copy to a fragment, and from it"
	if !ok || n.Repair != want {
		t.Errorf("found %+v, want %s", n, want)
	}
	if n, ok := note(report(1), "b", "st.global", kernel.NoteWaste); ok {
		t.Errorf("with the repair: %+v", n)
	}
}

// TestNoSwizzle checks that the report does not propose a map of offsets as if it were a layout: the accesses of a
// bitonic sort are at 2·i and 2·i + 1.
func TestNoSwizzle(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("k", 512, func(k *kernel.K) {
		s := k.Shared("s", dtype.F32, cute.MustParse("1024:1"))
		for step := int64(1); step < 1024; step *= 2 {
			i := k.ThreadIdx().Div(step).Mul(kernel.Int(2 * step)).Add(k.ThreadIdx().Mod(step))
			k.Store(k.Number(dtype.F32, 0), s, i)
			k.Store(k.Number(dtype.F32, 0), s, i.Add(kernel.Int(step)))
			k.Sync()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range k.Report().Warnings() {
		if strings.Contains(w.Repair, "that is no swizzle") {
			return
		}
	}
	t.Errorf("found %v", k.Report().Warnings())
}
