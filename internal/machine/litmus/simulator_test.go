package litmus

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/ptx"
	"girih/ptx/consistency"
	"girih/ptx/sim"
)

// The tests of this file compare the simulator with the model: random litmus tests are compiled to kernels, and the
// simulator runs the kernels in all orders.

// A program is a test without loops: a list of instructions for each thread.
type program struct {
	places  []string
	columns [][]string
}

// runnable draws a program of instructions that the simulator supports. In half of the programs, each thread has a
// fence.sc in the middle.
func (r roll) runnable() program {
	var p program
	fenced := r.IntN(2) == 0
	for range 2 + r.IntN(2) {
		p.places = append(p.places, r.of("cta 0,gpu 0", "cta 1,gpu 0"))
		var column []string
		for range 1 + r.IntN(3-r.IntN(2)) {
			column = append(column, r.instruction(len(column)))
		}
		if fenced {
			column = append(column, "fence.sc."+r.of("cta", "gpu", "gpu"))
		}
		for range 1 + r.IntN(2) {
			column = append(column, r.instruction(len(column)))
		}
		p.columns = append(p.columns, column)
	}
	for _, cta := range []string{"cta 0,gpu 0", "cta 1,gpu 0"} {
		if r.IntN(2) == 0 {
			continue
		}
		for i, c := range p.columns {
			if p.places[i] == cta {
				p.columns[i] = slices.Insert(c, r.IntN(len(c)+1), "bar.cta.sync 0")
			}
		}
	}
	return p
}

// instruction draws an instruction, whose result is register k if it has one.
func (r roll) instruction(k int) string {
	scope, loc := r.of("cta", "gpu", "gpu"), r.of("x", "x", "y", "w")
	reg := fmt.Sprintf("r%d", k)
	switch r.IntN(8) {
	case 0, 1, 2:
		return r.of("st.weak ", "st.relaxed."+scope+" ", "st.release."+scope+" ") + loc + ", " + r.of("1", "2")
	case 3, 4, 5:
		return r.of("ld.weak ", "ld.relaxed."+scope+" ", "ld.acquire."+scope+" ") + reg + ", " + loc
	case 6:
		return "atom." + r.of("relaxed", "acq_rel") + "." + scope + ".add " + reg + ", " + loc + ", 1"
	}
	return r.of("fence.sc.", "fence.acq_rel.") + scope
}

// The layout of the kernel's memory, in words: x, y, w, and the registers of each thread.
const (
	yWord    = 1
	wWord    = 2
	outWords = 8
	perTest  = 8
)

// kernel returns p as PTX, the number of blocks, and the number of warps per block. Each thread of p is lane 0 of its
// own warp.
func (p program) kernel() (text string, grid, warps int) {
	var b strings.Builder
	b.WriteString(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 m) {\n" +
		".reg .b32 %t, %l, %c, %n, %r<8>; .reg .b64 %m; .reg .pred %p, %q;\nld.param.u64 %m, [m];\n" +
		"mov.u32 %l, %tid.x; shr.u32 %t, %l, 5; and.b32 %l, %l, 31; setp.ne.u32 %p, %l, 0; @%p ret; mov.u32 %c, %ctaid.x;\n")
	of := map[string]int{}
	for i, place := range p.places {
		cta := map[string]int{"cta 0,gpu 0": 0, "cta 1,gpu 0": 1}[place]
		fmt.Fprintf(&b, "setp.ne.u32 %%p, %%c, %d; setp.ne.or.u32 %%p, %%t, %d, %%p; @%%p bra N%d;\n", cta, of[place], i)
		grid, of[place] = max(grid, cta+1), of[place]+1
		warps = max(warps, of[place])
		for _, text := range p.columns[i] {
			op, rest, _ := strings.Cut(text, " ")
			args := strings.Split(strings.ReplaceAll(rest, " ", ""), ",")
			for k, a := range args {
				switch {
				case a == "x":
					args[k] = "[%m]"
				case a == "y":
					args[k] = fmt.Sprintf("[%%m+%d]", 4*yWord)
				case a == "w":
					args[k] = fmt.Sprintf("[%%m+%d]", 4*wWord)
				case strings.HasPrefix(a, "r"):
					args[k] = "%" + a
				}
			}
			switch {
			case op == "bar.cta.sync":
				op = "bar.sync"
			case strings.HasPrefix(op, "atom"):
				op = strings.TrimSuffix(op, ".add") + ".global.add.u32"
			case strings.HasPrefix(op, "fence"):
			default:
				op += ".global.u32"
			}
			fmt.Fprintf(&b, "%s %s;\n", op, strings.Join(args, ", "))
		}
		for k, text := range p.columns[i] {
			if reg := destination(text); reg != "" {
				fmt.Fprintf(&b, "st.global.u32 [%%m+%d], %%%s;\n", 4*(outWords+perTest*i+k), reg)
			}
		}
		fmt.Fprintf(&b, "ret;\nN%d:\n", i)
	}
	b.WriteString("ret;\n}\n")
	return b.String(), grid, warps
}

// destination returns the register that an instruction writes, or "".
func destination(text string) string {
	op, rest, _ := strings.Cut(text, " ")
	if strings.HasPrefix(op, "ld") || strings.HasPrefix(op, "atom") {
		reg, _, _ := strings.Cut(rest, ",")
		return reg
	}
	return ""
}

