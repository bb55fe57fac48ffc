package tensormap

import (
	"slices"

	"girih/cute"
)

// A Replacement is one tensormap.replace.tile: a field by its name in the PTX ISA, the number of the dimension or the
// stride if the field has several, and the new value.
type Replacement struct {
	Field string
	Ord   int
	Value uint64
}

// A replaced is a field that tensormap.replace writes.
type replaced struct {
	name      string
	several   int  // the number of values; 0 for a field without an index
	wide      bool // .b64, otherwise .b32
	immediate bool
	least     uint64 // the range of the value (PTX ISA, "Tensormap new_val validity")
	most      uint64
	multiple  uint64
}

var replacedFields = []replaced{
	{"global_address", 0, true, false, 0, 1<<64 - 1, 1}, // written unchanged; checked when the map is used
	{"rank", 0, false, false, 0, 4, 1},
	{"box_dim", 5, false, false, 1, 256, 1},
	{"global_dim", 5, false, false, 0, 1<<32 - 1, 1}, // 0 is 2^32
	{"global_stride", 4, true, false, 0, 1<<40 - 1, 16},
	{"element_stride", 5, false, false, 1, 8, 1},
	{"elemtype", 0, false, true, 0, uint64(typeCount) - 1, 1},
	{"interleave_layout", 0, false, true, 0, 2, 1},
	{"swizzle_mode", 0, false, true, 0, 3, 1}, // 4, 96 bytes, is for sm_103, and no driver's enumeration has it
	{"swizzle_atomicity", 0, false, true, 0, 3, 1},
	{"fill_mode", 0, false, true, 0, 1, 1},
}

// replacedField returns a field, or nil.
func replacedField(name string) *replaced {
	i := slices.IndexFunc(replacedFields, func(f replaced) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &replacedFields[i]
}

// ReplacedField describes a field of tensormap.replace: its number of values, 0 for a field without an index, whether a
// value has 64 bits, and whether it must be a constant. It returns false if there is no such field.
func ReplacedField(name string) (several int, wide, immediate, ok bool) {
	f := replacedField(name)
	if f == nil {
		return 0, false, false, false
	}
	return f.several, f.wide, f.immediate, true
}

// Replace changes one field of the 128 bytes of a map, as the instruction does on an H100; the other bytes may have any
// value. It writes .swizzle_atomicity, and types of 4 and 6 bits, as [Map.Encode] does. The error has the code CodeName
// for an unknown field, CodeRank for a wrong number of bytes or an unknown dimension, and CodeLimit for a value that
// the field cannot have.
func Replace(b []byte, r Replacement) error {
	f := replacedField(r.Field)
	switch {
	case f == nil:
		return refuse(cute.CodeName, "", "tensormap.replace has no field .%s", r.Field)
	case len(b) != EncodedSize:
		return refuse(cute.CodeRank, "", "a tensor map has %d bytes in memory, found %d", EncodedSize, len(b))
	case r.Ord < 0 || r.Ord > 0 && r.Ord >= f.several:
		return refuse(cute.CodeRank, "", ".%s has no number %d", r.Field, r.Ord)
	case r.Value < f.least || r.Value > f.most:
		return refuse(cute.CodeLimit, "", ".%s is %d, outside %d to %d", r.Field, r.Value, f.least, f.most)
	case r.Value%f.multiple != 0:
		return refuse(cute.CodeLimit, "", ".%s is %d, no multiple of %d", r.Field, r.Value, f.multiple)
	}
	var e encoding
	e.read(b)
	e.replace(r)
	e.write(b)
	return nil
}

func (e *encoding) replace(r Replacement) {
	switch v := r.Value; r.Field {
	case "global_address":
		e[0] = v
	case "rank":
		e.set(bitRank, 3, v)
	case "box_dim":
		e.set(bitBox+8*r.Ord, 8, v-1)
	case "global_dim":
		e.set(bitDims+32*r.Ord, 32, v-1)
	case "global_stride":
		e.setStride(r.Ord, v)
	case "element_stride":
		e.set(bitSteps+3*r.Ord, 3, v-1)
	case "elemtype":
		e.setElement(v)
	case "interleave_layout":
		e.set(bitLeave, 2, v)
	case "swizzle_mode":
		e.set(bitSwizzle, 2, v)
		e.set(bitSpan96, 1, v>>2)
	case "swizzle_atomicity":
		e.extend(bitAtom, 2, v)
	case "fill_mode":
		e.set(bitFill, 1, v)
	}
}
