package follow_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/internal/picture/follow"
	"girih/kernel"
	"girih/ptx/sim"
)

// A trial is a kernel of examples with the values of its integers.
type trial struct {
	name   string
	values map[string]int64
	o      examples.Options
}

// trials are kernels of all ways of data: through registers, cp.async, the copy engine, ldmatrix, wgmma, tcgen05.
var trials = []trial{
	{"sgemm_1", map[string]int64{"m": 64, "n": 64, "k": 16}, examples.Options{}},
	{"sgemm_2", map[string]int64{"m": 128, "n": 128, "k": 8}, examples.Options{}},
	{"sgemm_sm80", map[string]int64{"m": 64, "n": 64, "k": 64}, examples.Options{Tile: []int64{64, 64, 32}}},
	{"sgemm_sm80", map[string]int64{"m": 61, "n": 50, "k": 39}, examples.Options{Tile: []int64{64, 64, 32}, Div: 1}},
	{"wgmma_tma_sm90", map[string]int64{"m": 128, "n": 64, "k": 128}, examples.Options{Tile: []int64{128, 64, 64}}},
	{"umma_sm100", map[string]int64{"m": 128, "n": 64, "k": 128}, examples.Options{Tile: []int64{128, 64, 64}}},
	{"transpose", map[string]int64{"m": 45, "n": 40}, examples.Options{}},
	{"transpose", map[string]int64{"m": 64, "n": 32}, examples.Options{Type: dtype.F16}},
	{"softmax", map[string]int64{"m": 3, "n": 70}, examples.Options{}},
	{"attention_sm80", map[string]int64{"m": 128, "n": 64, "heads": 1, "kv_heads": 1, "batch": 1}, examples.Options{}},
}

// A done is a run that was followed, with its data.
type done struct {
	trial
	rec    *sim.Recording
	model  follow.Model
	kernel follow.Kernel
	start  map[string][]float64 // the tensors before the run
	end    map[string][]float64
	at     map[[2]int64][]float64 // the elements of all tensors by row and column
}

// changed runs a trial with one element more by a half, and returns the tensors.
func (x trial) changed(t *testing.T, name string, i int) map[string][]float64 {
	t.Helper()
	return x.run(t, func(tensors map[string][]float64) { tensors[name][i] += 0.5 }).end
}

// do runs a trial. Floats differ from their neighbours.
func (x trial) do(t *testing.T) done {
	t.Helper()
	return x.run(t, func(map[string][]float64) {})
}

func (x trial) run(t *testing.T, change func(map[string][]float64)) done {
	t.Helper()
	recipe, err := examples.Find(x.name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := recipe.Trace(x.o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := recipe.Problem(k, x.values, rand.New(rand.NewPCG(3, 4)))
	if err != nil {
		t.Fatal(err)
	}
	d := done{trial: x, rec: &sim.Recording{Pieces: 1 << 22}, start: map[string][]float64{}, end: p.Tensors}
	change(p.Tensors)
	for name, list := range p.Tensors {
		d.start[name] = slices.Clone(list)
	}
	_, err = k.SimulateAs(context.Background(), kernel.Args{Ints: p.Extents, Numbers: p.Scalars, Tensors: p.Tensors},
		sim.Launch{Record: d.rec})
	if err != nil {
		t.Fatal(err)
	}
	r := k.Report()
	d.kernel = follow.Of(k, x.values, &r)
	d.model = follow.Build(d.rec, d.kernel)
	return d
}

// A cell is a cell of a place.
type cell struct {
	place int
	cell  int64
}

// TestCellsHoldTheirElements moves values from cell to cell as the accesses say, beginning with the tensors in global
// memory. Each cell must hold the element whose coordinates it has when it is first written; each cell of an operand
// always holds the element at its coordinates; and what comes back to global memory without arithmetic is what the
// kernel left there.
func TestCellsHoldTheirElements(t *testing.T) {
	for _, x := range trials {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			d := x.do(t)
			if d.rec.Lost != 0 {
				t.Errorf("%d bytes have lost their origin", d.rec.Lost)
			}
			d.check(t)
		})
	}
}

