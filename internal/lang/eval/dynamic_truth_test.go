package eval_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/lang/eval"
)

// This file compares answers about run-time integers with the algebra of known integers: an expression with symbols is
// evaluated, and then again with numbers in place of the symbols, mostly at the edges of the facts.

// A drawnSymbol is a run-time integer of an expression.
type drawnSymbol struct {
	name         string
	div          int64
	lo, hi       int64 // the range of its values
	hasLo, hasHi bool
}

func (s drawnSymbol) String() string {
	var facts []string
	if s.div > 1 {
		facts = append(facts, "div="+strconv.FormatInt(s.div, 10))
	}
	if s.hasLo {
		facts = append(facts, ">="+strconv.FormatInt(s.lo, 10))
	}
	if s.hasHi {
		facts = append(facts, "<="+strconv.FormatInt(s.hi, 10))
	}
	if len(facts) == 0 {
		return s.name
	}
	return s.name + "{" + strings.Join(facts, ",") + "}"
}

// value draws a value that the facts admit: an edge of the range, a small number, or a number in the expression.
func (s drawnSymbol) value(t *rapid.T, least int64, near []int64) int64 {
	lo := max(least, s.lo)
	if !s.hasLo {
		lo = least
	}
	first := lo + ((s.div-lo%s.div)%s.div+s.div)%s.div
	hi := first + 12*s.div
	if s.hasHi {
		hi = s.hi
	}
	last := hi - ((hi%s.div)+s.div)%s.div
	switch rapid.IntRange(0, 5).Draw(t, s.name+" where") {
	case 0:
		return first
	case 1:
		return last
	case 2, 3:
		x := rapid.SampledFrom(near).Draw(t, s.name+" near")
		if x >= first && x <= hi && x%s.div == 0 {
			return x
		}
	}
	return first + s.div*rapid.Int64Range(0, (last-first)/s.div).Draw(t, s.name)
}

// A claim is an expression with %s in the places of its symbols. The first symbols are extents.
type claim struct {
	symbols []drawnSymbol
	extent  []bool // whether the symbol is an extent somewhere
	text    []string
	near    []int64
}

// known returns the text with numbers in the places of the symbols.
func (c *claim) known(at []int64) string {
	return c.with(func(i int) string { return strconv.FormatInt(at[i], 10) })
}

func (c *claim) String() string { return c.with(func(i int) string { return c.symbols[i].String() }) }

func (c *claim) with(f func(i int) string) string {
	var b strings.Builder
	for _, part := range c.text {
		if i, ok := strings.CutPrefix(part, "$"); ok {
			n, _ := strconv.Atoi(i)
			b.WriteString(f(n))
			continue
		}
		b.WriteString(part)
	}
	return b.String()
}

func (c *claim) say(parts ...string) { c.text = append(c.text, parts...) }

// symbol draws one of few symbols, so that they meet again.
func (c *claim) symbol(t *rapid.T, extent bool) string {
	name := rapid.SampledFrom([]string{"K", "M", "N"}).Draw(t, "symbol")
	i := slices.IndexFunc(c.symbols, func(s drawnSymbol) bool { return s.name == name })
	if i < 0 {
		s := drawnSymbol{name: name, div: rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 4, 8}).Draw(t, name+" div")}
		if rapid.IntRange(0, 3).Draw(t, name+" bounded below") == 0 {
			s.lo, s.hasLo = rapid.Int64Range(1, 5).Draw(t, name+" least"), true
		}
		if rapid.IntRange(0, 3).Draw(t, name+" bounded above") == 0 {
			s.hi, s.hasHi = max(s.lo, 1)+s.div+rapid.Int64Range(0, 12).Draw(t, name+" most"), true
		}
		i = len(c.symbols)
		c.symbols, c.extent = append(c.symbols, s), append(c.extent, false)
	}
	c.extent[i] = c.extent[i] || extent
	return "$" + strconv.Itoa(i)
}

// number draws an integer or a symbol; one in three is a symbol.
func (c *claim) number(t *rapid.T, extent bool, of ...int64) string {
	if rapid.IntRange(0, 2).Draw(t, "symbolic") == 0 {
		return c.symbol(t, extent)
	}
	x := rapid.SampledFrom(of).Draw(t, "number")
	c.near = append(c.near, x)
	return strconv.FormatInt(x, 10)
}

// shape writes a flat shape and returns its extents.
func (c *claim) shape(t *rapid.T, n int) []string {
	var out []string
	for range n {
		out = append(out, c.number(t, true, 1, 2, 2, 3, 4, 4, 6, 8))
	}
	return out
}

func (c *claim) tuple(parts []string, sep string) {
	if len(parts) == 1 {
		c.say(parts[0])
		return
	}
	c.say("(")
	for i, p := range parts {
		if i > 0 {
			c.say(sep)
		}
		c.product(p)
	}
	c.say(")")
}

