package litmus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/fault"
	"girih/internal/check/long"
	"girih/ptx/consistency"
)

// many returns n, or 10 n in a long run of the tests.
func many(n int) int {
	if long.Tests() {
		n *= 10
	}
	return n
}

// A roll draws random tests.
type roll struct{ *rand.Rand }

func (r roll) of(words ...string) string { return words[r.IntN(len(words))] }

// herdTest returns the text of a test whose threads are columns of instructions.
func herdTest(places []string, columns [][]string, cond string) string {
	var b strings.Builder
	b.WriteString("PTX random\n{ x=0; y=0; w=0; s @ surface aliases x; z @ generic aliases x; }\n")
	for i, p := range places {
		fmt.Fprintf(&b, "%sP%d@%s", []string{"", " | "}[min(i, 1)], i, p)
	}
	b.WriteString(" ;\n")
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	for k := range rows {
		for i, c := range columns {
			if i > 0 {
				b.WriteString(" | ")
			}
			if k < len(c) {
				b.WriteString(c[k])
			}
		}
		b.WriteString(" ;\n")
	}
	return b.String() + cond + "\n"
}

// straight draws the threads of a test without branches. It returns their places in the machine, and columns of
// instructions.
func (r roll) straight() (places []string, columns [][]string) {
	for range 2 + r.IntN(2) {
		places = append(places, r.of("cta 0,gpu 0", "cta 1,gpu 0"))
		var column []string
		for k := range 1 + r.IntN(3) {
			scope, loc := r.of("cta", "gpu"), r.of("x", "x", "y", "z")
			reg := fmt.Sprintf("r%d", k)
			switch r.IntN(9) {
			case 0, 1:
				column = append(column, r.of("st.weak ", "st.relaxed."+scope+" ", "st.release."+scope+" ")+loc+", "+r.of("1", "2"))
			case 2, 3:
				column = append(column, r.of("ld.weak ", "ld.relaxed."+scope+" ", "ld.acquire."+scope+" ")+reg+", "+loc)
			case 4:
				column = append(column, "atom."+r.of("relaxed", "acq_rel")+"."+scope+".add "+reg+", "+loc+", 1")
			case 5:
				column = append(column, r.of("suld.weak "+reg+", s", "sust.weak s, 3"))
			case 6:
				column = append(column, r.of("fence.sc.", "fence.acq_rel.")+scope)
			case 7:
				column = append(column, r.of("fence.proxy.surface", "fence.proxy.alias", "bar.cta.sync 0"))
			default:
				column = append(column, "red.relaxed."+scope+".add "+loc+", 1")
			}
		}
		columns = append(columns, column)
	}
	return places, columns
}

// A brute finds the final states of a test by brute force: it tries all assignments of writes to reads, all orders of
// fence.sc, and all orders of writes that Check accepts.
type brute struct {
	*state
	final map[string]bool
	note  func(final string, x *consistency.Execution) // may be nil
}

// sources tries all writes for each read from event k on.
func (b *brute) sources(k int) {
	for ; k < len(b.events); k++ {
		e := &b.events[k]
		if !e.read {
			continue
		}
		for w := range b.events {
			if o := &b.events[w]; o.write && b.place(o) == b.place(e) && (o.thread != e.thread || w < k) {
				e.from = w
				b.sources(k + 1)
			}
		}
		e.from = -1
		return
	}
	if !b.values() {
		return
	}
	x := b.graph(0)
	b.orders("sc", x, b.fences(), 0, func() {
		b.orders("co", x, b.writes(), 0, func() { b.judge(x) })
	})
}

// values computes the values of a run in which every read has its write. It reports whether no value depends on itself.
func (b *brute) values() bool {
	for k := range b.events {
		if e := &b.events[k]; e.read {
			e.val = value{e: &term{read: k}, deps: e.val.deps}
			if e.pair >= 0 {
				b.events[e.pair].val.known = false
			}
		}
	}
	for range b.events {
		for k := range b.events {
			if e := &b.events[k]; e.read && b.events[e.from].val.known {
				e.val.known, e.val.n = true, b.events[e.from].val.n
			}
		}
		for k := range b.events { // an atomic operation of these tests adds 1
			if e := &b.events[k]; e.read && e.pair >= 0 && e.val.known {
				w := &b.events[e.pair]
				w.val.known, w.val.n = true, e.val.n+1
			}
		}
	}
	return !slices.ContainsFunc(b.events, func(e event) bool { return e.memory() && !e.val.known })
}

