package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestReportFor checks that the costs of a launch are the plan, by use, and that values outside of the facts are
// refused.
func TestReportFor(t *testing.T) {
	t.Parallel()
	k := relay(t, [2]int64{64, 64}, 1, composedOf(t, 3, 3, 3, "(64,64):(64,1)"))
	values := map[string]int64{"m": 68, "n": 72}
	r, err := k.ReportFor(values)
	if err != nil {
		t.Fatal(err)
	}
	_, total, err := k.Plan(values)
	if err != nil {
		t.Fatal(err)
	}
	var sum kernel.Cost
	for _, u := range r.Uses {
		sum.Add(*u.Launch)
	}
	if sum != total || *r.Total != total || r.Values["n"] != 72 {
		t.Errorf("found %+v and %+v with %v, want %+v", sum, r.Total, r.Values, total)
	}
	text := r.String()
	if !strings.Contains(text, "launch of 2x2x1 blocks: ") || strings.Count(text, "  launch: ") != len(r.Uses) {
		t.Errorf("found %s", text)
	}
	if _, err := k.ReportFor(map[string]int64{"m": 68, "n": 71}); !errors.Is(err, cute.CodeFact) {
		t.Errorf("found %v for an n that is no multiple of 8", err)
	}
	if _, err := k.ReportFor(map[string]int64{"m": 68}); !errors.Is(err, cute.CodeUnknown) {
		t.Errorf("found %v without n", err)
	}
}

// TestRepairsForAllUsers checks that a repair of a tile for one access does not prevent another.
func TestRepairsForAllUsers(t *testing.T) {
	t.Parallel()
	columns := parse("(32,8):(1,32)")
	async := kernel.Must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "float"))
	wide := kernel.Must(atom.MakeTiledCopy(async, parse("(32,8):(8,1)"), parse("(1,4):(0,1)")))
	for _, tt := range []struct {
		name, want string
		fill       func(k *kernel.K, s kernel.Tensor)
	}{
		{"tma", "TMA copies move s too: take a layout that they have, with Sw<1,2,3>", func(k *kernel.K, s kernel.Tensor) {
			one := kernel.Int(1)
			n := k.Int("n", extent(8))
			b := k.TmaTensor("B", dtype.F32, kernel.Modes(n, n), n, one)
			store := k.MakeTmaAtom(b, s, kernel.Shape(32, 32), 1)
			to, from := k.TmaPartition(store, kernel.Int(0), s, k.LocalTile(b, kernel.Shape(32, 32), k.BlockIdx(0), k.BlockIdx(1)))
			k.If(k.ThreadIdx().Less(one), func() { k.CopyTma(store, from, to) })
		}},
		{"cp.async", "the layouts found without conflicts separate 4 neighbours", func(k *kernel.K, s kernel.Tensor) {
			a := k.GlobalLayout("a", dtype.F32, parse("(32,32):(32,1)"))
			c := k.ThrCopy(wide, k.ThreadIdx())
			k.CopyTiled(wide, c.PartitionS(a), c.PartitionD(s))
		}},
	} {
		k, err := kernel.Trace("f", 256, func(k *kernel.K) {
			s := k.Shared("s", dtype.F32, parse("(32,32):(32,1)"))
			tt.fill(k, s)
			k.Sync()
			b := k.GlobalLayout("b", dtype.F32, parse("(32,32):(1,32)"))
			k.Copy(k.LocalPartition(s, columns, k.ThreadIdx()), k.LocalPartition(b, columns, k.ThreadIdx()))
		})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if n, ok := note(k.Report(), "s", "ld.shared", kernel.NoteConflict); !ok || !strings.HasPrefix(n.Repair, tt.want) {
			t.Errorf("%s: found %+v", tt.name, n)
		}
	}
}

// TestNarrowBroadcast checks what the report says of an operand of stride 0.
func TestNarrowBroadcast(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("f", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, parse("(32,4):(1,0)"))
		b := k.GlobalLayout("b", dtype.F32, parse("(32,4):(4,1)"))
		k.Copy(k.Slice(a, k.ThreadIdx(), kernel.Open), k.Slice(b, k.ThreadIdx(), kernel.Open))
	})
	if err != nil {
		t.Fatal(err)
	}
	n, ok := note(k.Report(), "a", "ld.global", kernel.NoteNarrow)
	if !ok || !strings.Contains(n.Text, "their stride is 0") || strings.Contains(n.Repair, "neighbours") {
		t.Errorf("found %+v", n)
	}
}
