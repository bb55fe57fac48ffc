package pictures

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What the kernel page lights up is what brute force finds: the sets of cells that a value reaches, and that it is made
// of, by one pass over all accesses of the run forwards and one backwards.
func TestFollow(t *testing.T) {
	t.Parallel()
	needsNode(t)
	r := rand.New(rand.NewPCG(3, 4))
	var questions []question
	var runs []*flow
	for _, request := range followed {
		answer := answered(t, "follow", json.RawMessage(request))
		f := newFlow(t, answer)
		var sample []int64
		for _, p := range f.Places {
			for range 3 {
				sample = append(sample, int64(p.ID), r.Int64N(p.Cells), -1)
			}
			for range 2 {
				sample = append(sample, int64(p.ID), r.Int64N(p.Cells), r.Int64N(int64(len(f.moves))))
			}
		}
		questions = append(questions, question{Ask: "follow", Answers: []string{answer}, Sample: sample})
		runs = append(runs, f)
	}
	for k, got := range shows[followShown](t, questions) {
		runs[k].t = t
		runs[k].check(followed[k], questions[k].Sample, got)
	}
}

// followed are the requests of the runs: products with pipelines, transposes, element by element.
var followed = []string{
	`{"kernel":"vector_add"}`,
	`{"kernel":"transpose"}`,
	`{"kernel":"sgemm_1"}`,
	`{"kernel":"sgemm_sm80"}`,
	`{"kernel":"wgmma_tma_sm90"}`,
	`{"kernel":"umma_sm100"}`,
	`{"kernel":"attention_sm80"}`,
}

type followShown struct {
	Spots []struct {
		Lit   [][]int64
		Held  []int64 // row and column; nil if the cell is empty
		Grids map[string][]int64
		Text  string
	}
	Columns [][]int
	Steps   map[string][][2]int64
}

// A flow is an answer of operation follow, read by itself: nothing here comes from the page.
type flow struct {
	t      *testing.T
	Places []struct {
		ID             int
		Kind, Name     string
		Cells          int64
		Bits, Base     int64
		Rows, Cols     int64
		Panels, Values int64
		Row, Col       series
		Panel          *series
	}
	Hops []struct {
		From              []int
		To                int
		Kind, Instruction string
	}
	Shapes []struct {
		From *series
		To   series
	}
	Accesses []int64
	Threads  int64

	moves []access
}

// A series is a list of integers, written out.
type series []int64

func (s *series) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]int64)(s))
	}
	var rule struct {
		N, First            int64
		Shape, Stride, Bits []int64
		Parts               []series
	}
	if err := json.Unmarshal(text, &rule); err != nil {
		return err
	}
	if len(rule.Parts) > 0 {
		*s = slices.Concat(rule.Parts...)
		return nil
	}
	for i := range rule.N {
		x, rest := rule.First, i
		for k, b := range rule.Bits {
			if i>>k&1 == 1 {
				x ^= b
			}
		}
		for k, n := range rule.Shape {
			x += rest % n * rule.Stride[k]
			rest /= n
		}
		*s = append(*s, x)
	}
	return nil
}

// An access moves the values of cells of one place to cells of another. A product has no source of its own.
type access struct {
	hop, from, to int // places; from is -1 for constants and products
	time, warp    int64
	product       bool
	source, cells []int64
}

func newFlow(t *testing.T, answer string) *flow {
	t.Helper()
	f := new(flow)
	if err := json.Unmarshal([]byte(answer), f); err != nil {
		t.Fatal(err)
	}
	for x := range slices.Chunk(f.Accesses, 6) {
		h, s := f.Hops[x[0]], f.Shapes[x[3]]
		a := access{hop: int(x[0]), from: -1, to: h.To, time: x[1], warp: x[2], product: h.Kind == "mma" && len(h.From) == 2}
		for _, c := range s.To {
			a.cells = append(a.cells, x[5]+c)
		}
		if s.From != nil && !a.product {
			a.from = h.From[0]
			for _, c := range *s.From {
				a.source = append(a.source, x[4]+c)
			}
		}
		f.moves = append(f.moves, a)
	}
	for k, p := range f.Places { // cells without coordinates
		for c := range p.Cells {
			switch {
			case int64(len(p.Row)) == p.Cells:
			case p.Kind == "operand" && p.Rows > 0:
				f.Places[k].Row, f.Places[k].Col = append(f.Places[k].Row, c%p.Rows), append(f.Places[k].Col, c/p.Rows)
			default:
				f.Places[k].Row, f.Places[k].Col = append(f.Places[k].Row, -1), append(f.Places[k].Col, -1)
			}
		}
	}
	return f
}

