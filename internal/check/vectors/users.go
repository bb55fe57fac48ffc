package vectors

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// A userCase is a row of user_cases.json.
type userCase struct {
	ID        string                     `json:"id"`
	Question  string                     `json:"question"`
	Operation string                     `json:"operation"`
	Inputs    map[string]json.RawMessage `json:"inputs"`
	Expected  string                     `json:"expected_answer"`
}

// runUsers runs user_cases.json: an operation on named operands, and an answer in words.
func runUsers(rep *Report, data []byte) error {
	return eachCase(rep, data, func(c userCase) {
		if e, ok := c.equations(); ok {
			rep.add(c.ID, "equations", e.verdict())
			return
		}
		if c.Operation == bankConflicts {
			rep.add(c.ID, bankConflicts, c.bankVerdict())
			return
		}
		q, why := c.question()
		if why != "" {
			rep.add(c.ID, cmp.Or(q.op, c.Operation), skip(why))
			return
		}
		rep.add(c.ID, cmp.Or(q.op, c.Operation), q.answerTo(c.Expected, c.table()))
	})
}

// question replaces the input names in the operation by the inputs. If it cannot, why gives the reason.
func (c userCase) question() (q question, why string) {
	names := map[string]string{}
	for name, raw := range c.Inputs {
		text := string(raw)
		if s := ""; json.Unmarshal(raw, &s) == nil {
			text = s
		}
		if strings.Contains(text, "?") || strings.Contains(text, "dynamic") {
			return question{}, runTimeIntegers
		}
		names[name] = text
	}
	names["n"] = names["cotarget"]
	head, list, called := strings.Cut(c.Operation, "(")
	if head == "evaluate" {
		return c.evaluation(names["layout"], names["coord"])
	}
	function, ok := readOperation(head)
	if !ok {
		return question{}, noFunction
	}
	op, _, _ := strings.Cut(function, "<")
	if !called {
		list = "A)"
	}
	var args []string
	for _, arg := range judge.SplitTop(strings.TrimSuffix(list, ")"), ',') {
		if text := names[arg]; text != "" {
			arg = text
		}
		if arg == "A" || arg == "atom" {
			return c.inWords(op)
		}
		args = append(args, arg)
	}
	return question{op: op, args: args, expr: function + "(" + strings.Join(args, ", ") + ")"}, ""
}

// An equations case asks for X, gives X = an expression, and states values of X and of expressions that contain X.
type equations struct {
	program string // let A = ...; let X = ...;
	clauses []string
}

const unknownX = pattern.Pattern(`: ([A-Z]) = (.+)$`)

// equations returns the equations of a case such as "solve(A o X = B): X = composition(right_inverse(A), B)".
func (c userCase) equations() (equations, bool) {
	m := unknownX.FindStringSubmatch(c.Operation)
	if m == nil {
		return equations{}, false
	}
	var e equations
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		text := ""
		if json.Unmarshal(c.Inputs[name], &text) != nil {
			return equations{}, false
		}
		e.program += "let " + name + " = " + text + "; "
	}
	e.program += "let " + m[1] + " = " + m[2] + "; "
	e.clauses = strings.Split(c.Expected, ";")
	return e, true
}

// verdict checks every clause "expression = value".
func (e equations) verdict() outcome {
	checked := 0
	for _, clause := range e.clauses {
		left, right, ok := strings.Cut(clause, " = ")
		want, _, isValue := readValue(strings.TrimSpace(right))
		if !ok || !isValue {
			continue
		}
		checked++
		if o := compare(ask(e.program+strings.TrimSpace(left)), want); o.verdict != passed {
			return o
		}
	}
	if checked == 0 {
		return skip(wordAnswer)
	}
	return pass()
}

// coordinate finds the coordinates in a question.
const coordinate = pattern.Pattern(`\([0-9]+(,[0-9]+)*\)`)

// evaluation asks for the value of a layout at the coordinate that the inputs or the question name.
func (c userCase) evaluation(layout, coord string) (question, string) {
	if coord == "" {
		coord = strings.Join(coordinate.FindAllString(c.Question, 2), " ")
	}
	return question{op: "eval", args: []string{layout, coord}, expr: "(" + layout + ")(" + coord + ")"}, ""
}

const (
	byShape  = pattern.Pattern(`\b([0-9]+)x([0-9]+)\b`)
	operands = pattern.Pattern(`^[a-z_]+(?: of | )(\S.*)$`)
)

// inWords reads the operands from a question such as "tiled_divide of (256,512):(512,1) by 64x32".
func (c userCase) inWords(op string) (question, string) {
	m := operands.FindStringSubmatch(c.Question)
	if m == nil || !strings.HasPrefix(c.Question, op) {
		return question{op: op}, wordOperands
	}
	q, ok := readQuestion(op, byShape.ReplaceAllString(m[1], "<$1,$2>"))
	if !ok {
		return question{op: op}, wordOperands
	}
	return q, ""
}

// table returns the values of A(B(i)) that the case records.
func (c userCase) table() []int64 {
	var entries []json.RawMessage
	var t []int64
	if json.Unmarshal(c.Inputs["A_of_B_table"], &entries) != nil {
		return nil
	}
	for _, e := range entries {
		var x int64
		if json.Unmarshal(e, &x) != nil {
			break // "..." ends a long table
		}
		t = append(t, x)
	}
	return t
}
