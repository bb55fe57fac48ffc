package copies

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"girih/internal/terminal"
)

// copyCounters has the card's counters of a copy.
type copyCounters struct {
	Read    int64  `json:"sectors_read,omitempty"`
	Written int64  `json:"sectors_written,omitempty"`
	Waves   int64  `json:"shared_wavefronts,omitempty"`
	Error   string `json:"error,omitempty"`
}

// Nsight Compute's names of the counters.
const (
	counterRead  = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
	counterWrite = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"
	counterWaves = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
)

// countCopy runs this program again under ncu, on the same copy, and reads the counters. An error is part of the
// result, because on many cards users may not read counters.
func countCopy(ctx context.Context, args []string) *copyCounters {
	out := &copyCounters{}
	ncu, err := exec.LookPath("ncu")
	if err != nil {
		out.Error = "ncu is not here"
		return out
	}
	self, err := os.Executable()
	if err != nil {
		out.Error = err.Error()
		return out
	}
	cmd := exec.CommandContext(ctx, ncu, append([]string{
		"--csv", "--clock-control", "none", "--kernel-name", "regex:^copy_", "--launch-count", "1", "--print-units", "base",
		"--metrics", strings.Join([]string{counterRead, counterWrite, counterWaves}, ","), self, "copy",
	}, args...)...)
	var text, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &errs
	if err := cmd.Run(); err != nil {
		out.Error = terminal.Clean(fmt.Sprintf("%v: %s", err, lastLine(text.String()+errs.String())))
		return out
	}
	out.read(text.String())
	return out
}

// read reads the counters from ncu's table.
func (c *copyCounters) read(text string) {
	at := strings.Index(text, `"ID"`)
	if at < 0 {
		c.Error = "ncu has no table: " + terminal.Clean(lastLine(text))
		return
	}
	r := csv.NewReader(strings.NewReader(text[at:]))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 2 {
		c.Error = "ncu's table is not read"
		return
	}
	counters := map[string]*int64{counterRead: &c.Read, counterWrite: &c.Written, counterWaves: &c.Waves}
	name, value := slices.Index(rows[0], "Metric Name"), slices.Index(rows[0], "Metric Value")
	for _, row := range rows[1:] {
		if min(name, value) < 0 || len(row) <= max(name, value) {
			continue
		}
		x, err := strconv.ParseFloat(strings.ReplaceAll(row[value], ",", ""), 64)
		if counter := counters[row[name]]; err == nil && counter != nil {
			*counter = int64(x)
		}
	}
	if c.Read == 0 && c.Written == 0 {
		c.Error = "ncu has no counters: " + terminal.Clean(lastLine(text))
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
