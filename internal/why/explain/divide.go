package explain

import (
	"fmt"
	"strings"

	"girih"
)

const (
	divideRule   = "A / B = A o (B, B*), where B* is the complement of the tile B in the size of A: mode 0 runs within a tile, mode 1 over the tiles."
	divideSource = "CuTe, include/cute/layout.hpp, logical_divide, zipped_divide, tiled_divide, flat_divide"
)

// divideForms says how the results of the divides are arranged.
var divideForms = map[string]string{
	"logical": "((TileM,RestM),(TileN,RestN),L,...)",
	"zipped":  "((TileM,TileN),(RestM,RestN,L,...))",
	"tiled":   "((TileM,TileN),RestM,RestN,L,...)",
	"flat":    "(TileM,TileN,RestM,RestN,L,...)",
}

// formOf returns the arrangement that the name of a divide or a product begins with.
func formOf(name string) string {
	form, _, _ := strings.Cut(name, "_")
	return form
}

func divide(op *Operation, x *Explanation) {
	t, ok := op.tilerArg(1)
	if !ok {
		return
	}
	form := formOf(op.Name)
	x.Rule = divideRule + arranged(op.Name, t, divideForms[form])
	x.Source = divideSource
	a, isLayout := op.layoutArg(0)
	c, isComposed := arg[girih.Composed](op, 0)
	if isComposed {
		a, isLayout = c.Layout(), true
		x.say(fmt.Sprintf("The divide acts on the domain, that is on the layout inside: %v.", a))
	}
	if !isLayout {
		return
	}
	logical, ok := divideModes(x, a, t, "")
	if op.Err != nil {
		failedDivide(op, x, a, t)
		return
	}
	if !ok {
		return
	}
	r, ok := arrange(x, logical, t, form)
	if !ok {
		return
	}
	setFigure(x, "divide", "the tile inside the whole, and the tiles that repeat it")
	if isComposed {
		if res, ok := op.Result.Value.(girih.Composed); ok && res.Layout().Equal(r) {
			x.say("What is outside stays: " + res.String() + ".")
			x.derive(res)
		}
		return
	}
	x.derive(r)
	checkDivide(x, a, t, r)
}

// arranged says how an operation with a tiler by mode arranges its result; nothing where the tiler tiles the whole.
func arranged(name string, t girih.Tiler, form string) string {
	if _, whole := wholeTiler(t); whole && strings.HasPrefix(name, "logical") {
		return ""
	}
	return " With a tile or a shape that is done mode by mode; _ leaves a mode alone. " + name + " arranges the result as " + form + "."
}

// setFigure gives the last step a picture of the whole operation.
func setFigure(x *Explanation, kind, caption string) {
	if n := len(x.Steps); n > 0 && x.Steps[n-1].Figure == nil {
		x.Steps[n-1].Figure = &Figure{Kind: kind, Expr: x.Expr, Caption: caption}
	}
}

// divideModes adds the steps of a logical divide, mode by mode where the tiler says so, and returns what it leads to.
func divideModes(x *Explanation, a girih.Layout, t girih.Tiler, path string) (girih.Layout, bool) {
	if b, ok := wholeTiler(t); ok {
		return divideWhole(x, a, b, path)
	}
	if t == girih.Keep {
		x.say(fmt.Sprintf("%s, %v, stays: _", modeName(path), a))
		return a, true
	}
	ts, ok := tilersOf(t)
	ms := a.Modes()
	if !ok || len(ts) > len(ms) {
		return a, false
	}
	if a.Depth() == 0 && len(ts) == 0 {
		r, err := girih.MakeLayout(a)
		return r, err == nil
	}
	for i := range ms {
		sub := subPath(path, i)
		if i >= len(ts) {
			x.say(fmt.Sprintf("%s, %v, is beyond the tiler and stays.", modeName(sub), ms[i]))
			continue
		}
		if ms[i], ok = divideModes(x, ms[i], ts[i], sub); !ok {
			return a, false
		}
	}
	r, err := girih.MakeLayout(ms...)
	return r, err == nil
}

func subPath(path string, i int) string {
	if path == "" {
		return itoa(int64(i))
	}
	return path + "," + itoa(int64(i))
}

// modeName returns "A" for no path, and "Mode 1,0 of A".
func modeName(path string) string {
	if path == "" {
		return "A"
	}
	return "Mode " + path + " of A"
}

