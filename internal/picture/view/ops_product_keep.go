package view

import (
	"fmt"

	"girih"
)

// keep finds the modes that a tiler by mode leaves alone.
func (v *productPicture) keep(t girih.Tiler) error {
	var ts []girih.Tiler
	switch t := t.(type) {
	case girih.Tile:
		ts = t.Modes()
	case girih.Tuple:
		for _, m := range t.Modes() {
			ts = append(ts, m)
		}
	}
	kept := make([]bool, v.a.Rank())
	some := false
	for m := range kept {
		kept[m] = m >= len(ts) || ts[m] == girih.Keep
		if m < len(ts) {
			if sub, ok := ts[m].(girih.Tile); ok && sub.Rank() < v.a.Modes()[m].Rank() || ok && keeps(sub) {
				return &girih.Error{
					Code: girih.CodeType, Op: "draw",
					Msg: fmt.Sprintf("expected _ for whole modes of the block only, found it inside of a mode: %s", t),
				}
			}
		}
		some = some || kept[m]
	}
	if !some {
		return nil
	}
	l, err := girih.LogicalProduct(v.a, t)
	if err != nil {
		return err
	}
	v.kept = kept
	for m, x := range v.a.Modes() {
		lm, err := l.Mode(m)
		if err != nil {
			return err
		}
		v.block, v.times = append(v.block, x.Size()), append(v.times, lm.Size()/x.Size())
	}
	return nil
}

// keeps reports whether _ stands anywhere in a tile.
func keeps(t girih.Tile) bool {
	for _, m := range t.Modes() {
		if sub, ok := m.(girih.Tile); m == girih.Keep || ok && keeps(sub) {
			return true
		}
	}
	return false
}

// splitKept is split where modes are left alone: first the other modes of the block, then the repeats, a mode that is
// left alone in the place of its repeats.
func (v *productPicture) splitKept(i int64) (place, copy int64) {
	placeStep, copyStep := int64(1), int64(1)
	for m, n := range v.block {
		if !v.kept[m] {
			place += i % n * placeStep
			i /= n
		}
		placeStep *= n
	}
	placeStep = 1
	for m, n := range v.block {
		if v.kept[m] {
			place += i % n * placeStep
			i /= n
		} else {
			copy += i % v.times[m] * copyStep
			i /= v.times[m]
		}
		placeStep, copyStep = placeStep*n, copyStep*v.times[m]
	}
	return place, copy
}
