package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// compareOperation is the row for comparing two values. Assistants use eval with equivalent(A, B) instead.
func compareOperation() Operation {
	return Operation{
		Name: "compare", Doc: "Say whether two values are one function, or where they differ and how often", Programs: true,
		Command: &Command{
			Use:   "compare A B",
			Args:  []string{"a", "b"},
			Wrong: "compare needs two expressions, found %d",
			Flags: []Flag{{Field: "transpose", Usage: "compare A(m,n) with B(n,m)"}},
			Long: `Compare two values element by element: layouts, composed layouts, swizzles, layouts
with F2 strides or coordinates as strides, linear layouts. The answer says whether
they are one function, or at how many elements they differ and what both give at
the first of them, and what B is to A: A after a swizzle, shifted, transposed,
regrouped, in another order. Names that A binds are known in B. The exit status is 1 if they
are not one function.`,
			Example: `  girih compare '(4,8):(8,1)' '((2,2),8):((8,16),1)'
  girih compare 'Sw<3,3,3> o 0 o (8,64):(64,1)' '(8,64):(F2(72),F2(1))'
  girih compare --transpose '(4,8):(8,1)' '(8,4):(1,8)'`,
		},
		do: method[CompareRequest, CompareResponse]{
			do: (*Session).Compare,
			said: func(_ CompareRequest, r CompareResponse, _ Door) Answer {
				between := " "
				if r.Verdict == verdictNone {
					between = ": "
				}
				text := func() string {
					s := r.Verdict + between + r.Words + "\n"
					if r.Relation != "" {
						s += r.Relation + "\n"
					}
					return s
				}
				return Answer{Fault: r.Fault, OK: r.OK, Text: text, Error: r.Error, Failed: r.Verdict != verdictSame}
			},
		}.caller(),
	}
}

// A CompareRequest asks whether two values are one function.
type CompareRequest struct {
	A string `json:"a" jsonschema:"a value"`
	B string `json:"b" jsonschema:"another one"`
	// Transpose compares A(m,n) with B(n,m), instead of element i with element i.
	Transpose bool `json:"transpose,omitempty" jsonschema:"compare A(m,n) with B(n,m)"`
}

// A CompareResponse is the verdict on two values, element by element, as [Session.Inspect] lists elements.
type CompareResponse struct {
	OK      bool   `json:"ok"`
	Verdict string `json:"verdict,omitempty"` // "one function", "different" or "not compared"
	Words   string `json:"words,omitempty"`   // where A and B differ first and how often, or why they are not compared
	// Differ lists the elements of A that differ from their partners, as runs [first, end). A swizzle has an element
	// for each number, even beyond its table.
	Differ [][2]int64 `json:"differ,omitempty"`
	// Partner is, for each element of A, the index of its partner in B; absent if all indices are equal.
	Partner []int64 `json:"partner,omitempty"`
	// Relation is what B is to A, such as B = Sw<3,3,3> o A, if it has a name and holds for all elements.
	Relation string        `json:"relation,omitempty"`
	Error    *report.Error `json:"error,omitempty"` // why A or B has no value

	Fault `json:"-"`
}

// The verdicts.
const (
	verdictSame      = "one function"
	verdictDifferent = "different"
	verdictNone      = "not compared"
)

// Compare evaluates two programs and compares their values. The second program sees the names that the first
// binds.
func (s *Session) Compare(req CompareRequest) CompareResponse {
	a, b := &compared{"A", s.Inspect(InspectRequest{Expr: req.A})}, &compared{"B", s.Inspect(InspectRequest{Expr: req.B})}
	for _, c := range []struct {
		*compared
		text string
	}{{a, req.A}, {b, req.B}} {
		if !c.OK {
			return CompareResponse{Error: c.Error, Fault: Fault{In: c.text}}
		}
	}
	why := a.refusal()
	if why == "" {
		why = b.refusal()
	}
	if why == "" {
		why = a.apart(b)
	}
	r := CompareResponse{OK: true, Verdict: verdictNone, Words: why}
	switch {
	case why != "":
	case req.Transpose:
		r.transpose(a, b)
	default:
		r.straight(a, b)
	}
	switch {
	case r.Verdict == verdictDifferent, req.Transpose && r.Verdict == verdictSame:
		r.Relation = relationOf(a, b)
	case r.Verdict == verdictSame:
		r.Relation = regrouping(a, b)
	}
	return r
}

