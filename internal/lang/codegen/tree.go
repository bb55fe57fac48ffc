package codegen

// This file defines the form in which the writers see values. The form is the same for known and symbolic
// integers: a symbolic number has a formula, an expr, that every writer can write.

// A tree is a hierarchical tuple of leaves: a shape, a stride or a coordinate.
type tree interface{ isTree() }

type (
	// A number is an integer.
	number struct {
		static int64 // the value, if formula is nil
		facts  facts // the facts of a dynamic integer

		// formula computes a dynamic integer; nil for a static integer.
		formula expr
	}
	// A sum is a coordinate such as 1@0+2@1, the leaf of a stride.
	sum []term
	// An open is the underscore.
	open struct{}
	// A branch is a tuple.
	branch []tree
)

// A term is a multiple of the axis at a path into the codomain, outermost index first.
type term struct {
	scale number
	path  []int
}

// facts are the known properties of a dynamic integer. In the zero value nothing is known.
type facts struct {
	div  int64 // a divisor of the integer, if greater than 1
	bits int   // the width of the integer, if not 0
}

func (number) isTree() {}
func (sum) isTree()    {}
func (open) isTree()   {}
func (branch) isTree() {}

// A node is a value of one kind.
type node interface{ isNode() }

type (
	// A boolean is a truth value.
	boolean bool
	// A tuple is an integer, a tuple of integers, or a coordinate with underscores.
	tuple struct{ tree }
	// A layout is a shape and a stride of the same nesting.
	layout struct{ shape, stride tree }
	// A swizzle has the three numbers of Swizzle<B,M,S>.
	swizzle struct{ b, m, s int }
	// A composed is a layout followed by a chain of stages, outermost first.
	composed struct {
		stages []stage
		inner  layout
	}
	// A tile lists a tuple, a layout, a tile or a keep for each mode.
	tile []node
	// A keep is the tiler _.
	keep struct{}
	// A list contains the values of an operation that has several.
	list []node
	// An order is LayoutLeft or LayoutRight.
	order string
)

// A stage adds the offset and applies a swizzle or a layout.
type stage struct {
	outer  node
	offset tree
}

func (boolean) isNode()  {}
func (tuple) isNode()    {}
func (layout) isNode()   {}
func (swizzle) isNode()  {}
func (composed) isNode() {}
func (tile) isNode()     {}
func (keep) isNode()     {}
func (list) isNode()     {}
func (order) isNode()    {}

// static returns x as a number.
func static(x int64) number { return number{static: x} }

// all reports whether every leaf of the tree satisfies f.
func all(t tree, f func(leaf tree) bool) bool {
	b, ok := t.(branch)
	if !ok {
		return f(t)
	}
	for _, e := range b {
		if !all(e, f) {
			return false
		}
	}
	return true
}

// isStatic reports whether all integers of the tree are known.
func isStatic(t tree) bool { return allStatic(tuple{t}) }

// allStatic reports whether all integers of the value are known.
func allStatic(n node) bool {
	known := true
	eachNumber(n, func(x number) { known = known && x.formula == nil })
	return known
}

// isOpen reports whether the leaf is the underscore, and isSum whether it is a coordinate.
func isOpen(leaf tree) bool { _, ok := leaf.(open); return ok }
func isSum(leaf tree) bool  { _, ok := leaf.(sum); return ok }

// has reports whether a leaf of the tree satisfies f.
func has(t tree, f func(leaf tree) bool) bool {
	return !all(t, func(leaf tree) bool { return !f(leaf) })
}

// isShape reports whether the tree can be a shape: its known integers are positive.
func isShape(t tree) bool {
	return all(t, func(leaf tree) bool {
		n, ok := leaf.(number)
		return ok && (n.formula != nil || n.static > 0)
	})
}
