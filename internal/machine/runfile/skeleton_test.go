package runfile_test

import (
	"strings"
	"testing"

	"girih/internal/machine/runfile"
	"girih/ptx"
)

const many = `.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 arena[];
.visible .entry first(.param .u64 .ptr .global .align 16 first_param_0, .param .u64 first_param_1, .param .f32 first_param_2,
	.param .u64 .ptr .global first_param_3, .param .align 64 .b8 first_param_4[128], .param .align 64 .b8 first_param_5[192], .param .u32 first_param_6)
.maxntid 256, 1, 1
.reqnctapercluster 2, 1, 1
{
	.reg .b64 %a, %b, %m, %n; .reg .b32 %s, %r; .reg .f32 %f; .reg .b16 %h;
	ld.param.b64 %a, [first_param_0];
	cvta.to.global.u64 %b, %a;
	mad.wide.u32 %b, %r, 4, %b;
	ld.global.f32 %f, [%b+16];
	ld.param.u64 %b, [first_param_1];
	mov.u32 %s, arena;
	mov.b64 %m, first_param_4;
	cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%m, {%r, %r, %r}], [%s];
	mov.b64 %n, first_param_5;
	add.s64 %n, %n, 64;
	cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%n, {%r, %r}], [%s];
	ld.param.u64 %a, [first_param_5+8];
	st.global.b16 [%a], %h;
	ld.param.u32 %r, [first_param_6];
	st.u32 [%r], %s;
	ret;
}
.visible .entry second() { ret; }`

func FuzzSkeleton(f *testing.F) {
	f.Add(many, "first")
	f.Add(keep, "")
	f.Add(copies, "copies")
	f.Fuzz(func(t *testing.T, src, entry string) {
		m, err := ptx.Parse(src)
		if err != nil {
			return
		}
		x, err := runfile.Skeleton(m, entry)
		if err != nil {
			return
		}
		if y, err := runfile.Parse(x.Text()); err == nil && string(y.Text()) != string(x.Text()) {
			t.Errorf("%s\nis read as %s", x.Text(), y.Text())
		}
	})
}

func TestSkeleton(t *testing.T) {
	t.Parallel()
	f, err := runfile.Skeleton(module(t, many), "first")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "entry": "first",
  "grid": [2, 1, 1],
  "block": [256, 1, 1],
  "cluster": [2, 1, 1],
  "shared": 49152,
  "buffers": [
    {"name": "p0", "type": "f32", "bytes": 65536, "fill": {"kind": "lcg", "seed": 1, "mod": 128, "sub": 64, "scale": -6}},
    {"name": "p4", "type": "f16", "bytes": 524288, "fill": {"kind": "lcg", "seed": 2, "mod": 128, "sub": 64, "scale": -6}},
    {"name": "p5_8", "type": "u16", "bytes": 65536, "fill": {"kind": "byte", "value": 255}},
    {"name": "p5_64", "type": "f16", "bytes": 8192, "fill": {"kind": "byte", "value": 255}}
  ],
  "params": [
    {"kind": "buffer", "buffer": "p0"},
    {"kind": "scalar", "type": "u64", "value": 1},
    {"kind": "scalar", "type": "f32", "value": 1},
    {"kind": "scalar", "type": "u64", "value": 0},
`
	text := string(f.Text())
	if !strings.HasPrefix(text, want) {
		t.Errorf("the skeleton is\n%s\nwant\n%s", text, want)
	}
	for _, part := range []string{
		`{"kind": "map", "type": "f16", "buffer": "p4", "dims": [64, 64, 64], "strides": [128, 8192], "box": [64, 64, 1]`,
		`{"kind": "bytes", "size": 192, "patches": [{"at": 8, "kind": "buffer", "buffer": "p5_8"}, {"at": 64, "kind": "map"`,
		`{"kind": "scalar", "type": "u32", "value": 1}`, `{"buffer": "p5_8"},`, `{"buffer": "p5_64"}`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the skeleton has no %s:\n%s", part, text)
		}
	}
	g, err := runfile.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	in, err := g.Load(runfile.Host{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.New(program(t, many)); err != nil {
		t.Errorf("what it says is no launch: %v", err)
	}
	for entry, want := range map[string]string{
		"": "entry: the PTX has 2 kernels, name one: first, second", "third": `entry: the PTX has no kernel "third": there are first, second`,
	} {
		if _, err := runfile.Skeleton(module(t, many), entry); err == nil || err.Error() != want {
			t.Errorf("the entry %q: %v, want %s", entry, err, want)
		}
	}
}
