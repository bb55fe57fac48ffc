package service

import (
	"encoding/json"
	"slices"
	"testing"
)

// Every request may give values to run-time integers; the answer names the integers of the program.
func TestGivenValues(t *testing.T) {
	t.Parallel()
	inspect := func(body string) (r InspectResponse) {
		t.Helper()
		if err := json.Unmarshal(new(Session).Do("inspect", []byte(body)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	open := inspect(`{"expr":"(?,N):(1,?)"}`)
	if want := []string{"?1", "?2", "N"}; !open.OK || open.Operands != nil || !slices.Equal(open.Symbols, want) {
		t.Errorf("%+v, want the symbols %v and no operands", open, want)
	}
	r := inspect(`{"expr":"(?,N):(1,?)","set":["?=8","N=4","?2=16"]}`)
	if !r.OK || r.Value != "(8,4):(1,16)" || len(r.Operands) != 1 || len(r.Symbols) != 3 {
		t.Errorf("%+v, want (8,4):(1,16)", r)
	}
	for _, body := range []string{`{"expr":"4:1","set":["M"]}`, `{"expr":"4:1","set":4}`, `{"expr":"4:1","set":["M=1","M=2"]}`} {
		if r := inspect(body); r.OK || r.Error == nil || r.Error.Code != "syntax" {
			t.Errorf("%s: %+v, want an error", body, r)
		}
	}
	if r := inspect(`{"expr":"get((\"set\",2),1)"}`); r.Error == nil && r.Value != "2" {
		t.Errorf("a text is taken for a field: %+v", r)
	}
}

// Swizzled values name the fill that shows the swizzle.
func TestInspectFill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, typ, want string }{
		{"Sw<3,3,3> o 0 o (8,64):(64,1)", "f16", "group"},
		{"Sw<3,4,3> o 0 o (256,512):(512,1)", "s8", "group"},
		{"Sw<2,0,3> o 0 o (8,32):(32,1)", "f32", "bank"},
		{"Sw<0,4,3> o 0 o (8,32):(32,1)", "f32", ""},
		{"(8,64):(64,1)", "f16", ""},
	} {
		r := new(Session).Inspect(InspectRequest{Expr: c.expr, Type: c.typ})
		if r.Error != nil || r.Operands[0].Fill != c.want {
			t.Errorf("%s %s: fill %q, want %q (%v)", c.expr, c.typ, r.Operands[0].Fill, c.want, r.Error)
		}
	}
}
