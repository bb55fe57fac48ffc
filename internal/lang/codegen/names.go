package codegen

import (
	"fmt"
	"strings"

	"girih/internal/ints"
)

// Names names dynamic integers without a name, and collects the remarks of the comment: the facts that a C++ or Python
// variable does not show, such as a divisor of 8 or a width of 64 bits. The comment consists of sentences that an
// engineer and package reader understand: K % 8 == 0; n0: run-time int; n1: run-time int64_t; is_ stands for is.
type names struct {
	words   map[string]bool // words that cannot be names of variables
	types   map[int]string  // the language's integer type for a width in bits; width 0 is unknown
	taken   map[string]bool // the names of all symbols of the value
	next    int
	told    map[string]bool
	remarks []string
}

// cppTypes and pythonTypes are names of integers by their width.
var (
	cppTypes    = map[int]string{0: "int", 32: "int32_t", 64: "int64_t"}
	pythonTypes = map[int]string{0: "int", 32: "Int32", 64: "Int64"}
)

// newNames returns names that differ from all symbols of the value and from the words.
func newNames(n node, words map[string]bool, types map[int]string) *names {
	ns := &names{words: words, types: types, taken: make(map[string]bool), told: make(map[string]bool)}
	eachNumber(n, func(x number) {
		symbols(x.formula, func(s symbol) { ns.taken[string(s)] = true })
	})
	return ns
}

// text returns a dynamic integer as an expression of the grammar, in parentheses if it binds less tightly than least.
func (ns *names) text(grammar map[op]spelling, x number, least int) string {
	// An integer without a name gets a new name at each call, so the text is made only once.
	sp := speaker{grammar, ns.of}
	text := sp.text(x.formula, levelAdd)
	tight := text
	if level(x.formula, grammar) < levelMul {
		tight = "(" + text + ")"
	}
	switch {
	case x.formula == symbol(""):
		ns.tell(text + ": run-time " + ns.integer(x.facts.bits))
	case x.facts.bits != 0:
		ns.tell(text + ": " + ns.integer(x.facts.bits))
	}
	if d := x.facts.div; d > 1 && impliedDivisor(x.formula)%d != 0 {
		ns.tell(fmt.Sprintf("%s %% %d == 0", tight, d))
	}
	if level(x.formula, grammar) < least {
		return "(" + text + ")"
	}
	return text
}

// integer returns the name of the integers of a width.
func (ns *names) integer(bits int) string {
	if name, ok := ns.types[bits]; ok {
		return name
	}
	return fmt.Sprintf("int of %d bits", bits)
}

// impliedDivisor returns a divisor that the formula shows: 8 * M is a multiple of 8.
func impliedDivisor(x expr) int64 {
	switch x := x.(type) {
	case literal:
		return int64(x)
	case operation:
		switch x.op {
		case opMul:
			d := int64(1)
			for _, a := range x.args {
				if d *= impliedDivisor(a) % (1 << 31); d > 1<<31 || d < -1<<31 {
					return 1 // the remark may say that something is too large to compare
				}
			}
			return d
		case opAdd:
			d := int64(0)
			for _, a := range x.args {
				d = ints.GCD(d, impliedDivisor(a))
			}
			return d
		}
	}
	return 1
}

// of returns the name of a symbol, or a new name for an integer without one. A name that has a meaning in the language
// gets underscores appended.
func (ns *names) of(s symbol) string {
	if s != "" {
		name := string(s)
		for ns.words[name] || name != string(s) && ns.taken[name] {
			name += "_"
		}
		if name != string(s) {
			ns.tell(name + " stands for " + string(s))
		}
		return name
	}
	for {
		name := fmt.Sprintf("n%d", ns.next)
		ns.next++
		if !ns.taken[name] && !ns.words[name] {
			return name
		}
	}
}

// tell adds a remark to the comment, once.
func (ns *names) tell(remark string) {
	if !ns.told[remark] {
		ns.told[remark] = true
		ns.remarks = append(ns.remarks, remark)
	}
}

// comment returns the remarks after the sign that begins a comment, or "" if there are none.
func (ns *names) comment(sign string) string {
	if len(ns.remarks) == 0 {
		return ""
	}
	return "  " + sign + " " + strings.Join(ns.remarks, "; ")
}
