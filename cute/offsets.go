package cute

import (
	"fmt"
	"iter"
	"slices"

	"girih/internal/ints"
)

// EnumLimit is the largest number of elements that an operation which has to look at all of them
// accepts: tables, images, recognition. Larger inputs are refused with [CodeLimit].
const EnumLimit = 1 << 22

// checkEnum refuses to enumerate more than EnumLimit elements.
func checkEnum(op string, n int64, what any) error {
	if n > EnumLimit {
		return &Error{
			Code: CodeLimit, Op: op,
			Msg:  fmt.Sprintf("%v has %d elements, more than the %d that are enumerated", what, n, int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	return nil
}

// AppendOffsets appends the offsets of all coordinates to dst, in elements, in colexicographic order. It is
// the fast way to evaluate a whole layout: each mode's table is the previous modes' table copied with an
// added stride, about 0.3 ns an element. For coordinate strides each offset takes one number per axis.
// It returns [CodeLimit] above [EnumLimit] elements.
func (l Layout) AppendOffsets(dst []int64) ([]int64, error) { return l.appendOffsets(dst, nil) }

func (l Layout) appendOffsets(dst []int64, stop Until) ([]int64, error) {
	size := l.Size()
	if err := checkEnum("offsets", size, l); err != nil {
		return dst, err
	}
	k := l.cod.axes()
	if n := int(size) * k; cap(dst) == 0 {
		dst = make([]int64, 0, n) // Grow clears it at once, which for a large table is most of the work, and asks nobody
	} else {
		dst = slices.Grow(dst, n)
	}
	at := len(dst)
	table := dst[at : at+int(size)*k]
	clear(table[:k])
	filled := k
	for j, s := range l.extents() {
		var err error
		if filled, err = stop.outerSum(table, filled, int(s), l.stride(j)); err != nil {
			return dst[:at], err
		}
	}
	return dst[:at+int(size)*k], nil
}

// outerSum extends the table of filled numbers to s copies of it, the x-th shifted by x·d.
func (u Until) outerSum(table []int64, filled, s int, d []int64) (int, error) {
	if len(d) == 1 {
		const most = 1 << 16 // between two questions: memory that was not used before takes longest
		step, shift := d[0], int64(0)
		for x := 1; x < s; x++ {
			shift += step
			for from := 0; from < filled; from += most {
				if filled >= ints.Every || x%ints.Every == 0 {
					if err := u.ask(); err != nil {
						return 0, err
					}
				}
				base := table[from:min(from+most, filled)]
				dst := table[x*filled+from:]
				for i, b := range base[:min(len(base), len(dst))] {
					dst[i] = b + shift
				}
			}
		}
		return s * filled, nil
	}
	for i := filled; i < s*filled; {
		if err := u.ask(); err != nil {
			return 0, err
		}
		for end := min(i+len(d)*ints.Every, s*filled); i < end; i += len(d) {
			for x, step := range d {
				table[i+x] = table[i+x-filled] + step
			}
		}
	}
	return s * filled, nil
}

// All returns the pairs (index, offset) of all coordinates in colexicographic order. Ranging over it costs
// about 1.5 ns an element and no allocation. A layout with coordinate strides yields nothing; see [Layout.Eval].
func (l Layout) All() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		if l.cod != nil {
			return
		}
		s, d := l.extents(), l.strides()
		if len(s) == 0 {
			yield(0, 0)
			return
		}
		var buf [16]int64
		c := append(buf[:0], make([]int64, len(s))...)
		size, off := l.Size(), int64(0)
		for i := int64(0); i < size; {
			// The innermost mode runs in a plain loop, the others count like an odometer.
			for range s[0] {
				if !yield(i, off) {
					return
				}
				i++
				off += d[0]
			}
			off -= s[0] * d[0]
			for j := 1; j < len(s); j++ {
				c[j]++
				off += d[j]
				if c[j] < s[j] {
					break
				}
				off -= s[j] * d[j]
				c[j] = 0
			}
		}
	}
}
