package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"girih/internal/service"
)

// example returns a file of docs/simulator.
func example(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/simulator/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSimFinding(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Sim(service.SimRequest{PTX: example(t, "late.ptx"), Run: example(t, "late.json"), Seeds: 5})
	if r.OK || r.Error == nil || r.Error.Code != service.CodeFinding || len(r.Findings) != 1 || r.Seeds != 1 {
		t.Fatalf("%+v", r)
	}
	f := r.Findings[0]
	if f.Kind != "read-pending" || f.Line != 32 || f.Address != "0x610" ||
		!strings.HasPrefix(f.Text, "ld.shared.v4.f32") || !strings.Contains(f.Message, "cp.async.wait_group is missing") {
		t.Errorf("%+v", f)
	}
	if r.Entry != "late" || r.Traffic.Sectors != 32 || len(r.Lines) == 0 {
		t.Errorf("%+v", r)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"findings":[{"kind":"read-pending","line":32`) {
		t.Errorf("%v: %s", err, text)
	}
}

// TestSimNotes checks that a barrier that threads never reach is not a finding.
func TestSimNotes(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Sim(service.SimRequest{
		PTX: ".version 8.3 .target sm_90a .address_size 64 .visible .entry k() {\n" +
			".reg .pred %p<2>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 64; @%p1 ret;\n" +
			"bar.sync 0;\n" + "ret; }\n",
		Run: `{"grid": 1, "block": 128, "params": []}`, Seeds: 3,
	})
	if !r.OK || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "line 3, bar.sync: 64 of 128 threads") {
		t.Errorf("%+v", r)
	}
}

// TestSimFoundAt checks that the timeline of a failed run shows the place of the finding.
func TestSimFoundAt(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Sim(service.SimRequest{PTX: example(t, "late.ptx"), Run: example(t, "late.json"), Timeline: "txt"})
	if _, after, ok := strings.Cut(string(r.Timeline), "\nread-pending, line 32 "); !ok || !strings.Contains(after[:90], "v\n") {
		t.Errorf("the timeline is\n%s", r.Timeline)
	}
}

// TestSimContinue checks that a run that goes on after findings, or ignores them, still compares the outputs.
func TestSimContinue(t *testing.T) {
	t.Parallel()
	run := strings.Replace(example(t, "late.json"), `{"buffer": "y"}`, `{"buffer": "y", "file": "y"}`, 1)
	q := service.SimRequest{PTX: example(t, "late.ptx"), Run: run, Out: []string{"y", "x"}}
	// With the wait and a barrier nothing is found. Runs that go on after the finding have the same outputs.
	load := "\tld.shared.v4.f32"
	sound := service.SimRequest{
		PTX: strings.Replace(q.PTX, load, "\tcp.async.wait_group 0;\n\tbar.sync 0;\n"+load, 1), Run: example(t, "late.json"),
		Out: []string{"y"},
	}
	var first service.Session
	want := first.Sim(sound)
	if !want.OK {
		t.Fatalf("with a wait: %+v", want.Findings)
	}
	q.Open = func(string, int64) ([]byte, error) { return want.Files[0][128:], nil }
	const header = "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (256,), }"
	for _, c := range []struct {
		most          int64
		ignore        []string
		ok            bool
		told, ignored int
		text          string
	}{
		{0, nil, false, 1, 0, "is missing before it\n      25 | cp.async.cg.shared.global [%r2], [%x], 16;\n\n29 instructions"},
		{1, nil, false, 1, 0, "\n1 finding; the kernel ran to its end, with 1 output as it has to be\n\n48 instructions"},
		{2, nil, false, 1, 0, "address 0x610, 2 times\n"},
		{2, nil, false, 1, 0, "\n1 finding; the kernel ran to its end, with 1 output as it has to be\n\n48 instructions"},
		{0, []string{"read-pending"}, true, 0, 1, "passed over 1 finding, found 2 times: read-pending at line 32 (2)\nnothing else found, and 1 output as it has to be\n"},
		{0, []string{"race:1, read-pending:25"}, true, 0, 1, "passed over 1 finding"},
		{0, []string{"race", "read-pending:26"}, false, 1, 0, "the run ended with the last of them, and --continue goes on\n"},
	} {
		q.Continue, q.Ignore = c.most, c.ignore
		var s service.Session
		r := s.Sim(q)
		if r.OK != c.ok || len(r.Findings) != c.told || len(r.Ignored) != c.ignored || !strings.Contains(r.Text(), c.text) {
			t.Errorf("%d, %v: %+v, %+v\n%s", c.most, c.ignore, r.Error, r.Findings, r.Text())
		}
		if len(r.Files) != 2 || len(r.Files[0]) != 128+256 || !strings.HasPrefix(string(r.Files[1]), header) {
			t.Errorf("the buffers are %q", r.Files)
		}
	}
}

func TestSimWrong(t *testing.T) {
	t.Parallel()
	var s service.Session
	run := strings.Replace(example(t, "ring.json"), "[32, 32,", "[32, 33,", 1)
	r := s.Sim(service.SimRequest{PTX: example(t, "ring.ptx"), Run: run, Seeds: 3})
	if r.OK || r.Error == nil || r.Error.Code != service.CodeWrong || r.Seeds != 1 ||
		len(r.Wrong) != 1 || r.Wrong[0].First != 1 {
		t.Fatalf("%+v", r)
	}
	const want = "y: 1 of 32 elements of type f32 are wrong, the first is y[1]: got 32 (0x42000000), want 33 (0x42040000)\n"
	if text := r.Text(); !strings.HasPrefix(text, want) {
		t.Errorf("the text is\n%s\nwant %s", text, want)
	}
}

func TestSimSound(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Sim(service.SimRequest{PTX: example(t, "ring.ptx"), Run: example(t, "ring.json"), Seeds: 40, Timeline: "txt"})
	if !r.OK || r.Error != nil || r.Seeds != 40 || r.Compared != 1 || r.Traffic.Bulk != 4096 {
		t.Fatalf("%+v", r)
	}
	picture := string(r.Timeline)
	for _, part := range []string{
		"\n      warp 0  ", "\nstages in shared memory\n       0x400  ", "\nmbarriers\n       0x800 ", "AAA", "bbb",
	} {
		if !strings.Contains(picture, part) {
			t.Errorf("the timeline has no %q:\n%s", part, picture)
		}
	}
	for format, begins := range map[string]string{"svg": "<svg", "png": "\x89PNG", "tex": `\documentclass`} {
		r := s.Sim(service.SimRequest{PTX: example(t, "ring.ptx"), Run: example(t, "ring.json"), Timeline: format})
		if !strings.Contains(string(r.Timeline[:min(len(r.Timeline), 200)]), begins) {
			t.Errorf("as %s the timeline is %.60q", format, r.Timeline)
		}
	}
}

// TestSimRefuses checks that descriptions that are not a run are refused, with the place of the error.
func TestSimRefuses(t *testing.T) {
	t.Parallel()
	ptx, run := example(t, "ring.ptx"), example(t, "ring.json")
	for _, c := range []struct {
		q          service.SimRequest
		code, want string
	}{
		{service.SimRequest{PTX: "entry", Run: run}, "syntax", "ptx: "},
		{service.SimRequest{PTX: ptx}, "syntax", "expected a run, found none"},
		{service.SimRequest{PTX: ptx, Run: "{"}, "syntax", "no JSON"},
		{service.SimRequest{PTX: ptx, Run: `{"block": 64, "params": [{"kind": "buffer", "buffer": "z"}]}`}, "syntax", `params[0].buffer: there is no buffer "z"`},
		{service.SimRequest{PTX: ptx, Run: `{"block": 64}`}, "type", "argument: ring has 3 parameters, found 0 arguments"},
		{service.SimRequest{PTX: ptx, Run: strings.Replace(run, "[64, 1, 1]", "[32, 1, 1]", 1)}, "type", "launch: a block of (32,1,1), and the kernel requires (64,1,1)"},
		{service.SimRequest{PTX: ptx, Run: strings.Replace(run, `"block"`, `"entry": "rong", "block"`, 1)}, "name", "entry: the PTX has no kernel \"rong\": there is\n  1 ring"},
		{service.SimRequest{PTX: ptx, Run: strings.Replace(run, `"fill": {"kind": "byte", "value": 255}`, `"file": "y.npy"`, 1)}, "syntax", "no files can be read here"},
		{service.SimRequest{PTX: ptx, Run: run, Seeds: -1}, "syntax", "expected up to"},
		{service.SimRequest{PTX: ptx, Run: run, Timeline: "gif"}, "syntax", "expected a format of the timeline, one of svg, png, tex, txt"},
		{service.SimRequest{PTX: ptx, Init: true, Entry: "x"}, "name", "entry: the PTX has no kernel \"x\": there is\n  1 ring"},
		{service.SimRequest{PTX: ptx, Run: run, Entry: "2"}, "name", "entry: expected a number from 1 to 1, found 2"},
		{service.SimRequest{PTX: ptx, Run: run, Continue: -1}, "syntax", "expected up to 65536 findings to report, found -1"},
		{service.SimRequest{PTX: ptx, Run: run, Ignore: []string{"race,deadlock"}}, "syntax", "expected a kind of findings that a run can go on after, out-of-bounds, misaligned, uninitialised, exited, not-begun, noncoherent, race, read-pending, write-pending, tx-count, readonly, wgmma-registers or tensor-memory, found \"deadlock\""},
		{service.SimRequest{PTX: ptx, Run: run, Ignore: []string{"race:0"}}, "syntax", "expected KIND:LINE with a line of the PTX, found \"race:0\""},
		{service.SimRequest{PTX: ptx, Run: run, Out: []string{"z"}}, "syntax", `out: there is no buffer "z": there are x, y`},
	} {
		var s service.Session
		r := s.Sim(c.q)
		if r.OK || r.Error == nil || r.Error.Code != c.code || !strings.Contains(r.Error.Message, c.want) {
			t.Errorf("%+v, want %s: %s", r.Error, c.code, c.want)
		}
	}
}

// TestSimSteps checks that an endless run stops at a number of steps, or when the time of the session is
// over.
func TestSimSteps(t *testing.T) {
	t.Parallel()
	const forever = `.version 8.0
.target sm_80
.address_size 64
.visible .entry forever(.param .u64 x)
{
	.reg .b64 %x; .reg .b32 %r;
	ld.param.u64 %x, [x];
AGAIN:
	ld.global.u32 %r, [%x]; add.u32 %r, %r, 1; st.global.u32 [%x], %r;
	bra AGAIN;
}`
	const run = `{"block": 1, "buffers": [{"name": "x", "type": "u32", "values": [0]}], "params": [{"kind": "buffer", "buffer": "x"}]}`
	var s service.Session
	r := s.Sim(service.SimRequest{PTX: forever, Run: run, Steps: 1000})
	if r.OK || len(r.Findings) != 1 || r.Findings[0].Kind != "steps" || !strings.Contains(r.Findings[0].Message, "more than 1000 instructions") {
		t.Errorf("%+v", r.Error)
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	s.Within(ctx, service.Room{})
	if r := s.Sim(service.SimRequest{PTX: forever, Run: run}); r.OK || r.Error == nil || r.Error.Code != "limit" {
		t.Errorf("%+v, %+v", r.Error, r.Findings)
	}
}

func TestSimFiles(t *testing.T) {
	t.Parallel()
	var s service.Session
	q := service.SimRequest{PTX: example(t, "ring.ptx"), Run: strings.Replace(example(t, "ring.json"),
		`"bytes": 4096, "fill": {"kind": "lcg", "seed": 1, "mod": 1, "sub": -1}`, `"file": "x.bin"`, 1)}
	q.Open = func(name string, _ int64) ([]byte, error) {
		if name != "x.bin" {
			return nil, errors.New("another file")
		}
		return make([]byte, 4096), nil
	}
	if r := s.Sim(q); r.OK || len(r.Wrong) != 1 || r.Wrong[0].Wrong != 32 || !strings.HasPrefix(r.Wrong[0].Got, "0 ") {
		t.Errorf("%+v", r)
	}
}
