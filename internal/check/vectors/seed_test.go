package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/internal/why/judge"
)

// The five introductory texts make 201 statements. An assertion in these tests checks the true value of each statement.
// For the 28 wrong statements, it also checks that the stated value is not the true value.

// A statementRow is a row of seed_cases.json.
type statementRow struct {
	File   string  `json:"seed_file"`
	Line   int     `json:"line"`
	Quote  string  `json:"quote_short"`
	Stated *string `json:"stated_output"`
	True   string  `json:"true_output"`
	Agrees *bool   `json:"agrees"`
}

// A fact is the assertion for one statement: the n-th statement that was found in its line.
type fact struct {
	line, n int
	check   func(c *checker)
}

// A checker makes assertions and counts them.
type checker struct {
	*testing.T
	row  statementRow
	made int
}

// run runs a check. If the check panics, for example because girih's answer is not a layout, the test fails.
func (c *checker) run(check func(c *checker)) {
	defer func() {
		if p := recover(); p != nil {
			c.made++
			c.Errorf("%v", p)
		}
	}()
	check(c)
}

// is asserts the text of an expression's value.
func (c *checker) is(expr, want string) {
	c.Helper()
	c.made++
	if got := ask(expr); got.text() != want {
		c.Errorf("%s = %s, want %s", expr, got.text(), want)
	}
}

// not asserts that an expression has a value, and that its text is not the unwanted text.
func (c *checker) not(expr, unwanted string) {
	c.Helper()
	c.made++
	if got := ask(expr); got.isRefusal() || got.text() == unwanted {
		c.Errorf("%s = %s, want a value other than %s", expr, got.text(), unwanted)
	}
}

// refuses asserts that an expression is refused with the given code.
func (c *checker) refuses(expr, code string) {
	c.Helper()
	c.made++
	if got := ask(expr); !got.isRefusal() || string(got.err.Code) != code {
		c.Errorf("%s = %s, want %s", expr, got.text(), code)
	}
}

// holds asserts a condition.
func (c *checker) holds(ok bool, format string, args ...any) {
	c.Helper()
	c.made++
	if !ok {
		c.Errorf(format, args...)
	}
}

// offsets asserts the values of an expression at the indices 0, 1, 2, ...
func (c *checker) offsets(expr string, want []int64) {
	c.Helper()
	c.is("offsets("+expr+")", set(want))
}

func set(xs []int64) string {
	var texts []string
	for _, x := range xs {
		texts = append(texts, strconv.FormatInt(x, 10))
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// truth asserts that an expression has the row's true value. If the row agrees with the statement, the stated value
// must be the same; if the row disagrees, the stated value must differ.
func truth(expr string) func(c *checker) {
	return func(c *checker) {
		c.is(expr, c.row.True)
		if c.row.Agrees != nil && *c.row.Agrees {
			c.is(expr, strings.ReplaceAll(*c.row.Stated, "_", ""))
		}
		if c.row.Agrees != nil && !*c.row.Agrees {
			c.not(expr, *c.row.Stated)
		}
	}
}

// stated asserts that an expression has the stated value.
func stated(expr string) func(c *checker) {
	return func(c *checker) { c.is(expr, *c.row.Stated) }
}

// hasTable asserts the row's true table: either the values at (i,j), with mode 0 as rows and the other modes as
// columns, or a list of the values at i.
func hasTable(layout string) func(c *checker) {
	return func(c *checker) {
		var rows [][]int64
		if json.Unmarshal([]byte(c.row.True), &rows) != nil {
			var list []int64
			if err := json.Unmarshal([]byte(c.row.True), &list); err != nil {
				c.Fatal(err)
			}
			c.offsets(layout, list)
			return
		}
		var columns []int64
		for j := range rows[0] {
			for i := range rows {
				columns = append(columns, rows[i][j])
			}
		}
		c.offsets(layout, columns)
	}
}

// all combines several checks into one.
func all(checks ...func(c *checker)) func(c *checker) {
	return func(c *checker) {
		for _, f := range checks {
			f(c)
		}
	}
}

// is makes a check of an expression and the text of its value.
func is(expr, want string) func(c *checker) { return func(c *checker) { c.is(expr, want) } }

// refuses makes a check of an expression and the code of its refusal.
func refuses(expr, code string) func(c *checker) { return func(c *checker) { c.refuses(expr, code) } }

// layoutText reads a layout that a test wrote.
func layoutText(text string) judge.Leaves {
	m, ok := judge.ReadLayout(text)
	if !ok {
		panic("not a layout: " + text)
	}
	return m.Leaves()
}

func TestSeeds(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../conformance/seed_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []statementRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	facts := map[string][]fact{"000": seedBlog, "001": seedLinear, "002": seedNotebook, "003": seedMMA, "004": seedTutorial}
	seen := map[string]int{}
	asserted, wrong := 0, 0
	for _, r := range rows {
		seed := r.File[:3]
		at := fmt.Sprintf("%s:%d", seed, r.Line)
		i := slices.IndexFunc(facts[seed], func(f fact) bool { return f.line == r.Line && f.n == seen[at] })
		seen[at]++
		if i < 0 {
			t.Errorf("no assertion for statement %d of %s: %s", seen[at]-1, at, r.Quote)
			continue
		}
		t.Run(at+" "+r.Quote, func(t *testing.T) {
			c := &checker{T: t, row: r}
			c.run(facts[seed][i].check)
			if c.made == 0 {
				t.Error("nothing was asserted")
				return
			}
			asserted++
		})
		if r.Agrees != nil && !*r.Agrees {
			wrong++
		}
	}
	all := 0
	for _, f := range facts {
		all += len(f)
	}
	if len(rows) != 201 || asserted != 201 || all != 201 || wrong != 28 {
		t.Errorf("%d statements, %d of them wrong, %d with an assertion that ran, %d assertions; want 201, 28, 201, 201",
			len(rows), wrong, asserted, all)
	}
}
