package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// opcode is an instruction with its modifiers split up. A modifier that no row asks for is an error, so no modifier is
// silently ignored.
type opcode struct {
	*ptx.Instr
	name string
	mods []string
	used []bool
}

func newOpcode(in *ptx.Instr) *opcode {
	parts := strings.Split(string(in.Op), ".")
	return &opcode{Instr: in, name: parts[0], mods: parts[1:], used: make([]bool, len(parts)-1)}
}

// has reports whether mod is a modifier of o, and marks it as used.
//
//go:noinline
func (o *opcode) has(mod string) bool {
	found := false
	for i, m := range o.mods {
		if m == mod {
			o.used[i], found = true, true
		}
	}
	return found
}

// one returns the first unused modifier that is in list, or "".
//
//go:noinline
func (o *opcode) one(list ...string) string {
	for i, m := range o.mods {
		if !o.used[i] && slices.Contains(list, m) {
			o.used[i] = true
			return m
		}
	}
	return ""
}

// skip marks the modifiers in list as used; they change nothing here.
//
//go:noinline
func (o *opcode) skip(list ...string) {
	for i, m := range o.mods {
		if slices.Contains(list, m) {
			o.used[i] = true
		}
	}
}

// cacheOperators are the modifiers that choose the caches for ld and st (PTX ISA 9.7.9.1).
var cacheOperators = []string{"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}

// skipHints marks the hints for caches as used.
func (o *opcode) skipHints() {
	for i, m := range o.mods {
		if strings.HasPrefix(m, "L1::") || strings.HasPrefix(m, "L2::") || slices.Contains(cacheOperators, m) {
			o.used[i] = true
		}
	}
}

// types returns the modifiers that are types.
func (o *opcode) types() []ptx.Type {
	var list []ptx.Type
	for i, m := range o.mods {
		if ptx.Type(m).Bits() != 0 {
			o.used[i] = true
			list = append(list, ptx.Type(m))
		}
	}
	return list
}

// typ returns the last type, or "".
//
//go:noinline
func (o *opcode) typ() ptx.Type {
	if list := o.types(); len(list) > 0 {
		return list[len(list)-1]
	}
	return ""
}

// oneType returns an error unless the instruction states exactly one type.
func (o *opcode) oneType() error {
	switch n := len(o.types()); n {
	case 1:
		return nil
	case 0:
		return fmt.Errorf("the instruction states no type that is known")
	default:
		return fmt.Errorf("the instruction states %d types, expected one", n)
	}
}

// checkUnused returns an error if there is a modifier that no row asked for.
func (o *opcode) checkUnused() error {
	for i, u := range o.used {
		if !u {
			return fmt.Errorf("the modifier .%s is not known here", o.mods[i])
		}
	}
	return nil
}

// need returns an error unless the number of operands is from n to most.
func (o *opcode) need(n, most int) error {
	if len(o.Operands) < n || len(o.Operands) > most {
		return fmt.Errorf("%d operands, expected %d to %d", len(o.Operands), n, most)
	}
	return nil
}

// end returns an error if operands are left. If there is an unknown modifier, the error names it; otherwise, the error
// says that there are too many operands.
func (o *opcode) end(ops operands) error {
	if len(ops) == 0 {
		return nil
	}
	if err := o.checkUnused(); err != nil {
		return err
	}
	return fmt.Errorf("%d operands too many", len(ops))
}

// operands is a list from which next takes one operand after another; a missing operand is nil.
type operands []ptx.Operand

func (l *operands) next() ptx.Operand {
	if len(*l) == 0 {
		return nil
	}
	o := (*l)[0]
	*l = (*l)[1:]
	return o
}
