package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file finds the method of an operation for the kinds of its operands, whether it is written with a name, as a
// sign or by parentheses: all operands together select one column of its row.

// A domain is the kind of numbers in a value. Operands from several domains are promoted to the greatest domain, as Go
// promotes constants to fractions and floats.
type domain uint8

const (
	domainKnown   domain = iota // integers that are known
	domainDynamic               // integers that are known only at run time
	domainF2                    // numbers without carries
	domainXor                   // F2 strides
	domainBits                  // maps over bits
	domainIndex                 // maps of indices
)

// domainOf returns the domain of a value.
//
//go:noinline
func domainOf(v Value) domain {
	switch v.(type) {
	case DynamicTuple, DynamicLayout, DynamicTile, DynamicComposed, DynamicBool:
		return domainDynamic
	case F2:
		return domainF2
	case Xor:
		return domainXor
	case Linear, Matrix, Encoding:
		return domainBits
	case IndexMap:
		return domainIndex
	}
	return domainKnown
}

// dynamic reports whether one of the values has run-time integers.
//
//go:noinline
func dynamic(vs ...Value) bool {
	return slices.ContainsFunc(vs, func(v Value) bool { return domainOf(v) == domainDynamic })
}

// overF2 reports whether the values of a domain are over F2.
func (d domain) overF2() bool { return domainF2 <= d && d <= domainBits }

// match returns the domain of the operands and the method for it.
func (b *Builtin) match(operands []Value) (domain, method) {
	d := domainKnown
	for _, v := range operands {
		if of := domainOf(v); of > d && !(b.overF2 && of.overF2()) {
			d = of
		}
	}
	m := b.bits
	switch {
	case d == domainKnown:
		m = b.known
	case d == domainDynamic:
		m = b.dynamic
	case d == domainXor && b.xor != nil:
		m = b.xor
	case d == domainIndex:
		m = b.index
	}
	switch {
	case m != nil:
		return d, m
	case d == domainDynamic:
		return d, (*call).needsKnown
	case d == domainIndex:
		return d, (*call).needsLayout
	}
	return d, (*call).needsIntegers
}

// A call is one operation with its operands.
type call struct {
	env     *Env
	fn      *Builtin
	written string        // the name in the source, which may be an alias
	expr    syntax.Expr   // the node in the source
	at      []syntax.Expr // the nodes of the operands, if they are in the source
	args    []Value       // the operands
	tmpl    []int64       // the numbers in angle brackets
	keys    []string      // the names of keyword arguments; "" for positional arguments
}

// place returns the place of operand i.
func (c *call) place(i int) syntax.Expr {
	if i < len(c.at) {
		return c.at[i]
	}
	return c.expr
}

// sign applies the operation of a sign to operands at the given places.
func (e *Env) sign(x syntax.Expr, sign string, at []syntax.Expr, operands ...Value) (Value, error) {
	c := e.spare
	if e.spare = nil; c == nil {
		c = new(call)
	}
	*c = call{env: e, fn: table().signs[sign], expr: x, at: at, args: operands}
	v, err := c.dispatch()
	*c = call{}
	e.spare = c
	return v, err
}

// dispatch applies the operation to its operands.
func (c *call) dispatch() (Value, error) {
	c.readBrackets()
	_, m := c.fn.match(c.args)
	return m(c)
}

// builtin calls a function of the language with values, for the expression x.
func (e *Env) builtin(x syntax.Expr, name string, args ...Value) (Value, error) {
	return (&call{env: e, fn: table().byName[name], written: name, expr: x, args: args}).value()
}

// value calls the function, after checking the limits on operands.
func (c *call) value() (Value, error) {
	c.readBrackets()
	if err := checkSize(c.args...); err != nil {
		return nil, err
	}
	if !c.fn.long {
		if err := fits(c.fn.Name, c.args...); err != nil {
			return nil, err
		}
	}
	d, m := c.fn.match(c.args)
	v, err := m(c)
	if e, ok := err.(*cute.Error); ok && d == domainDynamic && e.Op != c.fn.Name {
		// The error names the function that was called, not the operations inside the function.
		named := *e
		named.Op = c.fn.Name
		return nil, &named
	}
	if err == nil && d == domainKnown && c.fn.overF2 {
		c.env.noteBeyond(v, c.args...)
	}
	return v, err
}

// needsKnown refuses run-time integers.
func (c *call) needsKnown() (Value, error) {
	v := c.args[slices.IndexFunc(c.args, func(v Value) bool { return dynamic(v) })]
	return nil, &cute.Error{
		Code: cute.CodeUnknown, Op: c.fn.Name,
		Msg:  fmt.Sprintf("needs integers that are known, found %s%s", v, ofUnknowns(v)),
		Hint: "write numbers in the place of the run-time integers, or give the names values: let M = 8; in front",
	}
}

// needsIntegers refuses values over F2.
func (c *call) needsIntegers() (Value, error) {
	i := slices.IndexFunc(c.args, func(v Value) bool { return domainOf(v).overF2() })
	err := typeError(c.fn.Name, fmt.Sprintf("argument %d", i+1), "a value that is not over F2", c.args[i])
	err.Hint = "to_layout(...) is the CuTe layout, where there is one"
	return nil, err
}
