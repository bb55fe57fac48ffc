package reader_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"girih/reader"
)

type notation struct {
	ID, Kind, Text, Canonical string
}

func notations(t testing.TB) []notation {
	t.Helper()
	data, err := os.ReadFile("../conformance/notations.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []notation
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestShow(t *testing.T) {
	for _, row := range notations(t) {
		r := reader.Read(row.Text)
		var texts []string
		for _, it := range r.Items {
			texts = append(texts, it.Name+"|"+it.Text+"|"+strings.Join(it.Notes, ";")+"|"+it.Fault)
		}
		mark := "    "
		if len(r.Items) > 0 && r.Items[0].Text == row.Canonical {
			mark = "ok  "
		}
		t.Logf("%s%s %q\n      want %s\n      got  %s", mark, row.ID, row.Text, row.Canonical, strings.Join(texts, "\n           "))
	}
}
