package proof

import (
	"bytes"
	"strings"
	"testing"

	"girih/internal/card/truth"
)

// The test checks that the summary counts by family, names what differs, and keeps control characters from the
// terminal.
func TestSummary(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	err := summary(&b, truth.Header{Device: "a card", Chip: "sm_90", Date: "2026-11-23"}, []truth.Record{
		{Atom: "x", Family: "mma", Status: truth.Proven, Sums: &truth.SumsFinding{Sums: 5, Agree: 5}},
		{Atom: "y", Family: "mma", Status: truth.Differs, Reason: "value 1 \x1b[31mis not"},
		{Atom: "z", Family: "ldmatrix", Status: truth.Lacks},
		{Atom: "u", Family: "ldmatrix", Status: truth.Proven, Sums: &truth.SumsFinding{Sums: 5, Agree: 4, First: "1 and 2 make 4"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"a card (sm_90), driver -, 2026-11-23\n", "\nmma       2      1       1",
		"\nldmatrix  2      1       -        -        1", "\nall       4      2       1",
		"y differs: value 1 ", "u adds otherwise in 1 of 5 sums: 1 and 2 make 4\n", "9 of 10 random sums",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("without %q:\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("a control character: %q", &b)
	}
}