// layout writes a layout: compact in some order, perhaps with a gap, or with strides of any kind.
func (c *claim) layout(t *rapid.T, most int) {
	n := rapid.IntRange(1, most).Draw(t, "modes")
	s := c.shape(t, n)
	d := make([]string, n)
	if rapid.IntRange(0, 2).Draw(t, "compact") == 0 {
		step := "1"
		for _, i := range rapid.Permutation(places(n)).Draw(t, "order") {
			d[i] = step
			step += "*" + s[i]
			if rapid.IntRange(0, 5).Draw(t, "gap") == 0 {
				step += "*2"
			}
		}
	} else {
		for i := range d {
			d[i] = c.number(t, false, 0, 1, 1, 1, 2, 3, 4, 5, 6, 8, 12, -1)
		}
	}
	if n == 3 && rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
		c.say("(")
		c.tuple(s[:2], ",")
		c.say(",", s[2], "):(")
		c.tuple(d[:2], ",")
		c.say(",")
		c.product(d[2])
		c.say(")")
		return
	}
	c.tuple(s, ",")
	c.say(":")
	c.tuple(d, ",")
}

// product writes a product of numbers and symbols.
func (c *claim) product(p string) {
	for j, q := range strings.Split(p, "*") {
		if j > 0 {
			c.say("*")
		}
		c.say(q)
	}
}

func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// tiler writes a layout, or a tile of shapes.
func (c *claim) tiler(t *rapid.T) {
	if rapid.Bool().Draw(t, "layout as tiler") {
		c.layout(t, 2)
		return
	}
	c.say("<")
	for i := range rapid.IntRange(1, 2).Draw(t, "tiles") {
		if i > 0 {
			c.say(",")
		}
		c.say(c.number(t, true, 2, 3, 4, 8), ":", rapid.SampledFrom([]string{"1", "1", "1", "2"}).Draw(t, "step"))
	}
	c.say(">")
}

// operations are the functions for which claims are drawn, by the kinds of their operands.
var operations = []struct {
	name string
	args func(c *claim, t *rapid.T)
}{
	{"coalesce", one},
	{"right_inverse", one},
	{"left_inverse", one},
	{"inverse", one},
	{"is_injective", one},
	{"is_bijective", one},
	{"is_surjective", one},
	{"is_compact", one},
	{"nullspace", one},
	{"filter", one},
	{"filter_zeros", one},
	{"size", one},
	{"cosize", one},
	{"coshape", one},
	{"downcast<2>", one},
	{"downcast<4>", one},
	{"upcast<2>", one},
	{"upcast<4>", one},
	{"make_layout_like", one},
	{"max_common_layout", two},
	{"max_common_vector", two},
	{"composition", two},
	{"blocked_product", two},
	{"raked_product", two},
	{"logical_divide", tiled},
	{"zipped_divide", tiled},
	{"tiled_divide", tiled},
	{"flat_divide", tiled},
	{"logical_divide_exact", tiled},
	{"zipped_divide_exact", tiled},
	{"logical_product", tiled},
	{"zipped_product", tiled},
	{"tiled_product", tiled},
	{"flat_product", tiled},
	{"composition ", tiled},
	{"complement", upTo},
	{"complement_exact", upTo},
	{"common_refinement", shapes},
	{"compatible", shapes},
	{"ceil_div", shapes},
	{"shape_div", shapes},
	{"tile_to_shape", func(c *claim, t *rapid.T) { c.layout(t, 2); c.say(","); c.tuple(c.shape(t, 2), ",") }},
	{"crd2idx", func(c *claim, t *rapid.T) { c.say(c.number(t, false, 0, 1, 5, 9), ","); c.tuple(c.shape(t, 2), ",") }},
	{"crd2idx ", of},
	{"idx2crd ", of},
	{"coalesce(composition", nested(two)},
	{"size(logical_divide", nested(tiled)},
	{"shape(zipped_product", nested(tiled)},
	{"cosize(right_inverse", nested(one)},
	{"flatten(tiled_divide", nested(tiled)},
	{"idx2crd", func(c *claim, t *rapid.T) { c.say(c.number(t, false, 0, 1, 5, 9), ","); c.tuple(c.shape(t, 2), ",") }},
}

// nested closes the parenthesis of an inner call.
func nested(args func(c *claim, t *rapid.T)) func(c *claim, t *rapid.T) {
	return func(c *claim, t *rapid.T) { args(c, t); c.say(")") }
}

