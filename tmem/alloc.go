package tmem

import (
	"fmt"

	"girih/cute"
)

// Allocations have a power of two of columns (PTX ISA, tcgen05.alloc).
const (
	// LeastAllocation is the smallest number of columns that tcgen05.alloc returns.
	LeastAllocation = 32
)

// A Buffer is what an allocation has to contain.
type Buffer struct {
	Name string
	// Columns is the number of columns.
	Columns int64
	// Half says that the buffer uses 16 lanes of each warp, as the accumulators of the data paths C and F, so that
	// another such buffer can have the other 16 lanes of its columns.
	Half bool
}

// BufferOf returns the buffer of a tensor.
func BufferOf(name string, t Tensor) Buffer {
	h := t.Halves()
	return Buffer{Name: name, Columns: t.Columns(), Half: h&halfLanes == 0 || h&^halfLanes == 0}
}

// An Allocation is the smallest allocation that contains some buffers. With cta_group::2 it is made in both CTAs of a
// pair, and has the same addresses in each.
type Allocation struct {
	// Columns is the number of columns to allocate: 32, 64, 128, 256 or 512.
	Columns int64
	// Least is the number of columns that the buffers need. No placement has fewer.
	Least int64
	// Buffers are the buffers in the order in which they were given.
	Buffers []Buffer
	// Addresses are the addresses of the buffers, relative to the allocation: at lane 0, or at lane 16 for a half.
	Addresses []Address
	// Proof says why fewer columns do not suffice.
	Proof string
}

// Alloc places buffers so that they need the fewest columns, and returns the smallest allocation for them.
//
// Buffers in all lanes follow each other. Buffers in half of the lanes form two stacks, one in the lanes from 0 and
// one in the lanes from 16 of each warp; the taller stack counts, and all sums of their columns are tried for the
// best division (at most 512 sums), so the number of columns is the least.
//
// It returns [cute.CodeExtent] for a buffer without columns or with more than 512, and [cute.CodeLimit] if the
// buffers need more than 512 columns: the message has the proof.
func Alloc(buffers ...Buffer) (Allocation, error) {
	a := Allocation{Buffers: buffers, Addresses: make([]Address, len(buffers))}
	var whole, half int64
	for _, b := range buffers {
		switch {
		case b.Columns < 1 || b.Columns > Columns:
			return Allocation{}, fail(cute.CodeExtent, "expected 1 to %d columns, found %d for buffer %q", Columns, b.Columns,
				b.Name)
		case b.Half:
			half += b.Columns
		default:
			whole += b.Columns
		}
		if whole > Columns || half > 2*Columns {
			return Allocation{}, tooMany(whole, half, "")
		}
	}
	lower, best := divide(buffers, half)
	a.Least = whole + best
	a.Proof = fmt.Sprintf("%d columns in all lanes, and %d in half of the lanes: %d", whole, half, best)
	if best > (half+1)/2 {
		a.Proof += fmt.Sprintf(", since none of them have a sum from %d to %d", half-best+1, best-1)
	}
	if a.Least > Columns {
		return Allocation{}, tooMany(whole, half, a.Proof)
	}
	at, low, high := int64(0), whole, whole
	for i, b := range buffers {
		switch {
		case !b.Half:
			a.Addresses[i] = Address(at)
			at += b.Columns
		case lower[i]:
			a.Addresses[i] = Address(low)
			low += b.Columns
		default:
			a.Addresses[i] = Place{Lane: WarpLanes / 2, Column: high}.Address()
			high += b.Columns
		}
	}
	for a.Columns = LeastAllocation; a.Columns < a.Least; {
		a.Columns *= 2
	}
	return a, nil
}

func tooMany(whole, half int64, proof string) error {
	if proof == "" {
		proof = fmt.Sprintf("%d columns in all lanes, and %d in half of the lanes: at least %d", whole, half, (half+1)/2)
	}
	return fail(cute.CodeLimit, "expected buffers of at most %d columns together: %s", Columns, proof)
}

// divide divides the half buffers into two stacks so that the taller one is as short as possible. lower says which
// buffers are in the taller stack.
func divide(buffers []Buffer, half int64) (lower []bool, best int64) {
	// from[s] is 1 + the buffer that first reached the sum s; the buffers before it reached the rest of s.
	from := make([]int, half+1)
	for i, b := range buffers {
		if !b.Half {
			continue
		}
		for s := half; s >= b.Columns; s-- {
			if rest := s - b.Columns; from[s] == 0 && s != 0 && (rest == 0 || from[rest] != 0) {
				from[s] = i + 1
			}
		}
	}
	for best = (half + 1) / 2; best > 0 && from[best] == 0; {
		best++
	}
	lower = make([]bool, len(buffers))
	for s := best; s > 0; s -= buffers[from[s]-1].Columns {
		lower[from[s]-1] = true
	}
	return lower, best
}

// Verify returns an error if two buffers share a cell or if one leaves the allocation: [cute.CodeNotInjective] with
// the names and the column of the overlap, or [cute.CodeMode]. Use it for addresses that were computed elsewhere.
func (a Allocation) Verify() error {
	if len(a.Addresses) != len(a.Buffers) {
		return fail(cute.CodeRank, "expected %d addresses, found %d", len(a.Buffers), len(a.Addresses))
	}
	for i, b := range a.Buffers {
		first, last := a.Addresses[i].Column(), a.Addresses[i].Column()+b.Columns
		if last > a.Columns {
			return fail(cute.CodeMode, "expected columns below %d, found buffer %q in %d to %d", a.Columns, b.Name, first,
				last-1)
		}
		for j, c := range a.Buffers[:i] {
			from, to := a.Addresses[j].Column(), a.Addresses[j].Column()+c.Columns
			apart := b.Half && c.Half && a.Addresses[i].Lane() != a.Addresses[j].Lane()
			if !apart && first < to && from < last {
				return fail(cute.CodeNotInjective, "buffers %q and %q share column %d", c.Name, b.Name, max(first, from))
			}
		}
	}
	return nil
}