// divideWhole adds the steps of the divide of a as a whole by the tile b.
func divideWhole(x *Explanation, a, b girih.Layout, path string) (girih.Layout, bool) {
	name := modeName(path)
	if b.HasBasis() {
		d, err := girih.LogicalDivide(a, b)
		if err != nil {
			return a, false
		}
		x.say(fmt.Sprintf("%s, %v, by %v, whose coordinates address its modes: %v", name, a, b, d.Layout))
		return d.Layout, true
	}
	c, err := girih.Coalesce(a)
	if err != nil {
		return a, false
	}
	padded, grown := grownFor(a, b, c)
	rest, err := girih.ComplementByMode(b, c.Shape())
	if grown {
		rest, err = girih.Complement(b, girih.Int(padded.Size()))
	}
	if err != nil {
		g, _ := gapsIn(b, "complement")
		x.say(fmt.Sprintf("%s = %v: the tile B = %v has no complement.", name, a, b), g.lines...)
		return a, false
	}
	g, _ := gapsIn(b, "complement")
	if !g.moves {
		g.lines = nil
	}
	of := fmt.Sprintf("the %d elements", c.Size())
	if grown {
		of = fmt.Sprintf("the %d elements of %v padded to %v", padded.Size(), c, padded)
	} else if c.Rank() > 1 {
		of = fmt.Sprintf("the shape %v, coalesced,", c.Shape())
	}
	x.say(fmt.Sprintf("%s = %v by B = %v: a tile covers blocks of %d; the complement of B in %s is B* = %v, %s.", name, a, b, g.block, of, rest, count(rest.Size(), "tile")), g.lines...)
	tiles, err := girih.MakeLayout(b, rest)
	if err != nil {
		return a, false
	}
	d, err := girih.Derive("composition", padded, tiles)
	if err != nil {
		x.say(fmt.Sprintf("(B,B*) = %v, and %v o (B,B*) is no layout:", tiles, a))
		compose(x, a, tiles)
		return a, false
	}
	r := d.Result
	text := fmt.Sprintf("(B,B*) = %v, and %v o (B,B*) = %v:", tiles, a, r)
	if grown {
		text = fmt.Sprintf("Tiles end inside a mode of %v, so it is padded: %v. (B,B*) = %v, and %v o (B,B*) = %v:", c, padded, tiles, padded, r)
	}
	x.say(text, digitLines(d)...)
	return r, true
}

// grownFor returns the coalesced layout c of a with the extents that a divide by b pads it to, and whether it does:
// where a goes on beyond its size as the tiles need it, nothing has to grow.
func grownFor(a, b, c girih.Layout) (girih.Layout, bool) {
	d, err := girih.LogicalDivide(a, b)
	if err != nil || d.Padding.None() {
		return a, false
	}
	if rest, err := girih.ComplementByMode(b, c.Shape()); err == nil {
		tiles, err1 := girih.MakeLayout(b, rest)
		if r, err := girih.Composition(a, tiles); err1 == nil && err == nil && r.Equal(d.Layout) {
			return a, false
		}
	}
	box, err := d.Padding.Coord.Coshape()
	if err != nil || !girih.Congruent(box, c.Shape()) {
		return a, false
	}
	l, err := girih.New(box, c.Stride())
	return l, err == nil
}

// arrange turns the logical form of a divide or a product into another one, and says so.
func arrange(x *Explanation, logical girih.Layout, t girih.Tiler, form string) (girih.Layout, bool) {
	if form == "logical" {
		if _, whole := wholeTiler(t); !whole {
			x.say(fmt.Sprintf("Side by side: %v.", logical))
		}
		return logical, true
	}
	tiles, rests, ok := gathered(logical, t)
	if !ok {
		return logical, false
	}
	r, err := girih.MakeLayout(tiles, rests)
	if err != nil {
		return r, false
	}
	x.say(fmt.Sprintf("The first parts of all modes gathered in mode 0, the second ones in mode 1, with what stays: %v.", r))
	if form == "zipped" {
		return r, true
	}
	ms := r.Modes()
	if len(ms) != 2 {
		return r, false
	}
	var parts []girih.Layout
	if form == "flat" {
		parts = append(parts, ms[0].Modes()...)
	} else {
		parts = append(parts, ms[0])
	}
	if r, err = girih.MakeLayout(append(parts, ms[1].Modes()...)...); err != nil {
		return r, false
	}
	what := "Mode 1 unpacked"
	if form == "flat" {
		what = "Both modes unpacked"
	}
	x.say(fmt.Sprintf("%s: %v.", what, r))
	return r, true
}

// gathered returns the tiles and the rests of what was tiled by t. A mode that stays is a rest.
func gathered(logical girih.Layout, t girih.Tiler) (tiles, rests girih.Layout, ok bool) {
	if t == girih.Keep {
		one, err := girih.New(girih.Int(1), girih.Int(0))
		return one, logical, err == nil
	}
	ms := logical.Modes()
	ts, modewise := tilersOf(t)
	if _, whole := wholeTiler(t); whole || !modewise {
		if len(ms) != 2 {
			return tiles, rests, false
		}
		return ms[0], ms[1], true
	}
	var first, second []girih.Layout
	for i, m := range ms {
		if i >= len(ts) {
			second = append(second, m)
			continue
		}
		a, b, ok := gathered(m, ts[i])
		if !ok {
			return tiles, rests, false
		}
		first, second = append(first, a), append(second, b)
	}
	tiles, err1 := girih.MakeLayout(first...)
	rests, err2 := girih.MakeLayout(second...)
	return tiles, rests, err1 == nil && err2 == nil
}

