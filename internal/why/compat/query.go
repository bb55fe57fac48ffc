package compat

import (
	"fmt"
	"slices"
	"strings"
)

// The names of the modelled operations, as in CuTe.
const (
	opCoalesce     = "coalesce"
	opComposition  = "composition"
	opComplement   = "complement"
	opRightInverse = "right_inverse"
	opLeftInverse  = "left_inverse"
)

// An opFamily says which operands an operation takes.
type opFamily int

const (
	unary   opFamily = iota // the operand is a layout
	shaped                  // the operands are a layout and an optional shape
	tiling                  // the operands are a layout and a tiler
	layouts                 // the operands are two layouts
)

// ops lists the modelled operations in the order of reports.
var ops = []struct {
	name   string
	family opFamily
}{
	{opCoalesce, shaped},
	{opComposition, tiling},
	{opComplement, shaped},
	{opRightInverse, unary},
	{opLeftInverse, unary},
	{"logical_divide", tiling},
	{"zipped_divide", tiling},
	{"tiled_divide", tiling},
	{"flat_divide", tiling},
	{"logical_product", tiling},
	{"zipped_product", tiling},
	{"tiled_product", tiling},
	{"flat_product", tiling},
	{"blocked_product", layouts},
	{"raked_product", layouts},
}

// Ops returns the names of the modelled operations.
func Ops() []string {
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = o.name
	}
	return names
}

// Models reports whether an operation, named as in CuTe, is modelled.
func Models(op string) bool { return slices.Contains(Ops(), op) }

// maxLeaves limits the leaves of an operand. C++ sorts leaves in quadratic time, while compiling.
const maxLeaves = 256

// A Query is one operation on its operands.
type Query struct {
	op     string
	family opFamily
	args   []string // the operands as the query gives them

	a     operand
	b     tiler   // the right operand in the family tiling
	c     operand // the right operand in the family layouts
	shape layout  // the right operand in the family shaped, nil if absent
}

// An operand is a layout, or a shape, read as its compact column-major layout.
type operand struct {
	layout layout
	shape  bool
}

// NewQuery reads the operands of an operation from texts such as (4,(2,2)):(1,(4,8)), (4,8), 24, <4:1,_>. CuTe C++
// takes an integer after an underscore, _4, as a compile-time constant; see [CPPDynamic].
//
// It returns an error if the operation or an operand is not modelled.
func NewQuery(op string, args ...string) (Query, error) {
	i := slices.IndexFunc(ops, func(o struct {
		name   string
		family opFamily
	},
	) bool {
		return o.name == op
	})
	if i < 0 {
		return Query{}, fmt.Errorf("%s is not modelled; these are: %s", op, strings.Join(Ops(), ", "))
	}
	q := Query{
		op: op, family: ops[i].family, args: args, b: tiler{layout: noLayout}, c: operand{layout: noLayout},
	}
	least, most := 2, 2
	switch q.family {
	case unary:
		least, most = 1, 1
	case shaped:
		least = 1
	}
	if len(args) < least || len(args) > most {
		return q, fmt.Errorf("%s with %d operands is not modelled", op, len(args))
	}
	var err error
	if q.a, err = readOperand(args[0]); err != nil {
		return q, err
	}
	if len(args) == 2 {
		if err := q.readSecond(args[1]); err != nil {
			return q, err
		}
	}
	return q, q.check()
}

func (q *Query) readSecond(text string) error {
	t, err := readTiler(text)
	if err != nil {
		return err
	}
	if q.family == tiling {
		q.b = t
		return nil
	}
	o, err := readOperand(text)
	if err != nil {
		return err
	}
	if q.family == layouts {
		q.c = o
		return nil
	}
	q.shape = o.layout // of a layout, only the shape is used
	return nil
}

// check returns an error for operands that the models do not cover.
func (q Query) check() error {
	n, hasPath := q.b.leaves()
	n += len(q.a.layout.flat()) + len(q.c.layout.flat())
	if q.shape != nil {
		n += len(q.shape.flat())
	}
	switch {
	case n > maxLeaves:
		return fmt.Errorf("operands with %d leaves are not modelled, the limit is %d", n, maxLeaves)
	case q.a.layout.hasPath(), q.c.layout.hasPath(), hasPath && (q.op != opComposition || q.b.kind != tileLayout):
		return fmt.Errorf("coordinate strides are modelled only in the right operand of a composition")
	}
	return nil
}

// Expr returns the query as an expression of girih's language.
func (q Query) Expr() string { return q.op + "(" + strings.Join(q.args, ", ") + ")" }

// Args returns the operands as NewQuery received them.
func (q Query) Args() []string { return q.args }

// Op returns the name of the operation.
func (q Query) Op() string { return q.op }

// constants returns the query with all integers marked as known at compile time.
func (q Query) constants() Query {
	q.a.layout = q.a.layout.constants()
	q.b = q.b.constants()
	q.c.layout = q.c.layout.constants()
	if q.shape != nil {
		q.shape = q.shape.constants()
	}
	return q
}
