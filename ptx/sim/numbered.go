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
func (p *Program) variable(name ptx.Name) *symbol {
	if s := p.vars[name]; s != nil && s.v.Count == 0 {
		return s
	}
	return p.vars[stemOf(name)].one(name)
}
