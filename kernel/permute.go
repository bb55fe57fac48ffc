package kernel

import (
	"maps"
	"slices"
	"sort"

	"girih/ptx"
)

// This file moves 8-bit and 16-bit elements between fragments: it transposes blocks in registers.

// A byteOf is a byte of a register.
type byteOf struct {
	word ptx.Name
	at   int64
}

// A pairOf is two registers whose bytes are combined.
type pairOf [2]ptx.Name

// permute moves the 8-bit or 16-bit elements of one fragment to another one by bytes. A word of four bytes takes one to
// three prmt instructions. Two words built from halves of the same two registers share those halves, so a transpose of
// 4x4 bytes takes 8 instructions. It emits nothing and returns false unless the elements fill whole words of the second
// fragment.
func (k *K) permute(src, dst side) bool {
	need, ok := bytesOf(src, dst)
	if !ok {
		return false
	}
	k.refuseUnfinished(src.root)
	k.refuseUnfinished(dst.root)
	order := slices.Sorted(maps.Keys(need))
	p := permuter{k: k, halves: map[[2]byteOf]byteOf{}}
	for _, w := range order {
		p.plan(need[w])
	}
	p.join()
	for _, w := range order {
		k.emit("mov.b32", dst.root.words[w], p.word(need[w]))
	}
	return true
}

// bytesOf returns the bytes of each word of dst, or false if elements do not fill whole words.
func bytesOf(src, dst side) (need map[int64]*[4]byteOf, ok bool) {
	bits := src.root.bits()
	if src.root.space != Registers || dst.root.space != Registers || bits < 8 || bits >= 32 || src.root == dst.root {
		return nil, false
	}
	size := int64(bits / 8)
	need = map[int64]*[4]byteOf{}
	filled := 0
	for i := range src.elements {
		from, ok := src.elements[i].number()
		to, known := dst.elements[i].number()
		if !ok || !known || !src.elements[i].cond.always() || !dst.elements[i].cond.always() {
			return nil, false
		}
		for b := range size {
			x, y := from*size+b, to*size+b
			if need[y/4] == nil {
				need[y/4] = new([4]byteOf)
			}
			at := &need[y/4][y%4]
			if at.word != "" {
				return nil, false // two elements at one place
			}
			*at = byteOf{src.root.words[x/4], x % 4}
			filled++
		}
	}
	return need, filled == 4*len(need)
}

// A permuter builds words from the bytes of registers.
type permuter struct {
	k      *K
	pairs  []pairOf               // register pairs whose halves are needed, in the order of their first use
	wanted map[pairOf][][2]byteOf // the halves of each pair, without duplicates
	halves map[[2]byteOf]byteOf   // the register of each half, and its byte 0 or 2 there
}

// plan records the halves from which a word is built if its bytes come from more than two registers.
func (p *permuter) plan(b *[4]byteOf) {
	if len(sources(b[:])) <= 2 {
		return
	}
	for _, h := range [][2]byteOf{{b[0], b[1]}, {b[2], b[3]}} {
		if h[0].word == h[1].word {
			continue
		}
		pair := pairOf{min(h[0].word, h[1].word), max(h[0].word, h[1].word)}
		if p.wanted == nil {
			p.wanted = map[pairOf][][2]byteOf{}
		}
		if _, ok := p.wanted[pair]; !ok {
			p.pairs = append(p.pairs, pair)
		}
		if !slices.Contains(p.wanted[pair], h) {
			p.wanted[pair] = append(p.wanted[pair], h)
		}
	}
}

// join emits the halves, two per register.
func (p *permuter) join() {
	for _, pair := range p.pairs {
		hs := p.wanted[pair]
		for i := 0; i < len(hs); i += 2 {
			b := [4]byteOf{hs[i][0], hs[i][1], hs[i][0], hs[i][1]}
			if i+1 < len(hs) {
				b[2], b[3] = hs[i+1][0], hs[i+1][1]
				p.halves[hs[i+1]] = byteOf{at: 2}
			}
			r := p.prmt(b[:])
			p.halves[hs[i]] = byteOf{r, 0}
			if i+1 < len(hs) {
				p.halves[hs[i+1]] = byteOf{r, 2}
			}
		}
	}
}

// word returns a register with four bytes.
func (p *permuter) word(b *[4]byteOf) ptx.Name {
	out := *b
	if len(sources(b[:])) > 2 {
		for i := 0; i < 4; i += 2 {
			if r, ok := p.halves[[2]byteOf{b[i], b[i+1]}]; ok {
				out[i], out[i+1] = r, byteOf{r.word, r.at + 1}
			}
		}
	}
	return p.prmt(out[:])
}

// prmt returns a register with four bytes from at most two registers.
func (p *permuter) prmt(b []byteOf) ptx.Name {
	from := sources(b)
	selector := int64(0)
	for i, x := range b {
		selector |= (x.at + 4*int64(slices.Index(from, x.word))) << (4 * i)
	}
	if selector == 0x3210 {
		return from[0]
	}
	return p.k.let(ptx.B32, "prmt.b32", from[0], from[len(from)-1], ptx.Int(selector))
}

// sources returns the registers of bytes, without duplicates.
func sources(b []byteOf) []ptx.Name {
	var out []ptx.Name
	for _, x := range b {
		if !slices.Contains(out, x.word) {
			out = append(out, x.word)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return len(a) < len(b) || len(a) == len(b) && a < b
	})
	return out
}
