package service_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"girih/internal/lang/report"
	"girih/internal/service"
)

// A wrong request is refused in the words of the operation, with the fields that exist and the nearest one.
func TestRequestsAreRefused(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ op, body, code, want, hint string }{
		{"eval", `{"exp":"4:1"}`, "name", `eval has no argument "exp": it takes expr, correct, set`, "did you mean expr?"},
		{"bank", `{"layout":"4:1","type":"f16"}`, "name", `bank has no argument "layout": it takes expr, type, accesses, threads, target, set`, "did you mean expr?"},
		{"draw", `{"expr":"4:1","colour":"bank"}`, "name", `draw has no argument "colour"`, "did you mean color_by?"},
		{"convert", `{"from":"a","to":"b","type":"f16","shape":"wide"}`, "type", `convert: shape: expected a list of integers, e.g. [64,64], found the string "wide"`, ""},
		{"eval", `{"expr":{}}`, "type", `eval: expr: expected a string, e.g. "(8,64):(64,1)", found an object`, ""},
		{"explain", `{"expr":"4:1","top":7}`, "type", "explain: top: expected true or false, found 7", ""},
		{"eval", `{}`, "syntax", "eval needs expr, which is missing", "it takes expr, correct, set"},
		{"eval", `{} {}`, "syntax", "eval takes its arguments as a JSON object: more follows the first value", "it takes expr"},
		{"eval", `["4:1"]`, "syntax", `eval takes its arguments as a JSON object: found the list ["4:1"]`, "it takes expr"},
		{"eval", `{"expr":"(M,4):(4,1)","set":["M"]}`, "syntax", `a value is set by NAME=INTEGER, found "M"`, ""},
		{"eval", `{"expr":"(M,4):(4,1)","set":{"M":8}}`, "type", "eval: set: expected a list of strings, e.g. [\"M=4096\"], found an object", ""},
		{"version", `{"expr":"4:1"}`, "name", `version has no argument "expr": it takes set`, ""},
	} {
		r := refused(t, x.op, x.body)
		if r.Code != x.code || !strings.Contains(r.Message, x.want) || (x.hint == "") != (r.Hint == "") ||
			!strings.Contains(r.Hint, x.hint) {
			t.Errorf("%s %s = %+v, want %s %s, %s", x.op, x.body, r, x.code, x.want, x.hint)
		}
	}
}

// No error about a field mentions Go, for any given value.
func TestRequestsWithoutGo(t *testing.T) {
	t.Parallel()
	leak := regexp.MustCompile(`json:|unmarshal|Go |struct|\[\][a-z]|Request`)
	named := regexp.MustCompile(`it takes ([a-z_0-9, ]+)`)
	n := 0
	for _, op := range service.Operations() {
		if !op.Programs {
			continue
		}
		list := named.FindStringSubmatch(refused(t, op.Name, `{"nothing":1}`).Message)
		if list == nil {
			t.Fatalf("%s does not say what it takes", op.Name)
		}
		for field := range strings.SplitSeq(list[1], ", ") {
			r := refused(t, op.Name, fmt.Sprintf(`{%q:{"x":1}}`, field))
			rest, ok := strings.CutPrefix(r.Message, op.Name+": "+field+": expected ")
			if n++; r.Code != "type" || !ok || leak.MatchString(rest) {
				t.Errorf("%s of an object for %s = %+v", op.Name, field, r)
			}
		}
	}
	if n < 60 {
		t.Errorf("%d fields were asked for", n)
	}
}

// A value that can mean only one thing is accepted, also from assistants.
func TestRequestsAreTaken(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ op, body, want string }{
		{"eval", `{"Expr":["4:1"]}`, `{"expr":"4:1"}`},
		{"eval", `{"expr":"(M,4):(4,1)","set":"M=8"}`, `{"expr":"(M,4):(4,1)","set":["M=8"]}`},
		{"explain", `{"expr":"4:1 o 2:1","top":"true"}`, `{"expr":"4:1 o 2:1","top":true}`},
	} {
		got, want := new(service.Session).Do(x.op, []byte(x.body)), new(service.Session).Do(x.op, []byte(x.want))
		if string(got) != string(want) || !strings.Contains(string(got), `"ok":true`) {
			t.Errorf("%s %s = %s, want what %s has: %s", x.op, x.body, got, x.want, want)
		}
	}
}

func refused(t *testing.T, op, body string) report.Error {
	t.Helper()
	var r struct {
		OK    bool
		Error report.Error
	}
	if err := json.Unmarshal(new(service.Session).Do(op, []byte(body)), &r); err != nil || r.OK {
		t.Errorf("%s %s is not refused: %v", op, body, err)
	}
	return r.Error
}
