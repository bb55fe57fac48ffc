package hostile

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Request asks for the operation of the service that Op names.
type Request struct {
	Name, Op string
	Body     []byte
}

type object = map[string]any

// of returns a request for an operation.
func of(name, op string, request object) Request {
	body, _ := json.Marshal(request) // maps of strings, numbers and lists always encode
	return Request{op + " " + name, op, body}
}

// times writes a statement n times. In copy i, counted from 0, the first %d is i+1 and the second %d is i.
func times(n int, statement string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(statement, "%d") {
			fmt.Fprintf(&b, statement, i+1, i)
		} else {
			b.WriteString(statement)
		}
	}
	return b.String()
}

// wide writes a name a thousand times between brackets.
func wide(open, name, close string) string {
	return open + strings.Repeat(name+",", 999) + name + close
}

// Doubling returns programs of a few hundred bytes whose values double with each statement. There is one program for
// each way to put values together.
func Doubling() map[string]string {
	programs := map[string]string{}
	for name, c := range map[string][2]string{
		"tuple":            {"(1,2)", "(a,a)"},
		"empty tuple":      {"()", "(a,a)"},
		"nested tuple":     {"(1,2)", "((a,a),(a,a))"},
		"tile":             {"<1,2>", "<a,a>"},
		"brackets":         {"[1;2]", "[a;a]"},
		"open":             {"(_,1)", "(a,a)"},
		"run-time integer": {"(M,1)", "(a,a)"},
		"run-time tile":    {"<M,2>", "<a,a>"},
		"layouts":          {"4:1", "(a,a)"},
		"F2":               {"(F2(1),F2(2))", "(a,a)"},
		"flatten":          {"(1,2)", "flatten((a,a))"},
		"take":             {"(1,2)", "take<0,2>((a,a))"},
		"get":              {"(1,2)", "(get<0>((a,a)),a,a)"},
		"make_tuple":       {"(1,2)", "make_tuple(a,a)"},
		"make_layout":      {"(2,2):(0,0)", "make_layout(a,a)"},
		"make_tile":        {"(1,2)", "make_tile(a,a)"},
		"append":           {"(1,2)", "append(a,a)"},
		"layout":           {"(1,1)", "(a,a):(0,0)"},
		"coordinates":      {"(E(0),E(1,1))", "(a,a)"},
		"sum":              {"(1,2)", "(a,a)+(a,a)"},
		"product":          {"M+N", "a*a"},
		"quotient":         {"M", "(a+N)/(a+1)"},
		"composed":         {"Sw<3,4,3> o 7 o 64:1", "make_composed_layout(a,0,a)"},
	} {
		programs[name] = "let a=" + c[0] + ";" + times(40, "let a="+c[1]+";") + "1"
	}
	return programs
}

// Unbounded returns requests that once exceeded all limits on time or memory: doubling, values that share their parts,
// statements whose values were kept, and answers that were built before they were refused.
func Unbounded() []Request {
	eval := func(name, program string) Request { return of(name, "eval", object{"expr": program}) }
	var all []Request
	for name, program := range Doubling() {
		all = append(all, eval("doubling "+name, program))
	}
	shared := func(first, open, close string, n int) string {
		program := "let a0=" + first + ";"
		for i := range n {
			program += fmt.Sprintf("let a%d=%s;", i+1, wide(open, fmt.Sprintf("a%d", i), close))
		}
		return program + "1"
	}
	all = append(
		all,
		eval("tuples of a thousand", shared("(1,2)", "(", ")", 4)),
		eval("tiles of a thousand", shared("<1,2>", "<", ">", 3)),
		eval("layouts of a thousand", shared("4:1", "(", ")", 6)),
		eval("a name alone", "let a=offsets(1048576:1);"+strings.Repeat("a;", 510000)),
		eval("lists", strings.Repeat("offsets(1048576:1);", 2000)),
		eval("bound lists", times(2000, "let a%d=offsets(1048576:%d);")),
		eval("holes", strings.Repeat("holes(4:1048576);", 2000)),
		eval("a chain of functions", "let a0=64:1;"+times(20000, "let a%d=Sw<3,4,3> o 7 o a%d;")),
		eval("one statement after the other", strings.Repeat("1;", 520000)),
		eval("deep", "let a=1;"+times(80000, "let a=(a,1);")),
		eval("names", times(80000, "let a%d=%d;")),
		eval("axes", "("+times(60000, "E(%d)+E(%d),")+"1)"),
		of("pairs", "read", object{"text": strings.Repeat("4:1,", 475000)}),
		of("brackets", "read", object{"text": strings.Repeat("(", 1900000)}),
		of("errors", "why", object{
			"text": strings.Repeat("error: static assertion failed: Shape Divisibility Condition\n", 30000),
		}),
	)
	for _, op := range []string{"explain", "draw", "show", "inspect", "linear", "bank", "global"} {
		all = append(all, of("doubling", op, object{"expr": Doubling()["tuple"]}),
			of("tiles", op, object{"expr": shared("<1,2>", "<", ">", 3)}))
	}
	return all
}
