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
		for n := range in.Names() {
			c.reg(i, n)
		}
	}
}
