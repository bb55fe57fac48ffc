package tensor

import (
	"girih/cute"
)

// An evaluator holds the data for evaluating a view that is not plain.
type evaluator struct {
	axd   []int64 // the strides of the leaves along each axis, leaf by leaf
	links []link  // the functions after the layout, innermost first
	slow  bool    // the chain goes through coordinates and is evaluated as a whole
	// swizzled says that the functions are swizzles of nonnegative numbers and that every coordinate is in bounds, so
	// that slices may share the functions.
	swizzled bool
}

// modes is the largest number of modes whose extents are listed without allocating.
const modes = 8

// A link adds an offset and applies a swizzle or a layout.
type link struct {
	offset int64
	sw     cute.Swizzle
	read   int64 // the bits that the swizzle reads
	shift  int   // how far they are shifted right; left if it is negative
	lay    cute.Layout
	table  bool // lay is applied instead of sw
}

// apply returns the value at x. Negative numbers were refused when the tensor was made.
func (k *link) apply(x int64) int64 {
	x += k.offset
	if k.table {
		x, _ = k.lay.At(x)
		return x
	}
	if k.shift < 0 {
		return x ^ (x&k.read)<<uint(-k.shift)
	}
	return x ^ (x&k.read)>>uint(k.shift)
}

// applyAll applies the link to each number.
func (k *link) applyAll(xs []int64) {
	if k.table || k.shift < 0 {
		for i, x := range xs {
			xs[i] = k.apply(x)
		}
		return
	}
	offset, read, shift := k.offset, k.read, uint(k.shift)&63
	for i, x := range xs {
		x += offset
		xs[i] = x ^ (x&read)>>shift
	}
}

// swizzleLink returns the link of a swizzle.
func swizzleLink(w cute.Swizzle, offset int64) link {
	return link{offset: offset, sw: w, read: (int64(1)<<w.B() - 1) << (w.M() + max(0, w.S())), shift: w.S()}
}

// compile prepares the evaluation of a view that is not plain. The caller has allocated it.
func (v *view) compile() {
	if v.more == nothingMore {
		return
	}
	v.evaluator = evaluator{}
	if v.composed && !v.coords {
		v.compileChain()
	}
	v.swizzled = v.composed && !v.coords && !v.slow && len(v.axes) == 0 && !tables(v.links)
	for _, k := range v.links {
		v.swizzled = v.swizzled && k.offset >= 0
	}
	if len(v.axes) > 0 {
		v.axd = make([]int64, v.lay.LeafCount()*len(v.axes))
		for k, a := range v.axes {
			for i, d := range axisStrides(v.joint, a.id) {
				v.axd[i*len(v.axes)+k] = d
			}
		}
	}
}

// compileChain makes a link of each function after the layout, innermost first. A view whose functions have coordinates
// as values or offsets is slow.
func (v *view) compileChain() {
	v.slow = v.lay.HasBasis()
	for f, o := range v.chain.Stages() {
		x, isInt := o.Int64()
		k := link{offset: x}
		switch f := f.(type) {
		case cute.Swizzle:
			k = swizzleLink(f, x)
		case cute.Layout:
			k.lay, k.table = f, true
			v.slow = v.slow || f.HasBasis()
		}
		v.slow = v.slow || !isInt
		v.links = append([]link{k}, v.links...)
	}
}

// at returns the position of coordinate i in colexicographic order, for i in the domain, and whether the coordinate has
// an element. It does not allocate unless the view is slow.
func (v *view) at(i int64) (int64, bool) {
	if v.slow {
		if len(v.axes) > 0 && !v.holds(i) {
			return 0, false
		}
		x, err := v.chain.Eval(cute.Int(i))
		if err != nil {
			return 0, false
		}
		p, _ := x.Int64()
		return v.base + p, true
	}
	pos, rest := v.inner, i
	for j := range v.lay.LeafCount() {
		s, d := v.lay.Leaf(j)
		if s == 1 {
			continue
		}
		pos += rest % s * d
		rest /= s
	}
	if len(v.axes) > 0 && !v.holds(i) {
		return 0, false
	}
	for k := range v.links {
		pos = v.links[k].apply(pos)
	}
	return v.base + pos, true
}

// holds reports whether coordinate i has an element.
func (v *view) holds(i int64) bool {
	for k, a := range v.axes {
		x, rest := a.start, i
		for j := range v.lay.LeafCount() {
			s, _ := v.lay.Leaf(j)
			x += rest % s * v.axd[j*len(v.axes)+k]
			rest /= s
		}
		if x < 0 || x >= a.bound {
			return false
		}
	}
	return true
}

// coordAt returns the position of coordinate i if positions are coordinates.
func (v *view) coordAt(i int64) (cute.Tuple, error) {
	var x cute.Tuple
	var err error
	if v.composed {
		x, err = v.chain.Eval(cute.Int(i))
	} else {
		x, err = v.lay.Eval(cute.Int(i))
	}
	if err != nil {
		return cute.Tuple{}, err
	}
	return addCoords(x, v.origin)
}

// index returns the colexicographic index of a coordinate: one number for the whole domain, or one for each mode. It
// refuses numbers outside the extents.
func (v *view) index(op string, coord []int64) (int64, error) {
	if len(coord) == 1 {
		if n := v.size(); coord[0] < 0 || coord[0] >= n {
			return 0, refuse(op, cute.CodeMode, "expected an index below %d, found %d: %v has no such element", n, coord[0],
				v.lay.Shape())
		}
		return coord[0], nil
	}
	var buf [modes]int64
	sizes := v.lay.AppendModeSizes(buf[:0])
	if len(coord) != len(sizes) {
		return 0, advise("one number is an index, several are one for each mode",
			refuse(op, cute.CodeRank, "expected %d numbers for the modes of %v, found %d", len(sizes), v.lay.Shape(), len(coord)))
	}
	at, scale := int64(0), int64(1)
	for m, x := range coord {
		if x < 0 || x >= sizes[m] {
			return 0, refuse(op, cute.CodeMode, "expected a number below %d for mode %d of %v, found %d", sizes[m], m,
				v.lay.Shape(), x)
		}
		at += x * scale
		scale *= sizes[m]
	}
	return at, nil
}
