package banks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
)

// An atomic is an operation of atom and red, and the way in which a machine executes it in shared memory.
type atomic struct {
	name string // the name in PTX with the type, such as "add.u32"
	bits int
	// passes is the number of passes through the banks: cas compares and then writes. 0 marks an operation that is
	// compiled to a loop of loads and cas instead of an instruction.
	passes int
	red    bool // red also has this operation
}

// atomics are the operations of atom and red (PTX ISA, "atom" and "red"), as compiled for sm_90: operations with passes
// become one ATOMS, the others a loop of LDS and ATOMS.CAST.SPIN.
var atomics = []atomic{
	{"add.u32", 32, 1, true},
	{"add.s32", 32, 1, true},
	{"min.u32", 32, 1, true},
	{"min.s32", 32, 1, true},
	{"max.u32", 32, 1, true},
	{"max.s32", 32, 1, true},
	{"inc.u32", 32, 1, true},
	{"dec.u32", 32, 1, true},
	{"and.b32", 32, 1, true},
	{"or.b32", 32, 1, true},
	{"xor.b32", 32, 1, true},
	{"exch.b32", 32, 1, false},
	{"exch.b64", 64, 1, false},
	{"exch.b128", 128, 1, false},
	{"cas.b32", 32, 2, false},
	{"cas.b64", 64, 2, false},
	{"cas.b128", 128, 2, false},
	{"cas.b16", 16, 0, false},
	{"add.u64", 64, 0, true},
	{"add.s64", 64, 0, true},
	{"min.u64", 64, 0, true},
	{"min.s64", 64, 0, true},
	{"max.u64", 64, 0, true},
	{"max.s64", 64, 0, true},
	{"and.b64", 64, 0, true},
	{"or.b64", 64, 0, true},
	{"xor.b64", 64, 0, true},
	{"add.f32", 32, 0, true},
	{"add.f64", 64, 0, true},
	{"add.noftz.f16", 16, 0, true},
	{"add.noftz.bf16", 16, 0, true},
	{"add.noftz.f16x2", 32, 0, true},
	{"add.noftz.bf16x2", 32, 0, true},
}

// qualifiers are the modifiers that do not change bank conflicts.
var qualifiers = []string{
	"shared", "shared::cta", "relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "noftz",
}

// otherTypes maps types to other types of the same operations.
var otherTypes = map[string]string{"b32": "u32", "b64": "u64", "u32": "b32", "u64": "b64", "s32": "b32", "s64": "b64"}

// parseAtomic reads the rest of a name after atom and red: modifiers, the operation and its type.
func parseAtomic(m mnemonic) (Access, error) {
	red := m.head == "red"
	var words []string
	for _, p := range m.modifiers {
		switch {
		case slices.Contains(qualifiers, p):
		case p == "shared::cluster" || p == "async":
			return Access{}, m.unknown(remote)
		case p == "global":
			return Access{}, m.unknown(": .global is not in shared memory")
		default:
			words = append(words, p)
		}
	}
	if len(words) != 2 {
		return Access{}, m.unknown(": which operation and type? As in " + m.head + ".add.u32")
	}
	for _, typ := range []string{words[1], otherTypes[words[1]]} {
		for i, a := range atomics {
			if strings.ReplaceAll(a.name, ".noftz", "") != words[0]+"."+typ || red && !a.red {
				continue
			}
			x := Access{op: Atomic, bits: a.bits, atomic: i + 1}
			if red {
				x.op = Reduce
			}
			return x, nil
		}
	}
	return Access{}, m.unknown(fmt.Sprintf(": there is no %s of %s", words[0], words[1]))
}

// atomicRule refuses operations that are loops, and sets how the banks serve the others.
func (r *Rule) atomicRule() error {
	a := atomics[r.access.atomic-1]
	if a.passes == 0 {
		return refuse(cute.CodeType, "girih counts one instruction; atom.add.u32, atom.exch.b64 and atom.cas.b64 are such",
			"%v is not an instruction of %s, but a loop of loads and compare-and-swaps that repeats as often as lanes conflict",
			r.access, r.target)
	}
	r.eachLane, r.passes = true, a.passes
	r.source = "measured on an H200: 908 single-warp accesses, all reproduced; lanes count, not words; cas goes twice"
	return nil
}

// atomicName returns the canonical name: "atom.add.u32", "red.add.u32".
func (a Access) atomicName() string {
	head := "atom."
	if a.op == Reduce {
		head = "red."
	}
	if a.atomic == 0 {
		return head + strconv.Itoa(a.bits)
	}
	return head + atomics[a.atomic-1].name
}

// remote is the reason why accesses to the shared memory of another block have no wavefronts.
const remote = ": the shared memory of another block is not served by banks, but moves in sectors of 32 bytes; " +
	"on an H200 a load takes 1.5 cycles for each, and a store 1.5 for each half of one that it writes, " +
	"or for each of neighbouring whole ones"
