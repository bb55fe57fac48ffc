package deflate

// A match is a copy of earlier bytes. A match may also be used for any shorter length down to minMatch.
type match struct{ length, distance int32 }

// A finder finds for each place of data the nearest match of each length. The places whose next four bytes have the
// same hash form a binary search tree, ordered by the bytes at each place; later places are above earlier ones.
// Entering a place splits the tree into smaller and larger places. On the way down, a place that shares more bytes
// than all places passed before is the nearest match of that length (I. Pavlov, the match finder of 7-Zip).
type finder struct {
	data     []byte
	head     []int32 // by hash: the root of its tree, or -1
	short    []int32 // by hash of three bytes: the last position with this hash, or -1
	children [2 * window]int32
	found    []match
	first    []int32
}

const (
	hashBits = 16
	deepest  = 50  // the depth limit of a search
	enough   = 100 // bytes: a match of this length ends the search
)

// newFinder returns a finder that knows everything that data[from:] can copy.
func newFinder(data []byte, from int) *finder {
	f := &finder{data: data, head: make([]int32, 1<<hashBits), short: make([]int32, 1<<hashBits)}
	for i := range f.head {
		f.head[i], f.short[i] = -1, -1
	}
	for i := max(0, from-window); i < from; i++ {
		f.enter(i)
	}
	return f
}

// A matchList contains the matches of each place, with increasing length and distance.
type matchList struct {
	all   []match
	first []int32 // the matches of place i are all[first[i]:first[i+1]]
}

func (m matchList) at(i int) []match { return m.all[m.first[i]:m.first[i+1]] }

// between returns the matches of the places [i, j), from place 0.
func (m matchList) between(i, j int) matchList { return matchList{m.all, m.first[i : j+1]} }

// matches returns the matches that start in data[from:to] and may end later. It is called once.
func (f *finder) matches(from, to int) matchList {
	for i := from; i < to; i++ {
		f.first = append(f.first, int32(len(f.found)))
		f.enter(i)
	}
	f.first = append(f.first, int32(len(f.found)))
	return matchList{f.found, f.first}
}

func hash(x uint32) uint32 { return x * 0x9E3779B1 >> (32 - hashBits) }

// enter adds the matches of place i, and makes the place available to later matches.
func (f *finder) enter(i int) {
	most := min(len(f.data)-i, maxMatch)
	if most < 4 {
		return
	}
	d := f.data[i : i+most]
	three := uint32(d[0]) | uint32(d[1])<<8 | uint32(d[2])<<16
	best := minMatch - 1
	h := hash(three)
	if j := int(f.short[h]); j >= 0 && i-j < window && f.common(i, j, 0, minMatch) == minMatch {
		best = minMatch
		f.found = append(f.found, match{minMatch, int32(i - j)})
	}
	f.short[h] = int32(i)
	h = hash(three | uint32(d[3])<<24)
	next := f.head[h]
	f.head[h] = int32(i)
	smaller, larger := &f.children[i%window*2], &f.children[i%window*2+1]
	inSmaller, inLarger := 0, 0 // the numbers of bytes that i shares with the last positions on each side
	for range deepest {
		j := int(next)
		if j < 0 || i-j >= window {
			break
		}
		n := f.common(i, j, min(inSmaller, inLarger), most)
		if n > best {
			best = n
			f.found = append(f.found, match{int32(n), int32(i - j)})
		}
		below := f.children[j%window*2:][:2]
		if n >= enough || n == most { // i replaces j in the tree
			*smaller, *larger = below[0], below[1]
			return
		}
		if f.data[j+n] < d[n] {
			*smaller, smaller, inSmaller = next, &below[1], n
			next = below[1]
		} else {
			*larger, larger, inLarger = next, &below[0], n
			next = below[0]
		}
	}
	*smaller, *larger = -1, -1
}

// common returns the number of equal bytes at i and j, up to most. The first known bytes are already known to
// be equal.
func (f *finder) common(i, j, known, most int) int {
	a, b := f.data[i:i+most], f.data[j:j+most]
	for known < most && a[known] == b[known] {
		known++
	}
	return known
}
