package ptx

import (
	"iter"
	"strings"
)

// Op is an opcode with its modifiers, as written: "ld.global.L1::no_allocate.v4.f32". The parser accepts any opcode, so
// it also reads PTX that is newer than this package.
type Op string

// Name returns the opcode without modifiers: "ld".
func (o Op) Name() string {
	name, _, _ := strings.Cut(string(o), ".")
	return name
}

// Mods returns the modifiers in order, without dots.
func (o Op) Mods() iter.Seq[string] {
	return func(yield func(string) bool) {
		_, rest, more := strings.Cut(string(o), ".")
		for more {
			var mod string
			mod, rest, more = strings.Cut(rest, ".")
			if !yield(mod) {
				return
			}
		}
	}
}

// Has reports whether mod, without a dot, is one of the modifiers.
func (o Op) Has(mod string) bool {
	for m := range o.Mods() {
		if m == mod {
			return true
		}
	}
	return false
}

// Types returns the modifiers that are types, in order: s32 and f32 for "cvt.rn.s32.f32".
func (o Op) Types() []Type {
	var types []Type
	for m := range o.Mods() {
		if t := Type(m); t.Bits() != 0 {
			types = append(types, t)
		}
	}
	return types
}

// Type returns the last modifier that is a type, or "" without one. Most opcodes have operands of this type.
func (o Op) Type() Type {
	var last Type
	for m := range o.Mods() {
		if t := Type(m); t.Bits() != 0 {
			last = t
		}
	}
	return last
}

// Space returns the first modifier that is a state space, including its second part, as in "shared::cta". Without such
// a modifier it returns "", the generic space.
func (o Op) Space() Space {
	for m := range o.Mods() {
		first, _, _ := strings.Cut(m, "::")
		if isSpace(Space(first)) {
			return Space(m)
		}
	}
	return ""
}

// Vec returns 2, 4 or 8 for the modifier .v2, .v4 or .v8, and 1 without such a modifier.
func (o Op) Vec() int {
	for m := range o.Mods() {
		if n := vecSize(m); n != 0 {
			return n
		}
	}
	return 1
}

// vecSize returns 2, 4 or 8 for "v2", "v4" or "v8", and 0 for any other modifier.
func vecSize(mod string) int {
	if len(mod) == 2 && mod[0] == 'v' && (mod[1] == '2' || mod[1] == '4' || mod[1] == '8') {
		return int(mod[1] - '0')
	}
	return 0
}