// A mark is a set of cells, by place.
type mark [][]bool

func (f *flow) none() mark {
	m := make(mark, len(f.Places))
	for k, p := range f.Places {
		m[k] = make([]bool, p.Cells)
	}
	return m
}

// instants returns the accesses of one time, in order; backwards if asked. Arithmetic, which has the time of the move
// that reads its result, comes before the others.
func (f *flow) instants(backwards bool) [][]int {
	var all [][]int
	for k, a := range f.moves {
		if k == 0 || f.moves[k-1].time != a.time {
			all = append(all, nil, nil)
		}
		group := len(all) - 1
		if f.Hops[a.hop].Kind == "compute" {
			group--
		}
		all[group] = append(all[group], k)
	}
	all = slices.DeleteFunc(all, func(group []int) bool { return len(group) == 0 })
	if backwards {
		slices.Reverse(all)
	}
	return all
}

func (f *flow) operand(place int) bool { return f.Places[place].Kind == "operand" }

// value returns the first and the last access that write the value of a cell after the access until, or else its first
// value. The cell has its value from the beginning if they are -1.
func (f *flow) value(place int, cell, until int64) (first, last int) {
	first, last = -1, -1
	for k, a := range f.moves {
		if a.to != place || !slices.Contains(a.cells, cell) {
			continue
		}
		begins := first < 0 || !a.product && a.time != f.moves[last].time // writes at one time are one value
		if begins && first >= 0 && int64(k) > until {
			break
		}
		if begins {
			first = k
		}
		last = k
	}
	return first, last
}

// An item is an element of an access: the number of the access, and the number of the element in it.
type item [2]int

// factors returns, for an element of a product at an instant, the items of the operands that it is made of: the row of
// A and the row of B; for fma the elements with the same number.
func (f *flow) factors(instant []int, product access, number int) []item {
	c := product.cells[number]
	at := [2]int64{f.Places[product.to].Row[c], f.Places[product.to].Col[c]}
	byNumber := !strings.Contains(f.Hops[product.hop].Instruction, "mma")
	var all []item
	for _, k := range instant {
		a := f.moves[k]
		side := slices.Index(f.Hops[product.hop].From, a.to)
		if side < 0 || a.warp/4 != product.warp/4 || a.product {
			continue
		}
		for i, x := range a.cells {
			if byNumber && i == number || !byNumber && f.Places[a.to].Row[x] == at[side] {
				all = append(all, item{k, i})
			}
		}
	}
	return all
}

// reaches returns the cells that get the value of a cell.
func (f *flow) reaches(place int, cell, until int64) mark {
	now, ever := f.none(), f.none()
	first, _ := f.value(place, cell, until)
	all := f.operand(place) && until < 0
	if first < 0 {
		now[place][cell] = true
	}
	for _, instant := range f.instants(false) {
		f.instant(instant, now, ever, func(k int, to int64) bool {
			return f.moves[k].to == place && to == cell && (k == first || all)
		})
	}
	return ever
}

// instant carries out the accesses of one time: all read, then all write.
func (f *flow) instant(instant []int, now, ever mark, root func(k int, cell int64) bool) {
	type write struct {
		place int
		cell  int64
		set   bool
		adds  bool
	}
	var writes []write
	operands := map[item]bool{} // those that have the value
	for _, k := range instant {
		a := f.moves[k]
		for i, c := range a.cells {
			set := root(k, c) || a.from >= 0 && now[a.from][a.source[i]]
			switch {
			case a.product:
			case f.operand(a.to):
				if set {
					operands[item{k, i}], ever[a.to][c] = true, true
				}
			default:
				writes = append(writes, write{a.to, c, set, false})
			}
		}
	}
	for _, k := range instant {
		a := f.moves[k]
		if !a.product {
			continue
		}
		for i, c := range a.cells {
			set := root(k, c)
			if len(operands) > 0 {
				set = set || slices.ContainsFunc(f.factors(instant, a, i), func(x item) bool { return operands[x] })
			}
			writes = append(writes, write{a.to, c, set, true})
		}
	}
	type cellOf struct {
		place int
		cell  int64
	}
	written := map[cellOf]bool{}
	for _, w := range writes {
		at := cellOf{w.place, w.cell}
		now[w.place][w.cell] = w.set || (w.adds || written[at]) && now[w.place][w.cell]
		written[at] = true
		ever[w.place][w.cell] = ever[w.place][w.cell] || now[w.place][w.cell]
	}
}

