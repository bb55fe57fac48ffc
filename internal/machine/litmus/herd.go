package litmus

import (
	"slices"
	"strings"
)

// parseHerd parses a test whose threads are columns:
//
//	PTX MP
//	{ x=0; P1:r0=0; s @ surface aliases x; }
//	P0@cta 0,gpu 0        | P1@cta 0,gpu 0       ;
//	st.weak x, 1          | ld.acquire.gpu r0, y ;
//	st.release.gpu y, 1   | ld.weak r1, x        ;
//	~exists (P1:r0 == 1 /\ P1:r1 == 0)
func parseHerd(text string) (*Test, error) {
	head, _, _ := strings.Cut(text, "{")
	fields := strings.Fields(head)
	r := &reader{text: text, t: &Test{}}
	if len(fields) < 2 || !strings.EqualFold(fields[0], "PTX") || len(head) == len(text) {
		r.list = scan(text)
		r.fail("PTX, a name and {")
		return nil, r.err
	}
	r.t.Name = fields[1]
	// Only the text after the head is split into tokens, because the descriptions in the head may contain any
	// characters.
	blank := strings.Map(func(c rune) rune {
		if c == '\n' {
			return c
		}
		return ' '
	}, head)
	r.text = blank + text[len(head):]
	r.list = scan(r.text)
	declared := r.declarations()
	r.threads()
	r.assign(declared)
	labels := make([][]label, len(r.t.Threads))
	for r.err == nil && !slices.Contains(ends, r.peek()) {
		r.row(labels)
	}
	r.targets(labels)
	r.questions()
	return r.t, r.err
}

// ends lists the words that may follow the instructions.
var ends = []string{"", "exists", "forall", "~", "not", "locations", "filter", "final"}

// A declaration sets the first value of a register. The threads are declared later, so it is kept until then.
type declaration struct {
	thread, register string
	value            int64
	line             token
}

// declarations parses the text in braces.
func (r *reader) declarations() []declaration {
	var list []declaration
	r.expect("{")
	for r.err == nil && !r.skip("}") {
		if r.skip(";") {
			continue
		}
		at := r.list[0]
		name := r.word("a location or a thread")
		switch {
		case r.skip(":"):
			d := declaration{thread: name, register: r.word("a register"), line: at}
			r.expect("=")
			d.value = r.integer()
			list = append(list, d)
		case r.skip("@"):
			r.alias(name)
		default:
			r.expect("=")
			r.t.Locations[r.location(name)].Start = r.integer()
		}
	}
	r.skip(";")
	return list
}

// alias parses the rest of "surface aliases x". The name is another address of the memory of x for the generic proxy.
func (r *reader) alias(name string) {
	proxy := r.word("a proxy")
	if !slices.Contains([]string{"generic", "constant", "texture", "surface"}, proxy) {
		r.fail("generic, constant, texture or surface before aliases")
	}
	r.expect("aliases")
	r.share(r.location(name), r.location(r.word("a location")), proxy)
}

// share makes location a another name for the memory of location b. The generic proxy accesses it by another address,
// other proxies by the same address.
func (r *reader) share(a, b int, proxy string) {
	l, of := &r.t.Locations[a], r.t.Locations[b]
	if l.Place != a || l.Address != a {
		r.fail("one alias for " + l.Name)
	}
	if a == b {
		r.fail("a location that differs from " + l.Name)
	}
	if l.Place = of.Place; proxy != "generic" {
		l.Address = of.Address
	}
}

// threads parses the line that declares the threads.
func (r *reader) threads() {
	for r.err == nil {
		th := Thread{Name: r.word("a thread")}
		r.expect("@")
		for clusters := false; r.err == nil; {
			unit := r.word("cta, cluster or gpu")
			n := int(r.integer())
			switch unit {
			case "cta":
				th.CTA = n
			case "cluster":
				th.Cluster, clusters = n, true
			case "gpu":
				th.GPU = n
			default:
				r.fail("cta, cluster or gpu instead of " + unit)
			}
			if !r.skip(",") {
				if !clusters { // without clusters in the text, each CTA is a cluster
					th.Cluster = -1 - th.CTA
				}
				break
			}
		}
		r.t.Threads = append(r.t.Threads, th)
		if r.skip(";") {
			return
		}
		r.expect("|")
	}
}

// thread returns the number of the thread called name, with or without the P.
func (r *reader) thread(name string) int {
	i := slices.IndexFunc(r.t.Threads, func(t Thread) bool { return t.Name == name || t.Name == "P"+name })
	if i < 0 {
		r.fail("a thread instead of " + name)
	}
	return i
}

// assign sets the first values of the declared registers.
func (r *reader) assign(list []declaration) {
	for _, d := range list {
		if i := r.thread(d.thread); i >= 0 {
			r.t.Threads[i].Start[r.register(i, d.register)] = d.value
		}
	}
}

// A label names an instruction of a thread.
type label struct {
	name string
	at   int
}

// find returns the instruction that a label names, or -1.
func find(labels []label, name string) int {
	for _, l := range labels {
		if l.name == name {
			return l.at
		}
	}
	return -1
}

