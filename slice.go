package girih

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/internal/ints"
)

// A Coord is a coordinate in which some modes may be left open by the underscore: (2,(_,3)). Slicing keeps
// the open modes and fixes the others. A Coord without underscores is an ordinary coordinate.
//
// prof is a profile in which an open leaf is written '_'; v holds the integers of the '.' leaves.
type Coord struct {
	v    []int64
	prof string
}

// Open is the coordinate _ that leaves everything open.
var Open = Coord{prof: "_"}

// Fixed returns the tuple t as a Coord without open modes. It returns [CodeCodomain] if t has coordinates for leaves.
func Fixed(t Tuple) (Coord, error) {
	if t.cod != nil {
		return Coord{}, errorf(CodeCodomain, "make_coord", "a coordinate holds integers and _, found %v", t)
	}
	return Coord{v: t.v, prof: t.profile()}, nil
}

// MakeCoord returns the tuple of the given coordinates.
func MakeCoord(elems ...Coord) Coord {
	profs := make([]string, len(elems))
	var v []int64
	for i, e := range elems {
		profs[i] = e.profile()
		v = append(v, e.v...)
	}
	return Coord{v: v, prof: joinProfiles(profs...)}
}

func (c Coord) profile() string {
	if c.prof == "" {
		return "()"
	}
	return c.prof
}

// NodeCount returns the number of leaves, open ones included, and of tuples in c, itself included.
func (c Coord) NodeCount() int { return (len(c.profile()) + len(c.v) + strings.Count(c.prof, "_")) / 2 }

// Depth returns the depth of the nesting: 0 for an integer and for _, 1 for (2,_).
func (c Coord) Depth() int { return profileDepth(c.profile()) }

// HasOpen reports whether some mode is left open.
func (c Coord) HasOpen() bool { return strings.IndexByte(c.prof, '_') >= 0 }

// Tuple returns c as a tuple, and false if a mode is open.
func (c Coord) Tuple() (Tuple, bool) {
	if c.HasOpen() {
		return Tuple{}, false
	}
	return Tuple{v: c.v, prof: c.profile()}, true
}

// Rank returns the number of top-level modes; an integer and _ have rank 1.
func (c Coord) Rank() int { return len(c.Modes()) }

// Modes returns the top-level modes from left to right; an integer or _ has itself as its only one.
func (c Coord) Modes() []Coord {
	p := c.profile()
	if p == "." || p == "_" {
		return []Coord{c}
	}
	var ms []Coord
	at := 0
	for i := 1; i < len(p)-1; {
		end := i + 1
		if p[i] == '(' {
			end = profileEnd(p, i)
		}
		n := profileLeaves(p[i:end])
		ms = append(ms, Coord{v: c.v[at : at+n], prof: p[i:end]})
		at += n
		i = end
	}
	return ms
}

// String returns the canonical text, such as "(2,(_,3))".
func (c Coord) String() string {
	var b []byte
	leaf := 0
	p := c.profile()
	for i := range len(p) {
		if p[i] == '.' {
			b = strconv.AppendInt(b, c.v[leaf], 10)
			leaf++
		} else {
			b = append(b, p[i])
		}
		if i+1 < len(p) && p[i] != '(' && p[i+1] != ')' {
			b = append(b, ',')
		}
	}
	return string(b)
}

// The leaves of the profile of a coordinate.
const (
	openLeaf  = "_"
	fixedLeaf = "."
)

// A selection is what a slice or a dice keeps: ranges of leaves and the nesting they end up in.
type selection struct {
	leaves []int  // indices of kept leaves
	prof   []byte // their nesting
}

// keep records the leaves of the profile q, from leaf lo on, that the coordinate leaves open, or fixes: those where it
// has the given leaf, _ or an integer. As in CuTe, such a leaf keeps its whole mode, the other kind drops it, and a
// tuple is descended into with its kept modes joined, one level of parentheses disappearing below the top.
func (k *selection) keep(c Coord, q string, lo int, leaf string) error {
	p := c.profile()
	if p == openLeaf || p == fixedLeaf {
		if p == leaf {
			k.prof = append(k.prof, q...)
			for j := range profileLeaves(q) {
				k.leaves = append(k.leaves, lo+j)
			}
		}
		return nil
	}
	ms := c.Modes()
	if q == "." || profileRank(q) != len(ms) {
		return &Error{
			Code: CodeNotCongruent, Op: "slice",
			Msg:  fmt.Sprintf("the coordinate %v has %d modes where the shape has %d", c, len(ms), profileRank(q)),
			Hint: "a slice coordinate has the parentheses of the shape, or an integer or _ in place of a whole mode",
		}
	}
	m := modesOf(q)
	for i := 0; m.next(); i++ {
		if err := k.keep(ms[i], m.prof, lo+m.lo, leaf); err != nil {
			return err
		}
	}
	return nil
}