func one(c *claim, t *rapid.T)   { c.layout(t, 3) }
func two(c *claim, t *rapid.T)   { c.layout(t, 3); c.say(","); c.layout(t, 2) }
func tiled(c *claim, t *rapid.T) { c.layout(t, 3); c.say(","); c.tiler(t) }
func of(c *claim, t *rapid.T)    { c.say(c.number(t, false, 0, 1, 5, 9), ","); c.layout(t, 2) }
func upTo(c *claim, t *rapid.T)  { c.layout(t, 2); c.say(",", c.number(t, true, 4, 12, 24)) }
func shapes(c *claim, t *rapid.T) {
	c.tuple(c.shape(t, 2), ",")
	c.say(",")
	c.tuple(c.shape(t, 2), ",")
}

// undecided are the codes that say nothing about values.
func undecided(err *cute.Error) bool {
	switch err.Code {
	case cute.CodeUnknown, cute.CodeLimit, cute.CodeOverflow, cute.CodeFact:
		return true
	}
	return false
}

// The test checks that an answer is true for all run-time integers. Where the guard holds, the answer equals the answer
// for known integers; where an exact guard does not hold, the answers differ; an unconditional refusal is refused for
// all values.
func TestDynamicClaims(t *testing.T) {
	t.Parallel()
	rapid.Check(t, wantClaims)
}

func FuzzDynamicClaims(f *testing.F) { f.Fuzz(rapid.MakeFuzz(wantClaims)) }

func wantClaims(t *rapid.T) {
	wantClaim(t, rapid.IntRange(0, len(operations)-1).Draw(t, "operation"))
}

// The test checks the same for each operation separately; -rapid.checks=25000 makes 100,000 draws of each operation.
func TestDynamicClaimsByOperation(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("seconds")
	}
	for i, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { wantClaim(t, i) })
		})
	}
}

// wantClaim draws a claim of an operation, and checks it at values.
func wantClaim(t *rapid.T, operation int) {
	op := operations[operation]
	c := &claim{near: []int64{0, 1, 2}}
	c.say(strings.TrimSpace(op.name), "(")
	op.args(c, t)
	c.say(")")
	if len(c.symbols) == 0 {
		return
	}
	src := c.String()
	var e eval.Env
	rs, err := e.Eval(src)
	failed, _ := errors.AsType[*cute.Error](err)
	if failed != nil && undecided(failed) {
		failed = nil
	} else if failed != nil && failed.Witness != nil && strings.Contains(failed.Msg, "@") && !strings.Contains(src, "@") {
		t.Fatalf("%s: %v speaks of coordinates", src, failed)
	}
	for range 4 {
		at, set := make([]int64, len(c.symbols)), make(map[string]int64)
		for i, s := range c.symbols {
			least := int64(-3)
			if c.extent[i] {
				least = 1
			}
			at[i] = s.value(t, least, c.near)
			set[s.name] = at[i]
		}
		plain := c.known(at)
		want, errWant := eval.Eval(plain)
		var bad *cute.Error
		if errors.As(errWant, &bad) && undecided(bad) {
			continue
		}
		wantAtSet(t, src, plain, set, want, errWant)
		if len(set) > 1 {
			wantAtSome(t, src, plain, set, want, errWant)
		}
		switch {
		case failed != nil && errWant == nil:
			t.Fatalf("%s is refused for all values: %v\n%s = %s", src, failed, plain, want.Value)
		case err != nil:
			continue
		}
		wantHeld(t, &e, rs[0], src, plain, set, want, errWant)
	}
}

// wantAtSet checks that setting numbers gives the same result as writing the numbers in place of the symbols.
func wantAtSet(t *rapid.T, src, plain string, set map[string]int64, want eval.Result, errWant error) {
	var e eval.Env
	e.Set(set)
	rs, err := e.Eval(src)
	if (err == nil) != (errWant == nil) {
		t.Fatalf("%s with %v: %v, and %s: %v", src, set, err, plain, errWant)
	}
	if err == nil && rs[0].Value.String() != want.Value.String() {
		t.Fatalf("%s with %v is %s, and %s is %s", src, set, rs[0].Value, plain, want.Value)
	}
	if err == nil && slices.ContainsFunc(want.Notes, isPadding) && !slices.ContainsFunc(rs[0].Notes, isPadding) {
		t.Fatalf("%s with %v has the notes %q, and %s %q", src, set, rs[0].Notes, plain, want.Notes)
	}
}

// wantAtSome checks the answer when one of the symbols has no number.
func wantAtSome(t *rapid.T, src, plain string, set map[string]int64, want eval.Result, errWant error) {
	some, rest := make(map[string]int64), make(map[string]int64)
	left := rapid.SampledFrom(slices.Sorted(maps.Keys(set))).Draw(t, "left out")
	for name, x := range set {
		if name == left {
			rest[name] = x
			continue
		}
		some[name] = x
	}
	var e eval.Env
	e.Set(some)
	rs, err := e.Eval(src)
	if failed, ok := errors.AsType[*cute.Error](err); ok && !undecided(failed) && errWant == nil {
		t.Fatalf("%s with %v is refused for all %s: %v\n%s = %s", src, some, left, failed, plain, want.Value)
	}
	if err == nil {
		wantHeld(t, &e, rs[0], src, plain, rest, want, errWant)
	}
}

