package runfile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"girih/internal/machine/runfile"
)

// whole has every field.
const whole = `{
  "name": "n", "ptx": "k.ptx", "source": "k.cu", "entry": "k", "grid": [2, 3], "block": 32, "cluster": [2, 1, 1], "shared": 16,
  "buffers": [
    {"name": "a", "type": "f32", "bytes": 8, "fill": {"kind": "lcg", "seed": 1, "mod": 4, "sub": 2, "scale": -1}},
    {"name": "b", "type": "u8", "bytes": 256, "fill": {"kind": "byte", "value": 7},
     "patches": [{"at": 8, "kind": "buffer", "buffer": "a", "offset": 4}, {"at": 16, "kind": "scalar", "type": "s16", "value": -2}]},
    {"name": "c", "file": "c.npy"},
    {"name": "d", "type": "f16", "values": [1, -0.5, "inf", "nan"]},
    {"name": "e", "bytes": 3}
  ],
  "params": [
    {"kind": "scalar", "type": "b128", "bytes": "00112233445566778899aabbccddeeff"},
    {"kind": "scalar", "type": "u64", "value": "0xffffffffffffffff"},
    {"kind": "buffer", "buffer": "c"},
    {"kind": "map", "type": "f32", "dims": [2, 1], "strides": [16], "box": [2, 1], "element_strides": [1, 1], "interleave": "none",
     "swizzle": "none", "l2_promotion": "128B", "oob_fill": "nan", "buffer": "a"},
    {"kind": "bytes", "size": 256, "bytes": "01 02", "patches": [{"at": 8, "kind": "buffer", "buffer": "d"}]}
  ],
  "outputs": [{"buffer": "a", "values": [1, 2], "rel": 1e-3, "abs": 0.5}, {"buffer": "b"}],
  "findings": [{"kind": "race", "line": 3}]
}`

func TestParse(t *testing.T) {
	t.Parallel()
	f, err := runfile.Parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if f.Grid != (runfile.Extent{2, 3, 1}) || f.Block != (runfile.Extent{32, 1, 1}) || len(f.Params) != 5 ||
		f.Buffers[1].Patches[0].Buffer != "a" || f.Outputs[0].Rel != 1e-3 || f.CountCompared() != 1 {
		t.Errorf("read %+v", f)
	}
	text := f.Text()
	g, err := runfile.Parse(text)
	if err != nil {
		t.Fatalf("%v, of\n%s", err, text)
	}
	if again := g.Text(); string(again) != string(text) {
		t.Errorf("written\n%s, and then\n%s", text, again)
	}
}

