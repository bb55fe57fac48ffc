package vectors

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/eval"
	"girih/internal/why/judge"
)

var update = flag.Bool("update", false, "write the tables of docs/compatibility.md instead of checking them")

const compatibility = "../../../docs/compatibility.md"

// TestCompatibilityTables runs all vectors and compares the counts with the tables of docs/compatibility.md.
// go test -update writes the tables.
func TestCompatibilityTables(t *testing.T) {
	t.Parallel()
	if !*update && !long.Tests() {
		t.Skip("runs every vector, half a minute: GIRIH_LONG=1")
	}
	var reports []*Report
	for _, name := range repositoryFiles {
		reports = append(reports, runFile(t, name))
	}
	tables := map[string]string{
		"files": filesTable(reports), "kinds": kindsTable(reports), "examples": examplesTable(reports),
		"operations": operationsTable(reports), "skips": skipsTable(reports), "nvidia": nvidiaTable(t),
	}
	data, err := os.ReadFile(compatibility)
	if err != nil {
		t.Fatal(err)
	}
	got := string(data)
	for name, table := range tables {
		before, rest, ok := strings.Cut(got, "<!-- "+name+", by go test ./internal/check/vectors -update -->\n")
		_, after, closed := strings.Cut(rest, "<!-- end -->\n")
		if !ok || !closed {
			t.Fatalf("there is no place for the table %s", name)
		}
		got = before + "<!-- " + name + ", by go test ./internal/check/vectors -update -->\n\n" +
			table + "\n<!-- end -->\n" + after
	}
	if got == string(data) {
		return
	}
	if !*update {
		t.Fatal("the tables of docs/compatibility.md are not those of the runner: go test ./internal/check/vectors -update")
	}
	if err := os.WriteFile(compatibility, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCompatibilityExamples evaluates the examples of docs/compatibility.md.
func TestCompatibilityExamples(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(compatibility)
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile(`^(.+?) +# girih: (.+?)(?: \| .*)?$`)
	count := 0
	for _, block := range regexp.MustCompile("(?s)```girih\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		for line := range strings.Lines(block[1]) {
			m := example.FindStringSubmatch(strings.TrimRight(line, "\n"))
			if m == nil {
				t.Errorf("not an example: %s", line)
				continue
			}
			count++
			a := ask(m[1])
			got := a.text()
			if a.isRefusal() {
				got = string(a.err.Code)
			}
			if got != m[2] {
				t.Errorf("%s is %s, want %s", m[1], got, m[2])
			}
		}
	}
	if count < 20 {
		t.Errorf("%d examples", count)
	}
	for _, k := range kinds {
		if !strings.Contains(string(data), "\n### "+strings.ToUpper(k.name[:1])+k.name[1:]+"\n") {
			t.Errorf("docs/compatibility.md has no section on %q", k.name)
		}
	}
}

// TestCompatibilityNumbers checks the numbers in the text of docs/compatibility.md.
func TestCompatibilityNumbers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("looks at every divide and product")
	}
	fewer, lacking, carries := 0, 0, map[string]int{}
	for _, v := range algebraRows(t) {
		if v.CuteDSL == nil {
			continue
		}
		if judge.AnyDivide(v.Op) {
			q, okQuery := newQuery(v.Op, v.Args)
			c, okLayout := judge.ReadLayout(*v.CuteDSL)
			if !okQuery || !okLayout {
				t.Fatalf("%s %v = %s", v.Op, v.Args, *v.CuteDSL)
			}
			has, want := c.Leaves().Table(), q.A.Leaves().Table()
			if len(has) < len(want) {
				fewer++
			}
			if !contains(has, want) {
				lacking++
			}
		}
		if judge.AnyProduct(v.Op) && v.run().kind == productCarry {
			carries[v.Op]++
		}
	}
	if fewer != 35 || lacking != 72 {
		t.Errorf("%d divides have fewer elements than the layout and %d lack an offset, want 35 and 72", fewer, lacking)
	}
	if carries["logical_product"] != 8 || carries["blocked_product"] != 13 || carries["raked_product"] != 9 ||
		len(carries) != 3 {
		t.Errorf("products that carry: %v", carries)
	}
}

// contains reports whether has contains each value of want.
func contains(has, want []int64) bool {
	slices.Sort(has)
	return !slices.ContainsFunc(want, func(x int64) bool {
		_, found := slices.BinarySearch(has, x)
		return !found
	})
}

// table returns a table in Markdown; the first row is the head.
func table(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("--|", len(row)) + "\n")
		}
	}
	return b.String()
}

