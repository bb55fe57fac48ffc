package convert

import (
	"testing"

	"girih/f2"
	"girih/linear"

	"pgregory.net/rapid"
)

// TestMatrixTiles loads matrices of 8 rows of 16 bytes from the memory, element by element: rows must be contiguous,
// and the number of wavefronts must be what the banks need.
func TestMatrixTiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(7, 10).Draw(t, "log2 size")
		bits := rapid.Permutation(upToUnits(d)).Draw(t, "bits")
		transposed := rapid.Bool().Draw(t, "transposed")
		// Three bits are a row: a register and two lanes of an ordinary matrix, three lanes of a transposed matrix.
		row, rest := bits[:3], bits[3:]
		var lanes, regs []f2.Vector
		if transposed {
			lanes, regs = append(append(lanes, rest[:2]...), row...), rest[2:]
		} else {
			lanes, regs = append(append(lanes, row[1:]...), rest[:3]...), append([]f2.Vector{row[0]}, rest[3:]...)
		}
		dst := fromColumns(d, regs, lanes)
		others := rapid.Permutation(rest).Draw(t, "source")
		n := min(5, len(others))
		src := fromColumns(d, append(append([]f2.Vector{}, row...), others[n:]...), addZeros(others[:n:n], 5))
		mem := Memory{ElemBits: 16, Banks: 32, Load: Matrix()}
		if transposed {
			mem.Load = MatrixTransposed()
		}
		s, err := OptimalSwizzleTiles(src, dst, mem)
		if err != nil {
			t.Fatalf("%v to %v: %v", src, dst, err)
		}
		place := map[uint64]int{}
		for x := range uint64(1) << s.Layout.InBits() {
			place[must(s.Layout.Flat(x))] = int(x)
		}
		perRep := int(s.Layout.InSize("vector") * s.Layout.InSize("bank") * s.Layout.InSize("segment"))
		matrices, most := 0, 0
		for _, m := range matricesOf(dst, transposed) {
			matrices++
			words := map[int]map[int]bool{}
			for _, elements := range m {
				first := place[elements[0]] / 8
				for _, e := range elements {
					if place[e]/8 != first {
						t.Fatalf("%v to %v through %v: a row is not contiguous", src, dst, s.Layout)
					}
					word := place[e] % perRep / 2
					if words[word%32] == nil {
						words[word%32] = map[int]bool{}
					}
					words[word%32][word] = true
				}
			}
			for _, w := range words {
				most = max(most, len(w))
			}
		}
		// Any register can be the second register of a transposed matrix. The plan uses the best register, the test the
		// first.
		if !transposed && (matrices != s.Load.Instructions*s.Load.Ideal || most != s.Load.Multiplicity()) {
			t.Fatalf("%v to %v through %v: %d matrices, %d passes, counted %+v", src, dst, s.Layout, matrices, most, s.Load)
		}
		if transposed && (matrices != s.Load.Instructions*s.Load.Ideal || most < s.Load.Multiplicity()) {
			t.Fatalf("%v to %v through %v: %d matrices, %d passes, counted %+v", src, dst, s.Layout, matrices, most, s.Load)
		}
		if got := simulateAccess(t, src, s.Layout, s.Store, mem); got != s.Store.Wavefronts {
			t.Fatalf("%v through %v: %+v, simulated %d wavefronts", src, s.Layout, s.Store, got)
		}
	})
}

// matricesOf lists, for each matrix of 8 rows that a warp holds, the elements of each row.
func matricesOf(l linear.Layout, transposed bool) [][][]uint64 {
	var out [][][]uint64
	for first := 0; first < int(l.InSize("register")); first += 2 {
		var m [][]uint64
		for row := range 8 {
			var elements []uint64
			for i := range 8 {
				// An ordinary row is four lanes with two registers. A transposed row is eight lanes; the other four
				// lanes and two registers count the rows.
				reg, lane := first+i&1, row*4+i>>1
				if transposed {
					reg, lane = first+row>>2, row&3+i*4
				}
				elements = append(elements, element(l, reg, lane, 0))
			}
			m = append(m, elements)
		}
		out = append(out, m)
	}
	return out
}

func fromColumns(d int, regs, lanes []f2.Vector) linear.Layout {
	m := must(f2.NewMatrix(d, append(append([]f2.Vector{}, regs...), lanes...)))
	return must(linear.FromMatrix(m,
		[]linear.Dim{{Name: "register", Size: 1 << len(regs)}, {Name: "lane", Size: 1 << len(lanes)}},
		[]linear.Dim{{Name: "dim0", Size: 1 << d}}))
}
