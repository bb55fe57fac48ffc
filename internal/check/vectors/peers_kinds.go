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

// This file verifies how the answer of another implementation differs.

// peerKind returns the documented kind of a difference between girih's answer and another value.
func (q question) peerKind(a answer, want string) (kind, bool) {
	got, ok1 := judge.ReadLayout(a.text())
	rec, ok2 := judge.ReadLayout(want)
	if ok1 && ok2 {
		switch {
		case withoutUnits(unwrap(got)) == withoutUnits(unwrap(rec)):
			return oneTuples, true
		case q.op == "coalesce" && len(q.args) == 2 && rec.Leaves().Equal(got.Leaves()):
			return profileExtents, true
		case q.op == "composition" && len(q.args) == 2 && q.keepsUntiled(got, rec):
			return untiledModes, true
		case rec.Leaves().Equal(got.Leaves()) && len(got.Leaves()) < len(rec.Leaves()):
			return uncoalesced, true
		}
		if q.op == "complement" && len(q.args) == 2 {
			if k, ok := newQuery(q.op, q.args); ok {
				n, least := k.Covers(got)
				if peer, _ := k.Covers(rec); n == least && peer != least {
					return wholeCotarget, true
				}
			}
		}
		if judge.Answer(q.op, q.args, a.text()).Standing == judge.Right &&
			judge.Answer(q.op, q.args, want).Standing == judge.Wrong {
			return wrongRecord, true
		}
	}
	switch {
	case q.countsOffsets(a, want):
		return countedOffsets, true
	case q.wrapsAround(a, want):
		return pastTheEnd, true
	case q.op == "rank" && len(q.args) == 1 && ask(q.args[0]).isInt() && a.text() == "1":
		return integerRank, true
	case q.op == "depth" && judge.Strip(q.args[0]) == "()" && a.text() == "1":
		return emptyDepth, true
	case q.op == "cosize" && len(q.args) == 1 && q.holdsAll(a) && ask("cosize(inner("+q.args[0]+"))").text() == want:
		return functionCosize, true
	case q.op == "elem_less" && len(q.args) == 2:
		if less, ok := elementwiseLess(q.args[0], q.args[1]); ok && a.text() == fmt.Sprint(less) {
			return wrongRecord, true
		}
	}
	return 0, false
}

