package vectors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/why/judge"
)

// This file verifies how the answers of other implementations differ from girih's.

// A peerRow is a kind of difference and its condition. The first peerRow whose condition holds decides.
type peerRow struct {
	kind  kind
	holds func(d difference) bool
}

// A difference is girih's answer to a question, and the peer's value. got and rec are the two if both are layouts.
type difference struct {
	question
	a        answer
	want     string
	got, rec judge.Mode
}

// layoutKinds lists the kinds of differences between two layouts.
var layoutKinds = []peerRow{
	{oneTuples, func(d difference) bool { return withoutUnits(unwrap(d.got)) == withoutUnits(unwrap(d.rec)) }},
	{profileExtents, func(d difference) bool { return d.is("coalesce", 2) && d.rec.Leaves().Equal(d.got.Leaves()) }},
	{untiledModes, func(d difference) bool { return d.is("composition", 2) && d.keepsUntiled(d.got, d.rec) }},
	{uncoalesced, func(d difference) bool {
		return d.rec.Leaves().Equal(d.got.Leaves()) && len(d.got.Leaves()) < len(d.rec.Leaves())
	}},
	{wholeCotarget, difference.coversLeast},
	{wrongRecord, func(d difference) bool {
		return judge.Answer(d.op, d.args, d.a.text()).Standing == judge.Right &&
			judge.Answer(d.op, d.args, d.want).Standing == judge.Wrong
	}},
}

// valueKinds lists the kinds of differences between any two values.
var valueKinds = []peerRow{
	{countedOffsets, func(d difference) bool { return d.countsOffsets(d.a, d.want) }},
	{pastTheEnd, func(d difference) bool { return d.wrapsAround(d.a, d.want) }},
	{integerRank, func(d difference) bool { return d.is("rank", 1) && ask(d.args[0]).isInt() && d.a.text() == "1" }},
	{emptyDepth, func(d difference) bool {
		return d.op == "depth" && judge.Strip(d.args[0]) == "()" && d.a.text() == "1"
	}},
	{functionCosize, func(d difference) bool {
		return d.is("cosize", 1) && d.holdsAll(d.a) && ask("cosize(layout_b("+d.args[0]+"))").text() == d.want
	}},
	{wrongRecord, func(d difference) bool {
		if !d.is("elem_less", 2) {
			return false
		}
		less, ok := elementwiseLess(d.args[0], d.args[1])
		return ok && d.a.text() == fmt.Sprint(less)
	}},
}

// peerKind returns the documented kind of a difference between girih's answer and another value.
func (q question) peerKind(a answer, want string) (kind, bool) {
	d := difference{question: q, a: a, want: want}
	var ok1, ok2 bool
	d.got, ok1 = judge.ReadLayout(a.text())
	d.rec, ok2 = judge.ReadLayout(want)
	rows := valueKinds
	if ok1 && ok2 {
		rows = append(slices.Clip(layoutKinds), valueKinds...)
	}
	for _, row := range rows {
		if row.holds(d) {
			return row.kind, true
		}
	}
	return 0, false
}

// is reports whether the question calls op with the given number of operands.
func (q question) is(op string, operands int) bool { return q.op == op && len(q.args) == operands }

// coversLeast reports whether girih's complement covers the least number of offsets for its cotarget, and the peer's
// complement does not.
func (d difference) coversLeast() bool {
	if !d.is("complement", 2) {
		return false
	}
	k, ok := newQuery(d.op, d.args)
	if !ok {
		return false
	}
	n, least := k.Covers(d.got)
	peer, _ := k.Covers(d.rec)
	return n == least && peer != least
}

// refusalKind returns the documented kind of a refusal where another implementation has a value.
func (q question) refusalKind(a answer, want string) (kind, bool) {
	switch {
	case a.err.Code == cute.CodeSwizzle:
		return badSwizzle, true
	case a.err.Code == cute.CodeExtent && slices.ContainsFunc(q.args, hasZeroExtent):
		return zeroExtent, true
	case (q.is("upcast", 2) || q.is("downcast", 2)) && q.isWrongSize(want):
		return wrongRecord, true
	}
	return 0, false
}

// hasZeroExtent reports whether an extent of an operand is 0.
func hasZeroExtent(operand string) bool {
	t, rest, ok := judge.ReadTree(judge.Strip(strings.Split(operand, ":")[0]))
	return ok && rest == "" && slices.Contains(t.Ints(), 0)
}

// isWrongSize reports whether the recorded recast has a size other than the operand's, counted in the new elements.
func (q question) isWrongSize(want string) bool {
	rec, ok := judge.ReadLayout(want)
	l, okL := judge.ReadLayout(q.args[0])
	n, okN := judge.ShapeSize(q.args[1])
	if !ok || !okL || !okN {
		return false
	}
	size, many := rec.Leaves().Size(), l.Leaves().Size()
	if q.op == "downcast" {
		return size != many*n
	}
	return size*n != many
}

