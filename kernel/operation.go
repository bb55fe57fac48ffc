package kernel

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file has the instructions of values: an operation is a row, which says for each type how PTX writes it. Methods
// of Value and Pair name the row. Package sim executes the instruction as PTX defines it.

// The groups of types that rows share.
var (
	floats   = []dtype.Type{dtype.F32, dtype.F64}
	halves   = []dtype.Type{dtype.F16, dtype.BF16}
	integers = []dtype.Type{dtype.S32, dtype.U32, dtype.S64, dtype.U64}
	words    = append([]dtype.Type{dtype.B16, dtype.S16, dtype.U16, dtype.B32, dtype.B64}, integers...)
)

// operations are the rows.
var operations = map[string]map[dtype.Type]ptx.Op{
	"add": with(row("add.rn", floats, halves), row("add", integers)),
	"sub": with(row("sub.rn", floats, halves), row("sub", integers)),
	"mul": with(row("mul.rn", floats, halves), row("mul.lo", integers)),
	"fma": with(row("fma.rn", floats, halves), row("mad.lo", integers)),
	"max": row("max", floats, halves, integers), "min": row("min", floats, halves, integers),
	"div": with(row("div.rn", floats), row("div", integers)), "rem": row("rem", integers),
	"mul_hi": row("mul.hi", integers),
	"abs":    row("abs", floats, halves, []dtype.Type{dtype.S32, dtype.S64}),
	"neg":    row("neg", floats, halves, []dtype.Type{dtype.S32, dtype.S64}),
	"rcp":    row("rcp.rn", floats), "sqrt": row("sqrt.rn", floats), "rsqrt": row("rsqrt.approx", floats),
	"exp": row("ex2.approx", floats[:1]), "log": row("lg2.approx", floats[:1]), "log2": row("lg2.approx", floats[:1]),
	"exp2": with(row("ex2.approx", floats[:1], halves[:1]), row("ex2.approx.ftz", halves[1:])),
	"sin":  row("sin.approx", floats[:1]), "cos": row("cos.approx", floats[:1]),
	"tanh":  row("tanh.approx", floats[:1], halves),
	"floor": whole("cvt.rmi"), "ceil": whole("cvt.rpi"), "trunc": whole("cvt.rzi"), "round": whole("cvt.rni"),
	"and": inBits("and", words), "or": inBits("or", words), "xor": inBits("xor", words), "not": inBits("not", words),
	"shl": inBits("shl", words), "shr": shiftRight(),
	"popc": inBits("popc", words[3:]), "clz": inBits("clz", words[3:]), "brev": inBits("brev", words[3:]),
	"bfe":     with(row("bfe", integers), map[dtype.Type]ptx.Op{dtype.B32: "bfe.u32", dtype.B64: "bfe.u64"}),
	"bfi":     inBits("bfi", words[3:]),
	"prmt":    {dtype.B32: "prmt.b32", dtype.S32: "prmt.b32", dtype.U32: "prmt.b32"},
	"compare": row("", floats, halves, integers),
}

// row returns a row in which the name of the type follows the opcode.
func row(o ptx.Op, types ...[]dtype.Type) map[dtype.Type]ptx.Op {
	out := map[dtype.Type]ptx.Op{}
	for _, t := range slices.Concat(types...) {
		out[t] = o + ptx.Op(t.PTX())
	}
	return out
}

// inBits returns a row in which the type is the bits of the values.
func inBits(o ptx.Op, types []dtype.Type) map[dtype.Type]ptx.Op {
	out := map[dtype.Type]ptx.Op{}
	for _, t := range types {
		out[t] = o + ptx.Op(fmt.Sprintf(".b%d", t.Bits()))
	}
	return out
}

// shiftRight is the row of shifts that keep the sign of signed integers.
func shiftRight() map[dtype.Type]ptx.Op {
	return row("shr", words)
}

// whole returns a row of conversions from a float to a whole number of its type.
func whole(o ptx.Op) map[dtype.Type]ptx.Op {
	out := map[dtype.Type]ptx.Op{}
	for _, t := range slices.Concat(floats, halves) {
		out[t] = o + ptx.Op(t.PTX()+t.PTX())
	}
	return out
}

// typesOf returns the types of a row in the order of their numbers.
func typesOf(row map[dtype.Type]ptx.Op) []dtype.Type {
	types := slices.Collect(maps.Keys(row))
	sort.Slice(types, func(i, j int) bool { return types[i] < types[j] })
	return types
}

// operation returns the instruction of a row for a type. If there is none, it refuses with the types that have one.
func (k *K) operation(name string, t dtype.Type) (ptx.Op, bool) {
	o, ok := operations[name][t]
	if !ok {
		k.repair("convert it first: Value.Convert", &cute.Error{
			Code: cute.CodeType, Op: name,
			Msg: fmt.Sprintf("expected a value of a type of %v, found %v", typesOf(operations[name]), t),
		})
		return "", false
	}
	k.newer(o)
	return o, k.err == nil
}

// newer needs the chip that has an instruction on bf16: sm_80 has products with a sum, minima and signs only.
func (k *K) newer(o ptx.Op) {
	if !strings.Contains(string(o), ".bf16") {
		return
	}
	switch o.Name() {
	case "fma", "max", "min", "abs", "neg", "selp":
	default:
		k.require(lower.Target{Chip: "sm_90", Version: ptx.Version{Major: 7, Minor: 8}})
	}
}

// compute writes the instruction of a row for values of one type.
func (v Value) compute(name string, vs ...Value) (out Value) {
	k := user(name, append([]Value{v}, vs...)...)
	if k == nil {
		return v
	}
	if emit.Computes(name, v.typ) {
		d := k.does(&emit.Step{Op: name, Of: append(k.stepsOf(v), k.stepsOf(vs...)...), Type: v.typ})
		defer func() { d.value(out) }()
	}
	args := []ptx.Operand{v.reg}
	for _, w := range vs {
		if w.typ != v.typ {
			k.refuse(name, cute.CodeType, "expected values of one type, found %v and %v", v.typ, w.typ)
			return v
		}
		args = append(args, w.reg)
	}
	return v.result(name, v.typ, args...)
}

// result writes the instruction of a row for the type of v, with a result of another type.
func (v Value) result(name string, t dtype.Type, args ...ptx.Operand) Value {
	k := user(name, v)
	if k == nil {
		return v
	}
	o, ok := k.operation(name, v.typ)
	if !ok {
		return v
	}
	return k.valueOf(k.let(valueType(t), o, args...), t)
}