func isPadding(note string) bool { return strings.HasPrefix(note, "padded") }

// wantHeld checks a result with run-time integers at values.
func wantHeld(t *rapid.T, e *eval.Env, r eval.Result,
	src, plain string, set map[string]int64, want eval.Result, errWant error,
) {
	form, holds := formAt(e, r.Value, set)
	conditions := eval.Conditions(r.Value)
	exact := strings.HasPrefix(conditions, "valid only if")
	switch {
	case holds && errWant != nil && strings.HasPrefix(src, "upcast") && oneElement(plain):
		return // the stride of a mode of one element is never multiplied by anything
	case holds && errWant != nil:
		t.Fatalf("%s = %s, %s; at %v: %s, and %s: %v", src, r.Value, conditions, set, form, plain, errWant)
	case holds && strings.HasPrefix(src, "left_inverse"):
		wantInverse(t, src, plain, form, r)
	case holds && errWant == nil && strings.HasPrefix(src, "shape(") && form != nil && sameModes(form, want.Value):
		return // the other layout is the same function
	case holds && errWant == nil && !equal(form, want.Value):
		t.Fatalf("%s = %s, %s; at %v: %s, and %s = %s", src, r.Value, conditions, set, form, plain, want.Value)
	case !holds && exact && errWant == nil && form != nil && equal(form, want.Value):
		t.Fatalf("%s = %s, %s; at %v it is %s all the same", src, r.Value, conditions, set, form)
	}
	if holds && slices.ContainsFunc(want.Notes, isPadding) && !slices.ContainsFunc(r.Notes, isPadding) {
		t.Fatalf("%s has the notes %q, and %s %q", src, r.Notes, plain, want.Notes)
	}
}

// wantInverse checks that a left inverse maps all offsets back; there may be several such inverses.
func wantInverse(t *rapid.T, src, plain string, form eval.Value, r eval.Result) {
	v, err := eval.Eval(strings.TrimSuffix(strings.TrimPrefix(plain, "left_inverse("), ")"))
	l, ok := v.Value.(eval.Layout)
	inverse, okI := form.(eval.Layout)
	if err != nil || !ok || !okI {
		t.Fatalf("%s = %s: %v", src, r.Value, err)
	}
	for i := range min(l.Size(), 1<<10) {
		x, errX := l.At(i)
		j, errJ := inverse.At(x)
		y, errY := l.At(j)
		if errX != nil || errJ != nil || errY != nil || y != x {
			t.Fatalf("%s = %s; %s takes %d to %d, and %s that to %d", src, r.Value, l, i, x, inverse, j)
		}
	}
}

// equal compares values: layouts as functions.
func equal(a, b eval.Value) bool {
	x, okX := a.(eval.Layout)
	y, okY := b.(eval.Layout)
	if okX && okY {
		same, _ := cute.Equivalent(x.Layout, y.Layout)
		return same && x.Size() == y.Size()
	}
	if t, ok := a.(eval.Tuple); ok && t.Kind() == eval.KindTuple && b.Kind() != eval.KindLayout {
		// In a common refinement, extents that are 1 for these values are kept.
		if u, ok := b.(eval.Tuple); ok {
			return slices.Equal(aboveOne(t.Tuple), aboveOne(u.Tuple))
		}
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

func aboveOne(t cute.Tuple) []int64 {
	return slices.DeleteFunc(slices.Clone(t.Leaves()), func(x int64) bool { return x == 1 })
}

// oneElement reports whether the layout in upcast<2>(L) has a mode of extent 1.
func oneElement(plain string) bool {
	r, err := eval.Eval(strings.TrimSuffix(plain[strings.Index(plain, "(")+1:], ")"))
	l, ok := r.Value.(eval.Layout)
	return err == nil && ok && slices.Contains(l.Shape().Leaves(), 1)
}

// sameModes reports whether two shapes have modes of the same sizes.
func sameModes(a, b eval.Value) bool {
	x, okX := a.(eval.Tuple)
	y, okY := b.(eval.Tuple)
	if !okX || !okY || x.Rank() != y.Rank() {
		return false
	}
	ms := y.Modes()
	for i, m := range x.Modes() {
		p, errP := m.Product()
		q, errQ := ms[i].Product()
		if errP != nil || errQ != nil || p != q {
			return false
		}
	}
	return true
}