// TestErrors checks that errors name their field.
func TestErrors(t *testing.T) {
	t.Parallel()
	const buffer = `"buffers": [{"name": "a", "type": "f32", "bytes": 8}]`
	for _, c := range []struct{ text, want string }{
		{``, "expected a JSON object, found nothing"},
		{"{\n\n  \"block\": [1,\n}", "line 4: no JSON: "},
		{`{"block": 1} {}`, "line 1: more follows the description"},
		{`{"block": 1, "block": 2}`, "block: it is there twice"},
		{`{"block": 1, "params": [{"kind": "buffer", "kind": "map"}]}`, "params[0].kind: it is there twice"},
		{strings.Repeat("[", 1<<20), "expected at most 100 lists and objects within each other"},
		{`[]`, "expected an object, found a list of 0"},
		{`{}`, "block: it is missing"},
		{`{"block": "1"}`, `block: expected an integer, found the string "1"`},
		{`{"block": [1, 2, 3, 4]}`, "block: expected x, y and z, found a list of 4"},
		{`{"block": [0]}`, "block: expected numbers from 1 on, found 0"},
		{`{"block": 1, "gird": 1}`, "gird: there is no such field; the fields are name, ptx, source, entry, grid, block,"},
		{`{"block": 1, "shared": 1.5}`, "shared: expected an integer, found 1.5"},
		{`{"block": 1, "shared": -1}`, "shared: expected from 0 to 1073741824 bytes, found -1"},
		{`{"block": 1, "entry": null}`, "entry: expected a string, found null"},
		{`{"block": 1, "params": {}}`, "params: expected a list, found an object"},
		{`{"block": 1, "params": [{"type": "f32"}]}`, "params[0].kind: it is missing"},
		{`{"block": 1, "params": [{"kind": "pointer"}]}`, `params[0].kind: expected scalar, buffer, map, bytes, found "pointer"`},
		{
			`{"block": 1, "buffers": [{"name": "a", "bytes": 1}], "params": [{"kind": "map", "type": "", "buffer": "a"}]}`,
			"params[0].type: it is empty, and the kind map needs it",
		},
		{`{"block": 1, "params": [{"kind": "buffer"}]}`, "params[0].buffer: it is missing, and the kind buffer needs it"},
		{`{"block": 1, "params": [{"kind": "buffer", "buffer": "x"}]}`, `params[0].buffer: there is no buffer "x": there is none`},
		{`{"block": 1, ` + buffer + `, "params": [{"kind": "buffer", "buffer": "x"}]}`, `there is no buffer "x": there are a`},
		{
			`{"block": 1, ` + buffer + `, "params": [{"kind": "buffer", "buffer": "a", "swizzle": "128B"}]}`,
			`params[0].swizzle: expected it in the kind map only, found it in the kind "buffer"`,
		},
		{`{"block": 1, "params": [{"kind": "scalar", "type": "u32"}]}`, "params[0]: expected bytes or a value, found neither"},
		{`{"block": 1, "params": [{"kind": "scalar", "value": 1}]}`, "params[0].type: it is missing, and the value needs it"},
		{`{"block": 1, "params": [{"kind": "bytes", "size": 40000}]}`, "params[0].size: expected up to 32764 bytes, found 40000"},
		{`{"block": 1, "buffers": [{"name": "a"}]}`, "buffers[0].bytes: it is missing: only a file and values say"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4}, {"name": "a", "bytes": 4}]}`, "buffers[1].name: expected a name that no other"},
		{`{"block": 1, "buffers": [{"name": "a", "type": "f33", "bytes": 4}]}`, "buffers[0].type: "},
		{`{"block": 1, "buffers": [{"name": "a", "type": "e2m1", "bytes": 4}]}`, "buffers[0].type: elements of 4 bits"},
		{`{"block": 1, "buffers": [{"name": "a", "type": "f32", "bytes": 6}]}`, "buffers[0].bytes: expected a multiple of the 4 bytes"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 99999999999}]}`, "buffers[0].bytes: expected a size of up to 1073741824"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4, "file": "x", "values": [1]}]}`, "buffers[0]: expected one of fill, file and values, found 2"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4, "values": [1]}]}`, "buffers[0].bytes: 1 values of u8 have 1 bytes, found 4"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4, "fill": {"kind": "random"}}]}`, "buffers[0].fill.kind: expected lcg, bits, byte, none"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4, "fill": {"kind": "lcg"}}]}`, "buffers[0].fill.mod: it is missing, and the kind lcg needs it"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4, "fill": {"kind": "byte", "value": 256}}]}`, "buffers[0].fill.value: expected a byte"},
		{`{"block": 1, "buffers": [{"name": "a", "bytes": 4, "fill": {"kind": "bits", "seed": -1}}]}`, "buffers[0].fill.seed: expected an integer from 0 on, found -1"},
		{`{"block": 1, ` + buffer + `, "outputs": [{"buffer": "a"}, {"buffer": "a"}]}`, `outputs[1].buffer: the buffer "a" is an output already`},
		{`{"block": 1, ` + buffer + `, "outputs": [{"buffer": "a", "rel": -1}]}`, "outputs[0]: expected bounds rel and abs from 0 on"},
		{
			`{"block": 1, ` + buffer + `, "params": [{"kind": "bytes", "size": 16, "patches": [{"kind": "buffer", "buffer": "a"}]}]}`,
			"params[0].patches[0].at: it is missing",
		},
	} {
		_, err := runfile.Parse([]byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v\nwant  %s", c.text, err, c.want)
		}
	}
	if _, err := runfile.Parse(make([]byte, runfile.MaxText+1)); err == nil {
		t.Error("a text of any length is read")
	}
}

// TestSchema checks that the schema is JSON, and describes every field.
func TestSchema(t *testing.T) {
	t.Parallel()
	var s map[string]any
	if err := json.Unmarshal(runfile.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	fields := 0
	var walk func(path string, s map[string]any)
	walk = func(path string, s map[string]any) {
		list, _ := s["properties"].(map[string]any)
		for name, p := range list {
			fields++
			p := p.(map[string]any) //nolint:errcheck // the schema is made of objects
			if about, _ := p["description"].(string); about == "" {
				t.Errorf("%s.%s: not a word", path, name)
			}
			walk(path+"."+name, p)
			if items, ok := p["items"].(map[string]any); ok {
				walk(path+"."+name, items)
			}
		}
	}
	walk("", s)
	if fields < 80 {
		t.Errorf("the schema has %d fields", fields)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"block": [1], "params": [{"kind": "map", "dims": [1]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := runfile.Parse(text)
		if err != nil {
			return
		}
		if y, err := runfile.Parse(x.Text()); err != nil || string(y.Text()) != string(x.Text()) {
			t.Errorf("%s\nis written %s: %v", text, x.Text(), err)
		}
	})
}
