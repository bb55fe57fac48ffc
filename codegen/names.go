package codegen

import (
	"fmt"
	"strings"
)

// Names gives dynamic integers without a name one, and collects what is known of the others for a comment:
// a type in C++ or Python does not say that an integer is a multiple of 8.
type names struct {
	taken   map[string]bool
	next    int
	remarks []string
}

// newNames returns names that are different from all symbols of the value.
func newNames(n node) *names {
	ns := &names{taken: make(map[string]bool)}
	eachNumber(n, func(x number) {
		symbols(x.formula, func(s symbol) { ns.taken[string(s)] = true })
	})
	return ns
}

// of returns the name of a symbol, or a new one for an integer without a name.
func (ns *names) of(s symbol) string {
	if s != "" {
		return string(s)
	}
	for {
		name := fmt.Sprintf("n%d", ns.next)
		ns.next++
		if !ns.taken[name] {
			ns.remark(name + " is not known")
			return name
		}
	}
}

// remark adds to the comment, once.
func (ns *names) remark(text string) {
	if ns.taken["\n"+text] { // no name has a line break in it
		return
	}
	ns.taken["\n"+text] = true
	ns.remarks = append(ns.remarks, text)
}

// know remarks the facts that are known of the integer with this text.
func (ns *names) know(text string, f facts) {
	if f.bits != 0 {
		ns.remark(fmt.Sprintf("%s has %d bits", text, f.bits))
	}
	if f.div > 1 {
		ns.remark(fmt.Sprintf("%s is a multiple of %d", text, f.div))
	}
}

// comment returns the remarks after the sign that starts a comment, or "" if there are none.
func (ns *names) comment(sign string) string {
	if len(ns.remarks) == 0 {
		return ""
	}
	return "  " + sign + " " + strings.Join(ns.remarks, "; ")
}
