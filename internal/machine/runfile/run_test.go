package runfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"girih/internal/machine/runfile"
	"girih/ptx"
	"girih/ptx/sim"
)

// keep copies its parameters, 64 bytes, and the memory at the pointer in its struct, into out.
const keep = `.version 8.0
.target sm_80
.address_size 64
.visible .entry keep(.param .u64 out, .param .align 8 .b8 s[32], .param .f32 f)
{
	.reg .b64 %out, %p, %v; .reg .f32 %f; .reg .b32 %w;
	ld.param.u64 %out, [out];
	ld.param.u64 %v, [s];
	st.global.u64 [%out], %v;
	ld.param.u32 %w, [s+16];
	st.global.u32 [%out+8], %w;
	ld.param.f32 %f, [f];
	st.global.f32 [%out+12], %f;
	ld.param.u64 %p, [s+8];
	ld.global.u32 %w, [%p];
	st.global.u32 [%out+16], %w;
	ld.param.u64 %p, [s+24];
	ld.global.u64 %p, [%p];
	ld.global.u32 %w, [%p];
	st.global.u32 [%out+20], %w;
	ret;
}`

func module(t *testing.T, src string) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func program(t *testing.T, src string) *sim.Program {
	t.Helper()
	p, err := sim.Load(module(t, src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// files are the files that a description may name.
type files map[string][]byte

func (f files) open(name string, _ int64) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return text, nil
}

// runs runs a description of a kernel, and returns the differences.
func runs(t *testing.T, p *sim.Program, text string, f files) ([]runfile.Difference, error) {
	t.Helper()
	x, err := runfile.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	in, err := x.Load(runfile.Host{Open: f.open})
	if err != nil {
		return nil, err
	}
	r, err := in.New(p)
	if err != nil {
		return nil, err
	}
	if _, err := p.Run(context.Background(), r.Memory, r.Launch); err != nil {
		return nil, err
	}
	return r.Check(), nil
}

// npy returns a .npy file.
func npy(descr, order, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, order, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	return append([]byte(fmt.Sprintf("\x93NUMPY\x01\x00%c%c%s", len(header)&255, len(header)>>8, header)), data...)
}

// TestStructs puts pointers and numbers into structs and buffers.
func TestStructs(t *testing.T) {
	t.Parallel()
	p := program(t, keep)
	const text = `{"block": 1,
		"buffers": [
			{"name": "out", "type": "u32", "bytes": 24, "fill": {"kind": "none"}},
			{"name": "x", "type": "s32", "values": [11, -12]},
			{"name": "list", "type": "u64", "bytes": 16, "fill": {"kind": "byte", "value": 0},
			 "patches": [{"at": 8, "kind": "buffer", "buffer": "x", "offset": 4}]}],
		"params": [
			{"kind": "buffer", "buffer": "out"},
			{"kind": "bytes", "size": 32, "bytes": "0807060504030201", "patches": [
				{"at": 8, "kind": "buffer", "buffer": "x"}, {"at": 16, "kind": "scalar", "type": "s32", "value": -5},
				{"at": 24, "kind": "buffer", "buffer": "list", "offset": 8}]},
			{"kind": "scalar", "type": "f32", "value": -1.5}],
		"outputs": [{"buffer": "out", "%s}]}`
	want := `values": ["0x05060708", "0x01020304", "0xfffffffb", "0xbfc00000", 11, "0xfffffff4"]`
	if d, err := runs(t, p, fmt.Sprintf(text, want), nil); err != nil || len(d) != 0 {
		t.Errorf("%v, %+v", err, d)
	}
	wrong := strings.Replace(want, "11,", "10,", 1)
	d, err := runs(t, p, fmt.Sprintf(text, wrong), nil)
	if err != nil || len(d) != 1 || d[0].First != 4 || d[0].Wrong != 1 || d[0].Got != "11" || d[0].Want != "10" {
		t.Errorf("%v, %+v", err, d)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"size": 32`, `"size": 31`, "params[1].patches[2].at: argument: 8 bytes at offset 24 of an argument of 31"},
		{`"size": 32`, `"size": 40`, "argument: parameter 1, s, has 32 bytes, found an argument of 40"},
		{
			`"at": 8, "kind": "buffer", "buffer": "x", "offset": 4`, `"at": 9, "kind": "buffer", "buffer": "x"`,
			"buffers[2].patches[0].at: 8 bytes at byte 9 of a buffer of 16",
		},
		{`"byte", "value": 0`, `"none"`, "buffers[2].patches: the rest of the buffer is not written"},
		{`"value": -5`, `"value": 5000000000`, "params[1].patches[1].value: "},
		{`0807060504030201`, `08070`, "params[1].bytes: expected bytes in hexadecimal"},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatal(c.old)
		}
		if _, err := runs(t, p, strings.Replace(fmt.Sprintf(text, want), c.old, c.new, 1), nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("with %s: %v, want %s", c.new, err, c.want)
		}
	}
}

// copies copies n words of in to out.
const copies = `.version 8.0
.target sm_80
.address_size 64
.visible .entry copies(.param .u64 in, .param .u64 out, .param .u32 n)
{
	.reg .pred %p; .reg .b64 %in, %out, %o; .reg .b32 %t, %n, %w;
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, %n; @%p ret;
	mul.wide.u32 %o, %t, 4; add.u64 %in, %in, %o; add.u64 %out, %out, %o;
	ld.global.u32 %w, [%in]; st.global.u32 [%out], %w;
	ret;
}`

func floats(list ...float32) []byte {
	var b []byte
	for _, x := range list {
		u := math.Float32bits(x)
		b = append(b, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
	}
	return b
}

// TestOutputs uses raw files and .npy files as inputs and as expected outputs, within bounds.
func TestOutputs(t *testing.T) {
	t.Parallel()
	p := program(t, copies)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	f := files{
		"raw":   floats(1, 2, 3, 4),
		"x.npy": npy("<f4", "False", "2, 2", floats(1, 2, 3, 4)),
		"near":  floats(1, 2.01, 3, 4),
		"odd":   floats(nan, inf, -inf, 0),
		"odder": floats(nan, inf, inf, 0),
		"col":   npy("<f4", "True", "2, 2", floats(1, 2, 3, 4)),
		"ints":  npy("<i4", "False", "4,", floats(1, 2, 3, 4)),
		"short": npy("<f4", "False", "5,", floats(1, 2, 3, 4)),
		"big":   npy(">f4", "False", "4,", floats(1, 2, 3, 4)),
		"half":  npy("<f2", "False", "8,", floats(1, 2, 3, 4)),
		"new":   []byte("\x93NUMPY\x04\x00\x10\x00\x00\x00xyz"),
		"long":  []byte("\x93NUMPY\x02\x00\xff\xff\xff\xffxyz"),
		"cut":   []byte("\x93NUMPY\x01\x00\xff\xffxyz"),
		"empty": {}, "three": {1, 2, 3},
	}
	for _, c := range []struct{ in, out, want string }{
		{`"type": "f32", "file": "raw"`, `"file": "raw"`, ""},
		{`"file": "x.npy"`, `"file": "x.npy"`, ""},
		{`"file": "x.npy"`, `"values": [1, 2, 3, 4]`, ""},
		{`"file": "x.npy"`, `"file": "near"`, "out[1]: 2 (0x40000000), want 2.01 (0x4000a3d7), 1 of 4"},
		{`"file": "x.npy"`, `"file": "near", "rel": 0.01`, ""},
		{`"file": "x.npy"`, `"file": "near", "abs": 0.009`, "out[1]: 2"},
		{`"type": "f32", "file": "odd"`, `"file": "odd", "rel": 1`, ""},
		{`"type": "f32", "file": "odd"`, `"file": "odder", "rel": 1`, "out[2]: -Inf (0xff800000), want +Inf (0x7f800000), 1 of 4"},
		{`"file": "col"`, `"file": "raw"`, "buffers[0].file: the .npy file is in Fortran's order"},
		{`"file": "short"`, `"file": "raw"`, "buffers[0].file: expected 20 bytes after the header of the .npy file, for its shape (5,) of <f4, found 16"},
		{`"file": "big"`, `"file": "raw"`, `buffers[0].file: the .npy file has elements ">f4"`},
		{`"file": "new"`, `"file": "raw"`, "buffers[0].file: expected version 1, 2 or 3 of the .npy format, found 4"},
		{`"file": "long"`, `"file": "raw"`, "buffers[0].file: expected at most 131060 bytes of header in the .npy file, found 4294967295"},
		{`"file": "cut"`, `"file": "raw"`, "buffers[0].file: the .npy file ends in its header"},
		{`"file": "half", "type": "f32"`, `"file": "raw"`, "buffers[0].file: half has elements of type f16, and the buffer of type f32"},
		{`"file": "ints", "type": "f32"`, `"file": "raw"`, ""}, // of the same width: the bytes are taken unchanged
		{`"file": "none"`, `"file": "raw"`, "buffers[0].file: file does not exist"},
		{`"file": "empty"`, `"file": "raw"`, "buffers[0].file: empty has no bytes"},
		{`"file": "three", "type": "f32"`, `"file": "raw"`, "buffers[0].file: three has 3 bytes, no multiple of the 4"},
		{`"file": "raw", "type": "f32", "bytes": 20`, `"file": "raw"`, "buffers[0].file: raw has 16 bytes, and the buffer 20"},
		{`"file": "x.npy"`, `"values": [1, 2, 3, 4, 5]`, "outputs[0]: 20 bytes are wanted in the buffer out, which has 16"},
		{`"file": "x.npy"`, `"values": [1, 2, 3, "four"]`, `outputs[0].values[3]: expected a number of type f32, found "four"`},
		{`"type": "s8", "values": [1, 2, 3, 128]`, `"file": "raw"`, "buffers[0].values[3]: "},
	} {
		text := `{"block": 32, "buffers": [{"name": "in", ` + c.in + `}, {"name": "out", "type": "f32", "bytes": 16}],
			"params": [{"kind": "buffer", "buffer": "in"}, {"kind": "buffer", "buffer": "out"}, {"kind": "scalar", "type": "u32", "value": 4}],
			"outputs": [{"buffer": "out", ` + c.out + `}]}`
		d, err := runs(t, p, text, f)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case len(d) > 0:
			x := d[0]
			got = fmt.Sprintf("%s[%d]: %s, want %s, %d of %d", x.Buffer, x.First, x.Got, x.Want, x.Wrong, x.Elements)
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, %s:\n%s\nwant %s", c.in, c.out, got, c.want)
		}
	}
}

// TestOthersStay checks that buffers that are not outputs must not change, and that unwritten ones must stay unwritten.
func TestOthersStay(t *testing.T) {
	t.Parallel()
	p := program(t, copies)
	const text = `{"block": 32, "buffers": [{"name": "in", "type": "u32", "values": [5, 6]}, {"name": "out", "type": "u32", "bytes": 8%s}],
		"params": [{"kind": "buffer", "buffer": "in"}, {"kind": "buffer", "buffer": "out"}, {"kind": "scalar", "type": "u32", "value": %d}]%s}`
	for _, c := range []struct {
		fill    string
		n       int
		outputs string
		want    string
	}{
		{"", 2, ``, "[]"},
		{"", 2, `, "outputs": [{"buffer": "out"}]`, "[]"},
		{"", 2, `, "outputs": [{"buffer": "in"}]`, "[{out u32 2 2 0 5  true }]"},
		{"", 0, `, "outputs": [{"buffer": "in"}]`, "[]"},
		{`, "fill": {"kind": "byte", "value": 1}`, 1, `, "outputs": [{"buffer": "in"}]`, "[{out u32 2 1 0 5 16843009 true }]"},
		{"", 1, `, "outputs": [{"buffer": "out", "values": [5, 6]}]`, "[{out u32 2 1 1  6 false }]"},
	} {
		d, err := runs(t, p, fmt.Sprintf(text, c.fill, c.n, c.outputs), nil)
		if got := fmt.Sprint(d); err != nil || got != c.want {
			t.Errorf("%s, %d, %s: %v, %s, want %s", c.fill, c.n, c.outputs, err, got, c.want)
		}
	}
}

// TestFills compares fills with their definition.
func TestFills(t *testing.T) {
	t.Parallel()
	p := program(t, copies)
	s := uint64(9)
	var want []byte
	for range 4 {
		s = s*6364136223846793005 + 1442695040888963407
		want = append(want, floats(float32(int64(s>>33%100)-50)/8)...)
	}
	const text = `{"block": 1, "buffers": [{"name": "x", "type": "%s", "bytes": 16, "fill": {%s}}],
		"params": [{"kind": "buffer", "buffer": "x"}, {"kind": "buffer", "buffer": "x"}, {"kind": "scalar", "type": "u32", "value": 0}],
		"outputs": [{"buffer": "x", "file": "want"}]}`
	s = 9
	var bits []byte
	for range 4 {
		s = s*6364136223846793005 + 1442695040888963407
		bits = append(bits, byte(s>>32), byte(s>>40), byte(s>>48), byte(s>>56))
	}
	for _, c := range []struct {
		typ, fill string
		want      []byte
	}{
		{"f32", `"kind": "lcg", "seed": 9, "mod": 100, "sub": 50, "scale": -3`, want},
		{"b32", `"kind": "bits", "seed": 9`, bits},
		{"u8", `"kind": "byte", "value": 7`, bytes.Repeat([]byte{7}, 16)},
	} {
		d, err := runs(t, p, fmt.Sprintf(text, c.typ, c.fill), files{"want": c.want})
		if err != nil || len(d) > 0 {
			t.Errorf("%s: %v, %v", c.fill, err, d)
		}
	}
	_, err := runs(t, p, fmt.Sprintf(text, "f16", `"kind": "lcg", "seed": 9, "mod": 1000000`), files{"want": bits})
	if e, ok := errors.AsType[*runfile.Error](err); !ok || e.Field != "buffers[0].fill" {
		t.Errorf("numbers that f16 does not hold: %v", err)
	}
}
