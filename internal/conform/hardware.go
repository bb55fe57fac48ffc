package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"girih/analyze"
)

// A measurement is a row of h200_shared_memory.jsonl or h200_memory.jsonl: one instruction of one warp on a card, and
// what its counters said, of those that were read.
type measurement struct {
	Op         string   `json:"op"`   // "ld.32", "ldmatrix.x4.trans", "ld.global.128"
	Name       string   `json:"name"` // of the pattern
	Addr       []*int64 `json:"addr"` // bytes, one for each lane; null: the lane is inactive
	Wavefronts *int     `json:"wavefronts"`
	Sectors    *int     `json:"sectors"`
	Lines      *int     `json:"lines"`
}

// runShared runs h200_shared_memory.jsonl: one JSON object a line.
func runShared(rep *Report, data []byte) error {
	return runMeasurements(rep, data, 0, "sm90", "measured on an H200")
}

// runMemory runs h200_memory.jsonl: the card in the first line.
func runMemory(rep *Report, data []byte) error {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	var card struct{ Device, Chip string }
	if err := json.Unmarshal(first, &card); err != nil {
		return fmt.Errorf("%s:1: %w", rep.File, err)
	}
	return runMeasurements(rep, rest, 1, card.Chip, "measured on an "+card.Device)
}

// runMeasurements runs the rows behind a number of lines.
func runMeasurements(rep *Report, data []byte, behind int, chip, why string) error {
	target, err := analyze.ParseTarget(chip)
	if err != nil {
		return err
	}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		at := fmt.Sprintf("%s:%d", rep.File, behind+n+1)
		var row measurement
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		rep.add(at, row.Op, row.run(target, why))
	}
	return nil
}

// run gives the verdict on the row.
func (row measurement) run(target analyze.Target, why string) outcome {
	addrs := make([]int64, len(row.Addr))
	texts := make([]string, len(row.Addr))
	for l, a := range row.Addr {
		addrs[l], texts[l] = analyze.Inactive, "-"
		if a != nil {
			addrs[l], texts[l] = *a, fmt.Sprint(*a)
		}
	}
	if row.Wavefronts == nil && row.Sectors == nil {
		return skip("no counter was read: girih-gpu memory judges the clock")
	}
	if row.Op == "cp.async.bulk.shared.global" && row.Sectors != nil {
		t, err := analyze.BulkTraffic(addrs[0], addrs[2], addrs[1])
		if err == nil && t.Sectors == *row.Sectors {
			return pass()
		}
		return outcome{verdict: failed, expr: row.Op + " " + strings.Join(texts, " "), want: fmt.Sprint(*row.Sectors), got: fmt.Sprint(t.Sectors, err), why: why}
	}
	access, err := analyze.ParseAccess(strings.NewReplacer(".global", "", ".cluster", "").Replace(row.Op), 0)
	if err != nil {
		return skip(err.Error())
	}
	var got, want string
	if row.Wavefronts != nil {
		c, refused := analyze.Wavefronts(target, access, addrs)
		got, want, err = fmt.Sprintf("%d wavefronts", c.Wavefronts), fmt.Sprintf("%d wavefronts", *row.Wavefronts), refused
	} else {
		count := analyze.RequestTraffic
		if access.Op() == analyze.Atomic || access.Op() == analyze.Reduce {
			count = analyze.AtomicTraffic
		}
		t, refused := count(addrs, access.Bits()/8)
		got, want, err = fmt.Sprintf("%d sectors", t.Sectors), fmt.Sprintf("%d sectors", *row.Sectors), refused
		if row.Lines != nil {
			got, want = fmt.Sprintf("%s of %d lines", got, t.Lines), fmt.Sprintf("%s of %d lines", want, *row.Lines)
		}
	}
	switch {
	case err != nil:
		got = err.Error()
	case got == want:
		return pass()
	}
	return outcome{verdict: failed, expr: row.Op + " " + strings.Join(texts, " "), want: want, got: got, why: why}
}
