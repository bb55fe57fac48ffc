package probe

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Inactive is the address of a lane that does not take part in the instruction.
const Inactive int64 = -1

// Lanes is the number of lanes of a warp.
const Lanes = 32

// A Case is an instruction with its addresses.
type Case struct {
	Op   Op
	Name string  // the name of the pattern
	Addr []int64 // the address of each lane, or the three numbers of a bulk copy
}

// A list collects cases of an Op without duplicates.
type list struct {
	op    Op
	cases []Case
	seen  map[[Lanes]int64]bool
	limit int64 // every address is below limit
}

// Cases returns the cases of o, the same on every run. Each kind of pattern distinguishes some models of memory:
//
//   - strides, misaligned runs and permutations: how many places there are, and whether their order matters
//   - rows of 64 to 512 bytes, plain and swizzled: the accesses of kernels
//   - groups of lanes that share an address, under every mask that maps lanes to lanes, and the same with one lane, a
//     half or a quarter that breaks the rule: which phases there are, which lanes are in them and when they merge
//   - n lanes in one word, n words in one bank, both: whether lanes, words or addresses count
//   - inactive lanes, by number, by stride and at random: whether phases that are empty cost
//   - random addresses in ranges of 32 units to all, and linear maps of the bits of the lane: unexpected effects
func Cases(o Op) []Case {
	l := &list{op: o, seen: map[[Lanes]int64]bool{}, limit: TileBytes}
	if o.Space == Global {
		l.limit = GlobalBytes
	}
	if o.Bulk() {
		return l.bulk()
	}
	l.strides()
	l.merging()
	l.rows()
	l.groups()
	l.counts()
	l.inactive()
	l.random()
	if o.Space == Global {
		l.sectors()
	}
	return l.cases
}

// add adds the addresses of a function of the lane, unless one does not fit or the list has all of them.
func (l *list) add(name string, f func(lane int) int64) {
	var key [Lanes]int64
	some := false
	for i := range key {
		a := f(i)
		switch {
		case a == Inactive && l.op.Matrices() == 0:
		case a < 0 || a%l.op.Bytes != 0 || a+l.op.Bytes > l.limit:
			return
		default:
			some = true
		}
		key[i] = a
	}
	for i := 8 * l.op.Matrices(); i > 0 && i < Lanes; i++ {
		key[i] = 0 // the addresses of these lanes are not used
	}
	if !some || l.seen[key] {
		return
	}
	l.seen[key] = true
	l.cases = append(l.cases, Case{l.op, name, key[:]})
}

// units adds the addresses of a function in units of the bytes of a lane.
func (l *list) units(name string, f func(lane int) int64) {
	l.add(name, func(lane int) int64 { return f(lane) * l.op.Bytes })
}

func (l *list) strides() {
	for s := range int64(34) {
		l.units(fmt.Sprintf("stride%d", s), func(lane int) int64 { return s * int64(lane) })
	}
	for _, s := range []int64{64, 65, 66, 96, 128, 132, 256, 512, 1024} {
		l.add(fmt.Sprintf("bytes%d", s), func(lane int) int64 { return s * int64(lane) })
	}
	for _, m := range []int{1, 2, 4, 8, 16, 3, 7, 15, 31, 21} {
		l.units(fmt.Sprintf("xor%d", m), func(lane int) int64 { return int64(lane ^ m) })
	}
	l.units("bitrev", func(lane int) int64 { return int64(bits.Reverse8(uint8(lane)) >> 3) })
	l.units("halves", func(lane int) int64 { return int64(lane%16*2 + lane/16) })
	l.units("quarters", func(lane int) int64 { return int64(lane%8*4 + lane/8) })
	for seed := range uint64(6) {
		p := rand.New(rand.NewPCG(seed, 1)).Perm(Lanes)
		l.units(fmt.Sprintf("perm%d", seed), func(lane int) int64 { return int64(p[lane]) })
		l.units(fmt.Sprintf("perm%d_x3", seed), func(lane int) int64 { return 3 * int64(p[lane]) })
	}
}

