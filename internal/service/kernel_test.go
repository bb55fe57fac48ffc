//go:build !js

package service

import (
	"slices"
	"strings"
	"testing"
)

// TestKernelOfLaunch checks the report for values of the kernel's integers.
func TestKernelOfLaunch(t *testing.T) {
	t.Parallel()
	ask := func(set map[string]int64) KernelResponse {
		s := new(Session)
		s.Set(set)
		return s.Kernel(KernelRequest{Kernel: "sgemm_sm80", Explain: true})
	}
	r := ask(map[string]int64{"m": 4096, "n": 4096, "k": 512})
	if !r.OK || r.Report.Total == nil || r.Launch.Args["k"] != 512 || !slices.Equal(r.Report.Grid, []int64{32, 32, 1}) ||
		!strings.Contains(r.Source, "\nlaunch of 32x32x1 blocks: ") {
		t.Errorf("%+v", r.Error)
	}
	for _, tt := range []struct {
		set  map[string]int64
		code string
	}{
		{map[string]int64{"m": 4096}, "unknown"},
		{map[string]int64{"M": 4096}, "name"},
		{map[string]int64{"m": 4096, "n": 4096, "k": 7}, "fact"},
	} {
		if r := ask(tt.set); r.OK || r.Error.Code != tt.code {
			t.Errorf("%v: %+v, want %s", tt.set, r.Error, tt.code)
		}
	}
}

// TestKernelOfRequest gives the integers of a kernel values in a request of a program.
func TestKernelOfRequest(t *testing.T) {
	t.Parallel()
	ask := func(set string) string {
		return string(new(Session).Do("kernel", []byte(`{"kernel":"sgemm_1","explain":true,"set":`+set+`}`)))
	}
	if got := ask(`["m=128","n=256","k=8"]`); !strings.Contains(got, "launch of 2x4x1 blocks: ") {
		t.Errorf("got %.200s", got)
	}
	if got := ask(`["M=128"]`); !strings.Contains(got, `"code":"name"`) {
		t.Errorf("got %.200s", got)
	}
}