// state returns the final state in memory in the format of brute.
func (p program) state(memory []byte) string {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(memory[4*i:]) }
	list := []string{fmt.Sprintf("x=%d", word(0)), fmt.Sprintf("y=%d", word(yWord)), fmt.Sprintf("w=%d", word(wWord))}
	for i, c := range p.columns {
		for k, text := range c {
			if reg := destination(text); reg != "" {
				list = append(list, fmt.Sprintf("P%d:%s=%d", i, reg, word(outWords+perTest*i+k)))
			}
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// allowed says whether the model allows executions that end in a final state, with a data race and without one.
type allowed struct{ racy, free bool }

// states returns the final states that the model allows, or nil if there are too many executions.
func (p program) states(t *testing.T) map[string]allowed {
	t.Helper()
	text := herdTest(p.places, p.columns, "exists (x == 0)")
	tests, err := Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	q := newSearch(tests[0], Ask{}, Limits{Rounds: 1, States: 1 << 20})
	for i := range tests[0].Threads {
		q.loops = append(q.loops, loopsOf(tests[0], i))
	}
	s := q.start()
	if _, err := s.advance(); err != nil || len(s.stuck()) > 0 {
		return nil
	}
	if b := (&brute{state: s}); len(b.writes())+len(b.fences()) > 8 {
		return nil
	}
	all := map[string]allowed{}
	b := &brute{state: s, final: map[string]bool{}}
	b.note = func(key string, x *consistency.Execution) {
		words := strings.Fields(key)
		slices.Sort(words)
		a := all[strings.Join(words, " ")]
		if x.Relation("race").Empty() {
			a.free = true
		} else {
			a.racy = true
		}
		all[strings.Join(words, " ")] = a
	}
	b.sources(0)
	return all
}

// judge runs p in all orders and compares each run with the model. It returns the number of runs, and the number of
// runs with a race.
func (p program) judge(t *testing.T, all map[string]allowed, strict bool) (runs, races int) {
	t.Helper()
	text, grid, warps := p.kernel()
	m, err := ptx.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	prog, err := sim.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	for o := sim.NewOrders(); o.Next() && runs < 1000; {
		mem, err := prog.NewMemory()
		if err != nil {
			t.Fatal(err)
		}
		b, err := mem.Put("m", make([]byte, 4*(outWords+perTest*len(p.columns))))
		if err != nil {
			t.Fatal(err)
		}
		res, err := prog.Run(t.Context(), mem, sim.Launch{
			Grid: sim.Dim{X: grid}, Block: sim.Dim{X: 32 * warps}, Args: []sim.Arg{sim.Pointer(b, 0)}, Orders: o,
			Findings: 100, Strict: strict,
		})
		if o.Cut() {
			continue
		}
		if err != nil && len(res.Findings) == 0 {
			t.Fatalf("%v\n%s", err, text)
		}
		runs++
		list := slices.Concat(res.Findings, res.Lesser)
		for _, f := range list {
			if f.Kind != sim.KindRace {
				t.Fatalf("%v\n%s", f, text)
			}
		}
		key := p.state(b.Bytes())
		a, ok := all[key]
		if races += min(len(list), 1); !ok {
			t.Fatalf("%s is not allowed: %v\n%s", key, slices.Sorted(maps.Keys(all)), p)
		}
		if len(list) > 0 && !a.racy {
			t.Fatalf("strict %t: there is no race with %s: %v\n%s\n%s", strict, key, list[0], p, text)
		}
		if len(list) == 0 && !a.free && strict && p.isExact() {
			t.Fatalf("each execution with %s has a race, and none is found\n%s", key, p)
		}
	}
	return runs, races
}

// isExact reports whether the simulator finds a race in every run that has one. The simulator keeps only the last write
// to each byte, and therefore misses races with a write that a morally strong write has replaced. It also treats reads
// of global memory in an epoch that a release has published as if they came before the release.
func (p program) isExact() bool {
	type use struct{ writer, weak int }
	uses := map[string]*use{"x": {-1, 0}, "y": {-1, 0}, "w": {-1, 0}}
	late := map[string]int{} // for each thread, the locations that it reads after a release
	for i, c := range p.columns {
		released := false
		for _, text := range c {
			op, args, _ := strings.Cut(text, " ")
			words := strings.Split(strings.ReplaceAll(args, " ", ""), ",")
			loc := words[0]
			if destination(text) != "" {
				loc = words[1]
			}
			if u := uses[loc]; u != nil {
				if strings.Contains(op, "weak") || strings.Contains(op, "cta") {
					u.weak++
				}
				if destination(text) != "" && released {
					late[loc] |= 1 << i
				}
				if !strings.HasPrefix(op, "ld") {
					if u.writer >= 0 {
						return false
					}
					u.writer = i
				}
			}
			released = released || strings.HasPrefix(op, "fence") || strings.Contains(op, "rel.") || strings.Contains(op, "release")
		}
	}
	for loc, u := range uses {
		if u.writer >= 0 && u.weak > 0 && late[loc]&^(1<<u.writer) != 0 {
			return false
		}
	}
	return true
}

func (p program) String() string { return herdTest(p.places, p.columns, "") }

// TestSimulator runs random programs in the simulator and checks three claims: the model allows each result; if the
// simulator finds a race, some execution with the same result has a race; and if all executions with this result have a
// race, and each location is written once, the simulator finds a race.
func TestSimulator(t *testing.T) {
	t.Parallel()
	r := roll{rand.New(rand.NewPCG(8, 35))}
	tests, runs, races := 0, 0, 0
	for range many(100) {
		p := r.runnable()
		all := p.states(t)
		if all == nil {
			continue
		}
		tests++
		for _, strict := range []bool{false, true} {
			n, k := p.judge(t, all, strict)
			runs, races = runs+n, races+k
		}
	}
	if t.Logf("%d tests, %d runs, %d of them with a race", tests, runs, races); races == 0 || races == runs || tests < 40 {
		t.Error("too few tests")
	}
}