// comesFrom returns the cells whose values the value of a cell is made of.
func (f *flow) comesFrom(place int, cell, until int64) mark {
	wanted, ever := f.none(), f.none()
	first, last := f.value(place, cell, until)
	if f.operand(place) && until < 0 {
		first, last = -1, len(f.moves)
	}
	for _, instant := range f.instants(true) {
		if last < 0 || last < len(f.moves) && f.moves[instant[0]].time > f.moves[last].time {
			continue
		}
		if slices.Contains(instant, last) && last < len(f.moves) {
			wanted[place][cell] = true
		}
		f.undo(instant, wanted, ever, func(k int, to int64) bool {
			return last == len(f.moves) && f.moves[k].to == place && to == cell
		}, f.operand(place) && first == last, place, last)
	}
	return ever
}

// undo goes back over the accesses of one time: what they wrote is wanted from where they read.
func (f *flow) undo(instant []int, wanted, ever mark, root func(k int, cell int64) bool, single bool, place, only int) {
	type cellOf struct {
		place int
		cell  int64
	}
	var gone, more []cellOf
	operands := map[item]bool{}
	for _, k := range instant {
		a := f.moves[k]
		if !a.product {
			continue
		}
		for i, c := range a.cells {
			if !wanted[a.to][c] {
				continue
			}
			for _, x := range f.factors(instant, a, i) {
				operands[x] = true
				ever[f.moves[x[0]].to][f.moves[x[0]].cells[x[1]]] = true
			}
		}
	}
	for _, k := range instant {
		a := f.moves[k]
		if a.product {
			continue
		}
		for i, c := range a.cells {
			operand := f.operand(a.to)
			own := !operand || single && a.to == place && k == only
			if !root(k, c) && !operands[item{k, i}] && !(wanted[a.to][c] && own) {
				continue
			}
			if !operand {
				gone = append(gone, cellOf{a.to, c})
			}
			if a.from >= 0 {
				more = append(more, cellOf{a.from, a.source[i]})
			}
		}
	}
	for _, x := range gone {
		wanted[x.place][x.cell] = false
	}
	for _, x := range more {
		wanted[x.place][x.cell], ever[x.place][x.cell] = true, true
	}
}

// holds returns the row and column of the element in a cell after a number of accesses; nil if it is empty.
func (f *flow) holds(place int, cell, until int64) []int64 {
	type origin struct {
		place int // 0 for nothing, otherwise the number of the place plus 1
		cell  int64
	}
	held := make([][]origin, len(f.Places))
	written := make([]bool, len(f.Places))
	for k, p := range f.Places {
		held[k] = make([]origin, p.Cells)
	}
	for k, a := range f.moves {
		written[a.to] = true
		if int64(k) > until {
			continue
		}
		for i, c := range a.cells {
			if a.from < 0 {
				held[a.to][c] = origin{a.to + 1, c} // made here
				continue
			}
			o := held[a.from][a.source[i]]
			if o.place == 0 {
				o = origin{a.from + 1, a.source[i]}
			}
			held[a.to][c] = o
		}
	}
	o := held[place][cell]
	switch {
	case o.place == 0 && (written[place] || f.Places[place].Kind != "global"):
		return nil
	case o.place == 0:
		o = origin{place + 1, cell}
	}
	return []int64{f.Places[o.place-1].Row[o.cell], f.Places[o.place-1].Col[o.cell]}
}

