package service_test

import (
	"strings"
	"testing"

	"girih/internal/budget"
	"girih/internal/service"
)

func TestReadPlaces(t *testing.T) {
	t.Parallel()
	r := service.Read(service.ReadRequest{Text: "é (2,3):(3,1)\n\n  B = 4:1\n"})
	if !r.OK || len(r.Items) != 2 {
		t.Fatalf("Read = %+v", r)
	}
	a, b := r.Items[0], r.Items[1]
	if want := (service.ReadPlace{Start: 3, End: 14, Line: 1, Column: 3}); a.Place != want {
		t.Errorf("the first value stands at %+v, want %+v", a.Place, want)
	}
	if want := (service.ReadPlace{Start: 22, End: 25, Line: 3, Column: 7}); b.Place != want || b.Name != "B" {
		t.Errorf("the second value stands at %+v, want %+v; its name is %q", b.Place, want, b.Name)
	}
}

func TestReadNothing(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]string{"": "syntax", "hello": "syntax", strings.Repeat(" ", service.MaxRead+1): "limit"} {
		if r := service.Read(service.ReadRequest{Text: text}); r.OK || r.Error == nil || r.Error.Code != code ||
			r.Error.Code == "syntax" && r.Error.HasPlace() {
			t.Errorf("Read(%.10q) = %+v, want the error %s", text, r, code)
		}
	}
	r := service.Read(service.ReadRequest{Text: "x = (4 8)"})
	if r.OK || !r.Error.HasPlace() || r.Error.Pos != 7 {
		t.Errorf("Read = %+v, %+v; want the place of 8", r, r.Error)
	}
}

// Reading stops at the session's memory limit, and the error contains the limit.
func TestReadWithinMemory(t *testing.T) {
	t.Parallel()
	text := "[" + strings.Repeat("[0,1],", 1<<17) + "[0,1]]"
	for _, c := range []struct {
		bytes int64
		ok    bool
	}{{8 << 20, false}, {128 << 20, true}} {
		s := new(service.Session)
		b := budget.New(t.Context(), c.bytes)
		s.Within(budget.With(t.Context(), b), service.Room{Bytes: 1 << 20})
		r := s.Read(service.ReadRequest{Text: text})
		if r.OK != c.ok {
			t.Errorf("within %d MiB: %v, %+v", c.bytes>>20, r.OK, r.Error)
		}
		if !c.ok && (r.Error.Code != "limit" || !strings.Contains(r.Error.Message, "8 MiB")) {
			t.Errorf("within %d MiB: %+v", c.bytes>>20, r.Error)
		}
		if c.ok && b.InUse() > 1<<20 {
			t.Errorf("%d bytes are held after reading one value", b.InUse())
		}
	}
}
