package follow

import (
	"slices"

	"girih/ptx"
)

// This file follows single elements through the accesses of a model.

// A Step is an element that an access moves.
type Step struct {
	Hop    int
	Time   int64
	Warp   int
	Thread int64 // of the block; -1 if the copy engine or the tensor core moves it
	From   int64 // the cells; -1 for none
	To     int64
	Pass   int // of shared memory, -1 if it is not known
}

// maxWay limits the steps of a way.
const maxWay = 1 << 14

// Find returns the place with a name, and its cells at a coordinate: of the layout, for a tensor in shared memory,
// where a missing stage is 0; elsewhere the row and the column that a cell first holds.
func (m *Model) Find(name string, at []int64) (place int, cells []int64) {
	place = slices.IndexFunc(m.Places, func(p Place) bool { return p.Name == name })
	if place < 0 {
		return place, nil
	}
	p := &m.Places[place]
	if len(at) == 1 && p.Rows == 1 {
		at = []int64{0, at[0]}
	}
	if p.Index != nil {
		if len(at) == 2 && len(p.Modes) == 3 {
			at = []int64{at[0], at[1], 0}
		}
		for i := range p.Cells {
			if slices.Equal(p.own(i), at) {
				cells = append(cells, i)
			}
		}
		return place, cells
	}
	rows, cols := p.Row.Values(), p.Col.Values()
	for i, r := range rows {
		if len(at) == 2 && r == at[0] && cols[i] == at[1] {
			cells = append(cells, int64(i))
		}
	}
	return place, cells
}

// An eachAccess is an access with its hop and shape.
type eachAccess struct {
	Step
	hop      *Hop
	shape    *Shape
	from, to int64
}

// each calls f for each access, in the order of time, until f returns false.
func (m *Model) each(f func(a eachAccess) bool) {
	for i := 0; i+6 <= len(m.Accesses); i += 6 {
		v := m.Accesses[i : i+6]
		a := eachAccess{Step{Hop: int(v[0]), Time: v[1], Warp: int(v[2])}, &m.Hops[v[0]], &m.Shapes[v[3]], v[4], v[5]}
		if !f(a) {
			return
		}
	}
}

// step returns the step of an item.
func (a *eachAccess) step(m *Model, item int) Step {
	s := a.Step
	s.From, s.To, s.Pass, s.Thread = -1, a.to+a.shape.To.values[item], -1, -1
	if a.shape.From != nil {
		s.From = a.from + a.shape.From.values[item]
	}
	nth := item / a.shape.Per
	lane := nth
	if a.shape.Lanes != nil {
		lane = a.shape.Lanes[nth]
	}
	if isRegisters(m, a.hop) || isThread(ptx.Op(a.hop.Instruction)) && a.hop.Kind == Copy {
		s.Thread = int64(32*a.Warp + lane)
	}
	if a.hop.Kind == Compute { // the register says which thread
		if p := &m.Places[a.hop.To]; p.Values > 0 {
			s.Thread = s.To / p.Values
		}
	}
	switch {
	case a.shape.PhaseOf == "item":
		s.Pass = a.shape.Phase[item%a.shape.Per]
	case len(a.shape.Phase) > nth:
		s.Pass = a.shape.Phase[nth]
	}
	return s
}

// isRegisters reports whether a hop moves registers of threads.
func isRegisters(m *Model, h *Hop) bool {
	for _, f := range append([]int{h.To}, h.From...) {
		if m.Places[f].Kind == Registers {
			return true
		}
	}
	return false
}

// Forward returns where the element of a cell goes, in the order of time, from a time on. It ends at the products of
// an MMA: a sum is another value.
func (m *Model) Forward(place int, cell int64, time int64) []Step {
	live := map[cellOf]bool{{place, cell}: true}
	var out []Step
	m.each(func(a eachAccess) bool {
		if a.Time < time || a.shape.From == nil || len(a.hop.From) != 1 {
			return true
		}
		var gone []cellOf
		var come []cellOf
		for i := range a.shape.To.values {
			from, to := cellOf{a.hop.From[0], a.from + a.shape.From.values[i]}, cellOf{a.hop.To, a.to + a.shape.To.values[i]}
			switch {
			case live[from]:
				out, come = append(out, a.step(m, i)), append(come, to)
			case live[to]:
				gone = append(gone, to)
			}
		}
		for _, c := range gone {
			delete(live, c)
		}
		for _, c := range come {
			live[c] = m.Places[c.place].Kind != Operand
		}
		return len(out) < maxWay
	})
	return out
}

// Backward returns where the value of a cell at the end of the run comes from, the last step first. It ends at the
// products of an MMA, and at values that many others determine.
func (m *Model) Backward(place int, cell int64) []Step {
	var out []Step
	end := int64(1) << 62
	for len(out) < maxWay {
		last, found := Step{}, false
		m.each(func(a eachAccess) bool {
			if a.Time > end {
				return false
			}
			if a.hop.To == place && a.Time < end {
				for i, to := range a.shape.To.values {
					if a.to+to == cell {
						last, found = a.step(m, i), true
					}
				}
			}
			return true
		})
		if !found {
			return out
		}
		out = append(out, last)
		if h := &m.Hops[last.Hop]; last.From < 0 || len(h.From) != 1 {
			return out
		}
		place, cell, end = m.Hops[last.Hop].From[0], last.From, last.Time
		if m.Hops[last.Hop].Kind == Compute {
			end++ // arithmetic has the time of the move that follows it
		}
	}
	return out
}

// A ThreadMove is what a thread moves in a hop: the number of its accesses, and the cells of the first one.
type ThreadMove struct {
	Hop      int
	Count    int
	From, To []int64
}

// OfThread returns the moves of a thread, in the order of their first time.
func (m *Model) OfThread(thread int64) []ThreadMove {
	var out []ThreadMove
	at := map[int]int{} // by hop, 1 + the index
	m.each(func(a eachAccess) bool {
		if int64(a.Warp) != thread/32 {
			return true
		}
		var from, to []int64
		for nth := range len(a.shape.To.values) / max(a.shape.Per, 1) {
			if s := a.step(m, nth*a.shape.Per); s.Thread != thread && a.hop.Kind != Compute {
				continue
			}
			for i := nth * a.shape.Per; i < (nth+1)*a.shape.Per; i++ {
				if s := a.step(m, i); s.Thread == thread {
					if to = append(to, s.To); s.From >= 0 {
						from = append(from, s.From)
					}
				}
			}
		}
		if len(to) == 0 {
			return true
		}
		if at[a.Hop] == 0 {
			out = append(out, ThreadMove{Hop: a.Hop, From: from, To: to})
			at[a.Hop] = len(out)
		}
		out[at[a.Hop]-1].Count++
		return true
	})
	return out
}
