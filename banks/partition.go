package banks

import (
	"fmt"

	"girih/cute"
)

// This file assigns elements to threads as CuTe's local_partition and make_tiled_copy do.

// assignPartition lists the elements of each thread. The tile's shape is thr's shape times val's, mode by mode:
// coordinate c of a tile mode belongs to coordinate c / V of thr and c mod V of val, where V is val's extent in that
// mode (CuTe's raked_product of thr_layout and val_layout).
func assignPartition(thr, val cute.Layout, mem Memory) (assignment, error) {
	sizes, err := modeSizes(mem.Shape())
	if err != nil {
		return assignment{}, err
	}
	threadAt, ts, err := numbering(thr, len(sizes), "thr_layout", "threads")
	if err != nil {
		return assignment{}, err
	}
	valueAt, vs, err := numbering(val, len(sizes), "val_layout", "values")
	if err != nil {
		return assignment{}, err
	}
	tiles := make([]int64, len(sizes))
	perTile := len(valueAt)
	repeats := 1
	for i, n := range sizes {
		tile := ts[i] * vs[i]
		if n%tile != 0 {
			return assignment{}, refuse(cute.CodeNotDivisible, "", "mode %d of %v has %d elements, which tiles of %d (%d threads times %d values) do not divide",
				i, mem, n, tile, ts[i], vs[i])
		}
		tiles[i] = n / tile
		repeats *= int(tiles[i])
	}
	a := assignment{threads: len(threadAt), values: perTile * repeats, warps: true}
	a.index = make([]int32, a.threads*a.values)
	a.how = func() string {
		how := fmt.Sprintf("%s by thr_layout %v, %s each", number(a.threads, "thread"), thr, number(a.values, "value"))
		if perTile > 1 {
			how += fmt.Sprintf(" by val_layout %v", val)
		}
		return how
	}
	for k := range repeats {
		for t, thread := range threadAt {
			for v, value := range valueAt {
				index, weight := int64(0), int64(1)
				kr, tr, vr := int64(k), int64(t), int64(v)
				for i, n := range sizes {
					c := vr%vs[i] + vs[i]*(tr%ts[i]+ts[i]*(kr%tiles[i]))
					vr, tr, kr = vr/vs[i], tr/ts[i], kr/tiles[i]
					index += c * weight
					weight *= n
				}
				a.index[int(thread)*a.values+perTile*k+int(value)] = int32(index)
			}
		}
	}
	return a, nil
}

// numbering returns the numbers that l gives to its coordinates, all of 0 to size-1, and the sizes of l's modes up to
// the given rank; modes that l lacks have size 1.
func numbering(l cute.Layout, rank int, name, what string) (table, sizes []int64, err error) {
	if l.Equal(cute.Layout{}) {
		l = cute.MustParse("1:0")
	}
	if l.HasBasis() {
		return nil, nil, refuse(cute.CodeCodomain, "", "%s numbers %s, found %v, whose values are coordinates", name, what, l)
	}
	if sizes, err = modeSizes(l.Shape()); err != nil {
		return nil, nil, err
	}
	if len(sizes) > rank {
		return nil, nil, refuse(cute.CodeRank, "", "%s %v has %d modes, and the memory %d", name, l, len(sizes), rank)
	}
	for len(sizes) < rank {
		sizes = append(sizes, 1)
	}
	if table, err = l.AppendOffsets(nil); err != nil {
		return nil, nil, err
	}
	seen := make([]bool, len(table))
	for i, x := range table {
		if x < 0 || x >= int64(len(table)) || seen[x] {
			return nil, nil, refuse(cute.CodeNotInjective, fmt.Sprintf("%s maps coordinates to the numbers of %s", name, what),
				"%s %v must give every number from 0 to %d to one coordinate; index %d has %d", name, l, len(table)-1, i, x)
		}
		seen[x] = true
	}
	return table, sizes, nil
}