// fences returns the pairs of fence.sc that are morally strong.
func (b *brute) fences() (list [][2]int) {
	for i := range b.events {
		for j := range i {
			if b.events[i].isSC() && b.events[j].isSC() && b.graph(0).Relation("ms").Has(i, j) {
				list = append(list, [2]int{i, j})
			}
		}
	}
	return list
}

// writes returns the pairs of writes that overlap.
func (b *brute) writes() (list [][2]int) {
	for i := range b.events {
		for j := range i {
			if e, f := &b.events[i], &b.events[j]; e.write && f.write && b.place(e) == b.place(f) {
				list = append(list, [2]int{i, j})
			}
		}
	}
	return list
}

// orders tries all transitive relations on the pairs: each pair in one order, in the other order, and, for writes,
// unordered. Two fences of different scopes may be ordered through a third fence although they are not a pair in the
// list.
func (b *brute) orders(name string, x *consistency.Execution, list [][2]int, k int, do func()) {
	if k == len(list) {
		was := x.Relation(name).Clone()
		r := x.Relation(name)
		if r.Close(); name == "sc" || slices.Equal(r, was) {
			do()
		}
		copy(r, was)
		return
	}
	i, j := list[k][0], list[k][1]
	if name == "co" && b.events[j].thread >= 0 {
		b.orders(name, x, list, k+1, do)
	}
	x.Relation(name).Add(j, i)
	b.orders(name, x, list, k+1, do)
	x.Relation(name)[j] &^= 1 << i
	if b.events[j].thread >= 0 {
		x.Relation(name).Add(i, j)
		b.orders(name, x, list, k+1, do)
		x.Relation(name)[i] &^= 1 << j
	}
}

// judge records the final states of an allowed execution.
func (b *brute) judge(x *consistency.Execution) {
	if x.Check() != nil {
		return
	}
	l := &leaf{state: b.state, x: x}
	b.finals(l, 0, "")
}

// finals records the final states for each choice of the last writes.
func (b *brute) finals(l *leaf, place int, key string) {
	if place == len(b.test.Locations) {
		for k := range b.events {
			if e := &b.events[k]; e.read && e.ins.Dst >= 0 {
				key += fmt.Sprintf("P%d:%s=%d ", e.thread, b.test.Threads[e.thread].Registers[e.ins.Dst], e.val.n)
			}
		}
		b.final[key] = true
		if b.note != nil {
			b.note(key, l.x)
		}
		return
	}
	if b.test.Locations[place].Place != place {
		b.finals(l, place+1, key)
		return
	}
	for _, n := range l.lasts(place) {
		b.finals(l, place+1, fmt.Sprintf("%s%s=%d ", key, b.test.Locations[place].Name, n))
	}
}

// TestSearchFindsAllStates checks that the search finds exactly the final states that brute force finds.
func TestSearchFindsAllStates(t *testing.T) {
	t.Parallel()
	r := roll{rand.New(rand.NewPCG(1, 2))}
	tried, states := 0, 0
	for range many(60) {
		places, columns := r.straight()
		text := herdTest(places, columns, "exists (x == 0)")
		tests, err := Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		test := tests[0]
		q := newSearch(test, Ask{}, Limits{Rounds: 1, States: 1 << 20})
		for i := range test.Threads {
			q.loops = append(q.loops, loopsOf(test, i))
		}
		s := q.start()
		if _, err := s.advance(); err != nil || len(s.stuck()) > 0 || len((&brute{state: s}).writes()) > 9 {
			continue
		}
		b := &brute{state: s, final: map[string]bool{}}
		b.sources(0)
		tried++
		states += len(b.final)
		all := collect(t, test)
		if all == nil {
			continue
		}
		for key, n := range all {
			if !b.final[key] {
				t.Fatalf("%s is found (%d), which is not allowed, in\n%s", key, n, text)
			}
			delete(b.final, key)
		}
		for key := range b.final {
			t.Fatalf("%s is not found in\n%s", key, text)
		}
	}
	t.Logf("%d tests with %d states", tried, states)
}

