package eval

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/lang/syntax"
)

// This file defines matrix descriptors as values. The hardware reads a descriptor in place of the layout of a matrix in
// shared memory.

// KindDescriptor is the kind of matrix descriptors.
const KindDescriptor Kind = "descriptor"

// A Descriptor describes a matrix in shared memory for wgmma or tcgen05.mma. Its text gives the fields in bytes, as the
// PTX ISA does: gmma_desc{start=0, lbo=16, sbo=1024, base=0, swizzle=SW128, major=K}.
type Descriptor struct{ descriptor.Matrix }

func (Descriptor) value() {}

// Kind returns [KindDescriptor].
func (Descriptor) Kind() Kind { return KindDescriptor }

// descriptorNames are the names of the records, by format.
var descriptorNames = [...]string{descriptor.SM90: "gmma_desc", descriptor.SM100: "umma_desc"}

// String returns the fields.
func (d Descriptor) String() string {
	absolute := ""
	if d.Absolute {
		absolute = ", absolute=true"
	}
	return fmt.Sprintf("%s{start=%d, lbo=%d, sbo=%d, base=%d, swizzle=%v, major=%v%s}",
		descriptorNames[d.Format], d.Start, d.Leading, d.Stride, d.Base, d.Pattern, d.Major, absolute)
}

// noteDescriptor notes the 64 bits of a descriptor.
func (e *Env) noteDescriptor(d descriptor.Matrix) { e.note("the 64 bits are 0x%016x", d.Bits()) }

// descriptorRecord evaluates gmma_desc{start=0, lbo=16, sbo=1024, base=0, swizzle=SW128, major=K}. Missing fields are
// 0, INTER and K.
func (e *Env) descriptorRecord(x *syntax.Record, f descriptor.Format) (Value, error) {
	d := descriptor.Matrix{Format: f}
	numbers := map[string]*int64{"start": &d.Start, "lbo": &d.Leading, "sbo": &d.Stride, "base": &d.Base}
	seen := map[string]bool{}
	for _, field := range x.Fields {
		if seen[field.Name] {
			return nil, e.fail(field.X, &cute.Error{Code: cute.CodeName, Msg: "the field " + field.Name + " is given twice"})
		}
		seen[field.Name] = true
		v, err := e.field(field.X)
		if err != nil {
			return nil, err
		}
		if to := numbers[field.Name]; to != nil {
			n, ok := v.(int64)
			if !ok {
				return nil, e.fail(field.X, &cute.Error{
					Code: cute.CodeType, Msg: fmt.Sprintf("%s counts bytes, found %s", field.Name, field.X),
				})
			}
			*to = n
			continue
		}
		if err := setDescriptor(&d, field.Name, v); err != nil {
			return nil, e.fail(field.X, err)
		}
	}
	if err := d.Check(); err != nil {
		return nil, e.fail(x, err)
	}
	e.noteDescriptor(d)
	return Descriptor{d}, nil
}

// setDescriptor sets a field that is not a number.
func setDescriptor(d *descriptor.Matrix, name string, v any) error {
	word, _ := v.(string)
	switch name {
	case "swizzle":
		for p := descriptor.INTER; p <= descriptor.SW128Base; p++ {
			if strings.EqualFold(word, p.String()) {
				d.Pattern = p
				return nil
			}
		}
		return &cute.Error{
			Code: cute.CodeName, Msg: fmt.Sprintf("expected the swizzle INTER, SW32, SW64, SW128 or SW128_32B, found %v", v),
		}
	case "major":
		m, ok := majorOf(word)
		d.Major = m
		if !ok {
			return &cute.Error{Code: cute.CodeName, Msg: fmt.Sprintf("expected the major K or MN, found %v", v)}
		}
		return nil
	case "absolute":
		is, ok := v.(bool)
		d.Absolute = is
		if !ok {
			return &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("expected true or false, found %v", v)}
		}
		return nil
	}
	return &cute.Error{
		Code: cute.CodeName, Msg: fmt.Sprintf("a matrix descriptor has no field %s", name),
		Hint: "its fields are start, lbo, sbo and base in bytes, swizzle and major",
	}
}

// majorOf reads a major: K, or MN, which means M for A and N for B.
func majorOf(name string) (atom.Major, bool) {
	switch strings.ToUpper(name[strings.LastIndexByte(name, ':')+1:]) {
	case "K":
		return atom.KMajor, true
	case "MN", "M", "N":
		return atom.MNMajor, true
	}
	return atom.KMajor, false
}