// compared is one operand of a comparison.
type compared struct {
	name string
	InspectResponse
}

// refusal says why a value is not compared; "" if it is.
func (c *compared) refusal() string {
	var names []string
	for _, o := range c.Operands {
		names = append(names, o.Name)
	}
	switch {
	case c.Kind == KindNone:
		return c.name + " is empty"
	case len(names) > 1:
		return fmt.Sprintf("%s has the operands %s: compare their layouts one by one", c.name, strings.Join(names, ", "))
	case len(names) == 0:
		return fmt.Sprintf("%s is of kind %s, which has no elements", c.name, c.Kind)
	case c.what() == "":
		return c.name + " has more than 131,072 elements or places: it is not compared element by element"
	}
	return ""
}

// what says what a value gives for an index; "" if its elements are not known.
func (c *compared) what() string {
	switch o := c.Operands[0]; {
	case o.Offset != nil || o.Exact != nil:
		return "offsets"
	case o.Coord != nil:
		return "coordinates"
	case o.Row != nil:
		return "places"
	}
	return ""
}

// apart says why two values cannot be compared; "" if they can.
func (c *compared) apart(d *compared) string {
	if x, y := c.what(), d.what(); x != y {
		return fmt.Sprintf("A gives %s, B gives %s", x, y)
	}
	outs := func(c *compared) string {
		if c.Matrix == nil || c.what() != "places" {
			return ""
		}
		return strings.Join(c.Matrix.Outs, ", ")
	}
	if x, y := outs(c), outs(d); x != y {
		return fmt.Sprintf("the outputs are not the same: A has %s; B has %s", x, y)
	}
	return ""
}

// isUnbounded reports whether a value has an element at every index, as a swizzle, which keeps the higher
// bits beyond its table.
func (c *compared) isUnbounded() bool { return c.Kind == string(eval.KindSwizzle) }

// offset returns the offset of an element; the value's offsets are numbers.
func (c *compared) offset(i int64) int64 {
	o, low := &c.Operands[0], i
	if c.isUnbounded() {
		low %= o.Size
	}
	return o.Offset[low] + i - low
}

// same reports whether element i of c equals element j of d.
func (c *compared) same(i int64, d *compared, j int64) bool {
	if c.Operands[0].Offset != nil && d.Operands[0].Offset != nil {
		return c.offset(i) == d.offset(j) // compares without making texts
	}
	return c.at(i) == d.at(j)
}

// at returns the value of an element.
func (c *compared) at(i int64) string {
	o := c.Operands[0]
	switch {
	case o.Offset != nil:
		return strconv.FormatInt(c.offset(i), 10)
	case o.Exact != nil:
		return o.Exact[i]
	case o.Coord != nil:
		return o.Coord[i]
	}
	return fmt.Sprintf("(%d,%d)", o.Row[i], o.Col[i])
}

// place names an element of a value: its coordinate and its index.
func (c *compared) place(i int64) string {
	o := c.Operands[0]
	if i >= o.Size || c.isUnbounded() {
		return fmt.Sprintf("index %d", i)
	}
	coord := fmt.Sprint(i)
	switch {
	case o.Row != nil:
		coord = fmt.Sprintf("(%d,%d)", o.Row[i], o.Col[i])
	case len(o.Modes) != 1:
		x, _ := cute.Idx2Crd(cute.Int(i), cute.Ints(o.Modes...)) // cannot fail: an index of the operand has a coordinate
		coord = x.String()
	}
	return fmt.Sprintf("%s, index %d", coord, i)
}