// refusalKind returns the documented kind of a refusal where another implementation has a value.
func (q question) refusalKind(a answer, want string) (kind, bool) {
	if a.err.Code == cute.CodeSwizzle {
		return badSwizzle, true
	}
	if a.err.Code == cute.CodeExtent {
		for _, x := range q.args {
			t, rest, ok := judge.ReadTree(judge.Strip(strings.Split(x, ":")[0]))
			if ok && rest == "" && slices.Contains(t.Ints(), 0) {
				return zeroExtent, true
			}
		}
	}
	rec, ok := judge.ReadLayout(want)
	if (q.op == "upcast" || q.op == "downcast") && len(q.args) == 2 && ok {
		l, okL := judge.ReadLayout(q.args[0])
		n, okN := judge.ShapeSize(q.args[1])
		size, many := rec.Leaves().Size(), l.Leaves().Size()
		if okL && okN && (q.op == "downcast" && size != many*n || q.op == "upcast" && size*n != many) {
			return wrongRecord, true // the size in elements of another width
		}
	}
	return 0, false
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

// keepsUntiled reports whether rec is got with the modes that the tile leaves out appended.
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

// countsOffsets reports whether the peer asks another question than girih: whether there are as many offsets as the
// codomain has, wherever they are, instead of whether they are the codomain's offsets. The two answers must be right
// for the two questions.
func (q question) countsOffsets(a answer, want string) bool {
	if !slices.Contains([]string{"is_surjective", "is_bijective", "is_compact"}, q.op) || a.isRefusal() {
		return false
	}
	l := ask(q.args[0])
	if l.isRefusal() {
		return false
	}
	table, ok := values(l.value)
	of := q.args[0]
	if l.value.Kind() == eval.KindComposed {
		of = "inner(" + of + ")" // the peer takes the cosize of the inner layout, as CuTe does
	}
	n, isInt := ask("cosize(" + of + ")").int()
	if len(q.args) == 2 {
		n, isInt = ask("size(" + q.args[1] + ")").int()
	}
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

// int returns the integer that the answer is.
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
// while girih's continues.
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

// elementwiseLess reports whether every leaf of one tuple is less than that of the other.
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

// pointwise evaluates the operands and the answer at every index. It returns where the definition does not hold, or
// that there is no index to check.
func (q question) pointwise(a answer) string {
	r := a.text()
	at := func(f, x string) string {
		// A coordinate may have fewer axes than f has modes.
		if strings.HasPrefix(x, "(") && strings.Contains(r+strings.Join(q.args, ""), "@") {
			x = ask("append_to_rank<" + ask("rank("+f+")").text() + ">(" + x + ", 0)").text()
		}
		return ask("(" + f + ")(" + x + ")").text()
	}
	size := func(f string) int64 { n, _ := ask("size(" + f + ")").int(); return min(n, maxPoints) }
	compareAll := func(n int64, got, want func(i string) string) string {
		if n == 0 {
			return "there is nothing to look at"
		}
		for i := range n {
			x := fmt.Sprint(i)
			if g, w := got(x), want(x); g != w {
				return fmt.Sprintf("at index %s it is %s, by the definition %s", x, g, w)
			}
		}
		return ""
	}
	itself := func(i string) string { return i }
	switch {
	case q.op == "composition" && len(q.args) == 2:
		return compareAll(size(q.args[1]), func(i string) string { return at(r, i) },
			func(i string) string { return at(q.args[0], at(q.args[1], i)) })
	case q.op == "left_inverse":
		return compareAll(size(q.args[0]), func(i string) string { return at(r, at(q.args[0], i)) }, itself)
	case q.op == "right_inverse":
		codomain := itself
		if shape := ask("shape(" + r + ")"); strings.Contains(q.args[0], "@") {
			codomain = func(i string) string { return ask("idx2crd(" + i + ", " + shape.text() + ")").text() }
		}
		return compareAll(size(r), func(i string) string { return at(q.args[0], at(r, i)) }, codomain)
	case judge.AnyDivide(q.op) && len(q.args) == 2:
		if size(r) != size(q.args[0]) || ask("image("+r+")").text() != ask("image("+q.args[0]+")").text() {
			return "the result has other offsets than the layout"
		}
		return compareAll(size(q.args[1]), func(i string) string { return at(r, "("+i+",0)") },
			func(i string) string { return at(q.args[0], at(q.args[1], i)) })
	case q.op == "make_ordered_layout" && len(q.args) == 2:
		return q.orderFault(r)
	case q.op == "greatest_common_domain" && len(q.args) == 2:
		return q.commonDomainFault(r)
	case q.op == "matrix" && len(q.args) == 1 && strings.HasPrefix(q.args[0], "linear("):
		l := strings.TrimSuffix(strings.TrimPrefix(q.args[0], "linear("), ")")
		return compareAll(size(l), func(i string) string { return at(q.args[0], i) }, func(i string) string { return at(l, i) })
	}
	return "there is no definition of " + q.op + " for such operands"
}

// orderFault returns what is wrong with a compact layout in an order of its modes.
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

// commonDomainFault returns what is wrong with r as the greatest common domain of two shapes: a mode that cannot be cut
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
		for d := g[0]; d < n && (g[1] == 0 || d < g[1]); d += g[0] {
			for s := int64(2); s*d <= n; s++ {
				if g[1]%(s*d) == 0 && cut(judge.Leaf{S: s, D: d}) {
					return fmt.Sprintf("the mode %d:%d could be added", s, d)
				}
			}
		}
	}
	return ""
}

// cuttable reports whether a leaf of the shape can be cut into three factors, the second of which is x.
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

// atValues judges an answer with run-time integers. At values of the names that its guard admits, it must be the answer
// for these numbers. The peer's text may have another form.
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
