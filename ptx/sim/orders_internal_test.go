package sim

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/ptx"
)

// A tinyStep is a step of a tiny program: operation op on place x[at] with a value. Its result is stored in the next
// output of the thread. "wait" polls x[at] until it is not 0.
type tinyStep struct {
	op      string
	at, val int
}

// A tiny is a program of a few threads, each in its own warp.
type tiny struct {
	threads [][]tinyStep
	blocks  bool // the threads are blocks; otherwise they are warps of one block
}

const (
	tinyPlaces = 3
	words      = 64 // the size of the buffer
)

func (p tiny) String() string { return fmt.Sprint(p.threads, p.blocks) }

// source returns p as PTX. x contains the places, followed by 8 outputs for each thread.
func (p tiny) source() string {
	var b strings.Builder
	b.WriteString(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x) {\n" +
		".reg .b32 %t, %l, %r; .reg .b64 %x; .reg .pred %p;\nld.param.u64 %x, [x];\n")
	if p.blocks {
		b.WriteString("mov.u32 %t, %ctaid.x;\nmov.u32 %l, 0;\n")
	} else {
		b.WriteString("mov.u32 %l, %tid.x;\nshr.u32 %t, %l, 5;\nand.b32 %l, %l, 31;\n")
	}
	for i, steps := range p.threads {
		fmt.Fprintf(&b, "setp.ne.u32 %%p, %%t, %d;\n@%%p bra N%d;\n", i, i)
		out := 0
		for k, s := range steps {
			place := fmt.Sprintf("[%%x+%d]", 4*s.at)
			lane := "setp.ne.u32 %p, %l, 0;\n"
			switch s.op {
			case "bar":
				b.WriteString("bar.sync 0;\n")
				continue
			case "st":
				fmt.Fprintf(&b, "%s@!%%p st.relaxed.gpu.global.u32 %s, %d;\n", lane, place, s.val)
				continue
			case "wait":
				at := fmt.Sprintf("%d_%d", i, k)
				fmt.Fprintf(&b, "%s@%%p bra D%s;\nL%s: ld.acquire.gpu.global.u32 %%r, %s;\n"+
					"setp.eq.u32 %%p, %%r, 0;\n@%%p bra L%s;\nD%s:\n", lane, at, at, place, at, at)
				continue
			case "ld":
				fmt.Fprintf(&b, "%s@!%%p ld.relaxed.gpu.global.u32 %%r, %s;\n", lane, place)
			case "cas":
				fmt.Fprintf(&b, "%s@!%%p atom.global.cas.b32 %%r, %s, 0, %d;\n", lane, place, s.val)
			default:
				op := map[string]string{"add": "add.u32", "exch": "exch.b32"}[s.op]
				fmt.Fprintf(&b, "%s@!%%p atom.global.%s %%r, %s, %d;\n", lane, op, place, s.val)
			}
			fmt.Fprintf(&b, "@!%%p st.global.u32 [%%x+%d], %%r;\n", 4*(tinyPlaces+8*i+out))
			out++
		}
		fmt.Fprintf(&b, "ret;\nN%d:\n", i)
	}
	b.WriteString("ret;\n}\n")
	return b.String()
}

// outcomes returns the final states of p in all interleavings, which it computes by the definition. "stuck" is a state
// in which a thread waits for ever.
func (p tiny) outcomes() map[string]bool {
	all := map[string]bool{}
	visited := map[string]bool{}
	var walk func(pc []int, mem []uint32)
	walk = func(pc []int, mem []uint32) {
		key := fmt.Sprint(pc, mem)
		if visited[key] {
			return
		}
		visited[key] = true
		ran, ends := false, true
		for i, steps := range p.threads {
			if pc[i] == len(steps) {
				continue
			}
			ends = false
			s := steps[pc[i]]
			next, now := slices.Clone(pc), slices.Clone(mem)
			next[i]++
			out := tinyPlaces + 8*i
			for _, before := range steps[:pc[i]] {
				if before.op != "st" && before.op != "bar" && before.op != "wait" {
					out++
				}
			}
			old := mem[s.at]
			switch s.op {
			case "bar":
				if !p.barrier(pc, next) {
					continue
				}
			case "wait":
				if old == 0 {
					continue
				}
			case "st":
				now[s.at] = uint32(s.val)
			default:
				now[out] = old
				switch {
				case s.op == "add":
					now[s.at] += uint32(s.val)
				case s.op == "exch", s.op == "cas" && old == 0:
					now[s.at] = uint32(s.val)
				}
			}
			ran = true
			walk(next, now)
		}
		switch {
		case ends:
			all[fmt.Sprint(mem)] = true
		case !ran:
			all["stuck"] = true
		}
	}
	walk(make([]int, len(p.threads)), make([]uint32, words))
	return all
}

