package pictures

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"girih/internal/service"
)

// What the page shows for plain layouts before its engine is ready agrees with the engine's answer: the same value,
// tree and elements. If the page shows nothing, the engine's answer is not restricted.
func TestPlain(t *testing.T) {
	t.Parallel()
	needsNode(t)
	r := rand.New(rand.NewPCG(5, 6))
	types := []string{"f32", "f16", "bf16", "f64", "s8", "e4m3", "e2m1", "tf32", "s32", "b1"}
	var requests []service.InspectRequest
	add := func(text string) {
		requests = append(requests, service.InspectRequest{Expr: text, Type: pick(r, types)})
	}
	shown := []string{
		"8:1", "4:0", "(4,8):(8,1)", " ( 4 , 8 ) : ( 8 , 1 ) ", "((2,2),(2,4)):((1,8),(2,16))", "(2,3,4):(12,4,1)", "(2,2,(2,2)):(1,2,(4,8))",
		"(4,8):(-8,-1)", "(1,1):(7,9)", "(256,512):(512,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3> o (8,64):(64,1)", "Sw<2,0,-3>  o 5 o ( 4,8):(8,1)",
		"Sw<0,0,0> o 0 o 8:1", "Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<1,0,1> o 0 o 8:1",
	}
	none := []string{
		"", "4", "(4,8)", "():()", "(4,8):(8,1,2)", "(4,(2,2)):(8,1)", "(4,8):8", "0:1", "(4,0):(1,1)", "08:1", "4 8:1",
		"4:8 1", "4:1:1", "(4,8):(8,x)", "(4,8):(8,?)", "((4,8):(8,1)", "(4,,8):(8,1,1)", "(4,8):(1@0,1@1)",
		"(131073,1):(1,0)", "4:9007199254740993", "1:9007199254740993", "4:--1", "-4:1", "Sw<3,3,2> o 0 o 8:1",
		"Sw<3,3,3>", "Sw<3,3,3> o 0", "Sw<3,40,3> o 0 o 8:1", "4:1 o 2:1", "8:1 8:1", "8:1; 4:1", "8:1 # first",
		"(2,2):(4611686018427387904,1)", "Sw<1,1,1> o Sw<1,0,1> o 8:1", "Sw<3,3,3> o -1 o 8:1",
		"Sw<1,0,1> o 999999999 o 2:2000000000",
	}
	for _, text := range append(shown, none...) {
		add(text)
	}
	blanks := regexp.MustCompile(`[(),:]`)
	for range 1000 {
		text := randomLayout(r).request.Expr
		if at := strings.LastIndex(text, "o ") + 1; r.IntN(3) == 0 {
			text = text[:at] + blanks.ReplaceAllStringFunc(text[at:], func(s string) string {
				return strings.Repeat(" ", r.IntN(3)) + s + strings.Repeat(" ", r.IntN(2))
			})
		}
		add(text)
	}
	questions := make([]question, len(requests))
	for k, q := range requests {
		questions[k] = question{Ask: "plain", Answers: []string{q.Expr, q.Type}}
	}
	count, swizzled := 0, 0
	for k, early := range shows[*service.InspectResponse](t, questions) {
		q := requests[k]
		switch {
		case early == nil && k < len(shown):
			t.Errorf("the page has no picture of %q", q.Expr)
		case early != nil && k >= len(shown) && k < len(shown)+len(none):
			t.Errorf("the page has a picture of %q", q.Expr)
		}
		if early == nil {
			continue
		}
		count++
		if early.Swizzle != nil {
			swizzled++
		}
		var answer service.InspectResponse
		if err := json.Unmarshal([]byte(inspected(t, q)), &answer); err != nil {
			t.Fatal(err)
		}
		// The engine's conclusions come only with its answer.
		answer.Facts, answer.Matrix, answer.NoMatrix, answer.Notes, answer.InBytes = nil, nil, "", nil, ""
		if !reflect.DeepEqual(*early, answer) {
			t.Errorf("of %q, %s, the page shows\n%+v, the engine gives\n%+v", q.Expr, q.Type, *early, answer)
		}
	}
	t.Logf("%d pictures, %d with a swizzle", count, swizzled)
	if count < 500 || swizzled < 150 {
		t.Error("too few")
	}
}
