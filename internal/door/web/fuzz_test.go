package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"girih/internal/check/hostile"
	"girih/internal/service"
)

// FuzzAPI sends programs with doubling and nested names to all operations, and checks that each is answered in
// bounded time and memory.
func FuzzAPI(f *testing.F) {
	for i := range 32 {
		double := strings.Repeat(string([]byte{byte(i), 1}), 30)
		f.Add(byte(i), []byte(double))
	}
	operations := slices.DeleteFunc(service.Operations(), func(op service.Operation) bool { return !op.Programs })
	a := newAPI(service.DoWithin)
	a.time = 100 * time.Millisecond
	mux := http.NewServeMux()
	mux.Handle("POST /{op}", a)
	f.Fuzz(func(t *testing.T, op byte, data []byte) {
		program := hostile.Program(data)
		name := operations[int(op)%len(operations)].Name
		field := map[string]string{"read": "text", "why": "text", "swizzle": "layout"}[name]
		if field == "" {
			field = "expr"
		}
		body, _ := json.Marshal(map[string]string{field: program}) // strings always encode
		bound := hostile.Begin()
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("POST", "/"+name, strings.NewReader(string(body))))
		if !json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), "a defect of girih") {
			t.Errorf("%s: %.300s", name, w.Body)
		}
		if why := bound.Broken(); why != "" {
			t.Errorf("%s %s: %.1000s", name, why, program)
		}
	})
}