func (f *flow) check(request string, sample []int64, got followShown) {
	f.t.Helper()
	total := 0
	for k, s := range got.Spots {
		place, cell, until := int(sample[3*k]), sample[3*k+1], sample[3*k+2]
		p := f.Places[place]
		at := fmt.Sprintf("%s, %s cell %d after access %d", request, p.Name, cell, until)
		to, from := f.reaches(place, cell, until), f.comesFrom(place, cell, until)
		for n := range f.Places {
			var want []int64
			for c := range f.Places[n].Cells {
				if to[n][c] || from[n][c] || n == place && c == cell {
					want = append(want, c)
				}
			}
			total += len(want)
			if !slices.Equal(want, s.Lit[n]) {
				f.t.Errorf("%s: lit in %s are %d cells %v, want %d %v",
					at, f.Places[n].Name, len(s.Lit[n]), few(s.Lit[n]), len(want), few(want))
			}
		}
		if want := f.holds(place, cell, until); p.Kind != "operand" && !slices.Equal(want, s.Held) {
			f.t.Errorf("%s holds %v, want %v", at, s.Held, want)
		}
		f.grids(at, place, cell, s.Grids, s.Text)
	}
	if total < 2*len(got.Spots) {
		f.t.Errorf("%s: %d cells are lit from %d spots: the run moves nothing", request, total, len(got.Spots))
	}
	f.steps(request, got)
	f.t.Logf("%s: %d spots, %d lit cells, %d accesses", request, len(got.Spots), total, len(f.moves))
}

func few(x []int64) []int64 { return x[:min(len(x), 12)] }

// grids checks where a cell is drawn: by its row and column, its thread and value, its bytes.
func (f *flow) grids(at string, place int, cell int64, got map[string][]int64, text string) {
	f.t.Helper()
	p := f.Places[place]
	for view, g := range got {
		if row := p.Row[cell]; view == "tile" && row < 0 {
			continue // never held an element
		}
		shown := g[2] == cell || view == "tile" && g[2] >= 0 && p.Row[g[2]] == p.Row[cell] && p.Col[g[2]]-p.Col[cell] == 0
		if !shown || g[3] != cell {
			f.t.Errorf("%s: view %s has it at (%d,%d), where cell %d is, labelled %d", at, view, g[0], g[1], g[2], g[3])
		}
		if view == "banks" {
			byteOf := p.Base + cell*p.Bits/8
			if col := byteOf % 128 * 8 / p.Bits; g[1] != col {
				f.t.Errorf("%s: view banks has it in column %d, want %d", at, g[1], col)
			}
			if bank := fmt.Sprintf("bank %d", byteOf/4%32); !strings.Contains(text, bank) {
				f.t.Errorf("%s: the text %q is without %q", at, text, bank)
			}
		}
		if view == "threads" {
			if thread := fmt.Sprintf("thread %d ", cell/p.Values); !strings.Contains(text, thread) {
				f.t.Errorf("%s: the text %q is without %q", at, text, thread)
			}
		}
	}
}

// steps checks that the player visits each access once, the three of a product together.
func (f *flow) steps(request string, got followShown) {
	f.t.Helper()
	seen := 0
	for k, m := range got.Steps["access"] {
		next := int64(len(f.moves))
		if k+1 < len(got.Steps["access"]) {
			next = got.Steps["access"][k+1][0]
		}
		for a := m[0]; a < next; a++ {
			if x := f.moves[a]; x.time != f.moves[m[0]].time || x.warp/4 != f.moves[m[0]].warp/4 {
				f.t.Fatalf("%s: step %d of the player has access %d of another instruction", request, k, a)
			}
			seen++
		}
	}
	if seen != len(f.moves) || len(got.Steps["phase"]) < len(got.Steps["access"]) {
		f.t.Errorf("%s: the player visits %d of %d accesses in %d steps and %d phases",
			request, seen, len(f.moves), len(got.Steps["access"]), len(got.Steps["phase"]))
	}
	for n, places := range got.Columns {
		for _, id := range places {
			for _, h := range f.Hops {
				if slices.Contains(h.From, id) && h.To != id && n == len(got.Columns)-1 && f.Places[id].Kind == "global" {
					f.t.Errorf("%s: %s is in the last column, and %s comes after it", request, f.Places[id].Name, f.Places[h.To].Name)
				}
			}
		}
	}
}
