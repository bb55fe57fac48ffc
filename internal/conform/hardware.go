package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"girih/analyze"
)

// A sharedAccess is a row of h200_shared_memory.jsonl: one shared-memory instruction of one warp on an H200.
type sharedAccess struct {
	Op         string   `json:"op"`   // "ld.32", "ldmatrix.x4.trans"
	Name       string   `json:"name"` // of the pattern
	Addr       []*int64 `json:"addr"` // bytes, one for each lane; null: the lane is inactive
	Wavefronts int      `json:"wavefronts"`
}

// runShared runs h200_shared_memory.jsonl: one JSON object a line.
func runShared(rep *Report, data []byte) error {
	target, err := analyze.ParseTarget("sm90")
	if err != nil {
		return err
	}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row sharedAccess
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s:%d: %w", rep.File, n+1, err)
		}
		rep.add(fmt.Sprintf("%s:%d", rep.File, n+1), row.Op, row.run(target))
	}
	return nil
}

// run gives the verdict on the row.
func (row sharedAccess) run(target analyze.Target) outcome {
	addrs := make([]int64, len(row.Addr))
	texts := make([]string, len(row.Addr))
	for l, a := range row.Addr {
		addrs[l], texts[l] = analyze.Inactive, "-"
		if a != nil {
			addrs[l], texts[l] = *a, fmt.Sprint(*a)
		}
	}
	access, err := analyze.ParseAccess(row.Op, 0)
	if err != nil {
		return skip(err.Error())
	}
	want := fmt.Sprintf("%d wavefronts", row.Wavefronts)
	o := outcome{verdict: failed, expr: row.Op + " " + strings.Join(texts, " "), want: want, why: "measured on an H200"}
	c, err := analyze.Wavefronts(target, access, addrs)
	if err != nil {
		o.got = err.Error()
		return o
	}
	if c.Wavefronts == row.Wavefronts {
		return pass()
	}
	o.got = fmt.Sprintf("%d wavefronts", c.Wavefronts)
	return o
}
