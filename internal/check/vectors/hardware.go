package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"girih/banks"
	"girih/internal/card/probe"
)

// runShared runs h200_shared_memory.jsonl: one JSON object a line.
func runShared(rep *Report, data []byte) error {
	return runMeasurements(rep, data, 0, card{Device: "H200", Chip: "sm90"})
}

// runMemory runs h200_memory.jsonl, whose first line names the card.
func runMemory(rep *Report, data []byte) error {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	var c card
	if err := json.Unmarshal(first, &c); err != nil {
		return fmt.Errorf("%s:1: %w", rep.File, err)
	}
	return runMeasurements(rep, rest, 1, c)
}

// A card is the hardware of the measurements.
type card struct{ Device, Chip string }

// runMeasurements runs the rows after the given number of header lines.
func runMeasurements(rep *Report, data []byte, behind int, c card) error {
	target, err := banks.ParseTarget(c.Chip)
	if err != nil {
		return err
	}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		at := fmt.Sprintf("%s:%d", rep.File, behind+n+1)
		var row probe.Record
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		rep.add(at, row.Op, measurement(target, row, "measured on an "+c.Device))
	}
	return nil
}

// measurement returns the verdict on an instruction, from the counters that were read on the card.
func measurement(target banks.Target, row probe.Record, why string) outcome {
	if row.Wavefronts == nil && row.Sectors == nil {
		return skip("no counter was read: girih-gpu memory judges the clock")
	}
	c, err := row.Case()
	if err != nil {
		return skip(err.Error())
	}
	e, err := probe.Expect(target, c)
	if err != nil {
		return skip(err.Error())
	}
	var got, want []string
	for _, x := range []struct {
		what     string
		measured *int
		expected int
	}{
		{"wavefronts", row.Wavefronts, e.Wavefronts},
		{"sectors", row.Sectors, e.Traffic.Sectors},
		{"lines", row.Lines, e.Traffic.Lines},
		{"words", row.Words, e.Words},
	} {
		if x.measured != nil {
			got = append(got, fmt.Sprintf("%d %s", x.expected, x.what))
			want = append(want, fmt.Sprintf("%d %s", *x.measured, x.what))
		}
	}
	if slices.Equal(got, want) {
		return pass()
	}
	texts := make([]string, len(row.Addr))
	for l, a := range row.Addr {
		texts[l] = "-"
		if a != nil {
			texts[l] = fmt.Sprint(*a)
		}
	}
	return outcome{
		verdict: failed, expr: row.Op + " " + strings.Join(texts, " "), want: strings.Join(want, ", "),
		got: strings.Join(got, ", "), why: why,
	}
}
