package sim

import (
	"strconv"
	"strings"

	"girih/ptx"
)

// This file has declarations of many names with numbers, "%r<100>" (PTX ISA 5.4.6), in registers and in memory. Those
// in memory are one after the other.

// stemOf returns name without the digits at its end.
func stemOf(name ptx.Name) ptx.Name { return ptx.Name(strings.TrimRight(string(name), "0123456789")) }

// one returns what s stands for if that is called name: all of it, or one of many. Otherwise it returns nil.
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

// variable returns the variable of the module that is called name, or nil.
func (p *Program) variable(name ptx.Name) *symbol { return named(p.vars, name) }

// visible returns the variable in memory that is called name where s is declared, or nil.
func (p *Program) visible(s *symbol, name ptx.Name) *symbol {
	if x := named(p.local[s.of], name); x != nil {
		return x
	}
	return p.variable(name)
}

// named returns the variable of a list that is called name, or is one of many, or nil.
func named(list map[ptx.Name]*symbol, name ptx.Name) *symbol {
	if s := list[name]; s != nil && s.v.Count == 0 {
		return s
	}
	return numbered(list, name)
}

// mostDigits is how many digits the number of a name has at most.
const mostDigits = 10

// numbered returns the one called name of those of a list that stand for many, or nil. What they are declared by may
// end with digits, too.
func numbered(list map[ptx.Name]*symbol, name ptx.Name) *symbol {
	for n := max(len(stemOf(name)), len(name)-mostDigits); n < len(name); n++ {
		if x := list[name[:n]].one(name); x != nil {
			return x
		}
	}
	return nil
}
