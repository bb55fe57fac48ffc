package cute

import "girih/internal/ints"

// This file ends operations before they have looked at every value: [EnumLimit] of them may take a second.

// Until returns c with a function that operations on it ask whether they may go on: those that look at every value ask
// once in some thousand, and return its error, as long as it has one. nil means that they always may. Results of
// operations have the function too. [Layout.Composed] makes a layout one whose operations can be ended; where the
// result is to be a layout, the methods of [Until] do it.
func (c Composed) Until(stop func() error) Composed {
	c.stop = stop
	return c
}

// Stopped asks the function of [Composed.Until], for those who look at every value of c themselves: it returns the
// error of that function, of whatever type, and no code of its own.
func (c Composed) Stopped() error { return c.stop.ask() }

// An Until is asked whether work may go on, and has the operations on layouts that may have to look at every value.
// They are the functions of the same names. nil means that they always may.
type Until func() error

func (u Until) ask() error {
	if u == nil {
		return nil
	}
	return u()
}

// at asks at some of the steps i = 0, 1, 2, ...
func (u Until) at(i int64) error {
	if u == nil || i%ints.Every != 0 {
		return nil
	}
	return u()
}

// blocks calls f with the table cut into lists of as many steps as go between two questions.
func (u Until) blocks(table []int64, f func([]int64) bool) (ok bool, err error) {
	for len(table) > 0 {
		if err := u.ask(); err != nil {
			return false, err
		}
		n := min(len(table), ints.Every)
		if !f(table[:n]) {
			return false, nil
		}
		table = table[n:]
	}
	return true, nil
}

// Composition is the function [Composition]. It returns the errors of Composition, and that of u.
func (u Until) Composition(a, b Layout) (l Layout, err error) {
	err = compose(&l, &a, &b, caller{Until: u})
	return l, err
}

// CompositionBy is the function [CompositionBy]. It returns the errors of CompositionBy, and that of u.
func (u Until) CompositionBy(a Layout, t Tiler) (Layout, error) {
	return compositionBy(a, t, caller{Until: u})
}

// WithShape is [Layout.WithShape] of l. It returns the errors of WithShape, and that of u.
func (u Until) WithShape(l Layout, shape Tuple) (Layout, error) {
	return withShape(l, shape, caller{Until: u})
}

// LogicalDivide is the function [LogicalDivide]. It returns the errors of LogicalDivide, and that of u.
func (u Until) LogicalDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opLogicalDivide, a, t, caller{Until: u})
}

// ZippedDivide is the function [ZippedDivide]. It returns the errors of ZippedDivide, and that of u.
func (u Until) ZippedDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opZippedDivide, a, t, caller{Until: u})
}

// TiledDivide is the function [TiledDivide]. It returns the errors of TiledDivide, and that of u.
func (u Until) TiledDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opTiledDivide, a, t, caller{Until: u})
}

// FlatDivide is the function [FlatDivide]. It returns the errors of FlatDivide, and that of u.
func (u Until) FlatDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opFlatDivide, a, t, caller{Until: u})
}

// LogicalDivideExact is the function [LogicalDivideExact]. It returns the errors of LogicalDivideExact, and that of u.
func (u Until) LogicalDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opLogicalDivide, a, t, caller{Until: u})
}

// ZippedDivideExact is the function [ZippedDivideExact]. It returns the errors of ZippedDivideExact, and that of u.
func (u Until) ZippedDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opZippedDivide, a, t, caller{Until: u})
}

// TiledDivideExact is the function [TiledDivideExact]. It returns the errors of TiledDivideExact, and that of u.
func (u Until) TiledDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opTiledDivide, a, t, caller{Until: u})
}

// FlatDivideExact is the function [FlatDivideExact]. It returns the errors of FlatDivideExact, and that of u.
func (u Until) FlatDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opFlatDivide, a, t, caller{Until: u})
}

// LogicalProduct is the function [LogicalProduct]. It returns the errors of LogicalProduct, and that of u.
func (u Until) LogicalProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opLogicalProduct, a, t, caller{Until: u})
}

// ZippedProduct is the function [ZippedProduct]. It returns the errors of ZippedProduct, and that of u.
func (u Until) ZippedProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opZippedProduct, a, t, caller{Until: u})
}

// TiledProduct is the function [TiledProduct]. It returns the errors of TiledProduct, and that of u.
func (u Until) TiledProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opTiledProduct, a, t, caller{Until: u})
}

// FlatProduct is the function [FlatProduct]. It returns the errors of FlatProduct, and that of u.
func (u Until) FlatProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opFlatProduct, a, t, caller{Until: u})
}

// BlockedProduct is the function [BlockedProduct]. It returns the errors of BlockedProduct, and that of u.
func (u Until) BlockedProduct(a, b Layout) (Layout, error) {
	return blockedProduct(a, b, caller{Until: u})
}

// RakedProduct is the function [RakedProduct]. It returns the errors of RakedProduct, and that of u.
func (u Until) RakedProduct(a, b Layout) (Layout, error) { return rakedProduct(a, b, caller{Until: u}) }

// TileToShape is the function [TileToShape]. It returns the errors of TileToShape, and that of u.
func (u Until) TileToShape(block Layout, target, order Tuple) (Layout, error) {
	return tileToShape(block, target, order, caller{Until: u})
}

// Recognize is the function [Recognize]. It returns the errors of Recognize, and that of u.
func (u Until) Recognize(offsets []int64) (Layout, error) {
	return recognize(offsets, caller{Until: u})
}
