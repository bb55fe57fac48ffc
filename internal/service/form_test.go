package service

import (
	"encoding/json"
	"testing"
)

// Every example of a form has an answer, and if the form promises a picture, the picture can be drawn.
func TestForms(t *testing.T) {
	t.Parallel()
	var forms []FormInfo
	if err := json.Unmarshal(new(Session).Do("forms", []byte("{}")), &forms); err != nil || len(forms) < 5 {
		t.Fatalf("%d forms: %v", len(forms), err)
	}
	drawn := 0
	for _, f := range forms {
		if f.Title == "" || f.Doc == "" || len(f.Fields) == 0 || len(f.Examples) == 0 {
			t.Errorf("%+v", f)
		}
		for _, x := range f.Examples {
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
			if err := json.Unmarshal(new(Session).Do("draw", body), &d); err != nil || !d.OK && !r.Failed {
				t.Errorf("%s is not drawn: %v, %+v", body, err, d.Error)
			}
		}
	}
	if drawn < 5 {
		t.Errorf("%d pictures", drawn)
	}
	for _, body := range []string{`{"name":"eval","request":"{}"}`, `{"name":"tma","request":"["}`, `{"name":"tma","request":"{\"x\":1}"}`} {
		var r ToldResponse
		if err := json.Unmarshal(new(Session).Do("told", []byte(body)), &r); err != nil || r.OK || r.Error == nil {
			t.Errorf("%s: %v, %+v", body, err, r)
		}
	}
}
