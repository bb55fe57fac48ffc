package banks

import "slices"

// A Report is a [Count] with its phases and conflicts.
type Report struct {
	Count
	Served    []Phase    // the phases with an active lane, in order
	Conflicts []Conflict // by phase, then by bank
}

// A Phase is the set of lanes that are served together.
type Phase struct {
	Lanes      []int // all lanes of the phase, in increasing order, inactive ones included
	Wavefronts int
}

// A Conflict is a set of different places in memory that the lanes of a phase want from the same banks, or several
// lanes that take turns at one place ([Rule.EachLane]); then each lane is a separate hit.
type Conflict struct {
	Phase int // index into Report.Served
	Bank  int // the first bank
	Banks int // the number of banks, from Bank on, that the same lanes access; 1 for accesses of at most 32 bits
	Hits  []Hit
}

// Degree returns the number of turns that the banks take: the number of hits.
func (c Conflict) Degree() int { return len(c.Hits) }

// A Hit is one place in memory, and the lanes that want it.
type Hit struct {
	Address int64 // the address in bytes; a multiple of the width of the access, and of 4
	Lanes   []int // the lanes in increasing order
}

// Explain returns the wavefronts, phases and conflicts of the instruction, and the errors of [Rule.Count].
func (r *Rule) Explain(addrs []int64) (Report, error) {
	count, err := r.Count(addrs)
	if err != nil {
		return Report{}, err
	}
	rep := Report{Count: count}
	bytes, places := r.unit()
	phases := r.Phases()
	if count.Merged {
		phases = r.MergedPhases()
	}
	for _, lanes := range phases {
		slices.Sort(lanes)
		units := make([][]Hit, places)
		most := 0
		for _, l := range lanes {
			if l >= len(addrs) || addrs[l] == Inactive {
				continue
			}
			u := addrs[l] / int64(bytes)
			hits := &units[u%int64(places)]
			i := slices.IndexFunc(*hits, func(h Hit) bool { return h.Address == u*int64(bytes) })
			if i < 0 || r.eachLane {
				i = len(*hits)
				*hits = append(*hits, Hit{Address: u * int64(bytes)})
			}
			(*hits)[i].Lanes = append((*hits)[i].Lanes, l)
			most = max(most, len(*hits))
		}
		if most == 0 {
			continue
		}
		for place, hits := range units {
			if len(hits) > 1 {
				rep.Conflicts = append(rep.Conflicts,
					Conflict{Phase: len(rep.Served), Bank: place * bytes / 4, Banks: bytes / 4, Hits: hits})
			}
		}
		rep.Served = append(rep.Served, Phase{Lanes: lanes, Wavefronts: r.passes * most})
	}
	return rep, nil
}