// isInt reports whether the answer is an integer.
func (a answer) isInt() bool { return !a.isRefusal() && a.value.Kind() == eval.KindInt }

// unwrap returns m without parentheses around single modes.
func unwrap(m judge.Mode) judge.Mode {
	if !m.Tuple {
		return m
	}
	if len(m.Kids) == 1 {
		return unwrap(m.Kids[0])
	}
	out := judge.Mode{Tuple: true}
	for _, k := range m.Kids {
		out.Kids = append(out.Kids, unwrap(k))
	}
	return out
}

// keepsUntiled reports whether rec is got followed by the modes that the tile leaves out.
func (q question) keepsUntiled(got, rec judge.Mode) bool {
	l, ok := judge.ReadLayout(q.args[0])
	tilers, isTile := judge.TilersOf(q.args[1])
	if !ok || !isTile || len(got.Kids) != len(tilers) || len(rec.Kids) != len(l.Modes()) {
		return false
	}
	for i, k := range rec.Kids {
		want := l.Kids[i]
		if i < len(got.Kids) {
			want = got.Kids[i]
		}
		if withoutUnits(k) != withoutUnits(want) {
			return false
		}
	}
	return true
}

// countsOffsets reports whether the peer only counts offsets: it compares their number with the size of the
// codomain, while girih compares the offsets themselves with the codomain. Each answer must be right for its own
// comparison.
func (q question) countsOffsets(a answer, want string) bool {
	if !slices.Contains([]string{"is_surjective", "is_bijective", "is_compact"}, q.op) || a.isRefusal() {
		return false
	}
	l := ask(q.args[0])
	if l.isRefusal() {
		return false
	}
	table, ok := values(l.value)
	n, isInt := q.codomainSize(l.value.Kind())
	if !ok || !isInt {
		return false
	}
	image := slices.Clone(table)
	slices.Sort(image)
	image = slices.Compact(image)
	from, counted := int64(0), int64(len(image)) == n
	if q.op == "is_compact" {
		from, n = image[0], int64(len(image))
	} else if len(q.args) == 1 {
		n = image[len(image)-1] + 1
	}
	onto := image[0] == from && image[len(image)-1] == from+n-1 && int64(len(image)) == n
	once := len(image) == len(table)
	if q.op != "is_surjective" {
		onto, counted = onto && once, counted && once
	}
	return a.text() == fmt.Sprint(onto) && want == fmt.Sprint(counted)
}

// codomainSize returns the size of the codomain as the peer counts it: the size of the second operand or, without one,
// the cosize. For a composed layout, the peer uses the cosize of the inner layout, as CuTe does.
func (q question) codomainSize(of eval.Kind) (int64, bool) {
	switch {
	case len(q.args) == 2:
		return ask("size(" + q.args[1] + ")").int()
	case of == eval.KindComposed:
		return ask("cosize(layout_b(" + q.args[0] + "))").int()
	}
	return ask("cosize(" + q.args[0] + ")").int()
}

// holdsAll reports whether the answer is one more than the greatest offset of a composed layout.
func (q question) holdsAll(a answer) bool {
	l := ask(q.args[0])
	n, isInt := a.int()
	if l.isRefusal() || l.value.Kind() != eval.KindComposed || !isInt {
		return false
	}
	table, ok := values(l.value)
	return ok && slices.Max(table) == n-1
}

// int returns the answer as an integer, and whether it is an integer.
func (a answer) int() (int64, bool) {
	if a.isRefusal() {
		return 0, false
	}
	t, ok := a.value.(eval.Tuple)
	if !ok {
		return 0, false
	}
	return t.Int64()
}

// wrapsAround reports whether the operand is the last coordinate of a shape, and the peer's increment returns to 0
// while girih's increment continues.
func (q question) wrapsAround(a answer, want string) bool {
	if q.op != "increment" || len(q.args) != 2 {
		return false
	}
	size, ok1 := ask("size(" + q.args[1] + ")").int()
	at, ok2 := ask("crd2idx(" + q.args[0] + ", " + q.args[1] + ")").int()
	next, ok3 := ask("crd2idx(" + a.text() + ", " + q.args[1] + ")").int()
	first, ok4 := ask("crd2idx(" + want + ", " + q.args[1] + ")").int()
	return ok1 && ok2 && ok3 && ok4 && at == size-1 && next == size && first == 0
}

// elementwiseLess reports whether every leaf of a is less than the leaf of b in the same place.
func elementwiseLess(a, b string) (less, ok bool) {
	x, rest, ok1 := judge.ReadTree(judge.Strip(a))
	y, rest2, ok2 := judge.ReadTree(judge.Strip(b))
	xs, ys := x.Ints(), y.Ints()
	if !ok1 || !ok2 || rest+rest2 != "" || len(xs) != len(ys) {
		return false, false
	}
	for i := range xs {
		if xs[i] >= ys[i] {
			return false, true
		}
	}
	return true, true
}

