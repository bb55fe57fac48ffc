package compat

// A tilerKind is the kind of a tiler.
type tilerKind int

const (
	tileLayout tilerKind = iota
	tileExtent           // an integer n, which tiles by its compact layout n:1
	tileKeep             // the wildcard _, which leaves the mode unchanged
	tileModes            // tilers, mode by mode
)

// A tiler is the second operand of compositions, divides and products.
type tiler struct {
	kind   tilerKind
	layout layout // the layout, or a leaf with the extent
	modes  []tiler
}

// split is a divide or a product of two layouts. Its result has two modes.
type split func(a, b layout) (layout, error)

// constants returns t with all integers known at compile time.
func (t tiler) constants() tiler {
	t.layout = t.layout.constants()
	modes := make([]tiler, len(t.modes))
	for i, m := range t.modes {
		modes[i] = m.constants()
	}
	t.modes = modes
	return t
}

// leaves returns the number of leaves, and reports whether a leaf has a coordinate stride.
func (t tiler) leaves() (n int, hasPath bool) {
	n, hasPath = len(t.layout.flat()), t.layout.hasPath()
	for _, m := range t.modes {
		k, has := m.leaves()
		n, hasPath = n+k, hasPath || has
	}
	return n, hasPath
}
