package atom

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// A CopyAtom is a copy operation on values of one type: CuTe's Copy_Atom<CopyOperation, T>. Its layouts are the
// operation's, in values instead of bits. Do not change the fields.
type CopyAtom struct {
	Copy
	Type   dtype.Type
	ValSrc cute.Layout // (thread, value) of the source -> value
	ValDst cute.Layout // (thread, value) of the destination -> value
	ValRef cute.Layout // ValSrc or ValDst, whichever is the reference
}

// MakeCopyAtom returns the operation on values of a type: recast_layout<uint1_t, T> of its layouts
// (include/cute/atom/copy_atom.hpp).
//
// It returns [cute.CodeType] if there is no type, or if some thread's share of the bits is not a whole number of
// values, which CuTe reports as "CopyOperation is not valid for Src of ValType": SM75_U16x8_LDSM_T exchanges pieces of
// 16 bits and does not take values of 32. Some operations hold no values and are known by their names only, such as
// SM90_BULK_COPY_AUTO; they are refused too.
func MakeCopyAtom(c Copy, t dtype.Type) (CopyAtom, error) {
	a := CopyAtom{Copy: c, Type: t}
	if t.Bits() == 0 {
		return CopyAtom{}, fail(cute.CodeType, opCopy, "expected the type of the values, found none")
	}
	for _, side := range []struct {
		name string
		bits cute.Layout
		vals *cute.Layout
	}{{"Src", c.Src, &a.ValSrc}, {"Dst", c.Dst, &a.ValDst}, {"Ref", c.Ref, &a.ValRef}} {
		if side.bits.Rank() != 2 {
			return CopyAtom{}, fail(cute.CodeRank, opCopy, "expected a layout (thread, bit), found %v", side.bits)
		}
		v, err := cute.Recast(side.bits, 1, int64(t.Bits()))
		if held := cute.Filter(side.bits.Modes()[1]); err == nil && held.Size() > 1 && held.Size()%int64(t.Bits()) != 0 {
			return CopyAtom{}, fail(cute.CodeType, opCopy, "CopyOperation is not valid for %s of ValType: %s moves %d bits of a thread, and a value has %d (%s)",
				side.name, c.Name, held.Size(), t.Bits(), t)
		}
		if err != nil {
			e := fail(cute.CodeType, opCopy, "CopyOperation is not valid for %s of ValType: %s moves (thread, bit) -> bit %v, not a whole number of values of %d bits (%s)",
				side.name, c.Name, side.bits, t.Bits(), t)
			e.Hint = reason(err)
			return CopyAtom{}, e
		}
		if got, want := v.Modes()[0].Size(), c.Threads(); got != want {
			return CopyAtom{}, fail(cute.CodeType, opCopy, "CopyOperation is not valid for %s of ValType: a value of %d bits (%s) would be shared: %s gives it to %d of the %d threads",
				side.name, t.Bits(), t, c.Name, want/max(got, 1), want)
		}
		*side.vals = v
	}
	return a, nil
}

// reason returns the sentence of an error without its code.
func reason(err error) string {
	if e, ok := err.(*cute.Error); ok {
		return e.Msg
	}
	return err.Error()
}

// FindCopyAtom is [FindCopy] and [MakeCopyAtom] with the names of both, as in Copy_Atom<SM75_U32x4_LDSM_N, half_t>. It
// returns their errors, and [cute.CodeName] for a type that [dtype.Parse] does not know.
func FindCopyAtom(operation, valueType string) (CopyAtom, error) {
	c, err := FindCopy(operation)
	if err != nil {
		return CopyAtom{}, err
	}
	t, err := dtype.Parse(valueType)
	if err != nil {
		return CopyAtom{}, fail(cute.CodeName, opCopy, "%v", err)
	}
	return MakeCopyAtom(c, t)
}

// NumValSrc returns the number of values that one thread reads.
func (a CopyAtom) NumValSrc() int64 { return valuesIn(a.ValSrc) }

// NumValDst returns the number of values that one thread writes.
func (a CopyAtom) NumValDst() int64 { return valuesIn(a.ValDst) }

// NumVal returns the number of values of one thread in the reference layout.
func (a CopyAtom) NumVal() int64 { return valuesIn(a.ValRef) }

// valuesIn returns the number of values of a layout (thread, value), 0 for the layout of the zero CopyAtom.
func valuesIn(l cute.Layout) int64 {
	if l.Rank() != 2 {
		return 0
	}
	return l.Modes()[1].Size()
}

// String returns what CuTe's print writes, without the underscores of static integers:
//
//	Copy_Atom
//	  ThrID:        32:1
//	  ValLayoutSrc: (32,8):(8,1)
//	  ValLayoutDst: (32,(2,4)):(2,(1,64))
//	  ValLayoutRef: (32,(2,4)):(2,(1,64))
//	  ValueType:    16b
func (a CopyAtom) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Copy_Atom\n  ThrID:        %v\n  ValLayoutSrc: %v\n  ValLayoutDst: %v\n  ValLayoutRef: %v\n  ValueType:    %db\n",
		a.ThrID, a.ValSrc, a.ValDst, a.ValRef, a.Type.Bits())
	return b.String()
}

// sourceToReference returns the layout (thread, value) of the source -> index of (thread, value) of the reference.
func (a CopyAtom) sourceToReference() (cute.Layout, error) { return a.toReference(a.ValSrc) }

// destinationToReference is sourceToReference for the destination.
func (a CopyAtom) destinationToReference() (cute.Layout, error) { return a.toReference(a.ValDst) }

func (a CopyAtom) toReference(side cute.Layout) (cute.Layout, error) {
	inverse, err := cute.RightInverse(a.ValRef)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.Composition(inverse, side)
}
