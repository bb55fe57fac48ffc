package service_test

import (
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"girih/internal/service"
)

// lastWriter is a kernel of two blocks that leaves the number of the block that wrote last.
const lastWriter = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x) {
	.reg .b32 %b; .reg .b64 %a;
	ld.param.u64 %a, [x]; mov.u32 %b, %ctaid.x;
	atom.global.exch.b32 %b, [%a], %b;
	ret;
}`

// TestCheckOrders checks that the answer does not depend on the number of processors. It changes that number, so it is
// not parallel.
func TestCheckOrders(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	q := service.SimRequest{PTX: lastWriter, Seeds: 64, Run: `{"grid": 4, "block": 1,
		"buffers": [{"name": "x", "type": "u32", "values": [9]}], "params": [{"kind": "buffer", "buffer": "x"}],
		"outputs": [{"buffer": "x", "values": [3]}]}`}
	var first service.SimResponse
	for i, cores := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(cores)
		for _, q.Strict = range []bool{false, true} {
			r := new(service.Session).Check(q)
			if r.OK || r.Seed == 0 || len(r.Wrong) != 1 || len(r.Findings) > 0 {
				t.Fatalf("%d cores: %+v", cores, r)
			}
			if i == 0 && !q.Strict {
				first = r
			} else if !reflect.DeepEqual(r, first) {
				t.Errorf("%d cores: %+v\none core: %+v", cores, r, first)
			}
		}
	}
}

// TestCheckFirst checks that --continue 1 does not turn a race into a strict finding.
func TestCheckFirst(t *testing.T) {
	t.Parallel()
	q := service.SimRequest{
		PTX: ".version 8.3 .target sm_90a .address_size 64 .visible .entry k() { .shared .u32 s[2]; .reg .b32 %r<3>; .reg .pred %p;\n" +
			"mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; setp.ne.u32 %p, %r2, 0; @%p ret; st.shared.u32 [s], %r1;\nst.shared.u32 [s+4], %r1;\nret; }\n",
		Run: `{"block": 64}`, Strict: true,
	}
	for n, want := range []string{"race race", "race", "race race"} {
		q.Continue = int64(n)
		var got []string
		r := new(service.Session).Check(q)
		for _, f := range r.Findings {
			got = append(got, f.Grade)
		}
		if strings.Join(got, " ") != want || r.OK || r.More != 2-len(got) {
			t.Errorf("--continue %d: %v, and %d more", n, got, r.More)
		}
	}
}

// TestCheckPrograms checks that programs can ask for a check.
func TestCheckPrograms(t *testing.T) {
	t.Parallel()
	body, err := json.Marshal(map[string]any{"ptx": lastWriter, "run": `{"grid": 4, "block": 1,
		"buffers": [{"name": "x", "type": "u32", "values": [9]}], "params": [{"kind": "buffer", "buffer": "x"}]}`})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(new(service.Session).Do("check", body)); !strings.HasPrefix(got, `{"ok":true,"entry":"k",`) {
		t.Errorf("%s", got)
	}
	body, _ = json.Marshal(map[string]any{"ptx": lastWriter, "init": true})
	if got := string(new(service.Session).Do("check", body)); !strings.Contains(got, `"code":"name"`) {
		t.Errorf("%s", got)
	}
}
