package triton_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"girih/internal/lang/triton"
	"girih/linear"
)

// This file runs the cases of Triton's own unit test of the conversions.

// A want is a layout in the data.
type want struct {
	In  []pair `json:"in"`
	Out []pair `json:"out"`
}

// A pair is a name and bases or a size.
type pair struct {
	name  string
	bases [][]int64
	size  int64
}

func (p *pair) UnmarshalJSON(data []byte) error {
	var raw [2]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw[0], &p.name); err != nil {
		return err
	}
	if err := json.Unmarshal(raw[1], &p.size); err == nil {
		return nil
	}
	return json.Unmarshal(raw[1], &p.bases)
}

func (w want) layout(t *testing.T) linear.Layout {
	t.Helper()
	var ins []linear.In
	var outs []linear.Dim
	for _, p := range w.In {
		ins = append(ins, linear.In{Name: p.name, Bases: p.bases})
	}
	for _, p := range w.Out {
		outs = append(outs, linear.Dim{Name: p.name, Size: p.size})
	}
	l, err := linear.New(ins, outs)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A fields holds the fields of a record, an object in the data.
type fields map[string]any

// names are the records of the kinds in the data.
var names = map[string]string{
	"dot": "dot_op", "mma": "nvidia_mma", "mfma": "amd_mfma", "wmma": "amd_wmma", "nvmma": "nvmma_shared", "rotating": "amd_rotating_shared",
	"tmem": "tensor_memory", "shared": "swizzled_shared",
}

// record converts an object, and renames fields that have other names in the data.
func (f fields) record() triton.Record {
	kind := f["kind"].(string)
	r := triton.Record{Name: kind}
	if name, ok := names[kind]; ok {
		r.Name = name
	}
	for key, v := range f {
		switch key {
		case "kind", "allocShape", "bitwidth":
			continue
		case "cgaBlockBases":
			key = "CGALayout"
		}
		r.Fields = append(r.Fields, triton.Field{Key: key, Value: value(v)})
	}
	return r
}

func value(v any) any {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = value(x)
		}
		return out
	case map[string]any:
		return fields(v).record()
	}
	return v
}

func (f fields) encoding(t *testing.T) triton.Encoding {
	t.Helper()
	r := f.record()
	e, err := triton.FromRecord(r.Name, r.Fields...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// cases reads a section of the data.
func cases[T any](t *testing.T, section string) []T {
	t.Helper()
	data, err := os.ReadFile("../../../conformance/linear_layout_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(data, &sections); err != nil {
		t.Fatal(err)
	}
	var list []T
	if err := json.Unmarshal(sections[section], &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatalf("no cases in %s", section)
	}
	return list
}

func TestConformanceOfEncodings(t *testing.T) {
	t.Parallel()
	type ask struct {
		ID       string
		Shape    []int64
		Encoding fields
		Want     want
	}
	for _, c := range cases[ask](t, "encodings") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			e := c.Encoding.encoding(t)
			got, err := e.Layout(c.Shape...)
			if alloc, ok := c.Encoding["allocShape"]; ok {
				var shape []int64
				for _, x := range alloc.([]any) {
					shape = append(shape, int64(x.(float64)))
				}
				got, err = e.(*triton.TensorMemory).Subview(c.Shape, shape, int64(c.Encoding["bitwidth"].(float64)))
			}
			if err != nil {
				t.Fatalf("%v on %v: %v", e, c.Shape, err)
			}
			if want := c.Want.layout(t); !got.Equal(want) {
				t.Errorf("%v on %v:%v\nwant%v", e, c.Shape, got, want)
			}
			again, err := triton.FromRecord(e.Record().Name, e.Record().Fields...)
			if err != nil || again.String() != e.String() {
				t.Errorf("%v reads as %v, %v", e, again, err)
			}
		})
	}
}

func TestConformanceOfPadding(t *testing.T) {
	t.Parallel()
	type ask struct {
		ID       string
		Pairs    [][2]int64 `json:"intervals_pads"`
		Elements int64
		Bases    [][]int64 `json:"linear_offset_bases"`
		Want     struct {
			Physical [][2]int64                      `json:"physical_of_logical_offset"`
			Alloc    int64                           `json:"alloc_elements"`
			Linear   bool                            `json:"is_linear"`
			Layout   struct{ Shape, Stride []int64 } `json:"as_cute_layout"`
		}
	}
	for _, c := range cases[ask](t, "padded") {
		e := &triton.PaddedShared{Order: []int{0}}
		if c.Bases != nil {
			e = &triton.PaddedShared{Offset: c.Bases}
		}
		for _, p := range c.Pairs {
			e.Intervals, e.Paddings = append(e.Intervals, p[0]), append(e.Paddings, p[1])
		}
		l, err := e.Physical(c.Elements)
		if err != nil {
			t.Fatal(c.ID, err)
		}
		for _, p := range c.Want.Physical {
			if at, err := l.At(p[0]); err != nil || at != p[1] {
				t.Errorf("%s: %v on %d is %d, %v; want %d", c.ID, l, p[0], at, err, p[1])
			}
		}
		if !slices.Equal(l.Shape().Leaves(), c.Want.Layout.Shape) || !slices.Equal(l.Stride().Leaves(), c.Want.Layout.Stride) {
			t.Errorf("%s: got %v, want %v", c.ID, l, c.Want.Layout)
		}
		if n, err := e.AllocSize(c.Elements); err != nil || n != c.Want.Alloc {
			t.Errorf("%s: takes %d, %v; want %d", c.ID, n, err, c.Want.Alloc)
		}
		if _, err := e.Offsets(c.Elements); (err == nil) != c.Want.Linear {
			t.Errorf("%s: linear %v, want %v", c.ID, err, c.Want.Linear)
		}
	}
}
