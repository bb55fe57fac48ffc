package explain

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file explains divides: A is composed with (B,B*), where B is the tile and B* is the complement of B in A's size.
// The forms of the divides differ only in how they arrange the modes of the result.

const (
	divideRule   = "A / B = A o (B, B*), where B* is the complement of the tile B in the size of A: mode 0 runs within a tile, mode 1 over the tiles."
	divideSource = "CuTe, include/cute/layout.hpp, logical_divide, zipped_divide, tiled_divide, flat_divide"
)

// divideForms describes how each divide arranges its result.
var divideForms = map[string]string{
	"logical": "((TileM,RestM),(TileN,RestN),L,...)",
	"zipped":  "((TileM,TileN),(RestM,RestN,L,...))",
	"tiled":   "((TileM,TileN),RestM,RestN,L,...)",
	"flat":    "(TileM,TileN,RestM,RestN,L,...)",
}

// formOf returns the arrangement of a divide or product, which is the prefix of its name: zipped in zipped_divide.
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
	x.Rule = divideRule + arrangement(op.Name, t, divideForms[form])
	x.Source = divideSource
	a, isLayout := op.layoutArg(0)
	c, isComposed := arg[cute.Composed](op, 0)
	if isComposed {
		a, isLayout = c.Layout(), true
		x.sayf("The divide acts on the domain, that is on the layout inside: %v.", a)
	}
	if !isLayout {
		return
	}
	d, err := op.Until.Derive(op.Name, a, t)
	sayDivide(x, d, err)
	if op.Err != nil {
		failedDivide(op, x, a, t)
		return
	}
	if err != nil {
		return
	}
	sayForms(x, d)
	setFigure(x, "divide", "the tile inside the whole, and the tiles that repeat it")
	if isComposed {
		x.say("The outer functions do not change: " + op.Result.Text + ".")
		return
	}
	if r, ok := op.layoutResult(); ok {
		checkDivide(x, a, t, r)
	}
}

// arrangement describes how an operation with a tiler by mode arranges its result. It returns "" for a logical form
// whose tiler tiles the whole layout.
func arrangement(name string, t cute.Tiler, form string) string {
	if _, whole := wholeTiler(t); whole && strings.HasPrefix(name, "logical") {
		return ""
	}
	return " With a tile or a shape that is done mode by mode; _ leaves a mode alone. " +
		name + " arranges the result as " + form + "."
}

// setFigure attaches a picture of the whole operation to the last step.
func setFigure(x *Explanation, kind, caption string) {
	if n := len(x.Steps); n > 0 && x.Steps[n-1].Figure == nil {
		x.Steps[n-1].Figure = &Figure{Kind: kind, Expr: x.Expr, Caption: caption}
	}
}

// sayDivide adds the steps of a divide, mode by mode if the tiler is by mode.
func sayDivide(x *Explanation, d *cute.Derivation, err error) {
	switch b := d.B.(type) {
	case nil:
		x.sayf("%s, %v, is beyond the tiler and stays.", modeName(pathText(d.At)), d.A)
	case cute.Layout:
		sayDivideWhole(x, d, b, err)
	default:
		if b == cute.Keep {
			x.sayf("%s, %v, stays: _", modeName(pathText(d.At)), d.A)
			return
		}
		sayParts(x, d, err, sayDivide)
	}
}

// sayParts applies say to the derivation of each mode. The error belongs to the last mode.
func sayParts(x *Explanation, d *cute.Derivation, err error, say func(*Explanation, *cute.Derivation, error)) {
	parts := partsOf(d)
	for i, p := range parts {
		if i == len(parts)-1 {
			say(x, p, err)
			return
		}
		say(x, p, nil)
	}
}

// modeName returns "A" for an empty path, and "Mode 1,0 of A" for the path 1,0.
func modeName(path string) string {
	if path == "" {
		return "A"
	}
	return "Mode " + path + " of A"
}

