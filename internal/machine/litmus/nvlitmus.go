package litmus

import (
	"fmt"
	"strconv"
	"strings"
)

// maxInstances limits the tests that a table of parameters may produce.
const maxInstances = 1000

// parseNVlitmus parses a text in the format of NVlabs' mixedproxy. Each line after $$ is a list of parameters,
// separated by |, which replace $0, $1, ... in the text before $$.
func parseNVlitmus(text string) ([]*Test, error) {
	body, table, isTable := strings.Cut(text, "$$\n")
	if !isTable {
		t, err := parseProxyTest(text)
		return []*Test{t}, err
	}
	var tests []*Test
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if len(tests) == maxInstances {
			return nil, tooLarge("expected at most %d lines of parameters, found more", maxInstances)
		}
		instance := body
		for i, p := range strings.Split(line, "|") {
			name, p := fmt.Sprintf("$%d", i), strings.TrimSpace(p)
			if n := len(instance) + strings.Count(instance, name)*len(p); n > maxText {
				return nil, tooLarge("expected a test of at most %d bytes, found %d with the parameters", maxText, n)
			}
			instance = strings.ReplaceAll(instance, name, p)
		}
		t, err := parseProxyTest(instance)
		if err != nil {
			return nil, fmt.Errorf("%w, with the parameters %s", err, line)
		}
		t.Name = strings.Join(strings.Fields(line), " ")
		tests = append(tests, t)
	}
	return tests, nil
}

// parseProxyTest parses one test:
//
//	.global x;
//	.surfref s virtually aliases x;
//	d0.b0.t0 { st [x], 1; fence.proxy.surface; suld r0, [s] == 1; }
//	assert (r0 == 1) as name;
//
// A value after == in a load excludes the executions in which the load returns another value.
func parseProxyTest(text string) (*Test, error) {
	r := &reader{text: text, list: scan(text), t: &Test{}}
	for r.err == nil && r.skip(".") {
		r.space()
	}
	for r.err == nil && strings.HasPrefix(r.peek(), "d") && r.after(1) == "." {
		r.block()
	}
	for r.err == nil && r.peek() != "" {
		r.command()
	}
	if r.err == nil && len(r.t.Asks) == 0 {
		r.fail("permit, check or assert")
	}
	return r.t, r.err
}

// space parses the declaration of a location.
func (r *reader) space() {
	space := r.word("global, shared, texref or surfref")
	name := r.location(r.word("a location"))
	if how := r.peek(); how == "physically" || how == "virtually" {
		r.next()
		r.expect("aliases")
		proxy := ""
		if how == "physically" {
			proxy = "generic"
		}
		r.share(name, r.location(r.word("a location")), proxy)
	} else if space == "texref" || space == "surfref" {
		r.fail("virtually aliases")
	}
	r.expect(";")
}

// block parses a thread, d0.b0.t0 { ... }.
func (r *reader) block() {
	th := Thread{}
	for i, unit := range []string{"d", "b", "t"} {
		if i > 0 {
			r.expect(".")
			th.Name += "."
		}
		word := r.word("the number of a device, a block or a thread")
		n, err := strconv.Atoi(strings.TrimPrefix(word, unit))
		if err != nil {
			r.fail(unit + "0 instead of " + word)
		}
		th.Name += word
		switch unit {
		case "d":
			th.GPU = n
		case "b":
			th.CTA, th.Cluster = n, -1-n
		}
	}
	r.t.Threads = append(r.t.Threads, th)
	i := len(r.t.Threads) - 1
	r.expect("{")
	for r.err == nil && !r.skip("}") {
		if r.skip(";") {
			continue
		}
		ins := r.instruction(i)
		if r.skip("==") {
			r.restrict(i, ins.Dst)
		}
		r.t.Threads[i].Code = append(r.t.Threads[i].Code, ins)
		r.expect(";")
	}
}

// restrict adds to the filter that register k of thread i has the value of the next token.
func (r *reader) restrict(i, k int) {
	if k < 0 {
		r.fail("no value after an instruction without a result, instead of")
		return
	}
	value := Term{Thread: -1, Loc: -1, Value: r.integer()}
	c := &Condition{Op: 'c', Math: "eq", A: Term{Thread: i, Register: k, Loc: -1}, B: value}
	if r.t.Filter != nil {
		c = &Condition{Op: '&', L: r.t.Filter, R: c}
	}
	r.t.Filter = c
}

// command parses permit (...) as name; it also parses check and assert.
func (r *reader) command() {
	a := Ask{Kind: Forall}
	switch kind := r.word("permit, check or assert"); kind {
	case "permit", "check":
		a.Kind = Exists
	case "assert":
	default:
		r.fail("permit, check or assert instead of " + kind)
	}
	r.expect("(")
	a.Cond, a.Text = r.question()
	r.expect(")")
	r.expect("as")
	a.Name = r.word("a name")
	r.expect(";")
	r.t.Asks = append(r.t.Asks, a)
}