// count returns the text of n, or "" for 0.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func filesTable(reports []*Report) string {
	rows := [][]string{{"file", "rows", "passed", "documented", "skipped"}}
	for _, r := range reports {
		rows = append(rows, []string{
			"`" + r.File + "`", fmt.Sprint(r.Rows()), fmt.Sprint(r.NumPassed()),
			count(r.NumDocumented()), count(r.NumSkipped()),
		})
	}
	return table(rows)
}

func kindsTable(reports []*Report) string {
	head := []string{"difference"}
	for _, r := range reports {
		if r.NumDocumented() > 0 {
			head = append(head, strings.TrimPrefix(r.File, "cute/"))
		}
	}
	rows := [][]string{append(head, "all")}
	for _, k := range kinds {
		row, all := []string{k.name}, 0
		for _, r := range reports {
			if r.NumDocumented() == 0 {
				continue
			}
			n := 0
			for _, d := range r.Differences {
				if d.Kind == k.name {
					n = d.Count
				}
			}
			row = append(row, count(n))
			all += n
		}
		rows = append(rows, append(row, fmt.Sprint(all)))
	}
	return table(rows)
}

// examplesTable shows the first row of each kind.
func examplesTable(reports []*Report) string {
	rows := [][]string{{"difference", "first row"}}
	for _, k := range kinds {
		for _, r := range reports {
			i := slices.IndexFunc(r.Differences, func(d Difference) bool { return d.Kind == k.name })
			if i >= 0 {
				rows = append(rows, []string{k.name, "`" + strings.ReplaceAll(r.Differences[i].Example, "|", `\|`) + "`"})
				break
			}
		}
	}
	return table(rows)
}

// operationsTable adds up the rows of each girih operation over all files.
func operationsTable(reports []*Report) string {
	sum := map[string]*OpCount{}
	for _, r := range reports {
		for _, c := range r.Ops {
			b, ok := eval.Lookup(c.Op)
			if !ok {
				continue
			}
			if sum[b.Name] == nil {
				sum[b.Name] = &OpCount{Op: b.Name}
			}
			s := sum[b.Name]
			s.Passed, s.Documented, s.Skipped = s.Passed+c.Passed, s.Documented+c.Documented, s.Skipped+c.Skipped
		}
	}
	rows := [][]string{{"operation", "passed", "documented", "skipped"}}
	for _, b := range eval.Builtins() {
		if s := sum[b.Name]; s != nil {
			rows = append(rows, []string{"`" + b.Name + "`", count(s.Passed), count(s.Documented), count(s.Skipped)})
		}
	}
	return table(rows)
}

func skipsTable(reports []*Report) string {
	sum := map[string]int{}
	var reasons []string
	for _, r := range reports {
		for _, s := range r.Skips {
			if sum[s.Reason] == 0 {
				reasons = append(reasons, s.Reason)
			}
			sum[s.Reason] += s.Count
		}
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return sum[b] - sum[a] })
	rows := [][]string{{"why", "rows"}}
	for _, reason := range reasons {
		rows = append(rows, []string{reason, fmt.Sprint(sum[reason])})
	}
	return table(rows)
}

// nvidiaTable compares girih with NVIDIA's DSL on algebra.jsonl. An answer is right if it satisfies the definition.
func nvidiaTable(t *testing.T) string {
	head := []string{
		"operation", "both right", "NVIDIA right, girih refuses", "NVIDIA wrong, girih right", "NVIDIA wrong, girih refuses",
		"NVIDIA refuses, girih right", "both refuse",
	}
	sum := map[string][]int{}
	var ops []string
	for _, v := range algebraRows(t) {
		q, ok := newQuery(v.Op, v.Args)
		if !ok {
			t.Fatalf("%s %v", v.Op, v.Args)
		}
		if sum[v.Op] == nil {
			sum[v.Op] = make([]int, len(head)-1)
			ops = append(ops, v.Op)
		}
		refuses := ask(v.Op + "(" + strings.Join(v.Args, ", ") + ")").isRefusal()
		right := false
		if v.CuteDSL != nil {
			c, isLayout := judge.ReadLayout(*v.CuteDSL)
			f, _ := q.Satisfies(c)
			right = isLayout && (f == judge.Holds || f == judge.Unknown && v.CuteOK != nil && *v.CuteOK)
		}
		column := 0
		switch {
		case v.CuteDSL == nil:
			column = 4
		case !right:
			column = 2
		}
		if refuses {
			column++
		}
		sum[v.Op][column]++
	}
	slices.Sort(ops)
	rows, all := [][]string{head}, make([]int, len(head)-1)
	for _, op := range ops {
		row := []string{"`" + op + "`"}
		for i, n := range sum[op] {
			row = append(row, count(n))
			all[i] += n
		}
		rows = append(rows, row)
	}
	row := []string{"all"}
	for _, n := range all {
		row = append(row, fmt.Sprint(n))
	}
	return table(append(rows, row))
}