// overlap returns the number of elements at which two values are compared. A swizzle has an element at every index:
// its table counts only if both are swizzles.
func overlap(a, b *compared) int64 {
	p, q := a.Operands[0].Size, b.Operands[0].Size
	switch {
	case a.isUnbounded() && b.isUnbounded():
		return max(p, q)
	case a.isUnbounded():
		return q
	case b.isUnbounded():
		return p
	}
	return min(p, q)
}

// straight compares element i with element i.
func (r *CompareResponse) straight(a, b *compared) {
	n := overlap(a, b)
	count := r.differ(a, b, n)
	both := a.isUnbounded() && b.isUnbounded()
	bounded := !a.isUnbounded() && !b.isUnbounded()
	switch p, q := a.Operands[0], b.Operands[0]; {
	case bounded && p.Size != q.Size:
		r.Verdict = verdictDifferent
		r.Words = fmt.Sprintf("A has %d elements, B has %d; ", p.Size, q.Size)
		if count == 0 {
			r.Words += "up to there they agree"
			return
		}
		i := r.Differ[0][0]
		r.Words += fmt.Sprintf("they differ first at index %d: %s and %s", i, a.at(i), b.at(i))
	case count > 0:
		if r.first(a, b); !both {
			r.Words = fmt.Sprintf("at %d of %d; %s", count, n, r.Words)
		}
	case both:
		r.Words = "on all numbers"
	case bounded && !slices.Equal(p.Modes, q.Modes):
		r.Words = fmt.Sprintf("on all %d indices, index by index: the shapes are (%s) and (%s)",
			n, a.modes(","), b.modes(","))
	default:
		r.Words = fmt.Sprintf("on all %d coordinates", n)
	}
}

// transpose compares A(m,n) with B(n,m).
func (r *CompareResponse) transpose(a, b *compared) {
	p, q := a.Operands[0].Modes, b.Operands[0].Modes
	switch {
	case len(p) != 2 || len(q) != 2:
		r.Words = fmt.Sprintf("A(m,n) with B(n,m) is of values with two modes: A has %d, B has %d", len(p), len(q))
		return
	case p[0] != q[1] || p[1] != q[0]:
		r.Verdict = verdictDifferent
		r.Words = fmt.Sprintf("the shapes are not each other's transpose: %s and %s", a.modes(" × "), b.modes(" × "))
		return
	}
	n := a.Operands[0].Size
	r.Partner = make([]int64, n)
	for i := range n {
		r.Partner[i] = i/p[0] + q[0]*(i%p[0])
	}
	count := r.differ(a, b, n)
	if count == 0 {
		r.Words = fmt.Sprintf("on all %d coordinates", n)
		return
	}
	r.first(a, b)
	r.Words = fmt.Sprintf("at %d of %d; %s", count, n, r.Words)
}

// differ sets which of the first n elements of A differ from their partners, and the verdict, and returns how many do.
func (r *CompareResponse) differ(a, b *compared, n int64) (count int64) {
	r.Verdict = verdictSame
	for i := range n {
		if a.same(i, b, r.partner(i)) {
			continue
		}
		count++
		if last := len(r.Differ) - 1; last >= 0 && r.Differ[last][1] == i {
			r.Differ[last][1]++
		} else {
			r.Differ = append(r.Differ, [2]int64{i, i + 1})
		}
	}
	if count > 0 {
		r.Verdict = verdictDifferent
	}
	return count
}

// partner returns the element of B that an element of A is compared with.
func (r *CompareResponse) partner(i int64) int64 {
	if r.Partner == nil {
		return i
	}
	return r.Partner[i]
}

// first says what two values give at the first element where they differ.
func (r *CompareResponse) first(a, b *compared) {
	i := r.Differ[0][0]
	r.Words = fmt.Sprintf("first at %s: A gives %s, B gives %s", a.place(i), a.at(i), b.at(r.partner(i)))
}

// modes writes the sizes of the modes of a value.
func (c *compared) modes(between string) string {
	var list []string
	for _, n := range c.Operands[0].Modes {
		list = append(list, strconv.FormatInt(n, 10))
	}
	return strings.Join(list, between)
}
