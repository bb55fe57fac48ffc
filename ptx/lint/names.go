package lint

import "girih/ptx"

// A register is a name and the scope that declares it.
type register struct {
	home int
	name ptx.Name
}

// reg returns the number of the register called name at instruction i. All names in operands get numbers,
// also the names of variables and labels.
func (c *checker) reg(i int, name ptx.Name) int {
	r := register{0, name}
	if c.g.Scope[i] != 0 {
		r.home = c.g.Home(i, name)
	}
	n, ok := c.regs[r]
	if !ok {
		n = len(c.names)
		c.regs[r] = n
		c.names = append(c.names, name)
	}
	return n
}

// readOperands numbers all names of the function.
func (c *checker) readOperands() {
	for i, in := range c.g.Code {
		operandsOf(in, func(n ptx.Name, _ bool) { c.reg(i, n) })
	}
}

// namesIn calls f with each name in an operand.
func namesIn(o ptx.Operand, f func(ptx.Name)) {
	switch o := o.(type) {
	case ptx.Name:
		f(o)
	case ptx.Vec:
		for _, x := range o {
			namesIn(x, f)
		}
	case ptx.Args:
		for _, x := range o {
			namesIn(x, f)
		}
	case ptx.Pair:
		f(o.First)
		f(o.Second)
	case ptx.Unary:
		f(o.X)
	case ptx.Addr:
		if o.Base != nil {
			namesIn(o.Base, f)
		}
		for _, x := range o.Args {
			namesIn(x, f)
		}
	}
}

// operandsOf calls f with each name in the operands of an instruction, and with whether the instruction writes it.
// The names in the first operand are written, unless that operand is an address.
func operandsOf(in *ptx.Instr, f func(name ptx.Name, writes bool)) {
	for k, o := range in.Operands {
		_, address := o.(ptx.Addr)
		writes := k == 0 && !address
		namesIn(o, func(n ptx.Name) { f(n, writes) })
	}
}
