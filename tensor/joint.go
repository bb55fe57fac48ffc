package tensor

import (
	"girih/cute"
)

// maxAxes is the largest number of identity coordinates of a padded view: one for each leaf of each shape that was
// padded.
const maxAxes = cute.MaxAxisPath

// withIdentity returns the view with an identity coordinate for each leaf of its domain. The extents bound these
// coordinates: coordinates that are padded or moved beyond the end afterwards exceed the bounds. Pruned axes are
// dropped.
func (v *view) withIdentity(op string, domain cute.Layout) (*view, error) {
	ext := domain.Shape().Leaves()
	used := len(v.axes)
	if used+len(ext) > maxAxes {
		return nil, advise("flatten or coalesce the layout before it is tiled",
			refuse(op, cute.CodeLimit, "padding %v needs %d coordinates, and there may be %d", v.lay, used+len(ext), maxAxes))
	}
	w := *v
	w.own()
	w.axes = append([]axis(nil), v.axes...)
	rename := map[int]int{0: 0}
	for i, a := range v.axes {
		rename[a.id] = i + 1
		w.axes[i].id = i + 1
	}
	strides := domain.Stride().Flatten().Modes()
	for i, d := range strides {
		kept, err := relabel(d, func(path []int) []int {
			if len(v.axes) == 0 {
				return append([]int{0}, path...) // 3 becomes 3@0, and 2@1 becomes 2@1@0
			}
			id, ok := rename[path[0]]
			if !ok {
				return nil
			}
			return append([]int{id}, path[1:]...)
		})
		if err != nil {
			return nil, err
		}
		one, err := cute.Basis(1, used+1+i)
		if err != nil {
			return nil, err
		}
		if strides[i], err = kept.Add(one); err != nil {
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

// relabel returns a stride with the path of each term replaced by the result of f. Terms for which f returns nil are
// dropped, and terms with an empty path become integers.
func relabel(d cute.Tuple, f func(path []int) []int) (cute.Tuple, error) {
	sum := cute.Int(0)
	var failed error
	d.Terms(func(x int64, path []int) {
		p := f(path)
		if p == nil || failed != nil {
			return
		}
		b := cute.Int(x)
		if len(p) > 0 {
			b, failed = cute.Basis(x, p...)
		}
		if failed == nil {
			sum, failed = sum.Add(b)
		}
	})
	return sum, failed
}

// assemble returns the layout of the shape whose leaves have the given strides.
func assemble(shape cute.Tuple, strides []cute.Tuple) (cute.Layout, error) {
	flat, err := cute.MakeTuple(strides...)
	if err != nil {
		return cute.Layout{}, err
	}
	l, err := cute.New(cute.Ints(shape.Leaves()...), flat)
	if err != nil {
		return cute.Layout{}, err
	}
	return l.Unflatten(shape)
}

// positions returns axis 0 of a joint layout as a separate layout.
func positions(joint cute.Layout) (cute.Layout, error) {
	strides := joint.Stride().Flatten().Modes()
	for i, d := range strides {
		var err error
		if strides[i], err = relabel(d, func(path []int) []int {
			if path[0] != 0 {
				return nil
			}
			return path[1:]
		}); err != nil {
			return cute.Layout{}, err
		}
	}
	return assemble(joint.Shape(), strides)
}

// axisStrides returns each leaf's stride along the axis in the joint layout.
func axisStrides(joint cute.Layout, id int) []int64 {
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

// leafAt returns number i of a coordinate; coordinates omit the modes after the last one that is used.
func leafAt(c cute.Tuple, i int) int64 {
	ms := c.Modes()
	if c.IsInt() || i >= len(ms) {
		return 0
	}
	x, _ := ms[i].Int64()
	return x
}

// firstAxis returns the position in a coordinate of a joint layout.
func firstAxis(c cute.Tuple) cute.Tuple {
	if c.IsInt() || c.Rank() == 0 {
		return cute.Int(0)
	}
	return c.Modes()[0]
}

// prune drops the axes whose bounds always hold: their coordinates are independent leaves of the joint layout, so the
// largest and the smallest value are exact. Without axes the view is no longer padded.
func (v *view) prune() {
	if len(v.axes) == 0 {
		return
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
}
