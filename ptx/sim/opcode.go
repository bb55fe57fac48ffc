package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// opcode is an instruction with its modifiers split up. A modifier that no row asks for is an error, so none is
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

// has reports whether mod is a modifier.
func (o *opcode) has(mod string) bool {
	found := false
	for i, m := range o.mods {
		if m == mod {
			o.used[i], found = true, true
		}
	}
	return found
}

// one returns the first modifier that is one of list, or "".
func (o *opcode) one(list ...string) string {
	for i, m := range o.mods {
		if !o.used[i] && slices.Contains(list, m) {
			o.used[i] = true
			return m
		}
	}
	return ""
}

// skip accepts modifiers that change nothing here.
func (o *opcode) skip(list ...string) {
	for i, m := range o.mods {
		if slices.Contains(list, m) {
			o.used[i] = true
		}
	}
}

// cacheOperators say which caches ld and st look in and leave copies in (PTX ISA 9.7.9.1).
var cacheOperators = []string{"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}

// skipHints accepts the hints for caches.
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

// end returns an error if operands are left. The cause is an unknown modifier if there is one, otherwise the operands
// are too many.
func (o *opcode) end(ops operands) error {
	if len(ops) == 0 {
		return nil
	}
	if err := o.checkUnused(); err != nil {
		return err
	}
	return fmt.Errorf("%d operands too many", len(ops))
}

// operands returns operands one after another; a missing one is nil.
type operands []ptx.Operand

func (l *operands) next() ptx.Operand {
	if len(*l) == 0 {
		return nil
	}
	o := (*l)[0]
	*l = (*l)[1:]
	return o
}
