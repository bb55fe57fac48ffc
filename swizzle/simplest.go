package swizzle

import "girih/cute"

// simplestLimit is the largest table that [Simplest] recognises, in a fraction of a second.
const simplestLimit = 1 << 17

// Simplest returns c as a layout, or as one swizzle of one layout, if it is equal to such a form: another chain with
// the same values in the same shape. Otherwise, and if the values are coordinates or more than 131,072, it returns c
// itself.
func Simplest(c cute.Composed) cute.Composed {
	if c.Outer() == nil || c.HasBasis() || c.Size() > simplestLimit {
		return c
	}
	table, err := c.AppendOffsets(nil)
	if err != nil {
		return c
	}
	r, err := Recognize(table)
	if err != nil || len(r.Swizzles) > 1 || (len(r.Swizzles) == 0 && r.Map.Bits() > 0) {
		return c
	}
	s, err := r.Composed()
	if err == nil && r.Origin == 0 && len(r.Swizzles) == 0 {
		s = r.Layout.Composed()
	}
	if err == nil {
		s, err = s.Map(func(l cute.Layout) (cute.Layout, error) { return l.WithShape(c.Shape()) })
	}
	if err != nil {
		return c
	}
	return s
}