// collect finds the final states one after another, by asking each time for a state that it has not found. It returns
// nil if there are too many executions.
func collect(t *testing.T, test *Test) map[string]int {
	found := map[string]int{}
	q := newSearch(test, Ask{}, Limits{Rounds: 1, States: 1 << 12})
	q.places = 1<<len(test.Locations) - 1
	for i, l := range test.Locations {
		if l.Place != i {
			q.places &^= 1 << i
		}
	}
	q.goal = func(lookup func(Term) (int64, bool)) verdict {
		key, all := "", true
		for i, l := range test.Locations {
			if l.Place == i {
				n, ok := lookup(Term{Thread: -1, Loc: i})
				key, all = fmt.Sprintf("%s%s=%d ", key, l.Name, n), all && ok
			}
		}
		for i, th := range test.Threads {
			for _, ins := range th.Code {
				if (ins.Op == Load || ins.Op == Atomic) && ins.Dst >= 0 {
					n, ok := lookup(Term{Thread: i, Register: ins.Dst, Loc: -1})
					key, all = fmt.Sprintf("%sP%d:%s=%d ", key, i, th.Registers[ins.Dst], n), all && ok
				}
			}
		}
		if !all {
			return unknown
		}
		found[key]++
		return no
	}
	if err := q.run(); errors.Is(err, fault.Limit) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRoundsChangeNothing compares threads that wait for x with the same threads after one more round that reads 0.
// Each final state of the longer threads must also be a final state of the shorter ones.
func TestRoundsChangeNothing(t *testing.T) {
	t.Parallel()
	r := roll{rand.New(rand.NewPCG(5, 6))}
	compared := 0
	for range many(15) {
		places, columns := r.straight()
		load := r.of("ld.weak ", "ld.relaxed.gpu ", "ld.acquire.gpu ", "ld.acquire.cta ")
		fence := r.of("fence.sc.gpu", "fence.acq_rel.gpu", "fence.proxy.surface", "add r7, r7, 0")
		short := append([][]string{append([]string{load + "r8, x"}, columns[0]...)}, columns[1:]...)
		long := append([][]string{append([]string{load + "r9, x", fence}, short[0]...)}, columns[1:]...)
		var states [2]map[string]int
		for i, c := range [][][]string{short, long} {
			tests, err := Parse(herdTest(places, c, "exists (x == 0)"))
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(c, func(col []string) bool { return slices.Contains(col, "bar.cta.sync 0") }) {
				continue
			}
			states[i] = collect(t, tests[0])
		}
		if states[0] == nil || states[1] == nil {
			continue
		}
		for key := range states[1] {
			rest := strings.Replace(key, "P0:r9=0 ", "", 1)
			if rest == key || strings.Contains(key, "P0:r8=0 ") {
				continue
			}
			if compared++; states[0][rest] == 0 {
				t.Fatalf("%s is a state only after a round in\n%s", key, herdTest(places, long, ""))
			}
		}
	}
	if t.Logf("%d states", compared); compared == 0 {
		t.Error("nothing was compared")
	}
}

// TestInterleavingsAgree checks that the two algorithms that decide whether executions end agree.
func TestInterleavingsAgree(t *testing.T) {
	t.Parallel()
	r := roll{rand.New(rand.NewPCG(3, 4))}
	count := map[string]int{}
	for range many(300) {
		var columns [][]string
		for range 2 {
			var c []string
			for k := range 1 + r.IntN(2) {
				label := fmt.Sprintf("L%d", k)
				op := r.of("ld.relaxed.gpu r0, x", "atom.relaxed.gpu.exch r0, x, "+r.of("0", "1"), "ld.relaxed.gpu r0, x")
				c = append(c, label+":", op, r.of("beq", "bne")+" r0, "+r.of("0", "1")+", "+label)
			}
			columns = append(columns, append(c, "st.relaxed.gpu x, "+r.of("0", "1")))
		}
		text := herdTest([]string{"cta 0,gpu 0", "cta 0,gpu 0"}, columns, "exists (x == 0)")
		tests, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Terminates(tests[0], Limits{Rounds: 1, States: 1 << 18})
		if err != nil || !tests[0].sequential() {
			t.Fatalf("%v in\n%s", err, text)
		}
		q := newSearch(tests[0], Ask{}, Limits{Rounds: 1, States: 1 << 18})
		q.hang = true
		b := Answer{Kind: "ends"}
		if err := b.answer(q); err != nil {
			t.Fatal(err)
		}
		count[a.Verdict+" "+b.Verdict]++
		if b.Verdict != Unknown && a.Verdict != b.Verdict {
			t.Fatalf("interleavings: %s, executions: %s, in\n%s", a.Verdict, b.Verdict, text)
		}
	}
	if count["holds holds"] == 0 || count["fails fails"] == 0 {
		t.Errorf("too few kinds of tests: %v", count)
	}
	t.Log(count)
}
