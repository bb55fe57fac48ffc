package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"girih/internal/why/judge"
)

// A vector is a row of algebra.jsonl.
type vector struct {
	Op      string          `json:"op"`
	Args    []string        `json:"args"`
	CuteDSL *string         `json:"cute_dsl"` // nil if the DSL refuses
	CuteOK  *bool           `json:"cute_ok"`
	Exact   json.RawMessage `json:"exact"` // a text or null; absent if no exact answer is recorded
}

// runAlgebra runs algebra.jsonl: one JSON object a line.
func runAlgebra(rep *Report, data []byte) error {
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			return fmt.Errorf("%s:%d: %w", rep.File, n+1, err)
		}
		rep.add(fmt.Sprintf("%s:%d", rep.File, n+1), v.Op, v.run())
	}
	return nil
}

// run returns the verdict on the row.
func (v vector) run() outcome {
	q, ok := newQuery(v.Op, v.Args)
	if !ok {
		return skip("operation or operands that are not known: " + v.Op)
	}
	a := ask(v.Op + "(" + strings.Join(v.Args, ", ") + ")")
	cute := ""
	if v.CuteDSL != nil {
		cute = *v.CuteDSL
	}
	if v.Exact != nil {
		if o := v.runExact(a); o.verdict == failed {
			return o
		}
	}
	c := comparison{wrong: func(q judge.Query, a answer, cute string) outcome {
		if v.CuteOK == nil || !*v.CuteOK {
			return pass()
		}
		if f, _ := q.Unsolvable(); f == judge.Holds && a.isRefusal() && judge.AnyProduct(q.Op) {
			return differ(productCarry, a, cute)
		}
		return fail(a, cute, "the file calls CuTe's answer right, and it breaks the definition")
	}}
	return c.rule(q, a, cute)
}

// runExact compares the answer with the recorded exact answer.
func (v vector) runExact(a answer) outcome {
	var exact *string
	if err := json.Unmarshal(v.Exact, &exact); err != nil {
		return fail(a, string(v.Exact), "the exact answer is not a text")
	}
	switch {
	case exact == nil && a.isRefusal() && !a.foreign():
		return pass()
	case exact == nil:
		return fail(a, "a refusal", "no layout is the answer")
	case a.isRefusal():
		return fail(a, *exact, "girih refuses")
	case a.text() != *exact:
		return fail(a, *exact, "not the exact text")
	}
	return pass()
}