// sayDivideWhole adds the steps that divide a whole layout by the tile b.
func sayDivideWhole(x *Explanation, d *cute.Derivation, b cute.Layout, err error) {
	name := modeName(pathText(d.At))
	first, rest, placed := divideParts(d)
	if b.HasBasis() {
		if placed != nil && placed.OK {
			x.sayf("%s, %v, by %v, whose coordinates address its modes: %v", name, d.A, b, placed.Result)
		}
		return
	}
	if first == nil {
		return
	}
	g := gapsOf(first)
	if !rest.OK {
		if g.bad != "" {
			x.sayf("%s = %v: the tile B = %v has no complement.", name, d.A, b).show(g.lines...)
		}
		return
	}
	if !g.moves {
		g.lines = nil
	}
	c := cute.Coalesce(d.A)
	of := fmt.Sprintf("the %d elements", c.Size())
	pads := stepsOf[cute.Pad](d)
	if len(pads) > 0 {
		of = fmt.Sprintf("the %d elements of %v padded to %v", pads[0].To.Size(), pads[0].From, pads[0].To)
	} else if c.Rank() > 1 {
		of = fmt.Sprintf("the shape %v, coalesced,", c.Shape())
	}
	x.sayf("%s = %v by B = %v: a tile covers blocks of %d; the complement of B in %s is B* = %v, %s.",
		name, d.A, b, g.block, of, rest.Result, Count(rest.Result.Size(), "tile")).show(g.lines...)
	sayPlaced(x, d, placed, err)
}

// divideParts returns the parts of a divide's derivation: the first and the last complement, which both contain the
// gaps of B, and the composition. A missing part is nil.
func divideParts(d *cute.Derivation) (first, rest, placed *cute.Derivation) {
	for _, p := range partsOf(d) {
		switch {
		case p.Op == "composition":
			placed = p
		case first == nil:
			first, rest = p, p
		default:
			rest = p
		}
	}
	return first, rest, placed
}

// sayPlaced adds the composition of A with (B,B*), the last step of a divide.
func sayPlaced(x *Explanation, d, placed *cute.Derivation, err error) {
	pads := stepsOf[cute.Pad](d)
	switch miss := stepsOf[cute.Miss](d); {
	case placed == nil && len(miss) > 0:
		x.sayf("(B,B*) has %d of the %d elements of A.", miss[0].Covered, miss[0].Elements)
	case placed == nil:
	case !placed.OK:
		x.sayf("(B,B*) = %v, and %v o (B,B*) is no layout:", placed.B, d.A)
		compositionSteps(x, placed, err)
	case len(pads) > 0:
		x.sayf("Tiles end inside a mode of %v, so it is padded: %v. (B,B*) = %v, and %v o (B,B*) = %v:",
			pads[0].From, pads[0].To, placed.B, pads[0].To, placed.Result).show(digitLines(placed)...)
	default:
		x.sayf("(B,B*) = %v, and %v o (B,B*) = %v:", placed.B, d.A, placed.Result).show(digitLines(placed)...)
	}
}

// sayForms describes how the result of a divide or a product is arranged.
func sayForms(x *Explanation, d *cute.Derivation) {
	_, whole := d.B.(cute.Layout)
	for _, f := range stepsOf[cute.Arrange](d) {
		switch f.Form {
		case "logical":
			if !whole {
				x.sayf("Side by side: %v.", f.Result)
			}
		case "zipped":
			x.sayf("The first parts of all modes gathered in mode 0, the second ones in mode 1, with what stays: %v.", f.Result)
		case "tiled":
			x.sayf("Mode 1 unpacked: %v.", f.Result)
		case "flat":
			x.sayf("Both modes unpacked: %v.", f.Result)
		}
	}
}

