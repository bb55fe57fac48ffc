package service_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"girih/internal/check/long"
	"girih/internal/service"
)

// TestFollow follows kernels: the answers are small, and their texts fit 80 columns.
func TestFollow(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	thread := int64(5)
	for _, q := range []service.FollowRequest{
		{Kernel: "transpose"},
		{Kernel: "sgemm_sm80", At: "A(3,5)"},
		{Kernel: "sgemm_1", Thread: &thread},
		{Kernel: "softmax", At: "y(1,2)"},
		{PTX: readText(t, "ring.ptx"), Run: readText(t, "ring.json")},
		{Program: pastedCopy, At: "A(3,5)"},
	} {
		r := new(service.Session).Follow(q)
		if !r.OK || r.Lost != 0 || len(r.Hops) == 0 {
			t.Errorf("%s: %v, %d bytes lost", q.Kernel, r.Error, r.Lost)
			continue
		}
		if text, err := json.Marshal(r); err != nil || len(text) > 1<<20 {
			t.Errorf("%s: the answer has %d bytes, %v", q.Kernel, len(text), err)
		}
		for _, op := range service.Operations() {
			if op.Name != "follow" {
				continue
			}
			a := op.Ask(new(service.Session), &q, service.Terminal)
			for line := range strings.Lines(a.Text()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%s: %d columns: %s", q.Kernel, n, line)
				}
			}
		}
	}
}

// TestFollowTracks checks the names of tracks: the kernel's names of stages and mbarriers, the addresses in PTX.
func TestFollowTracks(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		q    service.FollowRequest
		want string
	}{
		{service.FollowRequest{Kernel: "sgemm_sm80"}, "sA stage 0,sA stage 1,sA stage 2,sB stage 0,sB stage 1,sB stage 2"},
		{
			service.FollowRequest{Kernel: "wgmma_tma_sm90", Tile: []int64{128, 64, 64}, Stages: 2},
			"sA stage 0,sA stage 1,sB stage 0,sB stage 1,pipe.full 0,pipe.full 1,pipe.empty 0,pipe.empty 1",
		},
		{
			service.FollowRequest{PTX: readText(t, "ring.ptx"), Run: readText(t, "ring.json")},
			"0x400,0x600,0x800,0x808,0x810,0x818",
		},
	} {
		r := new(service.Session).Follow(x.q)
		if r.Timeline == nil {
			t.Fatalf("%s has no timeline: %v", x.q.Kernel, r.Error)
		}
		var got []string
		for _, track := range r.Timeline.Tracks {
			if track.Group == "stages in shared memory" || track.Group == "mbarriers" {
				got = append(got, track.Name)
			}
		}
		if strings.Join(got, ",") != x.want {
			t.Errorf("%s has the tracks %s, expected %s", x.q.Kernel, strings.Join(got, ","), x.want)
		}
	}
}

