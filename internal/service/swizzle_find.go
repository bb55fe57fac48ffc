package service

import (
	"fmt"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/swizzle"
)

// A FindSwizzleRequest asks which swizzle turns one layout into another.
type FindSwizzleRequest struct {
	From string `json:"from"` // a program whose value is a layout or a composed layout, or a list of offsets
	To   string `json:"to"`
	Type string `json:"type,omitempty"` // the element type, for the answer in bytes; may be empty
}

// A FindSwizzleResponse is the answer: Swizzles, or Map if there are no swizzles.
type FindSwizzleResponse struct {
	OK   bool   `json:"ok"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// the smallest swizzle, with all others as Same; empty if no single swizzle does
	Swizzles []SwizzleChoice `json:"swizzles,omitempty"`
	Map      *SwizzleMap     `json:"map,omitempty"`
	Error    *report.Error   `json:"error,omitempty"`

	Fault `json:"-"`
}

// FindSwizzle evaluates two layouts and finds the swizzles w with w(from(i)) = to(i) for every index i.
func (s *Session) FindSwizzle(req FindSwizzleRequest) FindSwizzleResponse {
	elemBits, info := typeBits(req.Type)
	if info != nil {
		return FindSwizzleResponse{Error: info, Fault: Fault{Usage: true}}
	}
	var tables [2][]int64
	var texts [2]string
	for i, text := range []string{req.From, req.To} {
		table, value, info := s.tableOf(text)
		if info != nil {
			return FindSwizzleResponse{Error: info, Fault: Fault{In: text}}
		}
		tables[i], texts[i] = table, value
	}
	f, err := swizzle.Find(tables[0], tables[1])
	if err != nil {
		return FindSwizzleResponse{Error: report.Of(err)}
	}
	r := FindSwizzleResponse{OK: true, From: texts[0], To: texts[1]}
	if len(f.Swizzles) > 0 {
		c := swizzle.Choice{Swizzle: f.Swizzles[0], Same: f.Swizzles[1:]}
		r.Swizzles = []SwizzleChoice{unitsOf(choiceOf(c, max(elemBits, 1), nil), elemBits)}
		return r
	}
	m := mapOf(f.Map, max(elemBits, 1), nil)
	if elemBits == 0 {
		m.Bytes = ""
	}
	r.Map = &m
	return r
}

// typeBits returns the bits of an element, or 0 without a type.
func typeBits(name string) (int, *report.Error) {
	if name == "" {
		return 0, nil
	}
	t, info := elementType(name)
	if info != nil {
		return 0, info
	}
	if b := t.Bits(); b&(b-1) != 0 {
		return 0, report.Of(&cute.Error{
			Code: cute.CodeNotDivisible, Op: "swizzle",
			Msg: fmt.Sprintf("swizzles of bytes and of elements of %d bits are no recasts of each other: the ratio 8/%d is "+
				"not a power of two", b, b),
		})
	}
	return t.Bits(), nil
}

// unitsOf omits the other units if the width of an element is not known.
func unitsOf(c SwizzleChoice, elemBits int) SwizzleChoice {
	if elemBits == 0 {
		c.Bytes, c.BitUnits = "", ""
	}
	return c
}

// tableOf returns the offsets of a layout, or the offsets listed in the text, and the canonical text.
func (s *Session) tableOf(text string) ([]int64, string, *report.Error) {
	if xs, ok := numbers(text); ok {
		return xs, numbersText(xs), nil
	}
	last, _, info := s.last(text)
	if info != nil {
		return nil, "", info
	}
	switch last.Value.(type) {
	case eval.Linear, eval.Xor, eval.Matrix:
		table, err := tableOfBits(last.Value)
		if err != nil {
			return nil, "", report.Whole(err, text)
		}
		return table, last.Value.String(), nil
	}
	m, err := memoryOf(last.Value)
	if err == nil {
		var table []int64
		if table, err = tableOfMemory(m); err == nil {
			return table, m.String(), nil
		}
	}
	info = report.Of(err)
	info.Message = strings.TrimPrefix(info.Message, "bank: ")
	info.End = len(text)
	return nil, "", info
}

// tableOfBits returns the values of a map over bits for all indices. Several output dimensions form one number, the
// first dimension fastest.
func tableOfBits(v eval.Value) ([]int64, error) {
	l, err := linearOf(v, nil)
	if err != nil {
		return nil, err
	}
	if n := l.InBits(); n > 62 || int64(1)<<n > swizzle.RecognizeLimit {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "swizzle",
			Msg: fmt.Sprintf("expected at most %d values, found 2^%d", swizzle.RecognizeLimit, n),
		}
	}
	if len(l.OutDims()) > 0 {
		l = l.FlattenOuts()
	}
	table := []int64{0}
	for _, x := range l.Origin() {
		table[0] = x
	}
	for _, c := range l.Matrix().Columns() {
		for _, x := range table[:len(table):len(table)] {
			table = append(table, x^int64(c))
		}
	}
	return table, nil
}

// tableOfMemory returns the offsets of a layout, up to the number that can be recognised.
func tableOfMemory(m banks.Memory) ([]int64, error) {
	if n := m.Size(); n > swizzle.RecognizeLimit {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "swizzle", Msg: fmt.Sprintf("expected at most %d offsets, found %d",
				swizzle.RecognizeLimit, n),
			Hint: "take a slice or a tile of it first",
		}
	}
	return m.AppendOffsets(nil)
}

// Text returns the answer as a person reads it. Every line ends with a newline.
func (r FindSwizzleResponse) Text() string {
	var b strings.Builder
	if len(r.Swizzles) == 0 {
		b.WriteString(Wrap(fmt.Sprintf("No single swizzle makes %s of %s. A linear map of bits does:", r.To, r.From),
			textCols, "", "  "))
		b.WriteByte('\n')
		r.Map.whole(&b)
		return b.String()
	}
	c := r.Swizzles[0]
	if c.Swizzle == "Sw<0,0,0>" {
		return "They have the same offsets: Sw<0,0,0>.\n"
	}
	fmt.Fprintf(&b, "%s\n", c.Swizzle)
	fmt.Fprintf(&b, "  %s\n", c.Formula)
	if c.Bytes != "" {
		fmt.Fprintf(&b, "  in bytes %s, in bits %s\n", c.Bytes, c.BitUnits)
	}
	if len(c.Same) > 0 {
		b.WriteString(Wrap("the same function on these offsets: "+strings.Join(c.Same, ", "), textCols, "  ", "    "))
	}
	return b.String()
}
