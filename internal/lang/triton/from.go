package triton

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// FromRecord returns the encoding of a record. Names and keys are spelled as in MLIR or in Gluon, in any case and with
// or without underscores: blocked or BlockedLayout, sizePerThread or size_per_thread, opIdx or operand_index. The order
// of the fields does not matter. "shared" is an older spelling: of nvmma_shared with hasLeadingOffset, of
// swizzled_shared without hasLeadingOffset.
//
// FromRecord checks only the record; [Encoding.Layout] checks the numbers, together with the shape. It returns
// [cute.CodeName] for an unknown name or key, and lists the known ones, [cute.CodeType] for a missing field, a value of
// another kind, and the encodings auto and coalesced, which the compiler chooses, and [cute.CodeRank] for a list of the
// wrong length.
func FromRecord(name string, fields ...Field) (Encoding, error) {
	k := kinds[fold(name)]
	if k == nil {
		return nil, fail(cute.CodeName, "encoding", "%.40q is no encoding: they are %s", name, strings.Join(names(), ", "))
	}
	f := &fieldReader{op: k.name, fields: fields, used: make([]bool, len(fields))}
	e := k.build(f)
	if err := f.finish(); err != nil {
		return nil, err
	}
	return e, nil
}

// A kind is an encoding with its names: first those in MLIR, then those in Gluon.
type kind struct {
	name  string
	also  []string
	build func(*fieldReader) Encoding
}

// kinds are the encodings by folded name. It is filled by init because encodings contain encodings.
var kinds = make(map[string]*kind)

func init() {
	for _, k := range []kind{
		{"blocked", []string{"BlockedLayout", "BlockedEncoding", "BlockedEncodingAttr"}, readBlocked},
		{"nvidia_mma", []string{"NVMMADistributedLayout"}, readNvidiaMMA},
		{"dot_op", []string{"DotOperandLayout"}, readDot},
		{"slice", []string{"SliceLayout"}, readSlice},
		{"amd_mfma", []string{"AMDMFMALayout"}, readMFMA},
		{"amd_wmma", []string{"AMDWMMALayout"}, readWMMA},
		{"linear", []string{"DistributedLinearLayout"}, readLinear},
		{"generic_linear", nil, func(f *fieldReader) Encoding { return readGeneric(f) }},
		{opScale, nil, readScale},
		{"swizzled_shared", []string{"SwizzledSharedLayout", "SwizzledSharedEncoding"}, readSwizzled},
		{"shared", nil, readShared},
		{"amd_rotating_shared", nil, readRotating},
		{"nvmma_shared", []string{"NVMMASharedLayout"}, readNVMMA},
		{"padded_shared", []string{"PaddedSharedLayout"}, readPadded},
		{"partitioned_shared", []string{"PartitionedSharedLayout"}, readPartitioned},
		{"shared_linear", []string{"SharedLinearLayout"}, readSharedLinear},
		{"tensor_memory", []string{"tensor_memory_encoding", "TensorMemoryLayout"}, readTMEM},
		{"tensor_memory_scales", []string{"tensor_memory_scales_encoding", "TensorMemoryScalesLayout"}, readTMEMScales},
		{opScaleShared, nil, func(f *fieldReader) Encoding { return &scaleSharedForTMEMCopy{f.cga()} }},
		{"auto", []string{"AutoLayout"}, refuseChosen},
		{"coalesced", []string{"CoalescedLayout"}, refuseChosen},
	} {
		for _, name := range append(k.also, k.name) {
			kinds[fold(name)] = &k
		}
	}
}