// checkDivide counts the offsets that the tiles reach.
func checkDivide(x *Explanation, a cute.Layout, t cute.Tiler, r cute.Layout) {
	d, err := cute.LogicalDivide(a, t)
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
	u, v = sortedCopy(u), sortedCopy(v)
	x.Check = fmt.Sprintf("the %d offsets of A, each as often, in another order", len(u))
	for i := range u {
		if u[i] != v[i] {
			x.refute("that the result has the offsets of A, each as often,", "offset %d", min(u[i], v[i]))
			return
		}
	}
}

// failedDivide explains why a divide has no result, and offers divides that have one.
func failedDivide(op *Operation, x *Explanation, a cute.Layout, t cute.Tiler) {
	if op.Err.Code == cute.CodeNotDivisible && strings.HasSuffix(op.Name, "_exact") {
		name := strings.TrimSuffix(op.Name, "_exact")
		if d, err := cute.LogicalDivide(a, t); err == nil {
			x.instead(fmt.Sprintf("padded to %d elements, with the predicate that excludes the %d added ones",
				d.Size(), d.Padding.Added), fmt.Sprintf("%s(%v, %v)", name, a, t), "")
		}
	}
	b, whole := wholeTiler(t)
	if !whole {
		return
	}
	again := func(near cute.Layout) (string, string, bool) {
		r, err := tileAgain(op.Name, a, near)
		return fmt.Sprintf("%s(%v, %v)", op.Name, a, near), r.String(), err == nil
	}
	if good := dividingTiles(a, b); len(good) > 0 {
		x.instead("tiles of the same stride that divide A: "+strings.Join(good, ", "),
			fmt.Sprintf("%s(%v, %s)", op.Name, a, good[len(good)-1]), "")
	}
	switch op.Err.Code {
	case cute.CodeNotComplementable:
		if spread, ok := SpreadStrides(b); ok {
			if expr, value, ok := again(spread); ok {
				x.instead("a tile with strides that chain", expr, value)
			}
		}
	case cute.CodeNotRepresentable:
		nearest(x, b, again)
	}
}

// dividingTiles returns up to 8 tiles that divide a, with the stride of b and another extent, if b is a single mode.
func dividingTiles(a, b cute.Layout) (good []string) {
	n, ok := b.Shape().Int64()
	if !ok {
		return nil
	}
	tries := 0
	for m := int64(2); m <= min(a.Size(), 1<<12) && len(good) < 8 && tries < mostTries/2; m++ {
		near, err := cute.New(cute.Int(m), b.Stride())
		if err != nil || m == n || a.Size()%m != 0 {
			continue
		}
		tries++
		if _, err := cute.LogicalDivideExact(a, near); err == nil {
			good = append(good, near.String())
		}
	}
	return good
}

// tileAgain applies the named divide or product with another tiler.
func tileAgain(name string, a, b cute.Layout) (cute.Layout, error) {
	var d cute.Division
	var err error
	switch name {
	case "logical_divide":
		d, err = cute.LogicalDivide(a, b)
	case "zipped_divide":
		d, err = cute.ZippedDivide(a, b)
	case "tiled_divide":
		d, err = cute.TiledDivide(a, b)
	case "flat_divide":
		d, err = cute.FlatDivide(a, b)
	case "logical_divide_exact":
		return cute.LogicalDivideExact(a, b)
	case "zipped_divide_exact":
		return cute.ZippedDivideExact(a, b)
	case "tiled_divide_exact":
		return cute.TiledDivideExact(a, b)
	case "flat_divide_exact":
		return cute.FlatDivideExact(a, b)
	case "zipped_product":
		return cute.ZippedProduct(a, b)
	case "tiled_product":
		return cute.TiledProduct(a, b)
	case "flat_product":
		return cute.FlatProduct(a, b)
	case "blocked_product":
		return cute.BlockedProduct(a, b)
	case "raked_product":
		return cute.RakedProduct(a, b)
	default:
		return cute.LogicalProduct(a, b)
	}
	return d.Layout, err
}