// TestFollowRepairs checks that a changed request has the numbers that it promises when it is followed.
func TestFollowRepairs(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ kernel, typ, to, unit string }{
		{"transpose_naive", "", "transpose_swizzled", "sectors"},
		{"transpose_padded", "f16", "transpose_swizzled", "wavefronts"},
	} {
		r := new(service.Session).Follow(service.FollowRequest{Kernel: x.kernel, Type: x.typ})
		found := false
		for _, h := range r.Hops {
			for _, p := range h.Repairs {
				if p.Request == nil || p.Request["kernel"] != x.to {
					continue
				}
				found = true
				after := new(service.Session).Follow(service.FollowRequest{Kernel: x.to, Type: x.typ})
				for _, c := range []struct {
					r    *service.FollowResponse
					want int64
				}{{&r, p.Before}, {&after, p.After}} {
					sum := int64(0)
					for _, g := range c.r.Hops {
						if x.unit == "sectors" {
							sum += g.Sectors
						} else {
							sum += g.Wavefronts
						}
					}
					if p.Unit != x.unit || sum != c.want {
						t.Errorf("%s has %d %s, expected %d %s: %s", c.r.Name, sum, x.unit, c.want, p.Unit, p.Text)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s has no repair that leads to %s", x.kernel, x.to)
		}
	}
	if r := new(service.Session).Follow(service.FollowRequest{Kernel: "transpose_swizzled"}); r.Error == nil {
		for _, h := range r.Hops {
			for _, p := range h.Repairs {
				if p.Request != nil {
					t.Errorf("transpose_swizzled has a repair: %s", p.Text)
				}
			}
		}
	}
}

// TestFollowListing checks that the Go source of a kernel has its counters, and that the lines of hops are what the
// hops do: the file itself has the texts.
func TestFollowListing(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Follow(service.FollowRequest{Kernel: "sgemm_sm80", Tile: []int64{64, 64, 32}})
	if r.Error != nil || len(r.Sources) != 2 || r.Sources[0].Name != "sgemm_sm80.go" {
		t.Fatalf("%v: %d sources", r.Error, len(r.Sources))
	}
	text, err := os.ReadFile("../../examples/sgemm_sm80.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	ran, counted := 0, int64(0)
	for i, l := range r.Sources[0].Lines {
		if l.Line != i+1 || l.Text != lines[i] {
			t.Fatalf("line %d is %q, expected %q", l.Line, l.Text, lines[i])
		}
		for _, h := range l.Hops {
			if want := "Copy"; r.Hops[h].Kind == "copy" && !strings.Contains(l.Text, want) {
				t.Errorf("line %d copies, and is %q", l.Line, l.Text)
			}
		}
		if l.Count > 0 {
			ran++
		}
		counted += l.Sectors
	}
	sectors := int64(0)
	for _, h := range r.Hops {
		sectors += h.Sectors
	}
	if len(r.Sources[0].Lines) != len(lines) || ran < 10 || counted != sectors {
		t.Errorf("%d lines of %d, %d ran, %d sectors of %d", len(r.Sources[0].Lines), len(lines), ran, counted, sectors)
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/simulator/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFollowRefuses checks the codes of refusals.
func TestFollowRefuses(t *testing.T) {
	t.Parallel()
	big := new(service.Session)
	big.Set(map[string]int64{"m": 4096, "n": 4096, "k": 4096})
	for _, x := range []struct {
		s    *service.Session
		q    service.FollowRequest
		code string
	}{
		{nil, service.FollowRequest{}, "syntax"},
		{nil, service.FollowRequest{Kernel: "sgemm_3"}, "name"},
		{nil, service.FollowRequest{Kernel: "transpose", Block: "1,0,0"}, "extent"},
		{nil, service.FollowRequest{Kernel: "transpose", Block: "a"}, "syntax"},
		{nil, service.FollowRequest{Kernel: "transpose", Steps: 10}, "limit"},
		{nil, service.FollowRequest{Kernel: "transpose", Steps: 1 << 40}, "syntax"},
		{big, service.FollowRequest{Kernel: "sgemm_sm80"}, "limit"},
		{nil, service.FollowRequest{PTX: "x"}, "syntax"},
		{nil, service.FollowRequest{JSON: "{}"}, "syntax"},
		{nil, service.FollowRequest{Program: "print(1)"}, "not_representable"},
	} {
		s := x.s
		if s == nil {
			s = new(service.Session)
		}
		if r := s.Follow(x.q); r.Error == nil || r.Error.Code != x.code {
			t.Errorf("%+v: %v, expected %s", x.q, r.Error, x.code)
		}
	}
}

// FuzzFollow looks for panics.
func FuzzFollow(f *testing.F) {
	f.Add("transpose", "a(3,5)", "0,0,0", int64(32), int64(16))
	f.Add("sgemm_1", "sA(1,", "9", int64(-1), int64(0))
	f.Fuzz(func(t *testing.T, name, at, block string, m, k int64) {
		s := new(service.Session)
		s.Set(map[string]int64{"m": m % 128, "n": 64, "k": k % 64})
		q := service.FollowRequest{Kernel: name, At: at, Block: block, Thread: &m, Steps: 20_000}
		for _, op := range service.Operations() {
			if op.Name == "follow" {
				if a := op.Ask(s, &q, service.Terminal); a.OK && a.Text() == "" {
					t.Error("an answer without a text")
				}
			}
		}
	})
}