func (d *done) check(t *testing.T) {
	m := &d.model
	values, seen := map[cell]float64{}, map[cell]bool{}
	for i, p := range m.Places {
		if p.Kind == follow.Global {
			for k, v := range d.start[p.Name] {
				values[cell{i, int64(k)}] = v
			}
		}
	}
	checked, last := 0, map[cell]float64{}
	for i := 0; i < len(m.Accesses); i += 6 {
		a := m.Accesses[i : i+6]
		h, s := m.Hops[a[0]], m.Shapes[a[3]]
		to := m.Places[h.To]
		for k, off := range s.To.Values() {
			c := cell{h.To, a[5] + off}
			if c.cell < 0 || c.cell >= to.Cells {
				t.Fatalf("hop %d has cell %d of %s, which has %d", h.ID, c.cell, to.Name, to.Cells)
			}
			if h.Kind == follow.Compute || h.Kind == follow.MMA || len(h.From) != 1 {
				delete(values, c)
				seen[c] = true
				continue
			}
			v, ok := values[cell{h.From[0], a[4] + s.From.Values()[k]}]
			if !ok {
				delete(values, c)
				delete(last, c)
				continue
			}
			values[c], last[c] = v, v
			if first := !seen[c]; first || to.Kind == follow.Operand {
				seen[c] = true
				checked += d.compare(t, to, c.cell, v)
			}
		}
	}
	if checked == 0 {
		t.Error("no cell was compared")
	}
	for i, p := range m.Places {
		for k, v := range d.end[p.Name] {
			if got, ok := last[cell{i, int64(k)}]; ok && p.Kind == follow.Global && got != v {
				t.Fatalf("%s[%d] is %v after the run, and the accesses leave %v there", p.Name, k, v, got)
			}
		}
	}
}

// compare compares a value in a cell with the elements of the tensors at the cell's coordinates: one of them has it.
func (d *done) compare(t *testing.T, p follow.Place, at int64, v float64) int {
	rows, cols := p.Row.Values(), p.Col.Values()
	if rows == nil || rows[at] < 0 || p.Kind == follow.Global || p.RowName+p.ColName == "" {
		return 0
	}
	if d.at == nil {
		d.index()
	}
	swapped := [2]int64{cols[at], rows[at]}
	own := [2]int64{rows[at], cols[at]}
	if slices.Contains(d.at[own], v) || p.Kind == follow.Operand && slices.Contains(d.at[swapped], v) {
		return 1
	}
	t.Fatalf("cell %d of %s holds %v, which no tensor has at (%d,%d)", at, p.Name, v, rows[at], cols[at])
	return 0
}

// index lists the elements of all tensors by their coordinates.
func (d *done) index() {
	d.at = map[[2]int64][]float64{}
	for _, q := range d.model.Places {
		if q.Kind != follow.Global {
			continue
		}
		rows, cols := q.Row.Values(), q.Col.Values()
		for i, v := range d.start[q.Name] {
			c := [2]int64{rows[i], cols[i]}
			d.at[c] = append(d.at[c], v)
		}
	}
}

// TestSums follows each element of C back through all products: it is the sum of the products of a row of A and a row
// of B, each element once and in order of k.
func TestSums(t *testing.T) {
	for _, x := range trials[:6] {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			d := x.do(t)
			of := map[string]int{}
			for i, p := range d.rec.Parts {
				of[p.Name] = i
			}
			recipe, _ := examples.Find(x.name)
			m, n, depth := x.values["m"], x.values["n"], x.values["k"]
			found := 0
			for i := range d.rec.Moves {
				mv := &d.rec.Moves[i]
				if mv.Kind != sim.MoveStore || mv.To.Space != sim.SideGlobal {
					continue
				}
				for k, o := range mv.Held {
					at := int64(mv.To.At[k]-d.rec.Parts[of["C"]].Address) / 4
					a, b := d.factors(o)
					row, col := at/n, at%n
					if recipe.Order(1, 0, m, n) == 1 {
						row, col = at%m, at/m
					}
					if int64(len(a)) != depth {
						t.Fatalf("C(%d,%d) has %d products, expected %d", row, col, len(a), depth)
					}
					for l := range a {
						wantA, wantB := recipe.Order(row, int64(l), m, depth), recipe.Order(col, int64(l), n, depth)
						if a[l] != wantA || b[l] != wantB {
							t.Fatalf("product %d of C(%d,%d) is A[%d]*B[%d], expected A[%d]*B[%d]", l, row, col, a[l], b[l], wantA, wantB)
						}
					}
					found++
				}
			}
			if int64(found) != m*n {
				t.Errorf("%d elements of C were stored, expected %d", found, m*n)
			}
		})
	}
}

