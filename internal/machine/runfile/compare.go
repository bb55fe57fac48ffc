package runfile

import (
	"bytes"
	"fmt"
	"math"

	"girih/dtype"
)

// A Difference is a buffer whose content differs from the expected one.
type Difference struct {
	Buffer   string `json:"buffer"`
	Type     string `json:"type"`             // the type of the elements
	Elements int    `json:"elements"`         // the number of elements
	Wrong    int    `json:"wrong"`            // the number of wrong elements
	First    int    `json:"first"`            // the index of the first wrong element
	Got      string `json:"got"`              // the value of this element; "" if it was not written
	Want     string `json:"want"`             // the expected value of this element
	Kept     bool   `json:"kept,omitempty"`   // the buffer is not an output, so it should not have changed
	Within   string `json:"within,omitempty"` // the bound, as text
}

// Check compares the buffers with their expected contents, in the order of the description: outputs with the contents
// that f states, and, if there are outputs, the other buffers with their contents before the run. It ends early if the
// host requires it.
func (r *Run) Check() []Difference {
	var list []Difference
	f := r.inputs.file
	if len(f.Outputs) == 0 {
		return nil
	}
	for i := range f.Buffers {
		name, has := f.Buffers[i].Name, r.inputs.buffers[i]
		if f.Buffers[i].unknown() {
			continue
		}
		d := Difference{Buffer: name, Type: has.t.String(), Kept: true}
		want, eq := r.before[i], bitwise
		for k, o := range f.Outputs {
			if o.Buffer == name {
				d.Kept = false
				want = r.inputs.want[k].data
				eq = o.equal(has.t, &d)
			}
		}
		if d.Kept && want == nil {
			r.checkUnwritten(i, &d)
		} else if want != nil {
			r.compare(i, want, eq, &d)
		}
		if d.Wrong > 0 {
			list = append(list, d)
		}
	}
	return list
}

// Differences compares the outputs whose contents the description does not state with the outputs of another run of the
// same kernel: got is of r, want is of the other run. If there are no outputs, all buffers are compared.
func (r *Run) Differences(other *Run) []Difference {
	var list []Difference
	f := r.inputs.file
	for i := range f.Buffers {
		b, compared := &f.Buffers[i], len(f.Outputs) == 0
		for _, o := range f.Outputs {
			compared = compared || o.Buffer == b.Name && o.File == "" && o.Values == nil
		}
		if b.unknown() || !compared {
			continue
		}
		d := Difference{Buffer: b.Name, Type: r.inputs.buffers[i].t.String()}
		if r.differ(i, other.buffers[i].Bytes(), &d); d.Wrong > 0 {
			list = append(list, d)
		}
	}
	return list
}

// differ counts the elements of buffer i that are not as in want.
func (r *Run) differ(i int, want []byte, d *Difference) {
	t, got := r.inputs.buffers[i].t, r.buffers[i].Bytes()
	if d.Elements = len(got) / (t.Bits() / 8); bytes.Equal(got, want) {
		return
	}
	for k := range d.Elements {
		if k%turn == 0 && r.inputs.host.stop() != nil {
			return
		}
		if a, b := codeAt(got, t, k), codeAt(want, t, k); a != b {
			if d.Wrong == 0 {
				d.First, d.Got, d.Want = k, show(t, a), show(t, b)
			}
			d.Wrong++
		}
	}
}

// compare counts the elements of buffer i that differ from the expected ones.
func (r *Run) compare(i int, want []byte, equal func(got, want uint64) bool, d *Difference) {
	t, got := r.inputs.buffers[i].t, r.buffers[i].Bytes()
	unit := t.Bits() / 8
	d.Elements = len(got) / unit
	all := r.buffers[i].Written(0, len(got))
	if all && bytes.Equal(got, want) {
		return
	}
	for k := range d.Elements {
		if k%turn == 0 && r.inputs.host.stop() != nil {
			return
		}
		a, b := codeAt(got, t, k), codeAt(want, t, k)
		written := all || r.buffers[i].Written(k*unit, unit)
		if written && equal(a, b) {
			continue
		}
		if d.Wrong == 0 {
			d.First, d.Want = k, show(t, b)
			if written {
				d.Got = show(t, a)
			}
		}
		d.Wrong++
	}
}

// checkUnwritten counts the elements of buffer i that were written although they should not be.
func (r *Run) checkUnwritten(i int, d *Difference) {
	t := r.inputs.buffers[i].t
	unit := t.Bits() / 8
	d.Elements = len(r.buffers[i].Bytes()) / unit
	for k := range d.Elements {
		if k%turn == 0 && r.inputs.host.stop() != nil {
			return
		}
		for j := range unit {
			if r.buffers[i].Written(k*unit+j, 1) {
				if d.Wrong == 0 {
					d.First, d.Got = k, show(t, codeAt(r.buffers[i].Bytes(), t, k))
				}
				d.Wrong++
				break
			}
		}
	}
}

func bitwise(got, want uint64) bool { return got == want }

// equal returns the comparison of elements.
func (o Output) equal(t dtype.Type, d *Difference) func(got, want uint64) bool {
	if o.Rel == 0 && o.Abs == 0 || t.Kind() == dtype.Raw {
		return bitwise
	}
	d.Within = "|got - want| <= " + fmt.Sprintf("|got - want| <= %v + %v |want|", o.Abs, o.Rel)
	return func(got, want uint64) bool {
		if got == want {
			return true
		}
		a, errA := t.Decode(got)
		b, errB := t.Decode(want)
		if errA != nil || errB != nil {
			return false
		}
		if math.IsNaN(a) || math.IsNaN(b) {
			return math.IsNaN(a) && math.IsNaN(b)
		}
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			return a == b
		}
		return math.Abs(a-b) <= o.Abs+o.Rel*math.Abs(b)
	}
}

// CountCompared returns the number of outputs that have expected contents.
func (f *File) CountCompared() int {
	n := 0
	for _, o := range f.Outputs {
		if o.File != "" || o.Values != nil {
			n++
		}
	}
	return n
}