// postCondition judges an answer by the definition alone.
func (q question) postCondition(a answer) outcome {
	r, isLayout := judge.ReadLayout(a.text())
	k, isQuery := newQuery(q.op, q.args)
	if isQuery {
		if o := onRecord().rule(k, a, ""); o.verdict == failed || a.isRefusal() {
			return o
		}
		if f, _ := k.Satisfies(r); isLayout && f == judge.Holds {
			return pass()
		}
	}
	if a.isRefusal() {
		return fail(a, "an answer", "girih refuses")
	}
	if isLayout && !isQuery {
		switch j := judge.Answer(q.op, q.args, a.text()); j.Standing {
		case judge.Right, judge.Padded:
			return pass()
		case judge.Wrong:
			return fail(a, "", j.Why)
		}
	}
	if why := q.pointwise(a); why != "" {
		return fail(a, "the definition", why)
	}
	return pass()
}

// maxPoints limits the indices that pointwise evaluates.
const maxPoints = 4096

// pointwise evaluates both sides of the definition at every index. It returns where the sides differ, or that there is
// no index to check. It returns "" if the definition holds.
func (q question) pointwise(a answer) string {
	r := a.text()
	switch {
	case judge.AnyDivide(q.op) && len(q.args) == 2:
		if q.size(r) != q.size(q.args[0]) || ask("image("+r+")").text() != ask("image("+q.args[0]+")").text() {
			return "the result has other offsets than the layout"
		}
	case q.is("make_ordered_layout", 2):
		return q.orderFault(r)
	case q.is("greatest_common_domain", 2):
		return q.commonDomainFault(r)
	}
	f, ok := q.sides(r)
	if !ok {
		return "there is no definition of " + q.op + " for such operands"
	}
	if f.indices == 0 {
		return "there is nothing to look at"
	}
	for i := range f.indices {
		x := fmt.Sprint(i)
		if g, w := f.got(x), f.want(x); g != w {
			return fmt.Sprintf("at index %s it is %s, by the definition %s", x, g, w)
		}
	}
	return ""
}

// sides are the two sides of a definition as functions of an index.
type sides struct {
	indices   int64
	got, want func(i string) string
}

// sides returns the two sides of the definition of an operation with the result r, and whether there are such sides.
func (q question) sides(r string) (sides, bool) {
	at := func(f, x string) string { return q.valueAt(f, x, r) }
	itself := func(i string) string { return i }
	switch {
	case q.is("composition", 2):
		return sides{
			q.size(q.args[1]), func(i string) string { return at(r, i) },
			func(i string) string { return at(q.args[0], at(q.args[1], i)) },
		}, true
	case q.op == "left_inverse":
		return sides{q.size(q.args[0]), func(i string) string { return at(r, at(q.args[0], i)) }, itself}, true
	case q.op == "right_inverse":
		codomain := itself
		if shape := ask("shape(" + r + ")"); strings.Contains(q.args[0], "@") {
			codomain = func(i string) string { return ask("idx2crd(" + i + ", " + shape.text() + ")").text() }
		}
		return sides{q.size(r), func(i string) string { return at(q.args[0], at(r, i)) }, codomain}, true
	case judge.AnyDivide(q.op) && len(q.args) == 2: // the first tile
		return sides{
			q.size(q.args[1]), func(i string) string { return at(r, "("+i+",0)") },
			func(i string) string { return at(q.args[0], at(q.args[1], i)) },
		}, true
	case q.is("matrix", 1) && strings.HasPrefix(q.args[0], "linear("):
		l := strings.TrimSuffix(strings.TrimPrefix(q.args[0], "linear("), ")")
		return sides{
			q.size(l), func(i string) string { return at(q.args[0], i) }, func(i string) string { return at(l, i) },
		}, true
	}
	return sides{}, false
}

// size returns the size of f, but at most maxPoints.
func (q question) size(f string) int64 {
	n, _ := ask("size(" + f + ")").int()
	return min(n, maxPoints)
}

// valueAt returns the value of f at x. r is the operation's result.
func (q question) valueAt(f, x, r string) string {
	// x may have fewer axes than f has modes.
	if strings.HasPrefix(x, "(") && strings.Contains(r+strings.Join(q.args, ""), "@") {
		x = ask("append_to_rank<" + ask("rank("+f+")").text() + ">(" + x + ", 0)").text()
	}
	return ask("(" + f + ")(" + x + ")").text()
}

