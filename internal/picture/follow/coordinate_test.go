package follow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/picture/follow"
)

// TestCellName compares the names of cells of shared memory with the layouts of the tensors at every coordinate.
func TestCellName(t *testing.T) {
	for _, x := range trials {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			m := x.do(t).model
			for i := range m.Places {
				if p := &m.Places[i]; p.Kind == follow.Shared {
					checkNames(t, p)
				}
			}
		})
	}
}

func checkNames(t *testing.T, p *follow.Place) {
	c := cute.MustParseComposed(p.Layout)
	seen := map[int64]bool{}
	for i := range c.Size() {
		var at []int64
		rest := i
		modes := c.Layout().Modes()
		for _, mode := range modes {
			at = append(at, rest%mode.Size())
			rest /= mode.Size()
		}
		value, err := c.Eval(cute.Ints(at...))
		if err != nil {
			t.Fatal(err)
		}
		cell, _ := value.Int64()
		seen[cell] = true
		want := fmt.Sprintf("%s(%d,%d)", p.Name, at[0], at[1])
		if len(at) == 3 && c.Layout().Modes()[2].Size() > 1 {
			want += fmt.Sprintf(", stage %d", at[2])
		}
		if got := p.CellName(cell); got != want {
			t.Fatalf("cell %d of %s is named %q, and its layout %s has %s there", cell, p.Name, got, p.Layout, want)
		}
	}
	for cell := range p.Cells {
		if got := p.CellName(cell); !seen[cell] && got != "" {
			t.Fatalf("cell %d of %s is in a gap of %s, and named %s", cell, p.Name, p.Layout, got)
		}
	}
}

// TestStagesOfElements checks where sgemm_sm80 has the elements of A: A(m,k) is in sA(m, k mod 32), and its stage is
// k/32 modulo the number of stages.
func TestStagesOfElements(t *testing.T) {
	d := trials[2].do(t)
	m := &d.model
	n := 0
	for i := 0; i < len(m.Accesses); i += 6 {
		a := m.Accesses[i : i+6]
		h, s := m.Hops[a[0]], m.Shapes[a[3]]
		if len(h.From) != 1 || m.Places[h.From[0]].Name != "A" {
			continue
		}
		from, to := &m.Places[h.From[0]], &m.Places[h.To]
		stages := to.Modes[2]
		for k, off := range s.To.Values() {
			cell := a[4] + s.From.Values()[k]
			row, col := from.Row.Values()[cell], from.Col.Values()[cell]
			want := fmt.Sprintf("sA(%d,%d), stage %d", row, col%32, col/32%stages)
			if got := to.CellName(a[5] + off); got != want {
				t.Fatalf("A(%d,%d) is in %s, expected %s", row, col, got, want)
			}
			n++
		}
	}
	if n != 64*64 {
		t.Errorf("%d elements of A were copied, expected %d", n, 64*64)
	}
	for _, x := range []struct {
		name string
		at   []int64
		want string
	}{
		{"sA", []int64{3, 5}, "sA(3,5), stage 0"},
		{"sB", []int64{3, 5, 1}, "sB(3,5), stage 1"},
		{"sA", []int64{64, 0}, ""},
		{"sA", []int64{3}, ""},
		{"sC", []int64{3, 5}, ""},
	} {
		place, cells := m.Find(x.name, x.at)
		got := ""
		if len(cells) == 1 {
			got = m.Places[place].CellName(cells[0])
		}
		if got != x.want {
			t.Errorf("%s%v is %q, expected %q", x.name, x.at, got, x.want)
		}
	}
}

// TestAreas names all addresses of the shared memory of a kernel with the copy engine: a tensor has them in the order
// of its stages, then come the mbarriers of the pipeline.
func TestAreas(t *testing.T) {
	d := trials[4].do(t)
	areas := d.model.Areas(d.kernel)
	var names []string
	first := map[string]uint64{}
	for off := uint64(0); off < 1<<17; off += 4 {
		at := 5<<24 + 1024 + off // of block 5 of a cluster
		a, ok := areas(at)
		if !ok {
			continue
		}
		if !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
			first[a.Name] = at
		}
		if a.First != first[a.Name] || a.Stage >= 0 && !strings.HasSuffix(a.Name, fmt.Sprint(" stage ", a.Stage)) {
			t.Fatalf("0x%x is in %+v, which begins at 0x%x", at, a, first[a.Name])
		}
	}
	want := "sA stage 0,sA stage 1,sA stage 2,sA stage 3,sB stage 0,sB stage 1,sB stage 2,sB stage 3,"
	for _, what := range []string{"full", "empty"} {
		for i := range 4 {
			want += fmt.Sprintf("pipe.%s %d,", what, i)
		}
	}
	if got := strings.Join(names, ",") + ","; got != want {
		t.Errorf("shared memory has %s, expected %s", got, want)
	}
}
