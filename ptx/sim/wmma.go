package sim

import (
	"fmt"

	"girih/atom"
	"girih/dtype"
	"girih/internal/machine/dot"
)

// This file implements wmma (PTX ISA 9.7.14.4). The ISA does not define where fragments are in registers. This file
// follows an H100, where each wmma is compiled to mma and has their fragments. An mma has a block of 16 rows of A and 8
// rows of B, or of 8 rows of A and 16 rows of B; the latter computes the transpose of D.

func wmmaRow(name string) row {
	if name == "wmma" {
		return (*decoder).wmma
	}
	return nil
}

func (d *decoder) wmma(o *opcode) (step, error) {
	o.skip("sync", "aligned")
	switch o.one("load", "store", "mma") {
	case "load":
		return d.wmmaMove(o, o.one("a", "b", "c"))
	case "store":
		return d.wmmaMove(o, o.one("d"))
	case "mma":
		return d.wmmaMMA(o)
	}
	return nil, fmt.Errorf("expected .load, .store or .mma")
}

// wmmaShape reads the shape from the modifiers.
func (o *opcode) wmmaShape() (s [3]int, err error) {
	for i, m := range o.mods {
		if n, _ := fmt.Sscanf(m, "m%dn%dk%d", &s[0], &s[1], &s[2]); n == 3 && m == fmt.Sprintf("m%dn%dk%d", s[0], s[1], s[2]) {
			o.used[i] = true
			return s, nil
		}
	}
	return s, fmt.Errorf("expected a shape")
}

// wmmaKinds lists shapes, the types of A that they allow, and the shape of the mma that implements them.
var wmmaKinds = []struct {
	shapes [][3]int
	types  []dtype.Type
	base   string
}{
	{[][3]int{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}}, []dtype.Type{dtype.F16, dtype.BF16, dtype.S8, dtype.U8}, "m16n8k16"},
	{[][3]int{{16, 16, 8}}, []dtype.Type{dtype.TF32}, "m16n8k8"},
	{[][3]int{{8, 8, 4}}, []dtype.Type{dtype.F64}, "m8n8k4"},
	{[][3]int{{8, 8, 32}}, []dtype.Type{dtype.S4, dtype.U4}, "m8n8k32"},
	{[][3]int{{8, 8, 128}}, []dtype.Type{dtype.B1}, "m8n8k128"},
}

// wmmaBase returns the mma that implements a wmma with type a of A and type acc of D. variant is the end of its opcode.
func wmmaBase(shape [3]int, a, acc dtype.Type, variant string) (atom.MMA, error) {
	for _, kind := range wmmaKinds {
		for _, s := range kind.shapes {
			for _, t := range kind.types {
				if s != shape || t != a {
					continue
				}
				if t == dtype.B1 && variant == "" {
					variant = ".and.popc"
				}
				return atom.FindPTX("mma.sync.aligned."+kind.base+".row.col"+acc.PTX()+t.PTX()+t.PTX()+acc.PTX()+variant,
					atom.Registers)
			}
		}
	}
	return atom.MMA{}, fmt.Errorf("no wmma has the shape m%dn%dk%d with matrices of .%v and .%v",
		shape[0], shape[1], shape[2], a, acc)
}

// wmmaFragment returns the fragment of an operand.
func wmmaFragment(m atom.MMA, shape [3]int, operand string) (*fragment, error) {
	turned := shape[0] < int(m.Shape[0]) // D is computed as its transpose
	rows, which := shape[0], atom.OperandA
	switch operand {
	case "a":
	case "b":
		rows, which = shape[1], atom.OperandB
	default:
		return wmmaAccumulator(m, shape)
	}
	if turned {
		which = map[atom.Operand]atom.Operand{atom.OperandA: atom.OperandB, atom.OperandB: atom.OperandA}[which]
	}
	base, err := newFragment(m, which)
	if err != nil {
		return nil, err
	}
	x, y := m.Extents(which) // extents of a block
	columns := int(y)
	if m.Types.A.Type == dtype.B1 {
		columns /= 32
	}
	f := &fragment{bits: base.bits, per: base.per, step: base.step, size: rows * columns}
	blocks := rows / int(x)
	if m.Types.A.Type == dtype.F16 {
		blocks = 8 / base.count // sm_70 needs 8 registers, so the blocks are repeated
	}
	for i := range blocks {
		for _, h := range base.holders {
			at := int(h.at) + i%(rows/int(x))*int(x)*columns
			f.holders = append(f.holders, holder{h.lane, h.reg + uint8(i*base.count), uint16(at)})
		}
		f.count += base.count
	}
	return f, nil
}

