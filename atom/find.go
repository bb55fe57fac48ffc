package atom

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// Find returns the MMA or the copy operation with the name; the other result is nil. It takes the names that [FindMMA]
// and [FindCopy] take, and returns their errors: [cute.CodeName] with the nearest names of both.
func Find(name string) (*MMA, *Copy, error) {
	m, err := FindMMA(name)
	if err == nil {
		return &m, nil, nil
	}
	if e, ok := err.(*cute.Error); !ok || e.Code != cute.CodeName {
		return nil, nil, err
	}
	c, other := FindCopy(name)
	if other == nil {
		return nil, &c, nil
	}
	if e, ok := other.(*cute.Error); !ok || e.Code != cute.CodeName {
		return nil, nil, other // a copy that does not take this parameter
	}
	e := fail(cute.CodeName, opAtom, "no MMA or copy operation is called %.100q", name)
	names := slices.AppendSeq(slices.AppendSeq(slices.Collect(MMANames()), CopyNames()), LayoutNames())
	if near := Nearest(canonicalName(name), names, 3); len(near) > 0 {
		e.Hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return nil, nil, e
}

// ValueType returns the usual type of the values of the instruction: 16 bits for instructions that move matrices of 8
// rows of 16 bytes, 32 bits for others. If the share of a thread is not a whole number of these, it returns the widest
// type whose values the share consists of.
func (c Copy) ValueType() dtype.Type {
	types := []dtype.Type{dtype.U32, dtype.U16, dtype.U8}
	if c.Kind == MatrixCopy {
		types = types[1:]
	}
	for _, t := range types {
		if _, err := MakeCopyAtom(c, t); err == nil {
			return t
		}
	}
	return dtype.B1
}