// checkDivide counts what the tiles reach.
func checkDivide(x *Explanation, a girih.Layout, t girih.Tiler, r girih.Layout) {
	d, err := girih.LogicalDivide(a, t)
	if err != nil {
		return
	}
	if p := d.Padding; !p.None() {
		x.Check = fmt.Sprintf("%d elements of A in %d coordinates, %d of them padding", p.Elements, r.Size(), p.Added)
		return
	}
	if a.HasBasis() || a.Size() > mostChecked || r.Size() != a.Size() {
		x.Check = fmt.Sprintf("A has %d elements, the result %d", a.Size(), r.Size())
		return
	}
	u, err1 := a.AppendOffsets(nil)
	v, err2 := r.AppendOffsets(nil)
	if err1 != nil || err2 != nil {
		return
	}
	u, v = sorted(u), sorted(v)
	for i := range u {
		if u[i] != v[i] {
			return
		}
	}
	x.Check = fmt.Sprintf("the %d offsets of A, each as often, in another order", len(u))
}

// failedDivide explains why a divide has no result, and what has one.
func failedDivide(op *Operation, x *Explanation, a girih.Layout, t girih.Tiler) {
	if op.Err.Code == girih.CodeNotDivisible && strings.HasSuffix(op.Name, "_exact") {
		name := strings.TrimSuffix(op.Name, "_exact")
		if d, err := girih.LogicalDivide(a, t); err == nil {
			x.instead(fmt.Sprintf("padded to %d elements, with the predicate that excludes the %d that are none", d.Size(), d.Padding.Added), fmt.Sprintf("%s(%v, %v)", name, a, t), "")
		}
	}
	b, whole := wholeTiler(t)
	if !whole {
		return
	}
	again := func(near girih.Layout) (string, string, bool) {
		r, err := tileAgain(op.Name, a, near)
		return fmt.Sprintf("%s(%v, %v)", op.Name, a, near), r.String(), err == nil
	}
	if n, ok := b.Shape().Int64(); ok {
		var good []string
		tries := 0
		for m := int64(2); m <= min(a.Size(), 1<<12) && len(good) < 8 && tries < mostTries/2; m++ {
			near, err := girih.New(girih.Int(m), b.Stride())
			if err != nil || m == n || a.Size()%m != 0 {
				continue
			}
			tries++
			if _, err := girih.LogicalDivideExact(a, near); err == nil {
				good = append(good, near.String())
			}
		}
		if len(good) > 0 {
			x.instead("tiles of the same stride that divide A: "+strings.Join(good, ", "), fmt.Sprintf("%s(%v, %s)", op.Name, a, good[len(good)-1]), "")
		}
	}
	switch op.Err.Code {
	case girih.CodeNotComplementable:
		if spread, ok := spreadStrides(b); ok {
			if expr, value, ok := again(spread); ok {
				x.instead("a tile with strides that chain", expr, value)
			}
		}
	case girih.CodeNotRepresentable:
		nearest(x, b, again)
	}
}

// tileAgain applies a divide or a product of the name with another tiler.
func tileAgain(name string, a, b girih.Layout) (girih.Layout, error) {
	var d girih.Division
	var err error
	switch name {
	case "logical_divide":
		d, err = girih.LogicalDivide(a, b)
	case "zipped_divide":
		d, err = girih.ZippedDivide(a, b)
	case "tiled_divide":
		d, err = girih.TiledDivide(a, b)
	case "flat_divide":
		d, err = girih.FlatDivide(a, b)
	case "logical_divide_exact":
		return girih.LogicalDivideExact(a, b)
	case "zipped_divide_exact":
		return girih.ZippedDivideExact(a, b)
	case "tiled_divide_exact":
		return girih.TiledDivideExact(a, b)
	case "flat_divide_exact":
		return girih.FlatDivideExact(a, b)
	case "zipped_product":
		return girih.ZippedProduct(a, b)
	case "tiled_product":
		return girih.TiledProduct(a, b)
	case "flat_product":
		return girih.FlatProduct(a, b)
	case "blocked_product":
		return girih.BlockedProduct(a, b)
	case "raked_product":
		return girih.RakedProduct(a, b)
	default:
		return girih.LogicalProduct(a, b)
	}
	return d.Layout, err
}
