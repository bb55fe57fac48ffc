package reader_test

import (
	"os"
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// TestCuteIR reads each operand and result of conformance/cute/cute_ir_ok.tsv in an MLIR type.
func TestCuteIR(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../conformance/cute/cute_ir_ok.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		cols := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cols) < 6 || cols[0] == "file" {
			continue
		}
		for value := range strings.SplitSeq(cols[4]+" ; "+cols[5], " ; ") {
			kind, text, ok := strings.Cut(value, ":")
			if !ok {
				continue
			}
			n++
			want := strings.ReplaceAll(text, "S<", "Sw<")
			if kind == "tile" {
				want = strings.NewReplacer("[", "<", "]", ">", ";", ",").Replace(text)
			}
			r := reader.Read("!cute." + kind + `<"` + text + `">`)
			if len(r.Items) != 1 || r.Items[0].Text != want || r.Items[0].Fault != "" {
				t.Errorf("%s %s is read as %+v", kind, text, r.Items)
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d values", n)
	}
}

// TestGridsOfCuTe reads the output of CuTe's print_layout: each grid shows the layout above it. The grid alone is read
// as a layout with the same grid.
func TestGridsOfCuTe(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../conformance/cute/print_layout.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := reader.Read(string(data))
	for _, it := range r.Items {
		if len(it.Notes) != 1 || it.Notes[0] != "the grid below it shows this layout" {
			t.Errorf("%s: notes %q", it.Text, it.Notes)
		}
	}
	titles := 0
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, ":") {
			titles++
		}
	}
	if len(r.Items) != titles || titles == 0 {
		t.Errorf("%d items, the file has %d layouts", len(r.Items), titles)
	}
	var bare strings.Builder
	var want []string
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, ":") {
			want = append(want, reader.Read(line).Items[0].Text)
			bare.WriteString("next\n")
			continue
		}
		bare.WriteString(line)
	}
	for i, it := range reader.Read(bare.String()).Items {
		if it.Text != want[i] {
			t.Errorf("the grid of %s is read as %s", want[i], it.Text)
		}
	}
}