// names returns the names of the encodings in MLIR.
func names() []string {
	var list []string
	for _, k := range kinds {
		list = append(list, k.name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// refuseChosen refuses an encoding that the compiler chooses.
func refuseChosen(f *fieldReader) Encoding {
	f.fail(cute.CodeType, "the compiler chooses this encoding: what it is depends on the kernel, not on the shape")
	return nil
}

// fold writes a name without underscores and upper case.
func fold(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// A fieldReader reads the fields of a record by key. It keeps the first error.
type fieldReader struct {
	op     string
	fields []Field
	used   []bool
	keys   []string // the keys that were read
	err    error
}

func (f *fieldReader) fail(code cute.Code, format string, args ...any) {
	if f.err == nil {
		f.err = fail(code, f.op, format, args...)
	}
}

// find returns the value of the first field with one of these keys.
func (f *fieldReader) find(keys ...string) (any, bool) {
	f.keys = append(f.keys, keys[0])
	for i, field := range f.fields {
		for _, key := range keys {
			if !f.used[i] && fold(field.Key) == fold(key) {
				f.used[i] = true
				return field.Value, true
			}
		}
	}
	return nil, false
}

// finish returns the first error, or an error about a field that was never read.
func (f *fieldReader) finish() error {
	if f.err != nil {
		return f.err
	}
	for i, used := range f.used {
		if !used {
			return fail(cute.CodeName, f.op, "expected the fields %s, each once, found %.40q", strings.Join(f.keys, ", "),
				f.fields[i].Key)
		}
	}
	return nil
}

func (f *fieldReader) missing(key string) {
	f.fail(cute.CodeType, "expected the field %s, found none", key)
}

func (f *fieldReader) wrong(key, want string, found any) {
	f.fail(cute.CodeType, "expected %s for %s, found %.60s", want, key, fmt.Sprint(found))
}

// integer converts a value of a list or a field.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	}
	return 0, false
}

// int reads a required number.
func (f *fieldReader) int(keys ...string) int64 {
	v, ok := f.find(keys...)
	if !ok {
		f.missing(keys[0])
		return 0
	}
	x, ok := integer(v)
	if !ok {
		f.wrong(keys[0], "a number", v)
	}
	return x
}

// intOr reads a number, or returns the default if it is missing.
func (f *fieldReader) intOr(byDefault int64, keys ...string) int64 {
	v, ok := f.find(keys...)
	if !ok || v == "None" {
		return byDefault
	}
	x, ok := integer(v)
	if !ok {
		f.wrong(keys[0], "a number", v)
	}
	return x
}

// dim reads a small number such as a dimension or a version.
func (f *fieldReader) dim(keys ...string) int { return f.small(keys[0], f.int(keys...)) }

func (f *fieldReader) small(key string, x int64) int {
	if x < -1<<30 || x > 1<<30 {
		f.wrong(key, "a small number", x)
		return 0
	}
	return int(x)
}

// flag reads a truth value, or returns false if it is missing.
func (f *fieldReader) flag(keys ...string) bool {
	v, ok := f.find(keys...)
	if !ok {
		return false
	}
	switch v {
	case true, "true", "True":
		return true
	case false, "false", "False":
		return false
	}
	f.wrong(keys[0], "true or false", v)
	return false
}

// ints reads a list of numbers, or returns none if it is missing.
func (f *fieldReader) ints(keys ...string) []int64 {
	v, ok := f.find(keys...)
	if !ok || v == "None" {
		return nil
	}
	list, ok := intList(v)
	if !ok {
		f.wrong(keys[0], "a list of numbers", v)
	}
	return list
}

func intList(v any) ([]int64, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := make([]int64, len(list))
	for i, x := range list {
		if out[i], ok = integer(x); !ok {
			return nil, false
		}
	}
	return out, true
}

// needInts reads a required list of numbers.
func (f *fieldReader) needInts(keys ...string) []int64 {
	xs := f.ints(keys...)
	if len(xs) == 0 {
		f.missing(keys[0])
	}
	return xs
}

// dims reads a list of dimensions.
func (f *fieldReader) dims(keys ...string) []int {
	var out []int
	for _, x := range f.ints(keys...) {
		out = append(out, f.small(keys[0], x))
	}
	return out
}

func (f *fieldReader) needDims(keys ...string) []int {
	xs := f.dims(keys...)
	if len(xs) == 0 {
		f.missing(keys[0])
	}
	return xs
}

// bases reads a list of lists of numbers, or returns none if it is missing.
func (f *fieldReader) bases(keys ...string) [][]int64 {
	v, ok := f.find(keys...)
	if !ok || v == "None" {
		return nil
	}
	out, ok := basesOf(v)
	if !ok {
		f.wrong(keys[0], "a list of lists of numbers", v)
	}
	return out
}

func basesOf(v any) ([][]int64, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	var out [][]int64
	for _, x := range list {
		b, ok := intList(x)
		if !ok {
			return nil, false
		}
		out = append(out, b)
	}
	return out, true
}

// encoding reads a required nested encoding.
func (f *fieldReader) encoding(keys ...string) Encoding {
	v, ok := f.find(keys...)
	if !ok {
		f.missing(keys[0])
		return nil
	}
	switch v := v.(type) {
	case Encoding:
		return v
	case Record:
		e, err := FromRecord(v.Name, v.Fields...)
		if err != nil && f.err == nil {
			f.err = err
		}
		return e
	}
	f.wrong(keys[0], "an encoding", v)
	return nil
}

// cga reads the fields of a cluster.
func (f *fieldReader) cga() cluster {
	return cluster{f.ints("CTAsPerCGA"), f.ints("CTASplitNum"), f.dims("CTAOrder"), f.bases("CGALayout")}
}
