package eval

import (
	"errors"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
)

// hardwareRows returns the built-ins that make and read the descriptors that wgmma and tcgen05.mma use in place of a
// layout.
func hardwareRows() []Builtin {
	return []Builtin{
		{
			Name: "make_gmma_desc", Params: "L, type, operand?", named: []int{1, 2},
			texts: []TextKind{"", TextType},
			Doc: "Returns the descriptor with which wgmma begins to read a tile of shared memory as A, or as the " +
				"named operand: for the first step along K, with the tile at address 0. The type of the elements " +
				"may also be an MMA, which determines the number of rows it reads. Refuses a layout that no " +
				"descriptor describes, and names the first core matrix that is out of place.",
			Example: "make_gmma_desc(Sw<3,3,3> o 0 o (64,64):(64,1), f16)",
			Output:  "gmma_desc{start=0, lbo=16, sbo=1024, base=0, swizzle=SW128, major=K}",
			known:   using((*call).describe, descriptor.SM90),
		},
		{
			Name: "make_umma_desc", Params: "L, type, operand?", named: []int{1, 2},
			texts: []TextKind{"", TextType},
			Doc: "Returns the descriptor with which tcgen05.mma begins to read a tile of shared memory, as " +
				"make_gmma_desc does for wgmma. Elements of 4 bits are packed, unless an MMA given as the type " +
				"reads a byte for each.",
			Example: "make_umma_desc(Sw<2,3,3> o 0 o (128,32):(32,1), bf16)",
			Output:  "umma_desc{start=0, lbo=16, sbo=512, base=0, swizzle=SW64, major=K}",
			known:   using((*call).describe, descriptor.SM100),
		},
		{
			Name: "desc_layout", Params: "desc, type, shape", named: []int{1},
			texts: []TextKind{"", TextType},
			Doc: "Returns the layout that the hardware reads with a descriptor, (rows,K) -> elements counted from " +
				"its start: the inverse of make_gmma_desc. The shape is rounded up to whole core matrices.",
			Example: "desc_layout(gmma_desc{lbo=16, sbo=1024, swizzle=SW128}, f16, (64,16))",
			Output:  "Sw<3,3,3> o 0 o ((8,8),16):((64,512),1)",
			known:   (*call).descLayout,
		},
		{
			Name: "make_instr_desc", Params: "atom", texts: []TextKind{TextMMA},
			Doc: "Returns the 32 bits of the instruction descriptor of a tcgen05.mma, with its types, its majors " +
				"and its shape: CuTe's UMMA::make_instr_desc.",
			Example: `make_instr_desc("SM100_MMA_F16BF16_SS_128x256")`, Output: "138412048",
			known: makeInstrDesc,
		},
	}
}

func makeInstrDesc(c *call) (Value, error) {
	m, err := c.mmaAtom(0)
	if err != nil {
		return nil, err
	}
	d, err := descriptor.InstructionOf(m)
	if err != nil {
		return nil, err
	}
	c.env.note("0x%08x: %v", d.Bits(), d)
	return integer(int64(d.Bits())), nil
}

// describe returns the descriptor of the first step of an operand, and notes how the descriptors of the other steps
// differ.
func (c *call) describe(f descriptor.Format) (Value, error) {
	o, err := c.describedOperand(f)
	if err != nil {
		return nil, err
	}
	var l cute.Inner
	if v, ok := c.args[0].(Composed); ok {
		l = v.Composed
	} else if l, err = c.layout(0); err != nil {
		return nil, err
	}
	fit, err := o.Fit(l, 0)
	if err != nil {
		return nil, nearestHint(err, o, l)
	}
	d := fit.Matrix(0, 0, 0)
	c.env.noteDescriptor(d)
	for _, a := range []struct {
		descriptor.Advance
		what string
	}{
		{fit.Step, "steps along K"},
		{fit.Block, "blocks along " + map[atom.Operand]string{atom.OperandA: "M", atom.OperandB: "N"}[o.Which]},
		{fit.Stage, "stages"},
	} {
		if a.Count == 1 {
			continue
		}
		if b, ok := a.Constant(); ok {
			c.env.note("%d %s: each begins %d bytes further, and adds %d to the descriptor", a.Count, a.what, b, b/16)
			continue
		}
		c.env.note("%d %s begin at the bytes %s", a.Count, a.what, few(a.Starts))
	}
	if !fit.Alike {
		c.env.note("the descriptors differ in more than their start: girih descriptor lists them")
	}
	return Descriptor{d}, nil
}

// nearestHint adds the nearest legal layout to the error for a layout that no descriptor describes.
func nearestHint(err error, o descriptor.Operand, l cute.Inner) error {
	misfit, ok := errors.AsType[*descriptor.Misfit](err)
	if !ok {
		return err
	}
	near, errNear := o.Nearest(l)
	e, ok := errors.AsType[*cute.Error](misfit.Unwrap())
	if errNear != nil || !ok {
		return err
	}
	hinted := *e
	hinted.Hint = fmt.Sprintf("the nearest legal layout is %v: %s", near.Layout, near.Why)
	return &hinted
}

// few writes numbers, but only the first ones of many.
func few(xs []int64) string {
	const most = 8
	if len(xs) > most {
		return fmt.Sprint(xs[:most]) + " ..."
	}
	return fmt.Sprint(xs)
}

// describedOperand returns the operand that a descriptor is for, from a type and, if given, the operand's letter.
func (c *call) describedOperand(f descriptor.Format) (descriptor.Operand, error) {
	which := atom.OperandA
	if len(c.args) > 2 {
		letter, err := c.operandName(2, "AB")
		if err != nil {
			return descriptor.Operand{}, err
		}
		which = operands[letter]
	}
	if m, err := c.mmaAtom(1); err == nil {
		o, err := descriptor.OperandOf(m, which)
		if err == nil && o.Format != f {
			return o, &cute.Error{
				Code: cute.CodeType, Op: c.fn.Name,
				Msg: fmt.Sprintf("expected an instruction of %v, found %s, which is one of %v", f, m.Name, o.Format),
			}
		}
		return o, err
	}
	t, err := c.elementType(1)
	if err != nil {
		return descriptor.Operand{}, err
	}
	return descriptor.FindOperand(f.String(), t, which)
}

// elementType returns argument i as the type of elements.
func (c *call) elementType(i int) (dtype.Type, error) {
	name, err := c.name(i)
	if err != nil {
		return 0, c.bad(i, "a type of elements, such as f16")
	}
	t, err := dtype.Parse(name)
	if err != nil {
		return 0, c.env.fail(c.place(i), &cute.Error{Code: cute.CodeName, Op: c.fn.Name, Msg: err.Error()})
	}
	return t, nil
}

// descLayout returns the layout that the hardware reads with a descriptor.
func (c *call) descLayout() (Value, error) {
	d, ok := c.args[0].(Descriptor)
	if !ok {
		return nil, c.bad(0, "a descriptor, such as gmma_desc{lbo=16, sbo=1024, swizzle=SW128, major=K}")
	}
	t, err := c.elementType(1)
	if err != nil {
		return nil, err
	}
	s, err := c.tuple(2)
	if err != nil {
		return nil, err
	}
	x := s.Leaves()
	if len(x) != 2 || s.Depth() != 1 || s.HasBasis() {
		return nil, c.bad(2, "the shape (rows,K)")
	}
	l, err := d.Layout(int64(t.Bits()), x[0], x[1])
	if err != nil {
		return nil, err
	}
	if d.Pattern == descriptor.INTER { // without a swizzle there is no base offset
		return Layout{l.Layout()}, nil
	}
	return Composed{l}, nil
}