// orderFault says what is wrong with r as a compact layout with the given order of modes, or returns "".
func (q question) orderFault(r string) string {
	l, ok := judge.ReadLayout(r)
	order, rest, okOrder := judge.ReadTree(judge.Strip(q.args[1]))
	if !ok || !okOrder || rest != "" || len(l.Modes()) != len(order.Modes()) {
		return "not a layout with an order"
	}
	if ask("is_bijective("+r+")").text() != "true" {
		return "not compact"
	}
	for i, m := range l.Modes() {
		for j, n := range l.Modes() {
			first := order.Kids[i].S < order.Kids[j].S || order.Kids[i].S == order.Kids[j].S && i < j
			if first && m.Leaves().Size() > 1 && n.Leaves().Size() > 1 && m.Leaves()[0].D > n.Leaves()[0].D {
				return fmt.Sprintf("mode %d comes before mode %d", j, i)
			}
		}
	}
	return ""
}

// commonDomainFault says what is wrong with r as the greatest common domain of two shapes: a mode that cannot be cut
// out of one leaf of each shape, or a mode of prime extent that could be added.
func (q question) commonDomainFault(r string) string {
	l, ok := judge.ReadLayout(r)
	a, rest, okA := judge.ReadTree(judge.Strip(q.args[0]))
	b, rest2, okB := judge.ReadTree(judge.Strip(q.args[1]))
	if !ok || !okA || !okB || rest+rest2 != "" {
		return "not a layout of indices of two shapes"
	}
	cut := func(x judge.Leaf) bool { return cuttable(a.Ints(), x) && cuttable(b.Ints(), x) }
	from := int64(1)
	gaps := [][2]int64{}
	for _, x := range l.Leaves() {
		switch {
		case x.S == 1:
			continue
		case x.D%from != 0 || !cut(x):
			return fmt.Sprintf("the mode %d:%d cannot be cut out of one leaf in both", x.S, x.D)
		}
		gaps, from = append(gaps, [2]int64{from, x.D}), x.S*x.D
	}
	na, _ := judge.ShapeSize(q.args[0])
	nb, _ := judge.ShapeSize(q.args[1])
	n := min(na, nb)
	for _, g := range append(gaps, [2]int64{from, 0}) {
		if x, ok := addable(g, n, cut); ok {
			return fmt.Sprintf("the mode %d:%d could be added", x.S, x.D)
		}
	}
	return ""
}

// addable returns the first mode s:d with s·d <= n that fits between the end of one mode, gap[0], and the start of the
// next mode, gap[1] (0 if there is no next mode), and that cut accepts.
func addable(gap [2]int64, n int64, cut func(judge.Leaf) bool) (judge.Leaf, bool) {
	end, next := gap[0], gap[1]
	for d := end; d < n && (next == 0 || d < next); d += end {
		for s := int64(2); s*d <= n; s++ {
			if x := (judge.Leaf{S: s, D: d}); next%(s*d) == 0 && cut(x) {
				return x, true
			}
		}
	}
	return judge.Leaf{}, false
}

// cuttable reports whether some leaf of the shape can be cut into three factors with x as the second factor.
func cuttable(shape []int64, x judge.Leaf) bool {
	p := int64(1)
	for _, s := range shape {
		if x.D%p == 0 && s%(x.D/p) == 0 && s/(x.D/p)%x.S == 0 {
			return true
		}
		p *= s
	}
	return false
}

// atValues judges an answer with run-time integers. At sampled values that its guard admits, the answer must equal
// girih's answer for these known integers. The peer's text may have another form.
func (q question) atValues(a answer, names []string, want string) outcome {
	if a.isRefusal() {
		return fail(a, want, "girih refuses")
	}
	random := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range sampleTries {
		at := make(map[string]int64, len(names))
		for _, n := range names {
			at[n] = 1 + random.Int64N(12)
		}
		var env eval.Env
		env.Set(at)
		rs, err := env.Eval(q.expr)
		if err != nil {
			continue // the guard excludes these values
		}
		known := withValues(q.expr, at)
		if b := ask(known); b.isRefusal() || !sameFrom(rs[len(rs)-1].Value, b.value, 0) {
			return fail(a, want, "not the answer for known integers: "+known)
		}
		valid++
	}
	switch {
	case valid < fewSamples:
		return fail(a, want, "no values satisfy the guard")
	case want == "":
		return pass()
	}
	return differ(runTimeForm, a, want)
}

// isWord reports whether c is a letter, a digit or an underscore.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// withValues replaces names by numbers.
func withValues(expr string, at map[string]int64) string {
	var b strings.Builder
	for i := 0; i < len(expr); {
		j := i
		for j < len(expr) && isWord(expr[j]) {
			j++
		}
		word := expr[i:max(j, i+1)]
		if x, ok := at[word]; ok {
			fmt.Fprint(&b, x)
		} else {
			b.WriteString(word)
		}
		i += len(word)
	}
	return b.String()
}
