package cute

// Zip returns the transpose of the nesting of the given layouts: ((a,b),(c,d)) becomes ((a,c),(b,d)), as
// CuTe's zip of (a,b) and (c,d). All must have the same rank, or it returns [CodeRank].
func Zip(as ...Layout) (Layout, error) {
	var cols [][]Layout
	for i, a := range as {
		ms := a.Modes()
		if i > 0 && len(ms) != len(cols) {
			return Layout{}, errorf(CodeRank, "zip", "expected %d modes as in %v, found %v", len(cols), as[0], a)
		}
		for j, m := range ms {
			if i == 0 {
				cols = append(cols, nil)
			}
			cols[j] = append(cols[j], m)
		}
	}
	parts := make([]Layout, len(cols))
	for j, c := range cols {
		var err error
		if parts[j], err = MakeLayout(c...); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(parts...)
}
