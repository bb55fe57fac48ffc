package vectors

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"girih/internal/lang/triton"
	"girih/linear"
)

// This file checks girih against the sections encodings and padded of linear_layout_cases.json: Triton's encodings for
// a shape.

// encodingNames maps kinds in the file to names of records, where the two differ.
var encodingNames = map[string]string{
	"dot": "dot_op", "mma": "nvidia_mma", "mfma": "amd_mfma", "wmma": "amd_wmma", "nvmma": "nvmma_shared", "rotating": "amd_rotating_shared",
	"tmem": "tensor_memory", "tmem_scales": "tensor_memory_scales", "shared": "swizzled_shared",
	"padded": "padded_shared", "partitioned": "partitioned_shared",
}

// An encodingJSON is an encoding as in the file: an object with its kind and its parameters. Some parameters
// are encodings.
type encodingJSON map[string]json.RawMessage

// notParameters lists the keys of an encoding that are not parameters: its kind, and the keys that describe a view of a
// matrix in tensor memory.
var notParameters = []string{"kind", "allocShape", "bitwidth"}

// encoding returns the encoding, or girih's refusal.
func (j encodingJSON) encoding() (triton.Encoding, error) {
	var kind string
	if err := json.Unmarshal(j["kind"], &kind); err != nil {
		return nil, fmt.Errorf("the kind of an encoding: %w", err)
	}
	if name, ok := encodingNames[kind]; ok {
		kind = name
	}
	var fields []triton.Field
	for _, key := range slices.Sorted(maps.Keys(j)) {
		if slices.Contains(notParameters, key) {
			continue
		}
		v, err := fieldValue(j[key])
		if err != nil {
			return nil, err
		}
		if key == "cgaBlockBases" {
			key = "CGALayout"
		}
		fields = append(fields, triton.Field{Key: key, Value: v})
	}
	return triton.FromRecord(kind, fields...)
}

// fieldValue converts a parameter: a number, a truth value, a text, a list or an encoding.
func fieldValue(raw json.RawMessage) (any, error) {
	var nested encodingJSON
	if json.Unmarshal(raw, &nested) == nil && nested != nil {
		return nested.encoding()
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		out := make([]any, len(list))
		for i, x := range list {
			var err error
			if out[i], err = fieldValue(x); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, nil
	}
	var v any
	err := json.Unmarshal(raw, &v)
	return v, err
}

// layout returns the encoding's layout for a shape or, for a view of tensor memory, the view's layout.
func (j encodingJSON) layout(shape []int64) (linear.Layout, error) {
	e, err := j.encoding()
	if err != nil {
		return linear.Layout{}, err
	}
	var alloc []int64
	var bits int64
	if json.Unmarshal(j["allocShape"], &alloc) == nil && json.Unmarshal(j["bitwidth"], &bits) == nil {
		if tmem, ok := e.(*triton.TensorMemory); ok {
			return tmem.Subview(shape, alloc, bits)
		}
	}
	return e.Layout(shape...)
}

// runEncoding runs a row of the section encodings: the bases for a shape.
func runEncoding(row linearRow) outcome {
	var c struct {
		Shape    []int64
		Encoding encodingJSON
		Want     layoutJSON
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	want, err := c.Want.layout()
	if err != nil {
		return row.mismatch(err.Error(), "a layout", "the recorded layout is none")
	}
	got, err := c.Encoding.layout(c.Shape)
	switch {
	case err != nil:
		return row.mismatch(err.Error(), want.String(), "girih refuses")
	case !c.Want.matches(got):
		return row.mismatch(got.String(), want.String(), "another layout")
	}
	return pass()
}

// runPadded runs a row of the section padded: the places of elements, the size of the memory, whether the map is linear
// over bits, and the CuTe layout.
func runPadded(row linearRow) outcome {
	var c struct {
		Pairs    [][2]int64 `json:"intervals_pads"`
		Elements int64
		Bases    [][]int64 `json:"linear_offset_bases"`
		Want     struct {
			Physical [][2]int64                       `json:"physical_of_logical_offset"`
			Alloc    int64                            `json:"alloc_elements"`
			Linear   bool                             `json:"is_linear"`
			Layout   *struct{ Shape, Stride []int64 } `json:"as_cute_layout"`
		}
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	e := &triton.PaddedShared{Order: []int{0}}
	if len(c.Bases) > 0 {
		e = &triton.PaddedShared{Offset: c.Bases}
	}
	for _, p := range c.Pairs {
		e.Intervals, e.Paddings = append(e.Intervals, p[0]), append(e.Paddings, p[1])
	}
	if _, err := e.Component(c.Elements); err != nil {
		return row.mismatch(err.Error(), "a layout", "girih refuses")
	}
	l, err := e.Physical(c.Elements)
	if err != nil {
		return row.mismatch(err.Error(), "a layout", "girih refuses")
	}
	for _, p := range c.Want.Physical {
		if at, err := l.At(p[0]); err != nil || at != p[1] {
			return row.mismatch(fmt.Sprint(at), fmt.Sprint(p[1]), fmt.Sprintf("another offset of element %d", p[0]))
		}
	}
	if n, err := e.AllocSize(c.Elements); err != nil || n != c.Want.Alloc {
		return row.mismatch(fmt.Sprint(n), fmt.Sprint(c.Want.Alloc), "another size")
	}
	if _, err := e.Offsets(c.Elements); (err == nil) != c.Want.Linear {
		return row.mismatch(fmt.Sprint(err == nil), fmt.Sprint(c.Want.Linear), "the other answer to whether it is linear over bits")
	}
	if w := c.Want.Layout; w != nil &&
		(!slices.Equal(l.Shape().Leaves(), w.Shape) || !slices.Equal(l.Stride().Leaves(), w.Stride)) {
		return row.mismatch(l.String(), fmt.Sprint(w.Shape, ":", w.Stride), "another CuTe layout")
	}
	return pass()
}
