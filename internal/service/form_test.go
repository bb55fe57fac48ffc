package service

import (
	"encoding/json"
	"testing"
)

func formsOf(t *testing.T) []FormInfo {
	var forms []FormInfo
	if err := json.Unmarshal(new(Session).Do("forms", []byte("{}")), &forms); err != nil {
		t.Fatal(err)
	}
	return forms
}

// Every operation that answers in words has a form, once.
func TestFormOfEach(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, f := range formsOf(t) {
		seen[f.Name]++
		if f.Title == "" || f.Doc == "" || f.Subject == "" || len(f.Fields) == 0 {
			t.Errorf("%+v", f)
		}
	}
	for _, op := range Operations() {
		if answersInWords(op) && seen[op.Name] != 1 {
			t.Errorf("%s has %d forms", op.Name, seen[op.Name])
		}
	}
}

// answersInWords reports whether an operation has words for its answer.
func answersInWords(o Operation) bool { return o.Command != nil || o.Tool != nil || o.Form != nil }

// The line that the page shows for a request asks for the same request.
func TestFormLines(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, op := range Operations() {
		if op.Command == nil {
			continue
		}
		for _, x := range op.form().Examples {
			request, fault := op.Read(new(Session), Programs, x)
			if fault != nil {
				t.Errorf("%s: %s", op.Name, fault.Message)
				continue
			}
			line := op.line(request)
			if line == "" {
				continue
			}
			lines++
			fields, ok := op.requestOf(shellWords(line))
			text, _ := json.Marshal(fields)
			again, fault := op.Read(new(Session), Programs, text)
			if !ok || fault != nil || op.line(again) != line {
				t.Errorf("%s is read as %s", line, text)
			}
		}
	}
	if lines < 60 {
		t.Errorf("%d lines", lines)
	}
	if got := shellQuote("a'b c"); got != `'a'\''b c'` {
		t.Error(got)
	}
}

// Every example of a form has an answer, and if the form promises a picture, the picture can be drawn. Examples of
// the help may show a refusal; the short test takes the first example of each form.
func TestForms(t *testing.T) {
	t.Parallel()
	drawn := 0
	for _, f := range formsOf(t) {
		for i, x := range f.Examples {
			if testing.Short() && i > 0 {
				break
			}
			body, _ := json.Marshal(ToldRequest{f.Name, string(x)})
			var r ToldResponse
			if err := json.Unmarshal(new(Session).Do("told", body), &r); err != nil || !r.OK || r.Text == "" {
				t.Errorf("%s %s: %v, %+v", f.Name, x, err, r)
			}
			if r.Draw == nil {
				continue
			}
			drawn++
			r.Draw.Format = "svg"
			body, _ = json.Marshal(r.Draw)
			var d DrawResponse
			if err := json.Unmarshal(new(Session).Do("draw", body), &d); err != nil || !d.OK && !r.Failed && f.Name != "explain" {
				t.Errorf("%s is not drawn: %v, %+v", body, err, d.Error)
			}
		}
	}
	if drawn < 5 {
		t.Errorf("%d pictures", drawn)
	}
	for _, body := range []string{`{"name":"tokens","request":"{}"}`, `{"name":"tma","request":"["}`, `{"name":"tma","request":"{\"x\":1}"}`} {
		var r ToldResponse
		if err := json.Unmarshal(new(Session).Do("told", []byte(body)), &r); err != nil || r.OK || r.Error == nil {
			t.Errorf("%s: %v, %+v", body, err, r)
		}
	}
}

// A repair is a request with a good answer; a good answer has no repairs.
func TestFormRepairs(t *testing.T) {
	t.Parallel()
	tell := func(name, request string) (r ToldResponse) {
		body, _ := json.Marshal(ToldRequest{name, request})
		if err := json.Unmarshal(new(Session).Do("told", body), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, x := range []struct{ name, request, field, value string }{
		{"tma", `{"expr":"(1000,100):(100,1)","box":"64,64","type":"e4m3"}`, "expr", "(1000,100):(112,1)"},
		{"tma", `{"expr":"(1024,512):(512,1)","box":"128,300","type":"f16"}`, "box", "128,256"},
		{"tma", `{"expr":"(1000,100):(100,1)","box":"64,300","type":"e4m3"}`, "expr", "(1000,100):(112,1)"},
		{"tma", `{"expr":"(8,10,10):(100,10,1)","box":"1,8,16","type":"u8"}`, "expr", "(8,10,10):(160,16,1)"},
		{"descriptor", `{"expr":"(64,64):(72,1)","type":"f16"}`, "expr", "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (64,64))"},
		{"bank", `{"expr":"(8,64):(64,1)","type":"f16","accesses":["ldmatrix.x4"]}`, "expr", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
		{"bank", `{"expr":"(8,64):(72,1)","type":"f16","accesses":["ldmatrix.x4"]}`, "", ""},
		{"tma", `{"expr":"(1024,512):(512,1)","box":"128,64","type":"f16"}`, "", ""},
		{"tma", `{"expr":"(1000,100):(0,1)","box":"64,64","type":"e4m3"}`, "", ""},
		{"tma", `{"expr":"((2,512),512):((512,1024),1)","box":"128,300","type":"f16"}`, "", ""},
	} {
		r := tell(x.name, x.request)
		if x.field == "" {
			if len(r.Repairs) > 0 {
				t.Errorf("%s %s has the repairs %+v", x.name, x.request, r.Repairs)
			}
			continue
		}
		if len(r.Repairs) == 0 || r.Repairs[0].Field != x.field || r.Repairs[0].Value != x.value {
			t.Errorf("%s %s: %+v", x.name, x.request, r.Repairs)
		}
		for _, change := range r.Repairs {
			if after := tell(x.name, string(change.Request)); !after.OK || after.Failed || len(after.Repairs) > 0 {
				t.Errorf("%s: %+v", change.Request, after)
			}
		}
	}
}