// barrier lets all threads pass a barrier, if every thread that has not ended is there.
func (p tiny) barrier(pc, next []int) bool {
	for i, steps := range p.threads {
		if next[i] = pc[i]; pc[i] < len(steps) {
			if steps[pc[i]].op != "bar" {
				return false
			}
			next[i]++
		}
	}
	return true
}

// explore runs p in all orders.
func (p tiny) explore(t *testing.T, naive bool) explored {
	t.Helper()
	l := Launch{Grid: Dim{X: 1}, Block: Dim{X: 32 * len(p.threads)}}
	if p.blocks {
		l.Grid, l.Block = Dim{X: len(p.threads)}, Dim{X: 1}
	}
	return explore(t, p.source(), l, naive)
}

// An explored contains the outcomes of a kernel, and how often each trace was run to its end.
type explored struct {
	outcomes map[string]bool
	traces   map[string]int
	orders   *Orders
}

// explore runs a kernel with one buffer of 64 words. If naive is set, it runs all orders of steps, otherwise only the
// representatives.
func explore(t *testing.T, src string, l Launch, naive bool) explored {
	t.Helper()
	m, err := ptx.Parse(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	prog, err := Load(m)
	if err != nil {
		t.Fatal(err)
	}
	o := NewOrders()
	o.naive, l.Orders = naive, o
	x := explored{map[string]bool{}, map[string]int{}, o}
	for runs := 0; o.Next(); runs++ {
		if runs > 1<<17 {
			t.Fatalf("too many orders of\n%s", src)
		}
		mem, err := prog.NewMemory()
		if err != nil {
			t.Fatal(err)
		}
		b, err := mem.Put("x", make([]byte, 4*words))
		if err != nil {
			t.Fatal(err)
		}
		l.Args = []Arg{Pointer(b, 0)}
		_, err = prog.Run(t.Context(), mem, l)
		f, isFinding := err.(*Finding)
		switch {
		case o.Cut():
			continue
		case isFinding && f.Kind == KindDeadlock:
			x.outcomes["stuck"] = true
		case isFinding:
			x.outcomes[fmt.Sprint(f.Kind, f.Pos.Line)] = true
		case err != nil:
			t.Fatalf("%v\n%s", err, src)
		default:
			var list []uint32
			for d := b.Bytes(); len(d) > 0; d = d[4:] {
				list = append(list, binary.LittleEndian.Uint32(d))
			}
			x.outcomes[fmt.Sprint(list)] = true
		}
		x.traces[o.trace()]++
	}
	if o.over != nil {
		t.Fatal(o.over)
	}
	return x
}

// compareNaive compares x with the run of all orders of steps, and returns the number of these orders.
func (x explored) compareNaive(t *testing.T, all explored) int {
	t.Helper()
	for trace, n := range x.traces {
		if n != 1 || all.traces[trace] == 0 {
			t.Errorf("has run a trace %d times, %d by all orders:\n%s", n, all.traces[trace], trace)
		}
	}
	for trace := range all.traces {
		if x.traces[trace] == 0 {
			t.Fatalf("has not run the trace\n%s", trace)
		}
	}
	if !maps.Equal(x.outcomes, all.outcomes) {
		t.Fatalf("has outcomes %v, want %v", x.outcomes, all.outcomes)
	}
	return all.orders.Count()
}

// trace returns a text that is the same for runs which differ only in the order of steps without a conflict. It
// contains what happened at each place, with reads and arrivals between changes sorted, and the steps of each agent.
func (o *Orders) trace() string {
	places, since, steps := map[uint64]string{}, map[uint64][]string{}, map[agentID]int{}
	flush := func(place uint64) {
		slices.Sort(since[place])
		places[place] += fmt.Sprint(since[place])
		since[place] = nil
	}
	for _, c := range o.nodes[:o.depth] {
		steps[c.by]++
		for _, x := range c.touches {
			name := fmt.Sprintf("%x.%d", c.by, steps[c.by])
			if x.as == alters {
				flush(x.place)
				places[x.place] += "!" + name
			} else {
				since[x.place] = append(since[x.place], name)
			}
		}
	}
	var b strings.Builder
	for _, place := range slices.Sorted(maps.Keys(o.places)) {
		flush(place)
		fmt.Fprintf(&b, "%x: %s\n", place, places[place])
	}
	for _, id := range slices.Sorted(maps.Keys(steps)) {
		fmt.Fprintln(&b, id, steps[id])
	}
	return b.String()
}

// randomTiny returns a program of 2 or 3 threads with few steps.
func randomTiny(r *rand.Rand) tiny {
	p := tiny{blocks: r.IntN(2) == 0}
	ops := []string{"st", "ld", "add", "exch", "cas", "ld", "st", "wait"}
	if !p.blocks {
		ops = append(ops, "bar")
	}
	for range 2 + r.IntN(2) {
		var steps []tinyStep
		for range 1 + r.IntN(3) {
			steps = append(steps, tinyStep{ops[r.IntN(len(ops))], r.IntN(tinyPlaces), 1 + r.IntN(3)})
		}
		p.threads = append(p.threads, steps)
	}
	return p
}

// TestOrders compares the outcomes of random programs with the outcomes of all interleavings, which are computed both
// by the definition and by running the kernel in all orders of its steps. It also checks that each trace is run once.
func TestOrders(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(35, 1))
	n := 300
	if testing.Short() {
		n = 10
	}
	all, few, run := 0, 0, 0
	for range n {
		p := randomTiny(r)
		want, got := p.outcomes(), p.explore(t, false)
		if !maps.Equal(got.outcomes, want) {
			t.Fatalf("%v\nhas outcomes %v\nwant %v\n%s", p, got.outcomes, want, p.source())
		}
		if run += got.orders.Count(); len(slices.Concat(p.threads...)) <= 6 {
			all, few = all+got.compareNaive(t, p.explore(t, true)), few+got.orders.Count()
		}
		if t.Failed() {
			t.Fatal(p)
		}
	}
	if t.Logf("%d orders; %d of %d orders of steps", run, few, all); all < 3*few {
		t.Errorf("%d of %d orders were run", few, all)
	}
}