// wmmaAccumulator returns the fragment of C and D, in which the blocks of the mma follow one another along M or N.
func wmmaAccumulator(m atom.MMA, shape [3]int) (*fragment, error) {
	base, err := newFragment(m, atom.OperandC)
	if err != nil {
		return nil, err
	}
	turned := shape[0] < int(m.Shape[0])
	x, y := m.Extents(atom.OperandC) // extents of a block
	f := &fragment{bits: base.bits, per: base.per, step: base.step, size: shape[0] * shape[1]}
	if turned {
		f.step *= shape[1]
	}
	for i := range shape[0] * shape[1] / int(x*y) {
		for _, h := range base.holders {
			r, c := int(h.at)/int(y), int(h.at)%int(y)
			switch {
			case turned:
				r, c = c, r+i*int(x)
			case shape[0] > int(x):
				r += i * int(x)
			default:
				c += i * int(y)
			}
			f.holders = append(f.holders, holder{h.lane, h.reg + uint8(i*base.count), uint16(r*shape[1] + c)})
		}
		f.count += base.count
	}
	return f, nil
}

// wmmaMMA reads wmma.mma, a multiplication of fragments like mma.
func (d *decoder) wmmaMMA(o *opcode) (step, error) {
	key := string(o.Op)
	p := d.kernel.plans[key]
	if p == nil {
		var err error
		if p, err = newWmmaPlan(o); err != nil {
			return nil, err
		}
		d.kernel.keep(key, p)
	}
	o.useAll()
	return d.mmaOperands(o, p)
}

// keep stores plan p under key and numbers the plan.
func (k *kernel) keep(key string, p *mmaPlan) {
	if k.plans == nil {
		k.plans = map[string]*mmaPlan{}
	}
	p.id = len(k.plans)
	k.plans[key] = p
}

func newWmmaPlan(o *opcode) (*mmaPlan, error) {
	shape, err := o.wmmaShape()
	if err != nil {
		return nil, err
	}
	types, err := o.wmmaTypes()
	if err != nil {
		return nil, err
	}
	variant := ""
	if o.has("satfinite") {
		variant = ".satfinite"
	}
	if o.has("popc") {
		variant = "." + o.one("xor", "and") + ".popc"
	}
	m, err := wmmaBase(shape, types.a, types.d, variant)
	if err != nil {
		return nil, err
	}
	c, err := wmmaBase(shape, types.a, types.c, variant)
	if err != nil {
		return nil, err
	}
	p := &mmaPlan{m: m, rows: shape[0], columns: shape[1], k: shape[2]}
	if m.Types.A.Type == dtype.B1 {
		p.k /= 32
	}
	_, rounding := roundingOf(string(o.Op))
	if p.model, err = wmmaModel(m, c, rounding); err != nil {
		return nil, err
	}
	var in instance
	for _, x := range []struct {
		into    **fragment
		m       atom.MMA
		operand string
	}{{&in.a, m, "a"}, {&in.b, m, "b"}, {&in.c, c, "c"}, {&in.d, m, "d"}} {
		if *x.into, err = wmmaFragment(x.m, shape, x.operand); err != nil {
			return nil, err
		}
	}
	p.instances = []instance{in}
	return p, nil
}

// wmmaTypes are the types of a wmma.mma; B has the type of A.
type wmmaTypes struct{ d, a, c dtype.Type }

// wmmaTypes reads the types: all four or, for matrices of .f16, only the types of D and C.
func (o *opcode) wmmaTypes() (t wmmaTypes, err error) {
	var list []dtype.Type
	for _, t := range o.types() {
		x, err := dtype.Parse(string(t))
		if err != nil {
			return wmmaTypes{}, err
		}
		list = append(list, x)
	}
	if len(list) == 2 {
		list = []dtype.Type{list[0], dtype.F16, dtype.F16, list[1]}
	}
	if len(list) != 4 || list[1] != list[2] || o.count("row", "col") != 2 {
		return t, fmt.Errorf("expected the layouts of A and B and the types of D and C, or of D, A, B and C")
	}
	return wmmaTypes{list[0], list[1], list[3]}, nil
}

// wmmaModel returns how a wmma adds on an H100. m has the type of D, and c the type of C.
func wmmaModel(m, c atom.MMA, rounding dot.Rounding) (dot.Model, error) {
	wide := m
	if c.Types.C.Type == dtype.F32 {
		wide = c
	}
	model, err := dot.ModelOf(wide)
	if err != nil {
		return nil, err
	}
	switch x := model.(type) {
	case dot.Fused:
		if x.A == dtype.TF32 {
			x.Together = 4 // an H100 executes the wmma as two m16n8k4
		}
		if d, c := m.Types.D.Type, c.Types.C.Type; d != c {
			return dot.Mixed{Sum: x, C: c, D: d}, nil
		}
		return x, nil
	case dot.Chain:
		x.Rounding = rounding
		return x, nil
	}
	return model, nil
}

// count returns how many modifiers of o are in list.
func (o *opcode) count(list ...string) int {
	n := 0
	for _, m := range o.mods {
		for _, x := range list {
			if m == x {
				n++
			}
		}
	}
	return n
}
