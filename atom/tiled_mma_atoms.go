package atom

// Atoms returns the atom of each thread and of each value of [TiledMMA.LayoutTV]: two elements are in the same atom if
// both numbers are equal. A thread that takes no part has -1. It returns the errors of LayoutTV.
func (m TiledMMA) Atoms(o Operand) (threads, values []int64, err error) {
	tv, err := m.LayoutTV(o)
	if err != nil {
		return nil, nil, err
	}
	numbers, err := m.vmnk.AppendOffsets(nil)
	if err != nil {
		return nil, nil, err
	}
	all, one := tv.Modes(), m.atom.TV(o).Modes()
	threads, values = make([]int64, all[0].Size()), make([]int64, all[1].Size())
	for t := range threads {
		threads[t] = -1
	}
	for k, t := range numbers {
		if t < int64(len(threads)) {
			threads[t] = int64(k) / one[0].Size()
		}
	}
	for v := range values {
		values[v] = int64(v) / one[1].Size()
	}
	return threads, values, nil
}
