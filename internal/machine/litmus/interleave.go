package litmus

import (
	"fmt"
	"slices"
)

// sequential reports whether the executions of t are exactly the interleavings of its threads: there is one location
// with one address, and all operations on it are morally strong. SC-Per-Location then orders all operations.
func (t *Test) sequential() bool {
	loc := -1
	for i := range t.Threads {
		for k := range t.Threads[i].Code {
			ins := &t.Threads[i].Code[k]
			switch {
			case ins.Op == Local || ins.Op == Branch || ins.Op == Fence:
				continue
			case ins.Op >= Fence || ins.Await > 0 || ins.Sem == "weak" || ins.Proxy != "generic" || loc >= 0 && loc != ins.Loc:
				return false
			}
			loc = ins.Loc
			for j := range t.Threads {
				if !within(&t.Threads[i], &t.Threads[j], ins.Scope) {
					return false
				}
			}
		}
	}
	return loc >= 0
}

// A moment is a state of an interleaving: the next instruction and the registers of each thread, and the value in
// memory.
type moment struct {
	pc     []int
	regs   [][]int64
	memory int64
	next   []int // for each thread, the moment after its next step; -1 if the thread has ended

	order, low int  // for Tarjan's algorithm; order is 0 before the moment is visited
	part       int  // 1 + the number of the first moment of its component
	open       bool // whether the moment is on the stack of the algorithm
}

// An interleaving contains all moments of a test, as a graph. A fair execution that does not end eventually stays in
// one strongly connected component of the graph, and each thread that has not ended takes steps there.
type interleaving struct {
	t       *Test
	loops   []loops
	moments []*moment
	number  map[string]int
	stack   []int
	visited int
	lasting []int // the moments of a component in which an execution may stay for ever
}

// maxBytes limits the memory of an interleaving.
const maxBytes = 32 << 20

// size returns the approximate memory of one moment of t and its key, in bytes.
func (t *Test) size() int {
	n := 200
	for i := range t.Threads {
		n += 64 + 32*len(t.Threads[i].Registers)
	}
	return n
}

// interleave answers whether all fair interleavings end.
func (out *Answer) interleave(t *Test, limits Limits) error {
	q := &search{test: t, limits: &limits}
	if err := t.check(); err != nil {
		return err
	}
	x := &interleaving{t: t, number: map[string]int{}}
	first := &moment{pc: make([]int, len(t.Threads))}
	for i := range t.Threads {
		x.loops = append(x.loops, loopsOf(t, i))
		first.regs = append(first.regs, slices.Clone(t.Threads[i].Start))
		for k := range t.Threads[i].Code {
			if ins := &t.Threads[i].Code[k]; ins.Op < Fence {
				first.memory = t.Locations[t.Locations[ins.Loc].Place].Start
			}
		}
	}
	x.add(first)
	for k := 0; k < len(x.moments); k++ {
		if err := q.count(); err != nil {
			return err
		}
		if most := maxBytes / t.size(); len(x.moments) > most {
			return tooLarge("expected at most %d states of interleavings, found more", most)
		}
		for i := range t.Threads {
			n := -1
			if m := x.moments[k]; m.pc[i] < len(t.Threads[i].Code) {
				c, err := x.after(m, i)
				if err != nil {
					return err
				}
				n = x.add(c)
			}
			x.moments[k].next = append(x.moments[k].next, n)
		}
	}
	out.States, out.Verdict = len(x.moments), Holds
	if x.components(); x.lasting != nil {
		out.Verdict, out.Witness = Fails, &Execution{Stuck: x.stuck()}
	}
	return nil
}

// add returns the number of a moment. Moments that differ only in registers that are not used any more are the same.
func (x *interleaving) add(m *moment) int {
	for i, regs := range m.regs {
		for k := range regs {
			if x.loops[i].live[m.pc[i]]>>uint(k)&1 == 0 {
				regs[k] = 0
			}
		}
	}
	key := fmt.Sprint(m.pc, m.regs, m.memory)
	n, ok := x.number[key]
	if !ok {
		n = len(x.moments)
		x.number[key] = n
		x.moments = append(x.moments, m)
	}
	return n
}

// after returns the moment that follows m if thread i takes a step.
func (x *interleaving) after(m *moment, i int) (*moment, error) {
	c := &moment{pc: slices.Clone(m.pc), memory: m.memory}
	for _, regs := range m.regs {
		c.regs = append(c.regs, slices.Clone(regs))
	}
	ins := &x.t.Threads[i].Code[m.pc[i]]
	get := func(o Operand) int64 {
		if o.Register >= 0 {
			return m.regs[i][o.Register]
		}
		return o.Value
	}
	a, b := get(ins.A), get(ins.B)
	result := m.memory
	var err error
	c.pc[i]++
	switch ins.Op {
	case Store:
		c.memory = a
	case Atomic, Reduce:
		if ins.Math != "cas" {
			c.memory, err = calculate(ins.Math, m.memory, a)
		} else if m.memory == a {
			c.memory = b
		}
	case Local:
		result, err = calculate(ins.Math, a, b)
	case Branch:
		if compare(ins.Math, a, b) {
			c.pc[i] = ins.Target
		}
	}
	if ins.Dst >= 0 {
		c.regs[i][ins.Dst] = result
	}
	return c, err
}

// components finds the strongly connected components by Tarjan's algorithm, without recursion. It stops at the first
// component in which an execution may stay for ever.
func (x *interleaving) components() {
	type frame struct{ k, i int }
	for work := []frame{{0, 0}}; len(work) > 0 && x.lasting == nil; {
		top := &work[len(work)-1]
		m := x.moments[top.k]
		if m.order == 0 {
			x.visited++
			m.order, m.low, m.open = x.visited, x.visited, true
			x.stack = append(x.stack, top.k)
		}
		if top.i < len(m.next) {
			n := m.next[top.i]
			top.i++
			if n < 0 {
				continue
			}
			switch to := x.moments[n]; {
			case to.order == 0:
				work = append(work, frame{n, 0})
			case to.open:
				m.low = min(m.low, to.order)
			}
			continue
		}
		if m.low == m.order {
			x.component(top.k)
		}
		if work = work[:len(work)-1]; len(work) > 0 {
			up := x.moments[work[len(work)-1].k]
			up.low = min(up.low, m.low)
		}
	}
}

// component removes the component of moment k from the stack. An execution may stay in the component for ever if each
// thread that has not ended has a step within it.
func (x *interleaving) component(k int) {
	at := len(x.stack)
	for end := false; !end; {
		at--
		n := x.stack[at]
		x.moments[n].open, x.moments[n].part = false, k+1
		end = n == k
	}
	part := x.stack[at:]
	x.stack = x.stack[:at]
	running := false
	for i := range x.t.Threads {
		if x.moments[k].next[i] < 0 {
			continue
		}
		running = true
		if !slices.ContainsFunc(part, func(n int) bool { return x.moments[x.moments[n].next[i]].part == k+1 }) {
			return
		}
	}
	if running {
		x.lasting = part
	}
}

// stuck names the threads that run for ever, and the lines between which they loop.
func (x *interleaving) stuck() []string {
	var list []string
	for i := range x.t.Threads {
		code := x.t.Threads[i].Code
		first, last := len(code), -1
		for _, n := range x.lasting {
			if pc := x.moments[n].pc[i]; pc < len(code) {
				first, last = min(first, pc), max(last, pc)
			}
		}
		if last >= 0 {
			list = append(list, fmt.Sprintf("%s repeats lines %d to %d for ever",
				x.t.Threads[i].Name, code[first].Line, code[last].Line))
		}
	}
	return list
}
