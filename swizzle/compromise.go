package swizzle

import (
	"math"
	"slices"

	"girih/cute"
)

// A Compromise is the answer with the fewest extra wavefronts, if no answer is free of conflicts.
type Compromise struct {
	// Exactly one is set: Choice for a swizzle (Sw<0,0,0> for the tile as it is), Map for a linear map, or Padding.
	Choice  *Choice
	Map     Map
	Padding *Padding

	Costs []Cost
	Extra int // the extra wavefronts of all accesses
	// Least is a lower bound for every arrangement of the tile: the sum of the extra wavefronts that each phase needs
	// alone.
	Least int
	// Swizzles, Paddings and Maps count the answers that were compared. AllMaps reports that all linear maps that keep
	// granules whole were compared, one for each pattern of conflicts.
	Swizzles, Paddings int
	Maps               int64
	AllMaps            bool
}

// degree returns the number of wavefronts of a phase whose offsets are moved by f: the greatest number of distinct
// words that one place in the banks must serve.
func (t *tile) degree(p phase, f func(uint64) uint64) int {
	words := max(t.vec[p.access]-t.shift, 0) // log2 of the words of one lane
	places := t.accesses[p.access].rule.Banks() >> words
	var wanted wordsByPlace
	most := uint8(0)
	for _, x := range p.offs {
		word := t.word(f(x)) >> words
		most = max(most, wanted.add(word&uint64(places-1), word))
	}
	return int(most)
}

// wordsByPlace is a list of distinct words for each place in the banks. All lists share one array, since a phase has at
// most 64 words.
type wordsByPlace struct {
	words [64]struct {
		word   uint64
		before uint8 // the word before it in its list, as an index into words plus 1; 0 for the first
	}
	used  uint8
	last  [64]uint8 // the last word of each place, as an index into words plus 1; 0 if there is none
	count [64]uint8 // the length of each list
}

// add adds a word to the list of a place unless it is there, and returns the length of the list.
func (w *wordsByPlace) add(place, word uint64) uint8 {
	for k := w.last[place]; k != 0; k = w.words[k-1].before {
		if w.words[k-1].word == word {
			return w.count[place]
		}
	}
	w.words[w.used].word, w.words[w.used].before = word, w.last[place]
	w.used++
	w.last[place] = w.used
	w.count[place]++
	return w.count[place]
}

// conflicts returns the extra wavefronts with offsets moved by f, or any number above most.
func (t *tile) conflicts(f func(uint64) uint64, most int) int {
	sum := 0
	for _, p := range t.phases {
		if sum += p.weight * (t.degree(p, f) - 1); sum > most {
			break
		}
	}
	return sum
}

// mapLimit limits how many maps a compromise compares.
const mapLimit = 300_000

// compromise returns the answer with the fewest extra wavefronts: it compares swizzles, then linear maps, then
// paddings.
func (t *tile) compromise() (Compromise, error) {
	best := Compromise{Extra: math.MaxInt}
	for _, n := range t.least() {
		best.Least += n
	}
	var swizzles []cute.Swizzle
	for _, w := range append([]cute.Swizzle{{}}, candidates(t.bits)...) {
		f := func(x uint64) uint64 { return fast(w, x) }
		t.check()
		best.Swizzles++
		if !t.keeps(f) || !t.stays(f) {
			continue
		}
		switch n := t.conflicts(f, best.Extra); {
		case n > best.Extra:
		case n < best.Extra:
			best.Extra, swizzles = n, append(swizzles[:0], w)
		default:
			swizzles = append(swizzles, w)
		}
	}
	cs := choices(swizzles, t.span)
	best.Choice = &cs[0]
	t.linearCompromise(&best)
	t.paddedCompromise(&best)

	var move func(uint64) uint64
	switch {
	case best.Choice != nil:
		w := best.Choice.Swizzle
		move = func(x uint64) uint64 { return fast(w, x) }
	case best.Padding != nil:
		move = best.Padding.move
	default:
		move = best.Map.apply
	}
	costs, _, ok := t.simulate(move)
	if !ok || extra(costs) != best.Extra {
		return best, internalError("the simulation of the compromise gives other wavefronts than the search")
	}
	best.Costs = costs
	return best, t.judge(move, costs)
}

func internalError(why string) error {
	return &cute.Error{Code: cute.CodeLimit, Op: opSolve, Msg: why + ": this is a defect of girih"}
}

