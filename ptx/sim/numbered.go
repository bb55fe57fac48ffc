package sim

import (
	"strconv"
	"strings"

	"girih/ptx"
)

// This file implements declarations of many numbered names, "%r<100>" (PTX ISA 5.4.6), in registers and in memory. In
// memory, the variables of one declaration follow one another.

// stemOf returns name without the digits at its end.
func stemOf(name ptx.Name) ptx.Name { return ptx.Name(strings.TrimRight(string(name), "0123456789")) }

// one returns the symbol called name if s declares that name, as s itself or as one of the numbered names of s.
// Otherwise, it returns nil.
func (s *symbol) one(name ptx.Name) *symbol {
	if s == nil || s.v.Count == 0 {
		if s != nil && s.v.Name == name {
			return s
		}
		return nil
	}
	digits, ok := strings.CutPrefix(string(name), string(s.v.Name))
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= s.v.Count || strconv.Itoa(n) != digits {
		return nil
	}
	v := *s.v
	v.Name, v.Count = name, 0
	x := *s
	x.v = &v
	x.offset += int64(n) * v.Size()
	return &x
}

// variable returns the variable of the module with that name, or nil.
func (p *Program) variable(name ptx.Name) *symbol { return findVariable(p.vars, name) }

// visible returns the variable in memory with that name, if it is visible where s is declared, or nil.
func (p *Program) visible(s *symbol, name ptx.Name) *symbol {
	if x := findVariable(p.local[s.of], name); x != nil {
		return x
	}
	return p.variable(name)
}

// findVariable returns the variable of list with that name, which may be one of many numbered names, or nil.
func findVariable(list map[ptx.Name]*symbol, name ptx.Name) *symbol {
	if s := list[name]; s != nil && s.v.Count == 0 {
		return s
	}
	return findNumbered(list, name)
}

// mostDigits limits the digits of the number in a name.
const mostDigits = 10

// findNumbered returns the symbol called name if a declaration of numbered names in list declares it, or nil. The
// declared stem may itself end with digits.
func findNumbered(list map[ptx.Name]*symbol, name ptx.Name) *symbol {
	for n := max(len(stemOf(name)), len(name)-mostDigits); n < len(name); n++ {
		if x := list[name[:n]].one(name); x != nil {
			return x
		}
	}
	return nil
}