// merging adds patterns that distinguish how lanes merge.
func (l *list) merging() {
	for _, step := range []int64{1, 2, 5, 8, 512 / l.op.Bytes} {
		for _, mask := range []int{1, 2, 4, 8, 16, 3, 5, 6, 7, 12, 15, 17, 18, 24, 28, 30} {
			l.units(fmt.Sprintf("dup%d_%d", mask, step), func(lane int) int64 { return step * int64(lane&^mask) })
		}
	}
	// Different parts of the warp follow different rules.
	masks := []int{0, 1, 2, 4, 8}
	for _, step := range []int64{1, 4, 16} {
		for _, low := range masks {
			for _, high := range masks {
				if low == high {
					continue
				}
				l.units(fmt.Sprintf("half%d_%d_%d", low, high, step), func(lane int) int64 {
					if lane < 16 {
						return step * int64(lane&^low)
					}
					return step * int64(lane&^high)
				})
			}
		}
	}
	// One lane breaks the rule, or is inactive.
	for _, mask := range []int{1, 2} {
		for _, who := range []int{0, 5, 15, 16, 26, 31} {
			for _, step := range []int64{1, 32} {
				f := func(lane int) int64 { return step * int64(lane&^mask) }
				l.units(fmt.Sprintf("broken%d_%d_%d", mask, who, step), func(lane int) int64 {
					if lane == who {
						return f(lane) + 7
					}
					return f(lane)
				})
				l.add(fmt.Sprintf("absent%d_%d_%d", mask, who, step), func(lane int) int64 {
					if lane == who {
						return Inactive
					}
					return l.op.Bytes * f(lane)
				})
			}
		}
	}
	for _, n := range []int64{2, 4, 8, 16} {
		for _, step := range []int64{1, 8, 32} {
			l.units(fmt.Sprintf("mod%d_%d", n, step), func(lane int) int64 { return step * (int64(lane) % n) })
		}
	}
}

// rows adds accesses to rows of a matrix in shared memory, as they are and with CuTe's swizzles on bytes.
func (l *list) rows() {
	for _, pitch := range []int64{64, 80, 128, 144, 256, 272, 512} {
		for _, lanesOfRow := range []int{1, 2, 4, 8} {
			for _, swizzle := range []int64{0, 1, 3, 7} {
				l.add(fmt.Sprintf("rows%d_%d_sw%d", pitch, lanesOfRow, swizzle), func(lane int) int64 {
					a := pitch*int64(lane/lanesOfRow) + l.op.Bytes*int64(lane%lanesOfRow)
					return a ^ (a>>7&swizzle)<<4
				})
			}
		}
	}
}

// groups adds patterns that show which lanes are served together.
func (l *list) groups() {
	places := max(128/l.op.Bytes, 1)
	for _, size := range []int{2, 4, 8, 16} {
		for _, wide := range []int64{1, places, places + 1, 2 * places} {
			l.units(fmt.Sprintf("block%d_%d", size, wide), func(lane int) int64 {
				return wide*int64(lane/size) + int64(lane%size)
			})
		}
		// Members of a group conflict only with each other.
		l.units(fmt.Sprintf("clash%d", size), func(lane int) int64 {
			return places*int64(lane%size) + int64(lane/size)%places
		})
		// Lanes with the same number in different groups conflict with each other.
		l.units(fmt.Sprintf("across%d", size), func(lane int) int64 {
			return places*int64(lane/size) + int64(lane%size)%places
		})
	}
	// Two arbitrary lanes conflict with each other.
	for _, first := range []int{0, 5} {
		for d := 1; first+d < Lanes; d += 2 {
			l.units(fmt.Sprintf("two%d_%d", first, first+d), func(lane int) int64 {
				if lane == first+d {
					return int64(first) + places*((Lanes+places-1)/places)
				}
				return int64(lane)
			})
		}
	}
}

// counts adds patterns with n lanes in one word, in one bank, and both at once.
func (l *list) counts() {
	places := max(128/l.op.Bytes, 1)
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 31, 32} {
		l.units(fmt.Sprintf("same%d", n), func(lane int) int64 {
			if lane < n {
				return 0
			}
			return int64(lane)
		})
		l.units(fmt.Sprintf("bank%d", n), func(lane int) int64 {
			if lane < n {
				return places * int64(lane)
			}
			return int64(lane)
		})
		l.units(fmt.Sprintf("same%d_twice", n), func(lane int) int64 { // two words of one bank
			if lane < n {
				return 0
			}
			return places
		})
		l.units(fmt.Sprintf("same%d_apart", n), func(lane int) int64 { // two words of two banks
			if lane < n {
				return 0
			}
			return max(4/l.op.Bytes, 1)
		})
		l.units(fmt.Sprintf("same%d_bank", n), func(lane int) int64 { // one word for n lanes, a bank for the others
			if lane < n {
				return 0
			}
			return places * int64(lane)
		})
	}
}

