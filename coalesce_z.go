package girih

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
