package service

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// The plan, the kernel and the launch of a copy.
func TestCopy(t *testing.T) {
	t.Parallel()
	q := CopyRequest{Src: "(64,96):(96,1)", Dst: "(64,96):(1,64)", Type: "f16"}
	r := new(Session).Copy(q)
	if !r.OK || !strings.Contains(r.Text(), "shared -> global") {
		t.Fatalf("%+v", r)
	}
	q.As = "ptx"
	r = new(Session).Copy(q)
	if p := r.Launch.Params; !strings.Contains(r.Text(), ".entry "+r.Launch.Entry) || len(p) != 2 || p[0].Name != "src" ||
		p[1].Name != "dst" || r.Launch.Block != r.Plan.Threads {
		t.Errorf("%+v of\n%s", r.Launch, r.Source)
	}
	// The fields that examples/copy_torch.py reads.
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		OK     bool
		Source string
		Launch struct {
			Entry  string
			Grid   []string
			Block  int
			Params []struct{ Name string }
		}
		Plan struct{ Way string }
	}
	if err := json.Unmarshal(text, &read); err != nil || !read.OK || read.Source == "" || read.Launch.Grid[0] != "1" ||
		read.Launch.Block == 0 || read.Plan.Way != "blocks" {
		t.Errorf("%v: %s", err, text)
	}
}

// The picture of each way, in each format.
func TestCopyPicture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src, dst, typ string
		says          []string
	}{
		{"(4096,8192):(8192,1)", "(4096,8192):(1,4096)", "f16", []string{
			"1. global -&gt; registers", "2. registers -&gt; shared", "3. shared -&gt; registers", "4. registers -&gt; global",
			`data-key="t31a0"`, "Sw&lt;3,3,7&gt;", "256 wavefronts, 256 at least",
		}},
		{"(3,1000):(1,3)", "(3,1000):(1000,1)", "u8", []string{"4. registers"}},
		{"1000:-1", "1000:1", "f32", []string{"2. registers -&gt; global", `data-key="t0a0"`}},
		{"(8,1000):(1,0)", "(8,1000):(1,8)", "b128", []string{"T0 ×"}},
		{"1:0", "1:0", "u8", []string{`data-key="t0a0"`}},
	} {
		for _, format := range DrawFormats() {
			r := new(Session).Copy(CopyRequest{Src: c.src, Dst: c.dst, Type: c.typ, Picture: format})
			if !r.OK || len(r.Picture) == 0 {
				t.Fatalf("%s to %s as %s: %+v", c.src, c.dst, format, r.Error)
			}
			for _, want := range c.says {
				if format == "svg" && !bytes.Contains(r.Picture, []byte(want)) {
					t.Errorf("%s to %s: the picture has no %q", c.src, c.dst, want)
				}
			}
		}
	}
}

// Refusals, with the code and what would work.
func TestCopyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q               CopyRequest
		code, says, fix string
	}{
		{CopyRequest{Src: "4:1", Dst: "5:1", Type: "f16"}, "not_congruent", "found 5 and 4", "same shape"},
		{CopyRequest{Src: "(4,2):(2,1)", Dst: "(4,2):(1,3)", Type: "f16"}, "not_injective", "(3,0) and (0,1) are at 3", "no two elements meet"},
		{CopyRequest{Src: "4:1", Dst: "4:1"}, "syntax", "expected the type", "f16"},
		{CopyRequest{Src: "4:1", Dst: "4:1", Type: "e2m1"}, "type", "whole bytes", "recast(layout, 4, 8)"},
		{CopyRequest{Src: "4:1", Dst: "4:1", Type: "f16", As: "cu"}, "syntax", "expected one of text, ptx", ""},
		{CopyRequest{Src: "4:1", Dst: "4:1", Type: "f16", Picture: "gif"}, "syntax", "expected a format", ""},
		{CopyRequest{Src: "4:1", Dst: "4:1", Type: "f16", Way: "tma"}, "name", "expected a way", ""},
		{CopyRequest{Src: "4:1", Dst: "4:1", Type: "f16", SrcAlign: 3}, "extent", "power of two", ""},
		{CopyRequest{Src: "4:1 +", Dst: "4:1", Type: "f16"}, "syntax", "", ""},
		{CopyRequest{Src: "SM80_16x8x16_F32F16F16F32_TN", Dst: "4:1", Type: "f16"}, "type", "expected a layout", ""},
		{CopyRequest{Src: "", Dst: "4:1", Type: "f16"}, "syntax", "expected an expression", ""},
		{CopyRequest{Src: "make_identity_layout((4,4))", Dst: "(4,4):(1,4)", Type: "f16"}, "codomain", "coordinates", ""},
	} {
		r := new(Session).Copy(c.q)
		if r.OK || r.Error == nil || r.Error.Code != c.code || !strings.Contains(r.Error.Message, c.says) ||
			!strings.Contains(r.Error.Hint, c.fix) {
			t.Errorf("%+v: %+v, expected %s, %q and %q", c.q, r.Error, c.code, c.says, c.fix)
		}
	}
}

// With run-time integers the plan holds for all values; given values determine the arguments.
func TestCopyForAll(t *testing.T) {
	t.Parallel()
	const layouts = `"src":"(M,N,4):(1,M,M*N)","dst":"(?,N,4):(4*N,4,1)","type":"f16","as":"ptx"`
	ask := func(more string) (r CopyResponse) {
		t.Helper()
		if err := json.Unmarshal(new(Session).Do("copy", []byte("{"+layouts+more+"}")), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	q := CopyRequest{Src: "(M,N,4):(1,M,M*N)", Dst: "(?,N,4):(4*N,4,1)", Type: "f16", As: "ptx"}
	open := new(Session).Copy(q)
	if !open.OK || open.Predicted != nil || open.Launch.Args != nil || open.Plan.Src != "" || len(open.Notes) > 0 {
		t.Fatalf("%+v", open)
	}
	of := map[string]string{}
	for _, p := range open.Launch.Params[2:] {
		of[p.Name] = p.Of
	}
	if want := map[string]string{"M": "M", "N": "N", "src_stride0": "M*N"}; !maps.Equal(of, want) {
		t.Errorf("the arguments are %v, want %v", of, want)
	}
	s := new(Session)
	s.Set(map[string]int64{"M": 12, "N": 7, "?1": 12})
	at := s.Copy(q)
	if want := map[string]int64{"M": 12, "N": 7, "src_stride0": 84}; !at.OK || !maps.Equal(at.Launch.Args, want) ||
		at.Source != open.Source || at.Plan.Dst != "(12,7,4):(28,4,1)" || at.Predicted == nil {
		t.Errorf("%+v, want the same kernel with the arguments %v", at.Launch, want)
	}
	if r := ask(`,"set":["M=12","N=7","?=13"]`); r.OK || r.Error.Code != "fact" {
		t.Errorf("%+v, want extents that must be equal", r.Error)
	}
	// Run-time integers with a value in the program are not parameters.
	r := new(Session).Copy(CopyRequest{Src: "make_layout((Int32(6),4))", Dst: "(6,4):(4,1)", Type: "f16"})
	if !r.OK || len(r.Launch.Params) != 2 || r.Plan.Src != "(6,4):(1,6)" {
		t.Errorf("%+v %+v", r.Plan, r.Error)
	}
}