// factors returns the elements of A and B, by number, whose products a value is the sum of, in order of k. Zeros
// beyond the edges have no origin.
func (d *done) factors(o sim.Origin) (a, b []int64) {
	number := func(o sim.Origin) (string, int64) {
		part, off := d.rec.Byte(o)
		if part < 0 {
			return "", -1
		}
		p := d.rec.Parts[part]
		bytes := p.Bytes / int64(len(d.start[p.Name]))
		return p.Name, off / bytes
	}
	n := d.rec.Node(o)
	if n == nil {
		return nil, nil
	}
	if n.Product > 0 {
		a, b = d.factors(n.Sources[0])
		p := d.rec.Products[n.Product-1]
		row, col := int(n.At>>16), int(n.At&0xffff)
		for k := range p.K {
			if _, i := number(p.A[row*p.K+k]); i >= 0 {
				_, j := number(p.B[col*p.K+k])
				a, b = append(a, i), append(b, j)
			}
		}
		return a, b
	}
	var single [2][]int64
	for _, s := range n.Sources {
		switch name, i := number(s); name {
		case "A":
			single[0] = append(single[0], i)
		case "B":
			single[1] = append(single[1], i)
		case "":
			x, y := d.factors(s)
			a, b = append(a, x...), append(b, y...)
		}
	}
	return append(a, single[0]...), append(b, single[1]...)
}

// TestPartition compares the registers of sgemm_sm80, by thread and value, with the partition of the tiled MMA by
// package atom, and its copies with the partition of the tiled copy.
func TestPartition(t *testing.T) {
	d := trials[2].do(t)
	op, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	mma, err := atom.MakeTiledMMA(op, cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		place   string
		operand atom.Operand
		shape   string // of a tile, whose offsets are 1000 times the row plus the column
	}{
		{"tCrA", atom.OperandA, "(64,32):(1000,1)"},
		{"tCrB", atom.OperandB, "(64,32):(1000,1)"},
		{"tCrC", atom.OperandC, "(64,64):(1000,1)"},
	} {
		i := slices.IndexFunc(d.model.Places, func(p follow.Place) bool { return p.Name == c.place })
		p := d.model.Places[i]
		rows, cols := p.Row.Values(), p.Col.Values()
		for thread := range p.Threads {
			slice, err := mma.Thread(thread)
			if err != nil {
				t.Fatal(err)
			}
			l, offset, err := slice.Partition(c.operand, cute.MustParse(c.shape))
			if err != nil {
				t.Fatal(err)
			}
			base, _ := offset.Int64()
			if l.Size() != p.Values {
				t.Fatalf("%s has %d values of a thread, and the partition %d", c.place, p.Values, l.Size())
			}
			for v := range p.Values {
				at, err := l.At(v)
				if got := 1000*rows[thread*p.Values+v] + cols[thread*p.Values+v]; err != nil || got != base+at {
					t.Fatalf("value %d of thread %d of %s is (%d,%d), and partition_%v has (%d,%d)", v, thread, c.place, got/1000,
						got%1000, c.operand, (base+at)/1000, (base+at)%1000)
				}
			}
		}
	}
}

// TestSeries writes lists and reads them again.
func TestSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	lists := [][]int64{{}, {7}, {3, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}
	for range 300 {
		n := 1 + r.IntN(200)
		var list []int64
		a, b, step := r.Int64N(64), r.Int64N(64), 1+r.IntN(9)
		for i := range n {
			switch {
			case a%3 == 0:
				list = append(list, a+int64(i)^b&int64(i)<<2)
			case a%3 == 1:
				list = append(list, a+int64(i%step)*b-int64(i/step))
			default:
				list = append(list, r.Int64N(1+b)-1)
			}
		}
		lists = append(lists, list)
	}
	for _, list := range lists {
		if len(list) == 0 {
			continue
		}
		text, err := json.Marshal(follow.NewSeries(list))
		if err != nil {
			t.Fatal(err)
		}
		var got follow.Series
		if err := json.Unmarshal(text, &got); err != nil || !slices.Equal(got.Values(), list) {
			t.Fatalf("%v became %s, read as %v: %v", list, text, got.Values(), err)
		}
	}
	text, _ := json.Marshal(follow.NewSeries(make([]int64, 1<<16)))
	if len(text) > 200 {
		t.Errorf("65536 zeros take %d bytes", len(text))
	}
}