// row parses a row: for each thread an instruction, a label, or nothing.
func (r *reader) row(labels [][]label) {
	for i := 0; r.err == nil; i++ {
		if p := r.peek(); p != "|" && p != ";" {
			if i >= len(labels) {
				r.fail("at most one column for each thread, before")
				return
			}
			r.cell(i, labels)
		}
		if r.skip(";") {
			return
		}
		r.expect("|")
	}
}

// cell parses an instruction or a label of thread i.
func (r *reader) cell(i int, labels [][]label) {
	th := &r.t.Threads[i]
	if r.after(1) == ":" {
		name := r.word("a label")
		if find(labels[i], name) >= 0 {
			r.fail("one label " + name)
		}
		labels[i] = append(labels[i], label{name, len(th.Code)})
		r.next()
		return
	}
	ins := r.instruction(i)
	r.t.Threads[i].Code = append(r.t.Threads[i].Code, ins)
}

// targets replaces the labels in branches by the numbers of instructions.
func (r *reader) targets(labels [][]label) {
	for i := range r.t.Threads {
		code := r.t.Threads[i].Code
		for k := range code {
			ins := &code[k]
			if ins.Op != Branch {
				continue
			}
			target := find(labels[i], ins.Text)
			if target < 0 && r.err == nil {
				r.list = []token{{ins.Text, ins.Line, 0}, {"", ins.Line, 0}}
				r.fail("a label of " + r.t.Threads[i].Name)
			}
			ins.Target = target
		}
	}
}

// questions parses the text after the instructions.
func (r *reader) questions() {
	if r.skip("locations") {
		for r.err == nil && !r.skip("]") {
			r.next()
			if r.peek() == "" {
				r.fail("]")
			}
		}
	}
	if r.skip("filter") {
		r.t.Filter = r.condition()
		r.skip(";")
	}
	a := Ask{}
	switch {
	case r.skip("exists") || r.skip("final"):
	case r.skip("forall"):
		a.Kind = Forall
	case r.skip("~") || r.skip("not"):
		a.Kind = Never
		r.expect("exists")
	default:
		r.fail("exists, ~exists or forall")
	}
	a.Cond, a.Text = r.question()
	r.t.Asks = append(r.t.Asks, a)
	if r.skip(";"); r.err == nil && r.peek() != "" {
		r.fail("the end")
	}
}

// question parses a condition, and also returns its text.
func (r *reader) question() (*Condition, string) {
	from := r.list[0].at
	c := r.condition()
	return c, strings.Join(strings.Fields(r.text[from:max(r.list[0].at, from)]), " ")
}

// condition parses a condition. /\ has a higher precedence than \/.
func (r *reader) condition() *Condition { return r.binary('|', `\/`, "||") }

func (r *reader) binary(op byte, signs ...string) *Condition {
	read := func() *Condition {
		if op == '|' {
			return r.binary('&', `/\`, "&&")
		}
		return r.factor()
	}
	c := read()
	for r.skip(signs[0]) || r.skip(signs[1]) {
		c = &Condition{Op: op, L: c, R: read()}
	}
	return c
}

// factor parses a negation, a condition in parentheses, or a comparison.
func (r *reader) factor() *Condition {
	switch {
	case r.skip("~") || r.skip("not") || r.skip("!"):
		return &Condition{Op: '!', L: r.factor()}
	case r.skip("("):
		c := r.condition()
		r.expect(")")
		return c
	}
	c := &Condition{Op: 'c', A: r.term()}
	c.Math = Math([]string{"", "eq", "eq", "ne", "lt", "le", "gt", "ge"}[1+slices.Index(comparisons, r.peek())])
	if c.Math == "" {
		r.fail("a comparison")
	}
	r.next()
	c.B = r.term()
	return c
}

var comparisons = []string{"=", "==", "!=", "<", "<=", ">", ">="}

// term parses an operand of a comparison: an integer, a register such as P0:r1 or 0:r1, or a location. In tests whose
// register names are unique, a register may lack the thread.
func (r *reader) term() Term {
	t := Term{Thread: -1, Loc: -1}
	if r.isInteger() && r.after(1) != ":" {
		t.Value = r.integer()
		return t
	}
	in := r.skip("[")
	name := r.word("a register, a location or an integer")
	if r.skip(":") {
		if t.Thread = r.thread(name); t.Thread >= 0 {
			t.Register = r.oldRegister(t.Thread, r.word("a register"))
		}
		return t
	}
	for i := range r.t.Threads {
		if k := slices.Index(r.t.Threads[i].Registers, name); k >= 0 && !in {
			if t.Thread >= 0 {
				r.fail("the thread of " + name + ", which two threads have, as in P0:" + name)
			}
			t.Thread, t.Register = i, k
		}
	}
	if t.Thread < 0 {
		t.Loc = slices.IndexFunc(r.t.Locations, func(l Location) bool { return l.Name == name })
		if t.Loc < 0 {
			r.fail("a register or a location instead of " + name)
		}
	}
	if in {
		r.expect("]")
	}
	return t
}

// oldRegister returns the number of a register that the thread already has. Another name is an error.
func (r *reader) oldRegister(thread int, name string) int {
	k := slices.Index(r.t.Threads[thread].Registers, strings.TrimPrefix(name, "%"))
	if k < 0 {
		r.fail("a register of " + r.t.Threads[thread].Name + " instead of " + name)
	}
	return max(k, 0)
}