// TestOrdersOfCopies checks kernels with mbarriers, copies and barriers.
func TestOrdersOfCopies(t *testing.T) {
	t.Parallel()
	const begin = ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 x) {\n" +
		".shared .align 16 .b8 s[64]; .shared .align 8 .b64 m; .reg .b32 %t, %r, %w; .reg .b64 %x, %s; .reg .pred %p, %q;\n" +
		"ld.param.u64 %x, [x]; mov.u32 %t, %tid.x; shr.u32 %w, %t, 5;\n" +
		"setp.ne.u32 %q, %t, 0; @!%q mbarrier.init.shared.b64 [m], "
	const wait = "W: mbarrier.try_wait.parity.shared.b64 %p, [m], 0; @!%p bra W;\n"
	for _, k := range []struct {
		name, body string
		warps      int
		orders     int // 0 if the number is not certain
		outcomes   int
	}{
		{"a copy", "1; bar.sync 0;\n@!%q mbarrier.arrive.expect_tx.shared.b64 %s, [m], 16;\n" +
			"@!%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%x], 16, [m];\n" + wait +
			"ld.shared.u32 %r, [s]; and.b32 %t, %t, 31; setp.ne.u32 %p, %t, 0; @%p ret; atom.global.add.u32 %r, [%x+128], 1;\n" +
			"mad.wide.u32 %s, %w, 4, %x; st.global.u32 [%s+160], %r; ret; }", 2, 0, 2},
		{"arrivals", "2; bar.sync 0; and.b32 %t, %t, 31; setp.ne.u32 %q, %t, 0; @%q ret; setp.eq.u32 %p, %w, 2; @%p bra W;\n" +
			"mbarrier.arrive.shared.b64 %s, [m]; ret;\n" + wait + "st.global.u32 [%x], 1; ret; }", 3, 0, 1},
		{"barriers", "2; bar.sync 0; atom.global.add.u32 %r, [%x], 1; bar.sync 0; atom.global.exch.b32 %r, [%x], %w;\nret; }", 2, 4, 2},
		{"a barrier with a count", "1; setp.eq.u32 %p, %w, 2; @%p bra T; bar.sync 1, 64; ret;\n" +
			"T: bar.arrive 1, 64; ret; }", 3, 6, 2},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			l := Launch{Block: Dim{X: 32 * k.warps}}
			got := explore(t, begin+k.body, l, false)
			n := got.compareNaive(t, explore(t, begin+k.body, l, true))
			if t.Logf("%d of %d orders", got.orders.Count(), n); len(got.outcomes) != k.outcomes {
				t.Errorf("outcomes %v", got.outcomes)
			}
			if k.orders != 0 && got.orders.Count() != k.orders {
				t.Errorf("%d orders, want %d", got.orders.Count(), k.orders)
			}
		})
	}
}