// cutTo runs keep at the top level and closes the parentheses of the result.
func cutTo(c Coord, q, leaf string) (selection, error) {
	var k selection
	if p := c.profile(); p == openLeaf || p == fixedLeaf {
		if p != leaf {
			k.prof = []byte("()")
			return k, nil
		}
		err := k.keep(c, q, 0, leaf)
		return k, err
	}
	k.prof = append(k.prof, '(')
	err := k.keep(c, q, 0, leaf)
	k.prof = append(k.prof, ')')
	return k, err
}

func (l Layout) cutTo(c Coord, leaf string) (Layout, error) {
	k, err := cutTo(c, l.profile(), leaf)
	if err != nil {
		return Layout{}, err
	}
	v := make([]int64, 0, len(k.leaves)*(1+l.cod.axes()))
	for _, j := range k.leaves {
		v = append(v, l.extents()[j])
	}
	for _, j := range k.leaves {
		v = append(v, l.stride(j)...)
	}
	return finish("slice", v, internProfile(k.prof), l.cod)
}

func (t Tuple) cutTo(c Coord, leaf string) (Tuple, error) {
	k, err := cutTo(c, t.profile(), leaf)
	if err != nil {
		return Tuple{}, err
	}
	var v []int64
	for _, j := range k.leaves {
		v = append(v, t.at(j)...)
	}
	v, cod := trimAxes(v, t.cod)
	return Tuple{v: v, prof: internProfile(k.prof), cod: cod}, nil
}

// Slice returns the layout of the modes that c leaves open, without the offset of the fixed ones:
// CuTe's slice. Slice of (2,(3,4)):(12,(1,3)) at (1,(_,2)) is (3):(1).
// It returns [CodeNotCongruent] if c does not fit the shape.
func (l Layout) Slice(c Coord) (Layout, error) { return l.cutTo(c, openLeaf) }

// Dice returns the layout of the modes that c fixes: the counterpart of [Layout.Slice]. It returns the errors of
// Layout.Slice.
func (l Layout) Dice(c Coord) (Layout, error) { return l.cutTo(c, fixedLeaf) }

// Slice returns the modes of t that c leaves open, as [Layout.Slice] does. It returns [CodeNotCongruent] if c does
// not fit t.
func (t Tuple) Slice(c Coord) (Tuple, error) { return t.cutTo(c, openLeaf) }

// Dice returns the modes of t that c fixes. It returns the errors of [Tuple.Slice].
func (t Tuple) Dice(c Coord) (Tuple, error) { return t.cutTo(c, fixedLeaf) }

// SliceAndOffset returns the layout of the modes that c leaves open, and the offset of the fixed ones, in
// elements: at every open coordinate, offset + slice is the value of l.
// It returns [CodeNotCongruent] and [CodeOverflow].
func (l Layout) SliceAndOffset(c Coord) (Layout, Tuple, error) {
	s, err := l.Slice(c)
	if err != nil {
		return Layout{}, Tuple{}, err
	}
	off, err := l.evalVector(nil, c.closed())
	if err != nil {
		return Layout{}, Tuple{}, err
	}
	return s, coordTuple(off, l.cod), nil
}

// closed puts 0 in place of every underscore.
func (c Coord) closed() Tuple {
	p := c.profile()
	var v []int64
	leaf := 0
	for i := range len(p) {
		switch p[i] {
		case '.':
			v = append(v, c.v[leaf])
			leaf++
		case '_':
			v = append(v, 0)
		}
	}
	return Tuple{v: v, prof: strings.ReplaceAll(p, "_", ".")}
}

// DomainOffset returns l and the offset of the coordinate c: the function x ↦ l(c) + l(x) that starts at c,
// as CuTe's domain_offset. It is l shifted to c exactly where c + x does not carry between modes.
// It returns [CodeNotCongruent] and [CodeOverflow].
func (l Layout) DomainOffset(c Tuple) (Layout, Tuple, error) {
	off, err := l.Eval(c)
	return l, off, err
}

// addOffsets adds two offsets, each an integer or a coordinate tuple.
func addOffsets(a, b []int64) ([]int64, bool) {
	out, ok := slices.Clone(a), true
	for i := range out {
		var o bool
		out[i], o = ints.Add(a[i], b[i])
		ok = ok && o
	}
	return out, ok
}
