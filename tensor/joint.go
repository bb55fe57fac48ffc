package tensor

import (
	"girih"
)

// maxAxes is how many identity coordinates a padded view may carry: one for each leaf of each shape that was padded.
const maxAxes = girih.MaxAxisPath

// joined returns the view with an identity coordinate added for each leaf of its domain, bounded by the
// extents: whatever is padded or moved beyond the end afterwards leaves those bounds.
func (v *view) joined(op string, domain girih.Layout) (*view, error) {
	used := 0
	for _, a := range v.axes {
		used = max(used, a.id)
	}
	ext := domain.Shape().Leaves()
	if used+len(ext) > maxAxes {
		return nil, refuse(op, girih.CodeLimit, "flatten or coalesce the layout before it is tiled", "padding %v needs %d coordinates, and there may be %d", v.lay, used+len(ext), maxAxes)
	}
	strides := domain.Stride().Flatten().Modes()
	w := *v
	w.axes = append([]axis(nil), v.axes...)
	for i, d := range strides {
		var err error
		if len(v.axes) == 0 {
			if d, err = lifted(d); err != nil {
				return nil, err
			}
		}
		one, err := girih.Basis(1, used+1+i)
		if err != nil {
			return nil, err
		}
		if strides[i], err = d.Add(one); err != nil {
			return nil, err
		}
		w.axes = append(w.axes, axis{id: used + 1 + i, bound: ext[i]})
	}
	l, err := assemble(domain.Shape(), strides)
	if err != nil {
		return nil, err
	}
	w.joint = l
	return &w, nil
}

// lifted puts a stride below axis 0: 3 becomes 3@0, and 2@1 becomes 2@1@0.
func lifted(d girih.Tuple) (girih.Tuple, error) {
	sum := girih.Int(0)
	var failed error
	d.Terms(func(x int64, path []int) {
		b, err := girih.Basis(x, append([]int{0}, path...)...)
		if err == nil {
			sum, err = sum.Add(b)
		}
		if err != nil && failed == nil {
			failed = err
		}
	})
	return sum, failed
}

// assemble returns the layout of the shape whose leaves have the given strides.
func assemble(shape girih.Tuple, strides []girih.Tuple) (girih.Layout, error) {
	flat, err := girih.MakeTuple(strides...)
	if err != nil {
		return girih.Layout{}, err
	}
	l, err := girih.New(girih.Ints(shape.Leaves()...), flat)
	if err != nil {
		return girih.Layout{}, err
	}
	return l.Unflatten(shape)
}

// positions returns axis 0 of a joint layout as a layout of its own.
func positions(joint girih.Layout) (girih.Layout, error) {
	strides := joint.Stride().Flatten().Modes()
	for i, d := range strides {
		sum := girih.Int(0)
		var failed error
		d.Terms(func(x int64, path []int) {
			if path[0] != 0 {
				return
			}
			b := girih.Int(x)
			var err error
			if len(path) > 1 {
				b, err = girih.Basis(x, path[1:]...)
			}
			if err == nil {
				sum, err = sum.Add(b)
			}
			if err != nil && failed == nil {
				failed = err
			}
		})
		if failed != nil {
			return girih.Layout{}, failed
		}
		strides[i] = sum
	}
	return assemble(joint.Shape(), strides)
}

// axisStrides returns the stride of each leaf of the joint layout along the axis.
func axisStrides(joint girih.Layout, id int) []int64 {
	strides := joint.Stride().Flatten().Modes()
	out := make([]int64, len(strides))
	for i, d := range strides {
		d.Terms(func(x int64, path []int) {
			if len(path) == 1 && path[0] == id {
				out[i] = x
			}
		})
	}
	return out
}

// leafAt returns number i of a coordinate; coordinates leave out the modes after the last that is used.
func leafAt(c girih.Tuple, i int) int64 {
	ms := c.Modes()
	if c.IsInt() || i >= len(ms) {
		return 0
	}
	x, _ := ms[i].Int64()
	return x
}

// firstAxis returns what a coordinate of a joint layout says about the position.
func firstAxis(c girih.Tuple) girih.Tuple {
	if c.IsInt() || c.Rank() == 0 {
		return girih.Int(0)
	}
	return c.Modes()[0]
}

// prune drops the axes whose bounds always hold: their coordinates are independent leaves of the joint layout, so the
// largest and the least are exact. Without axes the view is an ordinary one.
func (v *view) prune() error {
	if len(v.axes) == 0 {
		return nil
	}
	ext := v.lay.Shape().Leaves()
	kept := v.axes[:0:0]
	for _, a := range v.axes {
		lo, hi := a.start, a.start
		for i, d := range axisStrides(v.joint, a.id) {
			lo += min(0, (ext[i]-1)*d)
			hi += max(0, (ext[i]-1)*d)
		}
		if lo < 0 || hi >= a.bound {
			kept = append(kept, a)
		}
	}
	v.axes = kept
	return nil
}
