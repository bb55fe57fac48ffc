package codegen

import (
	"fmt"
	"strings"
)

// Names gives dynamic integers without a name one, and collects what a comment has to say of the others: that an
// integer is a multiple of 8 is nowhere in a C++ or Python variable. It says so in the notation of the CuTe DSL.
type names struct {
	words   map[string]bool // which the language does not let a variable be called
	taken   map[string]bool // the names of all symbols of the value
	next    int
	told    map[string]bool
	remarks []string
}

// newNames returns names that are different from all symbols of the value and from the words.
func newNames(n node, words map[string]bool) *names {
	ns := &names{words: words, taken: make(map[string]bool), told: make(map[string]bool)}
	eachNumber(n, func(x number) {
		symbols(x.formula, func(s symbol) { ns.taken[string(s)] = true })
	})
	return ns
}

// text returns a dynamic integer as an expression of the grammar, in parentheses if it is looser than least.
func (ns *names) text(grammar map[op]spelling, x number, least int) string {
	text := speaker{grammar, ns.of}.text(x.formula, least)
	if facts := x.facts.braces(); facts != "" || x.formula == symbol("") {
		ns.tell(text + ": ?" + facts)
	}
	return text
}

// of returns the name of a symbol, or a new one for an integer without a name or with one that has a meaning in
// the language: that one with underscores behind it.
func (ns *names) of(s symbol) string {
	if s != "" {
		name := string(s)
		for ns.words[name] || name != string(s) && ns.taken[name] {
			name += "_"
		}
		if name != string(s) {
			ns.tell(name + ": " + string(s))
		}
		return name
	}
	for {
		name := fmt.Sprintf("n%d", ns.next)
		ns.next++
		if !ns.taken[name] {
			return name
		}
	}
}

// tell adds to the comment, once.
func (ns *names) tell(remark string) {
	if !ns.told[remark] {
		ns.told[remark] = true
		ns.remarks = append(ns.remarks, remark)
	}
}

// comment returns the remarks after the sign that starts a comment, or "" if there are none.
func (ns *names) comment(sign string) string {
	if len(ns.remarks) == 0 {
		return ""
	}
	return "  " + sign + " " + strings.Join(ns.remarks, ", ")
}
