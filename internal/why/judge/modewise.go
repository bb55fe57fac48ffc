package judge

import (
	"slices"
	"strings"
)

// This file checks operations with tilers that tile mode by mode. For each mode, the part of the answer for this mode
// must answer the operation on this mode alone. The part is one mode, or a tile and its rest.

// A modewise is an operation with a tiler for each of the first modes of the layout.
type modewise struct {
	op     string
	a      Mode
	tilers []string
}

// newModewise reads two operands: a layout, and a shape or a tile. It reports false for other operands.
func newModewise(op string, args []string) (modewise, bool) {
	if len(args) != 2 || op != "composition" && !AnyDivide(op) && !AnyProduct(op) || op == "blocked_product" || op == "raked_product" {
		return modewise{}, false
	}
	a, ok := ReadShape(args[0])
	if !ok {
		if a, ok = ReadLayout(args[0]); !ok {
			return modewise{}, false
		}
	}
	tilers, ok := TilersOf(args[1])
	return modewise{op: op, a: a, tilers: tilers}, ok && len(tilers) <= len(a.Modes()) && !a.isHuge()
}

// TilersOf splits a tile or a shape into its modes.
func TilersOf(text string) ([]string, bool) {
	t := Strip(text)
	tile := strings.HasPrefix(t, "<") && strings.HasSuffix(t, ">")
	if !tile {
		if _, ok := ReadShape(t); !ok || !strings.HasPrefix(t, "(") {
			return nil, false
		}
	}
	return SplitTop(strings.TrimSuffix(t[1:len(t)-1], ","), ','), true
}

// A piece is a part of an answer. One step of its index adds step to the index in the whole answer.
type piece struct {
	Mode
	step int64
}

// farAway replaces all larger steps. A wrong index from farAway on is not reported.
const farAway = 1 << 40

// pieces returns the modes with their steps. The first mode has the given step.
func pieces(ms []Mode, step int64) []piece {
	var ps []piece
	for _, m := range ms {
		ps = append(ps, piece{m, step})
		step = min(step*m.Leaves().Size(), farAway)
	}
	return ps
}

// An answerMode is the part of an answer for one mode: one piece, or a tile and its rest.
type answerMode []piece

// whole returns the answer for the mode as one layout.
func (m answerMode) whole() Mode {
	if len(m) == 1 {
		return m[0].Mode
	}
	return Mode{Tuple: true, Kids: []Mode{m[0].Mode, m[1].Mode}}
}

// index returns the answer's index for index i in this mode and index 0 in all other modes.
func (m answerMode) index(i int64) int64 {
	if len(m) == 1 {
		return i * m[0].step
	}
	n := m[0].Leaves().Size()
	return i%n*m[0].step + i/n*m[1].step
}

// take splits an answer into one part for each mode with a tiler, and the modes that no tiler splits.
func (w modewise) take(r Mode) (parts []answerMode, others []Mode, ok bool) {
	n := len(w.tilers)
	ps := pieces(r.Modes(), 1)
	form, _, _ := strings.Cut(w.op, "_")
	var tiles, rests []piece
	switch form {
	case "composition", "logical":
		if len(ps) < n {
			return nil, nil, false
		}
		for _, p := range ps[:n] {
			parts = append(parts, answerMode{p})
		}
		return parts, r.Modes()[n:], true
	case "zipped":
		if len(ps) == 2 {
			tiles, rests = pieces(ps[0].Modes(), 1), pieces(ps[1].Modes(), ps[1].step)
		}
	case "tiled":
		if len(ps) > 0 {
			tiles, rests = pieces(ps[0].Modes(), 1), ps[1:]
		}
	case "flat":
		if len(ps) >= n {
			tiles, rests = ps[:n], ps[n:]
		}
	}
	if len(tiles) != n || len(rests) < n {
		return nil, nil, false
	}
	for i := range n {
		parts = append(parts, answerMode{tiles[i], rests[i]})
	}
	for _, p := range rests[n:] {
		others = append(others, p.Mode)
	}
	return parts, others, true
}

// inner returns the operation on mode k alone.
func (w modewise) inner(k int) (op string, args []string) {
	op = w.op
	if form, rest, ok := strings.Cut(op, "_"); ok && form != "logical" {
		op = "zipped_" + rest // by a layout, zipped equals logical
	}
	return op, []string{w.a.Modes()[k].String(), w.tilers[k]}
}

// judge returns the judgement on an answer, with the smallest wrong index among all modes.
func (w modewise) judge(r Mode) Judgement {
	parts, others, ok := w.take(r)
	beyond := slices.Clone(w.a.Modes()[len(w.tilers):])
	if w.op == "composition" {
		beyond = nil // the result has a mode for each tiler and no others
	}
	if !ok || len(others) != len(beyond) {
		why := because("its %d modes do not match %s by a tiler of %d", len(r.Modes()), w.op, len(w.tilers))
		return Judgement{Standing: Wrong, Why: why.text}
	}
	all := Judgement{Standing: Right}
	for k, p := range parts {
		if w.tilers[k] == "_" {
			others, beyond = append(others, p.whole()), append(beyond, w.a.Modes()[k])
			continue
		}
		op, args := w.inner(k)
		j := Answer(op, args, p.whole().String())
		if j.Standing == Unjudged {
			return j
		}
		if j.At != nil {
			at := *j.At
			if at.Index = p.index(at.Index); at.Index >= farAway {
				j.At = nil
			} else {
				j.At = &at
			}
		}
		all = all.and(j, k)
	}
	for k, m := range others {
		if !m.Leaves().Equal(beyond[k].Leaves()) {
			why := because("a mode that is not tiled is %s, should be %s", m.String(), beyond[k].String())
			return Judgement{Standing: Wrong, Why: why.text}
		}
	}
	return all
}

// and combines the judgement on the modes before k with the judgement j on mode k.
func (all Judgement) and(j Judgement, k int) Judgement {
	if j.Why != "" {
		j.Why = because("in mode %d, %s", k, j.Why).text
	}
	if j.Standing == Right {
		all.Looked = max(all.Looked, j.Looked)
	}
	switch {
	case j.Standing <= Right || j.Standing < all.Standing:
		return all
	case j.Standing == Wrong && all.Standing == Wrong && (j.At == nil || all.At != nil && all.At.Index <= j.At.Index):
		return all
	case j.Standing == Padded && all.Standing == Padded:
		j.Why = all.Why + "; " + j.Why
	}
	return j
}

// solvability reports whether all modes have an answer.
func (w modewise) solvability() (Solvability, string) {
	all := Solvable
	for k := range w.tilers {
		if w.tilers[k] == "_" {
			continue
		}
		op, args := w.inner(k)
		switch p, why := SolvabilityOf(op, args); p {
		case Unsolvable:
			return p, because("in mode %d, %s", k, why).text
		case Undecided:
			all = Undecided
		}
	}
	if all == Undecided {
		return all, ""
	}
	return all, "every mode has an answer"
}
