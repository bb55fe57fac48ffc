package cute

// Coalesce returns the unique layout of least rank that is the same function on the domain: depth at most
// 1, no extent of 1, no two neighbours that merge. A layout of size 1 becomes 1:0.
//
// Uniqueness (the first mode is the longest linear run of the function, and so on) makes equality of layout
// functions equality of their coalesced forms: see [Equivalent].
func Coalesce(a Layout) (l Layout) {
	if a.cod != nil {
		return fewer(coalesceAny(a, caller{}))
	}
	l.v = coalescedIntegers(a.v)
	l.prof = unwrappedProfile(len(l.v) / 2)
	return l
}

// fewer returns the layout that an operation makes of some modes of another one, or of modes that it merges: there are
// no offsets and no sizes in it that were not in the other one, so it has no error.
func fewer(l Layout, _ error) Layout { return l }

// coalesceAny is Coalesce also for coordinate strides, and where its steps are asked for.
func coalesceAny(a Layout, c caller) (Layout, error) {
	var sb, db [stackModes]int64
	n, k := a.leaves(), a.cod.axes()
	m := modes{s: buffer(sb[:], n), d: buffer(db[:], n*k), k: k, trace: c.trace.over(a.cod)}
	m.coalesce(a.extents(), a.strides())
	return m.layout("coalesce", unwrappedProfile(m.n), a.cod)
}

// coalesce puts the leaves of extents s and strides d, merged and without those of extent 1, into m, which is empty and
// has room for all, and for one.
func (m *modes) coalesce(s, d []int64) {
	for i, x := range s {
		y := d[i*m.k : (i+1)*m.k]
		if m.trace != nil {
			m.trace.merge(m, x, y)
		}
		if x != 1 {
			m.push(x, y, 0)
		}
		if m.trace != nil {
			m.trace.merged(m)
		}
	}
	if m.n == 0 {
		m.putAlong(1, 0, 0)
	}
}

// coalescedIntegers is [Coalesce] for integer strides: v holds the extents, then the strides, and so does the result.
// It counts the modes of the result, then writes them into one allocation, or returns v if nothing merges. The leaf s:d
// goes on with the stride s·d, whether it is merged into the leaves before it or not.
//
// Nothing is checked for overflow: merging keeps the size and the sum of (extent−1)·|stride|. And where s·d wraps to
// some w there is no next leaf of stride w: as |w| = 2^64 − s·|d|, it would take the sum to at least 2^64 − |d|, above
// 2^63.
//
// It takes and returns slices, since a Layout that is passed by value is copied word by word, and that took half of the
// time.
func coalescedIntegers(v []int64) []int64 {
	leaves := len(v) / 2
	s, d := v[:leaves], v[leaves:]
	d = d[:len(s)]
	n, size, first, next := 0, int64(1), int64(0), int64(0)
	for i, x := range s {
		if x == 1 {
			continue
		}
		y := d[i]
		if n == 0 {
			first = y
			n = 1
		} else if y != next {
			n++
		}
		size *= x
		next = x * y
	}
	switch n {
	case 0:
		return unitMode.v
	case leaves:
		return v
	case 1:
		// The allocation of a known size is the cheaper one.
		one := new([2]int64)
		one[0], one[1] = size, first
		return one[:]
	}
	out := make([]int64, 2*n)
	j := -1
	for i, x := range s {
		if x == 1 {
			continue
		}
		if j >= 0 && d[i] == next {
			out[j] *= x
		} else {
			j++
			out[j], out[n+j] = x, d[i]
		}
		next = x * d[i]
	}
	return out
}

// CoalesceProfile coalesces by mode: each mode of a that stands where the target profile has a leaf is
// coalesced on its own, and modes beyond the profile stay as they are. Only the nesting of the profile
// matters, not its numbers (CuTe's Step<_1,_1>).
// It returns [CodeRank] if the profile has more modes than a, at any level.
func CoalesceProfile(a Layout, profile Tuple) (Layout, error) {
	return perMode{"coalesce", coalesceAny}.coalesce(a, profile, caller{})
}

// A perMode is what coalesces each mode of a layout that stands where a profile has a leaf.
type perMode struct {
	op string
	f  func(Layout, caller) (Layout, error)
}

func (p perMode) coalesce(a Layout, profile Tuple, c caller) (Layout, error) {
	if profile.profile() == "." {
		return p.f(a, c)
	}
	as, ps := a.Modes(), profile.Modes()
	if a.prof == "." && len(ps) == 1 && ps[0].prof == "." {
		if c.trace != nil {
			c.trace.part(0, a, ps[0])
		}
		l, err := p.f(a, c)
		if err != nil {
			return Layout{}, err
		}
		c.trace.end(l)
		return MakeLayout(l)
	}
	if a.prof == "." && len(ps) == 0 {
		return MakeLayout(a)
	}
	if a.prof == "." || len(ps) > len(as) {
		return Layout{}, errorf(CodeRank, p.op, "the target profile %v has more modes than %v", profile, a)
	}
	for i := range ps {
		var err error
		if c.trace != nil {
			c.trace.part(i, as[i], ps[i])
		}
		if as[i], err = p.coalesce(as[i], ps[i], c); err != nil {
			return Layout{}, err
		}
		c.trace.end(as[i])
	}
	for i := len(ps); i < len(as); i++ {
		c.trace.part(i, as[i], nil)
		c.trace.end(as[i])
	}
	return MakeLayout(as...)
}

// CoalesceZ returns the unique shortest layout that is the same function at every index from 0 on, beyond the size too,
// where the last mode counts on: depth at most 1, no two neighbours that merge, and no extent of 1 except in the last
// mode, where it stays if its stride is not the one that the modes before it continue with. That stride decides the
// function beyond the size: (4,1):(3,4) maps 4 to 4, and 4:3 maps it to 12.
//
// Two layouts of one size agree everywhere exactly if these forms are the same text. It is CuTe's coalesce_z, and what
// [Composition] makes of its left operand.
func CoalesceZ(a Layout) Layout { return fewer(coalesceZ(a, caller{})) }

func coalesceZ(a Layout, _ caller) (Layout, error) {
	m := heapModes(a.leaves()+1, a.cod.axes())
	m.coalesceZ(a.extents(), a.strides())
	return m.layout("coalesce_z", unwrappedProfile(m.n), a.cod)
}

// CoalesceZProfile is [CoalesceProfile] with [CoalesceZ] for each mode. It returns [CodeRank] if the profile has more
// modes than a, at any level.
func CoalesceZProfile(a Layout, profile Tuple) (Layout, error) {
	return perMode{"coalesce_z", coalesceZ}.coalesce(a, profile, caller{})
}
