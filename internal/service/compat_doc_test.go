package service_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/service"
)

var update = flag.Bool("update", false, "write the tables of docs/compatibility.md instead of checking them")

// TestCompatDoc compares the tables of docs/compatibility.md with the report on algebra.jsonl, and the examples there
// and in the README with the output of the command.
func TestCompatDoc(t *testing.T) {
	t.Parallel()
	if !*update && !long.Tests() {
		t.Skip("judges 60,000 answers: GIRIH_LONG=1")
	}
	const page = "../../docs/compatibility.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- tools, by go test ./internal/service -update -->\n"
	before, rest, ok := strings.Cut(string(data), mark)
	_, after, closed := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !closed {
		t.Fatal("there is no place for the tables")
	}
	r := compatReport(t)
	got := before + mark + markdown(service.CompatTables(r)) + "\n<!-- end -->\n" + after
	if got != string(data) {
		if !*update {
			t.Fatal("the tables of docs/compatibility.md are not those of the report: go test ./internal/service -update")
		}
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if r.Recorded != 12000 || r.Reproduced != r.Recorded || r.Unmodelled != 0 {
		t.Errorf("%d recorded, %d reproduced, %d not modelled", r.Recorded, r.Reproduced, r.Unmodelled)
	}
	if n := r.All.Tools["girih"].Wrong; n != 0 {
		t.Errorf("girih is wrong on %d rows", n)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for text, expr := range map[string]string{got: "(4,3):(1,100) o 4:3", string(readme): "(6,3):(3,1) o 3:3"} {
		if shown := "$ girih compat '" + expr + "'\n" + compat(t, expr).Text(); !strings.Contains(text, shown) {
			t.Errorf("the example is not\n%s", shown)
		}
	}
	if c := r.All.Tools["cpp_static"]; c.Wrong != 308 || c.RefusedSolvable != 282 {
		t.Errorf("the README says that C++ is wrong on 308 rows and refuses 282: %+v", c)
	}
}

func compatReport(t *testing.T) *service.CompatReport {
	t.Helper()
	const name = "../../conformance/algebra.jsonl"
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := service.CompatCount(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func markdown(tables []service.CompatTable) string {
	var b strings.Builder
	for _, t := range tables {
		b.WriteString("\n" + t.Title + ".\n\n")
		for i, row := range t.Rows {
			if name := row[0]; i > 0 && name != "all" {
				row[0] = "`" + name + "`"
			}
			b.WriteString("| " + strings.Join(row, " | ") + " |\n")
			if i == 0 {
				b.WriteString("|" + strings.Repeat("--|", len(row)) + "\n")
			}
		}
	}
	return b.String()
}
