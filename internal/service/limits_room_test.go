package service_test

import (
	"strings"
	"testing"

	"girih/internal/service"
)

// TestRoom checks that an operation that writes more than the answer may contain is stopped while it writes.
func TestRoom(t *testing.T) {
	t.Parallel()
	const room = 10_000
	within := func() *service.Session {
		s := new(service.Session)
		s.Within(t.Context(), service.Room{Bytes: room, Hint: "ask for less"})
		return s
	}
	r := within().Show(service.ShowRequest{Expr: "offsets(1024:1)"})
	if r.Error == nil || r.Error.Code != "limit" || r.Error.Hint != "ask for less" || len(r.Texts) > 0 {
		t.Errorf("show: %+v, %d texts", r.Error, len(r.Texts))
	}
	if r := within().Show(service.ShowRequest{Expr: "offsets(1024:1)", As: "go"}); r.Error != nil {
		t.Errorf("show in one dialect: %+v", r.Error)
	}
	for _, program := range []string{
		"for i in range(1000000000000):\n    print(i)", "for i in range(1000000000000):\n    print_layout((64,64):(64,1))",
		"for i in range(1000000000000):\n    print_latex((8,8):(8,1))",
		"@cute.jit\ndef f():\n    for i in range(1000000000000):\n        cute.printf('{:999}', i)\nf()",
	} {
		r := within().Run(service.RunRequest{Program: program})
		if r.Error == nil || r.Error.Code != "limit" || !strings.Contains(r.Error.Message, "10000 bytes") ||
			len(r.Output) > room {
			t.Errorf("%q: %+v after %d bytes", program, r.Error, len(r.Output))
		}
	}
	if r := within().Gemm(service.GemmRequest{Type: "f16", M: 8192, N: 8192, K: 1}); r.Error == nil || r.Error.Code != "limit" {
		t.Errorf("gemm: %+v", r.Error)
	}
}

// TestAlone checks that the command line has a limit, but a larger one.
func TestAlone(t *testing.T) {
	t.Parallel()
	s := new(service.Session)
	s.Alone()
	if r := s.Gemm(service.GemmRequest{Type: "f16", M: 8192, N: 8192, K: 8192}); r.Error == nil || r.Error.Code != "limit" {
		t.Errorf("gemm: %+v", r.Error)
	}
	if r := s.Show(service.ShowRequest{Expr: "offsets(16384:1)"}); r.Error != nil {
		t.Errorf("show: %+v", r.Error)
	}
	const x = `{"name": "%", "bytes": 1073741824, "fill": {"kind": "none"}}`
	q := service.SimRequest{
		PTX: ".version 8.0\n.target sm_90\n.address_size 64\n.global .b8 x[4294967296];\n.visible .entry k() { ret; }",
		Run: `{"block": 1, "buffers": [` + strings.ReplaceAll(x, "%", "a") + `]}`,
	}
	if r := s.Sim(q); r.Error == nil || r.Error.Code != "limit" || !strings.Contains(r.Error.Message, "4096 MiB") {
		t.Errorf("sim: %+v", r.Error)
	}
}