// linearCompromise compares all linear maps to banks, one for each set of offsets that maps to bank 0. If the best map
// beats the answer best, linearCompromise uses the cheapest map with as few conflicts.
func (t *tile) linearCompromise(best *Compromise) {
	ds, possible := t.granules(t.clashes)
	s := newColumnSearch(ds, t.bankRows(), SearchLimit, t.check)
	if !possible || s.least < s.rows || subspaces(len(s.bits), s.rows) > mapLimit {
		return
	}
	most := best.Extra
	var cols []uint8
	best.Maps, best.AllMaps = s.each(func(c []uint8) {
		t.check()
		n := t.conflictsOf(s, c, most)
		if n < most {
			most, cols = n, slices.Clone(c)
		}
	}), true
	if cols == nil {
		return
	}
	// The cheapest map must keep apart all differences that the best map keeps apart.
	var apart []difference
	for _, d := range ds {
		if s.at(cols, d.bits) != 0 {
			apart = append(apart, d)
		}
	}
	cheap := newColumnSearch(apart, s.rows, SearchLimit, t.check)
	found, _, _ := cheap.cheapest(maxTies)
	n := max(t.bits-t.granule, s.rows)
	var pick Map
	ok := false
	for _, c := range found {
		m, fits := t.mapOf(cheap.complete(c, n))
		if !fits || !t.stays(m.apply) || t.conflicts(m.apply, most) != most {
			continue
		}
		if !ok || len(m.Terms()) < len(pick.Terms()) {
			pick, ok = m, true
		}
	}
	if ok {
		best.Extra, best.Choice, best.Map = most, nil, pick
	}
}

// at returns the exclusive or of the columns of the bits of x.
func (s *columnSearch) at(cols []uint8, x uint64) uint8 {
	var v uint8
	for i, b := range s.bits {
		if x>>b&1 != 0 {
			v ^= cols[i]
		}
	}
	return v
}

// each calls f with columns of the greatest possible rank, once for each kernel of such columns, and returns the number
// of calls.
func (s *columnSearch) each(f func([]uint8)) int64 {
	full := min(s.rows, len(s.bits))
	n := int64(0)
	var from func(i, rank int)
	from = func(i, rank int) {
		if rank+len(s.bits)-i < full {
			return
		}
		if i == len(s.bits) {
			n++
			f(s.cols)
			return
		}
		top := 1 << rank
		if rank < s.rows {
			top++
		}
		for c := range top {
			s.cols[i] = uint8(c)
			next := rank
			if c == 1<<rank {
				next++
			}
			from(i+1, next)
		}
	}
	from(0, 0)
	return n
}

// maxPlaces is the largest number of words, or of elements larger than a word, in a granule of 16 bytes.
const maxPlaces = 4

// conflictsOf returns the extra wavefronts of columns, or any number above most.
func (t *tile) conflictsOf(s *columnSearch, cols []uint8, most int) int {
	sum := 0
	mask := uint64(1)<<t.granule - 1
	for _, p := range t.phases {
		// A place is a bank row of granules and a word inside the granule, one of at most maxPlaces words.
		var units [64][2]uint64
		degree := 0
		var count [64 * maxPlaces]uint8
		n := 0
		for _, x := range p.offs {
			u := [2]uint64{x >> t.granule, x & mask >> max(t.shift, 0)}
			if slices.Contains(units[:n], u) {
				continue
			}
			units[n] = u
			n++
			at := int(s.at(cols, u[0]^p.offs[0]>>t.granule))*maxPlaces + int(u[1])
			count[at]++
			degree = max(degree, int(count[at]))
		}
		if sum += p.weight * (degree - 1); sum > most {
			break
		}
	}
	return sum
}

// paddedCompromise compares the paddings that insert elements after every row of one length.
func (t *tile) paddedCompromise(best *Compromise) {
	p, ok := t.newPads()
	if !ok {
		return
	}
	for _, every := range p.rows(p.extents, p.strides) {
		for add := int64(1); add <= p.period; add++ {
			best.Paddings++
			f := func(x uint64) uint64 { return uint64(padOffset(int64(x), every, add)) }
			costs, _, ok := t.simulate(f)
			if !ok || extra(costs) >= best.Extra {
				continue
			}
			if pad, ok := p.padding([]Pad{{every, add}}); ok {
				best.Extra, best.Choice, best.Map, best.Padding = extra(costs), nil, Map{}, &pad
			}
		}
	}
}

// move returns the padded place of an offset.
func (p *Padding) move(x uint64) uint64 { return uint64(moveBy(p.Pads, int64(x))) }
