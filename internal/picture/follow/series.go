package follow

import (
	"encoding/json"
	"math/bits"
)

// A Series is a list of integers. It is written as a short rule if there is one.
type Series struct{ values []int64 }

// NewSeries returns a list of integers, or nil for an empty one.
func NewSeries(values []int64) *Series {
	if len(values) == 0 {
		return nil
	}
	return &Series{values}
}

// Values returns the integers.
func (s *Series) Values() []int64 {
	if s == nil {
		return nil
	}
	return s.values
}

// A rule is a [Series] as it is written.
type rule struct {
	N      int     `json:"n"`
	First  int64   `json:"first"`
	Shape  []int64 `json:"shape,omitempty"`  // value i is first plus the digits of i times the strides, digit 0 fastest
	Stride []int64 `json:"stride,omitempty"` // as many as Shape
	Bits   []int64 `json:"bits,omitempty"`   // value i is first xor bits[j] for all bits j of i
	Parts  []*part `json:"parts,omitempty"`  // the lists one after another
}

// A part is a part of a list: a rule, or the numbers themselves.
type part = Series

// minPart is the length below which lists are not divided.
const minPart = 32

// maxModes limits the digits of a rule: longer ones are not shorter than the list.
const maxModes = 8

// MarshalJSON writes the shortest of: a plain list, a layout, and a linear map over bits.
func (s *Series) MarshalJSON() ([]byte, error) {
	if r, ok := s.rule(); ok {
		return json.Marshal(r)
	}
	return json.Marshal(s.values)
}

// rule returns the rule of a list; ok is false if the list is the shortest text.
func (s *Series) rule() (r rule, ok bool) {
	n := len(s.values)
	if n <= 8 {
		return r, false
	}
	if r, ok = s.linear(); ok {
		return r, true
	}
	if r, ok = s.layout(); ok {
		return r, true
	}
	if n < 2*minPart {
		return r, false
	}
	half := 1 << (bits.Len(uint(n-1)) - 1)
	r = rule{N: n}
	shorter := false
	for _, list := range [][]int64{s.values[:half], s.values[half:]} {
		p := Series{list}
		q, ok := p.rule()
		if shorter = shorter || ok; ok && q.Parts != nil {
			r.Parts = append(r.Parts, q.Parts...)
		} else {
			r.Parts = append(r.Parts, &p)
		}
	}
	return r, shorter
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Series) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &s.values); err == nil {
		return nil
	}
	var r rule
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	if r.Parts != nil {
		for _, p := range r.Parts {
			s.values = append(s.values, p.values...)
		}
		return nil
	}
	s.values = make([]int64, r.N)
	for i := range s.values {
		v, rest := r.First, int64(i)
		for j, n := range r.Shape {
			v += rest % n * r.Stride[j]
			rest /= n
		}
		for j, b := range r.Bits {
			v ^= int64(i) >> j & 1 * b
		}
		s.values[i] = v
	}
	return nil
}

// linear returns the rule of a list that is linear over bits.
func (s *Series) linear() (rule, bool) {
	v := s.values
	n := bits.Len(uint(len(v))) - 1
	if len(v) != 1<<n {
		return rule{}, false
	}
	r := rule{N: len(v), First: v[0]}
	for j := range n {
		r.Bits = append(r.Bits, v[1<<j]^v[0])
	}
	for i := 1; i < len(v); i++ {
		low := i & -i // v[i] differs from v[i without its lowest bit] by the lowest bit
		if v[i] != v[i-low]^r.Bits[bits.TrailingZeros(uint(low))] || v[i] < 0 {
			return rule{}, false
		}
	}
	return r, v[0] >= 0
}

// layout returns the rule of a list that is the offsets of a layout.
func (s *Series) layout() (rule, bool) {
	v := s.values
	r := rule{N: len(v), First: v[0]}
	for size := 1; size < len(v); {
		if len(r.Shape) == maxModes || len(v)%size != 0 {
			return r, false
		}
		d, n := v[size]-v[0], 1
		for (n+1)*size <= len(v) && v[n*size] == v[0]+int64(n)*d {
			n++
		}
		for len(v)%(n*size) != 0 {
			n--
		}
		if n < 2 {
			return r, false
		}
		r.Shape, r.Stride = append(r.Shape, int64(n)), append(r.Stride, d)
		size *= n
	}
	size := 1
	for j, n := range r.Shape {
		for i := size; i < size*int(n); i++ {
			if v[i] != v[i%size]+int64(i/size)*r.Stride[j] {
				return r, false
			}
		}
		size *= int(n)
	}
	return r, true
}
