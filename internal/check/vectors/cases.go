package vectors

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/why/judge"
)

// These are the reasons why a row is not run.
const (
	runTimeIntegers = "run-time integers"
	noFunction      = "the operation is not a function of girih, or not yet"
	wordOperands    = "the operands are in words"
	wordAnswer      = "the answer is in words"
	statement       = "a statement in words; the tests of internal/check/vectors assert it"
)

// A bugCase is a row of bug_cases.json.
type bugCase struct {
	ID        string `json:"id"`
	Operation string `json:"operation"`
	Inputs    string `json:"inputs"`
	Expected  string `json:"expected"`
}

// runBugs runs bug_cases.json: inputs on which other tools fail, with the right answers.
func runBugs(rep *Report, data []byte) error {
	return eachCase(rep, data, func(c bugCase) {
		q, ok := readQuestion(c.Operation, c.Inputs)
		if !ok {
			rep.add(c.ID, c.Operation, skip(noFunction))
			return
		}
		rep.add(c.ID, cmp.Or(q.op, c.Operation), q.answerTo(c.Expected, nil))
	})
}

// A seedCase is a row of seed_cases.json.
type seedCase struct {
	File   string `json:"seed_file"`
	Line   int    `json:"line"`
	Op     string `json:"op"`
	Inputs string `json:"inputs"`
	True   string `json:"true_output"`
}

// runSeeds runs the rows of seed_cases.json that consist of an operation and its value. The other rows are statements
// in words, which the tests of this package assert one by one.
func runSeeds(rep *Report, data []byte) error {
	return eachCase(rep, data, func(c seedCase) {
		id := c.File + ":" + strconv.Itoa(c.Line)
		q, ok := readQuestion(c.Op, c.Inputs)
		if _, known := eval.Lookup(c.Op); !ok || !known && c.Op != "layout eval" || !q.isUnderstood() {
			rep.add(id, c.Op, skip(statement))
			return
		}
		rep.add(id, c.Op, q.answerTo(c.True, nil))
	})
}

// isUnderstood reports whether girih understands the expression and the operands contain numbers. A lone word would be
// read as a run-time integer.
func (q question) isUnderstood() bool {
	return strings.ContainsAny(q.expr, "0123456789?") && !strings.HasSuffix(q.expr, "()") && !ask(q.expr).foreign()
}

// answerTo returns the verdict on girih's answer to the question.
func (q question) answerTo(expected string, table []int64) outcome {
	a := ask(q.expr)
	e, ok := readExpectation(expected)
	switch {
	case a.isPanic():
		return fail(a, expected, "girih panics")
	case a.foreign():
		return skip(wordOperands)
	case !ok:
		return skip(wordAnswer)
	case e.refusal || e.either && a.isRefusal():
		return q.mustRefuse(a, expected)
	}
	o := q.mustBe(a, e)
	if o.verdict == failed || len(q.args) != 2 {
		return o
	}
	for i, want := range table {
		if got := ask(fmt.Sprintf("(%s)((%s)(%d))", q.args[0], q.args[1], i)); got.text() != fmt.Sprint(want) {
			return fail(got, fmt.Sprint(want), "another value of A(B(i)) than recorded")
		}
		if got := ask(fmt.Sprintf("(%s)(%d)", a.text(), i)); got.text() != fmt.Sprint(want) {
			return fail(got, fmt.Sprint(want), "the result is not A(B(i))")
		}
	}
	return o
}

// mustRefuse passes a refusal unless the definitions show that there is an answer.
func (q question) mustRefuse(a answer, expected string) outcome {
	if !a.isRefusal() {
		return fail(a, expected, "girih answers")
	}
	if k, ok := newQuery(q.op, q.args); ok {
		if f, why := k.Unsolvable(); f == judge.Breaks {
			return fail(a, expected, why)
		}
	}
	return pass()
}

func (q question) mustBe(a answer, e expectation) outcome {
	if e.size != "" && !a.isRefusal() {
		size := ask("size(" + a.text() + ")")
		if a.value.Kind() == "int" { // the stated size is the size of the operand
			size = ask("size(" + q.args[0] + ")")
		}
		if size.text() != e.size {
			return fail(size, e.size, "another size")
		}
	}
	if k, ok := newQuery(q.op, q.args); ok {
		return onChecked().rule(k, a, e.value)
	}
	if q.op == "idx2crd" && len(q.args) == 3 && a.isRefusal() {
		// The recorded coordinate does not have the given offset.
		at := ask("crd2idx(" + e.value + ", " + q.args[1] + ", " + q.args[2] + ")")
		if !at.isRefusal() && at.text() != q.args[0] {
			return differ(noOffset, a, e.value)
		}
	}
	return compare(a, e.value)
}

// eachCase calls f with every object of a JSON array, or of a file with one object a line.
func eachCase[T any](rep *Report, data []byte, f func(c T)) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		if _, err := dec.Token(); err != nil {
			return fmt.Errorf("%s: %w", rep.File, err)
		}
	}
	for n := 0; dec.More(); n++ {
		var c T
		if err := dec.Decode(&c); err != nil {
			return fmt.Errorf("%s: case %d: %w", rep.File, n+1, err)
		}
		f(c)
	}
	if _, err := dec.Token(); err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", rep.File, err)
	}
	return nil
}