func (l *list) inactive() {
	places := max(128/l.op.Bytes, 1)
	for _, step := range []int64{0, 1, 2, 33, places} {
		f := func(lane int) int64 { return step * l.op.Bytes * int64(lane) }
		when := func(name string, active func(lane int) bool) {
			l.add(fmt.Sprintf("%s_%d", name, step), func(lane int) int64 {
				if !active(lane) {
					return Inactive
				}
				return f(lane)
			})
		}
		for _, n := range []int{1, 2, 4, 7, 8, 9, 16, 17, 24, 31} {
			when(fmt.Sprintf("first%d", n), func(lane int) bool { return lane < n })
		}
		for _, n := range []int{1, 8, 16} {
			when(fmt.Sprintf("last%d", n), func(lane int) bool { return lane >= Lanes-n })
		}
		for _, n := range []int{2, 4, 8, 16} {
			when(fmt.Sprintf("every%d", n), func(lane int) bool { return lane%n == 0 })
			when(fmt.Sprintf("bit%d", n), func(lane int) bool { return lane&n != 0 })
		}
		for seed := range uint64(3) {
			mask := rand.New(rand.NewPCG(seed, 2)).Uint32()
			when(fmt.Sprintf("mask%d", seed), func(lane int) bool { return mask>>lane&1 != 0 })
		}
	}
}

func (l *list) random() {
	most := l.limit / l.op.Bytes
	for _, n := range []int64{8, 16, 32, 64, 128, 256, 1024, 4096, most} {
		if n > most {
			continue
		}
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			var at [Lanes]int64
			for i := range at {
				at[i] = r.Int64N(n)
			}
			l.units(fmt.Sprintf("rand%d_%d", n, seed), func(lane int) int64 { return at[lane] })
			if seed%2 == 0 {
				mask := r.Uint32()
				l.add(fmt.Sprintf("rand%d_%d_mask", n, seed), func(lane int) int64 {
					if mask>>lane&1 == 0 {
						return Inactive
					}
					return at[lane] * l.op.Bytes
				})
			}
			if seed < 4 {
				for _, mask := range []int{1, 2, 8, 16} {
					l.units(fmt.Sprintf("rand%d_%d_dup%d", n, seed, mask), func(lane int) int64 { return at[lane&^mask] })
				}
			}
		}
	}
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 3))
		var column [5]int64
		for i := range column {
			column[i] = r.Int64N(min(most, 1024))
		}
		l.units(fmt.Sprintf("linear%d", seed), func(lane int) int64 {
			a := int64(0)
			for i, c := range column {
				a ^= c * int64(lane>>i&1)
			}
			return a
		})
	}
}

// sectors adds patterns that distinguish sectors, lines and requests to global memory.
func (l *list) sectors() {
	b := l.op.Bytes
	for off := int64(1); off < 8; off++ {
		l.units(fmt.Sprintf("from%d", off), func(lane int) int64 { return off + int64(lane) })
	}
	for _, off := range []int64{16, 32, 48, 64, 96, 112} {
		l.add(fmt.Sprintf("frombyte%d", off), func(lane int) int64 { return off + b*int64(lane) })
	}
	for _, s := range []int64{16, 32, 48, 160, 288, 384, 1056, 2048, 4096, 8192, 16384} {
		l.add(fmt.Sprintf("bytes%d", s), func(lane int) int64 { return s * int64(lane) })
	}
	// n lanes in one sector, n sectors in a line, n lines.
	for _, n := range []int64{1, 2, 4, 8, 16} {
		for _, apart := range []int64{32, 64, 128, 256} {
			l.add(fmt.Sprintf("sector%d_%d", n, apart), func(lane int) int64 {
				return apart*(int64(lane)/n) + b*(int64(lane)%n)%32
			})
			l.add(fmt.Sprintf("sector%d_%d_across", n, apart), func(lane int) int64 { // lanes of a sector are far apart
				return apart*(int64(lane)%(Lanes/n)) + b*(int64(lane)/(Lanes/n))%32
			})
		}
	}
}

// bulk returns copies of many sizes and alignments: of one side, of the other, of both alike, and random. The first
// copies nothing.
func (l *list) bulk() []Case {
	add := func(name string, first, bytes, second int64) {
		l.cases = append(l.cases, Case{l.op, name, []int64{first, bytes, second}})
	}
	add("nothing", 0, 0, 0)
	for _, bytes := range []int64{16, 32, 48, 64, 96, 112, 128, 144, 192, 240, 256, 384, 512, 1024, 2048, 4096, 16384} {
		for _, at := range []int64{0, 16, 32, 64, 96, 112, 1040} {
			add(fmt.Sprintf("bytes%d_shared%d", bytes, at), at, bytes, 0)
			if at != 0 && at < 112 {
				add(fmt.Sprintf("bytes%d_global%d", bytes, at), 0, bytes, at)
				add(fmt.Sprintf("bytes%d_both%d", bytes, at), at, bytes, at)
			}
		}
	}
	for _, most := range []int64{8, 16, 64, 512} {
		for seed := range uint64(24) {
			r := rand.New(rand.NewPCG(seed, uint64(most)))
			add(fmt.Sprintf("rand%d_%d", most, seed), 16*r.Int64N(64), 16*(1+r.Int64N(most)), 16*r.Int64N(64))
		}
	}
	return l.cases
}
