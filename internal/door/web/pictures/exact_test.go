package pictures

import (
	"encoding/json"
	"testing"
)

// The page keeps all digits of the numbers in an answer: integers of any length, and numbers with long fractions.
func TestNumbers(t *testing.T) {
	t.Parallel()
	needsNode(t)
	type answer struct {
		text string
		want string // a bigint as text
	}
	answers := []answer{
		{`[9007199254740991,9007199254740993]`, `[9007199254740991,"9007199254740993"]`},
		{`[9223372036854775807,-9223372036854775808]`, `["9223372036854775807","-9223372036854775808"]`},
		{`{"a":0.9411764705882353,"b":-1.2999999999999998,"c":9007199254740993}`, `{"a":0.9411764705882353,"b":-1.2999999999999998,"c":"9007199254740993"}`},
		{`[1e-7,1.2345678901234566e-7,12345678901234567.5]`, `[1e-7,1.2345678901234566e-7,12345678901234568]`},
		{`{"9007199254740993":"9007199254740993 \"9007199254740993\\"}`, `{"9007199254740993":"9007199254740993 \"9007199254740993\\"}`},
	}
	questions := make([]question, len(answers))
	for k, a := range answers {
		questions[k] = question{Ask: "exact", Answers: []string{a.text}}
	}
	for k, got := range shows[json.RawMessage](t, questions) {
		if string(got) != answers[k].want {
			t.Errorf("%s is read as %s, want %s", answers[k].text, got, answers[k].want)
		}
	}
}
